"""chrF and chrF++ against sacreBLEU."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.metrics.corpus.chrf import CHRF, CHRF_PLUS_PLUS

ORDERS = {CHRF: {"word_order": 0}, CHRF_PLUS_PLUS: {"word_order": 2}}


@pytest.mark.parametrize("metric", ORDERS, ids=lambda metric: metric.name)
def test_values_are_those_of_sacrebleu(sacrebleu, metric):
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
