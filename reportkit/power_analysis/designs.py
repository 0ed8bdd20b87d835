"""The comparison that is planned: its power, the size that it needs and the smallest effect that it shows.

Levels are one-sided. A design can be pickled, so that any process can plan with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from scipy.special import nctdtrinc, ndtri, stdtrit

from reportkit.errors import SettingsError
from reportkit.power_analysis.exact import mcnemar_power, t_power, two_proportions_power
from reportkit.power_analysis.planned_error import PlannedError

_CLOSE = 1e-12

_FEW = 200
"""With more instances of each system, the power of the exact tests of two samples rises nearly steadily."""

_SMOOTH = 3.0
"""Where the number of discordant instances has this standard deviation or more, power rises steadily with n."""

MOST = 10**9
"""Larger designs are not looked for."""


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
        """Return the probability that the test shows A to be better if the true difference is `effect`."""
        return t_power(effect, self.error_at(n), level)

    def sample_size(self, effect: float, power: float, level: float) -> int:
        """Return the smallest number of instances with this power."""
        return smallest_size(lambda n: self.power(n, effect, level) >= power, 2)

    def minimum_effect(self, n: int, power: float, level: float) -> float:
        """Return the smallest difference with this power.

        (z_alpha + z_power) se for a normal estimate; with few degrees of freedom the noncentrality for which the t test
        has this power. Bloom (1995), "Minimum detectable effects", gives the first form.
        """
        planned = self.error_at(n)
        freedom = planned.degrees_of_freedom
        if math.isinf(freedom):
            return planned.standard_error * float(ndtri(power) - ndtri(level))
        return planned.standard_error * float(nctdtrinc(freedom, 1 - power, -stdtrit(freedom, level)))

    def error(self, n: int, effect: float) -> PlannedError:
        """Return the planned standard error, whatever the effect."""
        return self.error_at(n)

    def discordant(self, effect: float) -> None:
        """Return nothing: means need no share of discordant instances."""


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
        """Return the probability that the test shows A to be better; see `mcnemar_power`."""
        return mcnemar_power(n, effect, self.discordant(effect), level)

    def sample_size(self, effect: float, power: float, level: float) -> int:
        """Return the number of instances with this power, which every larger number has too.

        Where nearly all instances are discordant, the power rises and falls from one n to the next, and smaller numbers
        can have it by luck. The search begins at the normal approximation of Connor (1987), which promises too much.
        """
        rate = self.discordant(effect)
        normal = -ndtri(level) * math.sqrt(rate) + ndtri(power) * math.sqrt(max(rate - effect * effect, 0.0))

        def reached(n: int) -> bool:
            return self.power(n, effect, level) >= power

        n = smallest_size(reached, 1, math.ceil(max(normal / effect, 0.0) ** 2 + 1.5 / effect))
        smooth = n * rate * (1 - rate) >= _SMOOTH**2
        return n if smooth else steady_size(reached, n, math.ceil(4 * math.sqrt(n)) + 20)

    def minimum_effect(self, n: int, power: float, level: float) -> float | None:
        """Return the smallest difference with this power; None if no possible difference has it."""
        return smallest_root(lambda effect: self.power(n, effect, level) - power, self.most)

    def error(self, n: int, effect: float) -> PlannedError:
        """Return the square root of (psi - delta^2) / n, normal."""
        variance = self.discordant(effect) - effect * effect
        return PlannedError(math.sqrt(max(variance, _CLOSE) / n))

    def discordant(self, effect: float) -> float:
        """Return the share of the instances on which exactly one system is right."""
        found = self.discordant_at(effect)
        return effect if abs(found - effect) < _CLOSE else found


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
        From the number of instances to those of A and of B; the same number of each by default.
    """

    right_at: Callable[[float], tuple[float, float]]
    most: float
    sizes: Callable[[int], tuple[int, int]] = _as_many

    def power(self, n: int, effect: float, level: float) -> float:
        """Return the probability that the test shows A to be better; see `two_proportions_power`."""
        return two_proportions_power(*self.sizes(n), *self.right_at(effect), level)

    def sample_size(self, effect: float, power: float, level: float) -> int:
        """Return the smallest number with this power; up to 200, the smallest one that no larger number falls below.

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
        """Return the smallest difference with this power; None if no possible difference has it."""
        return smallest_root(lambda effect: self.power(n, effect, level) - power, self.most)

    def error(self, n: int, effect: float) -> PlannedError:
        """Return the standard error of the difference of two independent shares, normal."""
        variances = [right * (1 - right) / m for right, m in zip(self.right_at(effect), self.sizes(n), strict=True)]
        return PlannedError(math.sqrt(max(sum(variances), _CLOSE)))

    def discordant(self, effect: float) -> None:
        """Return nothing: the instances are not shared."""


Design = MeanDifference | PairedAccuracy | UnpairedAccuracy


def smallest_size(reached: Callable[[int], bool], least: int, guess: int | None = None) -> int:
    """Find a number that suffices while the one before does not; `least` if that suffices.

    Parameters
    ----------
    reached : callable
        Whether a number suffices.
    least : int
        Where to begin.
    guess : int, optional
        A number above `least`, near which the search begins.

    Raises
    ------
    SettingsError
        If no number up to a billion suffices.
    """
    if reached(least):
        return least
    below, enough = least, 2 * least if guess is None else max(guess, least + 1)
    while not reached(enough):
        below, enough = enough, 2 * enough if guess is None else enough + max(1, enough // 32)
        if enough > MOST:
            raise SettingsError(
                f"no number up to {MOST:,} gives this power",
                remedy="plan for a larger effect, or let another part of the design grow too",
            )
    if guess is not None:
        step = max(1, enough // 32)
        while enough - below > step and reached(enough - step):
            enough -= step
        below = max(below, enough - step)
    while enough - below > 1:
        middle = (below + enough) // 2
        below, enough = (below, middle) if reached(middle) else (middle, enough)
    return enough


def steady_size(reached: Callable[[int], bool], n: int, around: int) -> int:
    """Find the number from which on every number has the power, near one that has it while the one before does not.

    Powers of exact tests rise and fall from one small number of instances to the next; `around` says how far to look.
    """
    short = [k for k in range(max(1, n - around), n + around) if not reached(k)]
    return short[-1] + 1 if short else n


def smallest_root(excess: Callable[[float], float], most: float) -> float | None:
    """Return the effect between 0 and a largest one at which an increasing function is 0; None if it stays below."""
    from scipy.optimize import brentq

    most *= 1 - 1e-9
    return None if excess(most) < 0 else float(brentq(excess, most * 1e-9, most, xtol=1e-12))


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
        2 min(a, 1 - b) - difference. Systems that learnt from similar data make similar mistakes, and are between the
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
    """Return a share of discordant instances that does not depend on the difference."""
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
    """Return by how much a system can be better."""
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
