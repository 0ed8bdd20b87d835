"""The bootstrap-t test: against its definition, enumeration, its bound, and the sizes it is chosen for."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from reportkit.errors import DesignError
from reportkit.null_distributions.random.tilted_studentized import MOST_DRAWN
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.bootstrap_t import BOOTSTRAP_T, BOUND, bootstrap_t
from reportkit.significance.tests.sign_flip import SIGN_FLIP, sign_flip

PLAN = ResamplingPlan()
SKEWED = np.random.default_rng(4).exponential(size=60) - 0.8


def test_p_values_are_shares_of_all_resamples(pair):
    """Of 5 differences, 3,125 resamples; those without variance are left out of the share, and are counted."""
    d = np.array([-1.0, 0.5, 1.0, 2.0, 7.0])
    samples = np.array(list(itertools.product(d, repeat=5)))
    deviation = samples.std(axis=1, ddof=1)
    valid = deviation > 1e-12
    t_star = (samples[valid].mean(axis=1) - d.mean()) / (deviation[valid] / np.sqrt(5))
    t = d.mean() / (d.std(ddof=1) / np.sqrt(5))
    outcome = bootstrap_t(pair(d), ResamplingPlan(n_resamples=99_999))
    for p, exact in ((outcome.p_greater, np.mean(t_star >= t - 1e-9)), (outcome.p_less, np.mean(t_star <= t + 1e-9))):
        assert p == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 99_999))
    assert outcome.statistic == pytest.approx(t)
    left_out = 99_999 - outcome.n_resamples
    assert left_out == pytest.approx(99_999 * np.mean(~valid), rel=0.5)
    assert outcome.algorithm == f"without {left_out:,} resamples that hold no variance"


def test_weights_and_clusters_are_drawn_whole(pair):
    """Clusters of equal size are their sums; weights of 2 are a ratio of sums, not two instances."""
    sums = bootstrap_t(pair(SKEWED.reshape(30, 2).sum(axis=1)), PLAN)
    clustered = bootstrap_t(pair(SKEWED, clusters=np.repeat(range(30), 2)), PLAN)
    assert (clustered.p_greater, clustered.p_less) == (sums.p_greater, sums.p_less)
    assert (clustered.n, clustered.n_clusters) == (60, 30)
    assert clustered.title == "bootstrap-t test of the mean with whole clusters"
    weighted = bootstrap_t(pair(SKEWED, weights=np.repeat([1.0, 2.0], 30)), PLAN)
    assert weighted.estimand == "weighted mean difference"
    assert weighted.p_greater != bootstrap_t(pair(SKEWED), PLAN).p_greater


def test_swap_to_the_last_bit(pair):
    """A against B is B against A turned round, with clusters of several sizes too."""
    clusters = np.repeat(range(24), [1, 2, 3, 4] * 6)
    for fields in ({}, {"clusters": clusters}):
        outcome = bootstrap_t(pair(SKEWED, **fields), PLAN)
        swapped = bootstrap_t(pair(0 * SKEWED, SKEWED, names=("b", "a"), **fields), PLAN)
        assert swapped == outcome.swapped()


def test_far_tails_have_a_bound(pair):
    """Where no resample reaches t, p is an upper bound of the tail instead of 1 / (b + 1), of either tail."""
    d = np.random.default_rng(1).normal(1.0, 1.0, size=150)
    outcome = bootstrap_t(pair(d), PLAN)
    assert outcome.n_resamples == 9_999
    assert 1e-40 < outcome.p_greater < 1e-12
    assert outcome.algorithm == BOUND
    assert outcome.p_less == 1.0
    assert bootstrap_t(pair(-d), PLAN).p_less == pytest.approx(outcome.p_greater, rel=1e-9)
    assert outcome.p_min < 1e-300


def test_resamples_are_drawn_while_a_threshold_is_open(pair):
    """P is about .013: of a threshold of .05 nothing is open, .0125 asks for all there may be, 1e-6 for the bound."""
    paired = pair(SKEWED - SKEWED.mean() + 0.29)
    few = bootstrap_t(paired, ResamplingPlan(thresholds=(0.05,)))
    assert 0.003 < few.p_greater < 0.03
    near = bootstrap_t(paired, ResamplingPlan(thresholds=(few.p_greater,)))
    assert (few.n_resamples, bootstrap_t(paired, ResamplingPlan(thresholds=(1e-6,))).n_resamples) == (9_999, 9_999)
    assert near.n_resamples > 9_999  # further ones are tilted to the observed value
    nearest = bootstrap_t(paired, ResamplingPlan(thresholds=(near.p_greater,)))
    assert nearest.n_resamples == 9_999 + MOST_DRAWN
    assert near.p_greater == pytest.approx(few.p_greater, abs=4 * few.monte_carlo_error)
    many = pair(np.tile(SKEWED - SKEWED.mean() + 0.29, 50))
    assert bootstrap_t(many, ResamplingPlan(thresholds=(0.5,))).n_resamples <= 99_999


def test_resamples_without_variance_are_left_out(pair):
    """One win among 401 instances is not drawn in one of three resamples."""
    outcome = bootstrap_t(pair(np.append(np.zeros(400), 1.0)), ResamplingPlan(n_resamples=999))
    assert outcome.method == "Monte Carlo"
    assert outcome.n_resamples == pytest.approx(999 * (1 - np.exp(-1)), rel=0.1)


def test_student_where_hardly_any_resample_holds_variance(pair, monkeypatch):
    """The p-values are those of Student's t-test, and a finding says so."""
    monkeypatch.setattr("reportkit.significance.tests.bootstrap_t.enough_valid", lambda n_valid, n_drawn: False)
    outcome = bootstrap_t(pair(SKEWED), PLAN)
    expected = stats.ttest_1samp(SKEWED, 0.0, alternative="greater")
    assert outcome.p_greater == pytest.approx(expected.pvalue, rel=1e-9)
    assert outcome.method == "asymptotic"
    assert "too-few-valid-resamples" in [item.code for item in BOOTSTRAP_T.remarks(pair(SKEWED), outcome)]


