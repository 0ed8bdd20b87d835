"""AlpacaEval: `annotations.json`, preferences of an annotator between a model and a baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Row, Sample, Tool, harvest, logs_of_records
from reportkit.harnesses.records import Faults, Outline, name_of, number

NAME = "AlpacaEval"
METRIC = "win rate"


def recognises(file: File, found: Outline) -> bool:
    """Tell annotations by the two models and the preference."""
    return found.kind == "records" and found.has("generator_1", "generator_2", "instruction", "preference")


def read(files: Sequence[File], every: Sequence[File]) -> Harvest:
    """Read annotations; the score is the probability that the answer of the model is preferred to the baseline's."""
    faults = Faults()
    logs = logs_of_records(files, faults, _rows)
    return harvest(NAME, logs, faults, paired_on="instruction", nouns=("model", "dataset"), higher=True, used=files)


def _rows(file: File, one: Mapping[str, Any]) -> list[Row]:
    annotator = str(one.get("annotator") or file.path.parent.name)
    sample = Sample(name_of(one["instruction"]), {METRIC: _score(one["preference"])}, filter=annotator)
    dataset, baseline = str(one.get("dataset") or "alpaca_eval"), name_of(one["generator_1"])
    return [Row(name_of(one["generator_2"]), dataset, sample, {"baseline": baseline})]


def _score(preference: object) -> float | None:
    """Return the probability that the second answer, that of the model, is preferred; 0 stands for a draw."""
    value = number(preference)
    if value is None or value == 0:
        return value if value is None else 0.5
    if not 1 <= value <= 2:
        raise ValueError(f"{preference!r} is no preference (1 is the baseline, 2 the model, 0 a draw)")
    return value - 1


TOOL = Tool(NAME, recognises, read)
