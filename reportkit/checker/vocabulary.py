"""Words of the field that rules look for: tests, corrections, levels, units, counts."""

from __future__ import annotations

import re

from reportkit.checker.patterns import patterns


def words(*alternatives: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    """One pattern of alternatives at the beginning of a word.

    Examples
    --------
    >>> bool(words("holm", "bonferroni").search("Holm-adjusted")), bool(words("holm").search("Stockholm"))
    (True, False)
    """
    return re.compile(rf"(?<![\w])(?:{'|'.join(alternatives)})", flags)


TEST, P_SAID, LEVEL, SIDES, CORRECTION, UNCERTAINTY, LOWER_IS_BETTER, HIGHER_IS_BETTER = patterns(
    "vocabulary",
    "test p_said level sides correction uncertainty lower_is_better higher_is_better",
)


COLLECTIONS = (
    r"(?:datasets?|data sets?|domains?|languages?|language pairs?|corpora|corpus|treebanks?|benchmarks?|tasks?|"
    r"test sets?|"
    r"collections?|genres?)"
)
"""What results are counted over."""

NUMERALS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "one": 1, "both": 2,
}  # fmt: skip
NUMERAL = rf"(?:\d{{1,3}}|{'|'.join(NUMERALS)})"


def number_of(text: str) -> int:
    """Value of a numeral in digits or in a word.

    Examples
    --------
    >>> number_of("Four"), number_of("12")
    (4, 12)
    """
    return NUMERALS.get(text.lower()) or int(text)
