"""MLflow: tables of evaluations in a folder of runs, and runs exported as CSV (`mlflow.search_runs().to_csv`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from reportkit.errors import ReadingError
from reportkit.readers import json_content
from reportkit.readers.format import Harness, Taken
from reportkit.readers.harnesses.names import distinct_names, folder_name
from reportkit.readers.harnesses.tabular import json_table, table_of
from reportkit.readers.harnesses.tracked import Part, Runs, read_parts, read_runs
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request

_SCORE = re.compile(r"(?P<metric>.+?)(/v\d+)?/score")


def read_mlflow(files: Sequence[Source], request: Request) -> Reading:
    """Read tables of evaluations, one score per row; or exported runs, one score per run."""
    tables = [source for source in files if source.plain_path.suffix.lower() == ".json"]
    if tables and len(tables) < len(files):
        other = next(source for source in files if source not in tables)
        raise ReadingError(
            "there are tables of evaluations and exported runs",
            where=f"{tables[0].name!r}, {other.name!r}",
            remedy="give the tables or the runs alone",
        )
    if not tables:
        exports = []
        for done, source in enumerate(files, start=1):
            exports.append(_export(source))
            request.progress(done, len(files))
        return read_runs("MLflow", files, exports, request)
    experiments = [_experiment(source.path) for source in tables]
    names = [_run_name(source.path) for source in tables]
    systems = distinct_names(names, [source.plain_path for source in tables], experiments)
    parts = []
    for done, (source, system, dataset) in enumerate(zip(tables, systems, experiments, strict=True), start=1):
        frame = json_table(source, json_content.document(source)).rename(columns=_metric_name)
        parts.append(Part(source=source, frame=frame, system=system, dataset=dataset))
        request.progress(done, len(tables))
    return read_parts("MLflow", parts, request, [])


def _metric_name(column: object) -> str:
    found = _SCORE.fullmatch(str(column))
    return found["metric"] if found else str(column)


def _run_folder(path: Path) -> Path | None:
    """Folder of the run of an artifact: EXPERIMENT/RUN/artifacts/..."""
    return next((folder.parent for folder in path.absolute().parents if folder.name == "artifacts"), None)


def _run_name(path: Path) -> str:
    folder = _run_folder(path)
    if folder is None:
        return folder_name(path, "run")
    for tag in (folder / "params" / "model", folder / "tags" / "mlflow.runName"):
        if name := _line(tag):
            return name
    return folder.name


def _experiment(path: Path) -> str:
    folder = _run_folder(path)
    if folder is None:
        return path.stem
    for line in _line(folder.parent / "meta.yaml", whole=True).splitlines():
        if line.startswith("name:"):
            return line.partition(":")[2].strip().strip("'\"") or folder.parent.name
    return folder.parent.name


def _line(path: Path, *, whole: bool = False) -> str:
    try:
        text = path.read_text("utf-8")[:100_000]
    except (OSError, UnicodeDecodeError):
        return ""
    return text if whole else text.strip().partition("\n")[0]


def _export(source: Source) -> Runs:
    table = table_of(source)
    unfinished = table["status"].str.upper() != "FINISHED"
    kept = {
        str(name): str(name).partition(".")[2]
        for name in table.columns
        if str(name).startswith(("params.", "metrics."))
    }
    name = "tags.mlflow.runName" if "tags.mlflow.runName" in table else "run_id"
    frame = table[[name, *kept]].rename(columns={**kept, name: "run_name"})
    if len({*frame.columns}) < len(frame.columns):
        raise ReadingError(
            f"{source.name!r} has a parameter and a metric of one name",
            where=", ".join(sorted({one for one in frame.columns if list(frame.columns).count(one) > 1})),
            remedy="rename one of the two columns",
        )
    metrics = frozenset(inner for outer, inner in kept.items() if outer.startswith("metrics."))
    return Runs(source=source, frame=frame, name="run_name", unfinished=unfinished, own=frozenset(), metrics=metrics)


def can_read(head: bytes, path: Path) -> bool:
    """Whether a file is a table of an evaluation, or runs with their states."""
    if path.suffix.lower() == ".csv":
        names = head.partition(b"\n")[0].decode("utf-8", "replace").replace('"', "").strip("\ufeff\r").split(",")
        return {"run_id", "experiment_id", "status"} <= {*names} and any(name.startswith("metrics.") for name in names)
    is_table = head.lstrip().startswith(b"{") and b'"columns"' in head
    return is_table and (path.name == "eval_results_table.json" or "artifacts" in path.parts)


MLFLOW = Harness(
    name="MLflow",
    endings=(".json", ".csv"),
    read=read_mlflow,
    can_read=can_read,
    marks=(b'"columns"', b"experiment_id"),
    taken=Taken(
        files="`EXPERIMENT/RUN/artifacts/eval_results_table.json`; runs exported as CSV",
        system="parameter `model`; else the name of the run",
        dataset="name of the experiment; of runs a parameter of datasets, else the name of the file",
        instance="row, where all inputs are the same; – of runs",
        run="of runs a parameter of seeds, else the name of the run",
        metric="`METRIC/VERSION/score`, or a column of numbers",
        refused="several columns that may hold the scores (name one: `--metric`). Runs that are not finished "
        "are left out",
    ),
)
