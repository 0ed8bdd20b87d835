r"""Folders and archives of sources, as arXiv and Overleaf give them: which file is the paper, and safe unpacking.

Archives come from strangers: only files of text are taken out, into a folder that is gone afterwards, up to a size and
a number, and none whose name leads out of it.
"""

from __future__ import annotations

import gzip
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, cast

from reportkit.errors import ReadingError

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")
TEXTS = frozenset({
    ".tex", ".ltx", ".latex", ".bib", ".bbl", ".sty", ".cls", ".def", ".clo", ".tikz", ".pgf", ".txt", ".md",
    ".markdown", ".qmd", ".rmd", ".csv", ".tsv", ".toml",
})  # fmt: skip
MOST_FILES = 2_000
MOST_BYTES = 60_000_000
"""Of all texts of an archive, unpacked."""
_BEGINS = re.compile(r"^[^%\n]*\\document(?:class|style)\b(?P<options>[^\n]*)", re.MULTILINE)
_DOCUMENT = re.compile(r"^[^%\n]*\\begin\s*\{document\}", re.MULTILINE)
_INPUT = re.compile(r"^[^%\n]*\\(?:input|include|subfile|import)\b", re.MULTILINE)
_NO_PAPER = re.compile(
    r"(?:^|[-_ ])(?:supp\w*|appendix|poster|slides?|talk|presentation|rebuttal|response|reply|letter|cover|template|"
    r"sample|example|instructions?|old|backup|bak|diff|notes?|lualatex|standalone)(?:$|[-_ .\d])",
    re.IGNORECASE,
)
_PAPER = re.compile(r"0*_?(?:main|ms|paper|article|manuscript|root)", re.IGNORECASE)
_OTHER_CLASS = re.compile(r"\{(?:beamer|standalone|letter|moderncv|tikzposter|beamerposter)\}")


def is_archive(path: Path) -> bool:
    """Whether a name is that of an archive of sources.

    Examples
    --------
    >>> is_archive(Path("paper.zip")), is_archive(Path("2401.00001.tar.gz")), is_archive(Path("paper.tex"))
    (True, True, False)
    """
    return path.name.lower().endswith(ARCHIVES)


def main_file(folder: Path) -> Path:
    r"""The paper of a folder of sources.

    Of the LaTeX files that begin a document, posters, slides, answers to reviewers and templates are left out where
    others remain; then comes the file nearest to the folder, and of several one named main, ms, paper or the like, or
    that with the most text, its inputs included.

    Parameters
    ----------
    folder : Path
        With everything that the paper inputs.

    Returns
    -------
    Path

    Raises
    ------
    ReadingError
        If no file begins a document.
    """
    texts = {path: path.read_text("utf-8", "replace") for path in sorted(folder.rglob("*.tex")) if path.is_file()}
    begins = {path: match for path, text in texts.items() if (match := begins_document(text))}
    if not begins:
        found = ", ".join(path.relative_to(folder).as_posix() for path in list(texts)[:5]) or "no .tex file"
        raise ReadingError(
            f"no file of {folder.name!r} begins a document (\\documentclass and \\begin{{document}}); it has {found}",
            remedy="name the file of the paper",
        )
    papers = [
        path for path, match in begins.items() if not _OTHER_CLASS.search(match[0]) and not _NO_PAPER.search(path.stem)
    ]
    several = papers or list(begins)

    def order(path: Path) -> tuple[int, bool, int, str]:
        depth = len(path.relative_to(folder).parts)
        return depth, _PAPER.fullmatch(path.stem) is None, -_weight(texts[path]), path.as_posix()

    return min(several, key=order)


def begins_document(text: str) -> re.Match[str] | None:
    r"""Where a LaTeX file says of which class it is, if it is one that can be compiled.

    Examples
    --------
    >>> begins_document(r"\section{Data}"), begins_document("\\documentclass{a}\n\\begin{document}")[0]
    (None, '\\documentclass{a}')
    """
    return _BEGINS.search(text) if _DOCUMENT.search(text) else None


def _weight(text: str) -> int:
    """Characters, an input counting as much as a section."""
    return len(text) + 5_000 * len(_INPUT.findall(text))


def unpack(archive: Path, folder: Path) -> None:
    """Write the texts of an archive into a folder.

    Parameters
    ----------
    archive : Path
        Zip, tar or tar.gz; an arXiv download of a single gzipped file counts too.
    folder : Path
        Empty, and there.

    Raises
    ------
    ReadingError
        If the archive is damaged, encrypted or too large, or a name leads out of it.
    """
    n_files, n_bytes = 0, 0
    try:
        for name, stream in _texts(archive):
            target = folder.joinpath(*_inside(archive, name).parts)
            n_files += 1
            content = stream.read(MOST_BYTES - n_bytes + 1)
            n_bytes += len(content)
            if n_files > MOST_FILES or n_bytes > MOST_BYTES:
                raise ReadingError(
                    f"{archive.name!r} has more than {MOST_FILES:,} files of text or {MOST_BYTES / 1e6:.0f} MB of them",
                    remedy="put the sources of one paper into it, without data",
                )
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    except (
        zipfile.BadZipFile,
        tarfile.TarError,
        OSError,
        EOFError,
        zlib.error,
        NotImplementedError,
        RuntimeError,
    ) as error:
        raise ReadingError(f"{archive.name!r} cannot be read: {error}", remedy="save the archive anew") from error


def _inside(archive: Path, name: str) -> PurePosixPath:
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
        raise ReadingError(
            f"{archive.name!r} holds {name!r}, which leads out of it; nothing was unpacked from there",
            remedy="use an archive whose names are those of files below its own folder",
        )
    return path


def _texts(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Names and contents of the regular files of text."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as opened:
            for item in sorted(opened.infolist(), key=lambda item: item.filename):
                link = item.external_attr >> 28 == 0xA
                if not item.is_dir() and not link and PurePosixPath(item.filename).suffix.lower() in TEXTS:
                    with opened.open(item) as stream:
                        yield item.filename, stream
    elif tarfile.is_tarfile(archive):
        with tarfile.open(archive) as opened_tar:
            for member in sorted(opened_tar.getmembers(), key=lambda member: member.name):
                if member.isreg() and PurePosixPath(member.name).suffix.lower() in TEXTS:
                    content = opened_tar.extractfile(member)
                    if content is not None:
                        yield member.name, content
    else:
        with gzip.open(archive) as stream:
            yield "main.tex", cast("IO[bytes]", stream)
