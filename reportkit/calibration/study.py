"""Carry out a study of calibration: its parts in order, and the reason for each that is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from reportkit.calibration.bins import BinCalibration, DomainShift, bin_calibration, domain_shift
from reportkit.calibration.joint import JointNull, joint_null
from reportkit.calibration.p_values import Calibration, Null, calibrate
from reportkit.calibration.pairs import ComparedPairs, GainThreshold, compared_pairs, gain_thresholds, unit_codes
from reportkit.calibration.plan import StudyPlan, stream
from reportkit.calibration.size_curve import SizeCurve, size_curve
from reportkit.calibration.toy import DEPENDENT, INDEPENDENT, ToyDesign, ToyResult, toy_simulation
from reportkit.errors import DesignError, MissingScoresError, ReportkitError, SettingsError, UnknownNameError
from reportkit.language import Named, short_repr
from reportkit.parallel import Workers, parallel_map
from reportkit.scores.scores import Results, Scores
from reportkit.settings.arguments import Part, Stages

FEWEST_SYSTEMS = 3
"""Two systems are one pair, which gives neither a threshold nor a share."""

MOST_RUNS_AS_SYSTEMS = 100
"""With more runs in all, runs are averaged before all pairs are compared."""

_USUAL_SIZES = 200
"""With more units, sizes 50, 100, 200, ... are taken."""

_SMALLEST_PART = 8

_FEW_FOR_BOOTSTRAP = 100
"""On test sets of fewer units the paired bootstrap rejects too often; sign flips are exact."""

TOYS = (
    ("independent", INDEPENDENT),
    ("three groups, a factor of its own each", DEPENDENT),
    ("three groups, one factor", replace(DEPENDENT, shared=True)),
)


@dataclass(frozen=True, slots=True)
class Omission:
    """A part that is missing.

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
    """One design of the toy simulations, and its counts."""

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
    same_size : tuple of ComparedPairs
        All pairs on as many units of each dataset as the smallest has; empty where all have the same number.
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
    same_size: tuple[ComparedPairs, ...] = ()
    families: Mapping[str, str] | None = None
    sizes: tuple[SizeCurve, ...] = ()
    bins: tuple[BinCalibration, ...] = ()
    domains: DomainShift | None = None
    toy: tuple[ToyStudy, ...] = ()
    omissions: tuple[Omission, ...] = ()

    __repr__ = short_repr

    @property
    def empty(self) -> bool:
        """Whether every part is missing."""
        found = (self.nulls, self.joint, self.compared, self.sizes, self.bins, self.toy)
        return not any(found) and self.domains is None


def carry_out(
    results: Results, plan: StudyPlan | None = None, *, stages: Stages | None = None, workers: Workers | None = None
) -> CalibrationStudy:
    """Carry out all parts that a plan names.

    Parameters
    ----------
    results : Results
        Results of one metric.
    plan : StudyPlan, optional
        What is looked at; everything, if not given.
    stages : callable
        Called with (what is being done, done, total).
    workers : Workers, optional
        (function, arguments of each call) -> (place, result) in any order, in other processes. This process, one after
        the other, if not given. The results are the same.

    Returns
    -------
    CalibrationStudy
        Parts that the results do not allow are missing, each with its reason.

    Raises
    ------
    SettingsError
        If the results hold several metrics.
    UnknownNameError
        If a system or a test is not known.
    MissingScoresError
        If two systems were scored on different instances and `missing="error"`.
    DesignError
        If nothing at all can be had, or a null hypothesis was asked for that the scores do not allow.

    Examples
    --------
    >>> from reportkit.scores.scores import Scores
    >>> scores = np.random.default_rng(2).normal(size=(2, 80))
    >>> block = Scores(dataset="cb", metric="f1", systems=("a", "b"), kind="continuous", scores=scores,
    ...                instances=np.arange(80).astype(object))
    >>> study = carry_out(Results(datasets=(block,)), StudyPlan(parts=("null",), n_replicates=300))
    >>> [(found.null, found.verdict.status) for found in study.nulls]
    [('signflip', 'calibrated'), ('recentre', 'calibrated')]
    """
    plan = plan or StudyPlan()
    if len(results.metrics) > 1:
        raise SettingsError(
            f"the results hold {len(results.metrics)} metrics",
            remedy=f"select one: metric={results.metrics[0]!r} (command: --metric {results.metrics[0]})",
        )
    for name in (name for pair in plan.pairs for name in pair):
        if name not in results.systems:
            raise UnknownNameError("system", name, results.systems)
    owners = _owners(results.datasets)
    if plan.families is not None:
        for name in owners.values():
            if name not in plan.families:
                raise UnknownNameError("family of system", name, plan.families)
    pairs = plan.pairs or _two_best(results)
    pieces = _pieces(plan, results.datasets, pairs)
    found: dict[str, list[Any]] = {name: [] for name in (*_FUNCTIONS, "omissions")}
    done = parallel_map(_outcome, [(plan, name, where, given) for name, where, given in pieces], workers)
    for number, ((name, _, _), outcome) in enumerate(zip(pieces, done, strict=True), 1):
        for item in outcome:
            found["omissions" if isinstance(item, Omission) else name].append(item)
        if stages is not None:
            stages("pieces of the study", number, len(pieces))
    compared = found["pairs"]
    families = owners if any(owners[name] != name for item in compared for name in item.systems) else None
    if plan.families is not None:
        families = {name: plan.families[owner] for name, owner in owners.items()}
    domains = None
    if "domains" in plan.parts:
        try:
            domains = domain_shift(compared, level=plan.confidence_level)
        except DesignError as error:
            found["omissions"].append(Omission("domains", "", error.problem))
    shown = compared if "pairs" in plan.parts else []
    study = CalibrationStudy(
        plan=plan,
        metric=results.metrics[0],
        datasets=results.dataset_names,
        systems=results.systems,
        in_percent=all(block.kind == "binary" for block in results.datasets),
        pairs=pairs,
        chosen_by_data=not plan.pairs,
        nulls=tuple(replace(item, n_judged=len(found["null"])) for item in found["null"]),
        joint=tuple(found["joint"]),
        compared=tuple(shown),
        thresholds=tuple(
            gain_thresholds(item, families=families, level=plan.confidence_level, seed=plan.rng) for item in shown
        ),
        same_size=tuple(found["same size"]),
        families=families,
        sizes=tuple(found["sizes"]),
        bins=tuple(found["bins"]),
        domains=domains,
        toy=tuple(found["toy"]),
        omissions=tuple(dict.fromkeys(found["omissions"])),
    )
    if study.empty:
        reasons = dict.fromkeys(item.reason for item in study.omissions)
        raise DesignError(
            "nothing can be calibrated on these results",
            where="; ".join(reasons) or None,
            remedy="give one score per system, dataset and instance, or per run of a system, instance by instance",
        )
    return study


