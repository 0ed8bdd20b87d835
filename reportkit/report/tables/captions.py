"""Sentences of captions: what is shown, versus whom, with which test, correction and level; never typed by hand."""

from __future__ import annotations

from reportkit.language.counts_and_lists import counted, listed
from reportkit.metrics.correlation.coefficients import TITLES
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import Family
from reportkit.report.prose import Prose, prose, sentences
from reportkit.report.score_format import ScoreScale
from reportkit.report.tables.groups import systems_of
from reportkit.report.text.shapes import averages_runs


def what_is_shown(family: Family, scale: ScoreScale) -> Prose:
    """Metric, systems and number of datasets."""
    first = family.comparisons[0]
    who = f"{first.system_a} and {first.system_b}" if family.one_claim else counted(len(systems_of(family)), "system")
    n = len(family.datasets)
    if family.across_datasets:
        return prose(
            "{metric} of {who}, averaged over {datasets}.",
            metric=_metric_in_words(family, scale),
            who=who,
            datasets=counted(first.assessments[0].n or 0, "dataset"),
        )
    return prose(
        "{metric} of {who}{gold} on {datasets}.",
        metric=_metric_in_words(family, scale),
        who=who,
        gold=" with the gold scores" if first.assessments[0].shape == "correlation" else "",
        datasets=f"{n} datasets" if n > 1 else "one dataset",
    )


def _metric_in_words(family: Family, scale: ScoreScale) -> str:
    item = family.comparisons[0].assessments[0]
    if item.shape == "correlation":
        return TITLES.get(item.metric, item.metric)
    name = item.metric if item.metric != "score" else "Accuracy" if item.kind == "binary" else "Score"
    return f"{name} ({scale.unit})" if scale.unit else name


def units_in_words(family: Family) -> Prose:
    """Say of what the numbers are where they are not those of instances, and what the scores are means over."""
    items = family.assessments
    shapes = {item.shape for item in items}
    units = {item.unit for item in items}
    if units in ({"run"}, {"fold"}):
        noun = f"{units.pop()}s"
        return prose("Scores are means over the {noun}, {n} is their number.", noun=noun)
    if shapes == {"runs"} or any(averages_runs(item) for item in items):
        return prose("Scores are means over the runs of a system.")
    return ()


def direction_in_words(comparison: Comparison, *, with_difference: bool = True) -> Prose:
    """Say so if lower is better, and what then the sign of a difference means, if one is shown."""
    if comparison.assessments[0].higher_is_better:
        return ()
    if not with_difference:
        return prose("Lower is better.")
    return prose("Lower is better; a positive difference is in favour of {a}.", a=comparison.system_a)


def role_of_metric(family: Family) -> Prose:
    """Say which of several metrics is the primary one, and which are secondary."""
    metric = family.comparisons[0].metric
    if not family.several_metrics:
        return ()
    if metric == family.metrics[0]:
        return prose("{metric} is the primary metric.", metric=metric)
    if family.gatekeeping == "none":
        return ()
    what = {
        "serial": "it is tested where {primary} is rejected throughout",
        "by-dataset": "it is tested on the datasets on which {primary} is rejected",
        "exploratory": "it is exploratory, and shown without signs",
    }[family.gatekeeping].format(primary=family.metrics[0])
    return prose("{metric} is a secondary metric: {what}.", metric=metric, what=what)


def shared_level(family: Family) -> Prose:
    """How the level is shared out in the family."""
    if family.several_metrics:
        return _level_among_metrics(family)
    if family.design == "both":
        return prose("Each direction is tested at {alpha}/2.")
    if family.design == "baselines":
        return prose("Corrected for all {n} hypotheses.", n=f"{family.n_hypotheses:,}")
    if family.design == "separate":
        return prose("Each claim is a family of its own.")
    if family.design == "all-pairs":
        return prose("Corrected for all {n} hypotheses (ordered pairs and datasets).", n=f"{family.n_hypotheses:,}")
    return ()


def _level_among_metrics(family: Family) -> Prose:
    primary, *others = family.metrics
    n, sizes = f"{family.n_hypotheses:,}", family.sizes
    shared = {
        "none": f"Corrected for all {n} hypotheses of {len(family.metrics)} metrics.",
        "serial": f"Corrected for {counted(sizes[primary], 'hypothesis', 'hypotheses')} of {primary}, then for "
        f"{counted(sizes[others[0]], 'hypothesis', 'hypotheses')} of {listed(others)}.",
        "by-dataset": f"Corrected for all {n} hypotheses of {len(family.metrics)} metrics, with gatekeeping by "
        "dataset.",
        "exploratory": f"Corrected for each metric by itself; {listed(others)} "
        f"{'is' if len(others) == 1 else 'are'} exploratory.",
    }[family.gatekeeping]
    return sentences(
        prose("Each direction is tested at {alpha}/2.") if family.design == "both" else (), prose("{it}", it=shared)
    )
