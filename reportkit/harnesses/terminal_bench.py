"""terminal-bench: `results.json` of a run and of its trials. Harbor: `result.json` of each trial of a job."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Log, Sample, Tool, harvest
from reportkit.harnesses.records import Faults, Outline, beside, document, folder_of, inside, name_of, number

NAME = "terminal-bench"


def recognises(file: File, found: Outline) -> bool:
    """Tell a run by its trials, and a trial by its task and outcome."""
    trials = found.record.get("results") if found.kind == "object" else None
    if isinstance(trials, list):
        return bool(trials) and isinstance(trials[0], Mapping) and {"task_id", "is_resolved"} <= trials[0].keys()
    return found.kind == "object" and (
        found.has("task_id", "is_resolved") or found.has("task_name", "trial_name", "verifier_result")
    )


def read(files: Sequence[File], every: Sequence[File]) -> Harvest:
    """Read trials: several of a task are runs; a trial that did not resolve its task counts 0, as the tool counts."""
    faults = Faults()
    found: dict[tuple[str, str, str], Log] = {}
    runs: set[Any] = set()
    for file in sorted(files, key=lambda file: len(file.path.parts)):  # a run before its trials, which it repeats
        with faults.of_file(file):
            content = document(file)
            folder = file.path.parent
            if "results" in content:
                runs.add(folder)
                system, dataset = _of_run(file, every)
                samples = faults.each(file, _trial, content["results"])
            elif runs.intersection(folder.parents):
                continue
            elif "is_resolved" in content:
                folder = folder.parent.parent  # RUN/TASK/TRIAL/results.json
                (system, dataset), samples = (folder.name, folder.parent.name), [_trial(content)]
            else:
                folder = folder.parent  # JOB/TRIAL/result.json
                system, dataset, samples = _of_harbor(content)
            log = found.setdefault((system, dataset, str(folder)), Log(system, dataset, file, []))
            log.samples = [*log.samples, *samples]
    for log in found.values():
        log.samples = _numbered(log.samples)
    return harvest(
        NAME, list(found.values()), faults, paired_on="task", nouns=("agent", "benchmark"), higher=True, used=files
    )


def _numbered(samples: Sequence[Sample]) -> list[Sample]:
    """Number the trials of each task as runs, in their order."""
    seen: Counter[str] = Counter()
    numbered = []
    for sample in samples:
        seen[sample.instance] += 1
        numbered.append(sample._replace(run=str(seen[sample.instance])))
    return numbered


def _of_run(file: File, every: Sequence[File]) -> tuple[str, str]:
    """Return agent and benchmark: as `run_metadata.json` says them, or the folders BENCHMARK/AGENT."""
    for meta in beside(file, "run_metadata.json", every):
        about = document(meta)
        if about.get("agent_name"):
            model = f" ({about['model_name']})" if about.get("model_name") else ""
            return f"{about['agent_name']}{model}", str(about.get("dataset_name") or NAME)
    folder = file.path.absolute().parent
    return folder_of(file), folder.parent.name or NAME


def _trial(one: Mapping[str, Any]) -> Sample:
    return Sample(name_of(one["task_id"]), {"resolved": number(one["is_resolved"]) or 0.0})


def _of_harbor(content: Mapping[str, Any]) -> tuple[str, str, list[Sample]]:
    agent = inside(content, "agent_info", "name") or inside(content, "config", "agent", "name")
    model = inside(content, "agent_info", "model_info", "name") or inside(content, "config", "agent", "model_name")
    rewards = inside(content, "verifier_result", "rewards") or {"reward": None}
    system = f"{name_of(agent)} ({model})" if model else name_of(agent)
    dataset = str(content.get("source") or NAME)
    return system, dataset, [Sample(name_of(content["task_name"]), {k: number(v) for k, v in rewards.items()})]


TOOL = Tool(NAME, recognises, read, ("harbor", "tbench", "tb"))
