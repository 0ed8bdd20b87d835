"""lm-evaluation-harness: `samples_TASK_DATE.jsonl`, a line per document and filter, and `results_DATE.json`."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from typing import Any

from reportkit.finding import Finding
from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Log, Sample, Tool, harvest
from reportkit.harnesses.records import Faults, Outline, beside, document, folder_of, inside, name_of, outline
from reportkit.language import listed

NAME = "lm-evaluation-harness"
_DATED = re.compile(r"(?:samples_|results_)?(.*?)_?(\d{4}-\d\d-\d\dT[\d.:-]+)?")
_NO_METRICS = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "sample_len", "idx"}
_NO_METRICS |= {"doc_hash", "prompt_hash", "target_hash"}
_Results = tuple[File, dict[str, Any]]


def recognises(file: File, found: Outline) -> bool:
    """Tell samples by their documents and answers, results by their keys "METRIC,FILTER"."""
    if found.has("doc_id", "doc") and (found.has("resps") or found.has("filtered_resps")):
        return True
    tasks = found.record.get("results") if found.kind == "object" else None
    return isinstance(tasks, Mapping) and any(
        "," in key for task in tasks.values() if isinstance(task, Mapping) for key in task
    )


def read(files: Sequence[File], every: Sequence[File]) -> Harvest:
    """Read the samples of all models and tasks; the means of tasks where there are no samples."""
    faults = Faults()
    samples = [file for file in files if outline(file).has("doc_id")]
    results: list[_Results] = []
    for file in _with_beside(samples, [file for file in files if file not in samples], every):
        with faults.of_file(file):
            content = document(file)
            content["results"].values()
            results.append((file, content))
    if not samples:
        return _means(results, faults)
    logs: list[Log] = []
    for file in samples:
        with faults.of_file(file):
            logs.append(_log(file, results, faults))
    left = sorted({_model(content, file) for file, content in results} - {log.system for log in logs})
    message = "Models without samples were left out; there are only means of their tasks."
    remedy = "evaluate them with --log_samples, or give the results of all models alone"
    notes = [Finding("means-left-out", "warning", message, listed(left, 5), remedy)] if left else []
    tasks = [task for _, content in results for task in content["results"].values() if isinstance(task, Mapping)]
    return harvest(
        NAME, logs, faults, paired_on="doc_id", question="doc_hash", findings=notes,
        filters=[key.partition(",")[2] for task in tasks for key in task], used=[*files, *(one for one, _ in results)],
    )  # fmt: skip


def _with_beside(samples: Sequence[File], results: Sequence[File], every: Sequence[File]) -> list[File]:
    """Return results that were given, and those that lie in the folders of samples."""
    found = {file.name: file for file in results}
    for file in {file.path.parent: file for file in samples}.values():
        found |= {one.name: one for one in beside(file, "results_*.json", every)}
    return list(found.values())


def _task_and_date(file: File) -> tuple[str, str]:
    named = _DATED.fullmatch(file.stem)
    return (named[1], named[2] or "") if named else (file.stem, "")


def _log(file: File, results: Sequence[_Results], faults: Faults) -> Log:
    task, date = _task_and_date(file)
    near = [found for one, found in results if one.path.parent == file.path.parent]
    same = [found for one, found in results if found in near and _task_and_date(one)[1] == date]
    about = next((one for one in (*same, *near) if inside(one, "results", task) is not None), {})

    def sample(record: Mapping[str, Any]) -> Sample:
        names = record.get("metrics")
        values = {name: record[name] for name in names} if isinstance(names, list) else _numeric(record)
        doc_id = name_of(record["doc_id"])
        scores = faults.numbers(file, f"doc_id {doc_id}", values)
        kind = str(record.get("filter") or "none")
        return Sample(doc_id, scores, question=str(record.get("doc_hash") or ""), filter=kind)

    return Log(
        system=_model(about, file),
        dataset=task,
        file=file,
        samples=faults.each(file, sample),
        date=date,
        settings=_settings(about, task),
        facts={
            "version": inside(about, "versions", task),
            "number of few-shot examples": inside(about, "n-shot", task),
            "prompt or data": inside(about, "task_hashes", task),
            "number of documents": inside(about, "n-samples", task, "effective"),
        },
        higher=_higher(about, task),
    )


def _numeric(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metrics of a line that does not list them, as older versions write it."""
    found = {name: value for name, value in record.items() if name not in _NO_METRICS}
    return {name: value for name, value in found.items() if value is not None and not isinstance(value, str)}


