"""From results to a study: which pairs, which parts, and why a part is missing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reportkit.calibration.study import StudyPlan, carry_out
from reportkit.errors import DesignError, MissingScoresError, SettingsError
from reportkit.scores.scores import Results


@pytest.fixture(scope="module")
def results(block_of):
    """Four systems on two datasets; s03 is best, s02 second."""
    rng = np.random.default_rng(0)
    level = np.array([0.0, 0.1, 0.8, 1.0])[:, None]
    return Results(datasets=tuple(block_of(level + rng.normal(size=(4, 120)), name=name) for name in ("news", "talks")))


def test_the_two_best_are_looked_at_if_nobody_is_named(results):
    """Best by mean score; by the smallest one where less is better."""
    plan = StudyPlan(parts=("sizes",), n_subsamples=2)
    assert carry_out(results, plan).pairs == (("s03", "s02"),)
    # scores are oriented as they are read: blocks of errors hold their negatives
    turned = Results(datasets=tuple(replace(block, scores=-block.scores, higher_is_better=False) for block in results))
    assert carry_out(turned, plan).pairs == (("s00", "s01"),)


def test_absent_systems_are_left_out_and_said(results):
    """A dataset without one of the two systems is no reason to stop."""
    first, second = results.datasets
    study = carry_out(
        Results(datasets=(first, second.select(["s00", "s01", "s02"]))),
        StudyPlan(pairs=(("s03", "s00"),), parts=("null",), n_replicates=20),
    )
    assert {item.dataset for item in study.nulls} == {"news"}
    assert any("'s03' has no scores there" in item.reason for item in study.omissions)


def test_missing_scores_stop_or_are_dropped(results):
    """As everywhere: refused, unless missing="drop", which is said."""
    first, second = results.datasets
    scores = first.scores.copy()
    scores[3, :10] = np.nan
    holed = Results(datasets=(replace(first, scores=scores), second))
    with pytest.raises(MissingScoresError):
        carry_out(holed, StudyPlan(parts=("null",), n_replicates=20))
    study = carry_out(holed, StudyPlan(parts=("bins",), missing="drop", max_tests=60))
    assert study.bins[0].n_units == 110
    assert any("only the 110 of 120 instances" in item.reason for item in study.omissions)


def test_runs_are_systems_of_one_family(runs_of):
    """Runs of one system are compared with each other as pairs of one family."""
    study = carry_out(Results(datasets=(runs_of(3, 3, 40, run_sd=0.5),)), StudyPlan(parts=("pairs",)))
    (found,) = study.compared
    assert len(found.systems) == 9
    same = {group.group: group.n_pairs for group in study.thresholds[0]}
    assert same == {"all": 36, "same family": 9, "different families": 27}


def test_nothing_at_all_is_an_error(results):
    """Two systems on one dataset have no k-hat, and nothing else was asked for; several metrics are refused."""
    one = Results(datasets=results.datasets[:1])
    with pytest.raises(DesignError, match="nothing can be calibrated"):
        carry_out(one, StudyPlan(parts=("joint",)))
    other = replace(results.datasets[1], metric="bleu")
    with pytest.raises(SettingsError, match="2 metrics"):
        carry_out(Results(datasets=(results.datasets[0], other)))
