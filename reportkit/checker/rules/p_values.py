"""Tests as papers print them: p against its statistic, impossible p-values, signs, effect sizes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import p_heading
from reportkit.checker.paper.document import Document, Table
from reportkit.checker.paper.printed_number import PrintedNumber, number_in
from reportkit.checker.paper.source import Span
from reportkit.checker.patterns import patterns
from reportkit.checker.printed_test import (
    FARTHEST,
    P_VALUE,
    STATISTIC,
    Reported,
    opposite,
    possible,
    quotient,
    reported_results,
    rows_of_tests,
)
from reportkit.checker.rule import rule
from reportkit.language import p_value_text

ALPHA = 0.05
SLACK = 0.05
"""Relative disagreement that the rounding of degrees of freedom explains."""
RE = patterns("p_values")


@rule("RK107", "p-value-inconsistent", "warning")
def p_value_inconsistent(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A p-value does not belong to its statistic.

    Recomputes p from t, F, r, z or chi-squared and the degrees of freedom next to it, and reports a printed p that no
    statistic which rounds to the printed one can give (two-sided; one-sided too if the paper speaks of one-sided
    tests). A t without degrees of freedom counts with every number of them, and so does an estimate divided by its
    standard error where both are next to p. In tables with columns of coefficients,
    standard errors, t or z, and p, these are compared in each row. Sentences about a correction, an exact or a
    permutation test are left alone, and so are those about equivalence and the sentence after them.

    Found::

        The lexer was better, $t(28) = 1.40$, $p = .03$.

    Not found::

        The lexer was better, $t(28) = 1.40$, $p = .17$.

    Source: statcheck (Nuijten et al. 2016); ARR R5; NeurIPS 7.
    """
    document = context.paper
    anywhere = context.prose.says(RE["one_sided"]) is not None
    before = ""
    for sentence in document.sentences:
        text = sentence.text.text
        left_alone = RE["against_margin"].search(f"{before} {text}") or RE["other_p"].search(text)
        before = text
        for reported in reported_results(sentence.text):
            if not left_alone and possible(reported.p) and reported.p.value:
                one_sided = anywhere or RE["one_sided"].search(text) is not None
                yield from _inconsistent(context, reported, one_sided=one_sided)
    for table in document.tables:
        yield from _rows(context, table)


def _inconsistent(context: CheckContext, reported: Reported, *, one_sided: bool) -> Iterator[Diagnostic]:
    p, kind = reported.p, reported.kind
    smallest, largest = reported.p_values()
    ranges = [(smallest, largest)]
    if one_sided and kind in ("t", "r", "z"):
        ranges += [(smallest / 2, largest / 2), (1 - largest / 2, 1 - smallest / 2)]
    agrees = any(_fits(p, low * (1 - SLACK), high * (1 + SLACK)) for low, high in ranges)
    low, high = ranges[1] if len(ranges) > 1 else ranges[0]
    flips = _below(p) is not None and (low > ALPHA or high < ALPHA) and _below(p) != (high < ALPHA)
    gives = low if kind == "bare" else (low + high) / 2
    shown = p_value_text(gives, precise=True) if 0 < gives <= 1 else "0 to the precision of a computer"
    sides = "" if kind in ("F", "chi") else " (one-sided)" if one_sided else " (two-sided)"
    degrees = f"({', '.join(f'{degree:g}' for degree in reported.degrees)})" if reported.degrees else ""
    yield from p_value_inconsistent.compare(
        context,
        "p-value",
        p.span,
        agrees,
        f"p {p.relation} {p.text} does not follow from { {'chi': 'χ²', 'bare': 't'}.get(kind, kind) }{degrees} = "
        f"{reported.text}, which gives p = {shown}{' or more' if kind == 'bare' else sides}"
        f"{'; the verdict at .05 changes' if flips else ''}.",
        "compute p again; if the test is one-sided or p was corrected, say so in the sentence",
        severity="error" if flips else "warning",
    )


def _fits(p: PrintedNumber, low: float, high: float) -> bool:
    if p.relation in ("<", "≤"):
        return low <= p.value + 1e-9
    if p.relation in (">", "≥"):
        return high >= p.value - 1e-9
    return low <= p.high + 1e-9 and high >= p.low - 1e-9


def _below(p: PrintedNumber) -> bool | None:
    """Return whether the printed p is below the level; None if its relation leaves that open."""
    if p.relation in ("<", "≤"):
        return True if p.value <= ALPHA else None
    if p.relation in (">", "≥"):
        return False if p.value >= ALPHA else None
    return p.value <= ALPHA


def _rows(context: CheckContext, table: Table) -> Iterator[Diagnostic]:
    """Compare the t or z of each row with its p, and with the coefficient and its standard error."""
    corrected = RE["other_p"].search(context.prose.beside(table)) is not None
    for found in rows_of_tests(table):
        kind = "t" if "t" in found else "z"
        statistic, p = found.get(kind), found.get("p")
        coefficient, error = found.get("coefficient"), found.get("error")
        if statistic is None:
            continue
        if p is not None and possible(p) and p.value and not p.percent and not corrected:
            kind_of_p = "bare" if kind == "t" else "z"
            reported = Reported(kind_of_p, (), statistic.low, statistic.high, statistic.text, p)
            yield from _inconsistent(context, reported, one_sided=True)
        if coefficient is None or error is None or error.low <= 0 or opposite(coefficient, statistic):
            continue
        low, high = quotient(coefficient, error)
        room = SLACK * abs(statistic.value)
        agrees = low - room <= statistic.high and high + room >= statistic.low
        exact = f"{coefficient.value / error.value:.{max(statistic.decimals, 1)}f}"
        message = f"{kind} is printed as {statistic.text}, and {coefficient.text} divided by its standard error "
        message += f"{error.text} is {exact}."
        remedy = "take the three from one fit"
        yield from p_value_inconsistent.compare(context, f"{kind} statistic", statistic.span, agrees, message, remedy)


