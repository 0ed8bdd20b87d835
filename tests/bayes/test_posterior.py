"""One call for every shape: the right model, its numbers, its symmetries, and what it refuses."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.bayes import SignedRankPosterior, posterior
from reportkit.errors import DesignError, SettingsError, UnknownNameError
from tests import samples
from tests.samples import folds, run_scores
from tests.significance.methods import interval_of

RNG = np.random.default_rng(21)
A, B = RNG.normal(0.6, 0.1, 40), RNG.normal(0.55, 0.1, 40)
MANY_A, MANY_B = RNG.normal(0.6, 0.1, 240), RNG.normal(0.55, 0.1, 240)


def _runs(a, b, names=("a", "b")):
    return run_scores(np.sort(a), np.sort(b), names=names)


def _samples(paired, unpaired, counted):
    """A sample of every shape, and the same turned round."""
    right_a, right_b = (A > 0.55).astype(float), (B > 0.55).astype(float)
    rated_a, rated_b = np.floor(10 * A), np.floor(10 * B)
    many_right = (MANY_A > 0.55).astype(float), (MANY_B > 0.55).astype(float)
    many_rated = np.floor(10 * MANY_A), np.floor(10 * MANY_B)
    clusters = np.arange(240) // 2
    back = ("b", "a")
    return {
        "dirichlet": (paired(right_a, right_b, kind="binary"), paired(right_b, right_a, kind="binary", names=back)),
        "dirichlet of ratings": (
            paired(rated_a, rated_b, kind="ordinal"),
            paired(rated_b, rated_a, kind="ordinal", names=back),
        ),
        "student-t": (paired(A, B), paired(B, A, names=back)),
        "bayesian-bootstrap": (paired(MANY_A, MANY_B), paired(MANY_B, MANY_A, names=back)),
        "bayesian-bootstrap of clusters": (
            paired(*many_right, kind="binary", clusters=clusters),
            paired(*many_right[::-1], kind="binary", clusters=clusters, names=back),
        ),
        "bayesian-bootstrap of clustered ratings": (
            paired(*many_rated, kind="ordinal", clusters=clusters),
            paired(*many_rated[::-1], kind="ordinal", clusters=clusters, names=back),
        ),
        "beta-binomial": (counted(30, 40, 25, 45), counted(25, 45, 30, 40, names=("S2", "S1"))),
        "beta-binomial of scores": (
            unpaired(right_a, right_b[:30], kind="binary"),
            unpaired(right_b[:30], right_a, kind="binary", names=back),
        ),
        "behrens-fisher": (unpaired(A, B[:25]), unpaired(B[:25], A, names=back)),
        "behrens-fisher of runs": (_runs(A[:4], B[:5]), _runs(B[:5], A[:4], names=back)),
        "ordinal-levels": (
            unpaired(rated_a, rated_b[:30], kind="ordinal"),
            unpaired(rated_b[:30], rated_a, kind="ordinal", names=back),
        ),
        "correlated-t": (
            folds(A.reshape(4, 10), B.reshape(4, 10)),
            folds(B.reshape(4, 10), A.reshape(4, 10), names=back),
        ),
    }


def test_every_shape_has_its_model(paired, unpaired, counted):
    """Name of the model, masses that sum to one, an interval with its probability, and exact antisymmetry."""
    for name, (there, back) in _samples(paired, unpaired, counted).items():
        found, turned = posterior(there, rope=0.02), posterior(back, rope=0.02)
        assert found.model == name.split(" of ")[0]
        assert found.p_better > 0.5, name
        masses = found.rope
        assert masses.better + masses.equivalent + masses.worse == pytest.approx(1.0, abs=1e-9), name
        inside = found.distribution.inside(found.interval.low, found.interval.high)
        assert inside == pytest.approx(0.95, abs=1e-3 if found.model == "ordinal-levels" else 1e-5), name
        assert (turned.p_better, turned.p_worse, turned.sd) == (found.p_worse, found.p_better, found.sd), name
        assert (turned.mean, turned.rope.worse) == (-found.mean, masses.better), name
        assert (turned.interval.low, turned.interval.high) == (-found.interval.high, -found.interval.low), name
        assert found.p_better_by(0.02) == masses.better
        assert math.isfinite(found.mean)


def test_numbers_of_the_t_models(paired, unpaired):
    """P(A better) is one minus the one-sided p-value of the t test, and near that of Welch's."""
    found = posterior(paired(A, B), model="student-t")
    assert found.p_better == pytest.approx(1 - stats.ttest_rel(A, B, alternative="greater").pvalue, abs=1e-9)
    welch = stats.ttest_ind(A, B, equal_var=False, alternative="greater").pvalue
    assert posterior(unpaired(A, B)).p_better == pytest.approx(1 - welch, abs=0.002)


