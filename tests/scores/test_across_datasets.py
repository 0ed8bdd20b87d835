"""The datasets as the sample: means, names, missing scores, scales."""

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import DesignError, InputError, MissingScoresError
from reportkit.scores.designs import refuse_unequal_instances
from reportkit.scores.together import taken_together
from tests.scores.reading import results_of


def _means(**extra):
    return pd.DataFrame(
        {
            "system": ["a", "b"] * 3,
            "dataset": ["x", "x", "y", "y", "z", "z"],
            "score": [0.5, 0.4, 0.7, 0.75, 0.9, 0.8],
            **extra,
        }
    )


def test_one_score_per_dataset_without_a_column_of_instances():
    """Long and wide, with the flag; without it, an error that names the flag."""
    long = taken_together(results_of(_means(), across_datasets=True))
    wide = _means().pivot_table(index="dataset", columns="system", values="score").reset_index()
    for results in (long, taken_together(results_of(wide, across_datasets=True))):
        (block,) = results.datasets
        assert block.dataset == "3 datasets taken together"
        assert block.instances.tolist() == ["x", "y", "z"]
        assert block.row("a").tolist() == [0.5, 0.7, 0.9]
    for frame in (_means(), _means(instance=0)):
        with pytest.raises(InputError, match="across_datasets=True"):
            results_of(frame)


def test_means_of_instances_weighted_and_turned():
    """Weighted means, a metric of which lower is better, counts: what a table would print."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "system": np.repeat(["a", "b"], 20),
            "dataset": np.tile(np.repeat(["x", "y"], 10), 2),
            "instance": np.tile(np.arange(20), 2),
            "score": rng.random(40),
            "weight": np.tile(rng.integers(1, 4, 20), 2),
        }
    )
    (block,) = taken_together(results_of(frame, higher_is_better=False)).datasets
    part = frame[(frame.system == "b") & (frame.dataset == "y")]
    assert block.row("b")[1] == pytest.approx(-np.average(part.score, weights=part.weight))
    sample = block.pair("a", "b")
    assert sample.shape == "paired"
    assert (sample.unit, sample.n, sample.weights) == ("dataset", 2, None)
    counts = pd.DataFrame({"system": ["a", "b"] * 2, "dataset": ["x", "x", "y", "y"], "k": [3, 2, 4, 4], "n": 4})
    (block,) = taken_together(results_of(counts, across_datasets=True)).datasets
    assert block.row("a").tolist() == [0.75, 1.0]


def test_a_dataset_that_a_system_lacks():
    """Refused in words of datasets, or left out for the pair; the name says how many there are."""
    results = taken_together(results_of(_means().iloc[:-1].assign(instance=0), across_datasets=True))
    with pytest.raises(MissingScoresError) as error:
        refuse_unequal_instances(results.datasets)
    assert "2 of 3 datasets have a score of all 2 systems" in str(error.value)
    assert "instances" not in str(error.value)
    sample = results.datasets[0].pair("a", "b", missing="drop")
    assert (sample.n, sample.n_dropped) == (2, 1)
    assert results.select(systems=["b"]).datasets[0].dataset == "2 datasets taken together"


def test_ordinal_scores_and_a_single_dataset_are_refused():
    """Means of ratings say nothing; one dataset is no sample."""
    frame = pd.DataFrame(
        {"system": ["a", "b"] * 4, "dataset": ["x"] * 4 + ["y"] * 4, "instance": [1, 1, 2, 2] * 2, "score": [1, 2] * 4}
    )
    with pytest.raises(DesignError, match="mean of ordinal scores"):
        taken_together(results_of(frame, kind="ordinal"))
    with pytest.raises(InputError, match="one dataset is no sample of datasets"):
        taken_together(results_of(frame[frame.dataset == "x"]))


def test_a_dataset_of_one_system_is_in_no_sample():
    """Nothing is compared there: heading, caption and text count the datasets that are used."""
    rng = np.random.default_rng(0)
    rows = [
        (system, f"t{number}", ability + rng.normal(0, 0.1))
        for number in range(40)
        for system, ability in (("a", 0.6), ("b", 0.5), ("c", 0.3))
        if system == "b" or (number % 4 and not (system == "c" and number % 5 == 0))
    ]
    frame = pd.DataFrame(rows, columns=["system", "dataset", "score"])
    analysis = frame.replic.compare(across_datasets=True, missing="drop", friedman=True)
    assert analysis.datasets == ("30 datasets taken together",)
    assert sorted({item.n for item in analysis.assessments}) == [24, 30]
    text = analysis.report().to_markdown()
    assert "24 to 30 datasets" in text
    assert "40 datasets taken together" not in text


def test_friedman_gives_no_second_adjusted_p_value():
    """Where the pairs are compared over the datasets already, Friedman's section gives the ranks alone."""
    rng = np.random.default_rng(0)
    rows = [(name, f"t{i}", place / 9 + rng.normal(0, 0.2)) for place, name in enumerate("abc") for i in range(20)]
    frame = pd.DataFrame(rows, columns=["system", "dataset", "score"])
    across = frame.replic.compare(across_datasets=True, friedman=True).report().to_markdown()
    assert "Average rank over 20 datasets" in across
    assert "the pairs are compared above" in across
    assert "pairs with the smallest" not in across
    assert "adjusted by Holm's procedure over 3 pairs" not in across


def test_datasets_of_opposite_directions_are_no_sample():
    """A mean of differences in accuracy and in error rates says nothing."""
    frame = _means(metric=["accuracy", "accuracy", "wer", "wer", "wer", "wer"])
    with pytest.raises(DesignError, match="no sample of one kind"):
        frame.replic.compare(across_datasets=True, higher_is_better={"wer": False})
