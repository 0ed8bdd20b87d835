"""EvalPlus (`*_eval_results.json`) and human-eval (`*_results.jsonl`): programs that pass the tests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Log, Row, Sample, Tool, harvest, logs_of_records
from reportkit.harnesses.records import Faults, Outline, document, folder_of, name_of, number

NAME = "EvalPlus"
HUMAN_EVAL = "human-eval"
_STATUS = {"pass": 1.0, "fail": 0.0, "timeout": 0.0}
_ENDINGS = re.compile(r"(?i)[._-]?(jsonl|eval_results|results|samples|raw|sanitized)$")


def recognises(file: File, found: Outline) -> bool:
    """Tell results by the programs of each task."""
    tasks = found.record.get("eval") if found.kind == "object" else None
    first = next(iter(tasks.values()), None) if isinstance(tasks, Mapping) else None
    if isinstance(first, Mapping):
        return "base" in first
    return isinstance(first, list) and bool(first) and isinstance(first[0], Mapping) and "base_status" in first[0]


def read(files: Sequence[File], every: Sequence[File]) -> Harvest:
    """Read results of tests; several programs per task are runs."""
    faults = Faults()
    logs: list[Log] = []
    for file in files:
        with faults.of_file(file):
            content = document(file)
            by: dict[str, list[Sample]] = {}
            for task, programs in content["eval"].items():
                for run, (base, plus) in enumerate(_programs(programs), start=1):
                    values = {"base": base, "plus": None if plus is None else base if base == "fail" else plus}
                    scores = faults.numbers(file, task, values, _STATUS)
                    by.setdefault(task.partition("/")[0], []).append(Sample(task, scores, str(run)))
            facts = {"version of tests": content.get("hash")}
            logs += [Log(_system(file), dataset, file, samples, facts=facts) for dataset, samples in by.items()]
    return harvest(
        NAME, logs, faults, paired_on="task id", nouns=("model", "dataset"), main=("plus",), higher=True, used=files
    )


def _programs(programs: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the status by the base tests and by the additional ones (None where these were not run)."""
    if isinstance(programs, Mapping):  # before version 0.2: lists of [status, details] by set of tests
        base = programs["base"]
        for one, other in zip(base, programs.get("plus") or [[None]] * len(base), strict=True):
            yield one[0], other[0]
    else:
        for program in programs:
            yield program["base_status"], program.get("plus_status")


def _system(file: File) -> str:
    """Return the name of the file without what the tools append; of the folder where nothing is left."""
    stem, before = file.stem, ""
    while stem != before:
        before, stem = stem, _ENDINGS.sub("", stem)
    return stem or folder_of(file, "results")


def recognises_human_eval(file: File, found: Outline) -> bool:
    """Tell results of human-eval by their keys."""
    return found.kind == "records" and found.has("task_id", "completion", "passed")


def read_human_eval(files: Sequence[File], every: Sequence[File]) -> Harvest:
    """Read whether programs passed; several programs per task are runs."""
    faults = Faults()
    seen: Counter[tuple[str, str]] = Counter()

    def row(file: File, one: Mapping[str, Any]) -> list[Row]:
        task = name_of(one["task_id"])
        seen[file.name, task] += 1
        dataset = task.partition("/")[0] if "/" in task else "HumanEval"
        sample = Sample(task, {"passed": number(one["passed"])}, str(seen[file.name, task]))
        return [Row(_system(file), dataset, sample)]

    logs = logs_of_records(files, faults, row)
    return harvest(HUMAN_EVAL, logs, faults, paired_on="task id", nouns=("model", "dataset"), higher=True, used=files)


TOOL = Tool(NAME, recognises, read)
HUMAN_EVAL_TOOL = Tool(HUMAN_EVAL, recognises_human_eval, read_human_eval, ("humaneval",))
