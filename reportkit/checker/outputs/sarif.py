"""SARIF 2.1.0, which GitHub code scanning and editors read (OASIS standard, 27 March 2020)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from reportkit._version import __version__
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.outputs.json_text import json_text
from reportkit.checker.paper.source import SourceFile
from reportkit.checker.rule import Rule
from reportkit.rendering.text.escaping import coded

if TYPE_CHECKING:
    from reportkit.checker.engine import CheckReport

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MOST_SNIPPET = 1_000
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def written(report: CheckReport) -> str:
    """Write one run; rules that ran are listed whether they found something or not."""
    return json_text(content(report))


def content(report: CheckReport) -> dict[str, Any]:
    """Return what is written, as plain objects.

    Examples
    --------
    >>> from reportkit.checker.engine import check_text
    >>> content(check_text("It is significantly better."))["runs"][0]["results"][0]["ruleId"]
    'RK201'
    """
    index = {rule.code: number for number, rule in enumerate(report.rules)}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "reportkit",
                        "version": __version__,
                        "semanticVersion": __version__,
                        "rules": [_rule(rule) for rule in report.rules],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(item, index, report) for item in report.diagnostics],
                "properties": {"coverage": report.coverage.to_dict()},
            }
        ],
    }


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


def _result(item: Diagnostic, index: dict[str, int], report: CheckReport) -> dict[str, Any]:
    parts = (
        item.text,
        f"To do: {item.remedy}" if item.remedy else "",
        f"Severity: {item.severity_note}." if item.severity_note else "",
    )
    text = " ".join(part for part in parts if part)
    result: dict[str, Any] = {"ruleId": item.code, "level": _LEVELS[item.severity], "message": {"text": text}}
    if item.code in index:
        result["ruleIndex"] = index[item.code]
    if item.path is not None:
        region: dict[str, Any] = {"startLine": item.line, "startColumn": item.column}
        region |= {"endLine": item.end_line, "endColumn": max(item.end_column, 1)}
        file = report.files.get(item.path)
        if file is not None and file.text:
            region["snippet"] = {"text": _snippet(item, file)}
        uri = {"uri": quote(item.path.as_posix())}
        result["locations"] = [{"physicalLocation": {"artifactLocation": uri, "region": region}}]
        if item.repeats:
            result["relatedLocations"] = [_repeat(other) for other in item.repeats if other.path is not None]
    elif item.where:
        result["locations"] = [{"logicalLocations": [{"fullyQualifiedName": item.where}]}]
    if item.fixes and all(edit.path in report.files for edit in item.fixes):
        result["fixes"] = [_fix(item, report.files)]
    return result


def _repeat(item: Diagnostic) -> dict[str, Any]:
    """Another place of the same finding."""
    uri = {"uri": quote("" if item.path is None else item.path.as_posix())}
    region = {"startLine": item.line, "startColumn": item.column}
    region |= {"endLine": item.end_line, "endColumn": max(item.end_column, 1)}
    return {"physicalLocation": {"artifactLocation": uri, "region": region}, "message": {"text": item.message}}


def _snippet(item: Diagnostic, file: SourceFile) -> str:
    """Text of the region, with codes for what does not print."""
    start, end = (
        file.bounds(line)[0] + column - 1
        for line, column in ((item.line, item.column), (item.end_line, item.end_column))
    )
    return coded(file.text[start : min(end, start + MOST_SNIPPET)])


def _fix(item: Diagnostic, files: Mapping[Path, SourceFile]) -> dict[str, Any]:
    changes: dict[Path, list[dict[str, Any]]] = {}
    for edit in item.fixes:
        file = files[edit.path]
        (line, column), (end_line, end_column) = file.position(edit.start), file.position(edit.end)
        region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
        replacement = {"deletedRegion": region, "insertedContent": {"text": edit.replacement}}
        changes.setdefault(edit.path, []).append(replacement)
    return {
        "description": {"text": item.remedy or item.message},
        "artifactChanges": [
            {"artifactLocation": {"uri": quote(path.as_posix())}, "replacements": replacements}
            for path, replacements in changes.items()
        ],
    }
