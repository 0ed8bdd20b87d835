"""Inspect (UK AI Security Institute): logs as `.eval`, a zip archive, or as `.json`."""

from __future__ import annotations

import dataclasses
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.readers import json_content
from reportkit.readers.compression import CORRUPT, members, open_member
from reportkit.readers.format import Harness, Taken
from reportkit.readers.source import Source, largest_content
from reportkit.readers.understood import Reading, Request
from reportkit.readers.units import Unit, latest, understood

_VALUES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
"""As Inspect itself reads values that are texts; what is none of them, and no number, it counts as 0, and we do not."""

_NOT_SINGLE = "its value is a list"


@dataclass(slots=True, eq=False)
class _Log:
    """One evaluation of a model on a task."""

    source: Source
    header: Mapping[str, Any]
    model: str
    task: str
    unit: Unit
    n_errors: int = 0
    n_limits: int = 0

    def facet(self, name: str) -> str:
        """What may tell two evaluations of one model apart."""
        if name == "solver":
            steps = json_content.inside(self.header, "plan", "steps")
            names = [str(json_content.inside(step, "solver")) for step in steps] if isinstance(steps, list) else []
            return json_content.text_of(self.header["eval"], "solver") or "+".join(names)
        value = self.header["eval"].get(name)
        return (
            ", ".join(f"{key}={_short(item)}" for key, item in sorted(value.items())) if isinstance(value, dict) else ""
        )


def read_inspect(files: Sequence[Source], request: Request) -> Reading:
    """Read logs; epochs are runs, and samples without a score, or with an error, have none.

    Raises
    ------
    ReadingError
        If a log is damaged, or none was completed.
    SettingsError
        If a score that is asked for is a text that stands for no number.
    """
    logs: list[_Log] = []
    unfinished: list[str] = []
    for done, source in enumerate(files):
        request.progress(done, len(files))
        log = _read(source, unfinished)
        if log is not None:
            logs.append(log)
    request.progress(len(files), len(files))
    if not logs:
        raise ReadingError(
            "none of these logs of Inspect was completed",
            where=listed(unfinished, 5),
            remedy="finish them: inspect eval-retry LOG",
        )
    notes = []
    if unfinished:
        notes.append(
            Finding(
                "unfinished",
                "warning",
                f"{counted(len(unfinished), 'log')} left out: not completed.",
                where=listed(unfinished, 5),
                remedy="finish them: inspect eval-retry LOG",
            )
        )
    units = _named(logs)
    units, older = latest(units, "model and task")
    headline = json_content.inside(logs[0].header, "results", "headline", "score")
    reading = understood(
        units,
        request,
        format_name=INSPECT.name,
        nouns=("model", "task"),
        id_name="sample id",
        hash_name="input",
        main=(headline,) if isinstance(headline, str) else (),
        notes=(*notes, *older, *_counts(logs)),
        n_files=len(files),
    )
    by_input = any(note.code == "different-instances" for note in reading.notes)
    return dataclasses.replace(reading, paired_on="input" if by_input else "sample id")


def _can_read(head: bytes, path: Path) -> bool:
    if path.suffix.lower() == ".eval":
        return head.startswith(b"PK")
    return (
        head.lstrip()[:1] == b"{"
        and b'"eval"' in head
        and b'"status"' in head
        and (b'"run_id"' in head or b'"task_id"' in head or b'"task"' in head)
        and b'"evaluation_id"' not in head
    )


def _read(source: Source, unfinished: list[str]) -> _Log | None:
    header, samples = _of_archive(source) if source.plain_path.suffix.lower() == ".eval" else _of_document(source)
    spec = header.get("eval")
    model, task = (json_content.text_of(spec, name) if isinstance(spec, dict) else None for name in ("model", "task"))
    if model is None or task is None:
        raise json_content.wrong(source, "is no log of Inspect: it does not say model and task")
    status = header.get("status")
    if status != "success" or header.get("invalidated"):
        said = "invalidated" if header.get("invalidated") else str(status)
        unfinished.append(f"{source.name!r} ({said})")
        return None
    log = _Log(
        source, header, model, task.rpartition("/")[2], Unit("", "", source.name, str(header["eval"].get("created")))
    )
    if not isinstance(samples, list) or not samples:
        raise json_content.wrong(
            source, "holds no samples", remedy="write the log with its samples: inspect eval --log-samples"
        )
    seen: set[tuple[str, str]] = set()
    for sample in samples:
        if isinstance(sample, dict):
            _add(log, sample, seen)
        else:
            raise json_content.wrong(source, f"has a sample that is a {type(sample).__name__}")
    return log


def _of_archive(source: Source) -> tuple[Mapping[str, Any], Any]:
    """Header and summaries of samples; where there are none of these, the samples themselves."""
    try:
        archive = source.path if source.archive is None else io.BytesIO(source.read_all())
        names = [item.filename for item in members(archive)]
    except (*CORRUPT, UnicodeError) as error:
        raise json_content.wrong(
            source, "is no archive of Inspect, or is damaged", where=str(error)[:200], remedy="copy it again"
        ) from None

    def member(name: str) -> Source:
        content = None if isinstance(archive, Path) else open_member(archive, name).read(largest_content() + 1)
        return Source(source.path / name, source.path, content)

    if "header.json" not in names:
        if "_journal/start.json" not in names:
            raise json_content.wrong(source, "is no log of Inspect: there is no header.json in it")
        return {**json_content.mapping(member("_journal/start.json")), "status": "started"}, None
    header = json_content.mapping(member("header.json"))
    if "summaries.json" in names:
        return header, json_content.document(member("summaries.json"))
    of_samples = [name for name in names if name.startswith("samples/") and name.endswith(".json")]
    return header, [json_content.mapping(member(name)) for name in of_samples]


