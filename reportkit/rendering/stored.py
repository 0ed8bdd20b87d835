"""`report.json`: the content of a report, from which it is written again in another way, without the data."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from reportkit.appearance import Appearance, AppearanceOptions, RenderingOptions
from reportkit.errors import ReadingError, RenderingError, SettingsError
from reportkit.options import option_of
from reportkit.report import facts_json
from reportkit.report.assemble import assemble
from reportkit.report.illustrations import for_venue
from reportkit.report.machine.serialise import decode_report, encode_report
from reportkit.report.machine.tables_beside import put_back, put_beside
from reportkit.report.model import Report

MANIFEST = "report.json"
RENDERED = tuple(RenderingOptions.__annotations__)
"""Fields of `Appearance` that decide how a finished report is written; all others decide what it says."""

_OURS = re.compile(
    r"(more/)?((tables|figures)/)?[A-Za-z0-9-]+\.(tex|md|html|json|bib|csv|pdf|png|typ|docx|xlsx|zip|parquet)"
)
_SCHEMA_MAJOR = "2"


def stored(report: Report, names: Sequence[str]) -> dict[str, bytes]:
    """Return `report.json` and, of many outcomes, the tables beside it, by their names.

    Parameters
    ----------
    report : Report
        Any.
    names : sequence of str
        All other files of the report.

    Raises
    ------
    RenderingError
        If the content for machines is not JSON, as with NaN in it.
    """
    if report.facts is not None:
        beside = [facts_json.OUTCOMES] if len(report.facts.outcomes) >= facts_json.MANY else []
        files = list(dict.fromkeys([*names, MANIFEST, *beside]))
        return facts_json.stored(report.facts, appearance=report.appearance, files=files)
    data, tables = put_beside(report.data)
    content = {
        "signature": report.signature.line,
        **data,
        "document": encode_report(report),
        "files": list(dict.fromkeys([*names, MANIFEST, *tables])),
    }
    try:
        text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise RenderingError(f"the content of {MANIFEST} is not JSON: {error}") from None
    return {MANIFEST: f"{text}\n".encode("utf-8", "backslashreplace"), **tables}


def files_of(folder: Path) -> tuple[str, ...]:
    """Return the names of the files that the report in a folder wrote; only those inside the folder."""
    try:
        names = json.loads((folder / MANIFEST).read_bytes())["files"]
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return ()
    return tuple(name for name in names if isinstance(name, str) and _OURS.fullmatch(name))


def read_report(path: Path) -> Report:
    """Read `report.json`.

    Parameters
    ----------
    path : Path
        The file, or the folder that holds it.

    Raises
    ------
    ReadingError
        If it is not there, is not JSON, is no report of reportkit, is of another version, or if anything in it is not
        as it must be; the message says where.
    """
    file = path / MANIFEST if path.is_dir() else path
    content = _parsed(file)
    if "version" in content:
        facts, beside = facts_json.read(file)
        return assemble(facts, Appearance(**beside["appearance"]))
    schema = content.get("schema_version")
    if isinstance(schema, str) and schema.partition(".")[0] != _SCHEMA_MAJOR:
        raise ReadingError(
            f"{str(file)!r} has schema version {schema!r}; this reportkit reads version {_SCHEMA_MAJOR}",
            remedy="use the version of reportkit that wrote it, or build the report again",
        )
    if not isinstance(schema, str) or "document" not in content:
        raise ReadingError(
            f"{str(file)!r} is no report of reportkit",
            remedy=f"name the {MANIFEST} that `reportkit build` wrote, or its folder",
        )
    data = {name: value for name, value in content.items() if name not in ("document", "files")}
    try:
        return decode_report(content["document"], put_back(data, file.parent), where=f"{file}: document")
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        if isinstance(error, ReadingError):
            raise
        raise ReadingError(
            f"{str(file)!r} is not as reportkit writes it: it was changed, and its pieces do not go together",
            where=f"{type(error).__name__}: {error}",
            remedy="restore the file, or build the report again",
        ) from None


def _parsed(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_bytes())
    except FileNotFoundError:
        raise ReadingError(
            f"there is no file {str(file)!r}", remedy=f"name the folder that `reportkit build` wrote, or its {MANIFEST}"
        ) from None
    except OSError as error:
        raise ReadingError(f"{str(file)!r} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise ReadingError(
            f"{str(file)!r} is not JSON: {error}", remedy="restore the file, or build the report again"
        ) from None
    if not isinstance(content, dict):
        raise ReadingError(f"{str(file)!r} is no report of reportkit: it holds no object")
    return content


def restyled(report: Report, **changes: Unpack[AppearanceOptions]) -> Report:
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
                remedy=f"build the report again with it: {_command(name, value)}, "
                f"or in Python\n`a.styled({name}={value!r}).report()`",
            )
    return dataclasses.replace(report, appearance=look, sections=for_venue(report.sections, look))


def _command(name: str, value: object) -> str:
    """Say how a build is asked for it: by an option, or where there is none, in the file of settings."""
    (field,) = (item for item in dataclasses.fields(Appearance) if item.name == name)
    if not option_of(field).help or isinstance(value, Mapping):
        return f"`reportkit build RESULTS`, with `{name}` in reportkit.toml"
    flag = "--" + name.replace("_", "-")
    return f"`reportkit build RESULTS {flag if value is True else f'{flag} {value}'}`"
