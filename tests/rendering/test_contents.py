"""All prose of a report."""

from __future__ import annotations

from reportkit.rendering.contents import all_prose, cited_keys, references_of, words_of
from reportkit.rendering.text.escaping import unsettable
from reportkit.report.model import Report
from reportkit.report.prose import Reference
from tests.rendering.conftest import words


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
