"""To which paper a file belongs, and what is offered at each finding of the fixtures."""

from __future__ import annotations

import pytest

pytest.importorskip("lsprotocol", reason="lsprotocol is not installed")

from reportkit.checker.engine import ABOUT_REQUESTS
from reportkit.checker.lsp.actions import request
from reportkit.checker.lsp.positions import Positions
from reportkit.checker.lsp.session import Session, real
from tests.checker.test_engine import DOCUMENTS, run

MAIN = "\\documentclass{article}\n\\begin{document}\n\\input{sections/part}\n\\end{document}\n"


@pytest.mark.parametrize("part", ["$p = .000$.", "% !TeX root = ../second.tex\n$p = .000$."])
def test_a_part_belongs_to_the_paper_that_it_names_or_that_inputs_it(part, tmp_path):
    """The folder above is looked at, what is typed counts, and a part that nothing inputs is checked by itself."""
    (tmp_path / "sections").mkdir()
    for name, text in {"main": MAIN, "second": MAIN, "other": MAIN.replace("part", "else"), "sections/part": part,
                       "sections/else": "Nothing."}.items():  # fmt: skip
        (tmp_path / f"{name}.tex").write_text(text)
    path = real(tmp_path / "sections" / "part.tex")
    session = Session()
    wanted = "second.tex" if "root" in part else "main.tex"
    assert [session.check(path, {}).main.name for _ in range(2)] == [wanted, wanted]
    texts = {real(tmp_path / name): MAIN.replace("part", "else") for name in ("main.tex", "second.tex")}
    assert session.check(path, texts).main == path
    checked = session.check(path, {})
    assert checked.main.name == wanted
    assert [item.code for item in checked.findings[path]] == ["RK117"]


def test_a_subfile_belongs_to_what_its_class_names(tmp_path):
    """The class `subfiles` names the paper in its option."""
    (tmp_path / "main.tex").write_text(MAIN.replace("\\input{sections/part}", "\\subfile{part}"))
    part = "\\documentclass[main]{subfiles}\n\\begin{document}\n$p = .000$.\n\\end{document}\n"
    (tmp_path / "part.tex").write_text(part)
    assert Session().check(real(tmp_path / "part.tex"), {}).main.name == "main.tex"


def test_data_are_read_once_until_they_change(tmp_path):
    """Not at every key stroke."""
    rows = "".join(f"{system},d,{i},{i % 2}\n" for system in "ab" for i in range(20))
    data, paper = tmp_path / "results.csv", real(tmp_path / "paper.md")
    data.write_text("system,dataset,instance,score\n" + rows)
    (tmp_path / "reportkit.toml").write_text('[check]\ndata = "results.csv"\n')
    paper.write_text("Text.")
    session = Session()
    session.check(paper, {})
    first = session._evidence[1]
    session.check(paper, {paper: "Other text."})
    assert session._evidence[1] is first
    data.write_text("system,dataset,instance,score\n" + rows.replace("a,d,1,1", "a,d,1,0"))
    session.check(paper, {})
    assert session._evidence[1] is not first


def covers(item, other):
    """Whether a request for a finding leaves out another one, too."""
    return (other.path, other.code) == (item.path, item.code) and other.line <= item.line <= max(
        other.line, other.end_line
    )


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_comment_that_is_offered_leaves_out_its_finding_and_no_other(path, tmp_path):
    """In every document of the fixtures, LaTeX and Markdown, prose and tables."""
    before = list(run(path, tmp_path).unfolded)
    for item in before:
        if item.path is None or item.code in ABOUT_REQUESTS:
            continue
        file = item.path
        text = file.read_text("utf-8")
        positions = Positions(text)
        edit = request(item, run(path, tmp_path, written=True).files[file], positions)
        place = positions.offset(edit.range.start)
        file.write_text(text[:place] + edit.new_text + text[place:], "utf-8")
        after = [other.code for other in run(path, tmp_path, written=True).unfolded]
        file.write_text(text, "utf-8")
        assert sorted(after) == sorted(other.code for other in before if not covers(item, other)), edit.new_text
