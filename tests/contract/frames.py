"""Small invented results, one function per design, with a fixed seed each; plain NumPy and pandas."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pandas as pd

TWO = ("new", "old")
THREE = ("new", "mid", "old")
QUALITY = {"new": 0.6, "mid": 0.3, "old": 0.0}
GAINS = {"forums": -0.5, "news": 0.0, "reviews": 0.7, "tweets": 1.4}
"""How much of its quality a system shows on a dataset: from a reversed order to a clear one."""

FEW = ("news", "reviews", "tweets")
ALL = tuple(GAINS)

Make = Callable[[np.ndarray], np.ndarray]


def latent(
    seed: int, systems: Sequence[str] = TWO, *, n: int = 80, datasets: Sequence[str] = ALL, spread: float = 1.0
) -> Iterator[tuple[str, str, np.ndarray, np.random.Generator]]:
    """Yield each system and dataset with normal values of n instances: ease, quality of the system, noise."""
    rng = np.random.default_rng(seed)
    for dataset in datasets:
        ease = rng.normal(size=n)
        for system in systems:
            yield system, dataset, ease + GAINS[dataset] * QUALITY[system] + spread * rng.normal(size=n), rng


def rows(system: str, dataset: str, **columns: object) -> pd.DataFrame:
    """Return the rows of one system on one dataset, with instances named after the dataset."""
    n = max(len(values) for values in columns.values() if isinstance(values, np.ndarray))
    names = {"system": system, "dataset": dataset, "instance": [f"{dataset}-{i:03}" for i in range(n)]}
    return pd.DataFrame({**names, **columns})


def paired(
    make: Make,
    seed: int,
    systems: Sequence[str] = TWO,
    *,
    n: int = 80,
    datasets: Sequence[str] = ALL,
    spread: float = 1.0,
) -> pd.DataFrame:
    """Return one score per system, dataset and instance."""
    found = latent(seed, systems, n=n, datasets=datasets, spread=spread)
    return pd.concat(
        [rows(system, dataset, score=make(values)) for system, dataset, values, _ in found], ignore_index=True
    )


def right_or_wrong(systems: Sequence[str] = TWO, *, n: int = 120, datasets: Sequence[str] = ALL) -> pd.DataFrame:
    """Return scores of 0 and 1."""
    return paired(lambda values: (values > 0).astype(int), 1, systems, n=n, datasets=datasets)


def ratings(systems: Sequence[str] = TWO, *, datasets: Sequence[str] = ALL) -> pd.DataFrame:
    """Return ratings from 1 to 5."""
    return paired(lambda values: np.clip(np.round(3 + values), 1, 5).astype(int), 2, systems, datasets=datasets)


def one_decimal(systems: Sequence[str] = TWO, *, datasets: Sequence[str] = ALL) -> pd.DataFrame:
    """Return scores with one decimal, such as 50.3."""
    return paired(lambda values: np.round(50 + 5 * values, 1), 3, systems, datasets=datasets)


def continuous(systems: Sequence[str] = TWO, *, n: int = 80, datasets: Sequence[str] = ALL) -> pd.DataFrame:
    """Return scores with all digits."""
    return paired(lambda values: 0.5 + 0.1 * values, 4, systems, n=n, datasets=datasets)


def heavy_tailed() -> pd.DataFrame:
    """Return scores with rare, very large differences of both signs."""
    return paired(lambda values: np.sign(values) * np.abs(values) ** 3, 5)


def skewed(systems: Sequence[str] = TWO, *, datasets: Sequence[str] = ALL) -> pd.DataFrame:
    """Return latencies: few instances take very long, with the older systems more so; lower is better."""
    return paired(lambda values: np.exp(-values), 6, systems, datasets=datasets)


def error_counts() -> pd.DataFrame:
    """Return counts of errors; lower is better."""
    return paired(lambda values: np.clip(np.round(2 - values), 0, None).astype(int), 7)


def clusters(*, n_clusters: int = 60, binary: bool = False) -> pd.DataFrame:
    """Return instances in documents of five, whose scores depend on each other."""
    parts = []
    for system, dataset, values, rng in latent(8, n=5 * n_clusters):
        document = np.repeat(np.arange(n_clusters), 5)
        moved = values + 0.6 * rng.normal(size=n_clusters)[document]
        score = (moved > 0).astype(int) if binary else moved
        parts.append(rows(system, dataset, cluster=np.array([f"{dataset}/{i:02}" for i in document]), score=score))
    return pd.concat(parts, ignore_index=True)


def raters() -> pd.DataFrame:
    """Return ratings of each output by three raters."""
    parts = [
        rows(
            system, dataset, rater=f"rater{rater}", score=np.clip(np.round(3 + values + 0.5 * extra), 1, 5).astype(int)
        )
        for system, dataset, values, rng in latent(9, n=50)
        for rater, extra in enumerate(rng.normal(size=(3, 50)))
    ]
    return pd.concat(parts, ignore_index=True)


def runs(*, binary: bool = True, n_runs: int = 4) -> pd.DataFrame:
    """Return the scores of several training runs, by instance."""
    parts = []
    for system, dataset, values, rng in latent(10, n=60):
        for seed in range(n_runs):
            again = values + 0.2 * rng.normal() + 0.5 * rng.normal(size=60)
            parts.append(rows(system, dataset, seed=seed, score=(again > 0).astype(int) if binary else again))
    return pd.concat(parts, ignore_index=True)


def run_scores(n_runs: int = 6) -> pd.DataFrame:
    """Return one score per training run."""
    rng = np.random.default_rng(11)
    return pd.DataFrame(
        {"system": system, "dataset": dataset, "seed": seed, "score": 0.7 + 0.03 * gain * QUALITY[system] + noise}
        for dataset, gain in GAINS.items()
        for system in TWO
        for seed, noise in enumerate(0.01 * rng.normal(size=n_runs))
    )


def folds(systems: Sequence[str] = TWO, *, n_repeats: int = 1, datasets: Sequence[str] = ALL) -> pd.DataFrame:
    """Return one score per fold of 10-fold cross-validation, repeated or not."""
    rng = np.random.default_rng(12)
    found = []
    for dataset in datasets:
        hard = rng.normal(size=10 * n_repeats)
        for system in systems:
            values = 0.8 + 0.02 * hard + 0.04 * GAINS[dataset] * QUALITY[system] + 0.01 * rng.normal(size=hard.size)
            found += [
                {"system": system, "dataset": dataset, "seed": i // 10, "fold": i % 10, "score": value}
                for i, value in enumerate(values)
            ]
    frame = pd.DataFrame(found)
    return frame if n_repeats > 1 else frame.drop(columns="seed")


def unpaired(make: Make, *, n: tuple[int, int] = (70, 60), systems: Sequence[str] = TWO) -> pd.DataFrame:
    """Return systems that were scored on instances of their own."""
    rng = np.random.default_rng(13)
    parts = []
    for dataset, gain in GAINS.items():
        for system, size in zip(systems, (*n, n[1]), strict=False):
            part = rows(system, dataset, score=make(gain * QUALITY[system] + rng.normal(size=size)))
            parts.append(part.assign(instance=f"{system}/" + part["instance"]))
    return pd.concat(parts, ignore_index=True)


def k_of_n(systems: Sequence[str] = TWO, *, size: int = 200) -> pd.DataFrame:
    """Return numbers of right answers and of questions, nothing else."""
    rng = np.random.default_rng(14)
    return pd.DataFrame(
        {"system": system, "dataset": dataset, "k": rng.binomial(size, 0.6 + 0.2 * gain * QUALITY[system]), "n": size}
        for dataset, gain in GAINS.items()
        for system in systems
    )


def printed() -> pd.DataFrame:
    """Return what a paper prints: two means and a p-value per dataset, one of them for the other system."""
    return pd.DataFrame(
        {
            "system_a": "new",
            "system_b": "old",
            "dataset": ["books", "forums", "mail", "news", "reviews", "tweets"],
            "score_a": [71.2, 64.0, 80.1, 55.5, 62.3, 90.4],
            "score_b": [69.9, 64.8, 77.0, 55.1, 58.0, 90.0],
            "p_value": [0.012, 0.03, 0.001, 0.4, 0.0004, 0.09],
        }
    )


def means(systems: Sequence[str] = TWO) -> pd.DataFrame:
    """Return one mean per system on each of twelve datasets."""
    rng = np.random.default_rng(15)
    hard = 60 + 8 * rng.normal(size=12)
    return pd.DataFrame(
        {"system": system, "dataset": f"set{i:02}", "score": round(hard[i] + 3 * QUALITY[system] + noise, 1)}
        for system in systems
        for i, noise in enumerate(rng.normal(size=12))
    )


def entities(systems: Sequence[str] = TWO, *, datasets: Sequence[str] = ALL) -> pd.DataFrame:
    """Return true positives, false positives and false negatives per sentence, many of each."""
    parts = []
    for system, dataset, values, rng in latent(16, systems, n=150, datasets=datasets):
        gold = 1 + rng.binomial(4, 0.5, size=values.size)
        found = rng.binomial(gold, 1 / (1 + np.exp(-values)))
        parts.append(rows(system, dataset, tp=found, fp=rng.binomial(3, 0.2, size=values.size), fn=gold - found))
    return pd.concat(parts, ignore_index=True)


def rare_entities() -> pd.DataFrame:
    """Return counts of a rare class: `new` finds three of three entities in 300 sentences, `old` none."""
    there = (np.arange(300) < 3).astype(int)
    zero = np.zeros(300, dtype=int)
    found = {"new": {"tp": there, "fp": zero, "fn": zero}, "old": {"tp": zero, "fp": zero, "fn": there}}
    return pd.concat([rows(system, "names", **columns) for system, columns in found.items()], ignore_index=True)


def words() -> pd.DataFrame:
    """Return errors and words of the reference, per utterance."""
    parts = []
    for system, dataset, values, rng in latent(17, n=90):
        total = rng.integers(5, 25, size=values.size)
        parts.append(rows(system, dataset, errors=rng.binomial(total, 1 / (2 + np.exp(values))), total=total))
    return pd.concat(parts, ignore_index=True)


def translations(systems: Sequence[str] = TWO, *, datasets: Sequence[str] = FEW) -> pd.DataFrame:
    """Return what BLEU sums: lengths, matching n-grams and all n-grams of each segment."""
    parts = []
    for system, dataset, values, rng in latent(18, systems, n=120, datasets=datasets, spread=0.5):
        length = rng.integers(8, 30, size=values.size)
        counts: dict[str, object] = {"hyp_len": length, "ref_len": length + rng.integers(-2, 3, size=values.size)}
        matching = rng.binomial(length, 0.7 + 0.25 * np.tanh(values))
        for order in range(1, 5):
            total = length + 1 - order
            matching = np.minimum(matching if order == 1 else rng.binomial(matching, 0.6), total)
            counts |= {f"correct{order}": matching, f"total{order}": total}
        parts.append(rows(system, dataset, **counts))
    return pd.concat(parts, ignore_index=True)


def similarities(systems: Sequence[str] = TWO, *, n: int = 90, datasets: Sequence[str] = FEW) -> pd.DataFrame:
    """Return predicted similarities, and the gold similarity that all systems share."""
    rng = np.random.default_rng(19)
    parts = []
    for dataset in datasets:
        gold = rng.normal(size=n)
        shared = rng.normal(size=n)
        for system in systems:
            noise = 0.6 * shared + 0.6 * rng.normal(size=n)
            score = gold + (1.4 - GAINS[dataset] * QUALITY[system]) * noise
            parts.append(rows(system, dataset, score=score, gold=np.round(5 + gold, 2)))
    return pd.concat(parts, ignore_index=True)


def labels() -> pd.DataFrame:
    """Return predicted labels and gold labels, as texts."""
    parts = []
    for system, dataset, values, rng in latent(20, n=200):
        gold = np.array(["noun", "verb", "other"])[np.arange(200) % 3]
        said = np.where(values + 0.4 > 0, gold, np.array(["noun", "verb", "other"])[rng.integers(0, 3, size=200)])
        parts.append(rows(system, dataset, prediction=said, gold=gold))
    return pd.concat(parts, ignore_index=True)


def two_metrics(systems: Sequence[str] = TWO) -> pd.DataFrame:
    """Return two metrics in long form: accuracy, right or wrong, and a continuous one."""
    parts = []
    for system, dataset, values, rng in latent(21, systems, n=100, datasets=FEW):
        for metric, score in (
            ("accuracy", (values > 0).astype(float)),
            ("fluency", 2 * values + rng.normal(size=100)),
        ):
            parts.append(rows(system, dataset, metric=metric, score=score))
    return pd.concat(parts, ignore_index=True)


def many_datasets(n_better: int = 6, *, n_datasets: int = 30) -> pd.DataFrame:
    """Return right-or-wrong scores on many datasets, on the first of which `new` is better."""
    rng = np.random.default_rng(22)
    return pd.concat(
        [
            rows(
                system, f"d{i:02}", score=(rng.random(60) < 0.5 + 0.3 * (system == "new" and i < n_better)).astype(int)
            )
            for i in range(n_datasets)
            for system in TWO
        ],
        ignore_index=True,
    )


def identical(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the same results with the scores of `new` for `old`, too."""
    new = frame[frame["system"] == "new"]
    return pd.concat([new, new.assign(system="old")], ignore_index=True)


