"""From results to a family of comparisons: plan, assess each dataset, combine."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import SettingsError
from reportkit.finding import Finding
from reportkit.in_pieces import Run, one_by_one
from reportkit.replicability.claims import Claims, Pair, metrics_for, refuse_too_many, with_common_datasets
from reportkit.replicability.comparison import values_of
from reportkit.replicability.family import A, build_family
from reportkit.replicability.independence.independence import audit_metrics
from reportkit.replicability.independence.traces import Traces, traces_of
from reportkit.replicability.missing_data import missing_findings
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.scores.across_datasets import taken_together
from reportkit.scores.results import Results
from reportkit.scores.screening import findings_of_chosen
from reportkit.scores.shapes.block import Block, refuse_unequal_instances
from reportkit.scores.table.row_numbers import names_text
from reportkit.settings import Settings
from reportkit.settings.arguments import Progress
from reportkit.significance.assess_pairs import Ahead, assess_pairs, by_instances, look_ahead
from reportkit.significance.assessed import Assessed, OnDatasets
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.serial import serial_dependence, serial_findings

_LARGE = 250_000_000
"""Bytes of scores from which on nothing of a dataset stays in memory when it has been tested."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonPlan:
    """What is fixed before the first dataset is looked at, so that no dataset can change the numbers of another.

    Parameters
    ----------
    settings : Settings
        Levels, profile, test, missing instances, seed.
    resampling : ResamplingPlan
        Resamples, seed and the thresholds of the whole family of hypotheses: where Monte Carlo tests stop.
    systems : tuple of str
        All systems that are compared.
    metrics : tuple of str
        The primary one first.
    claims : Claims
        Who is compared with whom; all pairs of them have a dataset in common.
    datasets : tuple of Block
        What is looked at, by metric.
    findings : tuple of Finding
        What was noticed before.
    verdicts_only : bool
        Whether p-values are all that is wanted: outcomes have neither intervals nor findings.
    """

    settings: Settings
    resampling: ResamplingPlan
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    claims: Claims
    datasets: tuple[Block, ...] = ()
    findings: tuple[Finding, ...] = ()
    verdicts_only: bool = False

    def for_one_dataset(self) -> ComparisonPlan:
        """What the work on one dataset needs to know of the plan."""
        return replace(self, claims=replace(self.claims, pairs=()), datasets=(), findings=())


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessedDataset:
    """What is left of one dataset when its scores have been read: a few numbers for each system and each claim.

    Parameters
    ----------
    dataset, metric : str
        Names.
    claims : tuple of (str, str)
        A and B of each claim about systems that both have scores here.
    assessments : Assessed
        Of these claims, read one-sided in favour of A.
    scores : mapping of str to (float, int)
        What a table prints of each system, compared or not, and over how many instances.
    n_instances : int or None
        Instances that one of the compared systems was scored on; None where none of them was.
    traces : Traces, optional
        Ids, clusters and runs as hashes, for the audit of independence; None where no system is compared.
    serial : mapping of (str, str) to ndarray of shape (3,)
        How neighbouring instances depend on each other, for each pair of systems; see `serial_dependence`.
    """

    dataset: str
    metric: str
    claims: tuple[Pair, ...] = ()
    assessments: Assessed = field(default_factory=lambda: Assessed.whole(()))
    scores: Mapping[str, tuple[float, int]] = field(default_factory=dict)
    n_instances: int | None = None
    traces: Traces | None = None
    serial: Mapping[Pair, NDArray[np.float64]] = field(default_factory=dict)


