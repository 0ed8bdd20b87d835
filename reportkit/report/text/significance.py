"""The sentences on the tests: which test on which datasets, why it fits, what it assumes, how p-values are computed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from reportkit.language.counts_and_lists import capitalised, listed, some
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.prose import Cite, Emphasis, Prose, prose, sentences
from reportkit.report.references import source
from reportkit.report.text.shapes import (
    clusters_in_words,
    ratings_in_words,
    repetitions_in_words,
    what_is_summed,
    where_tests_disagree,
)
from reportkit.settings import PrintedReading
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from reportkit.significance.outcome import Outcome
from reportkit.significance.tests.bootstrap_t import BOUND

NAMED_BY_USER = "named by the user"

NEGLIGIBLE_ERROR = 1e-4
"""An exact p-value with a relative error below this is right in the digits that are printed, but for their rounding."""


def which_tests(family: ReplicabilityAnalysis) -> Prose:
    """Which test was used on which datasets, why it fits, what it assumes, how it was computed."""
    items = family.kinds
    return sentences(what_is_summed(really_tested(items)), choice_of_tests(items), how_computed(family))


def really_tested(items: Iterable[Outcome]) -> list[Outcome]:
    """Leave out where two systems score the same everywhere, and p = 1 without a test."""
    return [item for item in items if item.tested]


def choice_of_tests(items: Sequence[Outcome], by: str = "") -> Prose:
    """One test after the other: where, why, under which assumptions.

    Parameters
    ----------
    items : sequence of Outcome
        One of each kind at least.
    by : str
        Words to begin with, such as "For accuracy".
    """
    used: dict[tuple[str, str], list[Outcome]] = {}
    for item in really_tested(items):
        used.setdefault((item.title, item.reason), []).append(item)
    alone = len(used) == 1 and len(really_tested(items)) == len(items)
    order = list(dict.fromkeys(item.dataset for item in items))
    return sentences(
        *(
            _one_test(sorted(group, key=lambda item: order.index(item.dataset)), alone=alone, by=by)
            for group in used.values()
        )
    )


def how_computed(family: ReplicabilityAnalysis) -> Prose:
    """Where there was nothing to test, how p-values were computed, and where a second test disagrees."""
    tested = really_tested(family.kinds)
    return sentences(_identical(family), _computed(tested, family), where_tests_disagree(tested))


def names_of_tests(items: Sequence[Outcome], *, last: str = "or") -> Prose:
    """Names of the tests with their sources: "the exact McNemar test [1] or the sign test [2]"."""
    named = {item.title: item.citation for item in really_tested(items)}
    parts: list[Prose] = []
    for number, (title, key) in enumerate(named.items()):
        before = "" if number == 0 else f" {last} " if number == len(named) - 1 else ", "
        parts.append(prose("{before}the {title}{cite}", before=before, title=title, cite=source(key)))
    return tuple(inline for part in parts for inline in part)


def _one_test(items: Sequence[Outcome], *, alone: bool, by: str) -> Prose:
    first = items[0]
    places = list(dict.fromkeys(item.dataset for item in items))
    named = first.reason == NAMED_BY_USER
    where = some(places) if not alone else "each dataset" if len(places) > 1 else ""
    before = [by] if by else [f"on {where}"] if where and not named else []
    return sentences(
        prose(
            "{we} the {title}{cite}{there}{because}.",
            we=capitalised(" ".join([*before, "we chose" if named else "we use"])),
            title=first.title,
            cite=source(first.citation),
            there=f" {'for' if named else 'on'} {where}" if where and (named or by) else "",
            because="" if named else f", because {first.reason}",
        ),
        assumptions_of(first),
        clusters_in_words(items),
        ratings_in_words(items),
        repetitions_in_words(items),
    )


_PRINTED_READING: Mapping[PrintedReading, str] = {
    "as-printed": "We assume that {it} one-sided, in the direction of the claim.",
    "observed-direction": "We assume that {it} one-sided, in the direction of the observed difference.",
    "two-sided": "We take {it} two-sided, and read {them} in the direction of the claim.",
}


def as_the_paper_prints(n_p_values: int, reading: PrintedReading) -> Prose:
    """Where p-values are taken from, and which sides they are assumed to have."""
    if n_p_values == 1:
        source = "The {p}-value is as printed; we did not repeat the test. "
        it, them = ("it to be" if reading == "two-sided" else "it is"), "it"
    else:
        source = "The {p}-values are as printed; we did not repeat the tests. "
        it, them = ("them to be" if reading == "two-sided" else "they are"), "them"
    return prose(source + _PRINTED_READING[reading].replace("{it}", it).replace("{them}", them))


def assumptions_of(item: Outcome) -> Prose:
    """What the p-value of a test is valid under; nothing if it assumes nothing."""
    clauses = item.assumptions
    if not clauses:
        return ()
    return prose("The test assumes {that}.", that=listed(f"that {clause}" for clause in clauses))


def _identical(family: ReplicabilityAnalysis) -> Prose:
    same = [item for item in family.kinds if not item.tested]
    if not same:
        return ()
    if family.n_assessments == 1:
        return prose("The two systems have the same score on every {unit}, so {p} = 1.", unit=same[0].unit)
    pairs = set(map(frozenset, family.pairs))
    return prose(
        "Where {the}two systems have the same score on every {unit} ({places}), {p} is 1.",
        the="the " if len(pairs) == 1 else "",
        unit=same[0].unit,
        places=some(dict.fromkeys(item.dataset for item in same)),
    )


def _computed(items: Sequence[Outcome], family: ReplicabilityAnalysis) -> Prose:
    n_p_values = family.n_assessments
    exact = [item for item in items if item.method == "exact"]
    drawn = [item for item in items if item.method == "Monte Carlo"]
    parts: list[Prose] = []
    if exact and len(exact) == len(items):
        error = float(family.frame["relative_error"].max())
        resampled = all(SIGNIFICANCE_TESTS[item.test].resamples for item in exact)
        parts.append(
            prose(
                "{they} computed{exactly}{infinity}{bound}.",
                they=prose("The {p}-value is") if n_p_values == 1 else prose("All {p}-values are"),
                exactly=" exactly" if error <= NEGLIGIBLE_ERROR else "",
                bound=f" (never too small, at most {100 * error:.1f}% too large)" if error > NEGLIGIBLE_ERROR else "",
                infinity=("," if error <= NEGLIGIBLE_ERROR else "") + " without random resampling" if resampled else "",
            )
        )
    elif drawn:
        parts.append(_estimated(items, family))
    if any(BOUND in item.algorithm for item in drawn):
        parts.append(
            prose(
                "Where the observed {t} lies beyond all resamples, {p} is an upper bound for infinitely many of them.",
                t=Emphasis("t"),
            )
        )
    return sentences(*parts)


def _where_drawn(items: Sequence[Outcome]) -> str:
    """Metrics or datasets whose p-values are estimated, whichever tells them apart."""
    drawn = [item for item in items if item.method == "Monte Carlo"]
    metrics = dict.fromkeys(item.metric for item in drawn)
    if len(metrics) < len({item.metric for item in items}):
        return f"for {some(metrics)}"
    return some(dict.fromkeys(item.dataset for item in drawn))


def _estimated(items: Sequence[Outcome], family: ReplicabilityAnalysis) -> Prose:
    """How many random resamples, and why no p-value is zero."""
    drawn = [item for item in items if item.method == "Monte Carlo"]
    resamples = [outcome.n_resamples or 0 for outcome in drawn]
    n_p_values = family.n_assessments
    n_drawn = family.n_of_kinds(lambda item: item.method == "Monte Carlo")
    n_others = family.n_of_kinds(lambda item: item.tested) - n_drawn
    one = n_drawn == 1
    if n_drawn == n_p_values:
        who = prose("The {p}-value is") if one else prose("The {p}-values are")
    else:
        who = prose(
            "Of the {n} {p}-values, {some} ({places}) {are}",
            n=f"{n_p_values:,}",
            some=f"{n_drawn:,}",
            places=_where_drawn(items),
            are="is" if one else "are",
        )
    rest = [item for item in items if item.method != "Monte Carlo"]
    return prose(
        "{who} estimated from {number} random resamples (seed {seed}), with the observed data counted as one of them "
        "{cite}{rest}.",
        who=who,
        number=f"{min(resamples):,}" + (f" to {max(resamples):,}" if max(resamples) > min(resamples) else ""),
        seed=drawn[0].seed or 0,
        cite=Cite(("phipson2010permutation",)),
        rest=("; the other is computed exactly" if n_others == 1 else "; the others are computed exactly")
        if rest and all(item.method == "exact" for item in rest)
        else "",
    )
