"""Write the files of each evaluation tool as it writes them, with scores that are known."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).parent / "fixtures"
ABILITY = {"lab/ada": 0.8, "lab/bee": 0.4}
N = 12


def share(*names: object) -> float:
    """Return a number from 0 to 1 that follows from the names."""
    return int(hashlib.sha256("|".join(map(str, names)).encode()).hexdigest()[:8], 16) / 2**32


def right(system: str, *names: object) -> bool:
    """Return whether a toy system solves an instance."""
    return share(system, *names) < ABILITY[system]


def put(path: Path, content: Any) -> Path:
    """Write a text, or an object as JSON, with the folders that it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def put_lines(path: Path, records: list[Any]) -> Path:
    """Write JSON Lines."""
    return put(path, "".join(json.dumps(record) + "\n" for record in records))


@dataclass(frozen=True)
class Layout:
    """What a tool writes, and what is to be read from it.

    Parameters
    ----------
    write : callable
        Writes a folder.
    tool, metric : str
    systems, datasets : tuple of str
    n : int
        Instances of each system on each dataset.
    score : callable, optional
        System, dataset and instance to the right score.
    higher : bool or None
        None if the tool does not say it.
    """

    write: Callable[[Path], object]
    tool: str
    metric: str
    systems: tuple[str, ...]
    datasets: tuple[str, ...]
    n: int
    score: Callable[[str, str, str], float] | None = None
    higher: bool | None = True


def fixture(name: str) -> Callable[[Path], object]:
    """Return a function that copies files which the tool itself wrote."""
    return lambda folder: shutil.copytree(FIXTURES / name, folder / name)


# --- one function per tool -------------------------------------------------------------------------------------------


def _stat(name: str, value: float, **more: object) -> dict[str, Any]:
    sums = {"count": 1, "sum": value, "sum_squared": value**2, "min": value, "max": value, "mean": value}
    return {"name": {"name": name, "split": "test", **more}, **sums, "variance": 0.0, "stddev": 0.0}


def helm(folder: Path) -> None:
    """Two models on two scenarios; one with two trials and a perturbed variant of each instance."""
    for model in ABILITY:
        for scenario, trials in (("mmlu:subject=law", 1), ("narrative_qa", 2)):
            name = f"{scenario}{',' if ':' in scenario else ':'}model={model.replace('/', '_')}"
            records: list[dict[str, Any]] = []
            for trial in range(trials):
                for i in range(N):
                    stats = [
                        _stat("num_prompt_tokens", 300.0 + i),
                        _stat("exact_match", float(right(model, scenario, i))),
                    ]
                    records.append({"instance_id": f"id{i}", "train_trial_index": trial, "stats": stats})
                    if trials > 1:
                        typos = {"name": "typos"}
                        stats = [_stat("exact_match", 0.0, perturbation=typos)]
                        records.append({**records[-1], "perturbation": typos, "stats": stats})
            spec = {
                "name": name,
                "adapter_spec": {"model": model},
                "metric_specs": [{"args": {"names": ["exact_match"]}}],
            }
            put(folder / "runs" / "v1" / name / "per_instance_stats.json", records)
            put(folder / "runs" / "v1" / name / "run_spec.json", spec)


def lighteval(folder: Path) -> None:
    """Two models on two tasks, one of them with a metric of the whole corpus."""
    import pyarrow as pa
    import pyarrow.parquet

    for model, date in zip(ABILITY, ("2026-01-02T03-04-05.678901", "2026-01-03T03-04-05.678901"), strict=True):
        tasks = {}
        for task, metrics in (("gsm8k|5", ["em"]), ("anli:r1|0", ["em", "corpus_f1"])):
            rows = [
                {
                    "doc": {"id": str(i), "query": f"{task} {i}?", "choices": ["a", "b"]},
                    "metric": {name: float(right(model, task.partition("|")[0], i)) for name in metrics},
                    "model_response": {"text": ["a"]},
                }
                for i in range(N)
            ]
            path = folder / "details" / model / date / f"details_{task}_{date}.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            pyarrow.parquet.write_table(pa.Table.from_pylist(rows), path)
            of_corpus = {"corpus_f1": "CorpusLevelF1Score"}
            tasks[task] = {"version": 0, "num_fewshots": int(task[-1])} | {
                "metrics": [
                    {"metric_name": m, "higher_is_better": True, "corpus_level_fn": of_corpus.get(m, "mean")}
                    for m in metrics
                ]
            }
        content = {"config_general": {"model_name": model}, "results": {}, "versions": {}, "config_tasks": tasks}
        put(folder / "results" / model / f"results_{date}.json", content)


