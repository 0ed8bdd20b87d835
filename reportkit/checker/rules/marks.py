"""Marks of tables: bold, underlined, and signs of significance."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import itemgetter

from reportkit.checker.competitors import WORDS, Competing, competing_lines, section_of
from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import quantity_of
from reportkit.checker.paper.document import Cell, Table
from reportkit.checker.patterns import patterns
from reportkit.checker.printed_test import rows_of_tests
from reportkit.checker.rule import rule
from reportkit.checker.vocabulary import BOLD_IS_BEST, CORRECTION, UNCERTAINTY, is_results

RE = patterns("marks")
SENTENCE = re.compile(r"[^.]+\.?")
USUAL, MOSTLY = 6, 0.8
"""Number and share of bold numbers that are the best, which show that bold means the best without saying so."""


@rule("RK103", "marking-not-best", "warning")
def marking_not_best(context: CheckContext) -> Iterator[Diagnostic]:
    r"""The number in bold is not the best of its column, or the underlined one not the second best.

    Where the caption or the text says that bold is the best number, or most bold numbers of the paper are, reports a
    bold number that another one beats, and one that ties with the bold one and is not bold, where headings show which
    numbers compete; and, where underlining is said to mark the second best, an underlined number that is not. The
    direction comes from an arrow, the name of the metric, or three lines whose bold numbers agree. Tables in which bold
    means something else are left alone, and so are rows and columns that are bold as a whole, and tables where more
    than one in three is beaten. Humans, oracles, averages and differences do not compete; parts between rules may have
    a winner each.

    Found::

        \begin{table}\caption{Accuracy. Best in bold.}\begin{tabular}{lcc} System & SST-2 & MNLI \\ \hline
        Baseline & 90.1 & 84.2 \\ Ours & \textbf{91.2} & \textbf{83.0} \end{tabular}\end{table}

    Not found::

        \begin{table}\caption{Accuracy. Best in bold.}\begin{tabular}{lcc} System & SST-2 & MNLI \\ \hline
        Baseline & 90.1 & 84.2 \\ Ours & \textbf{91.2} & \textbf{85.0} \end{tabular}\end{table}

    Source: ARR R1.
    """
    general = context.prose.says(BOLD_IS_BEST) is not None
    marked: list[tuple[list[Competing], int, int, bool]] = []
    for table in context.paper.tables:
        about = [part for part in SENTENCE.findall(context.prose.refers_to(table)) if RE["bold"].search(part)]
        words = " ".join([context.prose.beside(table), *about])
        about = [part for part in re.split(r"[.;]\s", words) if RE["bold"].search(part)]
        if RE["underlined_is_second"].search(words):
            yield from _underlined(context, table)
        if RE["other_policy"].search(words) or (about and not any(map(RE["best"].search, about))):
            continue
        if (RE["p_values"].search(table.caption.text) and not about) or _rows_are_emphasised(table):
            continue
        lines = competing_lines(table, marked=lambda cell: cell.bold)
        best = [line.best(cell, value) for line in lines for cell, value in line.marked]
        marked.append((lines, sum(best), len(best), bool(about)))
    found = sum(right for _, right, _, _ in marked)
    usual = general or found >= max(USUAL, MOSTLY * sum(n for _, _, n, _ in marked))
    for lines, right, n, said in marked:
        if (said or usual) and n - right <= max(1, right // 2):
            for line in (line for line in lines if line.higher is not None):
                yield from _bold(context, line, trusted=right > 1)


def _rows_are_emphasised(table: Table) -> bool:
    """Return whether bold numbers stand only in rows whose names are bold, while other rows' names are not."""
    bold: set[int] = set()
    plain: set[int] = set()
    for row in range(table.n_header_rows, table.n_rows):
        named = any(cell.bold for cell in table.grid[row] if cell.number is None or WORDS.search(cell.text.text))
        (bold if named else plain).add(row)
    marked = {cell.row for row in table.grid for cell in row if cell.bold and cell.number is not None}
    return len(bold) > 1 and bool(plain) and marked <= bold


