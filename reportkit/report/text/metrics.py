"""The recommended-practice paragraph where several metrics are compared: the primary metric first."""

from __future__ import annotations

from reportkit.language.counts_and_lists import counted, listed, some
from reportkit.language.metric_names import metric_in_sentence
from reportkit.language.numerals import level_text
from reportkit.metrics.corpus import corpus_metric_named
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.prose import Cite, Prose, Text, plain, prose, sentences
from reportkit.report.text.correction import dependence_statement, how_counted, local_tests, separate_statements
from reportkit.report.text.hypotheses import what_is_compared
from reportkit.report.text.shapes import what_is_summed
from reportkit.report.text.significance import choice_of_tests, how_computed, really_tested, which_tests


def metrics_asked(family: ReplicabilityAnalysis) -> Prose:
    """Who is compared with whom, by which metrics, which of them is the primary one."""
    primary, *others = (family.of_metric(metric) for metric in family.metrics)
    *before, last = what_is_compared(primary)
    asked = plain((last,)).removesuffix(".")
    metrics = listed([_named(primary, "primary"), *map(_named, others)])
    return *before, Text(f"{asked} in {metrics}.")


def metric_by_dataset(analysis: ReplicabilityAnalysis) -> Prose:
    """Which metric belongs to which dataset, where they differ; nothing elsewhere."""
    groups = datasets_by_metric(analysis)
    return (
        prose(
            "The metric is {metrics}.",
            metrics=listed(
                [f"{metric_in_sentence(metric)} on {some(datasets)}" for metric, datasets in groups.items()]
            ),
        )
        if groups
        else ()
    )


def datasets_by_metric(analysis: ReplicabilityAnalysis) -> dict[str, tuple[str, ...]]:
    """Title of a metric to its datasets, where they differ; empty elsewhere."""
    groups: dict[str, tuple[str, ...]] = {}
    for dataset in analysis.datasets:
        if dataset in analysis.measures:
            name = analysis.measures[dataset]
            known = corpus_metric_named(name)
            title = name if known is None else known.title
            groups[title] = (*groups.get(title, ()), dataset)
    return groups


def which_tests_by_metric(family: ReplicabilityAnalysis) -> Prose:
    """Which tests were used, said once for all metrics of which it is the same."""
    groups: dict[frozenset[tuple[str, str, str]], list[str]] = {}
    for metric in family.metrics:
        items = family.of_metric(metric).kinds
        used = frozenset((item.dataset, item.title, item.reason) for item in really_tested(items))
        groups.setdefault(used, []).append(metric)
    every = family.kinds
    if len(groups) == 1:
        return which_tests(family)
    found = [what_is_summed(really_tested(every))]
    for metrics in groups.values():
        chosen = [item for item in every if item.metric in metrics]
        found.append(choice_of_tests(chosen, f"For {listed(metrics)}"))
    return sentences(*found, how_computed(family))


def how_metrics_are_corrected(family: ReplicabilityAnalysis) -> Prose:
    """How the level is shared by the metrics, what that bounds, and how datasets are counted."""
    if family.gatekeeping == "exploratory":
        return _exploratory(family)
    closed = family.correction == "closed testing"
    of = "counts or names" if closed else "claims" if len(family.datasets) == 1 else "names"
    bound = (
        f"controls the family-wise error rate, the probability of one or more false {of} in all metrics together, at "
        f"{level_text(family.alpha[0])}{'' if closed else ' under any dependence'}"
    )
    procedure = "one closed test" if closed else "Holm's method"
    key = ("marcus1976closed", "goeman2011multiple") if closed else ("holm1979simple",)
    both = ", in each direction at half the level" if family.design == "both" else ""
    primary, *others = family.metrics
    if family.gatekeeping == "none":
        corrected = prose(
            "We correct all metrics together: {procedure} {cite} over all {n}{what}{both} {bound}.",
            procedure=procedure,
            cite=Cite(key),
            n=counted(family.n_hypotheses, "test"),
            what=_factors(family),
            both=f"{both}," if both else "",
            bound=bound,
        )
    elif family.gatekeeping == "serial":
        corrected = prose(
            "We test the metrics one after the other{both} {cite}: {procedure} over {first} of {primary} and, only if "
            "{all} rejected, {another}over {second} of {others}. This {bound}.",
            procedure=procedure,
            another="another " if closed else "",
            both=both,
            cite=Cite((*key, "bretz2009graphical")),
            first=_the(family.sizes[primary]),
            all="it is" if family.sizes[primary] == 1 else "all of them are",
            primary=primary,
            second=_the(family.sizes[others[0]]),
            others=listed(others),
            bound=bound,
        )
    else:
        one = len(family.pairs) == 1 or family.design == "both"
        passes = (
            f"a rejected hypothesis of {primary} passes its level on to the other {{metrics}}"
            if one and len(family.datasets) == 1
            else f"a rejected hypothesis of {primary} passes one half of its level on to {primary} elsewhere and one "
            "half to the other {metrics} on the same dataset{claim}"
        )
        corrected = prose(
            "We test {others} only where the hypothesis of {primary} is rejected "
            f"{{cite}}: the level starts at {{primary}}{{both}}, and {passes}. This {{bound}}.",
            others=listed(others),
            primary=primary,
            cite=Cite(("bretz2009graphical", "maurer2011multiple")),
            both=both,
            metrics="metric" if len(others) == 1 else "metrics",
            claim="" if one else " and comparison",
            bound=bound,
        )
    if len(family.datasets) == 1:
        return corrected
    return sentences(corrected, _counted(family), prose("{it}", it=dependence_statement(family.audit)))


