"""Critical-difference diagram: average ranks of the systems, and which of them the pairwise tests do not tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from reportkit.errors import DesignError
from reportkit.figures.cliques import maximal_cliques
from reportkit.figures.drawing.entry import Drawing
from reportkit.figures.drawing.fonts import clean
from reportkit.figures.drawing.lettering import all_shortened, text_width
from reportkit.figures.drawing.marks import CAP_HEIGHT
from reportkit.figures.drawing.new_figure import new_figure
from reportkit.figures.drawing.style import GREY, INK, inches, write
from reportkit.figures.drawing.typography import typography
from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import fixed, level_text
from reportkit.language.short_repr import short_repr

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from reportkit.replicability.friedman import FriedmanOutcome

MOST_SYSTEMS_IN_A_COLUMN = 7
MOST_GROUPS = 40
"""More bars than that cannot be read."""

_NAMES_SHARE = 0.27
_LANE = 5.5
_BETWEEN_BARS = 8.0
_TICK = 3.0
_MARGIN = 11.0  # from a rank at the edge of the axis to the edge of the figure, without texts
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
        Maximal groups of two or more systems, as indices, no two of which the pairwise follow-ups tell apart after
        Holm's correction; in the order of their best member.
    follow_up : str
        Test of the pairs: "sign-flip", "wilcoxon".
    alpha : float
        Level of the pairs.
    critical_difference : float
        Nemenyi's, of average ranks; the groups do not depend on it.
    """

    systems: tuple[str, ...]
    average_ranks: tuple[float, ...]
    n_datasets: int
    groups: tuple[tuple[int, ...], ...]
    follow_up: str
    alpha: float
    critical_difference: float

    __repr__ = short_repr


