"""Hold scores as they were read from a table or from the files of a tool, and say what was understood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from reportkit.errors import ReportkitError, SettingsError, UnknownNameError
from reportkit.finding import Finding
from reportkit.harnesses import Harvest
from reportkit.harnesses.file import File
from reportkit.language import counted, listed
from reportkit.metrics.corpus import corpus_metric_named
from reportkit.metrics.formulas import folded
from reportkit.scores import building, checks
from reportkit.scores.choices import Pairing
from reportkit.scores.columns import Table
from reportkit.scores.designs import sample_of
from reportkit.scores.files import excluded
from reportkit.scores.layouts import (
    NAMELESS,
    counts_of_shares,
    laid_out,
    names_of,
    without_averages,
    without_lone_systems,
    without_sentinels,
)
from reportkit.scores.names import direction_of, listed_in, words
from reportkit.scores.questions import FILES, MOST_NAMES, Proposal, QuestionError, Request, Roles, columns_text, entries
from reportkit.scores.refusals import notice, refusal
from reportkit.scores.roles import decide
from reportkit.scores.table import Asked
from reportkit.scores.together import taken_together

Notes = Sequence[Finding]
_MANY = 200_000  # with more rows, a proposal is tried by reading them, without validation


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading:
    """Scores as they were read, and what was understood.

    Parameters
    ----------
    frame : DataFrame
        One row per score: `system, dataset, instance, score`, and `metric, seed, fold, rater, cluster, weight, gold, k,
        n` where they are known; `stat_...` instead of the score where a metric is computed from counts. Of a printed
        table its columns under the names of their roles.
    source : str
        The path as the user wrote it, or "DataFrame".
    form : str
        See `Roles`; "harness" where a tool wrote the files.
    sentence : str
        What was understood, in words.
    table : str
        The table of columns.
    directions : mapping of str to bool
        Metric to whether higher is better.
    computed : tuple of str
        Metrics that are computed from counts or gold scores.
    other_metrics, other_filters : tuple of str
        What `--metric` and `--filter` could take instead.
    columns : mapping of str to str
        Role to column in the input.
    unused_columns : tuple of str
        Columns of the input that play no role.
    named_datasets : tuple of str
        All datasets that the input names, also those without scores by the metrics that are taken.
    n_rows : int
        Rows of the input.
    lines_of : str
        Name of the file whose lines the rows are, for messages; "DataFrame" for a frame, "" where they are neither.
    nouns : (str, str)
        What systems and datasets are called.
    findings : tuple of Finding
        What was left out, what was chosen.
    """

    frame: pd.DataFrame
    source: str = "DataFrame"
    form: str = "long"
    sentence: str = ""
    table: str = ""
    directions: Mapping[str, bool] = field(default_factory=dict)
    computed: tuple[str, ...] = ()
    other_metrics: tuple[str, ...] = ()
    other_filters: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    unused_columns: tuple[str, ...] = ()
    named_datasets: tuple[str, ...] = ()
    n_rows: int = 0
    lines_of: str = "DataFrame"
    nouns: tuple[str, str] = ("system", "dataset")
    findings: tuple[Finding, ...] = ()

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def names(self, role: str) -> list[str]:
        """Return names of systems, datasets or metrics, in their order."""
        return names_of(self.frame, role)

    @property
    def aggregates(self) -> bool:
        """Whether there is one score per system and dataset, so that the datasets are the sample."""
        return not {"instance", "seed", "fold", "n"} & {*self.frame.columns} and not self.computed

    def lines(self) -> list[str]:
        """Return the sentence, and what the results support."""
        lines = [self.sentence, f"  {self.nouns[0]}s: {entries(self.names('system'))}"]
        described = self.names("dataset")
        if "instance" in self.frame:
            sizes = self.frame.groupby("dataset", observed=True)["instance"].nunique().rename(str)
            described = [f"{name} ({sizes[name]:,})" for name in described[:MOST_NAMES]] + described[MOST_NAMES:]
        lines += [f"  {self.nouns[1]}s: {entries(described)}"] if described else []
        for noun, names in (("metric", self.other_metrics), ("filter", self.other_filters)):
            lines += [f"  other {noun}s: {entries(names)} (--{noun} {names[0]})"] if names else []
        return [*lines, f"  supports: {self.supports}", *(f"  {line}" for line in self.table.splitlines())]

    @property
    def supports(self) -> str:
        """What can be done with the results, and what cannot."""
        there = {*self.frame.columns}
        if self.form == "printed":
            return "the counts and corrections of a printed table"
        design = "paired differences" if "instance" in there else "one score per system and dataset: differences across"
        design = "differences of runs" if "seed" in there and "instance" not in there else design
        design = "differences of shares (k of n)" if {"k", "n"} <= there else design
        systems, datasets = (counted(len(self.names(("system", "dataset")[n])), self.nouns[n]) for n in (0, 1))
        runs = "several runs" if "seed" in there else "no runs"
        return f"{systems}, {datasets}: {design}; {runs}; {'clusters' if 'cluster' in there else 'no clusters seen'}"


# --- tables ----------------------------------------------------------------------------------------------------------


def understood_table(
    frame: pd.DataFrame,
    request: Request,
    *,
    source: str = "DataFrame",
    dataset: str = NAMELESS,
    notes: Notes = (),
    stems: Sequence[str] = (),
    roles: Roles | None = None,
) -> tuple[Reading, Roles]:
    """Understand one table: its roles, the long form, and the direction of each metric.

    Parameters
    ----------
    frame : DataFrame
    request : Request
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
    table = Table(_with_plain_cells(frame))
    about = source, dataset, notes, stems, roles
    try:
        return _understood(table, request, *about)
    except QuestionError as question:
        if request.trial:
            raise
        raise question.tried(lambda asked: _is_settled(table, asked, about)) from None


