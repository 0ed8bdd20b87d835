"""Almost stochastic order with threshold .5, or with fewer than five runs.

What it does
------------
Reports papers that call a system better by almost stochastic order because epsilon is below .5, and those that compute
it from fewer than five runs.

Why
---
epsilon_min < .5 says only that one system is not worse than the other in the order, and happens for equal systems half
of the time; the size of that rule is far above its nominal level. Ulmer et al. (2022) advise .2 as the threshold. With
three runs the bootstrap behind it has hardly any distribution to draw from. Dror et al. (2019), "Deep dominance".

Example
-------
    Ours is better by ASO (epsilon < 0.5, 3 seeds).

Instead
-------
    Ours is better by ASO (epsilon_min < 0.2, 10 seeds); the mean over seeds differs by 1.2 [0.4, 2.0].

When it is wrong
----------------
If .5 is only mentioned as the bound of the definition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule
from reportkit.checker.vocabulary import NUMERAL, number_of

ORDER = re.compile(r"\balmost[- ]stochastic(?:ally)?[- ](?:order|dominan)\w*|\bASO\b", re.IGNORECASE)
HALF = re.compile(
    r"(?:ε|ϵ|\bepsilon|\beps|τ|\btau|\bthreshold)[\w_{}\\^ ]{0,12}?\s*(?:[<≤=]|of|is|below|under|<=)\s*0?\.50?(?!\d)",
    re.I,
)
DEFINED = re.compile(r"\b(?:in \[|between 0 and|defin\w+|ranges?|interval)\b|\bin theory\b", re.IGNORECASE)
RUNS = re.compile(
    rf"\b(?P<n>{NUMERAL})\s+(?:\w+\s+)?(?:random\s+)?(?:seeds?|runs?|restarts?|initiali[sz]ations?)\b", re.I
)
FEWEST = 5


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield uses of the threshold .5, and too few runs beside the order."""
    prose = context.prose
    for item in prose.own:
        order = ORDER.search(item.text)
        half = HALF.search(item.text)
        near = half is not None and ORDER.search(prose.near(item)) and not DEFINED.search(item.text)
        if half is not None and near and not item.negated(half.start()):
            yield RULE.at(
                context.paper,
                item.span(half),
                "An epsilon below .5 holds for equal systems about half of the time: it is no threshold for a verdict.",
                remedy="use .2 or less, and give epsilon itself",
            )
        if order is not None and not item.negated(order.start()):
            counts = [number_of(found["n"]) for found in RUNS.finditer(item.text)]
            if counts and max(counts) < FEWEST:
                yield RULE.at(
                    context.paper,
                    item.span(order),
                    f"Almost stochastic order from {max(counts)} runs: so few show no distribution.",
                    remedy=f"train {FEWEST} runs or more, or give the scores of the runs as they are",
                )


RULE = Rule(
    code="RK612",
    name="aso-misused",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    sources="ARR R5",
)
