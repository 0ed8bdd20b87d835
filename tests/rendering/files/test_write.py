"""Reports as files: complete, the same every time, and never half of one over half of another."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from reportkit.rendering.files.figure_files import latex_figure
from reportkit.rendering.files.write import rendered, write_report
from reportkit.rendering.latex.latex import latex_table

from reportkit.errors import RenderingError, UnknownNameError
from reportkit.report.model import Itemize, Paragraph, Report, Section
from reportkit.report.prose import Cite, prose
from tests.rendering.conftest import HOSTILE, SIGNATURE, Compile, grid, hostile_report, line_figure, words

FILES = [
    "report.html",
    "report.tex",
    "more/report.md",
    "report.json",
    "references.bib",
    "paragraph.tex",
    "paragraph.md",
    *(
        f"{folder}tables/{name}.{ending}"
        for name in ("results", "p-values", "replicability")
        for folder, ending in (("", "tex"), ("more/", "md"), ("more/", "csv"), ("more/", "json"))
    ),
    "figures/forest.tex",
    "more/figures/forest.md",
    "figures/forest.pdf",
    "figures/forest.png",
]


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def _small(**changes: object) -> Report:
    sections = (Section(title="s", blocks=(grid(), Paragraph(content=words("p"), name="paragraph"))),)
    report = Report(title="t", sections=sections, signature=SIGNATURE, data={"x": 1})
    return dataclasses.replace(report, **changes)  # type: ignore[arg-type]


def test_all_files_are_there(small_report: Report, tmp_path: Path) -> None:
    """The files are returned in order, and nothing else is left in the folder or beside it."""
    folder = tmp_path / "deep" / "report"
    assert write_report(small_report, folder) == tuple(folder / name for name in FILES)
    assert sorted(_contents(folder)) == sorted(FILES)
    assert sorted(path.name for path in folder.parent.iterdir()) == ["report"]


def test_the_signature_is_in_every_text(small_report: Report) -> None:
    """Of what was computed from what, in every file that can say it."""
    for name, content in rendered(small_report).items():
        if not name.endswith((".csv", ".pdf", ".png")):
            assert SIGNATURE.line in content.decode("utf-8"), name


def test_json_holds_the_data_and_the_files(small_report: Report) -> None:
    """Two spaces, UTF-8, a line break at the end, the order of the data kept; the report itself fills its lines."""
    content = rendered(small_report)["report.json"].decode("utf-8")
    read = json.loads(content)
    assert read["files"] == FILES
    assert read["value"] == 0.1
    assert read["signature"] == SIGNATURE.line
    assert list(read) == ["signature", "schema_version", "names", "value", "document", "files", "checksums"]
    start, end = content.index('  "document": {'), content.index('\n  },\n  "files": [') + len("\n  },\n")
    del read["document"]
    assert content[:start] + content[end:] == json.dumps(read, indent=2, ensure_ascii=False) + "\n"
    assert max(map(len, content[start:end].splitlines())) <= 200


def test_only_cited_works_are_listed(small_report: Report) -> None:
    """And no file where nothing is cited."""
    entries = rendered(small_report)["references.bib"].decode("utf-8").count("\n@")
    assert entries == 2
    assert "references.bib" not in rendered(_small())


@pytest.mark.slow
def test_the_same_report_gives_the_same_bytes(tmp_path: Path) -> None:
    """In another process, with another hash seed, at another time, in another folder."""
    write_report(hostile_report(), tmp_path / "a")
    here = hashlib.sha256(repr(sorted(_contents(tmp_path / "a").items())).encode()).hexdigest()
    code = (
        "import hashlib, sys\n"
        "from reportkit.rendering.files.write import rendered\n"
        "from tests.rendering.conftest import hostile_report\n"
        "print(hashlib.sha256(repr(sorted(rendered(hostile_report()).items())).encode()).hexdigest())\n"
    )
    root = Path(__file__).resolve().parents[3]
    environment = os.environ | {"PYTHONHASHSEED": "12345", "PYTHONPATH": str(root), "TZ": "Asia/Tokyo"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment, cwd=tmp_path
    )
    assert done.stdout.strip() == here


def test_a_second_build_changes_nothing(small_report: Report, tmp_path: Path) -> None:
    """Building again over the same report is allowed and changes no byte."""
    write_report(small_report, tmp_path / "r")
    before = _contents(tmp_path / "r")
    write_report(small_report, tmp_path / "r")
    assert _contents(tmp_path / "r") == before


def test_files_of_an_older_report_go_and_others_stay(small_report: Report, tmp_path: Path) -> None:
    """What this report does not have is removed; notes of the user and the PDF that TeX made are not."""
    folder = tmp_path / "r"
    write_report(small_report, folder)
    (folder / "notes.txt").write_text("mine")
    (folder / "tables" / "mine.tex").write_text("mine")
    (folder / "report.pdf").write_bytes(b"made by TeX")
    write_report(_small(), folder)
    ours = ["paragraph.md", "paragraph.tex", "report.html", "report.json", "more/report.md", "report.tex"]
    ours += ["tables/results.tex", *(f"more/tables/results.{ending}" for ending in ("csv", "json", "md"))]
    assert sorted(_contents(folder)) == sorted([*ours, "notes.txt", "report.pdf", "tables/mine.tex"])
    assert not (folder / "figures").exists()


@pytest.mark.parametrize("name", ["report.tex", "report.json", "tables/results.tex", "paragraph.md"])
def test_a_file_that_reportkit_did_not_write_is_not_overwritten(tmp_path: Path, name: str) -> None:
    """A paper may be called report.tex, too."""
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text('{"mine": 1}')
    with pytest.raises(RenderingError, match="which reportkit did not write"):
        write_report(_small(), tmp_path)
    assert _contents(tmp_path) == {name: b'{"mine": 1}'}


@pytest.mark.parametrize("content", ["", "[]", '{"files": 3}', '{"files": ["report.json", 4, null]}', "\udcff"])
def test_a_broken_manifest_is_no_licence(tmp_path: Path, content: str) -> None:
    """Only a list that names the manifest itself is believed, and only for names inside the folder."""
    (tmp_path / "report.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    if "null" in content:
        write_report(_small(), tmp_path)
    else:
        with pytest.raises(RenderingError):
            write_report(_small(), tmp_path)


def test_a_forged_manifest_removes_nothing_outside(tmp_path: Path) -> None:
    """Names that leave the folder, or that no report has, are not removed."""
    folder = tmp_path / "r"
    folder.mkdir()
    (tmp_path / "precious.tex").write_text("x")
    (folder / "data.parquet").write_text("x")
    (folder / "sub").mkdir()
    (folder / "sub" / "x.tex").write_text("x")
    names = ["report.json", "../precious.tex", "/etc/passwd", "data.parquet", "sub/x.tex", "tables/../../precious.tex"]
    (folder / "report.json").write_text(json.dumps({"files": names}))
    write_report(_small(), folder)
    assert (tmp_path / "precious.tex").exists()
    assert (folder / "data.parquet").exists()
    assert (folder / "sub" / "x.tex").exists()


@pytest.mark.parametrize("fails_at", [1, 2, 5, 9])
def test_a_failure_while_files_are_moved_leaves_the_older_report(
    small_report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int
) -> None:
    """Every file is put back, new ones are taken away, and nothing is left beside."""
    folder = tmp_path / "r"
    write_report(_small(), folder)
    (folder / "notes.txt").write_text("mine")
    before = _contents(folder)
    real, calls = Path.replace, []

    def replace(self: Path, target: Path) -> Path:
        calls.append(target)
        if len(calls) == fails_at:
            raise OSError(28, "No space left on device", str(target))
        return real(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(RenderingError, match="No space left on device"):
        write_report(small_report, folder)
    assert _contents(folder) == before
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


def test_a_failed_first_build_leaves_no_folder(
    small_report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even an empty one."""

    def write_bytes(self: Path, content: bytes) -> int:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "write_bytes", write_bytes)
    with pytest.raises(RenderingError, match="Permission denied"):
        write_report(small_report, tmp_path / "a" / "b")
    assert list(tmp_path.iterdir()) == []


