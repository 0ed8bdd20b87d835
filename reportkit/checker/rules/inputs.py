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
    read are no finding, and stand with their places in the last lines of a check. Inputs are looked for in the folder
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


@rule("RK002", "unused-suppression", "info", last=True)
def unused_suppression(context: CheckContext) -> Iterator[Diagnostic]:
    """An inline request suppresses nothing.

    Reports `% reportkit: ignore ...` where the rule it names finds nothing (any more), or is not known. A request that
    outlives its cause hides the next finding at the same place. Rules that are off, or have no data, are not counted.

    Found::

        The gain is small. % reportkit: ignore RK201 -- a quotation

    Not found::

        The system is significantly better. % reportkit: ignore RK201 -- a quotation
    """
    for item in context.unused:
        unknown = [code for code in item.codes if not any(rule.startswith(code) for rule in context.all_codes)]
        if unknown:
            message = f"There is no rule {unknown[0]}."
        elif not item.codes or all(any(run.startswith(code) for run in context.ran) for code in item.codes):
            message = f"Nothing is found here by {' or '.join(item.codes) or 'any rule'}; the request does nothing."
        else:
            continue
        yield unused_suppression.at(context.paper, item.span, message, remedy="remove the request")


@rule("RK003", "suppression-without-reason", "info", last=True)
def suppression_without_reason(context: CheckContext) -> Iterator[Diagnostic]:
    """An inline request gives no reason.

    Reports `% reportkit: ignore RK201` without `-- reason`, and `% reportkit: ignore` without a code.

    Found::

        The system is significantly better. % reportkit: ignore RK201

    Not found::

        The system is significantly better. % reportkit: ignore RK201 -- a quotation
    """
    for item in context.paper.suppressions:
        if item.codes and item.reason:
            continue
        yield suppression_without_reason.at(
            context.paper,
            item.span,
            f"This request gives no reason for ignoring {', '.join(item.codes)}."
            if item.codes
            else "This request names no code, and silences every rule.",
            remedy="write: reportkit: ignore RK201 -- why it does not apply here",
        )
