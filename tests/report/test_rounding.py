"""Numbers as a report stores them."""

import math
from dataclasses import dataclass

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reportkit.report.rounding import DIGITS, rounded


@dataclass(frozen=True)
class _Drawn:
    name: str
    points: tuple[float, ...]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_rounding_is_close_and_settled(value):
    """To half a unit of the last digit; again, it changes nothing; sign and zero stay."""
    found = rounded(value)
    assert math.isclose(found, value, rel_tol=0.51 * 10.0 ** (1 - DIGITS), abs_tol=5e-324 if value == 0 else 1e-320)
    assert rounded(found) == found
    assert math.copysign(1, found) == math.copysign(1, value)


def test_everything_but_floats_is_left_alone():
    """Names, counts, truth values and None stand as they were; dataclasses, lists and mappings keep their type."""
    content = {"a": [_Drawn("x", (1 / 3, 2.0)), 7, None], "b": (True, "0.3333333333")}
    found = rounded(content)
    assert found == {"a": [_Drawn("x", (0.333333333, 2.0)), 7, None], "b": (True, "0.3333333333")}
    assert rounded(found["a"][0]) is found["a"][0]
    assert type(rounded(np.float64(1 / 3))) is float
