"""Which scores are set in bold and which are underlined, and the sentence that says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reportkit.appearance import Bold
from reportkit.errors import SettingsError
from reportkit.language.numerals import level_text
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.prose import Prose, prose
from reportkit.report.tables.marks import correction_words, names_of_tests


@dataclass(frozen=True, slots=True)
class Standing:
    """Systems of one dataset that are set off.

    Parameters
    ----------
    bold : frozenset of str
        The best one, all ties; or all that are not statistically significantly worse.
    second : frozenset of str
        Second best, all ties; empty with two systems, and where nothing is set off.
    """

    bold: frozenset[str] = frozenset()
    second: frozenset[str] = frozenset()


Verdicts = Mapping[tuple[str, str, str], bool]
"""By (A, B, dataset), whether A is shown to be better than B there; absent where it was not tested."""


def verdicts_of(family: ReplicabilityAnalysis) -> Verdicts:
    """Every comparison of a family on every dataset, at the largest level, by its own adjusted p-value."""
    return {
        (comparison.system_a, comparison.system_b, dataset): bool(marked)
        for comparison in family.comparisons
        for dataset, marked in zip(comparison.datasets, comparison.marked(family.alpha[0]), strict=True)
    }


def standing(
    scores: Mapping[str, float],
    dataset: str,
    verdicts: Verdicts | None,
    *,
    higher_is_better: bool,
    bold: Bold = "best",
    second: bool = True,
) -> Standing:
    """Decide what is set off on one dataset, on unrounded scores.

    Parameters
    ----------
    scores : mapping of str to float
        By system, as given.
    dataset : str
        Name of the dataset.
    verdicts : mapping of (str, str, str) to bool, or None
        For `bold="statistical"`; None where nothing is claimed of the comparisons, so that only the best is the best.
    higher_is_better : bool
        Direction of the metric.
    bold : {"best", "statistical", "none"}
        What is set in bold.
    second : bool
        Whether the second best is underlined, where there are more than two systems.

    Returns
    -------
    Standing

    Raises
    ------
    SettingsError
        If a comparison of the best system with another one was not made, which `bold="statistical"` needs.
    """
    best = _top(scores, higher_is_better)
    rest = {name: value for name, value in scores.items() if name not in best}
    runners_up = _top(rest, higher_is_better) if second and rest and len(scores) > 2 else frozenset()
    if bold == "none":
        return Standing()
    if bold == "best" or verdicts is None:
        return Standing(best, runners_up)
    equal = [name for name in rest if not any(_worse(verdicts, winner, name, dataset) for winner in best)]
    return Standing(best | frozenset(equal), runners_up)


def bold_in_words(
    family: ReplicabilityAnalysis, bold: Bold, *, second: bool, where: str = "on each dataset", signs: bool = False
) -> Prose:
    """Say what bold and underlining stand for.

    Parameters
    ----------
    family : ReplicabilityAnalysis
        Of the table.
    bold : {"best", "statistical", "none"}
        What is set in bold.
    second : bool
        Whether something is underlined.
    where : str
        Within what the best is the best: "on each dataset", "by each metric", or nothing.
    signs : bool
        Whether signs are explained, too: the tests are the same, and named there.
    """
    if bold == "none":
        return ()
    within = f" {where}" if where else ""
    if bold == "best" or exploratory(family):
        underlined = ", second best underlined" if second else ""
        return prose("Best score{within} in bold{underlined}.", within=within, underlined=underlined)
    level = level_text(family.alpha[0])
    tests = prose("{test}, one-sided, {how}", test=names_of_tests(family), how=correction_words(family))
    return prose(
        "In bold: the best score{within}, and those that are not statistically significantly worse ({tests}, {p} ≤ "
        "{level}); they need not be equally good.{underlined}",
        within=within,
        tests=prose("by the same tests as the signs") if signs else tests,
        level=level,
        underlined=" Second best underlined." if second else "",
    )


def exploratory(family: ReplicabilityAnalysis) -> bool:
    """Whether nothing is claimed of these comparisons: then only the best score is the best."""
    return all(item.exploratory for item in family.comparisons)


def _top(scores: Mapping[str, float], higher_is_better: bool) -> frozenset[str]:
    names = list(scores)
    flags = best_of([scores[name] for name in names], higher_is_better)
    return frozenset(name for name, flag in zip(names, flags, strict=True) if flag)


def _worse(verdicts: Verdicts, winner: str, name: str, dataset: str) -> bool:
    """Whether the winner is shown to be better than another system."""
    if (winner, name, dataset) in verdicts:
        return verdicts[winner, name, dataset]
    raise SettingsError(
        f"bold='statistical' needs to know whether {winner!r}, the best on {dataset!r}, is better than {name!r}, and "
        "this was not tested",
        remedy="compare all pairs: leave the baseline away (no --baseline, no --system), or use bold='best'",
    )


def best_of(values: Sequence[float], higher_is_better: bool) -> list[bool]:
    """Which values are best, all ties, decided on unrounded values (equal to 12 digits)."""
    array = np.array(values if higher_is_better else [-value for value in values])
    return [bool(flag) for flag in array >= array.max() - 1e-12 * max(1.0, float(np.abs(array).max()))]
