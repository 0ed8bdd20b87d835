"""A mean over runs is reported, and nothing says how far the runs lie apart.

What it does
------------
Reports once, for a paper that says its results are means over several runs or seeds and that something is better: no
standard deviation, standard error, interval, range or ±, in no table, no caption and no sentence, and no error bars.

Why
---
NeurIPS checklist, item 7, and ACL Responsible NLP checklist, C3: results of several runs come with an error bar or a
summary of their variation. Whoever has the mean of five runs has their standard deviation as well, and without it
nobody can tell a gain of 0.3 points from another draw of seeds.

Example
-------
    All numbers are averaged over five runs. Ours reaches 91.3, and the baseline 91.0.

Instead
-------
    All numbers are means over five runs ± their standard deviation: 91.3 ± 0.2 against 91.0 ± 0.4.

When it is wrong
----------------
If the spread stands in a figure whose caption does not say so, or in a supplement that was not checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.results_tables import results_table
from reportkit.checker.rule import Rule
from reportkit.checker.rules.rk301_spread_undefined import WHICH
from reportkit.checker.rules.rk302_runs_unstated import RUNS
from reportkit.checker.vocabulary import NUMERAL

MEAN = r"\b(?:averag\w+|means?)\b"
SEVERAL = rf"(?:the |our |all |these )?(?:results? (?:of|from) )?(?:{NUMERAL}|ten|several|multiple|many|different)"
MEAN_OF_RUNS = re.compile(
    rf"{MEAN}(?![^.;]*\b(?:time|latency|seconds|speed)\b)[^.;]{{0,40}}?"
    rf"\b(?:over|of|across|from) {SEVERAL} (?:[\w-]+ ){{0,2}}?{RUNS}\b"
    r"|\b(?:repeat\w*|run|ran|train\w*|carried out|conducted|performed)\b[^.;]{0,60}"
    rf"\b(?:ten|{NUMERAL}|several|multiple) times\b[^.;]{{0,60}}{MEAN}",
    re.IGNORECASE,
)
SPREAD = re.compile(
    rf"{WHICH.pattern}|±|\\pm\b|\berror[- ]?bars?\b|\bshaded\b|\bbox[- ]?(?:and[- ]whisker[- ])?plots?\b|\bviolin\b"
    r"|\bpercentiles?\b|\bquartiles?\b|\bquantiles?\b|\bminimum\b|\b(?:over|across|between) runs (?:var|differ)\w*",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for the first sentence that says that means over runs are reported."""
    prose, tables = context.prose, context.paper.tables
    item = prose.says(MEAN_OF_RUNS, own=True)
    if item is None or not prose.claims_better or results_table(context.paper) is None:
        return
    if prose.says(SPREAD) is not None or any(cell.spread for table in tables for cell in table.body()):
        return
    if any(SPREAD.search(prose.beside(table)) for table in tables) or any(
        SPREAD.search(cell.text.text) for table in tables for cell in table.cells()
    ):
        return
    match = MEAN_OF_RUNS.search(item.text)
    if match is not None:
        context.coverage.claim(context.number, item.sentence.span)
        yield RULE.at(
            context.paper,
            item.span(match),
            f"Means over runs are reported ({match[0]!r}), and nothing says how far the runs lie apart.",
            remedy="print the standard deviation over the runs beside each mean, and say that it is one",
        )


RULE = Rule(
    code="RK306",
    name="spread-missing",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    sources="NeurIPS 7; ACL C3",
)
