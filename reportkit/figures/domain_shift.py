"""How often who wins on one dataset wins on another one too: one row per ordered pair of datasets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportkit.calibration.domain_shift import DomainShift
from reportkit.figures.drawing.entry import Drawing
from reportkit.figures.drawing.fonts import clean
from reportkit.figures.drawing.key import Sign, draw_key, key_lines
from reportkit.figures.drawing.lettering import text_width
from reportkit.figures.drawing.marks import CAP_HEIGHT, draw_markers, without_y_axis
from reportkit.figures.drawing.panels import share_ticks
from reportkit.figures.drawing.rows import BETWEEN_PANELS, HEAD_GAP, many_rows, parts_of, row_names
from reportkit.figures.drawing.style import FAINT, GREY, INK, axes_at, new_figure, write
from reportkit.figures.drawing.typography import typography
from reportkit.language.counts_and_lists import counted
from reportkit.language.numerals import level_text, percent_text
from reportkit.language.short_repr import short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_GAP = 7.0
_HEAD = "pairs"
_WORDS = "share of winners that win again"


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferRow:
    """From one dataset to another.

    Parameters
    ----------
    source, target : str
        Where they win, and where they are looked at again.
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
    n_without : int
        Ordered pairs of datasets without any such win.
    """

    alpha: float
    level: float
    rows: tuple[TransferRow, ...]
    n_without: int

    __repr__ = short_repr


def domain_shift_content(found: DomainShift, *, alpha: float) -> DomainShiftContent:
    """Take from all ordered pairs of datasets what the figure shows."""
    rows = []
    for item in found.transfers:
        share = item.share(alpha)
        if share is not None:
            rows.append(
                TransferRow(
                    source=item.source,
                    target=item.target,
                    share=share.value,
                    low=share.low,
                    high=share.high,
                    n=share.total,
                )
            )
    return DomainShiftContent(
        alpha=alpha,
        level=found.transfers[0].level,
        rows=tuple(rows),
        n_without=len(found.transfers) - len(rows),
    )


def draw_domain_shift(content: DomainShiftContent, total: float) -> Figure:
    """Draw one row per ordered pair of datasets: the share of winners that win again, and its interval.

    Parameters
    ----------
    content : DomainShiftContent
        One row or more.
    total : float
        Width in points.
    """
    parts = parts_of(len(content.rows), total)
    width = (total - BETWEEN_PANELS * (len(parts) - 1)) / len(parts)
    key = key_lines(_signs(content), total - 2)
    small, line = typography().small, typography().line
    below, above = typography().ticks + line + 3, line * len(key) + small + HEAD_GAP
    room = typography().page_height - below - above
    row, size, names = row_names([f"{item.source} → {item.target}" for item in content.rows], width, room)
    tallest = max(len(content.rows[part]) for part in parts)
    height = below + above + row * tallest
    figure = new_figure(total, height)
    lowest = min(0.5, *(item.low for item in content.rows)) - 0.02
    for number, part in enumerate(parts):
        rows = content.rows[part]
        place = number * (width + BETWEEN_PANELS), below + row * (tallest - len(rows)), width, row, size
        _draw_part(figure, rows, names[part], place, lowest)
    draw_key(figure, key, 1.0, height)
    return figure


def _draw_part(
    figure: Figure,
    rows: Sequence[TransferRow],
    names: Sequence[Sequence[str]],
    place: tuple[float, float, float, float, float],
    lowest: float,
) -> None:
    left, bottom, width, row, size = place
    small = min(typography().small, size)
    column = max(text_width(_HEAD, typography().small), *(text_width(f"{item.n:,}", small) for item in rows))
    start = left + 1 + max(text_width(text, size) for lines in names for text in lines) + _GAP
    stop = left + width - 1 - column - _GAP
    axes = axes_at(figure, start, bottom, stop - start, row * len(rows))
    _draw_rows(axes, rows, lowest, row, stop - start)
    top = bottom + row * len(rows)
    write(figure, left + width - 1, top + 5.5, _HEAD, size=typography().small, ha="right")
    for number, (item, lines) in enumerate(zip(rows, names, strict=True)):
        middle = top - (number + 0.5) * row
        first = middle - CAP_HEIGHT * size + 0.5 * size * (len(lines) - 1)
        for line_number, text in enumerate(lines):
            write(figure, left + 1.0, first - line_number * size, text, size=size)
        write(figure, left + width - 1, middle - CAP_HEIGHT * small, f"{item.n:,}", size=small, ha="right")
    below = typography().ticks + typography().line + 3
    middle_of_axis = (start + stop) / 2
    half = text_width(_WORDS, typography().text) / 2
    centre = min(max(middle_of_axis, left + half), left + width - half)
    write(figure, centre, 2.5 + bottom - below, _WORDS, ha="center")


def _draw_rows(axes: Axes, rows: Sequence[TransferRow], lowest: float, row: float, width: float) -> None:
    n = len(rows)
    axes.set_xlim(lowest, 1.01)
    axes.set_ylim(n - 0.5, -0.5)
    axes.hlines(range(n), lowest, 1.01, color=FAINT, linewidth=0.3, zorder=0.5, label="_leaders")
    axes.axvline(0.5, color=GREY, linewidth=0.6, linestyle=":", zorder=1, label="_half")
    for place, item in enumerate(rows):
        axes.plot([item.low, item.high], [place] * 2, color=INK, linewidth=0.9, zorder=2, label="_interval")
    draw_markers(axes, [item.share for item in rows], range(n), "o", min(4.2, 0.55 * row), edge=1.0, label="_share")
    without_y_axis(axes)
    share_ticks(axes, "x", width)


def _signs(content: DomainShiftContent) -> list[Sign]:
    words = f"share among pairs with p ≤ {level_text(content.alpha)}, {percent_text(content.level)} interval"
    return [Sign(meaning=words, marker="o", line="-"), Sign(meaning="a coin", line=":", colour=GREY)]


def domain_shift_alt_text(content: DomainShiftContent) -> str:
    """Say in words what the figure shows, in a few sentences of plain text."""
    ordered = sorted(content.rows, key=lambda item: item.share)
    least, most = ordered[0], ordered[-1]
    text = (
        f"Share of winners with p of at most {level_text(content.alpha)} on one dataset that win on another one too, "
        "for "
        f"{counted(len(content.rows), 'ordered pair of datasets', 'ordered pairs of datasets')}, with "
        f"{percent_text(content.level)} intervals: from {least.share:.2f} ({clean(least.source)} to "
        f"{clean(least.target)}, "
        f"{counted(least.n, 'pair')}) to {most.share:.2f} ({clean(most.source)} to {clean(most.target)}, "
        f"{counted(most.n, 'pair')})."
    )
    if content.n_without:
        text += f" {counted(content.n_without, 'ordered pair')} without such a win not shown."
    return text


DOMAIN_SHIFT = Drawing("domain-shift", DomainShiftContent, draw_domain_shift, domain_shift_alt_text, wide=many_rows)
