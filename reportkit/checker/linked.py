"""A cell of a table, and the number of the data that it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from reportkit.checker.paper.document import Cell, Table
from reportkit.checker.paper.printed_number import PrintedNumber

Kind = Literal[
    "score", "difference", "p-value", "adjusted-p-value", "n", "interval-low", "interval-high", "average", "rank"
]


@dataclass(frozen=True, slots=True)
class LinkedCell:
    """A printed number, and the number of the data that it is.

    Parameters
    ----------
    table : Table
        Where it stands.
    cell : Cell
        Its cell.
    number : PrintedNumber
        As printed.
    kind : str
        "score", "difference", "p-value" (one-sided for `system` better), "adjusted-p-value", "n", "interval-low",
        "interval-high" (of the difference), "average" (unweighted mean of the scores in the same row or column) or
        "rank" (1 is the best of the systems that have one in the table).
    metric, system, dataset : str
        Names in the data; the dataset of an average is empty.
    baseline : str
        The other system of differences, p-values and intervals.
    value : float
        What follows from the data, as given there.
    scale : float
        100 where the table prints in percent what the data hold as proportions; 0.01 the other way round.
    higher_is_better : bool
        Direction of the metric.
    n : int or None
        Instances behind a score.
    as_printed : float or None
        Of a difference or an average: what follows from the numbers that are printed in the same table.
    """

    table: Table
    cell: Cell
    number: PrintedNumber
    kind: Kind
    metric: str
    system: str
    dataset: str
    value: float
    baseline: str = ""
    scale: float = 1.0
    higher_is_better: bool = True
    n: int | None = None
    as_printed: float | None = None

    @property
    def agrees(self) -> bool:
        """Whether the value may have been printed so, from the data or from the rounded numbers of the same table."""
        if self.number.stands_for(self.value, scale=self.scale):
            return True
        return self.as_printed is not None and self.number.stands_for(self.as_printed)

    @property
    def expected(self) -> str:
        """The value as the paper would print it: with the same decimals and in the same unit."""
        return f"{self.scale * self.value + 0.0:.{self.number.decimals}f}"

    @property
    def where(self) -> str:
        """Who, on what."""
        who = f"{self.system!r} against {self.baseline!r}" if self.baseline else f"{self.system!r}" * bool(self.system)
        on = f"on {self.dataset!r}" if self.dataset else "on average"
        return f"{who} {on}".strip()


@dataclass(frozen=True, slots=True)
class LinkedTable:
    """A table with what its cells are.

    Parameters
    ----------
    table : Table
        As read.
    cells : tuple of LinkedCell
        Those that are certain.
    unlinked : tuple of (Cell, PrintedNumber, str)
        The others, with the reason.
    systems_in_rows : bool or None
        Whether systems are named left of the rows, or above the columns; None if nothing is linked.
    """

    table: Table
    cells: tuple[LinkedCell, ...]
    unlinked: tuple[tuple[Cell, PrintedNumber, str], ...]
    systems_in_rows: bool | None = None

    def scores(self) -> tuple[LinkedCell, ...]:
        """Cells that print the score of a system on a dataset."""
        return tuple(item for item in self.cells if item.kind == "score")
