"""scikit-learn: `cv_results_` of a search, and what `cross_validate` returns, as tables."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

import pandas as pd

from reportkit.finding import Finding
from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Log, Sample, Tool, harvest
from reportkit.harnesses.records import SYSTEMS, Faults, Outline, header, table

NAME = "scikit-learn"
_SPLIT = re.compile(r"split(\d+)_test_(.+)")
_FOLD = re.compile(r"test_(.+)")


def recognises(file: File, found: Outline) -> bool:
    """Tell a table by columns of splits, or by the times of fits."""
    names = [str(name) for name in found.record] or header(file)
    return any(map(_SPLIT.fullmatch, names)) or (
        {"fit_time", "score_time"} <= {*names} and any(map(_FOLD.match, names))
    )


def read(files: Sequence[File], every: Sequence[File]) -> Harvest:
    """Read one score per fold; systems are the candidates of a search, or the files."""
    faults = Faults()
    logs: list[Log] = []
    for file in files:
        with faults.of_file(file):
            frame = table(file)
            frame.columns = [str(name) for name in frame.columns]
            if any(map(_SPLIT.fullmatch, frame.columns)):
                logs += _candidates(file, frame, faults)
            else:
                names = {name: one[1] for name in frame.columns if (one := _FOLD.fullmatch(name))}
                samples = []
                for fold, row in enumerate(frame[list(names)].to_dict("records")):
                    scores = faults.numbers(file, f"fold {fold}", {names[str(name)]: v for name, v in row.items()})
                    samples.append(Sample("", scores, run=str(fold)))
                logs.append(Log(file.stem, file.path.absolute().parent.name or "dataset", file, samples))
    # scorers of losses are negative (neg_...), so that higher is always better
    message = "Scores pair by the number of the split: systems have to be validated on the same splits."
    notes = [Finding("folds-paired", "info", message, remedy="give cv with a fixed random_state")]
    found = harvest(
        NAME, logs, faults, nouns=("system", "dataset"), main=("score",), higher=True, used=files,
        findings=notes,
    )  # fmt: skip
    return dataclasses.replace(found, frame=found.frame.rename(columns={"run": "fold"}))


def _candidates(file: File, frame: pd.DataFrame, faults: Faults) -> list[Log]:
    """Return a log per candidate of a search, named by the parameters that differ."""
    splits = [(int(one[1]), one[2], name) for name in frame.columns if (one := _SPLIT.fullmatch(name))]
    folds = sorted({number for number, *_ in splits})
    if folds != list(range(len(folds))):
        raise ValueError("scores of a split are absent: save all columns of cv_results_")
    named = [name for name in frame.columns if name.startswith("param_") or name.casefold() in SYSTEMS]
    varied = [name for name in named if len(set(frame[name].astype(str))) > 1]
    logs = []
    for place, row in enumerate(frame.to_dict("records"), start=1):
        samples = []
        for fold in folds:
            values = {metric: row[name] for number, metric, name in splits if number == fold}
            samples.append(Sample("", faults.numbers(file, f"candidate {place}, split {fold}", values), run=str(fold)))
        system = ", ".join(f"{name.removeprefix('param_')}={row[name]}" for name in varied) or f"candidate {place}"
        logs.append(Log(system, file.stem, file, samples))
    return logs


TOOL = Tool(NAME, recognises, read, ("sklearn",))
