"""A rule: a code, a name, what it needs, and a function that yields findings and whose docstring is its page."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from reportkit.checker.diagnostic import Diagnostic, Edit
from reportkit.finding import Severity

if TYPE_CHECKING:
    from reportkit.checker.context import CheckContext
    from reportkit.checker.paper.document import Document
    from reportkit.checker.paper.source import Span

Need = Literal["paper", "data", "data or report"]
Check = Callable[["CheckContext"], Iterator[Diagnostic]]
_EXAMPLE = re.compile(
    r"^(?P<title>Found|Not found|Results)(?: \((?P<language>\w+)\))?::\n\n(?P<text>(?:    .*\n|\n)+)", re.MULTILINE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule; the docstring of its function is its manual page.

    Parameters
    ----------
    code : str
        RK and three digits; stable, never used again for something else.
    name : str
        In lower case with hyphens; says what is wrong, not what is right.
    severity : {"error", "warning", "info"}
        Of its findings; where the configuration or `also` says otherwise, the finding says so.
    needs : frozenset of {"paper", "data", "data or report"}
        Inputs without which it does not run. A rule that needs a paper runs once for each paper, any other once.
    check : callable
        Takes a `CheckContext`, yields `Diagnostic`s made by `at` and `about`.
    also : mapping of {"error", "warning", "info"} to str
        Other severities of its findings, and when they have them.
    last : bool
        Whether it runs after all others, when it is known which suppressions were used.
    manual : str
        Its manual page, where that is not the docstring of the function.

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
    last: bool = False
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
        edits : sequence of (Span, str)
            Places, and what should stand there instead, all together.
        safe : bool
            Whether they may be made without being looked at.
        """
        path, line, column, end_line, end_column = document.location(span)
        changes = [(place, text) for place, text in edits if document.source(place) != text]
        return Diagnostic(
            code=self.code,
            name=self.name,
            **self._severity(severity),
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

    def about(self, message: str, *, where: str = "", remedy: str = "", severity: Severity | None = None) -> Diagnostic:
        """Make a finding about data, or about everything."""
        return Diagnostic(
            code=self.code, name=self.name, **self._severity(severity), message=message, where=where, remedy=remedy
        )

    def _severity(self, severity: Severity | None) -> dict[str, Any]:
        """Severity of a finding, and why it is none of the list of rules."""
        if severity is None or severity == self.severity:
            return {"severity": self.severity}
        if severity not in self.also:
            raise LookupError(f"{self.code} does not say when its findings are of severity {severity!r}")
        return {"severity": severity, "listed": self.severity, "why": self.also[severity]}

    @property
    def severities(self) -> str:
        """Severity, and when a finding has another one: "error (warning: ...)"."""
        others = [f"{severity}: {when}" for severity, when in self.also.items()]
        return self.severity + (f" ({'; '.join(others)})" if others else "")

    @property
    def page(self) -> str:
        """The manual page."""
        return self.manual or inspect.cleandoc(self.check.__doc__ or "")

    @property
    def summary(self) -> str:
        """First line of the manual page."""
        return self.page.partition("\n")[0]

    @property
    def examples(self) -> list[tuple[str, str, str]]:
        """Examples of the page: title ("Found", "Not found", "Results"), language, text."""
        return [
            (match["title"], match["language"] or "latex", inspect.cleandoc(match["text"]))
            for match in _EXAMPLE.finditer(f"{self.page}\n")
        ]


def rule(
    code: str,
    name: str,
    severity: Severity,
    *,
    needs: Sequence[Need] = ("paper",),
    also: Mapping[Severity, str] | None = None,
    last: bool = False,
) -> Callable[[Check], Rule]:
    """Make a rule of a function; see `Rule`."""

    def made(check: Check) -> Rule:
        return Rule(
            code=code, name=name, severity=severity, needs=frozenset(needs), check=check, also=also or {}, last=last
        )

    return made
