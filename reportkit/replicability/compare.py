"""From results to a family of comparisons: pair, assess, correct, count."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted
from reportkit.metrics.corpus.catalogue import CORPUS_METRICS
from reportkit.metrics.correlation.coefficients import COEFFICIENTS
from reportkit.replicability.comparison import values_of
from reportkit.replicability.family import A, build_family
from reportkit.replicability.independence.independence import Traces, audit_metrics, traces_of
from reportkit.replicability.missing_data import missing_findings
from reportkit.replicability.multiple_testing.correction import FamilyDesign
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.scores.across_datasets import taken_together
from reportkit.scores.held import each
from reportkit.scores.results import Results
from reportkit.scores.screening import findings_of_chosen, name_findings
from reportkit.scores.shapes.block import Block, refuse_unequal_instances
from reportkit.scores.table.row_numbers import LISTED, listed, names_text, quoted
from reportkit.settings import Settings
from reportkit.settings.arguments import Progress
from reportkit.significance.assess import assess_pairs, by_instances
from reportkit.significance.assessed import Assessed, OnDatasets
from reportkit.significance.plan import ResamplingPlan

Pair = tuple[str, str]
"""A and B of a claim."""

MOST_TESTS = 250_000
"""Pairs of systems times datasets that are tested at most: all pairs of 700 systems on one dataset."""

_SECONDS_PER_TEST = 1e-3
_BYTES_PER_TEST = 6e3

NOT_COMPARED = "pairs-without-a-dataset"
"""Code of the finding that names pairs of systems which share no dataset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """Who is compared with whom.

    Parameters
    ----------
    design : {"declared", "both", "baselines", "all-pairs"}
        See `reportkit.replicability.family`.
    pairs : tuple of (str, str)
        Unordered for "both" and "all-pairs", (better, worse) otherwise.
    named : bool
        Whether the user named the systems. If not, of two systems the better one comes first, whatever their names.
    """

    design: FamilyDesign
    pairs: tuple[tuple[str, str], ...]
    named: bool = True

    @property
    def both_directions(self) -> bool:
        """Whether each pair is tested in both directions."""
        return self.design in ("both", "all-pairs")


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
    """

    settings: Settings
    resampling: ResamplingPlan
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    claims: Claims
    datasets: tuple[Block, ...] = ()
    findings: tuple[Finding, ...] = ()

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
    """

    dataset: str
    metric: str
    claims: tuple[Pair, ...] = ()
    assessments: Assessed = field(default_factory=lambda: Assessed.whole(()))
    scores: Mapping[str, tuple[float, int]] = field(default_factory=dict)
    n_instances: int | None = None
    traces: Traces | None = None

    @classmethod
    def merged(cls, parts: Sequence[AssessedDataset]) -> AssessedDataset:
        """Put together what different claims about one dataset came to."""
        traces = next((part.traces for part in parts if part.traces is not None), None)
        return replace(
            parts[0],
            claims=tuple(chain.from_iterable(part.claims for part in parts)),
            assessments=Assessed.whole(tuple(chain.from_iterable(part.assessments for part in parts))),
            traces=traces,
        )


