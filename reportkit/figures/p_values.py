"""Sorted p-values against the thresholds of Holm's procedure: which datasets are identified, and how narrowly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reportkit.figures.drawing.axes import HIGHEST, p_axis, set_ticks, ticks_across, width_of, write_label
from reportkit.figures.drawing.entry import Drawing
from reportkit.figures.drawing.identified import Mark, draw_marked
from reportkit.figures.drawing.key import Sign
from reportkit.figures.drawing.rows import draw_rows, many_rows, parts_of, rows_plot, size_of_rows
from reportkit.figures.drawing.style import BLUE, FLOOR, shade
from reportkit.figures.drawing.typography import clean
from reportkit.language import counted, level_text, listed, p_value_text, short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_MOST_NAMED = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class PValueRow:
    """One dataset.

    Parameters
    ----------
    dataset : str
        Its name.
    p_value : float
        One-sided, for A better than B, not adjusted.
    threshold : float
        What Holm's procedure compares it with: the level, divided by the number of hypotheses not yet rejected when
        its turn comes.
    mark : {"identified", "not identified", "other sign"}
        `other sign`: the adjusted p-value is small enough, but A is not ahead.
    """

    dataset: str
    p_value: float
    threshold: float
    mark: Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class PValueContent:
    """Everything that the figure shows.

    Parameters
    ----------
    system_a, system_b : str
        A is claimed to be better than B.
    rows : tuple of PValueRow
        Smallest p-value first.
    alpha : float
        Level of the analysis.
    level : float
        Level of this family: alpha, or half of it where both directions are tested.
    n_hypotheses : int
        How many p-values are corrected together; more than there are rows if other comparisons belong to the family.
    """

    system_a: str
    system_b: str
    rows: tuple[PValueRow, ...]
    alpha: float
    level: float
    n_hypotheses: int

    __repr__ = short_repr


def draw_p_values(content: PValueContent, axes: Sequence[Axes]) -> None:
    """Draw one row per dataset, smallest p-value first: its p-value on a logarithmic axis, and its threshold.

    The thresholds are a line of steps. A marker is filled where the dataset is identified, a cross where A is not ahead
    though the p-value is small enough, hollow otherwise. p-values more than four decades below the smallest threshold
    are not told apart: they are in a grey band that says so. Where the rows do not fit a page they are in panels
    side by side.
    """
    axis = p_axis([row.p_value for row in content.rows], [content.rows[0].threshold, content.level])
    parts = parts_of(len(content.rows), len(axes))
    for panel, part in zip(axes, parts, strict=True):
        rows = content.rows[part]
        panel.set_xscale("log")
        columns = {"$p$": [p_value_text(row.p_value) for row in rows]}
        draw_rows(panel, [row.dataset for row in rows], columns, (axis.lowest, HIGHEST), tallest=parts[0].stop)
        if axis.floor:
            band: Any = {"facecolor": shade(FLOOR), "edgecolor": "none"}
            panel.axvspan(axis.lowest, axis.floor, zorder=0, label="_below_floor", **band)
        edges = [edge for place in range(len(rows)) for edge in (place - 0.5, place + 0.5)]
        steps = [row.threshold for row in rows for _ in range(2)]
        panel.plot(steps, edges, color=BLUE, linestyle="--", linewidth=0.8, zorder=2, label="_thresholds")
        _, _, size = size_of_rows(panel, parts[0].stop)
        draw_marked(panel, [axis.placed(row.p_value) for row in rows], [row.mark for row in rows], size)
        set_ticks(panel.xaxis, axis.ticks(ticks_across(0.5 * width_of(panel))), math=True)
        write_label(panel, "x", "one-sided $p$-value", math=True)


def _signs(content: PValueContent) -> list[Sign]:
    marks = {row.mark for row in content.rows}
    meanings = {
        "identified": Sign(meaning=f"better (Holm, {level_text(content.alpha)})", marker="o"),
        "not identified": Sign(meaning="not shown", marker="o", filled=False),
        "other sign": Sign(meaning="small enough, other sign", marker="x"),
    }
    signs = [sign for mark, sign in meanings.items() if mark in marks]
    return [*signs, Sign(meaning="Holm's threshold", line="--", colour=BLUE)]


def p_value_alt_text(content: PValueContent) -> str:
    """Say in words what the figure shows."""
    a, b, level = clean(content.system_a), clean(content.system_b), level_text(content.alpha)
    ends = [p_value_text(row.threshold, precise=True) for row in (content.rows[0], content.rows[-1])]
    datasets, tests = counted(len(content.rows), "dataset"), counted(content.n_hypotheses, "test")
    head = f"Sorted one-sided p-values of the claim that {a} is better than {b} on {datasets}"
    thresholds = f"from {ends[0]} for the smallest to {ends[1]} for the largest"
    sentences = [f"{head}, with the thresholds of Holm's procedure over {tests}, {thresholds}."]
    if found := [_described(row) for row in content.rows if row.mark == "identified"]:
        sentences.append(f"At level {level} {a} is shown to be better on {listed(found, most=_MOST_NAMED)}.")
    else:
        sentences.append(f"At level {level} {a} is not shown to be better on any dataset.")
    if crossed := [clean(row.dataset) for row in content.rows if row.mark == "other sign"]:
        sentences.append(f"Crosses: on {listed(crossed, most=_MOST_NAMED)} {a} is not ahead.")
    return " ".join(sentences)


def _described(row: PValueRow) -> str:
    text = p_value_text(row.p_value, precise=True)
    return f"{clean(row.dataset)} (p {text if text[0] in '<>' else f'= {text}'})"


DRAWING = Drawing("p-values", PValueContent, rows_plot, draw_p_values, p_value_alt_text, _signs, wide=many_rows)
