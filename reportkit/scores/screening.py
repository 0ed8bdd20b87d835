"""What a reader of the results has to know about the data, though nothing in them is wrong: findings, not errors."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.finding import Finding
from reportkit.language.counts_and_lists import listed
from reportkit.scores.results import Results
from reportkit.scores.scales import Ranges, ranges_of
from reportkit.scores.scores import Scores
from reportkit.scores.table.row_numbers import LISTED, counts_text, names_text, quoted

CONSTANT_SYSTEM = "constant-system"
_ABOUT_SYSTEMS = frozenset({CONSTANT_SYSTEM, "similar-names"})

SMALL = 20
"""Fewer instances than this hardly allow a verdict (rule D7)."""

UNEQUAL = 10
"""k-hat counts a dataset of ten times the size as one, like any other (rule D8)."""


def name_findings(names: Sequence[str], role: str) -> Iterator[Finding]:
    r"""Names that differ in case, spaces, invisible characters or the form of letters only: probably one and the same.

    Where they would be printed alike, the characters that differ are shown by their codes.

    Examples
    --------
    >>> [finding.where for finding in name_findings(["ours", "ou\u200brs"], "system")]
    ["'ours' and 'ou\\u200brs'"]
    """
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(visible_key(name), []).append(name)
    alike = [group for group in groups.values() if len(group) > 1]
    if alike:
        shown = [" and ".join(_with_codes(name) for name in group) for group in alike[:LISTED]]
        yield Finding(
            "similar-names",
            "warning",
            f"Names of {role}s differ only in case, spaces or characters that cannot be seen; they count as different "
            f"{role}s.",
            where=listed(shown, total=len(alike)),
            remedy="write each name in one way",
        )


_INVISIBLE = re.compile(r"[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0]")
"""Characters that leave no trace on paper, beside controls and formats (category C): fillers, variation selectors."""


def visible_key(name: str) -> str:
    """What of a name can be seen, in one form of letters, without case; one space for any."""
    spaced = re.sub(r"\s+", " ", unicodedata.normalize("NFKC", name))
    seen = "".join(letter for letter in _INVISIBLE.sub("", spaced) if unicodedata.category(letter) not in ("Cc", "Cf"))
    return unicodedata.normalize("NFKC", seen).strip().casefold()


def _with_codes(name: str) -> str:
    """The name in quotes, with codes for what cannot be seen or is no letter of its composed form."""
    letters = (letter if _is_seen(letter) else letter.encode("unicode-escape").decode("ascii") for letter in name)
    shown = "".join(letters)
    return quoted(name) if shown == name else f"'{shown if len(shown) <= 70 else f'{shown[:45]}...{shown[-20:]}'}'"


def _is_seen(letter: str) -> bool:
    return letter.isprintable() and not _INVISIBLE.match(letter) and not unicodedata.combining(letter)


def size_findings(blocks: Sequence[Scores]) -> Iterator[Finding]:
    """Datasets with few instances, and datasets of very different size."""
    sizes = {block.dataset: 0 for block in blocks}
    for block in blocks:
        sizes[block.dataset] = max(sizes[block.dataset], block.n_instances)
    small = [(name, size) for name, size in sizes.items() if size < SMALL]
    if small:
        yield Finding(
            "small-dataset",
            "warning",
            f"{len(small):,} of {len(sizes):,} datasets {'has' if len(small) == 1 else 'have'} fewer than {SMALL} "
            "instances: tests can hardly find a difference there.",
            where=counts_text(small),
            remedy="report the number of instances; do not read 'not significant' as 'equal'",
        )
    largest, smallest = max(sizes, key=lambda name: sizes[name]), min(sizes, key=lambda name: sizes[name])
    if sizes[largest] > UNEQUAL * sizes[smallest]:
        yield Finding(
            "unequal-sizes",
            "info",
            f"Datasets have from {sizes[smallest]:,} to {sizes[largest]:,} instances; a count of datasets treats them "
            "alike.",
            where=f"{quoted(smallest)} and {quoted(largest)}",
        )


def findings_of_chosen(results: Results) -> Iterator[Finding]:
    """The findings of results that hold only the systems that are compared: what is said of others is left out."""
    for finding in results.findings:
        if finding.code not in _ABOUT_SYSTEMS:
            yield finding
    yield from name_findings(results.systems, "system")
    yield from name_findings(results.dataset_names, "dataset")
    matrices = [matrix for block in results.datasets if (matrix := block.matrix()) is not None]
    if any(finding.code == CONSTANT_SYSTEM for finding in results.findings):
        yield from constant_findings([ranges_of(block) for block in matrices])


def constant_findings(ranges: Sequence[Ranges]) -> Iterator[Finding]:
    """Systems with the same score on every instance of a dataset."""
    constant = [
        (one, row) for one in ranges if one.block.n_instances > 1 for row in np.flatnonzero(one.lowest == one.highest)
    ]
    if constant:
        shown = [
            f"{quoted(one.block.systems[row])} on {quoted(one.block.dataset)} (always {one.highest[row]:g})"
            for one, row in constant[:LISTED]
        ]
        yield Finding(
            CONSTANT_SYSTEM,
            "warning",
            "A system has the same score on every instance of a dataset."
            if len(constant) == 1
            else f"{len(constant):,} times a system has the same score on every instance of a dataset.",
            where=listed(shown, total=len(constant)),
            remedy="check that its output was scored, and was not empty",
        )


def nesting_findings(blocks: Sequence[Scores]) -> Iterator[Finding]:
    """Say which instances seem to be parts of documents, where no column says which document."""
    looked: dict[str, str] = {}
    for block in blocks:
        if block.dataset not in looked and (nesting := nested_ids(block.instance_names)) is not None:
            looked[block.dataset] = (
                f"{quoted(block.dataset)}: {nesting.n_instances:,} instances in {nesting.n_documents:,} documents "
                f"such as {names_text(nesting.examples)}"
            )
    if looked:
        yield Finding(
            "nested-instances",
            "warning",
            "Instances seem to be parts of documents, and no column of clusters is given; tests that take them as "
            "independent give p-values that are too small.",
            where=listed(list(looked.values())[:LISTED], total=len(looked)),
            remedy="add a column that names the document of each instance, and pass "
            'cluster="doc" (--columns cluster=doc)',
        )


_PART = re.compile(r"(?P<document>.*[^_:/\-.])[_:/\-.]+(?P<word>[A-Za-z]{0,9})[0-9]{1,9}")
_MOST = 0.9
"""Share of the ids that have to have such a form."""

_SHARING = 0.8
"""Share of the instances whose document has another instance."""

_LARGEST_DOCUMENT = 150
"""More instances per prefix than this, on average: subjects or sources, and no documents."""

_MANY_DOCUMENTS = 20
"""So many prefixes may be titles; of fewer, half have to differ in their numbers alone."""

_SAMPLE = 2_000
_FEWEST_DOCUMENTS = 3
"""One or two prefixes are names of corpora or splits (`train-17`), not documents."""


@dataclass(frozen=True, slots=True)
class Nesting:
    """What the ids of a dataset look like: `n_instances` in `n_documents`, with a few names of documents."""

    n_instances: int
    n_documents: int
    examples: tuple[str, ...]


def nested_ids(ids: Sequence[str] | NDArray[np.object_]) -> Nesting | None:
    """Tell whether ids look like parts of documents: a prefix, one of `_ : / - .`, and a number.

    They do if nine in ten ids have this form, there are at least three prefixes and on average 2 to 150 instances per
    prefix, and four in five instances share theirs. One prefix for all (`tweets/17`), numbers alone, hashes and words
    do not; nor do a few prefixes of which no two differ in their numbers alone: `QALD2_te-12` and `INEX_LD-7` come
    from test sets, and are no parts of documents.

    Parameters
    ----------
    ids : sequence of str
        Ids of the instances of one dataset, each once.

    Returns
    -------
    Nesting or None

    Examples
    --------
    >>> nested_ids([f"nyt/{document}_{sentence}" for document in range(1, 21) for sentence in range(1, 11)])
    Nesting(n_instances=200, n_documents=20, examples=('nyt/1', 'nyt/2', 'nyt/3'))
    >>> nested_ids([f"tweets/{number}" for number in range(200)]) is None
    True
    """
    step = max(1, len(ids) // _SAMPLE)  # evenly spread over sorted ids, a sample meets all documents of some size
    if len(ids) < 2 * _FEWEST_DOCUMENTS or len(_documents(ids[::step])) < _FEWEST_DOCUMENTS:
        return None
    sizes = _documents(ids)
    n_nested, n_documents = sizes.total(), len(sizes)
    shared = sum(size for size in sizes.values() if size > 1)
    if n_documents < _FEWEST_DOCUMENTS or 2 * n_documents > n_nested or shared < _SHARING * n_nested:
        return None
    if n_nested > _LARGEST_DOCUMENT * n_documents:
        return None
    if n_documents < _MANY_DOCUMENTS and 2 * len({re.sub("[0-9]+", "#", name) for name in sizes}) > n_documents:
        return None
    return Nesting(len(ids), n_documents, tuple(sizes)[:3])


def _documents(ids: Sequence[str] | NDArray[np.object_]) -> Counter[str]:
    """Count the instances of each document, if most ids have the form of one; else none."""
    found = [match for one in ids if (match := _PART.fullmatch(one))]
    if len(found) < _MOST * len(ids) or len({match["word"] for match in found}) > 1:
        return Counter()
    return Counter(match["document"] for match in found)