def claims_for(
    known: tuple[str, ...], systems: Iterable[str], baselines: Iterable[str], *, declared: bool = True
) -> Claims:
    """Turn the systems a user names into claims.

    Parameters
    ----------
    known : tuple of str
        All systems of the results.
    systems : iterable of str
        Systems that are claimed to be better; all others if empty.
    baselines : iterable of str
        Systems they are compared with.
    declared : bool
        Whether the direction was declared before looking at the results; if not, one pair is tested in both directions.

    Raises
    ------
    UnknownNameError
        If a system does not occur in the results.
    SettingsError
        If fewer than two systems are left.
    """
    chosen, against = tuple(dict.fromkeys(systems)), tuple(dict.fromkeys(baselines))
    for name in (*chosen, *against):
        if name not in known:
            raise UnknownNameError("system", name, known)
    if against:
        better = chosen or tuple(name for name in known if name not in against)
        pairs = tuple((a, b) for b in against for a in better if a != b)
        if not pairs:
            raise SettingsError("no system is left to compare with the baseline", remedy="name other systems")
        if len(pairs) == 1:
            return Claims(design="declared" if declared else "both", pairs=pairs)
        if not declared:
            raise SettingsError(
                "alternative='two-sided' is for two systems or all pairs",
                where=f"{len(pairs)} comparisons with a baseline",
                remedy="leave the baseline away to compare all pairs in both directions",
            )
        return Claims(design="baselines", pairs=pairs)
    several = chosen or known
    if len(several) < 2:
        raise SettingsError(
            f"two systems are needed, {len(several)} given",
            where=f"systems of the results: {', '.join(map(repr, known[:20]))}",
            remedy="name another system, or a baseline",
        )
    pairs = tuple(combinations(several, 2))
    return Claims(design="both" if len(pairs) == 1 else "all-pairs", pairs=pairs, named=bool(chosen))


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
    n_datasets = len(results.datasets)
    _refuse_too_many(claims, results.datasets)
    claims, apart = _with_common_datasets(claims, results.datasets)
    order = {metric: place for place, metric in enumerate(metrics)}
    return ComparisonPlan(
        settings=settings,
        resampling=_resampling(settings, claims, n_datasets),
        systems=named,
        metrics=metrics,
        claims=claims,
        datasets=tuple(sorted(given.datasets, key=lambda block: order[block.metric])),
        findings=(*results.findings, *apart),
    )


def assessed(plan: ComparisonPlan, progress: Progress | None = None) -> tuple[AssessedDataset, ...]:
    """Assess all datasets of a plan, one after the other, wherever they are held.

    Parameters
    ----------
    plan : ComparisonPlan
        What is tested.
    progress : callable, optional
        Called with (done, total) after each test.
    """
    total, n_done = len(plan.claims.pairs) * len(plan.datasets), 0

    def done(number: int) -> None:
        nonlocal n_done
        n_done += number
        if progress is not None:
            progress(min(n_done, total), total)

    if any(block.head is not None for block in plan.datasets):
        return _assessed_elsewhere(plan, done)
    found = []
    for block in plan.datasets:
        before = n_done
        found.append(assess_dataset(block, plan.claims.pairs, plan, lambda: done(1)))
        done(before + len(plan.claims.pairs) - n_done)
    return tuple(found)


_PAIRS_AT_ONCE = 500
"""Of one dataset, in one piece of work that is sent elsewhere."""


def _assessed_elsewhere(plan: ComparisonPlan, done: Callable[[int], None]) -> tuple[AssessedDataset, ...]:
    """Send the work to where the datasets are, some claims at a time."""
    alone = plan.for_one_dataset()
    pairs = plan.claims.pairs
    tasks = [
        (place, pairs[start : start + _PAIRS_AT_ONCE])
        for place in range(len(plan.datasets))
        for start in range(0, len(pairs), _PAIRS_AT_ONCE)
    ]
    parts: dict[int, dict[int, AssessedDataset]] = {}
    blocks = [plan.datasets[place] for place, _ in tasks]
    for number, part in each(assess_dataset, blocks, [(claims, alone) for _, claims in tasks]):
        place, claims = tasks[number]
        parts.setdefault(place, {})[number] = part
        done(len(claims))
    return tuple(
        AssessedDataset.merged([parts[place][number] for number in sorted(parts[place])])
        for place in range(len(plan.datasets))
    )


