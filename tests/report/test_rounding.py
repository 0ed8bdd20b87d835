"""Numbers as a report stores them."""

import math
from dataclasses import dataclass

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reportkit.report.rounding import DIGITS, bound, rounded


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


@given(
    st.lists(st.one_of(st.floats(allow_nan=False), st.floats(0, 1), st.sampled_from([0.0, -0.0, 1.0])), max_size=20),
    st.integers(-12, 12),
)
def test_many_are_rounded_like_one(values, exponent):
    """Whatever they are: halves of the last digit, powers of ten and their neighbours, what a float hardly holds."""
    edges = [
        float(f"{digits}e{exponent}") for digits in ("1", "9.999999995", "1.234567885", "1.000000005", "9.99999999")
    ]
    edges += [math.nextafter(one, way) for one in edges for way in (0.0, math.inf)]
    every = [*values, *edges, *(-one for one in edges), 5e-324, 1e308] * 4
    alone = [float(f"{one:.{DIGITS}g}") for one in every]
    mixed = [(one, None, "x", 3, True) for one in every]
    assert list(map(repr, rounded(every))) == list(map(repr, alone))
    assert rounded(tuple(mixed)) == tuple((one, None, "x", 3, True) for one in alone)
    assert rounded([*mixed, {"a": 1 / 3}])[-1] == {"a": 0.333333333}
    assert rounded(["name", *every])[1:] == alone


def test_everything_but_floats_is_left_alone():
    """Names, counts, truth values and None stand as they were; dataclasses, lists and mappings keep their type."""
    content = {"a": [_Drawn("x", (1 / 3, 2.0)), 7, None], "b": (True, "0.3333333333")}
    found = rounded(content)
    assert found == {"a": [_Drawn("x", (0.333333333, 2.0)), 7, None], "b": (True, "0.3333333333")}
    assert rounded(found["a"][0]) is found["a"][0]
    assert type(rounded(np.float64(1 / 3))) is float


@given(st.floats(min_value=1e-300, max_value=1.0))
def test_a_bound_stays_a_bound(value):
    """Never below, and by less than a tenth above."""
    assert value <= bound(value) <= value * 1.1 * (1 + 1e-15)
