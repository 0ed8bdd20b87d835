"""Tests as papers print them: p against its statistic, impossible p-values, signs, effect sizes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import p_heading
from reportkit.checker.paper.document import Document, Sentence, Table
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.patterns import patterns
from reportkit.checker.printed_test import (
    FARTHEST,
    NUMBER,
    P_VALUE,
    STATISTIC,
    Reported,
    number_at,
    opposite,
    possible,
    reported_results,
    rows_of_tests,
)
from reportkit.checker.rule import rule
from reportkit.finding import Severity
from reportkit.language.numerals import p_value_text

ALPHA = 0.05
SLACK = 0.05
"""Relative disagreement that the rounding of degrees of freedom explains."""
OTHER_P, COEFFICIENT, PARTIAL = patterns("p_values", "other_p coefficient partial")
AGAINST_MARGIN = re.compile(r"\bequivalen|\bTOST\b|\bnon-?inferior", re.IGNORECASE)
ONE_SIDED = re.compile(r"\b(?:one|1|single)[- ](?:sided|tailed)\b|\bp\s*\(one|\bdirectional\b", re.IGNORECASE)


@rule("RK107", "p-value-inconsistent", "warning")
def p_value_inconsistent(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A p-value does not belong to its statistic.

    Recomputes p from t, F, r, z or chi-squared and the degrees of freedom beside it, and reports a printed p that no
    statistic which rounds to the printed one can give (two-sided; one-sided too if the paper speaks of one-sided
    tests). A t without degrees of freedom counts with every number of them. In tables with columns of coefficients,
    standard errors, t or z, and p, these are compared in each row. Sentences about a correction, an exact or a
    permutation test are left alone, and so are those about equivalence and the sentence behind them.

    Found::

        The lexer was better, $t(28) = 1.40$, $p = .03$.

    Not found::

        The lexer was better, $t(28) = 1.40$, $p = .17$.

    Source: statcheck (Nuijten et al. 2016); ARR R5; NeurIPS 7.
    """
    document = context.paper
    anywhere = context.prose.says(ONE_SIDED) is not None
    before = ""
    for sentence in document.sentences:
        text = sentence.text.text
        left_alone = AGAINST_MARGIN.search(text) or AGAINST_MARGIN.search(before) or OTHER_P.search(text)
        before = text
        for reported in reported_results(sentence.text):
            if not left_alone and possible(reported.p) and reported.p.value:
                one_sided = anywhere or ONE_SIDED.search(text) is not None
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
    context.compared("p-value", p.span, agrees)
    context.coverage.beside(context.number, reported.statistic.span)
    if agrees:
        return
    low, high = ranges[1] if len(ranges) > 1 else ranges[0]
    flips = _below(p) is not None and (low > ALPHA or high < ALPHA) and _below(p) != (high < ALPHA)
    severity: Severity = "error" if flips else "warning"
    gives = low if kind == "bare" else (low + high) / 2
    shown = p_value_text(gives, precise=True) if 0 < gives <= 1 else "0 to the precision of a computer"
    if kind == "bare":
        shown += " or more"
    elif kind not in ("F", "chi"):
        shown += " (one-sided)" if one_sided else " (two-sided)"
    degrees = f"({', '.join(f'{degree:g}' for degree in reported.degrees)})" if reported.degrees else ""
    yield p_value_inconsistent.at(
        context.paper,
        p.span,
        f"p {p.relation} {p.text} does not follow from { {'chi': 'χ²', 'bare': 't'}.get(kind, kind) }{degrees} = "
        f"{reported.statistic.text}, which gives p = {shown}{'; the verdict at .05 changes' if flips else ''}.",
        remedy="compute p anew; if the test is one-sided or p was corrected, say so in the sentence",
        severity=severity,
    )


def _fits(p: PrintedNumber, low: float, high: float) -> bool:
    if p.relation in ("<", "≤"):
        return low <= p.value + 1e-9
    if p.relation in (">", "≥"):
        return high >= p.value - 1e-9
    return low <= p.high + 1e-9 and high >= p.low - 1e-9


def _below(p: PrintedNumber) -> bool | None:
    """Whether the printed p is below the level; None if its relation leaves that open."""
    if p.relation in ("<", "≤"):
        return True if p.value <= ALPHA else None
    if p.relation in (">", "≥"):
        return False if p.value >= ALPHA else None
    return p.value <= ALPHA


