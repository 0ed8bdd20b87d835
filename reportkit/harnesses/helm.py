"""HELM (Stanford CRFM): `per_instance_stats.json` of each run, with its `run_spec.json`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from reportkit.harnesses.file import File, Outline
from reportkit.harnesses.logs import Batch, Log, Sample, Tool
from reportkit.harnesses.values import inside, name_of

_BOOKKEEPING = re.compile(
    r"num_|inference_|training_|finish_reason_|estimated_|prompt_|max_prob|logprob|batch_size|predicted_index|perplexity"
    r"|bits_per_byte|log_prob|observed_"
)
"""Statistics of requests, which HELM writes like scores."""


def recognises(file: File, found: Outline) -> bool:
    """Tell statistics of instances by their keys."""
    return found.kind == "records" and found.has("instance_id", "stats")


def read(batch: Batch) -> list[Log]:
    """Read the statistics by instance; perturbed variants of instances are left out, trials are runs."""
    perturbed: dict[str, int] = {}
    logs = batch.logs(lambda file, batch: _logs(file, batch, perturbed))
    message = "Statistics of perturbed variants of instances were left out."
    batch.note("perturbed", message, perturbed, severity="info")
    return logs


def _logs(file: File, batch: Batch, perturbed: dict[str, int]) -> Iterator[Log]:
    specs = batch.documents(file.path.parent, "run_spec.json")
    spec = specs[0][1] if specs else {}
    system, dataset = _names(file, spec)
    values: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}

    def add(one: Mapping[str, Any]) -> None:
        of_instance = values.setdefault((name_of(one["instance_id"]), str(one.get("train_trial_index", 0))), {})
        for stat in one["stats"]:
            name = stat["name"]
            if one.get("perturbation") is not None or name.get("perturbation") is not None:
                perturbed[dataset] = perturbed.get(dataset, 0) + 1
            elif not _BOOKKEEPING.match(name["name"]):
                value = None if stat.get("count") == 0 else stat.get("mean")
                of_instance.setdefault(name.get("split") or "", {})[name["name"]] = value

    batch.each(file, add)
    samples = []
    for (name, trial), splits in values.items():
        every_split = splits.pop("", {}) if len(splits) > 1 else {}
        for split, scores in splits.items():
            numbers = batch.numbers(file, name, every_split | scores)
            samples.append(Sample(name, numbers, run=trial, filter=split))
    asked = [name for item in spec.get("metric_specs") or [] for name in inside(item, "args", "names") or []]
    yield Log(system, dataset, file, samples, main=asked)


def _names(file: File, spec: Mapping[str, Any]) -> tuple[str, str]:
    """Return model and scenario."""
    name = str(spec.get("name") or file.path.absolute().parent.name)
    scenario, _, arguments = name.partition(":")
    parts = [part for part in arguments.split(",") if part]
    of_name = next((part[len("model=") :].replace("_", "/", 1) for part in parts if part.startswith("model=")), None)
    model = inside(spec, "adapter_spec", "model") or of_name
    if not model:
        raise ValueError("the run does not say its model: keep run_spec.json in the same folder, as HELM does")
    rest = ",".join(part for part in parts if not part.startswith(("model=", "model_deployment=")))
    return str(model), f"{scenario}:{rest}" if rest else scenario


TOOL = Tool("HELM", recognises, read, paired_on="instance_id", nouns=("model", "scenario"), filters=("test",))
