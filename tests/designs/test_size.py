"""The size of the default tests under their null hypotheses, as simulated by benchmarks/size_under_null.py."""

from __future__ import annotations

import csv
import importlib.util
import sys

import pytest

from reportkit.significance.decision_tables import DECISION_TABLES


@pytest.fixture(scope="module")
def simulation(root):
    """The script that made the table."""
    spec = importlib.util.spec_from_file_location("size_under_null", root / "benchmarks" / "size_under_null.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def table(simulation):
    """The committed table."""
    with simulation.RESULTS.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_no_default_test_exceeds_its_level_without_a_warning(simulation, table):
    """Rejections beside which no warning stands are at most .05 plus four standard errors."""
    above = [
        row
        for row in table
        if max(float(row["without_warning_a"]), float(row["without_warning_b"]))
        > simulation.limit(int(row["replicates"]))
    ]
    assert above == []


def test_every_cell_and_every_default_test_is_there(simulation, table):
    """The table holds all cells of the script, and each test that the recommended table chooses is used in one."""
    key = [f"{row['row']}|{row['design']}|{row['scores']}|{row['n']}" for row in table]
    assert key == [cell.name for cell in simulation.cells()]
    used = {name.partition(":")[0] for row in table for name in row["tests"].split()}
    never_by_default_here = {"fisher-exact", "mann-whitney-seeds", "approximate-randomization"}
    chosen = {rule.test for rule in DECISION_TABLES["recommended"]}
    assert chosen - used <= never_by_default_here


@pytest.mark.parametrize(
    "name",
    [
        "5|paired|right or wrong, 30% discordant|30",
        "9|paired|ordinal|30",
        "8|paired|symmetric (normal)|30",
        "15|cross-validation|1 times 10 folds|10",
    ],
)
def test_the_table_is_what_the_script_gives(simulation, table, name):
    """Cheap cells are simulated again: the same seeds give the same shares."""
    (row,) = [row for row in table if f"{row['row']}|{row['design']}|{row['scores']}|{row['n']}" == name]
    again = simulation.simulated(name, int(row["replicates"]))
    assert {column: str(value) for column, value in again.items()} == row
