"""The conductor: read, run the rules, leave out what is suppressed, count what was covered."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportkit.checker.catalogue import RULES
from reportkit.checker.config import CheckConfig
from reportkit.checker.context import CheckContext
from reportkit.checker.coverage import Coverage
from reportkit.checker.diagnostic import Diagnostic, Edit
from reportkit.checker.edits import Mending, compatible, mending
from reportkit.checker.paper.document import Document, Suppression
from reportkit.checker.paper.source import SourceFile
from reportkit.checker.rule import Rule
from reportkit.errors import ReadingError, SettingsError
from reportkit.rendering.paper_place import regular_bytes
from reportkit.report.facts_json import with_outcomes

if TYPE_CHECKING:
    import pandas as pd

    from reportkit.checker.data import Data, Numbers

_QUOTED = re.compile(r"'[^']*'")
"""What differs between messages of one kind: the words that they quote."""
ABOUT_REQUESTS = frozenset({"RK002", "RK003"})
"""Rules about inline requests, which inline requests cannot silence."""


@dataclass(frozen=True, slots=True, eq=False)
class CheckReport:
    """What a check found.

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
    >>> report = check_text("Our system is significantly better.")
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

    def __iter__(self) -> Any:
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

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Edits that may be made without being looked at."""
        return compatible(item.fixes for item in self.unfolded if item.safe)

    @property
    def possible_edits(self) -> tuple[Edit, ...]:
        """These, and those that somebody has to look at."""
        return compatible(item.fixes for item in sorted(self.unfolded, key=lambda item: not item.safe))

    @property
    def unfolded(self) -> Iterator[Diagnostic]:
        """Every finding by itself, those first that are reported with it."""
        for item in self.diagnostics:
            yield replace(item, repeats=())
            yield from item.repeats

    @property
    def mending(self) -> Mending:
        """What `--fix` makes of the files, and which files it leaves alone, and why."""
        return mending(self.edits, self.files)

    def to_frame(self) -> pd.DataFrame:
        """One row per finding.

        Columns: code, name, severity, message, file, line, column, where, remedy.
        """
        import pandas as pd

        columns = ["code", "name", "severity", "message", "file", "line", "column", "where", "remedy"]
        rows = [
            (d.code, d.name, d.severity, d.text, "" if d.path is None else d.path.as_posix(), d.line, d.column,
             d.where, d.remedy)
            for d in self.diagnostics
        ]  # fmt: skip
        return pd.DataFrame(rows, columns=columns)

    def render(self, output_format: str = "full") -> str:
        """Write the findings: full, concise, json, sarif, github or markdown."""
        from reportkit.checker.outputs import OUTPUTS

        return OUTPUTS[output_format](self)

    def __repr__(self) -> str:
        return self.render("concise")


def check(
    papers: str | Path | Sequence[str | Path] | None = None,
    *,
    data: str | Path | pd.DataFrame | None = None,
    report: str | Path | None = None,
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
    report : str or Path, optional
        A folder that `reportkit build` wrote, or its `report.json`.
    config : CheckConfig, optional
        Everything else; by default that of `reportkit.toml` (or `pyproject.toml`) beside the first paper or the data.
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
        If data or report cannot be read; what cannot be read of a paper is a finding.
    """
    listed = [papers] if isinstance(papers, (str, Path)) else list(papers or ())
    paths = [Path(path) for path in listed]
    if config is None:
        config = beside(paths[0] if paths else data if isinstance(data, (str, Path)) else None)
    config = replace(_changed(config, select, ignore), columns={**config.columns, **(columns or {})})
    paths = paths or list(config.papers)
    source = data if data is not None else config.data
    report = report if report is not None else config.report
    if not paths and source is None and report is None:
        raise SettingsError(
            "there is nothing to check",
            remedy="name a paper (reportkit check paper.tex) or results (--data results.csv); or write papers = "
            '["paper.tex"] in [check] of reportkit.toml',
        )
    from reportkit.checker.paper.reading import read_paper

    documents = [read_paper(path) for path in paths]
    return check_documents(documents, data=source, report=report, config=config)


def check_text(
    text: str,
    *,
    language: str = "latex",
    name: str = "",
    data: str | Path | pd.DataFrame | None = None,
    report: str | Path | None = None,
    config: CheckConfig | None = None,
) -> CheckReport:
    """Check a paper that is given as text.

    Parameters
    ----------
    text : str
        The paper.
    language : {"latex", "markdown"}
        What it is written in.
    name : str
        What findings call it.
    data, report, config
        As of `check`; no configuration is looked for.

    Returns
    -------
    CheckReport
    """
    from reportkit.checker.paper.reading import document_of

    return check_documents([document_of(text, language=language, name=name)], data=data, report=report, config=config)


