"""MTEB: `RESULTS/MODEL/REVISION/TASK.json`, one score per model and task."""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.harnesses.file import File, Outline
from reportkit.harnesses.logs import Batch, Log, Sample, Tool
from reportkit.harnesses.values import inside


def recognises(file: File, found: Outline) -> bool:
    """Tell the scores of a task by its name."""
    return found.kind == "object" and isinstance(found.record.get("scores"), dict) and found.has("task_name")


def read(batch: Batch) -> list[Log]:
    """Read scores of tasks: aggregates, so that the tasks are the sample."""
    logs = batch.logs(_logs)
    subsets: dict[str, set[object]] = {}
    for log in logs:
        subsets.setdefault(log.dataset, set()).add(log.variants["subset"])
    for log in logs:
        subset, log.variants = log.variants["subset"], {}
        log.dataset += f" ({subset})" if len(subsets[log.dataset]) > 1 else ""
    return logs


def _logs(file: File, batch: Batch) -> Iterator[Log]:
    content = file.document()
    by_subset: dict[str, list[Sample]] = {}
    for split, records in content["scores"].items():
        for record in records:
            subset = str(record.get("hf_subset") or "default")
            values = {name: value for name, value in record.items() if type(value) in (int, float)}
            scores = batch.numbers(file, f"{split}, {subset}", values | {"main_score": record["main_score"]})
            by_subset.setdefault(subset, []).append(Sample("", scores, filter=split))
    model, facts = _model(file, batch), {"data revision": content.get("dataset_revision")}
    for subset, samples in by_subset.items():
        yield Log(model, str(content["task_name"]), file, samples, variants={"subset": subset}, facts=facts)


def _model(file: File, batch: Batch) -> str:
    """Return the name that `model_meta.json` or the folder says."""
    said = [inside(content, "name") for _, content in batch.documents(file.path.parent, "model_meta.json")]
    folder = file.path.absolute().parent
    in_revision = "__" not in folder.name and "__" in folder.parent.name
    return str(next(filter(None, said), "") or (folder.parent if in_revision else folder).name.replace("__", "/"))


TOOL = Tool("MTEB", recognises, read, main=("main_score",), filters=("test",), higher=True)
