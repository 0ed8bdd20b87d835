"""Sorted p-values against the thresholds of Holm's procedure: which datasets are identified, and how narrowly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from reportkit.figures.drawing.axes import HIGHEST, p_axis, set_ticks, ticks_across, width_of, write_label
from reportkit.figures.drawing.entry import Drawing, Plot
from reportkit.figures.drawing.identified import Mark, draw_marked, marks_of
from reportkit.figures.drawing.key import Sign
from reportkit.figures.drawing.rows import draw_rows, many_rows, parts_of, rows_plot, size_of_rows
from reportkit.figures.drawing.style import BLUE, FLOOR, shade
from reportkit.figures.drawing.typography import clean
from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import level_text, p_value_text
from reportkit.language.short_repr import short_repr
from reportkit.replicability.multiple_testing.partial_conjunction import holm

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reportkit.replicability.comparison import Comparison
    from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis


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
    adjusted_p_value : float
        At most the level if this and all smaller p-values are at most their thresholds.
    mark : {"identified", "not identified", "other sign"}
        `other sign`: the adjusted p-value is small enough, but A is not ahead.
    """

    dataset: str
    p_value: float
    threshold: float
    adjusted_p_value: float
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

    @property
    def tells(self) -> bool:
        """Whether a dataset is identified."""
        return any(row.mark == "identified" for row in self.rows)


def p_value_content(family: ReplicabilityAnalysis, comparison: Comparison, *, alpha: float) -> PValueContent | None:
    """Take from a comparison and its family what the figure shows.

    Parameters
    ----------
    family : ReplicabilityAnalysis
        All comparisons that were corrected together, of all metrics.
    comparison : Comparison
        One of them.
    alpha : float
        Level of Holm's procedure.

    Returns
    -------
    PValueContent or None
        None where the p-values have no thresholds of Holm's procedure of their own: with closed testing over
        independent datasets, with gatekeeping by dataset, for a metric whose turn comes after another, and for an
        exploratory comparison.
    """
    if comparison.correction == "closed testing":
        return None
    together = _corrected_together(family, comparison)
    if together is None or comparison.exploratory:
        return None
    sides = 2 if family.design == "both" else 1
    p_values = np.concatenate([item.p_values for item in together])
    divisors = np.empty(p_values.size)
    divisors[np.argsort(p_values, kind="stable")] = np.arange(p_values.size, 0, -1)
    start = sum(item.n_datasets for item in together[: _place(together, comparison)])
    marks = marks_of(comparison, alpha)
    rows = [
        PValueRow(
            dataset=name,
            p_value=float(comparison.p_values[index]),
            threshold=alpha / sides / float(divisors[start + index]),
            adjusted_p_value=float(comparison.adjusted_p_values[index]),
            mark=marks[index],
        )
        for index, name in enumerate(comparison.datasets)
    ]
    return PValueContent(
        system_a=comparison.system_a,
        system_b=comparison.system_b,
        rows=tuple(sorted(rows, key=lambda row: (row.p_value, row.threshold))),
        alpha=alpha,
        level=alpha / sides,
        n_hypotheses=p_values.size,
    )


def _place(together: Sequence[Comparison], comparison: Comparison) -> int:
    return next(place for place, item in enumerate(together) if item is comparison)


def _corrected_together(family: ReplicabilityAnalysis, comparison: Comparison) -> list[Comparison] | None:
    """The comparisons from which Holm's procedure gives the adjusted p-values of this one."""
    if family.design in ("both", "separate"):
        pair = comparison.system_a, comparison.system_b
        every = [item for item in family.comparisons if (item.system_a, item.system_b) == pair]
    else:
        every = list(family.comparisons)
    sides = 2 if family.design == "both" else 1
    for together in ([item for item in every if item.metric == comparison.metric], every):
        p_values = np.concatenate([item.p_values for item in together])
        stated = np.concatenate([item.adjusted_p_values for item in together])
        if np.allclose(np.minimum(1.0, sides * np.asarray(holm(p_values))), stated, rtol=1e-9, atol=0):
            return together
    return None


def _plot(content: PValueContent, total: float) -> Plot:
    return rows_plot(len(content.rows), total)


def draw_p_values(content: PValueContent, axes: Sequence[Axes]) -> None:
    """Draw one row per dataset, smallest p-value first: its p-value on a logarithmic axis, and its threshold.

    The thresholds are a line of steps. A marker is filled where the dataset is identified, a cross where A is not ahead
    though the p-value is small enough, hollow otherwise. p-values more than four decades below the smallest threshold
    are not told apart: they stand in a grey band that says so. Where the rows do not fit a page they stand in panels
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
    """Say in words what the figure shows, in a few sentences of plain text."""
    a, b, n = clean(content.system_a), clean(content.system_b), len(content.rows)
    among = f", among {content.n_hypotheses:,} that are corrected together" if content.n_hypotheses > n else ""
    lowest, highest = _words(content.rows[0].threshold), _words(content.rows[-1].threshold)
    what = f"Sorted one-sided p-values of the claim that {a} is better than {b} on {counted(n, 'dataset')}{among}"
    axis = "on a logarithmic axis, with the thresholds of Holm's procedure"
    sentences = [f"{what}, {axis}: from {lowest} for the smallest to {highest} for the largest."]
    found = [_described(row) for row in content.rows if row.mark == "identified"]
    if found:
        sentences.append(
            f"Filled markers: at level {level_text(content.alpha)} {a} is shown to be better on "
            f"{counted(len(found), 'dataset')}, {listed(found, most=_MOST_NAMED)}."
        )
    else:
        level = level_text(content.alpha)
        sentences.append(f"No marker is filled: at level {level} {a} is not shown to be better on any dataset.")
    if crossed := [clean(row.dataset) for row in content.rows if row.mark == "other sign"]:
        sentences.append(f"Crosses: on {listed(crossed, most=_MOST_NAMED)} {a} is not ahead.")
    first = next((row for row in content.rows if row.mark == "not identified"), None)
    if first is not None:
        sentences.append(
            f"The smallest p-value above its threshold ({_words(first.threshold)}) is {_words(first.p_value)}, on "
            f"{clean(first.dataset)}."
        )
    return " ".join(sentences)


def _described(row: PValueRow) -> str:
    text = p_value_text(row.p_value, precise=True)
    return f"{clean(row.dataset)} (p {text if text[0] in '<>' else f'= {text}'})"


def _words(value: float) -> str:
    return p_value_text(value, precise=True) if value > 0 and math.isfinite(value) else "0"


P_VALUES = Drawing("p-values", PValueContent, _plot, draw_p_values, p_value_alt_text, _signs, wide=many_rows)
