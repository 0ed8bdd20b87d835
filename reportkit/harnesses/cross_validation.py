"""scikit-learn: `cv_results_` of a search, and what `cross_validate` returns, as tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pandas as pd

from reportkit.harnesses.file import File, Outline
from reportkit.harnesses.logs import Batch, Log, Sample, Tool
from reportkit.harnesses.values import SYSTEMS

_SPLIT = re.compile(r"split(\d+)_test_(.+)")


def recognises(file: File, found: Outline) -> bool:
    """Tell a table by columns of splits, or by the times of fits."""
    names = [str(name) for name in found.record] or file.header()
    of_folds = {"fit_time", "score_time"} <= {*names} and any(name.startswith("test_") for name in names)
    return of_folds or any(map(_SPLIT.fullmatch, names))


def read(batch: Batch) -> list[Log]:
    """Read one score per fold; systems are the candidates of a search, or the files."""
    # scorers of losses are negative (neg_...), so that higher is always better
    message = "Scores pair by the number of the split: systems have to be validated on the same splits."
    batch.note("folds-paired", message, remedy="give cv with a fixed random_state", severity="info")
    return batch.logs(_logs)


def _logs(file: File, batch: Batch) -> Iterator[Log]:
    frame = file.table()
    frame.columns = [str(name) for name in frame.columns]
    if any(map(_SPLIT.fullmatch, frame.columns)):
        yield from _candidates(file, frame, batch)
        return
    names = {name: name.removeprefix("test_") for name in frame.columns if name.startswith("test_")}
    samples = []
    for fold, row in enumerate(frame[list(names)].rename(columns=names).to_dict("records")):
        scores = batch.numbers(file, f"fold {fold}", {str(name): value for name, value in row.items()})
        samples.append(Sample("", scores, run=str(fold)))
    yield Log(file.stem, file.folder() or "dataset", file, samples)


def _candidates(file: File, frame: pd.DataFrame, batch: Batch) -> Iterator[Log]:
    """Yield a log per candidate of a search, named by the parameters that differ."""
    splits = [(int(one[1]), one[2], name) for name in frame.columns if (one := _SPLIT.fullmatch(name))]
    folds = sorted({number for number, *_ in splits})
    if folds != list(range(len(folds))):
        raise ValueError("scores of a split are absent: save all columns of cv_results_")
    named = [name for name in frame.columns if name.startswith("param_") or name.casefold() in SYSTEMS]
    varied = [name for name in named if len({*frame[name].astype(str)}) > 1]
    for place, row in enumerate(frame.to_dict("records"), start=1):
        samples = []
        for fold in folds:
            values = {metric: row[name] for number, metric, name in splits if number == fold}
            samples.append(Sample("", batch.numbers(file, f"candidate {place}, split {fold}", values), run=str(fold)))
        system = ", ".join(f"{name.removeprefix('param_')}={row[name]}" for name in varied) or f"candidate {place}"
        yield Log(system, file.stem, file, samples)


TOOL = Tool("scikit-learn", recognises, read, nouns=("system", "dataset"), main=("score",), higher=True, runs="fold")