@rule("RK117", "p-value-impossible", "warning")
def p_value_impossible(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A p-value is printed as zero, below zero or above one.

    Reports p = .000, in a sentence and in a column of p-values; p = 0 next to its test statistic; and p below 0 or
    above 1 next to its test statistic or in a column next to t or z. A bare p = 0 elsewhere is left alone: orders and
    vectors are called p, too.

    Found::

        Ours is faster, $t(28) = 5.90$, $p = .000$.

    Not found::

        Ours is faster, $t(28) = 5.90$, $p < .001$.

    Source: ARR R5; NeurIPS 7.
    """
    document = context.paper
    for sentence in document.sentences:
        beside = [item for item in reported_results(sentence.text) if item.degrees or "." in item.text]
        tested = [item.p for item in beside]
        yield from (_impossible(document, p, p.span) for p in tested if not possible(p))
        for match in P_VALUE.finditer(sentence.text.text) if sentence.numbers else ():
            number = number_in(sentence.text, match, "p")
            zero = number is not None and not number.value and match["relation"] in ("=", "<", "≤", "<=")
            if number is not None and zero and (number.decimals or number in tested):
                span = sentence.text.span(match.start("relation"), match.end("p"))
                yield _impossible(document, number, span)
    for table in document.tables:
        rows = [found["p"] for found in rows_of_tests(table) if "p" in found]
        yield from (_impossible(document, p, p.span) for p in rows if not possible(p) and not p.percent)
        for cell in table.body():
            number = cell.number
            if number is None or number.value != 0 or number.relation != "=" or not number.decimals:
                continue
            if any(p_heading(table, text) for text in table.column_header(cell.column)[-1:]):
                yield _impossible(document, number, number.span)


def _impossible(document: Document, p: PrintedNumber, span: Span) -> Diagnostic:
    """Report a p outside of its range, or rounded to zero: 0.000 is below .0005, and so below .001."""
    bound = f"{'0' if p.text.startswith('0') else ''}.{'0' * (p.decimals - 1)}1" if p.decimals else ".001"
    what, remedy = ("below 0" if p.value < 0 else "above 1"), "compute p again"
    if not p.value:
        what, remedy = "zero", f"write a bound such as p < {bound}, or more digits"
    return p_value_impossible.at(document, span, f"p is printed as {p.text}; no p-value is {what}.", remedy)


@rule("RK118", "signs-differ", "warning")
def signs_differ(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A coefficient and its test statistic have different signs.

    Compares b, beta, an estimate or a slope with the t or z that follows it in the sentence or is in its row.

    Found::

        Speed rose ($b = 0.70$, $SE = 0.25$, $z = -2.79$).

    Not found::

        Speed rose ($b = -0.70$, $SE = 0.25$, $z = -2.79$).

    Source: ARR R5.
    """
    for text, match in context.matches(RE["coefficient"]):
        statistic = _following(text.text, match, RE["coefficient"], STATISTIC)
        if statistic is not None and (statistic["t"] or statistic["z"] or statistic["bare"]):
            yield from _opposite(context, number_in(text, match, "value"), number_in(text, statistic, "value"))
    for table in context.paper.tables:
        for found in rows_of_tests(table):
            yield from _opposite(context, found.get("coefficient"), found.get("t", found.get("z")))


def _following(text: str, match: re.Match[str], own: re.Pattern[str], other: re.Pattern[str]) -> re.Match[str] | None:
    """Return the first match of `other` shortly after a match of `own`, and before the next one of `own`."""
    following = own.search(text, match.end())
    stop = min(match.end() + FARTHEST, following.start() if following else len(text))
    return other.search(text, match.end(), stop)


def _opposite(
    context: CheckContext, coefficient: PrintedNumber | None, statistic: PrintedNumber | None
) -> Iterator[Diagnostic]:
    if coefficient is not None and statistic is not None:
        agrees = not opposite(coefficient, statistic)
        message = f"The coefficient {coefficient.text} and its test statistic {statistic.text} have different signs."
        remedy = "find out which of the two signs is wrong, and which way the effect goes"
        yield from signs_differ.compare(context, "sign", statistic.span, agrees, message, remedy)


@rule("RK120", "effect-size-inconsistent", "warning")
def effect_size_inconsistent(context: CheckContext) -> Iterator[Diagnostic]:
    r"""Partial eta squared does not follow from its F.

    Recomputes it from F and its degrees of freedom, with regard to the digits of both.

    Found::

        Length matters, $F(2, 57) = 4.50$, $p = .015$, $\eta_p^2 = .24$.

    Not found::

        Length matters, $F(2, 57) = 4.50$, $p = .015$, $\eta_p^2 = .14$.

    Source: ARR R5.
    """
    for text, match in context.matches(STATISTIC):
        effect = _following(text.text, match, STATISTIC, RE["partial"]) if match["F"] else None
        f, printed = (number_in(text, of, "value") if of else None for of in (match, effect))
        if f is None or printed is None:
            continue
        ratio = float(match["F_df2"]) / float(match["F_df1"])
        low, exact, high = (max(value, 0.0) / (max(value, 0.0) + ratio) for value in (f.low, f.value, f.high))
        agrees = low * 0.98 <= printed.high and printed.low <= high * 1.02
        message = f"Partial eta squared is printed as {printed.text}, and {match[0]} gives "
        message += f"{exact:.{max(printed.decimals, 2)}f}."
        remedy = "compute both again from one analysis"
        yield from effect_size_inconsistent.compare(context, "effect size", printed.span, agrees, message, remedy)
