"""Pictures of the figures of a report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

from reportkit.rendering.text.escaping import visible

if TYPE_CHECKING:
    from reportkit.report.model import Report

Picture = Literal["svg", "pdf", "png"]
PICTURES: tuple[Picture, ...] = ("svg", "pdf", "png")

Images: TypeAlias = Mapping[str, Mapping[Picture, bytes]]
"""By the name of the figure, and by format."""


def images_of(report: Report, formats: Iterable[Picture] = PICTURES) -> Images:
    """Draw the figures of a report, each once.

    Parameters
    ----------
    report : Report
        Any.
    formats : iterable of {"svg", "pdf", "png"}
        Of the files.
    """
    if not report.figures:
        return {}
    # matplotlib is loaded only where there is a figure
    from reportkit.figures.drawing.save import figure_bytes

    note, wanted = visible(report.signature.line), tuple(formats)
    found = {}
    for figure in report.figures:
        drawn = figure.draw()
        found[figure.name] = {each: figure_bytes(drawn, each, note="" if each == "svg" else note) for each in wanted}
    return found
