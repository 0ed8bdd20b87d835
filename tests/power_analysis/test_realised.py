"""The minimum detectable effect of results does not depend on the difference that they show."""

import numpy as np
import pytest

from reportkit.intervals.choose_interval import standard_error
from reportkit.metrics.corpus.proportions import ACCURACY
from reportkit.power_analysis.minimum_detectable import mcnemar_minimum_detectable, minimum_detectable
from reportkit.power_analysis.planned_error import PlannedError
from reportkit.power_analysis.realised import realised_minimum_detectable
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.scores.shapes.paired_statistics import PairedStatistics
from reportkit.scores.shapes.run_scores import RunScores
from reportkit.scores.shapes.runs import PairedRuns
from reportkit.scores.shapes.unpaired import UnpairedScores

NAMES = {"system_a": "a", "system_b": "b", "dataset": "cb", "metric": "score"}


def paired(a, b, kind="continuous", **fields):
    """Two systems on the same instances."""
    return PairedScores(**NAMES, kind=kind, a=np.asarray(a, float), b=np.asarray(b, float), **fields)


def right_or_wrong(wins, losses, ties):
    """Right-or-wrong scores with these counts."""
    return paired(np.repeat([1, 0, 1], [wins, losses, ties]), np.repeat([0, 1, 1], [wins, losses, ties]), kind="binary")


def test_right_or_wrong():
    """By the number of instances that differ; which system wins them does not count."""
    expected = mcnemar_minimum_detectable(1000, 0.1, n_datasets=5)
    for wins in (100, 60, 0):
        assert realised_minimum_detectable(right_or_wrong(wins, 100 - wins, 900), n_datasets=5) == expected
    assert realised_minimum_detectable(right_or_wrong(0, 0, 10)) is None


def test_means_whatever_they_are():
    """A constant added to all scores of one system changes nothing."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=30), rng.normal(size=30)
    expected = minimum_detectable(PlannedError(np.std(a - b, ddof=1) / np.sqrt(30), 29))
    for shift in (0.0, 0.5, -2.0):
        found = realised_minimum_detectable(paired(a + shift, b))
        assert found.at_alpha == pytest.approx(expected.at_alpha, rel=1e-9)
    assert realised_minimum_detectable(paired(np.ones(5), np.zeros(5))) is None


def test_other_designs_take_their_own_standard_error_and_degrees_of_freedom():
    """Clusters, corpus metrics, runs, scores of runs, unpaired scores."""
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 10, (2, 40, 1)).astype(float)
    totals = np.full((40, 1), 10.0)
    runs_a, runs_b = rng.normal(size=(3, 20)), rng.normal(size=(3, 20))
    samples = [
        (paired(rng.normal(size=40), rng.normal(size=40), clusters=np.repeat(np.arange(20), 2)), 19),
        (
            PairedStatistics(
                **NAMES,
                kind="continuous",
                a=np.hstack([counts[0], totals]),
                b=np.hstack([counts[1], totals]),
                measure=ACCURACY,
            ),
            39,
        ),
        (RunScores(**NAMES, kind="continuous", a=np.array([0.5, 0.6, 0.9]), b=np.array([0.1])), 2),
        (PairedRuns(**NAMES, kind="continuous", a=runs_a, b=runs_b), None),
        (UnpairedScores(**NAMES, kind="continuous", a=rng.normal(size=9), b=rng.normal(size=9)), None),
    ]
    for sample, freedom in samples:
        found, error = realised_minimum_detectable(sample).at_alpha, standard_error(sample)
        if freedom is not None:
            assert found == pytest.approx(minimum_detectable(PlannedError(error, freedom)).at_alpha, rel=1e-9)
        assert found > minimum_detectable(PlannedError(error)).at_alpha
