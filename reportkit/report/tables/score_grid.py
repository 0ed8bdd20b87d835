"""Scores by system and dataset, and how they are laid out: systems in rows, or datasets in rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reportkit.report.model import Cell, Column, Row, Spanner
from reportkit.report.prose import prose
from reportkit.report.tables.averages import AVERAGE, Averages
from reportkit.report.tables.cells import text
from reportkit.report.tables.groups import Group, in_order, rows_in_groups, spanners_over
from reportkit.report.text.wording import plain

MOST_CHARACTERS_ACROSS = 60
"""Systems stand in rows unless that makes a table of more characters across than this, and turning it helps."""

MOST_CHARACTERS_TURNED = 90
"""Systems in columns get letters as headers, explained in the legend, in a table of more characters than this."""

DIFFERENCE = "Diff."


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ScoreGrid:
    """Finished cells by (system, dataset), and what stands around them.

    Parameters
    ----------
    systems, datasets : tuple of Group
        In the order of the table.
    cells : mapping of (str, str) to Cell
        Absent where a system has no score.
    heads : mapping of str to str
        What is printed as the name of a system.
    sizes : mapping of str to str
        Number of instances by dataset, as it is printed; empty where it is not known.
    differences : mapping of str to Cell
        Of a pair, by dataset; empty for more systems.
    averages : Averages or None
        Means over the datasets.
    average_difference : Cell
        Of a pair.
    """

    systems: tuple[Group, ...]
    datasets: tuple[Group, ...]
    cells: Mapping[tuple[str, str], Cell]
    heads: Mapping[str, str]
    sizes: Mapping[str, str]
    differences: Mapping[str, Cell] = field(default_factory=dict)
    averages: Averages | None = None
    average_difference: Cell = field(default_factory=Cell)

    @property
    def system_names(self) -> tuple[str, ...]:
        """Systems in the order of the table."""
        return in_order(self.systems)

    @property
    def dataset_names(self) -> tuple[str, ...]:
        """Datasets in the order of the table."""
        return in_order(self.datasets)

    @property
    def with_sizes(self) -> bool:
        """Whether the number of instances of some dataset is known."""
        return any(self.sizes.values())

    def cell(self, system: str, dataset: str) -> Cell:
        """One cell; a dash where there is no score."""
        return self.cells.get((system, dataset), Cell(text=text("–")))

    @property
    def widest_cell(self) -> int:
        """Characters of the longest cell, at least those of a usual number."""
        return max([6, *(len(plain(cell.text)) for cell in self.cells.values())])

    def across(self, heads: Mapping[str, str] | None = None) -> int:
        """Characters of a line with systems in rows."""
        first = max(len(head) for head in (heads or self.heads).values())
        wide = self.widest_cell
        return first + sum(max(len(name), wide) + 2 for name in self.dataset_names)

    def down(self, heads: Mapping[str, str] | None = None) -> int:
        """Characters of a line with datasets in rows."""
        first, wide = max(map(len, self.dataset_names)), self.widest_cell
        return first + sum(max(len(head), wide) + 2 for head in (heads or self.heads).values()) + 8

    @property
    def systems_fit_in_rows(self) -> bool:
        """Whether systems are better set in rows."""
        systems = max(map(len, self.system_names)) - max(map(len, self.heads.values()))
        across = self.across() + systems
        return across <= MOST_CHARACTERS_ACROSS or across <= self.down()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Arrangement:
    """Columns and rows of a table."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    header_rows: tuple[Row, ...] = ()
    spanners: tuple[Spanner, ...] = ()


def systems_in_rows(grid: ScoreGrid) -> Arrangement:
    """Systems in rows, datasets in columns; of a pair, the differences below; averages in the last column."""
    datasets, averages = grid.dataset_names, grid.averages
    last = () if averages is None else (Column(header=text(AVERAGE)),)
    columns = (Column(header=text("System"), align="left"), *(Column(header=text(name)) for name in datasets), *last)
    sizes = Row(
        cells=(
            Cell(text=prose("{n}")),
            *(Cell(text=text(grid.sizes[name])) for name in datasets),
            *(Cell() for _ in last),
        )
    )

    def row(name: str) -> Row:
        cells = [Cell(text=text(grid.heads[name])), *(grid.cell(name, dataset) for dataset in datasets)]
        return Row(cells=tuple(cells if averages is None else [*cells, averages.cell(name)]))

    rows = list(rows_in_groups(grid.systems, {name: row(name) for name in grid.system_names}, len(columns)))
    if grid.differences:
        cells = [Cell(text=text(DIFFERENCE)), *(grid.differences[name] for name in datasets)]
        rows.append(Row(cells=(*cells, *(grid.average_difference for _ in last)), rule_above=True))
    return Arrangement(
        columns=columns,
        rows=tuple(rows),
        header_rows=(sizes,) if grid.with_sizes else (),
        spanners=spanners_over(grid.datasets, 1),
    )


def datasets_in_rows(grid: ScoreGrid) -> Arrangement:
    """Datasets in rows, systems in columns; of a pair, the differences in the last one; averages in the last row."""
    averages = grid.averages
    size = (Column(header=prose("{n}")),) if grid.with_sizes else ()
    last = (Column(header=text(DIFFERENCE)),) if grid.differences else ()
    columns = (
        Column(header=text("Dataset"), align="left"),
        *size,
        *(Column(header=text(grid.heads[name])) for name in grid.system_names),
        *last,
    )

    def row(name: str, n: str, cells: Sequence[Cell], difference: Cell) -> Row:
        first = [Cell(text=text(name)), *(Cell(text=text(n)) for _ in size)]
        return Row(cells=(*first, *cells, *(difference for _ in last)))

    of_datasets = {
        dataset: row(
            dataset,
            grid.sizes[dataset],
            [grid.cell(name, dataset) for name in grid.system_names],
            grid.differences.get(dataset, Cell()),
        )
        for dataset in grid.dataset_names
    }
    rows = list(rows_in_groups(grid.datasets, of_datasets, len(columns)))
    if averages is not None:
        mean = row(AVERAGE, "", [averages.cell(name) for name in grid.system_names], grid.average_difference)
        rows.append(Row(cells=mean.cells, rule_above=True))
    return Arrangement(columns=columns, rows=tuple(rows), spanners=spanners_over(grid.systems, 1 + len(size)))