def assess_dataset(
    block: Block, claims: Sequence[Pair], plan: ComparisonPlan, done: Callable[[], None] | None = None
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
    compared = block.narrowed(plan.systems)
    if compared is None:
        return AssessedDataset(dataset=block.dataset, metric=block.metric, scores=scores)
    held = frozenset(compared.systems)
    here = tuple(by_instances(compared, [claim for claim in claims if held.issuperset(claim)]))
    return AssessedDataset(
        dataset=block.dataset,
        metric=block.metric,
        claims=here,
        assessments=assess_pairs(compared, here, plan.resampling, settings, done),
        scores=scores,
        n_instances=compared.n_instances,
        traces=traces_of(compared) if here else None,
    )


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
    settings, claims = plan.settings, plan.claims
    by_name = {(part.metric, part.dataset): part for part in parts}
    lacking = [block for block in plan.datasets if (block.metric, block.dataset) not in by_name]
    if lacking or len(by_name) != len(parts) or len(parts) != len(plan.datasets):
        raise SettingsError(
            "the parts are not those of the plan, each once",
            where=f"{len(parts):,} parts, {len(plan.datasets):,} datasets of the plan"
            + (f"; without {names_text([block.dataset for block in lacking])}" if lacking else ""),
            remedy="assess every dataset of the plan once",
        )
    parts = [by_name[block.metric, block.dataset] for block in plan.datasets]
    found: dict[Pair, list[tuple[Assessed, int]]] = {claim: [] for claim in claims.pairs}
    for part in parts:
        for index, claim in enumerate(part.claims):
            found[claim].append((part.assessments, index))
    assessments: dict[Pair, OnDatasets] = {}
    for (a, b), places in found.items():
        assessments[a, b] = OnDatasets(places)
        if settings.gatekeeping == "by-dataset":
            _refuse_without_gate((a, b), assessments[a, b], plan.metrics)
        if claims.both_directions:
            assessments[b, a] = OnDatasets(places, turned=True)
    if claims.design == "both" and not claims.named:
        assessments = dict(sorted(assessments.items(), key=lambda item: _lead(item[1]), reverse=True))
    missing: list[Finding] = []
    if settings.missing != "error":
        sizes = {part.dataset: part.n_instances for part in parts if part.n_instances is not None}
        numbers = chain.from_iterable(items.n_missing() for items in assessments.values())
        missing = missing_findings(numbers, sizes, settings)
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
        findings=(*plan.findings, *missing),
        metrics=plan.metrics,
        jointly=settings.profile == "recommended",
        into=into,
    )


def _lead(items: OnDatasets) -> tuple[int, float]:
    """On how many datasets more the first system is ahead than behind, and by how much on average."""
    differences = items.differences.tolist()
    return sum((each > 0) - (each < 0) for each in differences), math.fsum(differences)


def _refuse_too_many(claims: Claims, blocks: Sequence[Block]) -> None:
    """Raise SettingsError before hours of tests, of which nobody reads a million claims."""
    tests = len(claims.pairs) * len(blocks)
    if tests <= MOST_TESTS:
        return
    names = tuple(dict.fromkeys(chain(*claims.pairs)))
    if claims.design == "all-pairs":
        remedy = (
            f"name a baseline, such as baseline={names[0]!r} (command: --baseline {shlex.quote(names[0])}): "
            f"{(len(names) - 1) * len(blocks):,} tests; or keep the rows of fewer systems"
        )
    else:
        remedy = "name fewer baselines, or keep the rows of fewer systems or datasets"
    raise SettingsError(
        f"{tests:,} tests would take about {counted(math.ceil(tests * _SECONDS_PER_TEST / 60), 'minute')} and "
        f"{math.ceil(tests * _BYTES_PER_TEST / 1e9):,} GB of memory",
        where=f"{counted(len(claims.pairs), 'pair')} of {len(names):,} systems on {counted(len(blocks), 'dataset')}; "
        f"at most {MOST_TESTS:,} tests are run",
        remedy=remedy,
    )


