"""Words of the field that rules look for: tests, corrections, levels, units, counts."""

from __future__ import annotations

from reportkit.checker.patterns import WORDS, patterns

TEST, P_SAID, CORRECTION, UNCERTAINTY, LOWER_IS_BETTER, HIGHER_IS_BETTER = patterns("vocabulary").values()


COLLECTIONS, NUMERAL = WORDS["collections"], WORDS["numeral"]
"""What results are counted over; a small number in digits or in a word."""
NUMERALS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "one": 1, "both": 2,
}  # fmt: skip


def number_of(text: str) -> int:
    """Value of a numeral in digits or in a word.

    Examples
    --------
    >>> number_of("Four"), number_of("12")
    (4, 12)
    """
    return NUMERALS.get(text.lower()) or int(text)
