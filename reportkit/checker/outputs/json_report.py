"""JSON in a stable shape; `docs/reference/check.schema.json` describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reportkit._version import __version__
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.outputs.json_text import json_text

if TYPE_CHECKING:
    from reportkit.checker.engine import CheckReport

SCHEMA_VERSION = "1.0"


def written(report: CheckReport) -> str:
    """Write one object with findings and coverage."""
    return json_text(content(report))


def content(report: CheckReport) -> dict[str, Any]:
    """Return what is written, as plain objects.

    Examples
    --------
    >>> from reportkit.checker.engine import check_text
    >>> content(check_text("It is significantly better."))["findings"][0]["code"]
    'RK201'
    """
    return {
        "schema_version": SCHEMA_VERSION,
        "reportkit": __version__,
        "exit_code": report.exit_code,
        "findings": [_finding(item) for item in report.diagnostics],
        "n_suppressed": report.n_suppressed,
        "rules": [rule.code for rule in report.rules],
        "coverage": report.coverage.to_dict(),
    }


def _place(item: Diagnostic) -> dict[str, Any] | None:
    if item.path is None:
        return None
    return {
        "file": item.path.as_posix(),
        "line": item.line,
        "column": item.column,
        "end_line": item.end_line,
        "end_column": item.end_column,
    }


def _finding(item: Diagnostic) -> dict[str, Any]:
    edits = [
        {
            "file": edit.path.as_posix(),
            "start": edit.start,
            "end": edit.end,
            "replacement": edit.replacement,
            "safe": edit.safe,
        }
        for edit in item.fixes
    ]
    return {
        "code": item.code,
        "name": item.name,
        "severity": item.severity,
        "listed_severity": item.listed or item.severity,
        "severity_reason": item.why,
        "message": item.text,
        "location": _place(item),
        "repeats": [_place(other) for other in item.repeats],
        "where": item.where,
        "remedy": item.remedy,
        "fix": edits[0] if len(edits) == 1 else None,
        "edits": edits,
    }
