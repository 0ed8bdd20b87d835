"""AlpacaEval: `annotations.json`, preferences of an annotator between a model and a baseline."""

from __future__ import annotations

from typing import Any

from reportkit.harnesses.file import File, Outline
from reportkit.harnesses.logs import Batch, Log, Sample, Tool, logs_of
from reportkit.harnesses.values import name_of, number


def recognises(file: File, found: Outline) -> bool:
    """Tell annotations by the two models and the preference."""
    return found.kind == "records" and found.has("generator_1", "generator_2", "instruction", "preference")


def logs(file: File, batch: Batch) -> list[Log]:
    """Read annotations; the score is the probability that the answer of the model is preferred to the baseline's."""
    baselines: dict[str, None] = {}

    def row(one: dict[str, Any]) -> tuple[str, str, Sample]:
        annotator = str(one.get("annotator") or file.path.parent.name)
        sample = Sample(name_of(one["instruction"]), {"win rate": _score(one["preference"])}, filter=annotator)
        baselines[name_of(one["generator_1"])] = None
        return name_of(one["generator_2"]), str(one.get("dataset") or "alpaca_eval"), sample

    rows = batch.each(file, row)
    return logs_of(file, rows, facts={"baseline": " or ".join(baselines)})


def _score(preference: object) -> float | None:
    """Return the probability that the second answer, that of the model, is preferred; 0 stands for a draw."""
    value = number(preference)
    if value is None or value == 0:
        return value if value is None else 0.5
    if not 1 <= value <= 2:
        raise ValueError(f"{preference!r} is no preference (1 is the baseline, 2 the model, 0 a draw)")
    return value - 1


TOOL = Tool(
    "AlpacaEval", recognises, lambda batch: batch.logs(logs),
    paired_on="instruction", nouns=("model", "dataset"), higher=True,
)  # fmt: skip
