"""The posterior by Markov chains against closed forms, truths of simulated data, and itself."""

import numpy as np
import pytest

from reportkit.bayes import posterior
from reportkit.bayes.chains import (
    Chains,
    ChainSettings,
    WithheldError,
    extra,
    read_traces,
    sample_posterior,
    save_traces,
)
from reportkit.bayes.chains.chain_models import ChainModel
from reportkit.bayes.chains.sampled import worth_of
from reportkit.bayes.chains.sampling import run_chains
from reportkit.bayes.distribution import difference, stats
from reportkit.errors import DesignError, ReadingError, RenderingError, SettingsError
from tests.bayes.chains.conftest import SETTINGS, TRUTHS, error_of_mean, error_of_sd

pytestmark = pytest.mark.usefixtures("pymc")


@pytest.mark.slow
@pytest.mark.parametrize("name", TRUTHS)
def test_each_model_recovers_the_difference_that_data_were_made_with(posteriors, name):
    """Four posterior standard deviations about the mean hold it, and no diagnostic fails."""
    found = posteriors(name)
    assert found.withheld == ()
    assert found.findings == ()
    assert abs(found.mean - TRUTHS[name]) < 4 * found.sd
    assert found.p_better + found.p_worse == pytest.approx(1.0)
    assert found.interval.low < found.mean < found.interval.high
    assert found.rope.better + found.rope.equivalent + found.rope.worse == pytest.approx(1.0)
    assert found.rope.better == found.p_better_by(0.05)


@pytest.mark.slow
def test_two_proportions_by_chains_agree_with_the_closed_form():
    """ARC-easy: mean, spread, P(better), P(better by a point), the region and both quantiles, within four errors."""

    def build():
        import pymc

        first, second = (pymc.Beta(name, 1.0, 1.0) for name in ("first", "second"))
        pymc.Binomial("right", n=[2376, 2376], p=pymc.math.stack([first, second]), observed=[1721, 1637])
        return first - second

    model = ChainModel(name="metric", title="", estimand="", build=build)
    settings = ChainSettings(draws=1000, tune=500, seed=1)
    drawn = run_chains(model, settings, np.random.SeedSequence(1), 1.0, {}).difference
    closed = difference(stats.beta(1722.0, 656.0), stats.beta(1638.0, 740.0))
    assert abs(drawn.mean() - closed.mean) < 4 * error_of_mean(drawn)
    assert abs(drawn.std() - closed.sd) < 4 * error_of_sd(drawn)
    for margin in (0.0, 0.01, 0.035, closed.quantile(0.025), closed.quantile(0.975)):
        event = drawn > margin
        assert abs(event.mean() - closed.above(margin)) < 4 * error_of_mean(event)
    inside = np.abs(drawn) <= 0.01
    assert abs(inside.mean() - closed.inside(-0.01, 0.01)) < 4 * error_of_mean(inside)


@pytest.mark.slow
def test_where_data_are_many_the_paired_logistic_model_agrees_with_the_dirichlet(answers):
    """P(better), mean and spread of the difference within four Monte Carlo standard errors of the closed form."""
    sample = answers(3000, 340, 320, 2340)
    found, closed = sample_posterior(sample, settings=SETTINGS), posterior(sample)
    assert abs(found.mean - closed.mean) < 4 * error_of_mean(found.chains.difference)
    assert abs(found.sd - closed.sd) < 4 * error_of_sd(found.chains.difference)
    assert abs(found.p_better - closed.p_better) < 4 * found.monte_carlo_error


def few_draws(sample, seed=3):
    """Return the posterior by chains that are too short."""
    return sample_posterior(sample, scale=1.0, rope=0.1, settings=ChainSettings(draws=20, tune=50, seed=seed))


@pytest.fixture(scope="module")
def short(pymc, paired):
    """Scores of A and of B, and their posterior by chains that are too short."""
    rng = np.random.default_rng(5)
    a, b = rng.normal(0.2, 1.0, 40), rng.normal(0.0, 1.0, 40)
    return a, b, few_draws(paired(a, b))


@pytest.mark.slow
def test_the_same_seed_gives_the_same_digits_and_another_other_ones(short, paired, monkeypatch):
    """In whatever order the rows are, with A and B exchanged, and where no C++ compiler is."""
    import pytensor

    a, b, found = short
    order = np.random.default_rng(6).permutation(40)
    first = found.chains.difference
    assert not np.array_equal(first, few_draws(paired(a, b), seed=4).chains.difference)
    monkeypatch.setattr(pytensor.config, "cxx", "")
    np.testing.assert_array_equal(first, -few_draws(paired(b[order], a[order], names=("b", "a"))).chains.difference)


@pytest.mark.slow
def test_chains_that_are_too_short_are_withheld(short):
    """Every number raises, with what failed and what to do; findings and sentence say so too."""
    *_, found = short
    assert any("effective sample size" in text for text in found.withheld)
    for number in ("mean", "sd", "p_better", "p_worse", "interval", "rope", "monte_carlo_error", "distribution"):
        with pytest.raises(WithheldError, match=r"withheld.*(R-hat|effective sample size)"):
            getattr(found, number)
    with pytest.raises(WithheldError, match="draws=2000"):
        found.p_better_by(0.1)
    assert (found.findings[0].code, found.findings[0].severity) == ("markov-chains-failed", "error")
    assert "a vs. b on cb" in found.findings[0].where
    assert "gives no answer" in found.sentence
    assert "more draws" in found.sentence


