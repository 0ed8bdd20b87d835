"""k-hat where no dataset has an effect, with the dependence that the user's own datasets share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.calibration.nulls import paired_by_instances, replicated_p_values, selected_test
from reportkit.calibration.plan import StudyPlan, stream
from reportkit.calibration.shares import Proportion
from reportkit.errors import DesignError, UnknownNameError
from reportkit.replicability.independence.independence import telling
from reportkit.replicability.multiple_testing.partial_conjunction import k_hat
from reportkit.scores.choices import Missing
from reportkit.scores.designs import common_instances
from reportkit.scores.sample import Sample
from reportkit.scores.scores import Scores

METHODS = ("count", "bonferroni", "fisher")

_COINS = 1 << 22  # held at once

_SURE = 0.99
"""Level of the interval that has to lie above alpha before a method is called unsafe."""


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
        Seed of the simulation.
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
        """Count the families with k-hat 0, 1, ..., N; shape (n_datasets + 1,)."""
        return np.bincount(self._of(method), minlength=len(self.datasets) + 1)

    def error(self, method: str) -> Proportion:
        """Return the share of families with k-hat above 0, which is always wrong, with Wilson's interval."""
        wrong = int(np.count_nonzero(self._of(method)))
        return Proportion(count=wrong, total=self.n_replicates, level=self.level)

    def safe(self, method: str = "fisher") -> bool:
        """Return whether the error of a method is not shown to exceed alpha here."""
        return self.error(method).at_level(_SURE).low <= self.alpha

    def _of(self, method: str) -> NDArray[np.int64]:
        if method not in self.k_hats:
            raise UnknownNameError("way of counting", method, self.k_hats)
        return self.k_hats[method]


def joint_null(blocks: Sequence[Scores], system_a: str, system_b: str, plan: StudyPlan | None = None) -> JointNull:
    """Simulate k-hat where A and B are exchangeable on every dataset.

    A fair coin decides for each independent unit whether A and B change places; an instance or cluster that occurs in
    several datasets has one coin for all of them. So the p-values depend on each other as far as the datasets overlap.
    The same id in two datasets is the same instance, unless all ids of a dataset are running numbers, which recur in
    unrelated datasets. The same holds for names of clusters.

    Parameters
    ----------
    blocks : sequence of Scores
        Datasets of one metric.
    system_a, system_b : str
        The claim is that A is better.
    plan : StudyPlan, optional
        Test, levels, seed and numbers.

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
    plan = plan or StudyPlan()
    names = [block.dataset for block in blocks]
    if len(blocks) < 2 or len(set(names)) < len(names) or len({block.metric for block in blocks}) > 1:
        raise DesignError(
            "k-hat needs two datasets or more, each once, of one metric",
            where=f"datasets {names!r}, metrics {sorted({block.metric for block in blocks})!r}",
            remedy="select one metric: results.select(metric=...)",
        )
    samples = [paired_by_instances(block.pair(system_a, system_b, missing=plan.missing)) for block in blocks]
    units, n_units, n_shared = _joint_units(blocks, samples, plan.missing)
    tests = ["identical" if sample.identical else selected_test(sample, plan) for sample in samples]
    p_values = np.ones((plan.n_replicates, len(blocks)))
    step = max(1, min(plan.n_replicates, _COINS // max(n_units, 1)))
    rng = stream(plan.rng, "joint null", blocks[0].metric, *sorted((system_a, system_b)))
    for start in range(0, plan.n_replicates, step):
        size = min(step, plan.n_replicates - start)
        coins = rng.integers(2, size=(size, n_units), dtype=np.int8).astype(bool)
        for place, (sample, codes) in enumerate(zip(samples, units, strict=True)):
            flipped = (sample.exchanged(row[codes]) for row in coins)
            found, _ = replicated_p_values(flipped, tests[place], size, plan.n_resamples, plan.rng + start)
            p_values[start : start + size, place] = found[0]
    return JointNull(
        system_a=system_a,
        system_b=system_b,
        datasets=tuple(names),
        tests=tuple(tests),
        p_values=p_values,
        k_hats={method: np.asarray(k_hat(p_values, plan.alpha, method)) for method in METHODS},
        n_shared=n_shared,
        alpha=plan.alpha,
        level=plan.confidence_level,
        seed=plan.rng,
    )


def _joint_units(
    blocks: Sequence[Scores], samples: Sequence[Sample], missing: Missing
) -> tuple[list[NDArray[np.int64]], int, int]:
    """Return the unit of each instance of each dataset, the number of units, and how many several datasets share.

    Instances are one unit if they have an id or a cluster in common, also by way of other instances.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    links = [_names_of(block, sample, missing) for block, sample in zip(blocks, samples, strict=True)]
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


def _names_of(block: Scores, sample: Sample, missing: Missing) -> tuple[list[str], list[str]]:
    """Return the name of each instance that is compared, and that of its cluster (its own again if it has none)."""
    kept = common_instances(block, sample.system_a, sample.system_b, missing)[0]
    ids = block.instances if block.rated is None else block.rated
    own = _global(ids[kept].tolist(), block.dataset, "i")
    if block.clusters is None:
        return own, own
    names = block.cluster_names or tuple(map(str, range(int(block.clusters.max()) + 1)))
    return own, _global([names[code] for code in block.clusters[kept]], block.dataset, "c")


def _global(names: Sequence[object], dataset: str, what: str) -> list[str]:
    """Return names that are the same in two datasets only where they denote the same thing."""
    texts = [str(name) for name in names]
    private = not telling(texts)
    return [f"{what}\x1f{dataset if private else ''}\x1f{text}" for text in texts]
