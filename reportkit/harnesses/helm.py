"""HELM (Stanford CRFM): `per_instance_stats.json` of each run, with its `run_spec.json`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Log, Sample, Tool, harvest
from reportkit.harnesses.records import Faults, Outline, beside, document, inside, name_of, tally

NAME = "HELM"
_BOOKKEEPING = re.compile(
    r"num_|inference_|training_|finish_reason_|estimated_|prompt_|max_prob|logprob|batch_size|predicted_index|perplexity"
    r"|bits_per_byte|log_prob|observed_"
)
"""Statistics of requests, which HELM writes like scores."""


def recognises(file: File, found: Outline) -> bool:
    """Tell statistics of instances by their keys."""
    return found.kind == "records" and found.has("instance_id", "stats")


def read(files: Sequence[File], every: Sequence[File]) -> Harvest:
    """Read the statistics by instance; perturbed variants of instances are left out, trials are runs."""
    faults = Faults()
    logs: list[Log] = []
    perturbed: dict[str, int] = {}
    main: list[str] = []
    used = list(files)
    for file in files:
        with faults.of_file(file):
            specs = beside(file, "run_spec.json", every)
            used += specs
            system, dataset, metrics = _names(file, document(specs[0]) if specs else {})
            main += metrics
            values: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
            for stats in faults.each(file, _stats):
                for key, split, name, value in stats:
                    if name is None:
                        perturbed[dataset] = perturbed.get(dataset, 0) + 1
                    else:
                        values.setdefault(key, {}).setdefault(split, {})[name] = value
            samples = []
            for (name, trial), splits in values.items():
                every_split = splits.pop("", {}) if len(splits) > 1 else {}
                for split, scores in splits.items():
                    numbers = faults.numbers(file, name, every_split | scores)
                    samples.append(Sample(name, numbers, run=trial, filter=split))
            logs.append(Log(system, dataset, file, samples))
    notes = tally("perturbed", "info", "Statistics of perturbed variants of instances were left out.", perturbed)
    return harvest(
        NAME, logs, faults, paired_on="instance_id", nouns=("model", "scenario"), main=main, filters=("test",),
        used=used, findings=notes,
    )  # fmt: skip


def _stats(one: Mapping[str, Any]) -> list[tuple[tuple[str, str], str, str | None, Any]]:
    """Return instance and trial, split, name (None of a perturbed variant), and mean of each statistic."""
    key = (name_of(one["instance_id"]), str(one.get("train_trial_index", 0)))
    found: list[tuple[tuple[str, str], str, str | None, Any]] = []
    for stat in one["stats"]:
        name = stat["name"]
        if one.get("perturbation") is not None or name.get("perturbation") is not None:
            found.append((key, "", None, None))
        elif not _BOOKKEEPING.match(name["name"]):
            value = None if stat.get("count") == 0 else stat.get("mean")
            found.append((key, name.get("split") or "", name["name"], value))
    return found


def _names(file: File, spec: Mapping[str, Any]) -> tuple[str, str, list[str]]:
    """Return model, scenario, and the metrics that the run was asked for."""
    name = str(spec.get("name") or file.path.absolute().parent.name)
    scenario, _, arguments = name.partition(":")
    parts = [part for part in arguments.split(",") if part]
    of_name = next((part[len("model=") :].replace("_", "/", 1) for part in parts if part.startswith("model=")), None)
    model = inside(spec, "adapter_spec", "model") or of_name
    if not model:
        raise ValueError("the run does not say its model: keep run_spec.json in the same folder, as HELM does")
    rest = ",".join(part for part in parts if not part.startswith(("model=", "model_deployment=")))
    asked = [inside(item, "args", "names") for item in spec.get("metric_specs") or []]
    return str(model), f"{scenario}:{rest}" if rest else scenario, [n for names in asked if names for n in names]


TOOL = Tool(NAME, recognises, read)
