"""lm-evaluation-harness: `samples_TASK_DATE.jsonl`, a line per document and filter, and `results_DATE.json`."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.readers import json_content
from reportkit.readers.choosing import choose_filter
from reportkit.readers.format import Harness, Taken
from reportkit.readers.naming import distinct_systems
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request
from reportkit.readers.units import Unit, latest, understood

_OF_RESULTS = re.compile(rb'_stderr,|"sample_len"|"group_subtasks"|"lm_eval_version"')
_DATE = re.compile(r"_\d{4}-\d\d-\d\dT[\d.:-]+$")
_RESERVED = frozenset(
    {
        *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash"),
        *("prompt_hash", "target_hash", "sample_len", "idx"),
    }
)
_FROM_ALL = "its value is computed from all documents at once, and a single one has none"
_HASHES = ("doc_hash", "prompt_hash", "target_hash")


@dataclass(slots=True, eq=False)
class _Samples:
    """What one file of samples holds, by filter."""

    source: Source
    task: str
    date: str
    system: str = ""
    doc_ids: dict[str, list[str]] = field(default_factory=dict)
    scores: dict[str, dict[str, list[float | None]]] = field(default_factory=dict)
    hashes: dict[str, tuple[list[str | None], ...]] = field(default_factory=dict)
    not_per_instance: dict[str, None] = field(default_factory=dict)


def read_lm_eval(files: Sequence[Source], request: Request) -> Reading:
    """Read the samples of all models and tasks.

    A document is what `doc_hash` says: two models are paired on documents of the same hash. Of several evaluations of
    one model on one task the latest is taken, and a warning names the others.

    Raises
    ------
    ReadingError
        If a file is damaged, there are only aggregates, or a document stands twice.
    """
    samples = [source for source in files if source.plain_path.suffix.lower() == ".jsonl"]
    if not samples:
        raise ReadingError(
            "lm-evaluation-harness wrote scores of tasks here, not of documents",
            where=listed([repr(source.name) for source in files], 3),
            remedy="run it with --log_samples, and give its output folder: lm_eval ... --log_samples --output_path DIR",
        )
    about = _results([source for source in files if source not in samples], samples)
    read: list[_Samples] = []
    known: dict[str, str] = {}
    for done, source in enumerate(samples):
        request.progress(done, len(samples))
        read.append(_read(source, known))
    request.progress(len(samples), len(samples))
    _name_systems(read, about)
    read, notes = _latest(read)
    filters, other_filters, of_filters = choose_filter(_filters(read), request, noun="task")
    reading = understood(
        [_unit(one, filters[one.task], about) for one in read],
        request,
        format_name=LM_EVAL.name,
        nouns=("model", "task"),
        id_name="doc_id",
        hash_name="doc_hash",
        notes=(*of_filters, *notes, *_not_scores(read), *_unequal(read, about)),
        n_files=len(files),
    )
    used = dict.fromkeys(filters[task] for task in reading.metrics if filters[task] != "none")
    return dataclasses.replace(reading, filter=listed(list(used), 3), other_filters=other_filters)


def _can_read(head: bytes, path: Path) -> bool:
    if path.suffix.lower() == ".json":
        return head.lstrip()[:1] == b"{" and b'"results"' in head and _OF_RESULTS.search(head) is not None
    return b'"doc_id"' in head and (b'"filtered_resps"' in head or path.name.startswith("samples_"))


def _results(found: Iterable[Source], samples: Iterable[Source]) -> dict[Path, list[tuple[str, dict[str, Any]]]]:
    """Folder to the aggregates in it, with their dates; those beside samples that were given alone, too."""
    sources = {source.path: source for source in found}
    for folder in {source.path.parent: source for source in samples}.values():
        sources |= {source.path: source for source in folder.beside("results_*.json") if source.path not in sources}
    about: dict[Path, list[tuple[str, dict[str, Any]]]] = {}
    for path, source in sorted(sources.items()):
        date = source.plain_path.stem.removeprefix("results_")
        about.setdefault(path.parent, []).append((date, json_content.mapping(source)))
    return about


def _of(about: Mapping[Path, list[tuple[str, dict[str, Any]]]], one: _Samples) -> dict[str, Any]:
    """The aggregates of the same evaluation: of its date, or else of the folder and with the task."""
    here = about.get(one.source.path.parent, [])
    same = [content for date, content in here if date == one.date]
    with_task = [content for _, content in here if isinstance(json_content.inside(content, "results", one.task), dict)]
    return (same or with_task or [{}])[0]


def _read(source: Source, known: dict[str, str]) -> _Samples:
    """One file; texts that several files have are kept once."""
    stem = source.plain_path.stem.removeprefix("samples_")
    dated = _DATE.search(stem)
    task, date = (stem[: dated.start()], stem[dated.start() + 1 :]) if dated else (stem, "")
    one = _Samples(source, task, date)
    seen: dict[str, set[str]] = {}
    for number, record in json_content.lines(source):
        doc_id, kind = json_content.text_of(record, "doc_id"), record.get("filter", "none")
        if doc_id is None or not isinstance(kind, str):
            raise json_content.wrong(source, "has a sample without doc_id", line=number)
        if (known_ids := seen.get(kind)) is None:
            known_ids = seen[kind] = set()
            one.doc_ids[kind], one.scores[kind], one.hashes[kind] = [], {}, ([], [], [])
        if doc_id in known_ids:
            raise json_content.wrong(
                source,
                f"has doc_id {doc_id} twice" + (f" of filter {kind}" if kind != "none" else ""),
                line=number,
                remedy="two evaluations may have been appended to one file: remove one of them",
            )
        known_ids.add(doc_id)
        _add(one, number, record, known.setdefault(doc_id, doc_id), kind, known)
    return one


def _add(one: _Samples, number: int, record: Mapping[str, Any], doc_id: str, kind: str, known: dict[str, str]) -> None:
    listed_metrics = record.get("metrics")
    names = listed_metrics if isinstance(listed_metrics, list) else [name for name in record if name not in _RESERVED]
    doc_ids, columns, hashes = one.doc_ids[kind], one.scores[kind], one.hashes[kind]
    for name in names:
        value = record.get(name) if isinstance(name, str) else None
        if type(value) is float and (column := columns.get(name)) is not None and len(column) == len(doc_ids):
            column.append(value)  # as nearly always
            continue
        if isinstance(value, (list, tuple, dict)):
            one.not_per_instance[name] = None
            continue
        if isinstance(value, str):
            if isinstance(listed_metrics, list):
                raise json_content.wrong(
                    one.source, f"has the text {value[:40]!r} where the score {name!r} is", line=number
                )
            continue
        if isinstance(name, str):
            column = columns.setdefault(name, [])
            column.extend([None] * (len(doc_ids) - len(column)))
            if len(column) == len(doc_ids):  # longer if the metric is listed twice
                column.append(json_content.number(value))
    doc_ids.append(doc_id)
    for column_of, name in zip(hashes, _HASHES, strict=True):
        value = record.get(name)
        if value.__class__ is not str:
            value = None if value is None else str(value)
        column_of.append(None if value is None else known.setdefault(value, value))


def _name_systems(read: Sequence[_Samples], about: Mapping[Path, list[tuple[str, dict[str, Any]]]]) -> None:
    labels = {}
    for one in read:
        said = json_content.text_of(_of(about, one), "model_name")
        labels[one.source.path.parent] = said or one.source.path.parent.name.replace("__", "/") or "model"
    names = distinct_systems(labels)
    for one in read:
        one.system = names[one.source.path.parent]


def _latest(read: Sequence[_Samples]) -> tuple[list[_Samples], list[Finding]]:
    """Files with samples; of several evaluations of one model on one task the latest."""
    empty = [one.source.name for one in read if not one.doc_ids]
    notes = []
    if empty:
        message = f"{counted(len(empty), 'file')} without samples."
        notes.append(Finding("empty-files", "warning", message, where=listed(empty, 5)))
    files = {one.source.name: one for one in read if one.doc_ids}
    kept, older = latest([Unit(one.system, one.task, name, one.date) for name, one in files.items()], "model and task")
    return [files[unit.place] for unit in kept], [*notes, *older]


def _filters(read: Sequence[_Samples]) -> dict[str, list[str]]:
    """Filters that all models have of a task; all there are, where they have none in common."""
    found: dict[str, list[str]] = {}
    for one in read:
        names = list(one.doc_ids)
        known = found.setdefault(one.task, names)
        found[one.task] = [name for name in known if name in names] or list(dict.fromkeys([*known, *names]))
    return found


def _unit(one: _Samples, kind: str, about: Mapping[Path, list[tuple[str, dict[str, Any]]]]) -> Unit:
    """The scores by one filter; none, if a model has not this filter."""
    directions = json_content.inside(_of(about, one), "higher_is_better", one.task)
    return Unit(
        one.system,
        one.task,
        one.source.name,
        ids=one.doc_ids.get(kind, []),
        hashes=list(one.hashes[kind][0]) if kind in one.hashes else [],
        scores=one.scores.get(kind, {}),
        refused=dict.fromkeys(one.not_per_instance, _FROM_ALL),
        higher={name: said for name, said in directions.items() if isinstance(said, bool)}
        if isinstance(directions, dict)
        else {},
    )


def _not_scores(read: Sequence[_Samples]) -> list[Finding]:
    names = {name: one.task for one in read for name in one.not_per_instance}
    if not names:
        return []
    return [
        Finding(
            "no-instance-scores",
            "info",
            "Metrics that have no value for a single document, as they are computed from all of them, were left out.",
            where=listed([f"{name} of {task}" for name, task in names.items()], 5),
        )
    ]


def _unequal(read: Sequence[_Samples], about: Mapping[Path, list[tuple[str, dict[str, Any]]]]) -> list[Finding]:
    """Prompts, targets and versions that are not the same for all models of a task."""
    notes = []
    for place, what in ((1, "prompt"), (2, "target")):
        first: dict[tuple[str, str], dict[tuple[str, str | None], tuple[str, str]]] = {}
        same: dict[tuple[str, str], tuple[list[str], list[str | None], list[str | None]]] = {}
        differ: dict[str, int] = {}
        for one in read:
            for kind, ids in one.doc_ids.items():
                columns = (ids, one.hashes[kind][0], one.hashes[kind][place])
                if same.setdefault((one.task, kind), columns) == columns and (one.task, kind) in first:
                    continue  # as nearly always
                known = first.setdefault((one.task, kind), {})
                for doc_id, of_doc, value in zip(*columns, strict=True):
                    if value is None:
                        continue
                    other, system = known.setdefault((doc_id, of_doc), (value, one.system))
                    if value != other:
                        label = f"{one.task}: {system} and {one.system}"
                        differ[label] = differ.get(label, 0) + 1
        if differ:
            notes.append(
                Finding(
                    f"unequal-{what}s",
                    "warning",
                    f"The models did not get the same {what}s: the difference is not of the models alone.",
                    where=listed([f"{label} ({n:,} documents)" for label, n in differ.items()], 5),
                    remedy="say so in the paper, or evaluate with equal settings (few-shot examples, chat template)",
                )
            )
    for key, what in (("versions", "version"), ("n-shot", "number of few-shot examples")):
        said: dict[str, dict[str, None]] = {}
        for one in read:
            value = json_content.inside(_of(about, one), key, one.task)
            if value is not None:
                said.setdefault(one.task, {})[str(value)] = None
        several = {task: values for task, values in said.items() if len(values) > 1}
        if several:
            notes.append(
                Finding(
                    f"unequal-{key}",
                    "warning",
                    f"The {what} of a task differs between models.",
                    where=listed([f"{task}: {' and '.join(values)}" for task, values in several.items()], 5),
                    remedy="evaluate all models in the same way",
                )
            )
    limited = {}
    for one in read:
        counts = json_content.inside(_of(about, one), "n-samples", one.task)
        if isinstance(counts, dict) and counts.get("effective") != counts.get("original"):
            limited[one.task] = f"{one.task}: {counts.get('effective')} of {counts.get('original')}"
    if limited:
        notes.append(
            Finding(
                "limited",
                "info",
                "Tasks were evaluated on a part of their documents (--limit).",
                where=listed(list(limited.values()), 5),
            )
        )
    return notes


LM_EVAL = Harness(
    name="lm-evaluation-harness",
    endings=(".jsonl", ".json"),
    read=read_lm_eval,
    can_read=_can_read,
    taken=Taken(
        files="`samples_*.jsonl` (of `--log_samples`), with `results_*.json` beside them",
        system="`model_name` of the results, else the folder",
        dataset="the task (of a group each subtask)",
        instance="`doc_id`, checked against `doc_hash`; `doc_hash` where they disagree",
        run="–",
        metric="of `metrics`, the one that most tasks have; `--filter` for one of several filters",
        refused="results without samples; a document that stands twice; left out with a word: metrics without a value "
        "for a single document (`f1`, `mcc`, perplexities), older evaluations of the same model",
    ),
)
