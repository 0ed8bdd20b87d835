"""The rule by which differences are called skewed, against the simulation of benchmarks/skewness_rules.py."""

from __future__ import annotations

import importlib.util
import re
import sys

import numpy as np
import pytest

from reportkit import null_distributions
from reportkit.intervals.means.skewness import FEWEST_NONZERO, is_skewed, shapes_of_rows
from reportkit.null_distributions.random.studentized import studentized_means
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.significance.skewness import size_where_skewed

KEPT = (0.05, 0.01)
"""Levels at which a rule has to stay within a tenth of the size of the exact sign flip, on symmetric differences."""


@pytest.fixture(scope="module")
def simulation(root):
    """The script that made the table."""
    spec = importlib.util.spec_from_file_location("skewness_rules", root / "benchmarks" / "skewness_rules.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def table(simulation):
    """The committed table."""
    return simulation.table()


def _mean_size(simulation, table, rule, *, symmetric, level):
    return simulation.summary(table, rule, symmetric=symmetric, level=level)[1]


def test_the_rule_in_use_is_the_best_that_keeps_the_level(simulation, table):
    """Of the rules within a tenth of the exact test on symmetric differences, it has the least size on skewed ones."""
    keeping = [
        rule
        for rule in (simulation.NEVER, simulation.ALWAYS, *simulation.RULES)
        if all(
            _mean_size(simulation, table, rule, symmetric=True, level=level)
            <= 1.1 * _mean_size(simulation, table, simulation.NEVER, symmetric=True, level=level)
            for level in KEPT
        )
    ]
    assert "121" not in keeping
    assert simulation.ALWAYS not in keeping
    sizes = {rule: _mean_size(simulation, table, rule, symmetric=False, level=0.01) for rule in keeping}
    assert min(sizes, key=sizes.get) == simulation.CHOSEN


def test_the_larger_p_value_of_both_tests_costs_power(simulation, table):
    """It has the least size of all, and up to 15 percentage points less power at .01 where large gains decide."""
    power = {
        rule: max(
            (float(row["power_b_01"]), row["null"], row["n"])
            for row in table
            if row["rule"] == rule and row["null"] == "1 - exponential" and row["n"] == "30"
        )[0]
        for rule in (simulation.CHOSEN, simulation.LARGER)
    }
    assert power[simulation.CHOSEN] - power[simulation.LARGER] > 0.1
    for level in KEPT:
        for symmetric in (True, False):
            larger, chosen = (
                _mean_size(simulation, table, rule, symmetric=symmetric, level=level)
                for rule in (simulation.LARGER, simulation.CHOSEN)
            )
            assert larger < chosen


def test_the_package_applies_the_rule(simulation):
    """The measures of the script are those of the package, and so are the verdicts."""
    rng = np.random.default_rng(1)
    for name, null in simulation.NULLS.items():
        differences = null.draw(rng, (20, 40))
        found = simulation.measures(differences)
        used = (
            (121 * found["g"] ** 2 > 40)
            & (found["n_nonzero"] >= FEWEST_NONZERO)
            & simulation.RULES[simulation.CHOSEN](found, 40)
        )
        for row, d in enumerate(differences):
            paired = PairedScores(
                system_a="a", system_b="b", dataset="x", metric="m", kind="continuous", a=d, b=np.zeros(40)
            )
            assert is_skewed(paired) == used[row], name
            shape = shapes_of_rows((d - d.mean())[None, :], [40])[0]
            assert shape.cubic == pytest.approx(found["cubic"][row], abs=1e-9)
            assert shape.robust * np.sign(found["g"][row]) == pytest.approx(found["robust"][row], abs=1e-9)


def test_the_kernels_are_those_of_the_package(simulation, monkeypatch):
    """Sign flips against the exact tail, the bootstrap-t against the package's resamples, within Monte Carlo error."""
    rng = np.random.default_rng(2)
    monkeypatch.setattr(simulation, "N_RESAMPLES", 20_000)
    differences = rng.exponential(size=(3, 25)) - 0.8
    by_flips = simulation.flips(differences, (0.0, 0.1), rng)
    by_bootstrap = simulation.bootstraps(differences, (0.0, 0.1), rng)
    for i, shift in enumerate((0.0, 0.1)):
        for row, d in enumerate(differences + shift):
            exact = null_distributions.flip_tails(d[None, :]).greater[0]
            assert by_flips[i, 0, row] == pytest.approx(exact, abs=0.015)
            t = d.mean() / (d.std(ddof=1) / 5)
            resampled = studentized_means(d, None, key=(3,), start=0, stop=20_000)
            assert by_bootstrap[i, 0, row] == pytest.approx((resampled >= t).mean(), abs=0.02)
            assert by_bootstrap[i, 1, row] == pytest.approx((resampled <= t).mean(), abs=0.02)


def test_the_table_is_what_the_script_gives(simulation, table):
    """A cheap cell is simulated again: the same seed gives the same shares."""
    again = [{key: str(value) for key, value in row.items()} for row in simulation.simulated("4 - gamma(4)", 5, 10_000)]
    assert again == [row for row in table if row["null"] == "4 - gamma(4)" and row["n"] == "5"]


@pytest.mark.parametrize("level", [0.05, 0.01, 0.005, 0.001])
def test_sizes_that_messages_quote_are_simulated_ones(simulation, table, level):
    """The curves, against lognormal differences: the sign flip of 10 and 20, the default test of 30 and of 50."""
    sizes = {
        (row["rule"], int(row["n"])): simulation.worst(row, level) for row in table if row["null"] == "lognormal, left"
    }
    of_few = [sizes[simulation.NEVER, n] for n in (10, 20)]
    assert size_where_skewed(10, level) > 0.8 * of_few[1]
    if level > 2**-10:
        assert size_where_skewed(10, level) < 1.3 * max(of_few)
    for n in (30, 50):
        assert size_where_skewed(n, level) == pytest.approx(sizes[simulation.CHOSEN, n], rel=0.15)


def test_the_documentation_gives_the_figures_of_the_table(simulation, table, root):
    """Each line of the table of rules in docs/explanation/designs.md."""
    text = (root / "docs" / "explanation" / "designs.md").read_text("utf-8")
    lines = re.findall(r"^\| (.+?) \| (\.\d+), (\.\d+), (\.\d+) \| (\.\d+), (\.\d+), (\.\d+) \|$", text, re.M)
    assert simulation.CHOSEN in {rule for rule, *_ in lines}
    assert len(lines) >= 10
    for rule, *figures in lines:
        expected = [
            f"{_mean_size(simulation, table, rule, symmetric=symmetric, level=level):.4f}".removeprefix("0")
            for symmetric in (True, False)
            for level in (0.05, 0.01, 0.001)
        ]
        assert figures == expected, rule
