"""The benchmarks run: a few damaged inputs of each kind, and a few samples of the simulations."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from reportkit.significance.choose import DECISION_TABLES
from tests.conftest import ROOT, needed
from tests.harnesses.test_layouts import NEEDS


def script(path: str):
    """Import a script of `benchmarks/` with its folder on the path."""
    name = f"benchmark_{Path(path).stem}"
    if name in sys.modules:
        return sys.modules[name]
    folder = (ROOT / "benchmarks" / path).parent
    sys.path.insert(0, str(folder))
    try:
        spec = importlib.util.spec_from_file_location(name, folder / Path(path).name)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    return module


@pytest.mark.slow
@pytest.mark.parametrize("kind", script("fuzz.py").KINDS)
def test_damaged_inputs_get_a_message_or_a_right_reading(kind):
    """Ten of each kind; `python benchmarks/fuzz.py` tries more."""
    pytest.importorskip(NEEDS.get(kind.removeprefix("folder ")) or "json")
    outcomes = script("fuzz.py").run(kind, 1_000_000, 10)
    assert set(outcomes) <= {"read", "refused"}


def test_the_fuzzer_sees_what_it_looks_for(monkeypatch):
    """A traceback, a hang, and a score that is not in the file."""
    fuzz = script("fuzz.py")

    def failing(rng, folder):
        raise KeyError(folder.name)

    def slow(rng, folder):
        while True:
            pass

    monkeypatch.setattr(fuzz, "SECONDS", 0.05)
    for attempt, words in ((failing, "KeyError"), (slow, "more than")):
        monkeypatch.setitem(fuzz.KINDS, "csv", attempt)
        assert words in fuzz.attempt("csv", 0)
    monkeypatch.undo()
    true = fuzz.reportkit.inspect

    def wrong(path):
        reading = true(path)
        reading.frame["score"] = 17.5
        return reading

    monkeypatch.setattr(fuzz.reportkit, "inspect", wrong)
    assert any("is 17.5" in outcome for outcome in fuzz.run("csv", 0, 12))


@pytest.mark.slow
def test_every_default_test_is_simulated():
    """Each test that the recommended table chooses is used in a cell of the simulation of size."""
    null = script("size_under_null.py")
    rng, used = np.random.default_rng(1), set()
    for cell in null.cells():
        for _ in range(3 if cell.n <= 100 else 1):
            used.add(null.assess(cell.draw(rng, cell.n), null.ResamplingPlan(n_resamples=99)).test)
    # chosen only where there is a single instance, few differ, or nothing varies
    rare = {"studentised-permutation", "mann-whitney-seeds", "approximate-randomization"}
    assert {rule.test for rule in DECISION_TABLES["recommended"]} - used <= rare


@pytest.mark.slow
def test_every_interval_agrees_with_its_test():
    """Two data sets of each design: no interval contradicts its test about 0."""
    agreement = script("interval_agreement.py")
    for cell in agreement.cells():
        found = agreement.simulated(cell, 2)
        assert found["contradictions"] == found["contradictions_at_other_levels"] == 0, cell.name


def test_sacrebleu_counts_as_sacrebleu_does():
    """The same resampled differences give the p-values of sacreBLEU's own function."""
    significance = needed("sacrebleu.significance", "test")
    alternatives = script("validation/alternatives.py")
    rng = np.random.default_rng(5)
    resampled, observed = rng.normal(0.3, 1, size=(1000, 4)), np.array([0.3, -0.8, 2.4, -0.1])
    found = alternatives.by_shift(resampled, observed)
    for place, difference in enumerate(observed):
        absolute = np.abs(resampled[:, place])
        p = significance._compute_p_value(absolute - absolute.mean(), abs(difference))
        assert (found.greater if difference > 0 else found.less)[place] == p


def test_the_validation_study_sees_what_a_user_sees():
    """Five samples in which neighbours are alike: `compare` warns of each."""
    study = script("validation/study.py")
    cell = next(cell for cell in study.cells() if cell.name == "in order|means, AR(1) with .5|200|none")
    found = study.simulated(cell, 0, 5)
    assert found["reportkit"]["serial-dependence"] == found["reportkit"]["warned"] == 5
    assert {tally["draws"] for tally in found.values()} == {5}
    assert found.keys() > {*study.OTHERS}
