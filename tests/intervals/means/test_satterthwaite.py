"""Degrees of freedom of sums of variances."""

import numpy as np
import pytest
from scipy import stats

from reportkit.significance.tests.two_way_t import satterthwaite


def test_welch_is_a_case():
    """Two variances of means: the degrees of freedom of SciPy's test with unequal variances."""
    a, b = [0.71, 0.74, 0.69, 0.75, 0.73], [0.70, 0.66, 0.68]
    parts = [(np.var(x, ddof=1) / len(x), len(x) - 1.0) for x in (a, b)]
    assert satterthwaite(parts) == pytest.approx(stats.ttest_ind(a, b, equal_var=False).df)
