"""The paragraph in three or four sentences, for a section of results."""

from __future__ import annotations

from reportkit.numerals import level_text
from reportkit.phrases import spanned
from reportkit.replicability.analysis import ReplicabilityAnalysis
from reportkit.replicability.family import Family
from reportkit.report.across_wording import across_datasets, across_in_brief
from reportkit.report.correction_wording import what_is_corrected
from reportkit.report.effects_wording import effect_sentence
from reportkit.report.hypotheses_wording import sided_in_brief
from reportkit.report.limits_wording import limits_in_brief, what_is_not_claimed
from reportkit.report.missing_wording import left_out_sentence
from reportkit.report.prose import Cite, Prose, prose, sentences
from reportkit.report.reproduction_wording import printed_claims_in_words
from reportkit.report.results_wording import results_in_brief
from reportkit.report.scores import ScoreScale, scale_for
from reportkit.report.significance_wording import as_the_paper_prints, names_of_tests
from reportkit.report.unpaired_wording import sizes_of


def short_paragraph(analysis: ReplicabilityAnalysis, scale: ScoreScale) -> Prose:
    """Count and names; tests, correction and level; effect; limits."""
    family = analysis.family
    if across_datasets(family):
        return sentences(across_in_brief(family, scale), left_out_sentence(analysis))
    if analysis.printed:
        return sentences(
            *printed_claims_in_words(analysis),
            as_the_paper_prints(family.comparisons[0].n_datasets),
            what_is_not_claimed(family),
        )
    return sentences(
        *(results_in_brief(family, part.family) for part in analysis.parts),
        how_tested_in_brief(family),
        left_out_sentence(analysis),
        effect_sentence(family.comparisons[0], _primary_scale(family, scale), family) if family.one_claim else (),
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
        return prose("The scores are identical, so that {p} = 1 without a test.")
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
    if family.several_metrics:
        how = {
            "none": "Holm's procedure {cite} over all hypotheses of all metrics",
            "serial": "Holm's procedure {cite}, metric after metric,",
            "by-dataset": "a graphical procedure {cite}, dataset by dataset,",
            "exploratory": "Holm's procedure {cite} for {metric} alone",
        }[family.gatekeeping]
        key = "bretz2009graphical" if family.gatekeeping == "by-dataset" else "holm1979simple"
        return prose(
            f"; we correct by {how} at level {{level}}", cite=Cite((key,)), metric=family.metrics[0], level=level
        )
    if len(family.datasets) == 1:
        return prose(
            "; we correct by Holm's procedure {cite} {over} at level {level}",
            cite=Cite(("holm1979simple",)),
            over=what_is_corrected(family),
            level=level,
        )
    if family.audit.independent or family.one_claim:
        return prose(
            "; {k_hat} is the lower bound by partial conjunction {cite} at level {level}, valid {valid}",
            cite=Cite(("dror2017replicability",)),
            valid="for independent datasets" if family.audit.independent else "under any dependence between datasets",
            level=level,
        )
    return prose(
        "; the bounds {k_hat} hold for all comparisons together at level {level}, under any dependence {cite}",
        cite=Cite(("goeman2011multiple",)),
        level=level,
    )


def _primary_scale(family: Family, scale: ScoreScale) -> ScoreScale:
    return scale_for(family.comparisons[0].assessments) if family.several_metrics else scale
