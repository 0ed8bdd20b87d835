"""Welch's interval against SciPy."""

import numpy as np
import pytest
from scipy import stats

from reportkit.significance.tests.welch import estimate_unpaired, welch_interval
from reportkit.scores.shapes.unpaired import UnpairedScores


def _sample(a, b, names=("a", "b")):
    return UnpairedScores(
        system_a=names[0], system_b=names[1], dataset="cb", metric="f1", kind="continuous",
        a=np.asarray(a, dtype=float), b=np.asarray(b, dtype=float),
    )  # fmt: skip


@pytest.mark.parametrize(("n_a", "n_b"), [(2, 2), (5, 40), (100, 60)])
def test_agrees_with_scipy(n_a, n_b):
    """Both ends, standard error and degrees of freedom; B against A turned round."""
    rng = np.random.default_rng(n_a)
    a, b = rng.exponential(size=n_a), rng.normal(size=n_b)
    expected = stats.ttest_ind(a, b, equal_var=False)
    for level in (0.9, 0.95):
        interval = welch_interval(_sample(a, b), level)
        assert (interval.low, interval.high) == pytest.approx(tuple(expected.confidence_interval(level)), rel=1e-9)
    assert estimate_unpaired(_sample(a, b)).degrees_of_freedom == pytest.approx(expected.df)
    assert welch_interval(_sample(b, a, ("b", "a"))) == welch_interval(_sample(a, b)).swapped()


def test_nothing_is_known_without_variation():
    """A single instance, or constants."""
    assert welch_interval(_sample([0.5], [0.1, 0.2])) is None
    assert welch_interval(_sample([0.5, 0.5], [0.1, 0.1])) is None


def test_extreme_scales():
    """Squares neither overflow nor vanish."""
    for scale in (1e-300, 1e300):
        estimate = estimate_unpaired(_sample(np.array([1.0, 2.0, 4.0]) * scale, np.array([0.5, 1.0]) * scale))
        assert estimate.t == pytest.approx(estimate_unpaired(_sample([1.0, 2.0, 4.0], [0.5, 1.0])).t)
