"""Who is corrected together with whom; graphs and their closed forms agree, hold the level, and gates are gates."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.errors import InputError
from reportkit.replicability.family import correct_together
from reportkit.replicability.multiple_testing.correction import gate
from reportkit.replicability.multiple_testing.partial_conjunction import holm

TOGETHER = ("serial", "by-dataset")
P_VALUE = st.floats(1e-7, 1)


def families(draw_p, n, secondary):
    """P-values and units: the primary metric on n datasets, others on the datasets named."""
    units = [list(range(n)), *secondary]
    return [np.array([draw_p() for _ in names]) for names in units], units


@st.composite
def several(draw):
    """One to five datasets; one to three further metrics, each on some of them."""
    n = draw(st.integers(1, 5))
    chosen = st.lists(st.integers(0, n - 1), unique=True, min_size=1, max_size=n)
    return families(lambda: draw(P_VALUE), n, draw(st.lists(chosen, min_size=1, max_size=3)))


def arrows(units):
    """By dataset: half to the primary metric elsewhere and half to the others here; these pass on, and then back."""
    metric = np.repeat(range(len(units)), [len(names) for names in units])
    place = np.concatenate(units)
    same, first = place[:, None] == place, metric == 0
    other = ~np.eye(place.size, dtype=bool)

    def shares(allowed):
        return allowed / np.maximum(1, allowed.sum(axis=1, keepdims=True))

    elsewhere = shares(first[:, None] & first & other)
    own = shares(first[:, None] & ~first & same)
    both = np.where(elsewhere.any(axis=1, keepdims=True) & own.any(axis=1, keepdims=True), 0.5, 1.0)
    return both * (elsewhere + own) + shares(~first[:, None] & ~first & same & other), shares(
        ~first[:, None] & first & ~same
    )


def closed_test(p, weights, arrows, back, epsilon=1e-7):
    """Adjusted p-values of the graph by all intersections: weights are where a random walk enters a set first."""
    share = np.where(arrows.sum(axis=1, keepdims=True) < 0.5, 1.0, epsilon)
    moves = (1 - share * back.sum(axis=1, keepdims=True)) * arrows + share * back
    adjusted = np.zeros(p.size)
    for code in range(1, 2**p.size):
        inside = np.array([bool(code >> i & 1) for i in range(p.size)])
        visits = np.linalg.lstsq(np.eye((~inside).sum()) - moves[~inside][:, ~inside].T, weights[~inside], rcond=None)[
            0
        ]
        entered = weights[inside] + moves[~inside][:, inside].T @ visits
        local = min(1.0, (p[inside][entered > 1e-4] / entered[entered > 1e-4]).min(initial=1.0))
        adjusted[inside] = np.maximum(adjusted[inside], local)
    return adjusted


@pytest.mark.parametrize("seed", range(8))
def test_by_dataset_is_the_closed_test_of_its_graph(seed):
    """Bretz, Maurer, Brannath and Posch (2009): brute force over all intersections, with arrows of a small epsilon."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 4))
    p_values, units = families(lambda: rng.random() ** 4, n, [list(range(n)), [0]])
    weights = np.append(np.full(n, 1 / n), np.zeros(n + 1))
    expected = closed_test(np.concatenate(p_values), weights, *arrows(units))
    np.testing.assert_allclose(np.concatenate(gate(p_values, units, "by-dataset")), expected, rtol=1e-4)


@given(several())
def test_serial_tests_the_others_after_all_of_the_first(given_families):
    """The primary metric is as if alone, and no other one has an adjusted p-value below its largest."""
    p_values, units = given_families
    first, *others = gate(p_values, units, "serial")
    np.testing.assert_array_equal(first, holm(p_values[0]))
    assert all((values >= first.max()).all() for values in others)


@given(several())
def test_by_dataset_opens_the_datasets_that_are_rejected(given_families):
    """On each dataset, no secondary metric is rejected at a level at which the primary one is not."""
    p_values, units = given_families
    first, *others = gate(p_values, units, "by-dataset")
    for values, names in zip(others, units[1:], strict=True):
        assert (values >= first[list(names)]).all()
    assert (first >= holm(p_values[0]) * (1 - 1e-12)).all()
    assert (first <= np.minimum(1, p_values[0].size * p_values[0]) * (1 + 1e-12)).all()


@pytest.mark.parametrize("gatekeeping", [*TOGETHER, "exploratory"])
def test_one_metric_is_holm(gatekeeping):
    """Without other metrics there is nothing to keep."""
    p = np.array([0.02, 0.0004, 0.3, 0.011])
    (adjusted,) = gate([p], [list("abcd")], gatekeeping)
    np.testing.assert_allclose(adjusted, holm(p), rtol=1e-12)


@pytest.mark.parametrize("gatekeeping", TOGETHER)
@given(several(), st.data())
def test_smaller_p_values_never_adjust_to_larger_ones(gatekeeping, given_families, data):
    """Monotone in every p-value, and in the order given."""
    p_values, units = given_families
    smaller = [values.copy() for values in p_values]
    metric = data.draw(st.integers(0, len(p_values) - 1))
    smaller[metric][data.draw(st.integers(0, smaller[metric].size - 1))] *= data.draw(st.floats(0.01, 1))
    before, after = (np.concatenate(gate(values, units, gatekeeping)) for values in (p_values, smaller))
    assert (after <= before * (1 + 1e-12)).all()


