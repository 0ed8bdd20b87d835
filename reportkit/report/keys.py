"""Keys of numbers: slugs of the names in the data, distinct and stable."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

SLUG = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*")
"""What a part of a key looks like."""

_WORDS = {"+": "plus", "*": "star", "&": "and", "%": "percent", "@": "at", "#": "sharp", "†": "dagger"}
_LATIN = re.compile(r"LATIN SMALL (?:LETTER|LIGATURE) (?:DOTLESS |SHARP |LONG )?([A-Z]{1,3})\b.*")
_GREEK = re.compile(r"GREEK SMALL LETTER (?:FINAL )?([A-Z]+)\b.*")
_LEAST_DIGITS = 4


def slug(name: str) -> str:
    """Write a name as a part of a key.

    Accents are dropped, Greek letters and a few signs become words, letters of other scripts their code points, and
    everything else a hyphen. Two names may give the same slug; `distinct` tells them apart.

    Parameters
    ----------
    name : str
        Anything.

    Returns
    -------
    str
        Not empty; matches `SLUG`.

    Examples
    --------
    >>> slug("SST-2"), slug("BERT+Aug (large)"), slug("Łódź_v1.5"), slug("κ"), slug("C&W"), slug("中文")
    ('sst-2', 'bert-plus-aug-large', 'lodz-v1.5', 'kappa', 'c-and-w', 'u4e2d-u6587')
    """
    letters = "".join(map(_written, unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())))
    found = re.sub(r"\.+", ".", re.sub(r"[.-]*-[.-]*", "-", letters)).strip("-.")
    return found or "-".join(f"u{ord(sign):04x}" for sign in name) or "empty"


def _written(sign: str) -> str:
    if sign.isascii():
        return sign if sign.isalnum() or sign == "." else f"-{_WORDS.get(sign, '')}-"
    category = unicodedata.category(sign)
    if category.startswith("M"):
        return ""
    if sign in _WORDS:
        return f"-{_WORDS[sign]}-"
    described = unicodedata.name(sign, "")
    if latin := _LATIN.fullmatch(described):
        return latin[1].lower()
    if greek := _GREEK.fullmatch(described):
        return f"-{greek[1].lower()}-"
    return f"-u{ord(sign):04x}-" if category[0] in "LNS" else "-"


_Name = TypeVar("_Name", bound=Hashable)


def distinct(wanted: Mapping[_Name, str], reserved: Collection[str] = ()) -> dict[_Name, str]:
    """Tell apart what would have the same slug.

    All that share one, or have a reserved one, get the first digits of the SHA-256 of their name behind it: which name
    a key stands for depends neither on the order of the names nor on which others there are, and no key that was
    written down comes to mean another name because a name was added.

    Parameters
    ----------
    wanted : mapping
        Names (strings, or tuples of strings) to the slugs that they would have alone.
    reserved : collection of str
        Slugs that are taken.

    Returns
    -------
    dict
        The same names, each with a slug of its own.

    Examples
    --------
    >>> distinct({"BERT": "bert", "bert": "bert", "n": "n", "T5": "t5"}, reserved=["n"])
    {'BERT': 'bert-f10c', 'bert': 'bert-3298', 'n': 'n-1b16', 'T5': 't5'}
    """
    shared = Counter(wanted.values())
    alone = {name: key for name, key in wanted.items() if shared[key] == 1 and key not in reserved}
    for digits in range(_LEAST_DIGITS, 65):
        found = {
            name: alone[name] if name in alone else f"{key}-{_digest(name)[:digits]}" for name, key in wanted.items()
        }
        if len(set(found.values())) == len(found) and not set(found.values()) & set(reserved):
            return found
    raise ValueError("two names have the same SHA-256")  # a mistake of the programmer: the names are not distinct


def _digest(name: Hashable) -> str:
    parts = name if isinstance(name, tuple) else (name,)
    text = "\0".join(map(str, parts))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


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
