"""Cliff's delta by counting all pairs, and its interval."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reportkit.significance.tests.mann_whitney import brunner_munzel_interval
from reportkit.significance.effect_sizes import cliffs_delta
from reportkit.scores.shapes.unpaired import UnpairedScores

levels = st.lists(st.integers(1, 5), min_size=2, max_size=20)


def unpaired(a, b, names=("a", "b")):
    """Scores of two systems on different instances."""
    return UnpairedScores(
        system_a=names[0],
        system_b=names[1],
        dataset="cb",
        metric="rating",
        kind="ordinal",
        a=np.asarray(a, float),
        b=np.asarray(b, float),
    )


@given(levels, levels)
def test_is_the_share_of_pairs_above_minus_that_below(a, b):
    """By counting, by Mann and Whitney's U, and with the opposite sign for B against A."""
    found = cliffs_delta(unpaired(a, b))
    signs = np.sign(np.subtract.outer(a, b))
    assert found.estimate == pytest.approx(signs.mean(), abs=1e-12)
    assert found.estimate == pytest.approx(2 * stats.mannwhitneyu(a, b).statistic / len(a) / len(b) - 1, abs=1e-12)
    assert cliffs_delta(unpaired(b, a, ("b", "a"))).estimate == -found.estimate
    assert found.interval == brunner_munzel_interval(unpaired(a, b))


def test_separated_samples_have_no_interval():
    """Every score of A above every one of B: delta is 1, and nothing is known of its variance."""
    found = cliffs_delta(unpaired([4, 5], [1, 2, 3]))
    assert (found.estimate, found.interval) == (1.0, None)
