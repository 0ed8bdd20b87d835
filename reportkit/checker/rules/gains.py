"""Numbers of one sentence against one another: gains, shares of counts, impossible shares and means; and its table."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import quantity_of
from reportkit.checker.paper.document import Line, Sentence, Table
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.patterns import patterns
from reportkit.checker.printed_test import number_at
from reportkit.checker.rule import rule
from reportkit.checker.sizes import NOUN
from reportkit.checker.vocabulary import number_of

TWO_SCORES, OTHER_BASE, CORRECT, NOT_A_SHARE, RUNS, SCALE = patterns(
    "gains", "two_scores other_base correct not_a_share runs scale"
)
GAINS = patterns("gains", "gain_behind gain_enclosed gain_before")
SHARES = patterns("gains", "share_behind share_before")
YEARS = re.compile(r"(?:19|20)\d\d")


@rule("RK104", "gain-does-not-follow", "warning")
def gain_does_not_follow(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A gain is not the difference of the two numbers that it is said to be of.

    Compares a gain or a loss with two numbers of the same sentence that grammar ties to it: "from 80.0 to 82.0, a gain
    of 2.0 points", "by 2.0 points, from 80.0 to 82.0", "84.2 and 81.1, an improvement of 3.1 points". Points are the
    difference, "relative" is in percent of the first number, and a bare percent sign may be either.

    Found::

        Accuracy rises from 80.0 to 88.0, a gain of 10 points.

    Not found::

        Accuracy rises from 80.0 to 88.0, a gain of 10\%.

    Source: ARR R1, R4.
    """
    for sentence in context.paper.sentences:
        if len(sentence.numbers) < 3 or sentence.place == "reference":
            continue
        text = sentence.text.text
        for pattern in (*GAINS, TWO_SCORES):
            for match in pattern.finditer(text):
                if not OTHER_BASE.search(match[0]):
                    yield from _gain(context, sentence, match, either=pattern is TWO_SCORES)


def _gain(context: CheckContext, sentence: Sentence, match: re.Match[str], *, either: bool) -> Iterator[Diagnostic]:
    numbers = located_numbers(sentence.text)
    low, high, gain = (number_at(numbers, match.end(name)) for name in ("low", "high", "gain"))
    if low is None or high is None or gain is None or YEARS.fullmatch(low.text) or YEARS.fullmatch(high.text):
        return
    if low.percent != high.percent and not (high.percent and "." in low.text):
        return
    relative = "relative" in (match["how"] or "").lower()
    points = match["unit"] not in ("%", "percent")
    ways = {} if relative else {"difference": _difference(low, high)}
    if relative or not points:
        ways["relative change"] = _relative(low, high)
        if either:
            ways["relative change "] = _relative(high, low)
    agrees = any(gain_fits(gain, *bounds) for bounds in ways.values())
    context.compared("gain", gain.span, agrees)
    if not agrees:
        unit = "points" if not relative and points else "%"
        found = " or ".join(
            f"{(bounds[0] + bounds[1]) / 2:.{max(gain.decimals, 1)}f} ({name.strip()})" for name, bounds in ways.items()
        )
        yield gain_does_not_follow.at(
            context.paper,
            gain.span,
            f"{gain.text} {unit} is printed, and from {low.text} to {high.text} it is {found}.",
            remedy="compute it anew; say points for a difference, and percent for a share of the first number",
        )


def _difference(low: PrintedNumber, high: PrintedNumber) -> tuple[float, float]:
    scale = 100.0 if max(abs(low.value), abs(high.value)) <= 1 and low.decimals else 1.0
    ends = sorted(abs(one - other) for one in (high.low, high.high) for other in (low.low, low.high))
    return scale * ends[0], scale * ends[-1]


def _relative(low: PrintedNumber, high: PrintedNumber) -> tuple[float, float]:
    bases = [base for base in (low.low, low.high) if base]
    ends = sorted(100 * abs(one - base) / abs(base) for one in (high.low, high.high) for base in bases)
    return (ends[0], ends[-1]) if ends else (0.0, float("inf"))


def gain_fits(gain: PrintedNumber, low: float, high: float) -> bool:
    """Whether a gain may be printed so of differences between two bounds, which were rounded, too."""
    return abs(gain.low if gain.value > 0 else gain.high) <= high + gain.unit / 2 and (
        abs(gain.value) + gain.unit >= low - 1e-9
    )


