"""Several raters of one output: pairs rater by rater, and the instance as the unit."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import DesignError, DuplicateScoresError, InputError, MissingScoresError
from reportkit.scores.sample import Sample
from reportkit.scores.scores import Scores
from reportkit.significance.units import estimate_mean
from tests.scores.reading import results_of

RATERS = ("r1", "r2", "r3")


def _frame(seed: int = 0, n: int = 12) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [
        (system, "cb", f"q{i}", rater, int(rng.integers(1, 6)))
        for system in ("new", "old")
        for i in range(n)
        for rater in RATERS
    ]
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "rater", "score"])


def _pair(frame: pd.DataFrame, **options: object) -> Sample:
    sample = results_of(frame).datasets[0].pair("new", "old", **options)  # type: ignore[arg-type]
    assert sample.shape == "paired"
    return sample


def test_n_counts_instances() -> None:
    """In the block, in the pair, and in the table of mean scores; ratings are in the details."""
    frame = _frame()
    results = results_of(frame)
    block = results.datasets[0]
    assert block.shape == "paired"
    assert (block.n_instances, block.scores.shape, block.unit) == (12, (2, 36), "rating")
    assert set(block.instance_names) == {f"q{i}" for i in range(12)}
    assert block.value("new") == (frame.query("system == 'new'")["score"].mean(), 12)
    sample = _pair(frame)
    assert (sample.n, sample.n_clusters, sample.cluster_noun, sample.unit) == (12, 12, "instance", "instance")
    assert sample.details.as_dict() == {
        "n_ratings": 36,
        "n_raters": 3,
        "fewest_ratings_per_instance": 3,
        "most_ratings_per_instance": 3,
    }
    assert results.columns["rater"] == "rater"


def test_pairs_are_of_one_rater_whatever_the_order_of_rows() -> None:
    """The sum of the differences of an instance is that of its raters' differences."""
    frame = _frame()
    wide = frame.pivot_table(index=["instance", "rater"], columns="system", values="score")
    expected = (wide["new"] - wide["old"]).groupby("instance").sum()
    for rows in (frame, frame.sample(frac=1, random_state=1)):
        sample = _pair(rows)
        found = np.bincount(sample.rated, weights=sample.a - sample.b)
        assert sorted(found) == sorted(expected)


def test_balanced_ratings_are_means_over_raters() -> None:
    """Same mean and same standard error as the means over the raters, instance by instance."""
    frame = _frame()
    means = frame.groupby(["system", "dataset", "instance"], as_index=False)["score"].mean()
    ratings, averaged = estimate_mean(_pair(frame)), estimate_mean(_average(means))
    assert ratings.mean == pytest.approx(averaged.mean, rel=1e-12)
    assert ratings.standard_error == pytest.approx(averaged.standard_error, rel=1e-12)
    assert ratings.degrees_of_freedom == averaged.degrees_of_freedom == 11


def test_an_instance_weighs_by_the_number_of_its_ratings() -> None:
    """Unbalanced: the same as means over the raters with the numbers of ratings as weights."""
    frame = _frame()
    rated_less = frame["instance"].isin(["q1", "q5"]) & (frame["rater"] != "r2")
    frame = frame[~rated_less]
    means = frame.groupby(["system", "dataset", "instance"], as_index=False).agg(
        score=("score", "mean"), weight=("score", "size")
    )
    ratings, averaged = estimate_mean(_pair(frame)), estimate_mean(_average(means))
    assert ratings.mean == pytest.approx(averaged.mean, rel=1e-12)
    assert ratings.standard_error == pytest.approx(averaged.standard_error, rel=1e-12)


def _average(means: pd.DataFrame):  # type: ignore[no-untyped-def]
    return results_of(means).datasets[0].pair("new", "old")


def test_clusters_stay_clusters() -> None:
    """Where a column names the document, documents are the independent units."""
    frame = _frame().assign(doc=lambda df: "doc" + (df["instance"].str[1:].astype(int) // 4).astype(str))
    sample = _pair(frame)
    assert (sample.n, sample.n_clusters, sample.cluster_noun) == (12, 3, "cluster")


def test_one_rater_per_output_is_a_covariate() -> None:
    """The column plays no role; that systems have different raters is said, and costs nothing."""
    frame = _frame().drop_duplicates(["system", "instance"])
    results = results_of(frame)
    assert not isinstance(results.datasets[0], Scores)
    assert "rater" not in results.columns
    assert results.unused_columns == ("rater",)
    assert "different-raters" not in [finding.code for finding in results.findings]
    frame.loc[(frame["system"] == "old") & (frame["instance"] == "q3"), "rater"] = "r9"
    findings = {finding.code: finding.message for finding in results_of(frame).findings}
    assert "on 1 of 12 instances" in findings["different-raters"]


def test_systems_rated_by_different_raters() -> None:
    """Refused with counts, kept where both have the rater if that is asked for; no rating counts as the worst."""
    frame = _frame()
    frame = frame[~((frame["system"] == "old") & (frame["rater"] == "r3") & (frame["instance"] < "q2"))]
    block = results_of(frame).datasets[0]
    with pytest.raises(MissingScoresError, match="were not rated by the same raters") as raised:
        block.pair("new", "old")
    assert "'old' has no score for 4 of 36 ratings ('q0 (rater r3)'" in str(raised.value)
    assert "average over the raters first" in str(raised.value)
    dropped = _pair(frame, missing="drop")
    assert (dropped.n, dropped.details.n_ratings, dropped.n_dropped) == (12, 32, 4)
    with pytest.raises(DesignError, match="these are ratings"):
        block.pair("new", "old", missing="worst", score_range=(1, 5))


def test_what_is_wrong_with_ratings() -> None:
    """A rating without a rater, and a rater who rates twice."""
    frame = _frame()
    with pytest.raises(InputError, match="1 of 72 rows has no rater"):
        results_of(frame.assign(rater=frame["rater"].where(frame.index != 3)))
    twice = pd.concat([frame, frame.iloc[:1].assign(score=9)])
    with pytest.raises(DuplicateScoresError, match="has several scores"):
        results_of(twice)


def test_some_systems_only() -> None:
    """Narrowed to two of three systems, ratings and their instances stay together."""
    third = _frame(1).query("system == 'new' and rater == 'r1'").assign(system="third", rater="r4")
    block = results_of(pd.concat([_frame(), third]), missing="drop").datasets[0]
    assert block.shape == "paired"
    assert block.scores.shape == (3, 48)
    narrowed = block.select(("new", "old"))
    assert narrowed.shape == "paired"
    assert narrowed.scores.shape == (2, 36)
    assert (narrowed.rated.size, narrowed.raters.size, narrowed.n_instances) == (36, 36, 12)
    assert block.select(("absent",)) is None
