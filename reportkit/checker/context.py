"""What a rule gets to see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportkit.checker.config import CheckConfig
from reportkit.checker.coverage import Coverage
from reportkit.checker.paper.document import Document, Suppression
from reportkit.checker.user_data import Evidence

if TYPE_CHECKING:
    from reportkit.checker.linked import LinkedTable
    from reportkit.checker.prose import Prose


@dataclass(eq=False)
class CheckContext:
    """One run of one rule: a paper, data, a report, whatever of them there is.

    A rule whose `needs` name something may take it for granted: `context.paper` of a rule that needs a paper is never
    None.

    Parameters
    ----------
    config : CheckConfig
        What the user decided.
    coverage : Coverage
        Takes what was checked and what could not be linked.
    document : Document or None
        The paper.
    number : int
        Which paper, from 0.
    evidence : Evidence or None
        The data.
    report_data : mapping or None
        Content of the `report.json` of a report.
    documents : sequence of Document
        All papers, for rules that run once whether there is a paper or not.
    unused : sequence of Suppression
        Only for rules that run last: inline requests of this paper that suppressed nothing.
    """

    config: CheckConfig = field(default_factory=CheckConfig)
    coverage: Coverage = field(default_factory=Coverage)
    document: Document | None = None
    number: int = 0
    evidence: Evidence | None = None
    report_data: Mapping[str, Any] | None = None
    documents: Sequence[Document] = ()
    unused: Sequence[Suppression] = ()

    @property
    def paper(self) -> Document:
        """The paper.

        Raises
        ------
        LookupError
            If there is none: the rule does not say that it needs one.
        """
        if self.document is None:
            raise LookupError("this rule did not say that it needs a paper")
        return self.document

    @property
    def data(self) -> Evidence:
        """The data.

        Raises
        ------
        LookupError
            If there are none: the rule does not say that it needs data.
        """
        if self.evidence is None:
            raise LookupError("this rule did not say that it needs data")
        return self.evidence

    @property
    def report(self) -> Mapping[str, Any]:
        """Content of `report.json`.

        Raises
        ------
        LookupError
            If there is none: the rule does not say that it needs a report.
        """
        if self.report_data is None:
            raise LookupError("this rule did not say that it needs a report")
        return self.report_data

    @cached_property
    def prose(self) -> Prose:
        """The sentences of the paper as rules about wording see them; needs a paper."""
        from reportkit.checker.prose import Prose

        return Prose(self.paper)

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        """How the results were, or are, tested and counted: the settings of the report, else those of the data."""
        from reportkit.report.machine.machine import settings_dict

        stored = (self.report_data or {}).get("settings")
        if isinstance(stored, Mapping):
            return stored
        return {} if self.evidence is None else settings_dict(self.evidence.settings)

    @cached_property
    def scored(self) -> Evidence:
        """What numbers are compared with: the data, else the report; needs one of them."""
        if self.evidence is not None:
            return self.evidence
        from reportkit.checker.reported import Reported

        return Reported(Path("report.json"), report=self.report)

    @cached_property
    def linked_tables(self) -> tuple[LinkedTable, ...]:
        """Tables of the paper with what their cells are in the data or the report; needs a paper and one of them."""
        from reportkit.checker.linking import linked_tables

        return linked_tables(self.paper, self.scored, self.config.labels)
