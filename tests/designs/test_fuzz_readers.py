"""Mutated result files, as fuzzed by benchmarks/fuzz_readers.py: what the committed run found, and a short one."""

from __future__ import annotations

import importlib.util
import json
import sys

import pytest

from tests.harnesses.layouts import LAYOUTS
from tests.harnesses.test_layouts import NEEDS

TABLES = ("excel", "feather", "json_records", "json_split", "json_lines", "parquet", "tsv", "csv_xz", "csv_in_zip")
FAILURES = {"traceback", "hang", "misread", "killed"}


@pytest.fixture(scope="module")
def fuzz(root):
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("fuzz_readers", root / "benchmarks" / "fuzz_readers.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["fuzz_readers"] = module
    sys.path.insert(0, str(root / "benchmarks"))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(root / "benchmarks"))
    return module


def test_the_committed_run_found_nothing(fuzz):
    """100,000 files of each kind and 20,000 reports: read right, or refused."""
    state = json.loads(fuzz.OUTPUT.read_text("utf-8"))
    assert state["seed"] == fuzz.SEED
    assert state["kinds"].keys() == fuzz.TOTALS.keys()
    for kind, known in state["kinds"].items():
        assert known["done"] >= fuzz.TOTALS[kind], kind
    for known in state["kinds"].values():
        assert known["failures"] == []
        assert not FAILURES & set(known["outcomes"])
        assert sum(known["outcomes"].values()) == known["done"]
        assert known["outcomes"]["read"] > 0.1 * known["done"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "start"),
    [(kind, 1_000_000) for kind in ("csv", "wide", "jsonl", "parquet", "printed", "gz", "report", "settings")]
    # found and mended: no instances, a printed table behind an empty object, a huge whole number, a quote in a letter
    + [("csv", 14_257), ("gz", 12_674), ("jsonl", 9_790), ("wide", 76_378)]
    # half a surrogate pair, a metric listed twice, a damaged workbook and Feather file, a huge grade, a list for a name
    + [("folder: every-eval-ever", 136), ("folder: lm-eval", 489)]
    + [("folder: excel", 144), ("folder: feather", 526), ("folder: trec-run", 1_610), ("folder: json_records", 287)],
)
def test_a_short_run_finds_nothing(fuzz, kind, start):
    """Other files than those of the committed run."""
    pytest.importorskip(NEEDS.get(kind.removeprefix(fuzz.folders.PREFIX)) or "json")
    found = fuzz.run(kind, start, start + (1 if start < 1_000_000 else 40))
    assert found["failures"] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [*LAYOUTS, *TABLES])
def test_damaged_folders_of_harnesses_get_a_message(fuzz, name):
    """Cut off, with members gone, renamed or of another type, of mixed versions: a message, or a right reading."""
    pytest.importorskip(NEEDS.get(name) or "json")
    found = fuzz.run(fuzz.folders.PREFIX + name, 1_000_000, 1_000_025)
    assert found["failures"] == []


def test_the_run_would_find_what_it_looks_for(fuzz, monkeypatch):
    """A traceback, a hang and a value that is not in the file."""
    true = fuzz.read_frame

    def failing(path):
        raise KeyError(path.name)

    def slow(path):
        while True:
            pass

    def wrong(path):
        frame = true(path)
        return frame.assign(**{frame.columns[0]: "something else"})

    monkeypatch.setattr(fuzz, "SECONDS", 0.05)
    for reader, what in ((failing, "traceback"), (slow, "hang")):
        monkeypatch.setattr(fuzz, "read_frame", reader)
        assert fuzz.run("csv", 0, 1)["outcomes"] == {what: 1}
    monkeypatch.setattr(fuzz, "SECONDS", 10)
    monkeypatch.setattr(fuzz, "read_frame", wrong)
    assert fuzz.run("csv", 0, 10)["outcomes"]["misread"] > 0
