"""Random files of results with known answers: names, orders, forms and decoys, as people and scripts write them."""

from __future__ import annotations

import json
import string
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

_NAMES = tomllib.loads(Path(__file__).with_name("generated_names.toml").read_text(encoding="utf-8"))
SYSTEM_COLUMNS = _NAMES["SYSTEM_COLUMNS"]
DATASET_COLUMNS = _NAMES["DATASET_COLUMNS"]
INSTANCE_COLUMNS = _NAMES["INSTANCE_COLUMNS"]
HIGHER = _NAMES["HIGHER"]
LOWER = _NAMES["LOWER"]
SYSTEMS = _NAMES["SYSTEMS"]
DATASETS = _NAMES["DATASETS"]


@dataclass
class Truth:
    """What a right reading finds.

    Parameters
    ----------
    systems : set of str
    n : dict of str to int
        Instances by dataset; the name "" where no dataset is named.
    higher : bool
    means : dict of str to float
        Mean score by system.
    ambiguous : bool
        Whether the file holds several metrics, so that a question is right.
    metric : str
        The metric that `means` are of.
    """

    systems: set[str]
    n: dict[str, int]
    higher: bool
    means: dict[str, float]
    ambiguous: bool = False
    metric: str = ""
    notes: dict[str, str] = field(default_factory=dict)


def generate(seed: int, folder: Path) -> tuple[list[Path], Truth]:
    """Write one random set of results into a folder.

    Returns
    -------
    list of Path
        What a user would type: a file, or a folder.
    Truth
    """
    rng = np.random.default_rng(seed)
    systems = [str(name) for name in rng.permutation(SYSTEMS)[: rng.integers(2, 6)]]
    n_datasets = int(rng.choice([1, 1, 2, 3, 5]))
    datasets = [str(name) for name in rng.permutation(DATASETS)[:n_datasets]]
    higher = bool(rng.random() < 0.6)
    metric = str(rng.choice(HIGHER if higher else LOWER))
    ids = {name: _ids(rng, int(rng.integers(12, 60))) for name in datasets}
    if len({type(one) for some in ids.values() for one in some}) > 1:
        ids = {name: [str(one) for one in some] for name, some in ids.items()}
    scale = str(rng.choice(["binary", "unit", "percent", "real"]))
    if metric.casefold() in ("passed", "resolved", "success", "correct", "em", "exact_match", "pass@1"):
        scale = "binary"
    rows = [
        {"S": system, "D": dataset, "I": instance, "Y": value}
        for dataset in datasets
        for system in systems
        for instance, value in zip(ids[dataset], _values(rng, scale, len(ids[dataset])), strict=True)
    ]
    frame = pd.DataFrame(rows)
    truth = Truth(
        systems=set(systems),
        n={name: len(ids[name]) for name in datasets},
        higher=higher,
        means={str(name): float(value) for name, value in frame.groupby("S")["Y"].mean().items()},
        metric=metric,
    )
    form = str(rng.choice(["long", "long", "long", "wide", "file per system", "folder per system", "file per dataset"]))
    truth.notes = {"form": form, "metric": metric, "scale": scale}
    if form == "wide":
        return [_wide(rng, frame, datasets, folder, truth)], truth
    if form == "long":
        return [_long(rng, frame, datasets, metric, folder, truth)], truth
    return [_files(rng, form, frame, datasets, metric, folder, truth)], truth


def _ids(rng: np.random.Generator, n: int) -> list[str] | list[int]:
    kind = rng.choice(["numbers", "from 1", "padded", "named", "hash"])
    if kind in ("numbers", "from 1"):
        return list(range(int(kind == "from 1"), n + int(kind == "from 1")))
    if kind == "padded":
        return [f"{place:04d}" for place in range(n)]
    if kind == "named":
        return [f"q-{place}" for place in rng.permutation(n)]
    return ["".join(rng.choice(list(string.hexdigits[:16]), 10)) for _ in range(n)]


def _values(rng: np.random.Generator, scale: str, n: int) -> list[float]:
    level = rng.uniform(0.3, 0.8)
    if scale == "binary":
        values = (rng.random(n) < level).astype(int)
        values[:2] = (0, 1)
        return values.tolist()
    draws = np.clip(rng.normal(level, 0.15, n), 0.01, 0.99)
    factor = {"unit": 1, "percent": 100, "real": 7}[scale]
    return [round(float(value) * factor, 4 if factor == 1 else 2) for value in draws]


