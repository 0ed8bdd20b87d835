"""Examples 1 to 4 of Sadat Azer et al. (2020): the committed table is what the script makes, and what is true."""

from __future__ import annotations

import csv
import importlib.util
import io
import json

import pytest

from reportkit.rendering.exports import csv_table


@pytest.fixture(scope="module")
def script(root):
    """The script of the example."""
    path = root / "examples" / "azer2020" / "reproduce.py"
    spec = importlib.util.spec_from_file_location("azer2020", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def lines(script):
    """True values by example and quantity."""
    found: dict[tuple[str, str], str] = {}
    example = ""
    for row in csv.DictReader(io.StringIO(csv_table(script.table()))):
        example = row["Example"] or example
        found[example, row["Quantity"]] = row["True"]
    return found


def test_the_committed_table_is_what_the_script_makes(script, root):
    """Byte for byte."""
    folder = root / "examples" / "azer2020"
    assert (folder / "printed-and-true.csv").read_text(encoding="utf-8") == csv_table(script.table())


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


def test_the_figures_are_those_of_the_paper(script):
    """Two panels each, systems above and their difference below; both figures are committed as PDF and PNG."""
    drawn = script.figures()
    assert {name: len(figure.axes) for name, figure in drawn.items()} == {"posterior-easy": 2, "posterior-both": 2}
    for name in drawn:
        assert (script.HERE / f"{name}.pdf").stat().st_size > 1000
        assert (script.HERE / f"{name}.png").stat().st_size > 1000
