"""Write logs as Inspect writes them, by its own writer, with its mock model, without network.

Usage: python tests/harnesses/make_inspect.py FOLDER      (pip install inspect-ai)
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from pathlib import Path

N_SAMPLES = 13
EPOCHS = 2
MODELS = {"mockllm/large": 0.8, "mockllm/small": 0.5}


def _share(*names: object) -> float:
    """A number from 0 to 1 that follows from the names."""
    return int(hashlib.sha256("|".join(map(str, names)).encode()).hexdigest()[:8], 16) / 2**32


def write(folder: Path) -> None:
    """Evaluate two mock models on two toy tasks, one of them twice on each sample; one log of each kind."""
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import Score, Target, includes, mean, scorer
    from inspect_ai.solver import TaskState, generate

    @scorer(metrics=[mean()])
    def brevity():  # type: ignore[no-untyped-def]
        async def score(state: TaskState, target: Target) -> Score:
            if state.sample_id == 3:
                return Score.unscored()
            return Score(value=round(1 / len(state.output.completion), 3))

        return score

    def capitals(epochs: int) -> Task:
        samples = [Sample(id=i, input=f"Which letter has number {i}?", target=chr(65 + i)) for i in range(1, N_SAMPLES)]
        return Task(
            name="toy/capitals",
            dataset=MemoryDataset(samples),
            solver=generate(),
            scorer=[includes(), brevity()],
            epochs=epochs,
        )

    def yes_or_no() -> Task:
        samples = [Sample(id=f"q{i}", input=f"Is {i} even?", target="yes" if i % 2 == 0 else "no") for i in range(12)]
        return Task(name="yes_or_no", dataset=MemoryDataset(samples), solver=generate(), scorer=includes())

    count: Counter[tuple[str, str]] = Counter()
    for name, ability in MODELS.items():

        def answer(messages, *_, name=name, ability=ability):  # type: ignore[no-untyped-def]
            question = messages[-1].text
            number = int("".join(filter(str.isdigit, question)))
            right = ("yes" if number % 2 == 0 else "no") if question.startswith("Is") else chr(65 + number)
            count[name, question] += 1
            knows = _share(name, question, count[name, question]) < ability
            output = ModelOutput.from_content(name, right if knows else "?" * (1 + number % 3))
            output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else a tokenizer is fetched
            return output

        for task, kind in ((capitals(EPOCHS), "eval"), (yes_or_no(), "json")):
            model = get_model(name, custom_outputs=answer, memoize=False)
            evaluate(task, model=model, log_dir=str(folder), log_format=kind, display="none", log_level="error")
    for path in folder.glob("*.json"):  # what was said on the way takes nine tenths of a log
        log = json.loads(path.read_text())
        log["samples"] = [{**sample, "events": []} for sample in log["samples"]]
        path.write_text(json.dumps(log))


if __name__ == "__main__":
    write(Path(sys.argv[1]))
