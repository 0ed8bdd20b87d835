"""The sentences on effect sizes: observed differences, with what their intervals are and what they do not cover."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from reportkit.language.counts_and_lists import listed, some
from reportkit.language.numerals import level_text, percent_text
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import Family
from reportkit.report.prose import Cite, Inline, Prose, prose
from reportkit.report.score_format import ScoreScale
from reportkit.report.text.unpaired_wording import superiority_sentence
from reportkit.report.text.wins_wording import wins_sentence
from reportkit.report.text.wording import by_metric, interval_text
from reportkit.significance.outcome import Assessment

MOST_EFFECTS_IN_WORDS = 8


def effect_sentence(comparison: Comparison, scale: ScoreScale, family: Family) -> Prose:
    """Smallest and largest observed difference; with its interval where there is one dataset."""
    if shares := superiority_sentence(comparison) or wins_sentence(comparison):
        return shares
    items = comparison.assessments
    of = _minus(comparison, family)
    if len(items) == 1:
        (item,) = items
        known = _known_interval(item)
        return prose(
            "The observed difference{of} is {d}{points}{interval}.",
            of=of,
            d=scale.difference(item.difference),
            points=scale.points_after,
            interval=f" ({percent_text(item.interval.level)} {item.interval.title} {interval_text(item, scale)})"
            if known and item.interval is not None
            else "",
        )
    low, high = min(items, key=lambda item: item.difference), max(items, key=lambda item: item.difference)
    smallest, largest = scale.difference(low.difference), scale.difference(high.difference)
    if smallest == largest:
        return prose(
            "The observed difference{of} is {d}{points} on {every} dataset.",
            of=of,
            d=largest,
            points=scale.points_after,
            every="either" if len(items) == 2 else "every",
        )
    return prose(
        "The observed differences{of} range from {low} ({where_low}) to {high}{points} ({where_high}).",
        of=of,
        low=smallest,
        where_low=low.dataset,
        high=largest,
        points=scale.points_after,
        where_high=high.dataset,
    )


def effects_in_full(comparison: Comparison, scale: ScoreScale, family: Family) -> Prose:
    """The difference on each dataset with its interval, if there are not too many of them."""
    items = comparison.assessments
    if shares := superiority_sentence(comparison, full=True) or wins_sentence(comparison, full=True):
        return shares
    if not 1 < len(items) <= MOST_EFFECTS_IN_WORDS or not all(map(_known_interval, items)):
        return effect_sentence(comparison, scale, family)
    titles = {item.interval.title for item in items if item.interval is not None}
    each = listed(
        f"{scale.difference(item.difference)} {interval_text(item, scale)} on {item.dataset}" for item in items
    )
    intervals = _plural(titles.pop()) if len(titles) == 1 else "intervals"
    level = percent_text(items[0].interval.level if items[0].interval else 0.95)
    what = [_minuend(comparison), _in(scale), f"with {level} {intervals}"]
    return prose(
        "The observed differences{by} ({what}) are {each}.",
        by=by_metric(comparison, family),
        what=", ".join(filter(None, what)),
        each=each,
    )


def what_intervals_are(items: Sequence[Assessment], family: Family) -> Prose:
    """Method of the intervals, and that they are not adjusted; nothing if there are none."""
    methods: dict[tuple[str, str], list[Assessment]] = {}
    for item in items:
        if item.interval is not None and _known_interval(item):
            methods.setdefault((item.interval.title, item.interval.citation), []).append(item)
    if not methods:
        return ()
    one_sided = family.sides == 1
    if len(methods) > 1:
        return _several_methods(methods, one_sided=one_sided, by_metric=family.several_metrics)
    ((title, key),) = methods
    named = prose("{title}{cite}", title=title, cite=prose(" {cite}", cite=Cite((key,))) if key else ())
    if len(items) == 1:
        return prose(
            "The {named} is two-sided: it excludes 0 where {p} is at most {half} in one of the two directions."
            if one_sided
            else "The interval is the {named}.",
            named=named,
            half=_half(items),
        )
    return prose(
        "Each {named} is for one comparison on one dataset and is not adjusted for the number of comparisons{sides}.",
        named=named,
        sides=_sides(items) if one_sided else (),
    )


def _several_methods(
    methods: Mapping[tuple[str, str], Sequence[Assessment]], *, one_sided: bool, by_metric: bool
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
            on="by" if by_metric else "on",
            where=where,
        )
    return prose(
        "The intervals are {parts}. Each is for one comparison on one dataset and is not adjusted for the number of "
        "comparisons{sides}.",
        parts=tuple(parts),
        sides=_sides([item for found in methods.values() for item in found]) if one_sided else (),
    )


def _sides(items: Sequence[Assessment]) -> Prose:
    """What a two-sided interval says of one-sided tests."""
    return prose(
        "; intervals are two-sided, and exclude 0 where the unadjusted {p} is at most {half} in one of the two "
        "directions",
        half=_half(items),
    )


def _half(items: Sequence[Assessment]) -> str:
    """One-sided level at which the tests agree with the intervals about 0."""
    level = next(item.interval.level for item in items if item.interval is not None)
    return level_text((1 - level) / 2)


def many_effects(family: Family, scale: ScoreScale) -> Prose:
    """The largest difference of many comparisons, and the smallest where there is a direction."""
    places = [(item, comparison) for comparison in family.comparisons for item in comparison.assessments]
    item, comparison = max(places, key=lambda place: place[0].difference)
    largest = {
        "by": by_metric(comparison, family),
        "high": scale.difference(item.difference),
        "points": scale.points_after,
        "a": comparison.system_a,
        "b": comparison.system_b,
        "data": f" on {item.dataset}" if len(family.datasets) > 1 else "",
        "interval": f"; {percent_text(item.interval.level)} {item.interval.title} {interval_text(item, scale)}"
        if item.interval is not None and _known_interval(item)
        else "",
    }
    if family.design == "all-pairs":
        return prose(
            "The largest observed difference{by} is {high}{points} ({a} against {b}{data}{interval}).", **largest
        )
    least, other = min(places, key=lambda place: place[0].difference)
    return prose(
        "The observed differences{by} range from {low} ({c} against {d}{where}) to {high}{points} ({a} against {b}"
        "{data}{interval}).",
        low=scale.difference(least.difference),
        c=other.system_a,
        d=other.system_b,
        where=f" on {least.dataset}" if len(family.datasets) > 1 else "",
        **largest,
    )


def _minus(comparison: Comparison, family: Family) -> str:
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


def _known_interval(item: Assessment) -> bool:
    return item.interval is not None and math.isfinite(item.interval.low) and math.isfinite(item.interval.high)
