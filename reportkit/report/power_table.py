"""The table of a plan: instances, differences and power, one row per dataset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from reportkit.language.numerals import level_text, p_value_text
from reportkit.power_analysis.plan import PlannedDataset, Question
from reportkit.report.model import Cell, Column, Row, Table
from reportkit.report.prose import Prose, prose, sentences

_SELDOM = 1e-3
"""Wrong signs that are rarer are no column of the table."""

_CAPTIONS = {
    "n": "Instances that show the planned difference with the wanted power",
    "effect": "The smallest difference that is shown with the wanted power",
    "power": "The power to show the planned difference",
}


def power_table(rows: Sequence[PlannedDataset], question: Question, *, alpha: float, sided: str) -> Table:
    """Set out a plan: one row per dataset, or per supposition on how often two systems disagree.

    Parameters
    ----------
    rows : sequence of PlannedDataset
        In order; one row stands for all datasets that are planned alike.
    question : {"n", "effect", "power"}
        What was asked for.
    alpha : float
        Level of the tests.
    sided : {"one-sided", "two-sided"}
        Of the tests, in words.
    """
    n_datasets = len(dict.fromkeys(row.dataset for row in rows))
    alike = n_datasets > 1 and len({replace(row, dataset="") for row in rows}) == 1
    words: list[tuple[str, Callable[[PlannedDataset], str]]] = []
    numbers: list[tuple[str, Callable[[PlannedDataset], str]]] = []
    if n_datasets > 1:
        words.append(("Dataset", lambda row: "each" if alike else row.dataset))
    if any(row.disagreement for row in rows):
        words.append(("If they disagree", lambda row: row.disagreement))
    disagree = any(row.discordant is not None for row in rows)
    if disagree:
        numbers.append(("Disagree", lambda row: "–" if row.discordant is None else f"{row.discordant:.1%}"))
    numbers += [
        ("n", lambda row: f"{row.n:,}"),
        ("Effect", lambda row: "none" if row.effect is None else difference_text(row.effect)),
        ("Power", lambda row: share_text(row.power) if row.effect != 0 else "–"),
    ]
    wrong = any((row.type_s or 0) >= _SELDOM for row in rows)
    if wrong:
        numbers.append(("Wrong sign", lambda row: "–" if row.type_s is None else share_text(row.type_s)))
    numbers.append(("Overstated", lambda row: "–" if row.exaggeration is None else f"{row.exaggeration:.2f}x"))
    if n_datasets > 1:
        numbers.append((f"{question.capitalize()} at α/{n_datasets}", lambda row: _at_worst(row, question)))
    every = [*words, *numbers]
    return Table(
        name="power",
        caption=prose(
            "{what}, at level {level}, {sided}.", what=_CAPTIONS[question], level=level_text(alpha), sided=sided
        ),
        legend=_legend(n_datasets, alpha, disagree=disagree, wrong=wrong),
        columns=(*(Column.left(name) for name, _ in words), *(Column.right(name) for name, _ in numbers)),
        rows=tuple(
            Row(cells=tuple(Cell.of(write(row)) for _, write in every)) for row in (rows[:1] if alike else rows)
        ),
    )


def _legend(n_datasets: int, alpha: float, *, disagree: bool, wrong: bool) -> Prose:
    return sentences(
        prose("Disagree: share of instances on which exactly one system is right.") if disagree else (),
        prose("Wrong sign: probability that a significant estimate has the wrong sign.") if wrong else (),
        prose("Overstated: how many times as large as the difference a significant estimate is on average."),
        prose(
            "The last column holds at level {level}/{n}, the most that Holm's procedure asks of a dataset to name it.",
            level=level_text(alpha),
            n=n_datasets,
        )
        if n_datasets > 1
        else (),
    )


def _at_worst(row: PlannedDataset, question: Question) -> str:
    """The answer at the level that Holm's procedure asks at most."""
    if row.effect == 0:
        return "–"
    if row.in_family is None:
        return "none"
    return {"n": lambda x: f"{int(x):,}", "effect": difference_text, "power": share_text}[question](row.in_family)


def difference_text(value: float | None) -> str:
    """Write a planned difference.

    Examples
    --------
    >>> difference_text(0.0123456)
    '0.0123'
    """
    return f"{value or 0.0:.3g}"


def share_text(value: float) -> str:
    """Write a probability as p-values are written; 0 where it is 0.

    Examples
    --------
    >>> share_text(0.8), share_text(0.0)
    ('.80', '0')
    """
    return p_value_text(value) if value > 0 else "0"
