"""Write folders as other harnesses write them; by their own writers where these run without a network.

    python tests/readers/harnesses/make_others.py FOLDER
    (pip install sacrebleu scikit-learn; pip install --no-deps swebench unbabel-comet)

The writers of SWE-bench and of COMET are run with stand-ins for docker and for the network of neurons. AlpacaEval's
annotations are written by the call that it makes (`to_json(orient="records", indent=2)`). EvalPlus, MTEB,
trec_eval and CoNLL-U files are written by hand, after the code that writes them.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import io
import json
import os
import sys
import types
from pathlib import Path
from typing import Any
from unittest import mock

N = 30
SYSTEMS = {"large": 0.75, "small": 0.4}


def chance(*parts: object) -> float:
    """A number between 0 and 1 that depends on what is given alone."""
    return int.from_bytes(hashlib.sha256(repr(parts).encode()).digest()[:6], "big") / 2**48


def right(system: str, *parts: object) -> bool:
    """Whether a toy system gets an instance right."""
    return chance(system, *parts) < SYSTEMS[system]


def write(path: Path, content: str) -> None:
    """Write a text, with the folders that it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")


def alpaca_eval(folder: Path) -> None:
    """As `utils.convert_to_dataframe(annotations).to_json(...)` in alpaca_eval/main.py."""
    import pandas as pd

    for system in SYSTEMS:
        rows = []
        for number in range(N):
            preference: float | None = round(1 + 0.98 * right(system, number) + 0.01 * chance(system, number, "p"), 4)
            if number == 3 and system == "small":
                preference = None
            rows.append(
                {
                    "instruction": f"Instruction {number}?",
                    "output_1": f"Reference {number}",
                    "generator_1": "text_davinci_003",
                    "dataset": "helpful_base" if number % 2 else "koala",
                    "output_2": f"Answer of {system} to {number}",
                    "generator_2": system,
                    "annotator": "weighted_alpaca_eval_gpt4_turbo",
                    "preference": 0.0 if number == 5 else preference,
                    "price_per_example": 0.01,
                    "time_per_example": 1.1,
                    "raw_completion": None,
                }
            )
        path = folder / system / "weighted_alpaca_eval_gpt4_turbo" / "annotations.json"
        path.parent.mkdir(parents=True)
        pd.DataFrame(rows).to_json(path, orient="records", indent=2)


def evalplus(folder: Path) -> None:
    """As `evaluate` in evalplus/evaluate.py."""
    for dataset, prefix in (("humaneval", "HumanEval"), ("mbpp", "Mbpp")):
        for system in SYSTEMS:
            tasks = {}
            for number in range(N):
                base = right(system, prefix, number)
                plus = base and chance(system, prefix, number, "plus") < 0.9
                tasks[f"{prefix}/{number}"] = [
                    {
                        "task_id": f"{prefix}/{number}",
                        "solution": "def f(): ...",
                        "base_status": "pass" if base else "fail",
                        "plus_status": "pass" if plus else "timeout" if number == 7 else "fail",
                        "base_fail_tests": [] if base else [[1, 2]],
                        "plus_fail_tests": [] if plus else [[3]],
                    }
                ]
            content = {"date": "2026-11-23 00:30", "hash": "fe585eb4df8c88d844eeb463ea4d0302", "eval": tasks}
            content["pass_at_k"] = {"base": {"pass@1": 0.5}, "plus": {"pass@1": 0.4}}
            write(folder / dataset / f"toy--{system}_vllm_temp_0.0_eval_results.json", json.dumps(content))


def instance_ids() -> list[str]:
    """Ids of toy instances."""
    return [f"django__django-{11000 + number}" for number in range(N)]


@contextlib.contextmanager
def inside(folder: Path) -> Any:
    """Make a folder the working directory for a while."""
    before = Path.cwd()
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


