"""Designs from results: what is known at the realised size, and what other sizes would do."""

import dataclasses

import numpy as np
import pytest

import reportkit
from reportkit.errors import DesignError
from reportkit.metrics.corpus import ACCURACY
from reportkit.power_analysis.designs import MeanDifference, paired_accuracy
from reportkit.power_analysis.exact import two_proportions_power
from reportkit.power_analysis.pilot import design_of, instances_needed
from reportkit.power_analysis.planned_error import PlannedError
from reportkit.scores.sample import Sample
from reportkit.significance.standard_errors import standard_error
from tests.contract import frames
from tests.samples import corpus, run_scores

NAMES = {"system_a": "a", "system_b": "b", "dataset": "cb", "metric": "f1"}
RNG = np.random.default_rng(0)
RIGHT = np.repeat([1.0, 0.0, 1.0], [60, 40, 400])
PILOTS = {
    "binary": Sample(**NAMES, kind="binary", a=RIGHT, b=RIGHT[::-1].copy()),
    "continuous": Sample(**NAMES, kind="continuous", a=RNG.normal(size=80), b=RNG.normal(size=80)),
    "clusters": Sample(
        **NAMES, kind="continuous", a=RNG.normal(size=80), b=RNG.normal(size=80), clusters=np.arange(80) // 4
    ),
    "ordinal": Sample(**NAMES, kind="ordinal", a=RNG.integers(1, 6, 80) * 1.0, b=RNG.integers(1, 6, 80) * 1.0),
    "unpaired": Sample(shape="unpaired", **NAMES, kind="continuous", a=RNG.normal(size=80), b=RNG.normal(size=50)),
    "unpaired shares": Sample(shape="unpaired", **NAMES, kind="binary", a=RIGHT[::5].copy(), b=RIGHT[::8].copy()),
    "runs": Sample(shape="runs", **NAMES, kind="continuous", a=RNG.normal(size=(4, 80)), b=RNG.normal(size=(3, 80))),
}


@pytest.mark.parametrize("name", PILOTS)
def test_four_times_as_many_halve_the_error(name):
    """Standard errors fall with the square root of n; with runs, only as far as instances vary."""
    sample = PILOTS[name]
    design = design_of(sample)
    one, four = (design.error(k * sample.n, 0.02).standard_error for k in (1, 4))
    assert one / 2 <= four * (1 + 1e-9)
    assert four < one
    if name != "runs":
        assert four == pytest.approx(one / 2)


@pytest.mark.parametrize("name", PILOTS)
def test_the_difference_is_never_used(name):
    """Results in which A scores higher by a constant, or wins and losses are exchanged, give the same design."""
    sample = PILOTS[name]
    if name in ("binary", "unpaired shares"):
        other = dataclasses.replace(sample, a=1 - sample.a, b=1 - sample.b)
        if name == "unpaired shares":
            other = dataclasses.replace(sample, a=np.sort(sample.a), b=np.sort(sample.b))
    elif name == "ordinal":
        other = dataclasses.replace(sample, a=sample.b, b=sample.a)
    else:
        other = dataclasses.replace(sample, a=sample.a + 3.0)
    mine, theirs = (design_of(item).minimum_effect(item.n, 0.8, 0.05) for item in (sample, other))
    assert mine == pytest.approx(theirs, rel=1e-9)


def test_more_runs_show_smaller_differences():
    """As far as runs vary; and runs are for results that have several."""
    sample = PILOTS["runs"]
    few, many = (design_of(sample, runs).minimum_effect(80, 0.8, 0.05) for runs in (3, 30))
    assert many < few
    with pytest.raises(DesignError, match="no scores of several runs"):
        design_of(PILOTS["binary"], 3)
    single = Sample(shape="runs", **NAMES, kind="continuous", a=RNG.normal(size=(4, 80)), b=RNG.normal(size=(1, 80)))
    assert design_of(single).minimum_effect(80, 0.8, 0.05) > 0
    with pytest.raises(DesignError, match="a single run"):
        design_of(single).minimum_effect(160, 0.8, 0.05)


def test_results_without_variance_are_no_pilot():
    """The message says what to give instead."""
    same = Sample(**NAMES, kind="binary", a=RIGHT, b=RIGHT)
    with pytest.raises(DesignError, match="--discordant"):
        design_of(same)
    constant = Sample(**NAMES, kind="continuous", a=np.ones(5), b=np.zeros(5))
    with pytest.raises(DesignError, match="--sd"):
        design_of(constant)


