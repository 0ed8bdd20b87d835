"""The cell of a printed p-value holds exactly what would have been printed like this."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.errors import ScoreValueError
from reportkit.scores.printed import SMALLEST, p_value_cell


@settings(deadline=None, max_examples=300)
@given(st.floats(0, 1), st.integers(2, 6))
def test_a_rounded_p_value_lies_in_its_cell(p_value: float, decimals: int) -> None:
    """Rounding to fixed decimals and reading the cell back encloses the value; the cell is one unit wide."""
    low, value, high = p_value_cell(f"{p_value:.{decimals}f}")
    assert low <= max(p_value, SMALLEST)
    assert p_value <= high
    assert low <= value <= high <= 1
    assert high - low <= 10.0**-decimals * (1 + 1e-9)


@settings(deadline=None, max_examples=300)
@given(st.floats(1e-300, 0.99), st.integers(0, 4))
def test_scientific_notation_has_its_own_digits(p_value: float, digits: int) -> None:
    """A mantissa and an exponent, whatever else is in the column."""
    low, _, high = p_value_cell(f"{p_value:.{digits}e}", ["0.5", "0.0001"])
    assert low <= p_value <= high


@pytest.mark.parametrize(
    ("text", "column", "cell"),
    [
        ("0.0376", [], (0.03755, 0.0376, 0.03765)),
        (".050", [], (0.0495, 0.05, 0.0505)),
        ("0.05", [], (0.045, 0.05, 0.055)),
        ("1.12e-08", [], (1.115e-8, 1.12e-8, 1.125e-8)),
        ("1E-4", [], (0.5e-4, 1e-4, 1.5e-4)),
        ("1e−4", [], (0.5e-4, 1e-4, 1.5e-4)),
        ("0", [], (SMALLEST, 0.5, 0.5)),
        ("0", ["0", "0.0001", "0.25"], (SMALLEST, 5e-5, 5e-5)),
        ("0.0", ["0.0", "0.0001", "2e-05", "0.2123"], (SMALLEST, 5e-5, 5e-5)),
        ("0.0", ["0.0", "1e-4", "9e-4"], (SMALLEST, 5e-5, 5e-5)),
        ("0.0", ["0.0", "1e-4", "0.5", "3e-300", "0e-9"], (SMALLEST, 5e-5, 5e-5)),
        ("0.000", ["0.000", "0.00001"], (SMALLEST, 5e-4, 5e-4)),
        ("0.0", ["<0.001"], (SMALLEST, 0.05, 0.05)),
        ("<1e-4", [], (SMALLEST, 1e-4, 1e-4)),
        ("< .001", [], (SMALLEST, 1e-3, 1e-3)),
        ("≤0.05", [], (SMALLEST, 0.05, 0.05)),
        (">.99", [], (0.99, 1.0, 1.0)),
        ("=0.03", [], (0.025, 0.03, 0.035)),
        ("1", [], (0.5, 1.0, 1.0)),
        ("1.000", [], (0.9995, 1.0, 1.0)),
        ("0.9999", [], (0.99985, 0.9999, 0.99995)),
    ],
)
def test_cells(text: str, column: list[str], cell: tuple[float, float, float]) -> None:
    """Printed zeros and bounds stand for the upper end of what they allow (methods of the paper's tables)."""
    assert p_value_cell(text, column) == cell


@pytest.mark.parametrize(
    "text", ["", "n.s.", "5%", "0,05", "-0.1", "1.01", "nan", "inf", "<0", "0.05*", "1e-400", "e-4"]
)
def test_what_is_no_p_value(text: str) -> None:
    """Words, percentages, marks and numbers outside of [0, 1] are refused."""
    with pytest.raises(ScoreValueError, match="is not a p-value"):
        p_value_cell(text)