def _bold(context: CheckContext, line: Competing, *, trusted: bool) -> Iterator[Diagnostic]:
    paper = context.paper
    parts = {section_of(line.table, cell) for cell, _ in line.marked}
    if len(line.marked) == len(line.cells) > len(parts):
        return  # the line is bold as a whole
    where = f"in {line.name} of {paper.name_of(line.table)}"
    for cell, value in line.marked:
        part = next(line.parts(cell), line.pairs)
        winner, _ = max(part, key=itemgetter(1))
        wrong = not line.best(cell, value) and (trusted or len(line.cells) < 3 or value > min(line.values))
        message = f"{_text(cell)} is bold, and {_text(winner)} ({_name(line, winner)}) is better, {where}."
        remedy = "set the best number in bold, or say in the caption what bold means"
        yield from marking_not_best.compare(context, "bold number", cell.span, not wrong, message, remedy)
    better = max(line.values)
    if max((value for _, value in line.marked), default=better - 1) < better:
        return
    tied = {section_of(line.table, cell) for cell, value in line.marked if value == better}
    for cell, value in line.pairs:
        if not cell.bold and value == better and section_of(line.table, cell) in tied:
            message = f"{_text(cell)} ties with the number in bold, as printed, and is not bold, {where}."
            yield marking_not_best.at(paper, cell.span, message, "set all numbers that tie as printed in bold")


