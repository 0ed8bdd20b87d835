"""The closed test over several claims against brute force over all intersections, and its error by simulation."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import ndtr

from reportkit.replicability.multiple_testing.correction import joint_closed_test
from reportkit.replicability.multiple_testing.partial_conjunction import closed_p_values, holm, k_hat
from reportkit.significance.outcome import rejection_level
from tests.replicability.multiple_testing.test_fisher_bonferroni import by_integration

SHAPES = [(2, 2), (3, 2), (2, 2, 2), (1, 3), (3, 3), (2, 1, 2), (1, 1, 1, 1), (5,)]
families = st.lists(arrays(np.float64, st.integers(1, 6), elements=st.floats(1e-12, 1.0)), min_size=1, max_size=5)


def largest_local_p_values(p_values):
    """By set of hypotheses, as bits, the largest local p-value of all sets that contain it: the definition."""
    hypotheses = [(claim, i) for claim, values in enumerate(p_values) for i in range(len(values))]
    cache = {}

    def local(mask):
        of_claims = {}
        for bit, (claim, i) in enumerate(hypotheses):
            if mask >> bit & 1:
                of_claims.setdefault(claim, []).append(p_values[claim][i])
        found = []
        for values in map(tuple, of_claims.values()):
            if values not in cache:
                cache[values] = by_integration(values)
            found.append(cache[values])
        return min(1.0, len(found) * min(found))

    everything = 2 ** len(hypotheses) - 1
    largest = {mask: local(mask) for mask in range(1, everything + 1)}
    for mask in range(everything - 1, 0, -1):
        for bit in range(len(hypotheses)):
            if not mask >> bit & 1:
                largest[mask] = max(largest[mask], largest[mask | 1 << bit])
    return largest


@pytest.mark.parametrize("shape", SHAPES)
def test_shortcut_is_the_closed_test(shape):
    """Adjusted p-values, counts and bounds of every subset are those of a search over all intersections."""
    rng = np.random.default_rng(sum(shape) * 10 + len(shape))
    starts = np.cumsum([0, *shape])
    for trial in range(6):
        p_values = [(1 - rng.random(size)) ** rng.choice([1, 3, 8]) for size in shape]
        if trial % 3 == 0:
            special = np.array([0.05, 0.025, 0.01, 1.0])
            p_values = [np.where(rng.random(v.size) < 0.4, rng.choice(special, v.size), v) for v in p_values]
        truth = largest_local_p_values(p_values)
        for start, claim in zip(starts, joint_closed_test(p_values), strict=False):
            own = [1 << (int(start) + i) for i in range(claim.p_values.size)]
            np.testing.assert_allclose(claim.adjusted, [truth[mask] for mask in own], rtol=1e-9)
            for alpha in (0.01, 0.05, 0.3):
                level = rejection_level(alpha)
                for size in range(1, len(own) + 1):
                    for subset in itertools.combinations(range(len(own)), size):
                        parts = (c for n in range(1, size + 1) for c in itertools.combinations(subset, n))
                        left = max((len(c) for c in parts if truth[sum(own[i] for i in c)] > level), default=0)
                        assert claim.discoveries(list(subset), alpha) == size - left
                assert claim.discoveries(range(len(own)), alpha) == (claim.curve <= level).sum()


@pytest.mark.slow
@given(p_values=families, times=st.sampled_from([1, 2]), alpha=st.sampled_from([0.01, 0.05, 0.3]))
@settings(deadline=None, max_examples=150)
def test_no_count_is_below_the_number_of_names(p_values, times, alpha):
    """In every claim, and in any subset of its datasets; no adjusted p-value is below the p-value, or 0, or above 1."""
    level = rejection_level(alpha)
    for claim in joint_closed_test(p_values, times=times):
        named = claim.adjusted <= level
        assert np.all((claim.adjusted >= np.minimum(times * claim.p_values, 1) * (1 - 1e-12)) & (claim.adjusted <= 1))
        assert (claim.curve <= level).sum() >= named.sum()
        assert claim.discoveries(named, alpha) == named.sum()
        assert np.all(np.diff(claim.curve) >= 0)


@given(p_values=arrays(np.float64, st.integers(1, 8), elements=st.floats(1e-12, 1.0)))
@settings(deadline=None, max_examples=60)
def test_claims_about_one_dataset_are_adjusted_by_holm(p_values):
    """With one dataset for each claim the closed test is Holm's procedure over the claims; one claim has its own p."""
    found = [claim.adjusted[0] for claim in joint_closed_test([np.array([p]) for p in p_values])]
    np.testing.assert_allclose(found, holm(p_values), rtol=1e-12)
    (alone,) = joint_closed_test([p_values])
    np.testing.assert_array_equal(alone.adjusted, closed_p_values(p_values))
    assert (alone.curve <= rejection_level(0.05)).sum() == k_hat(p_values, 0.05, "fisher-bonferroni")


def test_a_later_family_waits_for_every_hypothesis_of_the_first():
    """With serial gatekeeping nothing of the second family is below the largest adjusted p-value of the first."""
    first = joint_closed_test([np.array([0.001, 0.03])], times=2)
    (later,) = joint_closed_test([np.array([1e-6, 1e-6])], times=2, after=first)
    assert later.adjusted.tolist() == later.curve.tolist() == [0.06, 0.06]
    assert (later.discoveries([0, 1], 0.05), later.discoveries([0, 1], 0.07)) == (0, 2)


def any_false(claims, true_nulls, level):
    """Whether a count exceeds the number of datasets with an effect, or a dataset without one is named."""
    return any(
        (claim.curve <= level).sum() > np.sum(~null) or np.any((claim.adjusted <= level) & null)
        for claim, null in zip(claims, true_nulls, strict=True)
    )


@pytest.mark.slow
@pytest.mark.parametrize("design", ["declared", "both", "baselines", "all-pairs"])
@pytest.mark.parametrize("effects", [0, 2])
def test_counts_and_names_are_wrong_together_at_most_alpha(design, effects):
    """Independent datasets, shared systems, 400 families: one or more false statements in at most 5% (4 SE)."""
    rng = np.random.default_rng(effects * 10 + len(design))
    n_families, n_datasets = 400, 4
    shift = np.zeros((4, n_datasets))
    shift[0, :effects] = 3.0
    wrong = 0
    for _ in range(n_families):
        scores = (rng.standard_normal((4, n_datasets)) + shift * np.sqrt(2)) / np.sqrt(2)
        pairs = {
            "declared": [(0, 1)],
            "both": [(0, 1), (1, 0)],
            "baselines": [(i, 3) for i in range(3)],
            "all-pairs": list(itertools.permutations(range(3), 2)),
        }[design]
        values = [np.clip(ndtr(scores[j] - scores[i]), 1e-300, 1) for i, j in pairs]
        nulls = [shift[i] <= shift[j] for i, j in pairs]
        families = [([v], 2) for v in values] if design == "both" else [(values, 1)]
        claims = [claim for together, times in families for claim in joint_closed_test(together, times=times)]
        wrong += any_false(claims, nulls, 0.05)
    assert wrong / n_families <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / n_families)
