"""HELM (Stanford CRFM): `per_instance_stats.json` of each run, beside its `run_spec.json`."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.readers import json_content
from reportkit.readers.choosing import choose_filter
from reportkit.readers.format import Harness, Taken
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request, listed
from reportkit.readers.units import Unit, latest, understood

_SCORES = "per_instance_stats.json"
_OTHERS = re.compile(rb'"request_states"|"scenario_spec"|"sum_squared"|"definition_path"')
_BOOKKEEPING = re.compile(
    r"num_|inference_|training_|finish_reason_|estimated_|prompt_|max_prob|logprob|batch_size|predicted_index|perplexity"
    r"|bits_per_byte|log_prob|observed_"
)
"""Statistics of requests, which HELM writes like scores; taken only if they are asked for."""


def read_helm(files: Sequence[Source], request: Request) -> Reading:
    """Read the statistics by instance; perturbed variants of instances are left out, trials are runs.

    Raises
    ------
    ReadingError
        If there are no statistics by instance, or a run does not say its model.
    """
    scored = [source for source in files if source.plain_path.name == _SCORES]
    if not scored:
        raise ReadingError(
            f"there is no {_SCORES} among these files of HELM",
            where=listed([repr(source.name) for source in files], 3),
            remedy="give the folder of the runs, benchmark_output/runs/SUITE",
        )
    runs: list[tuple[Source, dict[str, Any], list[Any]]] = []
    for done, source in enumerate(scored):
        request.progress(done, len(scored))
        records = json_content.document(source)
        if not isinstance(records, list):
            raise json_content.wrong(source, f"is not a list but a {type(records).__name__}")
        beside = source.beside("run_spec.json")
        runs.append((source, json_content.mapping(beside[0]) if beside else {}, records))
    request.progress(len(scored), len(scored))
    splits = {}
    for source, _, records in runs:
        names = dict.fromkeys(name for record in records for name, _, _, _ in _stats(source, record) if name)
        splits[source.name] = sorted(names, key=lambda name: name != "test") or [""]
    taken, others, of_splits = choose_filter(splits, request, kind="split", noun="run")
    perturbed: dict[str, int] = {}
    units = [_unit(source, spec, records, taken[source.name], request, perturbed) for source, spec, records in runs]
    units, older = latest(units, "model and scenario")
    notes = [*of_splits, *older]
    if perturbed:
        notes.append(
            Finding(
                "perturbed",
                "info",
                "Perturbed variants of instances were left out.",
                where=listed([f"{name} ({n:,})" for name, n in perturbed.items()], 5),
            )
        )
    reading = understood(
        units,
        request,
        format_name=HELM.name,
        nouns=("model", "scenario"),
        id_name="instance_id",
        notes=notes,
        n_files=len(scored),
    )
    used = [name for name in dict.fromkeys(taken.values()) if name]
    return dataclasses.replace(reading, filter=listed(used, 3), other_filters=others, filter_noun="split")


def _can_read(head: bytes, path: Path) -> bool:
    if b'"instance_id"' in head and b'"stats"' in head:
        return head.lstrip()[:1] == b"["
    return path.name == _SCORES or _OTHERS.search(head) is not None


def _stats(source: Source, record: Any) -> list[tuple[str, str, bool, Mapping[str, Any]]]:
    """Split, metric, whether perturbed, and the statistic, of each statistic of a record."""
    stats = record.get("stats") if isinstance(record, dict) else None
    if not isinstance(stats, list):
        raise json_content.wrong(source, "has a record without stats")
    found = []
    for stat in stats:
        name = json_content.inside(stat, "name")
        metric = json_content.inside(name, "name")
        if not isinstance(metric, str):
            raise json_content.wrong(source, "has a statistic without a name")
        perturbed = name.get("perturbation") is not None or record.get("perturbation") is not None
        split = name.get("split")
        found.append((split if isinstance(split, str) else "", metric, perturbed, stat))
    return found


def _unit(
    source: Source,
    spec: Mapping[str, Any],
    records: Sequence[Any],
    split: str,
    request: Request,
    perturbed: dict[str, int],
) -> Unit:
    system, dataset, main = _names(source, spec)
    unit = Unit(system, dataset, source.name)
    merged: dict[tuple[str, str], dict[str, float | None]] = {}
    for record in records:
        name = json_content.text_of(record, "instance_id")
        if name is None:
            raise json_content.wrong(source, "has a record without instance_id")
        trial = json_content.text_of(record, "train_trial_index") or "0"
        stats = _stats(source, record)
        if stats and all(is_perturbed for _, _, is_perturbed, _ in stats):
            perturbed[unit.dataset] = perturbed.get(unit.dataset, 0) + 1
        for of_split, metric, is_perturbed, stat in stats:
            if is_perturbed or of_split not in ("", split):
                continue
            value = json_content.number(stat.get("mean"))
            value = None if stat.get("count") == 0 else value
            scores = merged.setdefault((name, trial), {})
            if scores.setdefault(metric, value) != value:
                raise json_content.wrong(
                    source, f"has two values of {metric!r} for one instance", where=f"instance {name!r}, trial {trial}"
                )
    metrics = dict.fromkeys(metric for scores in merged.values() for metric in scores)
    wanted = [name for name in metrics if name in request.metrics or not _BOOKKEEPING.match(name)]
    wanted.sort(key=lambda name: main.index(name) if name in main else len(main))
    for (name, trial), scores in merged.items():
        for metric in wanted:
            unit.score(metric, scores.get(metric))
        unit.ids.append(name)
        unit.runs.append(trial)
    return unit


def _names(source: Source, spec: Mapping[str, Any]) -> tuple[str, str, list[str]]:
    """Model, scenario, and the metrics that the run was asked for."""
    name = json_content.text_of(spec, "name") or source.path.parent.name
    scenario, _, arguments = name.partition(":")
    parts = [part for part in arguments.split(",") if part]
    of_name = next((part[len("model=") :].replace("_", "/", 1) for part in parts if part.startswith("model=")), None)
    model = json_content.text_of(spec.get("adapter_spec"), "model") or of_name
    if model is None:
        raise json_content.wrong(
            source, "belongs to a run that does not say its model", remedy="keep run_spec.json beside it, as HELM does"
        )
    rest = ",".join(part for part in parts if not part.startswith(("model=", "model_deployment=")))
    asked = spec.get("metric_specs")
    names = [json_content.inside(item, "args", "names") for item in (asked if isinstance(asked, list) else ())]
    metrics = [one for listed_names in names if isinstance(listed_names, list) for one in listed_names]
    return model, f"{scenario}:{rest}" if rest else scenario, metrics


HELM = Harness(
    name="HELM",
    endings=(".json",),
    read=read_helm,
    can_read=_can_read,
    taken=Taken(
        files="`per_instance_stats.json` with `run_spec.json` beside it",
        system="`adapter_spec.model`",
        dataset="the name of the run without its model",
        instance="`instance_id`",
        run="`train_trial_index`",
        metric="`stats[].name.name`, the first in the settings of the run; its `mean`; `--filter` for another split",
        refused="two runs of one model on one scenario; left out with a word: perturbed variants; without one: "
        "statistics of requests (`num_prompt_tokens`), unless you name one",
    ),
)
