"""TER against sacreBLEU."""

import numpy as np
import pytest

from reportkit.metrics.corpus.ter import TER


def test_values_are_those_of_sacrebleu(sacrebleu, texts):
    """From texts, and where there is nothing in the references."""
    oracle = sacrebleu.metrics.TER()
    hypotheses, references = texts
    counts = np.array(oracle._extract_corpus_statistics(hypotheses, [references]), dtype=float)
    expected = oracle.corpus_score(hypotheses, [references]).score
    assert float(TER(counts.sum(axis=0))) == pytest.approx(expected, rel=1e-13)
    for sums in ([3.0, 0.0], [0.0, 0.0], [5.0, 4.0]):
        assert float(TER(np.array(sums))) == oracle._compute_score_from_stats(sums).score
