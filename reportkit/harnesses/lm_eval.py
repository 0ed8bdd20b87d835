"""lm-evaluation-harness: `samples_TASK_DATE.jsonl`, a line per document and filter, and `results_DATE.json`."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from reportkit.harnesses.file import File, Outline, outline
from reportkit.harnesses.harvest import harvest
from reportkit.harnesses.logs import Batch, Harvest, Log, Sample, Tool
from reportkit.harnesses.values import inside, name_of

_DATED = re.compile(r"(?:samples_|results_)?(.*?)_?(\d{4}-\d\d-\d\dT[\d.:-]+)?")
_NO_METRICS = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "sample_len", "idx"}
_NO_METRICS |= {"doc_hash", "prompt_hash", "target_hash"}


def recognises(file: File, found: Outline) -> bool:
    """Tell samples by their documents and answers, results by their keys "METRIC,FILTER"."""
    if found.has("doc_id", "doc") and (found.has("resps") or found.has("filtered_resps")):
        return True
    tasks = found.record.get("results") if found.kind == "object" else None
    return isinstance(tasks, Mapping) and any(
        "," in key for task in tasks.values() if isinstance(task, Mapping) for key in task
    )


def read(batch: Batch) -> list[Log] | Harvest:
    """Read the samples of all models and tasks; the means of tasks where there are no samples."""
    samples = [file for file in batch.files if outline(file).has("doc_id")]
    given = [(file.path.parent, file.path.name.lower()) for file in batch.files if file not in samples]
    results = [one for folder, name in given for one in batch.documents(folder, name, "results")]
    if not samples:
        return _means(results, batch)
    logs = batch.logs(_logs, samples)
    left = sorted({_model(content, file) for file, content in results} - {log.system for log in logs})
    message = "Models without samples were left out; there are only means of their tasks."
    remedy = "evaluate them with --log_samples, or give the results of all models alone"
    batch.note("means-left-out", message, left, remedy)
    return logs


def _task_and_date(file: File) -> tuple[str, str]:
    named = _DATED.fullmatch(file.stem)
    return (named[1], named[2] or "") if named else (file.stem, "")


def _logs(file: File, batch: Batch) -> Iterator[Log]:
    task, date = _task_and_date(file)
    near = batch.documents(file.path.parent, "results_*.json", "results")
    near.sort(key=lambda one: _task_and_date(one[0])[1] != date)
    about = next((content for _, content in near if inside(content, "results", task) is not None), {})

    def sample(record: Mapping[str, Any]) -> Sample:
        names = record.get("metrics")
        values = {name: record[name] for name in names} if isinstance(names, list) else _numeric(record)
        doc_id = name_of(record["doc_id"])
        scores = batch.numbers(file, f"doc_id {doc_id}", values)
        kind = str(record.get("filter") or "none")
        return Sample(doc_id, scores, question=str(record.get("doc_hash") or ""), filter=kind)

    facts = {
        "version": inside(about, "versions", task),
        "number of few-shot examples": inside(about, "n-shot", task),
        "prompt or data": inside(about, "task_hashes", task),
        "number of documents": inside(about, "n-samples", task, "effective"),
    }
    samples = batch.each(file, sample)
    yield dataclasses.replace(_log(file, about, task), samples=samples, date=date, facts=facts)


def _log(file: File, about: Mapping[str, Any], task: str) -> Log:
    """Return a log without samples, as the results say it."""
    config = about.get("config")
    settings = {
        "num_fewshot": inside(about, "n-shot", task),
        "model_args": inside(config, "model_args"),
        "gen_kwargs": inside(config, "gen_kwargs"),
        "chat_template": "yes" if about.get("chat_template") else None,
    }
    said = inside(about, "higher_is_better", task)
    higher = {name: up for name, up in said.items() if isinstance(up, bool)} if isinstance(said, Mapping) else {}
    return Log(_model(about, file), task, file, [], _task_and_date(file)[1], settings, higher=higher)


def _numeric(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metrics of a line that does not list them, as older versions write it."""
    found = {name: value for name, value in record.items() if name not in _NO_METRICS}
    return {name: value for name, value in found.items() if value is not None and not isinstance(value, str)}


def _model(about: Mapping[str, Any], file: File) -> str:
    return str(about.get("model_name") or file.folder().replace("__", "/") or "model")


def _means(results: Sequence[tuple[File, Mapping[str, Any]]], batch: Batch) -> Harvest:
    """Read means of tasks; if the standard error is that of a share of right answers, read it with its counts."""
    logs: list[Log] = []
    counts: list[tuple[Log, str, int, int]] = []
    for file, content in results:
        groups = content.get("group_subtasks") or {}
        for task, values in content["results"].items():
            if groups.get(task) or not isinstance(values, Mapping):
                continue
            keys = {key: key.replace(",none", "") for key in values if "," in key and "_stderr," not in key}
            scores = batch.numbers(file, task, {metric: values[key] for key, metric in keys.items()})
            log = dataclasses.replace(_log(file, content, task), samples=[Sample("", scores)])
            logs.append(log)
            n = inside(content, "n-samples", task, "effective")
            for key, metric in keys.items():
                error = values.get(key.replace(",", "_stderr,", 1))
                if (k := _right(scores.get(metric), error, n)) is not None:
                    counts.append((log, metric, n, k))
    message = "These are means of tasks without their documents, so that systems cannot be paired by document."
    batch.note("means-only", message, remedy="run it with --log_samples, and give its output folder (--output_path)")
    found = harvest(dataclasses.replace(TOOL, paired_on=""), batch, logs)
    if not counts:
        return found
    columns = ["system", "dataset", "metric", "n", "k"]
    known = pd.DataFrame([(log.system, log.dataset, metric, n, k) for log, metric, n, k in counts], columns=columns)
    frame = found.frame.merge(known, "left", on=columns[:3])
    rest = frame[frame["k"].isna()]
    left = dict.fromkeys(f"{metric} of {task}" for metric, task in zip(rest["metric"], rest["dataset"], strict=True))
    message = "Means that are not shares of right answers were left out, as they cannot be compared without documents."
    batch.note("means-left-out", message, list(left))
    frame = frame.dropna(subset="k").reset_index(drop=True).astype({"n": int, "k": int})
    return dataclasses.replace(found, frame=frame, findings=tuple(batch.notes))


def _right(p: float | None, error: object, n: object) -> int | None:
    """Return the number of right answers behind a mean; None if its standard error is not that of zeros and ones."""
    if p is None or not isinstance(error, (int, float)) or not isinstance(n, int) or n < 2 or not 0 <= p <= 1:
        return None
    k = round(p * n)
    of_shares = (p * (1 - p) / (n - 1)) ** 0.5
    return k if abs(k / n - p) < 1e-6 and abs(error - of_shares) < 1e-6 + 0.01 * of_shares else None


TOOL = Tool("lm-evaluation-harness", recognises, read, paired_on="doc_id", question="doc_hash")
