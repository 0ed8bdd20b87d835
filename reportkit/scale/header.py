"""What the columns of results say before a row is read: what is read how, and what has to be read."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet

from reportkit.errors import ReportkitError, UnknownNameError
from reportkit.finding import Finding
from reportkit.readers.categorical import is_text
from reportkit.readers.parquet import frame_of_table
from reportkit.readers.tables import keys_of, names_of_files, roles_lacking
from reportkit.readers.understood import Request
from reportkit.scale.units import Place
from reportkit.scores.ingest import NotInPartsError
from reportkit.scores.several_metrics import Recipe, recipes
from reportkit.scores.table.columns import Columns, recognise_columns, role_named
from reportkit.scores.table.names import natural_order
from reportkit.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What the columns say, before a row is read.

    Parameters
    ----------
    recipes : tuple of (Recipe, Columns)
        How each metric is read.
    columns : tuple of str
        What has to be read of the files.
    dataset : str
        The column of datasets.
    notes : tuple of Finding
        Whose names play a part.
    places : tuple of Place
        The files, with what their names say.
    names_are_plain : bool
        Whether datasets are named by texts or whole numbers, which are spelt in one way.
    """

    recipes: tuple[tuple[Recipe, Columns], ...]
    columns: tuple[str, ...]
    dataset: str
    notes: tuple[Finding, ...]
    places: tuple[Place, ...]
    names_are_plain: bool


def refuse_unknown_datasets(datasets: Sequence[str], names: Collection[str]) -> None:
    """Raise UnknownNameError for a dataset that is asked for and does not occur."""
    for name in datasets:
        if name not in names:
            raise UnknownNameError("dataset", name, natural_order({*names}))


def header_of(places: Sequence[Place], request: Request, settings: Settings) -> Header:
    """Recognise the columns of files of Parquet without reading a row.

    Parameters
    ----------
    places : sequence of Place
        All files.
    request : Request
        What the user says of them.
    settings : Settings
        As for `reportkit.read`.

    Raises
    ------
    NotInPartsError
        If files differ, or only their rows tell what they hold.
    """
    schemas = [place.opened().schema_arrow for place in places]
    fields = ({(field.name, _kind(field.type)) for field in schema} for schema in schemas)
    if len({*map(frozenset, fields)}) > 1:
        raise NotInPartsError("the columns of the files differ")
    frame = frame_of_table(schemas[0].empty_table())
    keys = [
        {name: value for name, value in keys_of(place.path, request).items() if name not in frame.columns}
        for place in places
    ]
    if len({frozenset(own) for own in keys}) > 1:
        raise NotInPartsError("folders are named in several ways")
    frame = frame.assign(**{name: pd.Categorical([], categories=[value]) for name, value in keys[0].items()})
    roles = _roles_lacking(frame, request, single=len(places) == 1)
    named, notes = names_of_files([Path(place.path) for place in places], roles)
    frame = frame.assign(**{role: pd.Categorical([]) for role in roles})
    how = _recipes(frame, request, settings)
    known = tuple(
        dataclasses.replace(place, keys=tuple({**own, **of_file}.items()))
        for place, own, of_file in zip(places, keys, named, strict=True)
    )
    return Header(
        recipes=how,
        columns=_used(frame, how),
        dataset=how[0][1].roles["dataset"],
        notes=notes,
        places=known,
        names_are_plain=_plain_names(frame[how[0][1].roles["dataset"]]),
    )


def _plain_names(column: pd.Series[Any]) -> bool:
    """Whether a column of names, of which there need be no row, has texts or whole numbers."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        names = column.cat.categories
        return pd.api.types.is_integer_dtype(names) or pd.api.types.is_string_dtype(names)
    kind = column.dtype
    return pd.api.types.is_integer_dtype(kind) or (
        not pd.api.types.is_object_dtype(kind) and pd.api.types.is_string_dtype(kind)
    )


def _used(frame: pd.DataFrame, how: Sequence[tuple[Recipe, Columns]]) -> tuple[str, ...]:
    used = {name for _, columns in how for name in (*columns.roles.values(), *columns.systems)}
    return tuple(str(name) for name in frame.columns if name in used)


def _roles_lacking(frame: pd.DataFrame, request: Request, *, single: bool) -> tuple[str, ...]:
    try:
        roles = roles_lacking(frame, request, single=single)
    except ReportkitError:
        roles = None
    if roles is None or "instance" in roles:
        raise NotInPartsError("only rows tell what the columns are")
    return roles


def _recipes(frame: pd.DataFrame, request: Request, settings: Settings) -> tuple[tuple[Recipe, Columns], ...]:
    metrics, columns = settings.metrics, request.columns
    standing = any(metric in frame.columns for metric in metrics) and "score" not in columns

    def recognised(table: pd.DataFrame, roles: Any, metric: str | None) -> Columns:
        return recognise_columns(
            table, roles, systems=request.systems, without_instances=settings.across_datasets, metric=metric
        )

    def names_metrics(metric: str) -> bool:
        return "metric" in recognise_columns(frame, columns, metric=metric).roles

    if len(metrics) > 1 or standing:
        how = recipes(list(frame.columns), metrics, names_metrics, columns, settings.higher_is_better, settings.kind)
    else:
        metric = next(iter(metrics), None)
        how = [Recipe(metric=metric, columns=columns, higher_is_better=settings.higher_is_better, kind=settings.kind)]
    found = [(one, recognised(frame.drop(columns=list(one.left_out)), one.columns, one.metric)) for one in how]
    for one, known in found:
        numbers = known.systems or tuple(known.roles[role] for role in ("score",) if role in known.roles)
        others = [name for name in known.unused if role_named(name) == "score"]
        computed = one.metric is not None and "metric" not in known.roles
        if known.form == "printed" or not numbers or {"gold", "k", "n"} & {*known.roles} or others or computed:
            raise NotInPartsError("these are not scores of instances alone")
        if not all(pd.api.types.is_numeric_dtype(frame[name].dtype) for name in numbers):
            raise NotInPartsError("scores are texts")
    return tuple(found)


def _kind(kind: pa.DataType) -> str:
    return "text" if is_text(kind) else str(kind)
