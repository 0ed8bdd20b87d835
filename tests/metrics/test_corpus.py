"""Corpus metrics against their definitions, sacreBLEU and published values."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reportkit
from reportkit.errors import SettingsError
from reportkit.metrics.corpus import (
    ACCURACY,
    BLEU,
    CHRF,
    CHRF_PLUS_PLUS,
    COLUMNS,
    CORPUS_METRICS,
    F1,
    TER,
    corpus_metric_named,
    counted_columns,
    fitting_metrics,
    missing_counts,
    register_metric,
)
from reportkit.metrics.formulas import quotient

F_HALF = CORPUS_METRICS["f0.5"]
PRECISION = CORPUS_METRICS["precision"]
RECALL = CORPUS_METRICS["recall"]
MATTHEWS = CORPUS_METRICS["mcc"]
WER = CORPUS_METRICS["wer"]


def test_division_by_zero_is_stated():
    """NaN unless another value is given."""
    assert np.isnan(quotient(np.array([1.0]), np.array([0.0])))[0]
    assert quotient(np.array([1.0, 3.0]), np.array([0.0, 2.0]), undefined=-1.0).tolist() == [-1.0, 1.5]


@pytest.mark.parametrize("metric", CORPUS_METRICS.values(), ids=lambda m: m.name)
def test_every_metric_is_vectorised_and_within_its_range(metric):
    """Any shape of sums gives the values of each row alone; all-zero counts are defined or said not to be."""
    rng = np.random.default_rng(3)
    sums = np.sort(rng.integers(0, 50, size=(4, 5, len(metric.columns))).astype(float), axis=-1)
    for part, whole in metric.at_most:
        low, high = metric.position(part), metric.position(whole)
        sums[..., low] = np.minimum(sums[..., low], sums[..., high])
    values = metric(sums)
    assert values.shape == (4, 5)
    alone = [float(metric(row)) for row in sums.reshape(20, -1)]
    assert np.allclose(values.ravel(), alone, rtol=1e-14, atol=0, equal_nan=True)
    low, high = metric.value_range
    defined = values[np.isfinite(values)]
    assert defined.size > 10
    assert (defined >= low).all()
    assert (defined <= high).all()
    nothing = float(metric(np.zeros(len(metric.columns))))
    assert (nothing == 0.0) or (np.isnan(nothing) and metric.undefined.startswith("undefined"))


@pytest.mark.parametrize("metric", CORPUS_METRICS.values(), ids=lambda m: m.name)
def test_orientation(metric):
    """Oriented values are negated where lower is better."""
    sums = np.full(len(metric.columns), 7.0)
    sign = 1.0 if metric.higher_is_better else -1.0
    assert metric.oriented(sums) == sign * metric(sums)


def test_alignment_error_rate_is_that_of_sets_of_links():
    """Two sentences: links as sets, summed over sentences (Och and Ney, 2003)."""
    found = [{(0, 0), (1, 1), (2, 1)}, {(0, 1), (1, 0)}]
    sure, possible = [{(0, 0), (1, 1)}, {(0, 0)}], [{(0, 0), (1, 1), (2, 2)}, {(0, 0), (1, 0)}]
    counts = [(len(a & s) + len(a & p), len(a), len(s)) for a, s, p in zip(found, sure, possible, strict=True)]
    assert float(CORPUS_METRICS["aer"](np.sum(counts, axis=0))) == pytest.approx(1 - (2 + 3) / (5 + 3))
    assert not CORPUS_METRICS["aer"].higher_is_better


def test_they_are_ratios_of_a_total_that_the_data_give():
    """So that tests are exact."""
    assert ACCURACY.ratio == ("correct", "total")
    assert WER.ratio == ("errors", "total")
    assert not WER.higher_is_better


counts = st.integers(0, 1000)


@given(tp=counts, fp=counts, fn=counts)
def test_f_beta_is_the_weighted_harmonic_mean(tp, fp, fn):
    """(1 + b^2) P R / (b^2 P + R), van Rijsbergen's, where it is defined; 0 where it is not."""
    sums = np.array([tp, fp, fn], dtype=float)
    p, r = float(PRECISION(sums)), float(RECALL(sums))
    assert p == (tp / (tp + fp) if tp + fp else 0.0)
    assert r == (tp / (tp + fn) if tp + fn else 0.0)
    for metric, beta in ((F1, 1.0), (F_HALF, 0.5)):
        expected = (1 + beta**2) * p * r / (beta**2 * p + r) if tp else 0.0
        assert float(metric(sums)) == pytest.approx(expected, rel=1e-12, abs=0)


