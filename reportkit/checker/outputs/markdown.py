"""Markdown, for a comment on a pull request or for a summary of a job."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from reportkit.checker.outputs.closing import counted

if TYPE_CHECKING:
    from reportkit.checker.engine import CheckReport


def written(report: CheckReport) -> str:
    """Write a table of findings, then coverage.

    Examples
    --------
    >>> from reportkit.checker.engine import check_text
    >>> print(written(check_text("It is significantly better.", name="a.tex")).splitlines()[4][:46])
    | warning | RK201 | `a.tex:1:7` | 'significant
    """
    lines = [f"**{counted(report)}**", ""]
    if report.diagnostics:
        lines += ["| severity | rule | where | what | to do |", "|---|---|---|---|---|"]
        for item in report.diagnostics:
            severity = _cell(item.severity_note) or item.severity
            cells = (severity, item.code, _code(item.place), _cell(item.text), _cell(item.remedy))
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    lines += [
        f"- {_cell(line.strip())}" if line.startswith(" ") else _cell(line)
        for line in report.coverage.text().splitlines()
    ]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """Text that is no Markdown and stays in its cell."""
    escaped = re.sub(r"([\\`*_\[\]<>|#~$])", r"\\\1", text)
    return " ".join(escaped.split())


def _code(text: str) -> str:
    if not text:
        return ""
    shown = " ".join(text.split()).replace("|", "\\|")
    fence = "``" if "`" in shown else "`"
    return f"{fence}{shown}{fence}"
