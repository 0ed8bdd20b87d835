"""The input of a rule, and its record of what it compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from reportkit.checker.config import CheckConfig
from reportkit.checker.coverage import Coverage
from reportkit.checker.paper.document import Document
from reportkit.checker.prose import Prose
from reportkit.checker.sizes import Sizes
from reportkit.checker.statements import Names

if TYPE_CHECKING:
    from reportkit.checker.data import Numbers
    from reportkit.checker.linking import LinkedTable
    from reportkit.checker.paper.source import MappedText, Span


@dataclass(eq=False)
class CheckContext:
    """The paper, data and report that a rule sees, as far as they are given.

    A rule whose `needs` name something may take it for granted: `context.paper` of a rule that needs a paper is never
    None.

    Parameters
    ----------
    config : CheckConfig
        What the user decided.
    coverage : Coverage
        Takes what was compared, and what could not be linked.
    document : Document or None
        The paper.
    number : int
        Which paper, from 0.
    numbers : Numbers or None
        What numbers are compared with: the data, else the report.
    """

    config: CheckConfig = field(default_factory=CheckConfig)
    coverage: Coverage = field(default_factory=Coverage)
    document: Document | None = None
    number: int = 0
    numbers: Numbers | None = None

    @property
    def paper(self) -> Document:
        """The paper; LookupError if the rule does not say that it needs one."""
        if self.document is None:
            raise LookupError("this rule does not declare that it needs a paper")
        return self.document

    @property
    def scored(self) -> Numbers:
        """Return the facts to compare numbers with; LookupError if there are none."""
        if self.numbers is None:
            raise LookupError("this rule does not declare that it needs data or a report")
        return self.numbers

    def compared(self, kind: str, span: Span, agrees: bool) -> None:
        """Note that a number of the paper was compared with its right value; `kind` is a noun in the singular."""
        self.coverage.compared(self.number, span, kind, agrees=agrees)

    def matches(self, *patterns: re.Pattern[str]) -> Iterator[tuple[MappedText, re.Match[str]]]:
        """Yield the matches of patterns in sentences with numbers, outside of bibliographies."""
        for sentence in self.paper.sentences:
            if sentence.numbers and sentence.place != "reference":
                for pattern in patterns:
                    for match in pattern.finditer(sentence.text.text):
                        yield sentence.text, match

    @cached_property
    def prose(self) -> Prose:
        """The sentences of the paper as rules about wording see them."""
        return Prose(self.paper)

    @cached_property
    def sizes(self) -> Sizes:
        """Numbers of instances that the paper prints."""
        return Sizes(self.paper)

    @cached_property
    def names(self) -> Names:
        """Mentions of the systems in the text, by their names in the data."""
        return Names(self.scored.system_names, self.config.labels)

    @cached_property
    def datasets(self) -> Names:
        """Mentions of the datasets in the text, by their names in the data."""
        return Names(self.scored.dataset_names, self.config.labels)

    @cached_property
    def linked_tables(self) -> tuple[LinkedTable, ...]:
        """Tables of the paper, their cells linked to the data; needs a paper, and data or a report."""
        from reportkit.checker.linking import linked_tables

        return linked_tables(self.paper, self.scored, self.config.labels)
