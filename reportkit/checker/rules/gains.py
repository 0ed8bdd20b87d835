"""Numbers of one sentence against one another: gains, shares of counts, impossible shares and means; and its table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import quantity_of
from reportkit.checker.paper.document import Line, Sentence, Table
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers, number_in
from reportkit.checker.paper.source import MappedText
from reportkit.checker.patterns import patterns
from reportkit.checker.rule import rule
from reportkit.checker.vocabulary import number_of

RE = patterns("gains")
YEARS = re.compile(r"(?:19|20)\d\d")


@rule("RK104", "gain-does-not-follow", "warning")
def gain_does_not_follow(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A gain is not the difference of the two numbers that the sentence names.

    Compares a gain or a loss with two numbers of the same sentence that grammar ties to it: "from 80.0 to 82.0, a gain
    of 2.0 points", "by 2.0 points, from 80.0 to 82.0", "84.2 and 81.1, an improvement of 3.1 points". Points are the
    difference, "relative" is in percent of the first number, and a bare percent sign may be either.

    Found::

        Accuracy rises from 80.0 to 88.0, a gain of 10 points.

    Not found::

        Accuracy rises from 80.0 to 88.0, a gain of 10\%.

    Source: ARR R1, R4.
    """
    for name, pattern in RE.items():
        for text, match in context.matches(pattern) if name.startswith(("gain", "two")) else ():
            if not RE["other_base"].search(match[0]):
                yield from _gain(context, text, match, either=name.startswith("two"))


def _gain(context: CheckContext, text: MappedText, match: re.Match[str], *, either: bool) -> Iterator[Diagnostic]:
    low, high, gain = (number_in(text, match, name) for name in ("low", "high", "gain"))
    if low is None or high is None or gain is None or YEARS.fullmatch(low.text) or YEARS.fullmatch(high.text):
        return
    relative = "relative" in (match["how"] or "").lower()
    points = match["unit"] not in (None, "%", "percent")
    finer = points and gain.decimals > max(low.decimals, high.decimals)  # a gain of another quantity
    if finer or (low.percent != high.percent and not (high.percent and "." in low.text)):
        return
    ways = {} if relative else {"difference": difference(low, high)}
    if relative or not points:
        ways["relative change"] = relative_change(low, high)
        if either:
            ways["relative change "] = relative_change(high, low)
    found = " or ".join(
        f"{(bounds[0] + bounds[1]) / 2:.{max(gain.decimals, 1)}f} ({name.strip()})" for name, bounds in ways.items()
    )
    agrees = any(gain_fits(gain, *bounds) for bounds in ways.values())
    if either and not agrees:  # the gain between two other numbers of the sentence
        others = [number for _, _, number in located_numbers(text) if number is not gain]
        agrees = any(gain_fits(gain, *difference(*pair)) for pair in combinations(others, 2))
    unit = "points" if points and not relative else "%"
    message = f"{gain.text} {unit} is printed, and from {low.text} to {high.text} it is {found}."
    remedy = "compute it again; say points for a difference, and percent for a share of the first number"
    yield from gain_does_not_follow.compare(context, "gain", gain.span, agrees, message, remedy)


def difference(low: PrintedNumber, high: PrintedNumber) -> tuple[float, float]:
    """Return the smallest and largest difference of numbers that round to the printed ones, in points."""
    scale = 100.0 if max(abs(low.value), abs(high.value)) <= 1 and low.decimals else 1.0
    ends = sorted(abs(one - other) for one in (high.low, high.high) for other in (low.low, low.high))
    return scale * ends[0], scale * ends[-1]


def relative_change(low: PrintedNumber, high: PrintedNumber) -> tuple[float, float]:
    """Return the smallest and largest difference as a share of the first number, in percent."""
    bases = [base for base in (low.low, low.high) if base]
    ends = sorted(100 * abs(one - base) / abs(base) for one in (high.low, high.high) for base in bases)
    return (ends[0], ends[-1]) if ends else (0.0, float("inf"))


def gain_fits(gain: PrintedNumber, low: float, high: float) -> bool:
    """Return whether a printed gain may come from differences between two bounds, which are rounded, too."""
    smallest = abs(gain.low if gain.value > 0 else gain.high)
    return smallest <= high + gain.unit / 2 and abs(gain.value) + gain.unit >= low - 1e-9


