"""Claims: which systems are compared, by which metrics and on which datasets, and what is missing for it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Literal

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.finding import Finding
from reportkit.language import counted, listed
from reportkit.metrics.corpus import CORPUS_METRICS
from reportkit.metrics.correlation import COEFFICIENTS
from reportkit.replicability.multiple_testing.correction import FamilyDesign
from reportkit.scores.codes import LISTED, names_text, quoted
from reportkit.scores.ingest import name_findings
from reportkit.scores.results import Results
from reportkit.scores.scores import Scores
from reportkit.settings import Settings

Pair = tuple[str, str]
"""A and B of a claim."""

NOT_COMPARED = "pairs-without-a-dataset"
"""Code of the finding that names pairs of systems which share no dataset."""


MOST_TESTS = 250_000
"""Largest number of pairs of systems times datasets: all pairs of 700 systems on one dataset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """The pairs of systems that are compared.

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
    pairs: tuple[Pair, ...]
    named: bool = True

    @property
    def systems(self) -> tuple[str, ...]:
        """Return the systems of all pairs, each once."""
        return tuple(dict.fromkeys(chain.from_iterable(self.pairs)))

    @property
    def both_directions(self) -> bool:
        """Return whether each pair is tested in both directions."""
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
                remedy="leave out the baseline to compare all pairs in both directions",
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


def metrics_for(results: Results, settings: Settings) -> tuple[str, ...]:
    """Return the metrics to compare by, the primary one first.

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