def critical_difference_content(outcome: FriedmanOutcome) -> CriticalDifferenceContent:
    """Take from Friedman's test and its follow-ups what the diagram shows.

    Parameters
    ----------
    outcome : FriedmanOutcome
        Of three systems or more.

    Raises
    ------
    DesignError
        If there are more than 40 groups of systems that are not told apart: so many bars cannot be read.

    Examples
    --------
    Three systems, of which the first differs from the last only:

    >>> import numpy as np
    >>> from reportkit.replicability.friedman import friedman
    >>> rng = np.random.default_rng(0)
    >>> scores = rng.normal([0.6, 0.3, 0.0], 0.5, (30, 3))
    >>> content = critical_difference_content(friedman(scores, list("abc"), list(map(str, range(30)))))
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
            where=counted(outcome.n_systems, "system"),
            remedy="name fewer systems, or see friedman().to_frame(), which lists the pairs",
        )
    return CriticalDifferenceContent(
        systems=outcome.systems,
        average_ranks=tuple(float(outcome.average_ranks[name]) for name in outcome.systems),
        n_datasets=outcome.n_datasets,
        groups=tuple(sorted(groups)),
        follow_up=outcome.follow_up,
        alpha=outcome.alpha,
        critical_difference=outcome.critical_difference(),
    )


def draw_critical_difference(content: CriticalDifferenceContent, total: float) -> Figure:
    """Draw the average ranks on an axis, the best on the left, with a bar over each group that is not told apart.

    The dots on a bar say which systems are in the group: a system between them without a dot is not. The ruler above
    the axis is as long as Nemenyi's critical difference.

    Parameters
    ----------
    content : CriticalDifferenceContent
        Of three systems or more.
    total : float
        Width in points.

    Returns
    -------
    matplotlib.figure.Figure
        Outside pyplot.
    """
    layout = _layout(content, total)
    figure = new_figure(total, layout.height)
    _draw_axis(figure, content, layout)
    _draw_systems(figure, content, layout)
    _draw_bars(figure, content, layout)
    return figure


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """Where everything goes, in points from the lower left corner."""

    total: float
    height: float
    axis: float
    left: float
    right: float
    names: list[str]
    lanes: list[int]
    n_systems: int

    def x(self, rank: float) -> float:
        """Where a rank stands."""
        return self.left + (self.right - self.left) * (rank - 1) / (self.n_systems - 1)

    @property
    def first_name(self) -> float:
        """Middle of the first line of names."""
        return self.axis - _LANE * (max(self.lanes, default=-1) + 1) - 1.1 * typography().line

    @property
    def n_left(self) -> int:
        """How many names stand on the left."""
        return (self.n_systems + 1) // 2


def _layout(content: CriticalDifferenceContent, total: float) -> _Layout:
    n, size = len(content.systems), typography().text
    ranks = [_rank_words(rank) for rank in content.average_ranks]
    widest = max(text_width(rank, typography().small) for rank in ranks)
    names = all_shortened(content.systems, _NAMES_SHARE * total, size)
    half = (n + 1) // 2
    sides = [max(text_width(name, size) for name in part) + widest + 4 for part in (names[:half], names[half:])]
    left, right = sides[0] + _MARGIN, total - sides[1] - _MARGIN
    lanes = _lanes(content, _BETWEEN_BARS * (n - 1) / (right - left))
    above = typography().small + 6 + typography().line + 4
    below = _LANE * (max(lanes, default=-1) + 1) + typography().line * (half + 0.7)
    return _Layout(
        total=total,
        height=above + below,
        axis=below,
        left=left,
        right=right,
        names=names,
        lanes=lanes,
        n_systems=n,
    )


def _rank_words(rank: float) -> str:
    return fixed(rank, _DECIMALS)


def _lanes(content: CriticalDifferenceContent, apart: float) -> list[int]:
    """Lane of each bar, from the axis downwards: as few lanes as keep bars in one lane so many ranks apart."""
    ends: list[float] = []
    lanes = []
    for group in content.groups:
        low, high = content.average_ranks[group[0]], content.average_ranks[group[-1]]
        lane = next((place for place, end in enumerate(ends) if end + apart < low), len(ends))
        ends[lane:] = [high, *ends[lane + 1 :]]
        lanes.append(lane)
    return lanes


def _draw_axis(figure: Figure, content: CriticalDifferenceContent, layout: _Layout) -> None:
    y, small = layout.axis, typography().small
    _line(figure, [layout.left, layout.right], [y, y], width=0.7)
    for rank in _labelled_ranks(layout, room=text_width("00", small) + 4):
        _line(figure, [layout.x(rank)] * 2, [y, y + _TICK], width=0.5)
        write(figure, layout.x(rank), y + _TICK + 2, str(rank), size=small, ha="center")
    words = f"CD = {fixed(content.critical_difference, _DECIMALS)}"
    length = layout.x(1 + content.critical_difference) - layout.left
    ruler = y + _TICK + small + 6
    if layout.left + length + 3 + text_width(words, small) > layout.total - 1:
        write(
            figure,
            layout.total - 1,
            ruler - CAP_HEIGHT * small,
            f"{words} (wider than the axis)",
            size=small,
            ha="right",
        )
        return
    _line(figure, [layout.left, layout.left + length], [ruler, ruler], width=0.7)
    for end in (layout.left, layout.left + length):
        _line(figure, [end, end], [ruler - 2, ruler + 2], width=0.7)
    write(figure, layout.left + length + 3, ruler - CAP_HEIGHT * small, words, size=small)


def _labelled_ranks(layout: _Layout, *, room: float) -> list[int]:
    """The ranks with a number: all, every second one from 1 on, or 1 and the multiples of 5, 10, ...; evenly or so."""
    n, ranks = layout.n_systems, [1]
    for step in (1, 2, 5, 10, 20, 50, 100):
        ranks = list(range(1, n + 1, step)) if step <= 2 else [1, *range(step, n + 1, step)]
        if all(layout.x(after) - layout.x(before) >= room for before, after in pairwise(ranks)):
            break
    return ranks


def _draw_systems(figure: Figure, content: CriticalDifferenceContent, layout: _Layout) -> None:
    small, size = typography().small, typography().text
    for place, (name, rank) in enumerate(zip(layout.names, content.average_ranks, strict=True)):
        on_left = place < layout.n_left
        line = place if on_left else layout.n_systems - 1 - place
        y, x = layout.first_name - line * typography().line, layout.x(rank)
        words, width = _rank_words(rank), text_width(_rank_words(rank), small)
        edge = layout.left - 6 if on_left else layout.right + 6
        _line(figure, [x, x, edge], [layout.axis, y, y], width=0.5, colour=GREY)
        baseline = y - CAP_HEIGHT * size
        if on_left:
            write(figure, edge - 2, baseline, words, size=small, ha="right")
            write(figure, edge - 2 - width - 4, baseline, name, ha="right")
        else:
            write(figure, edge + 2, baseline, words, size=small)
            write(figure, edge + 2 + width + 4, baseline, name)


def _draw_bars(figure: Figure, content: CriticalDifferenceContent, layout: _Layout) -> None:
    for group, lane in zip(content.groups, layout.lanes, strict=True):
        xs = [layout.x(content.average_ranks[place]) for place in group]
        y = layout.axis - _LANE * (lane + 0.9)
        _line(figure, [min(xs) - 1.5, max(xs) + 1.5], [y, y], width=1.8, label="_bar")
        _line(figure, xs, [y] * len(xs), width=0.0, marker="o", label="_members")


def _line(
    figure: Figure,
    xs: Sequence[float],
    ys: Sequence[float],
    *,
    width: float,
    colour: str = INK,
    marker: str = "",
    label: str = "",
) -> None:
    from matplotlib.lines import Line2D

    figure.add_artist(
        Line2D(
            [x / 72 for x in xs],
            [y / 72 for y in ys],
            transform=inches(figure),
            color=colour,
            linewidth=width,
            linestyle="-" if width else "none",
            solid_capstyle="butt",
            marker=marker or "none",
            markersize=3.6,
            markeredgewidth=0.0,
            label=label,
        )
    )


def critical_difference_alt_text(content: CriticalDifferenceContent) -> str:
    """Say in words what the diagram shows, in a few sentences of plain text."""
    n, names = len(content.systems), [clean(name) for name in content.systems]
    ranked = [f"{name} {_rank_words(rank)}" for name, rank in zip(names, content.average_ranks, strict=True)]
    over = f"{counted(n, 'system')} on {counted(content.n_datasets, 'dataset')}"
    sentences = [
        f"Critical-difference diagram of {over}. Average ranks, 1 is best: {listed(ranked, most=_MOST_LISTED)}."
    ]
    bars = "; ".join(_group_words(names, group) for group in content.groups[:_MOST_LISTED])
    level = level_text(content.alpha)
    if content.groups:
        rest = len(content.groups) - _MOST_LISTED
        further = f"; and {rest} more" if rest > 0 else ""
        sentences.append(f"Bars join systems that the tests do not separate at level {level}: {bars}{further}.")
    else:
        sentences.append(f"There is no bar: the tests separate all pairs of systems at level {level}.")
    sentences.append(f"Nemenyi's critical difference is {fixed(content.critical_difference, _DECIMALS)}.")
    return " ".join(sentences)


def _group_words(names: Sequence[str], group: Sequence[int]) -> str:
    return listed((names[place] for place in group), most=_MOST_LISTED)


CRITICAL_DIFFERENCE = Drawing(
    "critical-difference",
    CriticalDifferenceContent,
    draw_critical_difference,
    critical_difference_alt_text,
    wide=lambda content: len(content.systems) > MOST_SYSTEMS_IN_A_COLUMN,
)
