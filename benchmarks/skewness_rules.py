"""When is a population called skewed? Size and power of the default test of a mean under each rule, by simulation.

Run `python benchmarks/skewness_rules.py`; it takes about five minutes. The default test of a mean is the sign flip,
which is exact for symmetric differences, and the bootstrap-t where differences are skewed. A rule that sees skewness in
symmetric, heavy-tailed differences replaces an exact test by a liberal one; a rule that sees none leaves skewed
differences to a test that is off. `results/skewness_rules.csv` holds, for each rule, null hypothesis and n, the shares
of rejections in both directions (a: left tail, where it is skewed), and the power where the mean is 2.5 standard errors
away from 0 and differences are continuous; a test holds the rule that the package uses to it.
"""

from __future__ import annotations

import argparse
import csv
import math
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reportkit.significance.skewness import FEWEST_NONZERO, SHOWN

SEED = 20_261_122
LEVELS = (0.05, 0.01, 0.005, 0.001)
SIZES = (5, 10, 20, 30, 50, 100, 300, 1000)
N_RESAMPLES = 1_999
EFFECT = 2.5
RESULTS = Path(__file__).with_name("results") / "skewness_rules.csv"
CHOSEN = "121, and cubic or robust beyond 2"
NEVER, ALWAYS, LARGER = "sign flip always", "bootstrap-t always", "121, larger p-value of both"

_SHARED = 50
"""Data sets that share one draw of resamples."""

Rng = np.random.Generator
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Measures = Mapping[str, Floats]


@dataclass(frozen=True, slots=True)
class Null:
    """Differences of mean 0: how they are drawn, whether they are symmetric, and whether they are continuous."""

    draw: Callable[[Rng, tuple[int, int]], Floats]
    symmetric: bool
    continuous: bool = True


_BETA_MEAN = 0.1

NULLS: dict[str, Null] = {
    "normal": Null(lambda rng, shape: rng.normal(size=shape), True),
    "Laplace": Null(lambda rng, shape: rng.laplace(size=shape), True),
    "t, 3 degrees of freedom": Null(lambda rng, shape: rng.standard_t(3, size=shape), True),
    "t, 2 degrees of freedom": Null(lambda rng, shape: rng.standard_t(2, size=shape), True, False),
    "U-shaped (beta)": Null(lambda rng, shape: rng.beta(0.3, 0.3, size=shape) - 0.5, True),
    "normal, 5% with sd 6": Null(
        lambda rng, shape: rng.normal(size=shape) * np.where(rng.random(shape) < 0.05, 6.0, 1.0), True
    ),
    "whole numbers": Null(lambda rng, shape: np.rint(1.2 * rng.normal(size=shape)), True, False),
    "80% zeros": Null(lambda rng, shape: rng.normal(size=shape) * (rng.random(shape) < 0.2), True, False),
    "1 - exponential": Null(lambda rng, shape: 1 - rng.exponential(size=shape), False),
    "4 - gamma(4)": Null(lambda rng, shape: 4 - rng.gamma(4, size=shape), False),
    "lognormal, left": Null(lambda rng, shape: math.exp(0.5) - rng.lognormal(size=shape), False),
    "80% zeros, 1 - exponential": Null(
        lambda rng, shape: (1 - rng.exponential(size=shape)) * (rng.random(shape) < 0.2), False, False
    ),
    "90% N(.1, .3), 10% N(-.9, 1)": Null(
        lambda rng, shape: np.where(
            rng.random(shape) < 0.9, rng.normal(0.1, 0.3, size=shape), rng.normal(-0.9, 1.0, size=shape)
        ),
        False,
    ),
    "partial credit": Null(
        lambda rng, shape: np.where(rng.random(shape) < 0.8, 1.0, 0.0) - np.where(rng.random(shape) < 0.8, 0.75, 1.0),
        False,
        False,
    ),
    "normal and beta": Null(
        lambda rng, shape: 0.5 * (_BETA_MEAN - rng.beta(1, 9, size=shape)) + 0.03 * rng.normal(size=shape), False
    ),
}


