"""Credible intervals of the difference on every dataset, against the region of practical equivalence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reportkit.bayes.rope import probability_text
from reportkit.figures.drawing.axes import draw_markers, number_ticks, write_label
from reportkit.figures.drawing.entry import Drawing
from reportkit.figures.drawing.key import Sign
from reportkit.figures.drawing.names import shortened
from reportkit.figures.drawing.rows import draw_rows, limits_of, many_rows, parts_of, rows_plot, size_of_rows
from reportkit.figures.drawing.style import BAND, GREY, INK, shade
from reportkit.figures.drawing.typography import clean, typography
from reportkit.language import counted, percent_text, short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reportkit.bayes.posterior import Posterior


@dataclass(frozen=True, slots=True, kw_only=True)
class PosteriorRow:
    """One dataset.

    Parameters
    ----------
    dataset : str
        Its name.
    mean, low, high : float
        Posterior mean and ends of the credible interval, in the unit of the axis.
    p_better : float
        P(difference > 0).
    """

    dataset: str
    mean: float
    low: float
    high: float
    p_better: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PosteriorForestContent:
    """Everything that the figure shows.

    Parameters
    ----------
    system_a, system_b : str
        Names.
    rows : tuple of PosteriorRow
        From top to bottom.
    unit : str
        Unit of the axis; may be empty.
    level : float
        Probability of the intervals.
    region : float or None
        Half-width of the region of practical equivalence, in the unit of the axis.
    """

    system_a: str
    system_b: str
    rows: tuple[PosteriorRow, ...]
    unit: str
    level: float
    region: float | None

    __repr__ = short_repr


def posterior_forest_content(found: Sequence[Posterior], *, in_percent: bool) -> PosteriorForestContent:
    """Take from the posteriors of all datasets what the figure shows, in percentage points or as they are."""
    factor, first = 100.0 if in_percent else 1.0, found[0]
    rows = []
    for item in found:
        mean, low, high = (factor * value for value in (item.mean, item.interval.low, item.interval.high))
        rows.append(PosteriorRow(dataset=item.dataset, mean=mean, low=low, high=high, p_better=item.p_better))
    return PosteriorForestContent(
        system_a=first.system_a,
        system_b=first.system_b,
        rows=tuple(rows),
        unit="percentage points" if in_percent else "",
        level=first.interval.level,
        region=None if first.rope is None else first.rope.half_width * factor,
    )


def draw_posterior_forest(content: PosteriorForestContent, axes: Sequence[Axes]) -> None:
    """Draw one row per dataset: posterior mean and credible interval, and the probability that A is better.

    The marker is filled where the whole interval lies on one side of the region of practical equivalence (of 0, if none
    was declared), a square where it lies inside, hollow otherwise.
    """
    unit, text = f", {content.unit}" if content.unit else "", typography().text
    parts, edge = parts_of(len(content.rows), len(axes)), 1.15 * (content.region or 0.0)
    limits = limits_of([-edge, edge, *(value for row in content.rows for value in (row.low, row.high))])
    for panel, part in zip(axes, parts, strict=True):
        rows = content.rows[part]
        columns = {"P(better)": [_share(row) for row in rows]}
        draw_rows(panel, [row.dataset for row in rows], columns, limits, tallest=parts[0].stop)
        if content.region is not None:
            band: Any = {"facecolor": shade(BAND), "edgecolor": "none"}
            panel.axvspan(-content.region, content.region, zorder=0, label="_region", **band)
        panel.axvline(0.0, color=shade(GREY), linewidth=0.5, zorder=1, label="_zero")
        _, _, size = size_of_rows(panel, parts[0].stop)
        for place, row in enumerate(rows):
            bar: Any = {"color": shade(INK), "linewidth": 0.9}
            panel.plot([row.low, row.high], [place] * 2, zorder=2, label="_interval", **bar)
            filled, marker = _look(row, content.region)
            draw_markers(panel, [row.mean], [place], marker, size, filled=filled, label="_mean")
        number_ticks(panel.xaxis, 5)
        words = f"difference in favour of {shortened(content.system_a, 80.0 * typography().scale, text)}{unit}"
        write_label(panel, "x", words)


def _share(item: PosteriorRow) -> str:
    return probability_text(item.p_better).replace("below ", "<").replace("above ", ">")


def _look(item: PosteriorRow, region: float | None) -> tuple[bool, str]:
    """Return whether the marker is filled, and its shape."""
    half = region or 0.0
    if item.low > half or item.high < -half:
        return True, "o"
    if region is not None and -half <= item.low and item.high <= half:
        return True, "s"
    return False, "o"


def _signs(content: PosteriorForestContent) -> list[Sign]:
    level, looks = percent_text(content.level), {_look(row, content.region) for row in content.rows}
    outside, band = ("without 0", "with 0") if content.region is None else ("outside the band", "undecided")
    meanings = {
        (True, "o"): Sign(meaning=f"mean; {level} interval {outside}", marker="o", line="-"),
        (True, "s"): Sign(meaning="inside", marker="s", line="-"),
        (False, "o"): Sign(meaning=band, marker="o", filled=False, line="-"),
    }
    signs = [sign for look, sign in meanings.items() if look in looks]
    if content.region is not None:
        signs.append(Sign(meaning="practically equivalent", marker="s", colour=GREY, face=BAND))
    return signs


def posterior_forest_alt_text(content: PosteriorForestContent) -> str:
    """Say in words what the figure shows."""
    a, b, n = clean(content.system_a), clean(content.system_b), len(content.rows)
    clear = [row for row in content.rows if _look(row, content.region) == (True, "o")]
    better = sum(row.mean > 0 for row in clear)
    inside = sum(_look(row, content.region)[1] == "s" for row in content.rows)
    region = "0" if content.region is None else f"the region up to {content.region:.2g} {content.unit}".rstrip()
    return (
        f"Posterior means and {percent_text(content.level)} credible intervals of the difference between {a} and {b} "
        f"on {counted(n, 'dataset')}. The whole interval lies above {region} on {better}, below it on "
        f"{len(clear) - better}, inside it on {inside}; {n - len(clear) - inside} undecided."
    )


DRAWING = Drawing(
    "posterior-forest",
    PosteriorForestContent,
    rows_plot,
    draw_posterior_forest,
    posterior_forest_alt_text,
    _signs,
    wide=many_rows,
)
