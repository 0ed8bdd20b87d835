"""SNR and reproducibility: the published table, the bound, the interval, and the refusal of too few."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr
from statsmodels.stats.proportion import proportion_confint

from reportkit.errors import DesignError, InputError
from reportkit.reproducibility_analysis import (
    against_one,
    blocked_t,
    cantelli_bound,
    plug_in_reproducibility,
    reproducibility,
    reproducibility_table,
)


def test_all_cells_of_table_4_keep_the_bound(xue_table_4):
    """Printed reproducibility is at least SNR^2 / (1 + SNR^2) in all 15 cells, where 9 bounds are below one half."""
    cells = [cell for task in xue_table_4.values() for cell in task.values()]
    bounds = np.array([cantelli_bound(snr) for snr, _ in cells])
    assert len(cells) == 15
    assert bounds.tolist() == pytest.approx([snr**2 / (1 + snr**2) for snr, _ in cells], rel=1e-14)
    assert all(bound <= printed for bound, (_, printed) in zip(bounds, cells, strict=True))
    below = bounds[bounds < 0.5]
    assert below.size == 9
    assert (round(below.min(), 2), round(below.max(), 2)) == (0.03, 0.44)


def test_the_normal_value_is_near_the_printed_one(xue_table_4):
    """Phi(SNR) is within .064 of the printed reproducibility in every cell; the largest gap is that of SRL-ST."""
    gaps = {
        (task, method): printed - ndtr(snr)
        for task, methods in xue_table_4.items()
        for method, (snr, printed) in methods.items()
    }
    worst = max(gaps, key=lambda cell: abs(gaps[cell]))
    assert worst == ("SRL", "ST")
    assert round(gaps[worst], 3) == 0.064


@pytest.mark.parametrize(("task", "ratio"), [("SRL", 2.287), ("NER", 2.467), ("Chunking", 2.477)])
def test_repeating_gains_what_independent_splits_give(xue_table_4, task, ratio):
    """The printed SNR of 6 random splits is sqrt(6) times that of one, within 4 standard errors of 1,000 re-splits."""
    one, six = xue_table_4[task]["ST"][0], xue_table_4[task]["RS"][0]
    assert six / one == pytest.approx(ratio, abs=5e-4)
    relative = math.sqrt(sum((1 + snr**2 / 2) / 1000 / snr**2 for snr in (one, six)))
    assert abs(six / one - math.sqrt(6)) < 4 * relative * math.sqrt(6)


def test_repeated_hold_outs_have_root_six_times_the_snr():
    """With independent hold-outs, the SNR of means of 6 is sqrt(6) that of one, within 4 standard errors."""
    draws = np.random.default_rng(5).normal(0.5, 1, (20_000, 6))
    one, six = reproducibility(draws[:, 0]), reproducibility(draws.mean(axis=1))
    relative = math.sqrt(sum((1 + r.snr**2 / 2) / r.n / r.snr**2 for r in (one, six)))
    assert abs(six.snr / one.snr / math.sqrt(6) - 1) < 4 * relative
    assert abs(six.normal - six.proportion) < 4 * math.sqrt(six.proportion * (1 - six.proportion) / six.n)


@given(st.lists(st.floats(-10, 10).map(lambda x: round(x, 6)), min_size=20, max_size=60))
def test_the_bound_holds_for_every_series(values):
    """Cantelli's inequality holds for the distribution of the estimates themselves, and so with n - 1 too."""
    result = reproducibility(values)
    assert result.n_above / result.n >= result.cantelli - 1e-12
    assert 0 <= result.low <= result.proportion <= result.high <= 1


def test_the_interval_is_wilsons():
    """As statsmodels computes it, at any level."""
    result = reproducibility([0.1] * 37 + [-0.2] * 13, confidence_level=0.9)
    assert (result.low, result.high) == pytest.approx(proportion_confint(37, 50, alpha=0.1, method="wilson"), rel=1e-12)
    assert result.proportion == 37 / 50


def test_ties_count_half():
    """One of three ties of 21 is half a win; the interval goes outwards to whole numbers."""
    result = reproducibility([1.0] * 10 + [0.0] * 3 + [-1.0] * 8)
    assert (result.n_above, result.n_ties) == (10, 3)
    assert result.proportion == 11.5 / 21
    assert result.low == pytest.approx(proportion_confint(11, 21, method="wilson")[0], rel=1e-12)
    assert result.high == pytest.approx(proportion_confint(12, 21, method="wilson")[1], rel=1e-12)


