"""Facts as `report.json` holds them: records that a person can read, without fields that have their default value.

From `MANY` outcomes on, these stand in `outcomes.parquet` beside it.
"""

from __future__ import annotations

import dataclasses
import io
import json
import types
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from reportkit.errors import ReadingError
from reportkit.report.facts import VERSION, Facts, Outcome

MANY = 25_000
DIGITS = 9
"""Significant digits of a number; all processors agree on so many."""

MANIFEST, OUTCOMES = "report.json", "outcomes.parquet"


def to_plain(value: Any) -> Any:
    """Return mappings, lists, strings and numbers, as JSON knows them."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            item.name: to_plain(found)
            for item in dataclasses.fields(value)
            if (found := getattr(value, item.name)) != _default(item) or item.name == "version"
        }
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, Mapping):
        return {str(name): to_plain(one) for name, one in value.items()}
    return list(map(to_plain, value)) if isinstance(value, (list, tuple)) else value


def _default(item: dataclasses.Field[Any]) -> Any:
    made = item.default_factory
    return item.default if made is dataclasses.MISSING else made()


def from_plain(kind: Any, value: Any) -> Any:
    """Return a value of a type from what `to_plain` made of it.

    Raises
    ------
    TypeError, KeyError, ValueError, AttributeError
        If it does not fit.
    """
    if dataclasses.is_dataclass(kind):
        hints = _hints(kind)
        return kind(**{name: from_plain(hints[name], one) for name, one in value.items()})  # type: ignore[operator]
    origin, args = get_origin(kind), get_args(kind)
    if origin is tuple:
        return tuple(from_plain(args[0], one) for one in value)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {name: from_plain(args[1], one) for name, one in value.items()}
    if origin is types.UnionType:
        return None if value is None else from_plain(args[0], value)
    return float(value) if kind is float else value


@cache
def _hints(kind: Any) -> Mapping[str, Any]:
    return get_type_hints(kind)


def stored(facts: Facts, **beside: Any) -> dict[str, bytes]:
    """Return the files of the facts by their names: `report.json`, and many outcomes as Parquet.

    Parameters
    ----------
    facts : Facts
        Any.
    **beside : object
        Further plain values at the end of `report.json`: how the report looks, which files it has.
    """
    content, files = to_plain(facts), {}
    if len(facts.outcomes) >= MANY:
        import pandas as pd

        rows = [{**row, "details": json.dumps(row.get("details", {}))} for row in content["outcomes"]]
        buffer = io.BytesIO()
        pd.DataFrame(rows).to_parquet(buffer, index=False)
        files[OUTCOMES], content["outcomes"] = buffer.getvalue(), OUTCOMES
    text = json.dumps({**content, **to_plain(beside)}, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    return {MANIFEST: text.encode("utf-8", "backslashreplace"), **files}


def read(path: Path) -> tuple[Facts, dict[str, Any]]:
    """Read facts back, and what stands beside them.

    Parameters
    ----------
    path : Path
        `report.json`.

    Raises
    ------
    ReadingError
        If the file is not as this version of reportkit writes it.
    """
    try:
        content = json.loads(path.read_bytes())
        if content.get("version") != VERSION:
            raise ReadingError(
                f"it has version {content.get('version') or content.get('schema_version')} of the format, not {VERSION}",
                where=str(path),
                remedy="build the report again with this version of reportkit",
            )
        content = with_outcomes(content, path.parent)
        facts = facts_in(content)
        return facts, {name: value for name, value in content.items() if name not in _KNOWN}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        raise ReadingError(
            f"this is no report.json of reportkit: {error}", where=str(path), remedy="build the report again"
        ) from None


_KNOWN = frozenset(item.name for item in dataclasses.fields(Facts))


def facts_in(content: Mapping[str, Any]) -> Facts:
    """Return the facts of what `report.json` holds.

    Raises
    ------
    TypeError, KeyError, ValueError, AttributeError
        If it is not as reportkit writes it.
    """
    found: Facts = from_plain(Facts, {name: value for name, value in content.items() if name in _KNOWN})
    return found


def with_outcomes(content: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return the content of `report.json` with the outcomes that stand in the file beside it."""
    return content | {"outcomes": _rows(folder / OUTCOMES)} if content.get("outcomes") == OUTCOMES else content


def _rows(path: Path) -> list[dict[str, Any]]:
    import pandas as pd

    names = {item.name for item in dataclasses.fields(Outcome)}
    found = []
    for row in pd.read_parquet(path).to_dict("records"):
        row["details"] = json.loads(row["details"])
        found.append({str(key): value for key, value in row.items() if key in names and not _absent(value)})
    return found


def _absent(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)
