"""Standard deviation, standard error and interval of one score, against SciPy, NumPy and definitions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import reportkit
from reportkit.replicability.score_spread import spread_of
from reportkit.settings import Settings

RNG = np.random.default_rng(11)


def block_of(rows, columns, **options):
    """The one block of some rows."""
    frame = pd.DataFrame(rows, columns=columns)
    return reportkit.read(frame, settings=Settings(**options)).datasets[0]


def by_instance(values, **options):
    """Two systems with scores by instance, of which the first has these."""
    rows = [("a", "d", f"i{i}", float(value)) for i, value in enumerate(values)]
    rows += [("b", "d", f"i{i}", float(value)) for i, value in enumerate(reversed(values))]
    return block_of(rows, ["system", "dataset", "instance", "score"], **options)


def test_right_or_wrong_answers_have_wilsons_interval():
    """As SciPy computes it; the standard deviation is that of zeros and ones."""
    values = [1] * 31 + [0] * 9
    spread = spread_of(by_instance(values), "a", Settings())
    expected = stats.binomtest(31, 40).proportion_ci(0.95, "wilson")
    assert (spread.interval.low, spread.interval.high) == pytest.approx((expected.low, expected.high))
    assert spread.sd == pytest.approx(np.std(values, ddof=1))
    assert spread.standard_error == pytest.approx(stats.sem(values))


@pytest.mark.parametrize("level", [0.05, 0.01])
def test_means_have_students_interval(level):
    """As SciPy computes it, at one minus the largest alpha; negated scores come back as given."""
    values = RNG.normal(3, 1, 50)
    block = by_instance(values, higher_is_better={"score": False})
    spread = spread_of(block, "a", Settings(alpha=level))
    mean, error = values.mean(), stats.sem(values)
    assert spread.standard_error == pytest.approx(error)
    expected = stats.t.interval(1 - level, 49, mean, error)
    assert (spread.interval.low, spread.interval.high) == pytest.approx(expected)
    assert (spread.sd, spread.sd_over) == (pytest.approx(np.std(values, ddof=1)), "instances")


def test_clusters_are_the_independent_units():
    """Equal scores within clusters: the standard error is that of the clusters' means."""
    means = RNG.normal(size=12)
    rows = [(s, "d", f"c{c}-{i}", f"c{c}", float(means[c])) for s in "ab" for c in range(12) for i in range(5)]
    block = block_of(rows, ["system", "dataset", "instance", "cluster", "score"])
    spread = spread_of(block, "a", Settings())
    assert spread.standard_error == pytest.approx(stats.sem(means))
    assert spread.error_over == "clusters"


def test_scores_of_runs_have_a_spread_over_the_runs():
    """One score per run: everything is over the runs."""
    values = RNG.normal(0.8, 0.01, 7)
    rows = [(s, "d", f"r{i}", float(value)) for s in "ab" for i, value in enumerate(values)]
    spread = spread_of(block_of(rows, ["system", "dataset", "seed", "score"]), "a", Settings())
    expected = stats.t.interval(0.95, 6, values.mean(), stats.sem(values))
    assert (spread.interval.low, spread.interval.high) == pytest.approx(expected)
    assert (spread.sd, spread.sd_over, spread.error_over) == (pytest.approx(values.std(ddof=1)), "runs", "runs")


def test_runs_by_instances_are_random_in_both():
    """The standard deviation is over the runs, the standard error larger than over instances alone."""
    luck = RNG.normal(size=60)
    runs = [luck + RNG.normal(0.0, 0.3, 60) + shift for shift in (0.0, 0.5, -0.4)]
    rows = [(s, "d", f"i{i}", k, float(x)) for s in "ab" for k, run in enumerate(runs) for i, x in enumerate(run)]
    block = block_of(rows, ["system", "dataset", "instance", "seed", "score"])
    both, fixed = (spread_of(block, "a", Settings(runs=seeds)) for seeds in ("random", "fixed"))
    assert both.sd == fixed.sd == pytest.approx(np.std([run.mean() for run in runs], ddof=1))
    assert fixed.standard_error == pytest.approx(stats.sem(np.mean(runs, axis=0)))
    assert both.standard_error > fixed.standard_error
    assert (both.error_over, fixed.error_over) == ("instances and runs", "instances")


def test_metrics_of_sums_are_jackknifed_and_have_no_standard_deviation():
    """The jackknife of a mean is the standard error of the mean; single instances have no accuracy over tokens."""
    right, n = RNG.integers(0, 11, 30), np.full(30, 10)
    rows = [(s, "d", f"i{i}", int(k), 10) for s in "ab" for i, k in enumerate(right)]
    frame = pd.DataFrame(rows, columns=["system", "dataset", "instance", "correct", "total"])
    block = reportkit.read(frame, settings=Settings(metric="accuracy")).datasets[0]
    spread = spread_of(block, "a", Settings())
    assert spread.standard_error == pytest.approx(stats.sem(right / n))
    assert spread.sd is None
    assert "sums over all instances" in spread.no_sd


def test_correlations_are_jackknifed():
    """The standard error is that of the values without each instance in turn."""
    gold = RNG.normal(size=25)
    predicted = gold + RNG.normal(size=25)
    rows = [
        (s, "d", f"i{i}", float(x), float(y))
        for s in "ab"
        for i, (x, y) in enumerate(zip(predicted, gold, strict=True))
    ]
    frame = pd.DataFrame(rows, columns=["system", "dataset", "instance", "score", "gold"])
    block = reportkit.read(frame, settings=Settings(metric="pearson")).datasets[0]
    left = [stats.pearsonr(np.delete(predicted, i), np.delete(gold, i)).statistic for i in range(25)]
    assert spread_of(block, "a", Settings()).standard_error == pytest.approx(np.sqrt(24**2 / 25 * np.var(left, ddof=1)))


def test_a_pair_is_described_on_its_common_instances():
    """What the other system lacks does not count."""
    rows = [("a", "d", f"i{i}", float(i)) for i in range(20)] + [("b", "d", f"i{i}", 1.5 * i) for i in range(12)]
    block = block_of(rows, ["system", "dataset", "instance", "score"], missing="drop")
    settings = Settings(missing="drop")
    assert spread_of(block, "a", settings, ("a", "b")).sd == pytest.approx(np.std(np.arange(12.0), ddof=1))
    assert spread_of(block, "a", settings).sd == pytest.approx(np.std(np.arange(20.0), ddof=1))


def test_scores_that_are_all_alike_have_no_interval():
    """An interval of width 0 would claim certainty."""
    rows = [("a", "d", f"i{i}", 2.5) for i in range(9)] + [("b", "d", f"i{i}", float(i)) for i in range(9)]
    spread = spread_of(block_of(rows, ["system", "dataset", "instance", "score"]), "a", Settings())
    assert (spread.sd, spread.standard_error, spread.interval) == (0.0, None, None)


@pytest.mark.parametrize("score_range", [None, (-1.0, 1.0)])
def test_no_interval_leaves_the_range_of_the_scores(score_range):
    """Between 0 and 1 if all scores are, or within the range that is declared."""
    values = [0.0] * 18 + [0.9, 1.0]
    spread = spread_of(by_instance(values), "a", Settings(score_range=score_range))
    mean, error = np.mean(values), stats.sem(values)
    low, high = stats.t.interval(0.95, 19, mean, error)
    assert low < 0
    assert (spread.interval.low, spread.interval.high) == pytest.approx((max(low, (score_range or (0,))[0]), high))