def _rows(context: CheckContext, table: Table) -> Iterator[Diagnostic]:
    """Compare the t or z of each row with its p, and with the coefficient and its standard error."""
    corrected = OTHER_P.search(context.prose.beside(table)) is not None
    for found in rows_of_tests(table):
        kind = "t" if "t" in found else "z"
        statistic, p = found.get(kind), found.get("p")
        coefficient, error = found.get("coefficient"), found.get("error")
        if statistic is None:
            continue
        if p is not None and possible(p) and p.value and not p.percent and not corrected:
            yield from _inconsistent(
                context, Reported("bare" if kind == "t" else "z", (), statistic, p), one_sided=True
            )
        if coefficient is None or error is None or error.low <= 0 or opposite(coefficient, statistic):
            continue
        quotients = [end / side for end in (coefficient.low, coefficient.high) for side in (error.low, error.high)]
        room = SLACK * abs(statistic.value)
        agrees = min(quotients) - room <= statistic.high and max(quotients) + room >= statistic.low
        context.compared(f"{kind} statistic", statistic.span, agrees)
        if not agrees:
            yield p_value_inconsistent.at(
                context.paper,
                statistic.span,
                f"{kind} is printed as {statistic.text}, and {coefficient.text} divided by its standard error "
                f"{error.text} is {coefficient.value / error.value:.{max(statistic.decimals, 1)}f}.",
                remedy="take the three from one fit",
            )


