"""The null hypothesis and the alternative in words, for each test; and in which direction they were tested."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.language.counts_and_lists import capitalised, some
from reportkit.language.numerals import level_text
from reportkit.replicability.family import Family
from reportkit.report.prose import Prose, prose, sentences
from reportkit.report.text.significance_wording import really_tested
from reportkit.significance.catalogue import entry_of
from reportkit.significance.entry import NOT_BETTER
from reportkit.significance.outcome import Assessment


def hypotheses_in_words(family: Family) -> Prose:
    """What is tested against what, once for each kind of hypothesis, and in which direction."""
    items = [item for comparison in family.comparisons for item in comparison.assessments]
    groups: dict[tuple[str, str], list[Assessment]] = {}
    for item in really_tested(items) or items:
        entry = entry_of(item.outcome)
        hypotheses = NOT_BETTER if entry is None else entry.hypotheses
        null, alternative = hypotheses.null, hypotheses.alternative
        if item.outcome.estimand.startswith("weighted "):
            null = null.replace("mean score", "weighted mean score")
        groups.setdefault((null, alternative), []).append(item)
    a, b = _names(family)
    return sentences(
        *(
            prose(
                f"{{where}} null hypothesis is that {null}, and the alternative that {alternative}.",
                where=_where(found, family, alone=len(groups) == 1),
                a=a,
                b=b,
            )
            for (null, alternative), found in groups.items()
        ),
        sidedness(family),
    )


def _where(found: Sequence[Assessment], family: Family, *, alone: bool) -> str:
    places = list(dict.fromkeys(item.dataset for item in found))
    where = []
    if family.several_metrics and not alone:
        where.append(f"by {some(dict.fromkeys(item.metric for item in found))}")
    if len(family.datasets) > 1:
        where.append("on each dataset" if alone or len(places) == len(family.datasets) else f"on {some(places)}")
    return capitalised(", ".join([*where, "the"]))


def sidedness(family: Family) -> Prose:
    """One-sided in a declared direction, or both directions at half the level."""
    if family.design == "both":
        return prose(
            "We test both directions, each one-sided at half the level{together}.",
            together=at_full_level(family) if len(family.datasets) == 1 else "",
        )
    if family.design == "all-pairs":
        return prose("We test each pair in both directions, one-sided.")
    if family.design == "separate":
        return prose("Each claim is read one-sided, in the direction claimed.")
    one = len(family.datasets) == 1 and family.n_claims == 1
    return prose(
        "{tests} one-sided, in the direction {direction}.",
        tests="The test is" if one else "The tests are",
        direction=direction(family),
    )


def at_full_level(family: Family) -> str:
    """What two directions at half the level bound together, as the end of a sentence."""
    return f"; the probability of a false claim in either is at most {level_text(family.alpha[0])}"


def direction(family: Family) -> str:
    """Which direction a one-sided test has: only a user can say that it was chosen before the results were seen."""
    return "declared in advance" if family.preregistered else "asked for"


def sided_in_brief(family: Family) -> str:
    """The same as a phrase."""
    if family.design == "both":
        return "in both directions, each one-sided at half the level"
    return "one-sided in both directions" if family.sides == 2 else f"one-sided in the direction {direction(family)}"


def _names(family: Family) -> tuple[str, str]:
    """Names for A and B in a sentence about all comparisons."""
    if len(family.pairs) == 1:
        return family.pairs[0]
    if family.design == "baselines":
        systems, baselines = ({pair[side] for pair in family.pairs} for side in (0, 1))
        return (
            next(iter(systems)) if len(systems) == 1 else "a system",
            next(iter(baselines)) if len(baselines) == 1 else "a baseline",
        )
    if family.design == "both":
        return "one system", "the other"
    return "the first system of a pair", "the second"
