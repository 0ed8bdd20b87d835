"""A p-value does not belong to its statistic, or is printed as zero.

What it does
------------
Recomputes p from t, F, r, z or chi-squared and the degrees of freedom beside it, and reports a printed p that no
statistic which rounds to the printed one can give (two-sided; one-sided if the sentence says so). It is an error if the
verdict at .05 changes, else a warning. A t without degrees of freedom counts with every number of them. Reports p = 0,
p = .000, p below 0 and above 1 too, and a coefficient whose t or z has the other sign. In tables with columns of
coefficients, standard errors, t or z, and p, it compares these in each row.

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
If p was corrected for several comparisons (a sentence that says so is left alone), if the test is one-sided and the
sentence does not say it, or if degrees of freedom were rounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import normalised, p_heading
from reportkit.checker.paper.document import Cell, Document, Sentence, Table
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.paper.source import MappedText, Span
from reportkit.checker.rule import Rule
from reportkit.checker.vocabulary import TEST
from reportkit.finding import Severity
from reportkit.language.numerals import p_value_text

ALPHA = 0.05
_NUMBER = r"[+\-−–]?\s?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+\-−]?\d+|\s*[×·]\s*10\^[+\-−]?\d+)?"
_DF = r"(?:\d+(?:\.\d+)?|\.\d+)"
STATISTIC = re.compile(
    r"(?<![\w])(?:"
    rf"(?P<t>t)\s*(?:_?\(\s*(?:df\s*=\s*)?|_)(?P<t_df>{_DF})\)?"
    rf"|(?P<F>F)\s*(?:_?\(|_)\s*(?P<F_df1>{_DF})\s*,\s*(?P<F_df2>{_DF})\)?"
    rf"|(?P<r>r)\s*(?:_?\(\s*(?:df\s*=\s*)?|_)(?P<r_df>{_DF})\)?"
    rf"|(?P<chi>(?:χ|X|chi)(?:\^?2|²|-squared)?)\u200b?\s*(?:_?\(|_)\s*(?P<chi_df>{_DF})\s*(?:,\s*[Nn]\s*=\s*[\d,]+\s*)?\)?"
    r"|(?P<z>[zZ])(?!\s*\()|(?P<bare>t)(?![\w(])"
    rf")\s*=\s*(?P<value>{_NUMBER})"
)
COEFFICIENT = re.compile(
    rf"(?<![\w^_])(?:b|B|β|beta|[Ee]stimate|[Ss]lope|[Cc]oefficient)(?:_\(?\w+\)?)?\s*=\s*(?P<value>{_NUMBER})"
)
P_VALUE = re.compile(
    rf"(?<![\w-])[pP](?:\s*-?\s*values?)?\s*(?:is|of|was)?\s*(?P<relation>[<>=≤≥]|<=|>=)\s*(?P<p>{_NUMBER})(?![\d^])"
)
VALUE_OF_TEST = re.compile(rf"\bp[- ]?values?\b|{TEST.pattern}|(?<!\w)[tFr]\s*\([\d.]", re.IGNORECASE)
SLACK = 0.05
"""Relative disagreement that the rounding of degrees of freedom explains."""
FARTHEST = 60
"""Characters between a coefficient and its statistic: standard error and interval."""
ANEW = "compute p anew; if the test is one-sided or p was corrected, say so in the sentence"
MOST_BETWEEN = 40
ADJUSTED = re.compile(r"\b(?:adjusted|corrected|correction|Bonferroni|Holm|FDR|Benjamini)\b", re.IGNORECASE)
ONE_SIDED = re.compile(r"\bone[- ](?:sided|tailed)\b|\bp\s*\(one", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reported:
    """A statistic and the p-value beside it, as printed."""

    kind: str
    degrees: tuple[float, ...]
    statistic: PrintedNumber
    p: PrintedNumber

    def p_values(self) -> tuple[float, float]:
        """Smallest and largest two-sided p of the statistics that are printed so."""
        low, high = self.statistic.low, self.statistic.high
        if self.kind in ("F", "chi"):
            low, high = max(low, 0.0), max(high, 0.0)
        elif low < 0 < high:
            low, high = 0.0, max(abs(low), high)
        else:
            low, high = sorted((abs(low), abs(high)))
        if self.kind == "bare":
            return _z(high, ()) / 2, 1.0  # of whatever degrees of freedom, on one side or both
        tail = _TAILS[self.kind]
        return tail(high, self.degrees), tail(low, self.degrees)


def _t(value: float, degrees: tuple[float, ...]) -> float:
    from scipy.special import stdtr

    return float(2 * stdtr(degrees[0], -value))


def _f(value: float, degrees: tuple[float, ...]) -> float:
    from scipy.special import fdtrc

    return float(fdtrc(degrees[0], degrees[1], value))


def _r(value: float, degrees: tuple[float, ...]) -> float:
    value = min(value, 1.0)
    if value == 1.0:
        return 0.0
    return _t(value * (degrees[0] / (1 - value * value)) ** 0.5, degrees)


def _z(value: float, degrees: tuple[float, ...]) -> float:
    from scipy.special import ndtr

    return float(2 * ndtr(-value))


def _chi(value: float, degrees: tuple[float, ...]) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(degrees[0], value))


_TAILS: dict[str, Callable[[float, tuple[float, ...]], float]] = {
    "t": _t, "F": _f, "r": _r, "z": _z, "chi": _chi, "bare": _z,
}  # fmt: skip


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each inconsistent p-value, and for each that is zero."""
    document = context.paper
    for sentence in document.sentences:
        text = sentence.text.text
        for reported in reported_results(sentence.text):
            context.coverage.checked(context.number, reported.p.span)
            context.coverage.checked(context.number, reported.statistic.span)
            if _impossible(reported.p):
                yield _outside(document, reported.p)
            elif not ADJUSTED.search(text):
                yield from _inconsistent(document, reported, one_sided=ONE_SIDED.search(text) is not None)
        yield from _zeros(document, sentence)
        yield from _signs(document, sentence)
    for table in document.tables:
        yield from _zeros_of_table(document, table)
        yield from _rows(context, table)


