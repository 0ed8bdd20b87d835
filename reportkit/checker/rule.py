"""A rule: a code, a name, what it needs, and a function that yields findings and whose docstring is its page."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from reportkit.checker.diagnostic import Diagnostic
from reportkit.finding import Severity

if TYPE_CHECKING:
    from reportkit.checker.context import CheckContext
    from reportkit.checker.paper.document import Document
    from reportkit.checker.paper.source import Span

Need = Literal["paper", "data"]
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
        Severity of its findings, where the finding or the configuration gives no other.
    needs : frozenset of {"paper", "data"}
        Inputs without which it does not run. A rule that needs a paper runs once for each paper, any other once.
    check : callable
        Takes a `CheckContext`, yields findings made by `at` and `about`.
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
    manual: str = ""

    def at(
        self,
        document: Document,
        span: Span,
        message: str,
        remedy: str = "",
        *,
        where: str = "",
        severity: Severity | None = None,
    ) -> Diagnostic:
        """Make a finding at a place of a paper.

        Parameters
        ----------
        document : Document
            The paper.
        span : Span
            The place.
        message, remedy, where : str
            See `Finding`; a place in a table is added to `where` by the names of table, row and column.
        severity : {"error", "warning", "info"}, optional
            If it is not that of the rule.
        """
        where = "; ".join(filter(None, (where, document.place_of(span))))
        place = document.location(span)
        return Diagnostic(self.code, severity or self.severity, message, where, remedy, *place)

    def compare(
        self, context: CheckContext, kind: str, span: Span, agrees: bool, message: str, remedy: str, **more: Any
    ) -> Iterator[Diagnostic]:
        """Note that a number was compared as a `kind`, a noun in the singular; yield a finding if it does not agree."""
        context.compared(kind, span, agrees)
        if not agrees:
            yield self.at(context.paper, span, message, remedy, **more)

    def claim(self, context: CheckContext, span: Span, message: str, remedy: str, **more: Any) -> Iterator[Diagnostic]:
        """Note that a claim in words was looked at; yield a finding if there is a message."""
        context.coverage.claim(context.number, span)
        if message:
            yield self.at(context.paper, span, message, remedy, **more)

    def about(self, message: str, *, where: str = "", remedy: str = "", severity: Severity | None = None) -> Diagnostic:
        """Make a finding about data, or about everything."""
        return Diagnostic(self.code, severity or self.severity, message, where, remedy)

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


def rule(code: str, name: str, severity: Severity, *, needs: Sequence[Need] = ("paper",)) -> Callable[[Check], Rule]:
    """Make a rule of a function; see `Rule`."""
    return lambda check: Rule(code=code, name=name, severity=severity, needs=frozenset(needs), check=check)
