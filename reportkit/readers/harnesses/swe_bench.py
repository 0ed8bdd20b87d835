"""SWE-bench: reports by instance, run reports, and the `results.json` of the leaderboard with a list of instances."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, some
from reportkit.readers import json_content
from reportkit.readers.choosing import one_metric
from reportkit.readers.format import Harness, Taken
from reportkit.readers.frame_builder import FrameBuilder, unscored, without_rows
from reportkit.readers.json_content import BROKEN, member_of, shown, text_at
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request, shell

METRIC = "resolved"
DATASET = "SWE-bench"

_ID = re.compile(r"[\w.-]+__[\w.-]+-\w+")
_NOT_RESOLVED = ("unresolved_ids", "empty_patch_ids", "error_ids")
_ENVIRONMENT = "infra_failure_ids"

_Kind = Literal["instance", "run", "leaderboard", "list"]


@dataclass(slots=True)
class _Solved:
    """What is known of a system, of one dataset and run."""

    system: str
    dataset: str
    run: str
    scores: dict[str, float] = field(default_factory=dict)
    environment: set[str] = field(default_factory=set)
    not_submitted: set[str] = field(default_factory=set)
    complete: bool = False
    version: str = ""
    source: str = ""


def read_swe_bench(files: Sequence[Source], request: Request) -> Reading:
    """Read which issues were resolved; results without the ids of the others need a list of all instances."""
    one_metric(request, [METRIC], [METRIC])
    reports: dict[tuple[str, str, str], _Solved] = {}
    complete: dict[tuple[str, str, str], _Solved] = {}
    incomplete: list[_Solved] = []
    instances: dict[str, None] = {}
    for done, source in enumerate(files, start=1):
        kind, content = _content(source)
        if kind == "list":
            instances.update(dict.fromkeys(content))
        elif kind == "instance":
            _add_report(source, content, reports)
        elif kind == "run":
            solved = _of_run(source, content)
            complete[solved.system, solved.dataset, solved.run] = solved
        else:
            solved = _of_leaderboard(source, content)
            if solved.complete:
                complete[solved.system, solved.dataset, solved.run] = solved
            else:
                incomplete.append(solved)
        request.progress(done, len(files))
    if incomplete:
        _complete(incomplete, list(instances), files)
    found = [*complete.values(), *incomplete]
    covered = {(one.system, one.run) for one in found}
    found += [one for one in reports.values() if (one.system, one.run) not in covered]
    return _reading(found, reports, len(files))


def _reading(found: Sequence[_Solved], reports: Mapping[tuple[str, str, str], _Solved], n_files: int) -> Reading:
    runs: dict[tuple[str, str], set[str]] = {}
    for one in found:
        runs.setdefault((one.system, one.dataset), set()).add(one.run)
    frame = FrameBuilder()
    for one in sorted(found, key=lambda one: (one.system, one.dataset, one.run)):
        ids = list(one.scores)
        several = len(runs[one.system, one.dataset]) > 1
        runs_of = [one.run] * len(ids) if several else None
        frame.add(one.system, one.dataset, ids, list(one.scores.values()), metric=METRIC, runs=runs_of)
    if not len(frame):
        raise without_rows("instance with a result", f"{n_files:,} files of SWE-bench")
    return Reading(
        frame=frame.frame(),
        format="SWE-bench",
        metrics={one.dataset: (METRIC,) for one in found},
        paired_on="instance_id",
        higher_is_better={METRIC: True},
        notes=tuple(_notes(found, reports)),
        n_files=n_files,
    )


def _notes(found: Sequence[_Solved], reports: Mapping[tuple[str, str, str], _Solved]) -> Iterator[Finding]:
    environment = [one for one in found if one.environment]
    yield from unscored(
        sum(len(one.environment) for one in environment),
        "their evaluation failed in its environment (infra_failure_ids)",
        where=", ".join(f"system {one.system!r}: {len(one.environment):,}" for one in environment),
        remedy="evaluate these instances again; SWE-bench itself counts them as not resolved",
    )
    absent = [one for one in found if one.not_submitted]
    if absent:
        n = sum(len(one.not_submitted) for one in absent)
        yield Finding(
            "not-submitted",
            "warning",
            f"{counted(n, 'instance')} had no prediction (incomplete_ids), and no score; SWE-bench itself counts them "
            "as not resolved.",
            where=", ".join(f"system {one.system!r}: {len(one.not_submitted):,}" for one in absent),
            remedy="predict them, or count them as not resolved: --missing worst (missing='worst')",
        )
    alone = [one for one in found if any(one is report for report in reports.values())]
    if alone:
        yield Finding(
            "reports-without-run-report",
            "info",
            "Only instances with a report.json are counted; an empty patch or an error leaves none. The run report "
            "MODEL.RUN_ID.json says of all instances what became of them.",
            where=f"systems {some(sorted({repr(one.system) for one in alone}))}",
            remedy="give the run reports as well, or count absent instances as not resolved: --missing worst",
        )
    versions = {one.version for one in found if one.version}
    if len(versions) > 1:
        yield Finding(
            "unequal-versions",
            "warning",
            f"The run reports have different schema versions ({some(sorted(versions))}).",
            remedy="make all reports with the same version of SWE-bench",
        )


def _complete(incomplete: Sequence[_Solved], instances: Sequence[str], files: Sequence[Source]) -> None:
    """Add the instances that were not resolved; a leaderboard's file does not name them."""
    if not instances:
        named = os.path.commonpath([source.path.parent for source in files])
        raise ReadingError(
            f"{incomplete[0].source!r} names the resolved instances only, not those that were not resolved",
            where=f"{counted(len(incomplete), 'such file')}; of how many instances they are is not known",
            remedy="give a list of all instances of the dataset as well, one id per line:\n"
            f"reportkit build {shell(named)} instances.txt\n"
            "(SWE-bench Verified has 500: datasets.load_dataset('princeton-nlp/SWE-bench_Verified', split='test')"
            "['instance_id'])",
        )
    known = {*instances}
    for one in incomplete:
        foreign = sorted(one.scores.keys() - known)
        if foreign:
            raise ReadingError(
                f"{one.source!r} names {counted(len(foreign), 'instance')} that the list does not have",
                where=", ".join(foreign[:3]),
                remedy="give the list of the dataset that these results are of",
            )
        one.scores = {**dict.fromkeys(instances, 0.0), **one.scores}


