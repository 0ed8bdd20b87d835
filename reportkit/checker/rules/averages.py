"""Averages, totals and shares: in tables against their cells, in sentences against the whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import AVERAGES, normalised, quantity_of
from reportkit.checker.paper.document import Line, Table
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.patterns import patterns
from reportkit.checker.rule import Rule, rule

RE = patterns("averages")
TOTALS = frozenset({"total", "totals", "sum"})
POOLED = frozenset({"all", "overall", *TOTALS})
NEAR_WHOLE = 10.0
"""Parts whose sum is within this many percentage points of 100 were meant to sum to it."""
FEWEST_TOTALS = 3
"""If a table has at least this many correct totals (or pooled means), the others have to be correct, too."""
FEW_LINES, NEAR = 4, 0.02
"""If no average fits, those of at most this many lines, all this near the means (relatively), are typing errors."""
_NUMBER_IN_HEADING = re.compile(r"\s*\([^()]*\)\s*$")


@dataclass(frozen=True, slots=True)
class _Average:
    """An average and the numbers that it may be the mean of; None for a cell without one."""

    number: PrintedNumber
    parts: tuple[PrintedNumber | None, ...]
    weights: tuple[int, ...] | None
    of: str

    @property
    def there(self) -> list[PrintedNumber]:
        """Numbers that are there."""
        return [part for part in self.parts if part is not None]

    def mean(self, *, weighted: bool) -> tuple[float, float, float]:
        """Return the smallest, printed and largest mean of numbers that round to the printed ones."""
        weights = self.weights if weighted and self.weights else (1,) * len(self.parts)
        pairs = [(weight, part) for weight, part in zip(weights, self.parts, strict=True) if part is not None]
        whole = sum(weight for weight, _ in pairs) or 1
        low, middle, high = (
            sum(weight * value for weight, value in zip([weight for weight, _ in pairs], values, strict=True)) / whole
            for values in zip(*((part.low, part.value, part.high) for _, part in pairs), strict=True)
        )
        return low, middle, high

    def fits(self, *, weighted: bool) -> bool:
        """Return whether the average may be the mean of the numbers that are there."""
        low, _, high = self.mean(weighted=weighted)
        return self.number.low <= high + 1e-9 and self.number.high >= low - 1e-9


@rule("RK105", "average-does-not-follow", "warning")
def average_does_not_follow(context: CheckContext) -> Iterator[Diagnostic]:
    r"""An average is not the mean of its cells, or hides a missing one; a total is not their sum.

    Finds columns and rows called average or mean, and the cells that they are the mean of: those since the last
    average, all before it, or all after it, weighted by their numbers of instances where the table prints these. A
    line in which the mean does not fit is reported if it fits in most others, or if it is nearly the mean in a table
    of few lines. An average next to an empty cell is reported where others are over more. A total of whole numbers is
    reported where it is not the sum of its cells, and all other totals of the table, at least three, are. Headings
    that say "weighted" or "micro" are left alone.

    Found::

        \begin{tabular}{lccc} System & SST-2 & ANLI & Avg. \\ \hline
        Theirs & 81.0 & 51.0 & 66.0 \\ Ours & 80.0 & 50.0 & 67.5 \end{tabular}

    Not found::

        \begin{tabular}{lccc} System & SST-2 & ANLI & Avg. \\ \hline
        Theirs & 81.0 & 51.0 & 66.0 \\ Ours & 80.0 & 50.0 & 65.0 \end{tabular}

    Source: ARR R1.
    """
    for table in context.paper.tables:
        shared = {normalised(line.name) for line in table.rows} & {normalised(line.name) for line in table.columns}
        for lines in (table.columns, table.rows):
            for place, line in enumerate(lines):
                name = _name(line)
                plain = name in AVERAGES and not RE["weighted"].search(" ".join(line.headings))
                if plain and (name not in POOLED or len(shared - {""}) < 2):
                    yield from _average(context, table, lines, place)
        yield from _totals(context, average_does_not_follow, table, shares=False)


def _name(line: Line) -> str:
    return normalised(_NUMBER_IN_HEADING.sub("", line.name) or line.name)


def _is_score(table: Table, line: Line) -> bool:
    words = normalised(line.name)
    return (
        quantity_of(table, line.name) in (None, "score") and not RE["no_score"].search(words) and words not in AVERAGES
    )


def _candidates(table: Table, lines: Sequence[Line], place: int) -> list[list[Line]]:
    """Yield the sets of lines that an average may be taken over, the likeliest first."""
    since = max((at + 1 for at in range(place) if _name(lines[at]) in AVERAGES), default=0)
    sets = [
        [line for line in chosen if _is_score(table, line)]
        for chosen in (lines[since:place], lines[:place], lines[place + 1 :])
    ]
    return [chosen for number, chosen in enumerate(sets) if len(chosen) > 1 and chosen not in sets[:number]]


def _average(context: CheckContext, table: Table, lines: Sequence[Line], place: int) -> Iterator[Diagnostic]:
    line = lines[place]
    pooled = _name(line) in POOLED
    best: tuple[int, list[_Average], bool] = (0, [], False)
    first: list[_Average] = []
    for members in _candidates(table, lines, place):
        found = _averages(context, table, line, members)
        first = first or found
        for weighted in (False, True):
            if found and (not weighted or found[0].weights):
                fitting = sum(item.fits(weighted=weighted) for item in found)
                if fitting > best[0]:
                    best = (fitting, found, weighted)
    fitting, found, weighted = best
    words = f"{context.prose.beside(table)} {context.prose.refers_to(table)}"
    said = RE["weighted"].search(words) is not None
    all_counted = bool(first and first[0].weights) and context.sizes.of(line.name) == sum(first[0].weights or ())
    fewest = FEWEST_TOTALS if (pooled and not weighted) or said else 1
    if len(found) > 1 and fitting >= fewest and fitting >= (0.75 if said else 0.5) * len(found):
        yield from _misfits(context, found, weighted=weighted)
    elif fitting == 0 and all_counted:
        yield from _misfits(context, first, weighted=True)
    elif fitting == 0 and not pooled and not said and 1 < len(first) <= FEW_LINES:
        means = [item.mean(weighted=False)[1] for item in first]
        if all(abs(item.number.value - mean) <= NEAR * abs(mean) for item, mean in zip(first, means, strict=True)):
            yield from _misfits(context, first, weighted=False)


def _averages(context: CheckContext, table: Table, line: Line, members: Sequence[Line]) -> list[_Average]:
    sizes = [context.sizes.of(member.name) for member in members]
    weights = tuple(size for size in sizes if size is not None)
    found = []
    for at, cell in enumerate(line.cells):
        headings = line.across[at]
        if any(quantity_of(table, text) == "n" or RE["no_score"].search(normalised(text)) for text in headings[-1:]):
            continue
        parts = tuple(member.cells[at].number for member in members)
        if cell.number is not None and sum(part is not None for part in parts) > 1:
            of = f" of {headings[-1]}" if headings else ""
            found.append(_Average(cell.number, parts, weights if len(weights) == len(members) else None, of))
    return found


def _misfits(context: CheckContext, found: Sequence[_Average], *, weighted: bool) -> Iterator[Diagnostic]:
    complete = max(len(item.there) for item in found)
    how = "mean, weighted by their sizes," if weighted else "mean"
    for item in found:
        number, fits, n = item.number, item.fits(weighted=weighted), len(item.there)
        total = abs(number.value - sum(part.value for part in item.there)) < 1e-9
        mean = f"{item.mean(weighted=weighted)[1]:.{number.decimals}f}"
        message = f"The average{item.of} is printed as {number.text}, and the {how} of its {n} cells is {mean}."
        remedy = "compute it again, or say how it is weighted"
        agrees = fits or total or n < complete
        if fits and n < complete:
            message = f"The average{item.of} is over {n} cells, and others are over {complete}, which differs."
            remedy = "leave it out, or average all systems over the cells that all have"
            agrees = False
        yield from average_does_not_follow.compare(context, "average", number.span, agrees, message, remedy)


def _totals(context: CheckContext, of: Rule, table: Table, *, shares: bool) -> Iterator[Diagnostic]:
    """Compare totals with their cells: of whole numbers where all other totals are sums, or of shares 100."""
    sides = (table.columns, table.rows)
    for lines, place in ((side, at) for side in sides for at, line in enumerate(side) if _name(line) in TOTALS):
        members = [line for line in lines[:place] if _name(line) not in AVERAGES]
        sums = []
        for at, headings in enumerate(lines[place].across):
            numbers = [line.cells[at].number for line in (lines[place], *members)]
            known = [number for number in numbers if number is not None]
            if len(known) < max(len(numbers), 3) or any(n.decimals or n.percent for n in known) != shares:
                continue
            found, room = sum(part.value for part in known[1:]), sum(number.unit for number in known) / 2
            agrees = abs(found - known[0].value) <= (room + 1e-9 if shares else 0)
            if not shares or (known[0].value == 100 and abs(found - 100) < NEAR_WHOLE):
                sums.append((known[0], found, agrees, f" of {headings[-1]}" if headings else ""))
        wrong = sum(not agrees for _, _, agrees, _ in sums)
        for number, found, agrees, name in sums if shares or (len(sums) > FEWEST_TOTALS and wrong <= 1) else ():
            message = f"The total{name} is printed as {number.text}, and its {len(members)} cells sum to {found:,g}."
            remedy = "add them up again, or say what else the total counts"
            yield from of.compare(context, "total", number.span, agrees, message, remedy)


@rule("RK122", "percentages-do-not-sum", "warning")
def percentages_do_not_sum(context: CheckContext) -> Iterator[Diagnostic]:
    r"""Shares that make up a whole do not sum to 100%.

    Reports a total of 100% in a table whose parts sum to another number, less than ten points away; and a sentence
    that divides a whole into three or more shares, as "45% are .., 30% are ..", whose sum is above 100%.

    Found::

        Of all errors, 45\% are names, 30\% are numbers and 35\% are negations.

    Not found::

        Of all errors, 45\% are names, 30\% are numbers and 25\% are negations.

    Source: ARR R1.
    """
    for sentence in context.paper.sentences:
        text = sentence.text.text
        all_of, split = RE["shares"].search(text), RE["split"].search(text)
        if not (all_of or split) or RE["overlap"].search(text):
            continue
        ends = RE["is_share"] if all_of else RE["is_part"]
        parts = [number for _, end, number in located_numbers(sentence.text) if ends.match(text, end)]
        if not all_of and sum(part.value for part in parts) > 100 + NEAR_WHOLE:
            continue
        if len(parts) > 2:
            low, found = sum(part.low for part in parts), sum(part.value for part in parts)
            message = f"The {len(parts)} shares of this sentence sum to {found:g}%."
            remedy = "find the share that is out of date, or say that the kinds overlap"
            yield from percentages_do_not_sum.compare(context, "sum", parts[-1].span, low <= 100, message, remedy)
    for table in context.paper.tables:
        yield from _totals(context, percentages_do_not_sum, table, shares=True)
