"""A report that was written: set in another way without the data, and whether its files are still as written."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Unpack

from reportkit.appearance.appearance import APPEARANCE_NAMES, Appearance, AppearanceOptions, RenderingOptions
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.options import option_of
from reportkit.rendering.files.manifest import MANIFEST, Manifest, sha256
from reportkit.rendering.files.write import rendered
from reportkit.report.illustrations import for_venue
from reportkit.report.model import Report

RENDERED = tuple(RenderingOptions.__annotations__)
"""Fields of `Appearance` that decide how a finished report is written; all others decide what it says."""

Verdict = Literal["as written", "edited", "missing", "rendered otherwise", "not listed"]


def restyled(report: Report, **changes: Unpack[AppearanceOptions]) -> Report:
    """Set a finished report in another way.

    Parameters
    ----------
    report : Report
        Any.
    **changes
        Fields of `Appearance` that are in `RENDERED`. A field that needs the analysis is allowed if it does not change.

    Returns
    -------
    Report
        With the same content.

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
    >>> restyled(report, marks="letters")
    Traceback (most recent call last):
    reportkit.errors.SettingsError: marks='letters' needs the analysis again, and report.json holds a finished report
      to do: build the report again with it: `reportkit build RESULTS --marks letters`, or in Python
             `a.styled(marks='letters').report()`
    """
    for name, value in changes.items():
        if name not in APPEARANCE_NAMES:
            raise UnknownNameError("appearance", name, APPEARANCE_NAMES)
        if name not in RENDERED and value != getattr(report.appearance, name):
            raise SettingsError(
                f"{name}={value!r} needs the analysis again, and {MANIFEST} holds a finished report",
                remedy=f"build the report again with it: {_command(name, value)}, "
                f"or in Python\n`a.styled({name}={value!r}).report()`",
            )
    look = report.appearance.replace(**changes)
    return dataclasses.replace(report, appearance=look, sections=for_venue(report.sections, look))


def _command(name: str, value: object) -> str:
    """How a build is asked for it: by an option, or where there is none, in the file of settings."""
    (field,) = (item for item in dataclasses.fields(Appearance) if item.name == name)
    if not option_of(field).help or isinstance(value, Mapping):
        return f"`reportkit build RESULTS`, with `{name}` in reportkit.toml"
    flag = "--" + name.replace("_", "-")
    return f"`reportkit build RESULTS {flag if value is True else f'{flag} {value}'}`"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedFile:
    """One file of a report, and how it stands.

    Parameters
    ----------
    name : str
        From the report's folder.
    verdict : {"as written", "edited", "missing", "rendered otherwise", "not listed"}
        `rendered otherwise`: the file is as it was written, but this version of reportkit or of a library, or other
        templates, would write it in another way. `not listed`: this version would write a file of this name, which
        the report does not have.
    """

    name: str
    verdict: Verdict


def check_files(folder: Path, manifest: Manifest, *, templates: Sequence[Path] = ()) -> tuple[CheckedFile, ...]:
    """Compare the files of a folder with what `report.json` makes of them.

    Parameters
    ----------
    folder : Path
        Of the report.
    manifest : Manifest
        Its `report.json`.
    templates : sequence of Path
        Folders with templates that the report was rendered with.

    Returns
    -------
    tuple of CheckedFile
        In the order of the manifest.
    """
    expected = rendered(manifest.report, templates)
    names = dict.fromkeys([*manifest.files, *manifest.checksums])
    checked = [CheckedFile(name=name, verdict=_verdict(folder, name, manifest, expected)) for name in names]
    return (*checked, *(CheckedFile(name=name, verdict="not listed") for name in expected if name not in names))


def _verdict(folder: Path, name: str, manifest: Manifest, expected: dict[str, bytes]) -> Verdict:
    path = folder / name
    if Path(name).is_absolute() or ".." in Path(name).parts or not path.is_file():
        return "missing"
    if name == MANIFEST:
        # its content has a checksum of its own; its bytes change with those of every other file
        return "as written" if manifest.intact else "edited"
    content = path.read_bytes()
    if manifest.checksums.get(name) != sha256(content):
        return "edited"
    return "as written" if expected.get(name) == content else "rendered otherwise"
