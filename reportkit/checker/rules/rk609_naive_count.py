"""Datasets are counted by unadjusted p-values.

What it does
------------
Compares what a paper says ("significantly better on 5 of 7 datasets") and marks in its tables with the analysis of the
data, or with the report: where the number is that of the p-values at most alpha without a correction, and Holm's
procedure identifies fewer, and where marks stand on datasets whose adjusted p-value is above the level.

Why
---
Among 20 datasets without any difference, one is expected to have p <= .05. A count of unadjusted p-values has no level;
Dror et al. (2017) show it to be wrong more often than not as the number of datasets grows. ACL Rolling Review,
guideline R5.

Example
-------
    Ours is significantly better on 10 of 12 datasets (p < .05 each).

Instead
-------
    Ours is better on at least 6 of 12 datasets (partial conjunction, Bonferroni); Holm's procedure names them.

When it is wrong
----------------
If the paper corrects in another way that its settings do not know (a smaller family, say): declare it in
`reportkit.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule
from reportkit.checker.verdicts import Verdict, Verdicts, verdicts
from reportkit.checker.vocabulary import COLLECTIONS, NUMERAL, number_of

SIGNIFICANT = re.compile(r"\b(?:significan\w+|reject\w*|p\s*[<≤]|identif\w+|marked)", re.IGNORECASE)
OF = re.compile(
    rf"\b(?P<k>{NUMERAL})\s+(?:out\s+)?of\s+(?:the\s+|all\s+|our\s+)?(?P<n>{NUMERAL})\s+(?:\w+\s+)?{COLLECTIONS}",
    re.IGNORECASE,
)
UNADJUSTED = re.compile(r"\b(?:unadjusted|uncorrected|before (?:any )?correct\w+|without (?:any )?correct\w+)", re.I)
STAR = re.compile(r"[*†‡§+∗⋆]+")


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each count, and one for each table, that rests on unadjusted p-values."""
    found = verdicts(context)
    if found is None:
        return
    claims = list(found.of_claims().values())
    for item in context.prose.with_words("of"):
        match = OF.search(item.text)
        if match is None or not SIGNIFICANT.search(item.text) or UNADJUSTED.search(item.text):
            continue
        k, n = number_of(match["k"]), number_of(match["n"])
        context.coverage.claim(context.number, item.span(match))
        counts = [_counts(claim, found.alpha) for claim in claims if len(claim) == n]
        naive = [(count, kept) for count, kept in counts if count == k and kept < k]
        if naive and not any(kept == k for _, kept in counts):
            yield RULE.at(
                context.paper,
                item.span(match),
                f"{k} of {n} is the number of datasets with p at most {found.alpha:g} before any correction; corrected "
                f"for {found.n_hypotheses:,} hypotheses, {naive[0][1]} are left.",
                remedy=f'write "on at least {naive[0][1]}", or name the datasets that the correction leaves',
            )
    if context.evidence is not None:
        yield from _marks(context, found)


def _counts(items: list[Verdict], alpha: float) -> tuple[int, int]:
    """Datasets with p at most alpha, and those that the correction leaves."""
    return sum(item.p_value <= alpha for item in items), sum(item.identified for item in items)


def _marks(context: CheckContext, found: Verdicts) -> Iterator[Diagnostic]:
    """Marks of a table on scores whose difference from the only baseline does not survive the correction."""
    baselines = {item.system_b for item in found.items} if found.sides == 1 else set()
    if len(baselines) != 1:
        return
    known = {(item.metric, item.system_a, item.dataset): item for item in found.items}
    for table in context.linked_tables:
        if UNADJUSTED.search(context.prose.beside(table.table)):
            continue
        marked = [
            (cell, known[key])
            for cell in table.scores()
            if any(STAR.fullmatch(mark) for mark in cell.cell.marks)
            and (key := (cell.metric, cell.system, cell.dataset)) in known
        ]
        wrong = [(cell, item) for cell, item in marked if item.p_value <= found.alpha and not item.identified]
        if len(marked) > 1 and wrong:
            cell, item = wrong[0]
            yield RULE.at(
                context.paper,
                cell.cell.span,
                f"{len(wrong)} of {len(marked)} marks stand where only the unadjusted p-value is at most "
                f"{found.alpha:g}; this one, on {item.dataset!r}, has p = {item.p_value:.2g}, and "
                f"{found.n_hypotheses:,} hypotheses are tested.",
                where="; ".join(one.dataset for _, one in wrong[:6]),
                remedy="mark what the correction leaves",
            )


RULE = Rule(
    code="RK609",
    name="naive-count",
    severity="error",
    needs=frozenset({"paper", "data or report"}),
    check=check,
    sources="ARR R5; Dror et al. 2017",
)
