"""Read results: from files, folders or a frame to one long frame, what was understood, and validated results."""

from __future__ import annotations

import dataclasses
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from reportkit.errors import InputError, ReadingError, SettingsError, UnknownNameError
from reportkit.finding import Finding
from reportkit.harnesses import Harvest, read_harness
from reportkit.harnesses.file import File
from reportkit.language.counts_and_lists import counted, listed
from reportkit.scores.building.runs import CHOSEN_RUN
from reportkit.scores.column_facts import Table
from reportkit.scores.files import copied, excluded, files_of, is_url
from reportkit.scores.frames import as_frame
from reportkit.scores.joining import joined
from reportkit.scores.layouts import (
    NAMELESS,
    Decimal,
    laid_out,
    names_of,
    range_findings,
    without_averages,
    without_lone_systems,
    without_sentinels,
)
from reportkit.scores.names import CERTAIN, direction_of, folded, listed_in, metric_of, strength, words
from reportkit.scores.reading import Reading
from reportkit.scores.roles import decide
from reportkit.scores.tables import read_table
from reportkit.scores.understanding import (
    FILES,
    Proposal,
    QuestionError,
    Request,
    Roles,
    columns_text,
    entries,
)

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
        frame = as_frame(source, request.columns)
        return understood_table(frame, request, decimal=decimal)[0]
    if any(map(is_url, paths)):
        with tempfile.TemporaryDirectory(prefix="reportkit-") as folder:
            return read([*map(str, copied([str(path) for path in paths], Path(folder)))], request, decimal=decimal)
    files, notes = files_of(paths)
    kept, excluded_files = _without_excluded(files, request)
    notes += excluded_files
    names_only = tuple(one for one in request.exclude if not any(excluded(file.path, one) for file in files))
    request = dataclasses.replace(request, exclude=names_only)
    names = [Path(path).resolve().name or str(path) for path in paths]
    said = names[0] if len(names) == 1 else listed(names, 3)
    harvest = read_harness(kept, request.format, request.metrics)
    if harvest is not None:
        return _of_harvest(harvest, request, said, notes, kept)
    frame, stems, more = joined(kept, request, named=len(kept) == len(paths))
    folders = {file.path.absolute().parent.name for file in kept}
    dataset = stems[0] if len(set(stems)) == 1 else folders.pop() if len(folders) == 1 else NAMELESS
    found, _ = understood_table(
        frame, request, decimal=decimal, source=said, dataset=dataset, notes=[*notes, *more], stems=stems
    )
    return found


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
    if len(files) > 1:
        raise ReadingError(
            f"{str(path)!r} is an archive of {len(files)} files", remedy="unpack it, and give one of them"
        )
    found = read_table(files[0], named=True)
    assert found is not None  # noqa: S101 - it is named
    return found[0]


def paths_of(source: object) -> list[str | Path] | None:
    """Return what names files; None of a frame."""
    if isinstance(source, (str, os.PathLike)):
        source = [source]
    if isinstance(source, (list, tuple)) and source and all(isinstance(one, (str, os.PathLike)) for one in source):
        return [str(one) if is_url(one) else Path(one) for one in source]
    return None


def _without_excluded(files: Sequence[File], request: Request) -> tuple[list[File], list[Finding]]:
    left = [file for file in files if any(excluded(file.path, one) for one in request.exclude)]
    kept = [file for file in files if file not in left]
    if not kept:
        raise SettingsError("--exclude leaves no file", remedy="give a pattern that fits fewer files")
    message = f"{counted(len(left), 'file')} left out by --exclude."
    return kept, [
        Finding("files-excluded", "warning", message, listed([file.name for file in left], 5))
    ] if left else []


