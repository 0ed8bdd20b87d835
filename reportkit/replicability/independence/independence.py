"""May the datasets be taken as independent? What speaks against it, in the data themselves.

Dror et al. (2017, footnote 4) take test statistics as independent if the datasets share no samples and none is a
transformation of another. Nobody can prove that from scores; but ids, clusters and scores can disprove it.

Each dataset leaves `Traces`: hashes, which are the same in every process, so that datasets can be looked at in
different places and at different times. Those of different things may coincide by accident: where hashes are equal, the
things themselves are looked at.
"""

from __future__ import annotations

import hashlib
import re
import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from reportkit.language.counts_and_lists import Named
from reportkit.null_distributions.random.streams import hash64
from reportkit.replicability.independence.correlated_scores import correlated_datasets
from reportkit.scores.choices import Runs
from reportkit.scores.held import some_at_once
from reportkit.scores.shapes.block import Block
from reportkit.settings import Dependence

_FEWEST_TELLING = 10  # so many scores off the most common one make equality by chance incredible


Hashes = NDArray[np.uint64]

_RUNNING_NUMBER = re.compile(r"[+-]?\d{1,7}")
_NUMBERED = re.compile(r"(\d{1,7})\s*[:|#]\s*(\S.*)")
_FEWEST_DISTINCT = 0.9  # a text behind a running number names an instance if so many are distinct
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # odd: products with it can be undone
_INVERSE = np.uint64(pow(int(_FACTOR), -1, 1 << 64))
_AT_ONCE = 1 << 20


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