def _chains(values, energy=None, diverging=0):
    """Four chains of 1,000 draws of the difference, with statistics of the sampler."""
    energy = np.random.default_rng(1).normal(size=values.shape) if energy is None else energy
    lost = np.zeros(values.shape)
    lost.flat[:diverging] = 1
    traces = extra.arviz().from_dict(
        posterior={"difference": values}, sample_stats={"energy": energy, "diverging": lost}
    )
    return Chains(traces=traces, settings=ChainSettings(), prior="")


def test_each_limit_is_held_and_said():
    """Independent draws pass; chains that disagree, random walks, divergences and low energy do not."""
    rng = np.random.default_rng(2)
    good = rng.normal(size=(4, 1000))
    walks = good.cumsum(axis=1)
    assert _chains(good).failures == {}
    (problem, remedy), *_ = _chains(good + np.array([[0.0], [0.0], [0.0], [1.0]])).failures.items()
    assert "R-hat is 1." in problem
    assert "draws=4000" in remedy
    assert [text.split()[1] for text in _chains(walks).failures] == ["is", "bulk", "tail"]
    ((problem, remedy),) = _chains(good, diverging=1).failures.items()
    assert "1 of 4000 steps diverged" in problem
    assert "target_accept=0.99" in remedy
    ((problem, remedy),) = _chains(good, energy=walks).failures.items()
    assert "missing information is 0.0" in problem
    assert "tune=4000" in remedy
    assert _chains(np.full((4, 1000), np.nan)).failures


@pytest.mark.parametrize("rho", [0.0, 0.7])
def test_draws_are_worth_what_theory_says(rho):
    """Of an autoregressive process: n (1 - rho) / (1 + rho), within a third; never more than there are."""
    rng = np.random.default_rng(9)
    chains = np.empty((4, 4000))
    chains[:, 0] = rng.normal(size=4)
    for step in range(1, 4000):
        chains[:, step] = rho * chains[:, step - 1] + np.sqrt(1 - rho**2) * rng.normal(size=4)
    for event in (chains > -100.0, chains < -100.0):
        assert worth_of(chains, event) == pytest.approx(16_000 * (1 - rho) / (1 + rho), rel=0.3)
    assert 16_000 * (1 - rho) / (1 + rho) * 0.7 < worth_of(chains, chains > 1.0) <= 16_000


@pytest.mark.slow
def test_traces_come_back_as_they_were(posteriors, tmp_path):
    """Every parameter and statistic, with names, seed and versions, the same bytes whenever they are written."""
    found = posteriors("metric")
    path = save_traces(found, tmp_path / "traces")
    assert path.name == "a_b_cb_metric.nc"
    traces, known = read_traces(path), found.chains.traces
    np.testing.assert_array_equal(traces.posterior["difference"].values, found.chains.difference)
    for name in known.posterior.data_vars:
        np.testing.assert_array_equal(traces.posterior[name].values, known.posterior[name].values)
    assert (traces.attrs["system_a"], int(traces.attrs["seed"])) == ("a", 7)
    assert not {key for key in traces.attrs if "created" in key or "time" in key}
    assert save_traces(found, tmp_path / "again.nc").read_bytes() == path.read_bytes()
    (tmp_path / "taken").write_text("x")
    with pytest.raises(RenderingError, match="cannot be written"):
        save_traces(found, tmp_path / "taken")
    with pytest.raises(ReadingError, match="no traces can be read"):
        read_traces(tmp_path / "taken")


@pytest.mark.slow
def test_sentences_have_names_and_diagnostics(posteriors):
    """For the text of a paper, and for its section on methods."""
    found = posteriors("metric")
    assert "posterior probability that a is better than b on cb" in found.sentence
    assert "Monte Carlo standard error" in found.sentence
    assert found.chains.sentence.startswith("4 chains of 500 draws after 500 of tuning")
    assert "0 divergences" in found.chains.sentence


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"chains": 3}, "at least 4 for chains"),
        ({"draws": 19}, "at least 20 for draws"),
        ({"tune": -1}, "at least 0 for tune"),
        ({"seed": 1.5}, "seed=1.5"),
        ({"target_accept": 1.0}, "target_accept"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    """With what is asked for."""
    with pytest.raises(SettingsError, match=message):
        ChainSettings(**settings)


def test_what_makes_no_sense_is_refused_before_sampling(paired, answers):
    """Refuse a level outside (0, 1), and instances on which the systems always agree."""
    with pytest.raises(SettingsError, match="credible_mass"):
        sample_posterior(paired([1, 2, 3], [0, 2, 5]), scale=1.0, credible_mass=1.0)
    with pytest.raises(DesignError, match="same instances"):
        sample_posterior(answers(30, 0, 0, 10))


def test_a_missing_extra_is_said(monkeypatch):
    """What to install, and what answers without it; an error of PyMC itself is not hidden."""

    def absent(name):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(extra, "import_module", absent)
    with pytest.raises(SettingsError, match="pymc is not installed") as caught:
        extra.pymc()
    assert 'pip install "reportkit-replic[bayes]"' in str(caught.value)
