"""The source line with the place underlined, as compilers write it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.outputs.closing import closing_lines
from reportkit.checker.paper.source import SourceFile
from reportkit.rendering.text.escaping import coded, columns_in_terminal, visible

if TYPE_CHECKING:
    from reportkit.checker.engine import CheckReport

WIDTH = 100
"""Longest stretch of a source line that is shown."""


def written(report: CheckReport) -> str:
    """Write findings with their source, what to do, and the closing lines.

    Examples
    --------
    >>> from reportkit.checker.engine import check_text
    >>> print(written(check_text("It is significantly better.", name="a.tex")).split("= to do")[0].rstrip())
    warning[RK201]: 'significantly' describes a result, and the paper names no test.
     --> a.tex:1:7
      |
    1 | It is significantly better.
      |       ^^^^^^^^^^^^^
    """
    blocks = [finding_text(item, report.files.get(item.path) if item.path else None) for item in report.diagnostics]
    return "\n\n".join([*blocks, "\n".join(closing_lines(report))]) + "\n"


def finding_text(item: Diagnostic, file: SourceFile | None) -> str:
    """Write one finding."""
    lines = [f"{item.severity}[{item.code}]: {item.text}"]
    gutter = len(str(item.line)) if item.path is not None else 1
    blank = " " * gutter
    if item.place:
        lines.append(f"{blank}--> {item.place}")
    if file is not None and 0 < item.line <= len(file.line_starts) and file.text:
        lines.append(f"{blank} |")
        lines.extend(_source(item, file, blank))
    if item.severity_note:
        lines.append(f"{blank} = severity: {item.severity_note}")
    if item.where and item.path is not None:
        lines.append(f"{blank} = where: {item.where}")
    if item.remedy:
        lines.append(f"{blank} = to do: " + item.remedy.replace("\n", f"\n{blank}          "))
    if item.fixes and not any("\n" in edit.replacement for edit in item.fixes):
        what = visible(item.fixes[0].replacement) if len(item.fixes) == 1 else "shown by --diff"
        if item.safe:
            lines.append(f"{blank} = fix: {what}")
        else:
            lines.append(f"{blank} = possible fix: {what}{'' if len(item.fixes) == 1 else ' --unsafe-fixes'}")
    return "\n".join(lines)


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
    suffix = "…" if stop < length else ""
    yield f"{item.line} | {before}{marked}{after}{suffix}".rstrip()
    yield f"{blank} | " + " " * columns_in_terminal(before) + "^" * max(1, columns_in_terminal(marked))
