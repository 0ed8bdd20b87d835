"""The sentences on the family of hypotheses: what is corrected together, how datasets are counted, dependence."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import level_text
from reportkit.replicability.independence.independence import IndependenceAudit
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.prose import Cite, Prose, prose, sentences
from reportkit.report.text.shapes import same_runs_in_words

MOST_REASONS = 2


def correction_in_brief(family: ReplicabilityAnalysis, *, clause: bool = False) -> Prose:
    """How counts and names are kept from being wrong by chance, at which level; in a sentence or two, or as a clause.

    Parameters
    ----------
    family : ReplicabilityAnalysis
        All comparisons.
    clause : bool
        To go on after the tests: ", with Holm's method over 4 tests (family-wise error rate .05)"; a single test has
        nothing but its level, and `said_with_the_tests` says so.
    """
    level = level_text(family.alpha[0])
    one = len(family.datasets) == 1
    if said_with_the_tests(family):
        return () if family.design == "both" else prose(", at level {level}", level=level)
    if family.across_datasets or (one and not family.several_metrics):
        return _holm_alone(family, level, clause=clause)
    if family.several_metrics:
        return metrics_in_brief(family, level, clause=clause)
    if clause:
        return prose(
            ", with {procedure} {cite} over {tests} (family-wise error rate {level}{apart})",
            procedure="closed testing" if family.correction == "closed testing" else "Holm's method",
            cite=Cite(("marcus1976closed",) if family.correction == "closed testing" else ("holm1979simple",)),
            tests=_tests(family),
            level=level,
            apart="; counts and names apart" if family.counted_apart else "",
        )
    fields: dict[str, Cite | str] = {"tests": _tests(family), "level": level}
    if family.correction == "closed testing":
        return prose(
            "We count and name datasets with one closed test {cite} over {tests} (family-wise error rate {level}, "
            "assuming independent datasets).",
            cite=Cite(("marcus1976closed", "goeman2011multiple")),
            **fields,
        )
    if family.counted_apart:
        return prose(
            "We count datasets with Fisher's combination {fisher} and name them with Holm's method {holm} over "
            "{tests}. These are separate statements: each has an error rate of at most {level}.",
            fisher=Cite(("dror2017replicability",)),
            holm=Cite(("holm1979simple",)),
            **fields,
        )
    return sentences(
        prose(
            "We control the family-wise error rate at {level} over {tests} with Holm's method {cite}.",
            cite=Cite(("holm1979simple", "dror2017replicability" if family.one_claim else "goeman2011multiple")),
            **fields,
        ),
        prose("{it}", it=dependence_statement(family.audit)) if family.audit.declared == "independent" else (),
    )


def said_with_the_tests(family: ReplicabilityAnalysis) -> bool:
    """Whether there is one test, whose level stands in the sentence about it."""
    return family.n_hypotheses == 1 and not family.several_metrics


def _holm_alone(family: ReplicabilityAnalysis, level: str, *, clause: bool) -> Prose:
    """Where nothing is counted: one dataset, or datasets as the sample."""
    fields: dict[str, Cite | str] = {"cite": Cite(("holm1979simple",)), "tests": _tests(family), "level": level}
    if clause:
        return prose(", with Holm's method {cite} over {tests} (family-wise error rate {level})", **fields)
    return prose("We control the family-wise error rate at {level} over {tests} with Holm's method {cite}.", **fields)


def _tests(family: ReplicabilityAnalysis) -> str:
    """How many tests are corrected together: "all 8 tests", "the 4 tests of each claim"."""
    n = f"{family.n_hypotheses:,}"
    if family.design == "both" and family.n_hypotheses > 1:
        return f"the {n} tests of each direction"
    if family.design == "separate" and family.n_claims > 1:
        return f"the {n} tests of each claim"
    return "both tests" if family.n_hypotheses == 2 else f"all {n} tests"


def metrics_in_brief(family: ReplicabilityAnalysis, level: str, *, clause: bool = False) -> Prose:
    """How several metrics share the level."""
    primary, *others = family.metrics
    closed = family.correction == "closed testing"
    procedure = "closed testing" if closed else "Holm's method"
    cite = Cite(("marcus1976closed",) if closed else ("holm1979simple",))
    if clause:
        how = {
            "none": f", with {procedure} {{cite}} over {_tests(family)} of all metrics",
            "serial": f", with {procedure} {{cite}}, metric after metric",
            "by-dataset": ", with a graphical procedure {cite}",
            "exploratory": f", with {procedure} {{cite}} for {primary} alone",
        }[family.gatekeeping]
        key = Cite(("bretz2009graphical",)) if family.gatekeeping == "by-dataset" else cite
        return prose(f"{how} (family-wise error rate {{level}})", cite=key, level=level)
    fields: dict[str, Cite | str] = {
        "level": level,
        "cite": cite,
        "procedure": procedure,
        "primary": primary,
        "others": listed(others),
    }
    are = "is" if len(others) == 1 else "are"
    if family.gatekeeping == "none":
        return prose(
            "We control the family-wise error rate at {level} over {tests} with {procedure} {cite}.",
            tests="both directions and all metrics" if family.design == "both" else f"{_tests(family)} of all metrics",
            **fields,
        )
    if family.gatekeeping == "serial":
        return prose(
            "We test {others} only if every test of {primary} rejects {gate}, with {procedure} {cite} in each step "
            "(family-wise error rate {level}).",
            gate=Cite(("bretz2009graphical",)),
            **fields,
        )
    if family.gatekeeping == "by-dataset":
        return prose(
            "We test {others} only on datasets where the test of {primary} rejects, with a graphical procedure {gate} "
            "(family-wise error rate {level}).",
            gate=Cite(("bretz2009graphical", "maurer2011multiple")),
            **fields,
        )
    return prose(
        "We control the family-wise error rate of {primary} at {level} over {tests} with {procedure} {cite}; {others} "
        "{are} exploratory.",
        tests=_tests(family.of_metric(primary)),
        are=are,
        **fields,
    )


def how_counted(family: ReplicabilityAnalysis) -> Prose:
    """Correction, family, how datasets are counted, dependence between them, and what the audit found."""
    one = len(family.datasets) == 1
    if one and (family.one_claim or family.design == "separate"):
        return ()
    if family.across_datasets:
        return () if family.n_hypotheses == 1 else _holm_alone(family, level_text(family.alpha[0]), clause=False)
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


def _corrected(family: ReplicabilityAnalysis) -> Prose:
    of_datasets = len(family.datasets) > 1 and family.audit.declared != "independent"  # of which more is said below
    return prose(
        "We control the family-wise error rate, the probability of one or more false claims, at {level} with Holm's "
        "method {cite} {over}.{valid}",
        valid="" if of_datasets else " It is valid under any dependence.",
        cite=Cite(("holm1979simple",)),
        over=what_is_corrected(family),
        level=level_text(family.alpha[0]),
    )


def closed_test(family: ReplicabilityAnalysis) -> Prose:
    """One closed test over the hypotheses of one metric or of all, and what it bounds."""
    return prose(
        "We count and name datasets with one closed test {cite} {over}. It controls the family-wise error rate, the "
        "probability of one or more false counts or names, at {level}.",
        cite=Cite(("marcus1976closed", "goeman2011multiple")),
        over=what_is_corrected(family),
        level=level_text(family.alpha[0]),
    )


def local_tests(family: ReplicabilityAnalysis) -> Prose:
    """By what the closed test rejects a set of hypotheses."""
    several = any(item.joint is not None and item.joint.others.size for item in family.comparisons)
    what = "metrics" if len(family.pairs) == 1 or family.design == "both" else "claims"
    return prose(
        "Its local tests take the smaller of the {p}-values of Fisher's and Bonferroni's combinations {cite}, referred "
        "to the distribution of this minimum for independent datasets{claims}.",
        cite=Cite(("fisher1932statistical", "benjamini2008screening")),
        claims=f"; {what} are combined by Bonferroni's correction" if several else "",
    )


def separate_statements(family: ReplicabilityAnalysis) -> Prose:
    """Say of counts by Fisher's combination and names by Holm's procedure that they need not hold together."""
    if not family.counted_apart:
        return ()
    return prose(
        "Counts (by Fisher's combination {cite}) and names are separate statements: each has an error rate of at most "
        "{level}, but the two together may exceed it.",
        cite=Cite(("dror2017replicability", "benjamini2008screening")),
        level=level_text(family.alpha[0]),
    )


def what_is_corrected(family: ReplicabilityAnalysis, *, sides: bool = True) -> str:
    """Size and factors of the family: "over all 6 tests (systems and datasets)"; with the level of each side."""
    n = f"{family.n_hypotheses:,}"
    if family.design == "declared":
        return f"over the {n} datasets"
    if family.design == "both":
        return f"over the {n} datasets" + (", at half the level in each direction" if sides else "")
    if family.design == "separate":
        return f"over the {n} datasets, for each claim separately"
    factors = ["ordered pairs"]
    if family.design == "baselines":
        named = {"systems": {a for a, _ in family.pairs}, "baselines": {b for _, b in family.pairs}}
        factors = [name for name, members in named.items() if len(members) > 1]
    if len(family.datasets) > 1:
        factors.append("datasets")
    if family.n_hypotheses == 1:
        return "over the only test"
    return f"over all {n} tests" + (f" ({listed(factors)})" if len(factors) > 1 else "")


def _bounded(family: ReplicabilityAnalysis) -> Prose:
    """Which lower bound for the number of datasets."""
    claim = "the claim holds" if family.design == "declared" else "a claim holds"
    if family.counted_apart:
        shared = {
            "declared": "",
            "both": ", at half the level in each direction,",
            "baselines": f", at level {{alpha}}/{family.n_claims} for each comparison,",
            "all-pairs": f", at level {{alpha}}/{family.n_claims} for each ordered pair,",
            "separate": ", for each claim separately,",
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
            "The number of datasets that it names equals {k_hat}, the partial-conjunction bound with Bonferroni's "
            "combination {cite} for the number of datasets on which {claim}.",
            claim=claim,
            cite=Cite(("dror2017replicability", "benjamini2008screening")),
        )
    return prose(
        "For each comparison, the number of datasets it names is a lower bound for the number on which the claim is "
        "true; these bounds hold for all comparisons together {cite}.",
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
        return f"We declare the datasets independent; we could not check whether they share instances: {audit.blind}."
    if audit.declared == "independent":
        return "We declare the datasets independent; no two share instances, clusters or all their scores."
    if found:
        return f"We assume nothing about the dependence between datasets, which are not independent: {found}."
    return "We assume nothing about the dependence between datasets."


def _found(evidence: Sequence[str]) -> str:
    """What speaks against independence, with the first two reasons in words."""
    more = len(evidence) - MOST_REASONS
    if more <= 0:
        return listed(evidence)
    return f"{', '.join(evidence[:MOST_REASONS])}, and the like for {counted(more, 'more pair')}"
