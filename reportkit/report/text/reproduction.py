"""What a comparison of printed and recomputed claims says, in sentences: facts, without reproach."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed, some
from reportkit.language.numerals import level_text, percent_text
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.printed.reproduction import Reproduction
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.prose import Prose, prose, sentences

MOST_NAMES = 12
_METHOD = {"count": "the count", "bonferroni": "Bonferroni's bound", "fisher": "Fisher's bound"}


def printed_claims_in_words(analysis: ReplicabilityAnalysis) -> tuple[Prose, ...]:
    """What the printed p-values support at the largest level, and what is left where the direction is respected."""
    alpha = analysis.alpha[0]
    return tuple(
        sentences(
            _as_printed(analysis[item.system_a, item.system_b], item),
            _direction_respected(item, analysis[item.system_a, item.system_b].k_hat[alpha].method),
        )
        for item in analysis.reproductions
        if item.alpha == alpha
    )


def _as_printed(comparison: Comparison, item: Reproduction) -> Prose:
    """The count that follows from the printed p-values, whatever their direction, and the datasets that are named."""
    k, n = comparison.k_hat[item.alpha], comparison.n_datasets
    fields = {"a": comparison.system_a, "b": comparison.system_b}
    if k.recommended == 0:
        return prose(
            "The printed {values} {do} not show that {a} is better than {b} on {where} (level {level}).",
            values=prose("{p}-value") if n == 1 else prose("{p}-values"),
            do="does" if n == 1 else "do",
            where=comparison.datasets[0] if n == 1 else "either dataset" if n == 2 else f"any of the {n} datasets",
            level=level_text(item.alpha),
            **fields,
        )
    every = comparison.datasets[0] if n == 1 else "both datasets" if n == 2 else f"all {n} datasets"
    names = some(item.identified, MOST_NAMES) if k.recommended < n else ""
    joint = k.recommended == k.bonferroni
    return sentences(
        prose(
            "{the} printed {values} that {a} is better than {b} on {least} ({confidence} confidence){names}.",
            the="Taken at face value, the" if item.wrong_direction else "The",
            values=prose("{p}-value shows") if n == 1 else prose("{p}-values show"),
            least=every if k.recommended == n else f"at least {k.recommended} of {n} datasets",
            confidence=percent_text(1 - item.alpha),
            names=f": {names}" if names and joint else "",
            **fields,
        ),
        prose("In separate tests at the same level, Holm's method names {names}.", names=names)
        if names and not joint
        else (),
    )


def _direction_respected(item: Reproduction, method: str) -> Prose:
    """What is left of a claim where a small p-value counts for the system that scores better."""
    if not item.wrong_direction:
        return ()
    a, b, n = item.system_a, item.system_b, item.n_datasets
    better, worse = _bounds(item, method)
    where = f" on at least {{k}} of {n} datasets" if n > 1 else ""
    left = [f"{name} is better{where.format(k=k)}" for name, k in ((a, better), (b, worse)) if k]
    return prose(
        "But {a} scores lower on {where}. If each {p}-value counts for the better-scoring system (each direction at "
        "half the level), {left}.",
        a=a,
        where=listed(item.wrong_direction),
        left=listed(left) or "neither is shown to be better",
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
                    f"{claim}: {listed(printed_names) or 'no dataset'} marked in print; Holm's method names "
                    f"{listed(item.identified) or 'none'}.",
                )
            )
        if item.wrong_direction:
            a, b = _bounds(item, "bonferroni")
            found.append(
                Finding(
                    "wrong-direction",
                    "error",
                    f"{claim}: among the {counted(len(item.identified), 'named dataset')}, {item.system_a} scores "
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
