"""Marks are taken away and given as a table writes them, and nothing else is touched."""

from __future__ import annotations

import pytest

from reportkit.checker.marking import with_mark, without_mark
from reportkit.checker.paper.reading import document_of


def cells(document):
    """Cells with a number, by its text."""
    return {cell.number.text: cell for row in document.tables[0].grid for cell in row if cell.number is not None}


def changed(document, changes):
    """The source with the changes made."""
    text = document.files[0].text
    for span, new in sorted(changes, key=lambda change: -change[0].start):
        text = text[: span.start] + new + text[span.end :]
    return text


WRITTEN = {
    r"84.2$^\dagger$": "†",
    r"84.2$^{\dagger}$": "†",
    r"84.2\textsuperscript{*}": "*",
    r"$84.2^{**}$": "**",
    r"84.2\%$^{*}$": "*",
    "84.2*": "*",
    r"84.2$^{a}$": "a",
    r"84.2$\,^\ddagger$": "",
    r"84.2$^{\dagger\ddagger}$": "",
}


@pytest.mark.parametrize("written", WRITTEN)
def test_a_mark_is_taken_away_and_given_to_a_neighbour(written):
    """As it is written: in mathematics, as superscript, behind the percent sign; shared superscripts stay."""
    bare = written.partition("84.2")[0] + "83.9" + (r"\%" if "%" in written else "")
    bare += "$" if written.startswith("$") else ""
    source = r"\begin{tabular}{lc} S & F1 \\ \midrule A & " + written + r" \\ B & " + bare + r" \\ \end{tabular}"
    document = document_of(source)
    found, mark = cells(document), WRITTEN[written]
    if not mark:
        assert without_mark(document, found["84.2"], "†") == without_mark(document, found["84.2"], "‡") == []
        return
    plain = changed(document, without_mark(document, found["84.2"], mark))
    assert plain == source.replace(written, bare.replace("83.9", "84.2"))
    given = changed(document, with_mark(document, found["83.9"], mark, [found["84.2"]]))
    assert given == source.replace(bare + r" \\ \end", written.replace("84.2", "83.9") + r" \\ \end")


def test_a_cell_with_other_marks_or_set_otherwise_is_left_alone():
    """One in mathematics beside one that is not; one with a mark of its own; one of two numbers."""
    document = document_of(
        r"\begin{tabular}{lc} S & F1 \\ \midrule A & 84.2$^\dagger$ \\ B & $83.9$ \\ C & 82.1$^*$ \\ D & 81.0 / 80.0 \\"
        r"\end{tabular}"
    )
    found = cells(document)
    for number in ("83.9", "82.1", "81.0"):
        assert with_mark(document, found[number], "†", [found["84.2"]]) == []
