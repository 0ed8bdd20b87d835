"""Numbers of sentences about systems of the data, against the data or a report.

Of two systems on one dataset: gains, p-values and intervals; of one or two systems and no dataset: averages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from reportkit.checker.labels import Labels
from reportkit.checker.linked_averages import over_datasets
from reportkit.checker.paper.document import Sentence
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.user_data import Evidence, Tested
from reportkit.checker.vocabulary import NUMERAL, number_of

MOST_FACTOR, MOST_SHARE = 2.0, 0.2
"""By how much p-values, and bounds (in widths of the interval), of other valid methods may differ."""
MEANT = 0.5
"""How far from a mean a number may be that is meant for it, as a share of the mean."""
_P_VALUES: tuple[Tested, ...] = ("p-value", "adjusted-p-value")
_P = re.compile(r"(?<![\w-])p\s*[=≈]\s*$", re.IGNORECASE)
_GAIN = re.compile(r"\b(?:by|of|gains?|gained|adds)\s+(?:an?\s+|about\s+)?\+?$", re.IGNORECASE)
_POINTS = re.compile(r"\s*(?:percentage |accuracy |F1 |BLEU )?(?:points?|pp)\b", re.IGNORECASE)


AVERAGED = re.compile(r"\baverag\w*|\bmean (?:accuracy|F1|BLEU|score)\b", re.IGNORECASE)
_MEAN_SCORE = re.compile(
    r"\b(?:averag\w*|mean|reach\w*|achiev\w*|scor(?:es?|ed)|obtain\w*|attain\w*|gets?|yields?|(?:is|was)(?= ))"
    r"(?:\s+(?:an?|the|overall|macro|accuracy|F1|BLEU|scores?|exact match|EM|of|is|was|at|mean|average|performance))*"
    r"\s*$",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(
    rf"\b({NUMERAL}) (?:[\w-]+ )?(?:data ?sets?|tasks?|benchmarks?|corpora|domains?|languages?|test sets?)\b",
    re.IGNORECASE,
)
_SOME = re.compile(
    r"\b(?:in-domain|out-of-domain|other|remaining|rest|some|except|besides|apart from)\b", re.IGNORECASE
)


class Differing(NamedTuple):
    """A number that is not what follows, what does, and what to look at."""

    number: PrintedNumber
    noun: str
    computed: str
    where: str
    remedy: str = (
        "find out which data and which test it comes from; the settings of reportkit.toml decide what is computed"
    )


def differing(sentence: Sentence, scored: Evidence, labels: Labels) -> Iterator[Differing | PrintedNumber]:
    """Numbers of a sentence that can be recomputed: as they are where they agree, else with what follows."""
    text = sentence.text.text
    systems, datasets = labels.mentioned(text, "system"), labels.mentioned(text, "dataset")
    if AVERAGED.search(text):
        if not datasets:
            yield from _averages(sentence, scored, systems)
        return
    systems = _with_baseline(systems, scored)
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
                gap = _gap(pair[0][0], pair[1][0])
                yield number if _is_gap(number, gap) else Differing(number, "difference", f"{gap:.2f}", where)
    yield from _bounds([number for _, _, number in located], scored, metric, (a, b), dataset, where)


def _with_baseline(systems: tuple[str, ...], scored: Evidence) -> tuple[str, ...]:
    """A single system with the one baseline, if there is one."""
    alone = len(systems) == 1 and len(scored.baselines) == 1 and scored.baselines != systems
    return (*systems, *scored.baselines) if alone else systems


def _averages(sentence: Sentence, scored: Evidence, systems: tuple[str, ...]) -> Iterator[Differing | PrintedNumber]:
    """The one mean score of a system over all datasets, or the mean gain of one over another.

    Those over datasets and over all instances are both right, as sentences seldom say which they mean.
    """
    text = sentence.text.text
    told = _HOW_MANY.search(text)
    located = [item for item in located_numbers(sentence.text) if item[2].decimals and item[2].role == "value"]
    if len(located) != 1 or _SOME.search(text) or (told and number_of(told[1]) != len(scored.dataset_names)):
        return
    start, end, number = located[0]
    gain = _GAIN.search(text[:start]) is not None and _POINTS.match(text, end) is not None
    systems = _with_baseline(systems, scored) if gain else systems
    if len(systems) != 1 + gain or not (gain or _MEAN_SCORE.search(text[:start])):
        return
    values = []
    for pooled in (False, True):
        means = [over_datasets(scored, scored.metrics[0], name, pooled=pooled) for name in systems]
        known = [mean for mean in means if mean is not None]
        if len(known) == len(means):
            values.append(_gap(*known) if gain else known[0])
    if not gain:
        scale = min(
            (1.0, 100.0), key=lambda factor: min((abs(number.value - factor * mean) for mean in values), default=0)
        )
        values = [scale * mean for mean in values]
        values = values if any(abs(number.value - mean) <= MEANT * abs(mean) for mean in values) else []
    if not values:
        return
    agrees = any(_is_gap(number, mean) if gain else number.stands_for(mean) for mean in values)
    over = (f"over the {len(scored.dataset_names)} datasets", "over all instances")
    said = " and ".join(f"{mean:.{number.decimals + 1}f} {words}" for mean, words in zip(values, over, strict=False))
    noun, remedy = (
        "mean difference" if gain else "mean score",
        "find out which data it comes from, and say what it averages",
    )
    yield number if agrees else Differing(number, noun, said, " and ".join(map(repr, systems)), remedy)


def _gap(one: float, other: float) -> float:
    """Difference of two scores in points."""
    return abs(one - other) * (1.0 if max(one, other) > 1 else 100.0)


def _is_gap(number: PrintedNumber, gap: float) -> bool:
    """Whether a number is the difference of two scores, which may have been rounded first."""
    return abs(abs(number.value) - gap) <= 1.5 * number.unit


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
