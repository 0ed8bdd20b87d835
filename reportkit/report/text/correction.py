"""The sentences on the family of hypotheses: what is corrected together, how datasets are counted, dependence."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import level_text
from reportkit.replicability.family import Family
from reportkit.replicability.independence.independence import IndependenceAudit
from reportkit.report.prose import Cite, Prose, prose, sentences
from reportkit.report.text.shapes import same_runs_in_words

MOST_REASONS = 2


def how_counted(family: Family) -> Prose:
    """Correction, family, how datasets are counted, dependence between them, and what the audit found."""
    one = len(family.datasets) == 1
    if one and (family.one_claim or family.design == "separate"):
        return ()
    if family.correction == "closed testing":
        return sentences(closed_test(family), local_tests(family), prose("{it}", it=dependence_statement(family.audit)))
    return sentences(
        _corrected(family),
        *(
            ()
            if one
            else (_bounded(family), separate_statements(family), prose("{it}", it=dependence_statement(family.audit)))
        ),
    )


def _corrected(family: Family) -> Prose:
    return prose(
        "{what} by Holm's procedure {cite} {over}, and so keep the family-wise error, the probability of one or more "
        "false {of}, at {level} under any dependence{each}.",
        what=prose("We adjust the {p}-values") if len(family.datasets) == 1 else "We identify datasets",
        cite=Cite(("holm1979simple",)),
        over=what_is_corrected(family),
        of="claims" if len(family.datasets) == 1 else "names",
        level=level_text(family.alpha[0]),
        each=" in each claim" if family.design == "separate" and family.n_claims > 1 else "",
    )


def closed_test(family: Family) -> Prose:
    """One closed test over the hypotheses of one metric or of all, and what it bounds."""
    return prose(
        "We count and identify datasets by one closed test {cite} {over}, and so keep the family-wise error, the "
        "probability of one or more false counts or names, at {level}.",
        cite=Cite(("marcus1976closed", "goeman2011multiple")),
        over=what_is_corrected(family),
        level=level_text(family.alpha[0]),
    )


def local_tests(family: Family) -> Prose:
    """By what the closed test rejects a set of hypotheses."""
    several = any(item.joint is not None and item.joint.others.size for item in family.comparisons)
    what = "metrics" if len(family.pairs) == 1 or family.design == "both" else "claims"
    return prose(
        "Datasets are tested together by the smaller one of the {p}-values of Fisher's and of Bonferroni's combination "
        "{cite}, referred to its distribution for independent datasets{claims}.",
        cite=Cite(("fisher1932statistical", "benjamini2008screening")),
        claims=f", and {what} by Bonferroni's correction" if several else "",
    )


def separate_statements(family: Family) -> Prose:
    """Say of counts by Fisher's combination and names by Holm's procedure that they need not hold together."""
    if not family.counted_apart:
        return ()
    return prose(
        "The {bound} and the names are separate statements: each keeps its error at {level}, both together need not.",
        bound="bound" if family.n_claims == 1 else "bounds",
        level=level_text(family.alpha[0]),
    )


def what_is_corrected(family: Family, *, sides: bool = True) -> str:
    """Size and factors of the family: "over all 6 hypotheses (systems and datasets)"; with the level of each side."""
    n = f"{family.n_hypotheses:,}"
    if family.design == "declared":
        return f"over the {n} datasets"
    if family.design == "both":
        return f"over the {n} datasets" + (", at half the level in each direction" if sides else "")
    if family.design == "separate":
        return f"over the {n} datasets, for each claim by itself"
    factors = ["ordered pairs"]
    if family.design == "baselines":
        named = {"systems": {a for a, _ in family.pairs}, "baselines": {b for _, b in family.pairs}}
        factors = [name for name, members in named.items() if len(members) > 1]
    if len(family.datasets) > 1:
        factors.append("datasets")
    if family.n_hypotheses == 1:
        return "over the only hypothesis"
    return f"over all {n} hypotheses" + (f" ({listed(factors)})" if len(factors) > 1 else "")


def _bounded(family: Family) -> Prose:
    """Which lower bound for the number of datasets."""
    claim = "the claim holds" if family.design == "declared" else "a claim holds"
    if family.counted_apart:
        shared = {
            "declared": "",
            "both": ", at half the level in each direction,",
            "baselines": f", at level {{alpha}}/{family.n_claims} for each comparison,",
            "all-pairs": f", at level {{alpha}}/{family.n_claims} for each ordered pair,",
            "separate": ", for each claim by itself,",
        }[family.design]
        return prose(
            "Partial conjunction with Fisher's combination {cite}{shared} gives a lower bound for the number of "
            "datasets on which {claim}.",
            claim=claim,
            shared=prose(shared),
            cite=Cite(("dror2017replicability", "benjamini2008screening")),
        )
    if family.one_claim or family.design == "separate":
        return prose(
            "Partial conjunction with Bonferroni's combination {cite} gives a lower bound for the number of datasets "
            "on which {claim}; valid under any dependence, it equals the number of datasets identified.",
            claim=claim,
            cite=Cite(("dror2017replicability", "benjamini2008screening")),
        )
    return prose(
        "For each comparison, the number of datasets identified is a lower bound for the number of datasets on which "
        "its claim is true; these bounds hold for all comparisons together {cite}.",
        cite=Cite(("dror2017replicability", "goeman2011multiple")),
    )


def dependence_statement(audit: IndependenceAudit) -> str:
    """What was declared about dependence, and what speaks against it."""
    return _dependence(audit) + (f" {same_runs_in_words()}" if audit.independent and audit.same_runs else "")


def _dependence(audit: IndependenceAudit) -> str:
    found = _found(audit.evidence)
    if audit.declared == "independent" and found:
        return f"The datasets were declared independent, but are not: {found}. Fisher's combination is not used."
    if audit.declared == "independent" and audit.blind:
        return (
            f"We declare the datasets independent; whether they share instances could not be checked, as {audit.blind}."
        )
    if audit.declared == "independent":
        return "We declare the datasets independent; no two share instances, clusters or all their scores."
    if found:
        return f"Nothing is assumed about the dependence between the datasets, which are not independent: {found}."
    return "Nothing is assumed about the dependence between the datasets."


def _found(evidence: Sequence[str]) -> str:
    """What speaks against independence, with the first two reasons in words."""
    more = len(evidence) - MOST_REASONS
    if more <= 0:
        return listed(evidence)
    return f"{', '.join(evidence[:MOST_REASONS])}, and the like for {counted(more, 'more pair')}"
