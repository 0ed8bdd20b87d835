"""BLEU against sacreBLEU and published values."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.metrics.corpus.bleu import BLEU, BLEU_FLOOR, BLEU_UNSMOOTHED, COLUMNS

SMOOTHING = {"exp": BLEU, "floor": BLEU_FLOOR, "none": BLEU_UNSMOOTHED}


@st.composite
def bleu_sums(draw):
    """Sums as texts have them: totals fall from order to order, matches are at most the totals."""
    hyp_len = draw(st.integers(0, 300))
    totals = [max(hyp_len - lost, 0) for lost in np.cumsum([0, *(draw(st.integers(0, 40)) for _ in range(3))])]
    correct = [draw(st.integers(0, total)) for total in totals]
    return [hyp_len, draw(st.integers(0, 300)), *correct, *totals]


@pytest.mark.slow
@pytest.mark.parametrize("smoothing", SMOOTHING)
def test_values_are_those_of_sacrebleu(sacrebleu, smoothing):
    """For any sums, empty output and orders without matches included, to the last bits."""

    @settings(max_examples=300)
    @given(sums=bleu_sums())
    def check(sums):
        expected = sacrebleu.metrics.BLEU.compute_bleu(
            sums[2:6], sums[6:], sums[0], sums[1], smooth_method=smoothing
        ).score
        assert float(SMOOTHING[smoothing](np.array(sums, dtype=float))) == pytest.approx(expected, rel=1e-14, abs=0)

    check()


def test_corpus_bleu_of_real_systems(shared, sacrebleu):
    """All 16 systems of WMT 2017: to the last bit but one of sacreBLEU's."""
    frame = pd.read_parquet(shared / "data" / "wmt17_ende" / "stats_bleu13a.parquet")
    for _, rows in frame.groupby("system"):
        sums = rows[list(COLUMNS)].to_numpy().sum(axis=0)
        expected = sacrebleu.metrics.BLEU()._compute_score_from_stats(sums.tolist()).score
        assert abs(float(BLEU(sums.astype(float))) - expected) <= np.spacing(expected)


@pytest.mark.parametrize(("system", "expected"), [("pbmt", "22.44"), ("nmt", "24.04")])
def test_published_values(shared, system, expected):
    """compare-mt prints 22.44 and 24.04 for its two systems."""
    frame = pd.read_parquet(shared / "data" / "compare_mt" / "bleu_stats.parquet")
    rows = frame[(frame["dataset"] == "ted-slk-eng") & (frame["system"] == system)]
    assert f"{float(BLEU(rows[list(COLUMNS)].to_numpy().sum(axis=0).astype(float))):.2f}" == expected
