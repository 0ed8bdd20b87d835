"""All pairs over few datasets, corrected by the maximum statistic: against enumeration, and what a user sees."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import reportkit
from reportkit.replicability.max_statistic import max_statistic_p_values


def _compare(scores, **options):
    """From an array with a row for each system and a column for each dataset."""
    rows = [(f"s{a}", f"d{i}", score) for a, row in enumerate(scores) for i, score in enumerate(row)]
    frame = pd.DataFrame(rows, columns=["system", "dataset", "score"])
    return reportkit.compare(frame, across_datasets=True, **options)


def _adjusted(analysis):
    return analysis.outcomes.set_index(["system_a", "system_b"])["adjusted_p_value"].to_dict()


def test_adjusted_p_values_are_those_of_all_sign_patterns():
    """SciPy's t of every ordered pair under each of the 2^7 reversals of datasets; never below the pair's own p."""
    scores = np.random.default_rng(2).normal(size=(4, 7)) + np.array([[0.0], [0.8], [1.6], [2.4]])
    analysis = _compare(scores)
    pairs = list(permutations(range(4), 2))
    differences = np.array([scores[a] - scores[b] for a, b in pairs])
    observed = stats.ttest_1samp(differences, 0, axis=1).statistic
    flipped = [stats.ttest_1samp(differences * signs, 0, axis=1).statistic for signs in product([1, -1], repeat=7)]
    largest = np.max(flipped, axis=1)
    found = _adjusted(analysis)
    for (a, b), t in zip(pairs, observed, strict=True):
        assert found[f"s{a}", f"s{b}"] == pytest.approx(np.mean(largest >= t - 1e-9))
    assert min(found.values()) < 0.05
    assert (analysis.outcomes.adjusted_p_value >= analysis.outcomes.p_value).all()


def test_random_patterns_estimate_the_same():
    """With fewer resamples than patterns, within four standard errors; the seed decides, and p is not 0."""
    scores = np.random.default_rng(3).normal(size=(6, 12)) + np.linspace(0, 2, 6)[:, np.newaxis]
    exact = max_statistic_p_values(scores, n_resamples=9999, seed=0)
    drawn = max_statistic_p_values(scores, n_resamples=999, seed=0)
    assert (np.abs(drawn - exact) <= 4 * np.sqrt(exact * (1 - exact) / 999) + 1 / 1000).all()
    assert drawn.min() >= 1 / 1000
    assert (drawn != max_statistic_p_values(scores, n_resamples=999, seed=1)).any()


def test_noisy_systems_among_quiet_ones_make_no_false_claims():
    """Two of 20 equal systems scatter five times as much: labels shuffled among all would err in 9 to 29% of cases."""
    rng, scatter = np.random.default_rng(4), np.repeat([5.0, 1.0], [2, 18])[:, np.newaxis]
    smallest = [
        max_statistic_p_values(rng.normal(size=(20, 9)) * scatter, n_resamples=999, seed=0).min() for _ in range(400)
    ]
    assert np.mean(np.array(smallest) <= 0.05) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


@pytest.mark.slow
def test_a_board_of_20_systems_on_10_datasets_separates(shared):
    """No sign flip over 10 datasets passes Holm's first threshold of 380 tests; text, signature and bytes agree."""
    frame = pd.read_csv(shared / "cases" / "printed-board" / "board.csv")
    analysis = frame.replic.compare(across_datasets=True)
    assert analysis.outcomes.identified.sum() == 12
    assert {item.code for item in analysis.findings} == {"skewness-unseen"}
    assert "adjusted by the maximum statistic over all 380 tests" in str(analysis.paragraph())
    report = analysis.report()
    assert report.to_dict()["correction"] == "max-T"
    assert report.to_dict()["signature"]["adj"] == "max-t(m=380)"
    shuffled = frame.sample(frac=1, random_state=1)[["model", *(f"scen{i}" for i in (4, 1, 9, 0, 2, 8, 3, 7, 5, 6))]]
    assert _adjusted(shuffled.replic.compare(across_datasets=True)) == _adjusted(analysis)


def test_equal_systems_have_p_1_and_a_constant_lead_is_the_largest_statistic():
    """Two of four are the same, one is ahead by the same on all eight datasets."""
    base = np.random.default_rng(5).normal(size=8).round(2)
    found = _adjusted(_compare(np.array([base, base, base + 1, base[::-1]])))
    assert (found["s0", "s1"], found["s1", "s0"]) == (1.0, 1.0)
    assert found["s2", "s0"] == found["s2", "s1"] == 2 / 2**8
    assert set(_adjusted(_compare(np.ones((4, 8)))).values()) == {1.0}


@pytest.mark.parametrize(("n", "options"), [(12, {}), (8, {"test": "paired-t"}), (8, {"profile": "dror2017"})])
def test_holm_corrects_where_datasets_suffice_and_other_tests(n, options):
    """Twelve datasets are enough for three systems; a named test and the paper's profile keep Holm's procedure."""
    assert _compare(np.random.default_rng(6).normal(size=(3, n)), **options).correction == "Holm"