def test_it_is_the_correlation_of_predictions_and_labels():
    """Pearson's correlation of the two 0/1 variables."""
    tp, fp, fn, tn = 17, 5, 8, 31
    predicted = np.repeat([1, 1, 0, 0], [tp, fp, fn, tn])
    label = np.repeat([1, 0, 1, 0], [tp, fp, fn, tn])
    expected = np.corrcoef(predicted, label)[0, 1]
    assert float(MATTHEWS(np.array([tp, fp, fn, tn], dtype=float))) == pytest.approx(expected, rel=1e-12)


@st.composite
def bleu_sums(draw):
    """Sums as texts have them: totals fall from order to order, matches are at most the totals."""
    hyp_len = draw(st.integers(0, 300))
    totals = [max(hyp_len - lost, 0) for lost in np.cumsum([0, *(draw(st.integers(0, 40)) for _ in range(3))])]
    correct = [draw(st.integers(0, total)) for total in totals]
    return [hyp_len, draw(st.integers(0, 300)), *correct, *totals]


def test_bleu_is_that_of_sacrebleu(sacrebleu):
    """For any sums, empty output and orders without matches included, to the last bits."""

    @settings(max_examples=300)
    @given(sums=bleu_sums())
    def check(sums):
        expected = sacrebleu.metrics.BLEU.compute_bleu(sums[2:6], sums[6:], sums[0], sums[1], smooth_method="exp").score
        assert float(BLEU(np.array(sums, dtype=float))) == pytest.approx(expected, rel=1e-14, abs=0)

    check()


@pytest.mark.parametrize(("system", "expected"), [("pbmt", "22.44"), ("nmt", "24.04")])
def test_published_values(shared, system, expected):
    """compare-mt prints 22.44 and 24.04 for its two systems."""
    frame = pd.read_parquet(shared / "data" / "compare_mt" / "bleu_stats.parquet")
    rows = frame[(frame["dataset"] == "ted-slk-eng") & (frame["system"] == system)]
    assert f"{float(BLEU(rows[list(COLUMNS)].to_numpy().sum(axis=0).astype(float))):.2f}" == expected


ORDERS = {CHRF: {"word_order": 0}, CHRF_PLUS_PLUS: {"word_order": 2}}


