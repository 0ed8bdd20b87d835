"""Jupyter notebooks as Markdown: the text of their Markdown cells, each line where the file has it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from reportkit.checker.paper.document import Problem
from reportkit.checker.paper.files import Reader
from reportkit.checker.paper.source import SourceFile, Span

KEPT = "it is a notebook; change the cell in Jupyter"
_SOURCE = re.compile(r'\s*"source"\s*:\s*(?P<rest>.*)')


class NotebookReader(Reader):
    """Reads notebooks as the Markdown that they hold."""

    def read(self, path: Path, by: Span | None = None) -> int | None:
        """Read one file; what is no notebook is a problem, and has no text."""
        index = super().read(path, by)
        if index is None:
            return None
        file = self.files[index]
        text = markdown_of(file.text)
        if text is None:
            message = f"'{path.name}' is no Jupyter notebook: it is not JSON with a list of cells"
            self.problems.append(Problem(message, "save it anew in Jupyter", Span(index, 0, 0)))
        self.files[index] = SourceFile.of(file.path, text or "", file.encoding, KEPT)
        return index


def markdown_of(text: str) -> str | None:
    r"""The Markdown of a notebook; None if it is none.

    Jupyter writes each line of a cell into a line of its own; then every line of the result is the line of the file
    with the same number, and lines that hold no Markdown are empty. Otherwise the cells follow one another.

    Examples
    --------
    >>> markdown_of('{"cells": [{"cell_type": "markdown", "source": ["We win.\\n", "Often."]}]}')
    'We win.\nOften.\n'
    """
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return None
    cells = content.get("cells") if isinstance(content, dict) else None
    if not isinstance(cells, list):
        return None
    sources = [(cell.get("cell_type") == "markdown", _strings(cell.get("source"))) for cell in cells if _is_cell(cell)]
    placed = _in_place(text.split("\n"), sources)
    if placed is not None:
        return placed
    return "\n".join("".join(strings) + "\n" for is_markdown, strings in sources if is_markdown)


def _is_cell(cell: Any) -> bool:
    return isinstance(cell, dict)


def _strings(source: Any) -> list[str]:
    """Source of a cell, which is a text or a list of its lines."""
    if isinstance(source, str):
        return [source]
    return [item for item in source if isinstance(item, str)] if isinstance(source, list) else []


def _in_place(lines: Sequence[str], sources: Sequence[tuple[bool, list[str]]]) -> str | None:
    """The Markdown in the lines of the file that hold it; None if the file is not laid out so."""
    out = [""] * len(lines)
    starts = _source_lines(lines)
    for is_markdown, strings in sources:
        start = next(starts, None)
        if start is None:
            return None
        for number, string in enumerate(strings, start + 1):
            if number >= len(lines) or not _holds(lines[number], string) or "\n" in string[:-1]:
                return None
            if is_markdown:
                out[number] = string.rstrip("\n")
    return "\n".join(out)


def _source_lines(lines: Sequence[str]) -> Iterator[int]:
    """Lines in which the list of a cell's lines begins."""
    for number, line in enumerate(lines):
        match = _SOURCE.fullmatch(line)
        if match is not None and match["rest"].rstrip(", \r") in ("[", "[]"):
            yield number


def _holds(line: str, string: str) -> bool:
    """Whether a line of a file is a text and nothing else."""
    try:
        return bool(json.loads(line.strip().rstrip(",")) == string)
    except ValueError:
        return False
