"""P-values under the null hypothesis: what is right is called calibrated, and what is wrong is named."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.calibration import StudyPlan, calibrate
from reportkit.errors import DesignError, SettingsError, UnknownNameError


def simulated(block, system_a, system_b, null="signflip", **options):
    """P-values where neither system is better, by a plan with these options."""
    return calibrate(block, system_a, system_b, null, StudyPlan(**options))


@pytest.fixture(scope="module")
def plain(block_of):
    """Two equally good systems with normal scores."""
    return block_of(np.random.default_rng(3).normal(size=(2, 150)))


@pytest.mark.parametrize(
    "test",
    [None, "paired-t", *(pytest.param(test, marks=pytest.mark.slow) for test in ("wilcoxon", "paired-bootstrap"))],
)
def test_a_known_null_is_calibrated(plain, test):
    """Under sign flips, tests of symmetric differences are calibrated."""
    found = simulated(plain, "s00", "s01", test=test, n_replicates=600)
    assert found.verdict.status == "calibrated"


def test_exact_mcnemar_is_conservative_and_valid(block_of):
    """A discrete exact test rejects less often than the level; that is no fault."""
    scores = (np.random.default_rng(0).random((2, 120)) < 0.7).astype(float)
    verdict = simulated(block_of(scores, kind="binary"), "s00", "s01").verdict
    assert verdict.status == "conservative"
    assert verdict.valid


def test_ignored_clusters_are_named(clustered):
    """A t-test that takes instances as independent is too liberal, because clusters are ignored."""
    for null in ("signflip", "recentre"):
        verdict = simulated(clustered, "s00", "s01", null=null, test="paired-t", n_replicates=500).verdict
        assert verdict.status == "too liberal"
        (reason,) = verdict.reasons
        assert reason.startswith("clusters are ignored (the test takes instances of a cluster")
        assert "there are 60 clusters" in reason


@pytest.mark.slow
def test_flipped_clusters_are_calibrated(clustered):
    """What the decision table chooses for the same data is calibrated."""
    found = simulated(clustered, "s00", "s01", null="recentre", n_replicates=600)
    assert found.test == "sign-flip"
    assert found.title.endswith("with whole clusters")
    assert found.verdict.status == "calibrated"


def test_a_signed_rank_test_is_not_judged_by_recentred_differences(skewed):
    """Skewed differences of mean 0 are no case of its null hypothesis."""
    with pytest.raises(DesignError, match="one of symmetry about 0"):
        simulated(skewed, "s00", "s01", null="recentre", test="wilcoxon")


@pytest.mark.slow
def test_sign_flips_cannot_show_skewness(skewed):
    """Under sign flips the same test is calibrated: all differences are symmetric then."""
    assert simulated(skewed, "s00", "s01", test="wilcoxon", n_replicates=600).verdict.status == "calibrated"


def test_the_chosen_test_stands_skewness(skewed):
    """The bootstrap-t, which the decision table chooses for such data, is calibrated."""
    found = simulated(skewed, "s00", "s01", null="recentre", n_replicates=400, n_resamples=299)
    assert found.test == "bootstrap-t"
    assert found.verdict.valid


def test_a_skewed_mean_of_few_is_named(block_of):
    """At small n a sign flip of a skewed mean is too liberal, and skewness is the reason."""
    differences = 1.0 - np.random.default_rng(2).exponential(size=20) ** 1.5
    block = block_of(np.stack((differences, np.zeros(20))))
    verdict = simulated(block, "s00", "s01", null="recentre", test="sign-flip", n_replicates=1000).verdict
    assert verdict.status == "too liberal"
    assert "too skewed" in verdict.reasons[0]


def test_exact_distribution_of_three_flips(block_of):
    """Of three distinct differences p is uniform on eighths; each frequency is right within 4 standard errors."""
    found = simulated(block_of([[1.0, 2.0, 4.0], [0.0, 0.0, 0.0]]), "s00", "s01", n_replicates=2000)
    values, counts = np.unique(found.p_values("greater"), return_counts=True)
    np.testing.assert_allclose(values, np.arange(1, 9) / 8)
    assert np.abs(counts / 2000 - 0.125).max() < 4 * np.sqrt(0.125 * 0.875 / 2000)


@pytest.mark.parametrize("null", ["signflip", "recentre"])
def test_b_against_a_is_a_against_b_turned_round(skewed, null):
    """Exchanging the systems exchanges both arrays of p-values, to the last bit."""
    one = simulated(skewed, "s00", "s01", null=null, n_replicates=60, n_resamples=99)
    other = simulated(skewed, "s01", "s00", null=null, n_replicates=60, n_resamples=99)
    np.testing.assert_array_equal(one.p_greater, other.p_less)
    np.testing.assert_array_equal(one.p_less, other.p_greater)


def two_systems(n, **columns):
    """Rows of the same n instances of two systems."""
    frame = {"system": np.repeat(["a", "b"], n), "dataset": "news", "instance": [f"i{one}" for one in range(n)] * 2}
    return pd.DataFrame({**frame, **columns})


def test_a_corpus_metric_can_be_calibrated():
    """Counts of a corpus metric change places instance by instance."""
    rng = np.random.default_rng(0)
    tp, fp, fn = rng.integers(0, [[5], [3], [3]], (3, 120))
    frame = two_systems(60, stat_tp=tp, stat_fp=fp, stat_fn=fn)
    (block,) = reportkit.read(frame, settings=reportkit.Settings(metric="f1")).datasets
    assert block.shape == "corpus"
    found = simulated(block, "a", "b", n_replicates=200, n_resamples=99)
    assert 0.01 < found.size("both").value < 0.12


def test_refusals(plain, runs_of):
    """What makes no sense is refused with what to do."""
    with pytest.raises(UnknownNameError, match="signflip"):
        simulated(plain, "s00", "s01", null="signflips")
    with pytest.raises(SettingsError, match="alpha"):
        simulated(plain, "s00", "s01", alpha=0.0)
    with pytest.raises(SettingsError, match="n_replicates"):
        simulated(plain, "s00", "s01", n_replicates=0)
    with pytest.raises(UnknownNameError, match="side"):
        simulated(plain, "s00", "s01", n_replicates=5).size("left")
    with pytest.raises(DesignError, match="average over the runs first"):
        simulated(runs_of(2, 4, 10, run_sd=1.0), "s000", "s001")


def test_order_of_rows_does_not_matter():
    """From a shuffled frame come the same p-values, to the last bit."""
    rng = np.random.default_rng(0)
    frame = two_systems(50, score=rng.normal(size=100), cluster=[f"d{index // 5}" for index in range(50)] * 2)
    arrays = []
    for rows in (frame, frame.sample(frac=1, random_state=1)):
        (block,) = reportkit.read(rows).datasets
        arrays.append(
            [simulated(block, "a", "b", null=null, n_replicates=40).p_greater for null in ("signflip", "recentre")]
        )
    np.testing.assert_array_equal(arrays[0], arrays[1])
