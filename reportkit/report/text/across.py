"""The sentences of a report whose sample are the datasets: what is asked, what may be claimed, and what may not."""

from __future__ import annotations

from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import level_text, p_value_text, percent_text
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import Family
from reportkit.report.prose import Cite, Prose, prose, sentences
from reportkit.report.references import source
from reportkit.report.score_format import ScoreScale
from reportkit.report.text.hypotheses import at_full_level, direction, sided_in_brief
from reportkit.report.text.significance import (
    NAMED_BY_USER,
    assumptions_of,
    how_computed,
    names_of_tests,
    really_tested,
)

MOST_CLAIMS_IN_WORDS = 6


def asked_across(family: Family, *, alternative: bool = False) -> Prose:
    """Who is compared with whom, on a typical dataset, from how many; with the alternative on request."""
    first = family.comparisons[0]
    n = max(item.n or 0 for item in family.assessments)
    data = prose(" on a typical dataset, from one score of each system on each of {n}", n=counted(n, "dataset"))
    or_else = ", the alternative that it is" if alternative else ""
    if family.design == "declared":
        return prose(
            "We ask whether {a} is better than {b}{data}. The null hypothesis is that {a} is not better than "
            "{b}{or_else}; we test it one-sided, in the direction {direction}.",
            direction=direction(family),
            or_else=or_else,
            a=first.system_a,
            b=first.system_b,
            data=data,
        )
    if family.design == "both":
        return prose(
            "We compare {a} and {b}{data}. We test both directions, each one-sided at half the level{together}.",
            together=at_full_level(family),
            a=first.system_a,
            b=first.system_b,
            data=data,
        )
    if family.design == "all-pairs":
        n_systems = len(family.systems_a)
        return prose(
            "We compare all pairs of {systems}{data}. We test each pair in both directions, one-sided.",
            systems=counted(n_systems, "system"),
            data=data,
        )
    baselines = family.systems_b
    systems = family.systems_a
    return prose(
        "We ask {which} better than {baselines}{data}. Each null hypothesis says that a system is not better than "
        "{one}{or_else}; we test it one-sided, in the direction {direction}.",
        direction=direction(family),
        or_else=or_else,
        which=f"which of {counted(len(systems), 'system')} is" if len(systems) > 1 else f"whether {systems[0]} is",
        baselines=listed(baselines),
        one="the baseline" if len(baselines) == 1 else "a baseline",
        data=data,
    )


def how_tested_across(family: Family) -> Prose:
    """The test, its assumptions, and the correction where there are several claims."""
    items = family.assessments
    real = {item.outcome.test: item for item in really_tested(items)}
    return sentences(
        *(
            sentences(
                prose(
                    "The datasets are the sample: we {test} their differences with the {title}{cite}.",
                    test="chose to test" if item.reason == NAMED_BY_USER else "test",
                    title=item.outcome.title,
                    cite=source(item.outcome.citation),
                ),
                assumptions_of(item),
            )
            for item in real.values()
        ),
        how_computed(items),
        ()
        if family.one_claim
        else prose(
            "We adjust the {p}-values by Holm's procedure {cite} over {all} claims, and so keep the family-wise error, "
            "the probability of one or more false ones, at {level} under any dependence.",
            cite=Cite(("holm1979simple",)),
            all=_all(family.n_hypotheses),
            level=level_text(family.alpha[0]),
        ),
    )


def typical_sentence(comparison: Comparison, alpha: float, *, p_value: str = "") -> Prose:
    """What may be said of one claim: of a typical dataset, never of a number of datasets."""
    fields = {"a": comparison.system_a, "b": comparison.system_b}
    value = prose(p_value, value=_p_value(comparison)) if p_value else ()
    if comparison.k_hat[alpha].recommended:
        return prose(
            "With {confidence} confidence, {a} is better than {b} on a typical dataset{value}.",
            confidence=percent_text(1 - alpha),
            value=value,
            **fields,
        )
    return prose(
        "The data do not show that {a} is better than {b} on a typical dataset at level {level}{value}; this is no "
        "evidence that they are equally good.",
        level=level_text(alpha),
        value=value,
        **fields,
    )


