"""Size of tests for runs, unpaired scores, counts of right answers and correlations, and of what was not chosen.

Run `python benchmarks/size_of_designs.py` (about five minutes). Each row of `results/size_of_designs.csv` is a null
hypothesis and a candidate: how often a one-sided test of level .05, .01, .005 and .001 rejects it, in the worse
direction. Rows on two proportions are sums over all tables, the others simulations. `silent` is the share of samples
that are rejected at .05 without a warning about size beside, `power` that of rejections at .01 of a difference of four
standard errors. Tests hold the text and the figures in the findings against the table.
"""

from __future__ import annotations

import argparse
import csv
import math
import zlib
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtr
from scipy.stats import binom, hypergeom

from reportkit.significance.tests.boschloo import boschloo_region, fisher_tables
from reportkit.significance.tests.correlation_jackknife_t import FEW_FOR_PEARSON, usual_share

SEED = 20_251_123
LEVELS = (0.05, 0.01, 0.005, 0.001)
RESULTS = Path(__file__).with_name("results") / "size_of_designs.csv"
COLUMNS = (
    "design",
    "null",
    "n",
    "candidate",
    "replicates",
    *(f"size_at_{level}" for level in LEVELS),
    "silent",
    "power",
)

Rng = np.random.Generator
Floats = NDArray[np.float64]
Row = dict[str, object]


def stream(*name: object) -> Rng:
    """Random stream of one row, whatever other rows there are."""
    return np.random.default_rng(np.random.SeedSequence([SEED, zlib.crc32("|".join(map(str, name)).encode())]))


def row(
    design: str, null: str, n: str, candidate: str, replicates: int | str, sizes: Floats, silent="", power=""
) -> Row:
    """One row, rounded."""
    rounded = {f"size_at_{level}": f"{size:.3g}" for level, size in zip(LEVELS, sizes, strict=True)}
    ends = {name: value if value == "" else f"{value:.3g}" for name, value in (("silent", silent), ("power", power))}
    head = {"design": design, "null": null, "n": n, "candidate": candidate, "replicates": replicates}
    return head | rounded | ends


def rates(*sides: Floats) -> Floats:
    """Share of p-values at most each level, on the worse side."""
    return np.array([max(float((p <= level).mean()) for p in sides) for level in LEVELS])


# ------------------------------------------------------------------------------------------- two proportions, exactly

SMALL = ((5, 5), (10, 10), (30, 30), (40, 10), (10, 40), (200, 20))
LARGE = ((1000, 1000), (1000, 5000), (5000, 1000))


def proportions() -> Iterator[Row]:
    """Sizes of the z-test, Boschloo's and Fisher's test, at the worst of many common proportions."""
    for n_a, n_b in SMALL:
        shares = np.concatenate(([0.001, 0.005], np.arange(0.01, 1.0, 0.01), [0.995, 0.999]))
        a, b = np.arange(n_a + 1)[:, None], np.arange(n_b + 1)
        p_z, p_fisher = z_p_values(a, n_a, b, n_b), fisher_tables(n_a, n_b)
        sizes = {"z": [], "boschloo": [], "fisher": []}
        regions = [b <= boschloo_region(n_a, n_b, level)[:, None] for level in LEVELS]
        for share in shares:
            weights = binom.pmf(a, n_a, share) * binom.pmf(b, n_b, share)
            sizes["z"].append([weights[p_z <= level].sum() for level in LEVELS])
            sizes["fisher"].append([weights[p_fisher <= level].sum() for level in LEVELS])
            sizes["boschloo"].append([weights[region].sum() for region in regions])
        for candidate, found in sizes.items():
            worst = np.max(found, axis=0)
            yield row("k of n", "worst common proportion", f"{n_a} and {n_b}", candidate, "exact", worst)
    for n_a, n_b in LARGE:
        for share in (0.5, 0.8, 0.9, 0.98, 0.995):
            a, b = _around(n_a, share)[:, None], _around(n_b, share)
            weights = binom.pmf(a, n_a, share) * binom.pmf(b, n_b, share)
            p_values = {"z": z_p_values(a, n_a, b, n_b), "fisher": hypergeom.sf(a - 1, n_a + n_b, a + b, n_a)}
            for candidate, p in p_values.items():
                sizes_here = np.array([weights[p <= level].sum() for level in LEVELS])
                yield row("k of n", f"{share:g} right", f"{n_a} and {n_b}", candidate, "exact", sizes_here)


def z_p_values(a: NDArray[np.int64], n_a: int, b: NDArray[np.int64], n_b: int) -> Floats:
    """One-sided p-values of the pooled z-test of all tables."""
    right, n = a + b, n_a + n_b
    spread = np.sqrt(np.maximum(right * (n - right), 1) * float(n_a * n_b) / n)
    return np.where((right == 0) | (right == n), 1.0, ndtr(-(a * n_b - b * n_a) / spread))


