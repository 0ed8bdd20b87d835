"""Figures as files: the same figure gives the same bytes, today and tomorrow."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from reportkit.errors import RenderingError, UnknownNameError
from reportkit.figures.drawing.fonts import embeds_as_truetype
from reportkit.figures.drawing.style import style

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

Format = Literal["pdf", "png", "svg"]
FORMATS: tuple[Format, ...] = get_args(Format)
DPI = 300
_HAIR = 0.25 / 72  # inches beyond the page that nobody sees

_SETTLED: ContextVar[Figure | None] = ContextVar("settled", default=None)
"""The figure whose settings matplotlib has now."""

_NO_METADATA: dict[str, dict[str, Any]] = {
    "pdf": {"Creator": None, "Producer": None, "CreationDate": None},
    "png": {"Software": None},
    "svg": {"Creator": None, "Date": None, "Format": None, "Type": None},
}
_NOTE = {"pdf": "Subject", "png": "Description", "svg": "Description"}


def figure_bytes(figure: Figure, file_format: Format, *, dpi: int = DPI, note: str = "", **options: Any) -> bytes:
    """Render a figure without a date, without the name of a program, with fixed identifiers.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        One of this package.
    file_format : {"pdf", "png", "svg"}
        PDF embeds its fonts as TrueType (Type 42), which publishers ask for; only a figure that needs an installed
        font with other outlines has Type 3. SVG draws text as outlines.
    dpi : int
        Dots per inch of PNG.
    note : str
        Where it comes from, for the properties of the file: `Subject` of a PDF, else `Description`; none if empty.
    **options
        Of `savefig`.

    Returns
    -------
    bytes
        Equal for equal figures with the same version of matplotlib.

    Raises
    ------
    UnknownNameError
        If there is no such format.
    """
    if file_format not in FORMATS:
        raise UnknownNameError("figure format", file_format, FORMATS)
    buffer = io.BytesIO()
    metadata = _NO_METADATA[file_format] | ({_NOTE[file_format]: note} if note else {})
    figure.savefig(buffer, format=file_format, dpi=dpi, metadata=metadata, **options)
    return buffer.getvalue()


def page_of(figure: Figure) -> Bbox | None:
    """What is written of a figure: None for its page, more where a letter reaches over the edge."""
    from matplotlib.transforms import Bbox

    page = Bbox.from_bounds(0, 0, *figure.get_size_inches())
    before = figure.dpi
    with as_drawn(figure):
        figure.dpi = DPI  # of the PNG, for which matplotlib keeps how wide the texts are
        try:
            drawn = Bbox.union([page, figure.get_tightbbox(bbox_extra_artists=figure.texts)])
        finally:
            figure.dpi = before
    over = max(page.x0 - drawn.x0, page.y0 - drawn.y0, drawn.x1 - page.x1, drawn.y1 - page.y1)
    return drawn if over > _HAIR else None


@contextmanager
def as_drawn(figure: Figure) -> Iterator[None]:
    """Save with the settings that a figure was drawn with: under others, texts would be wider than their places."""
    import matplotlib

    if _SETTLED.get() is figure:
        yield
        return
    used = {family for artist in figure.findobj() for family in _families(artist)}
    with style(), _without_remarks_on_fonts():
        if not all(map(embeds_as_truetype, sorted(used))):
            # both: matplotlib 3.11 splits the fonts of a PDF into subsets by the setting for PostScript
            matplotlib.rcParams.update({"pdf.fonttype": 3, "ps.fonttype": 3})
        token = _SETTLED.set(figure)
        try:
            yield
        finally:
            _SETTLED.reset(token)


@contextmanager
def _without_remarks_on_fonts() -> Iterator[None]:
    """Computer Modern is older than the dates in its files may be, which fontTools remarks on each time."""
    logger = logging.getLogger("fontTools")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)


def save(figure: Figure, path: str | Path, *, dpi: int = DPI) -> Path:
    """Write a figure to a file whose ending names the format.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        One of this package.
    path : str or Path
        Ends in `.pdf`, `.png` or `.svg`; its folder exists.
    dpi : int
        Dots per inch of PNG.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    UnknownNameError
        If the ending is none of these.
    RenderingError
        If the file cannot be written.
    """
    path = Path(path)
    file_format = path.suffix.lower().removeprefix(".")
    content = figure_bytes(figure, cast(Format, file_format), dpi=dpi)  # which checks it
    try:
        path.write_bytes(content)
    except OSError as error:
        raise RenderingError(
            f"the figure {str(path)!r} cannot be written: {error.strerror}", remedy="check the folder and its rights"
        ) from None
    return path


def _families(artist: Artist) -> list[str]:
    from matplotlib.text import Text

    return list(artist.get_fontfamily()) if isinstance(artist, Text) else []
