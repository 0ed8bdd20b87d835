"""How long a comparison will take is known from counts, said before it starts, and is no riddle."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.errors import SettingsError
from reportkit.replicability import expected_work as module
from reportkit.replicability.claims import claims_for
from reportkit.replicability.expected_work import expected_work
from reportkit.scores.held import HeldBlock, head_of
from reportkit.settings import Settings
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS


def _frame(n_systems=4, n=60, n_datasets=1, draw=None, seed=0):
    rng = np.random.default_rng(seed)
    names = [f"s{k}" for k in range(n_systems)], [f"d{k}" for k in range(n_datasets)], range(n)
    frame = pd.MultiIndex.from_product(names, names=["system", "dataset", "instance"]).to_frame(index=False)
    return frame.assign(score=(draw or (lambda rng, size: rng.random(size)))(rng, len(frame)))


def _right_or_wrong(rng, size):
    return rng.integers(0, 2, size)


def _labels(**sizes):
    """Predicted classes beside the true ones, of which F1 is made."""
    frame = _frame(draw=_right_or_wrong, **sizes).rename(columns={"score": "prediction"})
    return frame.assign(gold=frame.instance % 2)


def _expected(frame, baseline=(), **settings):
    results = reportkit.read(frame)
    return expected_work(claims_for(results.systems, (), baseline), results.datasets, Settings(**settings))


@pytest.fixture
def every_work_is_long(monkeypatch):
    """As if nobody waited at all."""
    monkeypatch.setattr(module, "LONG_WORK", 0.0)


def test_the_estimate_is_a_function_of_counts():
    """Neither scores nor the order of rows change it, and it grows with pairs, datasets and instances."""
    frame = _frame()
    expected = _expected(frame)
    assert expected.n_tests == 6
    assert expected == _expected(frame.sample(frac=1, random_state=1)) == _expected(_frame(seed=9))
    assert _expected(_frame(n_systems=40)).seconds > expected.seconds
    assert _expected(_frame(2, n_datasets=6)).seconds == pytest.approx(expected.seconds)
    assert _expected(_frame(n_datasets=60)).seconds == pytest.approx(2 * _expected(_frame(n_datasets=30)).seconds)
    assert _expected(_frame(n=6_000)).seconds > expected.seconds
    assert _expected(frame, baseline=("s1",)).n_tests == 3


@pytest.mark.parametrize(
    ("sizes", "measured"), [((200, 100, 3), 25.0), ((150, 1_000, 1), 7.0)], ids=["200 on 3 datasets", "150"]
)
def test_what_is_expected_is_about_what_was_measured(sizes, measured):
    """Seconds of one processor for a whole build of all pairs, of continuous scores, when the constants were set."""
    assert measured / 1.5 < _expected(_frame(*sizes)).with_report < 1.5 * measured


def test_one_pair_on_many_datasets_is_expected_to_take_what_many_pairs_do():
    """Datasets of the same size are tested together; each of another size is by itself."""
    one, alike = _expected(_frame(2)), _expected(_frame(2, n_datasets=50))
    sizes = [_frame(2, n=60 + k).assign(dataset=f"d{k}") for k in range(50)]
    assert alike.n_tests == 50
    assert alike.seconds < 20 * one.seconds
    assert _expected(pd.concat(sizes)).seconds == pytest.approx(50 * one.seconds, rel=0.1)


@pytest.mark.parametrize(
    ("frame", "settings"),
    [
        (_frame(5), {}),
        (_frame(5, draw=_right_or_wrong), {}),
        (_frame(draw=lambda rng, size: rng.integers(1, 6, size)), {"kind": "ordinal"}),
        (_frame(draw=_right_or_wrong).assign(cluster=lambda frame: frame.instance // 3), {}),
        (_frame().assign(weight=lambda frame: 1 + frame.instance % 2 / 10), {}),
        (_frame(draw=_right_or_wrong).assign(instance=range(240)), {"pairing": "unpaired"}),
        (_frame(), {"test": "wilcoxon"}),
        (_frame(), {"profile": "dror2017"}),
    ],
    ids=["continuous", "binary", "ordinal", "clusters", "weights", "unpaired", "named", "dror2017"],
)
def test_the_test_that_counts_lead_to_is_the_one_that_is_run(frame, settings, every_work_is_long):
    """For scores that are not skewed."""
    said = []
    analysis = reportkit.compare(frame, **settings, other_profile=False, notice=said.append)
    (test,) = {item.test for comparison in analysis.comparisons for item in comparison.assessments}
    assert f"by the {SIGNIFICANCE_TESTS[test].title} (60 instances)" in said[0].what


def test_scores_that_are_not_in_memory_stay_where_they_are():
    """What is known of a dataset beforehand is enough, and gives the same."""

    class NotLoaded:
        def load(self, key):
            raise AssertionError("the scores were asked for")

        map = load

    results = reportkit.read(_frame(5))
    claims = claims_for(results.systems, (), ())
    held = [HeldBlock.hold(head_of(block), NotLoaded(), block.dataset) for block in results.datasets]
    assert expected_work(claims, held, Settings()) == expected_work(claims, results.datasets, Settings())


@pytest.mark.parametrize(
    ("frame", "given", "option"),
    [
        (_frame(12), {}, {"baseline": "s0"}),
        (_frame(12, n_datasets=3), {"baseline": ["s2", "s3"]}, {"baseline": "s2"}),
        (_frame(2, n_datasets=4), {}, {"datasets": "d0"}),
        (_labels(n_systems=2), {"metric": "F1"}, {"test": "corpus-jackknife-t"}),
        (_labels(n_systems=2), {"metric": "F1", "n_resamples": 30_000}, {"n_resamples": 9999}),
    ],
    ids=["all pairs", "two baselines", "datasets", "test", "resamples"],
)
def test_what_would_be_cheaper_is_named_and_is(frame, given, option, every_work_is_long, monkeypatch):
    """With names of the results, in Python and as an option; and following it is cheaper."""
    monkeypatch.setattr(module, "_REPORT", 0.0)
    said = []
    reportkit.compare(frame, **given, other_profile=False, notice=said.append)
    ((name, value),) = option.items()
    assert f"{name}={value!r} (command: --" in said[0].cheaper
    reportkit.compare(frame, **(given | option), other_profile=False, notice=said.append)
    first, then = said
    assert then.with_report < first.with_report
    number = f"{then.n_tests} test" + "s" * (then.n_tests > 1)
    assert re.search(rf"{re.escape(f'{name}={value!r}')} \(command: [^)]*\): {number}, about", first.cheaper)


def test_a_long_comparison_is_announced_and_a_short_one_is_not(monkeypatch):
    """Python warns before the first test; the report is counted where one is written."""
    done = []
    frame = _frame(5)
    monkeypatch.setattr(module, "LONG_WORK", 0.0)
    with pytest.raises(UserWarning) as warned:  # warnings are errors here, so that nothing may have been done yet
        reportkit.compare(frame, progress=lambda *counts: done.append(counts))
    assert not done
    assert str(warned.value) == (
        "The tests are expected to take about 1 second on one processor: 10 pairs of 5 systems on 1 dataset, "
        f"by the {SIGNIFICANCE_TESTS['sign-flip'].title} (60 instances). To do: {_expected(frame).cheaper}."
    )
    monkeypatch.undo()
    assert reportkit.compare(frame).comparisons
    expected = dataclasses.replace(_expected(frame), n_tests=390_000, what="so many")
    assert expected.finding() is None
    assert expected.finding(report=True).message == (
        "The tests and their report are expected to take about 80 seconds on one processor: so many; "
        "the report takes most of it."
    )


def test_of_several_tests_the_longest_is_named(every_work_is_long):
    """With the instances of its datasets alone."""
    parts = _frame(n=90, draw=_right_or_wrong).assign(dataset="right"), _frame(n=60), _frame(n=70).assign(dataset="d1")
    title = SIGNIFICANCE_TESTS["sign-flip"].title
    said = f"6 pairs of 4 systems on 3 datasets; the {title} (60 to 70 instances) takes longest"
    assert _expected(pd.concat(parts)).what == said


def test_of_a_thousand_systems_the_best_is_compared_with_each_other_one():
    """All pairs would be half a million tests; by two metrics they are refused, with the baseline that would do."""
    frame = _frame(1_000, n=5, draw=_right_or_wrong).assign(metric="accuracy")
    found = reportkit.compare(frame, other_profile=False)
    assert (len(found.comparisons), found.n_hypotheses) == (1_998, 999_000)
    both = pd.concat([frame, frame.assign(metric="exact match")])
    with pytest.raises(SettingsError, match="999,000 tests and their report would take about 30 minutes") as refused:
        reportkit.compare(both, metric=["accuracy", "exact match"])
    assert "499,500 pairs of 1,000 systems on 1 dataset by 2 metrics" in refused.value.where
    assert "baseline='s0' (command: --baseline s0): 1,998 tests, about" in refused.value.remedy


def test_a_cheaper_test_is_there_and_tests_the_same():
    """Of the same shape, under the same hypotheses."""
    cheaper = {name: test.cost.instead for name, test in SIGNIFICANCE_TESTS.items() if test.cost.instead}
    assert cheaper
    for name, instead in cheaper.items():
        test, other = SIGNIFICANCE_TESTS[name], SIGNIFICANCE_TESTS[instead]
        assert (other.shape, other.hypotheses) == (test.shape, test.hypotheses)
