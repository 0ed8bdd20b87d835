r"""A mark is used and not explained, or explained and not used.

What it does
------------
Reports a significance mark (†, ‡, *, §, ..., a superscript letter) in the body of a table that neither caption,
notes, heading nor a paragraph that refers to the table explains; and a caption that explains marks of which the table
has none.

Why
---
A mark that nobody explains is read as "significant", by every reader at another level. ACL Rolling Review, guideline
R5: how it was computed.

Example
-------
    Ours & 84.2$^\dagger$ \\  with the caption ``Accuracy (\%).''

Instead
-------
    Caption: Accuracy (\%). $\dagger$: better than the baseline (exact McNemar test, two-sided, $p < .05$, Holm-
    adjusted).

When it is wrong
----------------
If the explanation stands in a paragraph that does not refer to the table. A legend (*, **, ***) of which some marks
are used is not reported, and neither are superscript numbers, which may be footnotes or powers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.document import Cell, Table
from reportkit.checker.rule import Rule

SYMBOL = re.compile(r"([*†‡§¶‖△•⋄])\1*")
NAMES = {
    "†": re.compile(r"\bdaggers?\b", re.IGNORECASE),
    "‡": re.compile(r"\bdouble[- ]daggers?\b|\bddagger", re.IGNORECASE),
    "*": re.compile(r"\basterisks?\b|\bstar(?:s|red)?\b", re.IGNORECASE),
    "△": re.compile(r"\btriangles?\b", re.IGNORECASE),
    "•": re.compile(r"\b(?:bullets?|dots?)\b", re.IGNORECASE),
}
ANY = re.compile(r"\b(?:superscripts?|symbols?|markers?|marks?|marked)\b", re.IGNORECASE)
LETTERS = re.compile(r"\b(?:letters?|superscripts?|superscripted|subscripts?)\b", re.IGNORECASE)
EXPLAINS = re.compile(
    r"(?P<mark>[†‡§¶‖△⋄]+|(?<![\w*])\*{1,3}(?![\w*]))[\s:=,)^–—-]*(?:(?:and|or)\s+[*†‡§]+\s*)?"
    r"(?:indicat\w+|denot\w+|mark\w*|mean\w*|represent\w*|statistically|significan\w+|better|worse|p\s*[<≤=])",
    re.IGNORECASE,
)
_FORMULA = re.compile(r"(?<![^\W\d_])[^\W\d_]\s*\^|[=∑∏√≡∈]|(?:[^\W\d_]{3,}\W+){4}")
"""A cell of words or of a formula, whose exponents are no marks."""
FEWEST_LETTERS = 2
"""Cells with letters from which on letters are taken for marks."""


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each unexplained mark, and one for each caption whose marks are not used."""
    for table in context.paper.tables:
        beside = context.prose.beside(table)
        words = f"{beside} {_headings(table)} {context.prose.refers_to(table)}"
        yield from _unexplained(context, table, words)
        yield from _unused(context, table, beside)


def _unexplained(context: CheckContext, table: Table, words: str) -> Iterator[Diagnostic]:
    first: dict[str, Cell] = {}
    letters: list[Cell] = []
    for cell in table.body():
        for mark in cell.marks if cell.number is not None and not _FORMULA.search(cell.text.text) else ():
            if SYMBOL.fullmatch(mark):
                first.setdefault(mark, cell)
            elif mark.isalpha():
                letters.append(cell)
    explained = {match[0] for match in SYMBOL.finditer(words)}
    for mark, cell in first.items():
        context.coverage.claim(context.number, cell.span)
        named = NAMES.get(mark[0])
        if mark in explained or ANY.search(words) or (named is not None and named.search(words)):
            continue
        if set(mark) == {"*"} and any(set(other) == {"*"} for other in explained):
            continue
        yield RULE.at(context.paper, cell.span, f"The mark {mark} is not explained.", remedy=TO_DO)
    if len(letters) >= FEWEST_LETTERS and not LETTERS.search(words) and not re.search(r"\^\(?[a-z]\b|\([a-e]\)", words):
        context.coverage.claim(context.number, letters[0].span)
        yield RULE.at(context.paper, letters[0].span, "Superscript letters are not explained.", remedy=TO_DO)


def _unused(context: CheckContext, table: Table, beside: str) -> Iterator[Diagnostic]:
    explained = [match["mark"] for match in EXPLAINS.finditer(beside)]
    if not explained or table.paragraph < 0 or not any(cell.number is not None for cell in table.body()):
        return
    panels = [other for other in context.paper.tables if other.paragraph == table.paragraph]
    printed = "".join(cell.text.text for panel in panels for cell in panel.cells())
    if table is not panels[0] or any(mark[0] in printed for mark in explained) or _NONE.search(beside):
        return
    yield RULE.at(
        context.paper,
        table.caption.span(),
        f"The caption explains {' and '.join(dict.fromkeys(explained))}, and no cell has it.",
        remedy="take the explanation out, or say that no difference is marked; or set the marks that were lost",
    )


def _headings(table: Table) -> str:
    return " ".join(cell.text.text for cell in table.cells() if cell.header)


_NONE = re.compile(r"\b(?:no|none)\b[^.]{0,40}\b(?:mark|differ|system|cell|score|result|is)", re.IGNORECASE)
TO_DO = "say in the caption or in a note what it means: better than which system, by which test, at which level"


RULE = Rule(
    code="RK202",
    name="mark-unexplained",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    folds=True,
    sources="ARR R5",
)
