"""Edits: shown, made, in the encoding of the file."""

from __future__ import annotations

import pytest

from reportkit.checker.edits import apply_edits, edited, edits_diff
from reportkit.checker.engine import check
from reportkit.errors import RenderingError


def edits_of(report):
    """Safe edits of a report."""
    return [item.fix for item in report if item.fix is not None and item.fix.safe]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_only_the_stretch_changes_in_any_encoding(encoding, tmp_path):
    """Bytes around it stay, also line ends; a second check finds nothing to mend."""
    path = tmp_path / "paper.tex"
    before = "Café \u00a7 1: $p = .000$,\r\nand \\emph{so} $p = .04$.\r\n" * 3
    path.write_bytes(before.encode(encoding))
    report = check(path, select=["RK107"])
    assert len(edits_of(report)) == 3
    assert apply_edits(edits_of(report), report.files) == (path,)
    assert path.read_bytes() == before.replace("= .000", "< .001").encode(encoding)
    assert edits_of(check(path, select=["RK107"])) == []


def test_the_diff_is_what_happens(tmp_path):
    """Removed and added lines; nothing without edits."""
    path = tmp_path / "paper.tex"
    path.write_text("One.\nHere $p = .000$.")
    report = check(path, select=["RK107"])
    diff = edits_diff(edits_of(report), report.files)
    assert "-Here $p = .000$." in diff
    assert "+Here $p < .001$." in diff
    assert edits_diff([], report.files) == ""
    assert edited(path.read_text(), []) == path.read_text()


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path):
    """With an error, and unchanged."""
    path = tmp_path / "paper.tex"
    path.write_text("Here $p = .000$.")
    report = check(path, select=["RK107"])
    path.write_text("Other $p = .000$.")
    with pytest.raises(RenderingError, match="changed while"):
        apply_edits(edits_of(report), report.files)
    assert path.read_text() == "Other $p = .000$."
