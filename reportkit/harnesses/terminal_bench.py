"""terminal-bench: `results.json` of a run and of its trials. Harbor: `result.json` of each trial of a job."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reportkit.harnesses.file import File, Outline
from reportkit.harnesses.logs import Batch, Log, Sample, Tool, numbered
from reportkit.harnesses.values import inside, name_of, number


def recognises(file: File, found: Outline) -> bool:
    """Tell a run by its trials, and a trial by its task and outcome."""
    trials = found.record.get("results")
    if isinstance(trials, list):
        return found.kind == "object" and {"task_id", "is_resolved"} <= trials[0].keys()
    return found.kind == "object" and (
        found.has("task_id", "is_resolved") or found.has("task_name", "trial_name", "verifier_result")
    )


def read(batch: Batch) -> list[Log]:
    """Read trials: several of a task are runs; a trial that did not resolve its task counts 0, as the tool counts."""
    found: dict[tuple[str, str, Path], Log] = {}
    runs: set[Path] = set()
    for file in sorted(batch.files, key=lambda file: len(file.path.parts)):  # the run first: it repeats its trials
        with batch.reading(file):
            content = file.document()
            folder = file.path.parent
            if "results" in content:
                runs.add(folder)
                system, dataset = _of_run(file, batch)
                samples = batch.each(file, _trial, content["results"])
            elif runs.intersection(folder.parents):
                continue
            elif "is_resolved" in content:
                folder = folder.parent.parent  # RUN/TASK/TRIAL/results.json
                system, dataset, samples = folder.name, folder.parent.name, [_trial(content)]
            else:
                folder = folder.parent  # JOB/TRIAL/result.json
                system, dataset, samples = _of_harbor(content)
            log = found.setdefault((system, dataset, folder), Log(system, dataset, file, []))
            log.samples = [*log.samples, *samples]
    for log in found.values():
        log.samples = numbered(log.samples)
    return list(found.values())


def _of_run(file: File, batch: Batch) -> tuple[str, str]:
    """Return agent and benchmark: as `run_metadata.json` says them, or the folders BENCHMARK/AGENT."""
    for _, about in batch.documents(file.path.parent, "run_metadata.json"):
        if about.get("agent_name"):
            model = f" ({about['model_name']})" if about.get("model_name") else ""
            return f"{about['agent_name']}{model}", str(about.get("dataset_name") or "terminal-bench")
    return file.folder(), file.path.absolute().parent.parent.name or "terminal-bench"


def _trial(one: Mapping[str, Any]) -> Sample:
    return Sample(name_of(one["task_id"]), {"resolved": number(one["is_resolved"]) or 0.0})


def _of_harbor(content: Mapping[str, Any]) -> tuple[str, str, list[Sample]]:
    agent = inside(content, "agent_info", "name") or inside(content, "config", "agent", "name")
    model = inside(content, "agent_info", "model_info", "name") or inside(content, "config", "agent", "model_name")
    rewards = inside(content, "verifier_result", "rewards") or {"reward": None}
    system = f"{name_of(agent)} ({model})" if model else name_of(agent)
    dataset = str(content.get("source") or "terminal-bench")
    return system, dataset, [Sample(name_of(content["task_name"]), {k: number(v) for k, v in rewards.items()})]


TOOL = Tool("terminal-bench", recognises, read, paired_on="task", nouns=("agent", "benchmark"), higher=True)