@pytest.mark.parametrize("gatekeeping", TOGETHER)
def test_the_order_of_datasets_does_not_matter(gatekeeping):
    """Also with ties."""
    rng = np.random.default_rng(5)
    p_values = [rng.choice([0.001, 0.004, 0.02, 0.3], size=6) for _ in range(3)]
    order = rng.permutation(6)
    units = [list(range(6))] * 3
    straight = gate(p_values, units, gatekeeping)
    turned = gate([values[order] for values in p_values], [list(order)] * 3, gatekeeping)
    for one, other in zip(straight, turned, strict=True):
        np.testing.assert_allclose(one[order], other, rtol=1e-12)


@pytest.mark.parametrize("gatekeeping", TOGETHER)
def test_true_null_hypotheses_are_rarely_rejected(gatekeeping):
    """Family-wise error at most alpha, where some of the metrics differ and p-values of a dataset are dependent."""
    rng = np.random.default_rng(11)
    n, runs, alpha = 4, 4_000, 0.1
    from scipy.special import ndtr

    effect = np.array([[4.0, 4.0, 0.0, 0.0], [4.0, 0.0, 0.0, 0.0]])
    errors = 0
    for _ in range(runs):
        common = rng.standard_normal(n)
        z = effect + 0.8 * common + 0.6 * rng.standard_normal((2, n))
        adjusted = gate(list(np.maximum(ndtr(-z), 1e-300)), [list(range(n))] * 2, gatekeeping)
        errors += bool((np.array(adjusted)[effect == 0] <= alpha).any())
    assert errors / runs <= alpha + 3 * np.sqrt(alpha * (1 - alpha) / runs)
    assert errors > 0


def test_a_dataset_without_the_primary_metric_is_refused():
    """By dataset there is no gate to pass."""
    with pytest.raises(InputError, match="primary metric has no p-value for 'c'"):
        gate([np.array([0.1, 0.2]), np.array([0.1])], [["a", "b"], ["c"]], "by-dataset")


FIRST = np.array([[0.001, 0.02, 0.4], [0.01, 0.004, 0.2]])
SECOND = np.array([[0.003, 0.6, 0.0001], [0.03, 0.0002, 0.7]])
"""By claim and dataset, by two metrics."""


@pytest.fixture
def frame():
    """Two claims by two metrics on three datasets."""
    order = pd.MultiIndex.from_product(
        [["f1", "bleu"], ["a", "b"], list("xyz")], names=["metric", "system_a", "dataset"]
    )
    rows = order.to_frame(index=False).astype(object).assign(system_b="base", claim=np.repeat(range(4), 3))
    return rows.assign(p_value=np.concatenate([FIRST.ravel(), SECOND.ravel()]))


@pytest.mark.parametrize("gatekeeping", ["serial", "by-dataset", "exploratory"])
def test_baselines_stand_in_one_family_of_both_claims(frame, gatekeeping):
    """A unit of a gate is a claim on a dataset."""
    found = correct_together("baselines", frame, ("f1", "bleu"), gatekeeping)
    expected = gate([FIRST.ravel(), SECOND.ravel()], [list(range(6))] * 2, gatekeeping)
    np.testing.assert_allclose(found.adjusted, np.concatenate(expected), rtol=1e-12)


def test_sizes_say_how_many_were_corrected_together(frame):
    """By gatekeeping: all, stage by stage, all along the graph, or each metric by itself."""
    sizes = {
        name: (found.n_hypotheses, dict(found.sizes), dict(found.first))
        for name in ("none", "serial", "by-dataset", "exploratory")
        if (found := correct_together("baselines", frame, ("f1", "bleu"), name))
    }
    assert sizes["none"] == (12, {"f1": 12, "bleu": 12}, {"f1": 12, "bleu": 12})
    assert sizes["serial"] == (12, {"f1": 6, "bleu": 6}, {"f1": 6, "bleu": 6})
    assert sizes["by-dataset"] == (12, {"f1": 12, "bleu": 12}, {"f1": 6, "bleu": 12})
    assert sizes["exploratory"] == (6, {"f1": 6, "bleu": 6}, {"f1": 6, "bleu": 6})


def test_without_gates_all_hypotheses_are_one_family(frame):
    """Holm's procedure over all metrics."""
    found = correct_together("baselines", frame, ("f1", "bleu"), "none")
    np.testing.assert_array_equal(found.adjusted, holm(frame["p_value"]))


def test_each_direction_is_a_family_at_half_the_level(frame):
    """Metrics are corrected together within a direction, and the p-values doubled."""
    found = correct_together("both", frame, ("f1", "bleu"), "none")
    for name, rows in frame.groupby("system_a"):
        together = np.minimum(1.0, 2 * holm(rows["p_value"]))
        np.testing.assert_allclose(found.adjusted[rows.index], together, rtol=1e-12, err_msg=name)
    assert found.n_hypotheses == 6


def test_the_share_of_a_count_by_fisher(frame):
    """Equal shares for all claims and metrics; none where the level is passed on; the claims alone if exploratory."""
    both, alone = ("f1", "bleu"), frame[frame["metric"] == "f1"]
    shares = {
        name: correct_together("baselines", frame, both, name).share for name in (*TOGETHER, "exploratory", "none")
    }
    assert shares == {"serial": None, "by-dataset": None, "exploratory": 2, "none": 4}
    assert correct_together("baselines", alone, ("f1",), "none").share == 2
    assert correct_together("separate", alone, ("f1",), "none").share == 1
