"""Every Eval Ever (EvalEval): `UUID_samples.jsonl`, one line per sample, and `UUID.json` with the aggregates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reportkit.errors import ReadingError
from reportkit.harnesses.file import File, Outline, outline
from reportkit.harnesses.logs import Batch, Log, Sample, Tool, logs_of
from reportkit.harnesses.values import inside, name_of, number
from reportkit.language import listed


def recognises(file: File, found: Outline) -> bool:
    """Tell samples and aggregates by the id of their evaluation."""
    return found.has("evaluation_id") and (
        found.has("sample_id", "model_id") or found.has("schema_version", "evaluation_results")
    )


def read(batch: Batch) -> list[Log]:
    """Read the samples of all models and evaluations; the filter is the result that a sample belongs to."""
    samples = [file for file in batch.files if outline(file).has("sample_id")]
    if not samples:
        raise ReadingError(
            "these files of Every Eval Ever hold aggregates, not samples",
            where=listed([repr(file.name) for file in batch.files], 3),
            remedy="give the samples as well: UUID_samples.jsonl",
        )
    places = [(file.path.parent, file.path.name) for file in batch.files if file not in samples]
    places += [(file.path.parent, file.stem.removesuffix("_samples") + ".json") for file in samples]
    higher: dict[str, set[bool]] = {}
    with_unknown: set[str] = set()
    for folder, name in places:
        for _, content in batch.documents(folder, name.lower(), "evaluation_results"):
            for item in content["evaluation_results"]:
                evaluation, metric = str(inside(item, "evaluation_name")), inside(item, "metric_config")
                if isinstance(lower := inside(metric, "lower_is_better"), bool):
                    higher.setdefault(evaluation, set()).add(not lower)
                with_unknown |= {evaluation} if inside(metric, "has_unknown_level") is True else set()
    logs = batch.logs(_logs, samples)
    results: dict[tuple[str, str], set[str]] = {}
    for log in logs:
        results.setdefault((log.system, log.dataset), set()).update(sample.filter for sample in log.samples)
    one_each = all(len(names) == 1 for names in results.values())
    for log in logs:
        ways = higher.get(log.dataset, set())
        log.higher = {"is_correct": True, **({"score": True in ways} if len(ways) == 1 else {})}
        if len(ways) != 1:  # the direction may follow from the name alone
            log.main = [f"{log.dataset} score"]
        if one_each:  # each model has a result of its own, with an id of its own
            log.samples = [sample._replace(filter="") for sample in log.samples]
        log.samples = [_revised(sample, *log.main, unknown=log.dataset in with_unknown) for sample in log.samples]
    return logs


def _revised(sample: Sample, name: str = "score", *, unknown: bool) -> Sample:
    """Return a sample whose score has another name; -1 is not a score where the evaluation has an unknown level."""
    score, rest = sample.scores["score"], {key: value for key, value in sample.scores.items() if key != "score"}
    return sample._replace(scores={name: None if unknown and score == -1 else score, **rest})


def _logs(file: File, batch: Batch) -> list[Log]:
    def row(one: Mapping[str, Any]) -> tuple[str, str, Sample]:
        scores = one.get("evaluation") or {}
        values = {name: scores.get(name) if one.get("error") is None else None for name in ("score", "is_correct")}
        numbers = {name: number(value) for name, value in values.items() if name == "score" or value is not None}
        result = str(one.get("evaluation_result_id") or "")
        sample = Sample(name_of(one["sample_id"]), numbers, question=str(one.get("sample_hash") or ""), filter=result)
        return name_of(one["model_id"]), name_of(one["evaluation_name"]), sample

    return logs_of(file, batch.each(file, row))


TOOL = Tool(
    "Every Eval Ever", recognises, read, paired_on="sample_id", question="sample_hash",
    nouns=("model", "evaluation"), main=("score", "score (lower is better)"),
)  # fmt: skip
