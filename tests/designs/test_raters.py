"""Several raters of each output: from a frame to pairs of ratings, and instances as the units."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import reportkit
from reportkit.errors import MissingScoresError
from tests.designs.golden import as_in_file


def _frame(*, n=40, n_raters=4, datasets=("fluency", "relevance"), judge="rater", seed=0):
    """Ratings from 1 to 5 of the outputs of new and old; raters agree about an instance, more or less."""
    rng = np.random.default_rng(seed)
    rows = []
    for dataset in datasets:
        for i in range(n):
            gain = 0.4 + rng.normal()
            for r in range(n_raters):
                old = rng.integers(2, 5)
                new = int(np.clip(round(old + gain + 0.5 * rng.normal()), 1, 5))
                rows += [
                    ("new", dataset, f"{dataset}{i}", f"r{r}", new),
                    ("old", dataset, f"{dataset}{i}", f"r{r}", old),
                ]
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", judge, "score"])


def _unbalanced():
    frame = _frame(datasets=("fluency",))
    return frame[~(frame["instance"].isin([f"fluency{i}" for i in range(10)]) & (frame["rater"] == "r3"))]


CASES = {
    "ordinal": (_frame(), {"kind": "ordinal"}),
    "means of ratings": (_frame(datasets=("fluency",), judge="annotator"), {}),
    "unequal numbers of ratings": (_unbalanced(), {}),
    "documents as well": (
        _frame(datasets=("fluency",)).assign(
            doc=lambda df: "doc" + (df["instance"].str[7:].astype(int) // 2).astype(str)
        ),
        {"kind": "ordinal"},
    ),
    "tests of Dror et al.": (_frame(datasets=("fluency",)), {"kind": "ordinal", "profile": "dror2017"}),
}


@pytest.fixture(scope="module")
def analyses():
    """By the name of the case."""
    return {name: frame.replic.compare("new", "old", alpha=0.05, **options) for name, (frame, options) in CASES.items()}


def test_paragraphs_read_as_expected(analyses):
    """Each text is as in the file that people read."""
    as_in_file("raters", {name: analysis.paragraph() for name, analysis in analyses.items()})


def test_n_is_the_number_of_instances(analyses):
    """40 instances, 160 ratings: in the table, in the outcome, and nowhere 160 instances."""
    for analysis in analyses.values():
        assert set(analysis.outcomes["n"]) == {40}
        for item in analysis.comparisons[0].assessments:
            assert item.n == 40
            assert item.details["n_ratings"] in (150, 160)
            fewest = 3 if item.details["n_ratings"] == 150 else 4
            assert item.details["fewest_ratings_per_instance"] == fewest
            assert item.details["most_ratings_per_instance"] == 4
        assert "160" not in analysis.paragraph()
        assert "40 instances" in analysis.paragraph()


def test_equal_numbers_of_ratings_are_means_over_raters(analyses):
    """The p-value of the means, instance by instance; the interval is what their test does not reject."""
    frame = CASES["means of ratings"][0]
    means = frame.groupby(["system", "dataset", "instance"], as_index=False)["score"].mean()
    averaged = means.replic.compare("new", "old", alpha=0.05).outcomes
    table = analyses["means of ratings"].outcomes
    for column in ("p_value", "difference", "ci_low", "ci_high"):
        assert table[column][0] == pytest.approx(averaged[column][0], rel=1e-9)
    wide = means.pivot_table("score", "instance", "system")
    differences = (wide["new"] - wide["old"]).to_numpy()
    for end, alternative in ((table["ci_low"][0], "greater"), (table["ci_high"][0], "less")):
        flipped = stats.permutation_test(
            (differences - end,), np.mean, permutation_type="samples", alternative=alternative, rng=1
        )  # fmt: skip
        assert flipped.pvalue == pytest.approx(0.025, abs=0.006)


def test_ratings_are_no_instances(analyses):
    """As if they were, p would be far smaller: raters agree."""
    frame = CASES["ordinal"][0].copy()
    frame["instance"] += frame.pop("rater")
    pooled = frame.replic.compare("new", "old", alpha=0.05, kind="ordinal").outcomes
    assert (pooled["p_value"] < 0.1 * analyses["ordinal"].outcomes["p_value"]).all()


def test_ratings_that_are_right_or_wrong():
    """More wins than instances: the test takes whole instances, as it does of any clusters."""
    frame = _frame(n_raters=6)
    frame = frame.assign(score=(frame["score"] > 3).astype(int))
    outcomes = reportkit.compare(frame, "new", "old").outcomes
    clusters = frame.assign(cluster=frame["instance"], instance=frame["instance"] + frame["rater"])
    of_clusters = reportkit.compare(clusters.drop(columns="rater"), "new", "old").outcomes
    assert outcomes["p_value"].tolist() == of_clusters["p_value"].tolist()
    wins = frame.pivot_table(index=["instance", "rater"], columns="system", values="score")
    assert (wins["new"] > wins["old"]).sum() + (wins["new"] < wins["old"]).sum() > 40


def test_systems_with_different_raters():
    """Refused with counts and both ways out, of which each works."""
    frame = _frame(datasets=("fluency",))
    frame = frame[~((frame["system"] == "old") & (frame["rater"] == "r3"))]
    with pytest.raises(MissingScoresError) as raised:
        frame.replic.compare("new", "old")
    assert "120 of 160 ratings have a score of all 2 systems; 'old' lacks 40" in str(raised.value)
    line = next(line for line in raised.value.remedy.splitlines() if line.startswith("df = "))
    averaged = eval(line.removeprefix("df = "), {"df": frame})  # noqa: S307 (the remedy is to be executed as it is)
    assert list(averaged.replic.compare("new", "old").outcomes["n"]) == [40]
    dropped = frame.replic.compare("new", "old", missing="drop")
    assert dropped.comparisons[0].assessments[0].details["n_ratings"] == 120
