"""Numbers as papers print them, and the interval that their digits stand for.

93.1 stands for every value that rounds to it, [93.05, 93.15]: a printed number agrees with a computed one if that lies
in the interval (the logic of statcheck; Nuijten et al. 2016).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from reportkit.checker.paper.source import MappedText, Span

Relation = Literal["=", "<", ">", "≤", "≥", "≈"]
Role = Literal["value", "spread", "low", "high", "remark"]

SLACK = 1e-9
"""Relative slack of comparisons, for the rounding of binary fractions."""

MOST_DIGITS = 40

_DIGIT = re.compile(r"\d")

_NUMBER = re.compile(
    r"(?P<sign>(?<!\+/)(?<!\+)[+\-−–](?:\s|[$€£](?=\d))?)?"
    r"(?P<digits>\d{1,3}(?:[,\u2009\u202f]\d{3})+(?![\d,])(?:\.\d+)?|\d+,\d{5,}(?![\d,.])|\d+(?:\.\d+)?|\.\d+)"
    r"(?P<power>(?:[eE][+\-−]?\d+)|(?:\s*[×·]\s*10\s?\^[+\-−–]?\d+)|(?<![\d.]10)(?<=10)\^[\-−–]\d+)?"
)
_DECIMAL_COMMA = re.compile(r"\d+,\d{5,}")
_SPACED = re.compile(r"\s*\d{1,3}(?: \d{3})+\s*")
"""A cell whose thousands are apart by spaces."""
_BRACKETED = re.compile(r"(?<=\[)(\d{1,3}),(\d{3})(?=\])")
"""Two bounds, not one number with thousands: [93,100]."""
_RELATION = re.compile(r"(?P<relation><=|>=|[<>=≤≥≈~])\s*$")
_PERCENT = re.compile(r"\s*(?:%|percent\b|per cent\b)")
_THOUSANDS = re.compile(r"\(\d{1,3},\d{3}\)")
_INTERVAL = re.compile(
    r"(?<![\w])[\[(]\s*(?P<low>[^\[\]();,]{1,24}?)\s*(?:[,;]|\.\.|–|--|\bto\b|(?<=[\d%])(?P<hyphen>-))\s*"
    r"(?P<high>[^\[\]();,]{1,24}?)\s*[\])]"
)
_BARE_INTERVAL = re.compile(
    r"(?:\bCI|\bHDI|[Ii]nterval)[\s:,=]*(?:of |from )?(?P<low>[+\-−–]?\s?\d*\.?\d+)\s?%?\s?"
    r"(?:,\s|–|--|\bto\b|(?P<hyphen>-))\s?(?P<high>[+\-−–]?\s?\d*\.?\d+)(?!\s?% (?:CI|confidence))"
)
"""Bounds after the word, without brackets of their own: 95% CI 0.41 to 0.62."""
_GLUED = re.compile(
    r"(?<=[\d.])(?:(?:[kKMGBTb]|bn)|(?:[munpµμ]?s|secs?|mins?|hrs?|[hx]|[KMGTkmg]i?B|[KMGkTP]?FLOPs?(?:/s)?|"
    r"[kMG]?Hz|[kmcnµμ]?m|[km]?g|k?W|[mk]?[AV]|d[BX]|px|pt|pp|ep|it|tok|fps|FPS|eV|°?C)(?:/\w+)?)(?![A-Za-z])"
)
"""Thousands, millions, ... and units without space between them and the number, which make it no score."""
_DATE = re.compile(r"(?:-|(?<![\d.]))(?:19|20)\d\d-(?:0[1-9]|1[0-2])(?:-\d\d)?(?!\.?\d|[-–]\d)")
_YEARS = re.compile(r"(?:19|20)\d\d")
_MARKED = re.compile(r"\^\(?[^\s)]+\)?")
_RELATIONS: dict[str, Relation] = {
    "<=": "≤", ">=": "≥", "<": "<", ">": ">", "=": "=", "≤": "≤", "≥": "≥", "≈": "≈", "~": "≈",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """One printed number.

    Parameters
    ----------
    text : str
        Its digits as printed, with sign and exponent: "−0.30", ".000", "9,815", "3.9e-10".
    value : float
        As printed: 93.1 of "93.1%".
    decimals : int
        Digits after the point.
    percent : bool
        Whether a percent sign follows.
    sign : {"", "+", "-"}
        As printed.
    relation : {"=", "<", ">", "≤", "≥", "≈"}
        The sign before it; "=" if there is none.
    role : {"value", "spread", "low", "high", "remark"}
        "spread": after ±, or so by a heading; "low", "high": bounds of an interval; "remark": in parentheses or below
        the line.
    span : Span
        Where its digits stand.

    Examples
    --------
    >>> from reportkit.checker.paper.source import TextBuilder
    >>> builder = TextBuilder()
    >>> builder.add("p < .001, 93.1% ± 0.4", 0, 0)
    >>> [(n.relation, n.text, n.percent, n.role) for n in printed_numbers(builder.mapped())]
    [('<', '.001', False, 'value'), ('=', '93.1', True, 'value'), ('=', '0.4', False, 'spread')]
    """

    text: str
    value: float
    decimals: int
    percent: bool
    sign: Literal["", "+", "-"]
    relation: Relation
    role: Role
    span: Span
    unit: float

    @property
    def low(self) -> float:
        """Smallest value that rounds to it: half a unit of the last digit below."""
        return self.value - self.unit / 2

    @property
    def high(self) -> float:
        """Largest value that rounds to it: half a unit of the last digit above."""
        return self.value + self.unit / 2

    def stands_for(self, truth: float) -> bool:
        """Return whether a computed value may have been printed like this, by its digits and relation."""
        slack = SLACK * max(1.0, abs(truth))
        if self.relation in ("<", "≤"):
            return truth <= self.high + slack
        if self.relation in (">", "≥"):
            return truth >= self.low - slack
        return self.low - slack <= truth <= self.high + slack


def printed_numbers(text: MappedText) -> tuple[PrintedNumber, ...]:
    """Find the numbers of a cleaned text.

    Digits that belong to a name (SST-2, F1, 10-fold, 7B, v1.2.3) and marks (93.1^1) are not numbers.
    """
    return tuple(number for _, _, number in located_numbers(text))


@lru_cache(maxsize=8_192)
def located_numbers(text: MappedText) -> tuple[tuple[int, int, PrintedNumber], ...]:
    """Find the numbers of a cleaned text, each with where it begins and ends in it; several rules ask for the same."""
    content = text.text
    if _DIGIT.search(content) is None:
        return ()
    if _SPACED.fullmatch(content):
        content = content.replace(" ", "\u202f")
    content = _BRACKETED.sub(r"\1;\2", content)
    bounds = _interval_bounds(content)
    plain = _DATE.sub(lambda match: match[0].replace("-", "@"), content) if "-" in content else content
    found: list[tuple[int, int, PrintedNumber]] = []
    for match in _NUMBER.finditer(content):
        start, end = match.start("digits"), match.end()
        if not _stands_alone(plain, match):
            continue
        sign = _sign(plain, match)
        begin = match.start() if sign else start
        value, unit, decimals = _value(match, negative=sign == "-")
        before = content[max(0, begin - 12) : begin]
        relation = _RELATION.search(before)
        number = PrintedNumber(
            text=content[begin:end],
            value=value,
            decimals=decimals,
            percent=_PERCENT.match(content, end) is not None,
            sign=sign,
            relation=_RELATIONS[relation["relation"]] if relation else "=",
            role=_role(before, start, bounds),
            span=text.span(begin, end),
            unit=unit,
        )
        found.append((begin, end, number))
    return tuple(found)


def number_in(text: MappedText, match: re.Match[str], group: str) -> PrintedNumber | None:
    """Return the number that ends where a group of a match in a cleaned text ends."""
    end = match.end(group)
    return next((number for _, stop, number in located_numbers(text) if stop == end), None)


def is_measured(content: str) -> bool:
    """Return whether a text holds nothing but numbers with units glued to them.

    Examples
    --------
    >>> [is_measured(text) for text in ("31ms", "1.3M / 19.5M", "0.5B^†", "Qwen 0.5B", "F1", "31")]
    [True, True, True, False, False, False]
    """
    bare, count = _GLUED.subn("", _MARKED.sub("", content))
    return count > 0 and not any(map(str.isalpha, bare))


def _value(match: re.Match[str], *, negative: bool) -> tuple[float, float, int]:
    """Return the value, the unit of its last digit, and its decimals."""
    power = 0
    digits = match["digits"].replace(",", "." if _DECIMAL_COMMA.fullmatch(match["digits"]) else "")
    digits = re.sub(r"[\u2009\u202f]", "", digits)
    decimals = len(digits.partition(".")[2])
    if match["power"]:
        exponent = re.search(r"(?:[eE]|\^)([+\-−–]?\d+)\Z", match["power"])
        power = int(exponent[1].replace("−", "-").replace("–", "-")) if exponent else 0
        if match["power"].startswith("^"):  # 10^-4 alone
            digits = "1"
    power = max(-400, min(300, power))
    value = float(f"{digits}e{power}")
    return (-value if negative else value), float(f"1e{power - decimals}"), decimals


def _stands_alone(content: str, match: re.Match[str]) -> bool:
    """Return whether the digits are a number, not part of a name, a version, a date or a mark."""
    start, end = match.start("digits"), match.end()
    if end - start > MOST_DIGITS:
        return False
    before, after = content[start - 1 : start], content[end : end + 1]
    if before == "/" and "." in match["digits"] and content[start - 2 : start - 1] in (*"0123456789%",):
        return not after.isalpha()  # 72.6/95.3
    if before and (before.isalnum() or before in "^@#\\/."):
        return False
    if before and before in "-−–_‐‑":
        further = content[start - 2 : start - 1] if start > 1 else ""
        if further == "^":
            return False
        if further and (further.isalpha() or further in ")]"):
            return False
    if after.isalpha():
        return False
    if after and after in "-‐‑" and content[end + 1 : end + 2].isalpha():
        return False
    return not (after == "." and content[end + 1 : end + 2].isdigit())


def _sign(content: str, match: re.Match[str]) -> Literal["", "+", "-"]:
    written = (match["sign"] or "").strip(" $€£\u2009\u00a0")
    if not written:
        return ""
    before = content[max(0, match.start() - 3) : match.start()].rstrip()
    attached = content[match.start() - 1 : match.start()]
    if attached == "-":  # the second half of a dash: 3--5
        before = before[:-1]
        attached = before[-1:]
    if before and (before[-1].isalnum() or before[-1] in ")]%") and (attached == before[-1] or len(match["sign"]) > 1):
        return ""  # a range (3–5) or a subtraction
    return "+" if written == "+" else "-"


def _interval_bounds(content: str) -> dict[int, Role]:
    """Return where the digits of bounds of intervals begin; (318, 69%) is a count and a share."""
    bounds: dict[int, Role] = {}
    for match in (*_INTERVAL.finditer(content), *_BARE_INTERVAL.finditer(content)):
        ends = match["low"], match["high"]
        if not all(_NUMBER.fullmatch(end.replace("%", "").strip()) for end in ends) or _THOUSANDS.fullmatch(match[0]):
            continue
        whole = match[0] == content.strip()
        if all(map(_YEARS.fullmatch, ends)) and content[: match.start()].rstrip()[-1:].isalpha():
            continue  # nine years (2015–2023), but 1950 (1932–1968)
        if match["hyphen"] and not whole and not all("." in end for end in ends):  # years, pages, sizes
            continue
        low, high = (_NUMBER.search(content, match.start(end)) for end in ("low", "high"))
        if low is None or high is None:
            continue
        first, second = (_value(bound, negative=False)[0] for bound in (low, high))
        if "%" in ends[1] and "%" not in ends[0] and not low["sign"] and first > second:
            continue
        bounds[low.start("digits")], bounds[high.start("digits")] = "low", "high"
    return bounds


def _role(before: str, start: int, bounds: dict[int, Role]) -> Role:
    if start in bounds:
        return bounds[start]
    ending = before.rstrip().rstrip("<>=≤≥≈×~").rstrip()
    if ending.endswith(("±", "+-", "+/-")):
        return "spread"
    if ending.endswith(("(", "_", "_(")):
        return "remark"
    return "value"