_Piece = tuple[str, str, tuple[Any, ...]]
"""Name of the function, what its piece is about, and its arguments after the plan."""


def _pieces(plan: StudyPlan, blocks: Sequence[Scores], pairs: Sequence[tuple[str, str]]) -> list[_Piece]:
    """Return all pieces of a study in the order of the report; none depends on another."""
    parts, pieces = plan.parts, list[_Piece]()
    of_pairs = [(Named("{0}, {1} and {2}", (block.dataset, a, b)), (block, a, b)) for a, b in pairs for block in blocks]
    if "pairs" in parts or "domains" in parts:
        pieces += [("pairs", block.dataset, (block,)) for block in blocks]
    if "pairs" in parts:
        cut = [block for block in blocks if block.shape == "paired" and len(block.systems) >= FEWEST_SYSTEMS][:4]
        sizes = {block.n_instances for block in cut}
        pieces += [("same size", block.dataset, (block, min(sizes))) for block in cut if len(sizes) > 1]
    if "null" in parts:
        nulls = ("signflip", "recentre") if plan.null == "auto" else (plan.null,)
        pieces += [("null", where, (given[0], null, *given[1:])) for where, given in of_pairs for null in nulls]
    if "joint" in parts:
        pieces += [("joint", Named("{0} and {1}", (a, b)), (blocks, a, b)) for a, b in pairs]
    pieces += [("sizes", where, given) for where, given in of_pairs if "sizes" in parts]
    pieces += [("bins", block.dataset, (block,)) for block in blocks if "bins" in parts]
    return pieces + [("toy", "", toy) for toy in TOYS if plan.toy]


def _outcome(plan: StudyPlan, name: str, where: str, given: tuple[Any, ...]) -> list[Any]:
    """Do a piece and return what was found, or what is left out and why; fail if the user named this part."""
    caught: tuple[type[ReportkitError], ...] = (DesignError,)
    if name in ("sizes", "bins"):
        caught = (DesignError, MissingScoresError, *(() if plan.test_size else (SettingsError,)))
    try:
        return _FUNCTIONS[name](plan, *given)
    except _AbsentError as error:
        return [Omission(cast(Part, name), where, error.problem)]
    except caught as error:
        if name == "null" and plan.null in ("signflip", "recentre"):
            raise
        return [] if name == "same size" else [Omission(cast(Part, name), where, error.problem)]


class _AbsentError(DesignError):
    """A system has no scores on a dataset."""


def _check_both(block: Scores, a: str, b: str) -> None:
    for name in (a, b):
        if name not in block.systems:
            raise _AbsentError(f"{name!r} has no scores there")


def _null(plan: StudyPlan, block: Scores, null: Null, a: str, b: str) -> list[Any]:
    _check_both(block, a, b)
    if block.shape == "runs":
        raise _AbsentError("there are several runs, and a null hypothesis is made from one score per instance")
    return [calibrate(block, a, b, null, plan)]


