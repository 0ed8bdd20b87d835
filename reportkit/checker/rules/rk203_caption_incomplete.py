r"""A caption with marks does not say against what, by which test, sides, correction, level or unit.

What it does
------------
Looks at tables with significance marks, and at captions that explain some, and reports what is said neither beside
the table nor in a paragraph that refers to it: the system (or set) compared against, the test, the level. Sides,
correction and unit of the test (instances, runs, documents) may be said anywhere in the paper.

Why
---
Tables are read, copied and cited without their text. ACL Rolling Review, guideline R5: details about how it was
computed; NeurIPS checklist, item 7: method and assumptions.

Example
-------
    Caption: $\dagger$ statistically significant ($p < .05$).

Instead
-------
    Caption: $\dagger$ better than BM25 (exact McNemar test over queries, two-sided, $p < .05$, Holm-adjusted
    over 4 datasets).

When it is wrong
----------------
If something is said in words that are not known here; one message lists all that was not found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.prose import Prose
from reportkit.checker.rule import Rule
from reportkit.checker.vocabulary import CORRECTION, LEVEL, SIDES, TEST, UNIT

SIGNIFICANCE = re.compile(r"\bsignifican|\bp\s*[<≤=]|\btests?\b|\bbetter than|\bp-value", re.IGNORECASE)
AGAINST = re.compile(
    r"\b(?:than|against|over|versus|vs\.?|compared (?:to|with)|relative to|from|with respect to|w\.r\.t\.?|"
    r"between|improvements? (?:on|over|upon)|"
    r"outperform\w*|beats?|differ\w* from|pairwise|all pairs|of that letter|baselines?)\b",
    re.IGNORECASE,
)
TEST_SAID = re.compile(
    rf"{TEST.pattern}|\bbootstrap\w*|\btests? (?:of|in|by|from) (?:the|that|each|its) (?:original )?(?:papers?|"
    rf"authors?)|\bintervals?\b[^.]*\b(?:exclude|contain|overlap)",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each table with marks whose caption leaves something out."""
    prose = context.prose
    done: set[int] = set()
    elsewhere = _said_elsewhere(prose)
    for table in context.paper.tables:
        beside = prose.beside(table)
        marks = sorted(
            {
                mark
                for cell in table.body()
                if cell.number is not None
                for mark in cell.marks
                if mark in SIGNIFICANCE_MARKS
            }
        )
        if not marks or not SIGNIFICANCE.search(beside) or (table.paragraph >= 0 and table.paragraph in done):
            continue
        done.add(table.paragraph)
        context.coverage.claim(context.number, table.span)
        words = f"{beside} {prose.refers_to(table)}"
        missing = [name for name, pattern in BESIDE.items() if not pattern.search(words)]
        missing += [name for name, pattern in ANYWHERE.items() if name not in elsewhere and not pattern.search(words)]
        if missing:
            listed = missing[0] if len(missing) == 1 else f"{', '.join(missing[:-1])} and {missing[-1]}"
            where = table.caption.span() if table.caption else table.span
            yield RULE.at(
                context.paper,
                where,
                f"The caption does not say what the marks ({', '.join(marks)}) mean: {listed}.",
                remedy='as in "better than BM25 (exact McNemar test over queries, two-sided, p < .05, '
                'Holm-adjusted over 4 datasets)"',
            )


def _said_elsewhere(prose: Prose) -> set[str]:
    """What the sentences of the paper that may describe its tests say."""
    about = [item.text for item in prose.own if _ABOUT.search(item.lower)]
    return {name for name, pattern in ANYWHERE.items() if any(pattern.search(text) for text in about)}


_ABOUT = re.compile(
    r"\btest|significan|\bp\s*[<≤=]|p-value|holm|bonferroni|sided|tailed|bootstrap|correct|adjust|replicab|k̂"
)
SIGNIFICANCE_MARKS = frozenset({"*", "**", "***", "†", "††", "‡", "‡‡", "§", "¶", "△", "⋄", "•"})
BESIDE = {"the system compared against": AGAINST, "the test": TEST_SAID, "the level": LEVEL}
ANYWHERE = {"the sides": SIDES, "the correction": CORRECTION, "the unit of the test": UNIT}


RULE = Rule(
    code="RK203",
    name="caption-incomplete",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    sources="ARR R5; NeurIPS 7",
)
