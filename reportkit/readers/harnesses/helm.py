"""HELM (Stanford CRFM): `per_instance_stats.json` of each run, beside its `run_spec.json`."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import listed
from reportkit.readers import json_content
from reportkit.readers.choosing import choose_filter
from reportkit.readers.format import Harness, Taken
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request
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
    runs: list[_Run] = []
    for done, source in enumerate(scored):
        request.progress(done, len(scored))
        runs.append(_read(source, request))
    request.progress(len(scored), len(scored))
    splits = {run.unit.place: sorted(filter(None, run.scores), key=lambda name: name != "test") or [""] for run in runs}
    taken, others, of_splits = choose_filter(splits, request, kind="split", noun="run")
    units = [run.of_split(taken[run.unit.place]) for run in runs]
    perturbed: dict[str, int] = {}
    for run in runs:
        if run.n_perturbed:
            perturbed[run.unit.dataset] = perturbed.get(run.unit.dataset, 0) + run.n_perturbed
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


@dataclass(slots=True, eq=False)
class _Run:
    """One run of a model on a scenario: split, then instance and trial, then metric to score."""

    source: Source
    unit: Unit
    main: list[str]
    scores: dict[str, dict[tuple[str, str], dict[str, float | None]]] = field(default_factory=dict)
    n_perturbed: int = 0

    def of_split(self, split: str) -> Unit:
        """The scores of one split, and of statistics that belong to none."""
        merged = self.scores.get(split, {})
        for key, scores in self.scores.get("", {}).items() if split else ():
            known = merged.setdefault(key, {})
            for metric, value in scores.items():
                if known.setdefault(metric, value) != value:
                    raise _twice(self.source, metric, key)
        names = list(dict.fromkeys(metric for scores in merged.values() for metric in scores))
        names.sort(key=lambda name: self.main.index(name) if name in self.main else len(self.main))
        self.unit.ids = [name for name, _ in merged]
        self.unit.runs = [trial for _, trial in merged]
        self.unit.scores = {metric: [scores.get(metric) for scores in merged.values()] for metric in names}
        return self.unit


def _read(source: Source, request: Request) -> _Run:
    """One file, of whose statistics those are taken that may be scores."""
    records = json_content.document(source)
    if not isinstance(records, list):
        raise json_content.wrong(source, f"is not a list but a {type(records).__name__}")
    beside = source.beside("run_spec.json")
    system, dataset, main = _names(source, json_content.mapping(beside[0]) if beside else {})
    run = _Run(source, Unit(system, dataset, source.name), main)
    wanted: dict[str, bool] = {}
    for record in records:
        stats = record.get("stats") if isinstance(record, dict) else None
        if not isinstance(stats, list):
            raise json_content.wrong(source, "has a record without stats")
        name = json_content.text_of(record, "instance_id")
        if name is None:
            raise json_content.wrong(source, "has a record without instance_id")
        key = (name, json_content.text_of(record, "train_trial_index") or "0")
        variant, n_variants = record.get("perturbation") is not None, 0
        for stat in stats:
            about = stat.get("name") if isinstance(stat, dict) else None
            if not isinstance(about, dict) or not isinstance(metric := about.get("name"), str):
                raise json_content.wrong(source, "has a statistic without a name")
            if variant or about.get("perturbation") is not None:
                n_variants += 1
                continue
            if (may_score := wanted.get(metric)) is None:
                may_score = wanted[metric] = metric in request.metrics or not _BOOKKEEPING.match(metric)
            split = about.get("split")
            of_split = run.scores.setdefault(split if isinstance(split, str) else "", {})
            scores = of_split.setdefault(key, {})  # an instance without a score is one, too
            if may_score:
                value = None if stat.get("count") == 0 else json_content.number(stat.get("mean"))
                if scores.setdefault(metric, value) != value:
                    raise _twice(source, metric, key)
        run.n_perturbed += bool(stats) and n_variants == len(stats)
    return run


def _twice(source: Source, metric: str, key: tuple[str, str]) -> ReadingError:
    where = f"instance {key[0]!r}, trial {key[1]}"
    return json_content.wrong(source, f"has two values of {metric!r} for one instance", where=where)


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
