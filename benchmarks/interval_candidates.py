"""Which interval belongs beside the exact McNemar test, and which beside the bootstrap of a corpus metric.

Run `python benchmarks/interval_candidates.py`. For McNemar's test all tables of wins and losses are enumerated, for 5
to 2,000 instances and a grid of true proportions (`share` of instances that differ, `lead` of A among these); the
figures are exact, but for tables whose probability is below 1e-9 of the largest. For F1 they are simulated. Of
each candidate
`results/interval_candidates.csv` holds the coverage of its 95% interval (smallest and mean over the grid), the largest
error on one side, the mean length, and the largest probability that it contradicts its test about 0. The report gives
the intervals named `matched` and `basic, jackknife t below 50`; a test reads the table.
"""

from __future__ import annotations

import argparse
import csv
import math
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, ndtri

from reportkit.metrics.corpus import CORPUS_METRICS
from reportkit.scores.shapes.paired_statistics import PairedStatistics
from reportkit.significance.catalogue import run_test
from reportkit.significance.corpus import corpus_bootstrap_interval, corpus_interval, jackknife_t_interval
from reportkit.significance.interval import Interval, agrees
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tango import tango_critical, upper_binomial_tail

SEED = 20_251_122
LEVEL = 0.95
SIZES = (5, 10, 20, 30, 50, 100, 200, 500, 1000, 2000)
SHARES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3)
LEADS = (0.0, 0.2, 0.4, 0.6, 0.8)
MANY = 500
"""From so many instances on, fewer true proportions are looked at."""

CORPUS_SIZES = (20, 30, 50, 100)
REPLICATES = 400
NEGLIGIBLE = 1e-9
TIE = 1e-12
RESULTS = Path(__file__).with_name("results") / "interval_candidates.csv"
FIELDS = (
    "scores",
    "n",
    "candidate",
    "smallest_coverage",
    "mean_coverage",
    "worst_side",
    "mean_length",
    "contradiction",
)

Floats = NDArray[np.float64]
Ends = tuple[Floats, Floats]


def score_ends(wins: Floats, losses: Floats, n: int, critical: Floats | float) -> Ends:
    """Tango's interval of many tables at once, at a critical value of each."""
    return -_upper(losses, wins, n, critical), _upper(wins, losses, n, critical)


def _upper(wins: Floats, losses: Floats, n: int, critical: Floats | float) -> Floats:
    low, high = (wins - losses) / n, np.ones_like(wins)
    for _ in range(45):
        middle = 0.5 * (low + high)
        excess = wins - losses - n * middle
        linear = -wins - losses + (2 * n - wins + losses) * middle
        constant = -losses * middle * (1 - middle)
        root = np.sqrt(np.maximum(linear * linear - 8 * n * constant, 0.0))
        with np.errstate(divide="ignore", invalid="ignore"):
            q = np.where(linear <= 0, (root - linear) / (4 * n), -2 * constant / (root + linear))
        outside = excess**2 > np.square(critical) * n * (2 * q + middle * (1 - middle))
        low, high = np.where(outside, low, middle), np.where(outside, middle, high)
    return high


def mcnemar_candidates(
    wins: Floats, losses: Floats, n: int
) -> tuple[dict[str, Ends], NDArray[np.bool_], NDArray[np.bool_]]:
    """Ends of each candidate, and whether the exact test rejects for A, and for B."""
    m = (wins + losses).astype(int)
    known = {int(one): tango_critical(int(one), LEVEL, upper_binomial_tail) for one in np.unique(m)}
    matched = np.array([known[int(one)][0] for one in m])
    enough = np.array([known[int(one)][1] for one in m])
    for_a, for_b = wins >= enough, losses >= enough
    normal = -float(ndtri((1 - LEVEL) / 2))
    score = score_ends(wins, losses, n, normal)
    corrected = score_ends(wins, losses, n, normal + np.where(m > 0, 1 / np.sqrt(np.maximum(m, 1)), 0.0))
    joined = (np.where(~for_a & (score[0] > 0), 0.0, score[0]), np.where(~for_b & (score[1] < 0), 0.0, score[1]))
    candidates = {
        "score (Tango)": score,
        "score, joined with 0 where the exact test does not reject": joined,
        "matched": score_ends(wins, losses, n, matched),
        "score with continuity correction": corrected,
    }
    return candidates, for_a, for_b


def mcnemar_rows(n: int) -> Iterator[dict[str, object]]:
    """Figures of one number of instances, over the grid of true proportions."""
    found: dict[str, list[tuple[float, float, float, float]]] = {}
    for share in SHARES if n < MANY else SHARES[1::2]:
        for lead in LEADS if n < MANY else LEADS[::2]:
            p_win, p_loss = share * (1 + lead) / 2, share * (1 - lead) / 2
            truth = p_win - p_loss
            wins, losses, chances = _tables(n, p_win, p_loss)
            candidates, for_a, for_b = mcnemar_candidates(wins, losses, n)
            for name, (low, high) in candidates.items():
                above, below = low > truth + TIE, high < truth - TIE
                contradicts = ((low > TIE) != for_a) | ((high < -TIE) != for_b)
                found.setdefault(name, []).append(
                    (
                        float(chances[~above & ~below].sum()),
                        max(float(chances[above].sum()), float(chances[below].sum())),
                        float((chances * (high - low)).sum()),
                        float(chances[contradicts].sum()),
                    )
                )
    for name, figures in found.items():
        yield _row("right or wrong", n, name, np.array(figures))