def _with_common_datasets(claims: Claims, blocks: Sequence[Block]) -> tuple[Claims, tuple[Finding, ...]]:
    """The claims about two systems that share a dataset, and a finding that names the others.

    Raises
    ------
    SettingsError
        If no two systems share one.
    """
    held = [frozenset(block.systems) for block in blocks]
    shared = tuple(pair for pair in claims.pairs if any(who.issuperset(pair) for who in held))
    if len(shared) == len(claims.pairs):
        return claims, ()
    apart = [pair for pair in claims.pairs if pair not in set(shared)]
    if not shared:
        raise _nothing_in_common(apart, blocks)
    alone = [name for name in dict.fromkeys(chain(*apart)) if not any(name in pair for pair in shared)]
    places = [f"{quoted(a)} and {quoted(b)}" for a, b in apart if a not in alone and b not in alone]
    places = [f"{quoted(name)} and every other system" for name in alone] + places
    finding = Finding(
        NOT_COMPARED,
        "warning",
        f"{len(apart):,} of the {counted(len(claims.pairs), 'pair')} of systems {'has' if len(apart) == 1 else 'have'} "
        "no dataset in common and cannot be compared.",
        where=listed(places[:LISTED], len(places)),
        remedy="score both systems on the same datasets to compare them",
    )
    return replace(claims, pairs=shared), (finding,)


def _nothing_in_common(apart: Sequence[tuple[str, str]], blocks: Sequence[Block]) -> SettingsError:
    """No two systems have a dataset in common; where names of datasets look alike, that is said."""
    named = list(dict.fromkeys(chain(*apart)))
    held = {name: list(dict.fromkeys(block.dataset for block in blocks if name in block.systems)) for name in named}
    twins = next(name_findings(list(dict.fromkeys(chain(*held.values()))), "dataset"), None)
    first = f"{named[0]!r} is scored on {names_text(held[named[0]])}"
    scored = "; ".join([first, *(f"{name!r} on {names_text(held[name])}" for name in named[1:LISTED])])
    two = f"{named[0]!r} and {named[1]!r} have no dataset in common"
    return SettingsError(
        two if len(named) == 2 else "no two systems that are to be compared have a dataset in common",
        where=scored
        if twins is None
        else f"datasets whose names differ only in case, spaces or characters that cannot be seen: {twins.where}",
        remedy="compare other systems" if twins is None else twins.remedy,
    )


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


def metrics_for(results: Results, settings: Settings) -> tuple[str, ...]:
    """Metrics to compare by, the primary one first.

    Parameters
    ----------
    results : Results
        Of one metric or several.
    settings : Settings
        `metric` and `primary_metric`.

    Returns
    -------
    tuple of str
        Those that are named; all, if only the primary one is named, or there is but one.

    Raises
    ------
    UnknownNameError
        If a metric does not occur in the results.
    SettingsError
        If there are several and none is named.
    """
    known = results.metrics
    primary = None if settings.primary_metric is None else results.spelt(settings.primary_metric)
    named = tuple(map(results.spelt, settings.metrics))
    results.refuse_uncomputed(named)
    for name in (*named, *(() if primary is None else (primary,))):
        if name not in known:
            raise UnknownNameError("metric", name, dict.fromkeys([*known, *COEFFICIENTS, *CORPUS_METRICS]))
    if named:
        return named
    if primary is not None:
        return tuple(sorted(known, key=lambda name: name != primary))
    if len(known) > 1:
        names = ", ".join(map(repr, known))
        raise SettingsError(
            f"the results hold {len(known)} metrics: {names}",
            remedy=f"select one: metric={known[0]!r} (command: --metric {known[0]}); or several, which are corrected "
            f"together, the primary one first: metric=[{names}], or primary_metric={known[0]!r} for all of them "
            f"(command: --primary-metric {known[0]})",
        )
    return known


def _resampling(settings: Settings, claims: Claims, n_datasets: int) -> ResamplingPlan:
    directions = 2 if claims.both_directions else 1
    n_hypotheses = len(claims.pairs) * directions * n_datasets
    thresholds = {alpha / n_hypotheses for alpha in settings.alpha}
    if len(claims.pairs) == 1:
        thresholds = {alpha / directions / rank for alpha in settings.alpha for rank in range(1, n_datasets + 1)}
    return ResamplingPlan(
        n_resamples=settings.n_resamples, seed=settings.rng, thresholds=tuple(sorted(thresholds, reverse=True))
    )
