"""Who is compared with whom, on how much data; the null hypotheses, and in which direction they are tested."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.language.counts_and_lists import capitalised, counted, listed, some, spanned
from reportkit.language.metric_names import metric_in_sentence
from reportkit.language.numerals import level_text
from reportkit.metrics.corpus import corpus_metric_named
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.prose import Prose, prose, sentences
from reportkit.report.text.shapes import sizes_of
from reportkit.report.text.significance import really_tested
from reportkit.significance.catalogue import entry_of
from reportkit.significance.entry import NOT_BETTER
from reportkit.significance.outcome import Outcome

MOST_NAMED = 6


def hypotheses_in_words(family: ReplicabilityAnalysis) -> Prose:
    """What is tested against what, once for each kind of hypothesis, and in which direction."""
    items = family.kinds
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for item in really_tested(items) or items:
        entry = entry_of(item)
        hypotheses = NOT_BETTER if entry is None else entry.hypotheses
        null, alternative = hypotheses.null, hypotheses.alternative
        if item.estimand.startswith("weighted "):
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


def _where(found: Sequence[Outcome], family: ReplicabilityAnalysis, *, alone: bool) -> str:
    places = list(dict.fromkeys(item.dataset for item in found))
    where = []
    if family.several_metrics and not alone:
        where.append(f"for {some(dict.fromkeys(item.metric for item in found))}")
    if len(family.datasets) > 1:
        where.append("on each dataset" if alone or len(places) == len(family.datasets) else f"on {some(places)}")
    return capitalised(", ".join([*where, "the"]))


def sidedness(family: ReplicabilityAnalysis) -> Prose:
    """One-sided in a declared direction, or both directions at half the level."""
    if family.design == "both":
        return prose(
            "We test both directions, each one-sided at half the level{together}.",
            together=at_full_level(family) if len(family.datasets) == 1 else "",
        )
    if family.design == "all-pairs":
        return prose("We test every pair in both directions.")
    if family.design == "separate":
        return prose("We test each claim one-sided, in the direction claimed.")
    return prose("All tests are one-sided, in the direction {direction}.", direction=direction(family))


def at_full_level(family: ReplicabilityAnalysis) -> str:
    """What two directions at half the level bound together, as the end of a sentence."""
    return f"; the probability of a false claim in either is at most {level_text(family.alpha[0])}"


def direction(family: ReplicabilityAnalysis) -> str:
    """Which direction a one-sided test has: only a user can say that it was chosen before the results were seen."""
    return "declared in advance" if family.preregistered else "of the claim"


def sided_in_brief(family: ReplicabilityAnalysis) -> str:
    """The same as a phrase."""
    if family.design == "both":
        corrected = len(family.datasets) > 1 or family.several_metrics
        return (
            "in both directions"
            if corrected
            else f"in both directions, each at level {level_text(family.alpha[0] / 2)}"
        )
    if family.sides == 2:
        return "in both directions"
    return f"one-sided in the direction {direction(family)}" if family.preregistered else "one-sided"


def _names(family: ReplicabilityAnalysis) -> tuple[str, str]:
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


def what_is_compared(family: ReplicabilityAnalysis) -> Prose:
    """Who is compared with whom, on how much data."""
    first = family.comparisons[0]
    data = on_the_data(family)
    if family.one_claim:
        asked = "We compare {a} with {b}" if family.sides == 2 else "We test whether {a} is better than {b}"
        return prose(asked + "{by} {data}.", a=first.system_a, b=first.system_b, by=_measured(family), data=data)
    if family.design == "separate":
        claims = listed(f"{item.system_a} is better than {item.system_b}" for item in family.comparisons)
        return prose(
            "We examine {printed} {data}: {claims}.",
            printed="one printed claim" if family.n_claims == 1 else f"{family.n_claims} printed claims separately,",
            data=data,
            claims=claims,
        )
    n_systems = len(family.systems_a)
    if family.design == "all-pairs":
        n_pairs, possible = family.n_claims // 2 // len(family.metrics_here), n_systems * (n_systems - 1) // 2
        return prose(
            "We compare {pairs} of {systems}{by} {data}{apart}.",
            by=_measured(family),
            pairs="all pairs" if n_pairs == possible else f"{n_pairs:,} of the {possible:,} pairs",
            systems=counted(n_systems, "system"),
            data=data,
            apart="" if n_pairs == possible else "; the others have no dataset in common",
        )
    return prose(
        "We test whether {systems} {are} better than {baselines}{by} {data}.",
        are="is" if n_systems == 1 else "are",
        by=_measured(family),
        systems=listed(family.systems_a) if n_systems <= MOST_NAMED else counted(n_systems, "system"),
        baselines=listed(family.systems_b),
        data=data,
    )


def _measured(family: ReplicabilityAnalysis) -> str:
    """By which metric: " in F1"; nothing if it is only called a score, or where another sentence says it."""
    item = family.kinds[0]
    if family.several_metrics or family.measures or item.shape == "correlation" or item.metric == "score":
        return ""
    known = corpus_metric_named(item.metric)
    lower = "" if item.higher_is_better else " (lower is better)"
    return f" in {metric_in_sentence(item.metric) if known is None else known.title}{lower}"


def on_the_data(family: ReplicabilityAnalysis) -> str:
    """Number of datasets and instances (runs, folds): "on 4 datasets (4,200 to 10,605 instances each)"."""
    items = family.kinds
    units = {item.unit for item in items}
    unit = units.pop() if len(units) == 1 else "instance"
    sizes = [n for item in items for n in sizes_of(item)]
    apart = any(len(set(sizes_of(item))) > 1 for item in family.comparisons[0].assessments)
    names = family.datasets
    if family.across_datasets:
        n_datasets = spanned(sizes, "dataset")
        return f"on a typical dataset, from one score of each system on each of {n_datasets}"
    if len(names) == 1:
        n = f" ({spanned(sizes, unit)}{' of each system' if apart else ''}{_grouped(items)})" if sizes else ""
        return f"on {names[0]}{n}"
    each = f" ({spanned(sizes, unit)} {'of each system' if apart else 'each'}{_grouped(items)})" if sizes else ""
    return f"on {len(names)} datasets{each}"


def _grouped(items: Sequence[Outcome]) -> str:
    """In how many clusters, and in how many runs of each system: ", in 12 clusters", ", 4 runs per system"."""
    clusters = [n for item in items if (n := item.n_clusters) is not None]
    runs = [
        side.n_runs for item in items for side in item.details.sides if side.n_runs is not None and item.unit != "run"
    ]
    rated = [item.details for item in items if item.details.n_ratings is not None]
    ratings = [n or 0 for one in rated for n in (one.fewest_ratings_per_instance, one.most_ratings_per_instance)]
    said = [
        f"in {spanned(clusters, 'cluster')}" if len(clusters) == len(items) else "",
        f"{spanned(runs, 'run')} per system" if runs else "",
        f"{spanned(ratings, 'rater')} per instance" if ratings else "",
    ]
    return "".join(f", {words}" for words in said if words)


def by_metric(comparison: Comparison, family: ReplicabilityAnalysis) -> str:
    """In which of several metrics systems are compared: " in chrF"; empty if there is one."""
    return f" in {comparison.metric}" if family.several_metrics else ""
