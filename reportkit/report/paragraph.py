"""The recommended-practice paragraph: the statements of `wording`, in the order in which a referee asks for them."""

from __future__ import annotations

from reportkit.numerals import level_text
from reportkit.phrases import counted, listed
from reportkit.replicability.analysis import ReplicabilityAnalysis
from reportkit.replicability.family import Family
from reportkit.report.prose import Prose, prose, sentences
from reportkit.report.reproduction_wording import printed_claims_in_words
from reportkit.report.scores import ScoreScale
from reportkit.report.wording import (
    count_sentence,
    effect_sentence,
    how_counted,
    identify_sentence,
    missing_sentence,
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
    profile = (
        prose("The tests are those of Dror et al. (2017).")
        if settings.profile == "dror2017" and settings.test is None and not analysis.printed
        else ()
    )
    return sentences(
        what_is_compared(family, settings),
        which_tests(family),
        profile,
        missing_sentence(family, settings),
        how_counted(family),
        sentences(*printed_claims_in_words(analysis)) if analysis.printed else results_in_words(family, scale),
        what_is_not_claimed(family),
    )


def results_in_words(family: Family, scale: ScoreScale) -> Prose:
    """k-hat, names and effect sizes; a digest where there are many comparisons."""
    alpha = family.alpha[0]
    if family.one_claim:
        parts: list[Prose] = []
        for comparison in family.comparisons:
            parts.append(count_sentence(comparison, alpha, family.audit))
            if comparison.k_hat[alpha].bonferroni or comparison.k_hat[alpha].recommended:
                parts.append(identify_sentence(comparison, alpha, family))
            if comparison.n_datasets > 1:
                parts.append(naive_count(comparison, alpha, family))
        parts.append(effect_sentence(family.comparisons[0], scale))
        return sentences(*parts)
    if family.design in ("baselines", "separate") and family.n_claims <= MOST_COMPARISONS_IN_WORDS:
        return sentences(
            *(
                sentences(
                    count_sentence(item, alpha, family.audit),
                    identify_sentence(item, alpha, family) if item.k_hat[alpha].recommended else (),
                )
                for item in family.comparisons
            )
        )
    return digest_sentence(family, alpha)


def digest_sentence(family: Family, alpha: float) -> Prose:
    """How many of many comparisons are supported, and which systems nobody beats."""
    shown = [item for item in family.comparisons if item.k_hat[alpha].recommended > 0]
    everywhere = sum(item.k_hat[alpha].recommended == item.n_datasets for item in shown)
    n = len(family.datasets)
    return sentences(
        prose(
            "At level {level}, {shown} of {claims} {are} supported on at least one dataset ({k_hat} ≥ 1){everywhere}.",
            level=level_text(alpha),
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
    return prose("No system is shown to be better than {others} on any dataset.", others=listed(others, last="or"))
