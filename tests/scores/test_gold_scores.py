"""From frames with a column of gold scores to blocks, and every message on the way."""

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import ColumnError, DuplicateScoresError, InputError, ScoreValueError
from tests.scores.reading import results_of


def frame(**changes):
    """Two systems on two datasets of four instances."""
    rows = [
        (system, dataset, f"{dataset}-{i}", score, gold)
        for dataset in ("x", "y")
        for system, scores in (("a", [1.0, 3, 2, 4]), ("b", [4.0, 1, 2, 3]))
        for i, (score, gold) in enumerate(zip(scores, [0.5, 1.5, 2.5, 3.5], strict=True))
    ]
    made = pd.DataFrame(rows, columns=["system", "dataset", "instance", "score", "gold"])
    return made.assign(**changes)


def test_blocks():
    """One per dataset, with the gold score once per instance; the metric is named in any case."""
    results = results_of(frame(), metric="SPEARMAN")
    assert (results.metrics, results.systems, results.dataset_names) == (("spearman",), ("a", "b"), ("x", "y"))
    made = results.datasets[0]
    assert (made.shape, made.coefficient, made.kind, made.higher_is_better) == (
        "correlation",
        "spearman",
        "continuous",
        True,
    )
    assert (made.gold == [0.5, 1.5, 2.5, 3.5]).all()
    assert (made.scores == [[1, 3, 2, 4], [4, 1, 2, 3]]).all()
    assert made.value("a") == (pytest.approx(0.8), 4)


def test_order_of_rows_and_form_do_not_matter():
    """The same hash, also from the wide form."""
    digest = results_of(frame(), metric="pearson").digest()
    assert results_of(frame().sample(frac=1, random_state=1), metric="pearson").digest() == digest
    wide = frame().pivot_table(index=["dataset", "instance", "gold"], columns="system", values="score").reset_index()
    assert results_of(wide, metric="pearson").digest() == digest
    assert results_of(frame(), metric="kendall").digest() != digest


def test_without_a_correlation_scores_are_compared_by_their_means():
    """As before, with a finding that says how to ask for it; a metric of that name in the table is no request."""
    results = results_of(frame())
    assert results.datasets[0].shape == "paired"
    (finding,) = (item for item in results.findings if item.code == "gold-unused")
    assert "metric='spearman' (--metric spearman), or 'pearson', or 'kendall'" in finding.remedy
    named = results_of(frame(metric="spearman"), metric="spearman")
    assert named.datasets[0].shape == "paired"
    one = results_of(frame(metric="cosine"), metric="spearman")
    assert (one.datasets[0].shape, one.metrics) == ("correlation", ("spearman",))


@pytest.mark.parametrize("lower", [False, {"Spearman": False}, {"score": False}])
def test_direction(lower):
    """For all, by the name of the correlation, or by the column of predictions."""
    results = results_of(frame(), metric="Spearman", higher_is_better=lower)
    made = results.datasets[0]
    assert not made.higher_is_better
    assert (made.scores[0] == [-1, -3, -2, -4]).all()
    assert made.value("a")[0] == pytest.approx(0.8)


def test_clusters_are_taken_along():
    """Codes into the names of each dataset."""
    made = results_of(frame(cluster=frame().instance.str[-1].isin(["0", "1"])), metric="pearson").datasets[1]
    assert made.cluster_names == ("False", "True")
    assert (made.clusters == [1, 1, 0, 0]).all()


def changed(column, row, value):
    """The frame with one cell changed."""
    made = frame()
    made[column] = made[column].astype(object)
    made.loc[row, column] = value
    return made


BAD = [
    (
        frame().drop(columns="gold"),
        ColumnError,
        "is the correlation of the scores with gold scores, and there are none",
        'gold="NAME" (--columns gold=NAME)',
    ),
    (
        changed("gold", 5, 9),
        ScoreValueError,
        "1 instance has several gold scores",
        "instance 'x-1' of 'x' has 1.5 and 9 (rows 1 and 5 (as iloc counts))",
    ),
    (changed("gold", 5, np.nan), ScoreValueError, "1 of 16 rows has no gold score", 'df.dropna(subset=["gold"])'),
    (changed("gold", 5, np.inf), ScoreValueError, "1 of 16 gold scores is infinite", "--columns gold="),
    (changed("gold", 5, "high"), ScoreValueError, "column 'gold' holds 'high'", "--columns gold="),
    (frame(weight=1.5), InputError, "holds weights", 'df.drop(columns="weight")'),
    (
        pd.concat([frame(metric="cosine"), frame(metric="dot")]),
        InputError,
        "holds several metrics",
        "keep the rows of one metric",
    ),
    (
        pd.concat([frame(seed=1), frame(seed=2)]),
        InputError,
        "holds several runs",
        "keep the rows of one seed",
    ),
    (
        pd.concat([frame(), frame().assign(score=7)]),
        DuplicateScoresError,
        "have several scores",
        "",
    ),
]


@pytest.mark.parametrize(("bad", "error", "problem", "elsewhere"), BAD, ids=[case[2][:40] for case in BAD])
def test_bad_input_is_refused_with_what_to_do(bad, error, problem, elsewhere):
    """What is wrong, where, and the line that mends it."""
    with pytest.raises(error) as raised:
        results_of(bad, metric="spearman")
    assert problem in str(raised.value)
    assert elsewhere in str(raised.value)


def test_scales_of_predictions_may_differ():
    """A similarity from 0 to 1 next to an information content up to 13: correlations do not mind."""
    made = frame()
    made.loc[made.system == "a", "score"] *= 0.2
    made.loc[made.system == "b", "score"] *= 20
    assert len(results_of(made, metric="spearman").datasets) == 2