def test_a_failing_template_touches_nothing(small_report: Report, tmp_path: Path) -> None:
    """Everything is rendered before the first file is written."""
    templates = tmp_path / "mine"
    (templates / "markdown").mkdir(parents=True)
    (templates / "markdown" / "table.md.jinja").write_text("{{ table.nothing }}")
    with pytest.raises(RenderingError, match="nothing"):
        write_report(small_report, tmp_path / "r", templates=(templates,))
    assert not (tmp_path / "r").exists()


def test_a_failing_figure_touches_nothing(tmp_path: Path) -> None:
    """A mistake in a drawing does not cost the older report."""
    figure = dataclasses.replace(line_figure(), content=None)
    write_report(_small(), tmp_path / "r")
    before = _contents(tmp_path / "r")
    with pytest.raises(AttributeError, match="'NoneType'"):
        write_report(_small(sections=(Section(title="s", blocks=(figure,)),)), tmp_path / "r")
    assert _contents(tmp_path / "r") == before


def test_the_target_is_a_file(tmp_path: Path) -> None:
    """Said before anything is done, also where a folder above is a file."""
    (tmp_path / "r").write_text("x")
    with pytest.raises(RenderingError, match="is a file, not a folder"):
        write_report(_small(), tmp_path / "r")
    with pytest.raises(RenderingError, match="cannot be written"):
        write_report(_small(), tmp_path / "r" / "below")


