"""Examples 1 to 4 of Sadat Azer et al. (2020): the committed table is what the script makes, and what is true."""

from __future__ import annotations

import csv
import json

import pytest

from tests.examples.conftest import EXAMPLES, script_of


@pytest.fixture(scope="module")
def script():
    """The script of the example."""
    return script_of("azer2020/reproduce.py")


@pytest.fixture(scope="module")
def lines(script):
    """True values by example and quantity."""
    return {(example, quantity): true for example, quantity, _, true, _ in script.table()}


def test_the_committed_table_is_what_the_script_makes(script):
    """Cell by cell."""
    with (EXAMPLES / "azer2020" / "printed-and-true.csv").open(encoding="utf-8", newline="") as file:
        assert [tuple(row) for row in csv.reader(file)][1:] == [tuple(line) for line in script.table()]


def test_every_value_is_the_true_one(lines, shared):
    """Against the truths computed elsewhere from the same counts."""
    truth = json.loads((shared / "truths" / "papers.json").read_text(encoding="utf-8"))["azer"]
    easy, challenge, pooled = truth["easy"], truth["challenge"], truth["pooled"]
    single = {
        ("1", "z"): easy["z"],
        ("1", "one-sided p-value"): easy["p_one"],
        ("1", "largest exact McNemar p-value"): truth["mcnemar_bounds_easy"]["p_one_exact_max"],
        ("3", "P(θ₁ > θ₂)"): easy["P(d>0)"],
        ("3", "P(θ₁ − θ₂ > .01)"): easy["P(d>.01)"],
        ("4", "P(ROPE)"): easy["rope_post"],
        ("4", "prior P(ROPE)"): easy["rope_prior"],
        ("4", "BF₀₁, Beta(1, 1)"): easy["BF01"],
        ("4", "BF₀₁, Beta(0.5, 0.5)"): truth["BF01_easy_by_prior"]["Beta(.5,.5)"],
        ("4", "BF₀₁, Beta(2, 2)"): truth["BF01_easy_by_prior"]["Beta(2,2)"],
        ("4", "BF₀₁, Beta(3, 1.5)"): truth["BF01_easy_by_prior"]["Beta(3,1.5)"],
        ("4", "BF₀₁, Beta(9, 3)"): truth["BF01_easy_by_prior"]["Beta(9,3)"],
        ("4", "BF₀₁, Beta(75, 25)"): truth["BF01_easy_by_prior"]["Beta(75,25)"],
        ("4", "BF₁₀ of θ₁ − θ₂ > .01"): easy["BF10(d>.01)"],
        ("ARC-challenge", "P(θ₁ > θ₂)"): challenge["P(d>0)"],
        ("ARC-challenge", "BF₀₁, Beta(1, 1)"): challenge["BF01"],
        ("both, pooled", "P(θ₁ − θ₂ > .02)"): pooled["P(d>.02)"],
    }
    for key, value in single.items():
        written = lines[key]
        digits = len(written.partition(".")[2])
        assert float(written) == pytest.approx(value, abs=0.5000001 * 10.0**-digits), key
    intervals = {
        ("2", "“95%” interval, pooled variance"): easy["ci95_pooled"],
        ("2", "90% interval, pooled variance"): easy["ci90_pooled"],
        ("2", "95% interval, Newcombe"): easy["ci95_newcombe"],
        ("3", "95% HDI"): easy["hdi95"],
        ("ARC-challenge", "95% HDI"): challenge["hdi95"],
        ("both, pooled", "95% HDI"): pooled["hdi95"],
    }
    for key, ends in intervals.items():
        written = [float(end) for end in lines[key].strip("[]").split(", ")]
        digits = len(lines[key].strip("[]").split(", ")[0].partition(".")[2])
        assert written == pytest.approx(ends, abs=0.5000001 * 10.0**-digits), key


def test_the_hierarchical_model_says_how_probable_a_new_dataset_is(lines):
    """Values of the specification: .965 and .836 for scales .02 and .10."""
    found = [value for (example, _), value in lines.items() if example == "both, hierarchical"]
    assert found == [".965", ".836"]
