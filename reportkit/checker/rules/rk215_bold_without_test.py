r"""Bold marks the best number, and no test is made.

What it does
------------
Reports, once for a paper that trains or fine-tunes systems and says that something of its own is better, a table that
sets the best numbers in bold where the paper names no test, no p-value, no interval and no spread anywhere.

Why
---
Bold reads as a verdict. Without a test or an interval it marks what came out on top in one sample: of ten equally
good systems one is always best. ACL Rolling Review, guideline R5: main results should be accompanied by information
about their statistical significance.

Example
-------
    Ours & \textbf{84.2} \\ Theirs & 83.9 \\  in a paper without a test

Instead
-------
    The same table with a test or with intervals, and a caption that says what is tested against what.

When it is wrong
----------------
If the systems are deterministic and the instances are all there are. Say that in the caption, and ignore the rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import quantity_of
from reportkit.checker.paper.document import Cell, Table
from reportkit.checker.results_tables import is_results
from reportkit.checker.rule import Rule
from reportkit.checker.training import trained
from reportkit.checker.vocabulary import UNCERTAINTY


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for the first table with bold numbers in a paper without a test."""
    prose = context.prose
    if not prose.claims_better or trained(prose) is None:
        return
    for table in context.paper.tables:
        labels = max(1, table.n_header_columns)
        names = {row for row, cells in enumerate(table.grid) if any(cell.bold for cell in cells[:labels])}
        bold = [cell for cell in table.body() if cell.bold and _is_score(table, cell) and cell.row not in names]
        plain = [cell for cell in table.body() if not cell.bold and cell.number is not None]
        if not bold or len(plain) < len(bold) or _marked(table) or not is_results(table):
            continue
        if prose.tests or prose.says(UNCERTAINTY, own=True):
            return
        if any(cell.spread or _is_interval(other, cell) for other in context.paper.tables for cell in other.body()):
            return
        context.coverage.claim(context.number, table.span)
        yield RULE.at(
            context.paper,
            bold[0].span,
            "Bold marks the best number, and the paper names no test and no interval.",
            remedy="test the differences, or give intervals, and say in the caption what bold means",
        )
        return


def _is_interval(table: Table, cell: Cell) -> bool:
    """Whether a cell prints an interval of a result, and no range that a setting is drawn from."""
    words = " ".join([table.caption.text, *table.column_header(cell.column), *table.row_header(cell.row)])
    if cell.interval is None:
        return False
    return cell.number is not None or not re.search(r"\branges?\b", words, re.IGNORECASE)


def _is_score(table: Table, cell: Cell) -> bool:
    """Whether a cell prints a score: no difference, no number with a sign."""
    headings = [*table.column_header(cell.column)[-1:], *table.row_header(cell.row)[-1:]]
    quantities = {quantity_of(table, text) for text in headings}
    return cell.number is not None and not cell.number.sign and not quantities - {None, "score"}


def _marked(table: Table) -> bool:
    return any(set(cell.marks) & {"*", "**", "***", "†", "‡", "§"} for cell in table.body())


RULE = Rule(
    code="RK215",
    name="bold-without-test",
    severity="info",
    needs=frozenset({"paper", "results table"}),
    check=check,
    sources="ARR R5",
)
