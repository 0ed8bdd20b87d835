"""Findings about missing scores, with the counts of each dataset."""

import numpy as np
import pytest

from reportkit.replicability.compare import claims_for, compare_results
from reportkit.scores.results import Results
from reportkit.scores.shapes.paired_scores import DatasetScores
from reportkit.settings import Settings


def results(n_missing):
    """Systems a, b and c; b lacks so many instances of each dataset, c none."""
    rng = np.random.default_rng(0)
    blocks = []
    for index, missing in enumerate(n_missing):
        scores = rng.integers(0, 2, size=(3, 40)).astype(float)
        scores[1, :missing] = np.nan
        blocks.append(
            DatasetScores(
                dataset=f"d{index:02d}",
                metric="score",
                systems=("a", "b", "c"),
                instances=np.array([f"{index}-{i}" for i in range(40)], dtype=object),
                scores=scores,
                kind="binary",
            )
        )
    return Results(datasets=tuple(blocks))


@pytest.mark.parametrize(
    ("missing", "words", "severity"),
    [
        ("drop", "are left out", "warning"),  # 3 of 40 are more than 5%
        ("worst", "count as the worst", "info"),
        ("bounds", "at their worst for each claim", "info"),
    ],
)
def test_counts_of_each_dataset(missing, words, severity):
    """From the pair with fewest to the pair with most; datasets without missing scores are not named."""
    data = results([3, 0, 1])
    family = compare_results(data, claims_for(data.systems, (), ()), Settings(missing=missing))
    (finding,) = [item for item in family.findings if item.code == f"missing-{missing}"]
    assert finding.severity == severity
    assert words in finding.message
    assert finding.where == "d00: 0 to 3 of 40; d02: 0 to 1 of 40"


def test_many_datasets_are_counted():
    """Eight are named."""
    data = results([1] * 11)
    family = compare_results(data, claims_for(data.systems, ("a",), ("b",)), Settings(missing="drop"))
    (finding,) = [item for item in family.findings if item.code == "missing-drop"]
    assert finding.where.startswith("d00: 1 of 40; d01: 1 of 40; ")
    assert finding.where.endswith("d07: 1 of 40; and 3 more")


@pytest.mark.parametrize("missing", ["error", "drop", "worst", "bounds"])
def test_nothing_is_said_where_nothing_is_missing(missing):
    """Whatever the setting."""
    data = results([0, 0])
    family = compare_results(data, claims_for(data.systems, (), ()), Settings(missing=missing))
    assert [item for item in family.findings if item.code.startswith("missing")] == []
