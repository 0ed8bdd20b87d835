"""All tests: what they refuse, and what holds for every one of them."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reportkit.errors import DesignError, SettingsError, UnknownNameError
from reportkit.metrics.corpus import ACCURACY
from reportkit.significance.assess import assess
from reportkit.significance.catalogue import SHAPE_NAMES, SIGNIFICANCE_TESTS, register_test, run_test
from reportkit.significance.entry import ResamplingPlan
from tests import samples

PLAN = ResamplingPlan(n_resamples=199)
ALL = [name for name in SIGNIFICANCE_TESTS if name != "identical"]
NAMES = [name for name in ALL if SIGNIFICANCE_TESTS[name].shape == "paired"]
RIGHT_OR_WRONG = [name for name in NAMES if SIGNIFICANCE_TESTS[name].kinds == {"binary"}]


def test_order():
    """As users see them: the one of identical scores, then shape by shape, each by name."""
    first, *others = SIGNIFICANCE_TESTS.values()
    assert first.name == "identical"
    assert [(test.shape, test.name) for test in others] == sorted(
        ((test.shape, test.name) for test in others), key=lambda key: (list(SHAPE_NAMES).index(key[0]), key[1])
    )
    for name, test in SIGNIFICANCE_TESTS.items():
        assert test.name == name


@pytest.mark.parametrize("name", ALL)
def test_texts(name):
    """Titles in lower case for running text, clauses without a full stop, a sentence as summary, a source."""
    test = SIGNIFICANCE_TESTS[name]
    assert test.title.split()[0] not in ("the", "a", "an")
    for clause in (test.title, test.estimand, *test.assumptions):
        assert clause
        assert not clause.endswith(".")
    assert test.summary.endswith(".")
    assert test.citation.isalnum()


def test_the_nearest_name_is_said(pair):
    """A misspelt test."""
    with pytest.raises(UnknownNameError, match="there is no significance test 'mcnemer'") as error:
        run_test("mcnemer", pair([1.0]), PLAN)
    assert "'mcnemar'" in str(error.value)


@pytest.mark.parametrize("name", RIGHT_OR_WRONG)
def test_scores_that_are_not_right_or_wrong_are_refused(pair, name):
    """The message says value and system, as given in the input."""
    with pytest.raises(DesignError) as error:
        run_test(name, pair([1, 0, 1, 0], [1, 0, 0.5, 0.25], names=("new", "base")), PLAN)
    assert error.value.problem == f"'{name}' needs scores that are 0 or 1; system 'base' scores 0.5"
    assert error.value.where == "new vs. base on cb"
    with pytest.raises(DesignError, match="system 'a' scores 3\n"):
        run_test(name, pair([0, -3.0], [0, -1.0], higher_is_better=False), PLAN)


@pytest.mark.parametrize("name", RIGHT_OR_WRONG)
@pytest.mark.parametrize("kind", ["continuous", "ordinal", "count"])
def test_right_or_wrong_scores_are_taken_whatever_they_are_called(pair, name, kind):
    """A third system with other scores on the dataset does not make this pair unfit."""
    binary, other = (run_test(name, pair([1, 1, 0], [0, 1, 0], kind=k), PLAN) for k in ("binary", kind))
    assert replace(other, kind="binary", in_percent=binary.in_percent) == binary


@pytest.mark.parametrize("name", ["sign-flip", "paired-t", "paired-bootstrap"])
def test_means_of_ordinal_scores_are_refused(pair, name):
    """And a test that fits is named."""
    with pytest.raises(DesignError, match=f"'{name}' compares means, and the mean of ordinal scores") as error:
        run_test(name, pair([1, 5, 2], kind="ordinal"), PLAN)
    assert "'sign-test'" in str(error.value)


@pytest.mark.parametrize("name", NAMES)
def test_weights_are_used_or_refused(pair, name):
    """Never ignored: doubling one weight changes the outcome, or the test says that it takes none."""
    scores = {"a": [1, 0, 1, 1, 0, 0, 1], "b": [0, 1, 0, 0, 0, 1, 0], "kind": "binary"}
    equal = pair(**scores, weights=np.ones(7))
    if not SIGNIFICANCE_TESTS[name].uses_weights:
        with pytest.raises(DesignError, match=f"'{name}' takes no weights, and instances have weights from 1 to 1"):
            run_test(name, equal, PLAN)
        return
    weighted = pair(**scores, weights=[3, 1, 1, 1, 1, 1, 2])
    assert run_test(name, weighted, PLAN).p_greater != run_test(name, equal, PLAN).p_greater
    assert run_test(name, equal, PLAN).p_greater == pytest.approx(
        run_test(name, pair(**scores), PLAN).p_greater, rel=1e-9
    )


@pytest.mark.parametrize("name", NAMES)
def test_clusters_are_used_as_declared(pair, name):
    """The entry says whether clusters matter; a test that ignores them gives what it gives without."""
    a, b = [1, 1, 1, 0, 1, 0, 1, 1], [0, 0, 0, 1, 0, 1, 0, 0]
    plain = run_test(name, pair(a, b, kind="binary"), PLAN)
    clustered = run_test(name, pair(a, b, kind="binary", clusters=[0, 0, 0, 1, 2, 3, 4, 4]), PLAN)
    assert (clustered.p_greater != plain.p_greater) == SIGNIFICANCE_TESTS[name].uses_clusters
    assert clustered.n_clusters == (5 if SIGNIFICANCE_TESTS[name].uses_clusters else None)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_alternatives(pair, name, alternative):
    """One outcome holds both tails; the two-sided p-value is twice the smaller one."""
    paired = pair([1, 1, 0, 1], [0, 0, 1, 0], kind="binary", clusters=[0, 1, 2, 3])
    outcome = run_test(name, paired, PLAN, alternative)
    assert outcome.alternative == alternative
    expected = {
        "greater": outcome.p_greater,
        "less": outcome.p_less,
        "two-sided": min(1.0, 2 * min(outcome.p_greater, outcome.p_less)),
    }
    assert outcome.p_value == expected[alternative]


@pytest.mark.parametrize("name", NAMES)
def test_identical_systems_have_p_one(pair, name):
    """Never 0, never NaN, with whatever scores."""
    for scores in ([1.0], [0.0, 1.0, 1.0]):
        outcome = run_test(name, pair(scores, scores, kind="binary"), PLAN, "two-sided")
        assert (outcome.p_value, outcome.p_greater, outcome.p_less) == (1.0, 1.0, 1.0)
        assert (outcome.n_nonzero, outcome.estimate, outcome.statistic) == (0, 0.0, 0.0)


binary_scores = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=2, max_size=30)
graded_scores = st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), min_size=2, max_size=30)


def numbers(outcome):
    """Everything about an outcome that may not depend on the order of rows."""
    return (outcome.p_greater, outcome.p_less, outcome.p_min, outcome.n, outcome.n_nonzero, outcome.n_clusters)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data(), random=st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=25)
def test_invariants(pair, name, data, random):
    """Swap, order of rows, negation and attainability, to the last bit."""
    binary = SIGNIFICANCE_TESTS[name].kinds == {"binary"}
    scores = data.draw(binary_scores if binary else graded_scores)
    kind = "binary" if binary else "continuous"
    a, b = (np.array(column) / (1 if binary else 10) for column in zip(*scores, strict=True))
    fields = {}
    if SIGNIFICANCE_TESTS[name].uses_clusters:
        fields["clusters"] = np.array([random.randrange(len(a)) for _ in a])
    if SIGNIFICANCE_TESTS[name].uses_weights:
        fields["weights"] = np.array([random.randrange(1, 6) / 4 for _ in a])
    try:
        outcome = run_test(name, pair(a, b, kind=kind, **fields), PLAN)
    except DesignError:
        assume(False)
    assert 0 < outcome.p_min <= min(outcome.p_greater, outcome.p_less)
    assert max(outcome.p_greater, outcome.p_less) <= 1
    assert outcome.p_greater + outcome.p_less >= 1 - 1e-9
    if SIGNIFICANCE_TESTS[name].effect == "mean":
        expected = np.average(np.round(a - b, 9), weights=fields.get("weights"))
        assert outcome.estimate == pytest.approx(expected, abs=1e-12)

    order = np.array(random.sample(range(len(a)), len(a)))
    mixed = {field: values[order] for field, values in fields.items()}
    assert numbers(run_test(name, pair(a[order], b[order], kind=kind, **mixed), PLAN)) == numbers(outcome)

    swapped = run_test(name, pair(b, a, kind=kind, names=("b", "a"), **fields), PLAN)
    assert swapped == outcome.swapped()

    negated = pair(-b, -a, kind=kind, higher_is_better=False, **fields)
    assert numbers(run_test(name, negated, PLAN)) == numbers(outcome)


@pytest.mark.parametrize("name", NAMES)
def test_rows_without_a_difference_change_nothing_where_the_test_is_conditional(pair, name):
    """McNemar, sign test, sign flip and Wilcoxon are about the instances that differ."""
    conditional = name.startswith(("mcnemar", "sign")) or name == "wilcoxon"
    a, b = [1, 1, 1, 0, 1, 1, 0], [0, 0, 0, 1, 0, 1, 0]
    alone = run_test(name, pair(a, b, kind="binary"), PLAN)
    padded = run_test(name, pair(a + [1] * 20, b + [1] * 20, kind="binary"), PLAN)
    if conditional:
        assert (padded.p_greater, padded.p_less) == (alone.p_greater, alone.p_less)
    else:
        assert padded.p_greater != alone.p_greater


def _far_apart(shape, make, n):
    """Two systems as far apart as data of this shape can be, with so many data that tails underflow."""
    rng = np.random.default_rng(0)
    if shape == "counts":
        return make["proportions"](n, n, 0, n)
    if shape == "unpaired":
        return make["unpaired_counts"](n, n, 1, n)
    if shape == "correlation":
        gold = rng.normal(size=n)
        return make["predictions"](gold + 1e-6 * rng.normal(size=n), -gold + 1e-6 * rng.normal(size=n), gold)
    near_one, near_zero = (value + 1e-12 * rng.normal(size=(400, 50)) for value in (1.0, 0.0))
    if shape == "runs":
        return samples.sample(near_one, near_zero, shape="runs")
    if shape == "run-scores":
        return samples.run_scores(near_one[:, 0], near_zero[:, 0])
    if shape == "folds":
        return samples.folds(near_one[:, :10], near_zero[:, :10])
    if shape == "corpus":
        right, wrong = (np.tile([float(value), 1.0], (n, 1)) for value in (1, 0))
        wrong[0, 0] = 1.0
        return samples.corpus(right, wrong, ACCURACY)
    return make["pair"](np.ones(n), np.append(np.zeros(n - 1), 0.0), kind="binary", clusters=np.arange(n))


@pytest.mark.parametrize("name", ALL)
def test_no_tail_is_ever_zero(request, name):
    """However far apart two systems are, p is in (0, 1] in both directions, and every finding can be written down."""
    make = {one: request.getfixturevalue(one) for one in ("proportions", "unpaired_counts", "predictions", "pair")}
    test = SIGNIFICANCE_TESTS[name]
    sample = _far_apart(test.shape, make, 60 if "permutation" in name else 600)  # random divisions never underflow
    if test.shape == "paired" and not test.uses_clusters:
        sample = replace(sample, clusters=None)
    try:
        outcome = run_test(name, sample, PLAN)
    except DesignError:  # tests of correlations and variances that such data do not have
        return
    for alternative in ("greater", "less", "two-sided"):
        assert 0 < outcome.towards(alternative).p_value <= 1
    for finding in assess(sample, PLAN, test=name).findings:
        assert finding.message
    details = assess(sample, PLAN, test=name).details
    sides = [details.get(side, {}) for side in ("a", "b")]
    assert all(value > 0 for side in sides for key, value in side.items() if "p_value" in key)


def test_every_estimate_is_finite(pair):
    """Statistics of extreme data are numbers."""
    paired = pair([1e300, 3e300, -1e300, 2e300], clusters=[0, 1, 2, 3])
    for name in NAMES:
        if name not in RIGHT_OR_WRONG:
            outcome = run_test(name, paired, PLAN)
            assert math.isfinite(outcome.statistic)
            assert math.isfinite(outcome.estimate)


def test_a_test_of_ones_own_is_one_of_them(pair):
    """It is run by its name, may be replaced, and takes no name of another."""
    own = replace(SIGNIFICANCE_TESTS["paired-t"], name="my-t", title="my t-test")
    assert register_test(own) is own
    try:
        sample = pair([1.0, 2.0, 4.0, 5.0])
        assert run_test("my-t", sample, PLAN).p_greater == run_test("paired-t", sample, PLAN).p_greater
        assert list(SIGNIFICANCE_TESTS)[-1] == "my-t"
        assert register_test(replace(own, title="better t-test")).title == SIGNIFICANCE_TESTS["my-t"].title
    finally:
        SIGNIFICANCE_TESTS.remove("my-t")
    assert "my-t" not in SIGNIFICANCE_TESTS
    with pytest.raises(SettingsError, match="there is a significance test 'paired-t' already"):
        register_test(replace(own, name="paired-t"))
    with pytest.raises(SettingsError, match="is no significance test"):
        register_test(own.function)
