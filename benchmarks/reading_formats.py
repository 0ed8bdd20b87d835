"""How long it takes to read each format, beside a bare parse of the same files by the fastest library at hand.

The same scores of 10 systems on 5 datasets in each format: 500,000 of them as tables (50,000 in Excel), 100,000 as
harnesses write them, in their layouts. A bare parse is pyarrow's or polars' for tables (the faster of the two), orjson
for JSON, openpyxl for Excel; nothing is kept. Ours is `reportkit.inspect`: recognised, validated, in one frame.
Both run in one process, in turn, after one run each that is not counted; the ratio is that of the least processor
times, which other work on the machine disturbs least.

Usage::

    python benchmarks/reading_formats.py [--rows 500000] [--repeats 5] [--only FORMAT] [--output FILE]
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet

RESULTS = Path(__file__).resolve().parent / "results" / "reading_formats.json"
SEED = 20_261_123
N_SYSTEMS, N_DATASETS = 10, 5

Bare = Callable[[Path], object]


def table(n_rows: int) -> pd.DataFrame:
    """Scores of right and wrong answers in long form."""
    n = n_rows // (N_SYSTEMS * N_DATASETS)
    cells = pd.MultiIndex.from_product(
        [
            [f"model-{i}" for i in range(N_SYSTEMS)],
            [f"task-{i}" for i in range(N_DATASETS)],
            [f"q{i}" for i in range(n)],
        ],
        names=["system", "dataset", "instance"],
    )
    rng = np.random.default_rng(SEED)
    return cells.to_frame(index=False).assign(score=(rng.random(len(cells)) < 0.6).astype(float))


def _orjson_lines(path: Path) -> None:
    import orjson

    for one in _files(path):
        with one.open("rb") as file:
            for line in file:
                orjson.loads(line)


def _orjson(path: Path) -> None:
    import orjson

    for one in _files(path):
        orjson.loads(one.read_bytes())


def _pyarrow(path: Path) -> None:
    for one in _files(path):
        pyarrow.parquet.ParquetFile(one).read()


def _openpyxl(path: Path) -> None:
    import openpyxl

    for _ in openpyxl.load_workbook(path, read_only=True).worksheets[0].iter_rows(values_only=True):
        pass


def _files(path: Path) -> list[Path]:
    return sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]


def pyarrow_csv(separator: str) -> Bare:
    """The parser of CSV."""
    return lambda path: pyarrow.csv.read_csv(path, parse_options=pyarrow.csv.ParseOptions(delimiter=separator))


def write_tables(frame: pd.DataFrame, folder: Path) -> dict[str, tuple[Path, list[Bare]]]:
    """The table in each format, and its bare parsers."""
    import polars

    few = frame.groupby(["system", "dataset"], observed=True).head(len(frame) // (N_SYSTEMS * N_DATASETS) // 10)
    frame.to_csv(folder / "table.csv", index=False)
    frame.to_csv(folder / "table.tsv", index=False, sep="\t")
    frame.to_json(folder / "table.jsonl", orient="records", lines=True)
    frame.to_json(folder / "table.json", orient="records")
    frame.to_parquet(folder / "table.parquet", index=False)
    frame.to_feather(folder / "table.feather")
    few.to_excel(folder / "table.xlsx", index=False)
    return {
        "CSV": (folder / "table.csv", [pyarrow_csv(","), polars.read_csv]),
        "TSV": (folder / "table.tsv", [pyarrow_csv("\t"), lambda path: polars.read_csv(path, separator="\t")]),
        "JSON Lines": (folder / "table.jsonl", [_orjson_lines, polars.read_ndjson]),
        "JSON": (folder / "table.json", [_orjson]),
        "Parquet": (
            folder / "table.parquet",
            [lambda path: pyarrow.parquet.read_table(str(path)), polars.read_parquet],
        ),
        "Feather": (folder / "table.feather", [lambda path: pyarrow.feather.read_table(str(path))]),
        "Excel": (folder / "table.xlsx", [_openpyxl]),
    }


def write_harnesses(frame: pd.DataFrame, folder: Path) -> dict[str, tuple[Path, list[Bare]]]:
    """The scores as some harnesses write them, with questions, answers and prompts of usual lengths."""
    text = "Which of these is true, and why is it not the other one? " * 6
    for (system, dataset), part in frame.groupby(["system", "dataset"], observed=True):
        ids, scores = list(part["instance"]), list(part["score"])
        place = folder / "helm" / "runs" / "v1" / f"{dataset}:model=org_{system}"
        _put(
            place / "per_instance_stats.json",
            [
                {
                    "instance_id": one,
                    "train_trial_index": 0,
                    "stats": [_stat("num_tokens", 9.0), _stat("exact_match", by)],
                }
                for one, by in zip(ids, scores, strict=True)
            ],
        )
        spec = {"name": place.name, "adapter_spec": {"model": f"org/{system}"}, "metric_specs": []}
        _put(
            place / "run_spec.json", {**spec, "metric_specs": [{"class_name": "x", "args": {"names": ["exact_match"]}}]}
        )
        _put(
            folder / "inspect" / f"{system}-{dataset}.json",
            {
                "version": 2,
                "status": "success",
                "eval": {"task": dataset, "model": f"org/{system}", "created": "2026-01-01T00:00:00", "dataset": {}},
                "results": {"scores": [{"name": "match", "scorer": "match"}]},
                "samples": [
                    {**_sample(text + one), "id": one, "epoch": 1, "scores": {"match": {"value": "CI"[by < 1]}}}
                    for one, by in zip(ids, scores, strict=True)
                ],
            },
        )
        _write_more(folder, str(system), str(dataset), ids, scores, text)
    return {
        "lm-evaluation-harness": (folder / "lm_eval", [_orjson_lines]),
        "Every Eval Ever": (folder / "eee", [_orjson_lines]),
        "AlpacaEval": (folder / "alpaca", [_orjson]),
        "EvalPlus": (folder / "evalplus", [_orjson]),
        "COMET": (folder / "comet", [_orjson]),
        "lighteval": (folder / "lighteval", [_pyarrow]),
        "trec_eval": (folder / "trec_eval", [lambda path: [pyarrow_csv("\t")(one) for one in _files(path)]]),
        "HELM": (folder / "helm", [_orjson]),
        "Inspect": (folder / "inspect", [_orjson]),
    }


def _write_more(folder: Path, system: str, dataset: str, ids: list[str], scores: list[float], text: str) -> None:
    """The scores of one system on one dataset, as harnesses of other shapes write them."""
    pairs = list(zip(ids, scores, strict=True))
    place = folder / "lm_eval" / f"org__{system}"
    samples = (
        {
            "doc_id": number,
            "doc": {"question": text + one, "choices": ["A", "B", "C", "D"], "answer": 1},
            "target": "B",
            "arguments": {f"gen_args_{i}": {"arg_0": text + one, "arg_1": letter} for i, letter in enumerate("ABCD")},
            "resps": [[["-1.25", "False"]]] * 4,
            "filtered_resps": [["-1.25", "False"]] * 4,
            "filter": "none",
            "metrics": ["acc", "acc_norm"],
            **{f"{name}_hash": f"{dataset}{one}{name}" * 4 for name in ("doc", "prompt", "target")},
            "acc": by,
            "acc_norm": by,
        }
        for number, (one, by) in enumerate(pairs)
    )
    _put(place / f"samples_{dataset}_2026-01-01T00-00-00.000000.jsonl", samples)
    _put(place / "results_2026-01-01T00-00-00.000000.json", {"results": {}, "configs": {}, "model_name": system})
    about = {"schema_version": "0.2", "evaluation_id": f"e-{system}-{dataset}", "model_id": f"org/{system}"}
    records = (
        {
            **about,
            "evaluation_name": dataset,
            "sample_id": one,
            "sample_hash": f"{dataset}{one}" * 4,
            "interaction_type": "single_turn",
            "input": {"raw": text, "reference": ["B"]},
            "output": {"raw": [text]},
            "evaluation": {"score": by, "is_correct": by > 0},
        }
        for one, by in pairs
    )
    _put(folder / "eee" / f"{system}-{dataset}_samples.jsonl", records)
    annotations = [
        {
            "instruction": f"{dataset}{one} {text}",
            "output_1": text,
            "generator_1": "base",
            "dataset": dataset,
            "output_2": text,
            "generator_2": system,
            "annotator": "judge",
            "preference": 1 + by,
            "price_per_example": 0.01,
        }
        for one, by in pairs
    ]
    _put(folder / "alpaca" / system / f"judge-{dataset}" / "annotations.json", annotations)
    status = {0.0: "fail", 1.0: "pass"}
    programs = {
        f"{dataset}/{one}": [{"task_id": f"{dataset}/{one}", "solution": text, "base_status": status[by]}]
        for one, by in pairs
    }
    for of_task in programs.values():
        of_task[0] |= {"plus_status": of_task[0]["base_status"], "base_fail_tests": [], "plus_fail_tests": []}
    _put(folder / "evalplus" / f"{system}-{dataset}_eval_results.json", {"date": "", "hash": "x", "eval": programs})
    segments = [{"src": one + text, "mt": text, "ref": text, "COMET": 0.5 + by / 4} for one, by in pairs]
    _put(folder / "comet" / dataset / f"{system}.json", {f"{system}.txt": segments})
    details = pa.table(
        {
            "doc": [{"id": one, "query": text + one, "choices": ["A", "B"], "gold_index": [0]} for one in ids],
            "metric": [{"em": by} for by in scores],
            "model_response": [{"text": [text], "input": text} for _ in ids],
        }
    )
    place = folder / "lighteval" / "details" / system / "2026-01-01T00-00-00.000000"
    place.mkdir(parents=True, exist_ok=True)
    pyarrow.parquet.write_table(details, place / f"details_{dataset}|0_2026-01-01T00-00-00.000000.parquet")
    topics = [f"{name}\t{one}\t{by:.4f}\n" for one, by in pairs for name in ("map", "P_10", "ndcg")]
    path = folder / "trec_eval" / dataset / f"{system}.eval"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"runid\tall\t{system}\n" + "".join(topics))


def _sample(asked: str) -> dict[str, Any]:
    """What Inspect writes of a sample beside its id and its score, of a model that says a few sentences."""
    messages = [{"id": str(i), "content": asked, "role": role} for i, role in enumerate(("user", "assistant"))]
    choice = {"message": messages[1], "stop_reason": "stop"}
    usage = {"input_tokens": 80, "output_tokens": 80, "total_tokens": 160}
    output = {"model": "mock/model", "choices": [choice], "completion": asked, "usage": usage, "time": 0.1}
    known = {
        "input": asked,
        "target": "A",
        "messages": messages,
        "output": output,
        "model_usage": {"mock/model": usage},
    }
    times = {"started_at": "2026-01-01T00:00:00", "completed_at": "2026-01-01T00:00:01", "total_time": 1.0}
    return known | times | {"metadata": {}, "store": {}, "events": [], "role_usage": {}, "attachments": {}}


def _stat(name: str, value: float) -> dict[str, Any]:
    sums = dict.fromkeys(("sum", "sum_squared", "min", "max", "mean"), value)
    return {"name": {"name": name, "split": "test"}, "count": 1, **sums, "variance": 0.0, "stddev": 0.0}


def _put(path: Path, content: object) -> None:
    """Write JSON, or of a generator JSON Lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = content if isinstance(content, Iterator) else [content]
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")


