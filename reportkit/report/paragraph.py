"""The recommended-practice paragraph: the statements of `wording`, in the order in which a referee asks for them."""

from __future__ import annotations

from reportkit.numerals import level_text
from reportkit.phrases import counted, listed
from reportkit.replicability.analysis import ReplicabilityAnalysis
from reportkit.replicability.family import Family
from reportkit.report.across_wording import across_datasets, across_paragraph, digest_across
from reportkit.report.correlation_wording import what_is_correlated
from reportkit.report.metrics_paragraph import (
    how_metrics_are_corrected,
    metrics_asked,
    not_tested,
    which_tests_by_metric,
)
from reportkit.report.missing_wording import missing_sentence
from reportkit.report.prose import Prose, prose, sentences
from reportkit.report.reproduction_wording import printed_claims_in_words
from reportkit.report.scores import ScoreScale, scale_for
from reportkit.report.unpaired_wording import pairing_sentence
from reportkit.report.wording import (
    by_metric,
    count_sentence,
    effect_sentence,
    how_counted,
    identify_sentence,
    naive_count,
    what_is_compared,
    what_is_not_claimed,
    which_tests,
)

MOST_COMPARISONS_IN_WORDS = 6


def recommended_paragraph(analysis: ReplicabilityAnalysis, scale: ScoreScale) -> Prose:
    """Goal, hypotheses, test and assumptions, correction, result, effect size, limits.

    Follows the recommendations of Sadat Azer et al. (2020, section 4) and the framework of Dror et al. (2017, section
    4): counting by partial conjunction, identification by Holm's procedure.
    """
    family, settings = analysis.family, analysis.settings
    if across_datasets(family):
        return across_paragraph(family, scale, missing_sentence(family, settings))
    profile = (
        prose("The tests are those of Dror et al. (2017).")
        if settings.profile == "dror2017" and settings.test is None and not analysis.printed
        else ()
    )
    return sentences(
        metrics_asked(family, settings) if family.several_metrics else what_is_compared(family, settings),
        what_is_correlated(family),
        which_tests_by_metric(family) if family.several_metrics else which_tests(family),
        pairing_sentence(family),
        profile,
        missing_sentence(family, settings),
        how_metrics_are_corrected(family) if family.several_metrics else how_counted(family),
        _results(analysis, scale),
        what_is_not_claimed(family),
    )


def _results(analysis: ReplicabilityAnalysis, scale: ScoreScale) -> Prose:
    if analysis.printed:
        return sentences(*printed_claims_in_words(analysis))
    if not analysis.family.several_metrics:
        return results_in_words(analysis.family, scale)
    found = []
    for part in analysis.parts:
        family = part.family
        words = not_tested(analysis.family, family.comparisons[0].metric, family.alpha[0]) or results_in_words(
            family, scale_for(i for item in family.comparisons for i in item.assessments)
        )
        found.append(sentences(prose("Exploratory:"), words) if family.comparisons[0].exploratory else words)
    return sentences(*found)


def results_in_words(family: Family, scale: ScoreScale) -> Prose:
    """k-hat, names and effect sizes; a digest where there are many comparisons."""
    alpha = family.alpha[0]
    if family.one_claim:
        parts: list[Prose] = []
        for comparison in family.comparisons:
            parts.append(count_sentence(comparison, alpha, family))
            k = comparison.k_hat[alpha]
            if (k.bonferroni or k.recommended) and not comparison.exploratory:
                parts.append(identify_sentence(comparison, alpha, family))
            if comparison.n_datasets > 1 and comparison.metric == family.metrics[0]:
                parts.append(naive_count(comparison, alpha, family))
        parts.append(effect_sentence(family.comparisons[0], scale, by_metric(family.comparisons[0], family)))
        return sentences(*parts)
    if family.design in ("baselines", "separate") and family.n_claims <= MOST_COMPARISONS_IN_WORDS:
        return sentences(
            *(
                sentences(
                    count_sentence(item, alpha, family),
                    identify_sentence(item, alpha, family)
                    if item.k_hat[alpha].recommended and not item.exploratory
                    else (),
                )
                for item in family.comparisons
            )
        )
    return digest_sentence(family, alpha)


def digest_sentence(family: Family, alpha: float) -> Prose:
    """How many of many comparisons are supported, and which systems nobody beats."""
    if across_datasets(family):
        return digest_across(family, alpha)
    shown = [item for item in family.comparisons if item.k_hat[alpha].recommended > 0]
    everywhere = sum(item.k_hat[alpha].recommended == item.n_datasets for item in shown)
    n = len(family.datasets)
    return sentences(
        prose(
            "At level {level}, {shown} of {claims} {are} supported{by} on at least one dataset ({k_hat} ≥ 1)"
            "{everywhere}.",
            level=level_text(alpha),
            by=by_metric(family.comparisons[0], family),
            shown=len(shown),
            claims=counted(family.n_claims, "ordered pair" if family.design == "all-pairs" else "claim"),
            are="is" if len(shown) == 1 else "are",
            everywhere=""
            if n == 1 or not shown
            else f", {everywhere or 'none'} of them on {'both' if n == 2 else f'all {n}'} datasets",
        ),
        _unbeaten(family, alpha) if family.design == "all-pairs" else (),
    )


def _unbeaten(family: Family, alpha: float) -> Prose:
    beaten = {item.system_b for item in family.comparisons if item.k_hat[alpha].recommended > 0}
    systems = tuple(dict.fromkeys(item.system_a for item in family.comparisons))
    others = [name for name in systems if name not in beaten]
    if not others or len(others) > MOST_COMPARISONS_IN_WORDS:
        return ()
    return prose(
        "No system is shown to be better than {others}{by} on any dataset.",
        others=listed(others, last="or"),
        by=by_metric(family.comparisons[0], family),
    )
