"""What an editor has open, to which paper it belongs, and what a check says of that paper."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from reportkit.checker.config import CheckConfig
from reportkit.checker.diagnostic import Diagnostic, Edit
from reportkit.checker.edits import compatible
from reportkit.checker.engine import beside, check_documents, evidence_of
from reportkit.checker.paper.bundles import begins_document
from reportkit.checker.paper.document import Document
from reportkit.checker.paper.reading import MARKDOWN, read_paper
from reportkit.checker.paper.source import SourceFile
from reportkit.checker.user_data import Evidence
from reportkit.errors import ReportkitError

_ROOT = re.compile(r"^%\s*!\s*TEX\s+root\s*=\s*(\S.*?)\s*$", re.IGNORECASE | re.MULTILINE)
_SUBFILE = re.compile(r"\[([^\]]+)\]\s*\{subfiles\}")
MOST_ABOVE = 3
"""Folders above a part in which its paper is looked for, where no repository says how far."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check says of a paper.

    Parameters
    ----------
    main : Path
        Its main file.
    files : mapping of Path to SourceFile
        What was read, by real paths.
    findings : mapping of Path to tuple of Diagnostic
        By real paths; of every file that was read.
    error : str
        Why nothing was checked; empty if it was.
    """

    main: Path
    files: Mapping[Path, SourceFile] = field(default_factory=dict)
    findings: Mapping[Path, tuple[Diagnostic, ...]] = field(default_factory=dict)
    error: str = ""

    def span(self, path: Path, item: Diagnostic) -> tuple[int, int]:
        """Where in a file a finding is; the beginning, of what is about the data alone."""
        if item.path is None or not item.line:
            return 0, 0
        starts = self.files[path].line_starts
        start = starts[item.line - 1] + item.column - 1
        return start, max(start, starts[item.end_line - 1] + item.end_column - 1)

    def edits(self, path: Path) -> list[Edit]:
        """The safe edits of a file, none of which overlaps another; none if the file is not to be changed."""
        file = self.files[path]
        found = (item.fixes for item in self.findings[path] if item.safe)
        return [] if file.kept else [edit for edit in compatible(found) if edit.path == file.path]


class Session:
    """Checks papers as an editor holds them.

    A part belongs to the paper that `% !TEX root = ...` or the class `subfiles` names, or else to the nearest one that
    inputs it: of the papers of the configuration, then in its folder and the folders above, up to the repository.
    """

    def __init__(self) -> None:
        self._mains: dict[Path, Path] = {}
        self._evidence: tuple[object, Evidence | None] = (None, None)

    def check(self, path: Path, texts: Mapping[Path, str]) -> Checked:
        """Check the paper that a file belongs to.

        Parameters
        ----------
        path : Path
            The real path of the file.
        texts : mapping of Path to str
            What the editor holds, by real paths.
        """
        main = path
        try:
            main, document = self._paper(path, texts)
            config = beside(main)
            found = check_documents([document], data=self._data(config), report=config.report, config=config)
        except ReportkitError as error:
            return Checked(main, error=str(error))
        files = {real(file.path): file for file in document.files}
        findings: dict[Path, list[Diagnostic]] = {name: [] for name in files}
        for item in found.unfolded:
            findings.setdefault(main if item.path is None else real(item.path), []).append(item)
        return Checked(main, files, {name: tuple(items) for name, items in findings.items()})

    def _paper(self, path: Path, texts: Mapping[Path, str]) -> tuple[Path, Document]:
        """The main file of a paper that a file belongs to, and that paper."""
        known = self._mains.pop(path, None)
        for main in dict.fromkeys(filter(None, (known, *self._candidates(path, texts)))):
            document = read_paper(main, texts)
            if any(real(file.path) == path for file in document.files):
                self._mains[path] = main
                return main, document
        return path, read_paper(path, texts)

    def _candidates(self, path: Path, texts: Mapping[Path, str]) -> Iterator[Path]:
        """Files that may be the main file of the paper."""
        text = _text(path, texts)
        begins = begins_document(text)
        named = _ROOT.search(text, 0, 2_000) or (begins and _SUBFILE.search(begins["options"]))
        if named:
            root = path.parent / named[1]
            yield real(root if root.suffix else root.with_suffix(".tex"))
        if begins or path.suffix.lower() in MARKDOWN:
            yield path
            return
        yield from map(real, beside(path).papers)
        for folder in _folders(path):
            for other in sorted(folder.glob("*.tex")):
                if begins_document(_text(real(other), texts)):
                    yield real(other)

    def _data(self, config: CheckConfig) -> Evidence | None:
        """The data of a configuration, read again only if they or the configuration changed."""
        if config.data is None:
            return None
        key = (config.path, *map(_stamp, filter(None, (config.path, config.data))))
        if self._evidence[0] != key:
            self._evidence = (key, evidence_of(config.data, config))
        return self._evidence[1]


def real(path: Path) -> Path:
    """The path with all links followed, by which files are told apart."""
    return Path(os.path.realpath(path))


def _text(path: Path, texts: Mapping[Path, str]) -> str:
    try:
        return texts[path] if path in texts else path.read_text("utf-8", "replace")
    except OSError:
        return ""


def _folders(path: Path) -> Iterator[Path]:
    """Folder of a file and those above, up to the repository."""
    above = [path.parent, *path.parent.parents]
    last = next((n for n, folder in enumerate(above) if (folder / ".git").exists()), MOST_ABOVE)
    yield from above[: last + 1]


def _stamp(path: Path) -> tuple[int, int]:
    """What changes when a file, or one in a folder, does."""
    files = [path, *path.rglob("*")] if path.is_dir() else [path]
    times = [file.stat().st_mtime_ns for file in files if file.exists()]
    return len(times), max(times, default=0)