def compare_results(
    results: Results,
    claims: Claims,
    settings: Settings,
    *,
    progress: Progress | None = None,
    into: type[A] = ReplicabilityAnalysis,  # type: ignore[assignment] # the numbers alone, unless more is asked for
) -> A:
    """Test every claim on every dataset that both systems have, correct, and count.

    Parameters
    ----------
    results : Results
        Of one metric, or of several that the settings name.
    claims : Claims
        Who is compared with whom.
    settings : Settings
        Metrics and how they share the level, levels, dependence, profile, test, missing instances, seed.
    progress : callable, optional
        Called with (done, total) after each test.
    into : type
        What is made of it: `reportkit.analysis.Analysis`, or the numbers alone.

    Raises
    ------
    SettingsError
        If the results hold several metrics and the settings do not say which, or their gatekeeping cannot be passed.
    MissingScoresError
        If two systems were not scored on the same instances, and settings do not say what to do.
    """
    plan = plan_comparison(results, claims, settings)
    return combine(assessed(plan, progress), plan, into=into)


def plan_comparison(results: Results, claims: Claims, settings: Settings) -> ComparisonPlan:
    """Fix what is tested, and under which thresholds, before the first score is looked at.

    Parameters
    ----------
    results : Results
        Of one metric, or of several that the settings name.
    claims : Claims
        Who is compared with whom.
    settings : Settings
        As for `compare_results`.

    Returns
    -------
    ComparisonPlan

    Raises
    ------
    ReportkitError
        As for `compare_results`, where that can be known from names.
    """
    metrics = metrics_for(results, settings)
    if len(metrics) > 1 and settings.gatekeeping == "serial" and claims.design == "all-pairs":
        raise SettingsError(
            "gatekeeping 'serial' asks for every hypothesis of the primary metric, and two systems cannot each be "
            "better than the other",
            where=f"{len(claims.pairs)} pairs in both directions",
            remedy="name a baseline, or use gatekeeping='by-dataset' or 'none' (command: --gatekeeping)",
        )
    if len(metrics) > 1 and settings.across_datasets:
        raise SettingsError(
            f"across_datasets is for one metric, and there are {len(metrics)}",
            where=", ".join(map(repr, metrics)),
            remedy=f"choose metric={metrics[0]!r} (command: --metric {metrics[0]})",
        )
    named = tuple(dict.fromkeys(name for both in claims.pairs for name in both))
    given = results.select(metric=metrics)
    results = given.select(systems=named)
    if len(named) < len(given.systems):
        results = replace(results, findings=tuple(findings_of_chosen(results)))
    if settings.missing == "error" and settings.pairing == "paired":
        refuse_unequal_instances(results.datasets)
    if settings.across_datasets:
        given = results = taken_together(results, missing=settings.missing, score_range=settings.score_range)
        if settings.missing == "error":
            refuse_unequal_instances(results.datasets)
    refuse_too_many(claims, results.datasets)
    claims, apart = with_common_datasets(claims, results.datasets)
    order = {metric: place for place, metric in enumerate(metrics)}
    return ComparisonPlan(
        settings=settings,
        resampling=_resampling_of(settings, claims, len(results.datasets)),
        systems=named,
        metrics=metrics,
        claims=claims,
        datasets=tuple(sorted(given.datasets, key=lambda block: order[block.metric])),
        findings=(*results.findings, *apart),
    )


def assessed(
    plan: ComparisonPlan, progress: Progress | None = None, run: Run | None = None
) -> tuple[AssessedDataset, ...]:
    """Assess all datasets of a plan.

    Parameters
    ----------
    plan : ComparisonPlan
        What is tested.
    progress : callable, optional
        Called with (done, total) after each test.
    run : Run, optional
        Who assesses the datasets, each by itself; this process, which tests the pairs of all datasets together, if not
        given, and one dataset after the other where the scores are many.
    """
    total, n_done = len(plan.claims.pairs) * len(plan.datasets), 0

    def done(number: int) -> None:
        nonlocal n_done
        n_done += number
        if progress is not None:
            progress(min(n_done, total), total)

    if run is None and sum(_bytes_of(block) for block in plan.datasets) > _LARGE:
        run = one_by_one
    if run is not None:
        alone, found = plan.for_one_dataset(), {}
        work = [(block, plan.claims.pairs, alone) for block in plan.datasets]
        for place, one in run(assess_dataset, work):
            found[place] = one
            done(len(plan.claims.pairs))
        return tuple(found[place] for place in range(len(work)))
    compared = [_compared(block, plan.claims.pairs, plan) for block in plan.datasets]
    blocks, claims = [block for block, _ in compared], [claims for _, claims in compared]
    assessments = []
    for block, ahead in zip(plan.datasets, look_ahead(blocks, claims, plan.resampling, plan.settings), strict=True):
        before = n_done
        assessments.append(assess_dataset(block, plan.claims.pairs, plan, lambda: done(1), ahead))
        done(before + len(plan.claims.pairs) - n_done)
    return tuple(assessments)


