"""The bound for subsets against closed testing over all intersections."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special

from reportkit.errors import InputError, SettingsError, UnknownNameError
from reportkit.registry import Registry
from reportkit.replicability.multiple_testing import closed_testing
from reportkit.replicability.multiple_testing.adjustment import adjusted_p_values
from reportkit.replicability.multiple_testing.closed_testing import closed_p_values, discoveries
from reportkit.replicability.multiple_testing.combination import COMBINATIONS, Combination
from reportkit.replicability.multiple_testing.p_values import rejection_level
from reportkit.replicability.multiple_testing.partial_conjunction import holm, k_hat
from tests.replicability.multiple_testing.test_fisher_bonferroni import by_integration

METHODS = list(COMBINATIONS)
SENTIMENT = [0.0268, 0.0011, 0.0119, 0.0038, 1.9e-6, 0.018, 0.0186, 0.0014, 0.0011, 0.4823, 0.9507, 0.0003]
vectors = st.lists(st.one_of(st.floats(1e-300, 1), st.sampled_from([0.01, 0.025, 0.05, 1.0])), min_size=1, max_size=9)


def members_of(mask, n_datasets):
    """Positions of the set that is coded by the bits of a number."""
    return [position for position in range(n_datasets) if mask >> position & 1]


def simes(p_values):
    """Simes' p-value of a global null."""
    return min(len(p_values) * p / i for i, p in enumerate(sorted(p_values), start=1))


GLOBAL_NULL = {
    "bonferroni": lambda p: len(p) * min(p),
    "simes": simes,
    "fisher": lambda p: special.gammaincc(len(p), -np.log(p).sum()),
    "stouffer": lambda p: special.ndtr(special.ndtri(p).sum() / np.sqrt(len(p))),
    "fisher-bonferroni": by_integration,
}


def bounds_by_brute_force(p_values, level, method):
    """The bound of every subset, from the definition of closed testing over all 2^N - 1 intersections."""
    n_datasets = len(p_values)
    p_values = np.array(p_values)
    everything = 2**n_datasets - 1
    rejected = {0: False}
    for mask in range(everything, 0, -1):  # a superset has a larger number
        above = [mask | 1 << position for position in range(n_datasets) if not mask >> position & 1]
        local = GLOBAL_NULL[method](p_values[members_of(mask, n_datasets)]) <= level
        rejected[mask] = bool(local) and all(rejected[larger] for larger in above)
    bounds = {}
    for subset in range(everything + 1):
        part, largest = subset, 0
        while part:
            if not rejected[part]:
                largest = max(largest, part.bit_count())
            part = (part - 1) & subset
        bounds[subset] = subset.bit_count() - largest
    return bounds


def random_problem(rng):
    """Few p-values: null, small, tiny, tied, ones, or exactly at a threshold."""
    n_datasets = int(rng.integers(1, 8))
    values = (1 - rng.random(n_datasets)) ** rng.choice([1, 2, 6])
    special_values = np.array([1e-300, 0.05, 0.05 / 2, 0.05 / n_datasets, 0.01, 1.0, values[0]])
    return np.where(rng.random(n_datasets) < 0.4, rng.choice(special_values, n_datasets), values)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_brute_force_over_all_intersections(method):
    """350 problems of up to seven datasets, and every subset of each: the shortcut is closed testing."""
    rng = np.random.default_rng(2019)
    n_problems = 60 if method == "fisher-bonferroni" else 350
    for _ in range(n_problems):
        p_values = random_problem(rng)
        alpha = float(rng.choice([0.01, 0.05, 0.3]))
        truth = bounds_by_brute_force(p_values, rejection_level(alpha), method)
        chosen = rng.permutation(len(truth))[:16]
        for subset in {*chosen.tolist(), len(truth) - 1}:
            members = members_of(subset, len(p_values))
            assert discoveries(p_values, members, alpha, method) == truth[subset], (p_values, members)


@pytest.mark.parametrize("method", METHODS)
@given(p_values=vectors, alpha=st.sampled_from([0.01, 0.05, 0.3]))
@settings(deadline=None, max_examples=50)
def test_bound_of_all_datasets_is_k_hat(method, p_values, alpha):
    """Closed testing and partial conjunction answer the same question for the set of all datasets."""
    assert discoveries(p_values, range(len(p_values)), alpha, method) == k_hat(p_values, alpha, method)


@given(p_values=vectors, data=st.data())
@settings(deadline=None, max_examples=100)
def test_bonferroni_counts_the_holm_rejections_inside(p_values, data):
    """With Bonferroni tests the bound of a subset is the number of its datasets that Holm names."""
    inside = data.draw(st.lists(st.booleans(), min_size=len(p_values), max_size=len(p_values)))
    assert discoveries(p_values, inside) == int(holm(p_values, 0.05)[inside].sum())


@given(p_values=vectors, alpha=st.sampled_from([0.01, 0.05, 0.3]))
@settings(deadline=None, max_examples=100)
def test_simes_on_one_dataset_is_hommel(p_values, alpha):
    """A single dataset is a discovery by Simes if its Hommel-adjusted p-value is at most alpha."""
    hommel = adjusted_p_values(p_values, "hommel") <= rejection_level(alpha)
    single = [discoveries(p_values, [position], alpha, "simes") for position in range(len(p_values))]
    assert single == hommel.astype(int).tolist()


