r"""No whole number of right answers gives this accuracy for this n; no 0/1 scores have this standard deviation.

What it does
------------
For accuracies, exact match, win rates and error rates on datasets whose number of instances the paper prints (in a
column, as "n = 277", or as "277 sentences"), asks whether some number of right answers, in half steps for win rates,
gives the printed figure (GRIM, Brown and Heathers 2017); for standard deviations over instances, whether 0/1 scores
with the printed mean can have them (DEBIT, Heathers and Brown 2019). RK119 checks shares of counts.

Why
---
ACL Rolling Review, guideline R1. Of the accuracies with two decimals, 2.8% exist for 277 instances, so that a figure
from another test set, or an average over something, is found at once.

Example
-------
    Accuracy on RTE (277 pairs) is 66.55.

Instead
-------
    Accuracy on RTE (277 pairs) is 66.43 (184 of 277).

When it is wrong
----------------
If the figure is a mean over several runs and the paper does not say so near the table; if it says how many runs, their
number times n counts. Digits that were cut off, not rounded, are accepted.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from reportkit.checker.comparison import words_about
from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import normalised, quantity_of
from reportkit.checker.paper.document import Cell, Document, Table
from reportkit.checker.paper.printed_number import PrintedNumber
from reportkit.checker.rule import Rule
from reportkit.checker.sizes import FEWEST, OTHER_METRIC, Sizes, sizes_of

PROPORTION = re.compile(
    r"\b(?:accurac(?:y|ies)|acc\.?|exact match|EM|win rates?|error rates?|pass@1|success rates?|resolved|"
    r"solved)(?!\w)",
    re.IGNORECASE,
)
WIN_RATE = re.compile(r"\bwin rates?\b", re.IGNORECASE)
RUNS = re.compile(
    r"\b(?:seeds?|runs?|folds?|restarts?|repetitions?|re-?runs|averag\w+|means? (?:of|over|across)|ensembles? of|"
    r"cross-validation)\b",
    re.IGNORECASE,
)
N_RUNS = re.compile(
    r"\b(?P<m>\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twenty)\s+(?:\w+\s+)?(?:seeds|runs|restarts|"
    r"repetitions)\b",
    re.IGNORECASE,
)
MEAN_OF_RUNS = re.compile(
    r"\b(?:means?|average[sd]?|averaging)\b[^.]{0,40}\b(?:seeds|runs|restarts|repetitions|folds)\b|"
    r"\b(?:seeds|runs|restarts|repetitions|folds)\b[^.]{0,40}\b(?:means?|average[sd]?)\b",
    re.IGNORECASE,
)
WORDS = {word: value for value, word in enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine"], 2)}
WORDS |= {"ten": 10, "twenty": 20}
OVER_INSTANCES = re.compile(
    r"standard deviations? (?:over|across|of|between) (?:the )?(?:\w+ ){0,2}(?:instances|examples|items|questions|"
    r"sentences|scores)",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each dataset with impossible figures."""
    sizes = sizes_of(context.paper)
    for table in context.paper.tables:
        yield from _table(context, table, sizes)


def attainable(number: PrintedNumber, n: int, *, percent: bool, steps: int = 1) -> bool:
    """Whether some number of right answers (in `1 / steps`) of n is printed so.

    Examples
    --------
    >>> from reportkit.checker.paper.reading import document_of
    >>> (sentence,) = document_of("66.43 and 66.55.").sentences
    >>> [attainable(number, 277, percent=True) for number in sentence.numbers]
    [True, False]
    """
    scale = 100 if percent else 1
    value, unit = Fraction(number.value).limit_denominator(10**9), Fraction(number.unit).limit_denominator(10**12)
    low, high = value - unit / 2, value + unit
    total = n * steps
    return math.ceil(low * total / scale) <= math.ceil(high * total / scale) - 1