# --- what was understood ---------------------------------------------------------------------------------------------


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
    _refuse_the_best(table)
    columns = columns_text(table, roles.reasons)
    if roles.form == "printed":
        printed = frame.rename(columns={name: role for role, name in roles.roles.items()})
        return Reading(
            frame=printed,
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
    notes = [*notes, *more, *cleaned]
    named, datasets = names_of(long, "metric"), names_of(long, "dataset")
    long = _of_metrics(long, request)
    aggregates = _aggregates(long, computed)
    directions = _directions(long, computed, request, {}, [*stems], table, roles, named)
    others = tuple(
        name for name, why in roles.reasons.items() if why.startswith("another metric") and name not in roles.metrics
    )
    reading = Reading(
        frame=long,
        source=source,
        form=roles.form,
        table=columns,
        directions=directions,
        computed=computed,
        aggregates=aggregates,
        other_metrics=others,
        columns=roles.roles | ({"score": ", ".join(roles.metrics)} if {*roles.metrics} & {*table.columns} else {}),
        named_datasets=tuple(datasets),
        n_rows=len(frame),
        lines_of=lines_of if len(long) == len(frame) and not roles.columns else "",
        unused_columns=tuple(
            name for name, why in roles.reasons.items() if why.startswith(("not used", "another")) and name not in FILES
        ),
        findings=tuple(notes),
    )
    return dataclasses.replace(reading, sentence=_sentence(reading, roles)), roles


def _with_plain_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Write lists and objects in cells as texts, which can be compared."""

    def is_nested(cell: object) -> bool:
        return isinstance(cell, (list, dict, set)) or hasattr(cell, "shape")

    nested = [name for name in frame.columns if frame[name].dtype == object and frame[name].map(is_nested).any()]
    return (
        frame.assign(**{name: frame[name].map(lambda cell: cell and str(cell)) for name in nested}) if nested else frame
    )


def _refuse_the_best(table: Table) -> None:
    """Refuse runs whose name says that they are the best of several."""
    for name in [name for name in table.columns if strength(name, "seed") == CERTAIN]:
        texts = table.frame[name].dropna().astype(str).unique() if table.columns[name].kind == "text" else ()
        if chosen := [text for text in texts if CHOSEN_RUN.fullmatch(text.strip())]:
            raise InputError(
                f"the run {chosen[0]!r} is by its name the best of several",
                where=f"column {name!r}",
                remedy="no error rate is known of the best of several: give the score of every run, with a column "
                "'seed', and leave these rows out",
            )


def _aggregates(long: pd.DataFrame, computed: Sequence[str]) -> bool:
    """Whether there is one score per system and dataset, and nothing says over how many instances."""
    return not {"instance", "seed", "fold", "n"} & {*long.columns} and not computed


def _cleaned(long: pd.DataFrame, request: Request) -> tuple[pd.DataFrame, list[Finding]]:
    """Without averages, sentinels, lone systems, and what `--exclude` names."""
    long, averages = without_averages(long)
    long, sentinels = without_sentinels(long)
    left: list[str] = []
    for role in ("system", "dataset") if request.exclude else ():
        names = names_of(long, role)
        fit = [name for name in names if any(excluded(Path(name), one) for one in request.exclude)]
        long = long[~long[role].astype(str).isin(fit)].reset_index(drop=True) if fit else long
        left += fit
    unused = [one for one in request.exclude if not any(excluded(Path(name), one) for name in left)]
    if unused:
        raise SettingsError(
            f"--exclude {unused[0]} fits no file, system or dataset",
            where=f"systems {entries(names_of(long, 'system'))}; datasets {entries(names_of(long, 'dataset'))}",
            remedy="give a name, or a pattern such as '*.log'",
        )
    shown = listed(list(map(repr, left)), 5)
    notes = [Finding("names-excluded", "warning", "Left out by --exclude.", shown)] if left else []
    long, lone = without_lone_systems(long)
    return long, [*averages, *sentinels, *notes, *lone, *range_findings(long)]


def _directions(
    long: pd.DataFrame,
    computed: Sequence[str],
    request: Request,
    said: Mapping[str, bool],
    stems: Sequence[str],
    table: Table | None = None,
    roles: Roles | None = None,
    others: Sequence[str] = (),
) -> dict[str, bool]:
    """Whether higher is better, by metric: as the user says, the files say, or the name says.

    Raises
    ------
    QuestionError
        If neither says it.
    """
    names = names_of(long, "metric") or list(computed) or ["score"]
    asked = {folded(name): higher for name, higher in request.directions.items()}
    known = {folded(name) for name in (*names, *others, "score", *(table.columns if table is not None else ()))}
    if strange := [name for name in request.directions if folded(name) not in known]:
        raise UnknownNameError("metric", strange[0], names, where="higher_is_better (--lower-is-better)")
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
    wanted = [name for name in names if _spelt(name, request.metrics)] or names
    unknown = [name for name in wanted if name not in found]
    if names == ["score"] and not asked and request.one_direction is None:
        low = [stem for stem in stems if (one := metric_of(stem)) is not None and not one.higher]
        unknown += ["score"] if low else []
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


def _of_metrics(long: pd.DataFrame, request: Request) -> pd.DataFrame:
    """The rows of the metrics that are asked for, where the table names them."""
    known = names_of(long, "metric")
    wanted = [name for name in known if _spelt(name, request.metrics)]
    if not wanted or len(wanted) == len(known):
        return long
    return long[long["metric"].astype(str).isin(wanted)].reset_index(drop=True)


def _spelt(name: str, metrics: Sequence[str]) -> bool:
    return folded(name) in {folded(metric) for metric in metrics}


def _sentence(reading: Reading, roles: Roles) -> str:
    """One line: how many systems and datasets, named by what, scored by what, paired on what."""
    long = reading.frame
    column = roles.roles.get("system", "")
    word = next((w for w in words(column) if listed_in(w, "words", "plurals")), "system")
    from_where = _from_where(column)
    if roles.form in ("wide", "predictions") and roles.columns:
        from_where = f" (columns {entries(list(roles.columns))})"
    parts = [counted(len(reading.names("system")), word) + from_where]
    parts.append(counted(len(reading.names("dataset")), "dataset") + _from_where(roles.roles.get("dataset", "")))
    parts.append("scored by " + _metrics_text(reading))
    averages = [name for name, why in roles.reasons.items() if why == "not used: an average"]
    if averages:
        parts[-1] += f" (without {entries(averages)}: an average)"
    instance = roles.roles.get("instance", "")
    paired = "the order of rows" if roles.row_order else instance
    if "instance" in long and paired:
        return ", ".join(parts) + f"; paired on {paired}"
    return ", ".join(parts)


def _from_where(column: str) -> str:
    return f" (column {column})" if column and column not in FILES else f" ({column})" if column else ""


def _metrics_text(reading: Reading) -> str:
    """The metrics, and which of them are better when lower."""
    counted_right = {"k", "n"} <= {*reading.frame.columns}
    metrics = reading.names("metric") or list(reading.computed) or (["k of n"] if counted_right else ["score"])
    low = " (lower is better)"
    return listed([name + (low if reading.directions.get(name) is False else "") for name in metrics], 5)


# --- tools -----------------------------------------------------------------------------------------------------------


def _of_harvest(
    harvest: Harvest, request: Request, source: str, notes: Sequence[Finding], files: Sequence[File]
) -> Reading:
    """What a tool wrote, by one metric for each dataset."""
    frame = harvest.frame.rename(columns={"run": "seed"})
    others: tuple[str, ...] = ()
    known = names_of(frame, "filter")
    chosen = request.filter or harvest.filter or (known or [""])[0]
    if request.filter is not None and not known:
        raise SettingsError(f"there are no filters to choose {chosen!r} from", remedy="leave --filter out")
    if known and chosen not in known:
        remedy = f"take --filter {known[0]}: {listed(known, 5)}"
        raise SettingsError(f"there is no filter {chosen!r}", remedy=remedy)
    if known:
        kept = (frame["filter"] == chosen) | frame["filter"].isna()
        frame = frame[kept].drop(columns="filter").reset_index(drop=True)
    computed = (harvest.computed,) if harvest.computed else ()
    if "metric" in frame and not computed:
        frame, others = _chosen_metrics(frame, harvest, request)
    frame, cleaned = _cleaned(frame, request)
    directions = _directions(frame, computed, request, harvest.directions, ())
    unread = [file.name for file in files if harvest.used and file.name not in harvest.used]
    findings = [*notes, *harvest.findings, *cleaned]
    if unread:
        message = f"{counted(len(unread), 'file was', 'files were')} not read: not of {harvest.name}."
        findings.append(Finding("files-not-read", "info", message, listed(unread, 5)))
    reading = Reading(
        frame=frame,
        source=source,
        form="harness",
        n_rows=len(frame),
        directions=directions,
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
    return dataclasses.replace(reading, sentence=sentence)


def _chosen_metrics(frame: pd.DataFrame, harvest: Harvest, request: Request) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """The rows of the metrics that are asked for, or of the one that the tool takes for each dataset."""
    known = names_of(frame, "metric")
    if request.metrics:
        wanted = [name for name in known if _spelt(name, request.metrics)]
        if not wanted:
            raise SettingsError(
                f"no metric is called {request.metrics[0]!r}",
                remedy=f"take one of these: --metric {listed(known, 12, last='or')}",
            )
        kept = frame["metric"].astype(str).isin(wanted)
        return frame[kept].reset_index(drop=True), tuple(name for name in known if name not in wanted)
    if len(known) == 1:
        return frame, ()
    main = frame["dataset"].astype(str).map(harvest.main)
    if main.isna().any() and not harvest.main:
        raise QuestionError(
            f"the results hold {len(known)} metrics: {listed(known, 8)}",
            request,
            proposals=[Proposal(when=f"it is {name}", metrics=(name,)) for name in known[:3]],
        )
    kept = (frame["metric"].astype(str) == main) | main.isna()
    taken = frame[kept].reset_index(drop=True)
    return taken, tuple(name for name in known if name not in set(taken["metric"]))


__all__ = ["Reading", "paths_of", "read", "read_frame", "understood_table"]
