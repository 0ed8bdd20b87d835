"""Several tables as one frame: what no column says, the names of files and folders say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pandas as pd
from pandas.api.types import union_categoricals

from reportkit.errors import ColumnError, InputError, ReadingError, SettingsError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import some
from reportkit.readers.format import Format
from reportkit.readers.predictions import (
    GOLD,
    Predictions,
    beside_gold,
    other_metrics,
    predictions_in,
    right_or_wrong,
    scored,
)
from reportkit.readers.score_columns import with_metric_column
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request
from reportkit.scores.table.columns import Columns, columns_text, folded, recognise_columns, role_named

NAMELESS = "results"
"""What a dataset is called that has no name: that of a frame."""

_Read = tuple[Source, pd.DataFrame, tuple[str, ...]]
"""A file, its rows, and the roles that its name has to play."""


def read_tables(
    files: Sequence[tuple[Source, Format]], request: Request, *, named: set[Path]
) -> tuple[Reading, list[str]]:
    """Read tables and put their rows together.

    Where a file has no column of datasets, its name is that of the dataset, and where it has none of systems, that of
    the system; with neither, the file is a system and its folder the dataset.

    Parameters
    ----------
    files : sequence of (Source, Format)
    request : Request
    named : set of Path
        Files that the user named one by one, which have to be read.

    Returns
    -------
    Reading
    list of str
        Paths of tables that hold no results, and are left out.

    Raises
    ------
    ReadingError
        If a file cannot be read.
    SettingsError
        If the columns of the files do not agree.
    """
    read: list[_Read] = []
    left: list[str] = []
    single = len(files) == 1
    tables: list[tuple[str, pd.DataFrame]] = []
    turned: tuple[Finding, ...] = ()
    for done, (source, known) in enumerate(files):
        request.progress(done, len(files))
        try:
            frame = known.read(source, columns=request.columns or None, systems=request.systems)
        except PermissionError as error:
            raise source.unreadable(error) from None
        tables.append((_stem(source), with_keys(frame, source.path, request)))
    with_gold = [tables[0][1]] if single else beside_gold(tables)
    for (source, _), shown in zip(files, with_gold, strict=True):
        if shown is None:
            continue
        frame = shown
        roles = roles_lacking(frame, request, single=single)
        if roles is None and single:
            frame, request, turned = _turned(frame, request)
        if roles is None and not single and source.path not in named:
            left.append(source.name)
        else:
            read.append((source, frame, roles or ()))
    request.progress(len(files), len(files))
    if not read:
        raise ReadingError(
            f"none of {len(files)} tables holds results by its columns",
            where=f"{left[0]!r} has " + columns_text([str(name) for name in _first_columns(files[0], request)]),
            remedy="give the file of the results; name its columns, such as --system-column NAME",
        )
    _refuse_different(read)
    full_names = len({source.plain_path.name for source, _, _ in read}) < len(read)
    name = ", ".join(sorted({known.name for _, known in files}))
    notes = (*turned, *(_named_by_files(read, full_names) if any(roles for _, _, roles in read) else ()))
    frame = _joined([_with_names(one, full_names) for one in read])
    return _shaped(frame, request, notes, format=name, n_files=len(files) - len(left)), left


def read_data_frame(frame: pd.DataFrame, request: Request) -> Reading:
    """Understand a frame as a table of a file is: predictions beside gold labels, no column of datasets, ...

    Parameters
    ----------
    frame : DataFrame
        With plain names of columns.
    request : Request

    Examples
    --------
    >>> reading = read_data_frame(pd.DataFrame({"id": [1, 2], "new": [1, 1], "old": [0, 1]}), Request())
    >>> print(reading.sentence())
    DataFrame: 2 systems, 1 dataset
    """
    notes: tuple[Finding, ...] = ()
    roles = roles_lacking(frame, request, single=True)
    if roles is None:
        frame, request, notes = _turned(frame, request)
    elif roles:
        frame = frame.assign(**_without_files(frame, roles))
        notes = tuple(_said_of_roles(roles, {"dataset": repr(NAMELESS)}, single=True, in_python=True))
    return replace(_shaped(frame, request, notes, format="DataFrame", n_files=0), source="DataFrame")


def _turned(frame: pd.DataFrame, request: Request) -> tuple[pd.DataFrame, Request, tuple[Finding, ...]]:
    """What nothing else is may be the table of a paper, with datasets in columns."""
    from reportkit.readers.leaderboard import with_systems_in_columns  # few tables are

    return with_systems_in_columns(frame, request)


def _shaped(
    frame: pd.DataFrame,
    request: Request,
    notes: Sequence[Finding],
    *,
    format: str,  # noqa: A002
    n_files: int,
) -> Reading:
    """What was understood of a whole table: scores in the place of predictions, and one column of scores."""
    others: tuple[str, ...] = ()
    found = _predictions(frame, request)
    if found is not None:
        others = tuple(name for name in other_metrics(found) if name not in request.metrics)
        frame, more = scored(frame, found, request)
        notes = (*notes, *more)
    elif not request.metrics and (columns := _columns_but_scores(frame, request)) is not None and columns.unused:
        frame, more = with_metric_column(frame, columns)
        notes = (*notes, *more)
    kept = {role: name for role, name in request.columns.items() if found is None or name in frame.columns}
    return Reading(
        frame=frame,
        format=format,
        notes=tuple(notes),
        other_metrics=others,
        columns=kept,
        systems=request.systems if found is None or not request.metrics else None,
        n_files=n_files,
    )


def _predictions(frame: pd.DataFrame, request: Request) -> Predictions | None:
    """Predictions beside gold labels, where the name of a column says that it holds these."""
    named = "gold" in request.columns or any(folded(str(name)) in GOLD for name in frame.columns)
    return predictions_in(frame, request) if named else None


def _columns_but_scores(frame: pd.DataFrame, request: Request) -> Columns | None:
    """What the columns are, where perhaps none is known to be the score; None if more is lacking."""
    names = [str(name) for name in frame.columns]
    for table, added in ((frame, False), ([*names, "score"], True)):
        if added and "score" in names:
            continue
        try:
            found = recognise_columns(table, request.columns, systems=request.systems)
        except (InputError, SettingsError):
            continue
        return replace(found, roles={role: name for role, name in found.roles.items() if name in names})
    return None


def _first_columns(file: tuple[Source, Format], request: Request) -> Sequence[object]:
    source, known = file
    return list(known.read(source, columns=request.columns or None, systems=request.systems).columns)


def roles_lacking(frame: pd.DataFrame, request: Request, *, single: bool) -> tuple[str, ...] | None:
    """Find roles that no column plays, so that files or rows have to; None if these are no results."""
    choices: tuple[tuple[str, ...], ...] = ((), ("dataset",))
    choices += (("instance",), ("dataset", "instance")) if single else (("system",), ("system", "dataset"))
    found = _predictions(frame, request)
    if found is not None:
        frame = right_or_wrong(frame, found)
    names = {*map(str, frame.columns)}
    given = {role: name for role, name in request.columns.items() if found is None or name in names}
    metric = request.metrics[0] if request.metrics and found is None else None
    if metric in names:  # a column of scores, though a metric of sums may have its name
        given, metric = {"score": str(metric)} | given, None
    for roles in choices:
        if any(role in request.columns or role in names for role in roles):
            continue
        try:
            columns = recognise_columns(
                frame.assign(**dict.fromkeys(roles, "")).head(200) if roles else frame,
                given,
                systems=request.systems,
                metric=metric,
            )
        except ColumnError:
            continue
        except (InputError, SettingsError):
            return None
        if "instance" not in roles or columns.form == "wide":  # rows of the long form say nothing of what is paired
            return roles
    if found is None and "score" not in names and not request.metrics:
        return roles_lacking(frame.assign(score=0.0), request, single=single) if _of_halves(frame, request) else None
    return None


def _of_halves(frame: pd.DataFrame, request: Request) -> bool:
    columns = _columns_but_scores(frame, request)
    return columns is not None and bool(columns.unused) and with_metric_column(frame, columns)[0] is not frame


def _refuse_different(read: Sequence[_Read]) -> None:
    """Files whose columns differ are not parts of one table."""
    by_columns: dict[tuple[frozenset[str], tuple[str, ...]], list[Source]] = defaultdict(list)
    for source, frame, roles in read:
        by_columns[frozenset(map(str, frame.columns)), roles].append(source)
    if len(by_columns) == 1:
        return
    kinds = list(by_columns.items())
    raise SettingsError(
        f"the columns of {len(read)} tables do not agree",
        where="; ".join(
            f"{sources[0].name!r}"
            + (f" and {len(sources) - 1} more" if len(sources) > 1 else "")
            + f": {columns_text(sorted(names))}"
            for (names, _), sources in kinds[:3]
        ),
        remedy=f"give those that belong together, such as {kinds[0][1][0].name!r}, or give all the same columns",
    )


def _with_names(one: _Read, full_names: bool = False) -> pd.DataFrame:
    """Rows with the names that no column holds; where files of several folders have one name, with the folder's."""
    source, frame, roles = one
    return frame.assign(**_without_files(frame, roles, _names(source.path, _stem(source), roles, full_names)))


