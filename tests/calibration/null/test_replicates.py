"""One test on many samples."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reportkit.calibration.null.replicates import replicated_p_values, selected_test
from reportkit.errors import DesignError, UnknownNameError
from reportkit.significance.catalogue import run_test
from reportkit.significance.plan import ResamplingPlan


@pytest.mark.parametrize("test", ["sign-flip", "wilcoxon", "paired-t"])
def test_same_as_one_at_a_time(block_of, test):
    """P-values are to the last bit those of the test on each sample alone."""
    rng = np.random.default_rng(0)
    samples = [block_of(rng.normal(size=(2, 25))).pair("s00", "s01") for _ in range(70)]
    found = replicated_p_values(iter(samples), test, n_replicates=70)
    alone = [run_test(test, replace(sample), ResamplingPlan()) for sample in samples]
    assert found.p_greater.tolist() == [outcome.p_greater for outcome in alone]
    assert found.p_less.tolist() == [outcome.p_less for outcome in alone]


def test_what_cannot_be_computed_counts_as_one(block_of):
    """Identical systems and differences without variance give p = 1; the latter are counted."""
    same = block_of(np.ones((2, 10))).pair("s00", "s01")
    constant = block_of(np.stack((np.ones(10), np.zeros(10)))).pair("s00", "s01")
    calls = []
    found = replicated_p_values(
        [same, constant], "paired-t", n_replicates=2, progress=lambda done, total: calls.append((done, total))
    )
    assert found.p_greater.tolist() == found.p_less.tolist() == [1.0, 1.0]
    assert found.n_without_variance == 1
    assert calls == [(2, 2)]


def test_which_test(block_of):
    """The decision table chooses, a name wins, and what does not fit is refused before any work."""
    sample = block_of(np.random.default_rng(0).normal(size=(2, 50))).pair("s00", "s01")
    assert selected_test(sample, None, "recommended") == "sign-flip"
    assert selected_test(sample, None, "dror2017") == "wilcoxon"
    assert selected_test(sample, "paired-t", "recommended") == "paired-t"
    with pytest.raises(UnknownNameError):
        selected_test(sample, "wilcoxin", "recommended")
    with pytest.raises(DesignError, match="0 or 1"):
        selected_test(sample, "mcnemar", "recommended")
    with pytest.raises(DesignError, match="nothing to calibrate"):
        selected_test(block_of(np.ones((2, 9))).pair("s00", "s01"), None, "recommended")