def terminal_bench(folder: Path) -> None:
    """A run of each agent, and reports of its trials, which repeat it."""
    for system in ABILITY:
        run = folder / "core" / system.replace("/", "-")
        trials = [
            {
                "id": str(i),
                "trial_name": f"t{i}.1-of-1.{system[-3:]}",
                "task_id": f"t{i}",
                "is_resolved": right(system, "core", f"t{i}") or (None if i == 5 else False),
                "failure_mode": "unset",
            }
            for i in range(N)
        ]
        lists = {"resolved_ids": [one["task_id"] for one in trials if one["is_resolved"]], "n_resolved": 1}
        put(run / "results.json", {"id": "x", "results": trials, **lists, "unresolved_ids": [], "accuracy": 0.5})
        for one in trials:
            put(run / one["task_id"] / one["trial_name"] / "results.json", one)


def harbor(folder: Path) -> None:
    """A job of each agent, with two trials of each task."""
    for system in ABILITY:
        for i in range(N):
            for trial in ("abc", "xyz"):
                content = {
                    "id": f"{system}{i}{trial}",
                    "task_name": f"t{i}",
                    "trial_name": f"t{i}__{trial}",
                    "source": "terminal-bench",
                    "agent_info": {
                        "name": "terminus",
                        "version": "2",
                        "model_info": {"name": system, "provider": "lab"},
                    },
                    "verifier_result": {"rewards": {"reward": float(right(system, "terminal-bench", f"t{i}", trial))}},
                    "exception_info": None,
                }
                put(folder / "jobs" / system.replace("/", "-") / f"t{i}__{trial}" / "result.json", content)
            put(folder / "jobs" / system.replace("/", "-") / "result.json", {"id": "job", "stats": {}})


def mt_grades(folder: Path) -> None:
    """Grades of both turns of each question, as FastChat appends them."""
    lines = [
        {
            "question_id": 81 + i,
            "model": system,
            "judge": ["gpt-4", "single-v1"],
            "user_prompt": "...",
            "judgment": "Rating: [[8]]",
            "score": 1 + int(9 * share(system, "mt_bench", f"{81 + i} turn {turn}")),
            "turn": turn,
            "tstamp": 1782376490.5,
        }
        for turn in (1, 2)
        for i in range(N)
        for system in ABILITY
    ]
    put_lines(folder / "data" / "mt_bench" / "model_judgment" / "gpt-4_single.jsonl", lines)


def _verdicts(i: int) -> tuple[str, str, float]:
    """Return the winners of both orders, and the share of the first model."""
    return [("model_1", "model_1", 1.0), ("model_2", "model_2", 0.0), ("model_1", "tie", 0.5), ("tie", "tie", 0.5)][
        i % 4
    ]


def mt_pairs(folder: Path) -> None:
    """Judgments of one pair of models in both orders."""
    lines = [
        {"question_id": 81 + i, "model_1": "lab/ada", "model_2": "lab/bee", "g1_winner": _verdicts(i)[0]}
        | {"g2_winner": _verdicts(i)[1], "judge": ["gpt-4", "pair-v2"], "turn": 1, "tstamp": 1782376490.5 + i}
        for i in range(N)
    ]
    put_lines(folder / "data" / "mt_bench" / "model_judgment" / "gpt-4_pair.jsonl", lines)


def human_eval(folder: Path) -> None:
    """Results and samples, as `evaluate_functional_correctness` writes them."""
    for system in ABILITY:
        lines = [
            {"task_id": f"HumanEval/{i}", "completion": "    return 1\n", "result": "passed"}
            | {"passed": right(system, "HumanEval", f"HumanEval/{i}")}
            for i in range(N)
        ]
        put_lines(folder / f"{system[-3:]}.jsonl_results.jsonl", lines)


def bfcl(folder: Path) -> None:
    """A header and the failures of each model, as `save_eval_results` writes them."""
    for system in ABILITY:
        name = system.replace("/", "_")
        failed = [i for i in range(N) if not right(system, "simple_python", f"simple_python_{i}")]
        head = {"accuracy": 1 - len(failed) / N, "correct_count": N - len(failed), "total_count": N}
        rows = [
            {"id": f"simple_python_{i}", "model_name": name, "test_category": "simple_python", "valid": False}
            for i in failed
        ]
        put_lines(folder / "score" / name / "non_live" / "BFCL_v4_simple_python_score.json", [head, *rows])


