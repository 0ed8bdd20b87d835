r"""A stated gain does not follow from the two numbers beside it; points and percent are mixed up.

What it does
------------
In sentences that give two scores and a gain ("from 80.0 to 82.0, a gain of 2.5 points"; "82.0 against 80.0, 2.5%
relative"), computes the absolute and the relative gain from the two scores, each as the interval its digits stand for,
and reports a gain that is neither, or is the other one than it is called. In tables with two systems and their
difference, reports a difference that the two printed scores cannot have.

Why
---
ACL Rolling Review, guidelines R1 and R4. A gain of 2.5 "points" that is one of 2.0 points and 2.5% is over-claimed.

Example
-------
    Accuracy rises from 80.0 to 82.0, a gain of 2.5 points.

Instead
-------
    Accuracy rises from 80.0 to 82.0, a gain of 2.0 points (2.5% relative).

When it is wrong
----------------
If the gain is over something else than the two scores of its sentence. Sentences with more than two scores, and
reductions of an error rate that only the complements of the scores show, are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reportkit.checker.comparison import ComparedLine, comparisons
from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.paper.source import MappedText
from reportkit.checker.rule import Rule

_N = r"\d+(?:\.\d+)?"
_FILL = r"(?:\s?%|\s+(?:points?|BLEU|F1|accuracy|EM|percent|\w{1,12})){0,3}?"
PAIRS = (
    re.compile(rf"\bfrom\s+(?P<old>{_N})(?![\d.]*\d){_FILL}\s+to\s+(?P<new>{_N})"),
    re.compile(
        rf"(?P<new>{_N}){_FILL}\s*(?:,|\(|—|–)?\s*(?:compared (?:to|with)|against|versus|vs\.?|instead of|over|"
        rf"up from)\s+"
        rf"(?:the\s+)?(?:\w+\s+){{0,2}}?(?P<old>{_N})"
    ),
)
_WORD = (
    r"(?:gains?|improve\w*|increases?|rises?|grows?|difference|drops?|falls?|decreases?|reduc\w+|loss(?:es)?|margin|gap|"
    r"lead)"
)
GAINS = (
    re.compile(
        rf"\b{_WORD}\b[^.;\d()]{{0,40}}?\b(?:of|by)\s+(?:about\s+|roughly\s+|"
        rf"over\s+)?(?P<gain>[+\-−]?\s?{_N})(?P<unit>[^;)\d]{{0,34}})"
    ),
    re.compile(rf"(?P<gain>[+\-−]\s?{_N})(?P<unit>[^;)\d]{{0,34}})"),
    re.compile(rf"(?<=,\s)by\s+(?P<gain>{_N})(?P<unit>[^;)\d]{{0,34}})"),
    re.compile(
        rf"(?:\(|\ba\s+|\ban\s+)(?P<gain>{_N})(?P<unit>(?:\s?%|[\s-]points?|[\s-]percent\w*)[^;)\d]{{0,20}}?"
        rf"(?:relative\s+)?\b(?:gain|improvement|increase|drop|decrease|reduction|relative|absolute|difference|"
        rf"better|higher|lower))"
    ),
)
BESIDE = 12
FARTHEST = 10
"""Ratio of two scores from which on they are no scores of one metric."""
_A_VALUE = re.compile(r"[=≈]\s*$")
_OF_A_RANGE = re.compile(r"\b(?:from|to)\s+$")
POINTS = re.compile(
    r"^[\s,-]*(?:\w+\s+){0,2}?(?:percentage[\s-]points?|points?\b|pp\b|absolute)|^\s?%?\s*\(?absolute", re.IGNORECASE
)
RELATIVE = re.compile(r"^\s*(?:%|percent)?[\s,(]*(?:\w+\s+)?relative", re.IGNORECASE)
_CALLED = re.compile(r"\brelative(?:ly)?\s+(?:\w+\s+)?$", re.IGNORECASE)
PERCENT = re.compile(r"^\s?(?:%|percent\b|per cent\b)", re.IGNORECASE)
LEFT_ALONE = re.compile(
    r"\berror\b|\btimes (?:as|more|better|faster)\b|\bfold\b|\bexcept\b|\brespectively\b|\bp\s*[<=]|\bvar(?:y|"
    r"ied)\b|\brange|\bsweep",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class StatedGain:
    """Two scores and a gain of one sentence.

    `either` if it does not say from which to which; `relatively` if that word stands before the gain.
    """

    old: PrintedNumber
    new: PrintedNumber
    gain: PrintedNumber
    unit: str
    either: bool = False
    relatively: bool = False

    def absolute(self) -> tuple[float, float]:
        """Smallest and largest absolute gain."""
        ends = self.new.low - self.old.high, self.new.high - self.old.low
        return _size(*ends)

    def relative(self) -> tuple[float, float]:
        """Smallest and largest relative gain in percent."""
        return _relative(self.old, self.new)

    def reduction(self) -> tuple[float, float]:
        """The same of the other number: "1.0 v 1.2, a 17% improvement" where lower is better."""
        return _relative(self.new, self.old)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each gain that does not follow."""
    for sentence in context.paper.sentences:
        if sentence.place == "reference" or len(sentence.numbers) < 3:
            continue
        for part in _clauses(sentence.text):
            stated = stated_gain(part)
            if stated is None:
                continue
            context.coverage.checked(context.number, stated.gain.span)
            message = _fault(stated)
            if message:
                yield RULE.at(
                    context.paper, stated.gain.span, message, remedy="compute the gain anew, and name its unit"
                )
    yield from _differences(context)


