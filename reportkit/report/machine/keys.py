"""How the numbers of a report are named: `main/sst2/ours`, `main/sst2/ours-vs-base/p`, `main/ours-vs-base/k-hat`.

| key                        | with several metrics          | what it names                             |
|----------------------------|-------------------------------|-------------------------------------------|
| name/fact                  | the same                      | of the whole analysis: `alpha`, `seed`    |
| name/dataset/system        | name/metric/dataset/system    | a score                                   |
| name/dataset/fact          | name/metric/dataset/fact      | of a dataset: `n`                         |
| name/dataset/a-vs-b/fact   | name/metric/dataset/.../fact  | of a comparison on a dataset: `p`         |
| name/a-vs-b/fact           | name/metric/a-vs-b/fact       | of a comparison over all datasets: `k-hat`|
| name/average/system        | name/metric/average/system    | mean over the datasets, descriptive       |
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from reportkit.report.machine.slugs import distinct, slug

FACTS: Mapping[str, str] = MappingProxyType(
    {
        "n-datasets": "number of datasets",
        "n-systems": "number of systems",
        "n-comparisons": "number of claims that one system is better than another",
        "n-hypotheses": "number of hypotheses that are corrected together",
        "alpha": "the largest level, that of k-hat and of the names of datasets",
        "alphas": "all levels",
        "metric": "name of the metric, or of all metrics",
        "tests": "tests behind the p-values",
        "correction": "what the p-values are adjusted for",
        "confidence": "confidence of the intervals, in percent, without the sign",
        "resamples": "number of random resamples",
        "seed": "seed of the random resamples",
        "source": "name of the results file",
        "data-hash": "first 12 digits of the SHA-256 of the results",
        "version": "version of reportkit",
    }
)
"""What may be said of a whole analysis; not all of it is there in each."""

OF_COMPARISONS = (
    *("k-hat", "count", "n-identified", "identified", "n", "difference", "effect", "ci", "ci-low", "ci-high", "test"),
    *("p", "p-stated", "p-adjusted", "p-adjusted-stated", "mark"),
)
"""What may be said of a comparison, on a dataset or over all."""

AVERAGE = "average"
_OF_DATASET = ("n",)
_PAIR = tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Keys:
    """Parts of the keys of one report, all different.

    Parameters
    ----------
    name : str
        First part of every key.
    metrics : mapping of str to str
        Name to slug; empty if there is one metric, which no key names.
    datasets, systems : mapping of str to str
        Name to slug.
    pairs : mapping of (str, str) to str
        (A, B) to `a-vs-b`.
    suffixed : frozenset of str
        Slugs that end in digits of a hash, as another name has the same letters or a word of reportkit.
    """

    name: str
    metrics: Mapping[str, str]
    datasets: Mapping[str, str]
    systems: Mapping[str, str]
    pairs: Mapping[_PAIR, str]
    suffixed: frozenset[str]

    def within(self, metric: str) -> str:
        """What keys of one metric begin with."""
        return f"{self.name}/{self.metrics[metric]}" if self.metrics else self.name


def make_keys(
    name: str,
    metrics: Sequence[str],
    datasets: Sequence[str],
    systems: Sequence[str],
    pairs: Sequence[_PAIR],
    in_data: Mapping[str, str] | None = None,
) -> Keys:
    """Name everything; which slug a name has does not depend on the order.

    Parameters
    ----------
    name : str
        Of the report.
    metrics, datasets, systems : sequence of str
        Each name once.
    pairs : sequence of (str, str)
        Each (A, B) once, both among the systems.
    in_data : mapping of str to str, optional
        Name as it is printed to the name in the data, from which the slug is made.

    Examples
    --------
    >>> keys = make_keys("main", ["acc"], ["SST-2", "alpha"], ["Ours", "n"], [("Ours", "n")])
    >>> list(keys.datasets.values()), list(keys.systems.values()), list(keys.pairs.values())
    (['sst-2', 'alpha-8ed3'], ['ours', 'n-1b16'], ['ours-vs-n-1b16'])
    """
    taken = {*FACTS, AVERAGE}
    given = in_data or {}

    def slugs(names: Sequence[str], reserved: Collection[str]) -> dict[str, str]:
        found = distinct({given.get(item, item): slug(given.get(item, item)) for item in names}, reserved)
        return {item: found[given.get(item, item)] for item in names}

    of_metrics = slugs(metrics, taken) if len(metrics) > 1 else {}
    of_datasets, of_systems = slugs(datasets, taken), slugs(systems, _OF_DATASET)
    wanted = {(a, b): f"{of_systems[a]}-vs-{of_systems[b]}" for a, b in pairs}
    of_pairs = distinct(wanted, {*taken, *_OF_DATASET, *of_datasets.values(), *of_systems.values()})
    named = (of_metrics, of_datasets, of_systems)
    suffixed = {key for mapping in named for item, key in mapping.items() if key != slug(given.get(item, item))}
    suffixed |= {key for pair, key in of_pairs.items() if key != wanted[pair]}
    return Keys(
        name=name,
        metrics=of_metrics,
        datasets=of_datasets,
        systems=of_systems,
        pairs=of_pairs,
        suffixed=frozenset(suffixed),
    )