def timed(work: Callable[[], object]) -> float:
    """Seconds of the processors."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def main() -> None:
    """Write the files, measure, print, and store the least times."""
    from machine import machine

    import reportkit

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=500_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", action="append", metavar="FORMAT", help="measure this one, and keep the others")
    parser.add_argument("--output", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    found: dict[str, Any] = json.loads(arguments.output.read_text())["formats"] if arguments.only else {}
    try:
        cases = write_tables(table(arguments.rows), folder)
        cases |= write_harnesses(table(arguments.rows // 5), folder)
        for name, (path, bare) in cases.items():
            if arguments.only and name not in arguments.only:
                continue
            ours, parsed = [], []
            for round_ in range(arguments.repeats + 1):
                times = min(timed(lambda parse=parse, path=path: parse(path)) for parse in bare)
                own = timed(lambda path=path: reportkit.inspect(path))
                if round_:
                    parsed.append(times)
                    ours.append(own)
            found[name] = {
                "megabytes": round(sum(one.stat().st_size for one in _files(path)) / 1e6, 1),
                "bare_cpu_seconds": round(min(parsed), 3),
                "reportkit_cpu_seconds": round(min(ours), 3),
                "ratio": round(min(ours) / min(parsed), 2),
            }
            print(name, found[name], flush=True)
    finally:
        shutil.rmtree(folder)
    arguments.output.write_text(json.dumps({"machine": machine(), "formats": found}, indent=1) + "\n")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    main()
