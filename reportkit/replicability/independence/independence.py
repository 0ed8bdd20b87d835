"""May the datasets be taken as independent? What speaks against it, in the data themselves.

Dror et al. (2017, footnote 4) take test statistics as independent if the datasets share no samples and none is a
transformation of another. Nobody can prove that from scores; but ids, clusters and scores can disprove it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from reportkit.language.counts_and_lists import Named
from reportkit.replicability.independence.correlated_scores import correlated_datasets
from reportkit.scores.choices import Runs
from reportkit.scores.shapes.block import Block
from reportkit.settings import Dependence

_RUNNING_NUMBER = re.compile(r"[+-]?\d{1,7}")
_NUMBERED = re.compile(r"(\d{1,7})\s*[:|#]\s*(\S.*)")
_FEWEST_DISTINCT = 0.9  # a text behind a running number names an instance if so many are distinct
_FEWEST_TELLING = 10  # so many scores off the most common one make equality by chance incredible


@dataclass(frozen=True, slots=True, kw_only=True)
class IndependenceAudit:
    """What was declared about the datasets, and what their ids, clusters and scores say.

    Parameters
    ----------
    declared : {"any", "independent"}
        By the user.
    evidence : tuple of Named
        Sentences, each a reason against independence.
    blind : str
        Why shared instances could not be looked for, as a clause; empty if they could.
    same_runs : bool
        Whether runs, which are random, have the same names on several datasets, and may be the same trained models.
    """

    declared: Dependence
    evidence: tuple[Named, ...] = ()
    blind: str = ""
    same_runs: bool = False

    @property
    def independent(self) -> bool:
        """Whether methods that need independence may be used: declared, and nothing found against it."""
        return self.declared == "independent" and not self.evidence


def audit_independence(datasets: Sequence[Block], declared: Dependence) -> IndependenceAudit:
    """Look for instances, clusters and scores that datasets have in common.

    Ids that are running numbers (1, 2, 3, ...) recur in unrelated datasets and count as no evidence. What counts
    whatever the ids are: identical scores of all common systems on many instances, and scores that are correlated over
    instances with the same number, which are looked for where independence is declared.

    Parameters
    ----------
    datasets : sequence of Block
        Of one metric.
    declared : {"any", "independent"}
        What the user says.

    Returns
    -------
    IndependenceAudit
    """
    telling = {block.dataset: _telling_ids(block) for block in datasets}
    clusters = {block.dataset: _telling(block.cluster_names) for block in datasets}
    evidence = {
        pair: found
        for pair in _suspects(datasets, telling, clusters)
        if (found := _in_common(datasets[pair[0]], datasets[pair[1]], telling, clusters))
    }
    if declared == "independent":
        for (first, second), (r, n) in correlated_datasets(datasets).items():
            sentence = _correlated(datasets[first].dataset, datasets[second].dataset, r, n)
            evidence.setdefault((first, second), [sentence])
    blind = ""
    if not all(block.n_instances for block in datasets):
        blind = "no instances are known"
    elif not all(telling.values()):
        blind = "instance ids are running numbers, which recur in unrelated datasets"
    sentences = tuple(sentence for pair in sorted(evidence) for sentence in evidence[pair])
    return IndependenceAudit(declared=declared, evidence=sentences, blind=blind)


def audit_metrics(blocks: Sequence[Block], declared: Dependence, runs: Runs = "random") -> IndependenceAudit:
    """Audit the datasets of several metrics: what speaks against independence in one of them speaks against it.

    Parameters
    ----------
    blocks : sequence of Block
        Of one metric or several.
    declared : {"any", "independent"}
        What the user says.
    runs : {"random", "fixed"}
        Whether the claim is about the systems trained anew; runs that several datasets share then speak against it.
    """
    shared = shared_runs(blocks, runs)
    metrics = dict.fromkeys(block.metric for block in blocks)
    audits = [audit_independence([b for b in blocks if b.metric == metric], declared) for metric in metrics]
    return IndependenceAudit(
        declared=declared,
        evidence=tuple(dict.fromkeys([*(item for audit in audits for item in audit.evidence), *shared.evidence])),
        blind=next((audit.blind for audit in audits if audit.blind), ""),
        same_runs=shared.possible,
    )


def _suspects(
    datasets: Sequence[Block], telling: Mapping[str, frozenset[str]], clusters: Mapping[str, frozenset[str]]
) -> list[tuple[int, int]]:
    """Pairs of datasets that share an id, a cluster or all scores, in order; no other pair has to be looked at."""
    if len(datasets) < 2:
        return []
    together: set[tuple[int, ...]] = set()
    for names in (telling, clusters):
        holders: dict[str, list[int]] = {}
        for place, block in enumerate(datasets):
            for name in names[block.dataset]:
                holders.setdefault(name, []).append(place)
        together.update(tuple(places) for places in holders.values() if len(places) > 1)
    alike: dict[object, list[int]] = {}
    for place, block in enumerate(datasets):
        if (matrix := _matrix(block)) is not None:
            alike.setdefault((block.systems, matrix.shape, _fingerprint(matrix)), []).append(place)
    together.update(tuple(places) for places in alike.values())
    return sorted({pair for places in together for pair in combinations(places, 2)})


def _fingerprint(matrix: NDArray[np.float64]) -> int:
    """The same for matrices that are equal, 0 and -0, and all NaN, being the same."""
    plain = np.asarray(matrix, dtype=np.float64) + 0.0
    plain[np.isnan(plain)] = np.nan
    return hash(plain.tobytes())


def _in_common(
    first: Block, second: Block, telling: dict[str, frozenset[str]], clusters: dict[str, frozenset[str]]
) -> list[Named]:
    one, other = first.dataset, second.dataset
    shared = telling[one] & telling[other]
    if shared:
        smaller, larger = sorted((first, second), key=lambda block: block.n_instances)
        if len(shared) == smaller.n_instances == larger.n_instances:
            return [Named("{0} and {1} have the same {n}", (one, other), {"n": _number(shared, "instance")})]
        if len(shared) == smaller.n_instances:
            both = smaller.dataset, larger.dataset
            return [Named("all {n} of {0} are also in {1}", both, {"n": _number(shared, "instance")})]
        return [_shared(one, other, shared, "instance")]
    if clusters[one] & clusters[other]:
        common = clusters[one] & clusters[other]
        return [_shared(one, other, common, "cluster")]
    if _same_scores(first, second):
        return [Named("all systems have the same scores on {0} and {1}", (one, other))]
    return []


def _shared(one: str, other: str, names: frozenset[str], noun: str) -> Named:
    return Named(
        "{0} and {1} share {n} (such as {example!r})", (one, other), {"n": _number(names, noun), "example": min(names)}
    )


def _correlated(one: str, other: str, r: float, n: int) -> Named:
    shown = f"{abs(r):.2f}".removeprefix("0")
    return Named(
        "the scores on {0} and {1} are correlated instance by instance (r = {r} over {n:,} instances)",
        (one, other),
        {"r": f"{'−' * (r < 0)}{shown}", "n": n},
    )


def _number(names: frozenset[str], noun: str) -> str:
    return f"{len(names):,} {noun}" + ("" if len(names) == 1 else "s")


def _telling_ids(block: Block) -> frozenset[str]:
    return _telling(_without_numbers(tuple(map(str, block.instance_names))))


def _without_numbers(names: tuple[str, ...]) -> tuple[str, ...]:
    """What stands behind a running number: "12:tiger-cat" is "7:tiger-cat" of another selection of the same pairs."""
    found = [match for name in names if (match := _NUMBERED.fullmatch(name)) is not None]
    if not names or len(found) < len(names) or len({match[1] for match in found}) < len(names):
        return names
    texts = tuple(match[2] for match in found)
    return texts if len(set(texts)) >= _FEWEST_DISTINCT * len(texts) else names


def _telling(names: tuple[str, ...]) -> frozenset[str]:
    """Ids that would not recur by chance: none, if they are mere running numbers."""
    if all(_RUNNING_NUMBER.fullmatch(name) for name in names):
        return frozenset()
    return frozenset(names)


def _matrix(block: Block) -> NDArray[np.float64] | None:
    """Scores, predictions or counts of all systems, if they are known instance by instance."""
    measured = block.measured()
    return None if measured is None else measured.reshape(len(block.systems), -1)


def _same_scores(first: Block, second: Block) -> bool:
    """Whether every system scores the same on each instance, and not merely because nearly all scores are equal."""
    one, other = _matrix(first), _matrix(second)
    if one is None or other is None:
        return False
    if first.systems != second.systems or not np.array_equal(one, other, equal_nan=True):
        return False
    rarest_mode = min(int(np.unique(row, return_counts=True)[1].max()) for row in one)
    return first.n_instances - rarest_mode >= _FEWEST_TELLING


_COUNTED = re.compile(r"[A-Za-z_\-. #]*\d{1,7}")
"""A run that is merely counted, or called by its random seed: 3, seed 42, run-0."""

_SHORTEST_TELLING = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedRuns:
    """Runs of a system that have the same names on several datasets.

    Parameters
    ----------
    evidence : tuple of Named
        Sentences about names that would not recur by chance.
    possible : bool
        Whether names recur that tell nothing, such as running numbers: the models may be the same, or not.
    """

    evidence: tuple[Named, ...] = ()
    possible: bool = False


def shared_runs(blocks: Sequence[Block], runs: Runs = "random") -> SharedRuns:
    """Look for runs of a system that have the same name on several datasets.

    If runs are random and one trained model was scored on several datasets, a lucky run is lucky on all of them, and
    the p-values depend on each other though the test sets may not. If the claim is about these very runs, or each
    dataset has models of its own, they do not.

    Parameters
    ----------
    blocks : sequence of Block
        Datasets.
    runs : {"random", "fixed"}
        Whether the claim is about the systems trained anew.

    Examples
    --------
    >>> shared_runs([])
    SharedRuns(evidence=(), possible=False)
    """
    if runs == "fixed":
        return SharedRuns()
    places: dict[tuple[str, str], list[str]] = {}
    for block in blocks:
        for system, names in block.runs_by_system():
            for run in names if len(names) > 1 else ():
                datasets = places.setdefault((system, run), [])
                if block.dataset not in datasets:
                    datasets.append(block.dataset)
    recurring = {key: datasets for key, datasets in places.items() if len(datasets) > 1}
    telling: dict[str, tuple[str, list[str]]] = {}
    for (system, run), datasets in recurring.items():
        if len(run) >= _SHORTEST_TELLING and not _COUNTED.fullmatch(run):
            telling.setdefault(system, (run, datasets))
    evidence = tuple(
        Named("{0} has runs of the same names on {1} and {2} (such as {run!r})", (system, *datasets[:2]), {"run": run})
        for system, (run, datasets) in telling.items()
    )
    return SharedRuns(evidence=evidence, possible=bool(recurring) and not evidence)