class _Standin(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


def swe_bench(folder: Path) -> None:
    """By `make_run_report` of swebench.harness.reporting, from reports as its grading writes them."""
    ids = instance_ids()
    standins = {}
    for name in (
        "docker", "docker.errors", "docker.models", "docker.models.containers", "unidiff", "dotenv", "modal", "ghapi",
        "ghapi.core", "git", "datasets", "requests", "tenacity", "tqdm", "tqdm.auto", "bs4",
    ):  # fmt: skip
        try:
            importlib.import_module(name)
        except ImportError:
            standins[name] = _Standin(name)
    spec = importlib.util.find_spec("swebench")
    package = types.ModuleType("swebench")
    package.__path__ = list(spec.submodule_search_locations)  # type: ignore[union-attr, arg-type]
    harness = types.ModuleType("swebench.harness")
    harness.__path__ = [str(Path(package.__path__[0]) / "harness")]
    builder = _Standin("swebench.image_builder")
    builder.__path__ = []  # type: ignore[attr-defined]
    utils = _Standin("swebench.image_builder.docker_utils")
    utils.list_images = lambda client: []  # type: ignore[attr-defined]
    standins |= {"swebench": package, "swebench.harness": harness, "swebench.image_builder": builder}
    standins["swebench.image_builder.docker_utils"] = utils
    with mock.patch.dict(sys.modules, standins), inside(folder), contextlib.redirect_stdout(io.StringIO()):
        reporting = importlib.import_module("swebench.harness.reporting")
        for system in SYSTEMS:
            predictions = {}
            for number, name in enumerate(ids):
                if system == "small" and number == 9:
                    continue  # no prediction
                patch = "" if number == 6 else "diff --git"
                predictions[name] = {"instance_id": name, "model_name_or_path": f"toy/{system}", "model_patch": patch}
                if not patch or number == 12:  # nothing to run; an error
                    continue
                report = {
                    name: {
                        "patch_is_None": False,
                        "patch_exists": True,
                        "patch_successfully_applied": True,
                        "resolved": right(system, name),
                    }
                }
                place = Path("logs/run_evaluation/night") / f"toy__{system}" / name / "report.json"
                write(place, json.dumps(report, indent=4))
            reporting.make_run_report(predictions, [{"instance_id": name} for name in ids], "night")


def swe_bench_leaderboard(folder: Path) -> None:
    """As the files of the leaderboard: the ids of what was resolved, and a list of all instances beside."""
    for date, system in (("20240402", "large"), ("20240620", "small")):
        ids = instance_ids()
        content = {"no_generation": ids[6:7], "no_logs": [], "resolved": [name for name in ids if right(system, name)]}
        write(folder / "verified" / f"{date}_{system}" / "results" / "results.json", json.dumps(content, indent=2))
    write(folder / "instances.txt", "".join(name + "\n" for name in instance_ids()))


def texts(folder: Path) -> None:
    """Texts of systems beside a reference and the source, as sacreBLEU reads them; no file of its own is written."""
    words = [
        "the",
        "a",
        "old",
        "new",
        "red",
        "cat",
        "dog",
        "house",
        "tree",
        "sat",
        "ran",
        "saw",
        "on",
        "under",
        "near",
        "big",
        "small",
        "green",
        "road",
        "river",
    ]
    for language in ("de-en", "fr-en"):
        references = [
            " ".join(words[int(chance(language, n, k) * len(words))] for k in range(6 + n % 5)) + " ." for n in range(N)
        ]
        write(folder / language / "ref.txt", "\n".join(references) + "\n")
        write(folder / language / "src.txt", "\n".join(f"Quelle {n}" for n in range(N)) + "\n")
        for system, share in SYSTEMS.items():
            outputs = [
                " ".join(
                    word if chance(system, language, n, k) < share else words[int(chance(system, n, k) * len(words))]
                    for k, word in enumerate(reference.split())
                )
                for n, reference in enumerate(references)
            ]
            write(folder / language / f"{system}.txt", "\n".join(outputs) + "\n")


def comet(folder: Path) -> None:
    """By `score_command` of comet.cli.score and `compare`'s shape, with a stand-in for the model."""
    torch = _Standin("torch")
    torch.set_float32_matmul_precision = lambda precision: None  # type: ignore[attr-defined]
    torch.Tensor = type("Tensor", (), {})  # type: ignore[attr-defined]
    lightning = _Standin("pytorch_lightning")
    lightning.seed_everything = lambda seed: None  # type: ignore[attr-defined]

    class Model:
        eval = half = set_embedding_cache = lambda self: None

        def requires_references(self) -> bool:
            return True

        def predict(self, samples: list[dict[str, str]], **_: object) -> Any:
            class Output(dict):  # type: ignore[type-arg]
                __getattr__ = dict.__getitem__

            scores = [round(0.4 + 0.5 * chance(sample["mt"], sample["src"]), 6) for sample in samples]
            return Output(scores=scores, system_score=sum(scores) / len(scores))

    package = types.ModuleType("comet")
    package.__path__ = list(importlib.util.find_spec("comet").submodule_search_locations)  # type: ignore[union-attr, arg-type]
    package.download_model = lambda name, **_: name  # type: ignore[attr-defined]
    package.load_from_checkpoint = lambda path: Model()  # type: ignore[attr-defined]
    models = _Standin("comet.models")
    models.__path__ = []  # type: ignore[attr-defined]
    utils = _Standin("comet.models.utils")
    utils.split_sequence_into_sublists = None  # type: ignore[attr-defined]
    jsonargparse = types.ModuleType("jsonargparse")
    import argparse

    jsonargparse.ArgumentParser = argparse.ArgumentParser  # type: ignore[attr-defined]
    typing = types.ModuleType("jsonargparse.typing")

    class PathOf:
        def __init__(self, path: str) -> None:
            self.rel_path = path

        def __call__(self) -> str:
            return self.rel_path

        __fspath__ = __call__

    typing.Path_fr = PathOf  # type: ignore[attr-defined]
    standins = {
        "torch": torch, "pytorch_lightning": lightning, "comet": package, "comet.models": models,
        "comet.models.utils": utils, "jsonargparse": jsonargparse, "jsonargparse.typing": typing,
    }  # fmt: skip
    texts(folder / "texts")
    with mock.patch.dict(sys.modules, standins), inside(folder), contextlib.redirect_stdout(io.StringIO()):
        score = importlib.import_module("comet.cli.score")
        for language in ("de-en", "fr-en"):
            place = f"texts/{language}/"
            arguments = ["comet-score", "-s", place + "src.txt", "-t", place + "large.txt", place + "small.txt"]
            arguments += ["-r", place + "ref.txt", "--to_json", f"{language}.json"]
            with mock.patch.object(sys, "argv", arguments):
                score.score_command()
    import shutil

    shutil.rmtree(folder / "texts")


def comet_compare(folder: Path) -> None:
    """As `compare_command` of comet.cli.compare dumps its `info`."""
    sources = [f"Quelle {number}" for number in range(N)]
    translations = [
        {
            "name": f"outputs/{system}.txt",
            "mt": [f"{system} {number}" for number in range(N)],
            "scores": [round(share / 2 + 0.4 * chance(system, number, "comet"), 6) for number in range(N)],
        }
        for system, share in SYSTEMS.items()
    ]
    content = {"model": "Unbabel/wmt22-comet-da", "statistical_results": [], "source": sources}
    write(
        folder / "newstest.json", json.dumps({**content, "translations": translations, "reference": sources}, indent=4)
    )


def mteb(folder: Path) -> None:
    """As `TaskResult.to_disk` of mteb/results/task_result.py, scores rounded to 6 digits."""
    types_of = {"Banking77Classification": "accuracy", "STS12": "cosine_spearman", "SciFact": "ndcg_at_10"}
    types_of |= {
        "ArguAna": "ndcg_at_10",
        "NFCorpus": "ndcg_at_10",
        "STS22": "cosine_spearman",
        "AmazonPolarity": "accuracy",
    }
    for system, share in SYSTEMS.items():
        place = folder / f"toy__{system}" / f"{int(chance(system) * 1e9):040x}"
        write(place / "model_meta.json", json.dumps({"name": f"toy/{system}", "revision": place.name}))
        for task, main in types_of.items():
            entries = []
            for subset in ("de", "en") if task == "STS22" else ("default",):
                value = round(0.2 + share / 2 + 0.2 * chance(task, subset, system), 6)
                entry: dict[str, Any] = {
                    main: value,
                    "main_score": value,
                    "hf_subset": subset,
                    "languages": ["eng-Latn"],
                }
                if main == "accuracy":
                    parts = [value - 0.01, value + 0.01]
                    entry["scores_per_experiment"] = [{"accuracy": part, "f1": part} for part in parts]
                entries.append(entry | {"mteb_version": "2.26.24"})
            content = {
                "dataset_revision": "0fd18e25b25c072e09e0d92ab615fda904d66300",
                "task_name": task,
                "mteb_version": "2.26.24",
                "scores": {"test": entries},
                "evaluation_time": 2.5,
                "kg_co2_emissions": None,
                "date": 1763000000.0,
                "evaluation_phases": None,
            }
            write(place / f"{task}.json", json.dumps(content, indent=2))


def trec(folder: Path) -> None:
    """Runs and judgments in TREC's formats; there is no writer but `printf`."""
    documents = [f"FT911-{number}" for number in range(15)]
    topics = [str(301 + number) for number in range(N)]
    for collection in ("robust", "disks45"):
        qrels = [
            f"{topic} 0 {document} {int(chance(collection, topic, document) < 0.2)}"
            for topic in topics
            for document in documents
        ]
        write(folder / collection / f"qrels.{collection}.txt", "\n".join(qrels) + "\n")
        judged = {tuple(line.split()[0:3:2]): int(line.split()[3]) for line in qrels}
        for system, share in SYSTEMS.items():
            lines = []
            for topic in topics:
                if system == "small" and topic == "305":
                    continue
                scored = sorted(
                    (round(share * judged[topic, name] + chance(system, collection, topic, name), 4), name)
                    for name in documents
                )[::-1]
                lines += [f"{topic} Q0 {name} {rank} {score} {system}" for rank, (score, name) in enumerate(scored, 1)]
            write(folder / collection / f"{system}.run", "\n".join(lines) + "\n")


def trec_eval(folder: Path) -> None:
    """As trec_eval -q prints: measure, topic and value, `all` at the end; 22 columns for the name."""
    for collection in ("robust", "disks45"):
        for system, share in SYSTEMS.items():
            lines = []
            totals = {"map": 0.0, "P_10": 0.0}
            for topic in range(301, 301 + N):
                values = {name: share * (0.4 + chance(system, collection, topic, name)) / 1.4 for name in totals}
                lines += [f"{'num_ret':<22}\t{topic}\t1000", f"{'num_rel':<22}\t{topic}\t{topic % 40}"]
                for name, value in values.items():
                    lines.append(f"{name:<22}\t{topic}\t{value:6.4f}")
                    totals[name] += value / N
            lines += [f"{'runid':<22}\tall\t{system}", f"{'num_q':<22}\tall\t{N}", f"{'num_ret':<22}\tall\t30000"]
            lines += [f"{name:<22}\tall\t{value:6.4f}" for name, value in totals.items()]
            lines.append(f"{'gm_map':<22}\tall\t0.2100")
            write(folder / collection / f"{system}.eval", "\n".join(lines) + "\n")


def conllu(folder: Path) -> None:
    """CoNLL-U with a multiword token in every fifth sentence."""
    relations = ("nsubj", "obj", "obl:arg", "advmod", "case")
    for treebank in ("cs_pud", "en_ewt"):
        for system in ("gold", *SYSTEMS):
            lines = []
            for number in range(N):
                lines += [f"# sent_id = {treebank}-{number}", "# text = ..."]
                n_words = 4 + number % 4
                for word in range(1, n_words + 1):
                    head, relation = 0, "root"
                    if word > 1:
                        head = 1 + int(chance(treebank, number, word) * (word - 1))
                        relation = relations[int(chance(number, word) * 5)]
                    if system != "gold" and word > 1 and not right(system, treebank, number, word):
                        head = 1 + int(chance(system, number, word) * (word - 1))
                        relation = relations[int(chance(system, treebank, number, word) * 5)]
                    if number % 5 == 0 and word == 2:
                        lines.append("2-3\tzum\t_\t_\t_\t_\t_\t_\t_\t_")
                    form = {2: "zu", 3: "dem"}.get(word, f"w{word}") if number % 5 == 0 else f"w{word}"
                    lines.append(f"{word}\t{form}\t{form}\tNOUN\tNN\tCase=Nom|Foo=Bar\t{head}\t{relation}\t_\t_")
                lines.append("")
            write(folder / treebank / f"{treebank}-{system}.conllu", "\n".join(lines) + "\n")


def scikit_learn(folder: Path) -> None:
    """By scikit-learn: cv_results_ of a search, and cross_validate, as frames to CSV."""
    import numpy as np
    import pandas as pd
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
    from sklearn.naive_bayes import GaussianNB

    for dataset in ("wine", "iris"):
        values = np.array([[chance(dataset, row, column) for column in range(5)] for row in range(100)])
        classes = (values[:, 0] + values[:, 1] + 0.6 * values[:, 2] > 1.3).astype(int)
        folds = StratifiedKFold(10, shuffle=True, random_state=0)
        search = GridSearchCV(LogisticRegression(), {"C": [0.001, 10.0], "fit_intercept": [True]}, cv=folds)
        search.fit(values, classes)
        place = folder / "search" / f"{dataset}.csv"
        place.parent.mkdir(parents=True, exist_ok=True)
        pd.DataFrame(search.cv_results_).to_csv(place)
        for name, model in (("logistic", LogisticRegression()), ("bayes", GaussianNB())):
            scores = cross_validate(model, values, classes, cv=folds, scoring=["accuracy", "f1"])
            place = folder / "validation" / dataset / f"{name}.csv"
            place.parent.mkdir(parents=True, exist_ok=True)
            pd.DataFrame(scores).to_csv(place, index=False)


LAYOUTS = {
    "alpaca_eval": alpaca_eval,
    "comet": comet,
    "comet_compare": comet_compare,
    "conllu": conllu,
    "evalplus": evalplus,
    "mteb": mteb,
    "sacrebleu": texts,
    "scikit_learn": scikit_learn,
    "swe_bench": swe_bench,
    "swe_bench_leaderboard": swe_bench_leaderboard,
    "trec": trec,
    "trec_eval": trec_eval,
}

if __name__ == "__main__":
    for name in sys.argv[2:] or LAYOUTS:
        LAYOUTS[name](Path(sys.argv[1]).absolute() / name)
