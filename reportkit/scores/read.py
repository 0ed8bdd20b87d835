"""Read results: from files, folders or a frame to one long frame, what was understood, and validated results."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from reportkit.errors import ReadingError, SettingsError, UnknownNameError
from reportkit.finding import Finding
from reportkit.harnesses import Harvest, read_harness
from reportkit.harnesses.file import File
from reportkit.language.counts_and_lists import counted, listed
from reportkit.scores.columns import Table
from reportkit.scores.files import copied, excluded, files_of, is_url
from reportkit.scores.frames import as_frame
from reportkit.scores.joining import joined
from reportkit.scores.layouts import (
    NAMELESS,
    laid_out,
    names_of,
    without_averages,
    without_lone_systems,
    without_sentinels,
)
from reportkit.scores.names import direction_of, folded, listed_in, metric_of, words
from reportkit.scores.questions import (
    FILES,
    Proposal,
    QuestionError,
    Request,
    Roles,
    columns_text,
    entries,
)
from reportkit.scores.reading import Reading
from reportkit.scores.roles import decide
from reportkit.scores.spellings import Decimal
from reportkit.scores.tables import read_table

if TYPE_CHECKING:
    from reportkit.metrics.corpus import CorpusMetric


def read(source: object, request: Request | None = None, *, decimal: Decimal = "auto") -> Reading:
    """Read files or a frame as one long frame.

    Parameters
    ----------
    source : path, sequence of paths, or frame
        Files, folders, patterns; or a frame of pandas, polars, pyarrow, ...
    request : Request, optional
        What the user says: metrics, columns, directions.
    decimal : {"auto", "point", "comma"}
        What "1,234" means, where nothing else tells.

    Returns
    -------
    Reading

    Raises
    ------
    QuestionError
        If more than one reading is possible, or none; the message holds the commands that settle it.
    ReadingError
        If nothing can be read, or a file that was named is damaged.
    """
    request = request or Request()
    paths = paths_of(source)
    if paths is None:
        return understood_table(as_frame(source, request.columns), request, decimal=decimal)[0]
    if any(map(is_url, paths)):
        with tempfile.TemporaryDirectory(prefix="reportkit-") as folder:
            return read([*map(str, copied([str(path) for path in paths], Path(folder)))], request, decimal=decimal)
    files, notes = files_of(paths)
    left = [file for file in files if any(excluded(file.path, one) for one in request.exclude)]
    kept = [file for file in files if file not in left]
    if not kept:
        raise SettingsError("--exclude leaves no file", remedy="give a pattern that fits fewer files")
    if left:
        message = f"{counted(len(left), 'file')} left out by --exclude."
        notes.append(Finding("files-excluded", "warning", message, listed([file.name for file in left], 5)))
    of_names = tuple(one for one in request.exclude if not any(excluded(file.path, one) for file in files))
    request = replace(request, exclude=of_names)
    names = [Path(path).resolve().name or str(path) for path in paths]
    said = names[0] if len(names) == 1 else listed(names, 3)
    harvest = read_harness(kept, request.format, request.metrics)
    if harvest is not None:
        return _of_harvest(harvest, request, said, notes, kept)
    frame, stems, more = joined(kept, request, named=len(kept) == len(paths))
    folders = {file.path.absolute().parent.name for file in kept}
    dataset = stems[0] if len(set(stems)) == 1 else folders.pop() if len(folders) == 1 else NAMELESS
    return understood_table(
        frame, request, decimal=decimal, source=said, dataset=dataset, notes=[*notes, *more], stems=stems
    )[0]


def read_frame(path: str | Path) -> pd.DataFrame:
    """Read the table of one file as it is there; names and ids of delimited files are texts.

    Raises
    ------
    ReadingError
        If there is no such file, or it is no table.
    """
    if Path(path).is_dir():
        raise ReadingError(f"{str(path)!r} is a folder", remedy="give one file of results")
    files, _ = files_of([path])
    found = read_table(files[0], named=True) if len(files) == 1 else None
    if found is None:
        problem = f"{str(path)!r} is an archive of {len(files)} files"
        raise ReadingError(problem, remedy="unpack it, and give one of them")
    return found[0]


def paths_of(source: object) -> list[str | Path] | None:
    """Return what names files; None of a frame."""
    if isinstance(source, (str, os.PathLike)):
        source = [source]
    if isinstance(source, (list, tuple)) and source and all(isinstance(one, (str, os.PathLike)) for one in source):
        return [str(one) if is_url(one) else Path(one) for one in source]
    return None


# --- tables ----------------------------------------------------------------------------------------------------------


def understood_table(
    frame: pd.DataFrame,
    request: Request,
    *,
    decimal: Decimal = "auto",
    source: str = "DataFrame",
    dataset: str = NAMELESS,
    notes: Sequence[Finding] = (),
    stems: Sequence[str] = (),
    roles: Roles | None = None,
) -> tuple[Reading, Roles]:
    """Understand one table: its roles, the long form, and the direction of each metric.

    Parameters
    ----------
    frame : DataFrame
    request, decimal
        As for `read`.
    source : str
        Name of the file, or "DataFrame".
    dataset : str
        Name of the dataset, where no column names it.
    notes : sequence of Finding
        What was noticed before.
    stems : sequence of str
        Names of the files, without their endings.
    roles : Roles, optional
        Roles of the columns, where they are known.

    Raises
    ------
    QuestionError
        If more than one reading is possible, or none.
    """
    frame = _with_plain_cells(frame)
    table = Table(frame)
    roles = roles or decide(table, request)
    columns = columns_text(table, roles.reasons)
    if roles.form == "printed":
        return Reading(
            frame=frame.rename(columns={name: role for role, name in roles.roles.items()}),
            source=source,
            form="printed",
            columns=roles.roles,
            sentence=f"a printed table: {counted(len(frame), 'dataset')} with two scores and a p-value",
            table=columns,
            findings=tuple(notes),
        ), roles
    lines_of = source if len(stems) == 1 else "DataFrame"
    long, computed, more = laid_out(frame, roles, request, decimal=decimal, dataset=dataset, source=lines_of)
    long, cleaned = _cleaned(long, request)
    every, datasets = names_of(long, "metric"), names_of(long, "dataset")
    if wanted := [name for name in every if _is_asked(name, request)]:
        long = long[long["metric"].astype(str).isin(wanted)].reset_index(drop=True) if wanted != every else long
    directions = _directions(long, computed, request, {}, stems, table, roles, every)
    unused = {name: why for name, why in roles.reasons.items() if why.startswith(("not used", "another"))}
    score = {"score": ", ".join(roles.metrics)} if {*roles.metrics} & {*table.columns} else {}
    reading = Reading(
        frame=long,
        source=source,
        form=roles.form,
        table=columns,
        directions=directions,
        computed=computed,
        aggregates=_aggregates(long, computed),
        other_metrics=tuple(n for n, why in unused.items() if why.startswith("another metric")),
        columns=roles.roles | score,
        named_datasets=tuple(datasets),
        n_rows=len(frame),
        lines_of=lines_of if len(long) == len(frame) and not roles.columns else "",
        unused_columns=tuple(name for name in unused if name not in FILES),
        findings=(*notes, *more, *cleaned),
    )
    return replace(reading, sentence=_sentence(reading, roles)), roles


def _with_plain_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Write lists and objects in cells as texts, which can be compared."""

    def is_nested(cell: object) -> bool:
        return isinstance(cell, (list, dict, set)) or hasattr(cell, "shape")

    nested = [name for name in frame.columns if frame[name].dtype == object and frame[name].map(is_nested).any()]
    if not nested:
        return frame
    return frame.assign(**{name: frame[name].map(lambda cell: None if cell is None else str(cell)) for name in nested})


