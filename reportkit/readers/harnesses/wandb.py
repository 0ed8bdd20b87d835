"""Weights & Biases: logged tables (`*.table.json`), and runs exported as CSV."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.readers import json_content
from reportkit.readers.format import Harness, Taken
from reportkit.readers.harnesses.names import distinct_names, folder_name
from reportkit.readers.harnesses.tabular import json_table, table_of
from reportkit.readers.harnesses.tracked import Part, Runs, read_parts, read_runs
from reportkit.readers.json_content import BROKEN
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request

_TABLE = re.compile(r"(?P<name>.+?)(_\d+_[0-9a-f]{8,})?\.table\.json")
_RUN = re.compile(r"(offline-)?run-\d{8}_\d{6}-(?P<id>\w+)")
_MOST_ROWS = (10_000, 200_000)
"""Rows that W&B logs of a table at most; the rest is left out when it is logged."""

_OWN = frozenset(
    {
        "name",
        "state",
        "notes",
        "user",
        "tags",
        "created",
        "runtime",
        "sweep",
        "id",
        "group",
        "jobtype",
        "hostname",
        "url",
    }
)
"""Columns of an export that are about the run."""


def read_wandb(files: Sequence[Source], request: Request) -> Reading:
    """Read logged tables, one score per row; or exported runs, one score per run."""
    tables = [source for source in files if source.plain_path.name.endswith(".table.json")]
    if tables and len(tables) < len(files):
        other = next(source for source in files if source not in tables)
        raise ReadingError(
            "there are logged tables and exported runs",
            where=f"{tables[0].name!r}, {other.name!r}",
            remedy="give the tables or the runs alone",
        )
    if tables:
        return _tables(tables, request)
    exports = []
    for done, source in enumerate(files, start=1):
        exports.append(_export(source))
        request.progress(done, len(files))
    return read_runs("W&B", files, exports, request)


def _tables(files: Sequence[Source], request: Request) -> Reading:
    parts = []
    notes = []
    names = [_table_name(source.plain_path) for source in files]
    systems = distinct_names([_run_name(source.plain_path) for source in files], [s.plain_path for s in files], names)
    for done, (source, name, system) in enumerate(zip(files, names, systems, strict=True), start=1):
        frame = json_table(source, json_content.document(source))
        if len(frame) in _MOST_ROWS:
            notes.append(
                Finding(
                    "table-truncated",
                    "warning",
                    f"The table has {len(frame):,} rows, the most that W&B logs of a table: rows may be missing.",
                    where=source.name,
                    remedy="log the table as an artifact, or raise wandb.Table.MAX_ROWS",
                )
            )
        parts.append(Part(source=source, frame=frame, system=system, dataset=name))
        request.progress(done, len(files))
    return read_parts("W&B table", parts, request, notes)


def _table_name(path: Path) -> str:
    found = _TABLE.fullmatch(path.name)
    return found["name"] if found else path.stem


def _run_name(path: Path) -> str:
    """Id of the run whose folder a table is in; name of the folder otherwise."""
    for part in reversed(path.absolute().parent.parts):
        if found := _RUN.fullmatch(part):
            return found["id"]
    return folder_name(path, "run")


def _export(source: Source) -> Runs:
    table = table_of(source)
    names = {str(name).casefold(): str(name) for name in table.columns}
    if {"summary", "config", "name"} <= names.keys():
        table = _unfolded(source, table, names)
        return Runs(source=source, frame=table, name="name", unfinished=pd.Series(False, index=table.index), own=_OWN)
    state = names.get("state")
    unfinished = pd.Series(False, index=table.index) if state is None else table[state].str.casefold() != "finished"
    return Runs(source=source, frame=table, name=names["name"], unfinished=unfinished, own=_OWN)


def _unfolded(source: Source, table: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    """The export that W&B's guide shows: dictionaries of the summary and the configuration in one cell each."""
    rows = []
    for number, (summary, config, name) in enumerate(
        table[[names["summary"], names["config"], names["name"]]].itertuples(index=False), start=1
    ):
        row: dict[str, object] = {"name": name}
        for cell in (config, summary):
            row |= {key: value for key, value in _dictionary(source, cell, number).items() if not key.startswith("_")}
        rows.append(row)
    frame = pd.DataFrame(rows, dtype=object)
    return frame.where(frame.notna(), None)


def _dictionary(source: Source, cell: object, number: int) -> dict[str, Any]:
    text = re.sub(r"(?<=[:\[,(])\s*(-?inf|nan)\b", "None", str(cell))
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ReadingError(f"a cell of {source.name!r} is no dictionary", where=f"row {number:,}", remedy=BROKEN)
    return {str(key): one for key, one in value.items() if not isinstance(one, (dict, list, tuple))}


def can_read(head: bytes, path: Path) -> bool:
    """Whether a file is a logged table, or runs with their states."""
    if path.name.endswith(".table.json"):
        return head.lstrip().startswith(b"{") and b'"columns"' in head
    line = head.partition(b"\n")[0].decode("utf-8", "replace").casefold().replace('"', "").strip("\ufeff\r")
    names = line.split(",")
    return {"name", "state", "created"} <= {*names} or {"summary", "config", "name"} <= {*names}


WANDB = Harness(
    name="W&B",
    endings=(".table.json", ".csv"),
    read=read_wandb,
    can_read=can_read,
    marks=(b'"columns"', b"Created", b"created", b"config"),
    taken=Taken(
        files="`*.table.json`; runs exported as CSV",
        system="column of systems (`model`); else the run",
        dataset="column of datasets; else the name of the table or of the file",
        instance="of tables a column of ids, else the row; – of runs",
        run="of runs a column of seeds, else the name of the run",
        metric="column of scores",
        refused="several columns that may hold the scores (name one: `--metric`). Runs that are not finished "
        "are left out; tables of exactly 10,000 rows are a warning",
    ),
)
