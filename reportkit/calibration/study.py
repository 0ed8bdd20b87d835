"""A study of calibration: what is looked at, what was found, and what was left out and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from reportkit.calibration.all_pairs import ComparedPairs
from reportkit.calibration.bins import BinCalibration
from reportkit.calibration.domain_shift import DomainShift
from reportkit.calibration.gain_threshold import GainThreshold
from reportkit.calibration.null.joint_null import JointNull
from reportkit.calibration.null.null_samples import RunsAs
from reportkit.calibration.null.p_values import Calibration
from reportkit.calibration.size_curve import SizeCurve
from reportkit.calibration.streams import check_number
from reportkit.calibration.toy import ToyDesign, ToyResult
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.language.short_repr import short_repr
from reportkit.replicability.multiple_testing.p_values import check_alpha
from reportkit.scores.shapes.block import Missing
from reportkit.settings import Profile

Part = Literal["null", "joint", "pairs", "sizes", "bins", "domains"]
PARTS: tuple[Part, ...] = ("null", "joint", "pairs", "sizes", "bins", "domains")
"""What a study may consist of."""

NullChoice = Literal["auto", "signflip", "recentre", "seeds"]

Stages = Callable[[str, int, int], None]
"""Called with (what is being done, done, total) after each block of work."""

OF_STUDY = (
    *("null", "runs_as", "pair_test", "level", "n_replicates", "n_resamples", "n_subsamples", "max_tests"),
    *("test_size", "n_families"),
)
"""Fields of a plan that are no settings of a comparison, or mean something else there."""

_QUICK = {"n_replicates": 500, "n_resamples": 199, "n_subsamples": 100, "max_tests": 5_000}


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPlan:
    """What a study of calibration looks at.

    Parameters
    ----------
    pairs : tuple of (str, str)
        Pairs of systems whose p-values are simulated where neither is better, and whose test size is varied; the two
        best systems, if empty.
    families : mapping of str to str, optional
        System to family (base model, research group).
    parts : tuple of str
        Some of `PARTS`.
    null : {"auto", "signflip", "recentre", "seeds"}
        How the null hypothesis is made true. "auto": by runs of one system where there are any; by flipped signs and,
        where scores allow it, recentred differences elsewhere.
    runs_as : {"runs", "single", "average", "instances"}
        How runs reach the test, see `calibrate_runs`.
    test : str, optional
        Test of the null hypothesis that is judged; what the decision table chooses, if not given.
    pair_test : str, optional
        Test of all pairs; the paired bootstrap of Berg-Kirkpatrick et al. (2012) where scores have a mean, and what the
        decision table chooses elsewhere.
    profile, missing
        As for `reportkit.calibration.null.p_values.calibrate`.
    alpha, level : float
        Level of the tests, and of the intervals.
    n_replicates, n_resamples : int
        Simulated data sets, and random resamples of a test on each of them.
    n_subsamples, max_tests : int
        Parts of a test set of each size, and most p-values of the calibration by bins.
    test_size : int, optional
        Units of a test set drawn in the calibration by bins; a fifth of all, if not given.
    toy : bool
        Whether the simulations of Dror et al. (2017), section 5, are run beside.
    n_families : int
        Families of these simulations.
    seed : int
        Of everything.

    Raises
    ------
    SettingsError
        If a number makes no sense.
    UnknownNameError
        If there is no such part or null hypothesis.
    """

    pairs: tuple[tuple[str, str], ...] = ()
    families: Mapping[str, str] | None = None
    parts: tuple[Part, ...] = PARTS
    null: NullChoice = "auto"
    runs_as: RunsAs = "runs"
    test: str | None = None
    pair_test: str | None = None
    profile: Profile = "recommended"
    missing: Missing = "error"
    alpha: float = 0.05
    level: float = 0.95
    n_replicates: int = 2_000
    n_resamples: int = 999
    n_subsamples: int = 200
    max_tests: int = 200_000
    test_size: int | None = None
    toy: bool = False
    n_families: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        check_alpha(self.alpha)
        check_alpha(self.level)
        for name in ("n_replicates", "n_resamples", "n_subsamples", "max_tests", "n_families"):
            check_number(name, getattr(self, name), 1)
        check_number("seed", self.seed, 0)
        for part in self.parts:
            if part not in PARTS:
                raise UnknownNameError("part of a study", part, PARTS)
        known = ("auto", "signflip", "recentre", "seeds")
        if self.null not in known:
            raise UnknownNameError("null hypothesis", self.null, known)
        if not self.parts and not self.toy:
            raise SettingsError("nothing is asked for", remedy=f"name some of {', '.join(PARTS)}")

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
