"""Every Eval Ever (EvalEval): `UUID_samples.jsonl`, one line per sample, and `UUID.json` with the aggregates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reportkit.errors import ReadingError
from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Row, Sample, Tool, harvest, logs_of_records
from reportkit.harnesses.records import Faults, Outline, beside, document, inside, name_of, number, outline
from reportkit.language import listed

NAME = "Every Eval Ever"


def recognises(file: File, found: Outline) -> bool:
    """Tell samples and aggregates by the id of their evaluation."""
    return found.has("evaluation_id") and (
        found.has("sample_id", "model_id") or found.has("schema_version", "evaluation_results")
    )


def read(files: Sequence[File], every: Sequence[File]) -> Harvest:
    """Read the samples of all models and evaluations; the filter is the result that a sample belongs to."""
    faults = Faults()
    samples = [file for file in files if outline(file).has("sample_id")]
    if not samples:
        raise ReadingError(
            "these files of Every Eval Ever hold aggregates, not samples",
            where=listed([repr(file.name) for file in files], 3),
            remedy="give the samples as well: UUID_samples.jsonl",
        )
    aggregates = {file.name: file for file in files if file not in samples}
    for file in samples:
        aggregates |= {one.name: one for one in beside(file, file.stem.removesuffix("_samples") + ".json", every)}
    higher: dict[str, set[bool]] = {}
    for file in aggregates.values():
        with faults.of_file(file):
            for item in document(file)["evaluation_results"]:
                lower = inside(item, "metric_config", "lower_is_better")
                if isinstance(lower, bool):
                    higher.setdefault(str(item.get("evaluation_name")), set()).add(not lower)
    logs = logs_of_records(samples, faults, _rows)
    results: dict[tuple[str, str], set[str]] = {}
    for log in logs:
        results.setdefault((log.system, log.dataset), set()).update(sample.filter for sample in log.samples)
    one_each = all(len(names) == 1 for names in results.values())
    for log in logs:
        if one_each:  # each model has a result of its own, with an id of its own
            log.samples = [sample._replace(filter="") for sample in log.samples]
        said = higher.get(log.dataset, {True})
        log.higher = {"is_correct": True, **({"score": True in said} if len(said) == 1 else {})}
    return harvest(
        NAME, logs, faults, paired_on="sample_id", question="sample_hash", nouns=("model", "evaluation"),
        main=("score", "score (lower is better)"), used=[*files, *aggregates.values()],
    )  # fmt: skip


def _rows(file: File, one: Mapping[str, Any]) -> list[Row]:
    scores = one.get("evaluation") or {}
    values = {name: scores.get(name) if one.get("error") is None else None for name in ("score", "is_correct")}
    values = {name: value for name, value in values.items() if name == "score" or value is not None}
    result = str(one.get("evaluation_result_id") or "")
    numbers = {name: number(value) for name, value in values.items()}
    sample = Sample(name_of(one["sample_id"]), numbers, question=str(one.get("sample_hash") or ""), filter=result)
    return [Row(name_of(one["model_id"]), name_of(one["evaluation_name"]), sample)]


TOOL = Tool(NAME, recognises, read, ("eee", "evaleval"))
