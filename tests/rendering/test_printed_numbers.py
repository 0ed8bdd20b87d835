"""Numbers as they are printed, read back."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.language.numerals import p_value_text
from reportkit.rendering.printed_numbers import number_value, printed_number, sort_value


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("93.1", "93.1"),
        ("−1,024.50", "-1024.50"),
        ("+0.4", "+0.4"),
        (".036", ".036"),
        ("3.9×10⁻¹⁰", "3.9e-10"),
        ("2×10³", "2e3"),
        ("0", "0"),
        *((text, None) for text in ("", "–", "-", "<.001", "1|2", "1,02", "9.1 [9, 10]", "84%", "1e5", "٣", "a1", ".")),
    ],
)
def test_what_is_a_number(text: str, written: str | None) -> None:
    """Signs of typography become ASCII; what is more or less than a number is none."""
    assert printed_number(text) == written


@given(st.integers(-(10**9), 10**9), st.integers(0, 4))
def test_the_value_is_the_printed_one(units: int, decimals: int) -> None:
    """With separators of thousands and the sign of typography."""
    value = units / 10**decimals
    assert number_value(f"{value:,.{decimals}f}".replace("-", "−")) == pytest.approx(value, abs=10**-decimals / 2)


def test_what_a_float_cannot_hold_is_no_number() -> None:
    """Infinity is not printed as a number, and not read as one."""
    assert number_value("1×10⁹⁹⁹") is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("93.1 [92.6, 93.5]", 93.1),
        ("93.1 ± 0.4", 93.1),
        ("[−0.4, +3.1]", -0.4),
        ("84%", 84.0),
        ("≥ 3", 3.0),
        ("–", None),
        ("3rd", None),
        ("1.2.3", None),
        ("BERT", None),
    ],
)
def test_what_a_cell_is_sorted_by(text: str, value: float | None) -> None:
    """The number that it begins with, or nothing."""
    assert sort_value(text) == value


@given(st.lists(st.floats(1e-12, 1.0), min_size=2, max_size=2, unique=True))
def test_p_values_are_sorted_as_they_are_printed(p_values: list[float]) -> None:
    """A smaller p-value never stands behind a larger one."""
    small, large = sorted(p_values)
    keys = [sort_value(p_value_text(p)) for p in (small, large)]
    assert None not in keys
    assert keys[0] <= keys[1] or math.isclose(keys[0], keys[1])
