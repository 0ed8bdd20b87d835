"""Figures as files and in notebooks: the same figure gives the same bytes, today and tomorrow."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from reportkit.figures.drawing.style import style
from reportkit.figures.drawing.typography import BUNDLED

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Format = Literal["pdf", "png", "svg"]
DPI = 300

_NO_METADATA: dict[str, dict[str, Any]] = {
    "pdf": {"Creator": None, "Producer": None, "CreationDate": None},
    "png": {"Software": None},
    "svg": {"Creator": None, "Date": None, "Format": None, "Type": None},
}
_NOTE = {"pdf": "Subject", "png": "Description", "svg": "Description"}


def figure_bytes(figure: Figure, file_format: Format, *, dpi: int = DPI, note: str = "") -> bytes:
    """Render a figure without a date, without the name of a program, with fixed identifiers.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        One of this package.
    file_format : {"pdf", "png", "svg"}
        PDF embeds its fonts as TrueType (Type 42), which publishers ask for; only a figure that needs an installed
        font with other outlines has Type 3. SVG draws text as outlines, without a background.
    dpi : int
        Dots per inch of PNG.
    note : str
        Where it comes from, for the properties of the file: `Subject` of a PDF, else `Description`; none if empty.

    Returns
    -------
    bytes
        Equal for equal figures with the same version of matplotlib.
    """
    buffer = io.BytesIO()
    metadata = _NO_METADATA[file_format] | ({_NOTE[file_format]: note} if note else {})
    ground = "none" if file_format == "svg" else "auto"  # a web page has its own background
    figure.savefig(buffer, format=file_format, dpi=dpi, metadata=metadata, facecolor=ground)
    found = buffer.getvalue()
    return _NOT_IN_XML.sub(b"", found) if file_format == "svg" else found


_NOT_IN_XML = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")
"""Characters that XML does not allow, which matplotlib copies from names into comments."""


@contextmanager
def as_drawn(figure: Figure) -> Iterator[None]:
    """Save with the settings that a figure was drawn with, whatever those of the user are."""
    import matplotlib
    from matplotlib.text import Text

    used = {family for text in figure.findobj(Text) for family in text.get_fontfamily()}
    logger = logging.getLogger("fontTools")  # it complains about the early dates in Computer Modern
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with style():
            if not all(map(_truetype, sorted(used - {*BUNDLED, "cmr10"}))):
                matplotlib.rcParams.update({"pdf.fonttype": 3, "ps.fonttype": 3})
            yield
    finally:
        logger.setLevel(before)


@cache
def _truetype(family: str) -> bool:
    """Return whether a font has TrueType outlines; matplotlib embeds the others (CFF) properly as Type 3 only."""
    from matplotlib.font_manager import FontProperties, fontManager

    with Path(fontManager.findfont(FontProperties(family=[family]))).open("rb") as font:
        tag = font.read(4)
        if tag == b"ttcf":  # a collection of fonts: the first decides
            font.seek(12)
            font.seek(int.from_bytes(font.read(4), "big"))
            tag = font.read(4)
    return tag != b"OTTO"
