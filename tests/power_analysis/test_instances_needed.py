"""Instances needed, from an assessment: the numbers of the planned designs."""

from __future__ import annotations

import pytest

from reportkit.power_analysis.instances_needed import instances_needed
from reportkit.power_analysis.planned_error import PlannedError
from reportkit.power_analysis.power import power
from reportkit.power_analysis.sample_size import mcnemar_sample_size
from tests.report.paragraph_cases import analysis


def _item(test):
    return analysis(test, "one dataset, not shown").comparisons[0].assessments[0]


def test_right_or_wrong_scores_need_what_mcnemar_needs():
    """The rate of discordant instances is the observed one; the difference is not."""
    item = _item("mcnemar")
    rate = item.n_nonzero / item.n
    expected = mcnemar_sample_size(0.02, rate, alpha=0.025, alternative="greater")
    assert instances_needed(item, 0.02, level=0.025) == expected


def test_means_need_what_the_standard_error_says():
    """The power is reached at n and not at n - 1."""
    item = _item("sign-flip")
    n = instances_needed(item, 0.5, level=0.05)
    known = PlannedError(item.standard_error, item.n - 1)
    powers = [power(0.5, known.scaled(m / item.n), alpha=0.05, alternative="greater") for m in (n - 1, n)]
    assert powers[0] < 0.8 <= powers[1]


@pytest.mark.parametrize("test", ["welch-seeds", "corrected-resampled-t"])
def test_where_instances_are_not_sampled_there_is_no_number(test):
    """More instances are not what runs and folds lack."""
    assert instances_needed(_item(test), 0.5, level=0.05) is None
