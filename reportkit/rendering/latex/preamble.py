r"""Which packages a table needs, and which lines in the preamble: booktabs always, others by what it is set with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reportkit.rendering.layout import siunitx
from reportkit.rendering.view import TableView


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What a file needs of the document that reads it.

    Parameters
    ----------
    packages : tuple of str
        In the order in which they are loaded.
    preamble : tuple of str
        Lines behind them.
    definitions : tuple of str
        What the file defines itself.
    """

    packages: tuple[str, ...] = ("booktabs",)
    preamble: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        r"""The same as lines of a preamble.

        Examples
        --------
        >>> Needs(packages=("booktabs", "longtable")).lines
        ('\\usepackage{booktabs}', '\\usepackage{longtable}')
        """
        return (*(rf"\usepackage{{{package}}}" for package in self.packages), *self.preamble)


def needs_of(table: TableView) -> Needs:
    """Find what a table needs in what is to be written."""
    panels = [panel for panels in table.floats for panel in panels]
    packages: list[str] = ["booktabs"]
    preamble: list[str] = []
    definitions: list[str] = []
    if table.environment == "longtable":
        packages.append("longtable")
    if table.threeparttable:
        packages.append("threeparttable")
    if any("S[" in panel.columns for panel in panels):
        packages.extend(siunitx.PACKAGES)
        preamble.extend(siunitx.PREAMBLE)
    if any(r"\rkunderlined" in cell for panel in panels for row in panel.rows for cell in row.cells):
        definitions.append(siunitx.UNDERLINED)
    return Needs(packages=tuple(packages), preamble=tuple(preamble), definitions=tuple(definitions))


def needs_together(needs: Iterable[Needs]) -> Needs:
    """What several files need, each package and line once."""
    every = list(needs)
    return Needs(
        packages=tuple(dict.fromkeys(package for each in every for package in each.packages)),
        preamble=tuple(dict.fromkeys(line for each in every for line in each.preamble)),
    )