def _sentence(reading: Reading, roles: Roles) -> str:
    """Say in one line how many systems and datasets there are, named by what, scored by what, paired on what."""
    column = roles.roles.get("system", "")
    word = next((w for w in words(column) if listed_in(w, "words", "plurals")), "system")
    wide = roles.columns and roles.form in ("wide", "predictions")
    averages = [name for name, why in roles.reasons.items() if why == "not used: an average"]
    parts = [
        counted(len(reading.names("system")), word)
        + (f" (columns {entries(list(roles.columns))})" if wide else _from_where(column)),
        counted(len(reading.names("dataset")), "dataset") + _from_where(roles.roles.get("dataset", "")),
        f"scored by {_metrics_text(reading)}" + (f" (without {entries(averages)}: an average)" if averages else ""),
    ]
    paired = "the order of rows" if roles.row_order else roles.roles.get("instance", "")
    return ", ".join(parts) + (f"; paired on {paired}" if "instance" in reading.frame and paired else "")


def _from_where(column: str) -> str:
    return f" (column {column})" if column and column not in FILES else f" ({column})" if column else ""


def _metrics_text(reading: Reading) -> str:
    """Name the metrics, and which of them are better when lower."""
    counted_right = {"k", "n"} <= {*reading.frame.columns}
    metrics = reading.names("metric") or list(reading.computed) or (["k of n"] if counted_right else ["score"])
    low = " (lower is better)"
    return listed([name + (low if reading.directions.get(name) is False else "") for name in metrics], 5)


