r"""Stars and k-hat use different levels.

What it does
------------
Reports a statement of k-hat at a level that none of the marks of any caption uses, where captions give the level of
their marks.

Why
---
Marks at .01 and a count at .05 answer different questions, and the reader will count the marks. Dror et al. (2017)
use one level for both; ACL Rolling Review, guideline R5.

Example
-------
    Caption: * p < .01.  Text: $\hat{k} = 4$ at level .05.

Instead
-------
    Caption: * p < .05.  Text: $\hat{k} = 4$ at level .05.

When it is wrong
----------------
If several levels are given on purpose and the text says so in another sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule

IN_CAPTION = re.compile(
    r"(?<![\w-])p\s*(?:-?\s*values?)?\s*(?:<|≤|<=)\s*(0?\.\d+)|\b(?:level|α\s*=)\s*(?:of\s+)?(0?\.\d+)"
)
K_HAT = re.compile(r"k̂|\bk[- ]?hat\b|\breplicability analysis\b|\bpartial[- ]conjunction\b", re.IGNORECASE)
IN_TEXT = re.compile(
    r"\b(?:level|α\s*=|α\s*≤|p\s*≤|p\s*<)\s*(?:of\s+)?(0?\.\d+)|\b(9\d(?:\.\d)?)\s?% confiden", re.IGNORECASE
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each sentence about k-hat at another level than that of the marks."""
    levels: set[float] = set()
    for table in context.paper.tables:
        if any(cell.marks for cell in table.body()):
            levels |= {float(first or second) for first, second in IN_CAPTION.findall(context.prose.beside(table))}
    if not levels:
        return
    for item in context.prose.with_words(
        "k̂", "k-hat", "replicability analysis", "partial conjunction", "partial-conjunction"
    ):
        if K_HAT.search(item.text) is None or item.sentence.place in ("caption", "note"):
            continue
        found = [(match, _level(match)) for match in IN_TEXT.finditer(item.text)]
        if not found:
            continue
        context.coverage.claim(context.number, item.sentence.span)
        if not {level for _, level in found} & levels:
            match, level = found[0]
            marks = " and ".join(f"{value:g}".removeprefix("0") for value in sorted(levels))
            yield RULE.at(
                context.paper,
                item.span(match),
                f"k-hat is given at level {level:g}".replace(" 0.", " .")
                + f", and the marks of the tables are at {marks}.",
                remedy="use one level for marks and counts, or say why there are two",
            )


def _level(match: re.Match[str]) -> float:
    return float(match[1]) if match[1] else round(1 - float(match[2]) / 100, 6)


RULE = Rule(
    code="RK219",
    name="levels-differ",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    sources="ARR R5",
)
