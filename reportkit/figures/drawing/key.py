"""What the signs in a figure mean: marker and words, side by side, as many lines as it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from reportkit.figures.drawing.lettering import text_width
from reportkit.figures.drawing.marks import CAP_HEIGHT
from reportkit.figures.drawing.style import INK, inches, write
from reportkit.figures.drawing.typography import typography

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LineStyle: TypeAlias = Literal["", "-", "--", "-.", ":"]

_AFTER_SIGN = 3.0
_BETWEEN = 9.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """A marker, a line, or both, and what they mean.

    Parameters
    ----------
    meaning : str
        A formula may stand between `$`; no name of the user.
    marker : str
        As matplotlib writes it: "o", "D", "x"; empty for a line only.
    filled : bool
        Whether the marker is filled.
    line : str
        As matplotlib writes it: "-", "--"; empty for a marker only.
    colour : str
        Of marker and line; never the only distinction.
    face : str
        Of the inside of a filled marker, if it is not that of its edge.
    """

    meaning: str
    marker: str = ""
    filled: bool = True
    line: LineStyle = ""
    colour: str = INK
    face: str = ""

    @property
    def sign_width(self) -> float:
        """Room for the sign, in points."""
        return 15.0 if self.line else 5.0

    @property
    def width(self) -> float:
        """Width of sign and meaning, in points."""
        return self.sign_width + _AFTER_SIGN + text_width(self.meaning, typography().small, math=self.has_formula)

    @property
    def has_formula(self) -> bool:
        """Whether the meaning holds one."""
        return "$" in self.meaning


def line_width(line: Sequence[Sign]) -> float:
    """Width of one line of a key, in points."""
    return sum(sign.width for sign in line) + _BETWEEN * (len(line) - 1)


def key_lines(signs: Sequence[Sign], width: float) -> list[list[Sign]]:
    """Distribute signs over lines that are at most `width` points wide.

    Examples
    --------
    >>> signs = [Sign(meaning="identified", marker="o"), Sign(meaning="not identified", marker="o", filled=False)]
    >>> [len(line) for line in key_lines(signs, 200)], [len(line) for line in key_lines(signs, 60)]
    ([2], [1, 1])
    """
    lines: list[list[Sign]] = []
    for sign in signs:
        if lines and line_width([*lines[-1], sign]) <= width:
            lines[-1].append(sign)
        else:
            lines.append([sign])
    return lines


def draw_key(figure: Figure, lines: Sequence[Sequence[Sign]], left: float, top: float) -> None:
    """Draw the lines downwards from `top`, in points from the lower left corner."""
    from matplotlib.lines import Line2D

    for number, line in enumerate(lines):
        baseline = top - (number + 1) * typography().line + 2.5
        x = left
        for sign in line:
            middle = baseline + CAP_HEIGHT * typography().small
            places = (x, x + sign.sign_width / 2, x + sign.sign_width)
            figure.add_artist(
                Line2D(
                    [place / 72 for place in places],
                    [middle / 72] * 3,
                    transform=inches(figure),
                    color=sign.colour,
                    linestyle=sign.line or "none",
                    marker=sign.marker or "none",
                    markevery=[1],
                    markersize=4.0,
                    markeredgewidth=0.7,
                    markerfacecolor=(sign.face or sign.colour) if sign.filled else "white",
                )
            )
            x += sign.sign_width + _AFTER_SIGN
            write(figure, x, baseline, sign.meaning, size=typography().small, math=sign.has_formula)
            x += text_width(sign.meaning, typography().small, math=sign.has_formula) + _BETWEEN
