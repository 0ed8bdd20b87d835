"""The size of the default tests under their null hypotheses, as simulated by benchmarks/size_under_null.py."""

from __future__ import annotations

import csv
import importlib.util
import sys

import pytest

from reportkit.significance.choose import DECISION_TABLES


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


def test_the_documentation_names_every_null_that_is_rejected_too_often_in_silence(simulation, table, root):
    """The table of docs/explanation/designs.md is that of the data: nothing left out, nothing there that is mended."""
    text = (root / "docs" / "explanation" / "designs.md").read_text("utf-8")
    lines = simulation.table_of_docs(table)
    start = text.index(lines[0])
    assert text[start:].split("\n\n")[0].splitlines() == lines


def test_no_default_test_of_a_paired_mean_exceeds_the_usual_level_in_silence(simulation, table):
    """At .05, beside whatever is skewed, sparse, clustered or equal, a warning stands; but for rare catastrophes."""
    above = [
        row["scores"]
        for row in simulation.exceeding(table)
        if row["row"] in ("4", "8", "10")
        and simulation.larger(row, "silent", 0.05) > simulation.limit(int(row["replicates"]))
    ]
    assert set(above) <= set(simulation.RARE)


def test_no_promise_is_made_that_the_data_do_not_keep(root):
    """No text says that a warning stands wherever the level is exceeded, or that scores match the assumptions."""
    broken = ("it exceeds the nominal level, the report prints a warning", "show no mismatch")
    texts = [root / "README.md", *(root / "docs").rglob("*.md"), *(root / "reportkit").rglob("*.py")]
    assert [path.name for path in texts for words in broken if words in path.read_text("utf-8")] == []


def test_every_cell_and_every_default_test_is_there(simulation, table):
    """The table holds all cells of the script, and each test that the recommended table chooses is used in one."""
    key = [f"{row['row']}|{row['design']}|{row['scores']}|{row['n']}" for row in table]
    assert key == [cell.name for cell in simulation.cells()]
    used = {name.partition(":")[0] for row in table for name in row["tests"].split()}
    # chosen only where there is a single instance, or nothing varies
    not_simulated = {"studentised-permutation", "mann-whitney-seeds", "approximate-randomization"}
    assert {rule.test for rule in DECISION_TABLES["recommended"]} - used == not_simulated


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "5|paired|right or wrong, 30% discordant|30",
        "9|paired|ordinal|30",
        "8|paired|symmetric (normal)|30",
        "4|clusters of 2 or 30|size tells who is better|10",
        "15|cross-validation|1 times 10 folds|10",
    ],
)
def test_the_table_is_what_the_script_gives(simulation, table, name):
    """Cheap cells are simulated again: the same seeds give the same shares."""
    (row,) = [row for row in table if f"{row['row']}|{row['design']}|{row['scores']}|{row['n']}" == name]
    again = simulation.simulated(name, int(row["replicates"]))
    assert {column: str(value) for column, value in again.items()} == row