def t_effect(error, freedom):
    """Smallest effect that a two-sided t test shows with a power of .8."""
    return MeanDifference(lambda n: PlannedError(error, freedom)).minimum_effect(2, 0.8, 0.025)


def paired(a, b, kind="continuous", **fields):
    """Two systems on the same instances."""
    return Sample(**NAMES, kind=kind, a=np.asarray(a, float), b=np.asarray(b, float), **fields)


def smallest(sample, level=0.025):
    """The difference that is shown with a power of .8."""
    return design_of(sample).minimum_effect(sample.n, 0.8, level)


def test_other_designs_take_their_own_standard_error_and_degrees_of_freedom():
    """Clusters, corpus metrics, runs, scores of runs, unpaired scores."""
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 10, (2, 40, 1)).astype(float)
    totals = np.full((40, 1), 10.0)
    runs_a, runs_b = rng.normal(size=(3, 20)), rng.normal(size=(3, 20))
    samples = [
        (paired(rng.normal(size=40), rng.normal(size=40), clusters=np.repeat(np.arange(20), 2)), 19),
        (
            corpus(np.hstack([counts[0], totals]), np.hstack([counts[1], totals]), ACCURACY),
            39,
        ),
        (
            run_scores([0.5, 0.6, 0.9], [0.1]),
            2,
        ),
        (Sample(shape="runs", **NAMES, kind="continuous", a=runs_a, b=runs_b), None),
        (Sample(shape="unpaired", **NAMES, kind="continuous", a=rng.normal(size=9), b=rng.normal(size=9)), None),
    ]
    for sample, freedom in samples:
        found, error = smallest(sample), standard_error(sample)
        if freedom is not None:
            assert found == pytest.approx(t_effect(error, freedom), rel=1e-9)
        assert found > t_effect(error, np.inf)


@pytest.mark.parametrize(
    ("n_a", "n_b", "right"), [(100, 100, 140), pytest.param(300, 40, 306, marks=pytest.mark.slow), (1500, 1500, 1500)]
)
def test_two_proportions_have_the_power(n_a, n_b, right):
    """At the minimum detectable difference, with the same accuracy over all instances."""
    scores = np.repeat([1.0, 0.0], [right, n_a + n_b - right])
    scores = np.random.default_rng(1).permutation(scores)
    sample = Sample(shape="unpaired", **NAMES, kind="binary", a=scores[:n_a], b=scores[n_a:])
    overall = right / (n_a + n_b)
    for level in (0.025, 0.025 / 4):
        effect = smallest(sample, level)
        right_a, right_b = overall + effect * n_b / (n_a + n_b), overall - effect * n_a / (n_a + n_b)
        assert two_proportions_power(n_a, n_b, right_a, right_b, level) == pytest.approx(0.8, abs=1e-6)


def test_too_few_or_too_good_for_any_difference():
    """Two of two against none is p = 1/16; where nearly all is right, no difference is left to be shown."""
    for a, b in (([1, 0], [1, 0]), ([1] * 49 + [0], [1] * 50)):
        sample = Sample(shape="unpaired", **NAMES, kind="binary", a=np.array(a, float), b=np.array(b, float))
        assert smallest(sample) is None


def _item(test, frame):
    (item,) = reportkit.compare(frame[frame["dataset"] == "news"], "new", "old").assessments
    assert item.test == test
    return item


def test_right_or_wrong_scores_need_what_mcnemar_needs():
    """The rate of discordant instances is the observed one; the difference is not used."""
    item = _item("mcnemar", frames.right_or_wrong())
    expected = paired_accuracy(None, item.n_nonzero / item.n)[""].sample_size(0.02, 0.8, 0.025)
    assert instances_needed(item, 0.02, level=0.025) == expected


def test_means_need_what_the_standard_error_says():
    """The power is reached at n and not at n - 1."""
    item = _item("sign-flip", frames.continuous())
    n, known = instances_needed(item, 0.5, level=0.05), PlannedError(item.standard_error, item.n - 1)
    design = MeanDifference(lambda m: known.scaled(m / item.n))
    assert design.power(n - 1, 0.5, 0.05) < 0.8 <= design.power(n, 0.5, 0.05)


@pytest.mark.parametrize(
    ("test", "frame"), [("welch-seeds", frames.run_scores()), ("corrected-resampled-t", frames.folds())]
)
def test_where_instances_are_not_sampled_there_is_no_number(test, frame):
    """More instances are not what runs and folds lack."""
    assert instances_needed(_item(test, frame), 0.5, level=0.05) is None
