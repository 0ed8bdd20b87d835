"""Williams's t against published values: those of a handbook, and 35 of word similarity."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.williams import williams, williams_t


def test_published_value():
    """As printed for the R package cocor, with its two-sided p-value."""
    t = williams_t(0.3, 0.4, 0.5, 100)
    assert round(t, 4) == -1.0767
    assert round(2 * stats.t.cdf(t, 97), 4) == 0.2843


def test_the_published_p_values_of_word_similarity(shared):
    """All 35, which their authors call Steiger's test: Williams's t, in the direction observed, to the last digit."""
    truth = pd.read_csv(shared / "data" / "sematch" / "ground_truth.csv", dtype={"p_published": str})
    assert len(truth) == 35
    for row in truth.itertuples():
        t = williams_t(row.rho_wpath, row.rho_baseline, row.rho_between, row.n)
        p = stats.t.sf(abs(t), row.n - 3)
        assert p == pytest.approx(row.p_recomputed, rel=1e-13)
        mantissa = row.p_published.split("e")[0].lstrip("0.").replace(".", "")
        # 1 - cdf, as it was computed then, has an absolute error of 1e-16, which is what the smallest two show
        half_a_digit = 0.5 * 10.0 ** (np.floor(np.log10(p)) - len(mantissa) + 1)
        assert abs(p - float(row.p_published)) <= half_a_digit + 2.3e-16


@pytest.mark.parametrize("name", ["steiger", "dunn-clark", "meng"])
def test_no_other_formula_gives_them(shared, name):
    """The p-values tell Williams's t from all formulas with Fisher's z."""
    from reportkit.significance.tests.dunn_clark import dunn_clark_z
    from reportkit.significance.tests.meng import meng_z
    from reportkit.significance.tests.steiger import steiger_z

    z_of = {"steiger": steiger_z, "dunn-clark": dunn_clark_z, "meng": meng_z}[name]
    truth = pd.read_csv(shared / "data" / "sematch" / "ground_truth.csv")
    for row in truth.itertuples():
        p = stats.norm.sf(abs(z_of(row.rho_wpath, row.rho_baseline, row.rho_between, row.n)))
        assert abs(p / row.p_recomputed - 1) > 1e-5


def test_of_a_sample(predictions):
    """The t of the three correlations with n - 3 degrees of freedom; a perfect correlation is no obstacle."""
    rng = np.random.default_rng(1)
    gold = rng.normal(size=40)
    a, b = gold + rng.normal(size=40), gold + 2 * rng.normal(size=40)
    outcome = williams(predictions(a, b, gold), ResamplingPlan())
    r = [np.corrcoef(*both)[0, 1] for both in ((a, gold), (b, gold), (a, b))]
    assert outcome.statistic == pytest.approx(williams_t(*r, 40), rel=1e-10)
    assert outcome.p_greater == pytest.approx(stats.t.sf(outcome.statistic, 37), rel=1e-10)
    assert outcome.statistic_name == "t(37)"
    perfect = williams(predictions(gold, b, gold), ResamplingPlan())
    assert perfect.statistic == pytest.approx(2 * np.sqrt(39 / (1 - r[1] ** 2)) if r[1] > 0 else 0, rel=1e-6)


def test_correlations_that_no_three_variables_have():
    """Said in words; a determinant that rounding alone makes negative is 0."""
    with pytest.raises(ValueError, match="no three variables have the correlations"):
        williams_t(0.9, -0.9, 0.9, 30)
    assert np.isfinite(williams_t(0.8, 0.6, 0.961, 30))