def _around(n: int, share: float) -> NDArray[np.int64]:
    width = 12 * math.sqrt(n * share * (1 - share)) + 30
    return np.arange(max(0, int(n * share - width)), min(n, int(n * share + width)) + 1)


# ------------------------------------------------------------------------------------------------------- several runs


def degrees(v: Floats, freedom: Floats) -> dict[str, Floats]:
    """Degrees of freedom of candidates, of variances of shape (n_parts, n_replicates)."""
    total, below = v.sum(axis=0), (v**2 / freedom).sum(axis=0)
    return {"Satterthwaite": total**2 / below, "smallest": np.full(v.shape[1], float(freedom.min()))}


def runs(replicates: int = 60_000) -> Iterator[Row]:
    """t-tests over runs: the worst of many ratios of the variances, for every candidate."""
    for m in (2, 3, 4, 5, 7, 10):
        for units, others in (("100 instances", 99.0), ("10 clusters", 9.0), ("one score per run", None)):
            worst: dict[str, Floats] = {}
            power: dict[str, list[float]] = {}
            for ratio in (0.01, 0.03, 0.1, 0.2, 0.4, 1.0, 3.0, 10.0):
                for second in (0.0, 0.1, 1.0):
                    variances, freedom = [1.0, second], [m - 1.0, m - 1.0]
                    if others is not None:
                        variances, freedom = [*variances, ratio], [*freedom, others]
                    else:
                        variances, freedom = ([1.0, ratio], [m - 1.0, 20.0 if second == 0 else m - 1.0])
                    rng = stream("runs", m, units, ratio, second)
                    for candidate, (sizes, detected) in _over_runs(variances, freedom, replicates, rng).items():
                        worst[candidate] = np.maximum(worst.get(candidate, np.zeros(len(LEVELS))), sizes)
                        power.setdefault(candidate, []).append(detected)
            for candidate, sizes in worst.items():
                mean_power = float(np.mean(power[candidate]))
                yield row(
                    "runs",
                    f"normal, worst variances, {units}",
                    f"{m} runs",
                    candidate,
                    replicates,
                    sizes,
                    "",
                    mean_power,
                )
    for m in (2, 3, 5, 10, 20):
        for null in ("exponential scores", "one training in seven collapses"):
            rng = stream("runs", m, null)
            if null.startswith("exp"):
                a, b = 1 - rng.exponential(size=(replicates, m)), 0.3 * (1 - rng.exponential(size=(replicates, m)))
            else:
                a = 0.8 + rng.normal(scale=0.01, size=(replicates, m)) - 0.7 * (rng.random((replicates, m)) < 1 / 7)
                b = 0.7 + rng.normal(scale=0.01, size=(replicates, m))
            v = np.stack((a.var(axis=1, ddof=1), b.var(axis=1, ddof=1))) / m
            t = (a.mean(axis=1) - b.mean(axis=1)) / np.sqrt(v.sum(axis=0))
            for candidate, freedom in degrees(v, np.full((2, 1), m - 1.0)).items():
                yield row(
                    "runs", null, f"{m} runs", candidate, replicates, rates(stdtr(freedom, -t), stdtr(freedom, t))
                )


def _over_runs(
    variances: list[float], freedom: list[float], replicates: int, rng: Rng
) -> Mapping[str, tuple[Floats, float]]:
    f = np.array(freedom)[:, None]
    v = np.array(variances)[:, None] * rng.chisquare(f, (len(freedom), replicates)) / f
    spread = math.sqrt(sum(variances))
    difference = rng.normal(scale=spread, size=replicates)
    error = np.sqrt(v.sum(axis=0))
    found = {}
    for candidate, degree in degrees(v, f).items():
        sizes = rates(stdtr(degree, -difference / error), stdtr(degree, difference / error))
        found[candidate] = sizes, float((stdtr(degree, -(difference + 4 * spread) / error) <= 0.01).mean())
    return found


# ---------------------------------------------------------------------------------------------------- unpaired scores

Draw = Callable[[Rng, int, int], Floats]


def _normal(scale: float) -> Draw:
    return lambda rng, r, n: scale * rng.normal(size=(r, n))


def _exponential(scale: float) -> Draw:
    return lambda rng, r, n: scale * (rng.exponential(size=(r, n)) - 1)


def _lognormal(scale: float) -> Draw:
    return lambda rng, r, n: scale * (rng.lognormal(size=(r, n)) - math.exp(0.5))


def _t3(scale: float) -> Draw:
    return lambda rng, r, n: scale * rng.standard_t(3, size=(r, n))


def _beta(scale: float) -> Draw:
    return lambda rng, r, n: scale * (rng.beta(0.3, 0.3, (r, n)) - 0.5)