def _bytes_of(block: Block) -> int:
    measured = block.measured()
    return 0 if measured is None else measured.nbytes


def _compared(block: Block, claims: Sequence[Pair], plan: ComparisonPlan) -> tuple[Block | None, Sequence[Pair]]:
    """The systems of a dataset that are compared, None where there are none, and the claims about them."""
    compared = block.narrowed(plan.systems)
    held = frozenset(() if compared is None else compared.systems)
    here = [claim for claim in claims if held.issuperset(claim)]
    return compared, here if compared is None else by_instances(compared, here)


def _resampling_of(settings: Settings, claims: Claims, n_datasets: int) -> ResamplingPlan:
    """Return resamples, seed and the thresholds that the smallest p-values of a family are compared with."""
    directions = 2 if claims.both_directions else 1
    n_hypotheses = len(claims.pairs) * directions * n_datasets
    thresholds, steps_up_to = {alpha / n_hypotheses for alpha in settings.alpha}, max(settings.alpha)
    if len(claims.pairs) == 1:
        thresholds = {alpha / directions / rank for alpha in settings.alpha for rank in range(1, n_datasets + 1)}
        steps_up_to = 0.0
    return ResamplingPlan(
        n_resamples=settings.n_resamples,
        seed=settings.rng,
        thresholds=tuple(sorted(thresholds, reverse=True)),
        steps_up_to=steps_up_to,
    )


def assess_dataset(
    block: Block,
    claims: Sequence[Pair],
    plan: ComparisonPlan,
    done: Callable[[], None] | None = None,
    ahead: Ahead | None = None,
) -> AssessedDataset:
    """Test claims on one dataset; a pure function, which no other dataset, claim or order of work can influence.

    Parameters
    ----------
    block : Block
        All systems on one dataset, by one metric.
    claims : sequence of (str, str)
        A and B of each claim that A is better than B; those about systems without scores here are passed over.
    plan : ComparisonPlan
        Made for all datasets and all claims: see `plan_comparison`.
    done : callable, optional
        Called after each test.
    ahead : Ahead, optional
        What was computed of these claims together with those about other datasets; the same as of them alone.

    Returns
    -------
    AssessedDataset
        Small, whatever the size of the dataset. `combine` makes an analysis of those of all datasets.

    Raises
    ------
    ReportkitError
        If the scores do not fit what is asked for.
    """
    settings = plan.settings
    scores = values_of(block, settings)
    compared, here = _compared(block, claims, plan)
    if compared is None:
        return AssessedDataset(dataset=block.dataset, metric=block.metric, scores=scores)
    return AssessedDataset(
        dataset=block.dataset,
        metric=block.metric,
        claims=tuple(here),
        assessments=_assessments(compared, here, plan, done, ahead),
        scores=scores,
        n_instances=compared.n_instances,
        traces=traces_of(compared) if here else None,
        serial={} if settings.pairing == "unpaired" else serial_dependence(compared, here),
    )


def _assessments(
    block: Block,
    claims: Sequence[Pair],
    plan: ComparisonPlan,
    done: Callable[[], None] | None = None,
    ahead: Ahead | None = None,
) -> Assessed:
    only = plan.verdicts_only
    return assess_pairs(block, claims, plan.resampling, plan.settings, done, ahead, verdicts_only=only)


