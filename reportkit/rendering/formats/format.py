"""What a format that is written on request is, and which there are."""

from __future__ import annotations

import importlib
import io
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from reportkit.errors import RenderingError, UnknownNameError
from reportkit.registry import defined_in
from reportkit.report.model import Report, Signature, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputFormat:
    """A format beside LaTeX, Markdown, HTML, JSON and CSV, which every report is written in.

    Parameters
    ----------
    name : str
        As it is asked for: "typst".
    files : callable
        Of a report and of its files in other formats by their names, gives further files by theirs.
    ending : str
        Of a file that holds one table, `.typ`; empty where there is no such file.
    table : callable, optional
        Of a table and the signature of its report, gives that file.
    needs : mapping, optional
        Arguments of `optional`, for a package that not everybody has installed.
    """

    name: str
    files: Callable[[Report, Mapping[str, bytes]], Mapping[str, bytes]]
    ending: str = ""
    table: Callable[[Table, Signature | None], bytes] | None = None
    needs: Mapping[str, str] | None = None


@cache
def output_formats() -> dict[str, OutputFormat]:
    """All formats by their names, as the modules of this package define them."""
    return {found.name: found for found in defined_in(__package__ or "", OutputFormat)}


def output_format(name: str) -> OutputFormat:
    """One format by its name.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    formats = output_formats()
    if name not in formats:
        raise UnknownNameError("output format", name, formats)
    return formats[name]


def require_formats(names: Iterable[str]) -> None:
    """Raise RenderingError if a package is not installed that one of these formats needs."""
    for name in names:
        if (needs := output_format(name).needs) is not None:
            optional(**needs)


def optional(module: str, *, of: str, extra: str) -> Any:
    """Import a package that not everybody has installed.

    Parameters
    ----------
    module : str
        Its name in Python.
    of : str
        What it is needed for: "Word files".
    extra : str
        With which extra of reportkit it comes.

    Raises
    ------
    RenderingError
        If it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        raise RenderingError(
            f"{of} need the package {module.partition('.')[0]}, which is not installed",
            remedy=f"pip install 'reportkit-replic[{extra}]'",
        ) from None


_WRITTEN_AT = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*(</)")
_ALWAYS = (1980, 1, 1, 0, 0, 0)


def archive(files: Mapping[str, bytes]) -> bytes:
    """Pack files; the same files give the same bytes, whenever that is done."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _ALWAYS)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            packed.writestr(entry, content)
    return buffer.getvalue()


def undated(office: bytes) -> bytes:
    """Take the time of writing out of a file of Word or Excel."""
    with zipfile.ZipFile(io.BytesIO(office)) as packed:
        contents = {name: packed.read(name) for name in packed.namelist()}
    return archive(
        {name: _WRITTEN_AT.sub(rb"\g<1>1980-01-01T00:00:00Z\g<3>", content) for name, content in contents.items()}
    )
