"""How often datasets that share instances pass for independent ones, and unrelated ones do not.

    python benchmarks/shared_instances.py

Two systems that are equally good, on six datasets that are declared independent, with running numbers as ids. In the
first designs the datasets are criteria on the same instances, so that difficulty and differences correlate by r; in the
others they have nothing in common but may be sorted, nested in documents, or mostly right. Recorded are the share of
analyses that warn of correlated scores, and the share in which Fisher's method claims an improvement on one dataset or
more at .05.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import reportkit
from reportkit.replicability.multiple_testing.partial_conjunction import k_hat

RESULTS = Path(__file__).parent / "results" / "shared_instances.csv"
N_DATASETS = 6
REPLICATES = 400
SEED = 20261122
Floats = NDArray[np.float64]


def shared(rng: np.random.Generator, n: int, r: float) -> Iterator[Floats]:
    """Criteria on the same instances: scores of both systems, shape (2, n)."""
    common = rng.normal(size=(2, n))
    for _ in range(N_DATASETS):
        hard, ahead = math.sqrt(r) * common + math.sqrt(1 - r) * rng.normal(size=(2, n))
        yield np.stack((hard + ahead / 2, hard - ahead / 2))


def shared_binary(rng: np.random.Generator, n: int, r: float) -> Iterator[Floats]:
    """The same, right or wrong: four in five are right."""
    for scores in shared(rng, n, r):
        yield (scores > -0.94).astype(float)


def unrelated(rng: np.random.Generator, n: int, shape: str) -> Iterator[Floats]:
    """Datasets with nothing in common."""
    for _ in range(N_DATASETS):
        noise = rng.normal(size=(2, n))
        if shape == "sorted by difficulty":
            yield np.sort(rng.normal(size=n)) + noise / 2
        elif shape == "documents of 10":
            yield np.repeat(rng.normal(size=-(-n // 10)), 10)[:n] + noise / 2
        elif shape == "lognormal":
            yield np.exp(noise)
        else:
            share = {"4% wrong": 0.05, "8% wrong": 0.1, "40% wrong": 0.5}[shape]
            yield 1.0 - ((rng.random(n) < share) & (rng.random((2, n)) < 0.8))


def designs() -> Iterator[tuple[str, int, float]]:
    """Name, number of instances, and correlation; NaN where the datasets have nothing in common."""
    for n in (50, 200, 1000):
        for r in (0.0, 0.1, 0.2, 0.4, 0.8):
            yield "criteria, continuous", n, r
        for r in (0.4, 0.8):
            yield "criteria, right or wrong", n, r
        for shape in ("sorted by difficulty", "documents of 10", "lognormal", "4% wrong", "8% wrong", "40% wrong"):
            yield shape, n, math.nan


def analysed(datasets: list[Floats]) -> tuple[bool, bool, bool]:
    """Whether correlations are noticed; whether k-hat is above 0 as recommended, and by Fisher's method."""
    n = datasets[0].shape[1]
    frame = pd.DataFrame(
        {
            "system": np.tile(np.repeat(["new", "old"], n), N_DATASETS),
            "dataset": np.repeat([f"d{place}" for place in range(N_DATASETS)], 2 * n),
            "instance": np.tile(np.arange(n), 2 * N_DATASETS),
            "score": np.concatenate([scores.ravel() for scores in datasets]),
        }
    )
    analysis = reportkit.compare(frame, "new", "old", dependence="independent", alpha=0.05)
    p_values = analysis.outcomes["p_value"].to_numpy()
    return (
        bool(analysis.audit.correlated),
        bool(analysis.k_hat["recommended"].iloc[0] > 0),
        int(k_hat(p_values, 0.05, method="fisher")) > 0,
    )


def main() -> None:
    """Simulate all designs and write the table."""
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["design", "n", "r", "replicates", "noticed", "claimed_by_fisher"])
        for place, (design, n, r) in enumerate(designs()):
            counts = np.zeros(2)
            for replicate in range(REPLICATES):
                rng = np.random.default_rng([SEED, place, replicate])
                if math.isnan(r):
                    datasets = list(unrelated(rng, n, design))
                elif design == "criteria, continuous":
                    datasets = list(shared(rng, n, r))
                else:
                    datasets = list(shared_binary(rng, n, r))
                noticed, _, by_fisher = analysed(datasets)
                counts += noticed, by_fisher
            shares = [f"{share:.4f}" for share in counts / REPLICATES]
            table.writerow([design, n, "" if math.isnan(r) else r, REPLICATES, *shares])
            file.flush()
            print(design, n, r, *shares)


if __name__ == "__main__":
    main()
