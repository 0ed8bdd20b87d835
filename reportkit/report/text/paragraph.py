"""The recommended-practice paragraph: the statements on an analysis, in the order in which a referee asks for them."""

from __future__ import annotations

from reportkit.appearance.appearance import Length
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.model import Signature
from reportkit.report.prose import Prose, prose, sentences
from reportkit.report.score_format import ScoreScale
from reportkit.report.text.across_wording import across_datasets, across_paragraph
from reportkit.report.text.caveats_wording import SAID_BY_PAIRING, caveats_in_brief
from reportkit.report.text.correction_wording import how_counted
from reportkit.report.text.correlation_wording import what_is_correlated
from reportkit.report.text.full_paragraph import full_paragraph
from reportkit.report.text.limits_wording import what_is_not_claimed
from reportkit.report.text.metrics_paragraph import how_metrics_are_corrected, metrics_asked, which_tests_by_metric
from reportkit.report.text.missing_wording import left_out_sentence, missing_sentence
from reportkit.report.text.results_wording import results_of
from reportkit.report.text.short_paragraph import short_paragraph
from reportkit.report.text.significance_wording import which_tests
from reportkit.report.text.unpaired_wording import pairing_sentence
from reportkit.report.text.wording import null_in_brief, what_is_compared


def recommended_paragraph(
    analysis: ReplicabilityAnalysis,
    scale: ScoreScale,
    length: Length = "standard",
    signature: Signature | None = None,
) -> Prose:
    """Goal, hypotheses, test and assumptions, correction, result, effect size, limits.

    Follows the recommendations of Sadat Azer et al. (2020, section 4) and the framework of Dror et al. (2017, section
    4): counting by partial conjunction, identification by Holm's procedure.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        Of any design.
    scale : ScoreScale
        How differences are written.
    length : {"short", "standard", "full"}
        `short`: three or four sentences for a section of results; `full`: with every assumption, mismatch and limit,
        for an appendix.
    signature : Signature, optional
        What the full length says about the software; without it, nothing.

    Returns
    -------
    Prose
        One paragraph.
    """
    if length == "short":
        return short_paragraph(analysis, scale)
    profile = _profile(analysis)
    if length == "full":
        return full_paragraph(analysis, scale, profile, signature)
    family, settings = analysis.family, analysis.settings
    if across_datasets(family):
        return across_paragraph(
            family,
            scale,
            sentences(missing_sentence(family, settings), left_out_sentence(analysis), caveats_in_brief(family)),
        )
    return sentences(
        metrics_asked(family) if family.several_metrics else what_is_compared(family),
        null_in_brief(family),
        what_is_correlated(family),
        which_tests_by_metric(family) if family.several_metrics else which_tests(family),
        pairing_sentence(family),
        profile,
        missing_sentence(family, settings),
        left_out_sentence(analysis),
        how_metrics_are_corrected(family) if family.several_metrics else how_counted(family),
        results_of(analysis, scale),
        () if analysis.printed else caveats_in_brief(family, said=SAID_BY_PAIRING),
        what_is_not_claimed(family),
    )


def _profile(analysis: ReplicabilityAnalysis) -> Prose:
    settings = analysis.settings
    if settings.profile == "dror2017" and settings.test is None and not analysis.printed:
        return prose("The choice of tests is that of Dror et al. (2017).")
    return ()
