"""Forest plot: the difference on each dataset, with its interval, and whether it is identified."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

from reportkit.figures.drawing.axes import draw_markers, number_ticks, ticks_across, width_of, write, write_label
from reportkit.figures.drawing.entry import Drawing, Plot
from reportkit.figures.drawing.identified import Mark, draw_marked
from reportkit.figures.drawing.key import Sign
from reportkit.figures.drawing.names import all_shortened, shortened, text_width
from reportkit.figures.drawing.rows import draw_rows, limits_of, many_rows, parts_of, rows_plot, size_of_rows
from reportkit.figures.drawing.style import INK, shade
from reportkit.figures.drawing.typography import clean, typography
from reportkit.language import counted, level_text, listed, p_value_beside_levels, short_repr
from reportkit.replicability.multiple_testing.correction import Correction

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_NAMED = 12
_MOST_WITH_DIFFERENCES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestRow:
    """One dataset of a forest plot.

    Parameters
    ----------
    dataset : str
        Its name.
    difference : float
        On the scale of the axis; positive if A is better.
    text : str
        The difference with its sign, in percentage points or the units of its metric, never standardised.
    has_interval : bool
        Whether there is an interval.
    low, high : float or None
        Its ends on the scale of the axis, at the level of the decision that `mark` shows: it is above 0 exactly where A
        is identified as better. None where it is unbounded.
    adjusted_p_value : float
        Adjusted for the whole family.
    mark : {"identified", "not identified", "other sign", "opposite"}
        Whether the dataset is identified at the level; `other sign`: the p-value is small enough, A is not ahead;
        `opposite`: B is identified as better.
    """

    dataset: str
    difference: float
    text: str
    has_interval: bool
    low: float | None
    high: float | None
    adjusted_p_value: float
    mark: Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestContent:
    """Everything that a forest plot shows.

    Parameters
    ----------
    system_a, system_b : str
        A is claimed to be better than B.
    rows : tuple of ForestRow
        From top to bottom.
    quantity, unit : str
        What is on the axis, in which unit.
    alpha : float
        Level of the marks.
    correction : {"Holm", "graph", "closed testing", "max-T"}
        What adjusted the p-values.
    """

    system_a: str
    system_b: str
    rows: tuple[ForestRow, ...]
    quantity: str
    unit: str
    alpha: float
    correction: Correction = "Holm"

    __repr__ = short_repr


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestsContent:
    """Forest plots of several claims, on one axis.

    Parameters
    ----------
    panels : tuple of ForestContent
        From top to bottom; all have the same unit and level.
    """

    panels: tuple[ForestContent, ...]

    __repr__ = short_repr

    @property
    def rows(self) -> tuple[ForestRow | None, ...]:
        """All rows from top to bottom; None where the next claim is named."""
        return tuple(row for panel in self.panels for row in (None, *panel.rows))

    @property
    def shared(self) -> tuple[str | None, str | None]:
        """A and B where all claims have the same one; None otherwise."""
        sides = {panel.system_a for panel in self.panels}, {panel.system_b for panel in self.panels}
        a, b = (names.pop() if len(names) == 1 else None for names in sides)
        return a, b


def _plot(content: ForestContent | ForestsContent, total: float) -> Plot:
    return rows_plot(content, total, lines=2)


def draw_forest(content: ForestContent | ForestsContent, axes: Sequence[Axes]) -> None:
    """Draw the difference between A and B on each dataset, of one claim or of several below each other.

    One row per dataset: the observed difference, its interval if there is one (an arrow where it is unbounded), the
    difference in figures and its adjusted p-value. The interval belongs to the decision that the marker shows: it lies
    above 0 exactly where the marker is filled because A is identified as better, and below 0 exactly where a square
    says that B is. A cross stands where the p-value is small enough but the difference has the other sign (possible
    with printed p-values only); other markers are hollow. Where the rows do not fit a page they are in panels side
    by side.
    """
    claims = content.panels if isinstance(content, ForestsContent) else (content,)
    every = [row for row in content.rows if row is not None]
    ends = [(row.difference, row.low or 0.0, row.high or 0.0) for row in every]
    limits, names = limits_of(chain(*ends)), iter([f"{claim.system_a} vs. {claim.system_b}" for claim in claims])
    parts = parts_of(len(content.rows), len(axes))
    for panel, part in zip(axes, parts, strict=True):
        rows = content.rows[part]
        heads = {place: next(names) for place, row in enumerate(rows) if row is None}
        _name_rows(panel, rows, heads, claims[0].alpha, limits, parts[0].stop)
        _draw_points(panel, rows, limits, parts[0].stop)
        number_ticks(panel.xaxis, ticks_across(0.5 * width_of(panel), 24.0))
        _write_below(panel, content, claims[0])


def _name_rows(
    axes: Axes,
    rows: Sequence[ForestRow | None],
    heads: Mapping[int, str],
    alpha: float,
    limits: tuple[float, float],
    tallest: int,
) -> None:
    """Write names, differences and p-values of the rows; None is a row with a heading."""
    indent = "  " if heads else ""
    names = ["" if row is None else f"{indent}{row.dataset}" for row in rows]
    columns = {
        "adj. $p$": ["" if row is None else p_value_beside_levels(row.adjusted_p_value, [alpha]) for row in rows]
    }
    if len(rows) <= _MOST_WITH_DIFFERENCES:  # with more rows the axis has to do
        columns = {"diff.": ["" if row is None else row.text for row in rows], **columns}
    draw_rows(axes, names, columns, limits, tallest=tallest, heads=heads)


def _draw_points(axes: Axes, rows: Sequence[ForestRow | None], limits: tuple[float, float], tallest: int) -> None:
    """Draw the markers and intervals of the rows; None is an empty row."""
    left, right = limits
    known = [(place, row) for place, row in enumerate(rows) if row is not None]
    empty = [-1, *(place for place, row in enumerate(rows) if row is None), len(rows)]
    for above, under in pairwise(empty):  # interrupted at the names of claims
        axes.plot([0.0, 0.0], [above + 0.5, under - 0.5], color=shade(INK), linewidth=0.5, zorder=1, label="_zero")
    bars = [(place, row) for place, row in known if row.has_interval]
    axes.hlines(
        [place for place, _ in bars],
        [left if row.low is None else row.low for _, row in bars],
        [right if row.high is None else row.high for _, row in bars],
        color=shade(INK),
        linewidth=0.8,
        zorder=2,
        label="_intervals",
    )
    _, _, size = size_of_rows(axes, tallest)
    for end, marker, endless in (
        (left, "<", [place for place, row in bars if row.low is None]),
        (right, ">", [place for place, row in bars if row.high is None]),
    ):
        draw_markers(axes, [end] * len(endless), endless, marker, 0.8 * size, edge=0, zorder=2, label="_unbounded")
    draw_marked(axes, [row.difference for _, row in known], [row.mark for _, row in known], size, [p for p, _ in known])


def _sides(content: ForestContent | ForestsContent) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return a system and whether it is "better" or "worse" there, for each side of 0: below, then above."""
    a, b = content.shared if isinstance(content, ForestsContent) else (content.system_a, content.system_b)
    if a is None and b is None:
        return ("the second", "better"), ("the first", "better")
    return (a or "", "worse") if b is None else (b, "better"), (b or "", "worse") if a is None else (a, "better")


