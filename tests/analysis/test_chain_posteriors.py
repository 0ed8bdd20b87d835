"""Posteriors by Markov chains, asked of an analysis."""

import importlib.util

import numpy as np
import pandas as pd
import pytest

from reportkit.chains import read_traces
from reportkit.errors import SettingsError
from tests.conftest import unavailable


@pytest.fixture(scope="module")
def analysis():
    """Two datasets of right or wrong answers: one with a difference, one that is small."""
    if importlib.util.find_spec("pymc") is None:
        unavailable("PyMC is not installed (it comes with the extra [bayes])")
    rng = np.random.default_rng(6)
    rows = []
    for dataset, n, share in (("large", 300, 0.85), ("small", 60, 0.7)):
        easy = rng.random(n)
        for system, level in (("new", share), ("old", 0.65)):
            right = (0.6 * easy + 0.4 * rng.random(n)) < level
            rows += [(system, dataset, i, int(value)) for i, value in enumerate(right)]
    frame = pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])
    return frame.replic.compare("new", "old", dependence="independent")


def test_an_analysis_is_asked_and_traces_are_saved(analysis, tmp_path):
    """Frame, diagnostics, checks, words, and one file per dataset."""
    found = analysis.sample_posterior(rope=0.01, draws=400, tune=500, seed=3, save_traces=tmp_path)
    frame = found.to_frame()
    assert list(frame["dataset"]) == ["large", "small"]
    assert list(frame["withheld"]) == ["", ""]
    assert frame["p_better"].iloc[0] > 0.99
    assert (frame["monte_carlo_error"] < 0.02).all()
    np.testing.assert_allclose(frame[["p_better_by_rope", "p_equivalent", "p_worse_by_rope"]].sum(axis=1), 1.0)
    assert (found.diagnostics()["r_hat"] < 1.01).all()
    assert set(found.checks()["under"]) == {"prior", "posterior"}
    assert found.words().count("\n") == 3
    assert repr(found) == found.words()
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == ["new_old_large_paired-logistic.nc", "new_old_small_paired-logistic.nc"]
    assert read_traces(tmp_path / files[0]).posterior["difference"].shape == (4, 400)


def test_withheld_results_are_missing_in_the_frame(analysis):
    """And said in words, with the diagnostics that failed."""
    found = analysis.sample_posterior(rope=0.01, draws=20, tune=20, datasets=["small"])
    row = found.to_frame().iloc[0]
    assert pd.isna(row["p_better"])
    assert pd.isna(row["outcome"])
    assert "effective sample size" in row["withheld"]
    assert "gives no answer" in found.words()
    assert found.findings[0].code == "markov-chains-failed"


def test_one_file_for_two_datasets_is_refused_before_sampling(analysis, tmp_path):
    """A folder is asked for."""
    with pytest.raises(SettingsError, match="name a folder"):
        analysis.sample_posterior(save_traces=tmp_path / "x.nc")