@rule("RK119", "share-does-not-follow", "warning")
def share_does_not_follow(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A percentage is not that of the counts beside it.

    Compares "k of n" or "k/n" with a percentage in parentheses behind it, or before it. A last digit that was rounded
    the wrong way is left alone.

    Found::

        131 of 300 answers (54.6\%) are correct.

    Not found::

        131 of 300 answers (43.7\%) are correct.

    Source: ARR R1.
    """
    for sentence in context.paper.sentences:
        text = sentence.text.text
        for pattern in SHARES if "%" in text and sentence.place != "reference" else ():
            for match in pattern.finditer(text):
                printed = number_at(located_numbers(sentence.text), match.end("p"))
                k, n = int(match["k"]), int(match["n"])
                if printed is None or not 0 < k <= n:
                    continue
                agrees = abs(printed.value - 100 * k / n) <= printed.unit + 1e-9
                context.compared("share", printed.span, agrees)
                if not agrees:
                    yield share_does_not_follow.at(
                        context.paper,
                        printed.span,
                        f"{printed.text}% is printed, and {k} of {n} are {100 * k / n:.{max(printed.decimals, 1)}f}%.",
                        remedy="find out which of the three numbers is out of date",
                    )


OF_N = re.compile(rf"(?<![\d.,])(?:[nN]\s*=\s*)?(?P<n>\d{{1,3}}(?:,\d{{3}})+|\d+) (?:\w+ )?{NOUN}\b")
LIKERT = re.compile(r"\b(?:Likert|(?P<top>[3-9]|10|11)[- ]point)\b", re.IGNORECASE)
MEAN = re.compile(r"\bM\s*=\s*(?P<mean>\d+\.\d+)(?:[,;]\s*SD\s*=\s*(?P<sd>\d*\.\d+))?")
ITEMS = re.compile(r"\b(?:items|questions|subscales?|averag\w*|composite|scores? of)\b", re.IGNORECASE)


@rule("RK106", "share-impossible", "warning")
def share_impossible(context: CheckContext) -> Iterator[Diagnostic]:
    r"""An accuracy cannot come of the number of instances, or a mean of so many ratings.

    Of 40 questions, 33 right ones are 82.5% and 34 are 85.0%: no count is 83.3%. Looks where the number of instances
    stands in the sentence, in the heading ("GPQA (n = 198)") or in the row, and allows for the mean of as many runs as
    the paper says. F1 and other means are left alone, and so is a table in which most numbers are impossible. The same
    holds for M on a Likert scale with so many participants, and SD for the range of the scale.

    Found::

        Our model answers 83.3\% of the 40 questions correctly.

    Not found::

        Our model answers 82.5\% of the 40 questions correctly.

    Source: GRIM (Brown and Heathers 2017).
    """
    runs = {1, *(number_of(match["m"]) for item in context.prose.statements for match in RUNS.finditer(item.text))}
    for sentence in context.paper.sentences:
        if sentence.numbers and sentence.place not in ("reference", "heading"):
            yield from _share_of_sentence(context, sentence, runs)
            yield from _mean_of_scale(context, sentence)
    for table in context.paper.tables:
        yield from _shares_of_table(context, table, runs)


def _possible(number: PrintedNumber, n: int, runs: set[int]) -> bool | None:
    """Whether a share of n, or of n in several runs, may be printed so; None if most numbers may."""
    for times in runs:
        whole = n * times
        if 2.5 * whole >= 10 ** (number.decimals + 2):
            return None
        near = round(number.value / 100 * whole)
        if abs(100 * near / whole - number.value) <= number.unit:
            return True
    return False


def _share_of_sentence(context: CheckContext, sentence: Sentence, runs: set[int]) -> Iterator[Diagnostic]:
    text = sentence.text.text
    if not CORRECT.search(text) or NOT_A_SHARE.search(text) or "⟦cite⟧" in text:
        return
    sizes = {int(match["n"].replace(",", "")) for match in OF_N.finditer(text)}
    shares = [number for number in sentence.numbers if number.percent and number.decimals and not number.sign]
    if len(sizes) != 1 or len(shares) != 1 or shares[0].role != "value" or shares[0].relation != "=":
        return
    (n,) = sizes
    possible = _possible(shares[0], n, runs) if n else None
    if possible is not None:
        context.compared("share", shares[0].span, possible)
    if possible is False:
        yield _impossible(context, shares[0], n)


def _impossible(context: CheckContext, number: PrintedNumber, n: int) -> Diagnostic:
    k = int(number.value / 100 * n)
    return share_impossible.at(
        context.paper,
        number.span,
        f"{number.text}% cannot be a share of {n:,}: {k:,} are {100 * k / n:.{number.decimals}f}%, and {k + 1:,} are "
        f"{100 * (k + 1) / n:.{number.decimals}f}%.",
        remedy="find out which of the two numbers is wrong, or say what else the percentage is of",
    )


def _shares_of_table(context: CheckContext, table: Table, runs: set[int]) -> Iterator[Diagnostic]:
    words = context.prose.beside(table)
    headings = " ".join(cell.text.text for cell in table.cells() if cell.header)
    if not CORRECT.search(f"{words} {headings}") or NOT_A_SHARE.search(words) or RUNS.search(words):
        return
    found = [
        (cell.number, n, _possible(cell.number, n, runs))
        for line in table.lines()
        if (n := _size(context, table, line)) is not None
        for cell, across in zip(line.cells, line.across, strict=True)
        if cell.number is not None and cell.number.decimals and len(cell.numbers) == 1 and 1 < cell.number.value <= 100
        if CORRECT.search(across[-1] if line.is_row and across else words or headings)
        and not NOT_A_SHARE.search(" ".join([*across, *line.headings]))
    ]
    wrong = [(number, n) for number, n, possible in found if possible is False]
    right = sum(possible is True for _, _, possible in found)
    for number, _, possible in found:
        if possible is not None and right >= len(wrong):
            context.compared("share", number.span, possible)
    yield from (_impossible(context, *item) for item in wrong if right >= len(wrong))


def _size(context: CheckContext, table: Table, line: Line) -> int | None:
    """Return the instances of a line, if its heading says "n = 198" or one of its cells stands below "n"."""
    if re.search(r"\b[nN]\s*=\s*\d", line.name):
        return context.sizes.of(line.name)
    counted = [
        int(cell.number.value)
        for cell, across in zip(line.cells, line.across, strict=True)
        if cell.number is not None
        and not cell.number.decimals
        and any(quantity_of(table, text) == "n" for text in across[-1:])
    ]
    return counted[0] if len(counted) == 1 and line.is_row and counted[0] > 1 else None


def _mean_of_scale(context: CheckContext, sentence: Sentence) -> Iterator[Diagnostic]:
    text = sentence.text.text
    scale, people = LIKERT.search(text), {int(match["n"]) for match in SCALE.finditer(text)}
    if scale is None or len(people) != 1 or ITEMS.search(text):
        return
    (n,) = people
    for match in MEAN.finditer(text) if n else ():
        mean = number_at(located_numbers(sentence.text), match.end("mean"))
        if mean is None or 2.5 * n >= 10**mean.decimals:
            continue
        agrees = abs(round(mean.value * n) / n - mean.value) <= mean.unit
        top = float(scale["top"]) if scale["top"] else 0.0
        widest = max(0.0, (top - mean.value) * (mean.value - 1)) * n / max(1, n - 1)
        below, spread = int(mean.value * n), widest**0.5 if top else 0.0
        context.compared("mean", mean.span, agrees)
        if not agrees:
            yield share_impossible.at(
                context.paper,
                mean.span,
                f"{mean.text} cannot be the mean of {n} whole ratings: {below} points give "
                f"{below / n:.{mean.decimals}f}, and one more {(below + 1) / n:.{mean.decimals}f}.",
                remedy="find out which of the two numbers is wrong, or say how many ratings each person gave",
            )
        elif spread and match["sd"] and float(match["sd"]) > spread * 1.01 + 0.01:
            yield share_impossible.at(
                context.paper,
                mean.span,
                f"SD = {match['sd']} is impossible for M = {mean.text} of {n} ratings from 1 to {top:g}: the "
                f"largest is {spread:.2f}.",
                remedy="find out which of the numbers is wrong",
            )
