"""Gains, p-values and intervals of sentences about two systems on one dataset, against the data or a report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from reportkit.checker.labels import Labels
from reportkit.checker.paper.document import Sentence
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.user_data import Evidence, Tested

MOST_FACTOR, MOST_SHARE = 2.0, 0.2
"""By how much p-values, and bounds (in widths of the interval), of other valid methods may differ."""
_P_VALUES: tuple[Tested, ...] = ("p-value", "adjusted-p-value")
_P = re.compile(r"(?<![\w-])p\s*[=≈]\s*$", re.IGNORECASE)
_GAIN = re.compile(r"\b(?:by|of|gains?|gained|adds)\s+(?:an?\s+|about\s+)?\+?$", re.IGNORECASE)
_POINTS = re.compile(r"\s*(?:percentage |accuracy |F1 |BLEU )?(?:points?|pp)\b", re.IGNORECASE)


class Differing(NamedTuple):
    """A number that is not what follows, and what does."""

    number: PrintedNumber
    noun: str
    computed: str
    where: str


def differing(sentence: Sentence, scored: Evidence, labels: Labels) -> Iterator[Differing | PrintedNumber]:
    """Numbers of a sentence that can be recomputed: as they are where they agree, else with what follows."""
    text = sentence.text.text
    systems, datasets = labels.mentioned(text, "system"), labels.mentioned(text, "dataset")
    if len(systems) == 1 and len(scored.baselines) == 1 and scored.baselines != systems:
        systems = (*systems, *scored.baselines)
    if len(systems) != 2 or len(datasets) != 1:
        return
    metric, (a, b), dataset = scored.metrics[0], systems, datasets[0]
    where = f"{a!r} and {b!r} on {dataset!r}"
    located = located_numbers(sentence.text)
    for start, end, number in located:
        if number.role == "value" and _P.search(text[:start]):
            found = [
                way
                for kind in _P_VALUES
                if (value := _tested(scored, kind, metric, (a, b), dataset)) is not None
                for way in (value, min(1.0, 2 * min(value, 1 - value)), 1 - value)
            ]
            if found:
                agrees = any(_near(number, value) for value in found)
                yield number if agrees else Differing(number, "p-value", f"{found[0]:.3g}", where)
        elif number.decimals and _GAIN.search(text[:start]) and _POINTS.match(text, end):
            pair = [scored.scores.get((metric, name, dataset)) for name in (a, b)]
            if pair[0] is not None and pair[1] is not None:
                gap = abs(pair[0][0] - pair[1][0])
                scale = 1.0 if max(pair[0][0], pair[1][0]) > 1 else 100.0
                rounded = abs(abs(number.value) - scale * gap) <= 1.5 * number.unit  # of scores that are rounded first
                yield number if rounded else Differing(number, "difference", f"{scale * gap:.2f}", where)
    yield from _bounds([number for _, _, number in located], scored, metric, (a, b), dataset, where)


def _tested(scored: Evidence, kind: Tested, metric: str, pair: tuple[str, str], dataset: str) -> float | None:
    value = scored.tested(kind, metric, pair, dataset)
    return scored.tested(kind, metric, pair[::-1], dataset) if value is None else value


def _near(number: PrintedNumber, value: float) -> bool:
    return number.low <= MOST_FACTOR * value and value <= MOST_FACTOR * number.high


def _bounds(
    numbers: list[PrintedNumber], scored: Evidence, metric: str, pair: tuple[str, str], dataset: str, where: str
) -> Iterator[Differing | PrintedNumber]:
    """The one interval of a sentence: of the difference in either direction, as proportion or in points."""
    low, high = ([number for number in numbers if number.role == role] for role in ("low", "high"))
    low_value = _tested(scored, "interval-low", metric, pair, dataset)
    high_value = _tested(scored, "interval-high", metric, pair, dataset)
    if len(low) != 1 or len(high) != 1 or low_value is None or high_value is None:
        return
    ends = (low_value, high_value)
    printed = (low[0].value, high[0].value)
    fits = any(
        max(abs(printed[side] - scale * way[side]) for side in (0, 1)) <= MOST_SHARE * scale * (ends[1] - ends[0])
        for scale in (1.0, 100.0)
        for way in (ends, (-ends[1], -ends[0]))
    )
    scale = 100.0 if max(map(abs, printed)) > 1 else 1.0
    computed = f"{scale * ends[0]:.3g} to {scale * ends[1]:.3g}"
    yield low[0] if fits else Differing(low[0], "interval", computed, where)
