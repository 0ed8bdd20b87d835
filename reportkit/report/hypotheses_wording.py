"""The null hypothesis and the alternative in words, for each test; and in which direction they were tested."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.numerals import level_text
from reportkit.phrases import capitalised, some
from reportkit.replicability.family import Family
from reportkit.report.prose import Prose, prose, sentences
from reportkit.report.significance_wording import really_tested
from reportkit.significance.assessment import Assessment

NOT_BETTER = ("{a} is not better than {b}", "it is")
HYPOTHESES: dict[str, tuple[str, str]] = {
    "A is not better than B": NOT_BETTER,
    "A is right where B is wrong at most as often as B is right where A is wrong": (
        "{a} is right where {b} is wrong at most as often as the other way round",
        "it is so more often",
    ),
    "the mean score of A is at most that of B": (
        "the mean score of {a} is no better than that of {b}",
        "it is better",
    ),
    "A scores better than B at most as often as B scores better than A": (
        "{a} scores better than {b} at most as often as it scores worse",
        "it does so more often",
    ),
    "the differences are symmetric about 0, or about a value in favour of B": (
        "the differences are symmetric about 0 or about a value in favour of {b}",
        "they lie in favour of {a}",
    ),
    "the metric of A, over the population of instances, is at most that of B": (
        "the metric over the whole population of instances is no better for {a} than for {b}",
        "it is better",
    ),
    "the outputs of A and B are exchangeable, instance by instance": (
        "the outputs of {a} and {b} are exchangeable, instance by instance",
        "those of {a} are better",
    ),
    "A is right at most as often as B": ("{a} is right at most as often as {b}", "it is right more often"),
    "the correlation of A with the gold score is at most that of B": (
        "the predictions of {a} agree with the gold scores no better than those of {b}",
        "they agree better",
    ),
    "the mean score of A over all its possible runs is at most that of B": (
        "the mean score of {a} over all its possible runs is no better than that of {b}",
        "it is better",
    ),
    "the mean score of A on this test set, over all its possible runs, is at most that of B": (
        "the mean score of {a} on this test set, over all its possible runs, is no better than that of {b}",
        "it is better",
    ),
    "the runs of A and of B have the same distribution of scores on this test set": (
        "the runs of {a} and of {b} have the same distribution of scores on this test set",
        "those of {a} score better",
    ),
    "trained on data of this size, A is on average at most as good as B": (
        "{a}, trained on data of this size, is on average no better than {b}",
        "it is better",
    ),
}
"""By the null hypothesis of a test as the catalogue has it: that hypothesis for either direction of a metric, and the
alternative as it goes on after "and the alternative that". What a paper prints has none: there, `NOT_BETTER`."""


def hypotheses_in_words(family: Family) -> Prose:
    """What is tested against what, once for each kind of hypothesis, and in which direction."""
    items = [item for comparison in family.comparisons for item in comparison.assessments]
    groups: dict[tuple[str, str], list[Assessment]] = {}
    for item in really_tested(items) or items:
        null, alternative = HYPOTHESES.get(item.outcome.null_hypothesis, NOT_BETTER)
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
            "No direction was declared in advance, so we test both, each one-sided at half the level{together}.",
            together=at_full_level(family) if len(family.datasets) == 1 else "",
        )
    if family.design == "all-pairs":
        return prose("No direction was declared in advance, so we test each pair in both directions, one-sided.")
    if family.design == "separate":
        return prose("Each claim is read one-sided, in the direction claimed.")
    one = len(family.datasets) == 1 and family.n_claims == 1
    return prose(
        "{tests} one-sided, in the direction declared in advance.", tests="The test is" if one else "The tests are"
    )


def at_full_level(family: Family) -> str:
    """What two directions at half the level bound together, as the end of a sentence."""
    return f"; the probability of a false claim in either is at most {level_text(family.alpha[0])}"


def sided_in_brief(family: Family) -> str:
    """The same as a phrase."""
    if family.design == "both":
        return "in both directions, each one-sided at half the level"
    return "one-sided in both directions" if family.sides == 2 else "one-sided in the direction declared in advance"


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
