"""SARIF 2.1.0, which GitHub code scanning and editors read (OASIS standard, 27 March 2020)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from reportkit._version import __version__
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.outputs.json_report import json_text
from reportkit.checker.paper.source import SourceFile
from reportkit.checker.rule import Rule
from reportkit.rendering.text.escaping import coded

if TYPE_CHECKING:
    from reportkit.checker.engine import CheckReport

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MOST_SNIPPET = 1_000
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def sarif(report: CheckReport) -> str:
    """Write one run; rules that ran are listed whether they found something or not.

    Examples
    --------
    >>> from reportkit.checker.engine import check_documents
    >>> from reportkit.checker.paper.reading import document_of
    >>> '"ruleId": "RK201"' in sarif(check_documents([document_of("It is significantly better.")]))
    True
    """
    driver = {"name": "reportkit", "version": __version__, "semanticVersion": __version__}
    run = {
        "tool": {"driver": {**driver, "rules": [_rule(rule) for rule in report.rules]}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(item, report) for item in report],
        "properties": {"coverage": report.coverage.to_dict()},
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.page},
        "help": {"text": rule.page},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": ["statistics", *sorted(rule.needs)]},
    }


def _result(item: Diagnostic, report: CheckReport) -> dict[str, Any]:
    text = f"{item.text} To do: {item.remedy}" if item.remedy else item.text
    result: dict[str, Any] = {"ruleId": item.code, "level": _LEVELS[item.severity], "message": {"text": text}}
    place = _place(item, report.files)
    if place is not None:
        result["locations"] = [{"physicalLocation": place}]
    elif item.where:
        result["locations"] = [{"logicalLocations": [{"fullyQualifiedName": item.where}]}]
    if item.repeats:
        repeats = ((other, _place(other, {})) for other in item.repeats)
        result["relatedLocations"] = [
            {"physicalLocation": place, "message": {"text": other.message}} for other, place in repeats
        ]
    return result


def _place(item: Diagnostic, files: Mapping[Path, SourceFile]) -> dict[str, Any] | None:
    """Return the place of a finding, with the text that is there if its file is given."""
    if item.path is None:
        return None
    region: dict[str, Any] = {"startLine": item.line, "startColumn": item.column}
    region |= {"endLine": item.end_line, "endColumn": max(item.end_column, 1)}
    file = files.get(item.path)
    if file is not None and file.text:
        start = file.line_starts[item.line - 1] + item.column - 1
        end = file.line_starts[item.end_line - 1] + item.end_column - 1
        region["snippet"] = {"text": coded(file.text[start : min(end, start + MOST_SNIPPET)])}
    return {"artifactLocation": {"uri": quote(item.path.as_posix())}, "region": region}