def _table(context: CheckContext, table: Table, sizes: Sizes) -> Iterator[Diagnostic]:
    about = " ".join(words_about(context.paper, table))
    steps = _runs(context, table)
    if steps is None:
        return
    impossible: dict[str, list[tuple[PrintedNumber, int]]] = {}
    looked_at: Counter[str] = Counter()
    caption_is = bool(PROPORTION.search(table.caption.text)) and not OTHER_METRIC.search(table.caption.text)
    percent = _percent(table)
    for cell in table.body():
        number = cell.number
        headings = (*table.row_header(cell.row), *table.column_header(cell.column))
        if (
            number is None
            or number.value < 0
            or number.decimals == 0
            or (cell.spread is not None and not OVER_INSTANCES.search(about))
        ):
            continue
        if not _is_proportion(table, headings, caption_is=caption_is):
            continue
        found = [(heading, n) for heading in headings if (n := sizes.of(heading)) is not None]
        if len(found) != 1 or found[0][1] < FEWEST:
            continue
        dataset, n = found[0]
        halves = 2 if WIN_RATE.search(" ".join((*headings, table.caption.text))) else 1
        if number.value > (100 if percent else 1):
            continue
        context.coverage.checked(context.number, number.span)
        looked_at[dataset] += 1
        if not attainable(number, n, percent=percent, steps=steps * halves):
            impossible.setdefault(dataset, []).append((number, n))
        yield from _spread(context, cell, number, n, about, percent=percent)
    for dataset, numbers in impossible.items():
        if len(numbers) <= max(1, looked_at[dataset] // 2):  # else it is n that is another one, and not so many figures
            yield _impossible(context, dataset, sizes.source(dataset), numbers, percent=percent)


def _impossible(
    context: CheckContext, dataset: str, source: str, numbers: list[tuple[PrintedNumber, int]], *, percent: bool
) -> Diagnostic:
    number, n = numbers[0]
    share = number.value / (100 if percent else 1)
    near = [
        f"{k:,}/{n:,} = {(100 if percent else 1) * k / n:.{number.decimals}f}"
        for k in (math.floor(share * n), math.ceil(share * n))
    ]
    others = f", and the same goes for {len(numbers) - 1} more of its column or row" if len(numbers) > 1 else ""
    return RULE.at(
        context.paper,
        number.span,
        f"No number of right answers of {n:,} on {dataset} gives {number.text}; the nearest are {' and '.join(near)}"
        f"{others}. n is from {source}.",
        remedy="find out which instances, or how many runs, the figure is over, and say so",
    )


def _spread(
    context: CheckContext, cell: Cell, number: PrintedNumber, n: int, about: str, *, percent: bool
) -> Iterator[Diagnostic]:
    """DEBIT: the standard deviation of 0/1 scores is a function of their mean."""
    spread = cell.spread
    if spread is None or not OVER_INSTANCES.search(about):
        return
    scale = 100.0 if percent else 1.0
    ends = [max(0.0, min(1.0, end / scale)) for end in (number.low, number.high)]
    deviations = [scale * (end * (1 - end)) ** 0.5 for end in (*ends, 0.5 if ends[0] < 0.5 < ends[1] else ends[0])]
    low, high = min(deviations), max(deviations) * (n / max(1, n - 1)) ** 0.5
    if spread.high < low or spread.low > high:
        yield RULE.at(
            context.paper,
            spread.span,
            f"0/1 scores with mean {number.text} have the standard deviation {deviations[0]:.{spread.decimals}f}, not "
            f"{spread.text}.",
            remedy="say what the number behind ± is",
        )


def _runs(context: CheckContext, table: Table) -> int | None:
    """Runs that the figures are means over; None if they are means over an unknown number."""
    headings = {normalised(text) for column in range(table.n_columns) for text in table.column_header(column)}
    own = " ".join([table.caption.text, *(note.text for note in table.notes)])
    texts = [own] if RUNS.search(own) else []
    texts += _about_runs(context.paper)
    for text in texts:
        match = N_RUNS.search(text)
        if match is not None:
            word = match["m"].casefold()
            return int(word) if word.isdigit() else WORDS[word]
    return None if texts or headings & {"mean", "seed", "seeds", "runs", "run"} else 1


@lru_cache(maxsize=2)
def _about_runs(document: Document) -> tuple[str, ...]:
    """Sentences that say that figures are means over runs."""
    return tuple(text for item in document.sentences if MEAN_OF_RUNS.search(text := item.text.text))


def _percent(table: Table) -> bool:
    values = [
        cell.number.value
        for cell in table.body()
        if cell.number is not None and quantity_of(table, " ".join(table.column_header(cell.column)[-1:])) != "n"
    ]
    return any(value > 1 for value in values)


def _is_proportion(table: Table, headings: tuple[str, ...], *, caption_is: bool) -> bool:
    own = " ".join(headings)
    if OTHER_METRIC.search(own) or any(quantity_of(table, text) not in (None, "score") for text in headings):
        return False
    return bool(PROPORTION.search(own)) or caption_is


RULE = Rule(
    code="RK106",
    name="impossible-accuracy",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    contradiction=True,
    default=False,
    sources="ARR R1",
)