def _content(source: Source) -> tuple[_Kind, Any]:
    """What a file is, and its content."""
    name = source.plain_path.name.lower()
    if name.endswith((".txt", ".jsonl")):
        return "list", list(_ids(source))
    content = json_content.document(source)
    if isinstance(content, list):
        return "list", list(_ids_of(source, content))
    member_of(source, content, dict, "the whole file")
    if "resolved_ids" in content:
        return "run", content
    if isinstance(content.get("resolved"), list):
        return "leaderboard", content
    if content and all(isinstance(value, dict) and "resolved" in value for value in content.values()):
        return "instance", content
    raise ReadingError(
        f"{source.name!r} is no report of SWE-bench",
        where=f"keys: {some(list(map(str, content)))}",
        remedy="a report of an instance has 'resolved', a run report 'resolved_ids', a result of the leaderboard "
        "'resolved'",
    )


def _ids(source: Source) -> Iterator[str]:
    if source.plain_path.name.lower().endswith(".jsonl"):
        for number, record in json_content.lines(source):
            yield text_at(source, record, "instance_id", f"line {number:,}")
        return
    for number, line in source.lines():
        text = line.decode("utf-8", "replace").strip().strip('",')
        if text and not _ID.fullmatch(text):
            raise ReadingError(
                f"a line of {source.name!r} is no id of an instance",
                where=f"line {number:,}: {shown(text)}",
                remedy="write one id per line, such as django__django-11099",
            )
        if text:
            yield text


def _ids_of(source: Source, content: Sequence[Any]) -> Iterator[str]:
    for number, one in enumerate(content, start=1):
        where = f"entry {number:,}"
        yield (
            one if isinstance(one, str) else text_at(source, member_of(source, one, dict, where), "instance_id", where)
        )


def _add_report(source: Source, content: Mapping[str, Any], reports: dict[tuple[str, str, str], _Solved]) -> None:
    """Of `RUN_ID/MODEL/INSTANCE_ID/report.json`, with folders before."""
    parts = source.path.absolute().parent.parts
    run, system = ("", "", *parts)[-3:-1]
    solved = reports.setdefault((system, DATASET, run), _Solved(system=system, dataset=DATASET, run=run))
    for instance, report in content.items():
        value = report["resolved"]
        if not isinstance(value, bool):
            raise ReadingError(
                f"{source.name!r} holds {shown(value)} as 'resolved'", where=f"instance {instance!r}", remedy=BROKEN
            )
        solved.scores[instance] = float(value)