def _names(path: Path, stem: str, roles: Sequence[str], full_names: bool) -> dict[str, str]:
    folder = path.parent.name
    if full_names and "system" not in roles:
        stem = f"{folder}/{stem}"
    return {"dataset": folder if "system" in roles else stem, "system": stem}


def names_of_files(paths: Sequence[Path], roles: Sequence[str]) -> tuple[list[dict[str, str]], tuple[Finding, ...]]:
    """What the names of files say in the place of columns: by role, for each file; and what to know about that."""
    if not roles:
        return [{} for _ in paths], ()
    full_names = len({path.name for path in paths}) < len(paths)
    named = [_names(path, path.name.removesuffix(path.suffix), roles, full_names) for path in paths]
    found = [{role: names[role] or NAMELESS for role in roles} for names in named]
    said = {role: some(list(dict.fromkeys(repr(names[role]) for names in found[:3]))) for role in roles}
    return found, tuple(_said_of_roles(roles, said, single=len(paths) == 1))


def keys_of(path: str | Path, request: Request) -> dict[str, str]:
    """What the names of folders say of all rows in them, as Hive and Spark write them: `dataset=cb/part-0.parquet`.

    Only names that a column of results could have count.

    Examples
    --------
    >>> keys_of("year=2026/dataset=cb%2Fv2/model=new/part-0.parquet", Request())
    {'dataset': 'cb/v2', 'model': 'new'}
    """
    pairs = (part.partition("=") for part in Path(path).parent.parts)
    named = {unquote(name): unquote(value) for name, _, value in pairs if name and value}
    return {k: value for k, value in named.items() if role_named(k) is not None or k in request.columns.values()}