def _tables(n: int, p_win: float, p_loss: float) -> tuple[Floats, Floats, Floats]:
    """Tables whose probability is not negligible."""

    def reach(p: float) -> NDArray[np.int64]:
        spread = 7 * math.sqrt(n * p * (1 - p)) + 8
        return np.arange(max(math.floor(n * p - spread), 0), min(math.ceil(n * p + spread), n) + 1)

    wins, losses = (grid.ravel() for grid in np.meshgrid(reach(p_win), reach(p_loss), indexing="ij"))
    possible = wins + losses <= n
    wins, losses = wins[possible], losses[possible]
    ties = n - wins - losses
    logs = gammaln(n + 1) - gammaln(wins + 1) - gammaln(losses + 1) - gammaln(ties + 1)
    logs = logs + wins * math.log(p_win) + losses * math.log(p_loss) + ties * math.log1p(-p_win - p_loss)
    chances = np.exp(logs)
    kept = chances > NEGLIGIBLE * chances.max()
    return wins[kept].astype(float), losses[kept].astype(float), chances[kept] / chances[kept].sum()


def _row(scores: str, n: int, name: str, figures: Floats) -> dict[str, object]:
    covered, side, length, contradiction = figures.T
    return {
        "scores": scores,
        "n": n,
        "candidate": name,
        "smallest_coverage": round(float(covered.min()), 4),
        "mean_coverage": round(float(covered.mean()), 4),
        "worst_side": round(float(side.max()), 4),
        "mean_length": round(float(length.mean()), 4),
        "contradiction": round(float(contradiction.max()), 4),
    }


SYSTEMS: Mapping[str, tuple[tuple[float, float], tuple[float, float]]] = {
    "F1, equal": ((0.8, 0.6), (0.6, 0.8)),
    "F1, A better": ((0.75, 0.8), (0.65, 0.75)),
}
"""Recall and precision of A and of B."""


def _drawn(
    rng: np.random.Generator, n: int, systems: tuple[tuple[float, float], ...], *, heavy: bool
) -> PairedStatistics:
    """Counts of two systems on instances of one difficulty; few instances hold most of what is to be found if heavy."""
    gold = 1 + (rng.negative_binomial(0.4, 0.4 / 3.4, n) if heavy else rng.poisson(2.0, n))
    difficulty = 0.5 * (rng.beta(2, 2, n) - 0.5)
    rows = []
    for recall, precision in systems:
        found = np.clip(recall + difficulty, 0.02, 0.98)
        right = rng.binomial(gold, found)
        wrong = rng.poisson(gold * found * (1 - precision) / precision)
        rows.append(np.stack((right, wrong, gold - right), axis=1).astype(float))
    return PairedStatistics(
        system_a="new",
        system_b="old",
        dataset="simulated",
        metric="f1",
        kind="continuous",
        a=rows[0],
        b=rows[1],
        measure=CORPUS_METRICS["f1"],
    )


def corpus_rows(n: int, replicates: int) -> Iterator[dict[str, object]]:
    """Figures of F1 on one number of instances, over systems and instances of two kinds."""
    found: dict[str, list[tuple[float, float, float, float]]] = {}
    for number, systems in enumerate(SYSTEMS.values()):
        for heavy in (False, True):
            rng = np.random.default_rng(np.random.SeedSequence([SEED, n, number, heavy]))
            truth = _drawn(rng, 1_000_000, systems, heavy=heavy).value_difference
            counts: dict[str, Floats] = {}
            for replicate in range(replicates):
                sample = _drawn(rng, n, systems, heavy=heavy)
                outcome = run_test("corpus-bootstrap", sample, ResamplingPlan(seed=replicate))
                p_values = outcome.p_greater, outcome.p_less
                for name, interval in _corpus_candidates(sample, replicate, p_values).items():
                    seen = (interval.low > truth, interval.high < truth, interval.high - interval.low)
                    counts[name] = counts.get(name, np.zeros(4)) + np.array([*seen, not agrees(interval, *p_values)])
            for name, (above, below, length, wrong) in counts.items():
                found.setdefault(name, []).append(
                    (
                        1 - (above + below) / replicates,
                        max(above, below) / replicates,
                        length / replicates,
                        wrong / replicates,
                    )
                )
    for name, figures in found.items():
        yield _row("F1", n, name, np.array(figures))


def _corpus_candidates(sample: PairedStatistics, seed: int, p_values: tuple[float, float]) -> dict[str, Interval]:
    found = {
        "jackknife t": jackknife_t_interval(sample, LEVEL),
        "bootstrap-t below 50, BCa": corpus_interval(sample, LEVEL, seed),
        "basic": corpus_bootstrap_interval(sample, LEVEL, seed, p_values, fewest=0),
        "basic, jackknife t below 50": corpus_bootstrap_interval(sample, LEVEL, seed, p_values),
    }
    return {name: interval for name, interval in found.items() if interval is not None}


def main() -> None:
    """Enumerate and simulate all, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=REPLICATES, help="of each cell of a corpus metric")
    settings = parser.parse_args()
    rows: list[dict[str, object]] = []
    for n in SIZES:
        rows += mcnemar_rows(n)
        print(n, flush=True)
    for n in CORPUS_SIZES:
        rows += corpus_rows(n, settings.replicates)
        print("F1", n, flush=True)
    with RESULTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
