"""Tails that were computed for many pairs are those that one pair computes, and are computed once."""

import dataclasses

import numpy as np
import pytest

from reportkit.null_distributions import draw_tails, flip_tails
from reportkit.significance.known_tails import known_tail, tails_ahead


def differences(paired):
    """One row."""
    return np.sort(paired.differences)


@pytest.mark.parametrize("of_rows", [flip_tails, draw_tails])
def test_ahead_and_alone_agree_to_the_last_bit(pair, of_rows):
    """Also among pairs with other numbers of instances."""
    rng = np.random.default_rng(4)
    samples = [pair(rng.normal(0.1, 1.0, n)) for n in (300, 60, 300, 5, 300)]
    tails_ahead(samples, "tail", of_rows, differences)
    for sample in samples:
        assert sample.known["tail"] == known_tail(dataclasses.replace(sample), "tail", of_rows, differences)


def test_a_tail_is_computed_once(pair):
    """Whoever asks again gets what is known, and a copy with other scores knows nothing."""
    calls = []

    def counting(rows):
        calls.append(rows.shape)
        return flip_tails(rows)

    sample = pair(np.linspace(-1.0, 1.5, 50))
    first = known_tail(sample, "tail", counting, differences)
    assert known_tail(sample, "tail", counting, differences) is first
    assert calls == [(1, 50)]
    other = dataclasses.replace(sample, a=sample.b, b=sample.a)
    assert known_tail(other, "tail", counting, differences).greater == first.less
    assert len(calls) == 2