def _clauses(text: MappedText) -> Iterator[MappedText]:
    """Split a sentence at its semicolons."""
    start = 0
    for match in re.finditer(";", text.text):
        yield text.slice(start, match.start())
        start = match.end()
    yield text.slice(start, len(text.text))


def stated_gain(text: MappedText) -> StatedGain | None:
    """Find the two scores and the gain of a sentence that has exactly one of each.

    Examples
    --------
    >>> from reportkit.checker.paper.reading import document_of
    >>> (sentence,) = document_of("It rises from 80.0 to 82.0, a gain of 2.5 points.").sentences
    >>> stated_gain(sentence.text).gain.text
    '2.5'
    """
    content = text.text
    pairs = [match for pattern in PAIRS for match in pattern.finditer(content)]
    if len(pairs) != 1 or LEFT_ALONE.search(content):
        return None
    numbers = {end: number for _, end, number in located_numbers(text)}
    old, new = numbers.get(pairs[0].end("old")), numbers.get(pairs[0].end("new"))
    if (
        old is None
        or new is None
        or old.value <= 0
        or new.value <= 0
        or max(old.value, new.value) > FARTHEST * min(old.value, new.value)
        or (old.percent != new.percent and old.decimals != new.decimals)
    ):
        return None
    begin, end = pairs[0].start("old"), pairs[0].end("old")
    begin, end = min(begin, pairs[0].start("new")), max(end, pairs[0].end("new"))
    found: dict[int, tuple[PrintedNumber, str, bool]] = {}
    for pattern in GAINS:
        for match in pattern.finditer(content):
            number = numbers.get(match.end("gain"))
            if _OF_A_RANGE.search(content[: match.start("gain")]):
                return None  # from +7.2 to -0.5: a second pair
            if _A_VALUE.search(content[: match.start("gain")]):
                continue
            if pattern is GAINS[1] and min(abs(match.start("gain") - end), abs(begin - match.end("gain"))) > BESIDE:
                continue  # a number with a sign is a gain beside its pair
            if number is not None and number.role in ("value", "remark") and not begin <= match.start("gain") < end:
                unit = content[match.end("gain") : match.end("gain") + 34]
                found.setdefault(
                    match.end("gain"), (number, unit, _CALLED.search(content[: match.start()]) is not None)
                )
    if len(found) != 1:
        return None
    gain, unit, relatively = next(iter(found.values()))
    if not (POINTS.search(unit) or RELATIVE.search(unit) or PERCENT.search(unit) or gain.sign):
        return None
    return StatedGain(old, new, gain, unit, either=pairs[0].re is PAIRS[1], relatively=relatively)