@rule("RK119", "share-does-not-follow", "warning")
def share_does_not_follow(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A percentage is not that of the counts next to it.

    Compares "k of n" or "k/n" with a percentage in parentheses after it, or before it. A last digit that was rounded
    the wrong way is left alone.

    Found::

        131 of 300 answers (54.6\%) are correct.

    Not found::

        131 of 300 answers (43.7\%) are correct.

    Source: ARR R1.
    """
    for text, match in context.matches(*(of for name, of in RE.items() if name.startswith("share"))):
        printed, k, n = number_in(text, match, "p"), int(match["k"]), int(match["n"])
        if printed is not None and 0 < k <= n:
            agrees = abs(printed.value - 100 * k / n) <= printed.unit + 1e-9
            share = f"{100 * k / n:.{max(printed.decimals, 1)}f}"
            message = f"{printed.text}% is printed, and {k} of {n} are {share}%."
            remedy = "find out which of the three numbers is out of date"
            yield from share_does_not_follow.compare(context, "share", printed.span, agrees, message, remedy)


@rule("RK106", "share-impossible", "warning")
def share_impossible(context: CheckContext) -> Iterator[Diagnostic]:
    r"""An accuracy is impossible for the number of instances, or a mean for the number of ratings.

    Of 40 questions, 33 right ones are 82.5% and 34 are 85.0%: no count is 83.3%. Looks where the number of instances
    is in the sentence, in the heading ("GPQA (n = 198)") or in the row, and allows for the mean of as many runs as
    the paper says. F1 and other means are left alone, and so is a table in which most numbers are impossible. The same
    holds for M on a Likert scale with n participants, and SD for the range of the scale.

    Found::

        Our model answers 83.3\% of the 40 questions correctly.

    Not found::

        Our model answers 82.5\% of the 40 questions correctly.

    Source: GRIM (Brown and Heathers 2017).
    """
    said = (match["m"] for item in context.prose.statements for match in RE["runs"].finditer(item.text))
    runs = {1, *map(number_of, said)}
    for sentence in context.paper.sentences:
        if sentence.numbers and sentence.place not in ("reference", "heading"):
            yield from _share_of_sentence(context, sentence, runs)
    for text, match in context.matches(RE["mean"]):
        yield from _mean_of_scale(context, text, match)
    for table in context.paper.tables:
        yield from _shares_of_table(context, table, runs)


def _possible(number: PrintedNumber, n: int, runs: set[int]) -> bool | None:
    """Return whether a share of n, or of n in several runs, may round to this; None if most numbers could."""
    for times in runs:
        whole = n * times
        if 2.5 * whole >= 10 ** (number.decimals + 2):
            return None
        near = round(number.value / 100 * whole)
        if abs(100 * near / whole - number.value) <= number.unit:
            return True
    return False


def _compare_share(context: CheckContext, number: PrintedNumber, n: int, possible: bool) -> Iterator[Diagnostic]:
    k = int(number.value / 100 * n)
    below, above = (f"{100 * count / n:.{number.decimals}f}" for count in (k, k + 1))
    message = f"{number.text}% cannot be a share of {n:,}: {k:,} are {below}%, and {k + 1:,} are {above}%."
    remedy = "find out which of the two numbers is wrong, or say what else the percentage is of"
    yield from share_impossible.compare(context, "share", number.span, possible, message, remedy)


def _share_of_sentence(context: CheckContext, sentence: Sentence, runs: set[int]) -> Iterator[Diagnostic]:
    text = sentence.text.text
    if not RE["correct"].search(text) or RE["not_a_share"].search(text) or "⟦cite⟧" in text:
        return
    sizes = {int(match["n"].replace(",", "")) for match in RE["of_n"].finditer(text)} - {0}
    shares = [number for number in sentence.numbers if number.percent and number.decimals and not number.sign]
    if len(sizes) == len(shares) == 1 and shares[0].role == "value" and shares[0].relation == "=":
        (n,) = sizes
        possible = _possible(shares[0], n, runs)
        if possible is not None:
            yield from _compare_share(context, shares[0], n, possible)


def _shares_of_table(context: CheckContext, table: Table, runs: set[int]) -> Iterator[Diagnostic]:
    words = context.prose.beside(table)
    headings = " ".join(cell.text.text for cell in table.cells() if cell.header)
    if not RE["correct"].search(f"{words} {headings}") or RE["not_a_share"].search(words) or RE["runs"].search(words):
        return
    found = [
        (cell.number, n, possible)
        for line in table.lines
        if (n := _size(context, table, line)) is not None
        for cell, across in zip(line.cells, line.across, strict=True)
        if cell.number is not None and cell.number.decimals and len(cell.numbers) == 1 and 1 < cell.number.value <= 100
        if RE["correct"].search(across[-1] if line.is_row and across else words or headings)
        and not RE["not_a_share"].search(" ".join([*across, *line.headings]))
        if (possible := _possible(cell.number, n, runs)) is not None
    ]
    right = sum(possible for _, _, possible in found)
    for number, n, possible in found if 2 * right >= len(found) else ():
        yield from _compare_share(context, number, n, possible)


def _size(context: CheckContext, table: Table, line: Line) -> int | None:
    """Return the instances of a line, if its heading says "n = 198" or one of its cells is below "n"."""
    if re.search(r"\b[nN]\s*=\s*\d", line.name):
        return context.sizes.of(line.name)
    counted = [
        int(number.value)
        for number, across in line.numbers()
        if not number.decimals and across and quantity_of(table, across[-1]) == "n"
    ]
    return counted[0] if len(counted) == 1 and line.is_row and counted[0] > 1 else None


def _mean_of_scale(context: CheckContext, text: MappedText, match: re.Match[str]) -> Iterator[Diagnostic]:
    scale, people = RE["likert"].search(text.text), {int(found["n"]) for found in RE["scale"].finditer(text.text)} - {0}
    mean = number_in(text, match, "mean")
    if mean is None or scale is None or len(people) != 1 or RE["items"].search(text.text):
        return
    (n,) = people
    if 2.5 * n >= 10**mean.decimals:
        return
    sums = (f"{count / n:.{mean.decimals}f}" for count in (int(mean.value * n), int(mean.value * n) + 1))
    agrees = abs(round(mean.value * n) / n - mean.value) <= mean.unit
    message = f"{mean.text} cannot be the mean of {n} whole ratings: the nearest are {' and '.join(sums)}."
    remedy = "find out which of the two numbers is wrong, or say how many ratings each person gave"
    yield from share_impossible.compare(context, "mean", mean.span, agrees, message, remedy)
    if agrees and scale["top"] and match["sd"]:
        top = float(scale["top"])
        largest = (max(0.0, (top - mean.value) * (mean.value - 1)) * n / max(1, n - 1)) ** 0.5
        message = f"SD = {match['sd']} is impossible for M = {mean.text} of {n} ratings from 1 to {top:g}: the "
        message += f"largest is {largest:.2f}."
        possible = not largest or float(match["sd"]) <= largest * 1.01 + 0.01
        remedy = "find out which of the numbers is wrong"
        yield from share_impossible.compare(context, "standard deviation", mean.span, possible, message, remedy)
