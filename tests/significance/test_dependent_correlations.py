"""What holds for every test of two correlations with the same gold score."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reportkit.errors import DesignError, ScoreValueError
from reportkit.significance.assess import assess
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS, run_test
from reportkit.significance.entry import ResamplingPlan

PLAN = ResamplingPlan()
NAMES = [name for name, test in SIGNIFICANCE_TESTS.items() if test.shape == "correlation"]
NORMAL_THEORY = [name for name in NAMES if name != "correlation-jackknife-t"]
COEFFICIENTS = ["pearson", "spearman", "kendall"]

samples = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.integers(0, 4)), min_size=10, max_size=30
)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("name", NAMES)
@given(values=samples, random=st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=15)
def test_invariants(predictions, name, coefficient, values, random):
    """Swap and order of rows change nothing, to the last bit; direction and units nothing that counts."""
    a, b, gold, clusters = (np.array(column) for column in zip(*values, strict=True))
    assume(all(np.ptp(column) for column in (a, b, gold)))  # pairs with a constant are refused as they are read
    a, b, gold = a / 7, b / 7, gold / 7
    fields = {"coefficient": coefficient}
    if SIGNIFICANCE_TESTS[name].uses_clusters and random.random() < 0.5:
        fields["clusters"] = clusters
    try:
        outcome = run_test(name, predictions(a, b, gold, **fields), PLAN)
    except (DesignError, ScoreValueError):
        assume(False)
    assert 0 < outcome.p_min <= min(outcome.p_greater, outcome.p_less)
    assert max(outcome.p_greater, outcome.p_less) <= 1
    assert outcome.p_greater + outcome.p_less >= 1 - 1e-9
    assert math.isfinite(outcome.statistic)

    order = np.array(random.sample(range(a.size), a.size))
    mixed = {**fields, **({"clusters": clusters[order]} if "clusters" in fields else {})}
    assert run_test(name, predictions(a[order], b[order], gold[order], **mixed), PLAN) == outcome

    swapped = run_test(name, predictions(b, a, gold, names=("b", "a"), **fields), PLAN)
    assert swapped == outcome.swapped()

    turned = run_test(name, predictions(-a, -b, -gold, higher_is_better=False, **fields), PLAN)
    assert (turned.p_greater, turned.p_less) == pytest.approx((outcome.p_greater, outcome.p_less), rel=1e-12)

    rescaled = run_test(name, predictions(a * 1e-200 + 3e-200, b * 64.0, gold * 1e200, **fields), PLAN)
    assert rescaled.statistic == pytest.approx(outcome.statistic, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_fewer_than_ten_instances_are_refused(predictions, name):
    """With what to do instead, also as an option of the command."""
    values = [1.0, 2, 3, 4, 5, 6, 7, 9, 8]
    with pytest.raises(DesignError, match="over 10 instances or more, and there are 9") as error:
        run_test(name, predictions(values, values[::-1], np.arange(9)), PLAN)
    assert "a vs. b on pairs" in str(error.value)
    assert "--metric" in error.value.remedy


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("name", NAMES)
def test_systems_that_no_gold_score_can_tell_apart(predictions, name, coefficient):
    """The same predictions in other units, or in the same order: p = 1 on both sides, and a finding says why."""
    rng = np.random.default_rng(2)
    gold, a = rng.normal(size=30), rng.normal(size=30)
    b = 3 * a - 1 if coefficient == "pearson" else np.exp(a)
    item = assess(predictions(a, b, gold, coefficient=coefficient), PLAN, test=name)
    assert item.test == name
    assert (item.p_greater, item.p_less, item.n_nonzero) == (1.0, 1.0, 0)
    assert (item.estimate, item.statistic, item.interval) == (0.0, 0.0, None)
    assert "same-order" in [finding.code for finding in item.findings]


@pytest.mark.parametrize("name", NAMES)
def test_identical_predictions_are_not_tested(predictions, name):
    """The usual way: p = 1 by the test `identical`."""
    values = np.arange(12.0)
    item = assess(predictions(values, values, values[::-1].copy()), PLAN, test=name)
    assert (item.test, item.p_value) == ("identical", 1.0)


@pytest.mark.parametrize("name", NORMAL_THEORY)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_perfect_correlation_has_no_fisher_z(predictions, name, sign):
    """Said in words, for A as for B; the default test does without."""
    rng = np.random.default_rng(3)
    gold = rng.normal(size=20)
    other = gold + rng.normal(size=20)
    perfect = sign * 2 * gold
    for sample in (predictions(perfect, other, gold), predictions(other, perfect, gold)):
        with pytest.raises(DesignError, match=f"infinite: the Pearson correlation of '[ab]' .* is {sign:.0f}"):
            run_test(name, sample, PLAN)
        assert math.isfinite(run_test("correlation-jackknife-t", sample, PLAN).statistic)


@pytest.mark.parametrize("name", NORMAL_THEORY)
def test_systems_that_are_all_but_alike(predictions, name):
    """1 minus the correlation of the two systems has no digit left: refused, not computed from noise."""
    rng = np.random.default_rng(4)
    gold, a = rng.normal(size=20), rng.normal(size=20)
    with pytest.raises(DesignError, match="divides by 1 minus the correlation of the two systems"):
        run_test(name, predictions(a, a + 1e-9 * rng.normal(size=20), gold), PLAN)


@pytest.mark.parametrize("name", NORMAL_THEORY)
def test_clusters_that_are_ignored_are_an_error(predictions, name):
    """With the test that does not ignore them."""
    rng = np.random.default_rng(6)
    gold, a, b = rng.normal(size=(3, 40))
    item = assess(predictions(a, b, gold, clusters=np.arange(40) // 4), PLAN, test=name)
    (ignored,) = (finding for finding in item.findings if finding.code == "clusters-ignored")
    assert (ignored.severity, "'correlation-jackknife-t'" in ignored.remedy) == ("error", True)


def test_tests_of_scores_do_not_take_correlations(predictions, pair):
    """And the other way round; the message names what fits."""
    rng = np.random.default_rng(8)
    gold, a, b = rng.normal(size=(3, 25))
    with pytest.raises(DesignError, match="these are predictions with a gold score") as error:
        run_test("sign-flip", predictions(a, b, gold), PLAN)
    assert "'steiger'" in error.value.remedy
    with pytest.raises(DesignError, match="is a test of predictions with a gold score"):
        run_test("steiger", pair([1.0, 2.0]), PLAN)
