r"""A place that was to be filled in is still open.

What it does
------------
Reports what stands in the text, in captions and in tables for something that is missing: TODO and its relatives, XX.X
for a number, [cite], and the blind text of templates. Comments are not text. Several places are one finding.

Why
---
A number that is missing in the abstract is the first thing that a reviewer sees, and the last that its authors read.

Example
-------
    Our method improves accuracy by XX.X points.

Instead
-------
    Our method improves accuracy by 1.4 points.

When it is wrong
----------------
If the paper is about such places: quotations, code and bibliographies are left alone, and so are TODO lists, comments
and tags that are named as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.source import Span
from reportkit.checker.rule import Rule

PLACEHOLDER = re.compile(
    r"(?<![\w-])(?:TODO|FIXME|TBD|TBA)(?![\w-])"
    r"|(?<![\w./])%?X{1,3}\.X{1,3}(?!X|\.X|/)%?"
    r"|\[(?:cite|citation needed|ref)\]"
    r"|\b(?i:lorem ipsum|nulla mi mi|(?:insert|your) (?:caption|title|abstract) here|caption goes here)\b"
)
SAMPLE = re.compile(r"\blorem ipsum\b", re.IGNORECASE)
"""What may be an input of a model where it stands alone in a cell."""
ABOUT = re.compile(
    r"\b(?:TODO|FIXME|TBD)s?[- ](?:lists?|items?|comments?|tags?|markers?|annotations?)\b|\bdoi\b"
    r"|\b(?:formats?|such as|e\.g\.|the form) \S*X",
    re.IGNORECASE,
)
"""Talk of such places; and addresses that a publisher fills in."""


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each sentence and each cell with an open place."""
    quoted = {item.sentence: item.text for item in context.prose.statements}
    for sentence in context.paper.sentences:
        if sentence.place == "reference":
            continue
        text = quoted.get(sentence, sentence.text.text)
        match = PLACEHOLDER.search(text)
        if match is not None and not ABOUT.search(text):
            yield _finding(context, sentence.text.span(*match.span()), match[0])
    for table in context.paper.tables:
        for cell in table.cells():
            match = PLACEHOLDER.fullmatch(cell.text.text.strip())
            if match is not None and not SAMPLE.search(match[0]):
                yield _finding(context, cell.span, match[0])


def _finding(context: CheckContext, span: Span, text: str) -> Diagnostic:
    return RULE.at(
        context.paper, span, f"{text!r} is still to be filled in.", remedy="fill it in, or leave the sentence out"
    )


RULE = Rule(
    code="RK115",
    name="placeholder-left",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    folds=True,
    sources="ARR R1",
)
