"""One test, one file: the folder of significance tests and their registry name the same."""

import importlib
from pathlib import Path

import pytest

import reportkit.significance
from reportkit.report.references import REFERENCES
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from reportkit.significance.entry import SignificanceTest

FOLDER = Path(next(iter(reportkit.significance.__path__)))
NO_TESTS = {
    "__init__": "the map of the folder",
    "assess": "runs a test and adds interval and findings",
    "assess_pairs": "the same for many pairs",
    "assessment": "what a table row needs",
    "bounds": "a test with missing scores at their worst and best",
    "beside": "runs the test that belongs beside another",
    "catalogue": "the registry",
    "choose": "which test for which data",
    "decision_tables": "the tables behind the choice",
    "design": "what the choice depends on",
    "clusters": "design effect, and findings about few clusters",
    "dependent_correlations": "what tests of two correlations with one gold score have in common",
    "entry": "what a test says about itself",
    "exact_swaps": "tails over all swaps of counts, for two tests",
    "margins": "the McNemar p-values that margins allow",
    "pairing_lost": "findings where nothing is paired",
    "hypotheses": "null hypotheses in the words of a paper",
    "pairing_unknown": "findings where only numbers of right answers are known",
    "known_tails": "exact tails of many pairs at once",
    "outcome": "what a test found",
    "plan": "resamples and streams",
    "run_spread": "what is said beside tests of runs",
    "size_wording": "at which levels a size is said, and how",
    "skewness": "a finding about tests of means",
    "tails": "a pair of p-values",
    "unpaired_sizes": "findings about tests of two independent means",
}


def entries(module):
    """Entries that a module defines."""
    return [value for value in vars(module).values() if isinstance(value, SignificanceTest)]


def module_of(stem):
    """Import one module of the folder."""
    return importlib.import_module(f"reportkit.significance.{stem}")


def test_every_file_with_a_test_is_registered_and_no_other():
    """A new file has to be in the catalogue, or be listed here with what it is for."""
    stems = {path.stem for path in FOLDER.glob("*.py")}
    assert NO_TESTS.keys() <= stems
    defined = [entry for stem in sorted(stems - NO_TESTS.keys()) for entry in entries(module_of(stem))]
    assert {entry.name for entry in defined} == set(SIGNIFICANCE_TESTS)
    assert len(defined) == len(SIGNIFICANCE_TESTS)
    for stem in stems - NO_TESTS.keys():
        assert entries(module_of(stem)), f"{stem}.py defines no test"


@pytest.mark.parametrize("name", SIGNIFICANCE_TESTS)
def test_the_function_lives_in_the_file_of_its_entry_and_is_documented(name):
    """Name, file and docstring: null hypothesis or what is compared, and an example."""
    test = SIGNIFICANCE_TESTS[name]
    module = importlib.import_module(test.function.__module__)
    assert test in entries(module)
    assert test.function.__name__ == name.replace("-", "_")
    assert "Examples\n" in test.function.__doc__ or name == "identical"


@pytest.mark.parametrize("name", SIGNIFICANCE_TESTS)
def test_its_source_can_be_cited(name):
    """The key is in the list of references; only the comparison of identical scores has no source."""
    citation = SIGNIFICANCE_TESTS[name].citation
    assert citation in REFERENCES or (citation == "" and name == "identical")


def test_every_module_of_the_folder_has_its_test_file(root):
    """tests/significance mirrors the folder."""
    tests = {path.stem.removeprefix("test_") for path in (root / "tests" / "significance").glob("test_*.py")}
    modules = {path.stem for path in FOLDER.glob("*.py")} - {
        "__init__",
        "outcome",
        "assessment",
        "assess",
        "assess_pairs",
    }
    assert modules <= tests
