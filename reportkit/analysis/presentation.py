"""Tables and figures by name, formats, files and notebooks, which all results have in common."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import pandas as pd

from reportkit.appearance import Appearance
from reportkit.errors import DesignError, SettingsError, UnknownNameError
from reportkit.language import few_lines
from reportkit.report.model import SHOWN, Figure, Report, Shown, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as MatplotlibFigure

    from reportkit.figures.drawing.style import Span


class Presented(Shown):
    """Tables, figures and words of a report, alike for everything that a user holds.

    A table without a name is the first one of the report.
    """

    further_tables: ClassVar[tuple[str, ...]] = ()
    """Names of tables that are not in the report, and made on request."""

    further_figures: ClassVar[tuple[str, ...]] = ()

    @property
    def _model(self) -> Report:
        """Return the report, without a format; laid out once."""
        raise NotImplementedError

    def _table(self, name: str | None) -> Table | None:
        """Return the table of a name, or the first; None if there is no such table."""
        return next((table for table in self._model.tables if name in (None, table.name)), None)

    def report(self) -> BuiltReport:
        """Lay out the report; `.save("folder/")` writes it."""
        return BuiltReport(self._model)

    @property
    def tables(self) -> tuple[str, ...]:
        """Return the names of the tables of the report."""
        return tuple(table.name for table in self._model.tables)

    @property
    def figures(self) -> tuple[str, ...]:
        """Return the names of the figures of the report."""
        return tuple(figure.name for figure in self._model.figures)

    def table(self, name: str | None = None) -> Table:
        """Return one table, without a format.

        Parameters
        ----------
        name : str, optional
            One of `tables`; the first by default.

        Raises
        ------
        UnknownNameError
            If there is no such table; the message lists them.
        """
        if (table := self._table(name)) is None:
            raise UnknownNameError("table", name or "", dict.fromkeys((*self.tables, *self.further_tables)))
        return table

    def figure(
        self, name: str | None = None, *, width: float | Span | None = None, ax: Axes | None = None, **appearance: Any
    ) -> MatplotlibFigure:
        """Return one figure, as a matplotlib figure.

        Parameters
        ----------
        name : str, optional
            One of `figures`; or what several begin with, for the first of them: "p-values" for "p-values-1".
        width : float or {"column", "text"}, optional
            TeX points, or that of a column or of the text of the venue; by default what suits the figure.
        ax : matplotlib.axes.Axes, optional
            Where to draw, in a figure of your own and in its colours.
        **appearance
            Options that set this figure only.

        Raises
        ------
        UnknownNameError
            If there is no such figure, or no such field; the message lists what there is.
        DesignError
            If the data do not allow the figure.

        Examples
        --------
        `a.figure("forest", venue="neurips")`
        """
        shown = self.styled(**appearance) if appearance else self
        return shown._figure(name).draw(width, ax)

    def _figure(self, name: str | None) -> Figure:
        figures = self._model.figures
        if name is None and not figures:
            raise DesignError("there is no figure of this", remedy=f"see the tables: {', '.join(self.tables)}")
        exact = (figure for figure in figures if name in (None, figure.name))
        numbered = (figure for figure in figures if figure.name.startswith(f"{name}-"))
        if (found := next(exact, None) or next(numbered, None)) is None:
            raise UnknownNameError("figure", name or "", dict.fromkeys((*self.figures, *self.further_figures)))
        return found

    def to_frame(self, name: str | None = None) -> pd.DataFrame:
        """Return one table as it is printed, as a frame: numbers where a column holds nothing else, and text."""
        from reportkit.rendering.exports import cells_of

        header, rows = cells_of(self.table(name))
        frame = pd.DataFrame(rows, dtype=object)
        for column in frame.columns[1:]:
            numbers = pd.to_numeric(frame[column], errors="coerce")
            if numbers.notna().any() and (numbers.notna() | (frame[column] == "")).all():
                frame[column] = numbers
        return frame.set_axis(header, axis=1)

    def to_latex(self, name: str | None = None) -> str:
        """Return one table as LaTeX; it needs only booktabs."""
        return self._written("latex", name)

    def to_markdown(self, name: str | None = None) -> str:
        """Return one table as Markdown."""
        return self._written("markdown", name)

    def to_html(self, name: str | None = None) -> str:
        """Return one table as HTML."""
        return self._written("html", name)

    def _written(self, language: str, name: str | None) -> str:
        from reportkit.rendering.documents import Writer

        signature = self._model.signature if language in ("latex", "typst") else None
        return Writer(language, self._model.appearance, signature).table(self.table(name))

    def to_json(self, name: str | None = None) -> str:
        """Return one table as JSON: a record for each row, as `to_frame` has it."""
        frame = Presented.to_frame(self, name)
        return f"{frame.to_json(orient='records', force_ascii=False, indent=1)}\n"

    def styled(self, **changes: Any) -> Self:
        """Return a copy with another appearance and the same numbers.

        Raises
        ------
        UnknownNameError, SettingsError
            If a field or its value is not known.

        Examples
        --------
        `a.styled(venue="acl", marks="daggers").to_latex()`
        """
        raise NotImplementedError

    def save(
        self, path: str | Path, name: str | None = None, *, templates: Sequence[str | Path] = ()
    ) -> tuple[Path, ...]:
        """Write the report to a folder, or one table to a file.

        Parameters
        ----------
        path : str or Path
            A folder for the whole report, as `reportkit build` writes it: files of an older report in it are replaced,
            other files left alone. Or a file that ends in .tex, .md, .html, .json or .csv, for the result of
            `to_latex`, `to_markdown`, `to_html`, `to_json` or `to_frame()` (a named table as it is printed), or in .typ
            (Typst) for a table. End the name of a new folder with a dot in it in "/".
        name : str, optional
            Name of a table, for a file.
        templates : sequence of str or Path
            For a folder: where templates of your own are looked for first.

        Returns
        -------
        tuple of Path
            The files written. Everything is rendered before the first file is replaced: a failure leaves an older
            report as it was.

        Raises
        ------
        SettingsError
            If the ending is none of these.
        UnknownNameError
            If there is no such table.
        RenderingError
            If a template fails or the folder cannot be written.
        """
        target = Path(path)
        folder = target.is_dir() or not target.suffix or str(path).endswith(("/", os.sep))
        if folder and name is None:
            from reportkit.rendering.report_files import write_report

            return write_report(self._model, target, templates=[Path(item) for item in templates])
        writers: dict[str, Callable[[str | None], str]] = {
            ".tex": self.to_latex,
            ".md": self.to_markdown,
            ".html": self.to_html,
            ".json": self.to_json,
            ".csv": self._to_csv,
            ".typ": partial(self._written, "typst"),
        }
        if folder or target.suffix not in writers:
            raise SettingsError(
                f"a table cannot be written as {'a folder' if folder else repr(target.suffix)}",
                where=str(target),
                remedy=f"use one of {', '.join(writers)}; for the whole report, name no table, "
                'and a folder that ends in "/"',
            )
        if templates:
            raise SettingsError(
                "templates are for the files of a report, and one table is written",
                where=str(target),
                remedy="leave out templates, or name a folder",
            )
        written = writers[target.suffix](name).rstrip("\n") + "\n"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(written.encode("utf-8", "backslashreplace"))
        return (target,)

    def _to_csv(self, name: str | None) -> str:
        from reportkit.rendering.exports import csv_table

        if name is None:
            frame: Any = self.to_frame()
            frame = frame.to_pandas() if hasattr(frame, "to_pandas") else frame  # polars, pyarrow
            return str(frame.to_csv(index=False, lineterminator="\n"))
        return csv_table(self.table(name))

    def summary(self) -> str:
        """Return what was found, in words."""
        return "\n".join(self._model.summary)

    def __repr__(self) -> str:
        return few_lines(self.summary().splitlines(), "summary()")

    def _formats(self) -> dict[str, Callable[[], str]]:
        from reportkit.rendering.page import result_formats

        lines = self.summary().splitlines()
        return {**result_formats(lines, self.table(), self._model.appearance), "text/plain": self.__repr__}


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
        """Return a copy that is rendered in another way, with the same content.

        Raises
        ------
        SettingsError
            If a field needs the analysis again: use `Analysis.styled` then.
        UnknownNameError
            If a field or its value is not known.
        """
        from reportkit.rendering.stored import restyled

        return type(self)(restyled(self.model, **changes))

    def _written(self, language: str, name: str | None) -> str:
        """Return the whole report as one document, or the table that is named."""
        from reportkit.rendering.documents import report_writer
        from reportkit.rendering.page import Page

        if name is not None or language == "typst":
            return super()._written(language, name)
        if language == "html":
            return Page(self.model).page()
        return report_writer(language, self.model).document(self.model)

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
    """A result with numbers and an appearance, which lays out its report on first use.

    Parameters
    ----------
    appearance : Appearance
        How tables, text and figures are set.
    """

    appearance: Appearance

    def _lay_out(self) -> Report:
        raise NotImplementedError

    @cached_property
    def _model(self) -> Report:
        return self._lay_out()

    def styled(self, **changes: Any) -> Self:  # noqa: D102 - as above
        copy: Self = dataclasses.replace(self, appearance=self.appearance.replace(**changes))  # type: ignore[type-var]
        if "_facts" in self.__dict__:
            copy.__dict__["_facts"] = self.__dict__["_facts"]
        return copy


def _table_formats(table: Table) -> dict[str, Callable[[], str]]:
    from reportkit.rendering.page import table_formats

    return table_formats(table)


SHOWN["table"] = _table_formats
