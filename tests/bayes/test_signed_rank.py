"""The Bayesian signed-rank test: a literal reading of its formula, baycomp's published run, symmetries."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.bayes.signed_rank import signed_rank
from reportkit.errors import InputError, SettingsError

differences = st.lists(st.integers(-6, 6).map(lambda k: k / 100), min_size=2, max_size=10)


@pytest.mark.parametrize("rope", [None, 0.01])
def test_a_literal_reading_of_the_formula(rope):
    """Draw weights, sum over all pairs one draw at a time, and count what is largest."""
    rng = np.random.default_rng(11)
    z = rng.normal(0.015, 0.03, 9)
    values, r = np.append(z, 0.0), rope or 0.0
    n_draws, wins = 4000, np.zeros(3)
    sums = values[:, None] + values
    for weights in rng.dirichlet(np.append(np.ones(9), 0.5), n_draws):
        products = np.outer(weights, weights)
        better = products[sums > 2 * r].sum() + 0.5 * products[sums == 2 * r].sum()
        worse = products[sums < -2 * r].sum() + 0.5 * products[sums == -2 * r].sum()
        wins[np.argmax([better, 1 - better - worse if rope else 0.0, worse])] += 1
    found = signed_rank(z, rope=rope)
    shares = (found.p_better, found.p_equivalent, found.p_worse)
    for seen, share in zip(wins / n_draws, shares, strict=True):
        assert seen == pytest.approx(share, abs=5 * np.sqrt(max(share * (1 - share), 1e-4) / n_draws))


def test_baycomp_gives_the_same_shares():
    """12 differences, seed 3; `baycomp.SignedRankTest` 1.0.3 gives: .103, .102, .794 and .069, .931."""
    z = np.random.default_rng(3).normal(0.02, 0.03, size=12)
    found = signed_rank(-z, rope=0.01)
    assert (found.p_better, found.p_equivalent, found.p_worse) == pytest.approx((0.10315, 0.10245, 0.7944), abs=0.012)
    assert signed_rank(z).p_better == pytest.approx(0.93065, abs=0.01)


def test_few_datasets_agree_with_wilcoxon_in_direction():
    """All differences positive: as small a p-value as there can be, and nearly certain."""
    z = np.arange(1, 13) / 100
    assert stats.wilcoxon(z, alternative="greater").pvalue == pytest.approx(2.0**-12)
    assert signed_rank(z).p_better > 0.999


@settings(max_examples=40, deadline=None)
@given(differences, st.sampled_from([None, 0.01, 0.02]), st.randoms(use_true_random=False))
def test_order_and_names(z, rope, random):
    """Shares sum to 1; rows in another order change nothing, and B against A is exactly A against B turned round."""
    found = signed_rank(z, rope=rope, n_draws=500)
    assert found.p_better + found.p_equivalent + found.p_worse == pytest.approx(1.0, abs=1e-12)
    shuffled = list(z)
    random.shuffle(shuffled)
    assert signed_rank(shuffled, rope=rope, n_draws=500) == found
    turned = signed_rank([-value for value in z], rope=rope, n_draws=500, system_a="B", system_b="A")
    assert (turned.p_worse, turned.p_equivalent, turned.p_better) == (found.p_better, found.p_equivalent, found.p_worse)


def test_no_difference_anywhere():
    """All differences 0: without a region a tie, with one practical equivalence."""
    assert signed_rank([0.0, 0.0, 0.0]).p_better == pytest.approx(0.5, abs=1e-12)
    assert signed_rank([0.0, 0.0, 0.0], rope=0.01).p_equivalent == 1.0


def test_bad_input():
    """Too few, not finite, a region that is not valid."""
    with pytest.raises(InputError, match=r"shape \(1,\)"):
        signed_rank([0.1])
    with pytest.raises(InputError, match="1 of them not finite"):
        signed_rank([0.1, np.nan])
    with pytest.raises(InputError, match="prior_strength"):
        signed_rank([0.1, 0.2], prior_strength=0.0)
    with pytest.raises(SettingsError, match="practical equivalence"):
        signed_rank([0.1, 0.2], rope=-0.1)
