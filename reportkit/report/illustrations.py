"""The figures of a report and their captions; and those that are drawn when they are asked for by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence

from reportkit.appearance.appearance import DEFAULT_APPEARANCE, Appearance
from reportkit.errors import DesignError
from reportkit.figures.critical_difference import critical_difference_content
from reportkit.figures.forest_content import ForestContent, ForestsContent, forest_content
from reportkit.figures.k_hat_matrix import k_hat_matrix_content
from reportkit.figures.p_values import p_value_content
from reportkit.figures.pair_matrix import pair_matrix_content
from reportkit.figures.partial_conjunction import partial_conjunction_content
from reportkit.intervals.at_the_decision import WIDENED
from reportkit.intervals.interval import TEST_BASED, Interval
from reportkit.language.counts_and_lists import counted, listed, some
from reportkit.language.metric_names import metric_in_sentence
from reportkit.language.numerals import level_text, percent_text
from reportkit.registry import Registry
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.friedman import FriedmanOutcome
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.replicability.score_matrix import friedman_of
from reportkit.report.labels import as_printed
from reportkit.report.model import Figure, Section
from reportkit.report.prose import Cite, Emphasis, Prose, prose, sentences
from reportkit.report.ranking import mean_ranks
from reportkit.report.score_format import scale_of
from reportkit.report.tables.groups import systems_in_order
from reportkit.report.tables.k_hat_table import out_of_datasets
from reportkit.report.tables.marks import correction_words
from reportkit.report.text.hypotheses import by_metric
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS

MOST_COMPARISONS_DRAWN = 4


def forests(analysis: ReplicabilityAnalysis, look: Appearance = DEFAULT_APPEARANCE) -> list[Figure]:
    """Forest plots of the comparisons that are drawn."""
    chosen = _drawn(analysis)[:1] if analysis.design == "both" else _drawn(analysis)
    ends = [analysis.decision_intervals(comparison) for comparison in chosen]
    contents = [_forest(analysis, *drawn, look) for drawn in zip(chosen, ends, strict=True)]
    if len(contents) > 1 and _fit_one_axis(contents):
        together = ForestsContent(panels=tuple(contents))
        caption = sentences(_forests_caption(analysis, together), _how_replaced(chosen, ends))
        return [Figure.of("forests", together, name="forest", caption=caption)]
    return [
        Figure.of(
            "forest",
            content,
            name=_numbered("forest", number, len(chosen)),
            caption=sentences(_forest_caption(comparison, analysis, content), _how_replaced([comparison], [intervals])),
        )
        for number, (comparison, content, intervals) in enumerate(zip(chosen, contents, ends, strict=True), start=1)
    ]


MOST_ROWS_TOGETHER = 30


def _fit_one_axis(contents: Sequence[ForestContent]) -> bool:
    """Whether forest plots can share an axis: one quantity in one unit, and not too many rows."""
    n_rows = sum(len(content.rows) + 1 for content in contents)
    return n_rows <= MOST_ROWS_TOGETHER and len({(one.quantity, one.unit) for one in contents}) == 1


def _forests_caption(family: ReplicabilityAnalysis, forests: ForestsContent) -> Prose:
    """The caption that several forest plots share."""
    contents = forests.panels
    drawn = any(row.has_interval for content in contents for row in content.rows)
    a, b = forests.shared
    between = f"{a or 'each system'} and {b or 'each baseline'}" if a or b else "the two systems named above the rows"
    winner = a or ("the system" if b else "the first")
    return sentences(
        prose(
            "{what} between {between}{by}, largest first.",
            what=_PRINTED[family.printed],
            between=between,
            by=by_metric(family.comparisons[0], family),
        ),
        prose(
            "Filled: {winner} is better (one-sided, {how}, {p} ≤ {level}).",
            winner=winner,
            how=correction_words(family),
            level=level_text(contents[0].alpha),
        ),
        prose(
            "Intervals have the adjusted level of the test: they lie above 0 exactly where {winner} is shown to be "
            "better.",
            winner=winner,
        )
        if drawn
        else (),
        prose("Thin lines: {level} intervals, not adjusted.", level=percent_text(contents[0].level))
        if contents[0].level is not None
        else (),
    )


_FLAT = 1e-6
"""Where all partial-conjunction p-values are below this, their curve lies on the axis and shows nothing."""


def curves(analysis: ReplicabilityAnalysis) -> list[Figure]:
    """Partial-conjunction p-values against u, where there are several datasets and the curve can show something.

    It cannot where all are tiny, as k-hat is the number of datasets then, and where k-hat is 0; of all pairs any one
    would be arbitrary.
    """
    if len(analysis.datasets) == 1 or analysis.design == "all-pairs":
        return []
    drawn = _drawn(analysis)[:1] if analysis.design == "baselines" else _drawn(analysis)
    telling = [item for item in drawn if item.k_hat[analysis.alpha[0]].recommended]
    return _curves_of(analysis, [item for item in telling if max(map(max, item.partial_conjunction.values())) > _FLAT])


def _curves_of(analysis: ReplicabilityAnalysis, chosen: Sequence[Comparison]) -> list[Figure]:
    return [
        Figure.of(
            "partial-conjunction",
            partial_conjunction_content(comparison, alpha=analysis.alpha),
            name=_numbered("partial-conjunction", number, len(chosen)),
            caption=sentences(
                prose(
                    "Partial-conjunction {p}-values {p_u} of the claim that {a} is better than {b}{by} on at least {u} "
                    "of {count} datasets. {k_hat} is the largest {u} up to which the curve stays at or below "
                    "{alpha}{joint}.",
                    joint="; the bound to report is that of the closed test, the others are for comparison"
                    if comparison.joint is not None
                    else "",
                    a=comparison.system_a,
                    b=comparison.system_b,
                    by=by_metric(comparison, analysis),
                    count=comparison.n_datasets,
                ),
                _why_these(analysis),
            ),
        )
        for number, comparison in enumerate(chosen, start=1)
    ]


def p_value_dots(
    analysis: ReplicabilityAnalysis, family: ReplicabilityAnalysis, *, silent: bool = True
) -> list[Figure]:
    """Sorted p-values against Holm's thresholds, where there are several datasets.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        Of one metric.
    family : ReplicabilityAnalysis
        All that was corrected together, of all metrics.
    silent : bool
        Whether those are drawn, too, on which no dataset is identified.
    """
    if len(family.datasets) == 1:
        return []
    one = family.design in ("both", "baselines")
    chosen = _drawn(analysis)[:1] if one else _drawn(analysis)
    drawn = [(item, p_value_content(family, item, alpha=family.alpha[0])) for item in chosen]
    known = [(item, content) for item, content in drawn if content is not None and (silent or content.tells)]
    return [
        Figure.of(
            "p-values",
            content,
            name=_numbered("p-values", number, len(known)),
            caption=sentences(
                prose(
                    "One-sided {p}-values of the claim that {a} is better than {b}{by} on each of {count} datasets, "
                    "smallest first, with the thresholds of Holm's method {cite}: the {i}th smallest of {m} {p}-values "
                    "is compared with {level} / ({m} − {i} + 1), up to the first that is larger.",
                    a=item.system_a,
                    b=item.system_b,
                    by=by_metric(item, family),
                    count=item.n_datasets,
                    cite=Cite(("holm1979simple",)),
                    i=(Emphasis("i"),),
                    m=f"{content.n_hypotheses:,}",
                    level=level_text(content.level),
                ),
                prose("Filled: {a} is shown to be better at {alpha} = {level}.", a=item.system_a, level=_level(family)),
                _why_these(family),
            ),
        )
        for number, (item, content) in enumerate(known, start=1)
    ]


def _level(family: ReplicabilityAnalysis) -> str:
    both = ", half of it for each direction" if family.design == "both" else ""
    return level_text(family.alpha[0]) + both


def critical_difference_figure(outcome: FriedmanOutcome) -> Figure:
    """Average ranks and the groups that the follow-ups of Friedman's test do not tell apart.

    Raises
    ------
    DesignError
        If there are too many groups for a diagram.
    """
    least, pairs = 2.0 ** (1 - outcome.n_datasets), len(outcome.pairs)
    if least * pairs > outcome.alpha:
        raise DesignError(
            f"{outcome.n_datasets} datasets cannot separate {outcome.n_systems} systems: one bar would join them all",
            where=f"the smallest p-value over {outcome.n_datasets} datasets is {least:.2g}, and with {pairs} pairs "
            f"{outcome.alpha / pairs:.2g} would be needed",
            remedy="compare fewer systems, or more datasets",
        )
    content = critical_difference_content(outcome)
    return Figure.of(
        "critical-difference",
        content,
        name="critical-difference",
        caption=sentences(
            prose(
                "Average ranks of {systems} on {datasets}, the best on the left. The diagram is about a typical "
                "dataset: it does not say on which of these, or on how many, a system is better.",
                systems=counted(outcome.n_systems, "system"),
                datasets=counted(outcome.n_datasets, "dataset"),
            ),
            prose(
                "A bar joins the systems with a dot on it: no test separates two of these ({test} over the datasets, "
                "Holm-adjusted over {pairs}, {alpha} = {level}), which does not mean that they are equal.",
                test=SIGNIFICANCE_TESTS[outcome.follow_up].title,
                pairs=counted(len(outcome.pairs), "pair"),
                level=level_text(outcome.alpha),
            ),
        ),
    )


def pair_matrix_figure(family: ReplicabilityAnalysis, look: Appearance = DEFAULT_APPEARANCE) -> Figure:
    """Differences of all pairs on one dataset, as a figure."""
    content = pair_matrix_content(family.comparisons, alpha=family.alpha, order=systems_in_order(family, look))
    unit = f" ({content.unit})" if content.unit else ""
    return Figure.of(
        "pair-matrix",
        content,
        name="pair-matrix",
        caption=prose(
            "{quantity}{unit} on {dataset}: positive where the system in the row is better than the one in the column. "
            "Shaded: shown to be better ({how}, {alpha} = {levels}); no shade does not mean equal.",
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


def matrix_figure(family: ReplicabilityAnalysis, look: Appearance = DEFAULT_APPEARANCE) -> Figure:
    """k-hat of all pairs of many systems, as a figure."""
    alpha = family.alpha[0]
    return Figure.of(
        "k-hat-matrix",
        k_hat_matrix_content(family.comparisons, alpha=alpha, order=systems_in_order(family, look)),
        name="k-hat-matrix",
        caption=prose(
            "Number of datasets, {out_of}, on which the system in the row is better than the one in the column. Lower "
            "bounds {k_hat} that hold together with {confidence} confidence {cite}. A blank does not mean equal.",
            out_of=out_of_datasets(family),
            confidence=percent_text(1 - alpha),
            cite=Cite(("dror2017replicability", "goeman2011multiple")),
        ),
    )


def _drawn(analysis: ReplicabilityAnalysis) -> tuple[Comparison, ...]:
    """All comparisons if they are few; else that of the two systems with the best ranks on average."""
    if analysis.design != "all-pairs" and analysis.n_claims <= MOST_COMPARISONS_DRAWN:
        return tuple(analysis.comparisons)
    ranks = mean_ranks(analysis)
    return (min(analysis.comparisons, key=lambda item: (ranks[item.system_a], ranks[item.system_b])),)


def _numbered(name: str, number: int, of: int) -> str:
    return name if of == 1 else f"{name}-{number}"


def _why_these(family: ReplicabilityAnalysis) -> Prose:
    if family.design == "all-pairs":
        return prose("These are the two best-ranked systems; {p}-values are adjusted for all pairs.")
    return ()


_REPLACED = {
    WIDENED: "On {names} the data cannot bound the difference at this level: the usual interval is widened by the "
    "normal approximation.",
    TEST_BASED: "On {names} one end is test-based, to agree with the {p}-value.",
}
"""Part of the title of an interval, and what a caption says of it."""


def _how_replaced(chosen: Sequence[Comparison], ends: Sequence[Sequence[Interval | None]]) -> Prose:
    """On which datasets the interval that is drawn is not of the usual kind."""
    said = []
    for part, words in _REPLACED.items():
        names = [
            dataset
            for comparison, intervals in zip(chosen, ends, strict=True)
            for dataset, interval in zip(comparison.datasets, intervals, strict=True)
            if interval is not None and part in interval.title
        ]
        said.append(prose(words, names=some(list(dict.fromkeys(names)))) if names else ())
    return sentences(*said)


def _forest(
    analysis: ReplicabilityAnalysis, comparison: Comparison, intervals: Sequence[Interval | None], look: Appearance
) -> ForestContent:
    scale = scale_of(analysis)
    key = comparison.system_b, comparison.system_a, comparison.metric
    content = forest_content(
        comparison,
        alpha=analysis.alpha[0],
        intervals=intervals,
        opposite=next(
            (item for item in analysis.comparisons if (item.system_a, item.system_b, item.metric) == key), None
        ),
        decimals={name: scale.on(name).decimals for name in comparison.datasets},
        plain_intervals=look.plain_intervals,
    )
    metric = comparison.metric
    if metric in analysis.labels.values() or not content.quantity.endswith(f" in {metric}"):
        return content
    return dataclasses.replace(content, quantity=f"difference in {metric_in_sentence(metric)}")


_PRINTED = {True: "Printed difference", False: "Difference"}


def _forest_caption(comparison: Comparison, family: ReplicabilityAnalysis, content: ForestContent) -> Prose:
    fields = {"a": comparison.system_a, "b": comparison.system_b}
    drawn = any(row.has_interval for row in content.rows)
    opposite = any(row.mark == "opposite" for row in content.rows)
    return sentences(
        prose("Difference between {a} and {b}{by}, largest first.", by=by_metric(comparison, family), **fields)
        if drawn
        else prose("{what} between {a} and {b}, largest first.", what=_PRINTED[family.printed], **fields),
        prose(
            "Filled: {a} is better (one-sided, {how}, {p} ≤ {level}).",
            a=comparison.system_a,
            how=correction_words(family),
            level=level_text(content.alpha),
        ),
        prose("Filled square: {b} is better, by the same tests.", b=comparison.system_b) if opposite else (),
        prose(
            "Intervals have the adjusted level of the test: they lie above 0 exactly where {a} is shown to be better.",
            a=comparison.system_a,
        )
        if drawn
        else (),
        prose("Thin lines: {level} intervals, not adjusted.", level=percent_text(content.level))
        if content.level is not None
        else (),
        _why_these(family),
    )


def all_pairs_figure(analysis: ReplicabilityAnalysis, look: Appearance = DEFAULT_APPEARANCE) -> Figure:
    """Matrix of all pairs: k-hat over several datasets, differences on one; of the primary metric.

    Raises
    ------
    DesignError
        If one pair of systems was compared, or claims that have nothing to do with each other.
    """
    family = analysis.parts[0]
    if family.design not in ("all-pairs", "baselines"):
        raise DesignError(
            "a matrix of all pairs needs more than one pair of systems",
            where=", ".join(f"{a} > {b}" for a, b in family.pairs[:3]),
            remedy="compare all systems, .compare() without names, or all with a baseline, .compare(baseline=...)",
        )
    return matrix_figure(family, look) if len(family.datasets) > 1 else pair_matrix_figure(family, look)


def critical_difference(analysis: ReplicabilityAnalysis, look: Appearance = DEFAULT_APPEARANCE) -> Figure:
    """Critical-difference diagram of the mean scores by dataset, of the primary metric."""
    return critical_difference_figure(analysis.friedman_outcome or friedman_of(analysis.parts[0]))


def p_values(analysis: ReplicabilityAnalysis, look: Appearance = DEFAULT_APPEARANCE) -> Figure:
    """Sorted p-values of one comparison with Holm's thresholds, of the primary metric.

    Raises
    ------
    DesignError
        If there is one dataset, or another correction.
    """
    figures = p_value_dots(analysis.parts[0], analysis)
    if not figures:
        raise DesignError(
            "a plot of p-values with Holm's thresholds needs several datasets, and Holm's procedure: no closed testing "
            "over independent datasets, no gatekeeping",
            where=", ".join(analysis.datasets[:3]),
            remedy="see .outcomes, which has every p-value, adjusted and not",
        )
    return figures[0]


def partial_conjunction(analysis: ReplicabilityAnalysis, look: Appearance = DEFAULT_APPEARANCE) -> Figure:
    """Partial-conjunction p-values of one comparison, of the primary metric, also where a report leaves them out.

    Raises
    ------
    DesignError
        If there is one dataset.
    """
    part = analysis.parts[0]
    if len(part.datasets) == 1:
        raise DesignError(
            "a curve over the number of datasets needs several, and there is one",
            where=part.datasets[0],
            remedy="see .outcomes",
        )
    return _curves_of(part, _drawn(part)[:1])[0]


REQUESTED: Registry[Callable[[ReplicabilityAnalysis, Appearance], Figure]] = Registry("figure")
REQUESTED.register("all-pairs", all_pairs_figure)
REQUESTED.register("critical-difference", critical_difference)
REQUESTED.register("p-values", p_values)
REQUESTED.register("partial-conjunction", partial_conjunction)


def requested_figure(analysis: ReplicabilityAnalysis, look: Appearance, name: str) -> Figure:
    """One of the figures that are drawn on request, for the venue and with the labels of an appearance.

    Raises
    ------
    UnknownNameError
        If there is no such figure.
    DesignError
        If the analysis does not allow it.
    """
    shown, inside = as_printed(analysis, look)
    return dataclasses.replace(REQUESTED[name](shown, inside), name=name, venue=look.venue, widths=look.widths)
