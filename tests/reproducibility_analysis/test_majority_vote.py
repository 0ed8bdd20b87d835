"""The vote against counting, label by label."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.reproducibility_analysis.estimators import majority_vote


@given(m=st.integers(1, 7), n_labels=st.integers(1, 4), seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_votes_are_counted(m, n_labels, seed):
    """Winner and credit are those of a count; the order of models plays no part."""
    rng = np.random.default_rng(seed)
    codes, gold = rng.integers(0, n_labels, (m, 30)), rng.integers(0, n_labels, 30)
    winner, credit = majority_vote(codes, gold)
    for t in range(30):
        counts = Counter(codes[:, t].tolist())
        tied = sorted(label for label, count in counts.items() if count == max(counts.values()))
        assert winner[t] == tied[0]
        assert credit[t] == (gold[t] in tied) / len(tied)
    again = majority_vote(rng.permutation(codes), gold)
    assert np.array_equal(winner, again[0])
    assert np.array_equal(credit, again[1])
