"""All pairs of systems on one dataset: the gain of the winner, and 1 - p."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from reportkit.calibration.pairs import ALL, DIFFERENT, SAME, GainThreshold, pair_groups
from reportkit.figures.drawing.axes import LOOKS, draw_markers, number_ticks, rounded, share_ticks, write_label
from reportkit.figures.drawing.entry import Drawing, Plot
from reportkit.figures.drawing.key import LineStyle, Sign, colour_of
from reportkit.figures.drawing.style import BLUE, GREY, INK, shade
from reportkit.figures.drawing.typography import clean, typography
from reportkit.language import capitalised, counted, listed, short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reportkit.calibration.pairs import ComparedPairs

MOST_POINTS = 1_000
"""Most pairs that are drawn; if there are more, every second, third, ... is drawn."""
_FEW = 300
"""Beyond this many points, each is smaller."""
_CLEAR = 0.01
_BEYOND = 1.25
_TITLES = {ALL: "all pairs", SAME: "pairs of one family", DIFFERENT: "pairs of two families"}
_LOOKS: Mapping[str, tuple[str | float, str, LineStyle, bool]] = {
    ALL: (INK, "o", "-", False),
    SAME: (INK, "o", "-", True),
    DIFFERENT: (BLUE, "s", "--", False),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GainGroup:
    """Pairs of one kind.

    Parameters
    ----------
    name : str
        "all", "same family", "different families".
    gains, confidences : tuple of float
        By how much the better system wins, and 1 - p.
    threshold : float or None
        Gain above which few p-values are as large as .05.
    n_in_window, n_pairs : int
        Pairs with a p-value near .05, and all of this kind.
    """

    name: str
    gains: tuple[float, ...]
    confidences: tuple[float, ...]
    threshold: float | None
    n_in_window: int
    n_pairs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GainConfidenceContent:
    """Everything that the figure shows.

    Parameters
    ----------
    dataset, unit : str
        Name, and unit of the gains; may be empty.
    groups : tuple of GainGroup
        All pairs, or those within families and those across them.
    n_pairs : int
        Number of all pairs.
    every : int
        One pair in this many is drawn.
    n_beyond : int
        Pairs with gains beyond the axis, all with p <= .01.
    largest : float
        Right end of the axis.
    """

    dataset: str
    unit: str
    groups: tuple[GainGroup, ...]
    n_pairs: int
    every: int
    n_beyond: int
    largest: float

    __repr__ = short_repr


def gain_confidence_content(
    found: ComparedPairs,
    thresholds: Sequence[GainThreshold],
    families: Mapping[str, str] | None,
    *,
    in_percent: bool,
    most: int = MOST_POINTS,
) -> GainConfidenceContent:
    """Take from all pairs what the figure shows.

    The axis ends a little right of the largest gain that has p > .01; pairs beyond are counted.

    Parameters
    ----------
    found : ComparedPairs
        On one dataset.
    thresholds : sequence of GainThreshold
        Thresholds of the same pairs and families.
    families : mapping of str to str, or None
        System to family.
    in_percent : bool
        Whether gains are shown in percentage points.
    most : int
        Most points that are drawn.
    """
    factor = 100.0 if in_percent else 1.0
    unclear = found.gains[found.p_values > _CLEAR]
    largest = _BEYOND * float(unclear.max()) if unclear.size else float(found.gains.max(initial=0.0))
    limits = [item.threshold for item in thresholds if item.threshold is not None]
    largest = max([largest, *(1.1 * limit for limit in limits)]) or 1.0
    inside = found.gains <= largest
    every = max(1, -(-int(inside.sum()) // most))
    order = np.lexsort((found.p_values, found.gains))
    drawn = np.zeros(found.n_pairs, dtype=bool)
    drawn[order[inside[order]][::every]] = True
    kinds = {item.group: item for item in thresholds}
    groups = []
    for name, members in pair_groups(found, families).items():
        if name == ALL and families is not None:
            continue
        chosen, threshold = members & drawn, kinds[name].threshold
        groups.append(
            GainGroup(
                name=name,
                gains=rounded((found.gains[chosen] * factor).tolist()),
                confidences=rounded((1 - found.p_values[chosen]).tolist()),
                threshold=None if threshold is None else rounded([threshold * factor])[0],
                n_in_window=kinds[name].n_in_window,
                n_pairs=int(members.sum()),
            )
        )
    return GainConfidenceContent(
        dataset=found.dataset,
        unit="percentage points" if in_percent else "",
        groups=tuple(groups),
        n_pairs=found.n_pairs,
        every=every,
        n_beyond=int((~inside).sum()),
        largest=rounded([largest * factor])[0],
    )


def one_size_content(
    found: Sequence[ComparedPairs], thresholds: Sequence[GainThreshold], *, in_percent: bool
) -> GainConfidenceContent:
    """Put the pairs of several datasets, compared on equally many instances of each, into one figure.

    Berg-Kirkpatrick et al. (2012), Figure 11.

    Parameters
    ----------
    found : sequence of ComparedPairs
        On two to four datasets.
    thresholds : sequence of GainThreshold
        That of all pairs, one per dataset.
    in_percent : bool
        Whether gains are shown in percentage points.
    """
    parts = [
        gain_confidence_content(item, [limit], None, in_percent=in_percent, most=_FEW // len(found))
        for item, limit in zip(found, thresholds, strict=True)
    ]
    return GainConfidenceContent(
        dataset=f"{found[0].n:,} instances of {listed([item.dataset for item in found])}",
        unit=parts[0].unit,
        groups=tuple(replace(part.groups[0], name=item.dataset) for part, item in zip(parts, found, strict=True)),
        n_pairs=sum(part.n_pairs for part in parts),
        every=max(part.every for part in parts),
        n_beyond=sum(part.n_beyond for part in parts),
        largest=max(part.largest for part in parts),
    )


def _plot(content: GainConfidenceContent, total: float) -> Plot:
    return Plot(min(0.55 * total, 165.0) + typography().below_axis)


def draw_gain_confidence(content: GainConfidenceContent, axes: Sequence[Axes]) -> None:
    """Draw one point per pair; lines are at .95 and at the thresholds.

    Pairs of one family are filled circles, those of two families hollow squares. No line is drawn where there are too
    few pairs near .05.
    """
    (panel,) = axes
    few = sum(len(group.gains) for group in content.groups) <= _FEW
    for place, group in enumerate(content.groups):
        colour, marker, line, is_filled = _look(group, place)
        options: Any = {"filled": is_filled, "edge": 0.4, "zorder": 2.5 if is_filled else 2}
        size = (3.0 if few else 2.0) * typography().scale
        draw_markers(panel, group.gains, group.confidences, marker, size, colour, label=f"_{group.name}", **options)
        if group.threshold is not None:
            options = {"color": colour_of(colour), "linestyle": line, "linewidth": 0.8}
            panel.axvline(group.threshold, zorder=4, label="_threshold", **options)
    lowest = min([0.5, *(value for group in content.groups for value in group.confidences)])
    panel.axhline(0.95, color=shade(GREY), linewidth=0.6, linestyle=":", zorder=1, label="_level")
    panel.set_xlim(-0.01 * content.largest, content.largest)
    panel.set_ylim(lowest - 0.01, 1.005)
    number_ticks(panel.xaxis, 6, (1, 2, 2.5, 5, 10))
    share_ticks(panel.yaxis, 6)
    write_label(panel, "x", f"gain, {content.unit}" if content.unit else "gain")
    write_label(panel, "y", r"confidence, $1 - p$", math=True)


def _look(group: GainGroup, place: int) -> tuple[str | float, str, LineStyle, bool]:
    """Return colour, marker, dashes and filling: fixed for kinds of pairs, by position for datasets."""
    if group.name in _LOOKS:
        return _LOOKS[group.name]
    colour, line, marker = LOOKS[place]
    return colour, marker, line, place % 2 == 0


def _signs(content: GainConfidenceContent) -> list[Sign]:
    signs = []
    for place, group in enumerate(content.groups):
        colour, marker, line, is_filled = _look(group, place)
        title = _TITLES.get(group.name, group.name)
        signs.append(Sign(meaning=title, marker=marker, filled=is_filled, colour=colour))
        if group.threshold is not None:
            words = f"threshold ({counted(group.n_in_window, 'pair')} near .05)"
            signs.append(Sign(meaning=words, line=line, colour=colour))
    return [*signs, Sign(meaning="1 − p = .95", line=":", colour=GREY)]


def gain_confidence_alt_text(content: GainConfidenceContent) -> str:
    """Say in words what the figure shows."""
    said = []
    for group in content.groups:
        limit = "no threshold"
        if group.threshold is not None:
            limit = f"threshold {group.threshold:.3g} {content.unit}".rstrip()
        name = _TITLES.get(group.name, clean(group.name))
        said.append(f"{name}: {limit}, {group.n_in_window} of {counted(group.n_pairs, 'pair')} with p near .05")
    return (
        f"Confidence 1 - p against gain of {counted(content.n_pairs, 'pair')} of systems on {clean(content.dataset)}. "
        f"{capitalised('; '.join(said))}."
    )


DRAWING = Drawing(
    "gain-confidence", GainConfidenceContent, _plot, draw_gain_confidence, gain_confidence_alt_text, _signs
)
