"""How large differences are: of scores, shares of wins, probabilities of superiority; and what the intervals are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from reportkit.intervals.interval import TEST_BASED
from reportkit.language.counts_and_lists import listed, some
from reportkit.language.numerals import interval_text, level_text, percent_text, signed
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.replicability_analysis import IntervalKind, ReplicabilityAnalysis
from reportkit.report.prose import Cite, Inline, Prose, prose, sentences
from reportkit.report.score_format import ScoreScale, difference_interval
from reportkit.report.text.hypotheses import by_metric
from reportkit.significance.catalogue import effect_words
from reportkit.significance.outcome import Outcome

MOST_EFFECTS_IN_WORDS = 8


def range_sentence(family: ReplicabilityAnalysis, scale: ScoreScale) -> Prose:
    """Of one claim, the smallest and the largest difference; with its interval where there is one dataset.

    Nothing where several systems or metrics are compared: the tables have their differences.
    """
    if not family.one_claim or family.several_metrics or family.printed:
        return ()
    comparison = family.comparisons[0]
    items = comparison.assessments
    if shares := superiority_sentence(comparison) or wins_sentence(comparison):
        return shares
    if len(items) == 1:
        (item,) = items
        if item.interval is None or not _known_interval(item):
            return ()
        return prose(
            "The {sides}{level} confidence interval of the difference is {ends}.",
            level=percent_text(item.interval.level),
            ends=difference_interval(item, scale),
            sides="two-sided " if family.sides == 1 else "",
        )
    if _mixed_units(items):
        return ()
    low, high = min(items, key=lambda item: item.difference), max(items, key=lambda item: item.difference)
    smallest, largest = scale.difference(low.difference), scale.difference(high.difference)
    if smallest == largest:
        return ()
    return prose(
        "The differences{sign} range from {low} ({where_low}) to {high} ({where_high}).",
        sign="" if items[0].higher_is_better else f" (positive where {comparison.system_a} is better)",
        low=smallest,
        where_low=low.dataset,
        high=largest,
        where_high=high.dataset,
    )


def _mixed_units(items: Sequence[Outcome]) -> bool:
    """Whether some differences are in percentage points and some are not."""
    return len({item.kind == "binary" or item.in_percent for item in items}) > 1


def effect_sentence(comparison: Comparison, scale: ScoreScale, family: ReplicabilityAnalysis) -> Prose:
    """Smallest and largest observed difference; with its interval where there is one dataset."""
    if shares := superiority_sentence(comparison) or wins_sentence(comparison):
        return shares
    items = comparison.assessments
    of = _minus(comparison, family)
    if len(items) == 1:
        (item,) = items
        known = _known_interval(item)
        return prose(
            "The difference{of} is {d}{points}{interval}.",
            of=of,
            d=scale.on(item.dataset).difference(item.difference),
            points=scale.points_after,
            interval=f" ({percent_text(item.interval.level)} {item.interval.title} {difference_interval(item, scale)})"
            if known and item.interval is not None
            else "",
        )
    low, high = min(items, key=lambda item: item.difference), max(items, key=lambda item: item.difference)
    smallest, largest = (scale.on(end.dataset).difference(end.difference) for end in (low, high))
    if smallest == largest:
        return prose(
            "The difference{of} is {d}{points} on {every} dataset.",
            of=of,
            d=largest,
            points=scale.points_after,
            every="either" if len(items) == 2 else "every",
        )
    return prose(
        "The differences{of} range from {low} ({where_low}) to {high}{points} ({where_high}).",
        of=of,
        low=smallest,
        where_low=low.dataset,
        high=largest,
        points=scale.points_after,
        where_high=high.dataset,
    )


def effects_in_full(comparison: Comparison, scale: ScoreScale, family: ReplicabilityAnalysis) -> Prose:
    """The difference on each dataset with its interval, if there are not too many of them."""
    items = comparison.assessments
    if shares := superiority_sentence(comparison, full=True) or wins_sentence(comparison, full=True):
        return shares
    if not 1 < len(items) <= MOST_EFFECTS_IN_WORDS or not all(map(_known_interval, items)):
        return effect_sentence(comparison, scale, family)
    titles = {item.interval.title for item in items if item.interval is not None}
    each = listed(
        f"{scale.on(item.dataset).difference(item.difference)} {difference_interval(item, scale)} on {item.dataset}"
        for item in items
    )
    intervals = _plural(titles.pop()) if len(titles) == 1 else "intervals"
    level = percent_text(items[0].interval.level if items[0].interval else 0.95)
    what = [_minuend(comparison), _in(scale), f"with {level} {intervals}"]
    return prose(
        "The differences{by} ({what}) are {each}.",
        by=by_metric(comparison, family),
        what=", ".join(filter(None, what)),
        each=each,
    )


def what_intervals_are(family: ReplicabilityAnalysis, *, single: bool) -> Prose:
    """Method of the intervals, or of a `single` one, and that they are not adjusted; nothing if there are none."""
    methods: dict[tuple[str, str], list[IntervalKind]] = {}
    for interval in family.kinds_of_intervals:
        if interval.known:
            methods.setdefault((interval.title, interval.citation), []).append(interval)
    if not methods:
        return ()
    half = level_text((1 - family.kinds_of_intervals[0].level) / 2)
    sides = prose(_SIDES, half=half) if family.sides == 1 else ()
    changed = prose(" ".join(words for part, words in _CHANGED.items() if any(part in title for title, _ in methods)))
    if len(methods) > 1:
        return sentences(_several_methods(methods, sides, by_metric=family.several_metrics), changed)
    ((title, key),) = methods
    cite = prose(" {cite}", cite=Cite((key,))) if key else ()
    named = prose("{title}{cite}", title=title, cite=cite)
    if single:
        kind = prose(
            "The {named} is two-sided: it excludes 0 where {p} in either direction is at most {half}."
            if sides
            else "The interval is the {named}.",
            named=named,
            half=half,
        )
    else:
        kind = prose(
            "The {named} are not adjusted for the number of comparisons{sides}.",
            named=prose("{title}{cite}", title=_plural(title), cite=cite),
            sides=sides,
        )
    return sentences(kind, changed)


_CHANGED = {
    "Tango score interval matched to": "Tango's critical value is replaced by that of the test; both agree about 0.",
    TEST_BASED: "A test-based end stands where the published one would contradict the test.",
}
"""Part of the title of an interval that is not as published, and what was changed."""


def _several_methods(
    methods: Mapping[tuple[str, str], Sequence[IntervalKind]], sides: Prose, *, by_metric: bool
) -> Prose:
    """Which intervals where, and what holds of all of them."""
    parts: list[Inline] = []
    for number, ((title, key), items) in enumerate(methods.items()):
        where = some(dict.fromkeys(item.metric if by_metric else item.dataset for item in items))
        parts += prose(
            "{before}{title}{cite} {on} {where}",
            before="" if number == 0 else " and " if number == len(methods) - 1 else ", ",
            title=_plural(title),
            cite=prose(" {cite}", cite=Cite((key,))) if key else (),
            on="for" if by_metric else "on",
            where=where,
        )
    return prose(
        "The intervals are {parts}. They are not adjusted for the number of comparisons{sides}.",
        parts=tuple(parts),
        sides=sides,
    )


_SIDES = ". They are two-sided and exclude 0 where the unadjusted {p} in either direction is at most {half}"
"""What a two-sided interval says of one-sided tests: at half its error both agree about 0."""


def many_effects(family: ReplicabilityAnalysis, scale: ScoreScale) -> Prose:
    """The largest difference of many comparisons, and the smallest where there is a direction."""
    differences = np.concatenate([comparison.differences for comparison in family.comparisons])
    comparison, item = _place(family, int(differences.argmax()))
    largest = {
        "by": by_metric(comparison, family),
        "high": scale.on(item.dataset).difference(item.difference),
        "points": scale.points_after,
        "a": comparison.system_a,
        "b": comparison.system_b,
        "data": f" on {item.dataset}" if len(family.datasets) > 1 else "",
        "interval": f"; {percent_text(item.interval.level)} {item.interval.title} {difference_interval(item, scale)}"
        if item.interval is not None and _known_interval(item)
        else "",
    }
    if family.design == "all-pairs":
        return prose("The largest difference{by} is {high}{points} ({a} against {b}{data}{interval}).", **largest)
    other, least = _place(family, int(differences.argmin()))
    return prose(
        "The differences{by} range from {low} ({c} against {d}{where}) to {high}{points} ({a} against {b}"
        "{data}{interval}).",
        low=scale.on(least.dataset).difference(least.difference),
        c=other.system_a,
        d=other.system_b,
        where=f" on {least.dataset}" if len(family.datasets) > 1 else "",
        **largest,
    )


def _place(family: ReplicabilityAnalysis, number: int) -> tuple[Comparison, Outcome]:
    """The comparison and the outcome at a place among all outcomes."""
    ends = np.cumsum([comparison.n_datasets for comparison in family.comparisons])
    at = int(np.searchsorted(ends, number, side="right"))
    comparison = family.comparisons[at]
    return comparison, comparison.assessments[number - int(ends[at]) + comparison.n_datasets]


def _minus(comparison: Comparison, family: ReplicabilityAnalysis) -> str:
    """Which of the two is subtracted: " by chrF, new minus old,"."""
    by, of = by_metric(comparison, family), _minuend(comparison)
    return f"{by}, {of}," if comparison.assessments[0].higher_is_better else f"{by} ({of})"


def _minuend(comparison: Comparison) -> str:
    """What a difference is, for either direction of the metric."""
    if comparison.assessments[0].higher_is_better:
        return f"{comparison.system_a} minus {comparison.system_b}"
    return f"positive where {comparison.system_a} is better"


def _plural(title: str) -> str:
    """Several intervals of one kind: "Welch intervals over runs"."""
    return title.removesuffix(" of the mean").replace("interval", "intervals", 1)


def _in(scale: ScoreScale) -> str:
    """What differences are counted in: "in percentage points"."""
    return f"in {scale.points}" if scale.points else ""


def _known_interval(item: Outcome) -> bool:
    return item.interval is not None and math.isfinite(item.interval.low) and math.isfinite(item.interval.high)


MOST_IN_WORDS = 8


def wins_sentence(comparison: Comparison, *, full: bool = False) -> Prose:
    """Share of wins minus share of losses; empty where a difference of scores is tested.

    Parameters
    ----------
    comparison : Comparison
        Any.
    full : bool
        Each value with its interval, if there are not too many; otherwise the smallest and the largest.
    """
    items = [item for item in comparison.assessments if item.tested]
    if not items or any(effect_words(item) != "wins" for item in items):
        return ()
    what = "The share of {ratings} that favour {a}, minus the share that favour {b}, "
    fields = {
        "a": comparison.system_a,
        "b": comparison.system_b,
        "ratings": "ratings" if any(item.details.n_raters is not None for item in items) else "instances",
    }
    if len(comparison.assessments) == 1:
        return prose(what + "is {value}.", value=value_with_interval(items[0]), **fields)
    if len(items) == 1 or (full and len(items) <= MOST_IN_WORDS):
        return prose(what + "is {each}.", each=each_value(items), **fields)
    low, high = min(items, key=lambda item: item.difference), max(items, key=lambda item: item.difference)
    if signed(low.difference, 2) == signed(high.difference, 2):
        return prose(what + "is {value} on every dataset.", value=signed(low.difference, 2), **fields)
    return prose(
        what + "ranges from {low} ({where_low}) to {high} ({where_high}).",
        low=signed(low.difference, 2),
        where_low=low.dataset,
        high=signed(high.difference, 2),
        where_high=high.dataset,
        **fields,
    )


def each_value(items: Sequence[Outcome]) -> str:
    """Each value with its interval and dataset, the kind of interval said once: "+0.45 [+0.22, +0.63] on tweets"."""
    known = {(item.interval.level, item.interval.title) for item in items if item.interval is not None}
    if len(known) != 1 or not all(map(_ends, items)):
        return listed(f"{value_with_interval(item)} on {item.dataset}" for item in items)
    level, title = known.pop()
    each = listed(f"{signed(item.difference, 2)} {_ends(item)} on {item.dataset}" for item in items)
    return f"{each} ({percent_text(level)} {title.replace('interval', 'intervals', 1)})"


def value_with_interval(item: Outcome) -> str:
    """One value with its interval: "+0.45 (95% Tango score interval [+0.22, +0.63])"."""
    value = signed(item.difference, 2)
    if item.interval is None or not _ends(item):
        return value
    return f"{value} ({percent_text(item.interval.level)} {item.interval.title} {_ends(item)})"


def _ends(item: Outcome) -> str:
    """Ends of the interval; nothing if they are not known."""
    if item.interval is None or not (math.isfinite(item.interval.low) and math.isfinite(item.interval.high)):
        return ""
    return interval_text(item.interval.low, item.interval.high, 2)


def superiority_sentence(comparison: Comparison, *, full: bool = False) -> Prose:
    """The effect of a rank test of unpaired scores; empty where another effect is tested.

    Parameters
    ----------
    comparison : Comparison
        Any.
    full : bool
        Each value with its interval, if there are not too many; otherwise the smallest and the largest.
    """
    items = comparison.assessments
    if any(effect_words(item) != "superiority" for item in items):
        return ()
    what = "The probability that an instance of {a} scores better than one of {b}, minus the reverse, is "
    fields = {"a": comparison.system_a, "b": comparison.system_b}
    if len(items) == 1:
        return prose(what + "{value}.", value=value_with_interval(items[0]), **fields)
    if full and len(items) <= MOST_IN_WORDS:
        return prose(what + "{each}.", each=each_value(items), **fields)
    low, high = min(items, key=lambda item: item.difference), max(items, key=lambda item: item.difference)
    return prose(
        what + "{low} ({where_low}) to {high} ({where_high}).",
        low=signed(low.difference, 2),
        where_low=low.dataset,
        high=signed(high.difference, 2),
        where_high=high.dataset,
        **fields,
    )