@pytest.mark.parametrize("metric", ORDERS, ids=lambda metric: metric.name)
def test_chrf_is_that_of_sacrebleu(sacrebleu, metric):
    """For any numbers of n-grams, orders that occur nowhere included."""
    oracle = sacrebleu.metrics.CHRF(**ORDERS[metric])

    @settings(max_examples=300)
    @given(data=st.data())
    def check(data):
        sums = []
        for _ in range(len(metric.columns) // 3):
            hyp, ref = data.draw(st.integers(0, 60)), data.draw(st.integers(0, 60))
            sums += [hyp, ref, data.draw(st.integers(0, min(hyp, ref)))]
        assert float(metric(np.array(sums, dtype=float))) == pytest.approx(
            oracle._compute_f_score(sums), rel=1e-13, abs=0
        )

    check()


def test_orders_are_those_of_sacrebleu(sacrebleu, texts):
    """The counts that sacreBLEU extracts from texts are in the order of the columns."""
    hypotheses, references = texts
    for metric, options in ORDERS.items():
        oracle = sacrebleu.metrics.CHRF(**options)
        counts = np.array(oracle._extract_corpus_statistics(hypotheses, [references]), dtype=float)
        assert counts.shape == (len(hypotheses), len(metric.columns))
        expected = oracle.corpus_score(hypotheses, [references]).score
        assert float(metric(counts.sum(axis=0))) == pytest.approx(expected, rel=1e-13)
        for match, whole in metric.at_most:
            assert (counts[:, metric.position(match)] <= counts[:, metric.position(whole)]).all()


def test_ter_is_that_of_sacrebleu(sacrebleu, texts):
    """From texts, and where there is nothing in the references."""
    oracle = sacrebleu.metrics.TER()
    hypotheses, references = texts
    counts = np.array(oracle._extract_corpus_statistics(hypotheses, [references]), dtype=float)
    expected = oracle.corpus_score(hypotheses, [references]).score
    assert float(TER(counts.sum(axis=0))) == pytest.approx(expected, rel=1e-13)
    for sums in ([3.0, 0.0], [0.0, 0.0], [5.0, 4.0]):
        assert float(TER(np.array(sums))) == oracle._compute_score_from_stats(sums).score


def test_sacrebleu_names_its_counts_otherwise(sacrebleu):
    """`sys_len`, `counts_1` and `totals_1` (or `total_1`), as in its `BLEUScore`, give its score."""
    score = sacrebleu.metrics.BLEU().corpus_score(["the cat is on the mat now"], [["the cat is on the mat today"]])
    for total in ("total", "totals"):
        row = {"sys_len": score.sys_len, "ref_len": score.ref_len}
        row |= {f"counts_{n}": count for n, count in enumerate(score.counts, 1)}
        row |= {f"{total}_{n}": count for n, count in enumerate(score.totals, 1)}
        names = counted_columns(row)
        assert list(names) == list(COLUMNS)
        assert float(BLEU(np.array([row[names[column]] for column in COLUMNS], float))) == pytest.approx(score.score)
    rows = [{"system": s, "dataset": "d", "instance": i, **row} for s in ("new", "old") for i in range(20)]
    found = reportkit.compare(pd.DataFrame(rows), "new", "old", metric="bleu").outcomes
    assert found["score_a"].iloc[0] == pytest.approx(score.score)


def test_only_complete_metrics_count():
    """A lone `total` or `tp` is a column like any other."""
    assert counted_columns(["total", "tp", "fn", "score"]) == {}
    assert set(counted_columns(["correct", "total", "errors"])) == {"correct", "total", "errors"}


def test_what_is_missing():
    """In the order of the metric."""
    assert missing_counts(F1, ["fp"]) == ("tp", "fn")
    assert missing_counts(F1, ["stat_tp", "FP", "fn"]) == ()


@pytest.fixture
def _own_metrics():
    """Leave the registry as it was."""
    before = {*CORPUS_METRICS}
    yield
    for name in {*CORPUS_METRICS} - before:
        CORPUS_METRICS.remove(name)


def test_which_metrics_fit():
    """All columns have to be there; more do no harm."""
    assert [m.name for m in fitting_metrics(["tp", "fp", "fn", "x"])] == ["f1", "f0.5", "precision", "recall"]
    assert [m.name for m in fitting_metrics(["edits", "ref_len"])] == ["ter"]
    assert fitting_metrics(["tp", "fn"]) == ()


@pytest.mark.usefixtures("_own_metrics")
def test_a_metric_of_ones_own():
    """It is found by its name, and a second registration replaces the first (a cell of a notebook is run twice)."""
    first = register_metric("Yield per Try", lambda sums: sums[..., 0] / sums[..., 1], ["gain", "tries"])
    assert corpus_metric_named("yield_per_try") is first
    assert (first.name, first.title, first.columns) == ("yield-per-try", "Yield per Try", ("gain", "tries"))
    second = register_metric("yield per try", lambda sums: 2 * sums[..., 0] / sums[..., 1], ["gain", "tries"])
    assert corpus_metric_named("Yield per Try") is second


@pytest.mark.usefixtures("_own_metrics")
@pytest.mark.parametrize(
    ("name", "function", "columns", "message"),
    [
        ("BLEU", lambda sums: sums[..., 0], ["x"], "there is a corpus metric 'bleu' already"),
        ("mine", lambda sums: sums[..., 0], [], r"columns of 'mine' are \[\]"),
        ("mine", lambda sums: sums[..., 0], ["x", "x"], "columns of 'mine'"),
        ("mine", lambda sums: sums[..., 0], "xy", "columns of 'mine' are 'xy'"),
        ("mine", lambda sums: sums[0] / sums[1], ["x", "y"], "does not return one value per row of sums"),
        ("mine", lambda sums: float(sums[..., 0]), ["x", "y"], r"cannot be called with sums of shape \(2, 3, 2\)"),
        ("mine", lambda sums: sums.sum(axis=0), ["x", "y", "z"], "does not return one value per row"),
    ],
)
def test_what_is_refused(name, function, columns, message):
    """Names that are taken, columns without sense, functions that are not vectorised."""
    with pytest.raises(SettingsError, match=message):
        register_metric(name, function, columns)
    assert "mine" not in CORPUS_METRICS
