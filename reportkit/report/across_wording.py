"""The sentences of a report whose sample are the datasets: what is asked, what may be claimed, and what may not."""

from __future__ import annotations

from reportkit.numerals import level_text, p_value_text, percent_text
from reportkit.phrases import counted, listed
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import Family
from reportkit.report.prose import Cite, Prose, prose, sentences
from reportkit.report.scores import ScoreScale

MOST_CLAIMS_IN_WORDS = 6


def across_datasets(family: Family) -> bool:
    """Whether the datasets are the sample, one score of each system on each."""
    return any(item.unit == "dataset" for item in family.comparisons[0].assessments)  # of all comparisons, or of none


def what_is_asked(family: Family) -> Prose:
    """Who is compared with whom, on a typical dataset, from how many."""
    first = family.comparisons[0]
    n = max(item.n or 0 for comparison in family.comparisons for item in comparison.assessments)
    data = prose(" on a typical dataset, from one score of each system on each of {n}", n=counted(n, "dataset"))
    if family.design == "declared":
        return prose(
            "We ask whether {a} is better than {b}{data}. The null hypothesis is that {a} is not better than {b}; it "
            "is tested one-sided, in the direction declared in advance.",
            a=first.system_a,
            b=first.system_b,
            data=data,
        )
    if family.design == "both":
        return prose(
            "We compare {a} and {b}{data}. No direction was declared in advance, so both are tested, each one-sided at "
            "half the level; all statements below hold together at the full level.",
            a=first.system_a,
            b=first.system_b,
            data=data,
        )
    if family.design == "all-pairs":
        n_systems = len({item.system_a for item in family.comparisons})
        return prose(
            "We compare all pairs of {systems}{data}. No direction was declared in advance, so each pair is tested in "
            "both directions, one-sided.",
            systems=counted(n_systems, "system"),
            data=data,
        )
    baselines = tuple(dict.fromkeys(item.system_b for item in family.comparisons))
    systems = tuple(dict.fromkeys(item.system_a for item in family.comparisons))
    return prose(
        "We ask {which} better than {baselines}{data}. Each null hypothesis says that a system is not better than "
        "{one}; it is tested one-sided, in the direction declared in advance.",
        which=f"which of {counted(len(systems), 'system')} is" if len(systems) > 1 else f"whether {systems[0]} is",
        baselines=listed(baselines),
        one="the baseline" if len(baselines) == 1 else "a baseline",
        data=data,
    )


def how_tested(family: Family) -> Prose:
    """The test, its assumptions, and the correction where there are several claims."""
    items = [item for comparison in family.comparisons for item in comparison.assessments]
    real = {item.outcome.test: item for item in items if item.outcome.test != "identical"}
    parts: list[Prose] = []
    for item in real.values():
        named = item.reason == "named by the user"
        parts.append(
            prose(
                "The datasets are the sample: their differences are tested with the {title} {cite}{named}. It assumes "
                "that {it}.",
                title=item.outcome.title,
                cite=Cite((item.outcome.citation,)),
                named=", which was chosen by name" if named else "",
                it=listed(item.outcome.assumptions),
            )
        )
    if len(real) < len({item.outcome.test for item in items}):
        parts.append(prose("Where two systems have the same score on every dataset, {p} = 1."))
    if not family.one_claim:
        parts.append(
            prose(
                "The {p}-values are adjusted by Holm's procedure {cite} over all {n} claims, which bounds the "
                "probability of one or more false ones under any dependence.",
                cite=Cite(("holm1979simple",)),
                n=f"{family.n_hypotheses:,}",
            )
        )
    return sentences(*parts)


def typical_sentence(comparison: Comparison, alpha: float) -> Prose:
    """What may be said of one claim: of a typical dataset, never of a number of datasets."""
    fields = {"a": comparison.system_a, "b": comparison.system_b}
    if comparison.k_hat[alpha].recommended:
        return prose(
            "With confidence {level}, {a} is better than {b} on a typical dataset.",
            level=percent_text(1 - alpha),
            **fields,
        )
    return prose(
        "The data do not show that {a} is better than {b} on a typical dataset at level {level}; this is no evidence "
        "that they are equally good.",
        level=level_text(alpha),
        **fields,
    )


def results_across(family: Family, scale: ScoreScale) -> Prose:
    """Claims that hold, with p-values and the mean difference."""
    alpha = family.alpha[0]
    if family.design == "all-pairs" or family.n_claims > MOST_CLAIMS_IN_WORDS:
        return digest_across(family, alpha)
    parts: list[Prose] = []
    for comparison in family.comparisons:
        parts.append(typical_sentence(comparison, alpha))
        parts.append(
            prose(
                "{its} {adjusted}{p}-value is {value}.",
                its="Its" if comparison.k_hat[alpha].recommended else "The",
                adjusted="" if family.n_hypotheses == 1 else "adjusted ",
                value=p_value_text(float(comparison.adjusted_p_values[0])),
            )
        )
    if family.one_claim:
        parts.append(_mean_difference(family.comparisons[0], scale))
    return sentences(*parts)


def digest_across(family: Family, alpha: float) -> Prose:
    """How many of many claims hold on a typical dataset."""
    found = [f"{c.system_a} over {c.system_b}" for c in family.comparisons if c.k_hat[alpha].recommended]
    shown = len(found)
    return prose(
        "At level {level}, {shown} of {claims} {are} supported on a typical dataset{names}.",
        level=level_text(alpha),
        shown=shown,
        names=f": {listed(found)}" if 0 < shown <= MOST_CLAIMS_IN_WORDS else "",
        claims=counted(family.n_claims, "ordered pair" if family.design == "all-pairs" else "claim"),
        are="is" if shown == 1 else "are",
    )


def _mean_difference(comparison: Comparison, scale: ScoreScale) -> Prose:
    item = comparison.assessments[0]
    interval = ""
    if item.interval is not None:
        ends = f"[{scale.difference(item.interval.low)}, {scale.difference(item.interval.high)}]"
        interval = f" ({percent_text(item.interval.level)} {item.interval.title} {ends})"
    return prose(
        "The mean difference over the datasets is {d}{points}{interval}.",
        d=scale.difference(item.score_difference),
        points=scale.points_after,
        interval=interval,
    )


def limits_across(family: Family) -> Prose:
    """What this question leaves open."""
    smallest = min(item.outcome.p_min for comparison in family.comparisons for item in comparison.assessments)
    alpha = family.alpha[0]
    out_of_reach = prose(
        "With so few datasets no one-sided {p}-value below {least} is possible.", least=p_value_text(smallest)
    )
    return sentences(
        out_of_reach if smallest > alpha / family.sides else (),
        prose(
            "The result speaks of the datasets that these are a sample of; it says neither on how many of these "
            "datasets a system is better nor on which, for which a {p}-value of each dataset is needed {cite}.",
            cite=Cite(("demsar2006statistical", "dror2017replicability")),
        ),
    )


def across_paragraph(family: Family, scale: ScoreScale, missing: Prose) -> Prose:
    """The recommended-practice paragraph for one score per system and dataset."""
    return sentences(
        what_is_asked(family),
        how_tested(family),
        missing,
        results_across(family, scale),
        limits_across(family),
    )
