"""The conductor: read, run the rules, leave out what is suppressed, count what was covered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from reportkit.checker.catalogue import RULES
from reportkit.checker.config import CheckConfig, config_beside
from reportkit.checker.context import CheckContext
from reportkit.checker.coverage import Coverage
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.document import Document
from reportkit.checker.paper.reading import read_paper
from reportkit.checker.paper.source import SourceFile
from reportkit.checker.rule import Rule
from reportkit.errors import SettingsError

if TYPE_CHECKING:
    import pandas as pd


_QUOTED = re.compile(r"'[^']*'")
"""Quoted words, by which messages of one kind differ."""


@dataclass(frozen=True, slots=True, eq=False)
class CheckReport:
    """The findings of a check.

    Parameters
    ----------
    diagnostics : tuple of Diagnostic
        In order of their places.
    coverage : Coverage
        What was looked at.
    rules : tuple of Rule
        Those that ran.
    files : mapping of Path to SourceFile
        Everything that was read of the papers.
    n_suppressed : int
        Findings that inline requests left out.
    strict : bool
        Whether warnings count as failures.
    unread : bool
        Whether nothing of a paper was read.

    Examples
    --------
    >>> from reportkit.checker.paper.reading import document_of
    >>> report = check_documents([document_of("Our system is significantly better.")])
    >>> [item.code for item in report], report.exit_code
    (['RK201'], 0)
    """

    diagnostics: tuple[Diagnostic, ...]
    coverage: Coverage
    rules: tuple[Rule, ...] = ()
    files: Mapping[Path, SourceFile] = field(default_factory=dict)
    n_suppressed: int = 0
    strict: bool = False
    unread: bool = False

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.diagnostics)

    def __len__(self) -> int:
        return len(self.diagnostics)

    @property
    def exit_code(self) -> int:
        """2 if a paper was not read; 1 if there is an error (or a warning, if the check is strict); else 0."""
        if self.unread:
            return 2
        failing = ("error", "warning") if self.strict else ("error",)
        return int(any(item.severity in failing for item in self.diagnostics))

    def to_frame(self) -> pd.DataFrame:
        """Return one row per finding: code, severity, message, file, line, column, where, remedy."""
        import pandas as pd

        columns = ["code", "severity", "message", "file", "line", "column", "where", "remedy"]
        rows = [
            (d.code, d.severity, d.text, d.path.as_posix() if d.path else "", d.line, d.column, d.where, d.remedy)
            for d in self
        ]
        return pd.DataFrame(rows, columns=columns)

    def render(self, output_format: str = "full") -> str:
        """Write the findings: full, concise, json, sarif or github."""
        from reportkit.checker.outputs import written

        return written(self, output_format)

    def __repr__(self) -> str:
        return self.render("concise")


def check(
    papers: str | Path | Sequence[str | Path] | None = None,
    *,
    data: str | Path | pd.DataFrame | None = None,
    config: CheckConfig | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
) -> CheckReport:
    """Check papers, results, or papers against results: what a referee would object to.

    Parameters
    ----------
    papers : str, Path or sequence of them, optional
        LaTeX or Markdown; what they input is read too.
    data : str, Path or DataFrame, optional
        Results by instance or by run, or one score for each system and dataset; the papers are compared with them.
    config : CheckConfig, optional
        Everything else; by default `reportkit.toml` or `pyproject.toml` in the folder of the first paper or the data.
    select, ignore : sequence of str
        Codes or prefixes, instead of those of the configuration.
    columns : mapping of str to str, optional
        Role to column name of the results, besides those of the configuration.

    Returns
    -------
    CheckReport

    Raises
    ------
    SettingsError
        If there is nothing to check, or a setting makes no sense.
    ReadingError
        If the data cannot be read; what cannot be read of a paper is a finding.
    """
    paths = [Path(path) for path in ([papers] if isinstance(papers, (str, Path)) else papers or ())]
    if config is None:
        config = config_beside(paths[0] if paths else data if isinstance(data, (str, Path)) else None)
    selection = config.selection
    selection = replace(selection, select=tuple(select) or selection.select, ignore=(*selection.ignore, *ignore))
    config = replace(config, selection=selection, columns={**config.columns, **(columns or {})})
    paths = paths or list(config.papers)
    source = data if data is not None else config.data
    if not paths and source is None:
        raise SettingsError(
            "there is nothing to check",
            remedy="name a paper (reportkit check paper.tex) or results (--data results.csv); or write papers = "
            '["paper.tex"] in [check] of reportkit.toml',
        )
    return check_documents([read_paper(path) for path in paths], data=source, config=config)


def check_documents(
    documents: Sequence[Document],
    *,
    data: str | Path | pd.DataFrame | None = None,
    config: CheckConfig | None = None,
) -> CheckReport:
    """Check papers, and perhaps data, that are read already; see `check`."""
    config = config or CheckConfig()
    numbers = None
    if data is not None:
        from reportkit.checker.data import numbers_of_data  # imports pandas

        numbers = numbers_of_data(data, config)
    rules = [rule for rule in RULES.values() if config.selection.runs(rule.code)]
    there = {"paper": bool(documents), "data": numbers is not None}
    off = [code for code in RULES if not config.selection.runs(code)]
    coverage = Coverage(documents, numbers is not None, off)
    shared = CheckContext(config=config, coverage=coverage, numbers=numbers)
    contexts = [replace(shared, document=document, number=n) for n, document in enumerate(documents)]
    found = [
        item
        for rule in rules
        if all(there[need] for need in rule.needs)
        for context in (contexts if "paper" in rule.needs else (shared,))
        for item in rule.check(context)
    ]
    kept = _without_suppressed(found, documents)
    return CheckReport(
        diagnostics=tuple(folded(sorted(dict.fromkeys(kept), key=lambda item: item.sort_key))),
        coverage=coverage,
        rules=tuple(rules),
        files={file.path: file for document in documents for file in document.files},
        n_suppressed=len(found) - len(kept),
        strict=config.strict,
        unread=any(document.nothing_read for document in documents),
    )


def _without_suppressed(found: Sequence[Diagnostic], documents: Sequence[Document]) -> list[Diagnostic]:
    """Return the findings that no inline request leaves out."""
    requests = {
        (document.files[item.span.file].path, item.line, code)
        for document in documents
        for item in document.suppressions
        for code in item.codes or ("",)
    }
    return [
        item
        for item in found
        if item.path is None
        or not any(
            (item.path, line, item.code[:length]) in requests
            for line in (0, *range(item.line, item.end_line + 1))
            for length in range(len(item.code) + 1)
        )
    ]


def folded(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Merge the findings of a rule that say the same at several places of a paper."""
    same: dict[tuple[object, ...], list[Diagnostic]] = {}
    for index, item in enumerate(found):
        kind = _QUOTED.sub("", item.message)
        same.setdefault((item.code, item.severity, kind) if item.path is not None else (index,), []).append(item)
    for first, *others in same.values():
        yield replace(first, repeats=tuple(others)) if others else first
