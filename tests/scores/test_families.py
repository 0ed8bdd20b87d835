"""The family of each system, from a column."""

from __future__ import annotations

import pandas as pd
import pytest

from reportkit.errors import ColumnError
from reportkit.scores.together import family_column

FRAME = pd.DataFrame({"model": ["a", "a", "b"], "Family": ["x", "x", "y"]})


def test_the_usual_column_is_found_if_it_plays_no_role():
    """In any case of its letters; not where it has a role, and not if there is none."""
    assert family_column(FRAME, {"system": "model"}, None, unused=["Family"]) == {"a": "x", "b": "y"}
    assert family_column(FRAME, {"system": "model"}, None) is None


@pytest.mark.parametrize(
    ("frame", "columns", "named", "message"),
    [
        (FRAME, {"system": "model"}, "kin", "no families can be read from column 'kin'"),
        (FRAME, {}, "Family", "no families can be read"),
        (FRAME, {"system": "model"}, "model", "no families can be read"),
        (FRAME.assign(Family=["x", "z", "y"]), {"system": "model"}, "Family", "system 'a' has no family, or several"),
        (FRAME.assign(Family=["x", "x", None]), {"system": "model"}, "Family", "'b' has no family"),
    ],
)
def test_what_does_not_fit_is_refused(frame, columns, named, message):
    """With the column and the system."""
    with pytest.raises(ColumnError, match=message):
        family_column(frame, columns, named)
