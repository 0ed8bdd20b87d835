"""Boschloo's test of counts alone: its exact size through the analysis of a plain table."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import reportkit  # noqa: F401  (registers the accessor)
from reportkit.significance.assess import assess
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.aggregate_boschloo import AGGREGATE_BOSCHLOO, aggregate_boschloo
from reportkit.significance.tests.boschloo import boschloo
from reportkit.significance.tests.mcnemar_margins import mcnemar_margins

PLAN = ResamplingPlan()


@pytest.mark.parametrize(("n_a", "n_b"), [(40, 10), (10, 40), (12, 12), (5, 5)])
def test_size_by_enumeration(proportions, n_a, n_b):
    """Over all tables, no common proportion is rejected more often than the level; the z-test was, up to .088."""
    items = {(a, b): assess(proportions(a, n_a, b, n_b), PLAN).outcome for a in range(n_a + 1) for b in range(n_b + 1)}
    a, b = np.arange(n_a + 1)[:, None], np.arange(n_b + 1)
    for side in ("p_greater", "p_less"):
        p = np.array([[getattr(items[x, y], side) for y in range(n_b + 1)] for x in range(n_a + 1)])
        for share in (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.98, 0.995):
            weights = stats.binom.pmf(a, n_a, share) * stats.binom.pmf(b, n_b, share)
            for level in (0.05, 0.025, 0.01, 0.001):
                assert weights[p <= level].sum() <= level


def test_counts_and_rows_have_the_same_p_value(proportions, unpaired_counts):
    """The same data given as k of n and as scores of single instances; swap included."""
    counted, rows = aggregate_boschloo(proportions(30, 40, 5, 10), PLAN), boschloo(unpaired_counts(30, 40, 5, 10), PLAN)
    assert (counted.p_greater, counted.p_less, counted.p_min) == (rows.p_greater, rows.p_less, rows.p_min)
    assert aggregate_boschloo(proportions(5, 10, 30, 40, names=("b", "a")), PLAN) == counted.swapped()
    assert counted.method == "exact"


def test_the_pairing_is_said_to_be_unknown(proportions):
    """With the McNemar p-values that the numbers allow."""
    sample = proportions(30, 40, 20, 40)
    outcome = aggregate_boschloo(sample, PLAN)
    (finding,) = AGGREGATE_BOSCHLOO.remarks(sample, outcome)
    assert (finding.code, finding.severity) == ("pairing-unknown", "warning")
    assert AGGREGATE_BOSCHLOO.details(sample, outcome).a.mcnemar_p_value_high == mcnemar_margins(sample, PLAN).p_greater


def test_from_a_table():
    """It is what a table of k and n is tested by; above a million tables it is Fisher's."""
    frame = pd.DataFrame({"system": ["new", "old"], "dataset": "cb", "k": [700, 650], "n": [990, 990]})
    assert frame.replic.compare("new", "old").outcomes.test.tolist() == ["aggregate-boschloo"]
    larger = frame.assign(n=1000)
    assert larger.replic.compare("new", "old").outcomes.test.tolist() == ["aggregate-fisher"]