def check_documents(
    documents: Sequence[Document],
    *,
    data: str | Path | pd.DataFrame | None = None,
    report: str | Path | None = None,
    config: CheckConfig | None = None,
) -> CheckReport:
    """Check papers, and perhaps data, that are read already; see `check`."""
    config = config or CheckConfig()
    evidence = None if data is None else _data(data, config)
    content = None if report is None else _report_content(Path(report))
    rules = [rule for rule in RULES.values() if config.selection.runs(rule.code)]
    there = {"data": evidence is not None, "data or report": evidence is not None or content is not None}
    there["paper"] = bool(documents)
    ran = [rule for rule in rules if all(there[need] for need in rule.needs)]
    coverage = Coverage(documents, there["data or report"], [code for code in RULES if not config.selection.runs(code)])
    shared = CheckContext(
        config=config,
        coverage=coverage,
        evidence=evidence,
        report=content,
        numbers=_numbers(evidence, content),
        all_codes=tuple(RULES),
        ran=[rule.code for rule in ran],
    )
    contexts = [replace(shared, document=document, number=n) for n, document in enumerate(documents)]
    found = _findings([rule for rule in ran if not rule.last], contexts, shared)
    kept, used, n_suppressed = _without_suppressed(found, documents)
    for context in contexts:
        context.unused = [item for item in context.paper.suppressions if item not in used]
    later = _findings([rule for rule in ran if rule.last], contexts, shared)
    kept_later, _, n_later = _without_suppressed(later, documents)
    diagnostics = [
        _with_severity(item, config)
        for item in (*kept, *kept_later)
        if not config.selection.left_out(item.code, item.path)
    ]
    return CheckReport(
        diagnostics=tuple(folded(sorted(dict.fromkeys(diagnostics), key=lambda item: item.sort_key))),
        coverage=coverage,
        rules=tuple(rules),
        files={file.path: file for document in documents for file in document.files},
        n_suppressed=n_suppressed + n_later,
        strict=config.strict,
        unread=any(document.nothing_read for document in documents),
    )


def _numbers(evidence: Data | None, content: Mapping[str, Any] | None) -> Numbers | None:
    if evidence is not None or content is None:
        return evidence
    from reportkit.checker.data import Reported

    return Reported(content)


def beside(path: str | Path | None) -> CheckConfig:
    """The configuration that belongs to a file."""
    from reportkit.checker.config import check_config, found_config

    return check_config(found_config(None if path is None else Path(path)))


def _changed(config: CheckConfig, select: Sequence[str], ignore: Sequence[str]) -> CheckConfig:
    changes: dict[str, Any] = {}
    if select:
        changes["select"] = tuple(select)
    if ignore:
        changes["ignore"] = (*config.selection.ignore, *ignore)
    return replace(config, selection=replace(config.selection, **changes)) if changes else config


def _data(source: str | Path | pd.DataFrame, config: CheckConfig) -> Data:
    """Read the data of a check."""
    from reportkit.checker.data import Data
    from reportkit.scores.frames import frame_or_path  # which takes pandas along
    from reportkit.settings import Settings

    settings = config.settings or Settings()
    return Data(frame_or_path(source), settings, config.columns, config.systems, config.baselines)


def _report_content(path: Path) -> Mapping[str, Any]:
    file = path / "report.json" if path.is_dir() else path
    try:
        content = json.loads(regular_bytes(file).decode("utf-8"))
    except OSError as error:
        raise ReadingError(
            f"{str(file)!r} cannot be read: {error.strerror}", remedy="give a folder that reportkit build wrote"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ReadingError(f"{str(file)!r} is no JSON: {error}", remedy="build the report anew") from error
    if not isinstance(content, dict):
        raise ReadingError(f"{str(file)!r} is no report", remedy="give a folder that reportkit build wrote")
    return with_outcomes(content, file.parent)


def _findings(rules: Iterable[Rule], contexts: Sequence[CheckContext], shared: CheckContext) -> list[Diagnostic]:
    """Run rules: those that need a paper once for each, the others once."""
    return [
        found
        for rule in rules
        for context in (contexts if "paper" in rule.needs else (shared,))
        for found in rule.check(context)
    ]


def _without_suppressed(
    found: Sequence[Diagnostic], documents: Sequence[Document]
) -> tuple[list[Diagnostic], set[Suppression], int]:
    """Findings that no inline request leaves out, the requests that did, and how many were left out."""
    requests: dict[tuple[Path, int, str], list[Suppression]] = {}
    for document in documents:
        for item in dict.fromkeys(document.suppressions):
            line = 0 if item.scope == "file" else item.line
            for code in item.codes or ("",):
                requests.setdefault((document.files[item.span.file].path, line, code), []).append(item)
    kept: list[Diagnostic] = []
    used: set[tuple[Path, int, str]] = set()
    for diagnostic in found:
        asked = [key for key in _keys(diagnostic) if key in requests] if requests else []
        if asked and diagnostic.code not in ABOUT_REQUESTS:
            used.update(asked)
        else:
            kept.append(diagnostic)
    return kept, {item for key in used for item in requests[key]}, len(found) - len(kept)


def _keys(diagnostic: Diagnostic) -> Iterator[tuple[Path, int, str]]:
    """File, line (0 for the whole file) and code or prefix of the requests that leave a finding out."""
    if diagnostic.path is not None:
        for line in (0, *range(diagnostic.line, max(diagnostic.line, diagnostic.end_line) + 1)):
            for length in range(len(diagnostic.code) + 1):
                yield diagnostic.path, line, diagnostic.code[:length]


def folded(found: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """Report findings of a rule in a paper that say the same at several places as one with the others."""
    same: dict[tuple[object, ...], list[Diagnostic]] = {}
    for index, item in enumerate(found):
        kind = _QUOTED.sub("", item.message)
        same.setdefault((item.code, item.severity, kind) if item.path is not None else (index,), []).append(item)
    for first, *others in same.values():
        yield replace(first, repeats=tuple(others)) if others else first


def _with_severity(diagnostic: Diagnostic, config: CheckConfig) -> Diagnostic:
    severity = config.severity.get(diagnostic.code)
    if severity is None:
        return diagnostic
    listed = diagnostic.listed or diagnostic.severity
    if severity == listed:
        return replace(diagnostic, severity=severity, listed=None, why="")
    where = "the configuration" if config.path is None else config.path.name
    return replace(diagnostic, severity=severity, listed=listed, why=f"{where} sets it")
