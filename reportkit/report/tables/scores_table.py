"""The table of scores, of a pair or of many systems: systems in rows, or datasets in rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reportkit.appearance import Appearance
from reportkit.language.metric_names import metric_short
from reportkit.replicability.comparison import SystemScore
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.model import Cell, Column, Row, Table
from reportkit.report.prose import Prose, plain, prose, sentences, text
from reportkit.report.score_format import ScoreScale
from reportkit.report.tables.averages import AVERAGE, averages
from reportkit.report.tables.bold import Standing, bold_in_words, exploratory, standing, verdicts_of
from reportkit.report.tables.captions import direction_in_words, role_of_metric, units_in_words, what_is_shown
from reportkit.report.tables.cell_fields import CellWriter, Facts, fields_in_words
from reportkit.report.tables.groups import (
    Group,
    grouped,
    in_order,
    rows_in_groups,
    spanners_over,
    systems_in_order,
    systems_of,
)
from reportkit.report.tables.marks import WINS, Marking, letter, marking
from reportkit.report.tables.turned import characters, turned
from reportkit.report.text.shapes import size_text, sizes_explained

MOST_CHARACTERS_ACROSS = 60
"""Systems stand in rows unless that makes a table of more characters across than this, and turning it helps."""

MOST_CHARACTERS_TURNED = 90
"""Systems in columns get letters as headers, explained in the legend, in a table of more characters than this."""

DIFFERENCE = "Diff."


def laid_out(
    *,
    systems: Sequence[Group],
    datasets: Sequence[Group],
    cells: Mapping[tuple[str, str], Cell],
    heads: Mapping[str, str],
    below: Sequence[Row] = (),
    behind: Mapping[str, Mapping[str, Cell]] | None = None,
    header_rows: Sequence[Row] = (),
) -> Table:
    """Systems in rows and datasets in columns, to be turned where that is better.

    Parameters
    ----------
    systems, datasets : sequence of Group
        In the order of the table.
    cells : mapping of (str, str) to Cell
        By system and dataset; a dash stands where there is none.
    heads : mapping of str to str
        What is printed as the name of a system.
    below : sequence of Row
        Rows below all systems: name and cells by dataset, further columns left away.
    behind : mapping of str to mapping of str to Cell, optional
        Further columns by their headers, with cells by system, or by the name of a row below.
    header_rows : sequence of Row
        What is said of each dataset: name and cells by dataset.
    """
    names, further = in_order(datasets), behind or {}
    columns = (
        Column.left("System"),
        *map(Column.right, names),
        *(Column.right(header, apart=True) for header in further),
    )

    def full(row: Row) -> Row:
        more = [further[header].get(plain(row.cells[0].text), Cell()) for header in further]
        return replace(row, cells=(*row.cells, *more))

    def row(system: str) -> Row:
        scores = [cells.get((system, dataset), Cell.of("–")) for dataset in names]
        more = [further[header].get(system, Cell()) for header in further]
        return Row(cells=(Cell.of(heads[system]), *scores, *more))

    rows = rows_in_groups(systems, {name: row(name) for name in in_order(systems)}, len(columns))
    return Table(
        name="results",
        caption=(),
        columns=columns,
        rows=(*rows, *map(full, below)),
        header_rows=tuple(map(full, header_rows)),
        spanners=spanners_over(datasets, 1),
        turned_head=text("Dataset"),
    )


def on_its_side(table: Table, look: Appearance, *, datasets_first: bool = False) -> Table:
    """The side that was asked for; else the one that needs fewer characters across, which a layout may still turn."""
    if look.rows != "auto":
        return table if look.rows == "systems" else turned(table)
    other = turned(table)
    wide = characters(table)
    turn = datasets_first or (wide > MOST_CHARACTERS_ACROSS and wide > characters(other) + _WORTH_TURNING)
    return replace(other if turn else table, may_turn=True)


_WORTH_TURNING = 8


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
    order = systems_in_order(analysis, look)
    signs = marking(analysis, look.marks, order)
    if not look.pattern.marked:
        signs = Marking(style="none")
    writer = CellWriter(pattern=look.pattern, scale=scale, family=analysis)
    systems, datasets = grouped(order, look.system_groups), grouped(analysis.datasets, look.dataset_groups)
    scores = _scores_of_pair(analysis) if analysis.one_claim else analysis.system_scores
    cells, means = _cells(analysis, scores, look, signs, writer)
    found = None
    if look.average and not analysis.across_datasets:  # of which the scores are averages already
        found = averages(analysis, means, order, in_order(datasets), scale, look, signs)
    units = [item.unit for item in analysis.kinds]
    writer.facts = replace(writer.facts, units=tuple(f"{unit}s" for unit in dict.fromkeys(units)))
    sizes = _sizes_of_pair(analysis) if analysis.one_claim else _sizes(analysis)
    table = laid_out(
        systems=systems,
        datasets=datasets,
        cells=cells,
        heads={name: signs.head(name) for name in order},
        below=_differences(analysis, scale, in_order(datasets)),
        behind={
            **({} if found is None else {AVERAGE: {**found.cells, DIFFERENCE: _average_difference(analysis, scale)}}),
            **({WINS: {name: Cell.of(str(n)) for name, n in signs.wins.items()}} if signs.wins else {}),
        },
        header_rows=[*_metrics(analysis, in_order(datasets)), *_size_row(sizes, in_order(datasets))],
    )
    table = on_its_side(table, look, datasets_first=analysis.one_claim)
    key: Prose = ()
    in_columns = plain(table.columns[0].header) == "Dataset"
    if in_columns and lettered_columns and len(order) > 2 and characters(table) > MOST_CHARACTERS_TURNED:
        table, key = _with_letters(table, order, signs)
    underlined = any(cell.underline for cell in cells.values())
    table = replace(
        table,
        caption=sentences(what_is_shown(analysis, scale), role_of_metric(analysis)),
        legend=sentences(
            bold_in_words(
                analysis,
                look.bold,
                second=underlined,
                where="" if analysis.one_claim or analysis.across_datasets else "on each dataset",
                signs=bool(signs.explanation),
            ),
            _own_instances(analysis, sizes),
            units_in_words(analysis),
            signs.explanation,
            fields_in_words(look.pattern, writer.facts, analysis, scale),
            () if found is None else found.words,
            _directions_and_sizes(analysis, look),
            key,
        ),
    )
    return ScoresTable(table=table, facts=writer.facts, underlined=underlined)


def _directions_and_sizes(family: ReplicabilityAnalysis, look: Appearance) -> Prose:
    first = family.comparisons[0]
    return sentences(
        direction_in_words(first, with_difference=family.one_claim or "diff" in look.pattern.fields),
        sizes_explained(first.assessments) if family.one_claim else (),
    )


def _cells(
    analysis: ReplicabilityAnalysis,
    scores: Mapping[tuple[str, str], SystemScore],
    look: Appearance,
    signs: Marking,
    writer: CellWriter,
) -> tuple[dict[tuple[str, str], Cell], dict[tuple[str, str], float]]:
    """Finished cells, and unrounded scores, by (system, dataset)."""
    statistical = look.bold == "statistical" and not exploratory(analysis)
    verdicts = verdicts_of(analysis) if statistical else None
    systems = systems_of(analysis)
    cells: dict[tuple[str, str], Cell] = {}
    means: dict[tuple[str, str], float] = {}
    for dataset in analysis.datasets:
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
    first, scores = analysis.comparisons[0], analysis.system_scores
    if not analysis.one_claim or not scores:
        return ()
    item = first.assessments[first.datasets.index(dataset)]
    if item.shape not in _COMPARED_ON_COMMON or not item.n_dropped:
        return ()
    return tuple(scores[name, dataset].name for name in (first.system_a, first.system_b))


def _scores_of_pair(analysis: ReplicabilityAnalysis) -> dict[tuple[str, str], SystemScore]:
    """Scores on the instances that both systems are compared on."""
    first = analysis.comparisons[0]
    found: dict[tuple[str, str], SystemScore] = {}
    for item in first.assessments:
        for name, value in ((first.system_a, item.score_a), (first.system_b, item.score_b)):
            known = analysis.system_scores.get((name, item.dataset))
            score = SystemScore(value, item.n, item.higher_is_better)
            found[name, item.dataset] = score if known is None else replace(score, spread=known.spread)
    return found


def _differences(analysis: ReplicabilityAnalysis, scale: ScoreScale, datasets: Sequence[str]) -> list[Row]:
    """Differences of a pair by dataset, as a row below it."""
    if not analysis.one_claim:
        return []
    items = {item.dataset: item for item in analysis.comparisons[0].assessments}
    cells = [Cell.of(scale.on(name).difference(items[name].score_difference)) for name in datasets]
    return [Row(cells=(Cell.of(DIFFERENCE), *cells), rule_above=True)]


def _average_difference(analysis: ReplicabilityAnalysis, scale: ScoreScale) -> Cell:
    if not analysis.one_claim:
        return Cell()
    values = [item.score_difference for item in analysis.comparisons[0].assessments]
    return Cell.of(scale.difference(sum(values) / len(values)))


def _metrics(family: ReplicabilityAnalysis, datasets: Sequence[str]) -> list[Row]:
    """What each dataset is scored by, where that differs."""
    metrics = {item.dataset: item.metric for item in family.kinds}
    if len(set(metrics.values())) == 1:
        return []
    return [Row(cells=(Cell.of("Metric"), *(Cell.of(_short(metrics[name], family)) for name in datasets)))]


def _short(metric: str, family: ReplicabilityAnalysis) -> str:
    return metric if metric in family.labels.values() else metric_short(metric)


def _size_row(sizes: Mapping[str, str], datasets: Sequence[str]) -> list[Row]:
    """Number of instances of each dataset; nothing where it is not known of any."""
    if not any(sizes.values()):
        return []
    return [Row(cells=(Cell.of(prose("{n}")), *(Cell.of(sizes[name]) for name in datasets)))]


def _sizes_of_pair(analysis: ReplicabilityAnalysis) -> dict[str, str]:
    items = analysis.comparisons[0].assessments
    known = all(item.n is not None for item in items)
    return {item.dataset: size_text(item) if known else "" for item in items}


def _sizes(analysis: ReplicabilityAnalysis) -> dict[str, str]:
    """Number of instances of each dataset, as a range where systems differ; empty where it is not known."""
    written = {}
    systems = systems_of(analysis)
    for dataset in analysis.datasets:
        known = [
            analysis.system_scores[name, dataset].n for name in systems if (name, dataset) in analysis.system_scores
        ]
        ns = [n for n in known if n is not None]
        written[dataset] = "" if not ns else f"{min(ns):,}" if min(ns) == max(ns) else f"{min(ns):,}–{max(ns):,}"
    return written


def _own_instances(analysis: ReplicabilityAnalysis, sizes: Mapping[str, str]) -> Prose:
    if analysis.one_claim or analysis.settings.missing != "drop":
        return ()
    if not any("–" in size for size in sizes.values()):
        return ()
    return prose(
        "Each score is the mean over all instances that the system was scored on; pairs are compared on those that "
        "both have."
    )


def _with_letters(table: Table, systems: Sequence[str], signs: Marking) -> tuple[Table, Prose]:
    """Systems in columns under letters, and the key to them."""
    letters = signs.letters or {name: letter(index) for index, name in enumerate(systems)}
    key = "; ".join(f"({letters[name]}) {name}" for name in systems)
    short = {signs.head(name): text(f"({letters[name]})") for name in systems}
    columns = tuple(
        replace(column, header=short.get(plain(column.header), column.header)) if index else column
        for index, column in enumerate(table.columns)
    )
    return replace(table, columns=columns, may_turn=False), prose("{key}.", key=key)
