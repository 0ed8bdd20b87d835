"""All pairs on one dataset: by how much each system is better than each other one, and where that is identified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reportkit.errors import InputError
from reportkit.figures.drawing.difference_scale import difference_scale
from reportkit.figures.drawing.entry import Drawing, Plot
from reportkit.figures.drawing.key import Sign
from reportkit.figures.drawing.matrix import MOST_SYSTEMS_IN_A_COLUMN, draw_matrix, matrix_plot, pairs_once
from reportkit.figures.drawing.style import GREY, INK, PAPER, shade
from reportkit.figures.drawing.typography import clean
from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import level_text, p_value_text
from reportkit.language.short_repr import short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reportkit.replicability.comparison import Comparison

_MOST_LISTED = 12
_SHADES = (1.0, 0.769, 0.235)
"""Not identified; identified at the largest level; at the smallest of several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairMatrixContent:
    """Everything that the figure shows.

    Parameters
    ----------
    dataset : str
        Where the systems are compared.
    rows : tuple of str
        Systems that are claimed to be better, from top to bottom.
    columns : tuple of str
        Systems that they are compared with.
    differences : tuple of tuple of str or None
        Difference of the scores, oriented (positive if the system of the row is better), as it is written; None where
        a pair was not compared.
    adjusted_p_values : tuple of tuple of float or None
        Of the claim that the system of the row is better, adjusted for the whole family.
    identified : tuple of tuple of float or None
        Smallest level at which the claim is identified; None where it is at none.
    quantity, unit : str
        What the differences are: "difference in accuracy", "percentage points".
    alpha : tuple of float
        Levels, largest first.
    """

    dataset: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    differences: tuple[tuple[str | None, ...], ...]
    adjusted_p_values: tuple[tuple[float | None, ...], ...]
    identified: tuple[tuple[float | None, ...], ...]
    quantity: str
    unit: str
    alpha: tuple[float, ...]

    __repr__ = short_repr


def pair_matrix_content(
    comparisons: Sequence[Comparison], *, alpha: Sequence[float], order: Sequence[str] = ()
) -> PairMatrixContent:
    """Take from comparisons on one dataset what the matrix shows.

    Parameters
    ----------
    comparisons : sequence of Comparison
        Each ordered pair at most once, all on the same one dataset.
    alpha : sequence of float
        Levels, largest first.
    order : sequence of str
        Systems from the top; by default as they first occur.

    Raises
    ------
    InputError
        If there is no comparison, if one of them is on several datasets, or if a pair occurs twice.
    """
    cells = pairs_once(comparisons)
    for item in comparisons:
        if item.datasets != comparisons[0].datasets[:1]:
            raise InputError(
                f"{item.system_a!r} and {item.system_b!r} are compared on {counted(item.n_datasets, 'dataset')}",
                where=", ".join(item.datasets[:3]),
                remedy="give comparisons on one dataset; k-hat counts several",
            )
    systems = list(dict.fromkeys(name for pair in cells for name in pair))
    if order:
        systems.sort(key=list(order).index)
    rows = tuple(name for name in systems if any(name == a for a, _ in cells))
    columns = tuple(name for name in systems if any(name == b for _, b in cells))
    scale = difference_scale(comparisons[0])
    texts = _texts(cells)
    levels = tuple(sorted(alpha, reverse=True))
    return PairMatrixContent(
        dataset=comparisons[0].datasets[0],
        rows=rows,
        columns=columns,
        differences=tuple(tuple(texts.get((a, b)) for b in columns) for a in rows),
        adjusted_p_values=tuple(
            tuple(float(cells[a, b].adjusted_p_values[0]) if (a, b) in cells else None for b in columns) for a in rows
        ),
        identified=tuple(
            tuple(_identified(cells[a, b], levels) if (a, b) in cells else None for b in columns) for a in rows
        ),
        quantity=scale.quantity,
        unit=scale.unit,
        alpha=levels,
    )


