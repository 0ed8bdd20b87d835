"""Contents of figures made from numbers, and the check that no text is cut off or lies on another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import BboxBase
from scipy.special import ndtr, ndtri

from reportkit.figures.drawing.style import style
from reportkit.figures.drawing.typography import LEAST_SIZE
from reportkit.figures.forest import ForestContent, ForestRow
from reportkit.figures.k_hat_matrix import KHatMatrixContent
from reportkit.figures.p_values import PValueContent, PValueRow
from reportkit.figures.partial_conjunction import PartialConjunctionContent, PartialConjunctionCurve
from reportkit.replicability.multiple_testing.partial_conjunction import holm, partial_conjunction
from tests.conftest import ROOT

HOSTILE = [
    "$x_1^2$ & 50%_~{x}\\^$#", "cost: $5 to $10", "\\frac{a}{b}", "en→fr, café", "中文情感数据集", "a" * 90,
    "emoji 😀👩\u200d👩\u200d👧 set", "مجموعة بيانات", "tab\there\nnew line",
    "<b>bold</b> {{ jinja }}", "", "\ud800 surrogate",
]  # fmt: skip
"""Names with every sign that formulas, shells and typesetters read as their own."""

Numbers = tuple[Sequence[str], Sequence[float], Sequence[float]]
"""Datasets, one-sided p-values for A better than B, differences in points."""


def numbers(which: str) -> Numbers:
    """Return names and numbers: Dror et al. (2017), Tables 3 and 5; few; a hundred; with hostile names."""
    tables = {"pos": ("pos", 1e-12), "similarity": ("word-similarity", 5e-6)}
    if which in tables:
        name, least = tables[which]
        table = pd.read_csv(ROOT / "examples" / "dror2017" / f"{name}.csv")
        differences = (table["score_a"] - table["score_b"]).round(6)
        return table["dataset"].tolist(), table["p_value"].clip(lower=least).tolist(), differences.tolist()
    z = np.random.default_rng(17).normal(1.5, 1.5, 100)
    tasks = [f"task_{index:03d}_{'logical deduction five objects'[: 5 + index % 25].strip()}" for index in range(100)]
    n = len(HOSTILE)
    return {
        "small": (["tweets", "amazon reviews", "movies", "nyt"], [2.3e-21, 0.0004, 0.031, 0.48], [4.1, 1.9, 0.8, 0.04]),
        "many": (tasks, np.clip(ndtr(-z), 1e-300, 1).tolist(), (1.2 * z).tolist()),
        "hostile": (HOSTILE, np.linspace(1e-4, 0.4, n).tolist(), np.linspace(6, -1, n).tolist()),
    }[which]


def _marks(given: Numbers, alpha: float) -> tuple[list[float], list[str]]:
    """Return Holm-adjusted p-values, and the marks."""
    _, p_values, differences = given
    adjusted = holm(p_values).tolist()
    small = [p <= alpha for p in adjusted]
    return adjusted, [
        "not identified" if not one else "identified" if difference > 0 else "other sign"
        for one, difference in zip(small, differences, strict=True)
    ]


def forest_of(
    given: Numbers, *, alpha: float = 0.05, intervals: bool = True, unbounded: Sequence[int] = (), **other: str
) -> ForestContent:
    """Return the content of a forest plot; intervals are those of a normal test that gave the p-value."""
    adjusted, marks = _marks(given, alpha)
    rows = []
    for place, (name, p, difference) in enumerate(zip(*given, strict=True)):
        reach = float(1.96 * abs(difference) / max(0.2, abs(ndtri(p))))
        bounded = intervals and place not in unbounded
        rows.append(
            ForestRow(
                dataset=name, difference=difference, text=f"{difference:+.2f}", has_interval=intervals,
                low=difference - reach if bounded else None, high=difference + reach if bounded else None,
                adjusted_p_value=adjusted[place], mark=marks[place],
            )
        )  # fmt: skip
    known = {"system_a": "afinn", "system_b": "vader", "quantity": "difference in accuracy", "unit": "points"} | other
    return ForestContent(rows=tuple(rows), alpha=alpha, **known)


def p_values_of(given: Numbers, *, alpha: float = 0.05) -> PValueContent:
    """Return the content of sorted p-values with Holm's thresholds."""
    (names, p_values, _), (_, marks) = given, _marks(given, alpha)
    order = np.argsort(p_values, kind="stable")
    rows = [
        PValueRow(dataset=names[row], p_value=p_values[row], threshold=alpha / (len(order) - place), mark=marks[row])
        for place, row in enumerate(order)
    ]
    systems = {"system_a": "Mimick", "system_b": "Char→Tag"}
    return PValueContent(rows=tuple(rows), alpha=alpha, level=alpha, n_hypotheses=len(rows), **systems)