# --- tables and tools ------------------------------------------------------------------------------------------------


def _is_asked(name: str, request: Request) -> bool:
    return folded(name) in map(folded, request.metrics)


def _aggregates(long: pd.DataFrame, computed: Sequence[str]) -> bool:
    """Whether there is one score per system and dataset, and nothing says over how many instances."""
    return not {"instance", "seed", "fold", "n"} & {*long.columns} and not computed


def _cleaned(long: pd.DataFrame, request: Request) -> tuple[pd.DataFrame, list[Finding]]:
    """Leave out averages, sentinels, lone systems, and what `--exclude` names."""
    long, averages = without_averages(long)
    long, sentinels = without_sentinels(long)
    left: list[str] = []
    for role in ("system", "dataset") if request.exclude else ():
        fit = [name for name in names_of(long, role) if any(excluded(Path(name), one) for one in request.exclude)]
        long = long[~long[role].astype(str).isin(fit)].reset_index(drop=True) if fit else long
        left += fit
    for unused in [one for one in request.exclude if not any(excluded(Path(name), one) for name in left)]:
        raise SettingsError(
            f"--exclude {unused} fits no file, system or dataset",
            where=f"systems {entries(names_of(long, 'system'))}; datasets {entries(names_of(long, 'dataset'))}",
            remedy="give a name, or a pattern such as '*.log'",
        )
    shown = listed(list(map(repr, left)), 5)
    notes = [Finding("names-excluded", "warning", "Left out by --exclude.", shown)] if left else []
    long, lone = without_lone_systems(long)
    return long, [*averages, *sentinels, *notes, *lone]


def _directions(
    long: pd.DataFrame,
    computed: Sequence[str],
    request: Request,
    said: Mapping[str, bool],
    stems: Sequence[str] = (),
    table: Table | None = None,
    roles: Roles | None = None,
    others: Sequence[str] = (),
) -> dict[str, bool]:
    """Return whether higher is better, by metric: as the user says, the files say, or the name says.

    Raises
    ------
    QuestionError
        If none of them says it.
    """
    names = names_of(long, "metric") or list(computed) or ["score"]
    asked = {folded(name): higher for name, higher in request.directions.items()}
    known = {folded(name) for name in (*names, *others, "score", *(table.columns if table is not None else ()))}
    for strange in [name for name in request.directions if folded(name) not in known]:
        raise UnknownNameError("metric", strange, names, where="higher_is_better (--lower-is-better)")
    found: dict[str, bool] = {}
    for name in names:
        corpus = _corpus_metric(name) if computed else None
        ways = (
            asked.get(folded(name), asked.get("score") if len(names) == 1 else None),
            request.one_direction,
            said.get(name),
            None if corpus is None else corpus.higher_is_better,
            direction_of(name),
        )
        known_ways = [way for way in ways if way is not None]
        found |= {name: known_ways[0]} if known_ways else {}
    wanted = [name for name in names if _is_asked(name, request)] or names
    unknown = [name for name in wanted if name not in found]
    if names == ["score"] and not asked and request.one_direction is None:
        unknown += ["score" for stem in stems[:1] if (one := metric_of(stem)) is not None and not one.higher]
    if unknown:
        across = _aggregates(long, computed) and not request.across_datasets
        raise QuestionError(
            f"is {' or '.join(map(repr, unknown[:5]))} better when higher or when lower?",
            request,
            table=table,
            could=None if roles is None else roles.reasons,
            proposals=[
                Proposal(when="higher is better", higher=tuple(unknown), across_datasets=across),
                Proposal(when="lower is better", lower=tuple(unknown), across_datasets=across),
            ],
        )
    return found


