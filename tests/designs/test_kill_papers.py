"""Killed `check --fix` and `update`, as by benchmarks/kill_papers.py: what the committed run found, and a short one."""

from __future__ import annotations

import importlib.util
import json
import os
import sys

import pytest


@pytest.fixture(scope="module")
def kills(root):
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("kill_papers", root / "benchmarks" / "kill_papers.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["kill_papers"] = module
    spec.loader.exec_module(module)
    return module


def test_the_committed_run_found_no_damage(root, kills):
    """More than a hundred kills of each command: no file torn, nothing left after the next run, which does the rest."""
    found = json.loads((root / "benchmarks" / "results" / "kill_papers.json").read_text())["measured"]
    assert found["seed"] == kills.SEED
    for command in ("mend", "update"):
        outcome = found[command]
        assert outcome["at_random"] == kills.RANDOM
        assert outcome["at_calls"] >= 40
        assert outcome["kills"] == outcome["old"] + outcome["new"] + outcome["between"] >= 100
        assert outcome["old"] > 0
        assert outcome["new"] > 0
        assert outcome["left_something"] > 0
        for what in ("torn_files", "not_cleaned", "not_finished_by_the_next_run"):
            assert outcome[what] == 0


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
@pytest.mark.parametrize("command", ["mend", "update"])
def test_a_short_run_finds_no_damage(kills, command):
    """A kill at each of the first calls, and a few at random."""
    outcome = kills.run(getattr(kills, command), most_calls=40, at_random=2, seed=1)
    assert outcome.kills >= 30
    assert outcome.left_something > 0
    assert (outcome.torn_files, outcome.not_cleaned, outcome.not_finished_by_the_next_run) == (0, 0, 0)