def reported_results(text: MappedText) -> Iterator[Reported]:
    """Find statistics with a p-value beside them.

    Examples
    --------
    >>> from reportkit.checker.paper.reading import document_of
    >>> (sentence,) = document_of("The effect holds, $t(28) = 2.20$, $p = .036$.").sentences
    >>> [(item.kind, item.degrees, item.p.text) for item in reported_results(sentence.text)]
    [('t', (28.0,), '.036')]
    """
    content = text.text
    if "p" not in content and "P" not in content:
        return
    numbers = located_numbers(text)
    found = list(STATISTIC.finditer(content))
    for index, match in enumerate(found):
        limit = min(match.end() + MOST_BETWEEN, found[index + 1].start() if index + 1 < len(found) else len(content))
        p = P_VALUE.search(content, match.end())
        if p is None or p.start() > limit:
            continue
        kind = next(name for name in _TAILS if match[name])
        degrees = tuple(float(match[name]) for name in (f"{kind}_df", f"{kind}_df1", f"{kind}_df2")
                        if name in match.groupdict() and match[name])  # fmt: skip
        statistic, printed = _number_at(numbers, match.end("value")), _number_at(numbers, p.end("p"))
        if statistic is not None and printed is not None and all(degree > 0 for degree in degrees):
            yield Reported(kind, degrees, statistic, printed)


def _impossible(p: PrintedNumber) -> bool:
    """Whether no p-value is printed so."""
    return p.relation in ("=", "<", "≤") and (p.low > 1 + 1e-9 or p.high < 0)


