"""Degrees of freedom of sums of variances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reportkit.intervals.means.satterthwaite import cautious_degrees_of_freedom, satterthwaite

PARTS = st.lists(st.tuples(st.floats(0, 1e6), st.integers(1, 1000).map(float)), min_size=1, max_size=4).filter(
    lambda parts: max(v for v, _ in parts) > 1e-6
)


def test_welch_is_a_case():
    """Two variances of means: the degrees of freedom of SciPy's test with unequal variances."""
    a, b = [0.71, 0.74, 0.69, 0.75, 0.73], [0.70, 0.66, 0.68]
    parts = [(np.var(x, ddof=1) / len(x), len(x) - 1.0) for x in (a, b)]
    assert satterthwaite(parts) == pytest.approx(stats.ttest_ind(a, b, equal_var=False).df)


@given(PARTS)
def test_cautious_ones_lie_between_the_smallest_part_and_satterthwaite(parts):
    """Never more than Satterthwaite's, never less than those of the part that is known least; scale plays no role."""
    found = cautious_degrees_of_freedom(parts)
    assert min(f for v, f in parts if v > 0) * (1 - 1e-9) <= found <= satterthwaite(parts) * (1 + 1e-9)
    assert cautious_degrees_of_freedom([(v / 7, f) for v, f in parts]) == pytest.approx(found, rel=1e-6)


def test_one_part_alone_keeps_its_own():
    """There is nothing to be cautious about."""
    assert cautious_degrees_of_freedom([(2.0, 4.0), (0.0, 99.0)]) == pytest.approx(4.0)
