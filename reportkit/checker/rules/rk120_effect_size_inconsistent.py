"""An effect size does not belong to its test statistic.

What it does
------------
Recomputes partial eta squared from F and its two degrees of freedom, and Cramér's V (or phi) from chi-squared with one
degree of freedom and N, and reports a printed one that no statistic which rounds to the printed one can give.

Why
---
Both follow from the statistic alone: F df1 / (F df1 + df2), and the root of chi-squared over N (Cohen 1973; Cramér
1946). ACL Rolling Review, guideline R5.

Example
-------
    F(2, 57) = 4.50, p = .015, partial eta squared = .24

Instead
-------
    F(2, 57) = 4.50, p = .015, partial eta squared = .14

When it is wrong
----------------
If degrees of freedom were corrected after the effect size was computed. Eta squared that is not called partial, and
generalised eta squared, need more than the statistic, and are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.document import Sentence
from reportkit.checker.paper.printed_number import located_numbers
from reportkit.checker.printed_test import NUMBER, STATISTIC, number_at
from reportkit.checker.rule import Rule

PARTIAL = re.compile(
    rf"(?:\b[Pp]artial[ -](?:η|eta)(?:\^2|²|[ -]squared)|η_\(?p(?:artial)?\)?(?:\^2|²)|η(?:\^2|²)_\(?p(?:artial)?\)?)"
    rf"\s*=\s*(?P<value>{NUMBER})"
)
CRAMER = re.compile(rf"(?:\bCram[eé]r(?:'s|’s)? V|(?<!\w)V|φ|\bphi)\s*=\s*(?P<value>{NUMBER})")
SIZE = re.compile(r",\s*[Nn]\s*=\s*(?P<n>[\d,]+)\s*\)")
FARTHEST = 60
"""Characters between a statistic and its effect size: the p-value."""
SLACK = 0.02
"""Relative disagreement that the rounding of degrees of freedom explains."""


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each effect size that does not follow."""
    for sentence in context.paper.sentences:
        if sentence.numbers:
            yield from _sentence(context, sentence)


def _sentence(context: CheckContext, sentence: Sentence) -> Iterator[Diagnostic]:
    text = sentence.text.text
    found = [match for match in STATISTIC.finditer(text) if match["F"] or match["chi"]]
    numbers = located_numbers(sentence.text) if found else []
    for match in found:
        following = STATISTIC.search(text, match.end())
        stop = min(match.end() + FARTHEST, following.start() if following else len(text))
        size = SIZE.search(match[0])
        effect = (PARTIAL if match["F"] else CRAMER).search(text, match.end(), stop)
        if effect is None or (match["chi"] and (size is None or float(match["chi_df"]) != 1)):
            continue
        statistic, printed = number_at(numbers, match.end("value")), number_at(numbers, effect.end("value"))
        if statistic is None or printed is None:
            continue
        if match["F"]:
            name, of = "Partial eta squared", _partial_eta_squared(float(match["F_df1"]), float(match["F_df2"]))
        else:
            name, of = "Cramér's V", _cramer(int(size["n"].replace(",", "")) if size else 0)
        context.coverage.checked(context.number, printed.span)
        low, high = of(max(statistic.low, 0.0)), of(max(statistic.high, 0.0))
        if printed.high < low * (1 - SLACK) or printed.low > high * (1 + SLACK):
            shown = f"{of(statistic.value):.{max(printed.decimals, 2)}f}"
            yield RULE.at(
                context.paper,
                printed.span,
                f"{name} is printed as {printed.text}, and {match[0]} gives {shown}.",
                remedy="compute both anew from one analysis",
            )


def _partial_eta_squared(between: float, within: float) -> Callable[[float], float]:
    return lambda value: value * between / (value * between + within) if within else 1.0


def _cramer(n: int) -> Callable[[float], float]:
    return lambda value: (value / n) ** 0.5 if n else 0.0


RULE = Rule(
    code="RK120",
    name="effect-size-inconsistent",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    sources="ARR R5",
)