def _model(about: Mapping[str, Any], file: File) -> str:
    return str(about.get("model_name") or folder_of(file).replace("__", "/") or "model")


def _settings(about: Mapping[str, Any], task: str) -> dict[str, object]:
    config = about.get("config")
    return {
        "num_fewshot": inside(about, "n-shot", task),
        "model_args": inside(config, "model_args"),
        "gen_kwargs": inside(config, "gen_kwargs"),
        "chat_template": "yes" if about.get("chat_template") else None,
    }


def _higher(about: Mapping[str, Any], task: str) -> dict[str, bool]:
    said = inside(about, "higher_is_better", task)
    return {name: up for name, up in said.items() if isinstance(up, bool)} if isinstance(said, Mapping) else {}


def _means(results: Sequence[_Results], faults: Faults) -> Harvest:
    """Read means of tasks: shares of right answers with their counts, where the standard errors say that they are."""
    logs: list[Log] = []
    counts: dict[tuple[int, str], tuple[int, int]] = {}
    for file, content in results:
        groups = content.get("group_subtasks") or {}
        for task, values in content["results"].items():
            if groups.get(task) or not isinstance(values, Mapping):
                continue
            keys = {key: key.replace(",none", "") for key in values if "," in key and "_stderr," not in key}
            scores = faults.numbers(file, task, {metric: values[key] for key, metric in keys.items()})
            date, settings, higher = _task_and_date(file)[1], _settings(content, task), _higher(content, task)
            log = Log(_model(content, file), task, file, [Sample("", scores)], date, settings, higher=higher)
            logs.append(log)
            n = inside(content, "n-samples", task, "effective")
            for key, metric in keys.items():
                error = values.get(key.replace(",", "_stderr,", 1))
                if (right := _right(scores.get(metric), error, n)) is not None:
                    counts[len(logs), metric] = right
    message = "These are means of tasks without their documents, so that systems cannot be paired by document."
    remedy = "run it with --log_samples, and give its output folder (--output_path)"
    note = Finding("means-only", "warning", message, remedy=remedy)
    found = harvest(NAME, logs, faults, used=[file for file, _ in results], findings=[note])
    if not counts:
        return found
    of_rows = {(logs[at - 1].system, logs[at - 1].dataset, metric): kn for (at, metric), kn in counts.items()}
    keys_of_rows = list(found.frame[["system", "dataset", "metric"]].itertuples(index=False, name=None))
    kept = [key in of_rows for key in keys_of_rows]
    left = dict.fromkeys(f"{key[2]} of {key[1]}" for key in keys_of_rows if key not in of_rows)
    k, n_of = zip(*(of_rows[key] for key in keys_of_rows if key in of_rows), strict=True)
    frame = found.frame[kept].reset_index(drop=True).assign(n=n_of, k=k)
    message = "Means that are no shares of right answers were left out, as they cannot be compared without documents."
    notes = [Finding("means-left-out", "warning", message, listed(list(left), 5))] if left else []
    return dataclasses.replace(found, frame=frame, findings=(*found.findings, *notes))


def _right(p: float | None, error: object, n: object) -> tuple[int, int] | None:
    """Return (right, all) of a mean of zeros and ones; None if its standard error says that it is another mean."""
    if p is None or not isinstance(error, (int, float)) or not isinstance(n, int) or n < 2 or not 0 <= p <= 1:
        return None
    k = round(p * n)
    of_shares = (p * (1 - p) / (n - 1)) ** 0.5
    return (k, n) if abs(k / n - p) < 1e-6 and abs(error - of_shares) < 1e-6 + 0.01 * of_shares else None


TOOL = Tool(NAME, recognises, read, ("lm-eval", "lm_eval", "lm-eval-harness", "lm-harness"))
