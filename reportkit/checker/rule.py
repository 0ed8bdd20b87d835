"""What a rule is: a code, a name, what it needs, when it applies, and a function that yields findings."""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from reportkit.checker.diagnostic import Diagnostic, Edit
from reportkit.checker.objections import OBJECTIONS
from reportkit.finding import Severity

if TYPE_CHECKING:
    from reportkit.checker.context import CheckContext
    from reportkit.checker.paper.document import Document
    from reportkit.checker.paper.source import Span

Need = Literal["paper", "results table", "data", "report", "data or report"]
SECTIONS = ("What it does", "Why", "Example", "Instead", "When it is wrong")
"""Sections of the docstring of a module with a rule, in this order."""

Check = Callable[["CheckContext"], Iterator[Diagnostic]]


PRIOR = (6, 8)
"""What a rule is taken to have done before any of its findings is known, right and in all: three in four, which is what
all rules did at first sight. With it, five right findings and no other are too few to be sure."""
RELIABLE = 0.85
"""Share of right findings to be expected of a rule that is on by default, if it judges words and habits."""
RELIABLE_IF_CONTRADICTION = 0.7
"""The same of a rule that reports numbers of a paper that contradict each other: it can be wrong only where the paper
was read wrongly, so that each mended cause is one less."""


class Record(NamedTuple):
    """How many findings of a rule in real papers were right, true but pedantic, and wrong.

    Parameters
    ----------
    measured : tuple of (int, int, int)
        In the papers it was developed on, as it is now.
    unseen : tuple of (int, int, int)
        In papers that nobody had looked at before, as judged before anything was mended, once for each paper and
        verdict: how it did on the next paper.
    kept : tuple of (int, int, int)
        Those of `unseen` in papers that are still at hand, so that kinds of findings that a rule gave up could be left
        out. Nothing else is: a mended cause stays counted.
    """

    measured: tuple[int, ...] = (0, 0, 0)
    unseen: tuple[int, ...] = (0, 0, 0)
    kept: tuple[int, ...] = (0, 0, 0)

    @property
    def expected(self) -> float:
        """Share of right findings to be expected in the next paper, drawn towards `PRIOR` where few are known.

        By what it found at first sight, or by what it finds now, if that is less.

        Examples
        --------
        >>> round(Record().expected, 2), round(Record(measured=(5, 0, 0), kept=(5, 0, 0)).expected, 3)
        (0.75, 0.846)
        >>> round(Record(measured=(40, 0, 0), kept=(31, 3, 1)).expected, 2)
        0.86
        """
        return min(_expected(self.measured), _expected(self.kept))

    @property
    def text(self) -> str:
        """The same in words."""
        said = [
            f"{counts[0]} of {sum(counts)} {where}"
            for counts, where in (
                (self.measured, "findings in the development papers are right"),
                (self.unseen, "were right in papers that nobody had looked at before"),
                (self.kept if self.kept != self.unseen else (0,), "of the kinds that it still reports"),
            )
            if sum(counts)
        ]
        return "; ".join(said) or "no finding in the development papers"


def _expected(counts: Sequence[int]) -> float:
    return (counts[0] + PRIOR[0]) / (sum(counts) + PRIOR[1])


