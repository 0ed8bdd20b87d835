"""k-hat where no dataset has an effect."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

from reportkit.calibration import StudyPlan, joint_null
from reportkit.errors import DesignError, UnknownNameError


def simulated(blocks, system_a, system_b, **options):
    """Families without effect, by a plan with these options."""
    return joint_null(blocks, system_a, system_b, StudyPlan(**options))


@pytest.fixture(scope="module")
def scores():
    """Two equally good systems on 60 instances."""
    return np.random.default_rng(0).normal(size=(2, 60))


@pytest.fixture(scope="module")
def copies(block_of, scores):
    """The same dataset under five names, with the same ids."""
    ids = [f"sentence {index}" for index in range(60)]
    return [block_of(scores, name=f"d{k}", ids=ids) for k in range(5)]


@pytest.fixture(scope="module")
def unrelated(block_of):
    """Five datasets of their own."""
    rng = np.random.default_rng(1)
    return [block_of(rng.normal(size=(2, 60)), name=f"d{k}") for k in range(5)]


@pytest.mark.slow
def test_copies_make_fisher_unsafe(copies):
    """Five equal p-values: Fisher's k-hat is wrong where -10 ln p reaches its critical value, with probability .160."""
    found = simulated(copies, "s00", "s01", n_replicates=1500, test="paired-t")
    assert (found.p_values == found.p_values[:, :1]).all()
    truth = float(np.exp(-chi2.isf(0.05, 10) / 10))
    assert abs(found.error("fisher").value - truth) < 4 * np.sqrt(truth * (1 - truth) / 1500)
    assert abs(found.error("bonferroni").value - 0.01) < 4 * np.sqrt(0.01 * 0.99 / 1500)
    assert not found.safe()
    assert found.n_shared == 60
    assert set(np.flatnonzero(found.histogram("count"))) == {0, 5}


@pytest.mark.slow
def test_unrelated_datasets_are_safe(unrelated):
    """Without overlap each method has its error: 1 - .95^5, 1 - .99^5 and .05, within 4 standard errors."""
    found = simulated(unrelated, "s00", "s01", n_replicates=1500, test="paired-t")
    for method, truth in (("count", 1 - 0.95**5), ("bonferroni", 1 - 0.99**5), ("fisher", 0.05)):
        assert abs(found.error(method).value - truth) < 4 * np.sqrt(truth * (1 - truth) / 1500)
        assert found.histogram(method).sum() == 1500
    assert found.safe()


def test_running_numbers_are_not_shared(block_of, scores):
    """Ids 0, 1, 2, ... recur in unrelated datasets; names do not."""
    numbered = [block_of(scores, name=f"d{k}", ids=list(range(60))) for k in range(2)]
    named = [block_of(scores, name=f"d{k}", ids=[f"x{i}" for i in range(60)]) for k in range(2)]
    assert [simulated(found, "s00", "s01", n_replicates=20).n_shared for found in (numbered, named)] == [0, 60]


def test_clusters_and_ids_link_datasets(block_of, scores):
    """A cluster of one dataset is flipped with instances of another that are in it by id."""
    ids = [f"x{index}" for index in range(60)]
    names = tuple(f"doc {index}" for index in range(20))
    first = block_of(scores, name="d0", ids=ids, clusters=np.repeat(np.arange(20), 3), cluster_names=names)
    second = block_of(scores, name="d1", ids=ids)
    found = simulated([first, second], "s00", "s01", n_replicates=200, test="paired-t")
    assert found.n_shared == 20
    assert (found.p_values[:, 0] == found.p_values[:, 1]).all()


@pytest.mark.slow
def test_order_of_datasets_does_not_matter(unrelated):
    """The p-values of a dataset are the same wherever it is; the same seed gives the same."""
    one = simulated(unrelated, "s00", "s01", n_replicates=30)
    other = simulated(unrelated[::-1], "s00", "s01", n_replicates=30)
    np.testing.assert_array_equal(one.p_values, other.p_values[:, ::-1])
    assert (one.p_values != simulated(unrelated, "s00", "s01", n_replicates=30, rng=1).p_values).any()


def test_identical_systems_never_count(block_of, unrelated):
    """A dataset on which both score the same has p = 1 in every family."""
    found = simulated([*unrelated[:2], block_of(np.ones((2, 9)), name="same")], "s00", "s01", n_replicates=30)
    assert found.tests[2] == "identical"
    assert (found.p_values[:, 2] == 1).all()


def test_refusals(unrelated):
    """One dataset, a dataset twice and unknown names are refused."""
    with pytest.raises(DesignError, match="two datasets or more"):
        simulated(unrelated[:1], "s00", "s01")
    with pytest.raises(DesignError, match="each once"):
        simulated([unrelated[0], unrelated[0]], "s00", "s01")
    with pytest.raises(UnknownNameError, match="way of counting"):
        simulated(unrelated, "s00", "s01", n_replicates=5).error("simes")
