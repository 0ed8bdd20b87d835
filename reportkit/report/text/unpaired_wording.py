"""Sentences on systems whose instances are not paired: sizes, and what holds whatever the pairing was."""

from __future__ import annotations

from collections.abc import Iterable

from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import p_value_range_text, signed
from reportkit.null_distributions.tail_probability import SMALLEST_P_VALUE
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import Family
from reportkit.report.prose import Prose, prose, sentences
from reportkit.report.text.wins_wording import MOST_IN_WORDS, each_value, value_with_interval
from reportkit.significance.catalogue import effect_words, entry_of
from reportkit.significance.outcome import Assessment

MOST_DATASETS_IN_WORDS = 4


def sizes_of(item: Assessment) -> tuple[int, ...]:
    """Instances (runs) of A and of B where nothing is paired, else of the pair; empty if unknown.

    Where a paper prints none, nothing is known.
    """
    sizes = (side.n_runs if item.unit == "run" else side.n_instances for side in item.details.sides)
    found = tuple(size for size in sizes if size is not None)
    return found or (() if item.n is None else (item.n,))


def size_text(item: Assessment) -> str:
    """Write the number of instances for a table: "120", or "120 / 80" for A and for B."""
    sizes = sizes_of(item)
    return " / ".join(f"{n:,}" for n in (sizes if len(set(sizes)) > 1 else sizes[:1]))


def sizes_explained(items: Iterable[Assessment]) -> Prose:
    """Say what two numbers of instances in one cell are; empty where there are none."""
    several = [item.unit for item in items if len(set(sizes_of(item))) > 1]
    if not several:
        return ()
    return prose("{n}: {unit}s of the first / of the second system.", unit=several[0])


def pairing_sentence(family: Family) -> Prose:
    """Say that the pairing is lost or not known, and what can be said all the same."""
    shapes = {item.shape for comparison in family.comparisons for item in comparison.assessments}
    parts: list[Prose] = []
    if "unpaired" in shapes:
        parts.append(
            prose(
                "The two systems of a pair are compared as independent samples{common}.",
                common=_common(family),
            )
        )
    entries = [entry_of(item.outcome) for comparison in family.comparisons for item in comparison.assessments]
    if "counts" in shapes and any(entry is not None and entry.any_pairing for entry in entries):
        parts.append(
            prose(
                "Only the numbers of right answers are known, not which answers they are; the {p}-value is the largest "
                "of all pairings that these numbers allow, and so valid whatever the pairing was."
            )
        )
    elif "counts" in shapes:
        parts.append(
            prose(
                "Only the numbers of right answers are known, not which answers they are, so the two systems of a pair "
                "are treated as independent samples; no total over the datasets is tested."
                if len(family.datasets) > 1
                else "Only the numbers of right answers are known, not which answers they are, so the two systems of a "
                "pair are treated as independent samples."
            )
        )
        if family.one_claim:
            parts.append(_margins(family.comparisons[0]))
    return sentences(*parts)


def _common(family: Family) -> str:
    """How much pairing is given up."""
    most = 0
    for comparison in family.comparisons:
        for item in comparison.assessments:
            most = max(most, item.details.n_common or 0)
    if most:
        return f", though they have up to {counted(most, 'instance')} in common on a dataset: the pairing is not used"
    return ", each scored on instances of its own"


def _margins(comparison: Comparison) -> Prose:
    """The feasible interval of McNemar's p-value, from the numbers of right answers."""
    bounds = {
        item.dataset: (low, high)
        for item in comparison.assessments
        if (low := item.details.a.mcnemar_p_value_low) is not None
        and (high := item.details.a.mcnemar_p_value_high) is not None
    }
    if not bounds:
        return ()
    fields = {"a": comparison.system_a, "b": comparison.system_b}
    if len(bounds) > MOST_DATASETS_IN_WORDS:
        name, (_, high) = max(bounds.items(), key=lambda item: item[1][1])
        return prose(
            "If both were scored on the same instances, the exact McNemar {p}-value for {a} better than {b} is, "
            "whatever the pairing was, {high} (the largest, on {name}).",
            high=p_value_range_text(SMALLEST_P_VALUE, high),
            name=name,
            **fields,
        )
    places: dict[str, list[str]] = {}
    for name, (low, high) in bounds.items():
        places.setdefault(p_value_range_text(low, high), []).append(name)
    each = listed(f"{ends} on {listed(names)}" if len(bounds) > 1 else ends for ends, names in places.items())
    return prose(
        "If both were scored on the same instances, the exact McNemar {p}-value for {a} better than {b} is, whatever "
        "the pairing was, {each}; the upper end is itself a valid {p}-value.",
        each=each,
        **fields,
    )


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
    if any(effect_words(item.outcome) != "superiority" for item in items):
        return ()
    what = (
        "The probability that an instance of {a} scores better than one of {b}, minus the probability that it scores "
        "worse, is estimated "
    )
    fields = {"a": comparison.system_a, "b": comparison.system_b}
    if len(items) == 1:
        return prose(what + "as {value}.", value=value_with_interval(items[0]), **fields)
    if full and len(items) <= MOST_IN_WORDS:
        return prose(what + "as {each}.", each=each_value(items), **fields)
    low, high = min(items, key=lambda item: item.difference), max(items, key=lambda item: item.difference)
    return prose(
        what + "between {low} ({where_low}) and {high} ({where_high}).",
        low=signed(low.difference, 2),
        where_low=low.dataset,
        high=signed(high.difference, 2),
        where_high=high.dataset,
        **fields,
    )