def _underlined(context: CheckContext, table: Table) -> Iterator[Diagnostic]:
    lines = competing_lines(table, marked=lambda cell: cell.underlined, extremes=False)
    found = []
    for line in lines:
        best, second = max(line.values), _second(line.values)
        for cell, value in line.marked if line.higher is not None else ():
            seconds = (second, *(_second([other for _, other in part]) for part in line.parts(cell)))
            right = value in seconds or (line.values.count(best) > 1 and value == best)
            better = next((one for one, other in line.pairs if other == second), cell)
            found.append((line, cell, better, right))
    wrong = sum(not right for *_, right in found)
    for line, cell, better, right in found if wrong <= max(1, (len(found) - wrong) // 2) else ():
        message = f"{_text(cell)} is underlined, and the second best is {_text(better)} ({_name(line, better)}), in "
        message += f"{line.name} of {context.paper.name_of(table)}."
        remedy = "underline the second best number, or say in the caption what underlining means"
        yield from marking_not_best.compare(context, "underlined number", cell.span, right, message, remedy)


def _second(values: Sequence[float]) -> float | None:
    """Return the second largest of different values; None if all are equal."""
    ranked = sorted(set(values), reverse=True)
    return ranked[1] if len(ranked) > 1 else None


def _text(cell: Cell) -> str:
    return "" if cell.number is None else cell.number.text


def _name(line: Competing, cell: Cell) -> str:
    headings = line.table.column_header(cell.column) if line.line.is_row else line.table.row_header(cell.row)
    return " ".join(dict.fromkeys(headings)) or f"row {cell.row + 1}"


LEVEL = 0.05
"""Above it, no p-value needs a correction."""
MARKS = frozenset({"*", "**", "***", "†", "††", "‡", "‡‡", "§", "¶", "△", "⋄", "•"})


@rule("RK204", "correction-unstated", "warning")
def correction_unstated(context: CheckContext) -> Iterator[Diagnostic]:
    r"""Several comparisons are marked, and no correction is stated.

    Reports, once for a paper, marks at two or more places (or p-values of two or more tests in one table) if nothing in
    the paper says whether and how p-values are corrected for the number of comparisons. P-values of the coefficients of
    a model, next to their t or z, are left alone. With 20 comparisons at level .05 and nothing to find, one mark is
    expected.

    Found (markdown)::

        | Dataset | Difference | p |
        |---|---|---|
        | books | 1.0 | .010 |
        | films | 0.3 | .200 |

        Table: Differences of the means, sign-flip test.

    Not found (markdown)::

        | Dataset | Difference | p |
        |---|---|---|
        | books | 1.0 | .010 |
        | films | 0.3 | .200 |

        Table: Differences of the means, sign-flip test, adjusted by Holm's method.

    Source: ARR R5; Dror et al. (2017), section 2.
    """
    prose = context.prose
    for table in context.paper.tables:
        words = f"{prose.beside(table)} {prose.refers_to(table)}"
        compared = _tested(table, about_significance=RE["significance"].search(words) is not None)
        if len(compared) < 2:
            continue
        context.coverage.claim(context.number, table.span)
        if CORRECTION.search(words) or prose.says(CORRECTION):
            return
        what = "significance marks" if compared[0].marks else "p-values"
        message = f"The table has {len(compared)} {what}, and nothing says whether their number was corrected for."
        remedy = "correct (Holm's procedure needs no assumption) and say so, or say that p-values are not corrected"
        yield correction_unstated.at(context.paper, compared[0].span, message, remedy)
        return


def _tested(table: Table, *, about_significance: bool) -> list[Cell]:
    """Return the cells that are results of tests: marked ones, or those of a column or row of p-values."""
    marked = [cell for cell in table.body() if cell.number is not None and MARKS.intersection(cell.marks)]
    if marked and about_significance:
        return marked
    if any(rows_of_tests(table)):
        return []
    p_values = [
        cell
        for cell in table.body()
        if cell.number is not None and 0 <= cell.number.value <= 1
        and any(
            quantity_of(table, text) == "p-value"
            for text in (*table.row_header(cell.row)[-1:], *table.column_header(cell.column)[-1:])
        )
    ]  # fmt: skip
    return p_values if any(cell.number and cell.number.low <= LEVEL for cell in p_values) else []


@rule("RK215", "bold-without-test", "info")
def bold_without_test(context: CheckContext) -> Iterator[Diagnostic]:
    r"""Bold marks the best number, and no test is made.

    Reports, once for a paper that says that something is better or that bold is the best, a table that sets the best
    numbers in bold where the paper names no test, no p-value, no interval and no spread anywhere. Of ten equally good
    systems one is always best.

    Found::

        Our agent performs better than the other.

        \begin{table}\caption{Accuracy. Best in bold.}\begin{tabular}{lcc} Agent & Books & Films \\ \hline
        Alpha & 70.1 & 81.0 \\ Ours & \textbf{73.3} & \textbf{82.4} \end{tabular}\end{table}

    Not found::

        Our agent performs better than the other (McNemar's test, $p = .003$).

        \begin{table}\caption{Accuracy. Best in bold.}\begin{tabular}{lcc} Agent & Books & Films \\ \hline
        Alpha & 70.1 & 81.0 \\ Ours & \textbf{73.3} & \textbf{82.4} \end{tabular}\end{table}

    Source: ARR R5.
    """
    prose = context.prose
    if not (prose.claims_better or prose.says(BOLD_IS_BEST)):
        return
    for table in context.paper.tables:
        labels = max(1, table.n_header_columns)
        names = {row for row, cells in enumerate(table.grid) if any(cell.bold for cell in cells[:labels])}
        bold = [cell for cell in table.body() if cell.bold and _is_score(table, cell) and cell.row not in names]
        plain = [cell for cell in table.body() if not cell.bold and cell.number is not None]
        if not bold or len(plain) < len(bold) or not is_results(table):
            continue
        if any(MARKS.intersection(cell.marks) for cell in table.body()):
            continue
        if prose.tests or prose.says(UNCERTAINTY, own=True):
            return
        if any(
            cell.spread or (cell.interval and cell.number) for other in context.paper.tables for cell in other.body()
        ):
            return
        message = "Bold marks the best number, and the paper names no test and no interval."
        remedy = "test the differences, or give intervals, and say in the caption what bold means"
        yield from bold_without_test.claim(context, bold[0].span, message, remedy)
        return


def _is_score(table: Table, cell: Cell) -> bool:
    """Return whether a cell prints a score: not a difference, a number with a sign or a rank such as 2/11."""
    headings = [*table.column_header(cell.column)[-1:], *table.row_header(cell.row)[-1:]]
    quantities = {quantity_of(table, text) for text in headings}
    number = cell.number
    return number is not None and not number.sign and not quantities - {None, "score"} and "/" not in cell.text.text
