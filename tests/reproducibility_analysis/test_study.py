"""From columns to all estimators side by side: by hand, turned round, in any order, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import DesignError, InputError, MissingScoresError
from reportkit.reproducibility_analysis import blocked_t, reproducibility
from reportkit.reproducibility_analysis.study import resplit_study
from reportkit.scores.resplits import resplits_from_frame
from tests.reproducibility_analysis.resplit_cases import by_hand, predictions_frame


def study_of(frame, *names, **options):
    """From a frame to the study."""
    return resplit_study(resplits_from_frame(frame), *names, **options)


@pytest.fixture(scope="module")
def frame():
    """Twenty re-partitions of 24 instances."""
    return predictions_frame()


def test_estimates_are_those_counted_by_hand(frame):
    """First hold-out, average, vote with ties as fractions, and both mixtures, in every re-partition."""
    (item,) = study_of(frame, "new", "old").resplits
    assert (item.n_repartitions, item.m, item.n_instances) == (20, 3, 24)
    order = sorted(map(str, range(1, 21)), key=int)
    for place, repeat in enumerate(order):
        a, b = by_hand(frame, "new", int(repeat)), by_hand(frame, "old", int(repeat))
        st, average, vote = (float(x - y) for x, y in zip(a, b, strict=True))
        got = {name: values[place] for name, values in item.estimates.items()}
        wanted = [st, average, vote, max(vote, average), max(-vote, -average)]
        assert list(got.values()) == pytest.approx(wanted, abs=1e-12)
    assert list(item.estimates) == ["ST", "Avg", "Vote", "Mixture (A over B)", "Mixture (B over A)"]


def test_results_summarise_the_estimates(frame):
    """Each is what `reproducibility` says of its series; means of each system are those of all re-partitions."""
    (item,) = study_of(frame, "new", "old").resplits
    assert item.results == {name: reproducibility(values) for name, values in item.estimates.items()}
    for name, (a, b) in item.scores.items():
        assert a - b == pytest.approx(item.results[name].mean, abs=1e-12)


def test_scores_of_folds_give_average_and_one_hold_out():
    """No vote and no mixture; less is better turns the sign."""
    rng = np.random.default_rng(5)
    rows = [
        {"system": system, "repeat": repeat, "replicate": replicate, "fold": fold, "score": rng.random()}
        for system in ("a", "b")
        for repeat in range(25)
        for replicate in (1, 2, 3)
        for fold in (1, 2)
    ]
    frame = pd.DataFrame(rows)
    (item,) = study_of(frame, "a", "b", metric="loss").resplits
    assert list(item.estimates) == ["ST", "Avg"]
    means = frame.groupby(["system", "repeat"])["score"].mean()
    assert item.estimates["Avg"] == pytest.approx((means["a"] - means["b"]).to_numpy(), abs=1e-12)
    (less,) = study_of(frame, "a", "b", metric="loss", higher_is_better=False).resplits
    assert less.estimates["Avg"] == pytest.approx(-item.estimates["Avg"], abs=1e-15)


def test_one_repartition_gives_the_t_test():
    """No reproducibility is counted from one; two to nineteen are refused."""
    study = study_of(predictions_frame(1), "new", "old")
    (item,) = study.resplits
    assert study.single
    assert item.results == {}
    assert item.t_test == blocked_t(item.one.hold_outs)
    with pytest.raises(DesignError, match="5 re-partitions are too few") as caught:
        study_of(predictions_frame(5), "new", "old")
    assert "dataset 'all'" in str(caught.value)


def test_the_same_split_twice_is_refused(frame):
    """Also if its folds and repetitions are called otherwise: reproducibility is counted over independent splits."""
    again = frame[frame["repeat"] == 3].assign(repeat=21)
    again["fold"] = 3 - again["fold"]
    again["replicate"] = 4 - again["replicate"]
    with pytest.raises(DesignError, match="re-partitions 3 and 21 are the same split"):
        study_of(pd.concat([frame, again]), "new", "old")


def test_a_missing_repartition_is_named(frame):
    """Both systems need every split."""
    with pytest.raises(MissingScoresError, match="1 re-partition has one of the two systems only") as caught:
        study_of(frame[(frame["system"] == "new") | (frame["repeat"] != 7)], "new", "old")
    assert "re-partition 7" in str(caught.value)


def test_an_error_names_dataset_and_repartition(frame):
    """A prediction that is missing is found where it is."""
    with pytest.raises(MissingScoresError, match="1 prediction is missing") as caught:
        study_of(frame.drop(index=frame.index[0]), "new", "old")
    assert "re-partition 1" in str(caught.value)
    assert "i0" in str(caught.value)


def test_tokens_are_voted_on():
    """Chunk F1 from tokens in long form: a perfect system has 1 by every estimator."""
    frame = predictions_frame(20, n=8)
    rows = []
    for row in frame.to_dict("records"):
        for token, label in enumerate(("B-NP", "I-NP", "O")):
            said = label if row["system"] == "new" else "O"
            rows.append({**row, "token": token, "gold": label, "prediction": said})
    study = study_of(pd.DataFrame(rows), "new", "old", metric="chunk-f1")
    assert study.resplits[0].scores == {"ST": (1, 0), "Avg": (1, 0), "Vote": (1, 0)}


def test_scores_of_one_fold_only_are_refused():
    """Each repetition has two."""
    rows = [
        {"system": s, "replicate": r, "fold": f, "score": 0.5}
        for s in "ab"
        for r in (1, 2)
        for f in ((1,) if r == 2 else (1, 2))
    ]
    with pytest.raises(InputError, match="repetition '2' has 1 score of 1 fold"):
        study_of(pd.DataFrame(rows), "a", "b")
