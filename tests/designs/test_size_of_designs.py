"""What text and findings say about sizes, against the table that benchmarks/size_of_designs.py wrote."""

from __future__ import annotations

import csv
import importlib.util
import math
import re
import sys

import numpy as np
import pytest

from reportkit.scores.shapes.unpaired import UnpairedScores
from reportkit.significance.cautions.run_spread import SIZES_OF_FEW_RUNS
from reportkit.significance.cautions.unpaired_sizes import SIZES_WHERE_SKEWED
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.correlation_jackknife_t import SIZES_WHERE_CONTAMINATED
from reportkit.significance.tests.welch_permutation import welch_permutation

LEVELS = (0.05, 0.01, 0.005, 0.001)


@pytest.fixture(scope="module")
def simulation(root):
    """The script that made the table."""
    spec = importlib.util.spec_from_file_location("size_of_designs", root / "benchmarks" / "size_of_designs.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def table(simulation):
    """The committed table."""
    with simulation.RESULTS.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _sizes(rows):
    """Largest size at each level."""
    return {level: max(float(row[f"size_at_{level}"]) for row in rows) for level in LEVELS}


def _limit(level, replicates):
    return level + 4 * math.sqrt(level * (1 - level) / replicates)


def test_exact_tests_of_counts_never_exceed_a_level(table):
    """Boschloo's and Fisher's, at every level; the z-test does, by up to 37 times."""
    for candidate in ("boschloo", "fisher"):
        sizes = _sizes([row for row in table if row["candidate"] == candidate])
        assert all(size <= level for level, size in sizes.items())
    assert _sizes([row for row in table if row["candidate"] == "z"])[0.001] > 0.03


def test_runs_keep_their_levels(table):
    """From five runs on nearly, whatever the variances; with fewer within the sizes that the finding says."""
    rows = [row for row in table if row["design"] == "runs" and row["candidate"] == "Satterthwaite"]
    normal = [row for row in rows if row["null"].startswith("normal")]
    for m, said in SIZES_OF_FEW_RUNS.items():
        found = _sizes([row for row in normal if row["n"] == f"{m} runs"])
        for level, size in said.items():
            assert size == pytest.approx(found[level], rel=0.05)
    others = _sizes([row for row in normal if row["n"] not in ("2 runs", "3 runs", "4 runs")])
    assert others[0.05] <= 0.055
    assert others[0.01] <= 0.015


def test_unpaired_means_keep_their_levels_where_either_test_fails(table):
    """Scores alike in both systems, and normal ones of unequal spread; skewed ones within what the finding says."""
    rows = [row for row in table if row["design"] == "unpaired" and row["candidate"] == "both"]
    for row in rows:
        if not row["null"].startswith("skewed"):
            assert float(row["size_at_0.05"]) <= _limit(0.05, int(row["replicates"]))
            assert float(row["size_at_0.01"]) <= _limit(0.01, int(row["replicates"]))
    for n, said in SIZES_WHERE_SKEWED.items():
        found = _sizes([row for row in rows if min(map(int, row["n"].split(" and "))) == n])
        for level in (0.05, 0.01, 0.005):
            assert size_is_said(said[level], found[level])


def size_is_said(said, found):
    """Rounded up a little, never below by more than noise."""
    return 0.95 * found <= said <= 1.15 * found


def test_correlations(table):
    """Equal tails keep the level; unequal ones are within what the finding says, and never without a warning."""
    rows = [row for row in table if row["candidate"] == "warned by influence or n"]
    for row in rows:
        limit = _limit(0.05, int(row["replicates"]))
        if row["null"].startswith("B:"):
            said = SIZES_WHERE_CONTAMINATED[int(row["n"])]
            assert all(float(row[f"size_at_{level}"]) <= 1.05 * size for level, size in said.items())
        else:
            assert float(row["size_at_0.05"]) <= limit + 0.005
        assert float(row["silent"]) <= limit
    fires = [row for row in table if row["candidate"] == "warning by influence fires" and row["null"] == "normal"]
    assert max(float(row["size_at_0.05"]) for row in fires) <= 0.03


def test_the_table_of_the_text(root, table):
    """Each row of the table in docs/explanation/designs.md is in the data, rounded."""
    candidates = {
        "z": "z",
        "Boschloo": "boschloo",
        "Fisher": "fisher",
        "Satterthwaite's degrees of freedom": "Satterthwaite",
        "the fewest degrees of freedom": "smallest",
        "permutation": "permutation",
        "Welch": "Welch",
        "larger p of both": "both",
    }
    nulls = {
        "worst common accuracy": "worst common proportion",
        "98% right": "0.98 right",
        "normal, worst variances": "normal, worst variances, 100 instances",
        "normal, the few scatter 4 times as much": "normal, the smaller sample scatters 4 times as much",
        "alike, lognormal": "alike: lognormal",
    }
    text = (root / "docs" / "explanation" / "designs.md").read_text("utf-8")
    rows = [
        line.strip("| ").split(" | ") for line in text.splitlines() if re.match(r"\| (k of n|\d runs|unpaired,)", line)
    ]
    assert len(rows) == 8
    for design, null, *pairs in rows:
        n = re.sub(r",| on 100 instances", "", design.removeprefix("k of n, ").removeprefix("unpaired, "))
        for candidate, sizes in (pairs[:2], pairs[2:]):
            (row,) = [
                row
                for row in table
                if (row["n"], row["null"], row["candidate"]) == (n, nulls[null], candidates[candidate])
            ]
            for level, size in zip((0.05, 0.01), sizes.split(" / "), strict=True):
                assert float(size) == pytest.approx(float(row[f"size_at_{level}"]), abs=6e-4)


def test_the_simulated_unpaired_test_is_the_one_that_is_run(simulation):
    """The vectorised p-values of the script are those of the test, where all divisions are looked at."""
    rng = np.random.default_rng(0)
    a, b = rng.exponential(size=(5, 7)), rng.normal(size=(5, 4))
    p_greater, p_less = simulation.p_values_unpaired(a, b, rng, 1500)["both"]
    for i in range(5):
        sample = UnpairedScores(
            system_a="a", system_b="b", dataset="cb", metric="score", kind="continuous", a=a[i], b=b[i]
        )
        outcome = welch_permutation(sample, ResamplingPlan())
        assert (outcome.p_greater, outcome.p_less) == pytest.approx((p_greater[i], p_less[i]))


def test_the_exact_part_is_what_the_script_gives(simulation, table):
    """Sums over tables, again; the first rows are those of the smallest samples."""
    again = [row for _, row in zip(range(3), simulation.proportions(), strict=False)]
    assert [{name: str(value) for name, value in row.items()} for row in again] == table[:3]
