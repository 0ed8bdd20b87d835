"""Accuracy and chunk F1 against readers that go token by token."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.errors import InputError, UnknownNameError
from reportkit.reproducibility_analysis.label_metrics import chunk_counts, label_metric

NAMES = np.array(["B-NP", "B-VP", "I-NP", "I-VP", "O"])


def _chunks(labels):
    """Read chunks (first token, last token, type) of one sentence, one token after the other."""
    chunks, begun = [], None
    for place, label in enumerate([*labels, "O"]):
        kind = label[2:]
        if begun is not None and (label == "O" or label[0] == "B" or kind != begun[1]):
            chunks.append((begun[0], place - 1, begun[1]))
            begun = None
        if label != "O" and begun is None:
            begun = (place, kind)
    return set(chunks)


@given(
    sentences=st.lists(
        st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=9), min_size=1, max_size=6
    )
)
@settings(max_examples=200, deadline=None)
def test_chunks_are_those_that_a_reader_finds(sentences):
    """Counts of hits, false alarms and misses are those of the sets of chunks, in every sentence."""
    gold, predicted = (np.array([pair[k] for sentence in sentences for pair in sentence]) for k in (0, 1))
    owner = np.repeat(np.arange(len(sentences)), [len(sentence) for sentence in sentences])
    counts = chunk_counts(gold, predicted, owner, len(sentences), NAMES)
    for i, sentence in enumerate(sentences):
        wanted, found = (_chunks([NAMES[pair[k]] for pair in sentence]) for k in (0, 1))
        assert counts[i].tolist() == [len(wanted & found), len(found - wanted), len(wanted - found)]


def test_chunks_without_types_are_read():
    """B, I and O alone are labels, as in tasks that find boundaries only."""
    counts = chunk_counts(
        np.array([0, 1, 2, 0]), np.array([0, 2, 2, 0]), np.zeros(4, int), 1, np.array(["B", "I", "O"])
    )
    assert counts.tolist() == [[1, 1, 1]]


def test_labels_of_another_scheme_are_refused():
    """IOBES is not read as if S and E were something else."""
    with pytest.raises(InputError, match="2 labels are not in the scheme of B-X, I-X and O: 'E-NP' and 'S-NP'"):
        chunk_counts(np.array([0]), np.array([1]), np.array([0]), 1, np.array(["B-NP", "E-NP", "S-NP"]))


def test_accuracy_counts_right_labels():
    """Right labels and labels of each instance."""
    counts = label_metric("accuracy", with_owner=False).counts(
        np.array([0, 1, 1]), np.array([0, 0, 1]), np.array([0, 0, 1]), 2, NAMES
    )
    assert counts.tolist() == [[1, 2], [1, 1]]


def test_an_unknown_metric_is_answered_with_the_nearest():
    """The names are said."""
    with pytest.raises(UnknownNameError, match="chunk-f"):
        label_metric("chunk-f", with_owner=True)