def _of_run(source: Source, content: Mapping[str, Any]) -> _Solved:
    model, _, run = source.plain_path.name.removesuffix(".json").rpartition(".")
    solved = _Solved(system=model or run, dataset=DATASET, run=run, complete=True, source=source.name)
    solved.version = str(content.get("schema_version", ""))
    for key in (*_NOT_RESOLVED, "resolved_ids"):
        solved.scores |= dict.fromkeys(_ids_at(source, content, key), float(key == "resolved_ids"))
    resolved = _ids_at(source, content, "resolved_ids")
    if both := {*resolved} & {*_ids_at(source, content, "unresolved_ids")}:
        raise ReadingError(
            f"{source.name!r} names {counted(len(both), 'instance')} as resolved and as unresolved",
            where=some(sorted(both)),
            remedy=BROKEN,
        )
    if not {"unresolved_ids", "error_ids"} & content.keys():
        raise ReadingError(
            f"{source.name!r} names the resolved instances only", where="no 'unresolved_ids'", remedy=BROKEN
        )
    solved.environment = {*_ids_at(source, content, _ENVIRONMENT)} & solved.scores.keys()
    solved.not_submitted = {*_ids_at(source, content, "incomplete_ids")}
    solved.scores = {one: score for one, score in solved.scores.items() if one not in solved.environment}
    return solved


def _of_leaderboard(source: Source, content: Mapping[str, Any]) -> _Solved:
    """Of `evaluation/SPLIT/DATE_MODEL/results/results.json`."""
    folder = source.path.absolute().parent
    folder = folder.parent if folder.name == "results" else folder
    solved = _Solved(system=folder.name or "system", dataset=folder.parent.name or DATASET, run="", source=source.name)
    lists = {key: _ids_at(source, content, key) for key, value in content.items() if isinstance(value, list)}
    solved.complete = "generated" in lists  # older files name all
    solved.scores = {one: 0.0 for ids in lists.values() for one in ids} | dict.fromkeys(lists["resolved"], 1.0)
    return solved


def _ids_at(source: Source, content: Mapping[str, Any], key: str) -> list[str]:
    ids: list[str] = member_of(source, content.get(key, []), list, repr(key))
    for one in ids:
        member_of(source, one, str, repr(key))
    return ids


def can_read(head: bytes, path: Path) -> bool:
    """Whether a file is a report of SWE-bench, or a list of its instances."""
    text = head.lstrip()
    if path.suffix.lower() == ".txt":
        lines = [line.strip() for line in text.decode("utf-8", "replace").splitlines()[:20] if line.strip()]
        return bool(lines) and all(_ID.fullmatch(line) for line in lines[: max(1, len(lines) - 1)])
    if text.startswith(b"["):
        return bool(re.match(rb'\[\s*"[\w.-]+__[\w.-]+-\w+"\s*[,\]]', text))
    if path.suffix.lower() == ".jsonl":
        return b'"FAIL_TO_PASS"' in head and b'"instance_id"' in head
    if not text.startswith(b"{"):
        return False
    of_run = b'"resolved_ids"' in head or (b'"submitted_instances"' in head and b'"completed_instances"' in head)
    of_leaderboard = b'"resolved"' in head and (b'"no_generation"' in head or b'"no_logs"' in head)
    return of_run or of_leaderboard or (b'"resolved"' in head and b'"patch_successfully_applied"' in head)


SWE_BENCH = Harness(
    name="SWE-bench",
    endings=(".json", ".jsonl", ".txt"),
    read=read_swe_bench,
    can_read=can_read,
    taken=Taken(
        files="`RUN_ID/MODEL/INSTANCE/report.json`; `MODEL.RUN_ID.json`; `SPLIT/DATE_MODEL/results/results.json` "
        "with a list of all instances",
        system="folder of the model; beginning of the name of a run report",
        dataset="folder of the split; `SWE-bench`",
        instance="`instance_id`",
        run="`RUN_ID`, where a model has several",
        metric="resolved: 1 or 0; an empty patch and an error count as not resolved, as SWE-bench counts them",
        refused="`results.json` without a list of instances: it names only those that were resolved. Failures of the "
        "environment and instances without a prediction are left out",
    ),
)
