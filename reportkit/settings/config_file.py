"""The file of settings, as it is written."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from reportkit.errors import ReadingError, SettingsError
from reportkit.settings.settings import SETTING_NAMES


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
        If `tool` or `tool.reportkit` of a `pyproject.toml` is not a table.
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


def settings_in(content: Mapping[str, Any], lower_is_better: Collection[str]) -> dict[str, Any]:
    """Return the fields of `Settings` that a file gives, lists as tuples; some of its metrics are better when lower."""
    found = {name: content[name] for name in SETTING_NAMES if name in content}
    found |= {name: tuple(value) for name, value in found.items() if isinstance(value, list)}
    return found | ({"higher_is_better": dict.fromkeys(lower_is_better, False)} if lower_is_better else {})
