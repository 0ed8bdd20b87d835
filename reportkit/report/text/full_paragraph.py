"""The paragraph in full, for an appendix: every statement that a referee may ask for, under run-in headings."""

from __future__ import annotations

from reportkit.replicability.family import Family
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.model import Signature
from reportkit.report.prose import Code, Prose, Strong, prose, sentences
from reportkit.report.score_format import ScoreScale
from reportkit.report.text.across_wording import (
    across_datasets,
    asked_across,
    how_tested_across,
    limits_across,
    results_across,
)
from reportkit.report.text.correction_wording import how_counted
from reportkit.report.text.correlation_wording import what_is_correlated
from reportkit.report.text.effects_wording import what_intervals_are
from reportkit.report.text.hypotheses_wording import hypotheses_in_words
from reportkit.report.text.limits_wording import limits_in_full, practical_relevance
from reportkit.report.text.metrics_paragraph import how_metrics_are_corrected, metrics_asked, which_tests_by_metric
from reportkit.report.text.mismatch_wording import mismatches_in_words
from reportkit.report.text.missing_wording import left_out_sentence, missing_sentence
from reportkit.report.text.results_wording import results_of
from reportkit.report.text.significance_wording import which_tests
from reportkit.report.text.unpaired_wording import pairing_sentence
from reportkit.report.text.wording import what_is_compared
from reportkit.significance.outcome import Assessment


def full_paragraph(
    analysis: ReplicabilityAnalysis, scale: ScoreScale, profile: Prose = (), signature: Signature | None = None
) -> Prose:
    """Hypotheses, tests, assumptions and mismatches, correction, results, limits, software."""
    family = analysis.family
    parts = _across(analysis, scale) if across_datasets(family) else _by_dataset(analysis, scale, profile)
    parts["Software"] = software_sentence(signature)
    told = {head: words for head, words in parts.items() if words}
    return sentences(*(prose("{head}. {words}", head=Strong(head), words=words) for head, words in told.items()))


def _by_dataset(analysis: ReplicabilityAnalysis, scale: ScoreScale, profile: Prose) -> dict[str, Prose]:
    family, settings = analysis.family, analysis.settings
    return {
        "Hypotheses": sentences(
            metrics_asked(family) if family.several_metrics else what_is_compared(family),
            what_is_correlated(family),
            hypotheses_in_words(family),
        ),
        "Tests": sentences(
            which_tests_by_metric(family) if family.several_metrics else which_tests(family),
            pairing_sentence(family),
            profile,
            missing_sentence(family, settings),
            left_out_sentence(analysis),
        ),
        "Checks": () if analysis.printed else mismatches_in_words(family),
        "Correction": how_metrics_are_corrected(family) if family.several_metrics else how_counted(family),
        "Results": sentences(results_of(analysis, scale, full=True), what_intervals_are(_shown(family), family)),
        "Limits": limits_in_full(family, settings),
    }


def _across(analysis: ReplicabilityAnalysis, scale: ScoreScale) -> dict[str, Prose]:
    family = analysis.family
    return {
        "Hypotheses": asked_across(family, alternative=True),
        "Tests": sentences(
            how_tested_across(family), missing_sentence(family, analysis.settings), left_out_sentence(analysis)
        ),
        "Checks": mismatches_in_words(family),
        "Results": sentences(
            results_across(family, scale),
            what_intervals_are(_shown(family), family) if family.design != "all-pairs" else (),
        ),
        "Limits": sentences(limits_across(family), practical_relevance(family, analysis.settings)),
    }


def software_sentence(signature: Signature | None) -> Prose:
    """Version and signature, with which everything can be computed again."""
    if signature is None:
        return ()
    tokens = sentences(*((Code(token),) for token in signature.line.split("|")))
    return prose(
        "All numbers were computed with reportkit {version} ({tokens}).", version=signature.version, tokens=tokens
    )


def _shown(family: Family) -> list[Assessment]:
    """Assessments whose intervals the results give: of a claim once, though it is tested in both directions."""
    shown = family.comparisons
    if family.design == "both":
        shown = tuple(family.of_metric(metric).comparisons[0] for metric in family.metrics_here)
    return [item for comparison in shown for item in comparison.assessments]
