"""Facts as `report.json` holds them: records that a person can read, without fields that have their default value.

From `MANY` outcomes on, these are in `outcomes.parquet` in its folder.
"""

from __future__ import annotations

import dataclasses
import io
import json
import types
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from reportkit.appearance import Appearance
from reportkit.errors import ReadingError, RenderingError
from reportkit.report.facts import VERSION, Facts
from reportkit.report.model import Block, Figure, Report
from reportkit.report.rounding import rounded

MANY = 25_000
MANIFEST, OUTCOMES = "report.json", "outcomes.parquet"


def to_plain(value: Any) -> Any:
    """Return mappings, lists, strings and numbers, as JSON knows them; blocks of a report say which they are."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        kind = {"block": type(value).__name__} if type(value) in get_args(Block) else {}
        return kind | {
            item.name: to_plain(found)
            for item in dataclasses.fields(value)
            if (found := getattr(value, item.name)) != _default(item) or item.name == "version"
        }
    if isinstance(value, Mapping):
        return {str(name): to_plain(one) for name, one in value.items()}
    return list(map(to_plain, value)) if isinstance(value, (list, tuple)) else rounded(value)


def _default(item: dataclasses.Field[Any]) -> Any:
    made = item.default_factory
    return item.default if made is dataclasses.MISSING else made()


def from_plain(kind: Any, value: Any) -> Any:
    """Return a value of a type from the output of `to_plain`.

    Raises
    ------
    TypeError, KeyError, ValueError, AttributeError
        If it does not fit.
    """
    if kind is Block:
        kind = {one.__name__: one for one in get_args(Block)}[value["block"]]
        value = {name: one for name, one in value.items() if name != "block"}
    if kind is Appearance:
        return Appearance(**value)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        hints = dict(_hints(kind))
        if kind is Figure:
            from reportkit.figures.drawings import drawing  # a comparison draws none

            hints["content"] = drawing(value["kind"]).content
        return kind(**{name: from_plain(hints[name], one) for name, one in value.items()})
    origin, args = get_origin(kind), get_args(kind)
    if origin is tuple:
        kinds = [args[0]] * len(value) if args[1:] == (...,) else args
        return tuple(from_plain(one, part) for one, part in zip(kinds, value, strict=True))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {name: from_plain(args[1], one) for name, one in value.items()}
    if origin in (types.UnionType, Union):
        return None if value is None else from_plain(args[0], value)
    return float(value) if kind is float else value


@cache
def _hints(kind: type[Any]) -> Mapping[str, Any]:
    return get_type_hints(kind)


def stored(report: Report, names: Sequence[str]) -> dict[str, bytes]:
    """Return `report.json`, and of many outcomes the file next to it, by their names.

    Parameters
    ----------
    report : Report
        On comparisons, stored as facts; or on another study, stored as it is laid out.
    names : sequence of str
        All other files of the report.

    Raises
    ------
    RenderingError
        If the content is not JSON, as with NaN in it.
    """
    files: dict[str, bytes] = {}
    if report.facts is None:
        content = {"version": VERSION, **report.data, "document": to_plain(dataclasses.replace(report, data={}))}
    else:
        content = {**to_plain(report.facts), "appearance": to_plain(report.appearance)}
        if len(report.facts.outcomes) >= MANY:
            import pandas as pd

            rows = [{**row, "details": json.dumps(row.get("details", {}))} for row in content["outcomes"]]
            buffer = io.BytesIO()
            pd.DataFrame(rows).to_parquet(buffer, index=False)
            files[OUTCOMES], content["outcomes"] = buffer.getvalue(), OUTCOMES
    content["files"] = list(dict.fromkeys([*names, MANIFEST, *files]))
    try:
        text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    except (TypeError, ValueError) as error:
        raise RenderingError(f"the content of {MANIFEST} is not JSON: {error}") from None
    return {MANIFEST: text.encode("utf-8", "backslashreplace"), **files}


def read(path: Path) -> tuple[Facts, Appearance] | Report:
    """Read `report.json`: the facts of comparisons and how they look, or the report on another study.

    Raises
    ------
    ReadingError
        If the file is not there, or not as this version of reportkit writes it; the message says where.
    """
    build = "build the report again with this version of reportkit"
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        remedy = f"name the folder that `reportkit build` wrote, or its {MANIFEST}"
        raise ReadingError(f"there is no file {str(path)!r}", remedy=remedy) from None
    except OSError as error:
        raise ReadingError(f"{str(path)!r} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise ReadingError(f"{str(path)!r} is not JSON: {error}", remedy="restore the file, or " + build) from None
    if not isinstance(content, dict) or not {"version", "schema_version"} & content.keys():
        remedy = f"name the {MANIFEST} that `reportkit build` wrote, or its folder"
        raise ReadingError(f"{str(path)!r} is not a report of reportkit", remedy=remedy)
    if content.get("version") != VERSION:
        version = content.get("version") or content.get("schema_version")
        message = f"{str(path)!r} has version {version!r}; this reportkit reads version {VERSION}"
        raise ReadingError(message, remedy="use the version of reportkit that wrote it, or " + build)
    try:
        if "document" in content:
            beside = {name: value for name, value in content.items() if name not in ("document", "files")}
            report: Report = from_plain(Report, content["document"])
            return dataclasses.replace(report, data=beside)
        if content.get("outcomes") == OUTCOMES:
            content["outcomes"] = _rows(path.parent / OUTCOMES)
        return facts_in(content), from_plain(Appearance, content["appearance"])
    except (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError) as error:
        if isinstance(error, ReadingError):
            raise
        raise changed(path, error) from None


def changed(path: Path, error: Exception) -> ReadingError:
    """Return the error for a file whose content does not fit."""
    message = f"{str(path)!r} is not as reportkit writes it: it was changed, and its pieces do not go together"
    remedy = "restore the file, or build the report again"
    return ReadingError(message, where=f"{type(error).__name__}: {error}", remedy=remedy)


_KNOWN = frozenset(item.name for item in dataclasses.fields(Facts))


def facts_in(content: Mapping[str, Any]) -> Facts:
    """Return the facts in the content of `report.json`.

    Raises
    ------
    TypeError, KeyError, ValueError, AttributeError
        If it is not as reportkit writes it.
    """
    found: Facts = from_plain(Facts, {name: value for name, value in content.items() if name in _KNOWN})
    return found


def _rows(path: Path) -> list[dict[str, Any]]:
    """Return the outcomes in the file next to `report.json`."""
    import pyarrow.parquet as pq

    rows = ({**row, "details": json.loads(row["details"])} for row in pq.read_table(path).to_pylist())
    return [{name: value for name, value in row.items() if value is not None} for row in rows]
