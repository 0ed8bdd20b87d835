"""Ids that name a document and its part are told from those that only look so."""

from __future__ import annotations

import hashlib

import pytest

from reportkit.scores.nesting import nested_ids

DOCUMENTS = range(1, 21)
PARTS = range(1, 13)


@pytest.mark.parametrize(
    "form",
    [
        "{0}_{1}",
        "amazon/{0}_{1}",
        "talk.{0}:{1}",
        "doc{0}-s{1}",
        "d{0}.{1}",
        "d{0}/sent_{1:03}",
        "{0}::{1}",
        "news-{0}-{1}",
    ],
)
def test_documents_and_their_parts(form: str) -> None:
    """A prefix for each document, a separator, and a number, with or without a word before it."""
    found = nested_ids([form.format(document, part) for document in DOCUMENTS for part in PARTS])
    assert found is not None
    assert (found.n_instances, found.n_documents) == (240, 20)


@pytest.mark.parametrize(
    "ids",
    [
        [str(number) for number in range(240)],
        [f"{number}.5" for number in range(240)],
        [f"tweets/{number}" for number in range(240)],
        [f"{split}-{number}" for split in ("train", "test") for number in range(120)],
        [f"instance_org__repo-{hashlib.sha1(bytes([number])).hexdigest()}" for number in range(240)],  # noqa: S324
        [f"{number}:car-automobile" for number in range(240)],
        [f"dm-test-{hashlib.sha1(bytes([number])).hexdigest()}" for number in range(240)],  # noqa: S324
        [f"q{number}" for number in range(240)],
        [f"{number}-0" for number in range(240)],
        [f"-{number}" for number in range(240)],
        ["1_1", "1_2", "2_1", "2_2"],
        ["a\udc80"] * 10,
        [],
    ],
)
def test_what_is_no_document(ids: list[str]) -> None:
    """Numbers, one prefix for all, two splits, hashes, words, and one part per document are no nesting."""
    assert nested_ids(ids) is None


def test_a_large_dataset_is_sampled_first() -> None:
    """The sample finds what the whole shows, and does not miss documents of some size."""
    ids = sorted(f"nyt/{document}_{part}" for document in range(500) for part in range(40))
    found = nested_ids(ids)
    assert found is not None
    assert found.n_documents == 500
    assert nested_ids(sorted(f"one/{number}" for number in range(20_000))) is None
