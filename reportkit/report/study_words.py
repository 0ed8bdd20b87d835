"""Texts, tables and figures of a study, whose words, heads and captions are macros of one template."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from reportkit.report.model import Block, Figure, Itemize, Paragraph, Section, Table
from reportkit.report.tokens import plain
from reportkit.report.wording import K_HAT, Line, Texts, table_of

_SIGN = re.compile(r"(?<![\w-])(k-hat|p)(?=[\s.,)]|-values?\b)")
DASH = "–"


class StudyWords:
    """The words of one study.

    Parameters
    ----------
    template : str
        Name of the template of text that holds all macros.
    **known : object
        What the macros see.
    """

    def __init__(self, template: str, **known: Any) -> None:
        self._template, self._texts = template, Texts(known)
        self.cells: Mapping[str, str] = self._texts.heads.get(template, {})
        known["cells"] = self.cells

    def raw(self, macro: str, **shown: Any) -> str:
        """Return the words of a macro; `t` in it stands for `shown`."""
        return self._texts.macro(self._template, macro, t=shown)

    def say(self, macro: str, **shown: Any) -> str:
        """Return the words of a macro with p and k-hat as signs of mathematics."""
        return _SIGN.sub(lambda found: "𝑝" if found[0] == "p" else K_HAT, self.raw(macro, **shown))

    def summary(self, macro: str, **shown: Any) -> list[str]:
        """Return the paragraphs of a macro as a terminal shows them."""
        return [one for one in plain(self.raw(macro, **shown)).split("\n\n") if one]

    def section(self, key: str, *blocks: Block) -> Section:
        """Return a section with the title `<key>_title`."""
        return Section(title=self.raw(f"{key}_title"), blocks=blocks)

    def paragraph(self, macro: str, name: str = "", **shown: Any) -> Paragraph:
        """Return the words of a macro as a paragraph."""
        return Paragraph(content=self.say(macro, **shown).replace("\n\n", " "), name=name)

    def list(self, macro: str, **shown: Any) -> Itemize:
        """Return the paragraphs of a macro as a list."""
        return Itemize(items=tuple(one for one in self.say(macro, **shown).split("\n\n") if one))

    def figure(self, kind: str, content: Any, name: str, macro: str = "", **shown: Any) -> Figure:
        """Return a figure with the caption of a macro, by default the one named after its kind."""
        return Figure.of(kind, content, name=name, caption=self.say(macro or kind.replace("-", "_"), **shown))

    def table(self, name: str, rows: Sequence[Line], **shown: Any) -> Table:
        """Return a table with caption, legend and heads from its macros; `t` in them stands for `shown`."""
        layout = {key: shown.pop(key) for key in ("nested", "rules", "spanners") if key in shown}

        def say(macro: str) -> str:
            return self.raw(macro, **shown) if macro.endswith("_heads") else self.say(macro, **shown)

        return table_of(name, rows, say, **layout)


def share(value: float, decimals: int = 3) -> str:
    """Write a share without the zero before the point.

    Examples
    --------
    >>> share(0.0517), share(1.0), share(0.92251, 2)
    ('.052', '1.000', '.92')
    """
    return f"{value:.{decimals}f}".removeprefix("0")


def interval(low: float | None, high: float | None, decimals: int = 3) -> str:
    """Write both ends of an interval of a share; a dash if there is none.

    Examples
    --------
    >>> interval(0.04, 0.0651), interval(None, None)
    ('[.040, .065]', '–')
    """
    return DASH if low is None or high is None else f"[{share(low, decimals)}, {share(high, decimals)}]"
