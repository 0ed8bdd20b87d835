"""Adapt the readers of `reportkit.readers.harnesses` until each tool has its file here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from reportkit.errors import ReportkitError
from reportkit.harnesses import File, Harvest


def _on_disk(path: Path) -> Path:
    packed = [path.with_name(path.name + codec) for codec in ("", ".gz", ".bz2", ".xz", ".zst")]
    return next((one for one in (*packed, *path.parents) if one.is_file()), path)


def read_former(files: Sequence[File], tool: str | None = None, metrics: Sequence[str] = ()) -> Harvest | None:
    """Read by the former reader of the tool that it recognises."""
    from reportkit.readers.formats import HARNESSES, format_named
    from reportkit.readers.paths import find
    from reportkit.readers.understood import Reading, Request

    gone = {"Arena-Hard-Auto", "OpenCompass", "W&B", "MLflow"}
    found = find(list(dict.fromkeys(_on_disk(file.path) for file in files)), None)
    names = [name for name in found.by_format if name in HARNESSES and name not in gone]
    if tool is not None:
        names = [name for name in names if name == format_named(tool).name]
    if not names:
        return None
    sources = found.by_format[names[0]]
    read = HARNESSES[names[0]].read
    reading: Reading = read(sources, Request(metrics=tuple(metrics)))
    frames = [reading.frame.assign(metric=_metrics(reading))]
    for metric in reading.other_metrics:
        try:
            other = read(sources, Request(metrics=(metric,)))
        except ReportkitError:
            continue
        if not other.computed:
            frames.append(other.frame.assign(metric=metric))
    frame = pd.concat(frames, ignore_index=True).rename(columns={"seed": "run"})
    one_each = {dataset: metrics[0] for dataset, metrics in reading.metrics.items() if len(metrics) == 1}
    higher = dict(reading.higher_is_better)
    if "score" in higher and reading.all_metrics:
        higher = dict.fromkeys(reading.all_metrics, higher["score"])
    return Harvest(
        name=names[0],
        frame=frame,
        directions=higher,
        main=one_each,
        filter="",
        computed=reading.computed,
        paired_on=reading.paired_on,
        nouns=reading.nouns,
        used=frozenset(source.name for source in sources),
        findings=reading.notes,
    )


def _metrics(reading: object) -> object:
    frame = reading.frame  # type: ignore[attr-defined]
    if "metric" in frame:
        return frame["metric"]
    of = {dataset: names[0] for dataset, names in reading.metrics.items() if names}  # type: ignore[attr-defined]
    return frame["dataset"].map(of)


__all__ = ["read_former"]
