"""Mutated papers, as fuzzed by benchmarks/fuzz_papers.py: what the committed run found, and a short one."""

from __future__ import annotations

import importlib.util
import json
import sys

import pytest


@pytest.fixture(scope="module")
def fuzz(root):
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("fuzz_papers", root / "benchmarks" / "fuzz_papers.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["fuzz_papers"] = module
    spec.loader.exec_module(module)
    return module


def test_the_committed_run_found_nothing(root, fuzz):
    """20,000 papers in both languages: no traceback, no hang, no harmful output, nothing mended wrongly."""
    found = json.loads((root / "benchmarks" / "results" / "fuzz_papers.json").read_text())["measured"]
    assert (found["papers"], found["seed"]) == (fuzz.COUNT, fuzz.SEED) == (20_000, fuzz.SEED)
    assert min(found["by_language"].values()) > 5_000
    assert found["mended"] == 2_000
    for what in ("tracebacks", "hangs", "harmful_outputs", "mended_wrongly"):
        assert found[what] == []
    assert found["slowest_processor_seconds"] < fuzz.MOST_SECONDS


@pytest.mark.slow
def test_a_short_run_finds_nothing(fuzz):
    """Other papers than those of the committed run; there is a finding in many, and some are mended."""
    outcome = fuzz.run(120, seed=1)
    assert (outcome.tracebacks, outcome.hangs, outcome.harmful, outcome.mended_wrongly) == ([], [], [], [])
    assert outcome.findings > 40
    assert outcome.mended == 12


def test_the_run_would_find_what_it_looks_for(fuzz, monkeypatch):
    """A traceback, a hang and a harmful output are seen if they are there."""

    def failing(path):
        raise KeyError(path.name)

    def slow(path):
        while True:
            pass

    true = fuzz.read_paper
    monkeypatch.setattr(fuzz, "MOST_SECONDS", 0.05)
    for reader, what in ((failing, "tracebacks"), (slow, "hangs")):
        monkeypatch.setattr(fuzz, "read_paper", reader)
        assert len(getattr(fuzz.run(1, seed=1), what)) == 1
    monkeypatch.setattr(fuzz, "read_paper", true)
    monkeypatch.setattr(fuzz, "MOST_SECONDS", 10.0)
    monkeypatch.setattr(fuzz, "terminal_text", lambda _: "\x1b[2J")
    assert fuzz.run(1, seed=1).harmful[0]["what"] == "diff: U+001B"
