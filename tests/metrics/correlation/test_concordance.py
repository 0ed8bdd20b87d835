"""Counts of pairs against counting them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reportkit.metrics.correlation.concordance import concordance
from reportkit.metrics.correlation.midranks import ranked

pairs = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=40)


@given(pairs)
def test_counts_are_those_of_all_pairs(values):
    """With ties in either order, and in both."""
    x, y = (np.array(column, dtype=np.float64) for column in zip(*values, strict=True))
    sign_x, sign_y = (np.sign(v[:, None] - v[None, :]) for v in (x, y))
    counts = concordance(ranked(x), ranked(y))
    assert (counts.signs == (sign_x * sign_y).sum(axis=0)).all()
    others = ~np.eye(x.size, dtype=bool)
    assert (counts.above == (((sign_x + 1) / 2) * ((sign_y + 1) / 2) * others).sum(axis=0)).all()


def test_a_large_sample():
    """Levels of the merge beyond the small cases; Kendall's tau of SciPy as the truth."""
    from scipy import stats

    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 500, 5000).astype(float), rng.normal(size=5000)
    counts = concordance(ranked(x), ranked(y))
    x_pairs = 5000 * 4999 / 2 - sum(t * (t - 1) / 2 for t in np.bincount(x.astype(int)))
    tau = counts.signs.sum() / 2 / np.sqrt(x_pairs * 5000 * 4999 / 2)
    assert abs(tau - stats.kendalltau(x, y).statistic) < 1e-14
