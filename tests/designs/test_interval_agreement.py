"""No interval contradicts the test beside it: the committed simulation, and a smaller one of all designs."""

from __future__ import annotations

import csv
import importlib.util
import sys
import zlib

import numpy as np
import pytest

from reportkit.significance.assess import assess
from reportkit.significance.plan import ResamplingPlan


def _loaded(root, name):
    """A script of the benchmarks, as a module."""
    folder = root / "benchmarks"
    sys.path.insert(0, str(folder))
    try:
        spec = importlib.util.spec_from_file_location(f"{name}_simulation", folder / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    return module


@pytest.fixture(scope="module")
def simulation(root):
    """The script that made the table of contradictions."""
    return _loaded(root, "interval_agreement")


@pytest.fixture(scope="module")
def rows(simulation):
    """The committed table."""
    return list(simulation.written().values())


def test_no_interval_contradicts_its_test(rows):
    """At 95% and at the other levels, in at least 10,000 data sets of each kind of results."""
    assert [row for row in rows if int(row["contradictions"]) or int(row["contradictions_at_other_levels"])] == []
    drawn: dict[str, int] = {}
    for row in rows:
        drawn[row["design"]] = drawn.get(row["design"], 0) + int(row["data_sets"])
    assert [design for design, n in drawn.items() if n < 10_000 and "Dror" not in design] == []


def test_all_designs_are_there(simulation, rows):
    """The table holds all cells of the script."""
    names = [f"{row['design']}|{row['scores']}|{row['fewest']}" for row in rows]
    assert names == [cell.name for cell in simulation.cells()]


def test_inversions_need_no_guard(rows):
    """Where one test that draws no resamples is inverted, its interval agrees by itself.

    Sign flips of more than 16 units to the accuracy of their ends: in at most one of 500 data sets.
    """
    formulas = {"mcnemar", "welch", "two-way-t", "welch-seeds", "corrected-resampled-t", "correlation-jackknife-t"}
    flips = {"sign-flip", "sign-test"}
    looked_at = 0
    for row in rows:
        tests = {entry.split(":")[0] for entry in row["tests"].split()} - {"identical"}
        if tests <= formulas or (tests <= formulas | flips and int(row["most"]) <= 16):
            looked_at += 1
            assert int(row["undecided"]) == 0, row
        elif tests <= flips:
            looked_at += 1
            assert int(row["undecided"]) <= int(row["data_sets"]) / 500, row
    assert looked_at > 20


def test_every_design_agrees(simulation):
    """A few data sets of each cell, through the same door as a report."""
    for cell in simulation.cells():
        rng = np.random.default_rng(zlib.crc32(cell.name.encode()))
        for number in range(3):
            n = int(rng.integers(cell.sizes[0], min(cell.sizes[1], 40 + cell.sizes[0]) + 1))
            sample = cell.draw(rng, n, 2.0 * (number - 1))
            level = (0.95, 0.8, 0.99)[number]
            plan = ResamplingPlan(n_resamples=499, max_resamples=499, seed=number)
            item = assess(sample, plan, profile=cell.profile, level=level)
            if item.interval is not None:
                p_values = item.p_greater, item.p_less
                assert not simulation.contradicts(item.interval, *p_values), (cell.name, number)


@pytest.fixture(scope="module")
def candidates(root):
    """The committed comparison of intervals that could stand beside a test."""
    with (root / "benchmarks" / "results" / "interval_candidates.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_chosen_interval_of_mcnemars_test(candidates):
    """Never contradicts, covers at least as much as Tango's, and is at most 5% longer."""
    by_name = {(row["n"], row["candidate"]): row for row in candidates if row["scores"] == "right or wrong"}
    sizes = sorted({int(n) for n, _ in by_name})
    assert (sizes[0], sizes[-1]) == (5, 2000)
    for n in map(str, sizes):
        mine, tango = by_name[n, "matched"], by_name[n, "score (Tango)"]
        assert float(mine["contradiction"]) == 0
        assert float(mine["smallest_coverage"]) >= float(tango["smallest_coverage"])
        assert float(mine["smallest_coverage"]) > 0.935
        assert float(mine["mean_length"]) <= 1.05 * float(tango["mean_length"])
    assert max(float(by_name[str(n), "score (Tango)"]["contradiction"]) for n in sizes) > 0.1


def test_the_chosen_interval_of_a_corpus_metric(candidates):
    """Never contradicts, and covers on average at least as much as the basic interval alone."""
    by_name = {(row["n"], row["candidate"]): row for row in candidates if row["scores"] == "F1"}
    for n in sorted({n for n, _ in by_name}):
        mine, basic = by_name[n, "basic, jackknife t below 50"], by_name[n, "basic"]
        assert float(mine["contradiction"]) <= 0.005
        assert float(mine["mean_coverage"]) >= float(basic["mean_coverage"])
        assert float(mine["mean_coverage"]) > 0.92
