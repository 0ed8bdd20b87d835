"""Print the findings of ``README.md`` from ``results.parquet``: thresholds, similarity, test sizes, change of domain.

Usage, with reportkit installed::

    python examples/calibration/findings.py

Berg-Kirkpatrick et al. (2012): sections 3.2 (thresholds), 4.1 (test sizes) and 4.2, Table 1 (change of domain).
P-values are those of the sign-flip permutation test, one-sided in favour of the system that scores better; whole
documents are flipped where they are known.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

import reportkit
from reportkit.calibration import ComparedPairs, GainThreshold, compared_pairs, gain_thresholds
from reportkit.calibration.bins import EDGES, FEWEST_HITS, bin_of, domain_shift
from reportkit.scores.scores import Scores

HERE = Path(__file__).resolve().parent
SIZES = (174, 348, 696, 1_392, 2_784, 5_568)
TEST = "sign-flip"


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table whose columns after the first are aligned to the right."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def read_blocks(path: Path = HERE / "results.parquet") -> dict[str, Scores]:
    """Return the scores of each test set, systems in rows."""
    results = reportkit.read(path)
    if not isinstance(results, reportkit.Results):
        raise SystemExit(f"{path} holds no scores of instances")
    return {block.dataset: block for block in results if block.shape == "paired"}


def families(systems: Sequence[str]) -> dict[str, str]:
    """Return the learner of each system, the first part of its name."""
    return {system: system.split("/")[0] for system in systems}


def points(found: GainThreshold) -> str:
    """Write a threshold in percentage points, with its interval over systems and the pairs it comes from."""
    if found.threshold is None or found.low is None or found.high is None:
        return f"– ({found.n_in_window})"
    return f"{100 * found.threshold:.2f} [{100 * found.low:.2f}, {100 * found.high:.2f}] ({found.n_in_window})"


def thresholds(compared: Sequence[ComparedPairs]) -> str:
    """Return the gain above which few pairs have a p-value near .05, for pairs of one learner and of two."""
    rows = []
    for pairs in compared:
        groups = gain_thresholds(pairs, families=families(pairs.systems))
        rows.append([pairs.dataset, f"{pairs.n:,}", *map(points, groups)])
    return markdown(["test set", "texts", "all pairs", "of one learner", "of two learners"], rows)


def differing(blocks: Sequence[Scores]) -> str:
    """Return the mean share of texts on which exactly one of two systems is right, by what the two have in common."""
    rows = []
    for block in blocks:
        learner, training = np.array([system.split("/", 1) for system in block.systems]).T
        right = np.asarray(block.scores, dtype=np.float64)
        only_one = (right @ (1 - right).T + (1 - right) @ right.T) / right.shape[1]
        first, second = np.triu_indices(len(right), 1)
        same_learner, same_set = learner[first] == learner[second], training[first] == training[second]
        groups = (same_learner, ~same_learner & ~same_set, same_set)
        rows.append([block.dataset, *(f"{100 * only_one[first, second][group].mean():.1f}" for group in groups)])
    return markdown(
        ["test set", "one learner", "two learners, two training sets", "two learners, one training set"], rows
    )


def by_size(blocks: Sequence[Scores], sizes: Sequence[int] = SIZES) -> str:
    """Return the threshold on the first m of the movie snippets in random order, and what 1 / sqrt(m) would give."""
    scores = np.concatenate([block.scores for block in blocks], axis=1)
    instances = np.concatenate([block.instances for block in blocks])
    order = np.random.default_rng(2012).permutation(instances.size)
    found = []
    for m in sizes:
        part = order[:m]
        block = dataclasses.replace(
            blocks[0],
            dataset="movies",
            scores=scores[:, part],
            instances=instances[part],
            clusters=None,
            cluster_names=None,
        )
        found.append(gain_thresholds(compared_pairs(block, test=TEST))[0])
    last = found[-1].threshold or np.nan
    rows = [
        [f"{m:,}", points(one), f"{100 * last * (sizes[-1] / m) ** 0.5:.2f}"]
        for m, one in zip(sizes, found, strict=True)
    ]
    return markdown(["movie snippets", "threshold, all pairs", "by 1/√m from the last"], rows)


def by_domain(compared: Sequence[ComparedPairs], source: str) -> str:
    """Return which share of the winners on one test set win on each other one, by their p-value on the first."""
    shift = domain_shift(compared)
    targets = [dataset for dataset in shift.datasets if dataset != source]
    rows = []
    for number, (low, high) in enumerate(pairwise(EDGES)):
        cells = []
        for target in targets:
            (pairs,) = (one for one in shift.transfers if (one.source_dataset, one.target_dataset) == (source, target))
            inside = bin_of(pairs.p_values) == number
            few = inside.sum() < FEWEST_HITS
            cells.append("–" if few else f"{100 * pairs.same[inside].mean():.0f}% of {inside.sum()}")
        rows.append([f"{low:g} to {high:g}", *cells])
    return markdown([f"p-value on {source}", *targets], rows)


def main() -> None:
    """Print all tables."""
    blocks = read_blocks()
    compared = [compared_pairs(block, test=TEST) for block in blocks.values()]
    print(thresholds(compared))
    print("\n" + differing(list(blocks.values())))
    print("\n" + by_size([blocks["movies-1"], blocks["movies-2"]]))
    for source in ("movies-1", "amazon"):
        print("\n" + by_domain(compared, source))


if __name__ == "__main__":
    main()