def _joint(plan: StudyPlan, blocks: Sequence[Scores], a: str, b: str) -> list[Any]:
    both = [block for block in blocks if {a, b} <= set(block.systems)]
    absent = [Omission("joint", block.dataset, f"{a!r} or {b!r} has no scores there") for block in blocks]
    noted = [note for note, block in zip(absent, blocks, strict=True) if block not in both]
    if len(both) < 2:
        return [*noted, Omission("joint", Named("{0} and {1}", (a, b)), "k-hat needs two datasets or more")]
    return [*noted, joint_null(both, a, b, plan)]


def _as_systems(block: Scores) -> Scores:
    """Return runs as systems, if they are not too many; their averages otherwise."""
    apart = block.shape == "runs" and sum(map(len, block.runs)) <= MOST_RUNS_AS_SYSTEMS
    systems = (block.matrix() if apart else None) or block.averaged()
    if len(systems.systems) < FEWEST_SYSTEMS:
        raise DesignError(f"{len(systems.systems)} systems are too few to compare pairs of them")
    return systems


def _pairs(plan: StudyPlan, given: Scores) -> list[Any]:
    block = _as_systems(given)
    usual = "paired-bootstrap" if block.shape == "paired" and block.kind != "ordinal" else None
    options: dict[str, Any] = {
        "test": plan.pair_test or usual,
        "profile": plan.profile,
        "missing": plan.missing,
        "seed": plan.rng,
    }
    return [compared_pairs(block, **options)]


def _pairs_of_size(plan: StudyPlan, block: Scores, size: int) -> list[Any]:
    """Compare all pairs on `size` random instances; a dataset that does not allow it has been named already."""
    kept = np.zeros(block.n_instances, dtype=np.bool_)
    kept[stream(plan.rng, "same size", block.dataset).permutation(block.n_instances)[:size]] = True
    return _pairs(plan, block.where(kept))


def _complete(plan: StudyPlan, part: Part, block: Scores) -> tuple[Scores, list[Any]]:
    """Return the instances that all systems were scored on, and say so, with `missing="drop"`."""
    if plan.missing != "drop" or block.shape != "paired" or block.presence().all():
        return block, []
    kept = np.asarray(block.presence().all(axis=0))
    reason = f"only the {int(kept.sum()):,} of {kept.size:,} instances that all systems were scored on are used"
    return block.where(kept), [Omission(part, block.dataset, reason)]


def _units(block: Scores) -> int:
    codes = unit_codes(block)
    return block.n_instances if codes is None else int(codes.max()) + 1


def _size(plan: StudyPlan, given: Scores, a: str, b: str) -> list[Any]:
    _check_both(given, a, b)
    block, noted = _complete(plan, "sizes", given.averaged().select((a, b)) or given)
    n = _units(block)
    few = sorted({max(_SMALLEST_PART, round(n * share)) for share in (0.125, 0.25, 0.5, 0.75)} | {n})
    sizes = few if 2 * _SMALLEST_PART <= n <= _USUAL_SIZES else None
    return [*noted, size_curve(block, a, b, sizes=sizes, plan=plan)]


def _bins(plan: StudyPlan, given: Scores) -> list[Any]:
    block, noted = _complete(plan, "bins", _as_systems(given))
    m = plan.test_size or _units(block) // 5
    return [
        *noted,
        bin_calibration(block, test="sign-flip" if m < _FEW_FOR_BOOTSTRAP else "paired-bootstrap", plan=plan),
    ]


def _toy(plan: StudyPlan, name: str, design: ToyDesign) -> list[Any]:
    results = toy_simulation(design, alpha=plan.alpha, n_replicates=plan.n_families, seed=plan.rng)
    return [ToyStudy(name=name, design=design, results=results, n_families=plan.n_families)]


_FUNCTIONS: Mapping[str, Callable[..., list[Any]]] = {
    "pairs": _pairs,
    "same size": _pairs_of_size,
    "null": _null,
    "joint": _joint,
    "sizes": _size,
    "bins": _bins,
    "toy": _toy,
}


def _two_best(results: Results) -> tuple[tuple[str, str], ...]:
    """Return the two systems that score best on average, over the datasets that most systems share."""
    means: dict[str, list[float]] = {}
    for block in results.datasets:
        for system in block.systems:
            value, _ = block.value(system, missing="drop")
            means.setdefault(system, []).append(value if block.higher_is_better else -value)
    most = max(map(len, means.values()))
    ranked = sorted(
        (name for name, values in means.items() if len(values) == most), key=lambda name: -float(np.mean(means[name]))
    )
    return ((ranked[0], ranked[1]),) if len(ranked) > 1 else ()


def _owners(blocks: Sequence[Scores]) -> dict[str, str]:
    """Map each system, and each run of a system, to its system."""
    owners: dict[str, str] = {}
    for block in blocks:
        owners |= {system: system for system in block.systems}
        runs_of = zip(block.systems, block.runs, strict=False)
        owners |= {f"{system}, run {run}": system for system, runs in runs_of for run in runs}
    return owners
