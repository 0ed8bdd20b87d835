"""A report in a user's hands: shown, saved, set in another way, put into a paper."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from reportkit.analysis.presentation import Presented
from reportkit.appearance import RENDERED, Appearance
from reportkit.report.model import Report


@dataclass(frozen=True, eq=False, repr=False)
class BuiltReport(Presented):
    """A report, ready to be shown or saved.

    Parameters
    ----------
    model : Report
        Its content, without a format.
    """

    model: Report

    @property
    def _model(self) -> Report:
        return self.model

    @classmethod
    def read(cls, path: str | Path) -> BuiltReport:
        """Read back a report that was saved, from its `report.json` alone.

        Parameters
        ----------
        path : str or Path
            Its folder, or its `report.json`.

        Raises
        ------
        ReadingError
            If there is none, or it is not as reportkit writes it; the message says where.
        """
        from reportkit.rendering.stored import read_report

        return cls(read_report(Path(path)))

    def styled(self, **changes: Any) -> Self:
        """Copy that is rendered in another way, with the same content.

        Raises
        ------
        SettingsError
            If a field needs the analysis again: use `Analysis.styled` then.
        UnknownNameError
            If a field or its value is not known.
        """
        from reportkit.rendering.stored import restyled

        return type(self)(restyled(self.model, **changes))

    def report(self) -> BuiltReport:
        """Return the report itself."""
        return self

    def to_latex(self, name: str | None = None) -> str:
        """Return the whole report as one LaTeX document, or the table that is named."""
        from reportkit.rendering.documents import report_writer

        return report_writer("latex", self.model).document(self.model) if name is None else super().to_latex(name)

    def to_markdown(self, name: str | None = None) -> str:
        """Return the whole report as Markdown, or the table that is named."""
        from reportkit.rendering.documents import report_writer

        return report_writer("markdown", self.model).document(self.model) if name is None else super().to_markdown(name)

    def to_html(self, name: str | None = None) -> str:
        """Return the whole report as one page of HTML, or the table that is named."""
        from reportkit.rendering.page import Page

        return Page(self.model).page() if name is None else super().to_html(name)

    def to_json(self, name: str | None = None) -> str:
        """Return the content of `report.json`, or the table that is named."""
        if name is not None:
            return super().to_json(name)
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """Return the content of `report.json`."""
        from reportkit.report.facts_json import to_plain

        return dict(self.model.data if self.model.facts is None else to_plain(self.model.facts))

    def __repr__(self) -> str:
        return "\n".join((self.model.title, *self.model.summary))

    def _formats(self) -> dict[str, Callable[[], str]]:
        from reportkit.rendering.page import report_formats

        return report_formats(self.model)


class Styled(Presented):
    """What holds numbers and an appearance, and lays out its report when it is first looked at.

    Parameters
    ----------
    appearance : Appearance
        How tables, text and figures are set.
    """

    appearance: Appearance

    def _lay_out(self) -> Report:
        raise NotImplementedError

    @property
    def _look(self) -> Appearance:
        return self.appearance

    @cached_property
    def _model(self) -> Report:
        from reportkit.rendering.stored import restyled

        source, changes = self.__dict__.get("_laid_out_as", (None, {}))
        return self._lay_out() if source is None else restyled(source._model, **changes)

    def report(self) -> BuiltReport:  # noqa: D102 - as above
        return BuiltReport(self._model)

    def styled(self, **changes: Any) -> Self:
        """Copy that is set in another way, with the same numbers.

        Raises
        ------
        UnknownNameError, SettingsError
            If a field or its value is not known.

        Examples
        --------
        `a.styled(venue="acl", marks="daggers").to_latex()`
        """
        copy: Self = dataclasses.replace(self, appearance=self.appearance.replace(**changes))  # type: ignore[type-var]
        if "_facts" in self.__dict__:
            copy.__dict__["_facts"] = self.__dict__["_facts"]
        if set(changes) <= set(RENDERED):  # neither a word nor a number changes
            copy.__dict__["_laid_out_as"] = (self, changes)
        return copy