def _outside(document: Document, p: PrintedNumber) -> Diagnostic:
    side = "below 0" if p.value < 0 else "above 1"
    return RULE.at(document, p.span, f"p is printed as {p.text}; no p-value is {side}.", remedy=ANEW)


def _rows(context: CheckContext, table: Table) -> Iterator[Diagnostic]:
    """Coefficient, standard error, t or z, and p of each row of a table of a regression or of tests."""
    columns = {kind: _column(table, names) for kind, names in _COLUMNS.items()}
    if columns["t"] is None and columns["z"] is None:
        return
    kind = "t" if columns["t"] is not None else "z"
    corrected = ADJUSTED.search(context.prose.beside(table)) is not None
    for row in range(table.n_header_rows, table.n_rows):
        found = {name: table.grid[row][at].number for name, at in columns.items() if at is not None}
        statistic, p = found.get(kind), found.get("p")
        coefficient, error = found.get("coefficient"), found.get("error")
        if statistic is None:
            continue
        if p is not None and _impossible(p) and not p.percent:
            yield _outside(context.paper, p)
        elif p is not None and not p.percent and not corrected:
            context.coverage.checked(context.number, p.span)
            reported = Reported("bare" if kind == "t" else "z", (), statistic, p)
            yield from _inconsistent(context.paper, reported, one_sided=True)
        if coefficient is not None and _opposite(coefficient, statistic):
            yield _other_sign(context.paper, coefficient, statistic)
        elif coefficient is not None and error is not None and not _quotient(coefficient, error, statistic):
            shown = f"{coefficient.value / error.value:.{max(statistic.decimals, 1)}f}"
            yield RULE.at(
                context.paper,
                statistic.span,
                f"{kind} is printed as {statistic.text}, and {coefficient.text} divided by its standard error "
                f"{error.text} is {shown}.",
                remedy="take the three from one fit",
                severity="warning",
            )


_COLUMNS = {
    "coefficient": frozenset({"b", "β", "beta", "estimate", "est", "coef", "coefficient"}),
    "error": frozenset({"se", "s e", "std error", "standard error", "std err"}),
    "t": frozenset({"t", "t value", "t stat", "t statistic"}),
    "z": frozenset({"z", "z value", "z stat", "z statistic"}),
    "p": frozenset({"p", "p value"}),
}


def _column(table: Table, names: frozenset[str]) -> int | None:
    """The one column with such a heading."""
    found = [
        column
        for column in range(table.n_header_columns, table.n_columns)
        if any(normalised(text) in names for text in table.column_header(column)[-1:])
        and not (names is _COLUMNS["p"] and not any(p_heading(table, t) for t in table.column_header(column)[-1:]))
    ]
    return found[0] if len(found) == 1 else None


def _opposite(one: PrintedNumber, other: PrintedNumber) -> bool:
    return one.high < 0 < other.low or other.high < 0 < one.low


def _quotient(coefficient: PrintedNumber, error: PrintedNumber, statistic: PrintedNumber) -> bool:
    """Whether a coefficient and a standard error that round to the printed ones give the statistic."""
    if error.low <= 0:
        return True
    quotients = [end / side for end in (coefficient.low, coefficient.high) for side in (error.low, error.high)]
    room = SLACK * abs(statistic.value)
    return min(quotients) - room <= statistic.high and max(quotients) + room >= statistic.low


def _other_sign(document: Document, coefficient: PrintedNumber, statistic: PrintedNumber) -> Diagnostic:
    return RULE.at(
        document,
        statistic.span,
        f"The coefficient {coefficient.text} and its test statistic {statistic.text} have different signs.",
        remedy="find out which of the two signs is wrong, and which way the effect goes",
        severity="warning",
    )


