"""A file to a document, whatever it is written in."""

from __future__ import annotations

from pathlib import Path

from reportkit.checker.paper.document import Document
from reportkit.checker.paper.files import Reader
from reportkit.checker.paper.latex import read_latex
from reportkit.checker.paper.markdown import read_markdown
from reportkit.checker.paper.source import Span

MARKDOWN = frozenset({".md", ".markdown", ".qmd", ".rmd", ".mdx"})


def read_paper(path: str | Path) -> Document:
    """Read a paper.

    Parameters
    ----------
    path : str or Path
        A LaTeX file, or Markdown if it ends in .md, .markdown, .qmd or .Rmd.

    Returns
    -------
    Document
        What could not be read is in its `problems`; nothing is raised for content.

    Examples
    --------
    >>> read_paper("no such file.tex").problems[0].message
    "there is no file 'no such file.tex'"
    """
    path = Path(path)
    return read_markdown(path) if path.suffix.lower() in MARKDOWN else read_latex(path)


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
