"""The comparison that is planned: its power, the size that it needs and the smallest effect that it shows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from scipy.special import ndtri

from reportkit.errors import SettingsError
from reportkit.power_analysis.mcnemar_power import check_rates, mcnemar_power
from reportkit.power_analysis.minimum_detectable import minimum_detectable, smallest_root
from reportkit.power_analysis.planned_error import PlannedError
from reportkit.power_analysis.power import power as power_of
from reportkit.power_analysis.sample_size import mcnemar_sample_size, sample_size, smallest_size, steady_size
from reportkit.power_analysis.two_proportions import two_proportions_power

_CLOSE = 1e-12

_FEW = 200
"""With more instances of each system, the power of the exact tests of two samples rises nearly steadily."""


class Design(Protocol):
    """How well a comparison of A and B is known for each number of instances; levels are one-sided.

    It can be pickled, so that any process can plan with it.
    """

    def power(self, n: int, effect: float, level: float) -> float:
        """Probability that the test shows A to be better if the true difference is `effect`."""

    def sample_size(self, effect: float, power: float, level: float) -> int:
        """Smallest number of instances with this power."""

    def minimum_effect(self, n: int, power: float, level: float) -> float | None:
        """Smallest difference with this power; None if no possible difference has it."""

    def error(self, n: int, effect: float) -> PlannedError:
        """Standard error of the difference."""

    def discordant(self, effect: float) -> float | None:
        """Share of the instances on which exactly one system is right, where the test depends on it."""


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """A difference of means, or of a corpus metric, tested by a t test.

    Parameters
    ----------
    error_at : callable
        From the number of instances to the planned standard error.
    """

    error_at: Callable[[int], PlannedError]

    def power(self, n: int, effect: float, level: float) -> float:
        """See `power`."""
        return power_of(effect, self.error_at(n), alpha=level, alternative="greater")

    def sample_size(self, effect: float, power: float, level: float) -> int:
        """See `sample_size`."""
        return sample_size(effect, self.error_at, power=power, alpha=level, alternative="greater")

    def minimum_effect(self, n: int, power: float, level: float) -> float | None:
        """See `minimum_detectable`."""
        return minimum_detectable(self.error_at(n), power=power, alpha=level, alternative="greater").at_alpha

    def error(self, n: int, effect: float) -> PlannedError:
        """As planned, whatever the effect."""
        return self.error_at(n)

    def discordant(self, effect: float) -> None:
        """Nothing: means need no such share."""


@dataclass(frozen=True, slots=True)
class PairedAccuracy:
    """A difference in accuracy on the same instances, tested by the exact McNemar test.

    Parameters
    ----------
    discordant_at : callable
        From the difference to the share of the instances on which exactly one system is right.
    most : float
        Largest possible difference.
    """

    discordant_at: Callable[[float], float]
    most: float

    def power(self, n: int, effect: float, level: float) -> float:
        """See `mcnemar_power`."""
        return mcnemar_power(n, effect, self.discordant(effect), alpha=level, alternative="greater")

    def sample_size(self, effect: float, power: float, level: float) -> int:
        """See `mcnemar_sample_size`."""
        return mcnemar_sample_size(effect, self.discordant(effect), power=power, alpha=level, alternative="greater")

    def minimum_effect(self, n: int, power: float, level: float) -> float | None:
        """Where the power as a function of the difference reaches `power`."""
        return smallest_root(lambda effect: self.power(n, effect, level) - power, self.most)

    def error(self, n: int, effect: float) -> PlannedError:
        """The square root of (psi - delta^2) / n, normal."""
        variance = self.discordant(effect) - effect * effect
        return PlannedError(math.sqrt(max(variance, _CLOSE) / n))

    def discordant(self, effect: float) -> float:
        """Share of the instances on which exactly one system is right."""
        found = self.discordant_at(effect)
        if abs(found - effect) < _CLOSE:
            return effect
        check_rates(effect, found)
        return found


def _as_many(n: int) -> tuple[int, int]:
    return n, n


@dataclass(frozen=True, slots=True)
class UnpairedAccuracy:
    """A difference in accuracy on different instances, tested by Boschloo's or Fisher's exact test.

    Parameters
    ----------
    right_at : callable
        From the difference to the accuracies of A and B.
    most : float
        Largest possible difference.
    sizes : callable
        From the number of instances to those of A and of B; as many of each by default.
    """

    right_at: Callable[[float], tuple[float, float]]
    most: float
    sizes: Callable[[int], tuple[int, int]] = _as_many

    def power(self, n: int, effect: float, level: float) -> float:
        """See `two_proportions_power`."""
        return two_proportions_power(*self.sizes(n), *self.right_at(effect), alpha=level, alternative="greater")

    def sample_size(self, effect: float, power: float, level: float) -> int:
        """Smallest number with this power; up to 200, the one from which on no number has less.

        The search begins at the normal approximation with continuity correction of Casagrande, Pike and Smith (1978),
        "An improved approximate formula for calculating sample sizes for comparing two binomial distributions".
        """
        a, b = self.right_at(effect)
        z_level, z_power = float(-ndtri(level)), float(ndtri(power))
        spread = z_level * math.sqrt((a + b) * (2 - a - b) / 2) + z_power * math.sqrt(a * (1 - a) + b * (1 - b))
        guess = math.ceil((spread / effect) ** 2 / 4 * (1 + math.sqrt(1 + 4 * effect / spread**2)) ** 2)

        def reached(n: int) -> bool:
            return self.power(n, effect, level) >= power

        n = smallest_size(reached, 1, guess)
        return steady_size(reached, n, math.isqrt(n) + 5) if n <= _FEW else n

    def minimum_effect(self, n: int, power: float, level: float) -> float | None:
        """Where the power as a function of the difference reaches `power`."""
        return smallest_root(lambda effect: self.power(n, effect, level) - power, self.most)

    def error(self, n: int, effect: float) -> PlannedError:
        """Of the difference of two independent shares, normal."""
        variances = [right * (1 - right) / m for right, m in zip(self.right_at(effect), self.sizes(n), strict=True)]
        return PlannedError(math.sqrt(max(sum(variances), _CLOSE)))

    def discordant(self, effect: float) -> None:
        """Nothing: the instances are not shared."""


def paired_accuracy(accuracy: float | None, discordant: float | None = None) -> dict[str, PairedAccuracy]:
    """Plan for right-or-wrong scores on the same instances, where it may not be known how often the systems disagree.

    Parameters
    ----------
    accuracy : float or None
        Accuracy of B; A is planned to be better by the difference. May be left open if the rate is known.
    discordant : float, optional
        P(exactly one is right), if it is known.

    Returns
    -------
    dict of str to PairedAccuracy
        One plan if the rate is known. Otherwise three. As rarely as possible: A is right wherever B is, and the rate
        is the difference. Independent errors: a (1 - b) + b (1 - a). As often as possible:
        2 min(a, 1 - b) - difference. Systems that learnt from similar data make similar mistakes, and stand between the
        first and the second.

    Raises
    ------
    SettingsError
        If the accuracy is not in [0, 1), or the rate not in (0, 1].

    Notes
    -----
    Card et al. (2020), "With little power comes great responsibility", on comparing accuracies.

    Examples
    --------
    The accuracies of Sadat Azer et al. (2020) on ARC-easy, as a plan for a new test set of the same size:

    >>> for name, design in paired_accuracy(1637 / 2376).items():
    ...     print(f"{name}: {design.power(2376, 84 / 2376, 0.025):.3f}")
    as rarely as possible: 1.000
    independent errors: 0.754
    as often as possible: 0.604
    """
    if discordant is not None:
        if not 0 < discordant <= 1:
            raise SettingsError(f"discordant is {discordant!r}", remedy="give a rate above 0 and at most 1")
        return {"": PairedAccuracy(partial(always, discordant), min(discordant, _room(accuracy or 0.0)))}
    if accuracy is None:
        raise SettingsError("neither accuracy nor discordant is given", remedy="give one of them")
    return {
        "as rarely as possible": PairedAccuracy(partial(_rarely, accuracy), _room(accuracy)),
        "independent errors": PairedAccuracy(partial(_independently, accuracy), _room(accuracy)),
        "as often as possible": PairedAccuracy(partial(_often, accuracy), _room(accuracy)),
    }


def always(share: float, effect: float) -> float:
    """A share of discordant instances that does not depend on the difference."""
    return share


def _rarely(b: float, effect: float) -> float:
    return _better(b, effect) - b


def _independently(b: float, effect: float) -> float:
    right = _better(b, effect)
    return right * (1 - b) + b * (1 - right)


def _often(b: float, effect: float) -> float:
    return min(1.0, max(effect, 2 * min(_better(b, effect), 1 - b) - effect))


def unpaired_accuracy(accuracy: float) -> UnpairedAccuracy:
    """Plan for right-or-wrong scores on different instances.

    Parameters
    ----------
    accuracy : float
        Accuracy of B, in [0, 1); A is planned to be better by the difference.

    Raises
    ------
    SettingsError
        If it is not.
    """
    return UnpairedAccuracy(partial(_both, accuracy), _room(accuracy))


def _both(accuracy: float, effect: float) -> tuple[float, float]:
    return _better(accuracy, effect), accuracy


def _room(accuracy: float) -> float:
    """By how much a system can be better."""
    if not 0 <= accuracy < 1:
        raise SettingsError(f"accuracy is {accuracy!r}", remedy="give the accuracy of the baseline from 0 to below 1")
    return 1 - accuracy


def _better(accuracy: float, effect: float) -> float:
    if effect > 1 - accuracy + _CLOSE:
        raise SettingsError(
            f"no system is better by {effect!r} than one with an accuracy of {accuracy!r}",
            remedy=f"plan for an effect of at most {1 - accuracy:.6g}; 1 point is 0.01",
        )
    return min(1.0, accuracy + effect)
