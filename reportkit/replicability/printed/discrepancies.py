"""Discrepancies between what a paper prints and what follows from its p-values: facts, without reproach."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import level_text
from reportkit.replicability.printed.reproduction import Reproduction

_METHOD = {"count": "the count", "bonferroni": "Bonferroni's bound", "fisher": "Fisher's bound"}


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
