"""Say what a plan asks for, and which designs its numbers allow."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from reportkit.errors import SettingsError
from reportkit.power_analysis.designs import Design, MeanDifference, paired_accuracy, unpaired_accuracy
from reportkit.power_analysis.plan import Question
from reportkit.power_analysis.planned_error import PlannedError, check_positive, error_of_mean

if TYPE_CHECKING:
    from reportkit.scores.choices import Pairing


def question_of(has_n: bool, has_effect: bool, has_power: bool, has_results: bool) -> Question:
    """Return which of n, effect and power is asked for, from those that are given.

    Raises
    ------
    SettingsError
        If all are given, or too few.
    """
    if has_effect and has_power and has_n:
        raise SettingsError(
            "n, effect and power are all given, and nothing is left to compute",
            remedy="leave out one of them: n (--n), effect (--effect) or power (--power)",
        )
    if has_effect:
        return "n" if has_power or not (has_n or has_results) else "power"
    if has_n or has_results:
        return "effect"
    raise SettingsError(
        "there is nothing to plan from",
        remedy="give the difference that matters, effect (--effect), to get the number of instances; n (--n) to get "
        "the smallest difference; both to get the power; or results",
    )


def designs_of(
    accuracy: float | None, discordant: float | None, sd: float | None, design_effect: float, pairing: Pairing
) -> list[tuple[str, Design]]:
    """Return the designs that the numbers allow, each with how often the two systems are supposed to disagree.

    Raises
    ------
    SettingsError
        If the numbers do not fit each other, or do not say how much scores vary.
    """
    unpaired = pairing == "unpaired"
    if sd is not None:
        if accuracy is not None or discordant is not None:
            raise SettingsError(
                "sd is for scores that are not right or wrong, and accuracy or discordant for those that are",
                remedy="give sd (--sd) or the others",
            )
        check_positive("sd", sd)
        check_positive("design_effect", design_effect)
        return [("", MeanDifference(partial(_planned_error, sd, design_effect, unpaired)))]
    if design_effect != 1:
        raise SettingsError("design_effect goes with sd", remedy="give sd (--sd), or leave it out")
    if unpaired and (accuracy is None or discordant is not None):
        raise SettingsError(
            "unpaired right-or-wrong scores are planned from the accuracy of the baseline",
            remedy="give accuracy (--accuracy), and not discordant",
        )
    if unpaired and accuracy is not None:
        return [("", unpaired_accuracy(accuracy))]
    if accuracy is None and discordant is None:
        raise SettingsError(
            "nothing says how much the scores vary",
            remedy="right-or-wrong scores: give accuracy (--accuracy), the accuracy of the baseline, or discordant "
            "(--discordant), the share of instances on which exactly one system is right; other scores: give sd "
            "(--sd), the standard deviation of the differences; or give results",
        )
    return list(paired_accuracy(accuracy, discordant).items())


def _planned_error(sd: float, design_effect: float, unpaired: bool, n: int) -> PlannedError:
    if unpaired:
        return PlannedError(error_of_mean(sd, n, design_effect=2 * design_effect).standard_error, 2 * n - 2)
    return error_of_mean(sd, n, design_effect=design_effect)
