"""Critical-difference diagram: average ranks, and the groups of systems that pairwise tests do not tell apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from reportkit.errors import DesignError
from reportkit.figures.drawing.axes import draw_markers, set_ticks, width_of, without_y_axis, write
from reportkit.figures.drawing.entry import Drawing, Plot
from reportkit.figures.drawing.names import all_shortened
from reportkit.figures.drawing.style import GREY, INK, shade
from reportkit.figures.drawing.typography import clean, typography
from reportkit.language import counted, fixed, level_text, listed, short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reportkit.replicability.friedman import FriedmanOutcome

MOST_SYSTEMS_IN_A_COLUMN = 7
MOST_GROUPS = 40
"""More bars than that cannot be read."""
_LANE = 5.5
_DECIMALS = 2
_MOST_LISTED = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticalDifferenceContent:
    """Everything that the diagram shows.

    Parameters
    ----------
    systems : tuple of str
        Best average rank first.
    average_ranks : tuple of float
        1 is best; one per system.
    n_datasets : int
        Over which the ranks are averaged.
    groups : tuple of tuple of int
        Maximal groups of two or more systems, as indices, that the pairwise follow-ups do not tell apart after
        correction; in the order of their best member.
    alpha : float
        Level of the pairs.
    """

    systems: tuple[str, ...]
    average_ranks: tuple[float, ...]
    n_datasets: int
    groups: tuple[tuple[int, ...], ...]
    alpha: float

    __repr__ = short_repr


def critical_difference_content(outcome: FriedmanOutcome) -> CriticalDifferenceContent:
    """Take from Friedman's test and its follow-ups what the diagram shows.

    Parameters
    ----------
    outcome : FriedmanOutcome
        Outcome of three systems or more.

    Raises
    ------
    DesignError
        If there are more than 40 groups of systems that are not told apart: so many bars cannot be read.

    Examples
    --------
    Of three systems, the first differs from the last only:

    >>> import numpy as np
    >>> import pandas as pd
    >>> import reportkit
    >>> scores = np.random.default_rng(0).normal([0.6, 0.3, 0.0], 0.5, (30, 3))
    >>> frame = pd.DataFrame(scores, columns=list("abc")).assign(dataset=list(map(str, range(30))))
    >>> analysis = reportkit.compare(frame, across_datasets=True, friedman=True)
    >>> content = critical_difference_content(analysis.friedman_outcome)
    >>> content.systems, content.groups
    (('a', 'b', 'c'), ((0, 1), (1, 2)))
    """
    places = {name: place for place, name in enumerate(outcome.systems)}
    neighbours: dict[int, set[int]] = {place: set(places.values()) - {place} for place in places.values()}
    for pair in outcome.differing:
        a, b = places[pair.system_a], places[pair.system_b]
        neighbours[a].discard(b)
        neighbours[b].discard(a)
    found = (clique for clique in maximal_cliques(neighbours) if len(clique) > 1)
    groups = list(islice(found, MOST_GROUPS + 1))
    if len(groups) > MOST_GROUPS:
        raise DesignError(
            f"there are more than {MOST_GROUPS} groups of systems that the tests do not separate: too many to read",
            where=counted(len(outcome.systems), "system"),
            remedy="name fewer systems, or see friedman().to_frame(), which lists the pairs",
        )
    return CriticalDifferenceContent(
        systems=outcome.systems,
        average_ranks=tuple(float(outcome.average_ranks[name]) for name in outcome.systems),
        n_datasets=len(outcome.datasets),
        groups=tuple(sorted(groups)),
        alpha=outcome.alpha,
    )


def maximal_cliques(neighbours: Mapping[int, Set[int]]) -> Iterator[tuple[int, ...]]:
    """Return the maximal cliques of an undirected graph, each once, its members in rising order.

    Parameters
    ----------
    neighbours : mapping of int to set of int
        Neighbours of every node; symmetric, no node its own neighbour.

    Notes
    -----
    Bron and Kerbosch (1973), "Algorithm 457: finding all cliques of an undirected graph", with the pivot of Tomita,
    Tanaka and Takahashi (2006). There can be 3^(n/3) of them, so they are yielded one by one.

    Examples
    --------
    >>> sorted(maximal_cliques({0: {1, 2}, 1: {0, 2}, 2: {0, 1, 3}, 3: {2}}))
    [(0, 1, 2), (2, 3)]
    """
    stack: list[tuple[frozenset[int], frozenset[int], frozenset[int]]] = [
        (frozenset(), frozenset(neighbours), frozenset())
    ]
    while stack:
        chosen, candidates, excluded = stack.pop()
        if not candidates:
            if not excluded and chosen:
                yield tuple(sorted(chosen))
            continue
        pivot = max(sorted(candidates | excluded), key=lambda node: len(candidates & neighbours[node]))
        for node in sorted(candidates - neighbours[pivot]):
            stack.append((chosen | {node}, candidates & neighbours[node], excluded & neighbours[node]))
            candidates, excluded = candidates - {node}, excluded | {node}


def _plot(content: CriticalDifferenceContent, total: float) -> Plot:
    n = len(content.systems)
    lanes = _lanes(content, 0.06 * (n - 1))
    below = _LANE * (max(lanes, default=-1) + 1) + typography().line * ((n + 1) // 2 + 1.2)
    return Plot(below + typography().small + 10.0)


def draw_critical_difference(content: CriticalDifferenceContent, axes: Sequence[Axes]) -> None:
    """Draw the average ranks on an axis, the best on the left, with a bar over each group that is not told apart.

    The dots on a bar say which systems are in the group: a system between them without a dot is not. There is no ruler
    of a critical difference, as the bars are those of the pairwise tests.
    """
    (panel,), n = axes, len(content.systems)
    lanes = _lanes(content, 0.06 * (n - 1))
    first = -_LANE * (max(lanes, default=-1) + 1) - typography().line
    panel.set_xlim(1, n)
    panel.set_ylim(first - typography().line * ((n + 1) // 2 - 0.3), 0.0)
    panel.xaxis.tick_top()
    step = next(nice for nice in (1, 2, 5, 10, 20, 50, 100, 10**9) if n / nice <= 12)
    ranks = list(range(1, n + 1, step)) if step <= 2 else [1, *range(step, n + 1, step)]
    set_ticks(panel.xaxis, [(rank, str(rank)) for rank in ranks])
    without_y_axis(panel)
    panel.spines["bottom"].set_visible(False)
    panel.spines["top"].set_visible(True)
    names = all_shortened(content.systems, 0.27 * width_of(panel), typography().text)
    for place, (name, rank) in enumerate(zip(names, content.average_ranks, strict=True)):
        on_left = place < (n + 1) // 2
        y = first - typography().line * (place if on_left else n - 1 - place)
        edge, side = (1.0, -1) if on_left else (float(n), 1)
        line: Any = {"color": shade(GREY), "linewidth": 0.5, "clip_on": False, "label": "_leader"}
        panel.plot([rank, rank, edge], [0.0, y, y], **line)
        words = f"{name}  {_rank_words(rank)}" if on_left else f"{_rank_words(rank)}  {name}"
        options: Any = {"ha": "right" if on_left else "left", "va": "center_baseline", "fontsize": typography().text}
        write(panel, words, (edge, y), offset=(4.0 * side, 0.0), **options)
    for group, lane in zip(content.groups, lanes, strict=True):
        xs, y = [content.average_ranks[place] for place in group], -_LANE * (lane + 0.9)
        panel.plot([min(xs), max(xs)], [y, y], color=shade(INK), linewidth=1.8, clip_on=False, label="_bar")
        draw_markers(panel, xs, [y] * len(xs), "o", 3.6, edge=0.0, label="_members")


def _rank_words(rank: float) -> str:
    return fixed(rank, _DECIMALS)


def _lanes(content: CriticalDifferenceContent, apart: float) -> list[int]:
    """Return the lane of each bar, from the axis downwards: as few as leave gaps of `apart` ranks within each."""
    ends: list[float] = []
    lanes = []
    for group in content.groups:
        low, high = content.average_ranks[group[0]], content.average_ranks[group[-1]]
        lane = next((place for place, end in enumerate(ends) if end + apart < low), len(ends))
        ends[lane:] = [high, *ends[lane + 1 :]]
        lanes.append(lane)
    return lanes


def critical_difference_alt_text(content: CriticalDifferenceContent) -> str:
    """Say in words what the diagram shows."""
    names = [clean(name) for name in content.systems]
    ranked = [f"{name} {_rank_words(rank)}" for name, rank in zip(names, content.average_ranks, strict=True)]
    groups = [listed((names[place] for place in group), most=_MOST_LISTED) for group in content.groups]
    bars = f"Bars join systems that the tests do not separate: {'; '.join(groups[:_MOST_LISTED])}"
    bars += f"; and {len(groups) - _MOST_LISTED} more" if len(groups) > _MOST_LISTED else ""
    return (
        f"Critical-difference diagram of {counted(len(names), 'system')} on "
        f"{counted(content.n_datasets, 'dataset')}. Average ranks, 1 is best: {listed(ranked, most=_MOST_LISTED)}. "
        f"{bars if groups else 'There is no bar: the tests separate all pairs of systems'} (level "
        f"{level_text(content.alpha)})."
    )


DRAWING = Drawing(
    "critical-difference",
    CriticalDifferenceContent,
    _plot,
    draw_critical_difference,
    critical_difference_alt_text,
    wide=lambda content: len(content.systems) > MOST_SYSTEMS_IN_A_COLUMN,
)
