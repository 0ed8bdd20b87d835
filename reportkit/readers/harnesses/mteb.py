"""MTEB: `RESULTS/MODEL/REVISION/TASK.json`, one score per model and task."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, some
from reportkit.readers import json_content
from reportkit.readers.choosing import filter_taken, one_metric
from reportkit.readers.format import Harness, Taken
from reportkit.readers.frame_builder import long_frame, unscored, without_rows
from reportkit.readers.json_content import BROKEN, member_of, score_at, text_at
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request

MAIN = "main_score"
_META = "model_meta.json"
EXPERIMENTS = "scores_per_experiment"

_NO_SCORES = frozenset({"hf_subset", "languages", "mteb_version", "evaluation_time", EXPERIMENTS})
_OLD_KEYS = frozenset({"dataset_revision", "mteb_dataset_name", "mteb_version", "dataset_version", "evaluation_time"})


class _Scores(NamedTuple):
    """Of a model on a split of a subset of a task."""

    system: str
    task: str
    split: str
    subset: str
    scores: dict[str, float | None]
    experiments: list[dict[str, float | None]]
    revision: str
    version: str


def read_mteb(files: Sequence[Source], request: Request) -> Reading:
    """Read scores of tasks: aggregates, so that the tasks are the sample."""
    found: list[_Scores] = []
    for done, source in enumerate(files, start=1):
        if source.plain_path.name != _META:
            found += _scores(source)
        request.progress(done, len(files))
    if not found:
        raise without_rows("score of a task", f"{len(files):,} files of MTEB")
    if request.filter == EXPERIMENTS:
        return _of_experiments(found, request, files)
    systems: dict[str, set[str]] = {}
    for one in found:
        systems.setdefault(one.split, set()).add(one.system)
    every_split = {one.split for one in found}
    splits = {task: {one.split for one in found if one.task == task} for task in {one.task for one in found}}
    split = ""
    other_splits: tuple[str, ...] = ()
    notes: list[Finding] = []
    if any(len(names) > 1 for names in splits.values()):
        wanted = request.filter or ("test" if "test" in every_split else None)
        if wanted is None:
            filter_taken(request, systems, "split")
        split, other_splits, notes = filter_taken(dataclasses.replace(request, filter=wanted), systems, "split")
        found = [one for one in found if one.split == split or len(splits[one.task]) == 1]
    available = [name for name in found[0].scores if all(name in one.scores for one in found)]
    available = [MAIN, *(name for name in available if name != MAIN)] if MAIN in available else available
    if not available:
        raise ReadingError(
            f"no metric is there for all {counted(len({one.task for one in found}), 'task')}",
            where="files of MTEB before version 1.11 have no main_score",
            remedy="evaluate with a version of today, or give tasks that have one metric in common",
        )
    metric, others, chosen = one_metric(request, available, [MAIN])
    reading = _reading(found, metric, others, split, other_splits, files)
    return reading.noted(*chosen, *notes)


def _reading(
    found: Sequence[_Scores],
    metric: str,
    others: tuple[str, ...],
    split: str,
    other_splits: tuple[str, ...],
    files: Sequence[Source],
) -> Reading:
    subsets: dict[str, set[str]] = {}
    for one in found:
        subsets.setdefault(one.task, set()).add(one.subset)
    rows: dict[str, list[object]] = {"system": [], "dataset": [], "metric": [], "score": []}
    for one in found:
        score = one.scores[metric]
        if score is None:
            continue
        name = one.task if len(subsets[one.task]) == 1 else f"{one.task} ({one.subset})"
        for column, value in zip(rows.values(), (one.system, name, metric, score), strict=True):
            column.append(value)
    if not rows["score"]:
        raise without_rows("score", f"metric {metric!r}")
    experiments = {one.task for one in found if one.experiments}
    notes = [*unscored(len(found) - len(rows["score"]), f"{metric} is null"), *_unequal(found)]
    if experiments:
        notes.append(
            Finding(
                "experiments-averaged",
                "info",
                f"The scores of {counted(len(experiments), 'task')} are means over several training samples, computed "
                "by MTEB; how much they vary is not used.",
                where=some(sorted(experiments)),
                remedy=f"to compare models on each of these tasks, with the samples as runs: --filter {EXPERIMENTS}",
            )
        )
    datasets = {*map(str, rows["dataset"])}
    return Reading(
        frame=long_frame(rows),
        format="MTEB",
        metrics=dict.fromkeys(sorted(datasets), (metric,)),
        aggregates=True,
        other_metrics=others,
        filter=split,
        other_filters=other_splits,
        filter_noun="split",
        higher_is_better={metric: True},
        notes=tuple(notes),
        nouns=("model", "task"),
        n_files=len(files),
    )


def _of_experiments(found: Sequence[_Scores], request: Request, files: Sequence[Source]) -> Reading:
    """Scores by training sample, as runs, of the tasks that have them."""
    kept = [one for one in found if one.experiments and one.split == "test"] or [
        one for one in found if one.experiments
    ]
    if not kept:
        raise ReadingError(f"no task has {EXPERIMENTS}", where=counted(len(files), "file"), remedy="leave out --filter")
    if len({one.split for one in kept}) > 1:
        raise ReadingError(
            f"tasks have {EXPERIMENTS} of different splits", where=some(sorted({one.split for one in kept})),
            remedy="give the files of one split",
        )  # fmt: skip
    runs = [run for one in kept for run in one.experiments]
    available = [name for name in runs[0] if all(run.get(name) is not None for run in runs)]
    if not available:
        raise ReadingError("no metric is there for all experiments", where=counted(len(runs), "run"), remedy=BROKEN)
    main = [name for name in available if all(_is_mean(one, name) for one in kept)]
    metric, others, notes = one_metric(request, available, main)
    rows: dict[str, list[object]] = {name: [] for name in ("system", "dataset", "seed", "metric", "score")}
    for one in kept:
        name = one.task if one.subset == "default" else f"{one.task} ({one.subset})"
        for number, run in enumerate(one.experiments, start=1):
            for column, value in zip(rows.values(), (one.system, name, str(number), metric, run[metric]), strict=True):
                column.append(value)
    without = {one.task for one in found} - {one.task for one in kept}
    if without:
        said = f"{counted(len(without), 'task')} without {EXPERIMENTS} left out."
        notes.append(
            Finding(
                "tasks-left-out",
                "warning",
                said,
                where=some(sorted(without)),
                remedy="leave out --filter",
            )
        )
    return Reading(
        frame=long_frame(rows),
        format="MTEB",
        metrics=dict.fromkeys(map(str, rows["dataset"]), (metric,)),
        other_metrics=others,
        filter=EXPERIMENTS,
        filter_noun="filter",
        higher_is_better={metric: True},
        notes=(*notes, *_unequal(kept)),
        nouns=("model", "task"),
        n_files=len(files),
    )


def _is_mean(one: _Scores, name: str) -> bool:
    """Whether the main score is the mean of a metric over the experiments."""
    main = one.scores.get(MAIN)
    values = [value for run in one.experiments if (value := run[name]) is not None]
    return main is not None and abs(sum(values) / len(values) - main) < 1e-4


def _scores(source: Source) -> Iterator[_Scores]:
    document = member_of(source, json_content.document(source), dict, "the whole file")
    system = _model(source)
    version = str(document.get("mteb_version") or "")
    revision = str(document.get("dataset_revision") or "")
    if "task_name" in document:
        task = text_at(source, document, "task_name", "the whole file")
        splits = member_of(source, document.get("scores"), dict, "'scores'")
        for split, entries in splits.items():
            for number, entry in enumerate(member_of(source, entries, list, f"split {split!r}"), start=1):
                where = f"split {split!r}, entry {number}"
                record = member_of(source, entry, dict, where)
                if MAIN not in record:
                    raise ReadingError(f"{source.name!r} holds no {MAIN!r}", where=where, remedy=BROKEN)
                subset = str(record.get("hf_subset", "default"))
                yield _Scores(
                    system, task, split, subset, _numbers(source, record, where), _experiments(source, record, where),
                    revision, version,
                )  # fmt: skip
        return
    task = text_at(source, document, "mteb_dataset_name", "the whole file")
    for split, content in document.items():  # before version 1.11
        if split in _OLD_KEYS or not isinstance(content, dict):
            continue
        inner = {key: value for key, value in content.items() if isinstance(value, dict)}
        by_subset = inner if any("main_score" in value or len(key) in (2, 3, 5) for key, value in inner.items()) else {}
        for subset, record in (by_subset or {"default": content}).items():
            where = f"split {split!r}, subset {subset!r}"
            yield _Scores(system, task, split, subset, _numbers(source, record, where), [], revision, version)


def _numbers(source: Source, record: Mapping[str, Any], where: str) -> dict[str, float | None]:
    numbers: dict[str, float | None] = {}
    for key, value in record.items():
        if key in _NO_SCORES:
            continue
        if isinstance(value, dict):
            numbers |= {f"{key}_{name}": score for name, score in _numbers(source, value, where).items()}
        elif key == MAIN or (isinstance(value, (int, float)) and not isinstance(value, bool)):
            numbers[key] = score_at(source, value, f"{where}, {key!r}")
    return numbers


def _experiments(source: Source, record: Mapping[str, Any], where: str) -> list[dict[str, float | None]]:
    value = record.get(EXPERIMENTS)
    if not isinstance(value, list):
        return []
    return [_numbers(source, one, where) for one in value if isinstance(one, dict)]


def _model(source: Source) -> str:
    """Name of the model: of `model_meta.json`, or of the folder."""
    folder = source.path.absolute().parent
    for meta in source.beside(_META):
        content = json_content.document(meta)
        if isinstance(content, dict) and isinstance(content.get("name"), str) and content["name"]:
            return str(content["name"])
    has_revision = "__" not in folder.name and "__" in folder.parent.name
    name = folder.parent.name if has_revision else folder.name
    return name.replace("__", "/") or "model"


def _unequal(found: Sequence[_Scores]) -> Iterator[Finding]:
    revisions: dict[str, set[str]] = {}
    for one in found:
        revisions.setdefault(one.task, set()).add(one.revision)
    unequal = sorted(task for task, names in revisions.items() if len(names) > 1)
    if unequal:
        yield Finding(
            "unequal-versions",
            "warning",
            f"{counted(len(unequal), 'task')} with different revisions of the data (dataset_revision): models did not "
            "answer the same questions.",
            where=some(unequal),
            remedy="evaluate all models on the same revision, or leave these tasks out",
        )
    majors = {one.version.partition(".")[0] for one in found if one.version}
    if len(majors) > 1:
        yield Finding(
            "unequal-harness-versions",
            "warning",
            f"The scores are of different versions of MTEB ({some(sorted(majors))}).",
            remedy="evaluate all models with the same version",
        )


def can_read(head: bytes, path: Path) -> bool:
    """Whether a file holds the scores of a task."""
    text = head.lstrip()
    if not text.startswith(b"{"):
        return False
    if path.name == _META:  # of the model, beside its tasks
        return b'"name"' in head and b'"revision"' in head
    return b'"mteb_dataset_name"' in head or (
        b'"task_name"' in head and b'"scores"' in head and (b'"mteb_version"' in head or b'"hf_subset"' in head)
    )


MTEB = Harness(
    name="MTEB",
    endings=(".json",),
    read=read_mteb,
    can_read=can_read,
    taken=Taken(
        files="`MODEL/REVISION/TASK.json`",
        system="`name` of `model_meta.json`; folder of the model",
        dataset="`task_name`, with `hf_subset` where there are several",
        instance="– (one score per task: the tasks are the sample, `--across-datasets`)",
        run="`scores_per_experiment`, with `--filter scores_per_experiment`",
        metric="`main_score`; each metric that all tasks have",
        refused="several splits without `test` (`--filter`); different `dataset_revision` is a warning",
    ),
)
