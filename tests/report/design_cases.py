"""Analyses of every design: directions, baselines, pairs, metrics, missing scores, raters, seeds, print, profiles."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from reportkit.analysis.analysis import Analysis
from tests.report.paragraph_cases import DATASETS, clustered, continuous, ordinal, right_or_wrong, runs_of_instances

PRINTED = pd.DataFrame(
    {
        "system_a": "new",
        "system_b": "old",
        "dataset": ["tweets", "news", "reviews", "books"],
        "score_a": [91.2, 88.0, 79.5, 70.1],
        "score_b": [89.0, 87.1, 80.3, 69.9],
        "p_value": [0.001, 0.012, 0.02, 0.4],
    }
)


def _frame(maker, better, *, names=DATASETS, seed=7) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [row for name, good in zip(names, better, strict=False) for row in maker(name, good, rng)]
    return pd.DataFrame(rows)


def _several(gains, *, names=DATASETS[:2], n=60) -> pd.DataFrame:
    """System s0 and others, so many more answers right on each dataset."""
    rows = []
    for name in names:
        for system, gain in enumerate(gains):
            for i in range(n):
                right = i < 20 + gain or i == n - 1 - system
                rows.append((f"s{system}", name, f"{name}-{i * 37 % n}", int(right)))
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])


def _two_metrics(better=(True, True, False), *, names=DATASETS[:3]) -> pd.DataFrame:
    """Accuracy, and time, of which less is better."""
    right = _frame(right_or_wrong, better, names=names).assign(metric="accuracy")
    time = right.assign(metric="time")
    spread = (np.arange(len(time)) * 37 % 11) / 10
    time["score"] = np.round(3 - 0.5 * (time["system"] == "new") * (time["dataset"] != names[0]) + spread, 2)
    return pd.concat([right, time], ignore_index=True)


def _across(n=12) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    rows = [
        (system, f"d{d:02d}", round(0.5 + 0.03 * d + gain + rng.normal() * 0.01, 4))
        for d in range(n)
        for system, gain in (("new", 0.02), ("old", 0.0), ("third", 0.01))
    ]
    return pd.DataFrame(rows, columns=["system", "dataset", "score"])


def _rated() -> pd.DataFrame:
    raters = {f"r{seed}": _frame(ordinal, (True, False), seed=seed) for seed in (1, 2, 3)}
    return pd.concat([frame.assign(rater=name) for name, frame in raters.items()], ignore_index=True)


def _with_gaps() -> pd.DataFrame:
    frame = _frame(right_or_wrong, (True, False))
    return frame.drop(index=[3, 70, 150])


def _identical(everywhere: bool) -> pd.DataFrame:
    frame = _frame(right_or_wrong, (True, True))
    same = frame[frame["system"] == "old"].assign(system="new")
    there = frame["dataset"].isin(DATASETS[:2] if everywhere else DATASETS[:1]) & (frame["system"] == "new")
    return pd.concat([frame[~there], same[same["dataset"].isin(DATASETS[:2] if everywhere else DATASETS[:1])]])


def _renamed() -> pd.DataFrame:
    names = {"new": "AT&T_50% {v2}", "old": "Bayes"}
    frame = _frame(right_or_wrong, (True, False), names=("SST-2 (dev)", "R&D's"))
    return frame.assign(system=frame["system"].map(names))


PAIR = ("new", "old")
BOTH = {"alternative": "two-sided"}
METRICS = {"metric": ["accuracy", "time"], "higher_is_better": {"time": False}, "alpha": 0.05}
CASES = {
    "both directions": lambda: _frame(right_or_wrong, (True, True, False)).replic.compare(*PAIR, **BOTH),
    "both directions, one dataset": lambda: _frame(right_or_wrong, (True,)).replic.compare(*PAIR, **BOTH),
    "two baselines": lambda: _several([0, 5, 14]).replic.compare(systems=("s2",), baseline=["s0", "s1"]),
    "three systems, one baseline": lambda: _several([0, 5, 14, 1]).replic.compare(baseline="s0"),
    "three systems, one baseline, one dataset": lambda: _several([0, 5, 14, 1], names=("tweets",)).replic.compare(
        baseline="s0"
    ),
    "nine systems, one baseline, independent": lambda: _several([0, *range(3, 20, 2)]).replic.compare(
        baseline="s0", dependence="independent"
    ),
    "all pairs": lambda: _several([0, 5, 14, 14]).replic.compare(),
    "all pairs, one dataset": lambda: _several([0, 5, 14], names=("tweets",)).replic.compare(),
    "all pairs, none": lambda: _several([0, 1, 2]).replic.compare(),
    "mixed tests and intervals": lambda: pd.concat(
        [_frame(right_or_wrong, (True,)), _frame(continuous, (True,), names=("news",))]
    ).replic.compare(*PAIR, mixed_scales="accept"),
    "lower is better": lambda: _frame(continuous, (False, False, False)).replic.compare(
        "old", "new", higher_is_better=False
    ),
    "clusters, independent": lambda: _frame(clustered, (True, True)).replic.compare(*PAIR, dependence="independent"),
    "not independent after all": lambda: (
        _frame(right_or_wrong, (True, True))
        .assign(instance=lambda frame: "q" + frame["instance"].str.split("-").str[1])
        .replic.compare(*PAIR, dependence="independent")
    ),
    "raters": lambda: _rated().replic.compare(*PAIR, kind="ordinal"),
    "fixed seeds": lambda: _frame(runs_of_instances, (True, False)).replic.compare(*PAIR, runs="fixed"),
    "missing, worst": lambda: _with_gaps().replic.compare(*PAIR, missing="worst"),
    "missing, drop": lambda: _with_gaps().replic.compare(*PAIR, missing="drop"),
    "identical on one dataset": lambda: _identical(everywhere=False).replic.compare(*PAIR),
    "identical everywhere": lambda: _identical(everywhere=True).replic.compare(*PAIR),
    "identical, one dataset": lambda: _identical(everywhere=True).query("dataset == 'tweets'").replic.compare(*PAIR),
    "twelve instances": lambda: (
        _frame(right_or_wrong, (True, True)).groupby(["system", "dataset"]).nth(range(24, 36)).replic.compare(*PAIR)
    ),
    "tests of Dror et al.": lambda: _frame(continuous, (True, False)).replic.compare(*PAIR, profile="dror2017"),
    "names with markup": lambda: _renamed().replic.compare("AT&T_50% {v2}", "Bayes"),
    "twenty datasets": lambda: _frame(
        right_or_wrong, [True] * 14 + [False] * 6, names=[f"task {i:02d}" for i in range(20)]
    ).replic.compare(*PAIR),
    **{
        f"two metrics, {name}": lambda name=name: _two_metrics().replic.compare(*PAIR, gatekeeping=name, **METRICS)
        for name in ("none", "serial", "by-dataset", "exploratory")
    },
    "two metrics, one dataset, serial": lambda: _two_metrics((True,), names=("tweets",)).replic.compare(
        *PAIR, gatekeeping="serial", **METRICS
    ),
    "two metrics, all pairs": lambda: _two_metrics().replic.compare(**METRICS),
    "printed": lambda: PRINTED.replic.compare(dependence="independent"),
    "printed, one dataset": lambda: PRINTED.head(1).replic.compare(),
    "printed, none": lambda: PRINTED.assign(p_value=0.4).replic.compare(),
    "printed, two claims": lambda: pd.concat(
        [PRINTED, PRINTED.assign(system_b="base", p_value=0.001)]
    ).replic.compare(),
    "across datasets": lambda: _across().replic.compare(*PAIR, across_datasets=True),
    "across datasets, not shown": lambda: _across(8).replic.compare("old", "new", across_datasets=True),
    "across datasets, baseline": lambda: _across().replic.compare(baseline="old", across_datasets=True),
    "across datasets, all pairs": lambda: _across(4).replic.compare(across_datasets=True),
}
"""Name to analysis; the standard texts of most of them stand in `tests/designs`."""


@cache
def design(name: str) -> Analysis:
    """One of the cases."""
    return CASES[name]()
