"""MT-bench (FastChat): grades of single answers, and judgments of pairs in both orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Row, Sample, Tool, harvest, logs_of_records
from reportkit.harnesses.records import Faults, Outline, folder_of, name_of, number

NAME = "MT-bench"
_GRADES = ("question_id", "model", "score", "judge", "turn")
_PAIRS = ("question_id", "model_1", "model_2", "g1_winner", "g2_winner")


def recognises(file: File, found: Outline) -> bool:
    """Tell judgments by their keys."""
    return found.has(*_GRADES) or found.has(*_PAIRS)


def read(files: Sequence[File], every: Sequence[File]) -> Harvest:
    """Read judgments; both turns of a question are one cluster. The judge is the filter."""
    faults = Faults()
    logs = logs_of_records(files, faults, _rows)
    pairs = {log.dataset for log in logs if " v " in log.dataset}
    if len(pairs) == 1 == len({log.dataset for log in logs}):
        for log in logs:
            log.dataset = _bench(log.file)
    return harvest(
        NAME, logs, faults, paired_on="question and turn", nouns=("model", "dataset"), higher=True, used=files,
        cluster=lambda instance: instance.partition(" ")[0],
    )  # fmt: skip


def _bench(file: File) -> str:
    """Return the name of the benchmark, as in data/mt_bench/model_judgment/gpt-4_single.jsonl."""
    above = file.path.absolute().parent
    return folder_of(file, "model_judgment") if above.name == "model_judgment" else NAME


def _rows(file: File, one: Mapping[str, Any]) -> list[Row]:
    turn = one.get("turn", 1)
    instance = f"{name_of(one['question_id'])} turn {name_of(turn)}"
    judge = one.get("judge")
    judge = name_of(judge[0] if isinstance(judge, list) else judge or "judge")
    if "g1_winner" not in one:
        score = number(one["score"])
        scores = {"grade": None if score == -1 else score}  # as the judge writes what it cannot parse
        return [Row(name_of(one["model"]), _bench(file), Sample(instance, scores, filter=judge))]
    names = [name_of(one[key]) for key in ("model_1", "model_2")]
    first = _share(one["g1_winner"], one["g2_winner"])
    shares = [first, None if first is None else 1 - first]
    dataset = " v ".join(sorted(names))
    samples = [Sample(instance, {"win rate": share}, filter=judge) for share in shares]
    return [Row(name, dataset, sample) for name, sample in zip(names, samples, strict=True)]


def _share(*winners: str) -> float | None:
    """Return 1 where the first model won in both orders, 1/2 for a tie or verdicts that contradict each other."""
    if "error" in winners:
        return None
    if unknown := {*winners} - {"model_1", "model_2", "tie"}:
        raise ValueError(f"{unknown.pop()!r} is no verdict")
    return {("model_1", "model_1"): 1.0, ("model_2", "model_2"): 0.0}.get((winners[0], winners[1]), 0.5)


TOOL = Tool(NAME, recognises, read, ("fastchat", "mtbench"))
