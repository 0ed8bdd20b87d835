"""A report in a user's hands: shown, saved, set in another way, put into a paper."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from reportkit.appearance.appearance import Appearance, RenderingOptions
from reportkit.options import with_options
from reportkit.report.model import Report

if TYPE_CHECKING:
    from reportkit.rendering.paper.paper_update import PaperUpdate


@dataclass(frozen=True, eq=False)
class BuiltReport:
    """A report, ready to be shown or saved.

    Parameters
    ----------
    model : Report
        Its content, without a format.
    """

    model: Report

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
        from reportkit.rendering.files.manifest import read_manifest

        return cls(read_manifest(Path(path)).report)

    @with_options(RenderingOptions, Appearance)
    def styled(self, **changes: Unpack[RenderingOptions]) -> BuiltReport:
        """Copy that is rendered in another way, with the same content.

        Raises
        ------
        SettingsError
            If a field needs the analysis again: use `Analysis.styled` then.
        UnknownNameError
            If a field or its value is not known.
        """
        from reportkit.rendering.files.stored import restyled

        return BuiltReport(restyled(self.model, **changes))

    def save(self, folder: str | Path, *, templates: Sequence[str | Path] = ()) -> tuple[Path, ...]:
        """Write LaTeX, Markdown, JSON, CSV and figures to a folder.

        Everything is rendered before the first file is replaced: a failure leaves an older report as it was.

        Parameters
        ----------
        folder : str or Path
            Made if it is not there. Files of an older report are replaced, other files are left alone.
        templates : sequence of str or Path
            Folders with templates of your own, looked into first.

        Returns
        -------
        tuple of Path
            The files written.

        Raises
        ------
        RenderingError
            If a template fails or the folder cannot be written.
        """
        from reportkit.rendering.files.write import write_report

        return write_report(self.model, Path(folder), templates=[Path(item) for item in templates])

    def update(
        self,
        paper: str | Path,
        *,
        labels: Mapping[str, str] | None = None,
        keep_caption: bool = False,
        dry_run: bool = False,
    ) -> PaperUpdate:
        """Put tables and numbers of the report into a paper; see `reportkit.update`."""
        from reportkit.rendering.paper.paper_pieces import pieces_of
        from reportkit.rendering.paper.paper_update import update_paper

        return update_paper(paper, pieces_of(self.model), labels, keep_caption=keep_caption, dry_run=dry_run)

    def to_latex(self) -> str:
        """Return the whole report as one LaTeX document."""
        from reportkit.rendering.latex.latex import latex_document

        return latex_document(self.model, inline=True)

    def to_markdown(self) -> str:
        """Return the whole report as Markdown."""
        from reportkit.rendering.markdown.markdown import markdown_document

        return markdown_document(self.model)

    def to_dict(self) -> dict[str, Any]:
        """Return the content of `report.json`."""
        return dict(self.model.data)

    def __repr__(self) -> str:
        return "\n".join((self.model.title, *self.model.summary))

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        from reportkit.rendering.html.notebook import mimebundle, report_formats

        return mimebundle(report_formats(self.model), include, exclude)

    def _repr_html_(self) -> str:
        return self._repr_mimebundle_(["text/html"])["text/html"]

    def _repr_latex_(self) -> str:
        return self._repr_mimebundle_(["text/latex"])["text/latex"]

    def _repr_markdown_(self) -> str:
        return self._repr_mimebundle_(["text/markdown"])["text/markdown"]