def _decoys(rng: np.random.Generator, frame: pd.DataFrame, truth: Truth, *, long: bool) -> dict[str, list[object]]:
    """Columns that are no scores: ids, times, counts, texts, spreads, and other metrics."""
    n = len(frame)
    per_instance = frame["I"].astype(str) + frame.get("D", pd.Series([""] * n)).astype(str)
    codes = pd.factorize(per_instance)[0]

    def each(values: np.ndarray) -> list[object]:
        return list(values[codes].tolist())

    tokens = rng.integers(5, 400, n)
    known: dict[str, list[object]] = {
        str(rng.choice(["n_tokens", "length", "prompt_len", "sentence_length"])): each(tokens),
        str(rng.choice(["timestamp", "tstamp", "created_at"])): (1.78e9 + np.arange(n) * 3.5).tolist(),
        str(rng.choice(["latency_ms", "runtime_s", "duration", "time"])): rng.uniform(10, 900, n).round(1).tolist(),
        str(rng.choice(["question_text", "input_text", "context"])): each(
            np.array([f"what is {i} of {i * 7}?" for i in range(n)])
        ),
        str(rng.choice(["response", "output", "explanation"])): [
            f"it is {value}" for value in rng.integers(0, 9999, n)
        ],
        str(rng.choice(["stderr", "score_std", "ci_low"])): rng.uniform(0, 0.1, n).round(3).tolist(),
        str(rng.choice(["epoch", "temperature", "top_p"])): [3] * n,
        str(rng.choice(["date", "day"])): ["2026-11-0" + str(d) for d in rng.integers(1, 9, n)],
        str(rng.choice(["cost_usd", "price", "total_tokens"])): rng.uniform(0, 3, n).round(3).tolist(),
    }
    if long:
        known["Unnamed: 0" if rng.random() < 0.5 else "row_number"] = list(range(n))
    names = list(rng.permutation(list(known))[: rng.integers(0, 4)])
    return {str(name): known[str(name)] for name in names}


def _long(
    rng: np.random.Generator, frame: pd.DataFrame, datasets: list[str], metric: str, folder: Path, truth: Truth
) -> Path:
    system, instance = str(rng.choice(SYSTEM_COLUMNS)), str(rng.choice(INSTANCE_COLUMNS))
    columns = {system: frame["S"].tolist(), instance: frame["I"].tolist(), metric: frame["Y"].tolist()}
    runs = int(rng.choice([1, 1, 1, 1, 3]))
    if runs > 1:  # every instance several times, by other scores
        frame = pd.concat(
            [frame.assign(R=run, Y=frame["Y"].sample(frac=1, random_state=run).to_list()) for run in range(runs)]
        )
        frame = frame.reset_index(drop=True)
        columns = {system: frame["S"].tolist(), instance: frame["I"].tolist(), metric: frame["Y"].tolist()}
        columns[str(rng.choice(["seed", "run_id", "trial", "repeat", "random_seed"]))] = frame["R"].tolist()
        truth.means = {str(name): float(value) for name, value in frame.groupby("S")["Y"].mean().items()}
    if len(datasets) > 1 or rng.random() < 0.5:
        columns[str(rng.choice(DATASET_COLUMNS))] = frame["D"].tolist()
    else:
        truth.n = {"": truth.n[datasets[0]]}
    if rng.random() < 0.15:
        other = str(rng.choice([name for name in ("precision", "rouge_1", "mse") if name != metric]))
        columns[other] = np.random.default_rng(1).uniform(0, 1, len(frame)).round(3).tolist()
        truth.ambiguous = True
    columns |= _decoys(rng, frame, truth, long=True)
    return _written(rng, columns, folder / "results")


