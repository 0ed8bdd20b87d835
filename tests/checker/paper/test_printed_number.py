"""Printed numbers: what counts as one, and the interval that its digits stand for."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.checker.paper.printed_number import printed_numbers
from reportkit.checker.paper.source import TextBuilder


def numbers(text):
    """Numbers of a text."""
    builder = TextBuilder()
    builder.add(text, 0, 0)
    return printed_numbers(builder.mapped())


FOUND = {
    "SST-2 gives 93.1%, F1 and GPT-4 and 10-fold and 7B and v1.2.3 do not": ["93.1"],
    "2022-11, 2022-13 and elm-5-2022-11-05 of 2022-11-05.": ["2022", "2022", "13", "2022"],
    "Elm (3K, 100%) and Oak (7B), (7B, 13B)": ["3K", "100"],
    "p<.001 and t(28) = 2.20": [".001", "28", "2.20"],
    "3–5 epochs, 0.3-0.5, -0.5, − 0.5, (−0.5)": ["3", "5", "0.3", "0.5", "-0.5", "− 0.5", "−0.5"],
    "9,815 of 10,000,000 and 1,2,3": ["9,815", "10,000,000", "1", "2", "3"],
    "3.9×10^-5, 3.9e-10, x^2": ["3.9×10^-5", "3.9e-10"],
    "1394,174927 and -1258,090210 of years 1995,1998": ["1394,174927", "-1258,090210", "1995", "1998"],
    "72.63/95.31 of 12/50, 3.7 × 10 ^5": ["72.63", "95.31", "12", "3.7 × 10 ^5"],
    "100% [93,100] of 1,250": ["100", "93", "100", "1,250"],
    "15,909 (42,082)": ["15,909", "42,082"],
    "100 480 507": ["100\u202f480\u202f507"],
    "It ends with 5.": ["5"],
    "a/2 @3 #4 file_5": [],
    "27ms": ["27"],
    "-$25M": ["-$25M"],
    "+$2M": ["+$2M"],
    "≥1.5s (±0.2s)": ["1.5", "0.2"],
    "2.4x": ["2.4"],
    "5m08s": ["5", "08"],
    "0.3B–6B": ["0.3B", "6B"],
    "18k/120.5k/3.5M^†": ["18k", "120.5k", "3.5M"],
    "Tesla 16GB": [],
    "9.6M/143M/175M": ["9.6M", "143M", "175M"],
    "2^-5 or 2^5": ["2", "2"],
    "oak-2026-03-09 and 2026-03-09": ["2026"],
    "2019-2021": ["2019", "2021"],
    "3D": [],
    "4th": [],
}


@pytest.mark.parametrize("text", FOUND)
def test_digits_of_names_are_no_numbers(text):
    """Versions, names of models and datasets, exponents; signs and thousands belong to the number."""
    assert [number.text for number in numbers(text)] == FOUND[text]


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("99.9 (99.81-99.99%)", ["value", "low", "high"]),
        ("99.9 (99.81, 99.99)", ["value", "low", "high"]),
        ("15,909 (42,082)", ["value", "remark"]),
        ("12 of 20 (318, 69%)", ["value", "value", "remark", "value"]),
        ("[1.1T–11.2T]", ["low", "high"]),
        ("Smith (2019-2020)", ["remark", "value"]),
        ("0% (≤0.14%)", ["value", "remark"]),
        ("Circles (×3), about (~5)", ["remark", "remark"]),
        ("0.31 +/-0.07", ["value", "spread"]),
        ("0.31 +/- 0.07", ["value", "spread"]),
    ],
)
def test_two_numbers_in_parentheses_are_bounds(text, roles):
    """With a hyphen only if both have decimals; thousands are one number."""
    assert [number.role for number in numbers(text)] == roles


@given(st.decimals(min_value=-1000, max_value=1000, places=4), st.integers(0, 4))
def test_a_number_stands_for_what_rounds_to_it(value, places):
    """Rounding by decimal arithmetic: the printed number stands for the value, and not for one two units away."""
    rounded = value.quantize(Decimal(1).scaleb(-places))
    (number,) = numbers(f"= {rounded:f}")
    assert number.decimals == places
    assert number.stands_for(float(value))
    assert not number.stands_for(float(value) + 2 * 10.0**-places)


def test_zeros_behind_the_point_count():
    """93.10 stands for less than 93.1."""
    short, long = numbers("93.1 and 93.10")
    assert short.stands_for(93.14)
    assert not long.stands_for(93.14)
    assert (long.low, long.high) == pytest.approx((93.095, 93.105))


def test_thousands_and_millions_glued_to_a_number_count():
    """12k is a number between 11,500 and 12,500; what measures (ms) changes nothing."""
    values = {
        "12k": (12_000, 1_000),
        "1.2M": (1.2e6, 1e5),
        "17.1T": (17.1e12, 1e11),
        "31ms": (31, 1),
        "0.5b": (5e8, 1e8),
    }
    for text, (value, unit) in values.items():
        (number,) = numbers(text)
        assert (number.value, number.high - number.low) == (value, unit), text


def test_relations_and_percent():
    """`<` stands for all that is smaller; percent is known, and a proportion is scaled."""
    below, percent = numbers("p < .05 at 93.1 %")
    assert below.relation == "<"
    assert below.stands_for(0.01)
    assert not below.stands_for(0.2)
    assert percent.percent
    assert percent.stands_for(0.9312, scale=100)
