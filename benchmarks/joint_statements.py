"""How many datasets, and which: procedures that say both, compared in power and in error.

Run `python benchmarks/joint_statements.py` (3 minutes). One-sided z-tests on N datasets, some of which have an effect,
of the same size in standard errors. Procedures count datasets (a lower bound) and name them at level .05:

- "separate": the count by Fisher's combination, the names by Holm's procedure, each at the whole level
- "fisher", "bonferroni", "simes": closed testing with these local tests; names are those of closed Fisher, Holm, Hommel
- "twice": closed testing that rejects a set if twice the smaller of its Fisher and Bonferroni p-values is at most .05
- "exact": the same with the p-value of that smaller one, as `reportkit` has it ("fisher-bonferroni")

`results/joint_statements.csv` holds, for each design, the mean count and the mean number of names, the share of
families with one or more false statements (a count above the number of effects, or a false name), and the share in
which the count is below the number of names. Designs are one claim, with independent and with equally correlated
datasets; and families of claims that share systems, as `reportkit` counts and names them ("exact"), with Holm's
procedure over everything ("bonferroni"), and with both of Dror et al. (2017) ("separate"). A test reads the table.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import math
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import special

from reportkit.replicability import holm, k_hat
from reportkit.replicability.multiple_testing import fisher_bonferroni
from reportkit.replicability.multiple_testing.closed_testing import closed_p_values
from reportkit.replicability.multiple_testing.joint_closed_test import joint_closed_test
from reportkit.replicability.multiple_testing.p_values import rejection_level

SEED = 20_261_122
ALPHA = 0.05
RESULTS = Path(__file__).with_name("results") / "joint_statements.csv"
SIZES = (2, 3, 5, 10, 20, 30)
PROCEDURES = ("separate", "fisher", "bonferroni", "simes", "twice", "exact")
OF_FAMILIES = ("separate", "bonferroni", "exact")
N_SYSTEMS = 4

Floats = NDArray[np.float64]
Said = tuple[NDArray[np.int64], NDArray[np.bool_]]
"""Counts of shape (families,), names of shape (families, datasets)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One design.

    Parameters
    ----------
    design : {"one claim", "both", "baselines", "all-pairs"}
        Who is compared with whom.
    n_datasets : int
        N.
    effects : int
        Datasets with an effect: of the claim; in a family, those on which the first system is better than all others.
    size : float
        Of each effect, in standard errors.
    correlation : float
        Of the test statistics of any two datasets.
    """

    design: str
    n_datasets: int
    effects: int
    size: float
    correlation: float = 0.0

    @property
    def name(self) -> str:
        """Name of the random stream."""
        return f"{self.design}|{self.n_datasets}|{self.effects}|{self.size:g}|{self.correlation:g}"

    def draw(self, rng: np.random.Generator, replicates: int) -> Floats:
        """Test statistics of one claim, shape (replicates, n_datasets)."""
        common = rng.standard_normal((replicates, 1))
        own = rng.standard_normal((replicates, self.n_datasets))
        z = math.sqrt(self.correlation) * common + math.sqrt(1 - self.correlation) * own
        z[:, : self.effects] += self.size
        return z


def cells() -> Iterator[Cell]:
    """All designs: nothing, many small effects, half of them, few large ones; then dependence, then families."""
    for n in SIZES:
        yield Cell(design="one claim", n_datasets=n, effects=0, size=0.0)
        for size in (1.5, 2.0, 3.0):
            yield Cell(design="one claim", n_datasets=n, effects=n, size=size)
        if n > 3:
            yield Cell(design="one claim", n_datasets=n, effects=n // 2, size=2.0)
        for effects in sorted({1, max(1, n // 5)}):
            yield Cell(design="one claim", n_datasets=n, effects=effects, size=3.5)
    for n, correlation in itertools.product((2, 5, 12, 20, 40), (0.1, 0.3, 0.9)):
        yield Cell(design="one claim", n_datasets=n, effects=0, size=0.0, correlation=correlation)
    for design, n in itertools.product(("both", "baselines", "all-pairs"), (2, 5, 10)):
        yield Cell(design=design, n_datasets=n, effects=0, size=0.0)
        yield Cell(design=design, n_datasets=n, effects=n, size=2.0)
        yield Cell(design=design, n_datasets=n, effects=1, size=4.0)


def closed(p_values: Floats, of_fisher: Floats, of_bonferroni: Floats) -> Said:
    """Closed testing that rejects m p-values if Fisher's or Bonferroni's is at most the m-th number."""
    order = np.argsort(-p_values, axis=-1, kind="stable")
    ordered = np.take_along_axis(p_values, order, axis=-1)
    scores, sizes = fisher_bonferroni.score(ordered), np.arange(1, ordered.shape[-1] + 1)
    totals, needed = np.cumsum(scores, axis=-1), special.gammainccinv(sizes, of_fisher)
    rejected = (totals >= needed) | (sizes * ordered <= of_bonferroni)
    rejected = np.logical_and.accumulate(rejected[:, ::-1], axis=-1)[:, ::-1]
    named, before = rejected.copy(), 0.0
    for size in range(1, sizes.size):
        rest = slice(size, None)
        by_sum = before + scores[:, rest] >= needed[size - 1]
        named[:, rest] &= by_sum | (size * ordered[:, rest] <= of_bonferroni[size - 1])
        before = totals[:, size - 1 : size]
    back = np.empty_like(named)
    np.put_along_axis(back, order, named, axis=-1)
    return rejected.sum(-1), back


def closed_fisher(p_values: Floats) -> Said:
    """Closed testing with Fisher's combination."""
    n = p_values.shape[-1]
    return closed(p_values, np.full(n, ALPHA), np.zeros(n))


