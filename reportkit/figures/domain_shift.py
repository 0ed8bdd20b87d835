"""How often the winner on one dataset also wins on another: one row per ordered pair of datasets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reportkit.figures.drawing.axes import draw_markers, share_ticks, write_label
from reportkit.figures.drawing.entry import Drawing
from reportkit.figures.drawing.key import Sign
from reportkit.figures.drawing.rows import draw_rows, many_rows, parts_of, rows_plot, size_of_rows
from reportkit.figures.drawing.style import GREY, INK, shade
from reportkit.figures.drawing.typography import clean
from reportkit.language import counted, level_text, percent_text, short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reportkit.calibration.bins import DomainShift


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferRow:
    """A row: thresholds of one dataset, applied to another.

    Parameters
    ----------
    source, target : str
        Dataset on which systems win, and dataset on which they are compared again.
    share, low, high : float
        Share of winners that win again, and its interval.
    n : int
        Pairs of systems with a p-value of at most the level on the source.
    """

    source: str
    target: str
    share: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainShiftContent:
    """Everything that the figure shows.

    Parameters
    ----------
    alpha, level : float
        Level at which a win counts, and that of the intervals.
    rows : tuple of TransferRow
        From top to bottom.
    """

    alpha: float
    level: float
    rows: tuple[TransferRow, ...]

    __repr__ = short_repr


def domain_shift_content(found: DomainShift, *, alpha: float) -> DomainShiftContent:
    """Take from all ordered pairs of datasets what the figure shows."""
    rows = []
    for item in found.transfers:
        if (share := item.share(alpha)) is not None:
            names = {"source": item.source_dataset, "target": item.target_dataset}
            rows.append(TransferRow(**names, share=share.value, low=share.low, high=share.high, n=share.total))
    return DomainShiftContent(alpha=alpha, level=found.transfers[0].level, rows=tuple(rows))


def draw_domain_shift(content: DomainShiftContent, axes: Sequence[Axes]) -> None:
    """Draw one row per ordered pair of datasets: the share of winners that win again, and its interval."""
    limits = min([0.5, *(item.low for item in content.rows)]) - 0.02, 1.01
    parts = parts_of(len(content.rows), len(axes))
    for panel, part in zip(axes, parts, strict=True):
        rows = content.rows[part]
        names, columns = [f"{row.source} → {row.target}" for row in rows], {"pairs": [f"{row.n:,}" for row in rows]}
        draw_rows(panel, names, columns, limits, tallest=parts[0].stop)
        panel.axvline(0.5, color=shade(GREY), linewidth=0.6, linestyle=":", zorder=1, label="_half")
        for place, row in enumerate(rows):
            bar: Any = {"color": shade(INK), "linewidth": 0.9}
            panel.plot([row.low, row.high], [place] * 2, zorder=2, label="_interval", **bar)
        _, _, size = size_of_rows(panel, parts[0].stop)
        draw_markers(panel, [row.share for row in rows], range(len(rows)), "o", size, edge=1.0, label="_share")
        share_ticks(panel.xaxis, 5)
        write_label(panel, "x", "share of winners that win again")


def _signs(content: DomainShiftContent) -> list[Sign]:
    words = f"share among pairs with p ≤ {level_text(content.alpha)}, {percent_text(content.level)} interval"
    return [Sign(meaning=words, marker="o", line="-"), Sign(meaning="a coin", line=":", colour=GREY)]


def domain_shift_alt_text(content: DomainShiftContent) -> str:
    """Say in words what the figure shows."""
    ends = [choose(content.rows, key=lambda row: row.share) for choose in (min, max)]
    least, most = (f"{row.share:.2f} ({clean(row.source)} to {clean(row.target)}, {row.n:,} pairs)" for row in ends)
    pairs = counted(len(content.rows), "ordered pair of datasets", "ordered pairs of datasets")
    return (
        f"Share of winners with p of at most {level_text(content.alpha)} on one dataset that win on another one too, "
        f"for {pairs}: from {least} to {most}."
    )


DRAWING = Drawing(
    "domain-shift", DomainShiftContent, rows_plot, draw_domain_shift, domain_shift_alt_text, _signs, wide=many_rows
)
