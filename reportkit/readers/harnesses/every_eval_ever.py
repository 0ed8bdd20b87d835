"""Every Eval Ever (EvalEval): `UUID_samples.jsonl`, one line per sample, and `UUID.json` with the aggregates."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from pathlib import Path

from reportkit.errors import ReadingError
from reportkit.language.counts_and_lists import listed
from reportkit.readers import json_content
from reportkit.readers.choosing import choose_filter
from reportkit.readers.format import Harness, Taken
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request
from reportkit.readers.units import Unit, understood

LOWER = "score (lower is better)"
"""What the score of an evaluation is called whose aggregates say so: it is another metric."""


_NAMES = ("model_id", "evaluation_name", "sample_id")


def read_every_eval_ever(files: Sequence[Source], request: Request) -> Reading:
    """Read the samples of all models and evaluations.

    Raises
    ------
    ReadingError
        If there are only aggregates, or a sample stands twice.
    """
    samples = [source for source in files if source.plain_path.suffix.lower() == ".jsonl"]
    if not samples:
        raise ReadingError(
            "these files of Every Eval Ever hold aggregates, not samples",
            where=listed([repr(source.name) for source in files], 3),
            remedy="give the samples as well: UUID_samples.jsonl",
        )
    higher = _directions(source for source in files if source not in samples)
    by_result: dict[str, dict[tuple[str, str], Unit]] = {}
    seen: dict[tuple[str, str, str], set[str]] = {}
    for done, source in enumerate(samples):
        request.progress(done, len(samples))
        for number, record in json_content.lines(source):
            model, evaluation, name = record.get("model_id"), record.get("evaluation_name"), record.get("sample_id")
            if not (type(model) is type(evaluation) is type(name) is str and model and evaluation and name):
                model, evaluation, name = (json_content.text_of(record, key) for key in _NAMES)
            if model is None or evaluation is None or name is None:
                raise json_content.wrong(
                    source, "has a sample without model_id, evaluation_name or sample_id", line=number
                )
            result = json_content.text_of(record, "evaluation_result_id") or ""
            units = by_result.setdefault(result, {})
            if (unit := units.get((model, evaluation))) is None:
                unit = units[model, evaluation] = Unit(model, evaluation, source.name)
                seen[result, model, evaluation] = set()
                if evaluation in higher:
                    unit.higher["score" if higher[evaluation] else LOWER] = higher[evaluation]
            known = seen[result, model, evaluation]
            if name in known:
                raise json_content.wrong(
                    source,
                    f"has the sample {name!r} of {model!r} on {evaluation!r} twice",
                    line=number,
                    remedy="give one evaluation of each model: the samples of the others elsewhere",
                )
            known.add(name)
            scores = record.get("evaluation")
            scores = scores if isinstance(scores, dict) and record.get("error") is None else {}
            unit.score("score" if higher.get(evaluation, True) else LOWER, json_content.number(scores.get("score")))
            unit.score("is_correct", json_content.number(scores.get("is_correct")))
            unit.ids.append(name)
            unit.hashes.append(json_content.text_of(record, "sample_hash"))
    request.progress(len(samples), len(samples))
    results: dict[str, list[str]] = {}
    for result, units in by_result.items():
        for _, evaluation in units:
            if result not in results.setdefault(evaluation, []):
                results[evaluation].append(result)
    taken, others, notes = choose_filter(_shared(results, by_result), request, kind="result", noun="evaluation")
    chosen = [
        unit for result, units in by_result.items() for unit in units.values() if taken[unit.dataset] in (result, "*")
    ]
    reading = understood(
        chosen,
        request,
        format_name=EVERY_EVAL_EVER.name,
        nouns=("model", "evaluation"),
        id_name="sample_id",
        hash_name="sample_hash" if all(None not in unit.hashes for unit in chosen) else "",
        main=("score", LOWER),
        notes=notes,
        n_files=len(files),
    )
    used = [name for name in dict.fromkeys(taken.values()) if name not in ("", "*")]
    others = tuple(name for name in others if name)
    return dataclasses.replace(reading, filter=listed(used, 3), other_filters=others, filter_noun="result")


def _shared(results: dict[str, list[str]], by_result: dict[str, dict[tuple[str, str], Unit]]) -> dict[str, list[str]]:
    """Results of each evaluation; "*" where each model has but one, whatever it is called."""
    shared = {}
    for evaluation, names in results.items():
        models = [model for name in names for model, of in by_result[name] if of == evaluation]
        shared[evaluation] = names if len(set(models)) < len(models) else ["*"]
    return shared


def _directions(aggregates: Iterable[Source]) -> dict[str, bool]:
    """Evaluation to direction; none where the files do not agree."""
    said: dict[str, set[bool]] = {}
    for source in aggregates:
        results = json_content.mapping(source).get("evaluation_results")
        for item in results if isinstance(results, list) else ():
            lower = json_content.inside(item, "metric_config", "lower_is_better")
            name = json_content.inside(item, "evaluation_name")
            if isinstance(lower, bool) and isinstance(name, str):
                said.setdefault(name, set()).add(not lower)
    return {name: next(iter(values)) for name, values in said.items() if len(values) == 1}


def _can_read(head: bytes, path: Path) -> bool:
    if path.suffix.lower() == ".json":
        return b'"schema_version"' in head and b'"evaluation_id"' in head
    return b'"evaluation_id"' in head and b'"sample_id"' in head and b'"model_id"' in head


EVERY_EVAL_EVER = Harness(
    name="Every Eval Ever",
    endings=(".jsonl", ".json"),
    read=read_every_eval_ever,
    can_read=_can_read,
    taken=Taken(
        files="`UUID_samples.jsonl`, with `UUID.json`",
        system="`model_id`",
        dataset="`evaluation_name`",
        instance="`sample_id`, checked against `sample_hash`",
        run="–",
        metric="`evaluation.score` (`score (lower is better)` where the aggregates say so), or `is_correct`; "
        "`--filter` for one of several `evaluation_result_id`",
        refused="aggregates without samples; a sample that stands twice; left out with a word: samples with an error",
    ),
)
