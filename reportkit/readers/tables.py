"""One table, or several that are parts of one: names that no column holds are those of the files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
from pandas.api.types import union_categoricals

from reportkit.errors import ColumnError, InputError, ReadingError, SettingsError
from reportkit.finding import Finding
from reportkit.readers.format import Format
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request, listed
from reportkit.scores.table.columns import columns_text, recognise_columns

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
    for done, (source, known) in enumerate(files):
        request.progress(done, len(files))
        try:
            frame = known.read(source, columns=request.columns or None, systems=request.systems)
        except PermissionError as error:
            raise source.unreadable(error) from None
        roles = _of_name(frame, request, single=single)
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
    notes = tuple(_notes(read, full_names)) if any(roles for _, _, roles in read) else ()
    frames = [_with_names(one, full_names) for one in read]
    frame = _joined(frames)
    return (
        Reading(
            frame=frame, format=name, notes=notes, columns=request.columns, systems=request.systems, n_files=len(read)
        ),
        left,
    )


def _first_columns(file: tuple[Source, Format], request: Request) -> Sequence[object]:
    source, known = file
    return list(known.read(source, columns=request.columns or None, systems=request.systems).columns)


def _of_name(frame: pd.DataFrame, request: Request, *, single: bool) -> tuple[str, ...] | None:
    """Roles that the name of the file has to play; None if these are no results even so."""
    choices: tuple[tuple[str, ...], ...] = ((), ("dataset",))
    if not single:
        choices = (*choices, ("system",), ("system", "dataset"))
    for roles in choices:
        if any(role in request.columns or role in frame.columns for role in roles):
            continue
        try:
            recognise_columns(
                frame.assign(**dict.fromkeys(roles, "")).head(200) if roles else frame,
                request.columns,
                systems=request.systems,
                metric=request.metrics[0] if request.metrics else None,
            )
        except ColumnError:
            continue
        except (InputError, SettingsError):
            return None
        return roles
    return None


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
    path = Path(source.plain_path.name)
    stem = path.name.removesuffix(path.suffix)
    if full_names and "system" not in roles:
        stem = f"{source.path.parent.name}/{stem}"
    names = {"dataset": source.path.parent.name if "system" in roles else stem, "system": stem}
    return frame.assign(**{role: pd.Categorical([names[role] or "results"] * len(frame)) for role in roles})


def _notes(read: Sequence[_Read], full_names: bool) -> list[Finding]:
    roles = read[0][2]
    examples = [_with_names(one, full_names) for one in read[:3]]
    said = {
        role: listed([repr(str(frame[role].cat.categories[0])) for frame in examples])
        for role in ("dataset", "system")
        if role in roles
    }
    what = "each file is a" if len(read) > 1 else "the file is one"
    if roles == ("dataset",):
        message = f"No column holds datasets: {what} dataset, {said['dataset']}."
    elif roles == ("system",):
        message = f"No column holds systems: {what} system, {said['system']}."
    else:
        message = f"No column holds systems or datasets: each file is a system, {said['system']}, "
        message += f"and its folder the dataset, {said['dataset']}."
    option = "--dataset-column NAME" if "dataset" in roles else "--system-column NAME"
    return [Finding("names-of-files", "info", message, remedy=f"if a column holds them, name it: {option}")]


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
