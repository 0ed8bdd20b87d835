"""lighteval (Hugging Face): `details_TASK_DATE.parquet`, one row per document, and `results_DATE.json`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from reportkit.errors import ReadingError
from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Log, Sample, Tool, harvest
from reportkit.harnesses.records import Faults, Outline, digest, document, inside, name_of
from reportkit.language import listed

NAME = "lighteval"
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


def read(files: Sequence[File], every: Sequence[File]) -> Harvest:
    """Read the details of all models and tasks."""
    faults = Faults()
    details = [file for file in files if file.head[:4] == b"PAR1"]
    results: dict[str, dict[str, Any]] = {}
    for file in [*_beside(details), *(file for file in files if file not in details)]:
        with faults.of_file(file):
            results[file.stem.removeprefix("results_")] = document(file)
    if not details:
        raise ReadingError(
            "lighteval wrote scores of tasks here, not of documents",
            where=listed([repr(file.name) for file in files], 3),
            remedy="run it with --save-details, and give its output folder",
        )
    logs: list[Log] = []
    for file in details:
        with faults.of_file(file):
            logs.append(_log(file, results, faults))
    shots: dict[tuple[str, str], set[str]] = {}
    for log in logs:
        shots.setdefault((log.system, _SHOTS.sub("", log.dataset)), set()).add(log.dataset)
    if all(len(names) == 1 for names in shots.values()):
        for log in logs:
            log.dataset = _SHOTS.sub("", log.dataset)
    return harvest(NAME, logs, faults, paired_on="id", question="query", used=files)


def _beside(details: Sequence[File]) -> list[File]:
    """Return the results of the same output, where the folder of the details was given alone."""
    found: dict[object, File] = {}
    for file in details:
        folder = file.path.parent.parent
        root = next((one for one in folder.parents if one.name == "details"), None)
        if root is not None and file.path.is_file():
            place = root.parent / "results" / folder.relative_to(root)
            found |= {path: File(path, path.read_bytes) for path in sorted(place.glob("results_*.json"))}
    return list(found.values())


def _log(file: File, results: Mapping[str, Mapping[str, Any]], faults: Faults) -> Log:
    named = _DETAILS.fullmatch(file.stem)
    task, date = (named["task"], named["date"]) if named else (file.stem, "")
    about = results.get(date, {})
    tasks = about.get("config_tasks") or {}
    named_so = [one for name, one in tasks.items() if task in (name, name.replace("|", ":"))]
    config: Mapping[str, Any] = named_so[0] if named_so else {}
    higher, not_means = _metrics(config)
    data = pa.BufferReader(file.data)
    columns = {name.strip("_"): name for name in pa.parquet.read_schema(data).names}
    wanted = [columns["doc"], columns.get("metric") or columns["metrics"]]
    docs, scores = (column.to_pylist() for column in pa.parquet.read_table(data, columns=wanted).select(wanted))
    samples = []
    for place, (doc, values) in enumerate(zip(docs, scores, strict=True)):
        asked, query = inside(doc, "id"), inside(doc, "query")
        name = str(place) if asked in (None, "") else name_of(asked)
        means = faults.numbers(file, f"document {name}", {m: v for m, v in values.items() if m not in not_means})
        samples.append(Sample(name, means, question=digest(query) if query else ""))
    facts = {"version": config.get("version"), "number of few-shot examples": config.get("num_fewshots")}
    general = about.get("config_general") or {}
    settings = {key: str(value) for key, value in (inside(general, "model_config") or {}).items()}
    return Log(_model(file, general, date), task, file, samples, date, settings, facts=facts, higher=higher)


def _metrics(config: Mapping[str, Any]) -> tuple[dict[str, bool], set[str]]:
    """Return the direction of each metric, and the metrics whose value of a task is no mean over documents."""
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
    said = general.get("model_name") or inside(general, "model_config", "model_name")
    parts = [part for part in file.path.parent.parts if part != date]
    parts = parts[len(parts) - parts[::-1].index("details") :] if "details" in parts else parts[-1:]
    return str(said or "/".join(parts).replace("__", "/") or "model")


TOOL = Tool(NAME, recognises, read)