def test_a_subfolder_is_a_file(tmp_path: Path) -> None:
    """A file called tables stands in the way."""
    (tmp_path / "tables").write_text("mine")
    with pytest.raises(RenderingError, match="cannot be written"):
        write_report(_small(), tmp_path)
    assert _contents(tmp_path) == {"tables": b"mine"}


@pytest.mark.parametrize("name", ["../x", "a b", "", "a_b", "a--b", "a.b", "-a", "é"])
def test_names_of_parts_are_file_names(name: str) -> None:
    """Letters, digits and hyphens: what is a file name, a label and a word in every system."""
    with pytest.raises(RenderingError, match="cannot name a table"):
        rendered(_small(sections=(Section(title="s", blocks=(grid(name),)),)))


def test_names_of_parts_are_different() -> None:
    """Also where a file system does not know capitals; and a paragraph is not called report."""
    for blocks in ((grid("a"), grid("A")), (Paragraph(content=words("x"), name="report"),)):
        with pytest.raises(RenderingError, match="is taken"):
            rendered(_small(sections=(Section(title="s", blocks=blocks),)))


def test_data_that_is_not_json_is_refused() -> None:
    """NaN is not a number, for a reader of JSON either."""
    for value in (float("nan"), float("inf"), {1, 2}):
        with pytest.raises(RenderingError, match="is not JSON"):
            rendered(_small(data={"x": value}))


def test_an_unknown_work_is_refused() -> None:
    """Every citation has its entry."""
    cited = Itemize(items=(prose("{c}", c=Cite(("nobody1900nothing",))),))
    with pytest.raises(UnknownNameError):
        rendered(_small(sections=(Section(title="s", blocks=(cited,)),)))


def test_half_a_surrogate_pair_is_written(tmp_path: Path) -> None:
    """A name that is no valid Unicode breaks neither the files nor JSON."""
    write_report(hostile_report(("\ud800", "b", "c")), tmp_path / "r")
    assert json.loads((tmp_path / "r" / "report.json").read_text("utf-8"))["names"][0] == "\ud800"


