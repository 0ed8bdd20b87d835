r"""Vertical rules or \hline beside booktabs; a table scaled by \resizebox.

What it does
------------
Off by default. Reports vertical rules and \hline in the tables of a paper that uses booktabs, and tables inside
\resizebox or \scalebox.

Why
---
booktabs leaves space above and below its rules, which cuts vertical ones into pieces, and \hline touches the letters.
\resizebox changes the size of the type, by another factor in every table, often below what the venue allows.

Example
-------
    \resizebox{\textwidth}{!}{\begin{tabular}{|l|c|} \hline

Instead
-------
    \begin{tabular}{lc} \toprule

When it is wrong
----------------
If the house style asks for vertical rules. booktabs has to be loaded, or \toprule be used, for the first two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.source import Span
from reportkit.checker.rule import Rule

SCALED = re.compile(r"\\(resizebox\*?|scalebox)\s*(?:\{[^{}]*\}\s*|\[[^\]]*\]\s*)+\{[\s%]*(?:\\\w+\s*)*\Z")
BOOKTABS = re.compile(r"^[^%\n]*(?:\\usepackage(?:\[[^\]]*\])?\{[^}]*\bbooktabs\b|\\toprule\b)", re.MULTILINE)
REACH = 160


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield up to three findings for each table."""
    document = context.paper
    if document.language != "latex":
        return
    booktabs = any(BOOKTABS.search(file.text) for file in document.files)
    for table in document.tables:
        begin = Span(table.span.file, table.span.start, table.span.start)
        if booktabs and table.vertical_rules:
            message = f"The columns {table.column_specification} have vertical rules, which booktabs cuts into pieces."
            yield RULE.at(document, begin, message, remedy="take the | out; space separates columns")
        if booktabs and table.hlines:
            count = "once" if table.hlines == 1 else f"{table.hlines} times"
            message = rf"\hline stands {count} in a paper that uses booktabs."
            yield RULE.at(document, begin, message, remedy=r"use \toprule, \midrule and \bottomrule")
        before = document.files[table.span.file].text[max(0, table.span.start - REACH) : table.span.start]
        if match := SCALED.search(before):
            message = rf"The table is scaled by \{match[1]}, and its type with it."
            yield RULE.at(
                document, begin, message, remedy=r"use fewer columns, \small, a smaller \tabcolsep or a table* float"
            )


RULE = Rule(code="RK401", name="table-rules", severity="info", needs=frozenset({"paper"}), check=check, default=False)
