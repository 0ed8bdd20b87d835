"""What a study of calibration consists of: pieces that know nothing of each other, so that any process can do any."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from reportkit.calibration.all_pairs import ComparedPairs, compared_pairs
from reportkit.calibration.bins import BinCalibration, bin_calibration
from reportkit.calibration.block_units import unit_codes
from reportkit.calibration.null.joint_null import JointNull, joint_null
from reportkit.calibration.null.null_of_runs import calibrate_runs
from reportkit.calibration.null.p_values import Calibration, calibrate
from reportkit.calibration.size_curve import SizeCurve, size_curve
from reportkit.calibration.streams import Progress
from reportkit.calibration.study import Omission, StudyPlan, ToyStudy
from reportkit.calibration.toy import DEPENDENT, INDEPENDENT, ToyDesign, toy_simulation
from reportkit.errors import DesignError, MissingScoresError, ReportkitError, SettingsError
from reportkit.language.counts_and_lists import Named
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

TOYS = (
    ("independent", INDEPENDENT),
    ("three groups, a factor of its own each", DEPENDENT),
    ("three groups, one factor", replace(DEPENDENT, shared=True)),
)


def unheard(stage: str, done: int, total: int) -> None:
    """Report nothing."""


@dataclass(slots=True)
class Work:
    """What a piece of a study needs on its way."""

    plan: StudyPlan
    stages: Stages = unheard
    omissions: list[Omission] = field(default_factory=list)

    def progress(self, stage: str) -> Progress:
        """Who hears how far a stage has come."""
        return lambda done, total: self.stages(stage, done, total)

    def leave_out(self, part: Part, where: str, reason: str) -> None:
        """Note why something cannot be had."""
        self.omissions.append(Omission(part=part, where=where, reason=reason))

    @contextmanager
    def allowed_to_fail(self, part: Part, where: str, *errors: type[ReportkitError]) -> Iterator[None]:
        """Note why a part cannot be had, if one of these errors says so; any other is the user's to see."""
        try:
            yield
        except errors as error:
            self.leave_out(part, where, error.problem)


@dataclass(frozen=True, slots=True)
class Piece:
    """Some work of a study: a function of this module, and what it takes after `Work`.

    Parameters
    ----------
    part : str
        Of which part of the study; "toy" for the simulations.
    function : callable
        (work, *arguments) -> what was found, nothing or one thing.
    arguments : tuple
        Datasets, systems, choices.
    """

    part: str
    function: Callable[..., Iterator[Any]]
    arguments: tuple[Any, ...]


def done_piece(piece: Piece, plan: StudyPlan, stages: Stages = unheard) -> tuple[list[Any], list[Omission]]:
    """Do a piece: what was found, and what is left out with its reason."""
    work = Work(plan, stages)
    return list(piece.function(work, *piece.arguments)), work.omissions


def null_of_runs(work: Work, block: DatasetRuns, systems: Sequence[str] | None) -> Iterator[Calibration]:
    """P-values of runs of a system against other runs of it."""
    with work.allowed_to_fail("null", block.dataset, DesignError):
        yield calibrate_runs(
            block,
            systems,
            runs_as=work.plan.runs_as,
            test=work.plan.test,
            profile=work.plan.profile,
            alpha=work.plan.alpha,
            level=work.plan.confidence_level,
            n_replicates=work.plan.n_replicates,
            n_resamples=work.plan.n_resamples,
            seed=work.plan.rng,
            progress=work.progress(f"null hypothesis, {block.dataset}, runs"),
        )


def null_of(work: Work, block: Block, a: str, b: str, null: Literal["signflip", "recentre"]) -> Iterator[Calibration]:
    """P-values where the null hypothesis is made true in one way."""
    plan = work.plan
    where = Named("{0}, {1} and {2}", (block.dataset, a, b))
    with work.allowed_to_fail("null", where, *(() if plan.null == null else (DesignError,))):
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


def joint_of(work: Work, blocks: Sequence[Block], a: str, b: str) -> Iterator[JointNull]:
    """k-hat of one pair where no dataset has an effect."""
    plan = work.plan
    if len(blocks) < 2:
        work.leave_out("joint", Named("{0} and {1}", (a, b)), "k-hat needs two datasets or more")
        return
    with work.allowed_to_fail("joint", Named("{0} and {1}", (a, b)), DesignError):
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


def _as_systems(work: Work, block: Block) -> Block:
    """Runs as systems, if they are not too many; their averages otherwise."""
    return block.runs_as_systems() if len(block.owners) <= MOST_RUNS_AS_SYSTEMS else block.averaged()


def compared_on(work: Work, given: Block) -> Iterator[ComparedPairs]:
    """All pairs of systems on a dataset."""
    plan, block = work.plan, _as_systems(work, given)
    if len(block.systems) < FEWEST_SYSTEMS:
        work.leave_out("pairs", block.dataset, f"{len(block.systems)} systems are too few to compare pairs of them")
        return
    usual = "paired-bootstrap" if block.shape == "paired" and block.kind != "ordinal" else None
    with work.allowed_to_fail("pairs", block.dataset, DesignError):
        yield compared_pairs(
            block,
            test=plan.pair_test or usual,
            profile=plan.profile,
            missing=plan.missing,
            seed=plan.rng,
            progress=work.progress(f"all pairs, {block.dataset}"),
        )


def _complete(work: Work, part: Part, block: Block) -> Block:
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


def size_of(work: Work, given: Block, a: str, b: str) -> Iterator[SizeCurve]:
    """P-values of one pair against the size of the test set."""
    plan, block = work.plan, given.averaged().narrowed((a, b))
    if block is None:
        return
    where = Named("{0}, {1} and {2}", (block.dataset, a, b))
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


def bins_of(work: Work, given: Block) -> Iterator[BinCalibration]:
    """Of those who win with p in a bin, how many are better, on a dataset."""
    plan, block = work.plan, _as_systems(work, given)
    if len(block.systems) < FEWEST_SYSTEMS:
        work.leave_out("bins", block.dataset, f"{len(block.systems)} systems are too few to compare pairs of them")
        return
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


def toy_of(work: Work, name: str, design: ToyDesign) -> Iterator[ToyStudy]:
    """One simulation of Dror et al. (2017), section 5."""
    plan = work.plan
    progress = work.progress(f"toy simulation, {name}")
    results = toy_simulation(design, alpha=plan.alpha, n_replicates=plan.n_families, seed=plan.rng, progress=progress)
    yield ToyStudy(name=name, design=design, results=results, n_families=plan.n_families)
