"""lighteval (Hugging Face): `details_TASK_DATE.parquet`, one row per document, and `results_DATE.json`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from reportkit.errors import ReadingError
from reportkit.harnesses.file import File, Outline
from reportkit.harnesses.logs import Batch, Log, Sample, Tool
from reportkit.harnesses.values import digest, inside, name_of
from reportkit.language import listed

_DETAILS = re.compile(r"details_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT[\d.:-]+)")
_SHOTS = re.compile(r"\|\d+(\|\d+)?$")


def recognises(file: File, found: Outline) -> bool:
    """Tell details by their columns, results by their keys."""
    if file.head[:4] == b"PAR1":
        try:
            source = str(file.path) if file.path.is_file() else pa.BufferReader(file.data)
            names = {name.strip("_") for name in pa.parquet.read_schema(source).names}
        except (pa.ArrowException, OSError):
            return _DETAILS.fullmatch(file.stem) is not None
        return "doc" in names and bool(names & {"metric", "metrics"})
    return found.kind == "object" and found.has("config_general", "results")


def read(batch: Batch) -> list[Log]:
    """Read the details of all models and tasks, with the results of the same date."""
    details = [file for file in batch.files if file.head[:4] == b"PAR1"]
    if not details:
        raise ReadingError(
            "lighteval wrote scores of tasks here, not of documents",
            where=listed([repr(file.name) for file in batch.files], 3),
            remedy="run it with --save-details, and give its output folder",
        )
    places = {file.path.parent for file in batch.files if file not in details}
    for folder in {file.path.parent.parent for file in details}:  # RESULTS/details/MODEL, and RESULTS/results/MODEL
        root = next((one for one in folder.parents if one.name == "details"), None)
        places |= {root.parent / "results" / folder.relative_to(root)} if root else set()
    found = [one for place in sorted(places) for one in batch.documents(place, "results_*.json", "config_tasks")]
    results = {file.stem.removeprefix("results_"): content for file, content in found}
    logs = batch.logs(lambda file, batch: _logs(file, batch, results), details)
    shots: dict[tuple[str, str], set[str]] = {}
    for log in logs:
        shots.setdefault((log.system, _SHOTS.sub("", log.dataset)), set()).add(log.dataset)
    if all(len(names) == 1 for names in shots.values()):
        for log in logs:
            log.dataset = _SHOTS.sub("", log.dataset)
    return logs


def _logs(file: File, batch: Batch, results: Mapping[str, Mapping[str, Any]]) -> Iterator[Log]:
    named = _DETAILS.fullmatch(file.stem)
    task, date = (named["task"], named["date"]) if named else (file.stem, "")
    about = results.get(date, {})
    tasks = about.get("config_tasks") or {}
    found = [one for name, one in tasks.items() if task in (name, name.replace("|", ":"))]
    config: Mapping[str, Any] = found[0] if found else {}
    higher, not_means = _metrics(config)
    data = pa.BufferReader(file.data)
    columns = {name.strip("_"): name for name in pa.parquet.read_schema(data).names}
    wanted = [columns["doc"], columns.get("metric") or columns["metrics"]]
    docs, scores = (column.to_pylist() for column in pa.parquet.read_table(data, columns=wanted).select(wanted))
    samples = []
    for place, (doc, values) in enumerate(zip(docs, scores, strict=True)):
        name = str(place) if inside(doc, "id") in (None, "") else name_of(inside(doc, "id"))
        means = batch.numbers(file, f"document {name}", {m: v for m, v in values.items() if m not in not_means})
        samples.append(Sample(name, means, question=digest(inside(doc, "query"))))
    facts = {"version": config.get("version"), "number of few-shot examples": config.get("num_fewshots")}
    general = about.get("config_general") or {}
    settings = {key: str(value) for key, value in (inside(general, "model_config") or {}).items()}
    yield Log(_model(file, general, date), task, file, samples, date, settings, facts=facts, higher=higher)


def _metrics(config: Mapping[str, Any]) -> tuple[dict[str, bool], set[str]]:
    """Return the direction of each metric, and the metrics whose value of a task is not a mean over documents."""
    higher: dict[str, bool] = {}
    not_means: set[str] = set()
    for item in config.get("metrics") or config.get("metric") or []:
        names, said, overall = (inside(item, key) for key in ("metric_name", "higher_is_better", "corpus_level_fn"))
        for name in names if isinstance(names, list) else [names]:
            up = said.get(name) if isinstance(said, Mapping) else said
            over = overall.get(name) if isinstance(overall, Mapping) else overall
            if isinstance(up, bool):
                higher[name] = up
            if isinstance(over, str) and "mean" not in over.casefold():
                not_means.add(name)
    return higher, not_means


def _model(file: File, general: Mapping[str, Any], date: str) -> str:
    """Return the name that the results say, else the folders below `details`, else the folder."""
    said = general.get("model_name") or inside(general, "model_config", "model_name")
    parts = [part for part in file.path.parent.parts if part != date]
    parts = parts[len(parts) - parts[::-1].index("details") :] if "details" in parts else parts[-1:]
    return str(said or "/".join(parts).replace("__", "/") or "model")


TOOL = Tool("lighteval", recognises, read, paired_on="id", question="query")
