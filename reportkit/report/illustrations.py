"""The figures of a report and their captions; and those that are drawn when they are asked for by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable

from reportkit.appearance.appearance import Appearance
from reportkit.errors import DesignError
from reportkit.figures.critical_difference import critical_difference_content
from reportkit.figures.forest_content import forest_content
from reportkit.figures.k_hat_matrix import k_hat_matrix_content
from reportkit.figures.p_value_dots import p_value_content
from reportkit.figures.pair_matrix import pair_matrix_content
from reportkit.figures.partial_conjunction import partial_conjunction_content
from reportkit.language.counts_and_lists import counted, listed, some
from reportkit.language.numerals import level_text, percent_text
from reportkit.registry import Registry
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import Family
from reportkit.replicability.friedman import FriedmanOutcome
from reportkit.replicability.multiple_testing.p_values import rejection_level
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.replicability.score_matrix import friedman_of
from reportkit.report.labels import as_printed
from reportkit.report.model import Figure, Section
from reportkit.report.prose import Cite, Emphasis, Prose, prose, sentences
from reportkit.report.tables.k_hat_table import out_of_datasets
from reportkit.report.tables.marks import correction_words
from reportkit.report.text.hypotheses import by_metric
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS

MOST_COMPARISONS_DRAWN = 4


def forests(analysis: ReplicabilityAnalysis) -> list[Figure]:
    """Forest plots of the comparisons that are drawn."""
    family = analysis.family
    alpha = family.alpha[0]
    chosen = _drawn(analysis)[:1] if family.design == "both" else _drawn(analysis)
    return [
        Figure.of(
            "forest",
            forest_content(comparison, alpha=alpha),
            name=_numbered("forest", number, len(chosen)),
            caption=_forest_caption(comparison, family, alpha),
        )
        for number, comparison in enumerate(chosen, start=1)
    ]


def curves(analysis: ReplicabilityAnalysis) -> list[Figure]:
    """Partial-conjunction p-values against u, where there are several datasets."""
    family = analysis.family
    chosen = _drawn(analysis)[:1] if family.design == "baselines" else _drawn(analysis)
    if len(family.datasets) == 1:
        return []
    return [
        Figure.of(
            "partial-conjunction",
            partial_conjunction_content(comparison, alpha=family.alpha),
            name=_numbered("partial-conjunction", number, len(chosen)),
            caption=sentences(
                prose(
                    "Partial-conjunction p-values {p_u} of the claim that {a} is better than {b}{by} on at least {u} "
                    "of {count} datasets. {k_hat} is the largest {u} up to which the curve stays at or below "
                    "{alpha}{joint}.",
                    joint="; the bound to report is that of the closed test, the others are for comparison"
                    if comparison.joint is not None
                    else "",
                    a=comparison.system_a,
                    b=comparison.system_b,
                    by=by_metric(comparison, family),
                    count=comparison.n_datasets,
                ),
                _why_these(family),
            ),
        )
        for number, comparison in enumerate(chosen, start=1)
    ]


def p_value_dots(analysis: ReplicabilityAnalysis, family: Family) -> list[Figure]:
    """Sorted p-values against Holm's thresholds, where there are several datasets.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        Of one metric.
    family : Family
        All that was corrected together, of all metrics.
    """
    if len(family.datasets) == 1:
        return []
    one = family.design in ("both", "baselines")
    chosen = _drawn(analysis)[:1] if one else _drawn(analysis)
    drawn = [(item, p_value_content(family, item, alpha=family.alpha[0])) for item in chosen]
    known = [(item, content) for item, content in drawn if content is not None]
    return [
        Figure.of(
            "p-values",
            content,
            name=_numbered("p-values", number, len(known)),
            caption=sentences(
                prose(
                    "One-sided p-values of the claim that {a} is better than {b}{by} on each of {count} datasets, "
                    "smallest first, and the thresholds of Holm's procedure {cite}: the {i}th smallest of the {m} "
                    "p-values that are corrected together is compared with {level} / ({m} − {i} + 1), up to the first "
                    "that is larger.",
                    a=item.system_a,
                    b=item.system_b,
                    by=by_metric(item, family),
                    count=item.n_datasets,
                    cite=Cite(("holm1979simple",)),
                    i=(Emphasis("i"),),
                    m=f"{content.n_hypotheses:,}",
                    level=level_text(content.level),
                ),
                prose("Filled: {a} identified as better at {alpha} = {level}.", a=item.system_a, level=_level(family)),
                _why_these(family),
            ),
        )
        for number, (item, content) in enumerate(known, start=1)
    ]


def _level(family: Family) -> str:
    both = ", half of it for each direction" if family.design == "both" else ""
    return level_text(family.alpha[0]) + both


def critical_difference_figure(outcome: FriedmanOutcome) -> Figure:
    """Average ranks and the groups that the follow-ups of Friedman's test do not tell apart.

    Raises
    ------
    DesignError
        If there are too many groups for a diagram.
    """
    content = critical_difference_content(outcome)
    return Figure.of(
        "critical-difference",
        content,
        name="critical-difference",
        caption=sentences(
            prose(
                "Average ranks of {systems} on {datasets}, the best on the left. The diagram is about a typical "
                "dataset: it says neither on how many of these datasets a system is better nor on which.",
                systems=counted(outcome.n_systems, "system"),
                datasets=counted(outcome.n_datasets, "dataset"),
            ),
            prose(
                "A bar joins the systems with a dot on it, no two of which are told apart ({test} over the datasets, "
                "Holm-adjusted over {pairs}, {alpha} = {level}); that is no evidence that they are equal.",
                test=SIGNIFICANCE_TESTS[outcome.follow_up].title,
                pairs=counted(len(outcome.pairs), "pair"),
                level=level_text(outcome.alpha),
            ),
            prose(
                "CD is the critical difference of Nemenyi's test {cite}, for comparison only: it depends on which "
                "other systems there are {why}, and no bar depends on it.",
                cite=Cite(("demsar2006statistical",)),
                why=Cite(("benavoli2016should",)),
            ),
        ),
    )


def pair_matrix_figure(family: Family) -> Figure:
    """Differences of all pairs on one dataset, as a figure."""
    content = pair_matrix_content(family.comparisons, alpha=family.alpha)
    unit = f" ({content.unit})" if content.unit else ""
    return Figure.of(
        "pair-matrix",
        content,
        name="pair-matrix",
        caption=prose(
            "{quantity}{unit} on {dataset}: positive where the system of the row is better than that of the column. "
            "Shaded: identified as better ({how}, {alpha} = {levels}); a cell without shade is no evidence of "
            "equality.",
            quantity=content.quantity[:1].upper() + content.quantity[1:],
            unit=unit,
            dataset=content.dataset,
            how=correction_words(family),
            levels=listed(map(level_text, content.alpha)),
        ),
    )


def for_venue(sections: Iterable[Section], look: Appearance) -> tuple[Section, ...]:
    """The same sections, their figures as wide as the columns of the venue and in the type that goes with it."""
    return tuple(
        dataclasses.replace(
            section,
            blocks=tuple(
                dataclasses.replace(block, venue=look.venue, widths=look.widths) if isinstance(block, Figure) else block
                for block in section.blocks
            ),
        )
        for section in sections
    )


def matrix_figure(family: Family) -> Figure:
    """k-hat of all pairs of many systems, as a figure."""
    alpha = family.alpha[0]
    return Figure.of(
        "k-hat-matrix",
        k_hat_matrix_content(family.comparisons, alpha=alpha),
        name="k-hat-matrix",
        caption=prose(
            "Lower bound {k_hat} for the number of datasets, {out_of}, on which the system of the row is better "
            "than that of the column; all bounds together with confidence 1 − {alpha}, {alpha} = {level} {cite}. A 0 "
            "is no evidence of equality.",
            out_of=out_of_datasets(family),
            level=level_text(alpha),
            cite=Cite(("dror2017replicability", "goeman2011multiple")),
        ),
    )


def _drawn(analysis: ReplicabilityAnalysis) -> tuple[Comparison, ...]:
    """All comparisons if they are few; else that of the two systems with the best ranks on average."""
    family = analysis.family
    if family.design != "all-pairs" and family.n_claims <= MOST_COMPARISONS_DRAWN:
        return family.comparisons
    ranks = _mean_ranks(analysis)
    return (min(family.comparisons, key=lambda item: (ranks[item.system_a], ranks[item.system_b])),)


def _mean_ranks(analysis: ReplicabilityAnalysis) -> dict[str, float]:
    """Mean rank of each system over the datasets it was scored on, 1 for the best; ties share the better rank."""
    ranks: dict[str, list[int]] = {}
    for dataset in analysis.family.datasets:
        here = {name: score for (name, where), score in analysis.system_scores.items() if where == dataset}
        oriented = {name: score.mean if score.higher_is_better else -score.mean for name, score in here.items()}
        for name, value in oriented.items():
            ranks.setdefault(name, []).append(1 + sum(other > value for other in oriented.values()))
    return {name: sum(values) / len(values) for name, values in ranks.items()}


def _numbered(name: str, number: int, of: int) -> str:
    return name if of == 1 else f"{name}-{number}"


def _why_these(family: Family) -> Prose:
    if family.design == "all-pairs":
        return prose("Shown are the two systems with the best mean ranks; the correction is for all pairs.")
    return ()


def _forest_caption(comparison: Comparison, family: Family, alpha: float) -> Prose:
    intervals = list(dict.fromkeys(i.interval.title for i in comparison.assessments if i.interval is not None))
    levels = [i.interval.level for i in comparison.assessments if i.interval is not None]
    fields = {"a": comparison.system_a, "b": comparison.system_b}
    shown = (
        prose(
            "Difference between {a} and {b}{by} with {level} intervals ({titles}), two-sided{adjusted}.",
            adjusted=" and not adjusted for the number of datasets" if comparison.n_datasets > 1 else "",
            level=percent_text(levels[0]),
            titles=listed(intervals),
            by=by_metric(comparison, family),
            **fields,
        )
        if intervals
        else prose("Printed difference between {a} and {b}.", **fields)
    )
    return sentences(
        shown,
        prose(
            "Filled: {a} identified as better (one-sided, {how}, {p} ≤ {level}).",
            a=comparison.system_a,
            how=correction_words(family),
            level=level_text(alpha),
        ),
        *_markers_against_intervals(comparison, alpha),
        _why_these(family),
    )


def _markers_against_intervals(comparison: Comparison, alpha: float) -> list[Prose]:
    """On which datasets the interval and the marker in it seem to disagree, and why each is right."""
    found: dict[tuple[str, str], list[str]] = {}
    for item, marked in zip(comparison.assessments, comparison.marked(alpha), strict=True):
        if item.interval is None or marked == (item.interval.low > 0):
            continue
        what = "reaches 0 and the marker is filled" if marked else "lies above 0 and the marker is hollow"
        if marked and item.p_value > rejection_level((1 - item.interval.level) / 2):
            why = "the test is one-sided"
        elif not marked and item.p_value <= rejection_level(alpha):
            why = "the test is adjusted"
        else:
            why = "test and interval are two methods"
        found.setdefault((what, why), []).append(item.dataset)
    return [
        prose(f"On {{where}} the interval {what}: {why}.", where=some(names)) for (what, why), names in found.items()
    ]


def all_pairs_figure(analysis: ReplicabilityAnalysis) -> Figure:
    """Matrix of all pairs: k-hat over several datasets, differences on one; of the primary metric.

    Raises
    ------
    DesignError
        If one pair of systems was compared, or claims that have nothing to do with each other.
    """
    family = analysis.parts[0].family
    if family.design not in ("all-pairs", "baselines"):
        raise DesignError(
            "a matrix of all pairs needs more than one pair of systems",
            where=", ".join(f"{a} > {b}" for a, b in family.pairs[:3]),
            remedy="compare all systems, .compare() without names, or all with a baseline, .compare(baseline=...)",
        )
    return matrix_figure(family) if len(family.datasets) > 1 else pair_matrix_figure(family)


def critical_difference(analysis: ReplicabilityAnalysis) -> Figure:
    """Critical-difference diagram of the mean scores by dataset, of the primary metric."""
    return critical_difference_figure(analysis.friedman or friedman_of(analysis.parts[0]))


def p_values(analysis: ReplicabilityAnalysis) -> Figure:
    """Sorted p-values of one comparison with Holm's thresholds, of the primary metric.

    Raises
    ------
    DesignError
        If there is one dataset, or another correction.
    """
    figures = p_value_dots(analysis.parts[0], analysis.family)
    if not figures:
        raise DesignError(
            "a plot of p-values with Holm's thresholds needs several datasets, and Holm's procedure: no closed testing "
            "over independent datasets, no gatekeeping",
            where=", ".join(analysis.family.datasets[:3]),
            remedy="see .outcomes, which has every p-value, adjusted and not",
        )
    return figures[0]


REQUESTED: Registry[Callable[[ReplicabilityAnalysis], Figure]] = Registry("figure")
REQUESTED.register("all-pairs", all_pairs_figure)
REQUESTED.register("critical-difference", critical_difference)
REQUESTED.register("p-values", p_values)


def requested_figure(analysis: ReplicabilityAnalysis, look: Appearance, name: str) -> Figure:
    """One of the figures that are drawn on request, for the venue and with the labels of an appearance.

    Raises
    ------
    UnknownNameError
        If there is no such figure.
    DesignError
        If the analysis does not allow it.
    """
    shown, _ = as_printed(analysis, look)
    return dataclasses.replace(REQUESTED[name](shown), name=name, venue=look.venue, widths=look.widths)