def _fault(stated: StatedGain) -> str:
    absolute, relative = _fits(stated.gain, stated.absolute()), _fits(stated.gain, stated.relative())
    low, high = stated.absolute()
    scaled = _fits(stated.gain, (100 * low, 100 * high)) and stated.new.value <= 1
    absolute = absolute or scaled
    if stated.either:
        relative = relative or _fits(stated.gain, stated.reduction())
    follows = f"{abs(stated.new.value - stated.old.value):.{max(stated.new.decimals, stated.old.decimals)}f} absolute, "
    follows += f"{abs(100 * (stated.new.value / stated.old.value - 1)):.1f}% relative"
    between = f"from {stated.old.text} to {stated.new.text}"
    if stated.relatively or RELATIVE.search(stated.unit):
        if relative:
            return ""
        kind = "the absolute gain" if absolute else "not the relative gain"
        return f"{stated.gain.text} is called relative, and is {kind} {between}: {follows}."
    if POINTS.search(stated.unit):
        if absolute:
            return ""
        kind = "the relative gain in percent" if relative else "not the absolute gain"
        return f"{stated.gain.text} is called absolute (points), and is {kind} {between}: {follows}."
    return "" if absolute or relative else f"{stated.gain.text} does not follow {between}: {follows}."


def _fits(gain: PrintedNumber, ends: tuple[float, float]) -> bool:
    low, high = sorted((abs(gain.low), abs(gain.high)))
    return low <= ends[1] + 1e-9 and high >= ends[0] - 1e-9


def _relative(old: PrintedNumber, new: PrintedNumber) -> tuple[float, float]:
    return _size(100 * (new.low / old.high - 1), 100 * (new.high / max(old.low, 1e-300) - 1))


def _size(low: float, high: float) -> tuple[float, float]:
    if low < 0 < high:
        return 0.0, max(-low, high)
    return min(abs(low), abs(high)), max(abs(low), abs(high))


def _differences(context: CheckContext) -> Iterator[Diagnostic]:
    """Columns of differences beside the two scores."""
    for comparison in comparisons(context.paper):
        turn = _orientation(comparison.lines)
        for line in comparison.lines:
            cells = (line.a, line.b, line.difference)
            if turn == 0 or any(cell is None or cell.number is None for cell in cells):
                continue
            a, b, gap = (cell.number for cell in cells if cell is not None)
            if a is None or b is None or gap is None:
                continue
            context.coverage.checked(context.number, gap.span)
            low, high = sorted((turn * (a.low - b.high), turn * (a.high - b.low)))
            if gap.high < low - 1e-9 or gap.low > high + 1e-9:
                yield RULE.at(
                    context.paper,
                    gap.span,
                    f"The difference on {line.dataset} is printed as {gap.text}, and {a.text} and {b.text} differ by "
                    f"{turn * (a.value - b.value):.{gap.decimals}f}.",
                    remedy="compute the difference anew",
                )


def _orientation(lines: tuple[ComparedLine, ...]) -> int:
    """1 if most differences are A minus B, -1 if B minus A, 0 if neither."""
    votes = [0, 0]
    for line in lines:
        if line.a and line.b and line.difference and line.a.number and line.b.number and line.difference.number:
            a, b, gap = line.a.number, line.b.number, line.difference.number
            votes[0] += a.low - b.high - 1e-9 <= gap.high and gap.low <= a.high - b.low + 1e-9
            votes[1] += b.low - a.high - 1e-9 <= gap.high and gap.low <= b.high - a.low + 1e-9
    if max(votes) * 2 <= len([line for line in lines if line.difference is not None]):
        return 0
    return 1 if votes[0] >= votes[1] else -1


RULE = Rule(
    code="RK104",
    name="gain-does-not-follow",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    contradiction=True,
    default=False,
    sources="ARR R1, R4",
)
