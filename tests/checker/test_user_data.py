"""Results read leniently, with everything a strict reading refuses kept."""

from __future__ import annotations

import pandas as pd
import pytest

import reportkit
from reportkit.checker.user_data import Evidence


def frame(**changes):
    """Two systems on one dataset."""
    columns = {"system": ["a", "b"] * 3, "dataset": "d", "instance": [1, 1, 2, 2, 3, 3], "score": [1, 0, 1, 1, 0, 0]}
    return pd.DataFrame({**columns, **changes})


def test_clean_results_are_those_of_read_and_compare():
    """Scores by metric, system and dataset; no refusals."""
    evidence = Evidence(frame())
    assert evidence.refusals == {}
    assert {key: value[0] for key, value in evidence.scores.items()} == pytest.approx(
        {("score", "a", "d"): 2 / 3, ("score", "b", "d"): 1 / 3}
    )
    expected = reportkit.compare(frame()).outcomes["p_value"].tolist()
    assert evidence.analysis.outcomes["p_value"].tolist() == expected


def test_duplicates_leave_nothing_to_read():
    """No scores, and the error of `reportkit.read`."""
    evidence = Evidence(frame(instance=1))
    assert list(evidence.refusals) == ["duplicates"]
    assert (evidence.results, evidence.scores, evidence.analysis) == (None, {}, None)


def test_unequal_instances_are_refused_and_read_all_the_same():
    """The analysis is that of the common instances."""
    rows = frame().iloc[:5]
    evidence = Evidence(rows)
    assert list(evidence.refusals) == ["missing"]
    expected = reportkit.compare(rows, missing="drop").outcomes["p_value"].tolist()
    assert evidence.analysis.outcomes["p_value"].tolist() == expected


def test_mixed_scales_are_refused_and_read_all_the_same():
    """Percent beside proportions."""
    rows = pd.concat(
        [frame(score=[0.1, 0.2, 0.3, 0.4, 0.55, 0.6]), frame(score=[10.5, 20.1, 30.2, 40.0, 55.5, 60.0], dataset="e")]
    )
    evidence = Evidence(rows)
    assert list(evidence.refusals) == ["scales"]
    assert evidence.results is not None


def test_printed_results_give_scores_too():
    """What a paper prints: scores by system."""
    rows = pd.DataFrame(
        {"dataset": ["d", "e"], "score_a": [80.0, 70.0], "score_b": [75.0, 71.0], "p_value": [0.01, 0.6]}
    )
    evidence = Evidence(rows)
    assert evidence.printed is not None
    assert sorted(value[0] for value in evidence.scores.values()) == [70.0, 71.0, 75.0, 80.0]
