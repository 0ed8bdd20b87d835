"""k-hat where no dataset has an effect, with the dependence that the user's own datasets share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reportkit.calibration.block_units import column_names
from reportkit.calibration.null.null_samples import paired_by_instances, swapped_where
from reportkit.calibration.null.replicates import replicated_p_values, selected_test
from reportkit.calibration.proportion import Proportion
from reportkit.calibration.streams import Progress, check_number, silent, stream
from reportkit.errors import DesignError, UnknownNameError
from reportkit.language.counts_and_lists import counted
from reportkit.language.numerals import level_text, percent_text
from reportkit.replicability.multiple_testing.p_values import check_alpha
from reportkit.replicability.multiple_testing.partial_conjunction import k_hat
from reportkit.scores.choices import Missing
from reportkit.scores.shapes.block import Block
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.scores.shapes.paired_statistics import PairedStatistics
from reportkit.scores.shapes.sample import Sample
from reportkit.settings import Profile

Ids = Literal["auto", "shared", "separate"]

METHODS = ("count", "bonferroni", "fisher")

_RUNNING_NUMBER = re.compile(r"[+-]?\d{1,7}")
_COINS = 1 << 22  # held at once

_SURE = 0.99
"""Level of the interval that has to lie above alpha before a method is called unsafe."""
_CLUSTER, _INSTANCE = "c", "i"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class JointNull:
    """k-hat of many simulated families in which no dataset has an effect.

    Parameters
    ----------
    system_a, system_b : str
        Whose claim "A is better" is counted.
    datasets, tests : tuple of str
        The family, and the test of each dataset.
    p_values : ndarray of shape (n_replicates, n_datasets)
        One-sided p-values in favour of A.
    k_hats : dict of str to ndarray of int of shape (n_replicates,)
        By method.
    n_shared : int
        Independent units (instances, clusters) that occur in more than one dataset.
    alpha, level : float
        Level of k-hat, and of the intervals.
    seed : int
        Of the simulation.
    """

    system_a: str
    system_b: str
    datasets: tuple[str, ...]
    tests: tuple[str, ...]
    p_values: NDArray[np.float64]
    k_hats: dict[str, NDArray[np.int64]]
    n_shared: int
    alpha: float
    level: float
    seed: int

    @property
    def n_replicates(self) -> int:
        """Number of simulated families."""
        return len(self.p_values)

    def histogram(self, method: str) -> NDArray[np.int64]:
        """How many families had k-hat 0, 1, ..., N; shape (n_datasets + 1,)."""
        return np.bincount(self._of(method), minlength=len(self.datasets) + 1)

    def error(self, method: str) -> Proportion:
        """Share of families with k-hat above 0, each of which is wrong, with Wilson's interval."""
        wrong = int(np.count_nonzero(self._of(method)))
        return Proportion(count=wrong, total=self.n_replicates, level=self.level)

    def safe(self, method: str = "fisher") -> bool:
        """Whether the error of a method is not shown to exceed alpha here."""
        return self.error(method).at_level(_SURE).low <= self.alpha

    @property
    def sentence(self) -> str:
        """Whether Fisher's combination is safe for these datasets, in words."""
        found = self.error("fisher")
        shared = counted(self.n_shared, "instance or cluster", "instances or clusters")
        numbers = f"{_share(found.value)} of {self.n_replicates:,} families without any effect "
        numbers += f"({percent_text(found.level)} interval {_share(found.low)} to {_share(found.high)}), at level "
        numbers += level_text(self.alpha)
        if not self.safe():
            reason = f"the datasets share {shared}" if self.n_shared else "a test on some dataset may exceed its level"
            return f"Fisher's combination is not safe here: k-hat is above 0 in {numbers}; {reason}."
        if self.n_shared:
            return (
                f"The datasets share {shared}, but too little for the error of Fisher's combination to exceed its "
                f"level here: k-hat is above 0 in {numbers}. The guarantee needs independence all the same."
            )
        kept = "keeps its level" if found.low <= self.alpha else "is not clearly above its level"
        return (
            f"No instances are seen to be shared, and Fisher's combination {kept}: k-hat is above 0 in "
            f"{numbers}. Dependence that shows in no id or cluster cannot be seen in this way."
        )

    def _of(self, method: str) -> NDArray[np.int64]:
        if method not in self.k_hats:
            raise UnknownNameError("way of counting", method, self.k_hats)
        return self.k_hats[method]


