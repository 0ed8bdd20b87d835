"""Who is compared with whom, on how much data; the null hypotheses, and in which direction they are tested."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.language.counts_and_lists import capitalised, counted, listed, some, spanned
from reportkit.language.numerals import level_text
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import Family
from reportkit.report.prose import Prose, prose, sentences
from reportkit.report.text.shapes import sizes_of
from reportkit.report.text.significance import really_tested
from reportkit.significance.catalogue import entry_of
from reportkit.significance.entry import NOT_BETTER
from reportkit.significance.outcome import Assessment


def hypotheses_in_words(family: Family) -> Prose:
    """What is tested against what, once for each kind of hypothesis, and in which direction."""
    items = family.assessments
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


def what_is_compared(family: Family) -> Prose:
    """Who is compared with whom, on how much data."""
    first = family.comparisons[0]
    fields = {"a": first.system_a, "b": first.system_b, "data": on_the_data(family)}
    if family.design == "declared":
        return prose("We ask whether {a} is better than {b} {data}.", **fields)
    if family.design == "both":
        return prose("We compare {a} and {b} {data}.", **fields)
    if family.design == "separate":
        claims = listed(f"{item.system_a} is better than {item.system_b}" for item in family.comparisons)
        several = family.n_claims > 1
        return prose(
            "We examine {printed} {data}{each}: {claims}.",
            printed=f"{family.n_claims} printed claims" if several else "one printed claim",
            each=", each by itself" if several else "",
            data=fields["data"],
            claims=claims,
        )
    n_systems = len(family.systems_a)
    if family.design == "all-pairs":
        n_pairs, possible = family.n_claims // 2 // len(family.metrics_here), n_systems * (n_systems - 1) // 2
        return prose(
            "We compare {pairs} of {systems} {data}{apart}.",
            pairs="all pairs" if n_pairs == possible else f"{n_pairs:,} of the {possible:,} pairs",
            systems=counted(n_systems, "system"),
            data=fields["data"],
            apart="" if n_pairs == possible else "; the others have no dataset in common",
        )
    baselines = family.systems_b
    return prose(
        "We ask {which} better than {baselines} {data}.",
        which=f"which of {counted(n_systems, 'system')} is" if n_systems > 1 else f"whether {first.system_a} is",
        baselines=listed(baselines),
        data=fields["data"],
    )


def null_in_brief(family: Family) -> Prose:
    """The null hypothesis without the words of a test, and in which direction it is tested."""
    first = family.comparisons[0]
    if family.design not in ("declared", "baselines"):
        return sidedness(family)
    several = len(family.datasets) > 1
    if family.design == "declared":
        return prose(
            "The null hypothesis is that {a} is not better than {b}{where}; we test it{each} one-sided, in the "
            "direction {direction}.",
            a=first.system_a,
            b=first.system_b,
            where="",
            each=" on each dataset," if several else "",
            direction=direction(family),
        )
    one = len(family.systems_b) == 1
    return prose(
        "Each null hypothesis says that {a} is not better than {b}{where}; we test it one-sided, in the direction "
        "{direction}.",
        a="a system" if len(family.systems_a) > 1 else first.system_a,
        b=first.system_b if one else "a baseline",
        where=" on one dataset" if several else "",
        direction=direction(family),
    )


def on_the_data(family: Family) -> str:
    """Number of datasets and instances (runs, folds): "on 4 datasets (4,200 to 10,605 instances each)"."""
    items = family.assessments
    units = {item.unit for item in items}
    unit = units.pop() if len(units) == 1 else "instance"
    sizes = [n for item in items for n in sizes_of(item)]
    apart = any(len(set(sizes_of(item))) > 1 for item in family.comparisons[0].assessments)
    names = family.datasets
    if len(names) == 1:
        n = f" ({spanned(sizes, unit)}{' of each system' if apart else ''})" if sizes else ""
        return f"on one dataset, {names[0]}{n}"
    each = f" ({spanned(sizes, unit)} {'of each system' if apart else 'each'})" if sizes else ""
    return f"on {len(names)} datasets{each}"


def by_metric(comparison: Comparison, family: Family) -> str:
    """By which of several metrics systems are compared: " by chrF"; empty if there is one."""
    return f" by {comparison.metric}" if family.several_metrics else ""
