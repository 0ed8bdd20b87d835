"""Levels, alternatives and probabilities of planning, checked."""

from __future__ import annotations

import math

from reportkit.errors import SettingsError
from reportkit.settings import Alternative


def one_sided_level(alpha: float, alternative: Alternative) -> float:
    """Level at which a test for the planned direction is done: alpha, or half of it for a two-sided test.

    Raises
    ------
    SettingsError
        If alpha is not in (0, 1), or the alternative is "less": plan with the positive difference of the other system.

    Examples
    --------
    >>> one_sided_level(0.05, "greater"), one_sided_level(0.05, "two-sided")
    (0.05, 0.025)
    """
    check_probability("alpha", alpha)
    if alternative not in ("greater", "two-sided"):
        raise SettingsError(
            f"the alternative is {alternative!r}",
            remedy="plan for 'greater' or 'two-sided'; call the system that is to be better A",
        )
    return alpha if alternative == "greater" else alpha / 2


def check_probability(name: str, value: float) -> None:
    """Refuse what is not strictly between 0 and 1.

    Raises
    ------
    SettingsError
        Says the name and the value.
    """
    if not 0 < value < 1:
        raise SettingsError(f"{name} is {value!r}", remedy=f"give {name} strictly between 0 and 1")


def check_positive(name: str, value: float) -> None:
    """Refuse what is not a finite number above 0.

    Raises
    ------
    SettingsError
        Says the name and the value.
    """
    if not (value > 0 and math.isfinite(value)):
        raise SettingsError(f"{name} is {value!r}", remedy=f"give {name} as a finite number above 0")


def check_count(name: str, value: int, least: int = 1) -> None:
    """Refuse what is not a whole number of at least `least`.

    Raises
    ------
    SettingsError
        Says the name and the value.
    """
    if isinstance(value, bool) or value != int(value) or value < least:
        raise SettingsError(f"{name} is {value!r}", remedy=f"give {name} as a whole number of at least {least}")
