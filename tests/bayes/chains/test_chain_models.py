"""Priors and likelihoods of each model are those that its docstring states."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit

from reportkit.bayes.chains.catalogue import chain_model
from reportkit.bayes.chains.chain_models import (
    count_model,
    logistic_model,
    metric_model,
    ordinal_model,
    paired_count_model,
    paired_metric_model,
)

pytestmark = pytest.mark.usefixtures("pymc")


def value_of(model, values, effect=False):
    """Log likelihood at one point, or the effect, computed by PyTensor without compiling."""
    import pymc
    from pytensor import function
    from pytensor.compile.mode import Mode
    from pytensor.graph.replace import graph_replace

    with pymc.Model() as made:
        difference = model.build()
    if effect:
        known = {variable: np.asarray(values[variable.name]) for variable in made.free_RVs}
        return float(function([], graph_replace([difference], known, strict=False), mode=Mode("py", None))()[0])
    point = {}
    for variable in made.free_RVs:
        value, change = np.asarray(values[variable.name], dtype=np.float64), made.rvs_to_transforms[variable]
        at = value if change is None else change.forward(value, *variable.owner.inputs).eval()
        point[made.rvs_to_values[variable].name] = at
    return float(made.compile_fn(made.observedlogp + made.potentiallogp, mode=Mode("py", None))(point))


@pytest.mark.parametrize("name", ["metric", "two-metric", "count", "two-count", "ordinal", "two-ordinal", "logistic"])
def test_no_prior_prefers_a_system(samples, name):
    """The effect is symmetric about 0 under the prior, as it is turned round where the parameter of the effect is."""
    import pymc

    with pymc.Model() as made:
        chain_model(samples[name], scale=0.5 if name.endswith("metric") else None)[0].build()
    (effect,) = (one for one in made.free_RVs if one.name in ("mu", "delta", "ratio"))
    assert "Normal(0, " in effect.str_repr()


def test_the_metric_likelihood_is_that_of_student_t():
    """SciPy's, in units of the scale."""
    d = np.array([-1.0, 0.5, 2.0])
    paired = paired_metric_model(d, 2.0, 1.0)
    at = {"mu": 0.3, "sigma": 1.2, "nu_above_one": 4.0}
    assert value_of(paired, at) == pytest.approx(stats.t.logpdf(d / 2, 5.0, 0.3, 1.2).sum())
    two = metric_model(d, d[:2], 2.0, 1.0)
    at = {"level": 1.0, "delta": 0.4, "sigma_first": 1.0, "sigma_second": 2.0, "nu_above_one": 4.0}
    truth = stats.t.logpdf(d / 2, 5, 1.2, 1.0).sum() + stats.t.logpdf(d[:2] / 2, 5, 0.8, 2.0).sum()
    assert value_of(two, at) == pytest.approx(truth)


def test_the_count_likelihood_has_variance_mean_plus_squared_mean_over_alpha():
    """SciPy's negative binomial with n = alpha and p = alpha / (alpha + mean), and its beta-binomial."""
    first, second = np.array([0.0, 2.0, 2.0, 5.0]), np.array([1.0, 0.0, 3.0])
    two = count_model(first, second, 1.0)
    at = {"level": 0.5, "ratio": 0.6, "spread_first": 0.8, "spread_second": 1.1}
    truth = 0.0
    for scores, mean, spread in ((first, np.exp(0.8), 0.8), (second, np.exp(0.2), 1.1)):
        alpha = 1 / (spread**2 + 1e-6)
        distribution = stats.nbinom(alpha, alpha / (alpha + mean))
        assert distribution.var() == pytest.approx(mean + mean**2 / alpha)
        truth += distribution.logpmf(scores).sum()
    assert value_of(two, at) == pytest.approx(truth)
    pairs = np.array([[0.0, 0.0], [1.0, 2.0], [4.0, 1.0]])
    at = {"level": 0.5, "ratio": 0.6, "spread": 0.8, "split": 0.5}
    alpha, kappa, mean = 1 / (0.64 + 1e-6), 1 / (0.25 + 1e-6), np.exp(0.8) + np.exp(0.2)
    share = np.exp(0.8) / mean
    truth = stats.nbinom.logpmf(pairs.sum(axis=1), alpha, alpha / (alpha + mean)).sum()
    truth += stats.betabinom.logpmf(pairs[:, 0], pairs.sum(axis=1), share * kappa, (1 - share) * kappa).sum()
    model = paired_count_model(pairs, 1.0)
    assert value_of(model, at) == pytest.approx(truth)
    assert value_of(model, at, effect=True) == pytest.approx(np.exp(0.8) - np.exp(0.2))


def test_the_ordinal_likelihood_is_that_of_a_normal_cut_by_thresholds():
    """Levels 2 to 6, the outer thresholds at 2.5 and 5.5; pairs by SciPy's bivariate normal distribution."""
    gaps = np.array([0.2, 0.5, 0.3])
    cuts = np.array([2.5, 3.1, 4.6, 5.5])
    edges = np.concatenate([[-50.0], cuts, [50.0]])
    at = {"centre": 4.0, "delta": 0.6, "sigma_first": 1.0, "sigma_second": 1.5, "gaps": gaps}
    counts = np.array([[3.0, 0.0, 2.0, 1.0, 4.0], [1.0, 1.0, 0.0, 2.0, 0.0]])
    shares = [np.diff(stats.norm.cdf(edges, 4.3, 1.0)), np.diff(stats.norm.cdf(edges, 3.7, 1.5))]
    two = ordinal_model(counts, 2, 6, 1.0, paired=False)
    assert value_of(two, at) == pytest.approx((counts * np.log(shares)).sum())
    pairs = np.arange(25.0).reshape(5, 5)
    paired = ordinal_model(pairs, 2, 6, 1.0, paired=True)
    joint = stats.multivariate_normal([4.3, 3.7], [[1.0, 0.6 * 1.5], [0.6 * 1.5, 2.25]])
    below = np.array([[joint.cdf([x, y]) for y in edges] for x in edges])
    cells = np.diff(np.diff(below, axis=0), axis=1)
    truth = (pairs * np.log(cells)).sum()
    assert value_of(paired, {**at, "rho": 0.6}) == pytest.approx(truth, rel=1e-4)


def test_the_paired_logistic_likelihood_averages_over_instances():
    """Against adaptive quadrature over the difficulty of an instance; the effect too."""
    from scipy.integrate import quad

    cells = np.array([30.0, 8.0, 5.0, 12.0])
    model = logistic_model(cells, 1.0)
    at = {"level": 0.4, "delta": 0.7, "tau": 2.5}
    mu = 0.4 * np.sqrt(1 + (16 * np.sqrt(3) / (15 * np.pi)) ** 2 * 2.5**2)

    def average(function):
        return quad(lambda z: function(mu + 2.5 * z) * stats.norm.pdf(z), -12, 12, epsabs=1e-12)[0]

    first, second = (lambda x: expit(x + 0.35)), (lambda x: expit(x - 0.35))
    shares = [
        average(lambda x: first(x) * second(x)),
        average(lambda x: first(x) * (1 - second(x))),
        average(lambda x: (1 - first(x)) * second(x)),
        average(lambda x: (1 - first(x)) * (1 - second(x))),
    ]
    assert shares[1] / shares[2] == pytest.approx(np.exp(0.7))
    assert value_of(model, at) == pytest.approx((cells * np.log(shares)).sum(), rel=1e-9)
    assert value_of(model, at, effect=True) == pytest.approx(shares[1] - shares[2], rel=1e-8)
