"""The bootstrap-t test of a mean difference, shifted to a margin."""

from __future__ import annotations

import numpy as np

from reportkit.intervals.margin_result import MarginTest
from reportkit.intervals.means.bootstrap_t import N_RESAMPLES, StudentizedResamples, enough_valid
from reportkit.intervals.means.student_t import estimate_mean
from reportkit.scores.shapes.paired_scores import PairedScores

_TIE = 1e-12


def bootstrap_t_margin(paired: PairedScores, margin: float, *, seed: int = 0) -> MarginTest | None:
    """Test a (weighted) mean difference of skewed differences against a margin, from the resamples of its interval.

    t = (d - margin) / se is compared with t* = (d* - d) / se* of 9,999 resamples, whose distribution no shift changes:
    p = (s + 1) / (b + 1), s of the b resamples with a variance having t* >= t. The resamples are those of
    `bootstrap_t_interval` with the same seed: the test rejects at alpha where the margin lies outside the interval at
    level 1 - 2 alpha.

    Parameters
    ----------
    paired : PairedScores
        Scores whose mean says something.
    margin : float
        In units of the score, oriented.
    seed : int
        Of the resamples.

    Returns
    -------
    MarginTest or None
        None where the data hold no variance, or fewer than 200 resamples do: Student's t is then used.

    Notes
    -----
    Null hypothesis: the mean difference is at most (at least) the margin. Assumes independent units. Hall (1992), "The
    Bootstrap and Edgeworth Expansion", sections 3.10 and 4.4.

    Examples
    --------
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.arange(1.0, 31.0) ** 4 / 1e5, b=np.zeros(30))
    >>> test = bootstrap_t_margin(paired, 1.0)
    >>> round(test.estimate, 4), test.p_greater < 0.05 < test.p_less
    (1.758, True)
    """
    estimate = estimate_mean(paired)
    if estimate.standard_error is None:
        return None
    resamples = StudentizedResamples.of(paired, seed)
    drawn = resamples.t(0, N_RESAMPLES)
    if not enough_valid(drawn.size, N_RESAMPLES):
        return None
    t = (estimate.mean - margin) / estimate.standard_error
    in_their_direction = -t if resamples.units.swapped else t
    tolerance = _TIE * max(1.0, abs(t))
    above = int(np.count_nonzero(drawn >= in_their_direction - tolerance))
    below = int(np.count_nonzero(drawn <= in_their_direction + tolerance))
    if resamples.units.swapped:
        above, below = below, above
    return MarginTest(
        margin=margin,
        estimate=estimate.mean,
        statistic=t,
        p_greater=(above + 1) / (drawn.size + 1),
        p_less=(below + 1) / (drawn.size + 1),
        title="bootstrap-t test" if paired.clusters is None else "cluster-robust bootstrap-t test",
        citation="hall1992bootstrap",
    )
