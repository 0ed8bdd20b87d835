"""Edits: shown, made, in the encoding of the file."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.checker.diagnostic import Edit
from reportkit.checker.edits import apply_edits, edited, edits_diff, mending
from reportkit.checker.engine import check
from reportkit.checker.paper.files import decoded
from reportkit.errors import RenderingError
from tests.checker.mistakes import NEWCOMER, OWN, TEXTBOOK


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_only_the_stretch_changes_in_any_encoding(encoding, end, tmp_path):
    """Bytes around it stay, also line ends and byte order marks; a second check finds nothing to mend."""
    path = tmp_path / "paper.tex"
    before = f"Café \u00a7 1: $p = .000$,{end}and \\emph{{so}} $p = .04$.{end}" * 3
    path.write_bytes(before.encode(encoding))
    report = check(path, select=["RK117"])
    assert len(report.edits) == 3
    assert apply_edits(report.edits, report.files) == (path,)
    assert path.read_bytes() == before.replace("= .000", "< .001").encode(encoding)
    again = check(path, select=["RK117"])
    assert again.edits == ()
    assert apply_edits(again.edits, again.files) == ()


def test_a_character_that_the_encoding_has_not_leaves_the_file_as_it_is(tmp_path):
    """Latin-1 does not become UTF-8 by the way."""
    path = tmp_path / "paper.tex"
    path.write_bytes("Café.".encode("latin-1"))
    report = check(path)
    edits = [Edit(path, 0, 1, "ł")]
    assert mending(edits, report.files).kept == {path: "LATIN-1 has no 'ł'; save it as UTF-8"}
    assert apply_edits(edits, report.files) == ()
    assert path.read_bytes() == "Café.".encode("latin-1")


PIECES = [b"$p = .000$", b"\xef\xbb\xbf", b"\xff\xfe", b"\0", b"\xe9", "é".encode(), b"\r\n", b"\n", b"\x0c", b" a. "]


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_no_byte_changes_but_those_of_the_edit(pieces):
    """Whatever the bytes are: nothing else is written, or nothing at all."""
    content = b"".join(pieces)
    text, encoding = decoded(content)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "paper.tex"
        path.write_bytes(content)
        report = check(path, select=["RK117"])
        changed, after = apply_edits(report.edits, report.files), path.read_bytes()
    if not changed:
        assert after == content
        return
    assert after.replace(b"$p < .001$", b"$p = .000$") == content
    assert text.count("\ufffd") == content.decode(encoding, "replace").count("\ufffd")


def test_files_outside_of_the_folder_of_the_paper_are_not_changed(tmp_path):
    """In the same repository they are checked; by a link or a path of any other place they are not even read."""
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    folder = tmp_path / "repository" / "paper"
    folder.mkdir()
    claim = "Here $p = .000$.\n"
    for name in ("paper/part.tex", "shared.tex", "../outside.tex"):
        (tmp_path / "repository" / name).write_text(claim)
    (folder / "link.tex").symlink_to("../shared.tex")
    (folder / "inside.tex").symlink_to("part.tex")
    path = folder / "paper.tex"
    path.write_text("\\input{part}\\input{../shared}\\input{link}\\input{../../outside}")
    report = check(path, select=["RK117", "RK001"])
    assert sorted(edit.path.name for edit in report.edits) == [
        "link.tex",
        "part.tex",
        "shared.tex",
    ]
    assert "outside of the folder of the paper and of its repository" in report.render()
    assert set(report.mending.kept.values()) == {"it lies outside of the folder of the paper"}
    changed = apply_edits(report.edits, report.files)
    assert [item.name for item in changed] == ["part.tex"]
    assert (folder / "part.tex").read_text() == "Here $p < .001$.\n"
    assert (tmp_path / "repository" / "shared.tex").read_text() == (tmp_path / "outside.tex").read_text() == claim
    path.write_text("\\input{inside}")
    (folder / "part.tex").write_text(claim)
    report = check(path, select=["RK117"])
    assert apply_edits(report.edits, report.files) == (folder / "inside.tex",)
    assert (folder / "inside.tex").is_symlink()


def test_all_files_of_a_paper_are_changed_or_none(tmp_path, monkeypatch):
    """If the second cannot be replaced, the first is as it was."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.tex").write_text("Here $p = .000$.\n")
    (tmp_path / "paper.tex").write_text("\\input{a}\\input{b}")
    report = check(tmp_path / "paper.tex", select=["RK117"])
    true = Path.replace

    def failing(self, target):
        if Path(target).name == "b.tex":
            raise PermissionError(1, "Operation not permitted")
        return true(self, target)

    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises(RenderingError, match=r"b\.tex' cannot be written: Operation not permitted"):
        apply_edits(report.edits, report.files)
    assert (tmp_path / "a.tex").read_text() == (tmp_path / "b.tex").read_text() == "Here $p = .000$.\n"
    assert len(list(tmp_path.iterdir())) == 3


def test_the_diff_is_what_happens(tmp_path):
    """Removed and added lines; nothing without edits."""
    path = tmp_path / "paper.tex"
    path.write_text("One.\nHere $p = .000$.")
    report = check(path, select=["RK117"])
    diff = edits_diff(report.edits, report.files)
    assert "-Here $p = .000$." in diff
    assert "+Here $p < .001$." in diff
    assert edits_diff([], report.files) == ""
    assert edited(path.read_text(), []) == path.read_text()


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path):
    """With an error, and unchanged."""
    path = tmp_path / "paper.tex"
    path.write_text("Here $p = .000$.")
    report = check(path, select=["RK117"])
    path.write_text("Other $p = .000$.")
    with pytest.raises(RenderingError, match="changed since"):
        apply_edits(report.edits, report.files)
    assert path.read_text() == "Other $p = .000$."


@pytest.mark.parametrize("mistake", [*TEXTBOOK.values(), *NEWCOMER.values(), *OWN.values()], ids=lambda item: item.code)
def test_what_is_mended_is_not_found_again(mistake, tmp_path):
    """A second `--fix` changes nothing, the findings that were mended are gone, no others come."""
    path = tmp_path / "paper.tex"
    path.write_text(mistake.wrong)
    report = check(path)
    if not report.edits:
        return
    mended = [item for item in report if item.edit]
    assert apply_edits(report.edits, report.files)
    again = check(path)
    assert again.edits == ()
    assert {(item.code, item.message) for item in again}.isdisjoint((item.code, item.message) for item in mended)
    assert len(again) == len(report) - len(mended)
