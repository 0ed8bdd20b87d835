"""JSON in a stable shape (`docs/reference/check.schema.json` describes it) that is safe to print.

Data come back as they were, and nothing acts on a terminal or a runner.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from reportkit._version import __version__
from reportkit.checker.diagnostic import Diagnostic
from reportkit.rendering.text.escaping import coded

if TYPE_CHECKING:
    from reportkit.checker.engine import CheckReport

SCHEMA_VERSION = "1.0"
_ACTING = re.compile(r"[^\n -~]|##(?=\w*\[)")


def json_report(report: CheckReport) -> str:
    """Write one object with findings and coverage.

    Examples
    --------
    >>> from reportkit.checker.engine import check_documents
    >>> from reportkit.checker.paper.reading import document_of
    >>> json.loads(json_report(check_documents([document_of("It is significantly better.")])))["findings"][0]["code"]
    'RK201'
    """
    names = {rule.code: rule.name for rule in report.rules}
    content = {
        "schema_version": SCHEMA_VERSION,
        "reportkit": __version__,
        "exit_code": report.exit_code,
        "findings": [{"name": names.get(item.code, item.code), **_finding(item)} for item in report],
        "n_suppressed": report.n_suppressed,
        "rules": [rule.code for rule in report.rules],
        "coverage": report.coverage.to_dict(),
    }
    return json_text(content)


def _place(item: Diagnostic) -> dict[str, Any] | None:
    if item.path is None:
        return None
    numbers = {name: getattr(item, name) for name in ("line", "column", "end_line", "end_column")}
    return {"file": item.path.as_posix(), **numbers}


def _finding(item: Diagnostic) -> dict[str, Any]:
    return {
        "code": item.code,
        "severity": item.severity,
        "message": item.text,
        "location": _place(item),
        "repeats": [_place(other) for other in item.repeats],
        "where": item.where,
        "remedy": item.remedy,
    }


def json_text(content: object) -> str:
    r"""Write an object as indented JSON, with controls, direction signs and `##[` escaped.

    Examples
    --------
    >>> print(json_text({"é": "\x9b2J \u202e ##[error]"}))
    {
      "é": "\u009b2J \u202e \u0023#[error]"
    }
    """
    return _ACTING.sub(_escaped, json.dumps(content, indent=2, ensure_ascii=False)) + "\n"


def _escaped(match: re.Match[str]) -> str:
    sign = match[0]
    if sign.startswith("#"):
        return r"\u0023#"
    return sign if coded(sign) == sign else f"\\u{ord(sign):04x}"
