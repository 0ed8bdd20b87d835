"""The plan of a study of calibration, and its random streams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import get_args

import numpy as np

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.scores.choices import Missing
from reportkit.settings import Profile
from reportkit.settings.arguments import PARTS, NullChoice, Part
from reportkit.settings.settings import seed_of
from reportkit.significance.outcome import check_alpha
from reportkit.significance.resamples import hash64

_QUICK = {"n_replicates": 500, "n_resamples": 199, "n_subsamples": 100, "max_tests": 5_000}


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPlan:
    """The plan of a study of calibration.

    Parameters
    ----------
    pairs : tuple of (str, str)
        Pairs of systems whose p-values are simulated where neither is better, and whose test size is varied; the two
        best systems, if empty.
    families : mapping of str to str, optional
        System to family (base model, research group).
    test : str, optional
        Test of the null hypothesis that is judged; what the decision table chooses, if not given.
    profile : {"recommended", "dror2017"}
        Which decision table.
    missing : {"error", "drop", "worst"}
        As for `Scores.pair`.
    alpha : float
        Level of the tests.
    rng : int or numpy.random.Generator
        Seed of everything; of a generator one whole number is drawn and kept.
    parts : sequence of str
        Some of "null", "joint", "pairs", "sizes", "bins", "domains"; none with `toy` for the simulations alone.
    toy : bool
        Add the simulations of Dror et al. (2017), section 5.
    null : {"auto", "signflip", "recentre"}
        How the null hypothesis is made true. "auto": by flipped signs and, where scores allow it, recentred
        differences.
    pair_test : str, optional
        Test of all pairs; the paired bootstrap of Berg-Kirkpatrick et al. (2012) where scores have a mean, and what the
        decision table chooses elsewhere.
    test_size : int, optional
        Units of a test set drawn in the calibration by bins; a fifth of all, if not given.
    confidence_level : float
        Confidence level of the intervals.
    n_replicates : int
        Simulated data sets.
    n_resamples : int
        Random resamples of a test on each simulated data set.
    n_subsamples : int
        Parts of a test set of each size.
    max_tests : int
        Most p-values of the calibration by bins.
    n_families : int
        Families of the simulations of Dror et al. (2017).

    Raises
    ------
    SettingsError
        If a number makes no sense.
    UnknownNameError
        If there is no such part or null hypothesis.
    """

    pairs: tuple[tuple[str, str], ...] = ()
    families: Mapping[str, str] | None = None
    test: str | None = None
    profile: Profile = "recommended"
    missing: Missing = "error"
    alpha: float = 0.05
    rng: int = 0
    parts: Sequence[Part] = PARTS
    toy: bool = False
    null: NullChoice = "auto"
    pair_test: str | None = None
    test_size: int | None = None
    confidence_level: float = 0.95
    n_replicates: int = 2_000
    n_resamples: int = 999
    n_subsamples: int = 200
    max_tests: int = 200_000
    n_families: int = 10_000

    def __post_init__(self) -> None:
        check_alpha(self.alpha)
        if not 0 < self.confidence_level < 1:
            raise SettingsError(f"confidence_level is {self.confidence_level!r}", remedy="give one such as 0.95")
        for name in ("n_replicates", "n_resamples", "n_subsamples", "max_tests", "n_families"):
            check_number(name, getattr(self, name), 1)
        object.__setattr__(self, "rng", seed_of(self.rng))
        for part in self.parts:
            if part not in PARTS:
                raise UnknownNameError("part of a study", part, PARTS)
        if self.null not in get_args(NullChoice):
            raise UnknownNameError("null hypothesis", self.null, get_args(NullChoice))
        if not self.parts and not self.toy:
            raise SettingsError("no part of the study was chosen", remedy=f"name some of {', '.join(PARTS)}")

    def quick(self) -> StudyPlan:
        """Return the same with fewer replicates: a first look, with wide intervals."""
        return replace(self, **{name: min(value, getattr(self, name)) for name, value in _QUICK.items()})


_OF_COMPARISON = ("pairs", "families", "test", "profile", "missing", "alpha", "rng")
OF_STUDY = tuple(item.name for item in fields(StudyPlan) if item.name not in _OF_COMPARISON)
"""Fields of a plan that settings of a comparison lack, or use with another meaning."""


def families_of(groups: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Turn families with their systems into the family of each system.

    Raises
    ------
    SettingsError
        If a system is in two families, or a family is not a list of systems.

    Examples
    --------
    >>> families_of({"bert": ["bert-base", "bert-large"], "t5": ["t5-small"]})
    {'bert-base': 'bert', 'bert-large': 'bert', 't5-small': 't5'}
    """
    found: dict[str, str] = {}
    for family, systems in groups.items():
        if isinstance(systems, str):
            raise SettingsError(
                f"family {family!r} is the text {systems!r}", remedy=f"give a list of systems: {{{family!r}: [...]}}"
            )
        for system in systems:
            if found.setdefault(system, family) != family:
                raise SettingsError(
                    f"{system!r} is in two families, {found[system]!r} and {family!r}", remedy="name each system once"
                )
    return found


def stream(seed: int, *names: str) -> np.random.Generator:
    """Return the random stream that belongs to a seed and to names, and never depends on the order of work.

    Raises
    ------
    SettingsError
        If the seed is not a whole number of at least 0.

    Examples
    --------
    >>> stream(0, "null", "news").integers(100, size=3) - stream(0, "null", "news").integers(100, size=3)
    array([0, 0, 0])
    """
    return np.random.default_rng(np.random.SeedSequence([check_number("seed", seed, 0), hash64(*names)]))


def check_number(name: str, value: object, lowest: int) -> int:
    """Return a whole number of at least `lowest`.

    Raises
    ------
    SettingsError
        If it is anything else.

    Examples
    --------
    >>> check_number("n_replicates", 200, 1)
    200
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < lowest:
        raise SettingsError(f"{name} is {value!r}", remedy=f"give a whole number of at least {lowest}")
    return value
