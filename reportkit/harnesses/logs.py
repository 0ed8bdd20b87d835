"""Turn the samples of each evaluation into one `Harvest`: names of systems, repeats, pairing, filters, directions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePath
from typing import Any, NamedTuple

import pandas as pd

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.records import Faults, Outline
from reportkit.language import counted, listed


@dataclass(frozen=True, slots=True)
class Tool:
    """An evaluation tool.

    Parameters
    ----------
    name : str
    recognises : callable
        Tells from a file and its outline whether the tool wrote it.
    read : callable
        Returns the `Harvest` of the recognised files, or None if they are better read as tables; its second argument
        is all files that were given.
    aliases : tuple of str
        Other names that users type.
    computes : bool
        Whether `read` computes metrics; its third argument is then those that the user asks for.
    """

    name: str
    recognises: Callable[[File, Outline], bool]
    read: Callable[..., Harvest | None]
    aliases: tuple[str, ...] = ()
    computes: bool = False


class Sample(NamedTuple):
    """Scores of one answer: id of the question, metric to score, run, text of the question, filter."""

    instance: str
    scores: Mapping[str, float | None]
    run: str = ""
    question: str = ""
    filter: str = ""


@dataclass(slots=True, eq=False)
class Log:
    """One evaluation of one system on one dataset.

    Parameters
    ----------
    system, dataset : str
    file : File
    samples : sequence of Sample
    date : str
        Sorts evaluations of the same system on the same dataset.
    settings, variants : mapping of str to object
        What tells two systems of one name apart (arguments of the model), and two datasets (arguments of the task).
    facts : mapping of str to object
        What has to be the same for all systems of a dataset: its version, the number of examples.
    higher : mapping of str to bool
        Metric to whether higher is better, where the tool says it.
    """

    system: str
    dataset: str
    file: File
    samples: Sequence[Sample]
    date: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    variants: Mapping[str, object] = field(default_factory=dict)
    facts: Mapping[str, object] = field(default_factory=dict)
    higher: Mapping[str, bool] = field(default_factory=dict)


class Row(NamedTuple):
    """A sample with its system and dataset, and facts that all systems of a dataset have to share."""

    system: str
    dataset: str
    sample: Sample
    facts: Mapping[str, object] = {}


def logs_of_records(
    files: Sequence[File], faults: Faults, read: Callable[[File, Mapping[str, Any]], Sequence[Row]]
) -> list[Log]:
    """Return the logs of files whose records say their systems and datasets; one record may be several rows."""
    logs: list[Log] = []
    for file in files:
        with faults.of_file(file):
            by: dict[tuple[str, str], list[Row]] = {}
            for rows in faults.each(file, partial(read, file)):
                for row in rows:
                    by.setdefault((row.system, row.dataset), []).append(row)
            for (system, dataset), rows in by.items():
                logs.append(Log(system, dataset, file, [row.sample for row in rows], facts=rows[0].facts))
    return logs


def by_file(logs: Sequence[Log]) -> Sequence[Log]:
    """Name systems by their files where two of a dataset have one name, as that of a default tag."""
    names = [(log.system, log.dataset) for log in logs]
    for log in logs:
        if names.count((log.system, log.dataset)) > 1:
            log.system = log.file.stem
    return logs


_KEYS = ["system", "dataset", "filter", "metric", "instance", "run"]


def harvest(
    name: str,
    logs: Sequence[Log],
    faults: Faults,
    *,
    paired_on: str = "",
    question: str = "question",
    nouns: tuple[str, str] = ("model", "task"),
    main: Sequence[str] | None = (),
    filters: Sequence[str] = (),
    higher: Mapping[str, bool] | bool | None = None,
    cluster: Callable[[str], str] | None = None,
    used: Sequence[File] = (),
    findings: Sequence[Finding] = (),
) -> Harvest:
    """Return all scores of a tool.

    Parameters
    ----------
    name : str
        Name of the tool.
    logs : sequence of Log
    faults : Faults
        What was left out while reading.
    paired_on, question : str
        What the ids of samples are called, and what they are paired on where ids do not say the question.
    nouns : (str, str)
    main : sequence of str or None
        The metrics that are taken first; None if the user has to choose where there are several.
    filters : sequence of str
        The filters that are taken first.
    higher : mapping or bool, optional
        Directions, of all metrics or by metric; those of the logs count more.
    cluster : callable, optional
        Id of a sample to that of its cluster.
    used : sequence of File
        All files that were read, also those without samples.
    findings : sequence of Finding

    Raises
    ------
    ReadingError
        If nothing can be read.
    """
    for log in logs:
        if not log.samples:
            faults.files.setdefault(log.file.name, "it holds no samples")
    logs = [log for log in logs if log.samples]
    if not logs:
        raise ReadingError(
            f"none of the files of {name} holds a score of a {nouns[1]}",
            where="; ".join(f"{file!r}: {why}" for file, why in list(faults.files.items())[:3]),
            remedy="give the files that the tool writes for each sample, and check that samples were scored",
        )
    notes = list(findings)
    if bare := sorted({log.dataset for log in logs if not any(sample.scores for sample in log.samples)}):
        message = f"{counted(len(bare), nouns[1])} left out: no score of a sample."
        notes.append(Finding("without-scores", "warning", message, listed(bare, 5)))
    logs = _named(logs, notes)
    notes += [*_unequal_facts(logs, nouns), *faults.findings()]
    frame, directions = _frame(logs, higher)
    frame = _scored(frame, notes)
    if frame.empty:
        raise ReadingError(f"no sample in the files of {name} has a score", remedy="evaluate again")
    frame = _without_copies(frame, notes)
    frame, paired = _paired(frame, paired_on, question, notes)
    frame = _repeats(frame, notes)
    frame, chosen = _filtered(frame, filters, notes)
    chosen_metrics = {} if main is None else _main(frame, main, notes)
    if len(frame["run"].unique()) < 2:
        frame = frame.drop(columns="run")
    if not paired_on:
        frame = frame.drop(columns="instance")
    elif cluster is not None:
        frame["cluster"] = frame["instance"].map(cluster)
    return Harvest(
        name=name,
        frame=frame.drop(columns="question").reset_index(drop=True),
        directions=directions,
        main=chosen_metrics,
        filter=chosen,
        paired_on=paired,
        nouns=nouns,
        used=frozenset(file.name for file in used) | {log.file.name for log in logs} | {*faults.files},
        findings=tuple(notes),
    )


def _unequal_facts(logs: Sequence[Log], nouns: tuple[str, str]) -> list[Finding]:
    """Warn of versions and settings of a dataset that are not the same for all systems."""
    said: dict[str, dict[str, dict[str, None]]] = {}
    for log in logs:
        for fact, value in log.facts.items():
            if value not in (None, ""):
                said.setdefault(fact, {}).setdefault(log.dataset, {})[str(value)] = None
    notes = []
    for fact, datasets in said.items():
        several = [f"{dataset}: {listed(list(values), 3)}" for dataset, values in datasets.items() if len(values) > 1]
        if several:
            message = f"The {fact} of a {nouns[1]} is not the same for all {nouns[0]}s."
            remedy, code = f"evaluate all {nouns[0]}s in the same way", f"unequal-{fact.replace(' ', '-')}"
            notes.append(Finding(code, "warning", message, listed(several, 5), remedy))
    return notes


def _named(logs: Sequence[Log], notes: list[Finding]) -> list[Log]:
    """Name datasets and systems by what tells logs of the same ones apart; without that, keep the latest log."""
    first: dict[tuple[str, str, str], Log] = {}
    pairs = [(log, first.setdefault((log.system, log.dataset, log.date), log)) for log in logs if log.date]
    copies = [log for log, one in pairs if log is not one and log.samples == one.samples]
    kept = [log for log in logs if log not in copies]
    _tell_apart(kept, "dataset", lambda group: _by_arguments(group, "variants"))
    _tell_apart(kept, "system", lambda group: _by_arguments(group, "settings"))
    _tell_apart(kept, "system", _by_folder)
    latest: dict[tuple[str, str], str] = {}
    for log in kept:
        key = (log.system, log.dataset)
        latest[key] = max(latest.get(key, ""), log.date)
    older = [log for log in kept if log.date != latest[log.system, log.dataset]]
    for code, left, what in (
        ("copied-logs", copies, "that is there twice left out"),
        ("older-evaluations", older, "of the same system and dataset left out, as it is not the latest"),
    ):
        if left:
            where = listed([repr(log.file.name) for log in left], 5)
            message = f"{counted(len(left), 'evaluation')} {what}."
            notes.append(Finding(code, "warning", message, where, "to take another one, give its files alone"))
    return [log for log in kept if log not in older]


def _tell_apart(logs: Sequence[Log], name: str, labels: Callable[[Sequence[Log]], list[str]]) -> None:
    """Add labels to the systems, or datasets, that have several logs of one system and dataset."""
    groups: dict[str, list[Log]] = {}
    for log in logs:
        groups.setdefault(getattr(log, name), []).append(log)
    for old, group in groups.items():
        if len({(log.system, log.dataset) for log in group}) < len(group):
            for log, label in zip(group, labels(group), strict=True):
                setattr(log, name, f"{old} ({label})" if label else old)


def _by_arguments(group: Sequence[Log], kind: str) -> list[str]:
    """Return the arguments of each log that differ between logs of the same system and dataset."""
    arguments = [getattr(log, kind) for log in group]
    seen: dict[tuple[str, str, str], set[str]] = {}
    for key in dict.fromkeys(key for one in arguments for key in one):
        for log, one in zip(group, arguments, strict=True):
            seen.setdefault((log.system, log.dataset, key), set()).add(str(one.get(key)))
    keys = dict.fromkeys(key for (*_, key), values in seen.items() if len(values) > 1)
    return [", ".join(f"{key}={one[key]}" for key in keys if one.get(key) not in (None, "")) for one in arguments]


def _by_folder(group: Sequence[Log]) -> list[str]:
    """Return the parts of the folder of each log that differ between logs of the same system and dataset."""
    folders = [[part for part in PurePath(log.file.path).parent.parts if part != log.date] for log in group]
    together: dict[str, list[set[str]]] = {}
    for log, folder in zip(group, folders, strict=True):
        together.setdefault(log.dataset, []).append({*folder})
    differing: set[str] = set().union(
        *(sets[0].union(*sets) - sets[0].intersection(*sets) for sets in together.values())
    )
    return ["/".join(part for part in folder if part in differing) for folder in folders]


def _frame(logs: Sequence[Log], higher: Mapping[str, bool] | bool | None) -> tuple[pd.DataFrame, dict[str, bool]]:
    """Return one row per score; a metric that has both directions has two names."""
    said: dict[str, set[bool]] = {}
    for log in logs:
        for metric, up in log.higher.items():
            said.setdefault(metric, set()).add(up)
    rows = []
    for log in logs:
        names = {m: f"{m} (lower is better)" for m, up in log.higher.items() if not up and len(said[m]) > 1}
        rows += [
            (log.system, log.dataset, s.filter, names.get(m, m), s.instance, s.run, s.question, score)
            for s in log.samples
            for m, score in s.scores.items()
        ]
    columns = [*_KEYS, "question", "score"]
    frame = pd.DataFrame.from_records(rows, columns=columns).astype({"score": "float64"})
    directions = {m: True in ups for m, ups in said.items()}
    directions |= {f"{m} (lower is better)": False for m, ups in said.items() if len(ups) > 1}
    metrics = [str(metric) for metric in frame["metric"].unique()]
    known = dict.fromkeys(metrics, higher) if isinstance(higher, bool) else dict(higher or {})
    return frame, {m: up for m, up in (known | directions).items() if m in metrics}


def _scored(frame: pd.DataFrame, notes: list[Finding]) -> pd.DataFrame:
    absent = frame["score"].isna()
    if absent.any():
        by = frame[absent].groupby(["system", "dataset", "metric"], sort=False).size()
        parts = zip(by.index.to_frame().itertuples(index=False, name=None), by, strict=True)
        where = listed([f"{metric} of {system} on {dataset}: {n:,}" for (system, dataset, metric), n in parts], 5)
        message = f"{counted(int(absent.sum()), 'score')} absent (null, NaN, or ended with an error), and left out."
        notes.append(Finding("unscored", "warning", message, where))
    return frame[~absent]


def _without_copies(frame: pd.DataFrame, notes: list[Finding]) -> pd.DataFrame:
    """Drop rows that are there again with the same score, unless each sample is repeated as often."""
    key = [*_KEYS, "question"]
    grouped = frame.groupby(key, sort=False)["score"]
    size = grouped.transform("size")
    if (size == 1).all():
        return frame
    groups = [frame["system"], frame["dataset"]]
    differs = (grouped.transform("nunique") > 1).groupby(groups).transform("any")
    runs = differs & (size.groupby(groups).transform("nunique") == 1)
    copies = ~runs & frame.duplicated([*key, "score"])
    if copies.any():
        notes.append(_of_rows("identical-samples", "written more than once, with one score, count once", frame[copies]))
    return frame[~copies]


def _of_rows(code: str, what: str, rows: pd.DataFrame) -> Finding:
    named = rows[["system", "dataset", "instance"]].drop_duplicates()
    parts = [f"{one} of {system} on {dataset}" for system, dataset, one in named.itertuples(index=False)]
    return Finding(code, "warning", f"{counted(len(named), 'sample')} {what}.", listed(parts, 5))


def _paired(frame: pd.DataFrame, by_id: str, by_question: str, notes: list[Finding]) -> tuple[pd.DataFrame, str]:
    """Pair on ids; on the question where an id stands for several, or ids have nothing in common and questions have."""
    on_question = []
    for dataset, rows in frame[frame["question"] != ""].groupby("dataset", sort=False):
        texts = rows.drop_duplicates(["system", "instance", "question"])
        conflicts = texts[["instance", "question"]].drop_duplicates().groupby("instance").size() > 1
        of_ids, of_questions = (
            (texts.drop_duplicates(["system", key]).groupby(key).size() > 1).sum() for key in ("instance", "question")
        )
        if of_questions and (conflicts.any() or of_questions > of_ids):
            on_question.append(str(dataset))
            again = rows.groupby(["system", "filter", "metric", "run", "question"], sort=False).cumcount()
            frame.loc[rows.index, "instance"] = rows["question"].where(
                again == 0, rows["question"] + " (" + (again + 1).astype(str) + ")"
            )
        elif conflicts.any():
            message = f"The {by_question} of a sample is not the same for all systems; they are paired on the {by_id}."
            where = f"{dataset}: {counted(int(conflicts.sum()), 'sample')}"
            notes.append(Finding("unequal-questions", "warning", message, where, "evaluate all systems on equal data"))
    if on_question:
        message = f"The {by_id} does not say which samples belong together; they are paired on the {by_question}."
        notes.append(Finding("paired-on-question", "info", message, listed(on_question, 5)))
    every = len(on_question) == frame["dataset"].nunique()
    return frame, by_question if every else by_id


def _repeats(frame: pd.DataFrame, notes: list[Finding]) -> pd.DataFrame:
    """Number differing scores of a sample as runs where all samples have equally many; else leave them out."""
    size = frame.groupby(_KEYS, sort=False)["score"].transform("size")
    if (size == 1).all():
        return frame
    groups = [frame["system"], frame["dataset"]]
    even = size.groupby(groups).transform("nunique") == 1
    bad, runs = ~even & (size > 1), even & (size > 1)
    if bad.any():
        notes.append(_of_rows("samples-contradict", "with several different scores left out", frame[bad]))
    if runs.any():
        numbers = (frame.groupby(_KEYS, sort=False).cumcount() + 1).astype(str)
        frame.loc[runs, "run"] = numbers[runs].where(frame["run"] == "", frame["run"] + "." + numbers)
        message = "Each sample was evaluated several times; the repeats are taken as runs."
        notes.append(
            Finding("repeats-as-runs", "warning", message, listed(list(frame.loc[runs, "system"].unique()), 5))
        )
    return frame[~bad].assign(run=frame["run"].where(frame["run"] != "", "1"))


def _filtered(frame: pd.DataFrame, preferred: Sequence[str], notes: list[Finding]) -> tuple[pd.DataFrame, str]:
    """Keep a filter only where a dataset has several; datasets without the chosen one say others by the metric."""
    several = frame.groupby("dataset")["filter"].transform("nunique") > 1
    if not several.any():
        return frame.drop(columns="filter"), ""
    systems = frame[several].groupby("filter")["system"].nunique()
    common = systems.index[systems == systems.max()]
    chosen = next((name for name in preferred if name in common), str(common[0]))
    frame = frame.assign(filter=frame["filter"].where(several))
    lacking = []
    for dataset, rows in frame[several].groupby("dataset", sort=False):
        having = set(rows.loc[rows["filter"] == chosen, "system"])
        if having:
            lacking += [f"{system} on {dataset}" for system in dict.fromkeys(rows["system"]) if system not in having]
            continue
        first = rows["filter"].min()
        others = rows.index[rows["filter"] != first]
        frame.loc[others, "metric"] = rows["metric"] + " (" + rows["filter"].astype(str) + ")"
        frame.loc[rows.index, "filter"] = None
    if lacking:
        notes.append(Finding("filter-absent", "warning", f"Systems have no score of {chosen}.", listed(lacking, 5)))
    return (frame, chosen) if frame["filter"].notna().any() else (frame.drop(columns="filter"), "")


def _main(frame: pd.DataFrame, preferred: Sequence[str], notes: list[Finding]) -> dict[str, str]:
    """Map each dataset to a metric that all its systems have: a preferred one, else that of most datasets."""
    pairs = frame[["dataset", "metric", "system"]].drop_duplicates()
    n_systems = pairs.groupby("dataset")["system"].nunique()
    having = pairs.groupby(["dataset", "metric"], sort=False)["system"].size().reset_index()
    full = having[having["system"] == having["dataset"].map(n_systems)]
    counts = full["metric"].value_counts()
    place = {str(name): number for number, name in enumerate(preferred)}
    found = {}
    for dataset, rows in having.groupby("dataset", sort=False):
        shared = list(full.loc[full["dataset"] == dataset, "metric"]) or list(rows["metric"])
        found[str(dataset)] = min(shared, key=lambda name: (place.get(name, len(place)), -counts.get(name, 0)))
    scored = pairs[pairs["metric"] == pairs["dataset"].map(found)]
    left = pairs.merge(scored, "left", ["dataset", "system"], indicator=True).query("_merge == 'left_only'")
    if len(left):
        pairs_left = dict.fromkeys(zip(left["system"], left["dataset"], strict=True))
        where = listed([f"{system} on {dataset}" for system, dataset in pairs_left], 5)
        message = "Systems have no score by the metric that is compared."
        notes.append(Finding("metric-absent", "warning", message, where, "take another one: --metric"))
    return found