def _wide(rng: np.random.Generator, frame: pd.DataFrame, datasets: list[str], folder: Path, truth: Truth) -> Path:
    truth.higher, truth.metric = True, ""
    wide = frame.pivot_table(index=["D", "I"], columns="S", values="Y").reset_index()
    wide.columns.name = None
    columns: dict[str, list[object]] = {}
    if rng.random() < 0.8:
        columns[str(rng.choice(INSTANCE_COLUMNS))] = wide["I"].tolist()
    if len(datasets) > 1:
        columns[str(rng.choice(DATASET_COLUMNS))] = wide["D"].tolist()
    else:
        truth.n = {"": truth.n[datasets[0]]}
    for name in sorted(truth.systems):
        columns[name] = wide[name].tolist()
    if rng.random() < 0.2 and len(truth.systems) > 2:
        columns[str(rng.choice(["avg", "mean", "Average"]))] = (
            wide[sorted(truth.systems)].mean(axis=1).round(4).tolist()
        )
    columns |= _decoys(rng, wide, truth, long=False)
    return _written(rng, columns, folder / "table")


def _files(
    rng: np.random.Generator,
    form: str,
    frame: pd.DataFrame,
    datasets: list[str],
    metric: str,
    folder: Path,
    truth: Truth,
) -> Path:
    system, instance = str(rng.choice(SYSTEM_COLUMNS)), str(rng.choice(INSTANCE_COLUMNS))
    root = folder / "runs"
    state = rng.bit_generator.state
    with_system = bool(rng.random() < 0.5)
    kind = int(rng.integers(0, 6))
    by = {"file per system": ["S"], "folder per system": ["S", "D"], "file per dataset": ["D"]}[form]
    of_dataset = str(rng.choice(DATASET_COLUMNS))
    plain = {name: name.replace("/", "_").replace(":", "_").replace(" ", "_") for name in truth.systems}
    for key, part in frame.groupby(by, sort=False):
        rng.bit_generator.state = state  # the same columns in every file
        columns = {instance: part["I"].tolist(), metric: part["Y"].tolist()}
        if form == "file per dataset" or (with_system and form == "file per system"):
            columns[system if system not in ("name", "vendor", "product") else "model"] = part["S"].tolist()
        if form == "file per system" and len(datasets) > 1:
            columns[of_dataset] = part["D"].tolist()
        columns |= _decoys(rng, part.reset_index(drop=True), truth, long=False)
        names = dict(zip(by, key, strict=True))
        stem = {
            "file per system": plain.get(str(names.get("S")), ""),
            "folder per system": f"{plain.get(str(names.get('S')), '')}/{names.get('D')}",
            "file per dataset": str(names.get("D")),
        }[form]
        (root / stem).parent.mkdir(parents=True, exist_ok=True)
        _written(rng, columns, root / stem, kind)
    if form == "folder per system" or (form == "file per system" and not with_system):
        truth.systems = set(plain.values())
        truth.means = {plain[name]: value for name, value in truth.means.items()}
    if form == "file per system" and len(datasets) == 1:
        truth.n = {"": truth.n[datasets[0]]}
    if form == "folder per system" and len(datasets) == 1:
        truth.n = {"": truth.n[datasets[0]]}
    return root


def _written(rng: np.random.Generator, columns: dict[str, list[object]], path: Path, kind: int | None = None) -> Path:
    """Write columns in random order, in one of several formats."""
    order = [str(name) for name in rng.permutation(list(columns))]
    frame = pd.DataFrame({name: columns[name] for name in order})
    if rng.random() < 0.3:
        frame = frame.sample(frac=1, random_state=int(rng.integers(0, 1000)))
    kind = int(rng.integers(0, 6)) if kind is None else kind
    if kind == 0:
        out = path.with_name(path.name + ".tsv")
        frame.to_csv(out, sep="\t", index=False)
    elif kind == 1:
        out = path.with_name(path.name + ".jsonl")
        frame.to_json(out, orient="records", lines=True)
    elif kind == 2:
        out = path.with_name(path.name + ".json")
        records = frame.to_dict(orient="records")
        out.write_text(json.dumps(records) if rng.random() < 0.5 else "\n".join(map(json.dumps, records)))
    elif kind == 3:
        out = path.with_name(path.name + ".parquet")
        frame.to_parquet(out, index=False)
    elif kind == 4:
        out = path.with_name(path.name + ".csv.gz")
        frame.to_csv(out, index=False)
    else:
        out = path.with_name(path.name + ".csv")
        frame.to_csv(out, index=False)
    return out
