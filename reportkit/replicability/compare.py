"""From results to a family of comparisons: pair, assess, correct, count."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted
from reportkit.metrics.corpus.catalogue import CORPUS_METRICS
from reportkit.metrics.correlation.coefficients import COEFFICIENTS
from reportkit.replicability.family import A, build_family
from reportkit.replicability.independence.independence import audit_metrics
from reportkit.replicability.missing_data import missing_findings
from reportkit.replicability.multiple_testing.correction import FamilyDesign
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.scores.across_datasets import taken_together
from reportkit.scores.results import Results
from reportkit.scores.screening import findings_of_chosen, name_findings
from reportkit.scores.shapes.block import Block, refuse_unequal_instances
from reportkit.scores.table.row_numbers import LISTED, listed, names_text, quoted
from reportkit.settings import Settings
from reportkit.settings.arguments import Progress
from reportkit.significance.assess import assess_pairs, by_instances
from reportkit.significance.outcome import Outcome
from reportkit.significance.plan import ResamplingPlan

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
    all_systems = results.systems
    results = results.select(metric=metrics, systems=named)
    if len(named) < len(all_systems):
        results = replace(results, findings=tuple(findings_of_chosen(results)))
    if settings.missing == "error" and settings.pairing == "paired":
        refuse_unequal_instances(results.datasets)
    if settings.across_datasets:
        results = taken_together(results, missing=settings.missing, score_range=settings.score_range)
        if settings.missing == "error":
            refuse_unequal_instances(results.datasets)
    blocks = [block for metric in metrics for block in results.datasets if block.metric == metric]
    _refuse_too_many(claims, blocks)
    claims, apart = _with_common_datasets(claims, blocks)
    total = len(claims.pairs) * len(blocks)
    plan = _plan(settings, claims, len(blocks))
    found: dict[tuple[str, str], list[Outcome]] = {claim: [] for claim in claims.pairs}
    done = 0
    for block in blocks:
        here = by_instances(block, [claim for claim in claims.pairs if set(claim) <= set(block.systems)])
        done += len(claims.pairs) - len(here)
        for claim, item in zip(here, assess_pairs(block, here, plan, settings), strict=True):
            found[claim].append(item)
            done += 1
            if progress is not None:
                progress(done, total)
    assessments: dict[tuple[str, str], tuple[Outcome, ...]] = {}
    for (a, b), items in found.items():
        if settings.gatekeeping == "by-dataset":
            _refuse_without_gate((a, b), items, metrics)
        assessments[a, b] = tuple(items)
        if claims.both_directions:
            assessments[b, a] = tuple(item.swapped() for item in items)
    if claims.design == "both" and not claims.named:
        assessments = dict(sorted(assessments.items(), key=lambda item: _lead(item[1]), reverse=True))
    compared = [block for block in blocks if any(set(claim) <= set(block.systems) for claim in claims.pairs)]
    missing: list[Finding] = []
    if settings.missing != "error":
        missing = missing_findings((item for items in assessments.values() for item in items), blocks, settings)
    return build_family(
        claims.design,
        assessments,
        settings=settings,
        audit=audit_metrics(compared, settings.dependence, settings.runs),
        findings=(*results.findings, *apart, *missing),
        metrics=metrics,
        jointly=settings.profile == "recommended",
        into=into,
    )


def _lead(items: Sequence[Outcome]) -> tuple[int, float]:
    """On how many datasets more the first system is ahead than behind, and by how much on average."""
    signs = [(item.difference > 0) - (item.difference < 0) for item in items]
    return sum(signs), math.fsum(item.difference for item in items)


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


def _refuse_without_gate(claim: tuple[str, str], items: list[Outcome], metrics: tuple[str, ...]) -> None:
    """Raise SettingsError if a secondary metric is there on a dataset on which the primary one is not."""
    gates = {item.dataset for item in items if item.metric == metrics[0]}
    lacking = list(dict.fromkeys(item.dataset for item in items if item.dataset not in gates))
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


def _plan(settings: Settings, claims: Claims, n_datasets: int) -> ResamplingPlan:
    directions = 2 if claims.both_directions else 1
    n_hypotheses = len(claims.pairs) * directions * n_datasets
    thresholds = {alpha / n_hypotheses for alpha in settings.alpha}
    if len(claims.pairs) == 1:
        thresholds = {alpha / directions / rank for alpha in settings.alpha for rank in range(1, n_datasets + 1)}
    return ResamplingPlan(
        n_resamples=settings.n_resamples, seed=settings.rng, thresholds=tuple(sorted(thresholds, reverse=True))
    )
