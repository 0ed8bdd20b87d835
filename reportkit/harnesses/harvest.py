"""Turn the logs of a tool into one `Harvest`: names of systems, repeats, pairing, filters, directions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from reportkit.errors import ReadingError
from reportkit.harnesses.logs import Batch, Harvest, Log, Tool
from reportkit.language import counted, listed

_KEYS = ["system", "dataset", "filter", "metric", "instance", "run"]


def harvest(tool: Tool, batch: Batch, logs: Sequence[Log]) -> Harvest:
    """Return all scores of a tool.

    Raises
    ------
    ReadingError
        If nothing can be read.
    """
    for log in logs:
        if not log.samples:
            batch.left_out.setdefault(log.file.name, "it holds no samples")
    logs = [log for log in logs if log.samples]
    if not logs:
        remedy = "give the files that the tool writes for each sample, and check that samples were scored"
        raise batch.refusal(f"none of the files of {tool.name} holds a score of a {tool.nouns[1]}", remedy)
    bare = sorted({log.dataset for log in logs if not any(sample.scores for sample in log.samples)})
    batch.note("without-scores", f"{counted(len(bare), tool.nouns[1])} left out: no score of a sample.", bare)
    logs = _named(logs, batch)
    _note_unequal_facts(logs, batch, tool.nouns)
    batch.note_left_out()
    frame, directions = _frame(logs, tool.higher)
    frame = _scored(frame, batch)
    if frame.empty:
        raise ReadingError(f"no sample in the files of {tool.name} has a score", remedy="evaluate again")
    frame = _without_copies(frame, batch)
    frame, paired = _paired(frame, tool, batch)
    frame = _repeats(frame, batch)
    frame, chosen = _filtered(frame, tool.filters, batch)
    said = dict.fromkeys(name for log in logs for name in log.main)
    main = {} if tool.main is None else _main(frame, [*said, *(name for name in tool.main if name not in said)], batch)
    absent = ["question"]
    if frame["run"].nunique() < 2:
        absent.append("run")
    if not tool.paired_on:
        absent.append("instance")
    elif tool.cluster is not None:
        frame["cluster"] = frame["instance"].map(tool.cluster)
    return Harvest(
        name=tool.name,
        frame=frame.drop(columns=absent).rename(columns={"run": tool.runs}).reset_index(drop=True),
        directions=directions,
        main=main,
        filter=chosen,
        paired_on=paired,
        nouns=tool.nouns,
        used=frozenset(batch.used),
        findings=tuple(batch.notes),
    )


def _note_unequal_facts(logs: Sequence[Log], batch: Batch, nouns: tuple[str, str]) -> None:
    """Warn of versions and settings of a dataset that are not the same for all systems."""
    said: dict[str, dict[str, dict[str, None]]] = {}
    for log in logs:
        for fact, value in log.facts.items():
            if value not in (None, ""):
                said.setdefault(fact, {}).setdefault(log.dataset, {})[str(value)] = None
    for fact, datasets in said.items():
        several = [f"{dataset}: {listed(list(values), 3)}" for dataset, values in datasets.items() if len(values) > 1]
        message = f"The {fact} of a {nouns[1]} is not the same for all {nouns[0]}s."
        batch.note(f"unequal-{fact.replace(' ', '-')}", message, several, f"evaluate all {nouns[0]}s in the same way")


def _named(logs: Sequence[Log], batch: Batch) -> list[Log]:
    """Add to names of datasets and systems what distinguishes their logs; if nothing does, keep the latest log."""
    first: dict[tuple[str, str, str], Log] = {}
    copies = []
    for log in logs:
        one = first.setdefault((log.system, log.dataset, log.date), log)
        if log is not one and log.date and log.samples == one.samples:
            copies.append(log)
    kept = [log for log in logs if log not in copies]
    _tell_apart(kept, "dataset", lambda log: log.variants)
    _tell_apart(kept, "system", lambda log: log.settings)
    _tell_apart(
        kept, "system", lambda log: {part: part for part in log.file.path.parent.parts if part != log.date}, "/"
    )
    latest: dict[tuple[str, str], str] = {}
    for log in kept:
        latest[log.system, log.dataset] = max(latest.get((log.system, log.dataset), ""), log.date)
    older = [log for log in kept if log.date != latest[log.system, log.dataset]]
    for code, left, what in (
        ("copied-logs", copies, "that is there twice left out"),
        ("older-evaluations", older, "of the same system and dataset left out, as it is not the latest"),
    ):
        names = [repr(log.file.name) for log in left]
        remedy = "to take another one, give its files alone"
        batch.note(code, f"{counted(len(left), 'evaluation')} {what}.", names, remedy)
    return [log for log in kept if log not in older]


def _tell_apart(
    logs: Sequence[Log], name: str, arguments: Callable[[Log], Mapping[str, object]], separator: str = ", "
) -> None:
    """Add to the names of systems, or datasets, the arguments that differ between logs of one system and dataset."""
    groups: dict[str, list[Log]] = {}
    for log in logs:
        groups.setdefault(getattr(log, name), []).append(log)
    for old, group in groups.items():
        seen: dict[tuple[str, str, str], set[str]] = {}
        for key in {key for log in group for key in arguments(log)}:
            for log in group:
                seen.setdefault((log.system, log.dataset, key), set()).add(str(arguments(log).get(key)))
        differing = {key for (*_, key), values in seen.items() if len(values) > 1}
        for log in group:
            said = {k: v for k, v in arguments(log).items() if k in differing and v not in (None, "")}
            if said:
                label = separator.join(key if key == value else f"{key}={value}" for key, value in said.items())
                setattr(log, name, f"{old} ({label})")


def _frame(logs: Sequence[Log], higher: bool | None) -> tuple[pd.DataFrame, dict[str, bool]]:
    """Return one row per score, and directions; a metric that has both has two names."""
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
    frame = pd.DataFrame.from_records(rows, columns=[*_KEYS, "question", "score"]).astype({"score": "float64"})
    directions = {} if higher is None else dict.fromkeys(frame["metric"].unique(), higher)
    directions |= {m: True in ups for m, ups in said.items()}
    directions |= {f"{m} (lower is better)": False for m, ups in said.items() if len(ups) > 1}
    return frame, {m: directions[m] for m in frame["metric"].unique() if m in directions}


def _scored(frame: pd.DataFrame, batch: Batch) -> pd.DataFrame:
    absent = frame["score"].isna()
    by = frame[absent].groupby(["metric", "system", "dataset"], sort=False).size().reset_index()
    names = [f"{metric} of {system} on {dataset}: {n:,}" for metric, system, dataset, n in by.itertuples(index=False)]
    message = f"{counted(int(absent.sum()), 'score')} absent (null, NaN, or ended with an error), and left out."
    batch.note("unscored", message, names)
    return frame[~absent]


def _without_copies(frame: pd.DataFrame, batch: Batch) -> pd.DataFrame:
    """Drop rows that are there again with the same score, unless each sample is repeated as often."""
    grouped = frame.groupby([*_KEYS, "question"], sort=False)["score"]
    size = grouped.transform("size")
    if (size == 1).all():
        return frame
    evaluations = [frame["system"], frame["dataset"]]
    differs = (grouped.transform("nunique") > 1).groupby(evaluations).transform("any")
    runs = differs & (size.groupby(evaluations).transform("nunique") == 1)
    copies = ~runs & frame.duplicated([*_KEYS, "question", "score"])
    _note_samples(batch, "identical-samples", "written more than once, with one score, count once", frame[copies])
    return frame[~copies]


def _note_samples(batch: Batch, code: str, what: str, rows: pd.DataFrame) -> None:
    named = rows[["system", "dataset", "instance"]].drop_duplicates()
    names = [f"{one} of {system} on {dataset}" for system, dataset, one in named.itertuples(index=False)]
    batch.note(code, f"{counted(len(names), 'sample')} {what}.", names)


def _paired(frame: pd.DataFrame, tool: Tool, batch: Batch) -> tuple[pd.DataFrame, str]:
    """Pair on ids; or on questions, if one id has several of them, or systems share more questions than ids."""
    on_question, unequal = [], {}
    for dataset, rows in frame[frame["question"] != ""].groupby("dataset", sort=False):
        texts = rows.drop_duplicates(["system", "instance", "question"])
        questions = texts.groupby("instance")["question"].nunique()
        conflicts = int(questions.gt(1).sum())
        of_ids, of_questions = (texts.groupby(key)["system"].nunique().gt(1).sum() for key in ("instance", "question"))
        if of_questions and (conflicts or of_questions > of_ids):
            on_question.append(str(dataset))
            again = rows.groupby(["system", "filter", "metric", "run", "question"], sort=False).cumcount()
            frame.loc[rows.index, "instance"] = rows["question"].where(
                again == 0, rows["question"] + " (" + (again + 1).astype(str) + ")"
            )
        elif conflicts:
            unequal[str(dataset)] = conflicts
    by_id, question = tool.paired_on, tool.question
    message = f"The {question} of a sample is not the same for all systems; they are paired on the {by_id}."
    names = [f"{dataset}: {counted(n, 'sample')}" for dataset, n in unequal.items()]
    batch.note("unequal-questions", message, names, "evaluate all systems on equal data")
    message = f"The {by_id} does not say which samples belong together; they are paired on the {question}."
    batch.note("paired-on-question", message, on_question, severity="info")
    return frame, question if len(on_question) == frame["dataset"].nunique() else by_id


def _repeats(frame: pd.DataFrame, batch: Batch) -> pd.DataFrame:
    """Number differing scores of a sample as runs where all samples have equally many; else leave them out."""
    grouped = frame.groupby(_KEYS, sort=False)["score"]
    size = grouped.transform("size")
    if (size == 1).all():
        return frame
    even = size.groupby([frame["system"], frame["dataset"]]).transform("nunique") == 1
    bad, runs = ~even & (size > 1), even & (size > 1)
    _note_samples(batch, "samples-contradict", "with several different scores left out", frame[bad])
    numbers = (grouped.cumcount() + 1).astype(str)
    frame.loc[runs, "run"] = numbers[runs].where(frame["run"] == "", frame["run"] + "." + numbers)
    message = "Each sample was evaluated several times; the repeats are taken as runs."
    batch.note("repeats-as-runs", message, frame.loc[runs, "system"].unique().tolist())
    return frame[~bad].assign(run=frame["run"].where(frame["run"] != "", "1"))


def _filtered(frame: pd.DataFrame, preferred: Sequence[str], batch: Batch) -> tuple[pd.DataFrame, str]:
    """Choose a filter for datasets with several; where a dataset lacks it, the name of the metric says which one."""
    several = frame.groupby("dataset")["filter"].transform("nunique") > 1
    if not several.any():
        return frame.drop(columns="filter"), ""
    systems = frame[several].groupby("filter", sort=False)["system"].nunique()
    common = systems.index[systems == systems.max()]
    chosen = next((name for name in preferred if name in common), str(common[0]))
    frame = frame.assign(filter=frame["filter"].where(several))
    lacking = []
    for dataset, rows in frame[several].groupby("dataset", sort=False):
        having = set(rows.loc[rows["filter"] == chosen, "system"])
        if having:
            lacking += [f"{system} on {dataset}" for system in rows["system"].unique() if system not in having]
            continue
        others = rows.index[rows["filter"] != rows["filter"].iloc[0]]
        frame.loc[others, "metric"] = rows["metric"] + " (" + rows["filter"].astype(str) + ")"
        frame.loc[rows.index, "filter"] = None
    batch.note("filter-absent", f"Systems have no score of {chosen}.", lacking)
    return (frame, chosen) if frame["filter"].notna().any() else (frame.drop(columns="filter"), "")


def _main(frame: pd.DataFrame, preferred: Sequence[str], batch: Batch) -> dict[str, str]:
    """Map each dataset to a metric that all its systems have: a preferred one, else that of most datasets."""
    pairs = frame[["dataset", "metric", "system"]].drop_duplicates()
    having = pairs.groupby(["dataset", "metric"], sort=False)["system"].agg(set).reset_index()
    systems = pairs.groupby("dataset")["system"].agg(set)
    full = having[having["system"] == having["dataset"].map(systems)]
    n_datasets = full["metric"].value_counts()
    place = {name: number for number, name in enumerate(preferred)}
    found, absent = {}, []
    for dataset, rows in having.groupby("dataset", sort=False):
        shared = full.loc[full["dataset"] == dataset, "metric"].tolist() or rows["metric"].tolist()
        name = min(shared, key=lambda name: (place.get(name, len(place)), -n_datasets.get(name, 0)))
        found[str(dataset)] = name
        (with_it,) = rows.loc[rows["metric"] == name, "system"]
        absent += [f"{system} on {dataset}" for system in sorted(systems[dataset] - with_it)]
    message = "Systems have no score by the metric that is compared."
    batch.note("metric-absent", message, absent, "take another one: --metric")
    return found
