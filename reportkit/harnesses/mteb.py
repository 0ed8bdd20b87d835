"""MTEB: `RESULTS/MODEL/REVISION/TASK.json`, one score per model and task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Log, Sample, Tool, harvest
from reportkit.harnesses.records import Faults, Outline, beside, document, inside

NAME = "MTEB"
_NO_SPLITS = ("dataset_revision", "mteb_dataset_name", "mteb_version", "dataset_version", "evaluation_time")


def recognises(file: File, found: Outline) -> bool:
    """Tell the scores of a task by its name and version."""
    of_today = isinstance(found.record.get("scores"), Mapping) and found.has("task_name")
    return found.kind == "object" and (of_today or found.has("mteb_dataset_name"))


def read(files: Sequence[File], every: Sequence[File]) -> Harvest:
    """Read scores of tasks: aggregates, so that the tasks are the sample."""
    faults = Faults()
    found: list[tuple[str, str, Log]] = []
    used = list(files)
    models: dict[object, str] = {}
    for file in files:
        with faults.of_file(file):
            content = document(file)
            if file.path.parent not in models:
                metas = beside(file, "model_meta.json", every)
                used += metas
                models[file.path.parent] = _model(file, metas)
            task = str(content.get("task_name") or content["mteb_dataset_name"])
            facts = {"data revision": content.get("dataset_revision")}
            by_subset: dict[str, list[Sample]] = {}
            for split, subset, record in _records(content):
                values = {name: value for name, value in record.items() if type(value) in (int, float)}
                if "main_score" not in values and record.get("main_score", "") is not None:
                    raise KeyError("main_score")
                values.pop("evaluation_time", None)
                scores = faults.numbers(file, f"{split}, {subset}", values | {"main_score": record["main_score"]})
                by_subset.setdefault(subset, []).append(Sample("", scores, filter=split))
            for subset, samples in by_subset.items():
                found.append((task, subset, Log(models[file.path.parent], "", file, samples, facts=facts)))
    subsets: dict[str, set[str]] = {}
    for task, subset, _ in found:
        subsets.setdefault(task, set()).add(subset)
    for task, subset, log in found:
        log.dataset = task if len(subsets[task]) == 1 else f"{task} ({subset})"
    logs = [log for *_, log in found]
    return harvest(NAME, logs, faults, main=("main_score",), filters=("test",), higher=True, used=used)


def _records(content: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield split, subset and scores, also as versions before 1.11 wrote them."""
    if "task_name" in content:
        for split, records in content["scores"].items():
            for record in records:
                yield split, str(record.get("hf_subset") or "default"), record
        return
    for split, record in content.items():
        if split not in _NO_SPLITS and isinstance(record, Mapping):
            inner = {
                key: value for key, value in record.items() if isinstance(value, Mapping) and "main_score" in value
            }
            for subset, scores in (inner or {"default": record}).items():
                yield split, subset, scores


def _model(file: File, metas: Sequence[File]) -> str:
    """Return the name that `model_meta.json` or the folder says."""
    said = inside(metas[0].json, "name") if metas else None
    folder = file.path.absolute().parent
    in_revision = "__" not in folder.name and "__" in folder.parent.name
    return str(said or (folder.parent if in_revision else folder).name.replace("__", "/"))


TOOL = Tool(NAME, recognises, read)