UNPAIRED: Mapping[str, tuple[Draw, Draw]] = {
    "alike: normal": (_normal(1), _normal(1)),
    "alike: exponential": (_exponential(1), _exponential(1)),
    "alike: lognormal": (_lognormal(1), _lognormal(1)),
    "alike: U-shaped": (_beta(1), _beta(1)),
    "normal, the smaller sample scatters 4 times as much": (_normal(1), _normal(4)),
    "normal, the larger sample scatters 4 times as much": (_normal(4), _normal(1)),
    "t with 3 degrees of freedom, the smaller sample scatters 3 times as much": (_t3(1), _t3(3)),
    "skewed: exponential and minus exponential": (_exponential(1), _exponential(-1)),
    "skewed: exponential and normal": (_exponential(1), _normal(0.2)),
    "skewed: normal and exponential": (_normal(0.2), _exponential(1)),
    "skewed: lognormal and normal": (_lognormal(1), _normal(0.3)),
    "skewed: normal and lognormal": (_normal(0.3), _lognormal(1)),
}
"""Scores of mean 0: of the larger sample, and of the smaller one."""

UNPAIRED_SIZES = ((5, 5), (10, 3), (40, 5), (10, 10), (40, 10), (20, 20), (80, 20), (30, 30), (49, 49), (150, 49))


def unpaired(replicates: int = 2000, divisions: int = 1500) -> Iterator[Row]:
    """Welch's test, the studentised permutation test, and the larger p-value of both."""
    for n_a, n_b in UNPAIRED_SIZES:
        for null, (first, second) in UNPAIRED.items():
            rng = stream("unpaired", n_a, n_b, null)
            a, b = first(rng, replicates, n_a), second(rng, replicates, n_b)
            for candidate, sides in p_values_unpaired(a, b, rng, divisions).items():
                yield row("unpaired", null, f"{n_a} and {n_b}", candidate, replicates, rates(*sides))


def p_values_unpaired(a: Floats, b: Floats, rng: Rng, divisions: int) -> dict[str, tuple[Floats, Floats]]:
    """Both one-sided p-values of each row: from all divisions where there are few, else from the same random ones."""
    n_a, n_b = a.shape[1], b.shape[1]
    in_first, every = _divisions(n_a + n_b, n_a, divisions, rng)
    pooled = np.concatenate((a, b), axis=1)
    pooled = pooled - pooled.mean(axis=1, keepdims=True)
    sums, squares = pooled @ in_first.T, pooled**2 @ in_first.T
    rest = pooled.sum(axis=1, keepdims=True) - sums
    other_squares = (pooled**2).sum(axis=1, keepdims=True) - squares
    variance = (squares - sums**2 / n_a) / (n_a - 1) / n_a + (other_squares - rest**2 / n_b) / (n_b - 1) / n_b
    divided = (sums / n_a - rest / n_b) / np.sqrt(np.maximum(variance, 1e-300))
    v_a, v_b = a.var(axis=1, ddof=1) / n_a, b.var(axis=1, ddof=1) / n_b
    t = (a.mean(axis=1) - b.mean(axis=1)) / np.sqrt(v_a + v_b)
    slack = 1e-9 * np.maximum(1, np.abs(t))
    extreme = [(divided >= (t - slack)[:, None]).sum(axis=1), (divided <= (t + slack)[:, None]).sum(axis=1)]
    permuted = [count / len(in_first) if every else (count + 1) / (len(in_first) + 1) for count in extreme]
    freedom = (v_a + v_b) ** 2 / (v_a**2 / (n_a - 1) + v_b**2 / (n_b - 1))
    welch = [stdtr(freedom, -t), stdtr(freedom, t)]
    both = [np.maximum(one, other) for one, other in zip(permuted, welch, strict=True)]
    return {"permutation": (permuted[0], permuted[1]), "Welch": (welch[0], welch[1]), "both": (both[0], both[1])}


def _divisions(n: int, n_first: int, most: int, rng: Rng) -> tuple[Floats, bool]:
    if math.comb(n, n_first) <= 2 * most:
        chosen = np.array(list(combinations(range(n), n_first)))
        found = np.zeros((len(chosen), n))
        np.put_along_axis(found, chosen, 1.0, axis=1)
        return found, True
    return (np.argsort(rng.random((most, n)), axis=1) < n_first).astype(float), False


# ------------------------------------------------------------------------------------------------------- correlations


def _contaminated(rng: Rng, r: int, n: int, share: float, far: float) -> Floats:
    return np.where(rng.random((r, n)) < share, far, 0.5) * rng.normal(size=(r, n))


