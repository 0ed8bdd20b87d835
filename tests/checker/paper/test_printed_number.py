"""Printed numbers: what counts as one, and the interval that its digits stand for."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from reportkit.checker.paper.printed_number import printed_numbers
from reportkit.checker.paper.source import TextBuilder


def numbers(text):
    """Numbers of a text."""
    builder = TextBuilder()
    builder.add(text, 0, 0)
    return printed_numbers(builder.mapped())


@given(st.decimals(min_value=-1000, max_value=1000, places=4), st.integers(0, 4))
def test_a_number_stands_for_what_rounds_to_it(value, places):
    """Rounding by decimal arithmetic: the printed number stands for the value, and not for one two units away."""
    rounded = value.quantize(Decimal(1).scaleb(-places))
    (number,) = numbers(f"= {rounded:f}")
    assert number.decimals == places
    assert number.stands_for(float(value))
    assert not number.stands_for(float(value) + 2 * 10.0**-places)


def test_relations_and_percent():
    """`<` stands for all that is smaller; percent is known."""
    below, percent = numbers("p < .05 at 93.1 %")
    assert below.relation == "<"
    assert below.stands_for(0.01)
    assert not below.stands_for(0.2)
    assert percent.percent
    assert percent.stands_for(93.12)
