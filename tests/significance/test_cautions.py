"""Cautions on a test."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from reportkit.significance.assess import assess
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.few_runs import failed_run_findings, run_findings
from reportkit.significance.standard_errors import cluster_details, design_effect
from reportkit.significance.tests.independent_samples import welch
from reportkit.significance.tests.scores_of_runs import welch_seeds
from tests.samples import run_scores

RNG = np.random.default_rng(2)


def test_design_effect_is_the_ratio_of_variances(pair):
    """Of clusters of several sizes: the cluster-robust variance of the mean, divided by s^2 / n."""
    d, clusters = RNG.normal(size=60), np.repeat(range(12), [3, 7] * 6)
    sums = np.bincount(clusters, weights=d - d.mean())
    robust = 12 / 11 * np.square(sums).sum() / 60**2
    assert design_effect(pair(d, clusters=clusters)) == pytest.approx(robust / (d.var(ddof=1) / 60), rel=1e-9)
    assert design_effect(pair(d)) is None
    assert design_effect(pair(np.ones(60), clusters=clusters)) is None


def test_design_effect_of_copies_is_their_number(pair):
    """Every instance four times, each time in the same cluster: four times the variance."""
    d = RNG.normal(size=400)
    found = design_effect(pair(np.repeat(d, 4), clusters=np.repeat(range(400), 4)))
    assert found == pytest.approx(4, rel=0.01)
    independent = design_effect(pair(RNG.normal(size=4_000), clusters=np.repeat(range(1_000), 4)))
    assert independent == pytest.approx(1, abs=0.2)


@pytest.mark.parametrize(("n_clusters", "beside"), [(9, True), (10, False)])
def test_t_stands_beside_few_clusters(pair, n_clusters, beside):
    """With fewer than ten, the t-test of the sums is in the details, for either claim."""
    d = RNG.normal(0.3, 1, size=4 * n_clusters)
    details = cluster_details(pair(d, clusters=np.repeat(range(n_clusters), 4)), "mean")
    assert ("a" in details) == beside
    if beside:
        p = stats.ttest_1samp(d.reshape(n_clusters, 4).sum(axis=1), 0.0, alternative="greater").pvalue
        assert details["a"]["cluster_robust_t_p_value"] == pytest.approx(p, rel=1e-9)
        assert details["b"]["cluster_robust_t_p_value"] == pytest.approx(1 - p, rel=1e-9)


def _few(a, b, outcome=welch_seeds, thresholds=(0.05,)):
    """Findings of runs with these scores, by code."""
    runs = run_scores(a, b, names=("x", "y"))
    found = run_findings(runs, runs.a, runs.b, outcome(runs, ResamplingPlan()), thresholds)
    return {finding.code: finding.message for finding in found}


def test_a_run_far_off_is_named():
    """One of five (p = .009, where .01 is far), with its score; not where normal runs scatter, nor of two."""
    good = np.array([0.71, 0.72, 0.70, 0.73])
    (finding,) = failed_run_findings({"a": good, "b": np.append(good, 0.53)}, "a vs. b on cb")
    assert finding.code == "outlying-run"
    assert "One run of 'b' lies far from the others (0.53; the others: 0.7 to 0.73)" in finding.message
    (finding,) = failed_run_findings({"a": np.array([0.7, 0.1]), "b": good}, "")
    assert finding.code == "unseen-failures"
    (finding,) = failed_run_findings({"a": np.array([0.7, 0.7, 0.7, 0.2]), "b": good}, "")
    assert finding.code == "outlying-run"
    rng = np.random.default_rng(0)
    found = [
        next(iter(failed_run_findings({"a": rng.normal(size=5), "b": rng.normal(size=4)}, ""))).code
        for _ in range(1000)
    ]
    assert found.count("outlying-run") <= 20  # 1% is promised


PLAN = ResamplingPlan(n_resamples=199, thresholds=(0.05, 0.01))


def _found(sample, test=None):
    return {finding.code: finding.message for finding in assess(sample, PLAN, test=test).findings}


def test_skewed_scores_are_a_warning(unpaired):
    """In the direction in which the level is exceeded, at .05 and at the smallest level; as simulated."""
    rng = np.random.default_rng(0)
    sparse = [(rng.random(n) < 0.1) * rng.exponential(size=n) for n in (60, 3000)]
    message = _found(unpaired(*sparse))["skewed-scores"]
    assert "would find 'b' better, though the means are equal" in message
    assert "at .01, the smallest level used here" in message
    assert "would find 'a' better" in _found(unpaired(*sparse[::-1]))["skewed-scores"]
    p = np.array(
        [
            welch(unpaired(*((rng.random(n) < 0.1) * rng.exponential(size=n) for n in (60, 3000))), PLAN).p_less
            for _ in range(300)
        ]
    )
    assert np.mean(p <= 0.05) > 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)