def _one_contaminated(share: float, far: float) -> Callable[[Rng, int, int], tuple[Floats, Floats, Floats]]:
    def draw(rng: Rng, r: int, n: int) -> tuple[Floats, Floats, Floats]:
        gold = rng.normal(size=(r, n))
        spread = math.sqrt(share * far**2 + (1 - share) * 0.25)
        return gold + spread * rng.normal(size=(r, n)), gold + _contaminated(rng, r, n, share, far), gold

    return draw


def _with_equal(transform: str) -> Callable[[Rng, int, int], tuple[Floats, Floats, Floats]]:
    def draw(rng: Rng, r: int, n: int) -> tuple[Floats, Floats, Floats]:
        gold, common = rng.normal(size=(2, r, n))
        a, b = (
            0.6 * gold + 0.8 * (math.sqrt(0.3) * common + math.sqrt(0.7) * rng.normal(size=(r, n))) for _ in range(2)
        )
        if transform == "lognormal":
            return np.exp(a), np.exp(b), np.exp(gold)
        if transform == "lognormal gold":
            skewed = np.exp(gold) / math.sqrt(math.e * (math.e - 1))
            return skewed + rng.normal(size=(r, n)), skewed + rng.normal(size=(r, n)), skewed
        if transform == "heavy tails":
            scale = np.sqrt(3 / rng.chisquare(3, size=(r, n)))
            return a * scale, b * scale, gold * scale
        if transform == "ties":
            rounded = [np.clip(np.rint(3 + 1.5 * values), 1, 7) for values in (a, b, gold)]
            return rounded[0], rounded[1], rounded[2]
        if transform == "both contaminated":
            first, second = (gold + _contaminated(rng, r, n, 0.03, 5.0) for _ in range(2))
            return first, second, gold
        return a, b, gold

    return draw


CORRELATIONS = {
    **{name: _with_equal(name) for name in ("normal", "lognormal", "lognormal gold", "heavy tails", "ties")},
    "both contaminated": _with_equal("both contaminated"),
    "B: 1% far off": _one_contaminated(0.01, 10.0),
    "B: 3% far off": _one_contaminated(0.03, 5.0),
    "B: 10% off": _one_contaminated(0.1, 3.0),
}


def correlations(replicates: int = 2000) -> Iterator[Row]:
    """The jackknife t-test of two Pearson correlations that are equal in the population, and its two warnings."""
    for n in (10, 30, 100, 300, 1000):
        for null, draw in CORRELATIONS.items():
            r = replicates if n < 1000 else replicates // 3
            a, b, gold = draw(stream("correlations", n, null), r, n)
            difference, left_out = (x - y for x, y in zip(_left_out(a, gold), _left_out(b, gold), strict=True))
            deviations = left_out - left_out.mean(axis=1, keepdims=True)
            squares = (deviations**2).sum(axis=1)
            t = difference / np.sqrt((n - 1) / n * squares)
            sides = stdtr(n - 1, -t), stdtr(n - 1, t)
            influential = (deviations**2).max(axis=1) / squares > usual_share(n)
            rejected = [p <= LEVELS[0] for p in sides]
            worse = int(rejected[1].sum() > rejected[0].sum())
            unwarned = rejected[worse] & ~influential
            for candidate, silent in (
                ("warned by influence", unwarned.mean()),
                ("warned by influence or n", 0.0 if n < FEW_FOR_PEARSON else unwarned.mean()),
            ):
                yield row("correlation", null, str(n), candidate, r, rates(*sides), silent)
            fires = float(influential.mean())
            yield row("correlation", null, str(n), "warning by influence fires", r, np.full(len(LEVELS), fires))


def _left_out(x: Floats, gold: Floats) -> tuple[Floats, Floats]:
    """Pearson correlations of each row, and without each instance."""
    n = x.shape[1]
    x, gold = x - x.mean(axis=1, keepdims=True), gold - gold.mean(axis=1, keepdims=True)
    xy, xx, yy = (np.sum(product, axis=1, keepdims=True) for product in (x * gold, x * x, gold * gold))
    f = n / (n - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        without = (xy - f * x * gold) / np.sqrt((xx - f * x * x) * (yy - f * gold * gold))
    return (xy / np.sqrt(xx * yy))[:, 0], without


PARTS = {"k of n": proportions, "runs": runs, "unpaired": unpaired, "correlation": correlations}


def main() -> None:
    """Compute all parts, or one, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", choices=("", *PARTS), help="one part; the others are kept")
    only = parser.parse_args().only
    kept: list[Row] = []
    if only and RESULTS.exists():
        with RESULTS.open(encoding="utf-8") as file:
            kept = list(csv.DictReader(file))
    rows: list[Row] = []
    for name, part in PARTS.items():
        rows += [one for one in kept if one["design"] == name] if only and only != name else part()
        print(name, len(rows), flush=True)
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
