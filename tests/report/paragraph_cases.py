"""Small results for every test of the catalogue, on which the new system is better on as many datasets as is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import pandas as pd

import reportkit  # noqa: F401  (registers the accessor)
from reportkit.analysis.analysis import Analysis

DATASETS = ("tweets", "news", "reviews", "books")
Rows = Iterator[dict[str, object]]


def _two_systems(dataset: str, new: np.ndarray, old: np.ndarray, **columns: np.ndarray) -> Rows:
    """One row per system and instance, numbered so that neighbours have nothing in common."""
    for system, scores in (("new", new), ("old", old)):
        for i, score in enumerate(scores):
            more = {name: values[i] for name, values in columns.items()}
            name = f"{dataset}-{i * 37 % len(scores)}"
            yield {"system": system, "dataset": dataset, "instance": name, "score": score, **more}


def right_or_wrong(dataset: str, better: bool, rng: np.random.Generator, n: int = 60) -> Rows:
    """Answers of both systems to the same questions."""
    old = np.repeat([1, 0], n // 2)
    new = old.copy()
    new[rng.permutation(n // 2)[:3]] = 0
    new[n // 2 + rng.permutation(n // 2)[: 18 if better else 4]] = 1
    yield from _two_systems(dataset, new, old)


def continuous(dataset: str, better: bool, rng: np.random.Generator, n: int = 30) -> Rows:
    """Scores with symmetric differences."""
    old = rng.normal(60, 8, n)
    half = rng.normal(0, 2, n // 2)
    new = old + np.concatenate((half, -half)) + (2.5 if better else 0.2)
    yield from _two_systems(dataset, np.round(new, 2), np.round(old, 2))


def skewed(dataset: str, better: bool, rng: np.random.Generator, n: int = 40) -> Rows:
    """Scores that are rarely much better."""
    old = rng.normal(60, 8, n)
    gain = np.where(np.arange(n) % 5 == 0, rng.exponential(4, n) + 1, rng.normal(0.6 if better else -0.9, 0.3, n))
    yield from _two_systems(dataset, np.round(old + gain, 2), np.round(old, 2))


def ordinal(dataset: str, better: bool, rng: np.random.Generator, n: int = 40) -> Rows:
    """Ratings from 1 to 5."""
    old = rng.integers(2, 4, n)
    gain = np.concatenate((np.repeat([1, -1, 0], [22, 4, 14] if better else [9, 7, 24]), np.zeros(n - 40, dtype=int)))
    yield from _two_systems(dataset, old + rng.permutation(gain), old)


def clustered(dataset: str, better: bool, rng: np.random.Generator) -> Rows:
    """Sentences in documents."""
    old = rng.normal(60, 8, 48)
    of_document = np.repeat(rng.normal(2.5 if better else -0.5, 1.2, 12), 4)
    new = old + of_document + rng.normal(0, 1, 48)
    documents = np.array([f"{dataset}/{i // 4}" for i in range(48)])
    yield from _two_systems(dataset, np.round(new, 2), np.round(old, 2), document=documents)


def entities(dataset: str, better: bool, rng: np.random.Generator, n: int = 60) -> Rows:
    """Entities found, wrong and missed in each sentence."""
    gold = rng.poisson(3, n) + 1
    found = rng.binomial(gold, 0.7)
    changed = rng.permutation(n)[:30]
    gain = np.zeros(n, dtype=int)
    gain[changed] = np.where(np.arange(30) < (26 if better else 16), 1, -1)
    new = np.clip(found + gain, 0, gold)
    wrong = rng.poisson(0.5, n)
    for system, right in (("new", new), ("old", found)):
        for i in range(n):
            yield {
                "system": system,
                "dataset": dataset,
                "instance": f"{dataset}-{i}",
                "tp": int(right[i]),
                "fp": int(wrong[i]),
                "fn": int(gold[i] - right[i]),
            }


def predictions(dataset: str, better: bool, rng: np.random.Generator, n: int = 60) -> Rows:
    """Predicted similarities beside gold ones."""
    gold = rng.normal(3, 1, n)
    old = gold + rng.normal(0, 1.2, n)
    new = gold + rng.normal(0, 0.4, n) if better else old + rng.normal(0, 0.3, n)
    yield from _two_systems(dataset, np.round(new, 3), np.round(old, 3), gold=np.round(gold, 3))


def runs_of_instances(dataset: str, better: bool, rng: np.random.Generator, n: int = 40) -> Rows:
    """Four runs of each system on the same instances."""
    ease = rng.normal(60, 8, n)
    for run in range(4):
        shift = {"new": 3.0 if better else 0.1, "old": 0.0}
        scores = {
            name: np.round(ease + gain + rng.normal(0, 0.3) + rng.normal(0, 3, n), 2) for name, gain in shift.items()
        }
        for row in _two_systems(dataset, scores["new"], scores["old"]):
            yield {**row, "seed": run}


def runs_alone(dataset: str, better: bool, rng: np.random.Generator) -> Rows:
    """One score for each of six runs."""
    for system, gain in (("new", 0.06 if better else 0.001), ("old", 0.0)):
        for run in range(6):
            yield {
                "system": system,
                "dataset": dataset,
                "run": run,
                "score": round(0.7 + gain + rng.normal(0, 0.01), 4),
            }


def folds(dataset: str, better: bool, rng: np.random.Generator) -> Rows:
    """Five times ten folds of a cross-validation."""
    base = 0.7 + rng.normal(0, 0.02, (5, 10))
    for system, gain in (("new", 0.06 if better else 0.0), ("old", 0.0)):
        scores = np.round(base + gain + rng.normal(0, 0.02, (5, 10)), 4)
        for i, j in np.ndindex(5, 10):
            yield {"system": system, "dataset": dataset, "repetition": i, "fold": j, "score": scores[i, j]}


def _own_instances(dataset: str, scores: dict[str, np.ndarray]) -> Rows:
    for system, values in scores.items():
        for i, score in enumerate(values):
            yield {"system": system, "dataset": dataset, "instance": f"{dataset}-{system}-{i}", "score": score}


def own_questions(dataset: str, better: bool, rng: np.random.Generator, n: int = 50) -> Rows:
    """Answers of each system to questions of its own."""
    right = round(n * (0.85 if better else 0.5))
    scores = {"new": np.repeat([1, 0], [right, n - right]), "old": np.repeat([1, 0], [n // 2, n - n // 2])}
    yield from _own_instances(dataset, {name: rng.permutation(values) for name, values in scores.items()})


def own_texts(dataset: str, better: bool, rng: np.random.Generator, n: int = 40) -> Rows:
    """Scores of each system on texts of its own."""
    half = np.abs(rng.normal(0, 2, n // 2))
    around = np.concatenate((half, -half))
    scores = {"new": around + (63.0 if better else 60.1), "old": around[::-1] * 1.1 + 60.0}
    yield from _own_instances(dataset, {name: np.round(values, 2) for name, values in scores.items()})


def numbers(dataset: str, better: bool, rng: np.random.Generator) -> Rows:
    """Numbers of right answers alone."""
    del rng
    for system, k in (("new", 170 if better else 122), ("old", 120)):
        yield {"system": system, "dataset": dataset, "k": k, "n": 200}


Maker = Callable[[str, bool, np.random.Generator], Rows]
UNPAIRED = {"pairing": "unpaired"}
TESTS: dict[str, tuple[Maker, dict[str, object]]] = {
    **dict.fromkeys(("mcnemar", "mcnemar-chi2"), (right_or_wrong, {})),
    **dict.fromkeys(("sign-flip", "paired-t", "paired-bootstrap", "wilcoxon"), (continuous, {})),
    "bootstrap-t": (skewed, {}),
    "sign-test": (ordinal, {"kind": "ordinal"}),
    **dict.fromkeys(
        ("corpus-bootstrap", "approximate-randomization", "corpus-jackknife-t"), (entities, {"metric": "f1"})
    ),
    **dict.fromkeys(("correlation-jackknife-t", "steiger"), (predictions, {"metric": "pearson"})),
    **dict.fromkeys(("boschloo", "fisher-exact", "pooled-z"), (own_questions, UNPAIRED)),
    **dict.fromkeys(("welch", "welch-permutation", "studentised-permutation", "mann-whitney"), (own_texts, UNPAIRED)),
    **dict.fromkeys(("aggregate-boschloo", "aggregate-fisher", "aggregate-z", "mcnemar-margins"), (numbers, {})),
    "two-way-t": (runs_of_instances, {}),
    **dict.fromkeys(("welch-seeds", "mann-whitney-seeds"), (runs_alone, {})),
    "corrected-resampled-t": (folds, {}),
}
"""By test: the data on which it is shown, and options beside its name."""

CHOSEN = {
    "mcnemar", "sign-flip", "bootstrap-t", "sign-test", "corpus-bootstrap", "correlation-jackknife-t", "boschloo",
    "welch-permutation", "aggregate-boschloo", "two-way-t", "welch-seeds", "corrected-resampled-t",
}  # fmt: skip
"""Tests that the decision table itself chooses for their data; the others are named."""


@cache
def analysis(test: str, true: int = 3, n_datasets: int = 4) -> Analysis:
    """Compare new with old by a test, with so many true claims on so many datasets."""
    maker, options = TESTS[test]
    rng = np.random.default_rng(len(test) + 10 * n_datasets + true)
    rows = [row for place in range(n_datasets) for row in maker(DATASETS[place], place < true, rng)]
    named = {} if test in CHOSEN else {"test": test}
    more = {"n_resamples": 999, "dependence": "independent" if n_datasets > 1 and true == 3 else "any"}
    return pd.DataFrame(rows).replic.compare("new", "old", **{**more, **options, **named})
