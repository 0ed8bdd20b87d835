"""Findings as text, JSON, SARIF or commands of GitHub: each takes a `CheckReport` and returns a string."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportkit.checker.outputs.github import github
from reportkit.checker.outputs.json_report import json_report
from reportkit.checker.outputs.sarif import sarif
from reportkit.checker.outputs.text import concise, full
from reportkit.errors import UnknownNameError

if TYPE_CHECKING:
    from reportkit.checker.engine import CheckReport

FORMATS = {"full": full, "concise": concise, "json": json_report, "sarif": sarif, "github": github}


def written(report: CheckReport, output_format: str) -> str:
    """Write findings in one of the formats."""
    if output_format not in FORMATS:
        raise UnknownNameError("output format", output_format, FORMATS)
    return FORMATS[output_format](report)
