r"""A part of the paper could not be read.

What it does
------------
Reports files that are missing, too large, no text, or in an encoding that had to be guessed; inputs of files that are
none of the paper's (outside of its folder and repository, hidden, of the system, a pipe or a device), which are not
read; inputs that go in a circle; macros that call themselves; environments that are never closed; captions and cells
that are too long to be looked at in one piece.

Why
---
What was not read was not checked, and nobody should take silence for a clean bill.

Example
-------
    \input{tables/main}   % and there is no such file

Instead
-------
    \input{tables/main-results}

When it is wrong
----------------
Inputs whose name a macro makes up at run time are not followed and not reported. A file that LaTeX finds by TEXINPUTS
or a class file is reported although LaTeX reads it; ignore it on its line. A file that several papers share, in a
folder above them that is no repository, is not read: put the papers under version control, or the file beside each.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule
from reportkit.finding import Severity


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each problem of reading."""
    for problem in context.paper.problems:
        if problem.harmless:
            context.coverage.note(problem.message)
            continue
        severity: Severity = "error" if problem.fatal else "warning"
        yield RULE.at(context.paper, problem.span, problem.message + ".", remedy=problem.remedy, severity=severity)


RULE = Rule(
    code="RK001",
    name="unreadable",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    also={"error": "the paper itself cannot be read"},
)
