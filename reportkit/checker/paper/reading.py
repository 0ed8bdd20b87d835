"""A file to a document, whatever it is written in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from reportkit.checker.paper.bundles import is_archive, main_file, unpack
from reportkit.checker.paper.document import Document
from reportkit.checker.paper.files import Reader
from reportkit.checker.paper.latex import read_latex
from reportkit.checker.paper.markdown import read_markdown
from reportkit.checker.paper.notebook import NotebookReader
from reportkit.checker.paper.source import Span

MARKDOWN = frozenset({".md", ".markdown", ".qmd", ".rmd", ".mdx"})


def read_paper(path: str | Path) -> Document:
    """Read a paper.

    Parameters
    ----------
    path : str or Path
        A LaTeX file, Markdown if it ends in .md, .markdown, .qmd or .Rmd, or a Jupyter notebook (.ipynb); or a folder
        or an archive (.zip, .tar.gz) of sources, as Overleaf and arXiv give them, whose main file is found.

    Returns
    -------
    Document
        What could not be read is in its `problems`; nothing is raised for content.

    Raises
    ------
    ReadingError
        If an archive is damaged or leads out of itself, or a folder holds no paper.

    Examples
    --------
    >>> read_paper("no such file.tex").problems[0].message
    "there is no file 'no such file.tex'"
    """
    path = Path(path)
    if path.is_dir():
        return read_paper(main_file(path))
    if is_archive(path) and path.is_file():
        return _of_archive(path)
    if path.suffix.lower() == ".ipynb":
        return read_markdown(path, NotebookReader())
    return read_markdown(path) if path.suffix.lower() in MARKDOWN else read_latex(path)


def _of_archive(archive: Path) -> Document:
    """The paper of an archive, with the paths that it has in it."""
    with TemporaryDirectory() as name:
        folder = Path(name).resolve()
        unpack(archive, folder)
        document = read_paper(main_file(folder))
        kept = "it is in an archive; unpack it to have it changed"
        files = tuple(
            replace(file, path=archive / file.path.resolve().relative_to(folder), kept=kept) for file in document.files
        )
        return replace(document, files=files)


def document_of(text: str, *, language: str = "latex", name: str = "") -> Document:
    r"""Read a paper that is given as text; for tests and notebooks.

    Examples
    --------
    >>> document_of(r"We \emph{win} by $2.3$ points.").sentences[0].text.text
    'We win by 2.3 points.'
    """
    reader = _Given(text)
    path = Path(name or ("paper.md" if language == "markdown" else "paper.tex"))
    return read_markdown(path, reader) if language == "markdown" else read_latex(path, reader)


class _Given(Reader):
    """Answers the first request with a text, and further ones from the disk."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text: str | None = text

    def read(self, path: Path, by: Span | None = None) -> int | None:
        """Read one file."""
        if self._text is None:
            return super().read(path, by)
        text, self._text = self._text, None
        return self.add(path, text)
