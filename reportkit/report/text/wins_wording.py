"""The effect of tests that count who scores better: a share of wins, not a difference of scores."""

from __future__ import annotations

import math
from collections.abc import Sequence

from reportkit.language.counts_and_lists import listed
from reportkit.language.numerals import interval_text, percent_text, signed
from reportkit.replicability.comparison import Comparison
from reportkit.report.prose import Prose, prose
from reportkit.significance.catalogue import effect_words
from reportkit.significance.outcome import Assessment

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
    items = [item for item in comparison.assessments if item.outcome.tested]
    if not items or any(effect_words(item.outcome) != "wins" for item in items):
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


def each_value(items: Sequence[Assessment]) -> str:
    """Each value with its interval and dataset, the kind of interval said once: "+0.45 [+0.22, +0.63] on tweets"."""
    known = {(item.interval.level, item.interval.title) for item in items if item.interval is not None}
    if len(known) != 1 or not all(map(_ends, items)):
        return listed(f"{value_with_interval(item)} on {item.dataset}" for item in items)
    level, title = known.pop()
    each = listed(f"{signed(item.difference, 2)} {_ends(item)} on {item.dataset}" for item in items)
    return f"{each} ({percent_text(level)} {title.replace('interval', 'intervals', 1)})"


def value_with_interval(item: Assessment) -> str:
    """One value with its interval: "+0.45 (95% Tango score interval [+0.22, +0.63])"."""
    value = signed(item.difference, 2)
    if item.interval is None or not _ends(item):
        return value
    return f"{value} ({percent_text(item.interval.level)} {item.interval.title} {_ends(item)})"


def _ends(item: Assessment) -> str:
    """Ends of the interval; nothing if they are not known."""
    if item.interval is None or not (math.isfinite(item.interval.low) and math.isfinite(item.interval.high)):
        return ""
    return interval_text(item.interval.low, item.interval.high, 2)
