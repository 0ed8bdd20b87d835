"""The sizes of the test sets are missing.

What it does
------------
Reports, once for a paper, a table of results where no sentence, caption, heading or column gives the number of test
instances of anything.

Why
---
ACL Responsible NLP checklist, B6: report the number of examples even for common benchmarks, as small differences may
be significant on large test sets and not on small ones. Without n, nobody can compute an interval.

Example
-------
    Table 1: Accuracy on two datasets.  with no number of instances in the paper

Instead
-------
    A row $n$ below the names of the datasets: 872, 9,815.

When it is wrong
----------------
If the sizes are in the appendix of another document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.document import Table
from reportkit.checker.results_tables import results_table
from reportkit.checker.rule import Rule

NOUNS = (
    r"(?:instances?|examples?|sentences?|documents?|queries|questions?|items?|segments?|tokens?|words?|topics|"
    r"utterances?|dialogues?|samples?|pairs?|"
    r"passages?|tweets?|reviews?|test points?|images?|articles?|problems?|prompts?|summaries|translations?|"
    r"records?|test cases?|data ?points?|texts?|tasks)"
)
SIZE = re.compile(
    rf"\b\d[\d,.\u2009]*\s?[kKM]?\s(?:[\w-]+ ){{0,3}}?{NOUNS}\b|\b[nN]\s*=\s*\d|\b(?:size|sizes|consists? of|"
    rf"contain(?:s|ing)?|test sets? of)\b[^.]{{0,30}}\d{{2,}}"
    rf"|{NOUNS} \(\d[\d,]*\)|⟦rk⟧ (?:[\w-]+ )?{NOUNS}|\b\d[\d,]* (?:to|–|-) \d[\d,]* (?:\w+ )?{NOUNS}",
    re.IGNORECASE,
)
HEADING = re.compile(
    r"(?:#\s*)?(?:n|N|size|sizes|test|train|dev|#\s?\w*|\|?test\|?|instances|examples|sentences|documents|queries|"
    r"tokens|items|samples)\b",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for the first table of results in a paper without sizes."""
    table = results_table(context.paper)
    if table is None:
        return
    context.coverage.claim(context.number, table.span)
    if context.prose.says(SIZE) or any(_has_sizes(other) for other in context.paper.tables):
        return
    yield RULE.at(
        context.paper,
        table.caption.span() if table.caption else table.span,
        "Scores are printed, and the paper says nowhere how many test instances there are.",
        remedy="add a row or column n with the sizes of the test sets",
    )


def _has_sizes(table: Table) -> bool:
    """Whether a row or column is headed as a number of instances and holds whole numbers."""
    if any(SIZE.search(cell.text.text) for cell in table.cells()):
        return True
    for cell in table.body():
        number = cell.number
        if number is None or number.decimals or number.percent or number.value < 10:
            continue
        headings = (*table.row_header(cell.row)[-1:], *table.column_header(cell.column))
        if any(HEADING.match(text.strip()) for text in headings) or _SIZES.search(table.caption.text):
            return True
    return False


_SIZES = re.compile(r"\b(?:number of|sizes?|statistics|counts?)\b", re.IGNORECASE)


RULE = Rule(
    code="RK303",
    name="sizes-missing",
    severity="warning",
    needs=frozenset({"paper", "results table"}),
    check=check,
    default=False,
    sources="ACL B6",
)
