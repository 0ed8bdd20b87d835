"""The bound for subsets against closed testing over all intersections."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special

from reportkit.errors import InputError, UnknownNameError
from reportkit.replicability.multiple_testing.combination import COMBINATIONS
from reportkit.replicability.multiple_testing.partial_conjunction import closed_p_values, discoveries, holm, k_hat
from reportkit.significance.outcome import rejection_level
from tests.replicability.multiple_testing.test_fisher_bonferroni import by_integration

METHODS = list(COMBINATIONS)
SENTIMENT = [0.0268, 0.0011, 0.0119, 0.0038, 1.9e-6, 0.018, 0.0186, 0.0014, 0.0011, 0.4823, 0.9507, 0.0003]
vectors = st.lists(st.one_of(st.floats(1e-300, 1), st.sampled_from([0.01, 0.025, 0.05, 1.0])), min_size=1, max_size=9)
GLOBAL_NULL = {
    "bonferroni": lambda p: len(p) * min(p),
    "fisher": lambda p: special.gammaincc(len(p), -np.log(p).sum()),
    "fisher-bonferroni": by_integration,
}


def members_of(mask, n_datasets):
    """Positions of the set that is coded by the bits of a number."""
    return [position for position in range(n_datasets) if mask >> position & 1]


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
    n_datasets = int(rng.integers(1, 7))
    values = (1 - rng.random(n_datasets)) ** rng.choice([1, 2, 6])
    special_values = np.array([1e-300, 0.05, 0.05 / 2, 0.05 / n_datasets, 0.01, 1.0, values[0]])
    return np.where(rng.random(n_datasets) < 0.4, rng.choice(special_values, n_datasets), values)


@pytest.mark.parametrize("method", METHODS)
def test_brute_force_over_all_intersections(method):
    """Problems of up to six datasets: the shortcut is closed testing."""
    rng = np.random.default_rng(2019)
    for _ in range(20 if method == "fisher-bonferroni" else 120):
        p_values = random_problem(rng)
        alpha = float(rng.choice([0.01, 0.05, 0.3]))
        truth = bounds_by_brute_force(p_values, rejection_level(alpha), method)
        for subset in {*rng.permutation(len(truth))[:16].tolist(), len(truth) - 1}:
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
@settings(deadline=None, max_examples=60)
def test_a_dataset_is_named_where_its_own_bound_is_one(p_values, alpha):
    """Adjusted p-values name the datasets that are discoveries by themselves, and never more than are counted."""
    named = closed_p_values(p_values) <= rejection_level(alpha)
    single = [discoveries(p_values, [position], alpha, "fisher-bonferroni") for position in range(len(p_values))]
    assert single == named.astype(int).tolist()
    assert named.sum() <= k_hat(p_values, alpha, "fisher-bonferroni")
    assert discoveries(p_values, named, alpha, "fisher-bonferroni") == named.sum()


@pytest.mark.parametrize(
    ("subset", "problem"),
    [
        ([12], "the subset names dataset 12 1 times, and there are 12"),
        ([-1], "the subset names dataset -1"),
        ([3, 5, 3], "the subset names dataset 3 2 times"),
        ([True, False], "the subset is of type bool"),
        (["BC"], "the subset is of type"),
        ([[0, 1]], r"of shape \(1, 2\)"),
        (3, r"of shape \(\)"),
    ],
)
def test_subsets_that_make_no_sense_are_refused(subset, problem):
    """Absent, repeated and non-integer positions raise, with the offending value."""
    with pytest.raises(InputError, match=problem):
        discoveries(SENTIMENT, subset)


def test_bad_input_is_refused():
    """Several rows, unknown methods and the naive count raise."""
    with pytest.raises(InputError, match=r"shape \(1, 2\)"):
        discoveries([[0.1, 0.2]], [0])
    with pytest.raises(UnknownNameError, match="'count'"):
        discoveries([0.1], [0], method="count")
