"""Pictures of the figures of a report: drawn here, or by a second process that loads matplotlib meanwhile."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, Self, TypeAlias

from reportkit.rendering.text.escaping import visible

if TYPE_CHECKING:
    from reportkit.report.model import Figure, Report

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
    return _drawn(list(report.figures), visible(report.signature.line), tuple(formats))


def _drawn(figures: list[Figure], note: str, formats: Iterable[Picture]) -> Images:
    if not figures:
        return {}
    # matplotlib is loaded only where there is a figure
    from reportkit.figures.drawing.save import as_drawn, figure_bytes, page_of

    found = {}
    for figure in figures:
        drawn = figure.draw()
        with as_drawn(drawn):
            page = page_of(drawn)  # the same in all formats, and asked for once
            found[figure.name] = {
                each: figure_bytes(drawn, each, note="" if each == "svg" else note, bbox_inches=page)
                for each in formats
            }
    return found


class Draughtsman:
    """A second process that draws: it loads matplotlib while this one reads and tests, and draws while this one writes.

    Where there is one processor only, or the process cannot be started or ends early, this process draws itself. The
    pictures are the same, to the last byte.

    Parameters
    ----------
    wanted : bool
        Whether there is anything to draw.

    Examples
    --------
    `with Draughtsman() as draughtsman: ...; draughtsman.begin(report); ...; images = draughtsman.finished(report)`
    """

    def __init__(self, *, wanted: bool = True) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        if wanted and sys.executable and _processors() > 1:
            with suppress(OSError):
                self._process = subprocess.Popen(  # noqa: S603  # this very program
                    [sys.executable, "-m", __name__],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *of_error: object) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def begin(self, report: Report) -> None:
        """Say which figures there are."""
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):
                pickle.dump((list(report.figures), visible(report.signature.line)), self._process.stdin)
                self._process.stdin.flush()

    def finished(self, report: Report) -> Images:
        """Wait for the pictures."""
        if self._process is not None and self._process.stdout is not None:
            with suppress(Exception):  # whatever it died of: if it is the figures' fault, it is found below
                found: Images = pickle.load(self._process.stdout)  # noqa: S301  # of a process of ours
                return found
        return images_of(report)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2


def _draw_for_another() -> None:
    """Load what drawing needs, then draw what is sent."""
    import matplotlib.backends.backend_agg
    import matplotlib.backends.backend_pdf
    import matplotlib.backends.backend_svg
    import matplotlib.style  # noqa: F401
    import PIL.Image

    import reportkit.figures.drawing.shown
    import reportkit.figures.forest
    import reportkit.figures.p_values
    import reportkit.figures.partial_conjunction
    import reportkit.report.model  # noqa: F401
    from reportkit.figures.drawing.lettering import text_width
    from reportkit.figures.drawing.style import style

    PIL.Image.preinit()
    with style():  # finds the fonts, and makes the grammar of formulas
        text_width("0", 8.0, math=True)
    figures, note = pickle.load(sys.stdin.buffer)  # noqa: S301  # of the process that started this one
    pickle.dump(_drawn_by_several(figures, note), sys.stdout.buffer)
    sys.stdout.buffer.flush()


def _drawn_by_several(figures: list[Figure], note: str) -> Images:
    """Draw by as many processes as there are processors, each of which has all that this one has loaded."""
    n = min(len(figures), _processors()) if sys.platform == "linux" else 1  # elsewhere, a copied process is not safe
    pipes = []
    for share in range(1, n):
        source, target = os.pipe()
        if os.fork() == 0:
            try:
                os.dup2(target, sys.stdout.fileno())  # who waits for this process waits for no other
                pickle.dump(_drawn(figures[share::n], note, PICTURES), sys.stdout.buffer)
                sys.stdout.buffer.flush()
            finally:
                os._exit(0)
        os.close(target)
        pipes.append(source)
    found = dict(_drawn(figures[::n], note, PICTURES))
    for source in pipes:
        with os.fdopen(source, "rb") as drawn:
            found |= pickle.load(drawn)  # noqa: S301  # of a process of ours
    return {figure.name: found[figure.name] for figure in figures}


if __name__ == "__main__":
    with suppress(EOFError, BrokenPipeError):
        _draw_for_another()