def without(frame: pd.DataFrame, n: int = 6) -> pd.DataFrame:
    """Return the same results with some instances of `new` left out on two datasets."""
    first = frame["instance"].str.rpartition("-")[2].astype(int) < n
    return frame[~(first & (frame["system"] == "new") & frame["dataset"].isin(["news", "tweets"]))]


def divisions(n: int = 40) -> pd.DataFrame:
    """Return finished estimates of two systems on many divisions of two corpora."""
    rng = np.random.default_rng(23)
    return pd.DataFrame(
        {"system": system, "dataset": dataset, "repeat": repeat, "estimator": estimator, "value": value}
        for dataset, gain in (("close", 0.002), ("far", 0.02))
        for repeat in range(n)
        for estimator, noise in (("ST", 0.02), ("RS6", 0.012), ("Avg", 0.01), ("Vote", 0.009))
        for system, value in (("new", 0.8 + gain + noise * rng.normal()), ("old", 0.8 + noise * rng.normal()))
    )


def one_division() -> pd.DataFrame:
    """Return the scores of one blocked 3x2 cross-validation."""
    rng = np.random.default_rng(24)
    return pd.DataFrame(
        {"system": system, "replicate": replicate, "fold": fold, "score": mean + 0.01 * rng.normal()}
        for system, mean in (("new", 0.83), ("old", 0.81))
        for replicate in (1, 2, 3)
        for fold in (1, 2)
    )


def board(n_systems: int = 8, *, n: int = 150, step: float = 0.08) -> pd.DataFrame:
    """Return many systems of two families on two datasets, with normal scores."""
    rng = np.random.default_rng(25)
    parts = []
    for dataset in ("news", "talks"):
        kin = rng.normal(size=(2, n))
        for i in range(n_systems):
            score = step * i + kin[i % 2] + 0.6 * rng.normal(size=n)
            parts.append(rows(f"s{i:02}", dataset, score=score).assign(family=f"f{i % 2}"))
    return pd.concat(parts, ignore_index=True)
