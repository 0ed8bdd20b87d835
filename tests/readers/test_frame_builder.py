"""Scores in parts become one frame; what is not scored has no row."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.readers import FrameBuilder


def test_columns_are_there_where_they_are_needed() -> None:
    """Runs, clusters and metrics only where something has them."""
    rows = FrameBuilder()
    rows.add("a", "x", ["1", "2"], [1, 0])
    assert list(rows.frame()) == ["system", "dataset", "instance", "score"]
    rows.add("b", "x", ["1"], [0.5], metric="f1", runs=["0"], clusters=["doc"])
    frame = rows.frame()
    assert list(frame) == ["system", "dataset", "instance", "seed", "cluster", "metric", "score"]
    assert frame["seed"].isna().tolist() == [True, True, False]
    assert len(rows) == 3


@pytest.mark.parametrize("absent", [None, float("nan"), np.nan])
def test_what_is_not_scored_is_counted(absent: float | None) -> None:
    """By system and dataset."""
    rows = FrameBuilder()
    rows.add("a", "x", ["1", "2", "3"], [1.0, absent, absent], runs=["0", "0", "0"])
    assert rows.frame()["instance"].tolist() == ["1"]
    (note,) = rows.notes()
    assert (note.severity, note.where) == ("warning", "a on x (2)")


def test_no_scores_at_all() -> None:
    """An empty frame, with its columns."""
    frame = FrameBuilder().frame()
    assert len(frame) == 0
    assert {"system", "dataset", "instance", "score"} <= {*frame}


def test_half_a_surrogate_pair_is_a_name() -> None:
    """JSON may hold it, and a text may not."""
    rows = FrameBuilder()
    rows.add("a", "x", ["\ud800", "b"], [1.0, 0.0])
    assert rows.frame()["instance"].tolist() == ["\\ud800", "b"]
