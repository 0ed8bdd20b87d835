"""Rows of not too many steps of which cells tell too little: |phi| is bounded at each node of their contours.

Nodes at which |phi| may be large are summed over all steps, as `contour` does for a single pair.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.compressed.look import Look, smoothing_beyond
from reportkit.null_distributions.compressed.main_lobe import Contour, LobeSums, pole
from reportkit.null_distributions.compressed.points import Precision
from reportkit.null_distributions.contour.node_bounds import (
    NODES_IN_A_RUN,
    negligible_sum,
    node_bounds,
    nodes_to_sum,
    rows_at_once,
    terms_of_nodes,
)
from reportkit.null_distributions.contour.returns import SMALLEST_LOOK
from reportkit.null_distributions.enumeration import is_beyond_counting
from reportkit.null_distributions.step_sums import Floats, flip_chance, multiply_flips, whole_turns

_N_NODES = tuple(SMALLEST_LOOK << doublings for doublings in range(5))
_MOST_FACTORS = 3_000_000  # of nodes that are summed
_FEWEST_AGAIN = 80  # steps that are looked at again where too much was lost
_OF_ACCEPTABLE = 0.8  # of the error that is acceptable, by what is beyond all nodes


def look_at_nodes(
    rows: Floats, index: NDArray[np.intp], scale: Floats, slack: Floats, contour: Contour, sums: LobeSums, lost: Floats
) -> tuple[LobeSums, Look]:
    """Bound |phi| at the nodes behind the main lobe, and sum those of which the bound is not small.

    Parameters
    ----------
    rows : (n_all_rows, n) array
        Differences.
    index : (n_rows,) array
        Which rows are looked at.
    scale, slack : (n_rows,) array
        What they are multiplied by, and scaled, what has to be made up for.
    contour : Contour
        Of the same rows; on a lattice, no node beyond half its period is looked at.
    sums : LobeSums
        Their main lobes.
    lost : (n_rows,) array
        How much may be lost beyond the last node, as `Look.smoothing`, if nothing but the main lobe had to be summed;
        where that takes too many nodes, none is looked at.

    Returns
    -------
    LobeSums
        With the further nodes.
    Look
        What is not summed.
    """
    sums = LobeSums(*(each.copy() for each in sums))
    far = np.full(index.size, np.inf)
    look = Look(far, far.copy(), np.zeros(index.size, dtype=np.bool_), np.zeros(index.size))
    first = contour.ends.astype(np.intp) + 1
    main = LobeSums(*(each.copy() for each in sums))
    acceptable = lost * main.modulus / main.value
    on_lattice = contour.step > 0.0
    half = 0.5 * np.rint(contour.period / np.where(on_lattice, contour.step, np.inf))  # nodes of half a period
    half[~on_lattice] = np.inf
    droppable = Precision.of(rows.shape[1]).droppable
    tries = np.full(index.size, 2 if rows.shape[1] >= _FEWEST_AGAIN else 1)
    for n_nodes in _N_NODES:
        whole = half < n_nodes
        smoothing = np.where(whole, 0.0, smoothing_beyond(contour.theta, n_nodes * contour.spacing) + contour.step)
        suited = (tries > 0) & (smoothing * sums.modulus <= _OF_ACCEPTABLE * acceptable * sums.value)
        here = np.flatnonzero(suited & (whole | (half >= 2 * n_nodes)))  # twice as many may be all there are
        look.smoothing[here], look.complete[here] = smoothing[here], whole[here]
        negligible = negligible_sum(sums.value, np.where(whole, droppable * sums.value, smoothing * sums.modulus))
        nearness, besides = np.where(whole, 0.5 * math.pi, 1.0), np.where(whole, contour.step, smoothing)  # of the pole
        at_once = rows_at_once(n_nodes)
        for start in range(0, here.size, at_once):
            part = here[start : start + at_once]
            theta, spacing = contour.theta[part], contour.spacing[part]
            steps = np.abs(rows[index[part]] * scale[part, None])
            decay = np.exp(-theta[:, None] * steps)
            bounds = node_bounds(steps, 4.0 * decay / np.square(1.0 + decay), None, spacing, n_nodes)
            moduli = np.exp(bounds, out=bounds)
            look.level[part] = moduli[:, n_nodes // 2 :].mean(axis=1)
            terms = terms_of_nodes(moduli, spacing / nearness[part], besides[part], first[part])
            if whole[part].any():
                terms[np.arange(n_nodes) > half[part, None]] = 0.0
            look.dropped[part] = terms.sum(axis=1)
            for place in np.flatnonzero(look.dropped[part] > negligible[part]):
                row = part[place]
                affordable = _MOST_FACTORS // rows.shape[1]
                starts, look.dropped[row] = nodes_to_sum(terms[place], float(negligible[row]), affordable)
                nodes = first[row], float(half[row])
                every = steps[place], float(slack[row]), float(theta[place]), float(spacing[place])
                own = _summed(*every, float(contour.step[row]), starts // NODES_IN_A_RUN, *nodes)
                for all_nodes, lobe, more in zip(sums, main, own, strict=True):
                    all_nodes[row] = lobe[row] + more
        tries[here] -= 1
        right = smoothing * sums.modulus + look.dropped <= acceptable * sums.value
        tries[here[right[here] | whole[here]]] = 0
        for row in here[tries[here] > 0]:  # what may be counted is left to a single pair
            ascending = np.sort(np.abs(rows[index[row]] * scale[row]))
            if not is_beyond_counting(ascending[ascending > 0.0], float(slack[row])):
                tries[row] = 0
    return sums, look


def _summed(
    steps: Floats,
    slack: float,
    theta: float,
    spacing: float,
    step: float,
    runs: NDArray[np.intp],
    first: int,
    half: float,
) -> LobeSums:
    """Runs of nodes of one row, by their numbers, from the node `first` to half a period, with their mirror images."""
    node = NODES_IN_A_RUN * runs[:, None] + np.arange(NODES_IN_A_RUN)
    y = spacing * node
    phi = np.exp(1j * slack * y)
    turns = whole_turns(-spacing * steps, NODES_IN_A_RUN)
    further = whole_turns(-spacing * NODES_IN_A_RUN * steps, int(runs.max(initial=0)) + 1)[:, runs]
    multiply_flips(phi, y[:, 0], -steps, turns, flip_chance(theta, steps), None, further)
    times = np.where((node >= first) & (node <= half), np.where(node == half, 1.0, 2.0), 0.0)
    poles = pole(theta + 1j * y, step)
    modulus = np.abs(phi)
    terms = ((phi * poles).real, modulus * np.abs(poles), modulus, phi.real)
    return LobeSums(*((times * each).sum() for each in terms))
