"""Sentences of captions: what is shown, versus whom, with which test, correction and level; never typed by hand."""

from __future__ import annotations

from reportkit.language.counts_and_lists import counted, listed, spanned
from reportkit.language.metric_names import metric_title
from reportkit.metrics.correlation import TITLES
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.prose import Prose, prose, sentences
from reportkit.report.score_format import ScoreScale
from reportkit.report.tables.groups import systems_of
from reportkit.report.text.metrics import datasets_by_metric
from reportkit.report.text.shapes import averages_runs


def what_is_shown(family: ReplicabilityAnalysis, scale: ScoreScale) -> Prose:
    """Metric, systems and number of datasets."""
    first = family.comparisons[0]
    who = f"{first.system_a} and {first.system_b}" if family.one_claim else counted(len(systems_of(family)), "system")
    n = len(family.datasets)
    if family.across_datasets:
        return prose(
            "{metric} of {who}, averaged over {datasets}.",
            metric=_metric_in_words(family, scale),
            who=who,
            datasets=spanned([item.n or 0 for item in family.kinds], "dataset"),
        )
    return prose(
        "{metric} of {who}{gold} on {datasets}.",
        metric=_metric_in_words(family, scale),
        who=who,
        gold=" with the gold scores" if first.assessments[0].shape == "correlation" else "",
        datasets=f"{n} datasets" if n > 1 else "one dataset",
    )


def _metric_in_words(family: ReplicabilityAnalysis, scale: ScoreScale) -> str:
    item = family.comparisons[0].assessments[0]
    if item.shape == "correlation":
        return TITLES.get(item.metric, item.metric)
    if groups := datasets_by_metric(family):
        name = " and ".join(groups) if len(groups) == 2 else "Scores"
        return f"{name} ({scale.unit})" if scale.unit else name
    if len({one.metric for one in family.kinds if not family.several_metrics}) > 1:
        return "Scores"
    name = "Accuracy" if item.metric == "score" and item.kind == "binary" else printed_metric(item.metric, family)
    return f"{name} ({scale.unit})" if scale.unit else name


def printed_metric(metric: str, family: ReplicabilityAnalysis) -> str:
    """Name of a metric at the head of a caption: its label as it stands, or its usual spelling."""
    return metric if metric in family.labels.values() else metric_title(metric)


def units_in_words(family: ReplicabilityAnalysis) -> Prose:
    """Say of what the numbers are where they are not those of instances, and what the scores are means over."""
    items = family.kinds
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
    items = comparison.assessments
    lower = [item.dataset for item in items if not item.higher_is_better]
    if not lower:
        return ()
    where = "" if len(lower) == len(items) else f" on {listed(lower)}"
    if not with_difference:
        return prose("Lower is better{where}.", where=where)
    return prose(
        "Lower is better{where}; a positive difference is in favour of {a}.", where=where, a=comparison.system_a
    )


def role_of_metric(family: ReplicabilityAnalysis) -> Prose:
    """Say which of several metrics is the primary one, and which are secondary."""
    metric = family.comparisons[0].metric
    if not family.several_metrics:
        return ()
    if metric == family.metrics[0]:
        return prose("{metric} is the primary metric.", metric=printed_metric(metric, family))
    if family.gatekeeping == "none":
        return ()
    what = {
        "serial": "it is tested where {primary} is rejected throughout",
        "by-dataset": "it is tested on the datasets on which {primary} is rejected",
        "exploratory": "it is exploratory, and shown without signs",
    }[family.gatekeeping].format(primary=family.metrics[0])
    return prose("{metric} is a secondary metric: {what}.", metric=printed_metric(metric, family), what=what)


def shared_level(family: ReplicabilityAnalysis) -> Prose:
    """How the level is shared out in the family."""
    if family.several_metrics:
        return _level_among_metrics(family)
    if family.design == "both":
        return prose("Each direction is tested at {alpha}/2.")
    if family.design == "baselines":
        return prose("Corrected over all {n} tests.", n=f"{family.n_hypotheses:,}")
    if family.design == "separate":
        return prose("Each claim is corrected separately.")
    if family.design == "all-pairs":
        return prose("Holm-adjusted over all {n} tests (ordered pairs and datasets).", n=f"{family.n_hypotheses:,}")
    return ()


def _level_among_metrics(family: ReplicabilityAnalysis) -> Prose:
    primary, *others = family.metrics
    n, sizes = f"{family.n_hypotheses:,}", family.sizes
    shared = {
        "none": f"Corrected over all {n} tests of {len(family.metrics)} metrics.",
        "serial": f"Corrected over the {counted(sizes[primary], 'test')} of {primary}, then over the "
        f"{counted(sizes[others[0]], 'test')} of {listed(others)}.",
        "by-dataset": f"Corrected over all {n} tests of {len(family.metrics)} metrics, with gatekeeping by dataset.",
        "exploratory": f"Corrected for each metric separately; {listed(others)} "
        f"{'is' if len(others) == 1 else 'are'} exploratory.",
    }[family.gatekeeping]
    return sentences(
        prose("Each direction is tested at {alpha}/2.") if family.design == "both" else (), prose("{it}", it=shared)
    )
