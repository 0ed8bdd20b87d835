"""Inspect (UK AI Security Institute): logs as `.eval`, a zip archive, or as `.json`."""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pyarrow as pa

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Log, Sample, Tool, harvest
from reportkit.harnesses.records import Faults, Outline, digest, document, inside, name_of, tally
from reportkit.language import counted, listed

NAME = "Inspect"
_WORDS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_WORDS |= {text: 1.0 for word in ("yes", "true") for text in (word, word.title(), word.upper())}
_WORDS |= {text: 0.0 for word in ("no", "false") for text in (word, word.title(), word.upper())}
"""Texts that `value_to_float` of Inspect maps to scores; it takes others for 0, and we leave them out."""

_ZSTANDARD, _LARGEST = 93, 1 << 31


def recognises(file: File, found: Outline) -> bool:
    """Tell an archive by its members, a document by its keys."""
    if file.head[:2] == b"PK" and file.path.suffix.lower() != ".xlsx":
        return b"header.json" in file.data or b"_journal/start.json" in file.data
    of_spec = inside(found.record, "eval")
    return found.kind == "object" and found.has("status") and isinstance(of_spec, Mapping) and "model" in of_spec


def read(files: Sequence[File], every: Sequence[File]) -> Harvest:
    """Read logs; epochs are runs, and samples without a score, or with an error, have none."""
    faults = Faults()
    logs: list[Log] = []
    unfinished: list[str] = []
    errors: dict[str, int] = {}
    headlines: list[str] = []
    for file in files:
        with faults.of_file(file):
            header, samples = _archive(file) if file.head[:2] == b"PK" else (document(file), None)
            if header.get("status") != "success" or header.get("invalidated"):
                said = "invalidated" if header.get("invalidated") else header.get("status")
                unfinished.append(f"{file.name!r} ({said})")
                continue
            headlines += [name for name in [inside(header, "results", "headline", "score")] if isinstance(name, str)]
            samples = samples or header.get("samples") or []
            log = _log(file, header, samples, faults)
            failed = [one for one in samples if isinstance(one, dict) and one.get("error") is not None]
            errors[f"{log.system} on {log.dataset}"] = len(failed)
            logs.append(log)
    notes = []
    if unfinished:
        message = f"{counted(len(unfinished), 'log')} left out: not completed, or invalidated."
        remedy = "finish them: inspect eval-retry LOG"
        notes.append(Finding("unfinished", "warning", message, listed(unfinished, 5), remedy))
        if not logs:
            raise ReadingError(
                "none of these logs of Inspect was completed", where=listed(unfinished, 5), remedy=remedy
            )
    notes += tally("sample-errors", "warning", "Samples that ended with an error are not scored.", errors)
    main = list(dict.fromkeys(headlines))
    return harvest(NAME, logs, faults, paired_on="sample id", question="input", main=main, used=files, findings=notes)


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


def _log(file: File, header: Mapping[str, Any], samples: Sequence[Any], faults: Faults) -> Log:
    spec = header["eval"]
    task = name_of(spec["task"]).rpartition("/")[2]
    args = spec.get("task_args_passed") or spec.get("task_args") or {}
    found: dict[tuple[str, str], Sample] = {}
    for one in faults.each(file, partial(_sample, file, faults), samples):
        if (one.instance, one.run) in found:
            faults.sample(file, f"sample {one.instance}", "it was written again, and the later one counts")
        found[one.instance, one.run] = one
    steps = inside(header, "plan", "steps") or []
    return Log(
        system=name_of(spec["model"]),
        dataset=task,
        file=file,
        samples=list(found.values()),
        date=str(spec.get("created") or ""),
        settings={
            "solver": spec.get("solver") or "+".join(str(inside(step, "solver")) for step in steps),
            **_flat(spec.get("model_args")),
            **_flat(spec.get("model_generate_config")),
        },
        variants=_flat(args),
        facts={"version": spec.get("task_version")},
        higher={metric: True for one in found.values() for metric in one.scores} if _shares(found) else {},
    )


def _flat(values: object) -> dict[str, object]:
    return {str(key): str(value)[:60] for key, value in values.items()} if isinstance(values, Mapping) else {}


def _shares(found: Mapping[tuple[str, str], Sample]) -> bool:
    """Tell whether all scores are right, partly right or wrong, so that higher is better."""
    return {score for one in found.values() for score in one.scores.values()} <= {0.0, 0.5, 1.0, None}


def _sample(file: File, faults: Faults, sample: Mapping[str, Any]) -> Sample:
    name = name_of(sample["id"])
    values: dict[str, Any] = {}
    for scorer, score in (sample.get("scores") or {}).items():
        value = score.get("value") if isinstance(score, Mapping) else score
        values |= (
            {f"{scorer}/{key}": item for key, item in value.items()} if isinstance(value, Mapping) else {scorer: value}
        )
    if sample.get("error") is not None:
        values = dict.fromkeys(values)
    scores = faults.numbers(file, f"sample {name}", values, _WORDS)
    asked = sample.get("input")
    return Sample(name, scores, run=str(sample.get("epoch") or 1), question=digest(_said(asked)) if asked else "")


def _said(asked: object) -> object:
    """Return an input without the ids of messages and the source, which change with each run."""
    if isinstance(asked, list):
        return [_said(one) for one in asked]
    if isinstance(asked, Mapping):
        return {key: _said(value) for key, value in asked.items() if key not in ("id", "source", "model")}
    return asked


TOOL = Tool(NAME, recognises, read, ("inspect-ai", "inspect_ai"))
