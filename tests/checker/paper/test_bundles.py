"""Archives and folders of sources: what is taken out, what is not, and which file is the paper."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile

import pytest

from reportkit.checker.paper import bundles
from reportkit.checker.paper.bundles import main_file, unpack
from reportkit.checker.paper.reading import read_paper
from reportkit.errors import ReadingError

PAPER = "\\documentclass{article}\n\\begin{document}\n\\input{part}\n\\end{document}\n"
FILES = {"src/main.tex": PAPER, "src/part.tex": "We reach 81.2 on SST-2.\n", "src/figure.pdf": "%PDF-"}


def zipped(path, files):
    """Write an archive."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def tarred(path, files):
    """Write a gzipped tar, as arXiv does."""
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            content = text.encode()
            item = tarfile.TarInfo(name)
            item.size = len(content)
            archive.addfile(item, io.BytesIO(content))
    return path


@pytest.mark.parametrize(("write", "name"), [(zipped, "paper.zip"), (tarred, "2401.00001.tar.gz")])
def test_an_archive_is_read_with_its_inputs(tmp_path, write, name):
    """Paths are those of the archive, and nothing is left behind or changed by --fix."""
    document = read_paper(write(tmp_path / name, FILES))
    assert [file.path.as_posix() for file in document.files] == [
        f"{tmp_path.as_posix()}/{name}/src/main.tex", f"{tmp_path.as_posix()}/{name}/src/part.tex",
    ]  # fmt: skip
    assert [number.text for number in document.numbers] == ["81.2"]
    assert document.problems == ()
    assert all("archive" in file.kept for file in document.files)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_one_gzipped_file_is_a_paper(tmp_path):
    """What arXiv gives for a submission of one file."""
    path = tmp_path / "2401.00001.tar.gz"
    path.write_bytes(gzip.compress(PAPER.replace("\\input{part}", "One 7.").encode()))
    assert [number.text for number in read_paper(path).numbers] == ["7"]


@pytest.mark.parametrize("name", ["../out.tex", "/etc/out.tex", "a/../../out.tex", "..\\out.tex", "C:\\out.tex"])
@pytest.mark.parametrize("write", [zipped, tarred])
def test_no_name_leads_out(tmp_path, name, write):
    """The archive is refused, and nothing is written outside."""
    (tmp_path / "in").mkdir()
    archive = write(tmp_path / ("a.zip" if write is zipped else "a.tar.gz"), {name: "x"})
    with pytest.raises(ReadingError, match="leads out of it"):
        unpack(archive, tmp_path / "in")
    assert sorted(path.name for path in tmp_path.rglob("*.tex")) == []


def test_links_and_other_files_are_left_in(tmp_path):
    """Only regular files of text come out."""
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        link = tarfile.TarInfo("secret.tex")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        item = zipfile.ZipInfo("secret.tex")
        item.external_attr = 0o120777 << 16
        archive.writestr(item, "/etc/passwd")
        archive.writestr("run.sh", "true")
    for name in ("a.zip", "a.tar.gz"):
        folder = tmp_path / f"of {name}"
        folder.mkdir()
        unpack(tmp_path / name, folder)
        assert list(folder.iterdir()) == []


@pytest.mark.parametrize(("limit", "value"), [("MOST_BYTES", 1_000), ("MOST_FILES", 1)])
def test_there_is_a_limit(tmp_path, monkeypatch, limit, value):
    """Zeros that unpack to more than can be read are not unpacked to the end."""
    monkeypatch.setattr(bundles, limit, value)
    archive = zipped(tmp_path / "a.zip", {"a.tex": " " * 900, "b.tex": " " * 100_000})
    (tmp_path / "in").mkdir()
    with pytest.raises(ReadingError, match="has more than"):
        unpack(archive, tmp_path / "in")
    assert sum(path.stat().st_size for path in (tmp_path / "in").iterdir()) <= 1_000


def test_damage_is_an_error_that_says_so(tmp_path):
    """Half of an archive."""
    whole = zipped(tmp_path / "a.zip", FILES).read_bytes()
    (tmp_path / "a.zip").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ReadingError, match="cannot be read"):
        read_paper(tmp_path / "a.zip")


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["supplement.tex", "acl_latex.tex"], "acl_latex.tex"),
        (["old/main.tex", "draft.tex"], "draft.tex"),
        (["paper.tex", "long_version.tex"], "paper.tex"),
        (["template.tex"], "template.tex"),
    ],
)
def test_the_paper_is_found(tmp_path, names, expected):
    """Near the top, no supplement, and a template only where nothing else is."""
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(PAPER + "% more\n" * names.index(name))
    (tmp_path / "part.tex").write_text("\\section{No document}")
    (tmp_path / "talk.tex").write_text("\\documentclass{beamer}\\begin{document}\\end{document}")
    assert main_file(tmp_path).relative_to(tmp_path).as_posix() == expected


def test_a_folder_without_a_paper_is_refused(tmp_path):
    """With what is in it."""
    (tmp_path / "part.tex").write_text("\\section{Part}")
    with pytest.raises(ReadingError, match="it has part"):
        read_paper(tmp_path)
