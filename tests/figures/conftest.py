"""Comparisons to draw: the p-values and differences that Dror et al. (2017) print, and made-up ones of any size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import BboxBase
from scipy.special import ndtr, ndtri

from reportkit.figures.drawing.style import style
from reportkit.figures.drawing.typography import LEAST_SIZE
from reportkit.replicability.comparison import Comparison, KHat
from reportkit.replicability.multiple_testing.adjustment import adjusted_p_values
from reportkit.replicability.multiple_testing.partial_conjunction import partial_conjunction
from reportkit.significance.interval import Interval
from reportkit.significance.outcome import Outcome

ALPHA = (0.05, 0.01)
POS_LANGUAGES = [
    "Kazakh", "Tamil", "Latvian", "Vietnamese", "Hungarian", "Turkish", "Greek", "Bulgarian", "Swedish",
    "Basque", "Russian", "Danish", "Indonesian", "Chinese", "Persian", "Hebrew", "Romanian", "English",
    "Arabic", "Hindi", "Italian", "Spanish", "Czech",
]  # fmt: skip
POS_P_VALUES = (
    0.0944, 0.0001, 0.0623, 0.0359, 1.12e-08, 0.1461, 0.0104, 0.1957, 0.0939, 3.87e-10, 0.0081, 0.1016,
    0.0008, 1e-12, 0.445, 0.1025, 0.2198, 0.0208, 0.0731, 0.0288, 0.4812, 0.1176, 2.91e-05,
)  # fmt: skip
POS_DIFFERENCES = (
    0.31, -3.42, -0.17, -0.63, 3.1, 1.37, -0.42, 0.13, 0.03, -1.57, 1.07, 0.17,
    -0.47, 3.85, 0.05, -0.24, 0.22, -0.44, 0.09, -0.15, 0.05, -0.3, 0.64,
)  # fmt: skip
SIMILARITY_SETS = [
    "WS353", "WS353-SIM", "WS353-REL", "MC-30", "RG-65", "RW", "MEN", "MTurk-287", "MTurk-771", "YP-130",
    "SimLex999", "Verb-143",
]  # fmt: skip
SIMILARITY_P_VALUES = (2e-05, 5e-06, 0.2123, 0.0001, 0.3053, 0.2426, 0.0021, 0.2076, 0.0425, 5e-06, 0.0015, 0.0431)
SIMILARITY_DIFFERENCES = (
    0.1072, 0.0826, 0.1108, 0.0448, 0.0231, 0.0675, 0.0598, 0.0235, 0.0274, -0.0275, 0.0896, 0.1204,
)  # fmt: skip

Build = Callable[..., Comparison]


def build_comparison(
    datasets: Sequence[str],
    p_values: Sequence[float],
    differences: Sequence[float],
    *,
    system_a: str = "afinn",
    system_b: str = "vader",
    metric: str | Sequence[str] = "accuracy",
    kind: str | Sequence[str] = "binary",
    estimand: str = "difference in accuracy",
    higher_is_better: bool | Sequence[bool] = True,
    intervals: bool = True,
    unbounded: Sequence[int] = (),
    standard_error: bool = True,
    methods: Sequence[str] = ("bonferroni", "fisher"),
    alpha: Sequence[float] = ALPHA,
) -> Comparison:
    """Assemble a comparison from numbers; intervals are those of a normal test that gave the p-value."""
    n = len(datasets)
    p = np.asarray(p_values, dtype=float)
    metrics = [metric] * n if isinstance(metric, str) else list(metric)
    kinds = [kind] * n if isinstance(kind, str) else list(kind)
    directions = [higher_is_better] * n if isinstance(higher_is_better, bool) else list(higher_is_better)
    assessments = []
    for index in range(n):
        error = abs(differences[index]) / max(0.2, abs(ndtri(p[index])))
        low, high = differences[index] - 1.96 * error, differences[index] + 1.96 * error
        if index in unbounded:
            low, high = -np.inf, np.inf
        assessments.append(
            Outcome(
                system_a=system_a, system_b=system_b, dataset=datasets[index], metric=metrics[index],
                kind=kinds[index], n=1000, n_nonzero=100, score_a=0.8, score_b=0.7,
                higher_is_better=directions[index], test="mcnemar", title="exact McNemar test",
                p_greater=float(p[index]), p_less=min(1.0, 1.0 - float(p[index]) + 1e-9), p_min=1e-30, method="exact",
                statistic=0.0, statistic_name="wins", estimand=estimand, estimate=float(differences[index]),
                assumptions=(), citation="mcnemar",
                standard_error=error if standard_error else None,
                interval=Interval(low=low, high=high, level=0.95, title="Tango score interval", citation="tango")
                if intervals else None,
                reason="scores are right or wrong, and paired",
            )
        )  # fmt: skip
    curves = {method: partial_conjunction(p, method) for method in methods}
    counts = {
        level: KHat(
            count=int((p <= level).sum()),
            bonferroni=int((curves["bonferroni"] <= level + 1e-12).sum()),
            fisher=int((curves["fisher"] <= level + 1e-12).sum()) if "fisher" in curves else None,
        )
        for level in alpha
    }
    return Comparison(
        system_a=system_a, system_b=system_b, metric=metrics[0], datasets=tuple(datasets),
        assessments=tuple(assessments), p_values=p, differences=np.asarray(differences, dtype=float),
        score_differences=np.array([item.score_difference for item in assessments]),
        adjusted_p_values=adjusted_p_values(p, "holm"), stepwise_p_values=adjusted_p_values(p, "holm"), share=1,
        k_hat=counts, partial_conjunction=curves,
    )  # fmt: skip


@pytest.fixture(scope="session")
def build() -> Build:
    """The function that assembles a comparison."""
    return build_comparison


@pytest.fixture(scope="session")
def pos() -> Comparison:
    """Dror et al. (2017), Table 3: 23 languages; Tamil, Basque and Indonesian have small p and the other sign."""
    return build_comparison(
        POS_LANGUAGES, POS_P_VALUES, np.divide(POS_DIFFERENCES, 100), system_a="Mimick", system_b="Char→Tag"
    )


@pytest.fixture(scope="session")
def similarity() -> Comparison:
    """Dror et al. (2017), Table 5: 12 word similarity sets, only printed figures."""
    return build_comparison(
        SIMILARITY_SETS, SIMILARITY_P_VALUES, SIMILARITY_DIFFERENCES, system_a="W2V", system_b="GLOVE",
        metric="Spearman correlation", kind="printed", estimand="difference in Spearman correlation",
        intervals=False, standard_error=False,
    )  # fmt: skip


@pytest.fixture(scope="session")
def small() -> Comparison:
    """Four corpora, as in the sentiment example."""
    return build_comparison(
        ["tweets", "amazon reviews", "movie reviews", "nyt editorials"],
        [2.3e-21, 0.0004, 0.031, 0.48],
        [0.041, 0.019, 0.008, 0.0004],
    )


@pytest.fixture(scope="session")
def many() -> Comparison:
    """One hundred datasets with names of BIG-bench's kind."""
    rng = np.random.default_rng(17)
    z = rng.normal(1.5, 1.5, 100)
    names = [f"task_{index:03d}_{'logical deduction five objects'[: 5 + index % 25].strip()}" for index in range(100)]
    return build_comparison(names, np.clip(ndtr(-z), 1e-300, 1), 0.012 * z)


