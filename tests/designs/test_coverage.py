"""Coverage of the intervals, simulated by benchmarks/interval_coverage.py and shown in docs/explanation/coverage.md."""

from __future__ import annotations

import csv
import importlib.util
import math
import sys

import pytest


@pytest.fixture(scope="module")
def simulation(root):
    """The script that made the table."""
    folder = root / "benchmarks"
    sys.path.insert(0, str(folder))
    try:
        spec = importlib.util.spec_from_file_location("coverage_simulation", folder / "interval_coverage.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    return module


@pytest.fixture(scope="module")
def rows(simulation):
    """The committed table."""
    with simulation.RESULTS.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _too_low(row, column):
    """Whether a share is below .95 by more than four standard errors."""
    share, drawn = float(row[column]), int(row["replicates"])
    return share < 0.95 - 4 * math.sqrt(0.95 * 0.05 / drawn)


def test_all_designs_are_there(simulation, rows):
    """The table holds all cells of the script, from n = 10 to 2,000."""
    names = [f"{row['design']}|{row['scores']}|{row['n']}" for row in rows]
    assert names == [cell.name for cell in simulation.cells()]
    assert {int(row["n"]) for row in rows} == set(simulation.SIZES) | {100}


def test_the_page_shows_the_table(simulation, root):
    """docs/explanation/coverage.md is made from the CSV."""
    assert (root / "docs" / "explanation" / "coverage.md").read_text(encoding="utf-8") == simulation.document()


def test_intervals_cover_except_where_means_are_skewed_or_sparse(rows):
    """Below .95 by more than four standard errors lie means of skewed, sparse or heavy-tailed scores alone."""
    low = {(row["design"], row["scores"]) for row in rows if row["covered"] and _too_low(row, "covered")}
    excused = {
        (design, scores)
        for design, scores in low
        if any(word in scores for word in ("skewed", "sparse", "heavy tails", "wilson", "counts"))
    }
    assert low == excused


def test_large_samples_cover(rows):
    """With 2,000 units no confidence or credible interval is more than four standard errors below .95."""
    large = [row for row in rows if row["n"] == "2000"]
    assert [row["scores"] for row in large if _too_low(row, "covered")] == []
    assert [row["scores"] for row in large if row["credible_covered"] and _too_low(row, "credible_covered")] == []


@pytest.mark.parametrize("name", ["paired|ordinal|30", "Cohen's d|normal, d = .3|30", "3 runs of each|normal|30"])
def test_a_few_replicates_give_the_same_again(simulation, name):
    """One seed, one result, whatever the number of processes."""
    assert simulation.simulated(name, 40) == simulation.simulated(name, 40)