def _signs(document: Document, sentence: Sentence) -> Iterator[Diagnostic]:
    """A coefficient and its t or z have one sign: both are divided by a standard error."""
    text = sentence.text.text
    coefficients = list(COEFFICIENT.finditer(text)) if sentence.numbers else []
    numbers = located_numbers(sentence.text) if coefficients else []
    for index, match in enumerate(coefficients):
        stop = coefficients[index + 1].start() if index + 1 < len(coefficients) else len(text)
        statistic = STATISTIC.search(text, match.end(), min(stop, match.end() + FARTHEST))
        if statistic is None or not (statistic["t"] or statistic["z"] or statistic["bare"]):
            continue
        one, other = _number_at(numbers, match.end("value")), _number_at(numbers, statistic.end("value"))
        if one is not None and other is not None and _opposite(one, other):
            yield _other_sign(document, one, other)


def _number_at(numbers: list[tuple[int, int, PrintedNumber]], end: int) -> PrintedNumber | None:
    return next((number for _, stop, number in numbers if stop == end), None)


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


def _zeros(document: Document, sentence: Sentence) -> Iterator[Diagnostic]:
    numbers = located_numbers(sentence.text) if sentence.numbers else []
    for match in P_VALUE.finditer(sentence.text.text):
        number = _number_at(numbers, match.end("p"))
        if number is None or number.value != 0 or match["relation"] not in ("=", "<", "≤", "<="):
            continue
        if not number.decimals and not VALUE_OF_TEST.search(sentence.text.text):
            continue  # an order, a position, a vector: the bare digit is a p-value only among statistics
        span = sentence.text.span(match.start("relation"), match.end("p"))
        replacement = None
        if number.decimals:
            sign = "<" if document.language == "markdown" or _in_mathematics(document, span.file, span.start) else "$<$"
            replacement = f"{sign} {_bound(number)}"
        yield _zero(document, number, span, replacement, safe=True)


def _zeros_of_table(document: Document, table: Table) -> Iterator[Diagnostic]:
    columns = {
        column
        for column in range(table.n_header_columns, table.n_columns)
        if any(p_heading(table, text) for text in table.column_header(column)[-1:])
    }
    for cell in table.body():
        number = cell.number
        if cell.column in columns and number is not None and number.value == 0 and number.relation == "=":
            yield _zero(document, number, number.span, _cell_replacement(cell, number), safe=False)


def _cell_replacement(cell: Cell, number: PrintedNumber) -> str | None:
    return f"$<${_bound(number)}" if number.decimals and cell.text.text == number.text else None


def _bound(number: PrintedNumber) -> str:
    """What is certainly true of a p that was rounded to zero: 0.000 is below .0005, and so below .001."""
    zero = "0" if number.text.startswith("0") else ""
    return f"{zero}.{'0' * (number.decimals - 1)}1"


def _zero(document: Document, number: PrintedNumber, span: Span, replacement: str | None, *, safe: bool) -> Diagnostic:
    bound = f"write p < {_bound(number)}" if number.decimals else "write a bound such as p < .001"
    return RULE.at(
        document,
        span,
        f"p is printed as {number.text}; no p-value is zero.",
        remedy=bound + ", or more digits",
        severity="warning",
        replacement=replacement,
        safe=safe,
    )


def _in_mathematics(document: Document, file: int, offset: int) -> bool:
    r"""Whether a place of LaTeX is inside `$...$` or `\(...\)`: counted from the beginning of its paragraph."""
    text = document.files[file].text
    start = max(text.rfind("\n\n", 0, offset), 0)
    before = re.sub(r"\\.", lambda match: match[0] if match[0] in (r"\(", r"\)") else "  ", text[start:offset])
    return before.count("$") % 2 == 1 or before.count(r"\(") > before.count(r"\)")


RULE = Rule(
    code="RK107",
    name="p-value-inconsistent",
    severity="error",
    needs=frozenset({"paper"}),
    check=check,
    measured=(4, 0, 0),
    unseen=(1, 0, 2),
    also={"warning": "p is printed as zero, or is wrong without another decision; signs differ"},
    sources="ARR R5; NeurIPS 7; Nuijten et al. 2016",
)
