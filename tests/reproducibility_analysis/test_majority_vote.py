"""The vote against counting, label by label."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.reproducibility_analysis.majority_vote import majority_vote


@given(m=st.integers(1, 7), n_labels=st.integers(1, 4), seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_votes_are_counted(m, n_labels, seed):
    """Winner, number of tied labels and credit are those of a count; the order of models plays no part."""
    rng = np.random.default_rng(seed)
    codes, gold = rng.integers(0, n_labels, (m, 30)), rng.integers(0, n_labels, 30)
    vote = majority_vote(codes, gold)
    for t in range(30):
        counts = Counter(codes[:, t].tolist())
        tied = sorted(label for label, count in counts.items() if count == max(counts.values()))
        assert vote.label[t] == tied[0]
        assert vote.n_tied[t] == len(tied)
        assert vote.credit[t] == (gold[t] in tied) / len(tied)
    again = majority_vote(rng.permutation(codes), gold)
    assert np.array_equal(vote.label, again.label)
    assert np.array_equal(vote.credit, again.credit)


def test_two_labels_and_an_odd_number_of_models_never_tie():
    """There is nothing to decide."""
    codes = np.random.default_rng(1).integers(0, 2, (5, 200))
    assert majority_vote(codes, codes[0]).n_ties == 0


def test_probabilities_decide_ties_and_nothing_else():
    """The largest sum wins among the tied; a majority stands, however unsure it is."""
    codes = np.array([[0, 0, 0], [1, 1, 0], [2, 2, 1]])
    probabilities = np.array(
        [
            [[0.5, 0.3, 0.2], [0.4, 0.4, 0.2], [0.4, 0.3, 0.3]],
            [[0.2, 0.6, 0.2], [0.3, 0.4, 0.3], [0.4, 0.3, 0.3]],
            [[0.0, 0.4, 0.6], [0.1, 0.0, 0.9], [0.0, 1.0, 0.0]],
        ]
    )
    vote = majority_vote(codes, np.array([1, 2, 1]), probabilities)
    assert vote.label.tolist() == [1, 2, 0]
    assert vote.n_ties == 0
    assert vote.credit.tolist() == [1, 1, 0]


def test_equal_probabilities_leave_the_tie():
    """Sums that differ by rounding alone are the same."""
    probabilities = np.array([[[0.1, 0.3, 0.6]], [[0.2, 0.0, 0.8]]])
    assert 0.1 + 0.2 > 0.3 + 0.0
    vote = majority_vote(np.array([[0], [1]]), np.array([1]), probabilities)
    assert vote.n_tied.tolist() == [2]
    assert vote.credit.tolist() == [0.5]