@pytest.mark.parametrize("method", METHODS)
@given(p_values=vectors, data=st.data())
@settings(deadline=None, max_examples=50)
def test_larger_subsets_have_larger_bounds(method, p_values, data):
    """d(S) <= d(T) <= d(S) + |T without S| for S within T, and 0 <= d(S) <= |S|."""
    larger = data.draw(st.lists(st.sampled_from(range(len(p_values))), unique=True))
    smaller = larger[: data.draw(st.integers(0, len(larger)))]
    bound, bound_of_larger = (discoveries(p_values, subset, 0.1, method) for subset in (smaller, larger))
    assert 0 <= bound <= len(smaller)
    assert bound <= bound_of_larger <= bound + len(larger) - len(smaller)


@pytest.mark.parametrize("method", METHODS)
def test_no_bound_is_too_large_more_often_than_alpha(method):
    """Simultaneous coverage: 3 effects, 5 true nulls; some true null set has a positive bound in at most 10%."""
    repetitions, alpha = 1500, 0.1
    rng = np.random.default_rng(88)
    wrong = 0
    for _ in range(repetitions):
        p_values = 1 - rng.random(8)
        p_values[:3] *= 1e-4
        wrong += discoveries(p_values, range(3, 8), alpha, method) > 0
    assert wrong / repetitions <= alpha + 4 * np.sqrt(alpha * (1 - alpha) / repetitions)


@given(p_values=vectors, alpha=st.sampled_from([0.01, 0.05, 0.3]))
@settings(deadline=None, max_examples=100)
def test_a_dataset_is_named_where_its_own_bound_is_one(p_values, alpha):
    """Adjusted p-values name the datasets that are discoveries by themselves, and never more than are counted."""
    named = closed_p_values(p_values) <= rejection_level(alpha)
    single = [discoveries(p_values, [position], alpha, "fisher-bonferroni") for position in range(len(p_values))]
    assert single == named.astype(int).tolist()
    assert named.sum() <= k_hat(p_values, alpha, "fisher-bonferroni")
    assert discoveries(p_values, named, alpha, "fisher-bonferroni") == named.sum()


@given(p_values=vectors)
@settings(deadline=None, max_examples=60)
def test_adjusted_p_values_by_closed_testing(p_values):
    """Never below p or above 1, equal for equal p-values, in the order of the p-values; one p-value stays as it is."""
    adjusted, p_values = closed_p_values(p_values), np.array(p_values)
    assert np.all((adjusted >= p_values) & (adjusted <= 1))
    order = np.argsort(p_values)
    assert np.all(np.diff(adjusted[order]) >= 0)
    assert len(set(adjusted[p_values == p_values[0]])) == 1
    np.testing.assert_array_equal(closed_p_values([p_values, p_values[::-1]]), [adjusted, adjusted[::-1]])
    assert closed_p_values(p_values[:1]).tolist() == p_values[:1].tolist()


def test_sentiment_by_target_domain():
    """Dror et al. 2017, Table 4: Holm names 6 datasets, Hommel 7, and Simes shows 8 effects in all."""
    assert [discoveries(SENTIMENT, [position]) for position in range(12)] == [0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1]
    assert discoveries(SENTIMENT, range(12), method="simes") == 8
    assert sum(discoveries(SENTIMENT, [position], method="simes") for position in range(12)) == 7


def test_positions_and_bools_say_the_same():
    """Any order of positions, tuples, ranges and NumPy arrays are subsets; the empty subset has no discoveries."""
    mask = np.zeros(12, dtype=bool)
    mask[[1, 4, 9]] = True
    for subset in ([9, 1, 4], (1, 4, 9), np.array([4, 9, 1], dtype=np.uint8), mask, mask.tolist()):
        assert discoveries(SENTIMENT, subset) == 2
    assert discoveries(SENTIMENT, []) == discoveries(SENTIMENT, ()) == discoveries(SENTIMENT, [False] * 12) == 0
    assert mask.sum() == 3


@pytest.mark.parametrize(
    ("subset", "problem"),
    [
        ([12], "the subset names dataset 12, but there are 12"),
        ([-1], "the subset names dataset -1, but there are 12"),
        ([3, 5, 3], "the subset names dataset 3 2 times"),
        ([True, False], "the subset has 2 bools for 12 datasets"),
        ([0.5], "values of type float64"),
        (["BC"], "values of type"),
        ([[0, 1]], r"shape \(1, 2\)"),
        (3, r"shape \(\)"),
    ],
)
def test_subsets_that_make_no_sense_are_refused(subset, problem):
    """Absent, repeated and non-integer positions raise, with the offending value."""
    with pytest.raises(InputError, match=problem):
        discoveries(SENTIMENT, subset)


def test_bad_input_is_refused():
    """Several rows, impossible p-values, unknown methods and the naive count raise."""
    with pytest.raises(InputError, match=r"shape \(1, 2\)"):
        discoveries([[0.1, 0.2]], [0])
    with pytest.raises(InputError, match="NaN"):
        discoveries([float("nan")], [0])
    with pytest.raises(UnknownNameError, match="'count'"):
        discoveries([0.1], [0], method="count")


def test_a_rule_without_closed_testing_is_refused(monkeypatch):
    """A combination that is registered without a shortcut raises and names the methods that have one."""
    rules: Registry[Combination] = Registry("combination of p-values")
    for name, entry in COMBINATIONS.items():
        rules.register(name, entry)
    lonely = COMBINATIONS["simes"]
    rules.register(
        "lonely",
        Combination(
            name="lonely",
            title="Lonely",
            partial_conjunction=lonely.partial_conjunction,
            validity="any",
            citations=("nobody",),
        ),
    )
    monkeypatch.setattr(closed_testing, "COMBINATIONS", rules)
    with pytest.raises(SettingsError, match=r"no closed testing with 'lonely'(.|\n)*bonferroni, fisher, simes"):
        discoveries([0.1], [0], method="lonely")
