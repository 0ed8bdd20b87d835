"""A distribution known by draws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.bayes.draws import Draws

values = st.lists(st.integers(-3, 3).map(float), min_size=2, max_size=30).map(lambda v: np.sort(np.array(v)))


@given(values, st.integers(-3, 3), st.integers(0, 3))
def test_shares_are_counts(v, low, width):
    """Open tails and a closed middle, ties included, add up."""
    draws = Draws(v)
    assert draws.below(low) == (v < low).mean()
    assert draws.above(low) == (v > low).mean()
    assert draws.hits(low, low + width) == ((v >= low) & (v <= low + width)).sum()
    assert draws.below(low) + draws.inside(low, low + width) + draws.above(low + width) == pytest.approx(1.0)


def test_moments_quantiles_and_error():
    """Those of NumPy, and the standard error of a share."""
    v = np.sort(np.random.default_rng(0).normal(size=50_000))
    draws = Draws(v)
    assert (draws.mean, draws.sd, draws.quantile(0.3)) == (v.mean(), v.std(ddof=1), np.quantile(v, 0.3))
    assert draws.density(0.0) == pytest.approx(0.3989, abs=0.01)
    assert draws.support == (v[0], v[-1])
    assert draws.standard_error(0.5) == pytest.approx(0.5 / np.sqrt(50_000))


@pytest.mark.parametrize("bad", [[1.0], [2.0, 1.0], [0.0, np.nan]])
def test_draws_are_sorted_and_finite(bad):
    """Anything else is a mistake of the caller."""
    with pytest.raises(ValueError, match="finite, sorted"):
        Draws(np.array(bad))
