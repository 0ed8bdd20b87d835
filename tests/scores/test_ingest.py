"""Results do not depend on the order of rows, the form of the table, or the names of columns."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reportkit
from reportkit.errors import (
    ColumnError,
    DuplicateScoresError,
    InputError,
    MissingScoresError,
    ScoreValueError,
    UnknownNameError,
)
from reportkit.scores.scores import Results
from tests.scores.reading import results_of


def long_frame(n_systems: int = 3, n_datasets: int = 2, n_instances: int = 25, seed: int = 0) -> pd.DataFrame:
    """Scores of a complete design, in [0, 1) with two decimals."""
    rng = np.random.default_rng(seed)
    index = pd.MultiIndex.from_product(
        [
            [f"system{number}" for number in range(n_systems)],
            [f"dataset{number}" for number in range(n_datasets)],
            range(n_instances),
        ],
        names=["system", "dataset", "instance"],
    )
    return pd.DataFrame({"score": rng.integers(0, 100, len(index)) / 100}, index=index).reset_index()


def codes(results: Results) -> list[str]:
    """Codes of the findings, in order."""
    return [finding.code for finding in results.findings]


def brute_force(frame: pd.DataFrame, results: Results, sign: float = 1.0) -> None:
    """Look each score of each matrix up in the frame, and count that none is left."""
    known = {
        (str(row.system), str(row.dataset), str(row.instance)): float(row.score)
        for row in frame.itertuples(index=False)
    }
    seen = 0
    for block in results:
        for row, system in enumerate(block.systems):
            for column, instance in enumerate(block.instances):
                score = block.scores[row, column]
                if (system, block.dataset, instance) in known:
                    assert score == sign * known[system, block.dataset, instance]
                    seen += 1
                else:
                    assert np.isnan(score)
    assert seen == len(known)


@st.composite
def incomplete_designs(draw: st.DrawFn) -> pd.DataFrame:
    """Frames in which systems and datasets have different instances, in random order."""
    keys = st.tuples(
        st.sampled_from(["bert", "gpt2", "gpt10", "NA"]),
        st.sampled_from(["cb", "cola", "ünï"]),
        st.sampled_from(["1", "2", "10", "007", "q1", "q10"]),
    )
    chosen = draw(st.lists(keys, min_size=8, max_size=60, unique=True))
    scores = draw(st.lists(st.integers(0, 8), min_size=len(chosen), max_size=len(chosen)))
    frame = pd.DataFrame(chosen, columns=["system", "dataset", "instance"])
    frame["score"] = np.array(scores) / 8
    for role in ("system", "dataset"):
        frame = frame[frame.groupby(role)["score"].transform("size") > 1]
    return frame.reset_index(drop=True)


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(incomplete_designs(), st.randoms(use_true_random=False))
def test_every_score_is_where_it_belongs_in_any_order_of_rows(frame: pd.DataFrame, random: Any) -> None:
    """Matrices hold the scores of the frame and nothing else; a shuffled frame gives the same bytes."""
    try:
        results = results_of(frame)
    except InputError:  # names that occur once, or means: tested elsewhere
        return
    brute_force(frame, results)
    order = list(range(len(frame)))
    random.shuffle(order)
    shuffled = results_of(frame.iloc[order])
    assert shuffled.digest() == results.digest()
    assert shuffled.systems == results.systems
    assert shuffled.dataset_names == results.dataset_names


def test_order_is_natural_and_that_of_ordered_categoricals() -> None:
    """System 10 follows system 2; an ordered categorical keeps its order; instances are sorted by number, then text."""
    frame = long_frame(n_systems=11, n_datasets=3)
    frame["dataset"] = pd.Categorical(frame["dataset"], ["dataset2", "dataset0", "dataset1", "unused"], ordered=True)
    results = results_of(frame)
    assert results.systems[1:3] == ("system1", "system2")
    assert results.systems[-1] == "system10"
    assert results.dataset_names == ("dataset2", "dataset0", "dataset1")
    assert list(results.datasets[0].instances) == [str(number) for number in range(25)]
    frame["dataset"] = frame["dataset"].astype(pd.CategoricalDtype(["dataset2", "dataset1", "dataset0"], ordered=False))
    assert results_of(frame).dataset_names == ("dataset0", "dataset1", "dataset2")


def test_systems_without_common_instances_do_not_fill_the_memory() -> None:
    """Matrices of nearly nothing but empty cells are refused before they are made."""
    n = 60_000
    frame = pd.DataFrame({"system": np.arange(n) // 20, "dataset": "cb", "instance": np.arange(n), "score": 1.0})
    with pytest.raises(MissingScoresError, match="hardly any instance in common"):
        results_of(frame)


def test_types_of_columns_do_not_matter() -> None:
    """Ids and scores of any type that holds the same give the same results."""
    frame = long_frame()
    frame["score"] = (frame["score"] > 0.5).astype(int)
    digest = results_of(frame).digest()
    for changed in (
        frame.assign(instance=frame["instance"].astype(str)),
        frame.assign(instance=frame["instance"].astype("Int64")),
        frame.assign(instance=frame["instance"].astype(float)),
        frame.assign(instance=frame["instance"].astype(object)),
        frame.assign(instance=frame["instance"].astype("category"), system=frame["system"].astype("category")),
        frame.assign(score=frame["score"].astype(bool)),
        frame.assign(score=frame["score"].astype("boolean")),
        frame.assign(score=frame["score"].astype(str)),
        frame.assign(score=frame["score"].astype("Float64")),
        frame.astype({"system": "string[pyarrow]", "instance": "int64[pyarrow]"}),
    ):
        assert results_of(changed).digest() == digest


def test_lower_is_better_is_oriented_once_and_never_minus_zero() -> None:
    """Scores are negated where lower is better, per metric; no score is -0.0, and `as_given` undoes it."""
    frame = long_frame()
    frame.loc[:5, "score"] = 0.0
    frame.loc[6, "score"] = -0.0
    lower = results_of(frame, higher_is_better=False)
    brute_force(frame, lower, sign=-1.0)
    assert not any(np.signbit(block.scores[block.scores == 0]).any() for block in lower)
    assert not any(np.signbit(block.scores[block.scores == 0]).any() for block in results_of(frame))
    two = pd.concat([frame.assign(metric="BLEU"), frame.assign(metric="TER")])
    results = results_of(two, higher_is_better={"TER": False})
    assert results.metrics == ("BLEU", "TER")
    assert [block.higher_is_better for block in results] == [True, True, False, False]
    np.testing.assert_array_equal(results.datasets[0].scores, -results.datasets[2].scores)


def test_incomplete_systems_load_and_are_refused_when_compared() -> None:
    """Instance sets that differ are an error of the pair, not of the results: others may be compared."""
    frame = long_frame().drop(index=[3, 4])
    results = results_of(frame)
    block = results.datasets[0]
    assert block.pair("system1", "system2").n == 25
    with pytest.raises(MissingScoresError, match="not scored on the same instances"):
        block.pair("system0", "system1")
    assert block.pair("system0", "system1", missing="drop").n_dropped == 2


@pytest.mark.parametrize("missing", ["drop", "worst"])
def test_missing_scores_become_missing_cells_and_are_reported(missing: Any) -> None:
    """NaN is refused by default; otherwise it is as if the row were absent, with the number said."""
    frame = long_frame()
    frame.loc[[3, 4, 60], "score"] = np.nan
    with pytest.raises(MissingScoresError, match=r"3 scores are missing .* of 150"):
        results_of(frame)
    results = results_of(frame, missing=missing)
    assert results.digest() == results_of(frame.dropna()).digest()
    assert codes(results) == ["missing-scores"]
    assert results.findings[0].severity == "info"
    assert "'system0' (2) and 'system1' (1)" in results.findings[0].where


def test_a_missing_score_does_not_hide_a_duplicate() -> None:
    """A row without a score next to one with a score for the same instance is a duplicate."""
    frame = pd.concat([long_frame(), long_frame().iloc[[7]].assign(score=np.nan)], ignore_index=True)
    with pytest.raises(DuplicateScoresError):
        results_of(frame, missing="drop")


def test_repeated_rows_are_dropped_loudly() -> None:
    """Rows that repeat another in every column are left out with a warning; different scores are an error."""
    frame = long_frame()
    repeated = pd.concat([frame, frame.iloc[[7, 9]]], ignore_index=True)
    results = results_of(repeated)
    assert results.digest() == results_of(frame).digest()
    (finding,) = results.findings
    assert (finding.code, finding.severity) == ("duplicate-rows", "warning")
    assert finding.message.startswith("2 rows repeat")
    assert finding.where == "rows 150 and 151 (as iloc counts)"
    with pytest.raises(DuplicateScoresError, match="1 \\(system, dataset, instance\\) has several scores"):
        results_of(pd.concat([repeated, frame.iloc[[7]].assign(score=2.0)], ignore_index=True))
    with pytest.raises(DuplicateScoresError):
        results_of(repeated.assign(note=np.arange(len(repeated))))


def test_clusters_and_weights_belong_to_instances() -> None:
    """Clusters are coded in the order of their names, weights follow their instances, whatever the order of rows."""
    frame = long_frame(n_datasets=1)
    frame["cluster"] = "doc" + (frame["instance"] // 10).astype(str)
    frame["weight"] = frame["instance"] + 1.0
    results = results_of(frame.sample(frac=1, random_state=0))
    block = results.datasets[0]
    assert block.cluster_names == ("doc0", "doc1", "doc2")
    assert block.clusters is not None
    assert block.weights is not None
    assert block.clusters.tolist() == [0] * 10 + [1] * 10 + [2] * 5
    assert block.weights.tolist() == [number + 1.0 for number in range(25)]
    frame.loc[0, "cluster"] = "doc2"
    with pytest.raises(InputError, match="1 instance has several clusters"):
        results_of(frame)


def test_declared_kinds() -> None:
    """A kind declared by dataset comes before one by metric; what the scores cannot be is refused."""
    frame = long_frame()
    frame["score"] = (frame["score"] * 5).round()
    results = results_of(frame, kind={"dataset0": "ordinal", "score": "count"})
    assert [block.kind for block in results] == ["ordinal", "count"]
    assert results_of(frame, kind="count", higher_is_better=False).datasets[0].kind == "count"
    with pytest.raises(ScoreValueError, match="declared as binary"):
        results_of(frame, kind="binary")
    with pytest.raises(ScoreValueError, match="declared as counts"):
        results_of(frame.assign(score=frame["score"] / 2), kind="count")
    with pytest.raises(UnknownNameError, match="no metric or dataset 'dataset9'"):
        results_of(frame, kind={"dataset9": "count"})
    with pytest.raises(UnknownNameError, match="no kind of scores 'nominal'"):
        results_of(frame, kind="nominal")  # type: ignore[arg-type]


def test_columns_of_two_levels_are_stacked_as_the_message_says() -> None:
    """The line of the message, followed literally, gives what can be read."""
    df = pd.DataFrame(np.eye(6)[:, :4], columns=pd.MultiIndex.from_product([["cb", "wic"], ["a", "b"]]))
    with pytest.raises(ColumnError) as raised:
        reportkit.read(df)
    (line,) = re.findall(r"as with (df.*)", raised.value.remedy or "")
    results = reportkit.read(eval(line, {"df": df}))  # noqa: S307 - the line of the message
    assert (results.systems, [block.n_instances for block in results.datasets]) == (("a", "b"), [6, 6])