def not_tested(family: ReplicabilityAnalysis, metric: str, alpha: float) -> Prose:
    """Say that a secondary metric is not tested, where no gate is passed at this level; nothing otherwise."""
    primary = family.metrics[0]
    if metric == primary or family.gatekeeping not in ("serial", "by-dataset"):
        return ()
    first = [item.identified(alpha) for item in family.of_metric(primary).comparisons]
    if family.gatekeeping == "by-dataset":
        closed, why = not any(found.any() for found in first), f"no test of {primary} rejects"
    elif family.design == "both":
        closed, why = not any(found.all() for found in first), f"not every test of {primary} rejects in one direction"
    else:
        closed, why = not all(found.all() for found in first), f"not every test of {primary} rejects"
    if not closed:
        return ()
    if family.sizes[primary] == 1:
        why = f"the test of {primary} does not reject"
    return prose("We do not test {metric}, because {why}.", metric=metric, why=why)


def _exploratory(family: ReplicabilityAnalysis) -> Prose:
    primary, *others = family.metrics
    first = family.of_metric(primary)
    confirmed = how_counted(first)
    return sentences(
        confirmed,
        prose(
            "{all}{others} {are} exploratory: we correct {each} separately{same}, claim nothing for all metrics "
            "together, and name no dataset.",
            all=f"All this concerns {primary}. " if confirmed else "",
            same=" in the same way" if confirmed else "",
            others=listed(others),
            are="is" if len(others) == 1 else "are",
            each="it" if len(others) == 1 else "each",
        ),
    )


def _counted(family: ReplicabilityAnalysis) -> Prose:
    """How datasets are counted in each comparison and metric."""
    if family.correction == "closed testing":
        return local_tests(family)
    if family.counted_apart:
        return sentences(
            prose(
                "Partial conjunction with Fisher's combination {cite} gives a lower bound for the number of datasets "
                "on which a claim holds, at level {alpha}/{share} for each comparison and metric.",
                cite=Cite(("dror2017replicability", "benjamini2008screening")),
                share=family.comparisons[0].share or 1,
            ),
            separate_statements(family),
        )
    return sentences(
        prose(
            "For each {what}, the number of datasets named is a lower bound for the number on which the claim is true; "
            "these bounds hold for all together {cite}.",
            what="metric" if len(family.pairs) == 1 else "comparison and metric",
            cite=Cite(("dror2017replicability", "goeman2011multiple")),
        ),
        prose("We do not use Fisher's combination, because it names no hypothesis that could pass its level on.")
        if family.audit.independent
        else (),
    )


def _factors(family: ReplicabilityAnalysis) -> str:
    """What the hypotheses are of: " (systems, baselines, metrics and datasets)"."""
    what = {"baselines": ["systems", "baselines"], "all-pairs": ["ordered pairs"]}.get(family.design, [])
    factors = [*what, "metrics", *(["datasets"] if len(family.datasets) > 1 else [])]
    return f" ({listed(factors)})" if len(factors) > 1 else ""


def _the(n: int) -> str:
    return "the test" if n == 1 else f"the {n:,} tests"


def _named(part: ReplicabilityAnalysis, role: str = "") -> str:
    item = part.comparisons[0].assessments[0]
    said = [role] if role else []
    said += [] if item.higher_is_better else ["lower is better"]
    return f"{item.metric} ({', '.join(said)})" if said else item.metric
