"""Tails of sums on a lattice by the exponentially tilted Fourier transform.

The steps are tilted so that the threshold is in the middle of the distribution, the characteristic function of the
tilted sum is computed on all nodes of one period (power of one FFT for draws, product of the transforms of two-point
steps for flips), and the tail is its sum with the lattice pole h / (1 - exp(-h z)), which is the transform of the
weights exp(-theta x) of the tail. Multiplying by E exp(theta X) removes the tilt. Rounding errors are then relative to
the tail itself: a plain FFT loses everything below 1e-15, this one nothing at 1e-300 and beyond.
"""

from __future__ import annotations

import numpy as np

from reportkit.null_distributions.contour.quadrature import Quadrature
from reportkit.null_distributions.contour.saddle import find_saddle
from reportkit.null_distributions.step_sums import Complexes, DrawSum, StepSum
from reportkit.null_distributions.tail_probability import TailMethod, UpperTail

LONGEST_TRANSFORM = 1 << 20
"""More lattice points than this within reach of the tilted sum are left to the contour."""

_METHOD: TailMethod = "tilted FFT"
_RUN = 64


def tilted_fft_tail(
    problem: StepSum, step: float, *, work: float = 3e6, longest: int = LONGEST_TRANSFORM
) -> UpperTail | None:
    """P(X >= 0) for a sum on the multiples of `step`, all nodes of one period summed.

    Parameters
    ----------
    problem : StepSum
        Sum with E X <= 0 < highest, whose values are multiples of `step`.
    step : float
        Lattice step, positive.
    work : float
        How many factors of the characteristic function of flips may be computed.
    longest : int
        How many points the transform of draws may have.

    Returns
    -------
    UpperTail or None
        None if the transform would be too long.

    Examples
    --------
    Sixty heads in a hundred tosses, as flips of +1 and -1 with 60 of them +1:

    >>> import numpy as np
    >>> from reportkit.null_distributions.step_sums import FlipSum
    >>> flips = FlipSum(values=np.array([1.0]), multiplicities=np.array([100.0]), slack=40.0)
    >>> f"{np.exp(tilted_fft_tail(flips, 1.0).log_p):.12g}"
    '0.0284439668205'
    """
    saddle = find_saddle(problem, step)
    quadrature = Quadrature(problem, saddle, problem.steps(saddle.theta), step)
    n_nodes = round(saddle.period / step)
    last = n_nodes // 2
    if isinstance(problem, DrawSum):
        if n_nodes > longest:
            return None
        k = np.arange(last + 1)
        sums = quadrature.weighted(_transform(problem, quadrature, step, n_nodes), k, np.full(k.size, 2.0))
    else:
        if last * problem.values.size > work:
            return None
        starts = np.arange(0, last + 1, _RUN)
        sums = quadrature.nodes(starts, np.minimum(starts + _RUN, last + 1), min(_RUN, last + 1))
    return quadrature.tail(sums, smoothing=0.0, dropped=0.0, level=0.0, complete=True, method=_METHOD)


def _transform(problem: DrawSum, quadrature: Quadrature, step: float, n_nodes: int) -> Complexes:
    """Characteristic function of X at all nodes, by one FFT of the tilted step distribution."""
    import scipy.fft

    weights = quadrature.steps.weights
    lowest = float(problem.values.min())
    points = np.rint((problem.values - lowest) / step).astype(np.int64)
    mean = float((weights * (problem.values - lowest)).sum()) / step
    middle = round(mean)
    masses = np.bincount((points - middle) % n_nodes, weights=weights, minlength=n_nodes)
    one = np.conj(scipy.fft.rfft(masses))
    with np.errstate(divide="ignore"):
        log_modulus = np.log(np.abs(one))
    # X = n (lowest + step * middle) + (what was transformed) - excess; phases of whole lattice steps are reduced first
    offset = round((problem.n_draws * lowest - problem.excess) / step) + problem.n_draws * middle
    turns = np.remainder(offset * np.arange(one.size), n_nodes) / n_nodes
    phase = problem.n_draws * np.angle(one) + 2.0 * np.pi * turns
    return np.asarray(np.exp(problem.n_draws * log_modulus + 1j * phase))