def measures(differences: Floats) -> dict[str, Floats]:
    """What the rules look at, one value per row of differences."""
    n = differences.shape[1]
    mean = differences.mean(axis=1, keepdims=True)
    r = differences - mean
    sd = np.sqrt(np.square(r).mean(axis=1, keepdims=True))
    z = r / np.where(sd > 0, sd, 1.0)
    g = (z**3).mean(axis=1)
    influence = z**3 - 3 * z - g[:, None] - 1.5 * g[:, None] * (z**2 - 1)
    spread = np.abs(r).mean(axis=1, keepdims=True)
    u = r / np.where(spread > 0, spread, 1.0)
    slope = np.square(1 / (1 + np.abs(u))).mean(axis=1, keepdims=True)
    median = np.median(differences, axis=1, keepdims=True)
    about_median = np.abs(differences - median).mean(axis=1) * math.sqrt(math.pi / 2 * 0.5708)
    low, middle, high = np.quantile(differences, [0.1, 0.5, 0.9], axis=1)
    ordered = np.sort(differences, axis=1)
    few = max(1, round(0.05 * n))
    left, right = ordered[:, :few].mean(axis=1), ordered[:, -few:].mean(axis=1)
    centre = ordered[:, int(0.25 * n) : math.ceil(0.75 * n)].mean(axis=1)
    return {
        "n_nonzero": np.count_nonzero(differences, axis=1).astype(np.float64),
        "g": g,
        "jackknife": g * n / _root_of_squares(influence),
        "cubic": _normalised(z**3 - 3 * z),
        "robust": _normalised(slope * u - u / (1 + np.abs(u))) * np.sign(g),
        "mean - median": math.sqrt(n) * _ratio(mean[:, 0] - median[:, 0], about_median) * np.sign(g),
        "deciles": math.sqrt(n) / 1.3 * _ratio(high + low - 2 * middle, high - low) * np.sign(g),
        "Hogg": math.sqrt(n) / 1.2 * _ratio(left + right - 2 * centre, right - left) * np.sign(g),
    }


def _root_of_squares(terms: Floats) -> Floats:
    return np.asarray(np.sqrt(np.square(terms).sum(axis=1)) + 1e-300)


def _normalised(terms: Floats) -> Floats:
    return np.asarray(terms.sum(axis=1) / _root_of_squares(terms))


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _beyond(name: str, errors: float) -> Callable[[Measures, int], Bools]:
    return lambda found, n: np.abs(found[name]) > errors


def _towards(name: str, errors: float) -> Callable[[Measures, int], Bools]:
    return lambda found, n: found[name] > errors


def _normal_theory(errors: float) -> Callable[[Measures, int], Bools]:
    return lambda found, n: np.abs(found["g"]) > errors * math.sqrt(6 * (n - 2) / ((n + 1) * (n + 3)))


def _either(robust: float) -> Callable[[Measures, int], Bools]:
    return lambda found, n: (np.abs(found["cubic"]) > SHOWN) | (found["robust"] > robust)


RULES: dict[str, Callable[[Measures, int], Bools]] = {
    "121": lambda found, n: np.full(found["g"].shape, True),
    "121, and g beyond 2 normal-theory SE": _normal_theory(2),
    "121, and g beyond 3 normal-theory SE": _normal_theory(3),
    "121, and g beyond 1.645 jackknife SE": _beyond("jackknife", 1.645),
    "121, and g beyond 2 jackknife SE": _beyond("jackknife", 2),
    "121, and cubic beyond 1.645": _beyond("cubic", 1.645),
    "121, and cubic beyond 2": _beyond("cubic", 2),
    "121, and mean - median beyond 2": _towards("mean - median", 2),
    "121, and deciles beyond 2": _towards("deciles", 2),
    "121, and Hogg beyond 2": _towards("Hogg", 2),
    "121, and robust beyond 1.645": _towards("robust", 1.645),
    "121, and robust beyond 2": _towards("robust", 2),
    "121, and cubic beyond 2 or robust beyond 2.576": _either(2.576),
    CHOSEN: _either(SHOWN),
}
"""Besides n < 121 g^2, which "121" stands for: what a rule asks for before it calls differences skewed."""


def flips(differences: Floats, shifts: tuple[float, ...], rng: Rng) -> NDArray[np.float64]:
    """Sign-flip p-values (s + 1) / (b + 1), of shape (shift, direction, row), each shift added to all differences."""
    found = np.empty((len(shifts), 2, differences.shape[0]))
    for start in range(0, differences.shape[0], _SHARED):
        columns = differences[start : start + _SHARED].T
        signs = rng.integers(0, 2, size=(N_RESAMPLES, columns.shape[0]), dtype=np.int8).astype(np.float64) * 2 - 1
        sums, balance = signs @ columns, signs.sum(axis=1, keepdims=True)
        for row, shift in enumerate(shifts):
            moved, observed = sums + shift * balance, columns.sum(axis=0) + shift * columns.shape[0]
            tie = 1e-9 * np.abs(columns + shift).sum(axis=0)
            found[row, 0, start : start + _SHARED] = (moved >= observed - tie).sum(axis=0)
            found[row, 1, start : start + _SHARED] = (moved <= observed + tie).sum(axis=0)
    return (found + 1) / (N_RESAMPLES + 1)