def _write_below(axes: Axes, content: ForestContent | ForestsContent, first: ForestContent) -> None:
    """Write below the axis which side favours whom, and what is on it."""
    small, text = typography().small, typography().text
    (b, under), (a, over) = _sides(content)
    room = 0.34 * width_of(axes) - text_width("←  better", small)
    a, b = all_shortened([a, b], room, small)
    (low, high), down = axes.get_xlim(), -(small + 7.0)
    place: Any = {"xycoords": "axes fraction", "va": "top"}
    if low < 0:
        write(axes, f"← {b} {under}", (0.5, 0.0), offset=(-5.0, down), ha="right", **place)
    if high > 0:
        write(axes, f"{a} {over} →", (0.5, 0.0), offset=(5.0, down), ha="left", **place)
    unit = {"": "", "standard errors": " (in standard errors)"}.get(first.unit, f" ({first.unit})")
    quantity = shortened(first.quantity, 0.85 * width_of(axes) - text_width(unit, text), text)
    write_label(axes, "x", f"{quantity}{unit}", pad=2.0 + typography().line)


def signs_of(content: ForestContent | ForestsContent) -> list[Sign]:
    """Return the signs of the key that the rows need."""
    panels = content.panels if isinstance(content, ForestsContent) else (content,)
    rows = [row for panel in panels for row in panel.rows]
    marks, level, first = {row.mark for row in rows}, level_text(panels[0].alpha), panels[0]
    meanings = {
        "identified": Sign(meaning=f"better ({first.correction}, {level})", marker="o"),
        "not identified": Sign(meaning="not shown", marker="o", filled=False),
        "opposite": Sign(meaning="the other is better", marker="s"),
        "other sign": Sign(meaning=rf"adj. $p \leq$ {level}, other sign", marker="x", math=True),
    }
    signs = [sign for mark, sign in meanings.items() if mark in marks]
    if any(row.has_interval for row in rows):
        signs.append(Sign(meaning="adjusted interval", line="-"))
    return signs


def forest_alt_text(content: ForestContent) -> str:
    """Say in words what the forest plot shows."""
    rows, a, b = content.rows, clean(content.system_a), clean(content.system_b)
    unit, level = f" in {content.unit}" if content.unit else "", level_text(content.alpha)
    ahead = sum(row.difference > 0 for row in rows)
    datasets = counted(len(rows), "dataset")
    head = f"Forest plot of the {content.quantity}{unit} between {a} and {b} on {datasets}"
    sentences = [f"{head}; {a} is ahead on {ahead}."]
    first, last = (choose(rows, key=lambda row: row.difference) for choose in (max, min))
    if first.difference > last.difference:
        sentences.append(f"The difference is largest on {_described(first)} and smallest on {_described(last)}.")
    for mark, words in (("identified", f"{a} is better on"), ("opposite", f"{b} is better on")):
        if found := [_described(row) for row in rows if row.mark == mark]:
            where = listed(found, most=_MOST_NAMED)
            sentences.append(f"Shown at level {level} ({content.correction}): {words} {where}.")
    if not any(row.mark == "identified" for row in rows):
        sentences.append(f"{a} is not shown to be better on any dataset ({content.correction}, level {level}).")
    if crossed := [clean(row.dataset) for row in rows if row.mark == "other sign"]:
        sentences.append(f"Crosses: on {listed(crossed, most=_MOST_NAMED)} {a} is not ahead, though p is small enough.")
    return " ".join(sentences)


def _described(row: ForestRow) -> str:
    return f"{clean(row.dataset)} ({row.text})"


DRAWING = Drawing("forest", ForestContent, _plot, draw_forest, forest_alt_text, signs_of, wide=many_rows)
