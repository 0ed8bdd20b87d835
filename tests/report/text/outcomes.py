"""A dozen outcomes as researchers have them, from everything significant to nothing; people read every word."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pandas as pd

from reportkit.analysis.analysis import Analysis
from tests.report.design_cases import METRICS, PRINTED, _frame, _two_metrics
from tests.report.paragraph_cases import clustered, own_questions, right_or_wrong, runs_of_instances, skewed

PAIR = ("new", "old")


def _systems(names: list[str], accuracies: np.ndarray, n: int, datasets: list[str], seed: int = 1) -> pd.DataFrame:
    """Right and wrong answers of many systems, which find the same questions hard."""
    rng = np.random.default_rng(seed)
    rows = []
    for j, dataset in enumerate(datasets):
        hard = rng.random(n)
        for name, accuracy in zip(names, accuracies[:, j], strict=True):
            right = hard + rng.normal(0, 0.12, n) < accuracy
            rows += [(name, dataset, i, int(one)) for i, one in enumerate(right)]
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])


def _models(k: int, n: int, datasets: list[str]) -> pd.DataFrame:
    rng = np.random.default_rng(k)
    base = np.linspace(0.5, 0.85, k)[:, None] + rng.normal(0, 0.02, (k, len(datasets)))
    return _systems([f"model-{chr(65 + i) if k <= 26 else f'{i + 1:02d}'}" for i in range(k)], base, n, datasets)


TASKS = ["mmlu", "arc", "gsm8k", "boolq"]
OUTCOMES: dict[str, Callable[[], Analysis]] = {
    "two systems, all significant": lambda: _frame(right_or_wrong, (True,) * 4).replic.compare(*PAIR),
    "two systems, nothing shown": lambda: _frame(right_or_wrong, (False,) * 4).replic.compare(*PAIR),
    "two systems, some, direction open": lambda: _frame(right_or_wrong, (True, False, True)).replic.compare(),
    "two systems, independent datasets": lambda: _frame(right_or_wrong, (True, False, True)).replic.compare(
        *PAIR, dependence="independent"
    ),
    "five systems, all pairs": lambda: _models(5, 300, TASKS).replic.compare(),
    "ten systems, all pairs": lambda: _models(10, 300, TASKS).replic.compare(),
    "58 systems, all pairs": lambda: _models(58, 150, TASKS[:2]).replic.compare(other_profile=False),
    "one dataset": lambda: _frame(right_or_wrong, (True,)).replic.compare(*PAIR),
    "seeds": lambda: _frame(runs_of_instances, (True, False)).replic.compare(*PAIR),
    "several metrics, one after the other": lambda: _two_metrics().replic.compare(
        *PAIR, gatekeeping="serial", **METRICS
    ),
    "printed p-values": lambda: PRINTED.replic.compare(),
    "skewed differences of few instances": lambda: _frame(skewed, (True, False)).replic.compare(*PAIR),
    "clusters": lambda: _frame(clustered, (True, True, False)).replic.compare(*PAIR),
    "unpaired": lambda: _frame(own_questions, (True, True)).replic.compare(*PAIR, pairing="unpaired"),
}


@cache
def outcome(name: str) -> Analysis:
    """One of them."""
    return OUTCOMES[name]()