def bootstraps(differences: Floats, shifts: tuple[float, ...], rng: Rng) -> NDArray[np.float64]:
    """Bootstrap-t p-values, of the same shape; 1 where there is no variance."""
    n = differences.shape[1]
    found = np.ones((len(shifts), 2, differences.shape[0]))
    factor = math.sqrt(n / (n - 1))
    for start in range(0, differences.shape[0], _SHARED):
        columns = differences[start : start + _SHARED].T
        mean = columns.mean(axis=0)
        r = columns - mean
        drawn = rng.integers(0, n, size=(N_RESAMPLES, n)) + n * np.arange(N_RESAMPLES)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=N_RESAMPLES * n).reshape(N_RESAMPLES, n).astype(np.float64)
        first, second = counts @ r, counts @ np.square(r)
        squares = second - first * first / n
        kept = squares > 1e-12 * second
        t = np.where(kept, first / (factor * np.sqrt(np.where(kept, squares, 1.0))), np.nan)
        error = factor * np.sqrt(np.square(r).sum(axis=0))
        usable = error > 1e-12 * np.abs(columns).max(axis=0)
        for row, shift in enumerate(shifts):
            observed = n * (mean + shift) / np.where(usable, error, 1.0)
            tie = 1e-12 * np.abs(observed)
            valid = kept.sum(axis=0) + 1
            for side, count in enumerate(((t >= observed - tie).sum(axis=0), (t <= observed + tie).sum(axis=0))):
                found[row, side, start : start + _SHARED] = np.where(usable, (count + 1) / valid, 1.0)
    return found


def replicates_of(n: int, most: int) -> int:
    """Fewer replicates where they are dear."""
    return min(most, max(most // 2, 2_000_000 // n))


def simulated(name: str, n: int, most: int) -> Iterator[dict[str, object]]:
    """Rows of one null hypothesis and n: every rule on the same samples."""
    null, replicates = NULLS[name], replicates_of(n, most)
    rng = np.random.default_rng(np.random.SeedSequence([SEED, zlib.crc32(name.encode()), n]))
    differences = null.draw(rng, (replicates, n))
    shift = EFFECT * float(null.draw(np.random.default_rng(SEED), (1, 200_000)).std()) / math.sqrt(n)
    shifts = (0.0, shift, -shift) if null.continuous else (0.0,)
    with np.errstate(invalid="ignore", divide="ignore"):
        by_flips, by_bootstrap = flips(differences, shifts, rng), bootstraps(differences, shifts, rng)
        found = measures(differences)
    matters = n < 121 * np.square(found["g"])
    enough = found["n_nonzero"] >= FEWEST_NONZERO
    every = np.full(replicates, True)
    for rule in (NEVER, ALWAYS, *(RULES if n >= FEWEST_NONZERO else ()), LARGER):
        if rule in (NEVER, ALWAYS):
            used = every if rule == ALWAYS else ~every
        else:
            used = matters & enough & (RULES[rule](found, n) if rule in RULES else every)
        p = np.where(used, np.maximum(by_flips, by_bootstrap) if rule == LARGER else by_bootstrap, by_flips)
        yield {"null": name, "symmetric": int(null.symmetric), "n": n, "rule": rule, "replicates": replicates} | {
            "bootstrap_t": _share(used),
            **{f"a_{_digits(level)}": _share(p[0, 0] <= level) for level in LEVELS},
            **{f"b_{_digits(level)}": _share(p[0, 1] <= level) for level in LEVELS},
            **{
                f"power_{side}_{_digits(level)}": _share(p[row, row - 1] <= level) if null.continuous else ""
                for row, side in ((1, "a"), (2, "b"))
                for level in LEVELS[:2]
            },
        }


def _digits(level: float) -> str:
    return f"{level:g}".partition(".")[2]


def _share(hits: Bools) -> str:
    return f"{hits.mean():.4f}"


def table() -> list[dict[str, str]]:
    """The committed table."""
    with RESULTS.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def worst(row: Mapping[str, str], level: float) -> float:
    """Share of rejections at a level in the direction in which there are more."""
    return max(float(row[f"a_{_digits(level)}"]), float(row[f"b_{_digits(level)}"]))


def summary(rows: list[dict[str, str]], rule: str, *, symmetric: bool, level: float) -> tuple[float, float]:
    """Largest and mean size of a rule over all null hypotheses of one kind, for n = 20 and more."""
    found = [
        worst(row, level)
        for row in rows
        if row["rule"] == rule and (row["symmetric"] == "1") == symmetric and int(row["n"]) >= FEWEST_NONZERO
    ]
    return max(found), sum(found) / len(found)


def main() -> None:
    """Simulate everything, write the table, and print each rule's sizes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=10_000)
    most = parser.parse_args().replicates
    rows = [row for n in SIZES for name in NULLS for row in simulated(name, n, most)]
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    written = table()
    for rule in (NEVER, ALWAYS, *RULES, LARGER):
        figures = [
            f"{largest:.4f} {mean:.4f}"
            for symmetric in (True, False)
            for level in LEVELS
            for largest, mean in (summary(written, rule, symmetric=symmetric, level=level),)
        ]
        print(f"{rule:50} {' | '.join(figures)}")


if __name__ == "__main__":
    main()
