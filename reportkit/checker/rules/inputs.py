"""Inputs of a check: a paper that cannot be read, and inline requests that do nothing or give no reason."""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import rule

MOST_NOTED = 5
"""Parts that are named one by one."""


@rule("RK001", "unreadable", "error")
def unreadable(context: CheckContext) -> Iterator[Diagnostic]:
    """The paper could not be read.

    Reports a paper that is missing, too large, no text, or none of those that a configuration may name; and one of
    which nothing was read, because its inputs were not found. The command then exits with 2. Parts that could not be
    read are not findings, and stand with their places in the last lines of a check. Inputs are looked for in the folder
    of the paper, and in those above it up to the root of the repository.
    """
    unread = []
    for problem in context.paper.problems:
        if problem.fatal:
            yield unreadable.at(context.paper, problem.span, problem.message + ".", remedy=problem.remedy)
        else:
            path, line, *_ = context.paper.location(problem.span)
            unread.append(f"{path.name}:{line}: {problem.message}: {problem.remedy}")
    if context.paper.nothing_read and not any(problem.fatal for problem in context.paper.problems):
        problem = context.paper.problems[0]
        yield unreadable.at(
            context.paper,
            problem.span,
            f"Nothing of the paper was read: {problem.message}.",
            remedy="name the main file, and run the check where its inputs can be found",
        )
    for text in unread[:MOST_NOTED]:
        context.coverage.note(text)
    if len(unread) > MOST_NOTED:
        context.coverage.note(f"{len(unread) - MOST_NOTED:,} more parts of the paper were not read")
