"""What a comparison of printed and recomputed claims says, in sentences: facts, without reproach."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed, some
from reportkit.language.numerals import level_text, percent_text
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.printed.reproduction import Reproduction
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.prose import Prose, prose

MOST_NAMES = 12
_METHOD = {"count": "the count", "bonferroni": "Bonferroni's bound", "fisher": "Fisher's bound"}


def printed_claims_in_words(analysis: ReplicabilityAnalysis) -> tuple[Prose, ...]:
    """What the printed p-values support at the largest level, and what is left where the direction is respected."""
    family = analysis.family
    alpha = family.alpha[0]
    found: list[Prose] = []
    for item in analysis.reproductions:
        if item.alpha != alpha:
            continue
        found += [_as_printed(family[item.system_a, item.system_b], alpha), _identified(item)]
        if item.wrong_direction:
            found.append(_direction_respected(item, family[item.system_a, item.system_b].k_hat[alpha].method))
    return tuple(words for words in found if words)


def _as_printed(comparison: Comparison, alpha: float) -> Prose:
    """The count that follows from the printed p-values, whatever their direction."""
    k, n = comparison.k_hat[alpha], comparison.n_datasets
    fields = {"a": comparison.system_a, "b": comparison.system_b}
    if n == 1:
        return prose(
            "Taken as printed, the {p}-value {says} that {a} is better than {b} on {data}.",
            says=f"says with {percent_text(1 - alpha)} confidence"
            if k.recommended
            else f"does not show at level {level_text(alpha)}",
            data=comparison.datasets[0],
            **fields,
        )
    if k.recommended == 0:
        return prose(
            "Taken as printed, the {p}-values do not show that {a} is better than {b} on any dataset at level {level} "
            "({k_hat} = 0); this is no evidence that they are equally good.",
            level=level_text(alpha),
            **fields,
        )
    every = "both datasets" if n == 2 else f"all {n} datasets"
    return prose(
        "Taken as printed, the {p}-values say with {level} confidence that {a} is better than {b} on {least} "
        "({k_hat} = {best}, partial conjunction with {method} combination).",
        level=percent_text(1 - alpha),
        least=every if k.recommended == n else f"at least {k.recommended} of {n} datasets",
        best=k.recommended,
        method="Fisher's" if k.method == "fisher" else "Bonferroni's",
        **fields,
    )


def _identified(item: Reproduction) -> Prose:
    """Which datasets Holm's procedure identifies from the printed p-values."""
    if not item.identified or item.n_datasets == 1:
        return ()
    return prose(
        "Holm's procedure identifies {names} (adjusted {p} ≤ {level}).",
        names=some(item.identified, MOST_NAMES),
        level=level_text(item.alpha),
    )


def _direction_respected(item: Reproduction, method: str) -> Prose:
    """What is left of a claim where a small p-value counts for the system that scores better."""
    a, b, n = item.system_a, item.system_b, item.n_datasets
    better, worse = _bounds(item, method)
    where = "on at least {k} of {n} datasets" if n > 1 else "there"
    left = [f"{name} is better {where.format(k=k, n=n)}" for name, k in ((a, better), (b, worse)) if k]
    left += [
        f"{name} is not shown to be better{' on any' if n > 1 else ''}"
        for name, k in ((a, better), (b, worse))
        if not k
    ]
    return prose(
        "But {a} scores lower on {where}, and what is printed there counts in its favour. With the direction "
        "respected, each at half the level, {left}.",
        a=a,
        where=listed(item.wrong_direction),
        left=listed(left),
    )


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
                    f"{claim}: among the {counted(len(item.identified), 'identified dataset')}, {item.system_a} scores "
                    f"lower than {item.system_b} on {listed(item.wrong_direction)}. With the direction respected, each "
                    f"at half the level, {item.system_a} is better on at least {a} and {item.system_b} on at least {b} "
                    f"of {item.n_datasets} datasets (Bonferroni).",
                )
            )
    return tuple(found)


def _bounds(item: Reproduction, method: str) -> tuple[int, int]:
    return (
        min(values[method] for values in item.a_better.values()),
        min(values[method] for values in item.b_better.values()),
    )
