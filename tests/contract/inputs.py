"""Small invented results, one set of files for each report of the contract."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd


def right_or_wrong(accuracies: Mapping[str, Sequence[float]], datasets: Mapping[str, int], seed: int) -> pd.DataFrame:
    """Draw right-or-wrong answers in long form, columns `system`, `dataset`, `instance`, `score`.

    Parameters
    ----------
    accuracies : mapping
        Expected accuracy of each system, one for each dataset.
    datasets : mapping
        Number of instances of each dataset.
    seed : int
        Seed. Half of the difficulty of an instance is shared by all systems, so that they make similar mistakes.

    Returns
    -------
    pandas.DataFrame
        One row per system, dataset and instance.
    """
    rng = np.random.default_rng(seed)
    parts = []
    for place, (dataset, n) in enumerate(datasets.items()):
        shared = rng.random(n)
        for system, expected in accuracies.items():
            draw = np.where(rng.random(n) < 0.5, shared, rng.random(n))
            parts.append(_long(system, dataset, (draw < expected[place]).astype(int)))
    return pd.concat(parts, ignore_index=True)


def ratings(means: Mapping[str, Sequence[float]], datasets: Mapping[str, int], seed: int) -> pd.DataFrame:
    """Draw ratings from 1 to 5 in long form; `means` are on that scale, before rounding."""
    rng = np.random.default_rng(seed)
    parts = []
    for place, (dataset, n) in enumerate(datasets.items()):
        shared = rng.normal(0, 0.7, n)
        for system, expected in means.items():
            drawn = expected[place] + shared + rng.normal(0, 0.6, n)
            parts.append(_long(system, dataset, np.clip(np.rint(drawn), 1, 5).astype(int)))
    return pd.concat(parts, ignore_index=True)


def continuous(means: Mapping[str, Sequence[float]], datasets: Mapping[str, int], seed: int) -> pd.DataFrame:
    """Draw scores between 0 and 1 with four decimals, in long form."""
    rng = np.random.default_rng(seed)
    parts = []
    for place, (dataset, n) in enumerate(datasets.items()):
        shared = rng.normal(0, 0.12, n)
        for system, expected in means.items():
            drawn = expected[place] + shared + rng.normal(0, 0.08, n)
            parts.append(_long(system, dataset, np.clip(drawn, 0, 1).round(4)))
    return pd.concat(parts, ignore_index=True)


def _long(system: str, dataset: str, scores: np.ndarray) -> pd.DataFrame:
    instances = [f"{dataset}-{index}" for index in range(len(scores))]
    return pd.DataFrame({"system": system, "dataset": dataset, "instance": instances, "score": scores})


def two_systems(folder: Path) -> None:
    """Write a clear gain, a small gain, no difference and a loss, under names that LaTeX has to escape."""
    accuracies = {"Ours (7B)": (0.84, 0.75, 0.70, 0.62), "base_v2": (0.72, 0.70, 0.70, 0.66)}
    datasets = {"BoolQ": 400, "COPA & co": 250, "RTE": 277, "WiC_dev": 300}
    right_or_wrong(accuracies, datasets, seed=1).to_csv(folder / "results.csv", index=False)


def baseline(folder: Path) -> None:
    """Write ratings of four systems, to be compared with `T5-base`."""
    means = {
        "T5-base": (3.0, 3.2, 2.9),
        "T5-xl": (3.7, 3.8, 3.4),
        "T5-large": (3.4, 3.3, 3.1),
        "T5-small": (3.0, 3.1, 3.0),
        "mT5": (2.5, 2.8, 2.7),
    }
    ratings(means, {"dialogue": 60, "news": 80, "stories": 50}, seed=2).to_csv(folder / "results.csv", index=False)


def all_pairs_of_8(folder: Path) -> None:
    """Write eight systems from .56 to .84 on five datasets; neighbours are close."""
    offsets = (0.00, 0.06, -0.05, 0.03, -0.08)
    accuracies = {
        f"model-{name}": [level + offset for offset in offsets]
        for name, level in zip("ABCDEFGH", np.linspace(0.84, 0.56, 8), strict=True)
    }
    datasets = {"arc": 240, "boolq": 300, "hellaswag": 260, "piqa": 220, "winogrande": 280}
    right_or_wrong(accuracies, datasets, seed=3).to_csv(folder / "results.csv", index=False)


def twenty_by_twelve(folder: Path) -> None:
    """Write 20 systems on 12 datasets of 150 instances."""
    accuracies = {f"M{index:02}": [0.88 - 0.022 * index] * 12 for index in range(1, 21)}
    datasets = {f"task{index:02}": 150 for index in range(1, 13)}
    right_or_wrong(accuracies, datasets, seed=4).to_csv(folder / "results.csv", index=False)


def one_dataset(folder: Path) -> None:
    """Write continuous scores of three systems on one dataset, a column for each system."""
    frame = continuous({"SBERT": (0.66,), "BM25": (0.62,), "TF-IDF": (0.61,)}, {"squad": 180}, seed=5)
    wide = frame.pivot_table(index="instance", columns="system", values="score", sort=False)
    wide.to_csv(folder / "results.csv")


def nothing_shown(folder: Path) -> None:
    """Write two systems that differ by next to nothing, on three datasets."""
    accuracies = {"A-large": (0.61, 0.70, 0.55), "A-small": (0.60, 0.70, 0.56)}
    datasets = {"code": 120, "math": 120, "text": 120}
    right_or_wrong(accuracies, datasets, seed=6).to_csv(folder / "results.csv", index=False)


def several_metrics(folder: Path) -> None:
    """Write two systems by accuracy and by an error rate, of which less is better."""
    datasets = {"calls": 150, "lectures": 180, "radio": 160}
    accuracies = {"Conformer": (0.83, 0.80, 0.72), "LSTM": (0.70, 0.72, 0.71)}
    errors = {"Conformer": (0.20, 0.17, 0.25), "LSTM": (0.24, 0.17, 0.29)}
    parts = (
        right_or_wrong(accuracies, datasets, seed=7).assign(metric="accuracy"),
        continuous(errors, datasets, seed=8).assign(metric="wer"),
    )
    pd.concat(parts, ignore_index=True).to_csv(folder / "results.csv", index=False)


def printed_means(folder: Path) -> None:
    """Write a leaderboard as a paper prints it: a row for each system, means alone, and their average."""
    (folder / "leaderboard.csv").write_text(
        "Model,CoLA,SST-2,MRPC,STS-B,QQP,MNLI,QNLI,RTE,Avg\n"
        "ELECTRA,63.6,94.8,90.2,91.2,91.9,87.6,92.8,78.7,86.4\n"
        "DeBERTa,66.1,95.4,91.3,91.0,92.0,88.7,93.4,82.9,87.6\n",
        encoding="utf-8",
    )


def posteriors(folder: Path) -> None:
    """Write two systems on two datasets, one with a clear gain."""
    accuracies = {"RoBERTa": (0.86, 0.66), "DAN": (0.74, 0.65)}
    right_or_wrong(accuracies, {"qa": 300, "nli": 200}, seed=9).to_csv(folder / "results.csv", index=False)


def calibration(folder: Path) -> None:
    """Write five systems on two datasets."""
    accuracies = {f"s{index}": (0.60 + 0.03 * index, 0.70 - 0.02 * index) for index in range(1, 6)}
    right_or_wrong(accuracies, {"news": 200, "web": 160}, seed=10).to_csv(folder / "results.csv", index=False)


def reproducibility(folder: Path) -> None:
    """Write estimates of two systems from 40 divisions of a corpus: hold-outs, averages and votes."""
    rng = np.random.default_rng(11)
    rows = []
    for dataset, gain in (("topics", 0.012), ("reviews", 0.002)):
        for repeat in range(1, 41):
            level = 0.85 + rng.normal(0, 0.01)
            for estimator, spread in {"ST": 0.020, "RS6": 0.008, "Avg": 0.008, "Vote": 0.012}.items():
                rows.append((dataset, "SVM", repeat, estimator, round(level + gain + rng.normal(0, spread), 5)))
                rows.append((dataset, "LogReg", repeat, estimator, round(level, 5)))
    columns = ["dataset", "system", "repeat", "estimator", "value"]
    pd.DataFrame(rows, columns=columns).to_csv(folder / "estimates.csv", index=False)


def update(folder: Path) -> None:
    """Write the results of `two_systems`, and two papers with an old table and old numbers."""
    two_systems(folder)
    (folder / "paper.tex").write_text(
        r"""\documentclass{article}
