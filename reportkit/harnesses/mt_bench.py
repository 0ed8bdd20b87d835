"""MT-bench (FastChat): grades of single answers, and judgments of pairs in both orders."""

from __future__ import annotations

from typing import Any

from reportkit.harnesses.file import File, Outline
from reportkit.harnesses.logs import Batch, Log, Sample, Tool, logs_of
from reportkit.harnesses.values import name_of, number

_GRADES = ("question_id", "model", "score", "judge", "turn")
_PAIRS = ("question_id", "model_1", "model_2", "g1_winner", "g2_winner")


def recognises(file: File, found: Outline) -> bool:
    """Tell judgments by their keys."""
    return found.has(*_GRADES) or found.has(*_PAIRS)


def read(batch: Batch) -> list[Log]:
    """Read judgments; both turns of a question are one cluster. The judge is the filter."""
    logs = batch.logs(_logs)
    datasets = {log.dataset for log in logs}
    if len(datasets) == 1 and " v " in datasets.pop():
        for log in logs:
            log.dataset = _bench(log.file)
    return logs


def _bench(file: File) -> str:
    """Return the name of the benchmark, as in data/mt_bench/model_judgment/gpt-4_single.jsonl."""
    return file.folder("model_judgment") if file.path.absolute().parent.name == "model_judgment" else "MT-bench"


def _logs(file: File, batch: Batch) -> list[Log]:
    def rows(one: dict[str, Any]) -> list[tuple[str, str, Sample]]:
        instance = f"{name_of(one['question_id'])} turn {name_of(one.get('turn', 1))}"
        judge = one.get("judge")
        judge = name_of(judge[0] if isinstance(judge, list) else judge or "judge")
        if "g1_winner" not in one:
            score = number(one["score"])
            scores = {"grade": None if score == -1 else score}  # -1: the judge's answer could not be parsed
            return [(name_of(one["model"]), _bench(file), Sample(instance, scores, filter=judge))]
        names = [name_of(one[key]) for key in ("model_1", "model_2")]
        first = _share(one["g1_winner"], one["g2_winner"])
        shares = [first, None if first is None else 1 - first]
        samples = [Sample(instance, {"win rate": share}, filter=judge) for share in shares]
        return [(name, " v ".join(sorted(names)), sample) for name, sample in zip(names, samples, strict=True)]

    return logs_of(file, [row for found in batch.each(file, rows) for row in found])


def _share(*winners: str) -> float | None:
    """Return 1 where the first model won in both orders, 1/2 for a tie or verdicts that contradict each other."""
    if "error" in winners:
        return None
    if unknown := {*winners} - {"model_1", "model_2", "tie"}:
        raise ValueError(f"{unknown.pop()!r} is not a verdict")
    return {("model_1", "model_1"): 1.0, ("model_2", "model_2"): 0.0}.get((winners[0], winners[1]), 0.5)


TOOL = Tool(
    "MT-bench", recognises, read, paired_on="question and turn", nouns=("model", "dataset"),
    higher=True, cluster=lambda instance: instance.partition(" ")[0],
)  # fmt: skip
