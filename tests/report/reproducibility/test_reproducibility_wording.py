"""What a report on re-splitting says, and that its scope stands in it once."""

from __future__ import annotations

import numpy as np
import pandas as pd

from reportkit.report.prose import cite
from reportkit.report.reproducibility.reproducibility_wording import (
    in_percent,
    what_came_out,
    what_estimators_are,
    what_was_done,
)
from reportkit.report.tokens import plain
from reportkit.reproducibility_analysis.reproducibility import SCOPE
from reportkit.reproducibility_analysis.study import resplit_study
from reportkit.scores.resplits import resplits_from_frame
from tests.reproducibility_analysis.resplit_cases import estimates_frame, predictions_frame


def study_of(frame, **options):
    """From a frame to the study."""
    return resplit_study(resplits_from_frame(frame), "new", "old", **options)


VALUES = {
    "ST": np.linspace(-0.02, 0.03, 40),
    "RS6": np.linspace(-0.01, 0.011, 40),
    "Avg": np.linspace(-0.0103, 0.02, 40),
    "Vote": np.linspace(0.02, -0.0103, 40),
}


def test_the_paragraph_says_what_re_splitting_does_not_tell():
    """Once, with the number of divisions and the reference."""
    said = what_was_done(study_of(estimates_frame(VALUES)))
    words = plain(said)
    assert words.count(SCOPE) == 1
    assert "divided anew 40 times, independently" in words
    assert cite("xue2023reproducibility") in said


def test_names_keep_their_letters():
    """A dataset in lower case is not capitalised at the start of a sentence."""
    frame = pd.concat([estimates_frame(VALUES, dataset=name) for name in ("sst2", "cola")])
    words = plain(what_was_done(study_of(frame)))
    assert words.startswith("Two datasets (cola and sst2) were each divided anew 40 times")


def test_few_datasets_are_told_in_full_and_many_in_counts():
    """With one, everything known of average and vote; with three, how often each was in favour of A."""
    (full,) = map(plain, what_came_out(study_of(estimates_frame(VALUES))))
    assert "The Avg estimate was in favour of new over old in 26 of 40 independent re-partitions" in full
    assert SCOPE not in full
    many = study_of(pd.concat([estimates_frame(VALUES, dataset=name) for name in "abc"]))
    short = [plain(item) for item in what_came_out(many)]
    assert short[0].startswith("a. In favour of new over old: Avg in 26 and Vote in 26 of 40 re-partitions.")


def test_both_directions_of_the_mixture_are_said():
    """With the share of re-partitions in which each comes out better than the other."""
    study = study_of(estimates_frame(VALUES))
    (words,) = map(plain, what_came_out(study))
    vote, average = VALUES["Vote"], VALUES["Avg"]
    for_a, for_b = np.maximum(vote, average) > 0, np.minimum(vote, average) < 0
    assert f"in favour of new in {for_a.mean():.1%} and in favour of old in {for_b.mean():.1%}" in words
    assert f"in {(for_a & for_b).mean():.1%} it calls each better than the other" in words


def test_the_gain_of_repeating_is_set_beside_the_root():
    """The ratio of standard deviations of ST and RS6, and the square root of 6."""
    (words,) = map(plain, what_came_out(study_of(estimates_frame(VALUES))))
    ratio = VALUES["ST"].std(ddof=1) / VALUES["RS6"].std(ddof=1)
    assert f"The standard deviation of ST is {ratio:.2f} times that of RS6; independent splits give 2.45" in words


def test_every_estimator_is_explained():
    """One item for each in the table, both mixtures in one, as one-directional by construction."""
    study = study_of(estimates_frame(VALUES))
    items = [plain(item) for item in what_estimators_are(study)]
    assert [item.split()[0] for item in items] == ["ST", "RS6", "Avg", "Vote", "Mixture"]
    assert "mean of 6 hold-outs" in items[1]
    assert "one-directional by construction" in items[-1]


def test_one_repartition_counts_nothing():
    """The words give the t-test and a plug-in value that is called so, and no share of re-partitions."""
    study = study_of(predictions_frame(1))
    words = " ".join(plain(item) for item in (what_was_done(study), *what_came_out(study)))
    assert "plug-in value" in words
    assert "corrected t-test of the 6 hold-out differences" in words
    assert words.count(SCOPE) == 1
    assert "Wilson" not in words


def test_percentages_are_for_shares():
    """Accuracies and values in [0, 1] are shown in percentage points, others are not."""
    assert in_percent(study_of(predictions_frame(20)))
    assert not in_percent(study_of(estimates_frame(VALUES).assign(value=lambda rows: 100 * rows["value"])))
