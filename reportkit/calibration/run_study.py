"""From results to a study of calibration: one part after the other, and a reason for each part that cannot be had."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np

from reportkit.calibration.all_pairs import ComparedPairs, compared_pairs
from reportkit.calibration.bins import BinCalibration, bin_calibration
from reportkit.calibration.block_units import unit_codes
from reportkit.calibration.domain_shift import DomainShift, domain_shift
from reportkit.calibration.gain_threshold import gain_thresholds
from reportkit.calibration.null.joint_null import JointNull, joint_null
from reportkit.calibration.null.null_of_runs import calibrate_runs
from reportkit.calibration.null.p_values import Calibration, calibrate
from reportkit.calibration.size_curve import SizeCurve, size_curve
from reportkit.calibration.streams import Progress
from reportkit.calibration.study import CalibrationStudy, Omission, StudyPlan, ToyStudy
from reportkit.calibration.toy import DEPENDENT, INDEPENDENT, toy_simulation
from reportkit.errors import DesignError, MissingScoresError, ReportkitError, SettingsError, UnknownNameError
from reportkit.scores.results import Results
from reportkit.scores.shapes.block import Block
from reportkit.scores.shapes.runs import DatasetRuns
from reportkit.settings.arguments import Part, Stages

FEWEST_SYSTEMS = 3
"""Two systems are one pair, of which no threshold and no share can be had."""

MOST_RUNS_AS_SYSTEMS = 100
"""With more runs in all, runs are averaged before all pairs are compared."""

_USUAL_SIZES = 200
"""With more units, sizes 50, 100, 200, ... are taken."""

_SMALLEST_PART = 8

_FEW_FOR_BOOTSTRAP = 100
"""On test sets of fewer units the paired bootstrap rejects too often; sign flips are exact."""

_TOYS = (
    ("independent", INDEPENDENT),
    ("three groups, a factor of its own each", DEPENDENT),
    ("three groups, one factor", replace(DEPENDENT, shared=True)),
)


def _unheard(stage: str, done: int, total: int) -> None:
    """Report nothing."""


@dataclass(slots=True)
class _Work:
    """What a study needs on its way."""

    plan: StudyPlan
    blocks: tuple[Block, ...]
    stages: Stages
    omissions: list[Omission] = field(default_factory=list)

    def progress(self, stage: str) -> Progress:
        return lambda done, total: self.stages(stage, done, total)

    def leave_out(self, part: Part, where: str, reason: str) -> None:
        self.omissions.append(Omission(part=part, where=where, reason=reason))

    @contextmanager
    def allowed_to_fail(self, part: Part, where: str, *errors: type[ReportkitError]) -> Iterator[None]:
        """Note why a part cannot be had, if one of these errors says so; any other is the user's to see."""
        try:
            yield
        except errors as error:
            self.leave_out(part, where, error.problem)


