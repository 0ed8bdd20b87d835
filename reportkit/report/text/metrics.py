"""The recommended-practice paragraph where several metrics are compared: the primary metric first."""

from __future__ import annotations

from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import level_text
from reportkit.replicability.family import Family
from reportkit.report.prose import Cite, Prose, prose, sentences
from reportkit.report.text.correction import dependence_statement, how_counted, local_tests, separate_statements
from reportkit.report.text.hypotheses import what_is_compared
from reportkit.report.text.shapes import what_is_summed
from reportkit.report.text.significance import choice_of_tests, how_computed, really_tested, which_tests


def metrics_asked(family: Family) -> Prose:
    """Who is compared with whom, by which metrics, which of them is the primary one."""
    primary, *others = (family.of_metric(metric) for metric in family.metrics)
    return sentences(
        what_is_compared(primary),
        prose(
            "We do so by {n}: {primary}, the primary one, and {others}; each hypothesis is about one metric.",
            n=counted(len(family.metrics), "metric"),
            primary=_named(primary),
            others=listed(map(_named, others)),
        ),
    )


def which_tests_by_metric(family: Family) -> Prose:
    """Which tests were used, said once for all metrics of which it is the same."""
    groups: dict[frozenset[tuple[str, str, str]], list[str]] = {}
    for metric in family.metrics:
        items = family.of_metric(metric).assessments
        used = frozenset((item.dataset, item.outcome.title, item.reason) for item in really_tested(items))
        groups.setdefault(used, []).append(metric)
    every = family.assessments
    if len(groups) == 1:
        return which_tests(family)
    found = [what_is_summed(really_tested(every))]
    for metrics in groups.values():
        chosen = [item for item in every if item.metric in metrics]
        found.append(choice_of_tests(chosen, f"For {listed(metrics)}"))
    return sentences(*found, how_computed(every))


def how_metrics_are_corrected(family: Family) -> Prose:
    """How the level is shared by the metrics, what that bounds, and how datasets are counted."""
    if family.gatekeeping == "exploratory":
        return _exploratory(family)
    closed = family.correction == "closed testing"
    of = "counts or names" if closed else "claims" if len(family.datasets) == 1 else "names"
    bound = (
        f"keeps the family-wise error, the probability of one or more false {of} in all metrics together, at "
        f"{level_text(family.alpha[0])}{'' if closed else ' under any dependence'}"
    )
    procedure = "one closed test" if closed else "Holm's procedure"
    key = ("marcus1976closed", "goeman2011multiple") if closed else ("holm1979simple",)
    both = ", in each direction at half the level" if family.design == "both" else ""
    primary, *others = family.metrics
    if family.gatekeeping == "none":
        corrected = prose(
            "All metrics stand in one family: {procedure} {cite} over all {n}{what}{both} {bound}.",
            procedure=procedure,
            cite=Cite(key),
            n=counted(family.n_hypotheses, "hypothesis", "hypotheses"),
            what=_factors(family),
            both=f"{both}," if both else "",
            bound=bound,
        )
    elif family.gatekeeping == "serial":
        corrected = prose(
            "The metrics are tested one after the other{both} {cite}: {procedure} over {first} of {primary}, and, "
            "only if {all} rejected, {another}over {second} of {others}. This {bound}.",
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
            "The secondary {metrics}, {others}, {are} tested only where the hypothesis of {primary} is rejected "
            f"{{cite}}: the level starts at {{primary}}{{both}}, and {passes}. This {{bound}}.",
            others=listed(others),
            are="is" if len(others) == 1 else "are",
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


def not_tested(family: Family, metric: str, alpha: float) -> Prose:
    """Say that a secondary metric is not tested, where no gate is passed at this level; nothing otherwise."""
    primary = family.metrics[0]
    if metric == primary or family.gatekeeping not in ("serial", "by-dataset"):
        return ()
    first = [item.identified(alpha) for item in family.of_metric(primary).comparisons]
    if family.gatekeeping == "by-dataset":
        closed, where = not any(found.any() for found in first), "on any dataset"
    elif family.design == "both":
        closed, where = not any(found.all() for found in first), "on every dataset in one direction"
    else:
        closed, where = not all(found.all() for found in first), "on every dataset"
    if len(family.datasets) == 1:
        where = "" if family.one_claim else "throughout"
    if not closed:
        return ()
    return prose(
        "By {metric} nothing is tested at level {level}, as the hypothesis of {primary} is not rejected{where}.",
        metric=metric,
        level=level_text(alpha),
        primary=primary,
        where=f" {where}" if where else "",
    )


def _exploratory(family: Family) -> Prose:
    primary, *others = family.metrics
    first = family.of_metric(primary)
    confirmed = how_counted(first)
    return sentences(
        confirmed,
        prose(
            "{all}The other {metrics}, {others}, {are} exploratory: {each} corrected by itself{same}, nothing is "
            "claimed for all metrics together, and no dataset is named.",
            all=f"All this is said of {primary}. " if confirmed else "",
            same=" in the same way" if confirmed else "",
            metrics="metric" if len(others) == 1 else "metrics",
            others=listed(others),
            are="is" if len(others) == 1 else "are",
            each="it is" if len(others) == 1 else "each is",
        ),
    )


def _counted(family: Family) -> Prose:
    """How datasets are counted in each comparison and metric."""
    if family.correction == "closed testing":
        return local_tests(family)
    if family.counted_apart:
        return sentences(
            prose(
                "We bound the number of datasets on which a claim holds from below by partial conjunction with "
                "Fisher's combination {cite}, at level {alpha}/{share} for each comparison and metric.",
                cite=Cite(("dror2017replicability", "benjamini2008screening")),
                share=family.comparisons[0].share or 1,
            ),
            separate_statements(family),
        )
    return sentences(
        prose(
            "For each {what}, the number of datasets identified is a lower bound for the number of datasets on which "
            "its claim is true; these bounds hold for all together {cite}.",
            what="metric" if len(family.pairs) == 1 else "comparison and metric",
            cite=Cite(("dror2017replicability", "goeman2011multiple")),
        ),
        prose("Fisher's combination is not used: it names no hypothesis that could pass its level on.")
        if family.audit.independent
        else (),
    )


def _factors(family: Family) -> str:
    """What the hypotheses are of: " (systems, baselines, metrics and datasets)"."""
    what = {"baselines": ["systems", "baselines"], "all-pairs": ["ordered pairs"]}.get(family.design, [])
    factors = [*what, "metrics", *(["datasets"] if len(family.datasets) > 1 else [])]
    return f" ({listed(factors)})" if len(factors) > 1 else ""


def _the(n: int) -> str:
    return "the hypothesis" if n == 1 else f"the {n:,} hypotheses"


def _named(part: Family) -> str:
    item = part.comparisons[0].assessments[0]
    return item.metric if item.higher_is_better else f"{item.metric} (lower is better)"
