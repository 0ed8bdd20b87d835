"""A second test beside the first."""

import dataclasses

import numpy as np

from reportkit.metrics.corpus import F1
from reportkit.scores.sample import Sample
from reportkit.significance.assess import assess
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS, run_test
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.second_test import disagreement, outcome_beside

PLAN = ResamplingPlan(thresholds=(0.05,))


def _pair(a, b):
    return Sample(
        shape="corpus",
        system_a="new",
        system_b="old",
        dataset="cb",
        metric="F1",
        kind="continuous",
        a=np.asarray(a, dtype=float),
        b=np.asarray(b, dtype=float),
        measure=F1,
    )


def _counts(n=60):
    return np.random.default_rng(1).integers(0, 12, size=(2, n, 3)).astype(float)


def test_names_of_tests_beside():
    """They exist, are of the same shape, and have none beside themselves."""
    for entry in SIGNIFICANCE_TESTS.values():
        if entry.beside:
            other = SIGNIFICANCE_TESTS[entry.beside]
            assert other.shape == entry.shape
            assert other.beside == ""


def test_the_jackknife_is_computed_beside_the_bootstrap():
    """Its p-values are among the details of the assessment."""
    pair = _pair(*_counts())
    item = assess(pair, PLAN)
    second = run_test("corpus-jackknife-t", pair, PLAN)
    assert item.test == "corpus-bootstrap"
    assert item.details.a.p_value_beside == second.p_greater
    assert item.details.b.p_value_beside == second.p_less


def test_nothing_beside():
    """Where none belongs there, or where the data do not allow it."""
    named = assess(_pair(*_counts()), PLAN, test="corpus-jackknife-t")
    alike = _pair([[3, 1, 1]] * 25, [[2, 1, 1]] * 25)
    assert outcome_beside(alike, "corpus-jackknife-t", PLAN) is None
    for item in (named, assess(alike, PLAN, test="corpus-bootstrap")):
        assert (item.details.test_beside, item.details.a.p_value_beside) == (None, None)
        assert "tests-disagree" not in {finding.code for finding in item.findings}


def test_disagreement_about_a_level():
    """Said in whichever direction it occurs, and only then."""
    pair = _pair(*_counts())
    first, second = (run_test(name, pair, PLAN) for name in ("corpus-bootstrap", "corpus-jackknife-t"))
    low, high = (dataclasses.replace(first, p_greater=p, p_less=0.9) for p in (0.04, 0.06))
    (found,) = disagreement(low, dataclasses.replace(second, p_greater=0.06, p_less=0.9), (0.05, 0.01))
    assert found.code == "tests-disagree"
    assert found.message == (
        "That new is better has p = .040 by the recentred paired bootstrap test and p = .060 by the jackknife t-test, "
        "on different sides of a level that matters."
    )
    assert not list(disagreement(high, dataclasses.replace(second, p_greater=0.07, p_less=0.9), (0.05, 0.01)))
    (other,) = disagreement(high, dataclasses.replace(second, p_greater=0.07, p_less=0.04), (0.05,))
    assert other.message.startswith("That old is better")
