"""Labels as numbers: missing values and mixed types are found, never turned into strings."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import InputError
from reportkit.reproducibility_analysis.codes import coded, coded_together


@pytest.mark.parametrize(
    "values",
    [
        ["a", None, "b"],
        ["a", float("nan"), "b"],
        np.array([1.0, np.nan, 2.0]),
        pd.Series(["a", pd.NA, "b"], dtype="string"),
        pd.Series([1, None, 2], dtype="Int64"),
    ],
)
def test_missing_values_are_refused(values):
    """None, NaN and pandas' NA are missing labels, in lists, arrays and series."""
    with pytest.raises(InputError, match="1 label is missing") as caught:
        coded(values, 3, "label")
    assert "first in row 2" in str(caught.value)


def test_numbers_and_strings_are_not_the_same_label():
    """Gold labels 0 and 1 against predictions '0' and '1' are an error, not an accuracy of 1."""
    with pytest.raises(InputError, match="of different types, int and str"):
        coded_together(np.array([0, 1]), np.array(["0", "1"]))


def test_whole_numbers_and_floats_are():
    """1 and 1.0 are the same label."""
    assert coded_together(np.array([0, 1]), np.array([0.0, 1.0])).codes.tolist() == [0, 1, 0, 1]


def test_a_categorical_series_is_read():
    """Values count, not the order of the categories."""
    series = pd.Series(pd.Categorical(["y", "x", "y"], categories=["y", "x"]))
    assert coded(series, 3, "label").codes.tolist() == [1, 0, 1]
