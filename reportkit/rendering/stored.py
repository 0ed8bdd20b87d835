"""Reports that were written: read back from `report.json`, and set in another way without the data."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

from reportkit.appearance import RENDERED
from reportkit.errors import SettingsError
from reportkit.report.assemble import assemble
from reportkit.report.facts_json import MANIFEST, changed, read
from reportkit.report.model import Report

"""Fields of `Appearance` that decide how a finished report is written; all others decide what it says."""

_OURS = re.compile(
    r"(more/)?((tables|figures)/)?[A-Za-z0-9-]+\.(tex|md|html|json|bib|csv|pdf|png|typ|docx|xlsx|zip|parquet)"
)


def files_of(folder: Path) -> tuple[str, ...]:
    """Return the names of the files that the report in a folder wrote; only those inside the folder."""
    try:
        names = json.loads((folder / MANIFEST).read_bytes())["files"]
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return ()
    return tuple(name for name in names if isinstance(name, str) and _OURS.fullmatch(name))


def read_report(path: Path) -> Report:
    """Read a report back, from its `report.json` or the folder that holds it.

    Raises
    ------
    ReadingError
        If it is not as this version of reportkit writes it; the message says where.
    """
    found = read(path / MANIFEST if path.is_dir() else path)
    if isinstance(found, Report):
        return found
    try:
        return assemble(*found)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise changed(path, error) from None


def restyled(report: Report, **changes: Any) -> Report:
    """Set a finished report in another way, with the same content.

    Raises
    ------
    SettingsError
        If a field changes that needs the analysis again.
    UnknownNameError
        If there is no such field, or its value is not known.

    Examples
    --------
    >>> from reportkit.report.model import Signature
    >>> signature = Signature(version="0.1.0", source="r.csv", digest="3f9c" * 16, fields={})
    >>> report = Report(title="A and B", sections=(), signature=signature)
    >>> restyled(report, venue="neurips").appearance.caption_side
    'above'
    """
    look = report.appearance.replace(**changes)
    if report.facts is not None:
        return assemble(report.facts, look)
    for name, value in changes.items():
        if name not in RENDERED and value != getattr(report.appearance, name):
            raise SettingsError(
                f"{name}={value!r} needs the analysis again, and {MANIFEST} holds a finished report",
                remedy=f"build the report again with it: in reportkit.toml, `[appearance]`, `{name} = ...`",
            )
    return dataclasses.replace(report, appearance=look)
