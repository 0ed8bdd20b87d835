"""The works that a report cites."""

from __future__ import annotations

import pytest

from reportkit.errors import UnknownNameError
from reportkit.rendering.bibliography import bibtex, in_words
from reportkit.report.references import REFERENCES


def test_only_the_cited_works_in_order() -> None:
    """Entries are sorted by key, so that the order of sentences does not change the file."""
    written = bibtex(["student1908probable", "holm1979simple"])
    assert [line for line in written.splitlines() if line.startswith("@")] == [
        "@article{holm1979simple,",
        "@article{student1908probable,",
    ]


def test_comments_hold_no_entry() -> None:
    """An at sign in a comment would start an entry for BibTeX."""
    assert bibtex([], ["data@home|x"]).startswith("% data(at)home|x\n")


def test_an_unknown_key_is_an_error() -> None:
    """A misspelt key is answered with the nearest."""
    with pytest.raises(UnknownNameError, match="holm1979simple"):
        bibtex(["holm1979simpel"])


@pytest.mark.parametrize("key", list(REFERENCES))
def test_every_work_reads_well(key: str) -> None:
    """Authors, year, title and place, without a sign of BibTeX."""
    line = in_words(REFERENCES[key])
    assert not set(line) & set("{}\\@=")
    assert line.endswith(".")
    assert "n.d." not in line
    assert ".." not in line
    assert REFERENCES[key].short.split(",")[0].split()[0].split("-")[0] in line