def carry_out(results: Results, plan: StudyPlan | None = None, *, stages: Stages = _unheard) -> CalibrationStudy:
    """Look at everything a plan names.

    Parameters
    ----------
    results : Results
        Of one metric.
    plan : StudyPlan, optional
        What is looked at; everything, if not given.
    stages : callable
        Called with (what is being done, done, total).

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
    >>> from reportkit.scores.shapes.paired_scores import DatasetScores
    >>> scores = np.random.default_rng(0).normal(size=(2, 80))
    >>> block = DatasetScores(dataset="cb", metric="f1", systems=("a", "b"), kind="continuous", scores=scores,
    ...                       instances=np.arange(80).astype(object))
    >>> study = carry_out(Results(datasets=(block,)), StudyPlan(parts=("null",), n_replicates=1000))
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
    work = _Work(plan, results.datasets, stages)
    pairs = plan.pairs or _two_best(results)
    compared = _compared(work) if {"pairs", "domains"} & set(plan.parts) else ()
    families = _families(work, compared)
    study = CalibrationStudy(
        plan=plan,
        metric=results.metrics[0],
        datasets=results.dataset_names,
        systems=results.systems,
        in_percent=all(block.kind == "binary" for block in results.datasets),
        pairs=pairs,
        chosen_by_data=not plan.pairs,
        nulls=_judged_together(_nulls(work, pairs)) if "null" in plan.parts else (),
        joint=tuple(_joint(work, pairs)) if "joint" in plan.parts else (),
        compared=compared if "pairs" in plan.parts else (),
        thresholds=tuple(
            gain_thresholds(item, families=families, level=plan.confidence_level, seed=plan.rng) for item in compared
        )
        if "pairs" in plan.parts
        else (),
        families=families,
        sizes=tuple(_sizes(work, pairs)) if "sizes" in plan.parts else (),
        bins=tuple(_bins(work)) if "bins" in plan.parts else (),
        domains=_domains(work, compared) if "domains" in plan.parts else None,
        toy=_toys(work) if plan.toy else (),
        omissions=tuple(work.omissions),
    )
    if study.empty:
        reasons = dict.fromkeys(item.reason for item in study.omissions)
        raise DesignError(
            "nothing can be calibrated on these results",
            where="; ".join(reasons) or None,
            remedy="give one score per system, dataset and instance, or per run of a system, instance by instance",
        )
    return study


def _two_best(results: Results) -> tuple[tuple[str, str], ...]:
    """The two systems that score best on average, over the datasets that most systems share."""
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


def _with_both(work: _Work, part: Part, a: str, b: str) -> list[Block]:
    """Datasets that both systems have scores on; the others are left out, with a word."""
    found = []
    for block in work.blocks:
        absent = [name for name in (a, b) if name not in block.systems]
        if absent:
            work.leave_out(part, f"{block.dataset}, {a} and {b}", f"{absent[0]!r} has no scores there")
        else:
            found.append(block)
    return found


def _nulls(work: _Work, pairs: Sequence[tuple[str, str]]) -> Iterator[Calibration]:
    plan = work.plan
    with_runs = [block for block in work.blocks if isinstance(block, DatasetRuns)]
    if plan.null == "seeds" or (plan.null == "auto" and with_runs):
        if not with_runs:
            raise DesignError(
                "there are no runs of a system to compare with each other",
                remedy="give the scores of several seeds, instance by instance; or choose null='signflip'",
            )
        yield from _nulls_of_runs(work, with_runs)
    if plan.null == "seeds":
        return
    for a, b in pairs:
        for block in _with_both(work, "null", a, b):
            if block.shape != "runs":
                yield from _nulls_of(work, block, a, b)
            elif plan.null != "auto":
                work.leave_out("null", block.dataset, "there are several runs, which null='seeds' compares")


def _judged_together(found: Iterable[Calibration]) -> tuple[Calibration, ...]:
    """The same, with the probability of a false alarm shared among all of them."""
    items = tuple(found)
    return tuple(replace(item, n_judged=len(items)) for item in items)


def _nulls_of_runs(work: _Work, blocks: Sequence[DatasetRuns]) -> Iterator[Calibration]:
    plan = work.plan
    named = dict.fromkeys(name for pair in plan.pairs for name in pair)
    for block in blocks:
        with work.allowed_to_fail("null", block.dataset, DesignError):
            yield calibrate_runs(
                block,
                [name for name in named if name in block.systems] or None,
                runs_as=plan.runs_as,
                test=plan.test,
                profile=plan.profile,
                alpha=plan.alpha,
                level=plan.confidence_level,
                n_replicates=plan.n_replicates,
                n_resamples=plan.n_resamples,
                seed=plan.rng,
                progress=work.progress(f"null hypothesis, {block.dataset}, runs"),
            )


def _nulls_of(work: _Work, block: Block, a: str, b: str) -> Iterator[Calibration]:
    plan = work.plan
    for null in ("signflip", "recentre"):
        if plan.null not in ("auto", null):
            continue
        with work.allowed_to_fail(
            "null", f"{block.dataset}, {a} and {b}", *(() if plan.null == null else (DesignError,))
        ):
            yield calibrate(
                block,
                a,
                b,
                null=null,
                test=plan.test,
                profile=plan.profile,
                missing=plan.missing,
                alpha=plan.alpha,
                level=plan.confidence_level,
                n_replicates=plan.n_replicates,
                n_resamples=plan.n_resamples,
                seed=plan.rng,
                progress=work.progress(f"null hypothesis, {block.dataset}, {null}"),
            )


def _joint(work: _Work, pairs: Sequence[tuple[str, str]]) -> Iterator[JointNull]:
    plan = work.plan
    for a, b in pairs:
        blocks = _with_both(work, "joint", a, b)
        if len(blocks) < 2:
            work.leave_out("joint", f"{a} and {b}", "k-hat needs two datasets or more")
            continue
        with work.allowed_to_fail("joint", f"{a} and {b}", DesignError):
            yield joint_null(
                blocks,
                a,
                b,
                test=plan.test,
                profile=plan.profile,
                missing=plan.missing,
                alpha=plan.alpha,
                level=plan.confidence_level,
                n_replicates=plan.n_replicates,
                n_resamples=plan.n_resamples,
                seed=plan.rng,
                progress=work.progress("k-hat without effect"),
            )


def _as_systems(work: _Work, block: Block) -> Block:
    """Runs as systems, if they are not too many; their averages otherwise."""
    return block.runs_as_systems() if len(block.owners) <= MOST_RUNS_AS_SYSTEMS else block.averaged()


def _compared(work: _Work) -> tuple[ComparedPairs, ...]:
    plan, found = work.plan, []
    for given in work.blocks:
        block = _as_systems(work, given)
        if len(block.systems) < FEWEST_SYSTEMS:
            work.leave_out("pairs", block.dataset, f"{len(block.systems)} systems are too few to compare pairs of them")
            continue
        usual = "paired-bootstrap" if block.shape == "paired" and block.kind != "ordinal" else None
        with work.allowed_to_fail("pairs", block.dataset, DesignError):
            found.append(
                compared_pairs(
                    block,
                    test=plan.pair_test or usual,
                    profile=plan.profile,
                    missing=plan.missing,
                    seed=plan.rng,
                    progress=work.progress(f"all pairs, {block.dataset}"),
                )
            )
    return tuple(found)


def _families(work: _Work, compared: Sequence[ComparedPairs]) -> dict[str, str] | None:
    """Family of each row: the user's, or the system that a run belongs to.

    Raises
    ------
    UnknownNameError
        If a system has no family.
    """
    given = work.plan.families
    owners: dict[str, str] = {}
    for block in work.blocks:
        owners |= {system: system for system in block.systems}
        owners |= dict(zip(block.runs_as_systems().systems, block.owners, strict=True))
    if given is None:
        of_runs = any(owners[name] != name for item in compared for name in item.systems)
        return owners if of_runs else None
    for name in dict.fromkeys(owners.values()):
        if name not in given:
            raise UnknownNameError("family of system", name, given)
    return {name: given[owner] for name, owner in owners.items()}


def _complete(work: _Work, part: Part, block: Block) -> Block:
    """With `missing="drop"`, the instances that all systems were scored on."""
    if work.plan.missing != "drop" or block.shape != "paired" or block.without_missing():
        return block
    kept = np.asarray(block.presence().all(axis=0))
    work.leave_out(
        part,
        block.dataset,
        f"only the {int(kept.sum()):,} of {kept.size:,} instances that all systems were scored on are used",
    )
    return block.part(range(len(block.systems)), kept)


def _sizes(work: _Work, pairs: Sequence[tuple[str, str]]) -> Iterator[SizeCurve]:
    plan = work.plan
    for a, b in pairs:
        for given in _with_both(work, "sizes", a, b):
            block = given.averaged().narrowed((a, b))
            if block is None:
                continue
            where = f"{block.dataset}, {a} and {b}"
            with work.allowed_to_fail("sizes", where, DesignError, MissingScoresError):
                complete = _complete(work, "sizes", block)
                yield size_curve(
                    complete,
                    a,
                    b,
                    sizes=_few_sizes(complete),
                    alpha=plan.alpha,
                    n_subsamples=plan.n_subsamples,
                    seed=plan.rng,
                    progress=work.progress(f"test size, {block.dataset}"),
                )


def _units(block: Block) -> int:
    codes = unit_codes(block)
    return block.n_instances if codes is None else int(codes.max()) + 1


def _few_sizes(block: Block) -> list[int] | None:
    """Sizes for a test set of so few units that the usual ones leave one or two; None where there are enough."""
    n = _units(block)
    if n > _USUAL_SIZES or n < 2 * _SMALLEST_PART:
        return None
    return sorted({max(_SMALLEST_PART, round(n * share)) for share in (0.125, 0.25, 0.5, 0.75)} | {n})


def _bins(work: _Work) -> Iterator[BinCalibration]:
    plan = work.plan
    for given in work.blocks:
        block = _as_systems(work, given)
        if len(block.systems) < FEWEST_SYSTEMS:
            work.leave_out("bins", block.dataset, f"{len(block.systems)} systems are too few to compare pairs of them")
            continue
        asked_for = plan.test_size is not None
        errors = (DesignError, MissingScoresError) if asked_for else (DesignError, MissingScoresError, SettingsError)
        with work.allowed_to_fail("bins", block.dataset, *errors):
            complete = _complete(work, "bins", block)
            m = plan.test_size or _units(complete) // 5
            yield bin_calibration(
                complete,
                test="sign-flip" if m < _FEW_FOR_BOOTSTRAP else "paired-bootstrap",
                test_size=plan.test_size,
                max_tests=plan.max_tests,
                level=plan.confidence_level,
                seed=plan.rng,
                progress=work.progress(f"calibration by bins, {block.dataset}"),
            )


def _domains(work: _Work, compared: Sequence[ComparedPairs]) -> DomainShift | None:
    if len(compared) < 2:
        work.leave_out("domains", "", "pairs on two datasets or more are needed")
        return None
    try:
        return domain_shift(compared, level=work.plan.confidence_level)
    except DesignError as error:
        work.leave_out("domains", "", error.problem)
        return None


def _toys(work: _Work) -> tuple[ToyStudy, ...]:
    plan = work.plan
    found = []
    for name, design in _TOYS:
        progress = work.progress(f"toy simulation, {name}")
        results = toy_simulation(
            design, alpha=plan.alpha, n_replicates=plan.n_families, seed=plan.rng, progress=progress
        )
        found.append(ToyStudy(name=name, design=design, results=results, n_families=plan.n_families))
    return tuple(found)
