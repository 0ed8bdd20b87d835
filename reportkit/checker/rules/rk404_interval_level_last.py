r"""The level of an interval follows its name.

What it does
------------
Off by default. Reports "CI 95%" and "confidence interval 95%", in the text, in captions and in cells of tables.
`--fix` writes "95% CI".

Why
---
After its name, the level looks like the first number of the interval: "CI 95% 27.0 to 30.0". The manuals of style of
AMA and APA write 95% CI.

Example
-------
    Runs took longer (Mdn = 28.0, CI 95\% [27.0, 30.0]).

Instead
-------
    Runs took longer (Mdn = 28.0, 95\% CI [27.0, 30.0]).

When it is wrong
----------------
Never about the order; a journal may ask for this one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule

REVERSED = re.compile(
    r"\b(?P<name>CI|(?:confidence|credible) intervals?)(?P<space>\s)(?P<level>9\d(?:\.\d+)?\s?%)(?!\s*CI)"
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each interval whose level follows its name."""
    document = context.paper
    texts = [sentence.text for sentence in document.sentences if sentence.place != "reference"]
    texts += [cell.text for table in document.tables for cell in table.cells()]
    for text in texts:
        for match in REVERSED.finditer(text.text):
            name, level = (document.source(text.span(*match.span(group))) for group in ("name", "level"))
            yield RULE.at(
                document,
                text.span(*match.span()),
                f"The level follows the name of the interval: {match[0]}.",
                remedy=f"write {match['level']} {match['name']}",
                replacement=f"{level} {name}",
            )


RULE = Rule(
    code="RK404",
    name="interval-level-last",
    severity="info",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    sources="AMA and APA style",
)
