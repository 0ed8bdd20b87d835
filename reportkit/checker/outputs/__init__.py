"""Findings as text, one format, one file: each takes a `CheckReport` and returns a string."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from reportkit.errors import UnknownNameError
from reportkit.rendering.text.escaping import terminal_text

if TYPE_CHECKING:
    from reportkit.checker.engine import CheckReport

FORMATS = {"full": "full", "concise": "concise", "json": "json_report", "sarif": "sarif", "github": "github"}
"""Names of the formats, and the modules that write them."""

FOR_PEOPLE = frozenset({"full", "concise"})
"""Those that are read as they are; the others escape what they hold by rules of their own."""


class _Outputs:
    """Writers by name, imported when they are used."""

    def __getitem__(self, name: str) -> Callable[[CheckReport], str]:
        if name not in FORMATS:
            raise UnknownNameError("output format", name, FORMATS)
        module = importlib.import_module(f"{__name__}.{FORMATS[name]}")
        written: Callable[[CheckReport], str] = module.written
        if name in FOR_PEOPLE:
            return lambda report: terminal_text(written(report))
        return written


OUTPUTS = _Outputs()
