"""Texts, tables and figures of a study, whose words, heads and captions are macros of one template."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from reportkit.report.model import Block, Cell, Column, Figure, Itemize, Paragraph, Row, Section, Spanner, Table
from reportkit.report.tokens import plain
from reportkit.report.wording import K_HAT, Texts

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
        """Return the words of a macro, which sees what is shown as `t`."""
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
        """Return a figure with the caption of a macro, by default that of its kind."""
        return Figure.of(kind, content, name=name, caption=self.say(macro or kind.replace("-", "_"), **shown))

    def table(
        self,
        name: str,
        rows: Sequence[Sequence[str | Cell]],
        *,
        nested: Sequence[int] = (),
        rules: bool = True,
        spanners: Sequence[tuple[str, int, int]] = (),
        **shown: Any,
    ) -> Table:
        """Return a table with the caption, legend and heads of its macros.

        Parameters
        ----------
        name : str
            Of the table, and with underscores of its macros.
        rows : sequence of sequence of str or Cell
            Content; of a row with one cell a heading is made.
        nested : sequence of int
            Columns that are left empty where they, and those before them here, repeat the row above.
        rules : bool
            Whether a rule stands above each group of the first nested column, or above each heading.
        spanners : sequence of (str, int, int)
            Head, first and last column of each.
        """
        macro, last = name.replace("-", "_"), list[str]()
        columns = []
        for head in self.raw(f"{macro}_heads", **shown).split("|"):
            align: Literal["left", "right"] = "right" if head.lstrip().startswith(">") else "left"
            columns.append(Column(header=head.strip().removeprefix(">").strip(), align=align))
        shown_rows = list[Row]()
        for row in rows:
            cells = [Cell(text=one) if isinstance(one, str) else one for one in row]
            heading, begins = len(cells) < len(columns), False
            cells += [Cell()] * (len(columns) - len(cells))
            words = [cells[place].text for place in nested]
            for number, place in enumerate(nested):
                if words[: number + 1] == last[: number + 1]:
                    cells[place] = Cell()
                else:
                    begins |= number == 0
            last = words
            above = rules and bool(shown_rows) and (begins or heading)
            shown_rows.append(Row(cells=tuple(cells), rule_above=above, heading=heading))
        return Table(
            name=name,
            caption=self.say(macro, **shown),
            legend=self.say(f"{macro}_legend", **shown),
            columns=tuple(columns),
            rows=tuple(shown_rows),
            spanners=tuple(Spanner(header=head, first=first, last=end) for head, first, end in spanners),
        )


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