def test_rounding_makes_no_winner():
    """An average of .1 + .2 - .3 is no difference, although the sum of floats is above 0."""
    assert 0.1 + 0.2 - 0.3 > 0
    result = reproducibility([0.1 + 0.2 - 0.3] * 10 + [0.1, -0.1] * 10)
    assert (result.n_above, result.n_ties) == (10, 10)


@given(st.lists(st.floats(-1, 1), min_size=20, max_size=30))
def test_turned_round_it_is_the_rest(values):
    """The reproducibility of "B is better" is 1 minus that of "A is better", with ties as half, and -SNR."""
    forth, back = reproducibility(values), reproducibility([-value for value in values])
    assert back.proportion == pytest.approx(1 - forth.proportion, abs=1e-12)
    assert back.snr == -forth.snr
    assert (back.low, back.high) == pytest.approx((1 - forth.high, 1 - forth.low), abs=1e-12)


def test_estimates_without_any_spread():
    """All the same and above 0: an infinite SNR, bound and normal value 1; all 0: nothing is known."""
    same, nothing = reproducibility([0.1] * 30), reproducibility([0.0] * 30)
    assert (same.snr, same.cantelli, same.normal, same.proportion) == (math.inf, 1, 1, 1)
    assert (nothing.snr, nothing.cantelli, nothing.normal, nothing.proportion) == (0, 0, 0.5, 0.5)
    assert reproducibility([-0.1] * 30).snr == -math.inf


@pytest.mark.parametrize("snr", [-1.0, 0.0, -math.inf])
def test_there_is_no_bound_without_a_signal(snr):
    """For an SNR of 0 or less the bound is 0."""
    assert cantelli_bound(snr) == 0


def test_the_bound_keeps_the_range():
    """Very large and very small values give 1 and (nearly) 0, not an overflow."""
    assert cantelli_bound(1e200) == 1
    assert cantelli_bound(math.inf) == 1
    assert 0 <= cantelli_bound(1e-200) < 1e-300


def test_fewer_than_twenty_are_refused():
    """The message says what else can be given."""
    with pytest.raises(DesignError, match="19 re-partitions are too few") as caught:
        reproducibility([0.1, 0.2] * 9 + [0.3])
    assert "blocked_t" in str(caught.value)
    assert reproducibility([0.1, 0.2] * 10).n == 20


def test_the_plug_in_value_is_phi_of_t():
    """Phi(mean / sqrt(7/6 S^2)) for three repetitions."""
    values = np.array([0.02, 0.01, 0.03, -0.01, 0.02, 0.03])
    wanted = ndtr(values.mean() / np.sqrt(7 * values.var(ddof=1) / 6))
    assert plug_in_reproducibility(blocked_t(values)) == pytest.approx(wanted, rel=1e-12)
    assert plug_in_reproducibility(blocked_t([0.0] * 6)) == 0.5


def test_the_table_says_which_method_is_at_fault():
    """The name of the method is in the message, before the re-partition."""
    with pytest.raises(DesignError, match="too few") as caught:
        reproducibility_table({"ST": [0.1, 0.2] * 10, "RS": [0.1]})
    assert "where: method 'RS'" in str(caught.value)
    with pytest.raises(InputError, match="not a finite") as caught:
        reproducibility_table({"ST": [0.1, np.nan] * 10})
    assert "method 'ST', re-partition 2 of 20" in str(caught.value)


def test_several_systems_against_one_are_corrected():
    """Holm by statsmodels over the t-tests; Wilson's interval by statsmodels at the stricter level."""
    from statsmodels.stats.multitest import multipletests

    rng = np.random.default_rng(6)
    folds = {name: rng.normal(mean, 0.01, 6) for name, mean in (("a", 0.02), ("b", 0.004), ("c", 0.01), ("d", -0.01))}
    table = against_one(folds)
    p = [blocked_t(values).p_greater for values in folds.values()]
    assert table["p_value"] == p
    np.testing.assert_allclose(table["adjusted_p_value"], multipletests(p, method="holm")[1], rtol=1e-12)
    many = {name: rng.normal(0.005, 0.01, 200) for name in "abc"}
    table = against_one(many, confidence_level=0.94)
    for name, low, high in zip(table["system"], table["low"], table["high"], strict=True):
        above = int((many[name] > 0).sum())
        assert (low, high) == pytest.approx(proportion_confint(above, 200, 0.02, "wilson"), rel=1e-9)
    for wrong in ({}, {"a": folds["a"], "b": many["b"]}):
        with pytest.raises(DesignError, match="re-partitions and others"):
            against_one(wrong)
    with pytest.raises(DesignError, match="system 'z'"):
        against_one({"z": [0.1] * 6})