def combine(
    parts: Sequence[AssessedDataset],
    plan: ComparisonPlan,
    *,
    into: type[A] = ReplicabilityAnalysis,  # type: ignore[assignment] # the numbers alone, unless more is asked for
) -> A:
    """Correct the outcomes of all datasets together, and count.

    Parameters
    ----------
    parts : sequence of AssessedDataset
        Of all datasets of the plan, in any order.
    plan : ComparisonPlan
        Under which they were assessed.
    into : type
        What is made of it: `reportkit.analysis.Analysis`, or the numbers alone.

    Raises
    ------
    SettingsError
        If a dataset of the plan is not among the parts, or the gatekeeping cannot be passed.
    """
    by_name = {(part.metric, part.dataset): part for part in parts}
    lacking = [block for block in plan.datasets if (block.metric, block.dataset) not in by_name]
    if lacking or len(by_name) != len(parts) or len(parts) != len(plan.datasets):
        raise SettingsError(
            "the parts are not those of the plan, each once",
            where=f"{len(parts):,} parts, {len(plan.datasets):,} datasets of the plan"
            + (f"; without {names_text([block.dataset for block in lacking])}" if lacking else ""),
            remedy="assess every dataset of the plan once",
        )
    return _combined([by_name[block.metric, block.dataset] for block in plan.datasets], plan, into)


def _combined(parts: Sequence[AssessedDataset], plan: ComparisonPlan, into: type[A]) -> A:
    """The same of the parts in the order of the plan."""
    settings, claims = plan.settings, plan.claims
    found: dict[Pair, list[tuple[Assessed, int]]] = {claim: [] for claim in claims.pairs}
    for part in parts:
        for index, claim in enumerate(part.claims):
            found[claim].append((part.assessments, index))
    assessments = OnDatasets.of_pairs(found, both_directions=claims.both_directions)
    if settings.gatekeeping == "by-dataset":
        for claim in found:
            _refuse_without_gate(claim, assessments[claim], plan.metrics)
    if claims.design == "both" and not claims.named:
        assessments = dict(sorted(assessments.items(), key=lambda item: _lead(item[1]), reverse=True))
    missing: list[Finding] = []
    if settings.missing != "error":
        sizes = {part.dataset: part.n_instances for part in parts if part.n_instances is not None}
        numbers = chain.from_iterable(items.n_missing() for items in assessments.values())
        missing = missing_findings(numbers, sizes, settings)
    serial = serial_findings([(part.dataset, part.serial) for part in parts])
    compared = {place: part.traces for place, part in enumerate(parts) if part.traces is not None}
    blocks = [plan.datasets[place].narrowed(plan.systems) for place in compared]
    audit = audit_metrics(
        [block for block in blocks if block is not None], settings.dependence, settings.runs, list(compared.values())
    )
    return build_family(
        claims.design,
        assessments,
        settings=settings,
        audit=audit,
        findings=(*plan.findings, *missing, *serial),
        metrics=plan.metrics,
        jointly=settings.profile == "recommended",
        into=into,
    )


def _lead(items: OnDatasets) -> tuple[int, float]:
    """On how many datasets more the first system is ahead than behind, and by how much on average."""
    differences = items.differences.tolist()
    return sum((each > 0) - (each < 0) for each in differences), math.fsum(differences)


def _refuse_without_gate(claim: tuple[str, str], items: OnDatasets, metrics: tuple[str, ...]) -> None:
    """Raise SettingsError if a secondary metric is there on a dataset on which the primary one is not."""
    gates = items.of_metric(metrics[0]).datasets
    lacking = [dataset for dataset in dict.fromkeys(items.datasets) if dataset not in gates]
    if lacking:
        raise SettingsError(
            f"gatekeeping 'by-dataset' needs the primary metric {metrics[0]!r} on every dataset",
            where=f"{claim[0]!r} and {claim[1]!r} do not have it on {', '.join(map(repr, lacking[:5]))}",
            remedy="choose another primary metric, leave these datasets out, or use gatekeeping='none'",
        )