def twice(p_values: Floats) -> Said:
    """One p-value is compared with the level, the smaller one of several with half of it."""
    critical = np.full(p_values.shape[-1], ALPHA / 2)
    critical[0] = ALPHA
    return closed(p_values, critical, critical)


def exact(p_values: Floats) -> Said:
    """The procedure of reportkit, by its own functions."""
    counts = np.asarray(k_hat(p_values, ALPHA, "fisher-bonferroni"))
    return counts, closed_p_values(p_values) <= rejection_level(ALPHA)


def closed_simes(p_values: Floats) -> Said:
    """Hommel's procedure, and the count that belongs to it."""
    counts = np.asarray(k_hat(p_values, ALPHA, "simes"))
    return counts, (p_values.shape[-1] - counts)[:, None] * p_values <= ALPHA


def closed_bonferroni(p_values: Floats) -> Said:
    """Holm's procedure."""
    named = holm(p_values, ALPHA)
    return named.sum(-1), named


def separate(p_values: Floats) -> Said:
    """Fisher's count, Holm's names."""
    return np.asarray(k_hat(p_values, ALPHA, "fisher")), holm(p_values, ALPHA)


ONE_CLAIM: dict[str, Callable[[Floats], Said]] = {
    "separate": separate,
    "fisher": closed_fisher,
    "bonferroni": closed_bonferroni,
    "simes": closed_simes,
    "twice": twice,
    "exact": exact,
}


def one_claim(cell: Cell, replicates: int) -> dict[str, tuple[float, float, float, float]]:
    """Mean count, mean number of names, share with a false statement, share with a count below the names."""
    rng = np.random.default_rng([SEED, zlib.crc32(cell.name.encode())])
    p_values = np.clip(special.ndtr(-cell.draw(rng, replicates)), 1e-300, 1)
    found = {}
    for procedure, run in ONE_CLAIM.items():
        counts, named = run(p_values)
        false = (counts > cell.effects) | named[:, cell.effects :].any(-1)
        found[procedure] = (counts.mean(), named.sum(-1).mean(), false.mean(), (counts < named.sum(-1)).mean())
    return found


def pairs_of(design: str) -> list[tuple[int, int]]:
    """Who is claimed to be better than whom."""
    return {
        "both": [(0, 1), (1, 0)],
        "baselines": [(i, N_SYSTEMS - 1) for i in range(N_SYSTEMS - 1)],
        "all-pairs": list(itertools.permutations(range(N_SYSTEMS), 2)),
    }[design]


def say(design: str, values: list[Floats], procedure: str) -> list[tuple[int, NDArray[np.bool_]]]:
    """Count and names of each claim of one family."""
    level = rejection_level(ALPHA)
    times = 2 if design == "both" else 1
    groups = [[value] for value in values] if design == "both" else [values]
    if procedure == "exact":
        claims = [claim for group in groups for claim in joint_closed_test(group, times=times)]
        return [(int((claim.curve <= level).sum()), claim.adjusted <= level) for claim in claims]
    n = values[0].size
    named = [part <= level for group in groups for part in np.split(times * holm(np.concatenate(group)), len(group))]
    if procedure == "bonferroni":
        return [(int(names.sum()), names) for names in named]
    counts = np.asarray(k_hat(np.array(values).reshape(-1, n), ALPHA / len(values), "fisher"))
    return [(int(count), names) for count, names in zip(counts, named, strict=True)]


def family(cell: Cell, replicates: int) -> dict[str, tuple[float, float, float, float]]:
    """The same for a family of claims, summed over them; of each system one score with standard deviation 1 / √2."""
    rng = np.random.default_rng([SEED, zlib.crc32(cell.name.encode())])
    pairs = pairs_of(cell.design)
    shift = np.zeros((N_SYSTEMS, cell.n_datasets))
    shift[0, : cell.effects] = cell.size
    totals = {procedure: np.zeros(4) for procedure in OF_FAMILIES}
    for _ in range(replicates):
        scores = rng.standard_normal(shift.shape) / math.sqrt(2) + shift
        values = [np.clip(special.ndtr(scores[j] - scores[i]), 1e-300, 1) for i, j in pairs]
        true = [shift[i] > shift[j] for i, j in pairs]
        for procedure in OF_FAMILIES:
            said = say(cell.design, values, procedure)
            false = any(
                k > effect.sum() or (names & ~effect).any() for (k, names), effect in zip(said, true, strict=True)
            )
            below = any(k < names.sum() for k, names in said)
            totals[procedure] += [sum(k for k, _ in said), sum(names.sum() for _, names in said), false, below]
    return {procedure: tuple(total / replicates) for procedure, total in totals.items()}


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=20_000)
    parser.add_argument("--families", type=int, default=4_000)
    arguments = parser.parse_args()
    with RESULTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        columns = ("design", "n_datasets", "effects", "size", "correlation", "procedure", "replicates")
        writer.writerow([*columns, "count", "named", "false", "count_below_names"])
        for cell in cells():
            replicates = arguments.replicates if cell.design == "one claim" else arguments.families
            found = (one_claim if cell.design == "one claim" else family)(cell, replicates)
            for procedure, (count, named, false, below) in found.items():
                place = (cell.design, cell.n_datasets, cell.effects, f"{cell.size:g}", f"{cell.correlation:g}")
                numbers = (f"{count:.4f}", f"{named:.4f}", f"{false:.4f}", f"{below:.4f}")
                writer.writerow([*place, procedure, replicates, *numbers])
            file.flush()


if __name__ == "__main__":
    main()
