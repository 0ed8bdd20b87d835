r"""The paper could not be read.

What it does
------------
Reports a paper that is missing, too large, no text, or none of those that a configuration may name. Parts that could
not be read are no finding, and stand with their places in the last lines of a check: files that are missing or in an
encoding that had to be guessed; inputs of files that are none of the paper's (outside of its folder and repository,
hidden, of the system, a pipe or a device), which are not read; inputs that go in a circle; macros that call themselves;
environments that are never closed; captions and cells that are too long to be looked at in one piece. LaTeX tells their
author, and in papers that nobody had looked at, half of such findings were about files that a build makes or about
what LaTeX reads in another way.

Why
---
What was not read was not checked, and nobody should take silence for a clean bill.

Example
-------
    reportkit check papper.tex

Instead
-------
    reportkit check paper.tex

When it is wrong
----------------
Never as far as is known. Inputs whose name a macro makes up at run time are not followed. A file that several papers
share, in a folder above them that is no repository, is not read: put the papers under version control, or the file
beside each.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for a paper that cannot be read, and note the parts that could not."""
    unread = []
    for problem in context.paper.problems:
        if problem.fatal:
            yield RULE.at(context.paper, problem.span, problem.message + ".", remedy=problem.remedy)
        else:
            path, line, *_ = context.paper.location(problem.span)
            unread.append(f"{path.name}:{line}: {problem.message}: {problem.remedy}")
    for text in unread[:MOST_NOTED]:
        context.coverage.note(text)
    if len(unread) > MOST_NOTED:
        context.coverage.note(f"{len(unread) - MOST_NOTED:,} more parts of the paper were not read")


MOST_NOTED = 5
"""Parts that are named one by one."""


RULE = Rule(
    code="RK001",
    name="unreadable",
    severity="error",
    needs=frozenset({"paper"}),
    check=check,
)
