"""Saddlepoint contour quadrature: P(X >= 0) from the moment-generating function, with a bound on its error.

P(X >= 0) = (1 / 2 pi i) Int exp(K(z)) dz / z along Re z = theta > 0, where K(z) = log E exp(z X). With the trapezoidal
rule at y_k = 2 pi k / P this is E_theta exp(-theta (X mod P)) / (1 - exp(-theta P)) up to the factor exp(K(theta)): the
tail itself plus images that Chernoff's inequality bounds. The nodes that matter are those where the modulus of the
tilted characteristic function phi is not negligible; `returns.py` says where they can be.

Beyond the horizon L of that look nothing is known about phi, so nothing is assumed: between the extremal minorant and
majorant of x -> exp(-theta x) 1{x >= 0} whose Fourier transforms vanish outside [-L, L] (Graham & Vaaler 1981, "A class
of extremal functions for the Fourier transform", Theorem 6) the two integrals differ from 1 / theta by at most
I = (2 pi / L) / (1 - exp(-2 pi theta / L)) - 1 / theta, about pi / L. Hence

    |error| <= exp(K(theta)) / P * { I sum |phi(y_k)| over the nodes used
                                     + sum |phi(y_k)| (1 / |z_k| + I) over the others below L } + images + rounding,

whatever the data, and for P(X > 0) as well as for P(X >= 0), because minorant and majorant are 0 and 1 at 0. On a
lattice of step h the pole 1 / z becomes h / (1 - exp(-h z)), one period is everything, and I = 0 if the look reaches
the end of the period.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.contour.node_bounds import (
    NODES_IN_A_RUN,
    negligible_sum,
    node_bounds,
    nodes_to_sum,
    terms_of_nodes,
)
from reportkit.null_distributions.contour.quadrature import NodeSums, Quadrature
from reportkit.null_distributions.contour.returns import (
    LARGEST_LOOK,
    SMALLEST_LOOK,
    Returns,
    look_for_returns,
)
from reportkit.null_distributions.contour.saddle import MAIN_LOBE, find_saddle
from reportkit.null_distributions.step_sums import DrawSum, FlipSum, Floats, StepSum
from reportkit.null_distributions.tail_probability import TailMethod, UpperTail

NEGLIGIBLE = 38.0  # log of what is dropped between the main lobe and the first cell of the look
_DROPPED = 1e-11  # relative to the tail, of cells that are not summed
_FEWEST_STEPS_FOR_A_LOOK = 64.0
FEW_FLIPS = 256
"""Of more, cells see further than nodes: near lattices of 300 to 700 in 0.3 to 1.2 of the time."""

_FEW_SIZES = 48
_LONGEST_SIEVED = 1 << 19  # nodes
_MOST_SIEVED = 1 << 21  # factors of nodes that are left
_SIEVED = 50.0  # -log |phi| of nodes that are left out
_RUN = 64
_MANY_STEPS = 10_000  # so many are worth a look at parts of them
_PARTS = 16
_METHOD: TailMethod = "contour quadrature"


def contour_tail(
    problem: StepSum,
    *,
    step: float | None = None,
    max_relative_error: float = 1e-3,
    work: float = 3e6,
    nearest_look: int = SMALLEST_LOOK,
    furthest_look: int = LARGEST_LOOK,
) -> UpperTail | None:
    """P(X >= 0) by contour quadrature.

    Parameters
    ----------
    problem : StepSum
        Sum with E X <= 0 < highest.
    step : float, optional
        Lattice step of X, of whose multiples 0 is one.
    max_relative_error : float
        How small the guaranteed error has to become; the look along the contour goes further until it is.
    work : float
        How many factors of the characteristic function may be computed outside the main lobe.
    nearest_look, furthest_look : int
        How many bins the first look along the contour uses, and how many the last one may use; nodes, where these are
        bounded one by one.

    Returns
    -------
    UpperTail or None
        None if the error cannot be bounded by `max_relative_error`.
    """
    saddle = find_saddle(problem, step)
    steps = problem.steps(saddle.theta)
    quadrature = Quadrature(problem, saddle, steps, step)
    sieved = _sieved(quadrature)
    if sieved is not None and sieved.worst_error <= max_relative_error:
        return sieved
    best: UpperTail | None = None
    by_nodes = bounded_by_nodes(quadrature)
    if by_nodes or enough_for_a_look(quadrature):
        n_bins = nearest_look  # or nodes
        while n_bins <= furthest_look:
            if by_nodes:
                tail = _summed(quadrature, _log_bounds(quadrature, n_bins), work)
            else:
                tail = looked(quadrature, look_for_returns(problem, steps, n_bins, step), work=work)
            if tail.worst_error <= max_relative_error:
                return tail
            if best is not None and tail.relative_error > 0.5 * best.relative_error:
                break
            best = tail
            # the bound beyond the horizon falls with the number of bins: go there at once
            growth = max(1.2 * tail.worst_error / max_relative_error, 2.0)
            n_bins *= 1 << math.ceil(math.log2(min(growth, LARGEST_LOOK)))
    tail = _direct(quadrature, max_relative_error, work)
    return tail if tail.worst_error <= max_relative_error else None


def _sieved(quadrature: Quadrature) -> UpperTail | None:
    """Sum all nodes of a period but those that few sizes of many flips make negligible, one size after the other.

    None where there are too many sizes, such a period is too long, or what is left is too much.
    """
    problem, last = quadrature.problem, quadrature.last_node
    if not isinstance(problem, FlipSum) or problem.multiplicities is None or last is None:
        return None
    if problem.values.size > _FEW_SIZES or last > _LONGEST_SIEVED:
        return None
    nodes, logs = np.arange(last + 1), np.zeros(last + 1)
    for size in np.argsort(-quadrature.steps.weights, kind="stable"):
        times = problem.multiplicities[size]
        sines = np.square(np.sin((0.5 * quadrature.saddle.spacing * problem.values[size]) * nodes))
        logs += 0.5 * times * np.log1p(-quadrature.steps.weights[size] / times * sines)
        left = logs > -_SIEVED
        nodes, logs = nodes[left], logs[left]
    if nodes.size * problem.values.size > _MOST_SIEVED:
        return None
    sums = quadrature.nodes(nodes, nodes + 1, 1)
    largest_pole = 0.5 * math.pi / quadrature.saddle.spacing + (quadrature.step or 0.0)
    dropped = 2.0 * (last + 1 - nodes.size) * math.exp(-_SIEVED) * largest_pole
    return quadrature.tail(sums, smoothing=0.0, dropped=dropped, level=0.0, complete=True, method=_METHOD)


def enough_for_a_look(quadrature: Quadrature) -> bool:
    """Whether so many steps still vary under the tilt that most of the contour can be bounded instead of summed."""
    weights = quadrature.steps.weights
    if isinstance(quadrature.problem, DrawSum):  # draws of the most probable value do not spread the sum
        return quadrature.problem.n_draws * (1.0 - float(weights.max())) >= _FEWEST_STEPS_FOR_A_LOOK
    return float(weights.sum()) >= _FEWEST_STEPS_FOR_A_LOOK


def bounded_by_nodes(quadrature: Quadrature) -> bool:
    """Whether |phi| is bounded at each node, and not by cells: flips of not too many steps, off a lattice."""
    is_flips, n_steps = isinstance(quadrature.problem, FlipSum), quadrature.problem.values.size
    return is_flips and quadrature.step is None and n_steps <= FEW_FLIPS


def _log_bounds(quadrature: Quadrature, n_nodes: int) -> NDArray[np.float32]:
    """Bounds of log |phi| at the first nodes."""
    values, counts = quadrature.steps.positions[None, :], None
    weights = quadrature.steps.weights[None, :]
    if isinstance(quadrature.problem, FlipSum) and quadrature.problem.multiplicities is not None:
        counts = quadrature.problem.multiplicities[None, :]
        weights = weights / counts
    bounds: NDArray[np.float32] = node_bounds(values, weights, counts, np.array([quadrature.saddle.spacing]), n_nodes)[
        0
    ]
    return bounds


def _direct(quadrature: Quadrature, max_relative_error: float, work: float) -> UpperTail:
    """Sum every node up to a horizon: for few steps, of which each node is cheap and none is negligible."""
    saddle = quadrature.saddle
    scale = max(saddle.theta, 1.0 / math.sqrt(saddle.variance))
    wanted = 5.0 * scale / (max_relative_error * saddle.spacing)
    last = math.ceil(min(wanted, work / quadrature.problem.values.size))
    if quadrature.last_node is not None and (quadrature.last_node * quadrature.problem.values.size < 10 * work):
        last = quadrature.last_node
    starts = np.arange(0, last + 1, _RUN)
    stops = np.minimum(starts + _RUN, last + 1)
    half = starts.size // 2
    sums = quadrature.nodes(starts[:half], stops[:half], _RUN)
    outer = quadrature.nodes(starts[half:], stops[half:], _RUN)
    sums.add(outer)
    complete = last == quadrature.last_node
    return quadrature.tail(
        sums,
        smoothing=0.0 if complete else quadrature.smoothing((last + 1) * saddle.spacing),
        dropped=0.0,
        level=outer.modulus / max(2 * (last + 1 - starts[half]), 1),
        complete=complete,
        method=_METHOD,
    )


def looked(quadrature: Quadrature, returns: Returns, *, work: float = 3e6) -> UpperTail:
    """Sum the main lobe and the cells in which |phi| may be large; bound all other nodes.

    Parameters
    ----------
    quadrature : Quadrature
        The sum with its contour.
    returns : Returns
        The look along it.
    work : float
        How many factors of the characteristic function may be computed outside the main lobe.
    """
    spacing = quadrature.saddle.spacing
    end = math.floor(returns.horizon / spacing * (1.0 + 1e-9))
    complete = quadrature.last_node is not None and end >= quadrature.last_node
    if complete and quadrature.last_node is not None:
        end = quadrature.last_node
    near, far = gap(quadrature)
    main_end = min(math.ceil(near / spacing), end)
    sums = quadrature.nodes(np.zeros(1, dtype=np.int64), np.array([main_end + 1]), main_end + 1)
    smoothing = 0.0 if complete else quadrature.smoothing((end + 1) * spacing)
    # nodes between the main lobe and the first cell: bounded by the moments of the steps
    gap_end = max(min(math.floor(far / spacing), end), main_end)
    dropped = 2.0 * (gap_end - main_end) * math.exp(-NEGLIGIBLE) * (1.0 / ((main_end + 1) * spacing) + smoothing)
    first = max(math.floor((gap_end + 1) * spacing / returns.width + 0.5), 0)
    bounds = returns.log_bounds[first:]
    level = 0.0
    if bounds.size and end > gap_end:
        level = math.exp(float(bounds.max()))
        per_cell = math.ceil(returns.width / spacing) + 1
        target = max(_DROPPED * sums.value, 0.3 * smoothing * sums.modulus)
        total = 2.0 * per_cell * bounds.size * level * (1.0 / ((gap_end + 1) * spacing) + smoothing)
        if total > min(target, _DROPPED * sums.value):  # not all cells are negligible: tell them apart
            lowest = np.arange(first - 0.5, first + bounds.size - 0.5, dtype=np.float32) * np.float32(returns.width)
            lowest[0] = (gap_end + 1) * spacing
            moduli = np.exp(bounds)
            level = float(moduli[bounds.size // 2 :].mean())
            contributions = moduli * (np.float32(2 * per_cell) * (1.0 / lowest + np.float32(smoothing)))
            total = float(contributions.sum(dtype=np.float64))
            if total > target:
                limits = (gap_end + 1, end + 1)
                total = _sum_cells(quadrature, sums, returns, contributions, first, limits, target, work)
        dropped += total
    return quadrature.tail(sums, smoothing=smoothing, dropped=dropped, level=level, complete=complete, method=_METHOD)


def _summed(quadrature: Quadrature, bounds: NDArray[np.float32], work: float) -> UpperTail:
    """Sum the main lobe and the nodes at which |phi| may be large, by bounds of log |phi|; bound the other ones."""
    spacing, n_nodes = quadrature.saddle.spacing, bounds.size
    first = min(math.ceil(gap(quadrature)[0] / spacing), n_nodes - 1) + 1
    sums = quadrature.nodes(np.zeros(1, dtype=np.int64), np.array([first]), first)
    smoothing = quadrature.smoothing(n_nodes * spacing)
    moduli = np.exp(bounds)
    terms = terms_of_nodes(moduli[None, :], np.array([spacing]), np.array([smoothing]), np.array([first]))[0]
    negligible = negligible_sum(np.array(sums.value), np.array(smoothing * sums.modulus))
    starts, dropped = nodes_to_sum(terms, float(negligible), int(work / quadrature.problem.values.size))
    if starts.size:
        sums.add(quadrature.nodes(np.maximum(starts, first), starts + NODES_IN_A_RUN, NODES_IN_A_RUN))
    level = float(moduli[max(first, n_nodes // 2) :].mean())
    return quadrature.tail(sums, smoothing=smoothing, dropped=dropped, level=level, complete=False, method=_METHOD)


def _sum_cells(
    quadrature: Quadrature,
    sums: NodeSums,
    returns: Returns,
    contributions: NDArray[np.float32],
    first: int,
    limits: tuple[int, int],
    target: float,
    work: float,
) -> float:
    """Add the nodes of the cells that may contribute most, until the others are below `target`; return these."""
    ratio = returns.width / quadrature.saddle.spacing
    small = contributions * np.float32(2 * contributions.size) <= target  # together half of it at most
    large = np.flatnonzero(~small)
    order = large[np.argsort(contributions[large])[::-1]]
    rest = float(contributions[small].sum(dtype=np.float64))
    left = rest + np.cumsum(np.append(contributions[order], 0.0)[::-1], dtype=np.float64)[::-1]
    needed = int(np.count_nonzero(left > target))  # `left` is what these and all smaller ones may add
    affordable = int(work / ((ratio + 1.0) * quadrature.problem.values.size))
    chosen = np.sort(order[: min(needed, affordable)])
    edges = np.ceil((chosen + (first - 0.5)) * ratio).astype(np.int64)
    stops = np.ceil((chosen + (first + 0.5)) * ratio).astype(np.int64)
    edges, stops = np.clip(edges, *limits), np.clip(stops, *limits)
    sums.add(quadrature.nodes(edges, stops, max(int(np.max(stops - edges, initial=0)), 1)))
    return float(left[chosen.size])


def gap(quadrature: Quadrature) -> tuple[float, float]:
    """Interval on which log |phi(y)| <= -NEGLIGIBLE follows from two moments of the steps alone.

    log |phi(y)| <= -(alpha y^2 - beta y^4) / 2, from sin^2 x >= x^2 - x^4 / 3.
    """
    return gaps([quadrature])[0]


def gaps(quadratures: Sequence[Quadrature]) -> list[tuple[float, float]]:
    """`gap` of each of several sums with as many steps."""
    positions = np.array([each.steps.positions for each in quadratures])
    weights = np.array([each.steps.weights for each in quadratures])
    problem = quadratures[0].problem
    if isinstance(problem, FlipSum):
        return [*zip(*(ends.tolist() for ends in _gaps_of_flips(positions, weights)), strict=True)]
    centred = np.square(positions - (weights * positions).sum(axis=1, keepdims=True))
    second = (weights * centred).sum(axis=1)
    fourth = (weights * np.square(centred)).sum(axis=1)
    alpha, beta = problem.n_draws * second, problem.n_draws * (fourth + 3.0 * np.square(second)) / 12.0
    return [*zip(*(ends.tolist() for ends in _or_lobe(alpha, *_interval(alpha, beta))), strict=True)]


def _gaps_of_flips(positions: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """The same for flips, of which any part bounds the modulus of all: without the largest ones it reaches further."""
    squares = np.square(positions)
    second, fourth = weights * squares, weights * np.square(squares)
    alpha = second.sum(axis=1) / 4.0
    near, far = _interval(alpha, fourth.sum(axis=1) / 48.0)
    others = np.arange(far.size) if positions.shape[1] >= _MANY_STEPS else np.flatnonzero(far == 0.0)
    if others.size:
        limit = positions[others].max(axis=1)
        for _ in range(_PARTS):
            limit *= 0.5
            part = positions[others] <= limit[:, None]
            moments = (np.where(part, each[others], 0.0).sum(axis=1) for each in (second, fourth))
            start, end = _interval(*(moment / share for moment, share in zip(moments, (4.0, 48.0), strict=True)))
            fresh = (far[others] == 0.0) & (end > 0.0)
            near[others[fresh]] = start[fresh]
            longer = fresh | ((start <= far[others]) & (far[others] < end))
            far[others[longer]] = end[longer]
    return _or_lobe(alpha, near, far)


def _interval(alpha: Floats, beta: Floats) -> tuple[Floats, Floats]:
    """Where alpha y^2 - beta y^4 is at least twice `NEGLIGIBLE`; the end is 0 if nowhere."""
    root = np.square(alpha) - 8.0 * beta * NEGLIGIBLE
    found = (root > 0.0) & (beta > 0.0)
    root = np.sqrt(np.where(found, root, 1.0))
    near = np.sqrt(4.0 * NEGLIGIBLE / np.where(found, alpha + root, 1.0))
    far = np.sqrt((alpha + root) / np.where(found, 2.0 * beta, 1.0))
    return near, np.where(found, far, 0.0)


def _or_lobe(alpha: Floats, near: Floats, far: Floats) -> tuple[Floats, Floats]:
    """The main lobe, where nothing is known of what is behind it."""
    return np.where(far > 0.0, near, MAIN_LOBE / np.sqrt(alpha)), far