def with_common_datasets(claims: Claims, blocks: Sequence[Scores]) -> tuple[Claims, tuple[Finding, ...]]:
    """Return the claims about two systems that share a dataset, and a finding that names the others.

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
    finding = Finding(
        NOT_COMPARED,
        "warning",
        f"{len(apart):,} of the {counted(len(claims.pairs), 'pair')} of systems {'has' if len(apart) == 1 else 'have'} "
        "no dataset in common and cannot be compared.",
        where=listed([f"{quoted(a)} and {quoted(b)}" for a, b in apart[:LISTED]], total=len(apart)),
        remedy="score both systems on the same datasets to compare them",
    )
    return replace(claims, pairs=shared), (finding,)


def _nothing_in_common(apart: Sequence[Pair], blocks: Sequence[Scores]) -> SettingsError:
    """Say that no two systems have a dataset in common, and whether names of datasets look alike."""
    named = list(dict.fromkeys(chain(*apart)))
    held = {name: list(dict.fromkeys(block.dataset for block in blocks if name in block.systems)) for name in named}
    problem = f"{named[0]!r} and {named[1]!r} have no dataset in common"
    if len(named) > 2:
        problem = "no two systems that are to be compared have a dataset in common"
    if twins := next(name_findings(list(dict.fromkeys(chain(*held.values()))), "dataset"), None):
        where = f"datasets whose names differ only in case, spaces or characters that cannot be seen: {twins.where}"
        return SettingsError(problem, where=where, remedy=twins.remedy)
    scored = "; ".join(
        f"{name!r}{' is scored' * (name == named[0])} on {names_text(held[name])}" for name in named[:LISTED]
    )
    return SettingsError(problem, where=scored, remedy="compare other systems")


def refuse_too_many(claims: Claims, blocks: Sequence[Scores]) -> None:
    """Refuse a family that is too large to wait for or to read.

    Raises
    ------
    SettingsError
        If there are more than `MOST_TESTS` pairs times datasets.
    """
    n_tests = len(claims.pairs) * len(blocks)
    if n_tests <= MOST_TESTS:
        return
    name, datasets = claims.pairs[0][0], list(dict.fromkeys(block.dataset for block in blocks))
    raise SettingsError(
        f"{counted(len(claims.pairs), 'pair')} of systems on {counted(len(datasets), 'dataset')} are {n_tests:,} tests",
        where=f"at most {MOST_TESTS:,} tests are run",
        remedy=f"name a baseline, such as baseline={name!r} (command: --baseline {shlex.quote(name)}); name fewer "
        f"datasets, such as datasets={datasets[0]!r} (command: --dataset {shlex.quote(datasets[0])}); or keep the rows "
        "of fewer systems",
    )


DATASETS_LEFT_OUT = "datasets-left-out"
"""Code of the finding."""

Reason = Literal["no-score", "system-without-score", "deselected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """One dataset that is left out, wholly or for some systems.

    Parameters
    ----------
    dataset : str
        Its name.
    reason : {"no-score", "system-without-score", "deselected"}
        No system has a score there by the metrics of the report; some systems that are compared have none; a selection
        left the dataset out.
    systems : tuple of str
        The systems without a score, where it is some.
    metric : str
        By which metric, where there are several.
    """

    dataset: str
    reason: Reason
    systems: tuple[str, ...] = ()
    metric: str = ""


def datasets_left_out(results: Results, systems: Sequence[str]) -> tuple[LeftOut, ...]:
    """Find the datasets that results name and a comparison of some systems does not hold for all of them.

    Parameters
    ----------
    results : Results
        By the metrics of the report.
    systems : sequence of str
        Those that are compared.
    """
    scored: dict[str, dict[str, set[str]]] = {}
    for block in results.datasets:
        scored.setdefault(block.dataset, {})[block.metric] = set(block.systems)
    several = len(results.metrics) > 1
    found = []
    for name in results.named_datasets or tuple(scored):
        here = {metric: who for metric, who in scored.get(name, {}).items() if not who.isdisjoint(systems)}
        if name in results.deselected:
            found.append(LeftOut(dataset=name, reason="deselected"))
        elif not here:
            found.append(LeftOut(dataset=name, reason="no-score"))
        for metric, who in here.items():
            if lacking := tuple(system for system in systems if system not in who):
                by = metric if several else ""
                found.append(LeftOut(dataset=name, reason="system-without-score", systems=lacking, metric=by))
    return tuple(found)


def left_out_findings(items: Sequence[LeftOut], results: Results) -> Iterator[Finding]:
    """Report the datasets that fell away, and why, except those that a selection left out."""
    total = counted(len(results.named_datasets), "dataset")
    none = [item.dataset for item in items if item.reason == "no-score"]
    if none:
        yield Finding(
            DATASETS_LEFT_OUT,
            "warning",
            f"On {len(none):,} of the {total} no system that is compared has a score{_by(results)}: "
            f"{'it is' if len(none) == 1 else 'they are'} not in this report.",
            where=names_text(none),
            remedy="name the metric that is given there as well, metric=[..., ...] (--metric NAME, repeated), or "
            "complete the scores",
        )
    lacking: dict[tuple[str, str], list[str]] = {}
    for item in items:
        for system in item.systems:
            lacking.setdefault((system, item.metric), []).append(item.dataset)
    if lacking:
        places = [
            f"{quoted(system)} on {names_text(datasets)}{f' by {quoted(metric)}' if metric else ''}"
            for (system, metric), datasets in lacking.items()
        ]
        n_datasets = len({name for datasets in lacking.values() for name in datasets})
        yield Finding(
            DATASETS_LEFT_OUT,
            "warning",
            f"On {'all' if n_datasets == len(results.named_datasets) else f'{n_datasets:,} of the'} {total}, some "
            "systems have no score and are not compared.",
            where=listed(places[:LISTED], total=len(places)),
            remedy="complete the scores, or say in the paper why they are missing",
        )


def _by(results: Results) -> str:
    """Return the metric, or the column, in words."""
    if "metric" in results.columns or "score" not in results.columns:
        return f" by {listed(map(quoted, results.metrics))}"
    return f" in the column {quoted(results.columns['score'])}"


_MOST_PLACES = 8

NOTABLE_SHARE = 0.05
"""More than this share of the instances of a dataset left out is a warning: those that are left may be others."""

_DONE = {
    "drop": "Instances that only one system of a pair has a score for are left out of the comparison of the two",
    "worst": "Missing outputs count as the worst possible score",
}


def missing_findings(numbers: Iterable[tuple[str, int]], sizes: Mapping[str, int], settings: Settings) -> list[Finding]:
    """Report the datasets on which scores were missing, and the number that were left out or filled.

    Parameters
    ----------
    numbers : iterable of (str, int)
        Of each claim on each dataset: its name, and how many scores were left out or filled.
    sizes : mapping of str to int
        Number of instances of each dataset.
    settings : Settings
        Its `missing` says what was done.

    Returns
    -------
    list of Finding
        Empty if nothing was left out or filled.
    """
    ranges: dict[str, tuple[int, int]] = {}
    for dataset, number in numbers:
        low, high = ranges.get(dataset, (number, number))
        ranges[dataset] = min(low, number), max(high, number)
    places = [
        f"{dataset}: {f'{low:,}' if low == high else f'{low:,} to {high:,}'} of {sizes[dataset]:,}"
        for dataset, (low, high) in ((name, ranges[name]) for name in sizes if name in ranges)
        if high
    ]
    if not places:
        return []
    shown = places[:_MOST_PLACES] + ([f"and {len(places) - _MOST_PLACES} more"] if len(places) > _MOST_PLACES else [])
    notable = settings.missing == "drop" and any(
        high > NOTABLE_SHARE * sizes[name] for name, (_, high) in ranges.items()
    )
    return [
        Finding(
            f"missing-{settings.missing}",
            "warning" if notable else "info",
            f"{_DONE[settings.missing]}; numbers are those of one pair of systems.",
            where="; ".join(shown),
            remedy="report this with the result, and why these instances have no score" if notable else "",
        )
    ]
