"""The paragraph for a paper, in three lengths.

Short, about sixty words beside the main table; standard, at most some 120, for a section on evaluation; and in full,
under headings, for an appendix. Follows the recommendations of Sadat Azer et al. (2020, section 4) and the framework of
Dror et al. (2017, section 4). What decides whether a result may be believed stands in every length.
"""

from __future__ import annotations

from reportkit.appearance import Length
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.model import Signature
from reportkit.report.prose import Code, Prose, Strong, prose, sentences
from reportkit.report.score_format import ScoreScale
from reportkit.report.text.caveats import SAID_BY_PAIRING, caveats_in_brief, mismatches_in_words
from reportkit.report.text.correction import correction_in_brief, how_counted, said_with_the_tests
from reportkit.report.text.effects import range_sentence
from reportkit.report.text.hypotheses import hypotheses_in_words, sided_in_brief, what_is_compared
from reportkit.report.text.limits import how_far, limits_in_full, what_is_not_shown
from reportkit.report.text.metrics import (
    how_metrics_are_corrected,
    metric_by_dataset,
    metrics_asked,
    which_tests_by_metric,
)
from reportkit.report.text.missing import left_out_sentence, missing_sentence
from reportkit.report.text.results import results_in_full
from reportkit.report.text.shapes import pairing_in_brief, pairing_sentence, what_is_correlated
from reportkit.report.text.significance import as_the_paper_prints, names_of_tests, which_tests
from reportkit.report.text.systems_words import MOST_SYSTEMS
from reportkit.report.text.verdict import verdict_in_words, what_is_possible
from reportkit.report.verdict import verdict_of


def recommended_paragraph(
    analysis: ReplicabilityAnalysis,
    scale: ScoreScale,
    length: Length = "standard",
    signature: Signature | None = None,
) -> Prose:
    """Put an analysis into words for a paper.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        Of any design.
    scale : ScoreScale
        How differences are written.
    length : {"short", "standard", "full"}
        See the top of this module.
    signature : Signature, optional
        What the full length says about the software; without it, nothing.

    Returns
    -------
    Prose
        One paragraph.
    """
    if length == "full":
        return full_paragraph(analysis, scale, signature)
    return short_paragraph(analysis) if length == "short" else standard_paragraph(analysis, scale)


def short_paragraph(analysis: ReplicabilityAnalysis) -> Prose:
    """The verdict; tests, correction and level; caveats."""
    words = verdict_in_words(analysis, brief=True)
    return sentences(
        *words.results,
        metric_by_dataset(analysis),
        how_tested_in_brief(analysis),
        left_out_sentence(analysis),
        *words.notes,
    )


def standard_paragraph(analysis: ReplicabilityAnalysis, scale: ScoreScale) -> Prose:
    """Question, tests, correction, results, caveats; range of the differences and limits where they leave room."""
    one_test = said_with_the_tests(analysis)
    missing = sentences(missing_sentence(analysis, analysis.settings, brief=True), left_out_sentence(analysis))
    caveats = () if analysis.printed else caveats_in_brief(analysis, said=SAID_BY_PAIRING)
    pairing = pairing_in_brief(analysis)
    measured = verdict_of(analysis)[0].claims[0].mean_difference is not None
    wordy = analysis.printed or analysis.several_metrics
    crowded = len({name for pair in analysis.pairs for name in pair}) > MOST_SYSTEMS
    spread = () if missing or (measured and (caveats or pairing)) else range_sentence(analysis, scale)
    one_interval = bool(spread) and len(analysis.datasets) == 1 and analysis.one_claim
    return sentences(
        metrics_asked(analysis) if analysis.several_metrics else what_is_compared(analysis),
        metric_by_dataset(analysis),
        what_is_correlated(analysis),
        how_tested_in_brief(analysis, correction=one_test),
        () if one_test else correction_in_brief(analysis),
        missing,
        *verdict_in_words(analysis, brief=True).results,
        spread,
        () if missing or one_interval else what_is_possible(analysis),
        pairing,
        caveats,
        () if wordy else what_is_not_shown(analysis),
        () if wordy or crowded else how_far(analysis, brief=True),
    )


def how_tested_in_brief(analysis: ReplicabilityAnalysis, *, correction: bool = True) -> Prose:
    """Tests, in which direction, and, unless it is said elsewhere, how they are corrected at which level."""
    if analysis.printed:
        return as_the_paper_prints(analysis.comparisons[0].n_datasets, analysis.settings.printed_reading)
    tests = names_of_tests(analysis.kinds)
    if not tests:
        return prose("All scores are identical, so {p} = 1.")
    several = len(analysis.datasets) > 1
    return prose(
        "{where} use {tests}, {sided}{corrected}.",
        where="On each dataset we" if several else "We",
        tests=tests,
        sided=sided_in_brief(analysis),
        corrected=correction_in_brief(analysis, clause=True) if correction else "",
    )


def full_paragraph(analysis: ReplicabilityAnalysis, scale: ScoreScale, signature: Signature | None = None) -> Prose:
    """Hypotheses, tests, assumptions and mismatches, correction, results, limits, software."""
    settings = analysis.settings
    parts = {
        "Hypotheses": sentences(
            metrics_asked(analysis) if analysis.several_metrics else what_is_compared(analysis),
            metric_by_dataset(analysis),
            what_is_correlated(analysis),
            hypotheses_in_words(analysis),
        ),
        "Tests": sentences(
            _tests_in_full(analysis),
            pairing_sentence(analysis),
            _profile(analysis),
            missing_sentence(analysis, settings),
            left_out_sentence(analysis),
        ),
        "Checks": () if analysis.printed else mismatches_in_words(analysis),
        "Correction": how_metrics_are_corrected(analysis) if analysis.several_metrics else how_counted(analysis),
        "Results": results_in_full(analysis, scale),
        "Limits": limits_in_full(analysis, settings),
        "Software": software_sentence(signature),
    }
    told = {head: words for head, words in parts.items() if words}
    return sentences(*(prose("{head}. {words}", head=Strong(head), words=words) for head, words in told.items()))


def _tests_in_full(analysis: ReplicabilityAnalysis) -> Prose:
    """Which tests, why, under which assumptions; or that a paper prints their p-values."""
    if analysis.printed:
        return as_the_paper_prints(analysis.comparisons[0].n_datasets, analysis.settings.printed_reading)
    return which_tests_by_metric(analysis) if analysis.several_metrics else which_tests(analysis)


def software_sentence(signature: Signature | None) -> Prose:
    """Version and signature, with which everything can be computed again."""
    if signature is None:
        return ()
    tokens = sentences(*((Code(token),) for token in signature.line.split("|")))
    return prose(
        "All numbers were computed with reportkit {version} ({tokens}).", version=signature.version, tokens=tokens
    )


def _profile(analysis: ReplicabilityAnalysis) -> Prose:
    settings = analysis.settings
    if settings.profile == "dror2017" and settings.test is None and not analysis.printed:
        return prose("We choose the tests of Dror et al. (2017).")
    return ()
