"""Bayes factors along the prior: each is that of its own module, and words say where they cross 1."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reportkit.bayes import bayes_factors, better_by_more_than, equivalent_within
from reportkit.figures.drawings import DRAWINGS
from reportkit.figures.prior_sensitivity import prior_sensitivity_content
from reportkit.scores.sample import RightOf, Sample


@pytest.fixture(scope="module")
def arc():
    """The counts of ARC-easy."""
    return Sample(
        shape="counts",
        system_a="S1",
        system_b="S2",
        dataset="ARC-easy",
        metric="accuracy",
        kind="binary",
        counts=RightOf(1721, 2376, 1637, 2376),
    )


def test_the_curve_goes_through_the_bayes_factors_that_are_named(arc):
    """Under Beta(1, 1): 1.3773; marked are .5, 1 and 2 of the table."""
    content = prior_sensitivity_content([arc], equivalent_within(0.01))
    (curve,) = content.curves
    shown = {round(curve.priors[index], 9): 10.0 ** curve.log_factors[index] for index in curve.shown}
    assert shown == pytest.approx({0.5: 0.957, 1.0: 1.3773, 2.0: 1.1422}, abs=1e-4)


def test_words_say_where_the_prior_decides(arc):
    """On ARC-easy the factor is on both sides of 1."""
    content = prior_sensitivity_content([arc], equivalent_within(0.01))
    words = DRAWINGS["prior-sensitivity"].alt_text(content)
    assert "on both sides of 1" in words
    assert "from 0.125 to 8" in words
    assert len(DRAWINGS["prior-sensitivity"].draw(content).axes) == 1


def test_means_vary_the_scale_of_the_cauchy_prior():
    """Continuous scores: the scale, around the one that was declared."""
    rng = np.random.default_rng(1)
    a, b = rng.normal(0.1, 1, 80), np.zeros(80)
    sample = Sample(system_a="a", system_b="b", dataset="d", metric="f1", kind="continuous", a=a, b=b)
    content = prior_sensitivity_content([sample], better_by_more_than(0.0), prior=0.2)
    assert content.parameter == "scale of the Cauchy prior"
    (curve,) = content.curves
    expected = bayes_factors(sample, better_by_more_than(0.0), prior=0.2).factors[0].log_value
    assert curve.log_factors[curve.shown[1]] * math.log(10) == pytest.approx(expected, abs=2e-6)
