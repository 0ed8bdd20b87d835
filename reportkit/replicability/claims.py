"""Claims: which systems are compared with which, by which metrics, and which cannot be."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

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
