"""Design effect and findings about few clusters."""

import numpy as np
import pytest
from scipy import stats

from reportkit.scores.shapes.sample import Details
from reportkit.significance.assess import assess
from reportkit.significance.cautions import cluster_details, design_effect, informative_sizes_finding
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.sign_flip import sign_flip

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
    assert (details.a.cluster_robust_t_p_value is not None) == beside
    if beside:
        p = stats.ttest_1samp(d.reshape(n_clusters, 4).sum(axis=1), 0.0, alternative="greater").pvalue
        assert details.a.cluster_robust_t_p_value == pytest.approx(p, rel=1e-9)
        assert details.b.cluster_robust_t_p_value == pytest.approx(1 - p, rel=1e-9)


def test_no_details_without_clusters(pair):
    """Instances that stand alone."""
    assert cluster_details(pair([1.0, 2.0, 0.0]), "mean") == Details()


@pytest.mark.parametrize(
    ("n_clusters", "thresholds", "part"),
    [
        (
            4,
            (0.05,),
            "so no one-sided p-value can be below .062; after the correction, 0.05 would be needed.",
        ),
        (5, (0.05,), "the independent units of this test, so no one-sided p-value can be below .031."),
        (5, (0.05 / 8,), "; after the correction, 0.00625 would be needed."),
        (6, (0.05 / 8,), None),
    ],
)
def test_fewer_than_six_clusters_are_said(pair, n_clusters, thresholds, part):
    """2^-G, and what it is compared with."""
    paired = pair(RNG.normal(size=5 * n_clusters), clusters=np.repeat(range(n_clusters), 5))
    findings = assess(paired, ResamplingPlan(thresholds=thresholds)).findings
    messages = [item.message for item in findings if item.code == "few-clusters"]
    assert len(messages) == (part is not None)
    assert all(part in message for message in messages)


def _by_size(pair, small, large, *, n_small=16, n_large=4, noise=0.01, seed=0):
    """Clusters of 2 with one mean difference, and of 30 with another."""
    sizes = np.repeat([2, 30], [n_small, n_large])
    means = np.repeat([small, large], [n_small, n_large])
    rng = np.random.default_rng(seed)
    differences = np.repeat(means + noise * rng.normal(size=sizes.size), sizes)
    return pair(differences, names=("new", "base"), clusters=np.repeat(range(sizes.size), sizes))


def test_informative_cluster_sizes_are_said(pair):
    """Small clusters favour one system, large ones the other: both means, and which system large ones favour."""
    paired = _by_size(pair, 0.5, -0.13)
    (finding,) = informative_sizes_finding(paired, sign_flip(paired, ResamplingPlan()), "mean")
    by_instance, by_cluster = paired.differences.mean(), (16 * 0.5 - 4 * 0.13) / 20
    assert "Large clusters favour 'base' more than small ones do" in finding.message
    assert f"is {by_instance:.2f}".replace("-", "−") in finding.message
    assert f"over clusters {by_cluster:.2f}" in finding.message
    turned = _by_size(pair, -0.5, 0.13)
    (other,) = informative_sizes_finding(turned, sign_flip(turned, ResamplingPlan()), "mean")
    assert "Large clusters favour 'new'" in other.message


def test_sizes_that_say_nothing_are_passed_over(pair):
    """Equal sizes never; sizes without effect in about one sample of a hundred."""
    equal = pair(np.arange(40.0), clusters=np.repeat(range(10), 4))
    assert not list(informative_sizes_finding(equal, sign_flip(equal, ResamplingPlan()), "mean"))
    of_clusters = sign_flip(equal, ResamplingPlan())  # of the outcome, only the number of clusters is looked at
    said = 0
    for seed in range(300):
        paired = _by_size(pair, 0.1, 0.1, n_small=20, n_large=20, noise=1.0, seed=seed)
        said += len(list(informative_sizes_finding(paired, of_clusters, "mean")))
    assert said <= 12
    ordinal = _by_size(pair, 0.5, -0.13)
    assert not list(informative_sizes_finding(ordinal, sign_flip(ordinal, ResamplingPlan()), "sign"))