def promptfoo(folder: Path) -> None:
    """An evaluation of two providers, each test twice (--repeat 2)."""
    results = [
        {
            "promptIdx": 0,
            "testIdx": i + N * repeat,
            "provider": {"id": system, "label": ""},
            "prompt": {"raw": "Say {{q}}", "label": "Say {{q}}"},
            "vars": {"q": f"q{i}"},
            "testCase": {"vars": {"q": f"q{i}"}, "assert": [{"type": "equals", "value": "a"}]},
            "success": right(system, "promptfoo", str(i), repeat),
            "score": float(right(system, "promptfoo", str(i), repeat)),
            "namedScores": {},
            "error": None,
        }
        for repeat in (0, 1)
        for i in range(N)
        for system in ABILITY
    ]
    content = {"evalId": "eval-x", "results": {"version": 3, "prompts": [], "results": results, "stats": {}}}
    put(folder / "results.json", content | {"config": {}, "shareableUrl": None})


def deepeval(folder: Path) -> None:
    """A test run of each system, with a metric that is better when lower: successes are below its threshold."""
    for system in ABILITY:
        cases = []
        for i in range(N):
            score = round(share(system, "DeepEval", f"test_case_{i}"), 3)
            data = {"name": "Hallucination", "threshold": 0.5, "success": score <= 0.5, "score": score, "error": None}
            cases.append({"name": f"test_case_{i}", "input": f"Question {i}?", "success": True, "metricsData": [data]})
        content = {"testRunData": {"testCases": cases, "conversationalTestCases": [], "metricsScores": []}}
        put(folder / f"{system[-3:]}.json", content)


def vlmeval(folder: Path) -> None:
    """Judged predictions of multiple choice as Excel, and the predictions without verdicts."""
    import pandas as pd

    for system in ABILITY:
        name = system[-3:]
        rows = [
            {
                "index": i,
                "question": f"What is in {i}?",
                "A": "x",
                "B": "y",
                "answer": "A",
                "prediction": "A",
                "split": "dev",
            }
            | {"hit": int(right(system, "MMBench_DEV_EN", str(i))), "log": "Match Log"}
            for i in range(N)
        ]
        place = folder / name
        place.mkdir(parents=True)
        pd.DataFrame(rows).to_excel(place / f"{name}_MMBench_DEV_EN_exact_matching_result.xlsx", index=False)
        pd.DataFrame(rows).drop(columns=["hit", "log"]).to_excel(place / f"{name}_MMBench_DEV_EN.xlsx", index=False)


def every_eval_ever(folder: Path) -> None:
    """Samples and aggregates of each model, on an evaluation where lower is better."""
    for number, model in enumerate(ABILITY):
        name = f"5917cc37-8805-4453-bf5f-13411ea66cc{number}"
        result = {"evaluation_name": "toy_wer", "metric_config": {"lower_is_better": True}}
        head = {"schema_version": "0.2.1", "evaluation_id": f"toy/{model}/1"}
        put(folder / model / f"{name}.json", {**head, "evaluation_results": [result]})
        lines = [
            {**head, "model_id": model, "evaluation_name": "toy_wer", "sample_id": f"s{i}", "sample_hash": f"h{i}"}
            | {"evaluation_result_id": name, "error": None}
            | {"evaluation": {"score": round(share(model, "toy_wer", f"s{i}"), 4), "is_correct": False}}
            for i in range(N)
        ]
        put_lines(folder / model / f"{name}_samples.jsonl", lines)


def results_only(folder: Path) -> None:
    """lm-evaluation-harness without --log_samples."""
    for system in ABILITY:
        k = sum(right(system, "toy", i) for i in range(100))
        error = (k / 100 * (1 - k / 100) / 99) ** 0.5
        content = {
            "results": {"toy": {"alias": "toy", "acc,none": k / 100, "acc_stderr,none": error}},
            "n-samples": {"toy": {"original": 100, "effective": 100}},
            "higher_is_better": {"toy": {"acc": True}},
            "model_name": system,
            "versions": {"toy": 1.0},
        }
        put(folder / system.replace("/", "__") / "results_2026-10-01T10-00-00.000000.json", content)


def _solved(system: str, *names: str) -> float:
    return float(right(system, *names))


SYSTEMS = tuple(ABILITY)
SHORT = ("ada", "bee")
TOYS = ("toy-org/large", "toy-org/small")

