"""The figures of a report: which comparisons are drawn, and what their captions say."""

from __future__ import annotations

from functools import partial

from reportkit.figures.forest import forest, forest_alt_text
from reportkit.figures.k_hat_matrix import k_hat_matrix, k_hat_matrix_alt_text
from reportkit.figures.partial_conjunction import partial_conjunction_alt_text, partial_conjunction_curve
from reportkit.numerals import level_text, percent_text
from reportkit.phrases import listed
from reportkit.replicability.analysis import ReplicabilityAnalysis
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import Family
from reportkit.report.marks import correction_words
from reportkit.report.model import Figure
from reportkit.report.prose import Cite, Prose, prose, sentences
from reportkit.report.wording import by_metric

MOST_COMPARISONS_DRAWN = 4


def forests(analysis: ReplicabilityAnalysis) -> list[Figure]:
    """Forest plots of the comparisons that are drawn."""
    family = analysis.family
    alpha = family.alpha[0]
    chosen = _drawn(analysis)[:1] if family.design == "both" else _drawn(analysis)
    return [
        Figure(
            name=_numbered("forest", number, len(chosen)),
            caption=_forest_caption(comparison, family, alpha),
            alt_text=forest_alt_text(comparison, alpha=alpha),
            draw=partial(forest, comparison, alpha=alpha),
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
        Figure(
            name=_numbered("partial-conjunction", number, len(chosen)),
            caption=sentences(
                prose(
                    "Partial-conjunction p-values {p_u} of the claim that {a} is better than {b}{by} on at least {u} "
                    "of {count} datasets. {k_hat} is the largest {u} up to which the curve stays at or below {alpha}.",
                    a=comparison.system_a,
                    b=comparison.system_b,
                    by=by_metric(comparison, family),
                    count=comparison.n_datasets,
                ),
                _why_these(family),
            ),
            alt_text=partial_conjunction_alt_text(comparison, alpha=family.alpha),
            draw=partial(partial_conjunction_curve, comparison, alpha=family.alpha),
        )
        for number, comparison in enumerate(chosen, start=1)
    ]


def matrix_figure(family: Family) -> Figure:
    """k-hat of all pairs of many systems, as a figure."""
    alpha = family.alpha[0]
    return Figure(
        name="k-hat-matrix",
        caption=prose(
            "Lower bound {k_hat} for the number of datasets, out of {count}, on which the system of the row is better "
            "than that of the column; all bounds together with confidence 1 − {alpha}, {alpha} = {level} {cite}. A 0 "
            "is no evidence of equality.",
            count=len(family.datasets),
            level=level_text(alpha),
            cite=Cite(("dror2017replicability", "goeman2011multiple")),
        ),
        alt_text=k_hat_matrix_alt_text(family.comparisons, alpha=alpha),
        draw=partial(k_hat_matrix, family.comparisons, alpha=alpha),
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
            "Difference between {a} and {b}{by} with {level} intervals ({titles}), not adjusted for the number of "
            "datasets.",
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
            "Filled: {a} identified as better ({how}, {p} ≤ {level}).",
            a=comparison.system_a,
            how=correction_words(family),
            level=level_text(alpha),
        ),
        _why_these(family),
    )
