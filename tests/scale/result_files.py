"""Results as files in several partitions, and what an analysis of them says."""

import numpy as np
import pandas as pd

from reportkit.analysis.read_large import read_large
from reportkit.analysis.read_results import request_of
from reportkit.settings import Settings


def scores(*, systems=3, datasets=4, n=40, kind="continuous", seed=0):
    """A frame in long form, with scores of three decimals, or right and wrong in percent."""
    draw = np.random.default_rng(seed)
    frames = []
    for dataset in range(datasets):
        ability = draw.normal(size=n)
        for system in range(systems):
            values = ability + 0.3 * system + draw.normal(size=n)
            score = np.round(1 / (1 + np.exp(-values)), 3) if kind == "continuous" else 100 * (values > 0)
            frames.append(
                pd.DataFrame(
                    {
                        "model": f"m{system}",
                        "task": f"task{dataset + 8}",
                        "id": [f"{dataset}:q{number}" for number in range(n)],
                        "score": score,
                        "note": "x",
                    }
                )
            )
    return pd.concat(frames, ignore_index=True)


def by_dataset(frame, folder):
    """One file of Parquet for each dataset, in folders as Hive names them."""
    for name, rows in frame.groupby("task"):
        part = folder / f"task={name}"
        part.mkdir(parents=True)
        rows.drop(columns="task").to_parquet(part / "part-0.parquet", index=False)


def by_system(frame, folder):
    """One file for each system, small row groups, rows shuffled."""
    folder.mkdir(parents=True)
    for name, rows in frame.groupby("model"):
        rows.sample(frac=1, random_state=1).to_parquet(folder / f"{name}.parquet", index=False, row_group_size=50)


def as_csv(frame, folder):
    """One file of CSV for two datasets each."""
    folder.mkdir(parents=True)
    for number, (_, rows) in enumerate(frame.groupby(frame["task"].isin(["task8", "task10"]))):
        rows.to_csv(folder / f"part-{number}.csv", index=False)


def said(found):
    """Numbers, findings and text."""
    return found.digest, found.findings, found.to_json(), found.to_latex()


def in_parts(source, **how):
    """Whether results are read dataset by dataset."""
    return read_large([source], Settings(), request_of(Settings()), **how) is not None
