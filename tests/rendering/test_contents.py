"""All prose of a report, the works that it cites, and where its files come from."""

from __future__ import annotations

import pytest

from reportkit.errors import UnknownNameError
from reportkit.rendering.contents import all_prose, bibtex, cited_keys, in_words, origin, references_of, words_of
from reportkit.rendering.text.escaping import unsettable
from reportkit.report.model import Report
from reportkit.report.prose import Reference
from reportkit.report.references import REFERENCES
from tests.rendering.conftest import SIGNATURE, words


def test_everything_that_is_printed_is_seen(small_report: Report) -> None:
    """Titles, headers, cells, captions, paragraphs and items."""
    seen = words_of(all_prose(small_report))
    for piece in (
        "against",
        "p-values of",
        "SST_2",
        "sign flips",
        "TextBlob",
        "We compare",
        "Differences &",
        ": AFINN",
    ):
        assert piece in seen


def test_citations_and_references_once(small_report: Report) -> None:
    """Keys in order of citation, each once."""
    assert cited_keys(all_prose(small_report)) == ("holm1979simple", "dror2017replicability")
    assert references_of(all_prose(small_report)) == (Reference("table", "results"), Reference("figure", "forest"))


def test_pieces_stay_apart() -> None:
    """A combining mark at the start of a cell does not become an accent of the cell before."""
    pieces = words_of([words("e"), words("\u0301")])
    assert unsettable(pieces) == {"\u0301"}


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


def test_with_and_without_a_signature() -> None:
    """A table for a notebook has no data to name."""
    assert origin("table main", SIGNATURE) == (
        "reportkit 0.1.0 | table main | data results_v2%.csv sha256:3f9c3f9c3f9c | do not edit: reportkit overwrites it"
    )
    assert origin("table main", None) == "reportkit | table main"
