"""Optional packages, and archives whose bytes do not depend on the time of writing."""

from __future__ import annotations

import importlib
import io
import re
import zipfile
from collections.abc import Iterable, Mapping
from typing import Any

from reportkit.errors import RenderingError

_WRITTEN_AT = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*(</)")
_ALWAYS = (1980, 1, 1, 0, 0, 0)
_NEEDS = {"docx": ("docx", "Word files", "word"), "xlsx": ("openpyxl", "Excel files", "excel")}


def require_formats(names: Iterable[str]) -> None:
    """Raise RenderingError if a package is not installed that one of these formats needs."""
    for name in names:
        if name in _NEEDS:
            module, of, extra = _NEEDS[name]
            optional(module, of=of, extra=extra)


def optional(module: str, *, of: str, extra: str) -> Any:
    """Import an optional package.

    Parameters
    ----------
    module : str
        Its name in Python.
    of : str
        Purpose, for the message: "Word files".
    extra : str
        Extra of reportkit that it comes with.

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
    """Remove the time of writing from a file of Word or Excel."""
    with zipfile.ZipFile(io.BytesIO(office)) as packed:
        contents = {name: packed.read(name) for name in packed.namelist()}
    return archive(
        {name: _WRITTEN_AT.sub(rb"\g<1>1980-01-01T00:00:00Z\g<3>", content) for name, content in contents.items()}
    )