def _p_value(comparison: Comparison) -> str:
    """Write "= .012" or "< .001"."""
    text = p_value_text(float(comparison.adjusted_p_values[0]))
    return f"{text[0]} {text[1:]}" if text[0] in "<>" else f"= {text}"


def _all(number: int) -> str:
    return "both" if number == 2 else f"all {number:,}"


def results_across(family: Family, scale: ScoreScale) -> Prose:
    """Claims that hold, with p-values and the mean difference."""
    alpha = family.alpha[0]
    if family.design == "all-pairs" or family.n_claims > MOST_CLAIMS_IN_WORDS:
        return digest_across(family, alpha)
    shown = " ({p} {value})" if family.n_hypotheses == 1 and family.sides == 1 else " (adjusted {p} {value})"
    return sentences(
        *(typical_sentence(comparison, alpha, p_value=shown) for comparison in family.comparisons),
        *(
            _mean_difference(item, scale)
            for item in (family.comparisons[:1] if family.one_claim else family.comparisons)
        ),
    )


def digest_across(family: Family, alpha: float) -> Prose:
    """How many of many claims hold on a typical dataset."""
    found = [f"{c.system_a} over {c.system_b}" for c in family.comparisons if c.k_hat[alpha].recommended]
    shown = len(found)
    return prose(
        "At level {level}, {shown} of {claims} {are} supported on a typical dataset{names}.",
        level=level_text(alpha),
        shown=shown or "none",
        names=f": {listed(found)}" if 0 < shown <= MOST_CLAIMS_IN_WORDS else "",
        claims=counted(family.n_claims, "ordered pair" if family.design == "all-pairs" else "claim"),
        are="is" if shown < 2 else "are",
    )


def _mean_difference(comparison: Comparison, scale: ScoreScale) -> Prose:
    item = comparison.assessments[0]
    interval = ""
    if item.interval is not None:
        ends = scale.interval(item.interval.low, item.interval.high)
        interval = f" ({percent_text(item.interval.level)} {item.interval.title} {ends})"
    return prose(
        "The mean difference over the datasets{of} is {d}{points}{interval}.",
        of=f", {comparison.system_a} minus {comparison.system_b},"
        if item.higher_is_better
        else f" (positive where {comparison.system_a} is better)",
        d=scale.difference(item.score_difference),
        points=scale.points_after,
        interval=interval,
    )


def limits_across(family: Family) -> Prose:
    """What this question leaves open."""
    smallest = min(item.outcome.p_min for item in family.assessments)
    alpha = family.alpha[0]
    out_of_reach = prose(
        "With so few datasets, no one-sided {p}-value below {least} is possible.", least=p_value_text(smallest)
    )
    return sentences(
        out_of_reach if smallest > alpha / family.sides else (),
        prose(
            "The result generalises to the datasets that these are a sample of; it says neither on how many of these "
            "datasets a system is better nor on which, for which a {p}-value of each dataset is needed {cite}.",
            cite=Cite(("demsar2006statistical", "dror2017replicability")),
        ),
    )


def across_paragraph(family: Family, scale: ScoreScale, missing: Prose) -> Prose:
    """The recommended-practice paragraph for one score per system and dataset."""
    return sentences(
        asked_across(family),
        how_tested_across(family),
        missing,
        results_across(family, scale),
        limits_across(family),
    )


def across_in_brief(family: Family, scale: ScoreScale) -> Prose:
    """The same in a few sentences."""
    items = family.assessments
    n = max(item.n or 0 for item in items)
    tests = names_of_tests(items)
    corrected = prose(
        "; {p}-values are adjusted by Holm's procedure {cite} over {all} claims",
        cite=Cite(("holm1979simple",)),
        all=_all(family.n_hypotheses),
    )
    return sentences(
        results_across(family, scale),
        prose(
            "The sample consists of {n}, with one score of each system on each{tests}, {sided}, at level {level}"
            "{corrected}.",
            n=counted(n, "dataset"),
            tests=prose("; we use {tests}", tests=tests) if tests else "",
            sided=sided_in_brief(family),
            level=level_text(family.alpha[0]),
            corrected=() if family.one_claim else corrected,
        ),
        prose("The result says neither on how many of these datasets a system is better nor on which."),
    )
