"""Forest plot: the difference on each dataset, with its interval, and whether it is identified."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from reportkit.figures.drawing.axes import draw_markers, number_ticks, ticks_across, width_of, write, write_label
from reportkit.figures.drawing.entry import Drawing, Plot
from reportkit.figures.drawing.identified import draw_marked
from reportkit.figures.drawing.key import Sign
from reportkit.figures.drawing.names import all_shortened, shortened, text_width
from reportkit.figures.drawing.rows import draw_rows, many_rows, parts_of, rows_plot, size_of_rows
from reportkit.figures.drawing.style import GREY, INK, shade
from reportkit.figures.drawing.typography import clean, typography
from reportkit.figures.forest_content import ForestContent, ForestRow, ForestsContent
from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import level_text, p_value_beside_levels, p_value_text, percent_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_NAMED = 12
_MOST_WITH_DIFFERENCES = 12


def _plot(content: ForestContent | ForestsContent, total: float) -> Plot:
    return rows_plot(len(content.rows), total, lines=2)


def draw_forest(content: ForestContent | ForestsContent, axes: Sequence[Axes]) -> None:
    """Draw the difference between A and B on each dataset, of one claim or of several below each other.

    One row per dataset: the observed difference, its interval if there is one (an arrow where it is unbounded), the
    difference in figures and its adjusted p-value. The interval belongs to the decision that the marker shows: it lies
    above 0 exactly where the marker is filled because A is identified as better, and below 0 exactly where a square
    says that B is. A cross stands where the p-value is small enough but the difference has the other sign (possible
    with printed p-values only); other markers are hollow. A thinner line, if asked for, is the interval that is
    adjusted for nothing. Where the rows do not fit a page they stand in panels side by side.
    """
    panels = content.panels if isinstance(content, ForestsContent) else (content,)
    ends = [limits_of(panel) for panel in panels]
    limits = min(low for low, _ in ends), max(high for _, high in ends)
    claims = iter(panels)
    parts = parts_of(len(content.rows), len(axes))
    for panel, part in zip(axes, parts, strict=True):
        rows = content.rows[part]
        left = _name_rows(panel, rows, panels[0].alpha, limits, parts[0].stop)
        for place, row in enumerate(rows):
            if row is None:
                claim = next(claims)
                head = shortened(f"{claim.system_a} vs. {claim.system_b}", 0.95 * width_of(panel), typography().text)
                at: Any = {"va": "center_baseline", "fontsize": typography().text, "offset": (-left, 0.0)}
                write(panel, head, (0.0, place), xycoords=panel.get_yaxis_transform(), **at)
        _draw_points(panel, rows, limits, parts[0].stop)
        number_ticks(panel.xaxis, ticks_across(0.5 * width_of(panel), 24.0))
        _write_below(panel, content, panels[0])


def _name_rows(
    axes: Axes, rows: Sequence[ForestRow | None], alpha: float, limits: tuple[float, float], tallest: int
) -> float:
    """Write names, differences and p-values of the rows; None is an empty row."""
    indent = "  " if None in rows else ""
    names = ["" if row is None else f"{indent}{row.dataset}" for row in rows]
    p_values = ["" if row is None else p_value_beside_levels(row.adjusted_p_value, [alpha]) for row in rows]
    columns = {"adj. $p$": p_values}
    if len(rows) <= _MOST_WITH_DIFFERENCES:  # else the axis alone shows them
        columns = {"diff.": ["" if row is None else row.text for row in rows], **columns}
    empty = [place for place, row in enumerate(rows) if row is None]
    return draw_rows(axes, names, columns, limits, tallest=tallest, heads=empty)


def _draw_points(axes: Axes, rows: Sequence[ForestRow | None], limits: tuple[float, float], tallest: int) -> None:
    """Draw the markers and intervals of the rows; None is an empty row."""
    left, right = limits
    known = [(place, row) for place, row in enumerate(rows) if row is not None]
    empty = [-1, *(place for place, row in enumerate(rows) if row is None), len(rows)]
    for above, under in pairwise(empty):  # not through the names of claims
        axes.plot([0.0, 0.0], [above + 0.5, under - 0.5], color=shade(INK), linewidth=0.5, zorder=1, label="_zero")
    plain = [(place + _BESIDE, row.plain) for place, row in known if row.plain is not None]
    bars = [(place, left if row.low is None else row.low, right if row.high is None else row.high)
            for place, row in known if row.has_interval]  # fmt: skip
    for label, width, ink, drawn in (
        ("_plain_intervals", 0.35, GREY, [(place, *ends) for place, ends in plain]),
        ("_intervals", 0.8, INK, bars),
    ):
        heights, lows, highs = zip(*drawn, strict=True) if drawn else ((), (), ())
        axes.hlines(heights, lows, highs, color=shade(ink), linewidth=width, zorder=2, label=label)
    _, _, size = size_of_rows(axes, tallest)
    for end, marker, endless in (
        (left, "<", [place for place, row in known if row.has_interval and row.low is None]),
        (right, ">", [place for place, row in known if row.has_interval and row.high is None]),
    ):
        draw_markers(axes, [end] * len(endless), endless, marker, 0.8 * size, edge=0, zorder=2, label="_unbounded")
    draw_marked(axes, [row.difference for _, row in known], [row.mark for _, row in known], size, [p for p, _ in known])


def _write_below(axes: Axes, content: ForestContent | ForestsContent, first: ForestContent) -> None:
    """Write below the axis which side favours whom, and what is on it."""
    small, text = typography().small, typography().text
    (b, under), (a, over) = content.sides
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
    if first.level is not None:
        unadjusted = ", unadjusted" if len(rows) > 1 else ""
        signs.append(Sign(meaning=f"{percent_text(first.level)} interval{unadjusted}", line="-", colour=GREY))
    return signs


def forest_alt_text(content: ForestContent) -> str:
    """Say in words what the forest plot shows, in a few sentences of plain text."""
    rows, n = content.rows, len(content.rows)
    a, b = clean(content.system_a), clean(content.system_b)
    procedure = {"Holm": "Holm's procedure", "graph": "the graphical procedure"}.get(
        content.correction, "closed testing"
    )
    unit = f" in {content.unit}" if content.unit else ""
    bars = ", with intervals at the adjusted level of each test" if any(row.has_interval for row in rows) else ""
    if bars and content.level is not None:
        adjusted = " that are not adjusted for the number of datasets" if n > 1 else ""
        bars += f", and {percent_text(content.level)} intervals{adjusted}"
    sentences = [
        f"Forest plot of the {content.quantity}{unit} between {a} and {b} on {counted(n, 'dataset')}{bars}.",
        f"Values above zero favour {a}.",
        f"{a} is ahead on {sum(row.difference > 0 for row in rows)} of {n}.",
    ]
    first, last = (choose(rows, key=lambda row: row.difference) for choose in (max, min))
    if first.difference > last.difference:
        sentences.append(f"The difference is largest on {_described(first)} and smallest on {_described(last)}.")
    chosen = [_described(row, with_p=True) for row in rows if row.mark == "identified"]
    if chosen:
        sentences.append(
            f"Filled markers: {a} is shown to be better on {counted(len(chosen), 'dataset')} ({procedure}, level "
            f"{level_text(content.alpha)}), {listed(chosen, most=_MOST_NAMED)}."
        )
    else:
        sentences.append(
            f"No marker is filled: {a} is not shown to be better on any dataset ({procedure}, level "
            f"{level_text(content.alpha)})."
        )
    if lost := [_described(row) for row in rows if row.mark == "opposite"]:
        sentences.append(f"Filled squares: {b} is shown to be better on {listed(lost, most=_MOST_NAMED)}.")
    if crossed := [clean(row.dataset) for row in rows if row.mark == "other sign"]:
        sentences.append(
            f"Crosses: on {listed(crossed, most=_MOST_NAMED)} the adjusted p-value is at most "
            f"{level_text(content.alpha)}, but {a} is not ahead."
        )
    return " ".join(sentences)


_BESIDE = 0.22
"""How far below its row, in rows, a thinner interval is drawn."""


def limits_of(content: ForestContent) -> tuple[float, float]:
    """Ends of the axis, with 0 on it."""
    ends = [
        end
        for row in content.rows
        for end in (row.difference, row.low, row.high, *(row.plain or ()))
        if end is not None
    ]
    low, high = min(0.0, *ends), max(0.0, *ends)
    if low == high:
        return -1.0, 1.0
    pad = 0.06 * (high - low)
    return low - pad, high + pad


def _described(row: ForestRow, *, with_p: bool = False) -> str:
    p = f", adjusted p = {p_value_text(row.adjusted_p_value)}" if with_p else ""
    return f"{clean(row.dataset)} ({row.text}{p.replace('= <', '< ').replace('= >', '> ')})"


FOREST = Drawing("forest", ForestContent, _plot, draw_forest, forest_alt_text, signs_of, wide=many_rows)
