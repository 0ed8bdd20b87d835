"""EvalPlus (`*_eval_results.json`) and human-eval (`*_results.jsonl`): programs that pass the tests."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from reportkit.harnesses.file import File, Outline
from reportkit.harnesses.logs import Batch, Log, Sample, Tool, logs_of
from reportkit.harnesses.values import name_of, number

_STATUS = {"pass": 1.0, "fail": 0.0, "timeout": 0.0}
_ENDINGS = re.compile(r"(?i)((^|[._-])(jsonl|eval_results|results|samples|raw|sanitized))+$")


def recognises(file: File, found: Outline) -> bool:
    """Tell results by the programs of each task."""
    tasks = found.record.get("eval") if found.kind == "object" else None
    first = next(iter(tasks.values()), None) if isinstance(tasks, Mapping) else None
    return isinstance(first, list) and "base_status" in first[0]


def logs(file: File, batch: Batch) -> list[Log]:
    """Read results of tests; several programs per task are runs."""
    content = file.document()
    rows = []
    for task, programs in content["eval"].items():
        for program in programs:
            base, plus = program["base_status"], program.get("plus_status")
            values = {"base": base, "plus": base if base == "fail" and plus is not None else plus}
            sample = Sample(task, batch.numbers(file, task, values, _STATUS))
            rows.append((_system(file), task.partition("/")[0], sample))
    return logs_of(file, rows, trials=True, facts={"version of tests": content.get("hash")})


def _system(file: File) -> str:
    """Return the name of the file without what the tools append; the name of the folder, if nothing is left."""
    return _ENDINGS.sub("", file.stem) or file.folder("results")


def human_eval_logs(file: File, batch: Batch) -> list[Log]:
    """Read results of human-eval; several programs per task are runs."""

    def row(one: Mapping[str, Any]) -> tuple[str, str, Sample]:
        task = name_of(one["task_id"])
        dataset = task.partition("/")[0] if "/" in task else "HumanEval"
        return _system(file), dataset, Sample(task, {"passed": number(one["passed"])})

    return logs_of(file, batch.each(file, row), trials=True)


TOOL = Tool(
    "EvalPlus", recognises, lambda batch: batch.logs(logs), paired_on="task id",
    nouns=("model", "dataset"), main=("plus",), higher=True,
)  # fmt: skip
HUMAN_EVAL = Tool(
    "human-eval", lambda _, found: found.has("task_id", "completion", "passed"),
    lambda batch: batch.logs(human_eval_logs), paired_on="task id", nouns=("model", "dataset"), higher=True,
)  # fmt: skip
