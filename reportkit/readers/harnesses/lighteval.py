"""lighteval (Hugging Face): `details_TASK_DATE.parquet`, one row per document, and `results_DATE.json`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import listed
from reportkit.readers import json_content
from reportkit.readers.format import Harness, Taken
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request
from reportkit.readers.units import Unit, latest, understood

_DATED = re.compile(r"^details_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT[\d.:-]+)$")
_NEEDED = re.compile(r"_*(metrics?_*|doc_*\.(id|query))(\.|$)")
_DAMAGED = (pa.ArrowException, OSError, UnicodeError, OverflowError, IndexError, ValueError)
_SHOTS = re.compile(r"\|\d+(\|\d+)?$")


def read_lighteval(files: Sequence[Source], request: Request) -> Reading:
    """Read the details of all models and tasks.

    Raises
    ------
    ReadingError
        If a file is damaged, or there are only aggregates.
    """
    details = [source for source in files if source.plain_path.suffix.lower() == ".parquet"]
    if not details:
        raise ReadingError(
            "lighteval wrote scores of tasks here, not of documents",
            where=listed([repr(source.name) for source in files], 3),
            remedy="run it with --save-details, and give its output folder",
        )
    about = _results([source for source in files if source not in details], details)
    units = []
    for done, source in enumerate(details):
        request.progress(done, len(details))
        units.append(_unit(source, about))
    request.progress(len(details), len(details))
    shots: dict[tuple[str, str, str], set[str]] = {}
    for unit in units:
        shots.setdefault((unit.system, _SHOTS.sub("", unit.dataset), unit.date), set()).add(unit.dataset)
    if all(len(names) == 1 for names in shots.values()):
        for unit in units:
            unit.dataset = _SHOTS.sub("", unit.dataset)
    units, older = latest([unit for unit in units if unit.ids], "model and task")
    return understood(
        units,
        request,
        format_name=LIGHTEVAL.name,
        nouns=("model", "task"),
        id_name="id",
        hash_name="query",
        notes=(*older, *_unequal(units, about)),
        n_files=len(files),
    )


def _can_read(head: bytes, path: Path) -> bool:
    if path.suffix.lower() == ".parquet":
        return head.startswith(b"PAR1") and _DATED.match(path.stem) is not None
    return b'"config_general"' in head and head.lstrip()[:1] == b"{"


def _results(found: Sequence[Source], details: Sequence[Source]) -> dict[str, Mapping[str, Any]]:
    """Date to aggregates; those of another folder of the same output are found as well."""
    sources = list(found)
    if not sources:
        for folder in {source.path.parent.parent for source in details if source.archive is None}:
            root = next((one for one in folder.parents if one.name == "details"), None)
            if root is not None:
                model = folder.relative_to(root)
                sources += [Source(path) for path in sorted((root.parent / "results" / model).glob("results_*.json"))]
    return {source.plain_path.stem.removeprefix("results_"): json_content.mapping(source) for source in sources}


def _unit(source: Source, about: Mapping[str, Mapping[str, Any]]) -> Unit:
    named = _DATED.match(source.plain_path.stem)
    task, date = (named["task"], named["date"]) if named else (source.plain_path.stem, "")
    results = about.get(date, {})
    unit = Unit(_model(source, results, date), task, source.name, date)
    unit.higher, not_means = _metrics(results, task)
    table = _table(source)
    names = {name.strip("_"): name for name in table.column_names}
    metric = names.get("metric") or names.get("metrics")
    if metric is None or not pa.types.is_struct(table[metric].type):
        raise json_content.wrong(
            source,
            "has no scores of documents: its column of metrics is missing or a text",
            where="columns: " + ", ".join(map(repr, table.column_names[:20])),
            remedy="write the details again with a newer lighteval",
        )
    scores = table[metric]
    for place, field in enumerate(scores.type):
        if field.name in not_means or not _is_number(field.type):
            unit.refused[field.name] = "its value is computed from all documents at once, or is no number"
        else:
            unit.scores[field.name] = list(map(json_content.number, pc.struct_field(scores, [place]).to_pylist()))
    unit.ids = [name or str(place) for place, name in enumerate(_of_documents(table, names, "id"))]
    unit.hashes = list(_of_documents(table, names, "query"))
    if len(set(unit.ids)) < len(unit.ids):
        raise json_content.wrong(source, "has a document twice: two rows with one id")
    return unit


def _is_number(kind: pa.DataType) -> bool:
    types = pa.types
    return bool(types.is_floating(kind) or types.is_integer(kind) or types.is_boolean(kind) or types.is_null(kind))


def _of_documents(table: pa.Table, names: Mapping[str, str], member: str) -> list[str | None]:
    """A member of the document of each row as a text; None where there is none."""
    docs = table[names["doc"]] if "doc" in names else None
    if docs is None or not pa.types.is_struct(docs.type) or docs.type.get_field_index(member) < 0:
        return [None] * table.num_rows
    values = pc.struct_field(docs, member).to_pylist()
    if pa.types.is_string(docs.type.field(member).type):
        return [value or None for value in values]
    return [json_content.text_of({member: value}, member) for value in values]


def _table(source: Source) -> pa.Table:
    """The columns that are needed: of documents what identifies them."""
    import pyarrow.parquet

    try:
        data = pa.BufferReader(source.read_all()) if source.compressed else str(source.path)
        file = pyarrow.parquet.ParquetFile(data)
        leaves = [file.schema.column(place).path for place in range(len(file.schema))]
        table = file.read(columns=[leaf for leaf in leaves if _NEEDED.match(leaf)])
        table.validate(full=True)
    except _DAMAGED as error:
        if isinstance(error, ReadingError):
            raise
        raise json_content.wrong(
            source,
            "is not a Parquet file, or is damaged",
            where=" ".join(str(error).split())[:200],
            remedy="copy it again",
        ) from None
    return table


def _model(source: Source, results: Mapping[str, Any], date: str) -> str:
    general = json_content.inside(results, "config_general")
    if isinstance(general, dict) and (said := json_content.text_of(general, "model_name")):
        return said
    parts = list(source.path.parent.parts)
    if parts and parts[-1] == date:
        parts.pop()
    parts = parts[len(parts) - parts[::-1].index("details") :] if "details" in parts else parts[-1:]
    return "/".join(parts).replace("__", "/") or "model"


def _metrics(results: Mapping[str, Any], task: str) -> tuple[dict[str, bool], set[str]]:
    """Direction of each metric, and those whose value of a task is no mean over documents."""
    tasks = json_content.inside(results, "config_tasks")
    tasks = tasks if isinstance(tasks, dict) else {}
    config = next((item for name, item in tasks.items() if name == task or name.replace("|", ":") == task), None)
    metrics = (config.get("metrics") or config.get("metric")) if isinstance(config, dict) else None
    higher: dict[str, bool] = {}
    not_means: set[str] = set()
    for item in metrics if isinstance(metrics, list) else ():
        name = json_content.inside(item, "metric_name")
        names = name if isinstance(name, list) else [name]
        said, overall = json_content.inside(item, "higher_is_better"), json_content.inside(item, "corpus_level_fn")
        for one in names:
            if isinstance(one, str):
                of_one = said.get(one) if isinstance(said, dict) else said
                over = overall.get(one) if isinstance(overall, dict) else overall
                if isinstance(of_one, bool):
                    higher[one] = of_one
                if isinstance(over, str) and "mean" not in over.casefold():
                    not_means.add(one)
    return higher, not_means


def _unequal(units: Sequence[Unit], about: Mapping[str, Mapping[str, Any]]) -> list[Finding]:
    said: dict[str, dict[str, None]] = {}
    for unit in units:
        tasks = json_content.inside(about.get(unit.date), "config_tasks")
        for name, config in tasks.items() if isinstance(tasks, dict) else ():
            if _SHOTS.sub("", name) == _SHOTS.sub("", unit.dataset) and isinstance(config, dict):
                said.setdefault(unit.dataset, {})[
                    f"version {config.get('version')}, {config.get('num_fewshots')}-shot"
                ] = None
    several = [f"{task}: {' and '.join(values)}" for task, values in said.items() if len(values) > 1]
    if not several:
        return []
    message = "The version of a task, or its number of examples, differs between models."
    remedy = "evaluate all models in the same way"
    return [Finding("unequal-versions", "warning", message, where=listed(several, 5), remedy=remedy)]


LIGHTEVAL = Harness(
    name="lighteval",
    endings=(".parquet", ".json"),
    read=read_lighteval,
    can_read=_can_read,
    taken=Taken(
        files="`details_*.parquet` (of `--save-details`), with `results_*.json`",
        system="`model_name` of the results, else the folders below `details`",
        dataset="the task of the name of the file; with its number of shots where there are several",
        instance="`doc.id`, checked against `doc.query`",
        run="–",
        metric="a key of `metric`, the one that most tasks have",
        refused="results without details; left out with a word: metrics that are no mean over documents, older "
        "evaluations of the same model",
    ),
)