def _is_settled(table: Table, request: Request, about: tuple[Any, ...]) -> bool:
    """Return whether a table is read, validated and paired as is proposed; of many rows only whether it is read."""
    try:
        reading, _ = _understood(table, request, *about)
        frame, across = reading.frame, request.across_datasets
        if reading.form == "printed" or len(frame) > _MANY:
            return True
        pairing: Pairing = "unpaired" if request.unpaired else "paired"
        shares, missing = [], request.missing
        for metric in reading.computed or (None,):
            higher = dict(reading.directions)
            asked = Asked(metric=metric, across_datasets=across, missing=missing, higher_is_better=higher)
            results = checks.judged(building.laid_out(frame, asked), asked)
            blocks = [*results.datasets, *(taken_together(results, missing=missing).datasets if across else ())]
            most = max(reversed(blocks), key=lambda block: len(block.systems))
            if len(most.systems) < 2:
                return False
            sample_of(most, *most.systems[:2], missing=missing, pairing=pairing)
            shares += [held.all(axis=0).mean() for block in blocks if (held := block.presence()).size]
    except ReportkitError:
        return False
    share = 1.0 if request.unpaired else min(shares, default=1.0)
    return (across or not reading.aggregates) and share > (0.5 if missing == "drop" else 0.999)


def _understood(
    table: Table, request: Request, source: str, dataset: str, notes: Notes, stems: Sequence[str], roles: Roles | None
) -> tuple[Reading, Roles]:
    """Understand a table whose cells are plain."""
    frame, part, roles = table.frame, roles is not None, roles or decide(table, request)
    columns = "" if part else columns_text(table, roles.reasons)
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
    long, computed, more = laid_out(frame, roles, request, dataset=dataset, source=lines_of)
    long, cleaned = _cleaned(long, request)
    if {"n", "score"} <= {*long.columns} and not {"k", "instance"} & {*long.columns}:
        long, counted_right = counts_of_shares(long, str(roles.roles.get("score", "score")), request)
        cleaned += counted_right
    every, datasets = names_of(long, "metric"), names_of(long, "dataset")
    if wanted := [name for name in every if _is_asked(name, request)]:
        long = long[long["metric"].astype(str).isin(wanted)].reset_index(drop=True) if wanted != every else long
    unused = {name: why for name, why in roles.reasons.items() if why.startswith(("not used", "another"))}
    score = {"score": ", ".join(roles.metrics)} if {*roles.metrics} & {*map(str, frame.columns)} else {}
    reading = Reading(
        frame=long,
        source=source,
        form=roles.form,
        table=columns,
        computed=computed,
        other_metrics=tuple(n for n, why in unused.items() if why.startswith("another metric")),
        columns=roles.roles | score,
        named_datasets=tuple(datasets),
        n_rows=len(frame),
        lines_of=lines_of if len(long) == len(frame) and not roles.columns else "",
        unused_columns=tuple(name for name in unused if name not in FILES),
        findings=(*notes, *more, *cleaned),
    )
    known, stem = (*every, *map(str, frame.columns)), next(iter(stems), "")
    reading = _directed(reading, request, {}, known, stem, table=table, could=roles.reasons)
    return reading if part else replace(reading, sentence=_sentence(reading, roles)), roles


