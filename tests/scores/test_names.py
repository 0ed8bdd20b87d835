"""Names of any type become codes into texts, nothing is merged that is not the same, and no row order matters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import get_scorer_names

from reportkit.errors import InputError
from reportkit.scores.codes import code_column, crossed, natural_key, sorted_positions
from reportkit.scores.names import (
    AVERAGE,
    CERTAIN,
    direction_of,
    is_average,
    is_covariate,
    is_spread,
    metric_of,
    strength,
)


def names_of(values: Any) -> list[str]:
    """The name of each row."""
    coded = code_column(pd.Series(values, name="id"), "instance", source="DataFrame")
    return [coded.names[code] for code in coded.codes]


@pytest.mark.parametrize(
    ("values", "names"),
    [
        (["a", "b", "a"], ["a", "b", "a"]),
        (["007", "7", "NA"], ["007", "7", "NA"]),
        ([3, 1, 3], ["3", "1", "3"]),
        ([10**15, 1, 10**15], [str(10**15), "1", str(10**15)]),
        ([1.0, 2.5], ["1", "2.5"]),
        ([1, "a", 2.5, True], ["1", "a", "2.5", "True"]),
        ([1, 1.0], ["1", "1"]),
        (np.array([1, True], dtype=object), ["1", "True"]),
        (pd.Categorical(["b", "a", "b"], categories=["unused", "a", "b"]), ["b", "a", "b"]),
        (pd.Categorical([2, 1, 2]), ["2", "1", "2"]),
        (pd.array([1, 2, 1], dtype="Int64"), ["1", "2", "1"]),
        (pd.to_datetime(["2020-01-01", "2020-01-02"]), ["2020-01-01 00:00:00", "2020-01-02 00:00:00"]),
    ],
)
def test_names_are_the_texts_of_the_values(values: Any, names: list[str]) -> None:
    """1 and 1.0 are "1", "007" stays, 1 and True are two."""
    assert names_of(values) == names


@pytest.mark.parametrize(
    "values",
    [
        ["a", None],
        ["a", ""],
        ["a", " \t"],
        ["a", np.nan],
        [1.0, np.nan],
        pd.array([1, None], dtype="Int64"),
        pd.Categorical(["a", None]),
        pd.Categorical(["a", " "]),
        [1, None, "a"],
    ],
)
def test_an_empty_name_is_refused(values: Any) -> None:
    """Empty, blank and missing names are one error, with the rows."""
    with pytest.raises(InputError, match=r"has no instance: column .instance. is empty there") as raised:
        names_of(values)
    assert "row 1 (as iloc counts)" in str(raised.value)


def test_numbers_inside_names_count_by_value() -> None:
    """bleu2 comes before bleu10, and leading zeros do not matter but to break ties."""
    assert sorted(["bleu10", "bleu2", "bleu02", "Bleu1", "a"], key=natural_key) == [
        "a",
        "Bleu1",
        "bleu02",
        "bleu2",
        "bleu10",
    ]
    assert sorted(["x" + "9" * 5000, "x1"], key=natural_key) == ["x1", "x" + "9" * 5000]


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(st.lists(st.text(max_size=6), unique=True), st.randoms(use_true_random=False))
def test_order_of_names_is_total(names: list[str], random: st.randoms) -> None:  # type: ignore[valid-type]
    """Any shuffle of any names gives the same order."""
    shuffled = list(names)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert sorted(shuffled, key=natural_key) == sorted(names, key=natural_key)


@settings(deadline=None, max_examples=100)
@given(st.lists(st.one_of(st.integers(-20, 200).map(str), st.text("0a-é", min_size=1, max_size=4)), unique=True))
def test_ids_are_sorted_by_a_key_of_their_own(ids: list[str]) -> None:
    """Whole numbers as written by `str` come first, by value; all other texts follow by code point."""

    def key(text: str) -> tuple[int, int, str]:
        try:
            whole = str(int(text)) == text
        except ValueError:
            whole = False
        return (0, int(text), "") if whole else (1, 0, text)

    assert [ids[place] for place in sorted_positions(ids)] == sorted(ids, key=key)


def test_only_pairs_that_occur_in_natural_order() -> None:
    """By the first name, then by the second."""
    first, second = (code_column(pd.Series(values), "run", source="") for values in (["b10", "b2", "b2"], list("yxy")))
    pairs = crossed(first, second, "/")
    assert pairs.names.tolist() == ["b2/x", "b2/y", "b10/y"]
    assert [pairs.names[code] for code in pairs.codes] == ["b10/y", "b2/x", "b2/y"]


def test_a_declared_order_is_kept() -> None:
    """Of an ordered categorical."""
    column = code_column(pd.Series(pd.Categorical(["a", "z"], ["z", "a"], ordered=True)), "system", source="")
    assert (column.names.tolist(), column.codes.tolist()) == (["z", "a"], [1, 0])


ROLES = ("system", "dataset", "instance", "metric", "seed", "fold", "rater", "cluster", "weight", "gold", "prediction")
KINDS = {"covariate": is_covariate, "spread": is_spread, "average": is_average, "mean": AVERAGE.fullmatch}


def understood(name: str) -> str:
    """Return what a name says: roles ("!" if certain), kinds, which way is better, the metric and other words."""
    roles = [role + "!" * (strength(name, role) == CERTAIN) for role in ROLES if strength(name, role)]
    kinds = [kind for kind, says in KINDS.items() if says(name)]
    better = {True: "higher", False: "lower", None: ""}[direction_of(name)]
    metric = metric_of(name)
    found = "" if metric is None else f"{metric.name}{' +' * bool(metric.rest)} {' '.join(metric.rest)}".strip()
    return " | ".join((name, " ".join(roles + kinds), better, found)).rstrip(" |")


def test_names_of_columns_and_metrics_say_what_people_mean() -> None:
    """Roles, kinds and directions as in `names.txt`, which was read by eye."""
    golden = Path(__file__).with_name("names.txt").read_text("utf-8").splitlines()
    assert [understood(line.partition(" |")[0]) for line in golden] == golden


def test_scores_of_other_libraries_are_better_when_higher() -> None:
    """All scorers of scikit-learn, and all measures of ir-measures, by their conventions; some names say nothing."""
    measures = pytest.importorskip("ir_measures", reason="the extra [trec] is not installed").measures
    names = [*get_scorer_names(), *measures.registry]
    assert [name for name in names if direction_of(name) is False] == ["ERR"]  # mostly short for an error rate
    assert sum(direction_of(name) is True for name in names) > 80
