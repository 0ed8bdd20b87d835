"""scikit-learn: `cv_results_` of a search, and what `cross_validate` returns, as tables."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import some
from reportkit.readers import json_content
from reportkit.readers.choosing import one_metric
from reportkit.readers.format import Harness, Taken
from reportkit.readers.frame_builder import long_frame, unscored, without_rows
from reportkit.readers.harnesses.names import distinct_names, folder_name
from reportkit.readers.json_content import BROKEN, member_of, shown
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request
from reportkit.scores.table.columns import refuse_repeated_names

_SPLIT = re.compile(r"split(\d+)_test_(.+)")
_FOLDS = re.compile(r"test_(.+)")
_TIMES = ("fit_time", "score_time")


def read_cross_validation(files: Sequence[Source], request: Request) -> Reading:
    """Read one score per fold; systems are the candidates of a search, or the files."""
    tables = []
    for done, source in enumerate(files, start=1):
        tables.append(_table_of(source))
        request.progress(done, len(files))
    searches = [any(map(_SPLIT.fullmatch, map(str, table.columns))) for table in tables]
    metrics = [
        dict.fromkeys(
            match.group(2 if search else 1)
            for name in map(str, table.columns)
            if (match := (_SPLIT if search else _FOLDS).fullmatch(name))
        )
        for table, search in zip(tables, searches, strict=True)
    ]
    everywhere = [name for name in metrics[0] if all(name in one for one in metrics)]
    if not everywhere:
        raise ReadingError(
            "no metric is in all tables",
            where="; ".join(
                f"{source.name!r}: {some(list(one))}" for source, one in zip(files[:3], metrics, strict=False)
            ),
            remedy="score all systems by the same metrics",
        )
    metric, others, chosen = one_metric(request, everywhere, ["score"])
    paths = [source.plain_path for source in files]
    of_folder = [folder_name(path, "dataset") for path in paths]
    names = distinct_names([path.stem for path in paths], paths, of_folder)
    rows: dict[str, list[object]] = {name: [] for name in ("system", "dataset", "fold", "metric", "score")}
    n_unscored = 0
    for source, table, search, name, folder in zip(files, tables, searches, names, of_folder, strict=True):
        scores, systems = _of_search(source, table, metric) if search else _of_folds(source, table, metric, name)
        dataset = name if search else folder
        for system, of_system in zip(systems, scores, strict=True):
            for fold, score in enumerate(of_system):
                if np.isnan(score):
                    n_unscored += 1
                    continue
                for column, value in zip(
                    rows.values(), (system, dataset, str(fold), metric, float(score)), strict=True
                ):
                    column.append(value)
    if not rows["score"]:
        raise without_rows("fold with a score", f"metric {metric!r}")
    notes = [
        *chosen,
        *unscored(n_unscored, "a fit failed (NaN)"),
        Finding(
            "folds-paired",
            "info",
            "Scores pair by the number of the split; systems have to be validated on the same splits (the same cv with "
            "a fixed random_state).",
        ),
    ]
    return Reading(
        frame=long_frame(rows),
        format="scikit-learn",
        metrics=dict.fromkeys(map(str, rows["dataset"]), (metric,)),
        other_metrics=others,
        paired_on="split",
        higher_is_better={metric: True},
        notes=tuple(notes),
        n_files=len(files),
    )


def _of_search(source: Source, table: pd.DataFrame, metric: str) -> tuple[np.ndarray, list[str]]:
    """Of `cv_results_`: one row per candidate, one column per split."""
    columns = sorted(
        ((int(match.group(1)), name) for name in map(str, table.columns) if (match := _SPLIT.fullmatch(name))
         and match.group(2) == metric),
    )  # fmt: skip
    if [number for number, _ in columns] != list(range(len(columns))):
        raise ReadingError(
            f"{source.name!r} lacks scores of a split", where=some([name for _, name in columns]),
            remedy="save all columns: pd.DataFrame(search.cv_results_).to_csv(path, index=False)",
        )  # fmt: skip
    scores = np.column_stack([_cells(source, table, name) for _, name in columns])
    parameters = [str(name) for name in table.columns if str(name).startswith("param_")]
    varied = [name for name in parameters if len({*table[name].astype(str)}) > 1]
    if varied:
        systems = [
            ", ".join(f"{name.removeprefix('param_')}={value}" for name, value in zip(varied, values, strict=True))
            for values in table[varied].astype(str).itertuples(index=False)
        ]
    else:
        systems = [f"candidate {number}" for number in range(1, len(table) + 1)]
    if len({*systems}) < len(systems):
        systems = [f"{system} ({number})" for number, system in enumerate(systems, start=1)]
    return scores, systems


def _of_folds(source: Source, table: pd.DataFrame, metric: str, name: str) -> tuple[np.ndarray, list[str]]:
    """Of `cross_validate`: one row per split."""
    return _cells(source, table, f"test_{metric}")[None, :], [name]


def _table_of(source: Source) -> pd.DataFrame:
    """Return the rows of a table; cells of CSV are texts, "" where they are empty.

    Raises
    ------
    ReadingError
        If it is damaged or has no rows.
    """
    if source.plain_path.suffix.lower() == ".json":
        table = _json_table(source)
    else:
        separator = "\t" if source.plain_path.suffix.lower() == ".tsv" else ","
        try:
            table = pd.read_csv(
                io.BytesIO(source.read_all()), sep=separator, dtype=str, keep_default_na=False, encoding="utf-8-sig"
            )
        except (ValueError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
            raise ReadingError(
                f"{source.name!r} is no table", where=" ".join(str(error).split())[:200], remedy=BROKEN
            ) from None
        if not isinstance(table.index, pd.RangeIndex):
            raise ReadingError(f"{source.name!r} has more cells in a row than in its header", remedy=BROKEN)
    if not len(table):
        raise ReadingError(f"{source.name!r} has no rows", remedy=BROKEN)
    return table


def _json_table(source: Source) -> pd.DataFrame:
    """Return a table of JSON: a list of objects, or columns of cells, as lists or by row number."""
    document = json_content.document(source)
    if isinstance(document, list):
        rows = [member_of(source, row, dict, f"row {number:,}") for number, row in enumerate(document, start=1)]
        names = list(dict.fromkeys(name for row in rows for name in row))
        columns: dict[str, Any] = {name: [row.get(name) for row in rows] for name in names}
    else:
        member_of(source, document, dict, "the whole file")
        columns = {name: list(cells.values()) if isinstance(cells, dict) else cells for name, cells in document.items()}
    lengths = {len(cells) if isinstance(cells, list) else -1 for cells in columns.values()}
    if len(lengths) != 1 or -1 in lengths:
        raise ReadingError(
            f"{source.name!r} is no table",
            where=f"keys {', '.join(map(repr, list(columns)[:8]))}",
            remedy="write a list of objects, one per row: df.to_json(path, orient='records')",
        )
    refuse_repeated_names(list(columns))
    return pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in columns.items()})


def _cells(source: Source, table: pd.DataFrame, name: str) -> NDArray[np.float64]:
    """Return the numbers of a column; NaN where a cell is empty.

    Raises
    ------
    ReadingError
        If a cell holds something else.
    """
    values = np.full(len(table), np.nan)
    for place, cell in enumerate(table[name]):
        if cell is None or (isinstance(cell, str) and cell.strip().casefold() in ("", "nan", "null", "none")):
            continue
        try:
            values[place] = float(cell if isinstance(cell, (str, bool, int, float)) else "a list")
        except (ValueError, OverflowError):
            raise ReadingError(
                f"{source.name!r} holds {shown(cell)} in the column {name!r}", where=f"row {place + 1:,}", remedy=BROKEN
            ) from None
        if np.isinf(values[place]):
            raise ReadingError(
                f"{source.name!r} holds an infinite score in the column {name!r}",
                where=f"row {place + 1:,}",
                remedy=BROKEN,
            )
    return values


def can_read(head: bytes, path: Path) -> bool:
    """Whether a table has a column per split, or the times of fits and scores."""
    if not head.strip() or b"\x00" in head:
        return False
    start = head[: 1 << 14].decode("utf-8", "replace")
    line = start.partition("\n")[0] if path.suffix.lower() != ".json" else start
    of_search = re.search(r"\bsplit0_test_\w", line) is not None
    return of_search or (all(name in line for name in _TIMES) and re.search(r"\btest_\w", line) is not None)


CROSS_VALIDATION = Harness(
    name="scikit-learn",
    endings=(".csv", ".tsv", ".json"),
    read=read_cross_validation,
    can_read=can_read,
    marks=(b"split0_test_", b"score_time"),
    taken=Taken(
        files="`cv_results_` of a search, or what `cross_validate` returns, as CSV or JSON",
        system="parameters that differ (`param_*`); of `cross_validate` the name of the file",
        dataset="name of the file; of `cross_validate` its folder",
        instance="– (one score per fold)",
        run="fold: number of the split",
        metric="`score` where it is there; each metric that all tables have",
        refused="columns of splits that are not complete; a failed fit is left out",
    ),
)