def test_hostile_names_in_every_file(tmp_path: Path) -> None:
    """All files are written and are UTF-8."""
    for path in write_report(hostile_report(HOSTILE), tmp_path / "r"):
        if path.suffix not in (".pdf", ".png"):
            path.read_text("utf-8")


def test_a_folder_with_a_link_in_it(tmp_path: Path) -> None:
    """A link that stands where a file of the report belongs is not written through."""
    (tmp_path / "elsewhere.tex").write_text("mine")
    folder = tmp_path / "r"
    write_report(_small(), folder)
    (folder / "report.tex").unlink()
    (folder / "report.tex").symlink_to(tmp_path / "elsewhere.tex")
    write_report(_small(), folder)
    assert (tmp_path / "elsewhere.tex").read_text() == "mine"
    assert not (folder / "report.tex").is_symlink()


def test_citations_of_a_venue_are_in_all_files(small_report: Report) -> None:
    """In the document, the paragraph, captions of tables and of figures: one command, none of the other."""
    for venue, command, other in (("neurips", rb"\citep{", rb"\cite{"), ("acl", rb"\cite{", rb"\citep{")):
        report = dataclasses.replace(small_report, appearance=small_report.appearance.replace(venue=venue))
        files = {name: content for name, content in rendered(report).items() if name.endswith(".tex")}
        citing = {name for name, content in files.items() if command in content}
        assert {"paragraph.tex"} <= citing
        assert not [name for name, content in files.items() if other in content and name != "report.tex"]
    with_cite = grid()
    with_cite = dataclasses.replace(with_cite, caption=prose("By {c}.", c=Cite(("holm1979simple",))))
    look = small_report.appearance.replace(venue="neurips")
    assert r"\citep{holm1979simple}" in latex_table(with_cite, appearance=look)
    figure = dataclasses.replace(line_figure(), caption=with_cite.caption, venue="neurips")
    assert r"\citep{holm1979simple}" in latex_figure(figure)


@pytest.mark.tex
def test_citations_stand_in_brackets_in_running_text(compile_tex: Compile) -> None:
    """In a document that loads natbib as NeurIPS's style does, TeX prints `[Holm, 1979]`, not `Holm [1979]`."""
    paragraph = Paragraph(content=prose("Holm's procedure {c}.", c=Cite(("holm1979simple",))), name="paragraph")
    report = _small(sections=(Section(title="s", blocks=(paragraph,)),))
    files = rendered(dataclasses.replace(report, appearance=report.appearance.replace(venue="neurips")))
    item = r"\begin{thebibliography}{1}\bibitem[Holm(1979)]{holm1979simple} Sture Holm. 1979.\end{thebibliography}"
    source = r"\documentclass{article}\usepackage[square]{natbib}\begin{document}\input{paragraph}" + item
    made = compile_tex(source + r"\end{document}", {"paragraph.tex": files["paragraph.tex"].decode()}, runs=2)
    assert "procedure [Holm, 1979]." in " ".join(made.text.split())


@pytest.mark.parametrize("fails_at", [1, 3, 10])
def test_a_full_disk_leaves_the_older_report(
    small_report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int
) -> None:
    """Whichever file does not fit any more, and nothing half written stays."""
    folder = tmp_path / "r"
    write_report(_small(), folder)
    before = _contents(folder)
    real, calls = Path.write_bytes, []

    def write_bytes(self: Path, content: bytes) -> int:
        calls.append(self)
        if len(calls) == fails_at:
            real(self, content[: len(content) // 2])
            raise OSError(28, "No space left on device", str(self))
        return real(self, content)

    monkeypatch.setattr(Path, "write_bytes", write_bytes)
    with pytest.raises(RenderingError, match="No space left on device"):
        write_report(small_report, folder)
    assert _contents(folder) == before
    assert [path.name for path in tmp_path.iterdir()] == ["r"]