def test_no_variance_no_test(pair):
    """All differences alike, and not 0; of none at all p is 1."""
    with pytest.raises(DesignError, match="'bootstrap-t' cannot estimate a variance"):
        bootstrap_t(pair([1.0, 1.0]), PLAN)
    assert bootstrap_t(pair([0.0, 0.0]), PLAN).p_greater == 1.0


def rejections(pair, draw, repetitions, plan):
    """Shares of one-sided rejections at .05 by bootstrap-t and sign-flip."""
    samples = [pair(draw()) for _ in range(repetitions)]
    SIGN_FLIP.ahead(samples, plan)  # of all at once, which changes nothing
    return np.mean([[test(each, plan).p_greater <= 0.05 for test in (bootstrap_t, sign_flip)] for each in samples], 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "name", "expected", "symmetric"),
    [
        (100, "1 - Exp", 0.049, 0.068),
        (100, "Exp - 1", 0.061, 0.036),
        (100, "normal", 0.056, 0.062),
        (20, "1 - Exp", 0.079, 0.119),
    ],
)
def test_size_is_that_of_other_simulations(pair, n, name, expected, symmetric):
    """One-sided size at .05 of a mean of 0, as simulated elsewhere with 1,000 repetitions and more."""
    rng, repetitions = np.random.default_rng(n), 1_500
    draws = {
        "1 - Exp": lambda: 1 - rng.exponential(size=n),
        "Exp - 1": lambda: rng.exponential(size=n) - 1,
        "normal": lambda: rng.normal(size=n),
    }
    found = rejections(pair, draws[name], repetitions, ResamplingPlan(n_resamples=1_999))
    for share, other in zip(found, (expected, symmetric), strict=True):
        assert share == pytest.approx(other, abs=4 * np.sqrt(other * (1 - other) * (1 / repetitions + 1 / 1_000)))
    if name == "1 - Exp":
        assert found[0] < found[1]


def test_looking_ahead_changes_nothing(pair):
    """Pairs on several datasets, of several sizes, weighted and in clusters: outcomes and intervals are the same."""
    rng = np.random.default_rng(6)
    samples = [
        pair(rng.exponential(size=n) - 0.7, dataset=dataset, **design)
        for dataset in ("d1", "d2")
        for n in (30, 31, 60)
        for design in ({}, {"weights": rng.random(n)}, {"clusters": np.repeat(range(n // 2 + 1), 2)[:n]})
    ]
    alone = [bootstrap_t(replace(paired), PLAN) for paired in samples]
    BOOTSTRAP_T.ahead(samples, PLAN)
    assert sum("bootstrap-t of seed 0" in paired.known for paired in samples) == 6
    assert [bootstrap_t(paired, PLAN) for paired in samples] == alone
