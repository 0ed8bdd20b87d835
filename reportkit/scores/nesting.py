"""Instance ids that name a document and a part of it: such instances are not independent of each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

_PART = r"^(?P<document>.*[^_:/\-.])[_:/\-.]+(?P<word>[A-Za-z]{0,9})[0-9]{1,9}$"
_MOST = 0.9
"""Share of the ids that have to have such a form."""

_SHARING = 0.8
"""Share of the instances whose document has another instance."""

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

    They do if nine in ten ids have this form, there are at least three prefixes and on average two or more instances
    per prefix, and four in five instances share theirs. One prefix for all (`tweets/17`), numbers alone, hashes and
    words do not.

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
    if len(ids) < 2 * _FEWEST_DOCUMENTS:
        return None
    try:
        texts = pa.array(ids, type=pa.string())
    except UnicodeEncodeError:  # lone surrogates: no ids of documents
        return None
    if len(texts) > _SAMPLE:  # evenly spread over sorted ids, it meets all documents of some size
        sample = _sizes(texts.take(pa.array(np.linspace(0, len(texts) - 1, _SAMPLE).astype(np.int64))))
        if sample is None or sample[1].size < _FEWEST_DOCUMENTS:
            return None
    found = _sizes(texts)
    if found is None:
        return None
    documents, sizes = found
    n_nested = int(sizes.sum())
    if sizes.size < _FEWEST_DOCUMENTS or 2 * sizes.size > n_nested or sizes[sizes > 1].sum() < _SHARING * n_nested:
        return None
    return Nesting(len(ids), int(sizes.size), tuple(documents.slice(0, 3).to_pylist()))


def _sizes(ids: pa.Array) -> tuple[pa.Array, NDArray[np.int64]] | None:
    """Documents and their numbers of instances, if most ids have the form of one."""
    parts = pc.extract_regex(ids, pattern=_PART)
    if len(ids) - parts.null_count < _MOST * len(ids):
        return None
    parts = parts.drop_null()
    if len(pc.unique(pc.struct_field(parts, "word"))) > 1:
        return None
    documents = pc.struct_field(parts, "document").dictionary_encode()
    return documents.dictionary, np.bincount(documents.indices.to_numpy())
