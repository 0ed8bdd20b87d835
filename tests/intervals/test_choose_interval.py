"""Which interval stands beside which test."""

import numpy as np
import pandas as pd
import pytest

from reportkit.intervals.choose_interval import NO_VARIANCE, mean_interval, standard_error
from reportkit.significance.tests.bootstrap_t import bootstrap_t_interval
from reportkit.significance.tests.sign_flip import bootstrap_interval, sign_flip_interval
from reportkit.significance.units import estimate_mean, student_t_interval
from reportkit.significance.tango import (
    normal_tail,
    tango_interval,
    upper_binomial_tail,
)
from reportkit.significance.assess import assess
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from reportkit.significance.plan import ResamplingPlan

SKEWED = 1 - np.random.default_rng(0).exponential(size=60)


def exact(wins, losses, n, level=0.95):
    """Interval beside the exact McNemar test."""
    return tango_interval(wins, losses, n, level, tail=upper_binomial_tail, named="exact test")


def test_right_or_wrong_scores_get_tango(counts, beside):
    """Wins, losses and n are counted from the scores."""
    assert beside(counts(8, 2, 20), 0.9) == exact(8, 2, 30, 0.9)


def test_the_asymptotic_form_of_mcnemars_test_has_its_own(counts, beside):
    """The score interval itself."""
    assert beside(counts(9, 2, 20), test="mcnemar-chi2") == tango_interval(9, 2, 31, tail=normal_tail)


def test_lower_is_better_is_oriented(pair, beside):
    """Errors held as 0 and -1: A wins where it has 0 and B has -1."""
    errors = pair([0, 0, -1, 0], [-1, -1, 0, 0], kind="binary", higher_is_better=False)
    assert beside(errors) == exact(2, 1, 4)


def test_identical_right_or_wrong_scores_still_have_an_interval(counts, beside):
    """No difference on 50 instances bounds the true difference."""
    interval = beside(counts(0, 0, 50))
    assert interval.high == -interval.low == pytest.approx(0.0713, abs=1e-4)


@pytest.mark.parametrize("fields", [{"clusters": np.arange(20) % 8}, {"weights": np.arange(1, 21)}])
def test_clusters_and_weights_get_sign_flips(counts, beside, fields):
    """Tango's interval knows neither."""
    paired = counts(9, 5, 6, **fields)
    outcome = assess(paired, ResamplingPlan())
    assert outcome.test == "sign-flip"
    assert beside(paired) == sign_flip_interval(paired, 0.95, (outcome.p_greater, outcome.p_less))


@pytest.mark.parametrize("kind", ["continuous", "count"])
def test_means_get_sign_flips(pair, beside, kind):
    """Scores that are not right or wrong."""
    paired = pair([1, 3, 0, 2, 7, 4, 4], kind=kind)
    assert beside(paired).title == "sign-flip interval of the mean"


def test_a_named_test_has_the_interval_that_belongs_to_it(pair, beside):
    """Never the bootstrap-t of skewed differences beside a t-test, nor one of the mean beside signed ranks."""
    skewed = pair(SKEWED)
    assert beside(skewed) == bootstrap_t_interval(skewed)
    assert beside(skewed, test="paired-t") == student_t_interval(skewed)
    assert beside(skewed, test="paired-bootstrap") == bootstrap_interval(skewed)
    assert beside(skewed, test="sign-flip").title == "sign-flip interval of the mean"
    assert beside(skewed, test="wilcoxon") is None
    clustered = pair(SKEWED, clusters=np.arange(60) % 12)
    assert beside(clustered, test="paired-t") == student_t_interval(skewed)


def test_ordinal_scores_get_an_interval_for_wins_and_losses(pair, beside):
    """The mean of ordinal scores says nothing unless it is asked for."""
    ratings = pair([5, 4, 4, 3, 1], [1, 3, 2, 3, 2], kind="ordinal")
    assert beside(ratings) == exact(3, 1, 5)
    assert standard_error(ratings) == pytest.approx(np.std([1, 1, 1, 0, -1], ddof=1) / np.sqrt(5))
    assert standard_error(ratings, effect="mean") == estimate_mean(ratings).standard_error
    clustered = pair(np.tile([5, 4, 4, 2], 5), np.tile([1, 3, 4, 4], 5), kind="ordinal", clusters=np.arange(20) // 2)
    assert beside(clustered).title == "whole-cluster sign-flip interval"


def test_the_effect_of_sizes_may_be_that_of_signs(pair, beside):
    """For a sign test of continuous scores."""
    assert beside(pair([0.1, 0.5, -0.3, 0.0]), test="sign-test") == exact(2, 1, 4)


def test_no_information_no_interval(pair, beside):
    """Continuous scores that do not vary."""
    assert beside(pair([0.5, 0.5])) is None
    assert standard_error(pair([0.5, 0.5])) is None
    assert standard_error(pair([0.5])) is None


@pytest.mark.parametrize(
    ("fields", "test", "message"),
    [
        ({}, None, "sign-flip permutation test of the mean: 5 instances cannot bound the difference at 95%."),
        (
            {"clusters": [0, 0, 1, 2, 2]},
            None,
            "with whole clusters: 3 clusters cannot bound the difference at 95%.",
        ),
        ({}, "wilcoxon", "signed-rank test: a test of symmetry about 0 has no interval of the mean."),
    ],
)
def test_why_there_is_no_interval_is_said(pair, fields, test, message):
    """A finding for information; nothing where another one says that there is no variance."""
    item = assess(pair([0.1, 0.4, 0.2, -0.1, 0.3], **fields), ResamplingPlan(), test=test)
    (found,) = [finding for finding in item.findings if finding.code == "no-interval"]
    assert message in found.message
    assert found.severity == "info"
    assert item.interval is None
    still = assess(pair([0.5, 0.5, 0.5, 0.5, 0.5, 0.5]), ResamplingPlan())
    assert still.interval is None
    assert "no-interval" not in [finding.code for finding in still.findings]


def test_every_test_says_which_interval_belongs_to_it():
    """And why there may be none."""
    for entry in SIGNIFICANCE_TESTS.values():
        assert callable(entry.interval.interval)
        assert callable(entry.interval.margin)
        assert isinstance(NO_VARIANCE, str)


def test_a_mean_beside_no_test(pair):
    """Of one system's scores: bootstrap-t where they are skewed."""
    assert mean_interval(pair(SKEWED)) == bootstrap_t_interval(pair(SKEWED))
    assert mean_interval(pair([0.1, 0.5, 0.3])) == student_t_interval(pair([0.1, 0.5, 0.3]))


def test_standard_errors_of_a_published_leaderboard(pair, shared):
    """AlpacaEval 2 prints win rates in percent with standard errors, over the 805 instances of its five datasets."""
    scores = pd.read_parquet(shared / "data" / "alpaca_eval" / "v2.parquet")
    leaderboard = pd.read_csv(shared / "data" / "alpaca_eval" / "v2_leaderboard.csv", index_col=0)
    checked = 0
    for system, rows in scores.groupby("system"):
        if system in leaderboard.index and len(rows) == leaderboard.loc[system, "n_total"]:
            paired = pair(100 * rows["score"].to_numpy())
            assert paired.value_difference == pytest.approx(leaderboard.loc[system, "win_rate"], rel=1e-4)
            printed = leaderboard.loc[system, "standard_error"]  # 0 for the reference model, which ties with itself
            assert standard_error(paired) == (None if printed == 0 else pytest.approx(printed, rel=1e-4))
            checked += 1
    assert checked == 57
