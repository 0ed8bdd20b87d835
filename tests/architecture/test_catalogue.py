"""One test, one file: the folder of significance tests and their registry name the same."""

import importlib
from pathlib import Path

import pytest

from reportkit.report.references import REFERENCES
from reportkit.significance import tests
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from reportkit.significance.entry import SignificanceTest

FOLDER = Path(next(iter(tests.__path__)))


def entries(module):
    """Entries that a module defines."""
    return [value for value in vars(module).values() if isinstance(value, SignificanceTest)]


def module_of(stem):
    """Import one module of the folder."""
    return importlib.import_module(f"reportkit.significance.tests.{stem}")


def test_every_file_defines_tests_and_all_of_them_are_registered():
    """The folder is the registry: each file has an entry, and there is no entry from elsewhere."""
    stems = {path.stem for path in FOLDER.glob("*.py")} - {"__init__"}
    defined = [entry for stem in sorted(stems) for entry in entries(module_of(stem))]
    assert {entry.name for entry in defined} == set(SIGNIFICANCE_TESTS)
    for stem in stems:
        assert entries(module_of(stem)), f"{stem}.py defines no test"


@pytest.mark.parametrize("name", SIGNIFICANCE_TESTS)
def test_its_source_can_be_cited(name):
    """The key is in the list of references; only the comparison of identical scores has no source."""
    citation = SIGNIFICANCE_TESTS[name].citation
    assert citation in REFERENCES or (citation == "" and name == "identical")