def with_keys(frame: pd.DataFrame, path: str | Path, request: Request) -> pd.DataFrame:
    """The rows of a file with what the names of its folders say, where no column says it."""
    keys = {name: value for name, value in keys_of(path, request).items() if name not in frame.columns}
    return frame.assign(**{name: pd.Categorical([value]).repeat(len(frame)) for name, value in keys.items()})


def _stem(source: Source) -> str:
    path = Path(source.plain_path.name)
    return path.name.removesuffix(path.suffix)


def _without_files(frame: pd.DataFrame, roles: Sequence[str], names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Columns of the roles: names, or the numbers of the rows."""
    return {
        role: np.arange(1, len(frame) + 1)
        if role == "instance"
        else pd.Categorical([(names or {}).get(role) or NAMELESS] * len(frame))
        for role in roles
    }


def _named_by_files(read: Sequence[_Read], full_names: bool) -> list[Finding]:
    roles = read[0][2]
    examples = [_with_names(one, full_names) for one in read[:3]]
    said: dict[str, str] = {
        role: some(list(dict.fromkeys(repr(str(frame[role].cat.categories[0])) for frame in examples)))
        for role in ("dataset", "system")
        if role in roles
    }
    return _said_of_roles(roles, said, single=len(read) == 1)


def _said_of_roles(
    roles: Sequence[str], said: Mapping[str, str], *, single: bool, in_python: bool = False
) -> list[Finding]:
    """What names and rows stand for, and the option that says otherwise, as the user works."""

    def option(role: str) -> str:
        return f"{role}='NAME'" if in_python else f"--{role}-column NAME"

    found = []
    names = [role for role in roles if role != "instance"]
    if names:
        what = ("the frame is one" if in_python else "the file is one") if single else "each file is a"
        if names == ["dataset"]:
            message = f"No column holds datasets: {what} dataset, {said['dataset']}."
        elif names == ["system"]:
            message = f"No column holds systems: {what} system, {said['system']}."
        else:
            message = f"No column holds systems or datasets: each file is a system, {said['system']}, "
            message += f"and its folder the dataset, {said['dataset']}."
        role = "dataset" if "dataset" in names else "system"
        found.append(
            Finding("names-of-files", "info", message, remedy=f"if a column holds them, name it: {option(role)}")
        )
    if "instance" in roles:
        found.append(
            Finding(
                "rows-as-instances",
                "info",
                "No column holds ids: each row is an instance.",
                remedy=f"if a column holds them, name it: {option('instance')}",
            )
        )
    return found


def _joined(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Rows of several frames with the same columns; categoricals stay such, whatever their categories."""
    if len(frames) == 1:
        return frames[0]
    columns: Mapping[str, list[pd.Series]] = {name: [frame[name] for frame in frames] for name in frames[0].columns}
    return pd.DataFrame(
        {
            name: union_categoricals(parts)
            if all(isinstance(part.dtype, pd.CategoricalDtype) for part in parts)
            else pd.concat(parts, ignore_index=True)
            for name, parts in columns.items()
        },
        copy=False,
    )
