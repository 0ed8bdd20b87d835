"""A file to a document, whatever it is written in."""

from __future__ import annotations

from pathlib import Path

from reportkit.checker.paper.document import Document
from reportkit.checker.paper.expansion import read_latex
from reportkit.checker.paper.files import Reader
from reportkit.checker.paper.markdown import read_markdown

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
    path = Path(name or ("paper.md" if language == "markdown" else "paper.tex"))
    return (read_markdown if language == "markdown" else read_latex)(path, Reader(given=text))
