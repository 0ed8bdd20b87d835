"""The paragraph in three or four sentences, for a section of results."""

from __future__ import annotations

from reportkit.language.counts_and_lists import spanned
from reportkit.language.numerals import level_text
from reportkit.replicability.family import Family
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.prose import Cite, Inline, Prose, prose, sentences
from reportkit.report.score_format import ScoreScale, scale_for
from reportkit.report.text.across_wording import across_datasets, across_in_brief
from reportkit.report.text.caveats_wording import caveats_in_brief
from reportkit.report.text.correction_wording import what_is_corrected
from reportkit.report.text.effects_wording import effect_sentence
from reportkit.report.text.hypotheses_wording import sided_in_brief
from reportkit.report.text.limits_wording import limits_in_brief, what_is_not_claimed
from reportkit.report.text.missing_wording import left_out_sentence
from reportkit.report.text.reproduction_wording import printed_claims_in_words
from reportkit.report.text.results_wording import results_in_brief
from reportkit.report.text.significance_wording import as_the_paper_prints, names_of_tests
from reportkit.report.text.unpaired_wording import sizes_of


def short_paragraph(analysis: ReplicabilityAnalysis, scale: ScoreScale) -> Prose:
    """Count and names; tests, correction and level; effect; limits."""
    family = analysis.family
    if across_datasets(family):
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
    items = [item for comparison in family.comparisons for item in comparison.assessments]
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
