"""A study of calibration: what is looked at, what was found, and what was left out and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import get_args

from reportkit.calibration.all_pairs import ComparedPairs
from reportkit.calibration.bins import BinCalibration
from reportkit.calibration.domain_shift import DomainShift
from reportkit.calibration.gain_threshold import GainThreshold
from reportkit.calibration.null.joint_null import JointNull
from reportkit.calibration.null.p_values import Calibration
from reportkit.calibration.size_curve import SizeCurve
from reportkit.calibration.streams import check_number
from reportkit.calibration.toy import ToyDesign, ToyResult
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.language.short_repr import short_repr
from reportkit.replicability.multiple_testing.p_values import check_alpha
from reportkit.scores.choices import Missing
from reportkit.settings import Profile
from reportkit.settings.arguments import PARTS, CalibrationChoices, NullChoice, Part
from reportkit.settings.settings import seed_of

OF_STUDY = tuple(item.name for item in fields(CalibrationChoices))
"""Fields of a plan that are no settings of a comparison, or mean something else there."""

_QUICK = {"n_replicates": 500, "n_resamples": 199, "n_subsamples": 100, "max_tests": 5_000}


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPlan(CalibrationChoices):
    """What a study of calibration looks at: the choices, and the results that they are about.

    Parameters
    ----------
    pairs : tuple of (str, str)
        Pairs of systems whose p-values are simulated where neither is better, and whose test size is varied; the two
        best systems, if empty.
    families : mapping of str to str, optional
        System to family (base model, research group).
    test : str, optional
        Test of the null hypothesis that is judged; what the decision table chooses, if not given.
    profile, missing
        As for `reportkit.calibration.null.p_values.calibrate`.
    alpha : float
        Level of the tests.
    rng : int or numpy.random.Generator
        Seed of everything; of a generator one whole number is drawn and kept.

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
        """The same with fewer replicates: a first look, with wide intervals."""
        return replace(self, **{name: min(value, getattr(self, name)) for name, value in _QUICK.items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class Omission:
    """A part that could not be had.

    Parameters
    ----------
    part : str
        One of `PARTS`.
    where : str
        Dataset, and systems if it is about two of them; empty if it is about all.
    reason : str
        Why, as a sentence without a full stop.
    """

    part: Part
    where: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToyStudy:
    """One design of the toy simulations with what was counted."""

    name: str
    design: ToyDesign
    results: tuple[ToyResult, ...]
    n_families: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CalibrationStudy:
    """Everything that was found.

    Parameters
    ----------
    plan : StudyPlan
        What was looked at.
    metric : str
        Name.
    datasets, systems : tuple of str
        All of them.
    in_percent : bool
        Whether all scores are right or wrong, so that means are printed in percent.
    pairs : tuple of (str, str)
        Pairs of systems whose null hypothesis was simulated.
    chosen_by_data : bool
        Whether these pairs are the two best systems, which nobody named.
    nulls : tuple of Calibration
        P-values under the null hypothesis: one per pair, dataset and way to make it true.
    joint : tuple of JointNull
        k-hat where no dataset has an effect, one per pair.
    compared : tuple of ComparedPairs
        All pairs, one per dataset.
    thresholds : tuple of tuple of GainThreshold
        One group per dataset of `compared`.
    families : mapping of str to str, or None
        Row of `compared` (system, or run of a system) to family.
    sizes : tuple of SizeCurve
        One per pair and dataset.
    bins : tuple of BinCalibration
        One per dataset.
    domains : DomainShift or None
        From each dataset to each other one.
    toy : tuple of ToyStudy
        Simulations of Dror et al. (2017), section 5.
    omissions : tuple of Omission
        What is missing, and why.
    """

    plan: StudyPlan
    metric: str
    datasets: tuple[str, ...]
    systems: tuple[str, ...]
    in_percent: bool = False
    pairs: tuple[tuple[str, str], ...] = ()
    chosen_by_data: bool = False
    nulls: tuple[Calibration, ...] = ()
    joint: tuple[JointNull, ...] = ()
    compared: tuple[ComparedPairs, ...] = ()
    thresholds: tuple[tuple[GainThreshold, ...], ...] = ()
    families: Mapping[str, str] | None = field(default=None)
    sizes: tuple[SizeCurve, ...] = ()
    bins: tuple[BinCalibration, ...] = ()
    domains: DomainShift | None = None
    toy: tuple[ToyStudy, ...] = ()
    omissions: tuple[Omission, ...] = ()

    __repr__ = short_repr

    @property
    def empty(self) -> bool:
        """Whether nothing could be had."""
        found = (self.nulls, self.joint, self.compared, self.sizes, self.bins, self.toy)
        return not any(found) and self.domains is None
