"""Equivalence of two systems: two one-sided tests against two margins (TOST)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reportkit.errors import SettingsError
from reportkit.intervals.margin_result import MarginTest
from reportkit.intervals.margins.margin import margin_test
from reportkit.scores.shapes.sample import Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalence:
    """Two one-sided tests of one difference.

    Parameters
    ----------
    above, below : MarginTest
        Against the lower margin (is the difference above it?) and the upper one (is it below?).
    p_value : float
        Of the null hypothesis that the difference is at or outside the margins: the larger of both p-values.
    """

    above: MarginTest
    below: MarginTest
    p_value: float


def equivalence_test(
    sample: Sample,
    low: float,
    high: float,
    *,
    seed: int = 0,
    margin: Callable[[Sample, float, int], MarginTest | None] | None = None,
) -> Equivalence | None:
    """Test whether the difference between A and B lies between two margins.

    The systems are declared equivalent at level alpha if both one-sided tests reject at alpha, without correction:
    exactly where the interval of the same method at level 1 - 2 alpha (90% for .05) lies strictly between the margins.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    low, high : float
        Differences that still count as no difference, in units of the score, oriented; low < high. There is no
        default: what is negligible has to be declared, before looking at the results.
    seed : int
        Of random resamples, where the tests need them.
    margin : callable, optional
        (sample, margin, seed) -> the test of one margin; that of the design by default.

    Returns
    -------
    Equivalence or None
        None if the data hold no information on the variance.

    Raises
    ------
    SettingsError
        If the margins are not in order, or impossible.
    DesignError
        If no shifted test is known for the design.

    Notes
    -----
    Null hypothesis: difference <= low or >= high. A p-value above alpha in a test of no difference is no evidence of
    equivalence. Schuirmann (1987), "A comparison of the two one-sided tests procedure and the power approach for
    assessing the equivalence of average bioavailability".

    Examples
    --------
    >>> import numpy as np
    >>> from reportkit.scores.shapes.paired_scores import PairedScores
    >>> right = PairedScores(system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                      a=np.repeat([1.0, 0.0, 1.0], [9, 7, 984]), b=np.repeat([0.0, 1.0, 1.0], [9, 7, 984]))
    >>> round(equivalence_test(right, -0.01, 0.01).p_value, 4)
    0.0384
    """
    if not low < high:
        raise SettingsError(
            f"the margins {low!r} and {high!r} are no range", remedy="give the smaller one first, such as -0.01, 0.01"
        )
    above, below = (
        margin_test(sample, end, seed=seed) if margin is None else margin(sample, end, seed) for end in (low, high)
    )
    if above is None or below is None:
        return None
    return Equivalence(above=above, below=below, p_value=max(above.p_greater, below.p_less))