def audit_independence(
    datasets: Sequence[Block], declared: Dependence, traces: Sequence[Traces] | None = None
) -> IndependenceAudit:
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
    traces : sequence of Traces, optional
        What each dataset left behind, where they were looked at before.

    Returns
    -------
    IndependenceAudit
    """
    traces = [traces_of(block) for block in datasets] if traces is None else traces
    names = [_Names(block) for block in datasets]
    evidence = {
        (first, second): found
        for first, second in suspects(traces)
        if (found := _in_common(names[first], names[second]))
    }
    if declared == "independent":
        for (first, second), (r, n) in correlated_datasets(datasets).items():
            sentence = _correlated(datasets[first].dataset, datasets[second].dataset, r, n)
            evidence.setdefault((first, second), [sentence])
    blind = ""
    if not all(item.known for item in traces):
        blind = "no instances are known"
    elif not all(item.ids.size for item in traces):
        blind = "instance ids are running numbers, which recur in unrelated datasets"
    sentences = tuple(sentence for pair in sorted(evidence) for sentence in evidence[pair])
    return IndependenceAudit(declared=declared, evidence=sentences, blind=blind)


def audit_metrics(
    blocks: Sequence[Block], declared: Dependence, runs: Runs = "random", traces: Sequence[Traces] | None = None
) -> IndependenceAudit:
    """Audit the datasets of several metrics: what speaks against independence in one of them speaks against it.

    Parameters
    ----------
    blocks : sequence of Block
        Of one metric or several.
    declared : {"any", "independent"}
        What the user says.
    runs : {"random", "fixed"}
        Whether the claim is about the systems trained anew; runs that several datasets share then speak against it.
    traces : sequence of Traces, optional
        What each dataset left behind, where they were looked at before.
    """
    traces = [traces_of(block) for block in blocks] if traces is None else traces
    shared = _shared_runs([(block.dataset, item.runs) for block, item in zip(blocks, traces, strict=True)], runs)
    audits = []
    for metric in dict.fromkeys(block.metric for block in blocks):
        own = [place for place, block in enumerate(blocks) if block.metric == metric]
        audits.append(audit_independence([blocks[place] for place in own], declared, [traces[place] for place in own]))
    return IndependenceAudit(
        declared=declared,
        evidence=tuple(dict.fromkeys([*(item for audit in audits for item in audit.evidence), *shared.evidence])),
        blind=next((audit.blind for audit in audits if audit.blind), ""),
        same_runs=shared.possible,
    )


class _Names:
    """The ids and clusters of a dataset by name, made when a second look needs them."""

    def __init__(self, block: Block) -> None:
        self.block = block

    @cached_property
    def ids(self) -> frozenset[str]:
        """Those that would not recur by chance."""
        return frozenset(telling_ids(self.block))

    @cached_property
    def clusters(self) -> frozenset[str]:
        """Those that would not recur by chance."""
        return frozenset(telling(self.block.cluster_names))


def _in_common(first: _Names, second: _Names) -> list[Named]:
    one, other = first.block.dataset, second.block.dataset
    shared = first.ids & second.ids
    if shared:
        smaller, larger = sorted((first.block, second.block), key=lambda block: block.n_instances)
        if len(shared) == smaller.n_instances == larger.n_instances:
            return [Named("{0} and {1} have the same {n}", (one, other), {"n": _number(shared, "instance")})]
        if len(shared) == smaller.n_instances:
            both = smaller.dataset, larger.dataset
            return [Named("all {n} of {0} are also in {1}", both, {"n": _number(shared, "instance")})]
        return [_shared(one, other, shared, "instance")]
    if common := first.clusters & second.clusters:
        return [_shared(one, other, common, "cluster")]
    if _same_scores(first.block, second.block):
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


def _matrix(block: Block) -> NDArray[np.float64] | None:
    """Scores, predictions or counts of all systems, if they are known instance by instance."""
    measured = block.measured()
    return None if measured is None else measured.reshape(len(block.systems), -1)


def _same_scores(first: Block, second: Block) -> bool:
    """Whether every system scores the same on each instance, and not merely because nearly all scores are equal."""
    at_once = min(some_at_once(first) or len(first.systems), some_at_once(second) or len(second.systems))
    if first.systems != second.systems or first.n_instances != second.n_instances:
        return False
    rarest_mode = first.n_instances
    for start in range(0, len(first.systems), at_once):
        systems = first.systems[start : start + at_once]
        whole = len(systems) == len(first.systems)
        one, other = (_matrix(block if whole else block.on_all_instances(systems)) for block in (first, second))
        if one is None or other is None or not np.array_equal(one, other, equal_nan=True):
            return False
        rarest_mode = min(rarest_mode, *(int(np.unique(row, return_counts=True)[1].max()) for row in one))
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
    return _shared_runs([(block.dataset, block.runs_by_system()) for block in blocks], runs)


def _shared_runs(found: Iterable[tuple[str, Sequence[tuple[str, tuple[str, ...]]]]], runs: Runs) -> SharedRuns:
    if runs == "fixed":
        return SharedRuns()
    places: dict[tuple[str, str], list[str]] = {}
    for dataset, runs_by_system in found:
        for system, names in runs_by_system:
            for run in names if len(names) > 1 else ():
                datasets = places.setdefault((system, run), [])
                if dataset not in datasets:
                    datasets.append(dataset)
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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Traces:
    """What one dataset leaves behind.

    Parameters
    ----------
    known : bool
        Whether instances are known at all.
    ids, clusters : ndarray of uint64
        Hashes of the names that would not recur by chance; empty if they are running numbers.
    scores : tuple of (str, str)
        Of each system, a hash of its scores; empty if nothing is known instance by instance.
    runs : tuple of (str, tuple of str)
        Names of the runs of each system.
    """

    known: bool
    ids: Hashes
    clusters: Hashes
    scores: tuple[tuple[str, str], ...]
    runs: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @classmethod
    def of_all(cls, parts: Sequence[Traces], systems: Sequence[str]) -> Traces:
        """Put together what some systems at a time left behind of a dataset; in the order of all systems."""
        if len(parts) == 1:
            return parts[0]
        ids = [parts[0].ids, *(part.ids for part in parts[1:] if part.ids is not parts[0].ids)]
        scores = {system: found for part in parts for system, found in part.scores}
        runs = {system: found for part in parts for system, found in part.runs}
        return cls(
            known=any(part.known for part in parts),
            ids=ids[0] if len(ids) == 1 else _each_once(ids),
            clusters=_each_once([part.clusters for part in parts]),
            scores=tuple((system, scores[system]) for system in systems if system in scores),
            runs=tuple((system, runs[system]) for system in systems if system in runs),
        )

    def sharing_ids(self, other: Traces) -> Traces:
        """The same, with the ids of another part of the dataset if they are the same, which then are held once."""
        return replace(self, ids=other.ids) if np.array_equal(self.ids, other.ids) else self


class _HashedIds:
    """Hashes of the ids that were hashed last: pairs of systems on a large dataset come one after the other."""

    def __init__(self) -> None:
        self._last: tuple[weakref.ref[Any], Hashes] | None = None

    def of(self, block: Block) -> Hashes:
        """Hashes of the ids of a dataset."""
        names, last = block.instance_names, self._last
        if last is not None and last[0]() is names:
            return last[1]
        found = hashes_of(telling_ids(block))
        self._last = weakref.ref(names), found
        return found


_HASHED = _HashedIds()


def traces_of(block: Block) -> Traces:
    """What a dataset leaves behind."""
    return Traces(
        known=block.n_instances > 0,
        ids=_HASHED.of(block),
        clusters=hashes_of(telling(block.cluster_names)),
        scores=_fingerprints(block),
        runs=tuple(block.runs_by_system()),
    )


def suspects(found: Sequence[Traces]) -> list[tuple[int, int]]:
    """Pairs of datasets that share a hash, in order; no other pair has anything in common.

    Examples
    --------
    >>> none = np.empty(0, dtype=np.uint64)
    >>> one, other = (Traces(known=True, ids=hashes_of(ids), clusters=none, scores=()) for ids in ("ab", "bc"))
    >>> suspects([one, other])
    [(0, 1)]
    """
    together = _holders([item.ids for item in found]) | _holders([item.clusters for item in found])
    alike: dict[tuple[tuple[str, str], ...], list[int]] = {}
    for place, item in enumerate(found):
        if item.scores:
            alike.setdefault(item.scores, []).append(place)
    together |= {tuple(places) for places in alike.values()}
    return sorted({(a, b) for places in together for n, a in enumerate(places) for b in places[n + 1 :]})


def telling_ids(block: Block) -> Sequence[str]:
    """Ids of a dataset that would not recur by chance, without running numbers before a text; none if there are none.

    "12:tiger-cat" is "7:tiger-cat" of another selection of the same pairs.
    """
    return telling(_without_numbers([str(name) for name in block.instance_names]))


def telling(names: Sequence[str]) -> Sequence[str]:
    """The names, unless all of them are mere running numbers."""
    return () if all(_RUNNING_NUMBER.fullmatch(name) for name in names) else names


def hashes_of(names: Iterable[str]) -> Hashes:
    """Hashes of texts, sorted, each once; the same in every process and on every machine.

    Notes
    -----
    Of the bytes c_0, c_1, ... of a text in UTF-8: the sum of (c_i + 1) f^i modulo 2^64. All texts are hashed by one
    running sum, of which the part of each is taken out and brought back to the power 0.

    Examples
    --------
    >>> hashes_of(["a", "b", "a"]).size, hashes_of([]).size
    (2, 0)
    """
    listed = list(names)
    return _each_once([_hashes(listed[start : start + _AT_ONCE]) for start in range(0, len(listed), _AT_ONCE)])


def _each_once(hashes: Sequence[Hashes]) -> Hashes:
    """Sorted, which is ten times as fast as the table by which NumPy finds what is unique."""
    found = np.sort(np.concatenate([*hashes, np.empty(0, dtype=np.uint64)]))
    return found[np.flatnonzero(np.append(np.ones(min(found.size, 1), dtype=np.bool_), found[1:] != found[:-1]))]


def _hashes(names: list[str]) -> Hashes:
    try:
        texts = pa.array(names, type=pa.large_string())
    except UnicodeEncodeError:  # lone surrogates, which Arrow cannot hold
        return np.array([hash64(name) for name in names], dtype=np.uint64)
    _, offsets, data = texts.buffers()
    ends = np.frombuffer(offsets, dtype=np.int64)[: len(names) + 1]
    letters = np.frombuffer(data, dtype=np.uint8)[: ends[-1]] if data is not None else np.empty(0, dtype=np.uint8)
    powers = np.full(letters.size + 1, _FACTOR)
    powers[0] = 1
    np.multiply.accumulate(powers, out=powers)
    sums = np.zeros(letters.size + 1, dtype=np.uint64)
    np.cumsum((letters.astype(np.uint64) + np.uint64(1)) * powers[:-1], out=sums[1:])
    undone = np.full(letters.size + 1, _INVERSE)
    undone[0] = 1
    np.multiply.accumulate(undone, out=undone)
    return np.asarray((sums[ends[1:]] - sums[ends[:-1]]) * undone[ends[:-1]], dtype=np.uint64)


def _holders(hashes: Sequence[Hashes]) -> set[tuple[int, ...]]:
    """Places that hold the same hash, for each hash that several hold, each set of places once."""
    together = np.sort(np.concatenate([*hashes, np.empty(0, dtype=np.uint64)]))
    repeated = np.unique(together[1:][together[1:] == together[:-1]])
    if repeated.size == 0:
        return set()
    hashes = [item[np.isin(item, repeated)] for item in hashes]
    owners = np.repeat(np.arange(len(hashes)), [item.size for item in hashes])
    order = np.argsort(values := np.concatenate(hashes), kind="stable")
    values, owners = values[order], owners[order]
    starts = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
    sizes = np.diff(np.append(starts, values.size))
    found: set[tuple[int, ...]] = set()
    for size in np.unique(sizes[sizes > 1]):
        rows = owners[starts[sizes == size][:, None] + np.arange(size)]
        found.update(tuple(map(int, row)) for row in np.unique(rows, axis=0))
    return found


def _fingerprints(block: Block) -> tuple[tuple[str, str], ...]:
    """The same for scores that are equal, 0 and -0 being the same; those that are missing play no part."""
    measured = block.measured()
    if measured is None:
        return ()
    rows = measured.reshape(len(block.systems), -1)
    return tuple((system, _fingerprint(row)) for system, row in zip(block.systems, rows, strict=True))


def _fingerprint(row: NDArray[np.float64]) -> str:
    return hashlib.blake2b((row[~np.isnan(row)] + 0.0).tobytes(), digest_size=16).hexdigest()


def _without_numbers(names: Sequence[str]) -> Sequence[str]:
    """What stands behind running numbers, if each name is such a number and a text."""
    found = []
    for name in names:
        if (match := _NUMBERED.fullmatch(name)) is None:
            return names
        found.append(match)
    if not names or len({match[1] for match in found}) < len(names):
        return names
    texts = [match[2] for match in found]
    return texts if len(set(texts)) >= _FEWEST_DISTINCT * len(texts) else names