def _with_plain_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Write lists and objects in cells as texts, which can be compared."""

    def plain(cell: object) -> object:
        if isinstance(cell, (list, set, np.ndarray)):
            return "; ".join(map(str, cell))
        return str(cell) if isinstance(cell, dict) else cell

    held = {str(name): frame[name].map(plain) for name in frame if frame[name].dtype == object}
    return frame.assign(**held) if held else frame


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
    if roles.form == "long" and roles.row_order:
        return f"{', '.join(parts)}; not paired"
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
        systems, datasets = (entries(names_of(long, role)) for role in ("system", "dataset"))
        raise refusal("excluded-none", pattern=unused, systems=systems, datasets=datasets)
    shown = listed(list(map(repr, left)), 5)
    notes = [notice("names-excluded", shown)] if left else []
    long, lone = without_lone_systems(long)
    return long, [*averages, *sentinels, *notes, *lone]


def _directed(
    reading: Reading,
    request: Request,
    said: Mapping[str, bool],
    others: Sequence[str] = (),
    stem: str = "",
    **shown: Any,
) -> Reading:
    """Add whether higher is better, by metric: as the user, the files, or the name says.

    Raises
    ------
    QuestionError
        If nothing says it of a metric that is taken, or the name of a file doubts it.
    """
    names = reading.names("metric") or list(reading.computed) or ["score"]
    asked = {folded(name): higher for name, higher in request.directions.items()}
    known = {*map(folded, (*names, *others, "score"))}
    for strange in [name for name in request.directions if folded(name) not in known]:
        raise UnknownNameError("metric", strange, names, where="higher_is_better (--lower-is-better)")
    lone = asked.get("score") if len(names) == 1 else None
    directions: dict[str, bool] = {}
    for name in names:
        metric = corpus_metric_named(name) if reading.computed else None
        of_corpus = None if metric is None else metric.higher_is_better
        ways = (asked.get(folded(name), lone), request.one_direction, said.get(name), of_corpus, direction_of(name))
        if found := [way for way in ways if way is not None]:
            directions[name] = found[0]
    wanted = [name for name in names if _is_asked(name, request)] or names
    unknown = [name for name in wanted if name not in directions]
    if names == ["score"] and not asked and request.one_direction is None and direction_of(stem) is False:
        unknown = names
    if unknown:
        across = reading.aggregates and not request.across_datasets
        raise QuestionError(
            f"is {' or '.join(map(repr, unknown[:5]))} better when higher or when lower?",
            request,
            proposals=[
                Proposal(f"{word} is better", directions=dict.fromkeys(unknown, higher), across_datasets=across)
                for word, higher in (("higher", True), ("lower", False))
            ],
            **shown,
        )
    return replace(reading, directions=directions)


def _is_asked(name: str, request: Request) -> bool:
    return folded(name) in map(folded, request.metrics)


# --- tools -----------------------------------------------------------------------------------------------------------


def of_harvest(
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
        number, why = counted(len(unread), "file was", "files were"), f"not of {harvest.name}"
        findings.append(notice("files-not-read", listed(unread, 5), number=number, why=why))
    reading = Reading(
        frame=frame,
        source=source,
        form="harness",
        n_rows=len(frame),
        computed=computed,
        other_metrics=others,
        other_filters=tuple(name for name in known if name != chosen),
        nouns=harvest.nouns,
        findings=tuple(findings),
    )
    reading = _directed(reading, request, harvest.directions)
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
            proposals=[Proposal(f"it is {name}", metrics=(name,)) for name in known[:3]],
        )
    kept = metrics.isin(wanted) if wanted else (metrics == main) | main.isna() | (len(known) == 1)
    taken = frame[kept].reset_index(drop=True)
    return taken, tuple(name for name in known if name not in {*taken["metric"]})