@rule("RK117", "p-value-impossible", "warning")
def p_value_impossible(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A p-value is printed as zero, below zero or above one.

    Reports p = .000, in a sentence and in a column of p-values; p = 0 beside its test statistic; and p below 0 or
    above 1 beside its test statistic or in a column beside t or z. A bare p = 0 elsewhere is left alone: orders and
    vectors are called p, too. `--fix` writes the bound that is certainly true: p < .001 for p = .000.

    Found::

        Ours is faster, $t(28) = 5.90$, $p = .000$.

    Not found::

        Ours is faster, $t(28) = 5.90$, $p < .001$.

    Source: ARR R5; NeurIPS 7.
    """
    document = context.paper
    for sentence in document.sentences:
        beside = list(reported_results(sentence.text))
        yield from (_outside(document, item.p) for item in beside if not possible(item.p))
        yield from _zeros(document, sentence, [item.p for item in beside if item.degrees or item.statistic.decimals])
    for table in document.tables:
        rows = [found["p"] for found in rows_of_tests(table) if "p" in found]
        yield from (_outside(document, p) for p in rows if not possible(p) and not p.percent)
        for cell in table.body():
            number = cell.number
            if number is None or number.value != 0 or number.relation != "=" or not number.decimals:
                continue
            if any(p_heading(table, text) for text in table.column_header(cell.column)[-1:]):
                edits = [(number.span, f"$<${_bound(number)}")] if cell.text.text == number.text else []
                yield _zero(document, number, edits, safe=False)


def _outside(document: Document, p: PrintedNumber) -> Diagnostic:
    side = "below 0" if p.value < 0 else "above 1"
    return p_value_impossible.at(
        document, p.span, f"p is printed as {p.text}; no p-value is {side}.", remedy="compute p anew"
    )


def _zeros(document: Document, sentence: Sentence, tested: list[PrintedNumber]) -> Iterator[Diagnostic]:
    numbers = located_numbers(sentence.text) if sentence.numbers else ()
    for match in P_VALUE.finditer(sentence.text.text) if numbers else ():
        number = number_at(numbers, match.end("p"))
        if number is None or number.value != 0 or match["relation"] not in ("=", "<", "≤", "<="):
            continue
        if not number.decimals and number not in tested:
            continue
        span = sentence.text.span(match.start("relation"), match.end("p"))
        plain = document.language == "markdown" or _in_mathematics(document.files[span.file].text, span.start)
        edits = [(span, f"{'<' if plain else '$<$'} {_bound(number)}")] if number.decimals else []
        yield _zero(document, number, edits, safe=True)


def _bound(number: PrintedNumber) -> str:
    """Write the bound of a p that was rounded to zero: 0.000 is below .0005, and so below .001."""
    return f"{'0' if number.text.startswith('0') else ''}.{'0' * (number.decimals - 1)}1"


def _zero(document: Document, number: PrintedNumber, edits: list[tuple], *, safe: bool) -> Diagnostic:  # type: ignore[type-arg]
    bound = f"write p < {_bound(number)}" if number.decimals else "write a bound such as p < .001"
    return p_value_impossible.at(
        document,
        edits[0][0] if edits else number.span,
        f"p is printed as {number.text}; no p-value is zero.",
        remedy=bound + ", or more digits",
        edits=edits,
        safe=safe,
    )


def _in_mathematics(text: str, offset: int) -> bool:
    r"""Return whether a place of LaTeX is inside `$...$` or `\(...\)`, counted from the start of its paragraph."""
    start = max(text.rfind("\n\n", 0, offset), 0)
    before = re.sub(r"\\.", lambda match: match[0] if match[0] in (r"\(", r"\)") else "  ", text[start:offset])
    return before.count("$") % 2 == 1 or before.count(r"\(") > before.count(r"\)")


@rule("RK118", "signs-differ", "warning")
def signs_differ(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A coefficient and its test statistic have different signs.

    Compares b, beta, an estimate or a slope with the t or z that follows it in the sentence or stands in its row.

    Found::

        Speed rose ($b = 0.70$, $SE = 0.25$, $z = -2.79$).

    Not found::

        Speed rose ($b = -0.70$, $SE = 0.25$, $z = -2.79$).

    Source: ARR R5.
    """
    for sentence in context.paper.sentences:
        text = sentence.text.text
        for match in COEFFICIENT.finditer(text) if sentence.numbers else ():
            following = COEFFICIENT.search(text, match.end())
            stop = min(match.end() + FARTHEST, following.start() if following else len(text))
            statistic = STATISTIC.search(text, match.end(), stop)
            if statistic is not None and (statistic["t"] or statistic["z"] or statistic["bare"]):
                numbers = located_numbers(sentence.text)
                pair = number_at(numbers, match.end("value")), number_at(numbers, statistic.end("value"))
                yield from _opposite(context, *pair)
    for table in context.paper.tables:
        for found in rows_of_tests(table):
            yield from _opposite(context, found.get("coefficient"), found.get("t", found.get("z")))


def _opposite(
    context: CheckContext, coefficient: PrintedNumber | None, statistic: PrintedNumber | None
) -> Iterator[Diagnostic]:
    if coefficient is None or statistic is None:
        return
    context.compared("sign", coefficient.span, not opposite(coefficient, statistic))
    if opposite(coefficient, statistic):
        yield signs_differ.at(
            context.paper,
            statistic.span,
            f"The coefficient {coefficient.text} and its test statistic {statistic.text} have different signs.",
            remedy="find out which of the two signs is wrong, and which way the effect goes",
        )


CRAMER = re.compile(rf"(?:\bCram[eé]r(?:'s|’s)? V|(?<!\w)V|φ|\bphi)\s*=\s*(?P<value>{NUMBER})")
SIZE = re.compile(r",\s*[Nn]\s*=\s*(?P<n>[\d,]+)\s*\)")


@rule("RK120", "effect-size-inconsistent", "warning")
def effect_size_inconsistent(context: CheckContext) -> Iterator[Diagnostic]:
    r"""An effect size does not follow from its statistic.

    Recomputes partial eta squared from F and its degrees of freedom, and Cramér's V or phi from chi-squared with one
    degree of freedom and N.

    Found::

        Length matters, $F(2, 57) = 4.50$, $p = .015$, $\eta_p^2 = .24$.

    Not found::

        Length matters, $F(2, 57) = 4.50$, $p = .015$, $\eta_p^2 = .14$.

    Source: ARR R5.
    """
    for sentence in context.paper.sentences:
        text = sentence.text.text
        for match in STATISTIC.finditer(text) if sentence.numbers else ():
            following = STATISTIC.search(text, match.end())
            stop = min(match.end() + FARTHEST, following.start() if following else len(text))
            size = SIZE.search(match[0])
            if match["F"]:
                effect = PARTIAL.search(text, match.end(), stop)
            elif match["chi"] and size is not None and float(match["chi_df"]) == 1:
                effect = CRAMER.search(text, match.end(), stop)
            else:
                continue
            numbers = located_numbers(sentence.text)
            statistic = number_at(numbers, match.end("value"))
            printed = number_at(numbers, effect.end("value")) if effect else None
            if statistic is None or printed is None:
                continue

            def of(value: float, match: re.Match[str] = match, size: re.Match[str] | None = size) -> float:
                if size is not None and match["chi"]:
                    return float((max(value, 0.0) / int(size["n"].replace(",", ""))) ** 0.5)
                between, within = float(match["F_df1"]), float(match["F_df2"])
                return max(value, 0.0) * between / (max(value, 0.0) * between + within)

            agrees = of(statistic.low) * 0.98 <= printed.high and printed.low <= of(statistic.high) * 1.02
            context.compared("effect size", printed.span, agrees)
            if not agrees:
                yield effect_size_inconsistent.at(
                    context.paper,
                    printed.span,
                    f"{'Partial eta squared' if match['F'] else 'Cramér’s V'} is printed as {printed.text}, and "
                    f"{match[0]} gives {of(statistic.value):.{max(printed.decimals, 2)}f}.",
                    remedy="compute both anew from one analysis",
                )