def _of_document(source: Source) -> tuple[Mapping[str, Any], Any]:
    header = json_content.mapping(source)
    return header, header.pop("samples", None)


def _add(log: _Log, sample: Mapping[str, Any], seen: set[tuple[str, str]]) -> None:
    name = json_content.text_of(sample, "id")
    epoch = json_content.text_of(sample, "epoch") or "1"
    if name is None:
        raise json_content.wrong(log.source, "has a sample without id")
    if (name, epoch) in seen:
        raise json_content.wrong(log.source, f"has sample {name!r} of epoch {epoch} twice")
    seen.add((name, epoch))
    scores = sample.get("scores")
    if sample.get("error") is not None:
        log.n_errors += 1
        scores = None
    log.n_limits += sample.get("limit") is not None
    values: dict[str, Any] = {}
    for scorer, score in scores.items() if isinstance(scores, dict) else ():
        value = score.get("value") if isinstance(score, dict) else score
        if isinstance(value, dict):
            values |= {f"{scorer}/{key}": item for key, item in value.items()}
        else:
            values[scorer] = value
    for metric, value in values.items():
        log.unit.score(metric, _number(log, metric, value, name))
    log.unit.ids.append(name)
    log.unit.runs.append(epoch)
    asked = sample.get("input")
    log.unit.hashes.append(None if asked is None else _short(asked, 10_000))


def _number(log: _Log, metric: str, value: Any, name: str) -> float | None:
    if isinstance(value, str):
        found = _VALUES.get(value, _VALUES.get(value.casefold()) if len(value) > 1 else None)
        if found is not None:
            return found
        try:
            return json_content.number(float(value))
        except ValueError:
            log.unit.unknown.setdefault(metric, f"{value!r} of sample {name!r}")
            return None
    if isinstance(value, (list, dict)):
        log.unit.refused[metric] = _NOT_SINGLE
        return None
    return json_content.number(value)


def _named(logs: Sequence[_Log]) -> list[Unit]:
    """Scores with the names of system and dataset: where two logs have the same ones, with what tells them apart."""
    systems = {id(log): log.model for log in logs}
    datasets = {id(log): log.task for log in logs}
    for facet, labels in (
        ("solver", systems),
        ("model_generate_config", systems),
        ("model_args", systems),
        ("task_args_passed", datasets),
        ("task_args", datasets),
    ):
        groups: dict[tuple[str, str], list[_Log]] = {}
        for log in logs:
            groups.setdefault((systems[id(log)], datasets[id(log)]), []).append(log)
        for group in groups.values():
            if len({log.facet(facet) for log in group}) > 1:
                label = labels[id(group[0])]
                for log in logs:
                    if labels[id(log)] == label:
                        labels[id(log)] = f"{label} ({log.facet(facet) or 'default'})"
    for log in logs:
        log.unit.system, log.unit.dataset = systems[id(log)], datasets[id(log)]
    return [log.unit for log in logs]


def _counts(logs: Sequence[_Log]) -> list[Finding]:
    notes = []
    if errors := {f"{log.model} on {log.task}": log.n_errors for log in logs if log.n_errors}:
        where = listed([f"{label} ({n:,})" for label, n in errors.items()], 5)
        notes.append(
            Finding("sample-errors", "warning", "Samples that ended with an error are not scored.", where=where)
        )
    if limits := {f"{log.model} on {log.task}": log.n_limits for log in logs if log.n_limits}:
        where = listed([f"{label} ({n:,})" for label, n in limits.items()], 5)
        notes.append(
            Finding("sample-limits", "info", "Samples that reached a limit are scored as they were then.", where)
        )
    versions: dict[str, dict[str, None]] = {}
    for log in logs:
        versions.setdefault(log.task, {})[str(log.header["eval"].get("task_version"))] = None
    if several := [f"{task}: {' and '.join(said)}" for task, said in versions.items() if len(said) > 1]:
        message = "The version of a task differs between models."
        notes.append(Finding("unequal-versions", "warning", message, where=listed(several, 5)))
    return notes


def _short(value: Any, most: int = 40) -> str:
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)
    return text if len(text) <= most else f"{text[: most - 1]}…"


INSPECT = Harness(
    name="Inspect",
    endings=(".eval", ".json"),
    read=read_inspect,
    can_read=_can_read,
    taken=Taken(
        files="`.eval` (deflate or zstd) and `.json` logs",
        system="`eval.model`; with solver, generation config or model arguments where these differ",
        dataset="`eval.task` without its namespace; with task arguments where these differ",
        instance="sample `id`, checked against `input`",
        run="`epoch`",
        metric="the scorer of the headline, `scorer/key` where a value is a mapping; C, P, I, N are 1, .5, 0, 0",
        refused="values that are no number and none of these; left out with a word: logs that were not completed or "
        "were invalidated, older logs of the same model and task, samples with errors or without a score",
    ),
)
