"""Designs from results: what is known at the realised size, and what other sizes would do."""

import dataclasses

import numpy as np
import pytest

from reportkit.errors import DesignError
from reportkit.power_analysis.pilot import design_of
from reportkit.power_analysis.realised import realised_minimum_detectable
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.scores.shapes.runs import PairedRuns
from reportkit.scores.shapes.unpaired import UnpairedScores

NAMES = {"system_a": "a", "system_b": "b", "dataset": "cb", "metric": "f1"}
RNG = np.random.default_rng(0)
RIGHT = np.repeat([1.0, 0.0, 1.0], [60, 40, 400])
PILOTS = {
    "binary": PairedScores(**NAMES, kind="binary", a=RIGHT, b=RIGHT[::-1].copy()),
    "continuous": PairedScores(**NAMES, kind="continuous", a=RNG.normal(size=80), b=RNG.normal(size=80)),
    "clusters": PairedScores(
        **NAMES, kind="continuous", a=RNG.normal(size=80), b=RNG.normal(size=80), clusters=np.arange(80) // 4
    ),
    "ordinal": PairedScores(**NAMES, kind="ordinal", a=RNG.integers(1, 6, 80) * 1.0, b=RNG.integers(1, 6, 80) * 1.0),
    "unpaired": UnpairedScores(**NAMES, kind="continuous", a=RNG.normal(size=80), b=RNG.normal(size=50)),
    "unpaired shares": UnpairedScores(**NAMES, kind="binary", a=RIGHT, b=RIGHT[:300].copy()),
    "runs": PairedRuns(**NAMES, kind="continuous", a=RNG.normal(size=(4, 80)), b=RNG.normal(size=(3, 80))),
}


@pytest.mark.parametrize("name", PILOTS)
def test_at_the_realised_size_it_is_what_reports_say(name):
    """The minimum detectable effect of the report, from the same results."""
    sample = PILOTS[name]
    found = design_of(sample).minimum_effect(sample.n, 0.8, 0.05)
    assert found == pytest.approx(realised_minimum_detectable(sample, alternative="greater").at_alpha, rel=1e-6)


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
    single = PairedRuns(**NAMES, kind="continuous", a=RNG.normal(size=(4, 80)), b=RNG.normal(size=(1, 80)))
    assert design_of(single).minimum_effect(80, 0.8, 0.05) > 0
    with pytest.raises(DesignError, match="a single run"):
        design_of(single).minimum_effect(160, 0.8, 0.05)


def test_results_without_variance_are_no_pilot():
    """The message says what to give instead."""
    same = PairedScores(**NAMES, kind="binary", a=RIGHT, b=RIGHT)
    with pytest.raises(DesignError, match="--discordant"):
        design_of(same)
    constant = PairedScores(**NAMES, kind="continuous", a=np.ones(5), b=np.zeros(5))
    with pytest.raises(DesignError, match="--sd"):
        design_of(constant)
