"""Several baselines or metrics are compared, and each is corrected by itself.

What it does
------------
Reports the first sentence by which p-values are corrected within each baseline, metric or system separately, if nothing
says that the families are separate questions, or how many tests there are in all.

Why
---
Three metrics and four baselines corrected over five datasets each are twelve families of five: a false claim
somewhere is much more probable than the level. The family is everything the paper would have reported as a finding.
ACL Rolling Review, guideline R5.

Example
-------
    We apply Holm's procedure separately for each baseline.

Instead
-------
    We apply Holm's procedure over all 60 hypotheses (4 baselines, 3 metrics, 5 datasets).

When it is wrong
----------------
If each family answers a question of its own. Say so in the same paragraph ("separate questions", "one primary
metric"), or give the number of all tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule
from reportkit.checker.vocabulary import CORRECTION

SEPARATELY = re.compile(
    r"\b(?:correct|adjust|Holm|Bonferroni|Benjamini|FDR|[SŠ]id[aá]k|control)\w*\b[^.;]{0,90}\b(?:separately|"
    r"individually|independently|within|for each|"
    r"per|inside)\b(?: for| in| within| per)?(?: each| every| one| the)* (?:single )?(?P<what>metrics?|measures?|"
    r"baselines?|competitors?|systems?|models?|"
    r"comparisons?|methods?|pairs?(?: of systems)?|evaluation metrics?)\b",
    re.IGNORECASE,
)
MEANT = re.compile(
    r"\bseparate (?:question|hypothes|famil|claim)|\bprimary\b|\bgate|\bacross (?:all )?(?:metrics|baselines|"
    r"families|comparisons)|\bover all\b|\bjoint(?:ly)?\b|"
    r"\bnot (?:separate|correct|adjust|within|across)|\bwithin (?:a|one) single\b|\bno correction (?:across|over|"
    r"between)|\b(?:tests?|hypotheses|comparisons|p-values?) (?:in )?total\b",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for the first sentence that cuts the family into pieces."""
    prose = context.prose
    for item in prose.with_words("correct", "adjust", "holm", "bonferroni", "benjamini", "fdr", "control"):
        match = SEPARATELY.search(item.text)
        if match is None or not CORRECTION.search(item.text):
            continue
        context.coverage.claim(context.number, item.sentence.span)
        if item.negated(match.end()) or MEANT.search(prose.around(item)):
            continue
        yield RULE.at(
            context.paper,
            item.span(match),
            (
                f"p-values are corrected within each {match['what'].lower()} separately, so the family is "
                f"smaller than what is claimed."
            ),
            remedy=(
                "correct over all comparisons that are reported as findings, or name one primary question in advance"
            ),
        )
        return


RULE = Rule(
    code="RK222",
    name="family-too-small",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    sources="ARR R5",
)