def joint_null(
    blocks: Sequence[Block],
    system_a: str,
    system_b: str,
    *,
    ids: Ids = "auto",
    test: str | None = None,
    profile: Profile = "recommended",
    missing: Missing = "error",
    methods: Sequence[str] = METHODS,
    alpha: float = 0.05,
    level: float = 0.95,
    n_replicates: int = 2_000,
    n_resamples: int = 999,
    seed: int = 0,
    progress: Progress = silent,
) -> JointNull:
    """Simulate k-hat where A and B are exchangeable on every dataset.

    A fair coin decides for each independent unit whether A and B change places; an instance or cluster that occurs in
    several datasets has one coin for all of them. So the p-values depend on each other as far as the datasets overlap.

    Parameters
    ----------
    blocks : sequence of Block
        Datasets of one metric.
    system_a, system_b : str
        The claim is that A is better.
    ids : {"auto", "shared", "separate"}
        Whether the same id in two datasets is the same instance: always, never, or unless all ids of a dataset are
        running numbers, which recur in unrelated datasets. The same holds for names of clusters.
    test, profile, missing, alpha, level, n_replicates, n_resamples, seed, progress
        As for `reportkit.calibration.null.p_values.calibrate`.
    methods : sequence of str
        Ways of counting for `k_hat`; "count", "bonferroni" and "fisher" if not given.

    Returns
    -------
    JointNull

    Raises
    ------
    DesignError
        If there are fewer than two datasets, of one metric each once, or scores are not paired by instances.

    Notes
    -----
    Figure 1 of Dror et al. (2017), "Replicability analysis for natural language processing", for one's own datasets.
    """
    check_alpha(alpha)
    check_number("n_replicates", n_replicates, 1)
    _check_family(blocks, ids)
    samples = [paired_by_instances(block.pair(system_a, system_b, missing=missing)) for block in blocks]
    units, n_units, n_shared = _joint_units(blocks, samples, ids, missing)
    names = ["identical" if sample.identical else selected_test(sample, test, profile) for sample in samples]
    p_values = np.ones((n_replicates, len(blocks)))
    step = max(1, min(n_replicates, _COINS // max(n_units, 1)))
    rng = stream(seed, "joint null", blocks[0].metric, *sorted((system_a, system_b)))
    for start in range(0, n_replicates, step):
        coins = rng.integers(2, size=(min(step, n_replicates - start), n_units), dtype=np.int8).astype(bool)
        for place, (sample, codes) in enumerate(zip(samples, units, strict=True)):
            found = replicated_p_values(
                _flipped_by(sample, codes, coins),
                names[place],
                n_replicates=len(coins),
                n_resamples=n_resamples,
                seed=seed + start,
            )
            p_values[start : start + len(coins), place] = found.p_greater
            progress(start * len(blocks) + (place + 1) * len(coins), n_replicates * len(blocks))
    return JointNull(
        system_a=system_a,
        system_b=system_b,
        datasets=tuple(block.dataset for block in blocks),
        tests=tuple(names),
        p_values=p_values,
        k_hats={method: np.asarray(k_hat(p_values, alpha, method)) for method in methods},
        n_shared=n_shared,
        alpha=alpha,
        level=level,
        seed=seed,
    )


def _check_family(blocks: Sequence[Block], ids: Ids) -> None:
    if ids not in ("auto", "shared", "separate"):
        raise UnknownNameError("way to read ids", ids, ("auto", "shared", "separate"))
    names = [block.dataset for block in blocks]
    if len(blocks) < 2 or len(set(names)) < len(names) or len({block.metric for block in blocks}) > 1:
        raise DesignError(
            "k-hat needs two datasets or more, each once, of one metric",
            where=f"datasets {names!r}, metrics {sorted({block.metric for block in blocks})!r}",
            remedy="select one metric: results.select(metric=...)",
        )


def _flipped_by(
    sample: PairedScores | PairedStatistics, codes: NDArray[np.int64], coins: NDArray[np.bool_]
) -> Iterator[Sample]:
    for row in coins:
        yield swapped_where(sample, row[codes])


def _joint_units(
    blocks: Sequence[Block], samples: Sequence[Sample], ids: Ids, missing: Missing
) -> tuple[list[NDArray[np.int64]], int, int]:
    """Unit of each instance of each dataset, the number of units, and how many of them several datasets share.

    Instances are one unit if they have an id or a cluster in common, also by way of other instances.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    links = [_names_of(block, sample, ids, missing) for block, sample in zip(blocks, samples, strict=True)]
    labels = sorted({name for first, second in links for name in (*first, *second)})
    place = {name: index for index, name in enumerate(labels)}
    firsts = [np.array([place[name] for name in first], dtype=np.int64) for first, _ in links]
    seconds = [np.array([place[name] for name in second], dtype=np.int64) for _, second in links]
    edges = np.concatenate(firsts), np.concatenate(seconds)
    graph = coo_array((np.ones(edges[0].size), edges), shape=(len(labels), len(labels)))
    _, component = connected_components(graph, directed=False)
    codes = [np.asarray(component[first], dtype=np.int64) for first in firsts]
    several = np.bincount(np.concatenate([np.unique(code) for code in codes]), minlength=int(component.max()) + 1)
    return codes, int(component.max()) + 1, int(np.count_nonzero(several > 1))


def _names_of(block: Block, sample: Sample, ids: Ids, missing: Missing) -> tuple[list[str], list[str]]:
    """Of each instance that is compared, its own name and that of its cluster (its own again if it has none)."""
    kept = block.common_instances(sample.system_a, sample.system_b, missing=missing).kept
    instances, clusters = column_names(block)
    own = _global(np.array(instances, dtype=object)[kept].tolist(), block.dataset, _INSTANCE, ids)
    if clusters is None:
        return own, own
    return own, _global(np.array(clusters, dtype=object)[kept].tolist(), block.dataset, _CLUSTER, ids)


def _global(names: Sequence[str], dataset: str, what: str, ids: Ids) -> list[str]:
    private = ids == "separate" or (ids == "auto" and all(_RUNNING_NUMBER.fullmatch(name) for name in names))
    prefix = f"{what}\x1f{dataset}\x1f" if private else f"{what}\x1f\x1f"
    return [prefix + name for name in names]


def _share(value: float) -> str:
    return f"{value:.3f}".removeprefix("0") if value < 0.9995 else f"{value:.3f}"