@cache
def _records() -> dict[str, dict[str, list[int]]]:
    """Of every rule that found something, as `benchmarks/checker_precision.py` counts them."""
    return dict(json.loads(Path(__file__).with_name("measured.json").read_text("utf-8")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule; its module's docstring is its manual page.

    Parameters
    ----------
    code : str
        RK and three digits; stable, never used again for something else.
    name : str
        In lower case with hyphens; says what is wrong, not what is right.
    severity : {"error", "warning", "info"}
        Of its findings; where the configuration or `also` says otherwise, the finding says so.
    needs : frozenset of {"paper", "results table", "data", "report", "data or report"}
        What has to be there for it to run; empty: it always runs. A rule that needs a paper runs once for each paper,
        any other once; it finds the papers, if there are some, in `context.documents`. One that needs a results table
        does not look at papers in which no table prints scores.
    check : callable
        Takes a `CheckContext`, yields `Diagnostic`s made by `at` and `about`.
    also : mapping of {"error", "warning", "info"} to str
        Other severities of its findings, and when they have them. A rule that reports what the analysis says of data
        (`objections.OBJECTIONS`) has besides those that the analysis gives.
    default : bool
        Whether it is on unless it is ignored.
    contradiction : bool
        Whether it reports numbers of a paper that contradict each other, whatever the words beside them.
    folds : bool
        Whether findings of one paper that differ in nothing but their places are reported as one.
    last : bool
        Whether it runs after all others, when it is known which suppressions were used.
    sources : str
        Items of checklists and papers that ask for what it looks at: "ARR R1; NeurIPS 7".

    Examples
    --------
    >>> from reportkit.checker.catalogue import RULES
    >>> RULES["RK201"].name
    'significance-unqualified'
    """

    code: str
    name: str
    severity: Severity
    needs: frozenset[Need]
    check: Check
    also: Mapping[Severity, str] = field(default_factory=dict)
    default: bool = True
    contradiction: bool = False
    folds: bool = False
    last: bool = False
    sources: str = ""

    def at(
        self,
        document: Document,
        span: Span,
        message: str,
        *,
        remedy: str = "",
        where: str = "",
        severity: Severity | None = None,
        replacement: str | None = None,
        edits: Sequence[tuple[Span, str]] = (),
        safe: bool = True,
    ) -> Diagnostic:
        """Make a finding at a place of a paper.

        Parameters
        ----------
        document : Document
            The paper.
        span : Span
            The place.
        message, remedy, where : str
            See `Diagnostic`; a place in a table is added to `where` by the names of table, row and column.
        severity : {"error", "warning", "info"}, optional
            If it is not that of the rule; one of `also`.
        replacement : str, optional
            What should stand at the place instead.
        edits : sequence of (Span, str)
            Or places, and what should stand there instead, all together.
        safe : bool
            Whether they may be made without being looked at.
        """
        path, line, column, end_line, end_column = document.location(span)
        if replacement is not None:
            edits = [(span, replacement)]
        changes = [(place, text) for place, text in edits if document.source(place) != text]
        return Diagnostic(
            code=self.code,
            name=self.name,
            **self._severity(severity, ""),
            message=message,
            path=path,
            line=line,
            column=column,
            end_line=end_line,
            end_column=end_column,
            where="; ".join(filter(None, (where, document.place_of(span)))),
            remedy=remedy,
            fixes=tuple(
                Edit(document.files[place.file].path, place.start, place.end, text, safe) for place, text in changes
            ),
        )

    def about(
        self, message: str, *, where: str = "", remedy: str = "", severity: Severity | None = None, why: str = ""
    ) -> Diagnostic:
        """Make a finding about data, or about everything; `why` its severity is none that the rule lists."""
        return Diagnostic(
            code=self.code,
            name=self.name,
            **self._severity(severity, why),
            message=message,
            where=where,
            remedy=remedy,
        )

    def _severity(self, severity: Severity | None, why: str) -> dict[str, Any]:
        """Severity of a finding, and why it is none of the list of rules."""
        if severity is None or severity == self.severity:
            return {"severity": self.severity}
        reason = why or self.also.get(severity)
        if reason is None:
            raise LookupError(f"{self.code} does not say when its findings are of severity {severity!r}")
        return {"severity": severity, "listed": self.severity, "why": reason}

    @property
    def severities(self) -> str:
        """Severity, and when a finding has another one: "error (warning: ...)"."""
        others = [f"{severity}: {when}" for severity, when in self.also.items()]
        if self.code in OBJECTIONS.values():
            others.append("or as the analysis says")
        return self.severity + (f" ({'; '.join(others)})" if others else "")

    @property
    def record(self) -> Record:
        """How many of its findings in real papers were right."""
        return Record(**{name: tuple(counts) for name, counts in _records().get(self.code, {}).items()})

    @property
    def reliable(self) -> bool:
        """Whether it may be on by default.

        What needs data or a report beside the paper may, and so may what is about the check itself (RK0). Of the
        others, `Record.expected` decides.
        """
        if self.code.startswith("RK0") or not self.needs <= {"paper", "results table"}:
            return True
        return self.record.expected >= (RELIABLE_IF_CONTRADICTION if self.contradiction else RELIABLE)

    @property
    def why_off(self) -> str:
        """Why it runs only where it is selected; empty for a rule that is on by default."""
        if self.default:
            return ""
        few = "too few of its findings in real papers are known to be right"
        return f"Off unless selected (`--select {self.code}`)" + ("" if self.reliable else f": {few}") + "."

    @property
    def page(self) -> str:
        """The manual page: the docstring of the module that holds the rule."""
        module = sys.modules[self.check.__module__]
        return inspect.cleandoc(module.__doc__ or "")

    @property
    def summary(self) -> str:
        """First line of the manual page."""
        return self.page.partition("\n")[0]

    @property
    def sections(self) -> dict[str, str]:
        """Sections of the manual page by their titles."""
        parts = re.split(r"^(.+)\n-{3,}\n", self.page, flags=re.MULTILINE)
        return {title: body.strip() for title, body in zip(parts[1::2], parts[2::2], strict=True)}
