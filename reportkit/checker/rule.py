"""What a rule is: a code, a name, what it needs, when it applies, and a function that yields findings."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from reportkit.checker.diagnostic import Diagnostic, Edit
from reportkit.finding import Severity

if TYPE_CHECKING:
    from reportkit.checker.context import CheckContext
    from reportkit.checker.paper.document import Document
    from reportkit.checker.paper.source import Span

Need = Literal["paper", "results table", "data", "report", "data or report"]

Check = Callable[["CheckContext"], Iterator[Diagnostic]]


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
        Other severities of its findings, and when they have them.
    folds : bool
        Whether findings of one paper that differ in nothing but their places are reported as one.
    last : bool
        Whether it runs after all others, when it is known which suppressions were used.
    sources : str
        Items of checklists and papers that ask for what it looks at: "ARR R1; NeurIPS 7".
    manual : str
        Its manual page, where that is not the docstring of the module.

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
    folds: bool = False
    last: bool = False
    sources: str = ""
    manual: str = ""

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
        if self.manual:
            others.append("or as the analysis says")
        return self.severity + (f" ({'; '.join(others)})" if others else "")

    @property
    def page(self) -> str:
        """The manual page: mostly the docstring of the module that holds the rule."""
        return self.manual or inspect.cleandoc(sys.modules[self.check.__module__].__doc__ or "")

    @property
    def summary(self) -> str:
        """First line of the manual page."""
        return self.page.partition("\n")[0]

    @property
    def sections(self) -> dict[str, str]:
        """Sections of the manual page by their titles."""
        parts = re.split(r"^(.+)\n-{3,}\n", self.page, flags=re.MULTILINE)
        return {title: body.strip() for title, body in zip(parts[1::2], parts[2::2], strict=True)}
