"""A p-value does not belong to its statistic.

What it does
------------
Recomputes p from t, F, r, z or chi-squared and the degrees of freedom beside it, and reports a printed p that no
statistic which rounds to the printed one can give (two-sided; one-sided too if the paper speaks of one-sided tests). It
is an error if the verdict at .05 changes, else a warning. A t without degrees of freedom counts with every number of
them. In tables with columns of coefficients, standard errors, t or z, and p, it compares these in each row. RK117
reports p-values that are none, RK118 signs that differ.

Why
---
The logic of statcheck (Nuijten et al. 2016), which found inconsistent p-values in half of the papers of eight
journals. ACL Rolling Review, guideline R5; NeurIPS checklist, item 7.

Example
-------
    t(28) = 2.20, p = .001

Instead
-------
    t(28) = 2.20, p = .036

When it is wrong
----------------
If p was corrected for several comparisons, if the test is one-sided and the paper does not say it, or if degrees of
freedom were rounded. Sentences that speak of a correction, of an exact or a permutation test, or of equivalence are
left alone, and so is the sentence behind one about equivalence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.document import Document, Table
from reportkit.checker.paper.printed_number import PrintedNumber
from reportkit.checker.printed_test import Reported, opposite, possible, reported_results, rows_of_tests
from reportkit.checker.rule import Rule
from reportkit.finding import Severity
from reportkit.language.numerals import p_value_text

ALPHA = 0.05
SLACK = 0.05
"""Relative disagreement that the rounding of degrees of freedom explains."""
ANEW = "compute p anew; if the test is one-sided or p was corrected, say so in the sentence"
ADJUSTED = re.compile(r"\b(?:adjusted|corrected|correction|Bonferroni|Holm|FDR|Benjamini)\b", re.IGNORECASE)
OTHER_DISTRIBUTION = re.compile(
    r"\b(?:exact|permutation|permuted|bootstrap\w*|Monte[- ]Carlo|simulat\w+)\b", re.IGNORECASE
)
"""P-values that do not follow from the statistic by its usual distribution."""
EQUIVALENCE = re.compile(r"\bequivalen|\bTOST\b|\bnon-?inferior", re.IGNORECASE)
"""Tests against a margin, whose p-values do not belong to the statistic of no difference."""
ONE_SIDED = re.compile(r"\bone[- ](?:sided|tailed)\b|\bp\s*\(one", re.IGNORECASE)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each inconsistent p-value, and for each t or z that is no quotient."""
    document = context.paper
    before = ""
    for sentence in document.sentences:
        text = sentence.text.text
        against_margin = EQUIVALENCE.search(text) or EQUIVALENCE.search(before)
        before = text
        for reported in reported_results(sentence.text):
            context.coverage.checked(context.number, reported.p.span)
            context.coverage.checked(context.number, reported.statistic.span)
            if against_margin or ADJUSTED.search(text) or OTHER_DISTRIBUTION.search(text):
                continue
            if possible(reported.p):
                one_sided = ONE_SIDED.search(text) is not None or context.prose.says(ONE_SIDED) is not None
                yield from _inconsistent(document, reported, one_sided=one_sided)
    for table in document.tables:
        yield from _rows(context, table)


def _rows(context: CheckContext, table: Table) -> Iterator[Diagnostic]:
    """The t or z of each row against its p, and against the coefficient and its standard error."""
    corrected = ADJUSTED.search(context.prose.beside(table)) is not None
    for found in rows_of_tests(table):
        kind = "t" if "t" in found else "z"
        statistic, p = found.get(kind), found.get("p")
        coefficient, error = found.get("coefficient"), found.get("error")
        if statistic is None:
            continue
        if p is not None and possible(p) and not p.percent and not corrected:
            context.coverage.checked(context.number, p.span)
            reported = Reported("bare" if kind == "t" else "z", (), statistic, p)
            yield from _inconsistent(context.paper, reported, one_sided=True)
        if coefficient is not None and error is not None and not _quotient(coefficient, error, statistic):
            shown = f"{coefficient.value / error.value:.{max(statistic.decimals, 1)}f}"
            yield RULE.at(
                context.paper,
                statistic.span,
                f"{kind} is printed as {statistic.text}, and {coefficient.text} divided by its standard error "
                f"{error.text} is {shown}.",
                remedy="take the three from one fit",
            )


def _quotient(coefficient: PrintedNumber, error: PrintedNumber, statistic: PrintedNumber) -> bool:
    """Whether a coefficient and a standard error that round to the printed ones give the statistic."""
    if error.low <= 0 or opposite(coefficient, statistic):
        return True  # RK118 reports other signs
    quotients = [end / side for end in (coefficient.low, coefficient.high) for side in (error.low, error.high)]
    room = SLACK * abs(statistic.value)
    return min(quotients) - room <= statistic.high and max(quotients) + room >= statistic.low


def _inconsistent(document: Document, reported: Reported, *, one_sided: bool) -> Iterator[Diagnostic]:
    smallest, largest = reported.p_values()
    halves = one_sided and reported.kind in ("t", "r", "z")
    ranges = [(smallest, largest)] + ([(smallest / 2, largest / 2)] if halves else [])
    p = reported.p
    if any(_possible(p, low * (1 - SLACK), high * (1 + SLACK)) for low, high in ranges):
        return
    if reported.kind in ("t", "r", "z") and largest < ALPHA and p.value > 1 - ALPHA:
        return  # one-sided, against the direction that was asked about
    low, high = ranges[-1]
    flips = _verdict(p) is not None and (low > ALPHA or high < ALPHA) and _verdict(p) != (high < ALPHA)
    severity: Severity = "error" if flips else "warning"
    shown = _shown(low if reported.kind == "bare" else (low + high) / 2)
    statistic = {"chi": "χ²", "bare": "t"}.get(reported.kind, reported.kind)
    degrees = f"({', '.join(f'{degree:g}' for degree in reported.degrees)})" if reported.degrees else ""
    verdict = "; the verdict at .05 changes" if flips else ""
    sides = (
        " or more"
        if reported.kind == "bare"
        else ""
        if reported.kind in ("F", "chi")
        else " (one-sided)"
        if one_sided
        else " (two-sided)"
    )
    yield RULE.at(
        document,
        p.span,
        f"p {p.relation} {p.text} does not follow from {statistic}{degrees} = {reported.statistic.text}, "
        f"which gives p = {shown}{sides}{verdict}.",
        remedy=ANEW,
        severity=severity,
    )


def _possible(p: PrintedNumber, low: float, high: float) -> bool:
    slack = 1e-9
    if p.relation in ("<", "≤"):
        return low <= p.value + slack
    if p.relation in (">", "≥"):
        return high >= p.value - slack
    return low <= p.high + slack and high >= p.low - slack


def _verdict(p: PrintedNumber) -> bool | None:
    """Whether the printed p is below the level; None if its relation leaves that open."""
    if p.relation in ("<", "≤"):
        return True if p.value <= ALPHA else None
    if p.relation in (">", "≥"):
        return False if p.value >= ALPHA else None
    return p.value <= ALPHA


def _shown(p: float) -> str:
    return p_value_text(p, precise=True) if 0 < p <= 1 else "0 to the precision of a computer"


RULE = Rule(
    code="RK107",
    name="p-value-inconsistent",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    also={"error": "the verdict at .05 changes"},
    sources="ARR R5; NeurIPS 7; Nuijten et al. 2016",
)