def test_priors(paired, counted):
    """(a, b) or one number for counts, one number for paired answers, a scale for a difference of means."""
    counts = counted(1721, 2376, 1637, 2376)
    assert posterior(counts, prior=0.5).p_better == posterior(counts, prior=(0.5, 0.5)).p_better
    assert posterior(counts, prior=(9, 3)).prior == "independent Beta(9, 3) priors"
    assert posterior(counts, prior=(9, 3)).p_better == pytest.approx(0.9963, abs=1e-4)
    right = paired([1, 0, 1, 1], [0, 0, 1, 0], kind="binary")
    assert posterior(right, prior=2).p_better == pytest.approx(stats.beta.sf(0.5, 4, 2), abs=1e-12)
    with pytest.raises(SettingsError, match="one positive number"):
        posterior(right, prior=(1, 1))
    assert posterior(paired(A, B), prior=1.0).prior == "a Cauchy prior about 0 with scale 1"
    with pytest.raises(SettingsError, match="one positive number"):
        posterior(paired(A, B), prior=(1.0, 2.0))
    with pytest.raises(SettingsError, match="is no prior of a difference"):
        posterior(paired(A, B), prior="wide")
    with pytest.raises(SettingsError, match="is no prior of a difference"):
        posterior(paired(A, B), prior=-0.1)
    for bad in (0, (1, 1, 2), "jeffreys"):
        with pytest.raises(SettingsError, match="is no prior"):
            posterior(counts, prior=bad)


def test_large_samples_of_every_other_shape_have_a_t_approximation(predictions):
    """Correlations: the t distribution of the jackknife interval, read the other way round."""
    rng = np.random.default_rng(5)
    gold = rng.normal(size=80)
    sample = predictions(gold + rng.normal(size=80), gold + 2 * rng.normal(size=80), gold)
    found = posterior(sample, credible_mass=0.9)
    interval = interval_of("correlation-jackknife-t")(sample, 0.9)
    assert found.model == "asymptotic-t"
    assert (found.interval.low, found.interval.high) == pytest.approx((interval.low, interval.high), abs=1e-4)
    turned = posterior(predictions(sample.b, sample.a, gold, names=("b", "a")), credible_mass=0.9)
    assert (turned.p_better, turned.p_worse) == (found.p_worse, found.p_better)


def test_few_units_and_common_instances_are_said(paired, unpaired):
    """Findings: fewer than 20 units, and a pairing that is not used."""
    assert [finding.code for finding in posterior(paired(A[:12], B[:12])).findings] == ["few-units"]
    assert posterior(paired(A, B)).findings == ()
    sample = unpaired([1, 0, 1, 1], [0, 1, 0], kind="binary", n_common=3)
    assert [finding.code for finding in posterior(sample).findings] == ["pairing-lost"]


def test_datasets_as_the_sample():
    """One score per dataset: the signed-rank test."""
    z = np.array([0.03, 0.05, 0.01, 0.04, -0.01, 0.06])
    sample = samples.sample(z + 0.5, np.full(6, 0.5), unit="dataset")
    found = posterior(sample, rope=0.01, seed=4)
    assert isinstance(found, SignedRankPosterior)
    assert found.p_better > 0.9
    assert found.n_datasets == 6
    assert posterior(sample, rope=0.01, prior=2.0).p_equivalent > found.p_equivalent


def test_what_cannot_be_answered(paired):
    """Models that do not fit, unknown names, levels and regions that make no sense."""
    with pytest.raises(DesignError, match="does not fit") as caught:
        posterior(paired(A, B), model="beta-binomial")
    assert "possible: student-t, bayesian-bootstrap" in str(caught.value)
    with pytest.raises(UnknownNameError, match="student-y"):
        posterior(paired(A, B), model="student-y")
    for level in (0.0, 1.0):
        with pytest.raises(SettingsError, match="credible_mass"):
            posterior(paired(A, B), credible_mass=level)
    with pytest.raises(SettingsError, match="practical equivalence"):
        posterior(paired(A, B), rope=0)
    with pytest.raises(DesignError, match="same difference"):
        posterior(paired(A, A))


def test_identical_right_or_wrong_answers_have_a_posterior(paired):
    """No discordant instance: a probability of one half, and a narrow interval about 0."""
    right = (A > 0.5).astype(float)
    found = posterior(paired(right, right, kind="binary"), rope=0.2)
    assert found.p_better == pytest.approx(0.5, abs=1e-12)
    assert found.rope.decision == "practically equivalent"


@settings(max_examples=8, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=3, max_size=40), st.integers(0, 39))
def test_one_more_right_answer_helps(paired, answers, which):
    """P(A better) does not fall if A gets one more right, nor the interval's ends."""
    a, b = np.array(answers, dtype=np.float64).T
    better = a.copy()
    better[which % a.size] = 1.0
    before, after = posterior(paired(a, b, kind="binary")), posterior(paired(better, b, kind="binary"))
    assert after.p_better >= before.p_better - 1e-12
    assert after.distribution.quantile(0.025) >= before.distribution.quantile(0.025) - 1e-9