@pytest.fixture(scope="session")
def hostile() -> Comparison:
    """Names with every sign that formulas, shells and typesetters read as their own."""
    names = [
        "$x_1^2$ & 50%_~{x}\\^$#", "cost: $5 to $10", "\\frac{a}{b}", "en→fr, café", "中文情感数据集", "a" * 90,
        "emoji 😀👩\u200d👩\u200d👧 set", "مجموعة بيانات", "tab\there\nnew line",
        "<b>bold</b> {{ jinja }}", "", "\ud800 surrogate",
    ]  # fmt: skip
    return build_comparison(
        names, np.linspace(1e-4, 0.4, len(names)), np.linspace(0.06, -0.01, len(names)),
        system_a="R&D_50%~{x}\\^$#", system_b="$\\alpha$ 中文 " + "very long baseline name " * 4,
        unbounded=(3,),
    )  # fmt: skip


def all_pairs(names: Sequence[str], n_datasets: int, *, seed: int = 1) -> list[Comparison]:
    """Compare all ordered pairs of systems whose strengths are drawn at random."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0.0, 1.5, len(names))
    datasets = [f"set {index}" for index in range(n_datasets)]
    comparisons = []
    for a, b in combinations(range(len(names)), 2):
        z = strength[a] - strength[b] + rng.normal(0.0, 1.2, n_datasets)
        for first, second, sign in ((a, b, 1.0), (b, a, -1.0)):
            comparisons.append(
                build_comparison(
                    datasets, np.clip(ndtr(-sign * z), 1e-300, 1), 0.01 * sign * z,
                    system_a=names[first], system_b=names[second],
                )
            )  # fmt: skip
    return comparisons


@pytest.fixture(scope="session")
def pairs() -> Callable[..., list[Comparison]]:
    """The function that compares all ordered pairs."""
    return all_pairs


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
