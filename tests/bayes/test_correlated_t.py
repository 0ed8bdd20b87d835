"""Folds of a cross-validation against the published p-values and baycomp's formula."""

import csv

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from reportkit.bayes import posterior
from reportkit.errors import DesignError
from tests.samples import folds


@pytest.mark.slow
def test_published_cross_validations(shared):
    """P(nbc better) is one minus half the two-sided p-value of the corrected t-test, or half of it, on 54 datasets."""
    frame = pd.read_parquet(shared / "data/baycomp_cv/data.parquet")
    with (shared / "data/baycomp_cv/ground_truth.csv").open(encoding="utf-8") as handle:
        truths = {row["dataset"]: row for row in csv.DictReader(handle)}
    compared = 0
    columns = [column for column in frame.columns if column not in ("system", "dataset", "score", "metric")]
    for dataset, rows in frame.groupby("dataset"):
        truth = truths.get(str(dataset))
        if truth is None:
            continue
        score = {system: part.sort_values(columns)["score"].to_numpy() for system, part in rows.groupby("system")}
        a, b = score["nbc"].reshape(10, 10), score["aode"].reshape(10, 10)
        p, difference = float(truth["p_corrected_t"]), float(truth["mean_diff_nbc_minus_aode"])
        if difference == 0:
            continue
        expected = 1 - p / 2 if difference > 0 else p / 2
        assert posterior(folds(a, b)).p_better == pytest.approx(expected, abs=1e-9), dataset
        compared += 1
    assert compared >= 50


def test_formula_of_baycomp():
    """Location, scale and degrees of freedom as baycomp computes them, with a region of practical equivalence."""
    rng = np.random.default_rng(2)
    a, b = rng.normal(0.8, 0.05, (3, 5)), rng.normal(0.79, 0.05, (3, 5))
    d = (a - b).ravel()
    variance = d.var(ddof=1) * (1 / 15 + 1 / 4)
    found = posterior(folds(a, b)).distribution
    assert found.below(-0.01) == pytest.approx(stats.t.cdf(-0.01, 14, d.mean(), variance**0.5), abs=1e-11)
    assert found.above(0.01) == pytest.approx(stats.t.sf(0.01, 14, d.mean(), variance**0.5), abs=1e-11)


def test_no_spread_no_posterior():
    """Equal differences on all folds."""
    with pytest.raises(DesignError, match="all folds"):
        posterior(folds(np.ones((2, 5)), np.zeros((2, 5))))