def curves_of(
    p_values: Sequence[float],
    *,
    alpha: Sequence[float] = (0.05, 0.01),
    methods: Sequence[str] = ("bonferroni", "fisher"),
) -> PartialConjunctionContent:
    """Return the content of partial-conjunction curves."""
    curves = []
    for method in methods:
        p = partial_conjunction(np.asarray(p_values), method)
        k_hat = tuple(int((p <= level + 1e-12).sum()) for level in alpha)
        curves.append(PartialConjunctionCurve(method=method, p_values=tuple(map(float, p)), k_hat=k_hat))
    systems = {"system_a": "Mimick", "system_b": "Char→Tag"}
    return PartialConjunctionContent(n_datasets=len(p_values), alpha=tuple(alpha), curves=tuple(curves), **systems)


def matrix_of(names: Sequence[str], n_datasets: int) -> KHatMatrixContent:
    """Return k-hat of all pairs of systems that get worse from one to the next."""
    n = len(names)
    k_hat = tuple(tuple(None if a == b else min(n_datasets, max(0, b - a)) for b in range(n)) for a in range(n))
    sizes = tuple(tuple(None if cell is None else n_datasets for cell in row) for row in k_hat)
    return KHatMatrixContent(rows=tuple(names), columns=tuple(names), k_hat=k_hat, n_datasets=sizes, alpha=0.05)


def shown_texts(figure: Figure) -> list[Text]:
    """All texts that a reader sees."""
    found: list[Text] = [*figure.texts]
    for legend in [*figure.legends, *(axes.get_legend() for axes in figure.axes)]:
        found += legend.get_texts() if legend is not None else []
    for axes in [*figure.axes, *(inset for one in figure.axes for inset in one.child_axes)]:
        found += axes.texts
        for axis in (axes.xaxis, axes.yaxis):
            if axes.axison and axis.get_visible():
                found += [axis.label, *(label for label in axis.get_ticklabels() if label.get_visible())]
    return [text for text in found if text.get_text().strip() and text.get_visible()]


def linear_rgb(colour: Any) -> np.ndarray:
    """Return a colour in linear RGB."""
    return np.array([c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)])


def luminance(colour: Any) -> float:
    """Return the relative luminance of WCAG 2."""
    return float(np.dot(linear_rgb(colour), (0.2126, 0.7152, 0.0722)))


def words(figure: Figure) -> list[str]:
    """What a reader reads."""
    return [text.get_text() for text in shown_texts(figure)]


@pytest.fixture
def check_layout() -> Callable[[Figure], None]:
    """Fail where a text leaves the figure or two texts lie on each other."""
    return assert_layout


def assert_layout(figure: Figure) -> None:
    """Every text is legible and inside the figure, no two touch; boxes are shrunk by the room for accents."""
    with style():
        renderer = figure.canvas.get_renderer()
        figure.draw_without_rendering()
        page = figure.bbox
        boxes = []
        for text in shown_texts(figure):
            box = text.get_window_extent(renderer)
            if box.width == 0:
                continue
            assert text.get_fontsize() >= LEAST_SIZE - 1e-9, f"{text.get_text()!r} is too small"
            assert box.x0 >= page.x0 - 0.5, f"{text.get_text()!r} is cut off on the left"
            assert box.x1 <= page.x1 + 0.5, f"{text.get_text()!r} is cut off on the right"
            middle = (box.y0 + box.y1) / 2
            assert page.y0 < middle < page.y1, f"{text.get_text()!r} is outside"
            shrink_x, shrink_y = (0.02, 0.22) if box.width > box.height else (0.22, 0.02)
            boxes.append((text.get_text(), box.padded(-shrink_x * box.width, -shrink_y * box.height)))
    found = overlaps([box for _, box in boxes])
    assert not found, f"overlap: {[(boxes[one][0], boxes[other][0]) for one, other in found]}"


def overlaps(boxes: Sequence[BboxBase]) -> list[tuple[int, int]]:
    """Which two touch, by their places: what `Bbox.overlaps` says of two, of all pairs of thousands at once."""
    left, bottom, right, top = np.array([(box.xmin, box.ymin, box.xmax, box.ymax) for box in boxes]).reshape(-1, 4).T
    across = (left[:, None] <= right) & (left <= right[:, None])
    along = (bottom[:, None] <= top) & (bottom <= top[:, None])
    return [(int(one), int(other)) for one, other in np.argwhere(np.triu(across & along, 1))]
