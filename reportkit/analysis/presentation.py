"""What all results have in common: tables and figures by name, formats, files, notebooks."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pandas as pd

from reportkit.appearance import Appearance, plain_label
from reportkit.errors import DesignError, SettingsError, UnknownNameError
from reportkit.language.short_repr import few_lines
from reportkit.report.model import SHOWN, Figure, Report, Shown, Signature, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as MatplotlibFigure

    from reportkit.analysis.report import BuiltReport
    from reportkit.figures.drawing.style import Span

_NUMBER_OF_FIGURE = re.compile(r"(?<!-metric)-\d+(?=-|$)")
_PRINTED = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?")


class Presented(Shown):
    """Tables, figures and words of a report, alike for everything that a user holds.

    A table without a name is the first one of the report.
    """

    @property
    def _model(self) -> Report:
        """The report, without a format; laid out once."""
        raise NotImplementedError

    @property
    def _look(self) -> Appearance:
        return self._model.appearance

    @property
    def _signature(self) -> Signature:
        return self._model.signature

    def _table(self, name: str | None) -> Table | None:
        """The table of a name, or the first; None if there is no such table."""
        return next((table for table in self._model.tables if name in (None, table.name)), None)

    def report(self) -> BuiltReport:
        """Lay out the report; `.save("folder/")` writes it."""
        raise NotImplementedError

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables of the report."""
        return tuple(table.name for table in self._model.tables)

    @property
    def figures(self) -> tuple[str, ...]:
        """Names of the figures of the report."""
        return tuple(figure.name for figure in self._model.figures)

    def table(self, name: str | None = None) -> Table:
        """One table, without a format.

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
            raise UnknownNameError("table", "" if name is None else name, self._known_tables)
        return table

    def figure(
        self,
        name: str | None = None,
        *,
        width: float | Span | None = None,
        ax: Axes | None = None,
        system_a: str | None = None,
        system_b: str | None = None,
        **appearance: Any,
    ) -> MatplotlibFigure:
        """One figure, as a matplotlib figure.

        Parameters
        ----------
        name : str, optional
            One of `figures`; or what several begin with, for the first of them: "p-values" for "p-values-1".
        width : float or {"column", "text"}, optional
            TeX points, or that of a column or of the text of the venue; by default what suits the figure.
        ax : matplotlib.axes.Axes, optional
            Where to draw, in a figure of your own and in its colours.
        system_a, system_b : str, optional
            Which of several: the one of these systems, by their names in the data.

        The options set this figure only.

        Raises
        ------
        UnknownNameError
            If there is no such figure, none of these systems, or no such field; the message lists what there is.
        DesignError
            If the data do not allow the figure.

        Examples
        --------
        `a.figure("forest", system_b="textblob", venue="neurips")`
        """
        shown = self.styled(**appearance) if appearance else self
        return shown._figure(name, system_a, system_b).draw(width, ax)

    def _figure(self, name: str | None, system_a: str | None, system_b: str | None) -> Figure:
        figures = self._model.figures
        if name is None and not figures:
            raise DesignError("there is no figure of this", remedy=f"see the tables: {', '.join(self.tables)}")
        named = [figure for figure in figures if name in (None, figure.name)] or [
            figure for figure in figures if _NUMBER_OF_FIGURE.sub("", figure.name, count=1) == name
        ]
        if not named:
            raise UnknownNameError("figure", "" if name is None else name, self._known_figures)
        if system_a or system_b:
            named = [single for figure in named for single in _singles(figure)]
        labels = {name: plain_label(label) for name, label in self._look.labels.items()}
        wanted = [labels.get(system, system) if system else system for system in (system_a, system_b)]
        for figure in named:
            if all(want in (None, has) for want, has in zip(wanted, _systems(figure), strict=True)):
                return figure
        raise UnknownNameError(
            "comparison with a figure:",
            " > ".join(item or "any system" for item in wanted),
            [" > ".join(map(str, _systems(figure))) for figure in named if all(_systems(figure))],
        )

    @property
    def _known_tables(self) -> tuple[str, ...]:
        return self.tables

    @property
    def _known_figures(self) -> tuple[str, ...]:
        return self.figures

    def to_frame(self, name: str | None = None) -> pd.DataFrame:
        """One table as it is printed, as a frame: numbers where a column holds nothing else, and text."""
        return _printed_frame(self.table(name))

    def to_latex(self, name: str | None = None) -> str:
        """One table as LaTeX; needs only booktabs."""
        from reportkit.rendering.documents import Writer

        return Writer("latex", self._look, self._signature).table(self.table(name))

    def to_markdown(self, name: str | None = None) -> str:
        """One table as Markdown."""
        from reportkit.rendering.documents import Writer

        return Writer("markdown", self._look).table(self.table(name))

    def to_html(self, name: str | None = None) -> str:
        """One table as HTML."""
        from reportkit.rendering.documents import Writer

        return Writer("html", self._look).table(self.table(name))

    def to_json(self, name: str | None = None) -> str:
        """One table as JSON: a record for each row, as `to_frame` has it."""
        return f"{_printed_frame(self.table(name)).to_json(orient='records', force_ascii=False, indent=1)}\n"

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
        raise NotImplementedError

    def save(
        self, path: str | Path, name: str | None = None, *, templates: Sequence[str | Path] = ()
    ) -> tuple[Path, ...]:
        """Write the report to a folder, or one table to a file.

        Parameters
        ----------
        path : str or Path
            A folder for the whole report, as `reportkit build` writes it; made if it is not there,
            where files of an older report are replaced and other files left alone. Or a file that ends in .tex, .md,
            .html, .json or .csv, for what `to_latex`, `to_markdown`, `to_html` and `to_json` return, or in .typ
            (Typst), .docx (Word) or .xlsx (Excel) for a table; .csv holds `to_frame()`, unrounded, or a table that is
            named as it is printed. End the name of a new folder with a dot in it in "/".
        name : str, optional
            Of a table, for a file.
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
        formats: dict[str, Callable[[str | None], str | bytes]] = {
            ".tex": self.to_latex,
            ".md": self.to_markdown,
            ".html": self.to_html,
            ".json": self.to_json,
            ".csv": self._to_csv,
            **self._further(),
        }
        if target.suffix not in formats or folder:
            raise SettingsError(
                f"a table cannot be written as {'a folder' if folder else repr(target.suffix)}",
                where=str(target),
                remedy=f"use one of {', '.join(formats)}"
                + ("" if folder else '; or for the whole report a folder: end its name in "/"'),
            )
        if templates:
            raise SettingsError(
                "templates are for the files of a report, and one table is written",
                where=str(target),
                remedy="leave templates away, or name a folder",
            )
        written = formats[target.suffix](name)
        if isinstance(written, str):
            written = (written.rstrip("\n") + "\n").encode("utf-8", "backslashreplace")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(written)
        return (target,)

    def _further(self) -> dict[str, Callable[[str | None], bytes]]:
        """How one table is written in the formats that are written on request, by the ending of the file."""
        from reportkit.rendering.documents import Writer
        from reportkit.rendering.report_files import encoded
        from reportkit.rendering.word import word_table
        from reportkit.rendering.workbook import workbook

        return {
            ".typ": lambda name: encoded(Writer("typst", self._look, self._signature).table(self.table(name))),
            ".docx": lambda name: word_table(self.table(name), self._signature),
            ".xlsx": lambda name: workbook([self.table(name)], self._signature),
        }

    def _to_csv(self, name: str | None) -> str:
        from reportkit.rendering.exports import csv_table

        if name is None:
            return self.to_frame().to_csv(index=False, lineterminator="\n")
        return csv_table(self.table(name))

    def summary(self) -> str:
        """Return what was found, in words."""
        return "\n".join(self._model.summary)

    def __repr__(self) -> str:
        return few_lines(self.summary().splitlines(), "summary()")

    def _formats(self) -> dict[str, Callable[[], str]]:
        from reportkit.rendering.page import result_formats

        lines = self.summary().splitlines()
        return {**result_formats(lines, self.table(), self._look), "text/plain": self.__repr__}


def _singles(figure: Figure) -> list[Figure]:
    """The figure, or where it has panels, a figure of each."""
    panels = getattr(figure.content, "panels", None)
    if panels is None:
        return [figure]
    return [
        dataclasses.replace(Figure.of("forest", panel, name=figure.name, caption=figure.caption), venue=figure.venue)
        for panel in panels
    ]


def _systems(figure: Figure) -> tuple[str | None, str | None]:
    """The pair that a figure is about, by the names that it prints."""
    return getattr(figure.content, "system_a", None), getattr(figure.content, "system_b", None)


def _printed_frame(table: Table) -> pd.DataFrame:
    from reportkit.rendering.exports import cells_of

    header, rows = cells_of(table)
    names, *columns = zip(*rows, strict=True)
    values = [
        [float(text) if text else None for text in column]
        if any(column) and all(map(_PRINTED.fullmatch, filter(None, column)))
        else column
        for column in columns
    ]
    return pd.DataFrame(dict(enumerate([names, *values]))).set_axis(header, axis=1)


def _table_formats(table: Table) -> dict[str, Callable[[], str]]:
    from reportkit.rendering.page import table_formats

    return table_formats(table)


SHOWN["table"] = _table_formats
