"""EvalPlus: `*_eval_results.json`, programs that pass the tests of HumanEval(+) and MBPP(+)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted
from reportkit.readers import json_content
from reportkit.readers.choosing import metrics_taken
from reportkit.readers.format import Harness, Taken
from reportkit.readers.frame_builder import FrameBuilder, without_rows
from reportkit.readers.harnesses.names import distinct_names, folder_name
from reportkit.readers.json_content import BROKEN, member_of, shown, text_at
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request

_SUFFIXES = ("_eval_results", ".eval_results", "eval_results")

_METRICS = {"plus": ("base", "plus"), "base": ("base",)}
"""A program is right by a metric if it passes these tests."""

_STATUS = frozenset({"pass", "fail", "timeout"})

_Tasks = dict[str, dict[str, list[dict[str, str | None]]]]
"""Dataset, task and position to the status of each set of tests."""


def read_evalplus(files: Sequence[Source], request: Request) -> Reading:
    """Read results of tests; several programs per task are runs."""
    contents: list[_Tasks] = []
    versions: list[str] = []
    for done, source in enumerate(files, start=1):
        document = member_of(source, json_content.document(source), dict, "the whole file")
        contents.append(_tasks(source, document))
        versions.append(str(document.get("hash")))
        request.progress(done, len(files))
    paths = [source.plain_path for source in files]
    systems = distinct_names([_system(path) for path in paths], paths, [tuple(sorted(tasks)) for tasks in contents])
    hashes: dict[str, dict[str, str]] = {}
    for system, tasks, version in zip(systems, contents, versions, strict=True):
        for dataset in tasks:
            hashes.setdefault(dataset, {})[system] = version
    programs = [one for tasks in contents for of_task in tasks.values() for task in of_task.values() for one in task]
    if not programs:
        raise without_rows("program", f"{len(files):,} files of EvalPlus")
    available = [
        name for name, tests in _METRICS.items() if all(one[test] is not None for one in programs for test in tests)
    ]
    if not available:
        raise ReadingError(
            "no metric is there for all programs", where=counted(len(programs), "program"), remedy=BROKEN
        )
    metrics, others, chosen = metrics_taken(request, available, ["plus", "base"])
    frame = FrameBuilder()
    for system, tasks in zip(systems, contents, strict=True):
        for dataset, of_task in tasks.items():
            several = any(len(samples) > 1 for samples in of_task.values())
            for metric in metrics:
                tests = _METRICS[metric]
                rows = [
                    (task, str(position), float([sample[test] for test in tests].count("pass") == len(tests)))
                    for task, samples in of_task.items()
                    for position, sample in enumerate(samples, start=1)
                ]
                ids, runs, scores = zip(*rows, strict=True)
                frame.add(system, dataset, ids, scores, runs=runs if several else None, metric=metric)
    return Reading(
        frame=frame.frame(),
        format="EvalPlus",
        metrics={dataset: metrics for tasks in contents for dataset in tasks},
        other_metrics=others,
        paired_on="task id",
        higher_is_better=dict.fromkeys(metrics, True),
        notes=(*chosen, *_unequal_tests(hashes)),
        nouns=("model", "dataset"),
        n_files=len(files),
    )


def _system(path: Path) -> str:
    stem = path.name.removesuffix(".json")
    for suffix in _SUFFIXES:
        stem = stem.removesuffix(suffix)
    return stem or folder_name(path, "model")


def _tasks(source: Source, document: Mapping[str, Any]) -> _Tasks:
    tasks: _Tasks = {}
    for task, content in member_of(source, document.get("eval"), dict, "'eval'").items():
        samples = list(_samples(source, task, content))
        if samples:
            tasks.setdefault(task.partition("/")[0], {})[task] = samples
    return tasks


def _samples(source: Source, task: str, content: Any) -> Iterator[dict[str, str | None]]:
    where = f"task {task!r}"
    if isinstance(content, dict):  # before version 0.2: lists of [status, details] by set of tests
        base = member_of(source, content.get("base"), list, where)
        plus = content.get("plus") or [None] * len(base)
        if not isinstance(plus, list) or len(plus) != len(base):
            raise ReadingError(f"{source.name!r} holds unequal numbers of programs", where=where, remedy=BROKEN)
        for one, other in zip(base, plus, strict=True):
            yield {"base": _status(source, _first(one), where), "plus": _status(source, _first(other), where)}
        return
    for sample in member_of(source, content, list, where):
        base, plus = (
            (sample.get("base_status"), sample.get("plus_status")) if isinstance(sample, dict) else (None, None)
        )
        if not (type(base) is type(plus) is str and base in _STATUS and plus in _STATUS):
            record = member_of(source, sample, dict, where)
            base = _status(source, text_at(source, record, "base_status", where), where)
            plus = _status(source, plus, where)
        yield {"base": base, "plus": plus}


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else value


def _status(source: Source, value: Any, where: str) -> str | None:
    if value is None or (isinstance(value, str) and value in _STATUS):
        return None if value is None else str(value)
    raise ReadingError(f"{source.name!r} holds {shown(value)} as a status", where=where, remedy=BROKEN)


def _unequal_tests(hashes: Mapping[str, Mapping[str, str]]) -> Iterator[Finding]:
    for dataset, by_system in hashes.items():
        if len({*by_system.values()}) > 1:
            yield Finding(
                "unequal-versions",
                "warning",
                "The programs were run against different versions of the tests, so the scores are not comparable.",
                where=f"dataset {dataset!r}: " + ", ".join(f"{name} {value[:8]}" for name, value in by_system.items()),
                remedy="evaluate all models with the same version of EvalPlus",
            )


def can_read(head: bytes, path: Path) -> bool:
    """Whether a file holds the results of tests by task."""
    return b'"eval"' in head and (b'"base_status"' in head or (b'"nfiles"' in head and b'"base"' in head))


EVALPLUS = Harness(
    name="EvalPlus",
    endings=(".json",),
    read=read_evalplus,
    can_read=can_read,
    taken=Taken(
        files="`*_eval_results.json`",
        system="name of the file, or of its folder",
        dataset="beginning of the task id: `HumanEval`, `Mbpp`",
        instance="`task_id`",
        run="position in the list of programs, where there are several",
        metric="`plus`: passes the base and the additional tests; `base`",
        refused="`plus` where the additional tests were not run; different `hash` of the tests is a warning",
    ),
)
