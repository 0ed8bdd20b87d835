"""May the datasets be taken as independent? Evidence against it, in the data themselves.

Dror et al. (2017, footnote 4) take test statistics as independent if the datasets share no samples and none is a
transformation of another. Nobody can prove that from scores; but ids, clusters and scores can disprove it.

Hashes of ids, clusters and scores find the pairs of datasets that may have something in common; these are compared.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.finding import Finding
from reportkit.language import Named, counted, percent_text
from reportkit.replicability.independence.correlated_scores import correlated_datasets, false_claims
from reportkit.scores.choices import Runs
from reportkit.scores.scores import Scores
from reportkit.settings import Dependence

_RUNNING_NUMBER = re.compile(r"[+-]?\d{1,7}")
_NUMBERED = re.compile(r"(\d{1,7})\s*[:|#]\s*(\S.*)")
_FEWEST_DISTINCT = 0.9  # share of distinct texts after running numbers that makes them ids
_FEWEST_TELLING = 10  # this many rare scores are not equal by chance

_LISTED = 6  # pairs of datasets that a message names

Hashes = NDArray[np.uint64]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndependenceAudit:
    """The declared dependence of the datasets, and the evidence of their ids, clusters and scores.

    Parameters
    ----------
    declared : {"any", "independent"}
        By the user.
    evidence : tuple of Named
        Sentences, each a reason against independence.
    correlated : tuple of Named
        Sentences about scores that rise and fall together, as those of test sets that are sorted alike do; the largest
        correlation first.
    largest_r : float
        Size of the largest of these correlations.
    blind : str
        Why shared instances could not be looked for, as a clause; empty if they could.
    same_runs : bool
        Whether runs, which are random, have the same names on several datasets, and may be the same trained models.
    """

    declared: Dependence
    evidence: tuple[Named, ...] = ()
    correlated: tuple[Named, ...] = ()
    largest_r: float = 0.0
    blind: str = ""
    same_runs: bool = False

    @property
    def independent(self) -> bool:
        """Return whether methods that need independence may be used: declared, and nothing found against it."""
        return self.declared == "independent" and not self.evidence


def audit_independence(blocks: Sequence[Scores], declared: Dependence, runs: Runs = "random") -> IndependenceAudit:
    """Look for instances, clusters, scores and runs that datasets have in common by one of their metrics.

    Ids that are running numbers (1, 2, 3, ...) recur in unrelated datasets and count as no evidence; identical scores
    of all common systems on many instances do, whatever the ids are. Scores that are correlated over instances with the
    same number are looked for where independence is declared, and are no evidence either: test sets that are sorted by
    class have such.

    Parameters
    ----------
    blocks : sequence of Scores
        Scores of one metric or several.
    declared : {"any", "independent"}
        What the user says.
    runs : {"random", "fixed"}
        Whether the claim is about the systems trained again; runs that several datasets share then speak against it.

    Returns
    -------
    IndependenceAudit
    """
    evidence, correlated, blind = list[Named](), list[tuple[float, Named]](), list[str]()
    for metric in dict.fromkeys(block.metric for block in blocks):
        datasets = [block for block in blocks if block.metric == metric]
        told = [telling_ids(block.instance_names) for block in datasets]
        ids = [*map(hashes_of, told)]
        suspects = _suspects(datasets, ids)
        named = {place for pair in suspects for place in pair}
        names = {place: (frozenset(told[place]), frozenset(telling(datasets[place].cluster_names))) for place in named}
        found = {
            (first, second): _in_common(datasets[first], datasets[second], names[first], names[second], same)
            for (first, second), same in suspects.items()
        }
        evidence += chain.from_iterable(found.values())
        related = correlated_datasets(datasets) if declared == "independent" else {}
        correlated += [
            (abs(r), _correlated(datasets[first].dataset, datasets[second].dataset, r, n))
            for (first, second), (r, n) in related.items()
            if not found.get((first, second))
        ]
        if not all(block.n_instances for block in datasets):
            blind.append("no instances are known")
        elif not all(item.size for item in ids):
            blind.append("instance ids are running numbers, which recur in unrelated datasets")
    correlated.sort(key=lambda item: -item[0])
    shared, possible = shared_runs(blocks, runs)
    return IndependenceAudit(
        declared=declared,
        evidence=tuple(dict.fromkeys([*evidence, *shared])),
        correlated=tuple(dict.fromkeys(sentence for _, sentence in correlated)),
        largest_r=correlated[0][0] if correlated else 0.0,
        blind=blind[0] if blind else "",
        same_runs=possible,
    )


def _suspects(datasets: Sequence[Scores], ids: Sequence[Hashes]) -> dict[tuple[int, int], bool]:
    """Return the pairs of datasets that share a hash, in order; of each, whether all scores are the same."""
    clusters = [hashes_of(telling(block.cluster_names)) for block in datasets]
    alike: dict[tuple[object, ...], list[int]] = {}
    for place, block in enumerate(datasets):
        if (measured := block.measured()) is not None:
            alike.setdefault((block.systems, measured.shape, *map(_fingerprint, measured)), []).append(place)
    groups = [places for places in alike.values() if len(places) > 1 and _is_telling(datasets[places[0]])]
    same = {pair for places in groups for pair in combinations(places, 2)}
    return {pair: pair in same for pair in sorted(_sharing(ids) | _sharing(clusters) | same)}


def _sharing(hashes: Sequence[Hashes]) -> set[tuple[int, int]]:
    """Return the pairs of places that hold the same hash."""
    values = np.concatenate([*hashes, np.empty(0, dtype=np.uint64)])
    owners = np.repeat(np.arange(len(hashes)), [item.size for item in hashes])
    order = np.argsort(values, kind="stable")
    values, owners, found = values[order], owners[order], set[tuple[int, int]]()
    for step in range(1, len(hashes)):
        same = values[step:] == values[:-step]
        if not same.any():
            break
        pairs = np.unique(owners[:-step][same] * len(hashes) + owners[step:][same])
        found.update(zip(*(part.tolist() for part in np.divmod(pairs, len(hashes))), strict=True))
    return found


def telling_ids(names: Iterable[object]) -> Sequence[str]:
    """Return ids of a dataset that would not recur by chance, without running numbers before a text.

    "12:tiger-cat" is "7:tiger-cat" of another selection of the same pairs.

    Examples
    --------
    >>> telling_ids(["1:sun", "2:moon"]), telling_ids([1, 2])
    (['sun', 'moon'], ())
    """
    texts = telling([*map(str, names)])
    matches = [match for name in texts if (match := _NUMBERED.fullmatch(name))]
    if texts and len({match[1] for match in matches}) == len(texts):
        behind = [match[2] for match in matches]
        texts = behind if len(set(behind)) >= _FEWEST_DISTINCT * len(texts) else texts
    return telling(texts)


def telling(names: Sequence[str]) -> Sequence[str]:
    """Return the names, unless all of them are mere running numbers."""
    plain = "".join(names).isdecimal() and len(max(names, key=len)) < 8  # most are, and are not looked at one by one
    return () if plain or all(map(_RUNNING_NUMBER.fullmatch, names)) else names


def hashes_of(names: Sequence[str]) -> Hashes:
    """Return hashes of texts, sorted, each once.

    Examples
    --------
    >>> hashes_of(["a", "b", "a"]).size, hashes_of([]).size
    (2, 0)
    """
    texts = np.array([name.encode("utf-8", "surrogatepass").decode("latin-1") for name in names], dtype=object)
    return np.unique(pd.util.hash_array(texts, categorize=False)) if texts.size else np.empty(0, dtype=np.uint64)


def _fingerprint(scores: NDArray[np.float64]) -> str:
    """Return a hash that is the same for equal scores, 0 and -0 included, and missing ones in the same places."""
    return hashlib.blake2b(np.where(np.isnan(scores), np.nan, scores + 0.0).data, digest_size=16).hexdigest()


_Names = tuple[frozenset[str], frozenset[str]]


def _in_common(first: Scores, second: Scores, of_first: _Names, of_second: _Names, same: bool) -> list[Named]:
    names = first.dataset, second.dataset
    if shared := of_first[0] & of_second[0]:
        smaller, larger = sorted((first, second), key=lambda block: block.n_instances)
        if len(shared) == smaller.n_instances == larger.n_instances:
            return [Named("{0} and {1} have the same {n}", names, {"n": counted(len(shared), "instance")})]
        if len(shared) == smaller.n_instances:
            both = smaller.dataset, larger.dataset
            return [Named("all {n} of {0} are also in {1}", both, {"n": counted(len(shared), "instance")})]
        return [_shared(names, shared, "instance")]
    if common := of_first[1] & of_second[1]:
        return [_shared(names, common, "cluster")]
    if same:
        return [Named("all systems have the same scores on {0} and {1}", names)]
    return []


def _shared(datasets: tuple[str, str], names: frozenset[str], noun: str) -> Named:
    shown = {"n": counted(len(names), noun), "example": min(names)}
    return Named("{0} and {1} share {n} (such as {example!r})", datasets, shown)


def _correlated(one: str, other: str, r: float, n: int) -> Named:
    shown = f"{abs(r):.2f}".removeprefix("0")
    return Named(
        "the scores on {0} and {1} are correlated instance by instance (r = {r} over {n:,} instances)",
        (one, other),
        {"r": f"{'−' * (r < 0)}{shown}", "n": n},
    )


def _is_telling(block: Scores) -> bool:
    """Return whether the scores would not recur by chance: of some system, not nearly all are equal."""
    rows = block.scores.reshape(len(block.systems), -1)
    rarest_mode = min(block.n_instances, *(int(np.unique(row, return_counts=True)[1].max()) for row in rows))
    return block.n_instances - rarest_mode >= _FEWEST_TELLING


_COUNTED = re.compile(r"[A-Za-z_\-. #]*\d{1,7}")
"""A run that is merely counted, or called by its random seed: 3, seed 42, run-0."""

_SHORTEST_TELLING = 6


def shared_runs(blocks: Sequence[Scores], runs: Runs = "random") -> tuple[tuple[Named, ...], bool]:
    """Look for runs of a system that have the same name on several datasets.

    If runs are random and one trained model was scored on several datasets, a lucky run is lucky on all of them, and
    the p-values depend on each other though the test sets may not. If the claim is about these very runs, or each
    dataset has models of its own, they do not.

    Parameters
    ----------
    blocks : sequence of Scores
        Datasets.
    runs : {"random", "fixed"}
        Whether the claim is about the systems trained again.

    Returns
    -------
    evidence : tuple of Named
        Sentences about names that would not recur by chance.
    possible : bool
        Whether names recur that tell nothing, such as running numbers: the models may be the same, or not.
    """
    if runs == "fixed":
        return (), False
    places: dict[tuple[str, str], list[str]] = {}
    for block in blocks:
        for system, names in zip(block.systems, block.runs, strict=False):
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
    return evidence, bool(recurring) and not evidence


def independence_findings(audit: IndependenceAudit, n_datasets: int) -> list[Finding]:
    """Report the evidence against independence of datasets that were declared independent."""
    found = []
    if audit.declared == "independent" and audit.evidence:
        shown: list[str] = list(audit.evidence[:_LISTED])
        if len(audit.evidence) > len(shown):
            shown.append(f"there are {len(audit.evidence) - len(shown):,} more such pairs")
        found.append(
            Finding(
                "not-independent",
                "error",
                "The datasets were declared independent, but " + "; ".join(shown) + ". "
                "Fisher's method is therefore not given.",
                remedy="leave out dependence='independent' (--dependence independent), or remove the overlap",
            )
        )
    if audit.independent and audit.correlated:
        more = len(audit.correlated) - 1
        others = f", and so are those on {counted(more, 'more pair')}" if more else ""
        found.append(
            Finding(
                "correlated-datasets",
                "warning",
                f"The datasets were declared independent, and {audit.correlated[0]}{others}. If differences between "
                f"systems are correlated as much, a false claim is made on {n_datasets:,} datasets in "
                f"{percent_text(float(f'{false_claims(n_datasets, audit.largest_r):.2g}'))} of all reports, not in 5%.",
                remedy="leave out dependence='independent' (--dependence independent), unless instances of the same "
                "number have nothing in common: test sets sorted by class, say, are correlated and independent",
            )
        )
    if audit.independent and audit.same_runs:
        found.append(
            Finding(
                "same-runs",
                "warning",
                "The datasets were declared independent, and runs have the same names on several of them. If these are "
                "the same trained models, a lucky run is lucky on all of them, and Fisher's method is not valid.",
                remedy="leave out dependence='independent' (--dependence independent) if models were scored on "
                "several of them, or claim something about these runs alone: runs='fixed' (--runs fixed)",
            )
        )
    if not audit.evidence and audit.declared == "independent" and audit.blind:
        found.append(
            Finding(
                "independence-not-audited",
                "info",
                f"The datasets were declared independent; shared instances could not be looked for: {audit.blind}.",
            )
        )
    return found
