"""scikit-learn: candidates of a search, folds of a validation, failed fits."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import reportkit
from reportkit.errors import ReadingError, UnknownNameError
from tests.readers.harnesses.laid_out import FIXTURES, codes, inspect, means, put

SEARCH = "param_C,split0_test_score,split1_test_score,mean_test_score\n1,0.5,0.7,0.6\n10,0.6,{},0.7\n"


def test_means_are_those_of_the_search() -> None:
    """mean_test_score of each candidate; the parameter that differs is its name."""
    reading = inspect(FIXTURES / "scikit_learn" / "search")
    for path in (FIXTURES / "scikit_learn" / "search").glob("*.csv"):
        for row in pd.read_csv(path).itertuples():
            assert means(reading)[f"C={row.param_C}", path.stem] == pytest.approx(row.mean_test_score)


def test_folds_get_the_test_of_folds() -> None:
    """Scores of folds are not scores of instances."""
    outcomes = reportkit.compare(FIXTURES / "scikit_learn" / "validation", metric="f1").outcomes
    assert {*outcomes["test"]} == {"corrected-resampled-t"}
    for row in outcomes.itertuples():
        scores = pd.read_csv(FIXTURES / "scikit_learn" / "validation" / row.dataset / f"{row.system_a}.csv")["test_f1"]
        assert row.score_a == pytest.approx(scores.mean())


def test_failed_fits_are_left_out_with_a_word(tmp_path: Path) -> None:
    """NaN is not 0."""
    reading = inspect(put(tmp_path / "wine.csv", SEARCH.format("")))
    assert "unscored" in codes(reading)
    assert len(reading.frame) == 3


def test_json_by_columns(tmp_path: Path) -> None:
    """pd.DataFrame(search.cv_results_).to_json(path)."""
    table = pd.read_csv(put(tmp_path / "wine.csv", SEARCH.format("0.8")))
    path = tmp_path / "json" / "wine.json"
    path.parent.mkdir()
    table.to_json(path)
    assert means(inspect(path)).equals(means(inspect(tmp_path / "wine.csv")))


def test_incomplete_splits_and_unknown_metrics(tmp_path: Path) -> None:
    """A column that was dropped, a text as a score, a metric that is not there."""
    path = put(tmp_path / "a.csv", SEARCH.format("high"))
    with pytest.raises(ReadingError, match="'high' in the column 'split1_test_score'"):
        inspect(path)
    with pytest.raises(UnknownNameError, match="roc_auc"):
        inspect(path, metric="roc_auc")
    with pytest.raises(ReadingError, match="lacks scores of a split"):
        inspect(put(tmp_path / "b.csv", SEARCH.format(1).replace("split1", "split2")))
