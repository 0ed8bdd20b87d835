"""What a comparison of printed and recomputed claims says, in sentences: facts, without reproach."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.finding import Finding
from reportkit.numerals import level_text, percent_text
from reportkit.phrases import counted, listed
from reportkit.replicability.analysis import ReplicabilityAnalysis
from reportkit.replicability.reproduction import Reproduction
from reportkit.report.prose import Prose, prose

_METHOD = {"count": "the count", "bonferroni": "Bonferroni's bound", "fisher": "Fisher's bound"}


def printed_claims_in_words(analysis: ReplicabilityAnalysis) -> tuple[Prose, ...]:
    """What the printed p-values support at the largest level, and what is left where the direction is respected."""
    family = analysis.family
    alpha = family.alpha[0]
    found = []
    for item in analysis.reproductions:
        if item.alpha != alpha:
            continue
        a, b, n = item.system_a, item.system_b, item.n_datasets
        k = family[a, b].k_hat[alpha]
        found.append(
            prose(
                "Taken as printed, the {p}-values say with confidence {level} that {a} is better than {b} on {least} "
                "({k_hat} = "
                "{best}, partial conjunction with {method} combination).",
                level=percent_text(1 - alpha),
                a=a,
                b=b,
                least=f"all {n} datasets" if k.recommended == n else f"at least {k.recommended} of {n} datasets",
                best=k.recommended,
                method="Fisher's" if k.method == "fisher" else "Bonferroni's",
            )
        )
        if item.wrong_direction:
            better, worse = _bounds(item, k.method)
            found.append(
                prose(
                    "But {a} scores lower on {where}, which count for it there. With the direction respected, each "
                    "at half the "
                    "level, {a} is better on at least {better} and {b} on at least {worse} of {n} datasets.",
                    a=a,
                    b=b,
                    where=listed(item.wrong_direction),
                    better=better,
                    worse=worse,
                    n=n,
                )
            )
    return tuple(found)


def reproduction_items(reproductions: Sequence[Reproduction]) -> tuple[Prose, ...]:
    """One sentence for each discrepancy, and one where everything agrees."""
    return tuple(prose("{what}", what=finding.message) for finding in reproduction_findings(reproductions)) or (
        (prose("Every printed figure follows from the printed p-values."),)
        if any(item.printed for item in reproductions)
        else ()
    )


def reproduction_findings(reproductions: Sequence[Reproduction]) -> tuple[Finding, ...]:
    """Discrepancies between what is printed and what follows from it.

    Returns
    -------
    tuple of Finding
        "printed-k-hat": a printed figure that no p-values rounding to the printed ones give; "printed-marks": other
        datasets are marked; "wrong-direction": the claimed winner scores lower on a dataset that counts for it.
    """
    found: list[Finding] = []
    for item in reproductions:
        claim = f"{item.system_a} > {item.system_b} at {level_text(item.alpha)}"
        for method in item.impossible:
            printed = item.printed.k_hat[method] if item.printed else 0
            found.append(
                Finding(
                    "printed-k-hat",
                    "error",
                    f"{claim}: {_METHOD[method]} is printed as {printed}, but {item.recomputed[method]} follows from "
                    f"the printed "
                    "p-values, and no rounding of them gives the printed figure.",
                )
            )
        if item.marks_differ:
            printed_names = item.printed.identified if item.printed and item.printed.identified else ()
            found.append(
                Finding(
                    "printed-marks",
                    "error",
                    f"{claim}: {listed(printed_names) or 'no dataset'} marked in print; Holm's procedure identifies "
                    f"{listed(item.identified) or 'none'}.",
                )
            )
        if item.wrong_direction:
            a, b = _bounds(item, "bonferroni")
            found.append(
                Finding(
                    "wrong-direction",
                    "error",
                    f"{claim}: among the {counted(len(item.identified), 'identified dataset')}, {item.system_a} "
                    f"scores lower than "
                    f"{item.system_b} on {listed(item.wrong_direction)}. With the direction respected, each at half "
                    f"the level, "
                    f"{item.system_a} is better on at least {a} and {item.system_b} on at least {b} of "
                    f"{item.n_datasets} "
                    f"datasets (Bonferroni).",
                )
            )
    return tuple(found)


def _bounds(item: Reproduction, method: str) -> tuple[int, int]:
    return (
        min(values[method] for values in item.a_better.values()),
        min(values[method] for values in item.b_better.values()),
    )
