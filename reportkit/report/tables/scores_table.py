"""The table of scores, of a pair or of many systems: systems in rows, or datasets in rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from reportkit.appearance.appearance import Appearance
from reportkit.replicability.family import Family
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.replicability.system_scores import SystemScore
from reportkit.report.labels import Labels, name_in_print, typeset_labels
from reportkit.report.model import Cell, Column, Row, Table
from reportkit.report.prose import Inline, Prose, Text, joined, plain, prose, sentences
from reportkit.report.score_format import ScoreScale
from reportkit.report.tables.averages import AVERAGE, Averages, averages
from reportkit.report.tables.bold import Standing, bold_in_words, exploratory, standing, verdicts_of
from reportkit.report.tables.captions import direction_in_words, role_of_metric, units_in_words, what_is_shown
from reportkit.report.tables.cell_fields import CellWriter, Facts, fields_in_words
from reportkit.report.tables.groups import Group, grouped, in_order, rows_in_groups, spanners_over, systems_of
from reportkit.report.tables.marks import Marking, letter, marking
from reportkit.report.text.shapes import size_text, sizes_explained

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
        return self.cells.get((system, dataset), Cell.of("–"))

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


def systems_in_rows(grid: ScoreGrid, *, name: str, caption: Prose, legend: Prose) -> Table:
    """Systems in rows, datasets in columns; of a pair, the differences below; averages in the last column."""
    datasets, averages = grid.dataset_names, grid.averages
    last = () if averages is None else (Column.right(AVERAGE),)
    columns = (Column.left("System"), *(Column.right(name) for name in datasets), *last)
    sizes = Row(
        cells=(
            Cell.of(prose("{n}")),
            *(Cell.of(grid.sizes[name]) for name in datasets),
            *(Cell() for _ in last),
        )
    )

    def row(system: str) -> Row:
        cells = [Cell.of(grid.heads[system]), *(grid.cell(system, dataset) for dataset in datasets)]
        return Row(cells=tuple(cells if averages is None else [*cells, averages.cells[system]]))

    rows = list(rows_in_groups(grid.systems, {system: row(system) for system in grid.system_names}, len(columns)))
    if grid.differences:
        cells = [Cell.of(DIFFERENCE), *(grid.differences[dataset] for dataset in datasets)]
        rows.append(Row(cells=(*cells, *(grid.average_difference for _ in last)), rule_above=True))
    return Table(
        name=name,
        caption=caption,
        legend=legend,
        columns=columns,
        rows=tuple(rows),
        header_rows=(sizes,) if grid.with_sizes else (),
        spanners=spanners_over(grid.datasets, 1),
    )


def datasets_in_rows(grid: ScoreGrid, *, name: str, caption: Prose, legend: Prose) -> Table:
    """Datasets in rows, systems in columns; of a pair, the differences in the last one; averages in the last row."""
    averages = grid.averages
    size = (Column.right(prose("{n}")),) if grid.with_sizes else ()
    last = (Column.right(DIFFERENCE),) if grid.differences else ()
    columns = (
        Column.left("Dataset"),
        *size,
        *(Column.right(grid.heads[system]) for system in grid.system_names),
        *last,
    )

    def row(head: str, n: str, cells: Sequence[Cell], difference: Cell) -> Row:
        first = [Cell.of(head), *(Cell.of(n) for _ in size)]
        return Row(cells=(*first, *cells, *(difference for _ in last)))

    of_datasets = {
        dataset: row(
            dataset,
            grid.sizes[dataset],
            [grid.cell(system, dataset) for system in grid.system_names],
            grid.differences.get(dataset, Cell()),
        )
        for dataset in grid.dataset_names
    }
    rows = list(rows_in_groups(grid.datasets, of_datasets, len(columns)))
    if averages is not None:
        mean = row(AVERAGE, "", [averages.cells[system] for system in grid.system_names], grid.average_difference)
        rows.append(Row(cells=mean.cells, rule_above=True))
    return Table(
        name=name,
        caption=caption,
        legend=legend,
        columns=columns,
        rows=tuple(rows),
        spanners=spanners_over(grid.systems, 1 + len(size)),
    )


_COMPARED_ON_COMMON = ("paired", "runs", "corpus", "correlation")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ScoresTable:
    """A table of scores, and what its legend is made of.

    Parameters
    ----------
    table : Table
        Finished.
    facts : Facts
        What the fields of its cells hold.
    underlined : bool
        Whether something is underlined.
    """

    table: Table
    facts: Facts
    underlined: bool


def scores_table(
    analysis: ReplicabilityAnalysis, scale: ScoreScale, look: Appearance, *, lettered_columns: bool = True
) -> ScoresTable:
    """Lay out the scores of the systems on the datasets, with what sets them off, signs, averages and groups.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        Of one metric, or the part of one.
    scale : ScoreScale
        How scores are printed.
    look : Appearance
        Everything that is to be decided.
    lettered_columns : bool
        Whether systems in columns may get letters as headers, where their names are too long.

    Raises
    ------
    SettingsError
        If the appearance asks for something that the comparisons do not have.
    """
    family = analysis.family
    labels = typeset_labels(look.labels.values())
    order = in_order(grouped(systems_in_order(analysis), look.system_groups))
    signs = marking(family, look.marks, labels, order)
    if not look.pattern.marked:
        signs = Marking(style="none")
    writer = CellWriter(pattern=look.pattern, scale=scale, family=family)
    grid = _grid(analysis, scale, look, signs, writer)
    underlined = any(cell.underline for cell in grid.cells.values())
    key: Prose = ()
    in_rows = grid.systems_fit_in_rows and not family.one_claim if look.rows == "auto" else look.rows == "systems"
    if not in_rows and lettered_columns and len(grid.system_names) > 2 and grid.down() > MOST_CHARACTERS_TURNED:
        grid, key = _with_letters(grid, signs, labels)
    table = (systems_in_rows if in_rows else datasets_in_rows)(
        grid,
        name="results",
        caption=sentences(what_is_shown(family, scale), role_of_metric(family)),
        legend=sentences(
            bold_in_words(
                family,
                look.bold,
                second=underlined,
                where="" if family.one_claim or family.across_datasets else "on each dataset",
                signs=bool(signs.explanation),
            ),
            _own_instances(analysis, grid),
            units_in_words(family),
            signs.explanation,
            fields_in_words(look.pattern, writer.facts, family, scale, labels),
            () if grid.averages is None else grid.averages.words,
            _directions_and_sizes(family, look),
            key,
        ),
    )
    return ScoresTable(table=table, facts=writer.facts, underlined=underlined)


def _directions_and_sizes(family: Family, look: Appearance) -> Prose:
    first = family.comparisons[0]
    return sentences(
        direction_in_words(first, with_difference=family.one_claim or "diff" in look.pattern.fields),
        sizes_explained(first.assessments) if family.one_claim else (),
    )


def _grid(
    analysis: ReplicabilityAnalysis, scale: ScoreScale, look: Appearance, signs: Marking, writer: CellWriter
) -> ScoreGrid:
    family = analysis.family
    systems = grouped(systems_in_order(analysis), look.system_groups)
    datasets = grouped(family.datasets, look.dataset_groups)
    scores = _scores_of_pair(analysis) if family.one_claim else analysis.system_scores
    cells, means = _cells(analysis, scores, look, signs, writer)
    order = in_order(systems)
    found = None
    if look.average and not family.across_datasets:  # of which the scores are averages already
        found = averages(analysis, means, order, in_order(datasets), scale, look, signs)
    units = [item.unit for item in family.assessments]
    writer.facts = replace(writer.facts, units=tuple(f"{unit}s" for unit in dict.fromkeys(units)))
    return ScoreGrid(
        systems=systems,
        datasets=datasets,
        cells=cells,
        heads={name: signs.head(name) for name in order},
        sizes=_sizes_of_pair(analysis) if family.one_claim else _sizes(analysis),
        differences=_differences(analysis, scale),
        averages=found,
        average_difference=_average_difference(analysis, scale, found),
    )


def systems_in_order(analysis: ReplicabilityAnalysis) -> tuple[str, ...]:
    """Baselines first; of a pair, the system that is claimed to be better first."""
    first = analysis.family.comparisons[0]
    return (first.system_a, first.system_b) if analysis.family.one_claim else systems_of(analysis.family)


def _cells(
    analysis: ReplicabilityAnalysis,
    scores: Mapping[tuple[str, str], SystemScore],
    look: Appearance,
    signs: Marking,
    writer: CellWriter,
) -> tuple[dict[tuple[str, str], Cell], dict[tuple[str, str], float]]:
    """Finished cells, and unrounded scores, by (system, dataset)."""
    family = analysis.family
    statistical = look.bold == "statistical" and not exploratory(family)
    verdicts = verdicts_of(family) if statistical else None
    systems = systems_of(family)
    cells: dict[tuple[str, str], Cell] = {}
    means: dict[tuple[str, str], float] = {}
    for dataset in family.datasets:
        here = {name: scores[name, dataset] for name in systems if (name, dataset) in scores}
        values = {name: score.mean for name, score in here.items()}
        higher = next(iter(here.values())).higher_is_better
        set_off = (
            standing(values, dataset, verdicts, higher_is_better=higher, bold=look.bold, second=look.second)
            if here
            else Standing()
        )
        common = _common(analysis, dataset)
        for name, score in here.items():
            cell = writer.cell(name, dataset, score, signs.signs.get((name, dataset), ""), common)
            cells[name, dataset] = replace(cell, bold=name in set_off.bold, underline=name in set_off.second)
            means[name, dataset] = score.mean
    return cells, means


def _common(analysis: ReplicabilityAnalysis, dataset: str) -> tuple[str, ...]:
    """Both systems of a pair, as the data call them, where they are compared, and printed, on common instances only."""
    family = analysis.family
    first, scores = family.comparisons[0], analysis.system_scores
    if not family.one_claim or not scores:
        return ()
    item = first.assessments[first.datasets.index(dataset)]
    if item.shape not in _COMPARED_ON_COMMON or not item.n_dropped:
        return ()
    return tuple(scores[name, dataset].name for name in (first.system_a, first.system_b))


def _scores_of_pair(analysis: ReplicabilityAnalysis) -> dict[tuple[str, str], SystemScore]:
    """Scores on the instances that both systems are compared on."""
    first = analysis.family.comparisons[0]
    found: dict[tuple[str, str], SystemScore] = {}
    for item in first.assessments:
        for name, value in ((first.system_a, item.score_a), (first.system_b, item.score_b)):
            known = analysis.system_scores.get((name, item.dataset))
            score = SystemScore(value, item.n, item.higher_is_better)
            found[name, item.dataset] = score if known is None else replace(score, spread=known.spread)
    return found


def _differences(analysis: ReplicabilityAnalysis, scale: ScoreScale) -> dict[str, Cell]:
    """Differences of a pair by dataset."""
    family = analysis.family
    if not family.one_claim:
        return {}
    return {
        item.dataset: Cell.of(scale.difference(item.score_difference)) for item in family.comparisons[0].assessments
    }


def _average_difference(analysis: ReplicabilityAnalysis, scale: ScoreScale, found: Averages | None) -> Cell:
    if found is None or not analysis.family.one_claim:
        return Cell()
    values = [item.score_difference for item in analysis.family.comparisons[0].assessments]
    return Cell.of(scale.difference(sum(values) / len(values)))


def _sizes_of_pair(analysis: ReplicabilityAnalysis) -> dict[str, str]:
    items = analysis.family.comparisons[0].assessments
    known = all(item.n is not None for item in items)
    return {item.dataset: size_text(item) if known else "" for item in items}


def _sizes(analysis: ReplicabilityAnalysis) -> dict[str, str]:
    """Number of instances of each dataset, as a range where systems differ; empty where it is not known."""
    written = {}
    systems = systems_of(analysis.family)
    for dataset in analysis.family.datasets:
        known = [
            analysis.system_scores[name, dataset].n for name in systems if (name, dataset) in analysis.system_scores
        ]
        ns = [n for n in known if n is not None]
        written[dataset] = "" if not ns else f"{min(ns):,}" if min(ns) == max(ns) else f"{min(ns):,}–{max(ns):,}"
    return written


def _own_instances(analysis: ReplicabilityAnalysis, grid: ScoreGrid) -> Prose:
    if analysis.family.one_claim or analysis.settings.missing != "drop":
        return ()
    if not any("–" in size for size in grid.sizes.values()):
        return ()
    return prose(
        "Each score is the mean over all instances that the system was scored on; pairs are compared on those that "
        "both have."
    )


def _with_letters(grid: ScoreGrid, signs: Marking, labels: Labels) -> tuple[ScoreGrid, Prose]:
    """Systems in columns under letters, and the key to them."""
    letters = signs.letters or {name: letter(index) for index, name in enumerate(grid.system_names)}
    parts: list[Inline] = []
    for number, name in enumerate(grid.system_names):
        parts += [Text(f"{'; ' if number else ''}({letters[name]}) "), name_in_print(name, labels)]
    heads = {name: f"({letters[name]})" for name in grid.system_names}
    return replace(grid, heads=heads), prose("{key}.", key=joined(parts))
