"""Findings as text: with the source line and the place underlined, as compilers write it, or one line for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, get_args

from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.source import SourceFile
from reportkit.finding import Severity
from reportkit.rendering.text.escaping import coded, columns_in_terminal, terminal_text

if TYPE_CHECKING:
    from reportkit.checker.engine import CheckReport

WIDTH = 100
"""Longest stretch of a source line that is shown."""


def full(report: CheckReport) -> str:
    """Write findings with their source, what to do, and the closing lines.

    Examples
    --------
    >>> from reportkit.checker.engine import check_documents
    >>> from reportkit.checker.paper.reading import document_of
    >>> paper = document_of("It is significantly better.", name="a.tex")
    >>> print(full(check_documents([paper])).split("= to do")[0].rstrip())
    warning[RK201]: 'significantly' describes a result, and the paper names no test.
     --> a.tex:1:7
      |
    1 | It is significantly better.
      |       ^^^^^^^^^^^^^
    """
    blocks = ["\n".join(_block(item, report.files.get(item.path) if item.path else None)) for item in report]
    return terminal_text("\n\n".join([*blocks, closing(report)]))


def concise(report: CheckReport) -> str:
    """Write one line for each finding, then the closing lines.

    Examples
    --------
    >>> from reportkit.checker.engine import check_documents
    >>> from reportkit.checker.paper.reading import document_of
    >>> concise(check_documents([document_of("It is significantly better.", name="a.tex")]))[:42]
    "a.tex:1:7: warning[RK201] 'significantly' "
    """
    lines = (f"{item.place}{': ' * bool(item.place)}{item.severity}[{item.code}] {item.text}" for item in report)
    return terminal_text("\n".join([*(" ".join(line.split()) for line in lines), closing(report)]))


def _block(item: Diagnostic, file: SourceFile | None) -> Iterator[str]:
    yield f"{item.severity}[{item.code}]: {item.text}"
    blank = " " * len(str(item.line))
    if item.place:
        yield f"{blank}--> {item.place}"
    if file is not None and 0 < item.line <= len(file.line_starts) and file.text:
        yield f"{blank} |"
        yield from _source(item, file, blank)
    if item.where and item.path is not None:
        yield f"{blank} = where: {item.where}"
    if item.remedy:
        yield f"{blank} = to do: " + item.remedy.replace("\n", f"\n{blank}          ")


def _source(item: Diagnostic, file: SourceFile, blank: str) -> Iterator[str]:
    start_of_line, end_of_line = file.bounds(item.line)  # a line may be the whole paper
    length = end_of_line - start_of_line
    first = item.column - 1
    last = item.end_column - 1 if item.end_line == item.line else length
    cut = max(0, min(first - 30, length - WIDTH)) if length > WIDTH else 0
    stop = min(cut + WIDTH, length)
    before, marked, after = (
        coded(file.text[start_of_line + start : start_of_line + end].replace("\t", " "))
        for start, end in ((cut, first), (first, max(first, min(last, stop))), (max(first, min(last, stop)), stop))
    )
    before = ("…" if cut else "") + before
    yield f"{item.line} | {before}{marked}{after}{'…' if stop < length else ''}".rstrip()
    yield f"{blank} | " + " " * columns_in_terminal(before) + "^" * max(1, columns_in_terminal(marked))


def closing(report: CheckReport) -> str:
    """Write the last lines: findings by severity, then coverage."""
    return f"{counted(report)}\n{report.coverage.text()}\n"


def counted(report: CheckReport) -> str:
    """Count findings by severity: "found 2 errors, 1 warning"; "found nothing" if there are none.

    Examples
    --------
    >>> from reportkit.checker.engine import check_documents
    >>> from reportkit.checker.paper.reading import document_of
    >>> counted(check_documents([document_of("Our system is significantly better.")]))
    'found 1 warning'
    """
    counts = Counter(item.severity for item in report)
    severities: tuple[Severity, ...] = get_args(Severity)
    parts = [
        f"{counts[severity]:,} {severity}{'s' * (counts[severity] > 1 and severity != 'info')}"
        for severity in severities
        if counts[severity]
    ]
    text = "found " + (", ".join(parts) or "nothing")
    if report.n_suppressed:
        text += f"; {report.n_suppressed:,} ignored inline"
    return text


def listing(report: CheckReport) -> str:
    """Write a line for everything that was compared, also where it agrees."""
    lines = (
        f"{file}:{line}:{column}: {kind} {printed}: {'agrees' if agrees else 'differs'}"
        for file, line, column, printed, kind, agrees in report.coverage.listing()
    )
    return terminal_text("".join(f"{' '.join(line.split())}\n" for line in lines))
