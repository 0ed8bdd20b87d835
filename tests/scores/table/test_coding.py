"""Names of any type become codes into texts; nothing is merged that is not the same, and nothing is left empty."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import InputError
from reportkit.scores.table.coding import code_column


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
    [[1, "1"], ["2", "1", 1.0], pd.Categorical([1, "1"]), np.array([np.int64(5), "5"], dtype=object)],
)
def test_a_number_and_its_text_in_one_column_are_refused(values: Any) -> None:
    """Whether 1 and "1" are the same instance cannot be known."""
    with pytest.raises(InputError, match="both as a number and as text"):
        names_of(values)


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
    with pytest.raises(InputError, match=r"has no instance: column 'id' is empty there") as raised:
        names_of(values)
    assert "row 1 (as iloc counts)" in str(raised.value)
