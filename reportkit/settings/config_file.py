"""The file of settings, as it is written."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from reportkit.errors import ReadingError, SettingsError


def read_config(path: Path) -> dict[str, Any]:
    """Read `reportkit.toml`, or the table `[tool.reportkit]` of a `pyproject.toml`.

    Returns
    -------
    dict
        As written; the caller takes what it knows and refuses the rest.

    Raises
    ------
    ReadingError
        If the file is absent, a folder or a pipe, cannot be read, or is not TOML; the message says the line.
    SettingsError
        If `tool` or `tool.reportkit` of a `pyproject.toml` is no table.
    """
    if path.exists() and not path.is_file():
        raise ReadingError(
            f"{str(path)!r} is " + ("a folder" if path.is_dir() else "a pipe or a device") + ", not a file of settings",
            remedy="name the file itself, such as reportkit.toml",
        )
    try:
        content = tomllib.loads(path.read_bytes().decode("utf-8"))
    except FileNotFoundError:
        raise ReadingError(f"there is no file {str(path)!r}", remedy="check the path given to --config") from None
    except OSError as error:
        raise ReadingError(f"{str(path)!r} cannot be read: {error.strerror}", remedy="check its permissions") from None
    except RecursionError:
        raise ReadingError(f"{str(path)!r} is nested too deeply to be read", remedy="see https://toml.io") from None
    except ValueError as error:  # also what is not UTF-8, and numbers of thousands of digits
        raise ReadingError(f"{str(path)!r} is not TOML: {error}", remedy="see https://toml.io") from None
    if path.name == "pyproject.toml":
        for name in ("tool", "reportkit"):
            content = content.get(name, {})
            if not isinstance(content, dict):
                raise SettingsError(f"{name} is {content!r}", where=str(path), remedy="write a table: [tool.reportkit]")
    return content
