"""Which interval stands beside which scores."""

import numpy as np
import pytest

from reportkit.intervals.choose_interval import interval_for, standard_error
from reportkit.intervals.student_t import estimate_mean, student_t_interval
from reportkit.intervals.tango import tango_interval


def test_right_or_wrong_scores_get_tango(counts):
    """Wins, losses and n are counted from the scores."""
    assert interval_for(counts(8, 2, 20), 0.9) == tango_interval(8, 2, 30, 0.9)


def test_lower_is_better_is_oriented(pair):
    """Errors held as 0 and -1: A wins where it has 0 and B has -1."""
    errors = pair([0, 0, -1, 0], [-1, -1, 0, 0], kind="binary", higher_is_better=False)
    assert interval_for(errors) == tango_interval(2, 1, 4)


def test_identical_right_or_wrong_scores_still_have_an_interval(counts):
    """No difference on 50 instances bounds the true difference."""
    interval = interval_for(counts(0, 0, 50))
    assert interval.high == -interval.low == pytest.approx(0.0713, abs=1e-4)


@pytest.mark.parametrize("fields", [{"clusters": [0, 0, 1, 2, 2]}, {"weights": [1, 2, 3, 1, 1]}])
def test_clusters_and_weights_get_student(counts, fields):
    """Tango's interval knows neither."""
    paired = counts(2, 1, 2, **fields)
    assert interval_for(paired) == student_t_interval(paired)
    assert interval_for(paired).title != "Tango score interval"


@pytest.mark.parametrize("kind", ["continuous", "count"])
def test_means_get_student(pair, kind):
    """Scores that are not right or wrong."""
    paired = pair([1, 3, 0, 2, 7], kind=kind)
    assert interval_for(paired) == student_t_interval(paired)


def test_ordinal_scores_get_an_interval_for_wins_and_losses(pair):
    """The mean of ordinal scores says nothing unless it is asked for."""
    ratings = pair([5, 4, 4, 3, 1], [1, 3, 2, 3, 2], kind="ordinal")
    assert interval_for(ratings) == tango_interval(3, 1, 5)
    assert interval_for(ratings, effect="mean") == student_t_interval(ratings)
    assert standard_error(ratings) == pytest.approx(np.std([1, 1, 1, 0, -1], ddof=1) / np.sqrt(5))
    assert standard_error(ratings, effect="mean") == estimate_mean(ratings).standard_error


def test_the_effect_of_sizes_may_be_that_of_signs(pair):
    """For a sign test of continuous scores."""
    assert interval_for(pair([0.1, 0.5, -0.3, 0.0]), effect="sign") == tango_interval(2, 1, 4)


def test_no_information_no_interval(pair):
    """Continuous scores that do not vary."""
    assert interval_for(pair([0.5, 0.5])) is None
    assert standard_error(pair([0.5, 0.5])) is None
    assert standard_error(pair([0.5])) is None


def test_standard_errors_of_a_published_leaderboard(pair, shared):
    """AlpacaEval 2 prints win rates in percent with standard errors, over the 805 instances of its five datasets."""
    pd = pytest.importorskip("pandas")
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
