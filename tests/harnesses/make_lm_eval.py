"""Write a folder as lm-evaluation-harness writes it, by its own writer, with toy models on toy tasks, without network.

Usage: python tests/harnesses/make_lm_eval.py FOLDER      (pip install lm-eval)
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from pathlib import Path

N_DOCUMENTS = 30
MODELS = {"toy-org/large": 0.8, "toy-org/small": 0.5}

CHOICE = """
task: toy_choice
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
output_type: multiple_choice
test_split: test
doc_to_text: "Question: {{{{question}}}} Answer:"
doc_to_choice: "{{{{choices}}}}"
doc_to_target: "{{{{label}}}}"
metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
  - metric: acc_norm
    aggregation: mean
    higher_is_better: true
metadata: {{version: 1.0}}
"""

NUMBERS = """
task: toy_2_numbers
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
output_type: generate_until
test_split: test
doc_to_text: "Question: {{{{question}}}} Answer:"
doc_to_target: "{{{{answer}}}}"
generation_kwargs: {{until: ["\\n"]}}
filter_list:
  - name: strict-match
    filter:
      - function: regex
        regex_pattern: "#### (\\\\d+)"
      - function: take_first
  - name: flexible-extract
    filter:
      - function: regex
        regex_pattern: "(\\\\d+)"
        group_select: -1
      - function: take_first
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
metadata: {{version: 3.0}}
"""

TEXT = """
task: toy_text
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
output_type: loglikelihood_rolling
test_split: test
doc_to_text: ""
doc_to_target: "{{{{question}}}}"
metric_list:
  - metric: word_perplexity
  - metric: bits_per_byte
metadata: {{version: 2.0}}
"""


def _share(*names: object) -> float:
    """A number from 0 to 1 that follows from the names."""
    return int(hashlib.sha256("|".join(map(str, names)).encode()).hexdigest()[:8], 16) / 2**32


def write(folder: Path) -> None:
    """Evaluate two toy models on three toy tasks."""
    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    class Toy(LM):
        def __init__(self, name: str, ability: float) -> None:
            super().__init__()
            self.name, self.ability = name, ability

        def _knows(self, doc: dict) -> bool:
            return _share(self.name, doc["question"]) < self.ability

        def loglikelihood(self, requests: list) -> list:
            found = []
            for request in requests:
                right = request.args[1].strip() == request.doc["choices"][request.doc["label"]]
                found.append((-1.0 if right == self._knows(request.doc) else -2.0, False))
            return found

        def loglikelihood_rolling(self, requests: list) -> list:
            return [-3.0 - _share(self.name, request.doc["question"]) for request in requests]

        def generate_until(self, requests: list) -> list:
            answers = []
            for request in requests:
                number = request.doc["answer"] if self._knows(request.doc) else "-1"
                strict = _share("strict", self.name, request.doc["question"]) < 0.7
                answers.append(f"#### {number}" if strict else f"It is {number}.")
            return answers

    with tempfile.TemporaryDirectory() as home:
        data = Path(home) / "data.jsonl"
        rows = (
            {"question": f"How much is {i} and {i % 7}?", "choices": ["red", "green", "blue"], "label": i % 3}
            | {"answer": str(i + i % 7)}
            for i in range(N_DOCUMENTS)
        )
        data.write_text("".join(json.dumps(row) + "\n" for row in rows))
        for name, text in (("choice", CHOICE), ("numbers", NUMBERS), ("text", TEXT)):
            (Path(home) / f"{name}.yaml").write_text(text.format(data=data))
        manager = TaskManager(include_path=home, include_defaults=False)
        for name, ability in MODELS.items():
            tracker = EvaluationTracker(output_path=str(folder))
            tracker.general_config_tracker.log_experiment_args("toy", f"pretrained={name}", None, None, False)
            results = simple_evaluate(
                model=Toy(name, ability),
                tasks=["toy_choice", "toy_2_numbers", "toy_text"],
                task_manager=manager,
                log_samples=True,
                bootstrap_iters=0,
            )
            samples = results.pop("samples")
            results.pop("pretty_env_info", None)
            for config in results["configs"].values():
                config.pop("dataset_kwargs", None)  # where the toy tasks were written
                config.get("metadata", {}).pop("config_source", None)
            tracker.save_results_aggregated(results=results, samples=samples)
            for task in results["configs"]:
                tracker.save_results_samples(task_name=task, samples=samples[task])


if __name__ == "__main__":
    write(Path(sys.argv[1]))
