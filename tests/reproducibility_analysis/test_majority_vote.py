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
    """Winner, number of tied labels and credit are those of a count; the order of models plays no part."""
    rng = np.random.default_rng(seed)
    codes, gold = rng.integers(0, n_labels, (m, 30)), rng.integers(0, n_labels, 30)
    winner, credit, n_ties = majority_vote(codes, gold)
    ties = 0
    for t in range(30):
        counts = Counter(codes[:, t].tolist())
        tied = sorted(label for label, count in counts.items() if count == max(counts.values()))
        ties += len(tied) > 1
        assert winner[t] == tied[0]
        assert credit[t] == (gold[t] in tied) / len(tied)
    again = majority_vote(rng.permutation(codes), gold)
    assert n_ties == ties
    assert np.array_equal(winner, again[0])
    assert np.array_equal(credit, again[1])


def test_two_labels_and_an_odd_number_of_models_never_tie():
    """There is nothing to decide."""
    codes = np.random.default_rng(1).integers(0, 2, (5, 200))
    assert majority_vote(codes, codes[0])[2] == 0
