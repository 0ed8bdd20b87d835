"""The simulations of Dror et al. (2017), section 5, against exact probabilities."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from reportkit.calibration.toy import (
    DEPENDENT,
    INDEPENDENT,
    ToyDesign,
    exact_probabilities,
    readings,
    simulated_p_values,
    toy_simulation,
)

R = 8_000


@pytest.fixture(scope="module")
def truths(shared):
    """Recomputed figures of the section."""
    return json.loads((shared / "truths" / "papers.json").read_text("utf-8"))["toy"]


def test_exact_independent(truths):
    """Probabilities of k-hat above 0 and above 1 for independent datasets, to 1e-6."""
    exact, known = exact_probabilities(INDEPENDENT), truths["independent_exact"]
    for method, name in (("count", "count"), ("bonferroni", "bonf")):
        assert exact[method][0] == pytest.approx(known[f"P(k_{name}>0)"], abs=1e-6)
        assert exact[method][1] == pytest.approx(known[f"P(k_{name}>1)"], abs=1e-6)
    assert exact["fisher"] == (0.05, None)


def test_exact_dependent(truths):
    """The same with a factor for each group, to 1e-6, and with one factor against simulated figures."""
    exact, known = exact_probabilities(DEPENDENT), truths["dependent_separate_factors"]
    assert exact["count"][0] == pytest.approx(known["P(k_count>0)"], abs=1e-6)
    assert exact["bonferroni"][0] == pytest.approx(known["P(k_bonf>0)"], abs=1e-6)
    exact, known = exact_probabilities(replace(DEPENDENT, shared=True)), truths["dependent_shared_factor_MC200k"]
    for method, name in (("count", "count"), ("bonferroni", "bonf")):
        p = exact[method][0]
        assert abs(p - known[f"P(k_{name}>0)"]) < 4 * np.sqrt(p * (1 - p) / 200_000) + 5e-5


def test_quadrature():
    """The integral over a factor is that of adaptive quadrature."""
    design = ToyDesign(sizes=(33,), correlations=(0.5,))

    def none_given(z):
        return norm.pdf(z) * norm.cdf((norm.isf(0.05) - np.sqrt(0.5) * z) / np.sqrt(0.5)) ** 33

    truth = 1 - quad(none_given, -12, 12, epsabs=1e-12)[0]
    assert exact_probabilities(design)["count"][0] == pytest.approx(truth, abs=1e-9)


def test_one_dataset_has_no_second():
    """With a single dataset k-hat is never above 1."""
    exact = exact_probabilities(ToyDesign(sizes=(1,), correlations=(0.0,)))
    assert exact["count"] == pytest.approx((0.05, 0.0), abs=1e-12)
    assert exact["bonferroni"] == pytest.approx((0.05, 0.0), abs=1e-12)


@pytest.mark.parametrize(
    "design",
    [INDEPENDENT, DEPENDENT, replace(DEPENDENT, shared=True)],
    ids=["independent", "separate", "shared"],
)
def test_simulated(design):
    """Simulated shares are the exact probabilities within 4 standard errors, wherever these are known."""
    for result in toy_simulation(design, n_replicates=R):
        for found, exact in (
            (result.above_zero, result.exact_above_zero),
            (result.above_one, result.exact_above_one),
        ):
            if exact is not None:
                assert abs(found.value - exact) < 4 * np.sqrt(exact * (1 - exact) / R), result


@pytest.mark.parametrize(("shared_factor", "key"), [(False, "P(k_fisher>0)~MC200k"), (True, "P(k_fisher>0)")])
def test_fisher_under_dependence(truths, shared_factor, key):
    """Fisher's error under dependence is that of a longer simulation, within 4 standard errors."""
    known = truths["dependent_shared_factor_MC200k" if shared_factor else "dependent_separate_factors"][key]
    fisher = toy_simulation(replace(DEPENDENT, shared=shared_factor), n_replicates=R)[2]
    assert abs(fisher.above_zero.value - known) < 4 * np.sqrt(known * (1 - known) * (1 / R + 1 / 200_000)) + 5e-4


def test_fisher_above_one(truths):
    """For independent datasets Fisher's k-hat is above 1 as often as in a longer simulation."""
    known = truths["independent_exact"]["P(k_fisher>1)~MC200k"]
    fisher = toy_simulation(INDEPENDENT, n_replicates=R)[2]
    assert abs(fisher.above_one.value - known) < 4 * np.sqrt(known * (1 - known) * (1 / R + 1 / 200_000)) + 5e-5


@pytest.mark.slow
def test_both_readings_of_the_printed_figures(truths):
    """The independent figures are far from k-hat above 0 and near k-hat above 1."""
    results = toy_simulation(INDEPENDENT, n_replicates=R)
    assert [result.printed for result in results] == truths["printed_independent"]
    found = readings(results)
    assert [round(found[name][0], 1) for name in ("count", "bonferroni", "fisher")] == [-12.8, -7.0, -4.2]
    assert max(abs(found[name][1]) for name in found) < 1.5
    assert [round(found[name][1], 2) for name in ("count", "bonferroni")] == [0.01, -0.2]
    dependent = toy_simulation(DEPENDENT, n_replicates=10)
    assert [result.printed for result in dependent] == truths["printed_dependent"]
    assert toy_simulation(ToyDesign(sizes=(5,), correlations=(0.0,)), n_replicates=10)[0].printed is None


def test_correlations_are_those_of_the_design():
    """Test statistics of a group correlate as stated; groups do only with a shared factor."""
    for shared_factor, between in ((False, 0.0), (True, np.sqrt(0.2 * 0.5))):
        p = simulated_p_values(replace(DEPENDENT, shared=shared_factor), 20_000, np.random.default_rng(0))
        r = np.corrcoef(norm.isf(p[:, [0, 1, 40, 41, 80, 81]]), rowvar=False)
        assert r[0, 1] == pytest.approx(0, abs=0.03)
        assert r[2, 3] == pytest.approx(0.2, abs=0.03)
        assert r[4, 5] == pytest.approx(0.5, abs=0.03)
        assert r[2, 4] == pytest.approx(between, abs=0.03)
