"""An inline request gives no reason.

What it does
------------
Reports `% reportkit: ignore RK201` without `-- reason`, and `% reportkit: ignore` without a code.

Why
---
Co-authors, and the referee who reads the source on arXiv, see that something was silenced; the reason is what tells a
decision from a habit. Requests without a code silence findings that nobody has seen yet.

Example
-------
    This is significant. % reportkit: ignore

Instead
-------
    This is significant. % reportkit: ignore RK201 -- quotes the title of the cited paper

When it is wrong
----------------
Never; ignore the rule as a whole if reasons are kept elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each request without a reason or without a code."""
    for item in context.paper.suppressions:
        if not item.codes:
            message = "This request names no code, and silences every rule."
        elif not item.reason:
            message = f"This request gives no reason for ignoring {', '.join(item.codes)}."
        else:
            continue
        yield RULE.at(
            context.paper, item.span, message, remedy="write: reportkit: ignore RK201 -- why it does not apply here"
        )


RULE = Rule(
    code="RK003", name="suppression-without-reason", severity="info", needs=frozenset({"paper"}), check=check, last=True
)