def _corpus_metric(name: str) -> CorpusMetric | None:
    from reportkit.metrics.corpus import corpus_metric_named  # few tables hold counts

    return corpus_metric_named(name)


def _of_harvest(
    harvest: Harvest, request: Request, source: str, notes: Sequence[Finding], files: Sequence[File]
) -> Reading:
    """Take what a tool wrote, by one metric for each dataset."""
    frame = harvest.frame.rename(columns={"run": "seed"})
    others: tuple[str, ...] = ()
    known = names_of(frame, "filter")
    chosen = request.filter or harvest.filter or (known or [""])[0]
    if chosen not in known and (known or request.filter is not None):
        remedy = f"take --filter {known[0]}: {listed(known, 5)}" if known else "leave --filter out"
        raise SettingsError(f"there is no filter {chosen!r}", remedy=remedy)
    if known:
        kept = (frame["filter"] == chosen) | frame["filter"].isna()
        frame = frame[kept].drop(columns="filter").reset_index(drop=True)
    computed = (harvest.computed,) if harvest.computed else ()
    if "metric" in frame and not computed:
        frame, others = _chosen_metrics(frame, harvest, request)
    frame, cleaned = _cleaned(frame, request)
    findings = [*notes, *harvest.findings, *cleaned]
    if unread := [file.name for file in files if harvest.used and file.name not in harvest.used]:
        message = f"{counted(len(unread), 'file was', 'files were')} not read: not of {harvest.name}."
        findings.append(Finding("files-not-read", "info", message, listed(unread, 5)))
    reading = Reading(
        frame=frame,
        source=source,
        form="harness",
        n_rows=len(frame),
        directions=_directions(frame, computed, request, harvest.directions),
        computed=computed,
        aggregates=_aggregates(frame, computed),
        other_metrics=others,
        other_filters=tuple(name for name in known if name != chosen),
        nouns=harvest.nouns,
        findings=tuple(findings),
    )
    systems, datasets = (
        counted(len(reading.names(role)), noun) for role, noun in zip(("system", "dataset"), harvest.nouns, strict=True)
    )
    paired = f"; paired on {harvest.paired_on}" if harvest.paired_on else ""
    sentence = f"{harvest.name}: {systems}, {datasets}, scored by {_metrics_text(reading)}{paired}"
    return replace(reading, sentence=sentence)


def _chosen_metrics(frame: pd.DataFrame, harvest: Harvest, request: Request) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Keep the rows of the metrics that are asked for, or of the one that the tool takes for each dataset."""
    known = names_of(frame, "metric")
    metrics = frame["metric"].astype(str)
    wanted = [name for name in known if _is_asked(name, request)]
    main = frame["dataset"].astype(str).map(harvest.main)
    if request.metrics and not wanted:
        remedy = f"take one of these: --metric {listed(known, 12, last='or')}"
        raise SettingsError(f"no metric is called {request.metrics[0]!r}", remedy=remedy)
    if not wanted and len(known) > 1 and main.isna().any() and not harvest.main:
        raise QuestionError(
            f"the results hold {len(known)} metrics: {listed(known, 8)}",
            request,
            proposals=[Proposal(when=f"it is {name}", metrics=(name,)) for name in known[:3]],
        )
    kept = metrics.isin(wanted) if wanted else (metrics == main) | main.isna() | (len(known) == 1)
    taken = frame[kept].reset_index(drop=True)
    return taken, tuple(name for name in known if name not in {*taken["metric"]})