\usepackage{booktabs}
\begin{document}
% the numbers of the last draft
Table~\ref{tab:main} has our results. 100\% of this sentence stays.
\begin{table}[t]
\caption{An old table.}
\label{tab:main}
\begin{tabular}{lr}old & 1\end{tabular}
\end{table}
So does this one.
\end{document}
""",
        encoding="utf-8",
    )
    (folder / "paper.md").write_text(
        "We reach <!-- rk: main/boolq/ours-7b -->80.0<!-- /rk --> on BoolQ.\n\n"
        "<!-- reportkit: begin results -->\nan old table\n<!-- reportkit: end results -->\n\n"
        "The rest stays as it is.\n",
        encoding="utf-8",
    )


INPUTS: dict[str, Callable[[Path], None]] = {
    "two_systems": two_systems,
    "baseline": baseline,
    "all_pairs_of_8": all_pairs_of_8,
    "twenty_by_twelve": twenty_by_twelve,
    "one_dataset": one_dataset,
    "nothing_shown": nothing_shown,
    "several_metrics": several_metrics,
    "printed_means": printed_means,
    "posteriors": posteriors,
    "calibration": calibration,
    "reproducibility": reproducibility,
    "power": two_systems,
    "notebook": all_pairs_of_8,
    "update": update,
}
"""What writes the files of each report into an empty folder."""
