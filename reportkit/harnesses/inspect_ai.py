"""Inspect (UK AI Security Institute): logs as `.eval`, a zip archive, or as `.json`."""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from reportkit.errors import ReadingError
from reportkit.harnesses.file import File, Outline
from reportkit.harnesses.logs import Batch, Log, Sample, Tool
from reportkit.harnesses.values import digest, inside, name_of
from reportkit.language import counted, listed

_WORDS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
"""Texts that `value_to_float` of Inspect maps to scores; it takes others for 0, and we leave them out."""

_ZSTANDARD, _LARGEST = 93, 1 << 31


def recognises(file: File, found: Outline) -> bool:
    """Tell an archive by its members, a document by its keys."""
    if file.head[:2] == b"PK" and file.path.suffix.lower() != ".xlsx":
        return b"header.json" in file.data or b"_journal/start.json" in file.data
    of_spec = inside(found.record, "eval")
    return found.kind == "object" and found.has("status") and isinstance(of_spec, Mapping) and "model" in of_spec


def read(batch: Batch) -> list[Log]:
    """Read logs; epochs are runs, and samples without a score, or with an error, have none."""
    unfinished: list[str] = []
    errors: dict[str, int] = {}
    logs = batch.logs(lambda file, batch: _logs(file, batch, unfinished, errors))
    remedy = "finish them: inspect eval-retry LOG"
    if unfinished and not logs:
        raise ReadingError("none of these logs of Inspect was completed", where=listed(unfinished, 5), remedy=remedy)
    message = f"{counted(len(unfinished), 'log')} left out: not completed, or invalidated."
    batch.note("unfinished", message, unfinished, remedy)
    batch.note("sample-errors", "Samples that ended with an error are not scored.", errors)
    return logs


def _archive(file: File) -> tuple[dict[str, Any], list[Any]]:
    """Return the header and the summaries of samples; the samples themselves where these are absent."""
    with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
        entries = {item.filename: item for item in archive.infolist()}
        if "header.json" not in entries:
            return {"status": "started"}, []
        header = json.loads(_member(archive, entries["header.json"], file.data))
        if "summaries.json" in entries:
            return header, json.loads(_member(archive, entries["summaries.json"], file.data))
        found = [one for one in archive.infolist() if re.fullmatch(r"samples/.+\.json", one.filename)]
        return header, [json.loads(_member(archive, one, file.data)) for one in found]


def _member(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, data: bytes) -> bytes:
    """Return the content of a member, also where it is compressed by Zstandard, as newer versions do."""
    if entry.file_size > _LARGEST:
        raise zipfile.BadZipFile(f"{entry.filename} holds more than {_LARGEST:,} bytes")
    if entry.compress_type != _ZSTANDARD:
        return archive.read(entry)
    head = data[entry.header_offset : entry.header_offset + 30]
    start = entry.header_offset + 30 + int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
    compressed = pa.BufferReader(data[start : start + entry.compress_size])
    content: bytes = pa.CompressedInputStream(compressed, "zstd").read(entry.file_size)
    if zlib.crc32(content) != entry.CRC:
        raise zipfile.BadZipFile(f"{entry.filename} is damaged")
    return content


def _logs(file: File, batch: Batch, unfinished: list[str], errors: dict[str, int]) -> Iterator[Log]:
    header, samples = _archive(file) if file.head[:2] == b"PK" else (file.document(), [])
    if header.get("status") != "success" or header.get("invalidated"):
        said = "invalidated" if header.get("invalidated") else header.get("status")
        unfinished.append(f"{file.name!r} ({said})")
        return
    spec = header["eval"]
    system, task = name_of(spec["model"]), name_of(spec["task"]).rpartition("/")[2]
    found: dict[tuple[str, str], Sample] = {}

    def add(sample: Mapping[str, Any]) -> None:
        one = _sample(file, batch, sample)
        if (one.instance, one.run) in found:
            batch.sample(file, f"sample {one.instance}", "it was written again, and the later one counts")
        if sample.get("error") is not None:
            errors[f"{system} on {task}"] = errors.get(f"{system} on {task}", 0) + 1
        found[one.instance, one.run] = one

    batch.each(file, add, samples or header.get("samples") or [])
    scores = {score for one in found.values() for score in one.scores.values()}
    right_or_wrong = scores <= {0.0, 0.5, 1.0, None}
    steps = inside(header, "plan", "steps") or []
    headline = inside(header, "results", "headline", "score")
    yield Log(
        system=system,
        dataset=task,
        file=file,
        samples=list(found.values()),
        date=str(spec.get("created") or ""),
        settings={
            "solver": spec.get("solver") or "+".join(str(inside(step, "solver")) for step in steps),
            **_flat(spec.get("model_args")),
            **_flat(spec.get("model_generate_config")),
        },
        variants=_flat(spec.get("task_args_passed") or spec.get("task_args")),
        facts={"version": spec.get("task_version")},
        higher={metric: True for one in found.values() for metric in one.scores} if right_or_wrong else {},
        main=[headline] if isinstance(headline, str) else [],
    )


def _flat(values: object) -> dict[str, object]:
    return {str(key): str(value)[:60] for key, value in values.items()} if isinstance(values, Mapping) else {}


def _sample(file: File, batch: Batch, sample: Mapping[str, Any]) -> Sample:
    name = name_of(sample["id"])
    values: dict[str, Any] = {}
    for scorer, score in (sample.get("scores") or {}).items():
        value = score.get("value") if isinstance(score, Mapping) else score
        values |= {f"{scorer}/{key}": v for key, v in value.items()} if isinstance(value, Mapping) else {scorer: value}
    if sample.get("error") is not None:
        values = dict.fromkeys(values)
    scores = batch.numbers(file, f"sample {name}", values, _WORDS)
    return Sample(name, scores, run=str(sample.get("epoch") or 1), question=digest(_said(sample.get("input"))))


def _said(asked: object) -> object:
    """Return an input without the ids of messages and the source, which change with each run."""
    if isinstance(asked, list):
        return [_said(one) for one in asked]
    if isinstance(asked, Mapping):
        return {key: _said(value) for key, value in asked.items() if key not in ("id", "source", "model")}
    return asked


TOOL = Tool("Inspect", recognises, read, paired_on="sample id", question="input")
