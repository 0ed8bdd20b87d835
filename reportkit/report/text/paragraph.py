"""The recommended-practice paragraph: the statements on an analysis, in the order in which a referee asks for them.

Short, in three or four sentences for a section of results; standard; and in full, for an appendix, under headings.
"""

from __future__ import annotations

from reportkit.appearance.appearance import Length
from reportkit.language.counts_and_lists import spanned
from reportkit.language.numerals import level_text
from reportkit.replicability.family import Family
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.model import Signature
from reportkit.report.prose import Cite, Code, Inline, Prose, Strong, prose, sentences
from reportkit.report.score_format import ScoreScale, scale_for
from reportkit.report.text.across import (
    across_in_brief,
    across_paragraph,
    asked_across,
    how_tested_across,
    limits_across,
    results_across,
)
from reportkit.report.text.caveats import SAID_BY_PAIRING, caveats_in_brief, mismatches_in_words
from reportkit.report.text.correction import how_counted, what_is_corrected
from reportkit.report.text.effects import effect_sentence, what_intervals_are
from reportkit.report.text.hypotheses import hypotheses_in_words, null_in_brief, sided_in_brief, what_is_compared
from reportkit.report.text.limits import limits_in_brief, limits_in_full, practical_relevance, what_is_not_claimed
from reportkit.report.text.metrics import how_metrics_are_corrected, metrics_asked, which_tests_by_metric
from reportkit.report.text.missing import left_out_sentence, missing_sentence
from reportkit.report.text.reproduction import printed_claims_in_words
from reportkit.report.text.results import results_in_brief, results_of
from reportkit.report.text.shapes import pairing_sentence, sizes_of, what_is_correlated
from reportkit.report.text.significance import as_the_paper_prints, names_of_tests, which_tests
from reportkit.significance.outcome import Assessment


def short_paragraph(analysis: ReplicabilityAnalysis, scale: ScoreScale) -> Prose:
    """Count and names; tests, correction and level; effect; limits."""
    family = analysis.family
    if family.across_datasets:
        return sentences(across_in_brief(family, scale), left_out_sentence(analysis), caveats_in_brief(family))
    if analysis.printed:
        return sentences(
            *printed_claims_in_words(analysis),
            as_the_paper_prints(family.comparisons[0].n_datasets, analysis.settings.printed_reading),
            what_is_not_claimed(family),
        )
    return sentences(
        *(results_in_brief(family, part.family) for part in analysis.parts),
        how_tested_in_brief(family),
        left_out_sentence(analysis),
        effect_sentence(family.comparisons[0], _primary_scale(family, scale), family) if family.one_claim else (),
        caveats_in_brief(family),
        limits_in_brief(family),
    )


def how_tested_in_brief(family: Family) -> Prose:
    """Tests, how many instances, sidedness, correction and level in one sentence."""
    items = family.assessments
    sizes = [n for item in items for n in sizes_of(item)]
    units = {item.unit for item in items}
    several = len(family.datasets) > 1
    tests = names_of_tests(items)
    if not tests:
        return prose("The scores are identical; {p} is set to 1.")
    n = spanned(sizes, units.pop() if len(units) == 1 else "instance") if sizes else ""
    return prose(
        "{we} use {tests}{n}, {sided}{correction}.",
        we=f"On each dataset{f' ({n})' if n else ''} we" if several else "We",
        tests=tests,
        n=f" on {n}" if n and not several else "",
        sided=sided_in_brief(family),
        correction=_correction(family),
    )


def _correction(family: Family) -> Prose:
    """What is corrected how, at which level."""
    level = level_text(family.alpha[0])
    if len(family.datasets) == 1 and family.one_claim and not family.several_metrics:
        return prose(", at level {level}", level=level)
    procedure, key = {
        "Holm": ("Holm's procedure", "holm1979simple"),
        "graph": ("a graphical procedure", "bretz2009graphical"),
        "closed testing": ("closed testing", "marcus1976closed"),
    }[family.correction]
    fields: dict[str, Inline | Prose | str] = {"procedure": procedure, "cite": Cite((key,)), "level": level}
    if family.several_metrics:
        over = {
            "none": " over all hypotheses of all metrics",
            "serial": ", metric after metric,",
            "by-dataset": ", dataset by dataset,",
            "exploratory": f" for {family.metrics[0]} alone",
        }[family.gatekeeping]
        what = "count and identify datasets" if family.correction == "closed testing" else "correct"
        return prose(
            "; we {what} by {procedure} {cite}{over} with the family-wise error at {level}{apart}",
            what=what,
            over=over,
            apart=_apart(family),
            **fields,
        )
    fields["over"] = what_is_corrected(family, sides=False)
    if len(family.datasets) == 1:
        return prose("; we correct by {procedure} {cite} {over} with the family-wise error at {level}", **fields)
    if family.correction == "closed testing":
        return prose(
            "; we count and identify datasets by {procedure} {cite} {over}, with the family-wise error at {level} for "
            "independent datasets",
            **fields,
        )
    source = "dror2017replicability" if family.one_claim else "goeman2011multiple"
    return prose(
        "; we identify datasets by {procedure} {cite} {over}, with the family-wise error at {level} under any "
        "dependence{counted}",
        counted=_apart(family) or prose(", and {k_hat} is their number {cite}", cite=Cite((source,))),
        **fields,
    )


def _apart(family: Family) -> str:
    """How counts by Fisher's combination relate to the names; nothing where there are none."""
    if not family.counted_apart:
        return ""
    return "; the counts by Fisher's combination are statements of their own, at the same level"


def _primary_scale(family: Family, scale: ScoreScale) -> ScoreScale:
    return scale_for(family.comparisons[0].assessments) if family.several_metrics else scale


def full_paragraph(
    analysis: ReplicabilityAnalysis, scale: ScoreScale, profile: Prose = (), signature: Signature | None = None
) -> Prose:
    """Hypotheses, tests, assumptions and mismatches, correction, results, limits, software."""
    family = analysis.family
    parts = _across(analysis, scale) if family.across_datasets else _by_dataset(analysis, scale, profile)
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
    if family.across_datasets:
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
