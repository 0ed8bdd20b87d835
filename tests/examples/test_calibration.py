"""The study of 90 systems: its results, its script, and that the README states what they give."""

from __future__ import annotations

import csv
from itertools import pairwise

import pandas as pd
import pyarrow.parquet as pq
import pytest

from reportkit.calibration import compared_pairs, gain_thresholds
from tests.examples.conftest import EXAMPLES, script_of

FOLDER = EXAMPLES / "calibration"
README = (FOLDER / "README.md").read_text("utf-8")


def _script(name):
    return script_of(f"calibration/{name}.py")


@pytest.fixture(scope="module")
def frame():
    """The committed scores."""
    return pd.read_parquet(FOLDER / "results.parquet")


@pytest.fixture(scope="module")
def findings():
    """The script that prints the findings."""
    return _script("findings")


@pytest.fixture(scope="module")
def blocks(findings):
    """Scores by test set, as reportkit reads them."""
    return findings.read_blocks()


@pytest.fixture(scope="module")
def movies(findings, blocks):
    """All pairs on the first half of the movie snippets."""
    return compared_pairs(blocks["movies-1"], test=findings.TEST)


def test_the_results_are_compact_and_hold_no_text():
    """Ids, not texts: no column has longer values than names of systems."""
    assert (FOLDER / "results.parquet").stat().st_size < 400_000
    table = pq.read_table(FOLDER / "results.parquet")
    names = ["system", "family", "training_size", "repeat", "dataset", "instance", "score", "cluster"]
    assert table.column_names == names
    texts = [table[name].unique().to_pylist() for name in ("system", "family", "dataset", "instance", "cluster")]
    assert max(len(value) for values in texts for value in values) <= len("naive-bayes/5000/10")


def test_the_design_is_that_of_the_paper(frame):
    """Three learners, three sizes, ten training sets each; every system on every text, once."""
    systems = frame[["system", "family", "training_size", "repeat"]].drop_duplicates()
    assert len(systems) == 90
    assert (systems.groupby(["family", "training_size"], observed=True)["repeat"].nunique() == 10).all()
    assert not frame.duplicated(["system", "instance"]).any()
    assert len(frame) == 90 * frame["instance"].nunique()
    assert set(frame["score"].unique()) == {0, 1}


def test_the_readme_has_the_tables_of_sizes_and_accuracies(frame):
    """What the script prints at the end is in the README, computed again from the committed scores."""
    for part in _script("make_results").summary(frame).split("\n\n"):
        assert part in README


def _table(name):
    """Rows of a table of the committed report; an empty first cell repeats the one above."""
    with (FOLDER / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for above, row in pairwise(rows):
        row["Dataset"] = row["Dataset"] or above["Dataset"]
    return rows


@pytest.mark.slow
def test_the_committed_report_is_of_these_results(findings, movies):
    """The thresholds of the table follow from the committed scores, computed again for one test set."""
    found = [row for row in _table("gain-thresholds") if row["Dataset"] == "movies-1"]
    wanted = gain_thresholds(movies, families=findings.families(movies.systems))
    assert len(found) == len(wanted) == 3
    for row, item in zip(found, wanted, strict=True):
        assert (int(row["Number"]), int(row["In window"])) == (item.n_pairs, item.n_in_window)
        assert float(row["Threshold"]) == pytest.approx(100 * item.threshold, abs=0.0501)


def test_the_readme_states_the_calibration_of_the_report():
    """The shares of better systems among winners near .05 are those of table 5 of the committed report."""
    rows = [row for row in _table("bins") if row["p"] == "(.04, .08]"]
    assert [row["Dataset"] for row in rows] == ["amazon", "movies-1", "movies-2", "nyt", "tweets"]
    for row in rows:
        assert f"| {row['Dataset']} | {row['Better']} {row['95%']} |" in README