def _texts(cells: dict[tuple[str, str], Comparison]) -> dict[tuple[str, str], str]:
    """Differences with the same number of decimals, the largest that a standard error of them warrants."""
    texts = {pair: difference_scale(item).texts[0] for pair, item in cells.items()}
    places = max(len(text.partition(".")[2]) for text in texts.values())
    return {pair: difference_scale(item, decimals=places).texts[0] for pair, item in cells.items()}


def _identified(item: Comparison, levels: Sequence[float]) -> float | None:
    return min((level for level in levels if item.marked(level)[0]), default=None)


def _plot(content: PairMatrixContent, total: float) -> Plot:
    return matrix_plot(content.rows, content.columns, total)


def draw_pair_matrix(content: PairMatrixContent, axes: Sequence[Axes]) -> None:
    """Draw every comparison as a cell with its difference, shaded where it is identified.

    Rows are the systems that are claimed to be better, columns those they are compared with. Cells carry numbers with
    up to 20 systems, where they are legible. Cells without a comparison, a system with itself among them, are crossed
    out.
    """
    from matplotlib.colors import ListedColormap

    values = [
        [np.nan if text is None else _shade(content, level) / 2 for text, level in zip(texts, levels, strict=True)]
        for texts, levels in zip(content.differences, content.identified, strict=True)
    ]
    texts = [[text or "" for text in row] for row in content.differences]
    inks = [
        [shade(GREY if level is None else PAPER if _shade(content, level) == 2 else INK) for level in levels]
        for levels in content.identified
    ]
    shades = ListedColormap([shade(share) for share in _SHADES])
    draw_matrix(axes[0], content.rows, content.columns, np.array(values), shades, texts, inks)


def _shade(content: PairMatrixContent, level: float | None) -> int:
    if level is None:
        return 0
    return 2 if len(content.alpha) > 1 and level == content.alpha[-1] else 1


def _signs(content: PairMatrixContent) -> list[Sign]:
    levels = [content.alpha[0]] if len(content.alpha) == 1 else [content.alpha[-1], content.alpha[0]]
    signs = [
        Sign(meaning=f"better at {level_text(level)}", marker="s", face=_SHADES[_shade(content, level)])
        for level in levels
    ]
    return [*signs, Sign(meaning="not shown", marker="s", filled=False)]


def pair_matrix_alt_text(content: PairMatrixContent) -> str:
    """Say in words what the matrix shows, in a few sentences; the claims with the smallest p-values are named."""
    n = len({*content.rows, *content.columns})
    unit = f" in {content.unit}" if content.unit else ""
    systems = f"{counted(n, 'system')} on {clean(content.dataset)}"
    known = [
        (a, b, content.differences[row][column], p, content.identified[row][column])
        for row, a in enumerate(content.rows)
        for column, b in enumerate(content.columns)
        if (p := content.adjusted_p_values[row][column]) is not None
    ]
    found = sorted((item for item in known if item[4] is not None), key=lambda item: item[3])
    level = level_text(content.alpha[0])
    sentences = [
        f"Matrix of the {content.quantity}{unit} of {systems}, positive where the system in the row is better.",
        f"Of {counted(len(known), 'ordered pair')}, {len(found):,} hold at level {level} and are shaded.",
    ]
    if found:
        named = [f"{clean(a)} over {clean(b)} ({text}, {_p(p)})" for a, b, text, p, _ in found]
        sentences.append(f"Smallest p-value first: {listed(named, most=_MOST_LISTED)}.")
    return " ".join(sentences)


def _p(value: float) -> str:
    text = p_value_text(value)
    return f"adjusted p {text}" if text[0] in "<>" else f"adjusted p = {text}"


PAIR_MATRIX = Drawing(
    "pair-matrix",
    PairMatrixContent,
    _plot,
    draw_pair_matrix,
    pair_matrix_alt_text,
    _signs,
    wide=lambda content: len(content.columns) > MOST_SYSTEMS_IN_A_COLUMN,
)
