"""The recentred paired bootstrap of a corpus metric."""

import itertools

import numpy as np
import pandas as pd
import pytest

from reportkit.metrics.corpus import ACCURACY, BLEU, COLUMNS, CORPUS_METRICS, F1, TER
from reportkit.significance.catalogue import run_test
from reportkit.significance.corpus import resampled_differences
from reportkit.significance.entry import ResamplingPlan
from tests.samples import corpus

PLAN = ResamplingPlan()
BASELINE = "LIUM-NMT.4900"


def _enumerated(pair):
    """Exact tails over all n^n resamples."""
    difference, n = pair.value_difference, pair.n
    value = pair.measure.oriented
    drawn = np.array(list(itertools.product(range(n), repeat=n)))
    values = value(pair.a[drawn].sum(axis=1)) - value(pair.b[drawn].sum(axis=1))
    tolerance = 1e-12 * abs(pair.value_a)
    return np.mean(~(values < 2 * difference - tolerance)), np.mean(~(values > 2 * difference + tolerance))


def _counts(seed, n, measure):
    rng = np.random.default_rng(seed)
    counts = np.sort(rng.integers(0, 12, size=(2, n, len(measure.columns))), axis=-1).astype(float)
    if measure.ratio is not None:
        column = measure.position(measure.ratio[1])
        counts[1, :, column] = counts[0, :, column] = np.maximum(counts[0, :, column], counts[1, :, column]) + 1
    return counts


@pytest.mark.parametrize("seed", range(4))
def test_against_enumeration(seed):
    """F1 of five instances: all 3,125 resamples, within 4.5 standard errors."""
    pair = corpus(*_counts(seed, 5, F1))
    outcome = run_test("corpus-bootstrap", pair, PLAN)
    for p, exact in zip((outcome.p_greater, outcome.p_less), _enumerated(pair), strict=True):
        assert abs(p - exact) < 4.5 * np.sqrt(exact * (1 - exact) / 9999) + 1e-4
    assert (outcome.method, outcome.n_resamples, outcome.seed) == ("Monte Carlo", 9999, 0)


@pytest.mark.parametrize("measure", [ACCURACY, CORPUS_METRICS["wer"], TER], ids=lambda m: m.name)
@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_a_ratio_with_common_denominators_is_exact(measure, names):
    """As all n^n resamples say, in both directions."""
    pair = corpus(*_counts(7, 6, measure), measure, names=names)
    outcome = run_test("corpus-bootstrap", pair, PLAN)
    assert outcome.method == "exact"
    assert (outcome.p_greater, outcome.p_less) == pytest.approx(_enumerated(pair), rel=1e-9)


def test_other_denominators_are_resampled():
    """Then numerator and denominator vary, and no exact way is known."""
    a, b = _counts(7, 30, ACCURACY)
    b[0, 1] += 1
    assert run_test("corpus-bootstrap", corpus(a, b, ACCURACY), PLAN).method == "Monte Carlo"


def test_clusters_are_drawn_whole():
    """As if each cluster were one instance with its summed counts."""
    a, b = _counts(3, 60, F1)
    clusters = np.arange(60) // 3
    whole = corpus(a, b, clusters=clusters)
    summed = corpus(a.reshape(20, 3, 3).sum(axis=1), b.reshape(20, 3, 3).sum(axis=1))
    one, other = (run_test("corpus-bootstrap", pair, PLAN) for pair in (whole, summed))
    assert (one.p_greater, one.p_less) == (other.p_greater, other.p_less)
    assert (one.n, one.n_clusters) == (60, 20)
    assert one.title == "recentred paired bootstrap test with whole clusters"


@pytest.mark.parametrize(
    "name",
    ["corpus-bootstrap", pytest.param("approximate-randomization", marks=pytest.mark.slow), "corpus-jackknife-t"],
)
@pytest.mark.parametrize("measure", [F1, BLEU, CORPUS_METRICS["wer"]], ids=lambda m: m.name)
def test_invariants(name, measure):
    """A against B is B against A turned round, to the last bit; a scale of the counts changes nothing for ratios."""
    a, b = _counts(11, 40, measure)
    b[:20] = a[:20]
    plan = ResamplingPlan(n_resamples=999)
    outcome = run_test(name, corpus(a, b, measure), plan)
    swapped = run_test(name, corpus(b, a, measure, names=("b", "a")), plan)
    assert swapped == outcome.swapped()
    assert 0 < outcome.p_min <= min(outcome.p_greater, outcome.p_less) <= 1
    assert outcome.p_greater + outcome.p_less >= 1 - 1e-12
    assert outcome.n_nonzero == int((a != b).any(axis=1).sum())
    sign = 1 if measure.higher_is_better else -1
    difference = float(measure(a.sum(axis=0)) - measure(b.sum(axis=0)))
    assert outcome.estimate == pytest.approx(sign * difference, rel=1e-12)


def test_undefined_resamples_count_in_both_tails():
    """Two of thirty instances hold everything: a resample without them says nothing for either."""
    a, b = np.zeros((30, 2)), np.zeros((30, 2))
    a[:2], b[:2] = [[3, 5], [4, 4]], [[1, 4], [2, 4]]
    outcome = run_test("corpus-bootstrap", corpus(a, b, ACCURACY), PLAN)
    undefined = (28 / 30) ** 30
    assert outcome.p_greater > undefined - 4.5 * np.sqrt(undefined / 9999)
    assert outcome.p_greater + outcome.p_less > 1 + undefined / 2


@pytest.fixture(scope="module")
def wmt(shared):
    """BLEU statistics (13a) of 16 systems by name, and the published p-values."""
    folder = shared / "data" / "wmt17_ende"
    frame = pd.read_parquet(folder / "stats_bleu13a.parquet").sort_values(["system", "instance"])
    counts = {name: rows[list(COLUMNS)].to_numpy(dtype=float) for name, rows in frame.groupby("system")}
    return counts, pd.read_csv(folder / "ground_truth.csv")


def _sacrebleu_p(sample_values, difference):
    """Compute p as sacreBLEU defines it: (#{value > |d|} + 1) / (b + 1)."""
    return (np.count_nonzero(sample_values > abs(difference)) + 1) / (len(sample_values) + 1)


@pytest.mark.slow
def test_published_p_values_within_monte_carlo_error(wmt):
    """The same 8 from our own resamples and swaps.

    sacreBLEU's bootstrap is about |d*| minus its mean, which is computed here from our resamples; its randomization is
    two-sided, as is twice the smaller tail of ours.
    """
    counts, truth = wmt
    for row in truth[(truth["metric"] == "BLEU") & (truth["tokenizer"] == "13a")].itertuples():
        pair = corpus(counts[row.system], counts[BASELINE], BLEU, names=(row.system, BASELINE))
        if row.test == "paired-bs":
            values = np.abs(resampled_differences(pair, 0, 0, 9999))
            p, b = _sacrebleu_p(values - values.mean(), pair.value_difference), 9999
        else:
            outcome = run_test("approximate-randomization", pair, PLAN, "two-sided")
            p, b = outcome.p_value, 9999 / 4  # twice a tail: twice its standard error
        error = np.sqrt(max(row.p * (1 - row.p), 1 / row.n) * (1 / row.n + 1 / b))
        assert abs(p - row.p) < 4 * error