LAYOUTS = {
    "lm-eval": Layout(fixture("lm_eval"), "lm-evaluation-harness", "acc", TOYS, ("toy_choice",), 30),
    "lm-eval-means": Layout(results_only, "lm-evaluation-harness", "acc", SYSTEMS, ("toy",), 1),
    "inspect": Layout(
        fixture("inspect"), "Inspect", "includes", ("mockllm/large", "mockllm/small"), ("yes_or_no",), 12
    ),
    "helm": Layout(
        helm, "HELM", "exact_match", SYSTEMS, ("mmlu:subject=law", "narrative_qa"), N,
        lambda system, data, one: _solved(system, data, one.removeprefix("id")), higher=None,
    ),
    "lighteval": Layout(lighteval, "lighteval", "em", SYSTEMS, ("gsm8k", "anli:r1"), N, _solved),
    "swe-bench": Layout(
        fixture("swe_bench_leaderboard"), "SWE-bench", "resolved", ("20240402_large", "20240620_small"),
        ("verified",), 30,
    ),
    "swe-bench-run": Layout(
        fixture("swe_bench"), "SWE-bench", "resolved", ("toy__large", "toy__small"), ("SWE-bench",), 29
    ),
    "terminal-bench": Layout(
        terminal_bench, "terminal-bench", "resolved", ("lab-ada", "lab-bee"), ("core",), N,
        lambda system, data, one: _solved(system.replace("-", "/"), data, one),
    ),
    "harbor": Layout(
        harbor, "terminal-bench", "reward", tuple(f"terminus ({one})" for one in SYSTEMS), ("terminal-bench",), N,
    ),
    "alpaca-eval": Layout(
        fixture("alpaca_eval"), "AlpacaEval", "win rate", ("large", "small"), ("koala",), 15
    ),
    "mt-bench": Layout(
        mt_grades, "MT-bench", "grade", SYSTEMS, ("mt_bench",), 2 * N,
        lambda system, data, one: 1 + int(9 * share(system, data, one)),
    ),
    "mt-bench-pairs": Layout(
        mt_pairs, "MT-bench", "win rate", SYSTEMS, ("mt_bench",), N,
        lambda system, data, one: abs(float("bee" in system) - _verdicts(int(one.split()[0]) - 81)[2]),
    ),
    "mteb": Layout(fixture("mteb"), "MTEB", "main_score", ("toy/large", "toy/small"), ("SciFact", "STS22 (de)"), 1),
    "evalplus": Layout(
        fixture("evalplus"), "EvalPlus", "plus", ("toy--large_vllm_temp_0.0", "toy--small_vllm_temp_0.0"),
        ("HumanEval", "Mbpp"), 30,
    ),
    "human-eval": Layout(
        human_eval, "human-eval", "passed", SHORT, ("HumanEval",), N,
        lambda system, data, one: _solved(f"lab/{system}", data, one),
    ),
    "bfcl": Layout(bfcl, "BFCL", "accuracy", ("lab_ada", "lab_bee"), ("simple_python",), N),
    "promptfoo": Layout(promptfoo, "promptfoo", "score", SYSTEMS, ("promptfoo",), N),
    "deepeval": Layout(
        deepeval, "DeepEval", "Hallucination", SHORT, ("DeepEval",), N,
        lambda system, data, one: round(share(f"lab/{system}", data, one), 3), higher=False,
    ),
    "vlmeval": Layout(
        vlmeval, "VLMEvalKit", "hit", SHORT, ("MMBench_DEV_EN",), N,
        lambda system, data, one: _solved(f"lab/{system}", data, one),
    ),
    "trec-run": Layout(fixture("trec"), "TREC run", "nDCG@10", ("large", "small"), ("disks45",), 30),
    "trec-eval": Layout(fixture("trec_eval"), "trec_eval", "map", ("large", "small"), ("robust", "disks45"), 30),
    "sacrebleu": Layout(fixture("sacrebleu"), "sacreBLEU", "bleu", ("large", "small"), ("de-en", "fr-en"), 30),
    "comet": Layout(fixture("comet"), "COMET", "COMET", ("large", "small"), ("de-en", "fr-en"), 30),
    "comet-compare": Layout(fixture("comet_compare"), "COMET", "COMET", ("large", "small"), ("newstest",), 30),
    "cv-results": Layout(
        fixture("scikit_learn/search"), "scikit-learn", "score", ("C=0.001", "C=10.0"), ("wine", "iris"), 10
    ),
    "cross-validate": Layout(
        fixture("scikit_learn/validation"), "scikit-learn", "accuracy", ("bayes", "logistic"), ("wine", "iris"), 10
    ),
    "every-eval-ever": Layout(
        every_eval_ever, "Every Eval Ever", "score", SYSTEMS, ("toy_wer",), N,
        lambda system, data, one: round(share(system, data, one), 4), higher=False,
    ),
}  # fmt: skip
