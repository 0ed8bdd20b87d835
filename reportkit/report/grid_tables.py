"""Tables of many systems: scores by system and dataset, p-values by claim, k-hat of all pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reportkit.appearance import Appearance
from reportkit.numerals import level_text
from reportkit.replicability.analysis import ReplicabilityAnalysis
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import Family
from reportkit.replicability.system_scores import SystemScore
from reportkit.report.captions import (
    direction_in_words,
    marks_explained,
    role_of_metric,
    shared_level,
    systems_of,
    units_in_words,
    what_is_shown,
)
from reportkit.report.cells import best_of, p_text, text
from reportkit.report.marks import MOST_LETTERS, correction_words, letter, mark, names_of_tests, signs_and_levels
from reportkit.report.model import Cell, Column, Row, Table
from reportkit.report.prose import Cite, Prose, prose, sentences
from reportkit.report.scores import ScoreScale
from reportkit.report.wording import by_metric

MOST_CHARACTERS_ACROSS = 60
"""Systems stand in rows unless that makes a table of more characters across than this, and turning it helps."""

MOST_CHARACTERS_TURNED = 90
"""Systems in columns get letters as headers, explained in the caption, in a table of more characters than this."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Grid:
    """Scores with their signs by (system, dataset), and sizes of the datasets as they are printed."""

    systems: tuple[str, ...]
    datasets: tuple[str, ...]
    cells: Mapping[tuple[str, str], Cell]
    sizes: Mapping[str, str]
    second: bool

    def cell(self, system: str, dataset: str) -> Cell:
        return self.cells.get((system, dataset), Cell(text=text("–")))


def grid_table(analysis: ReplicabilityAnalysis, scale: ScoreScale, appearance: Appearance | None = None) -> Table:
    """Scores of many systems on the datasets, best in bold and second best underlined, with marks."""
    family = analysis.family
    grid = _grid(analysis, scale)
    heads = {name: _label(family, grid.systems, name) for name in grid.systems}
    across = len(max(grid.systems, key=len)) + sum(max(len(name), 6) + 2 for name in grid.datasets)
    down = len(max(grid.datasets, key=len)) + sum(max(len(head), 6) + 2 for head in heads.values()) + 8
    legend: Prose = ()
    if across <= MOST_CHARACTERS_ACROSS or across <= down:
        columns, header_rows, rows = _systems_in_rows(grid, heads)
    else:
        if down > MOST_CHARACTERS_TURNED:
            legend = prose("{systems}.", systems="; ".join(f"({letter(i)}) {s}" for i, s in enumerate(grid.systems)))
            heads = {name: f"({letter(i)})" for i, name in enumerate(grid.systems)}
        columns, header_rows, rows = _systems_in_columns(grid, heads)
    caption = sentences(
        what_is_shown(family, scale),
        prose(f"Best score on each dataset in bold{', second best underlined' if grid.second else ''}."),
        _own_instances(analysis, grid),
        units_in_words(family),
        role_of_metric(family),
        marks_explained(family),
        direction_in_words(family.comparisons[0]),
        legend,
    )
    return Table(name="results", caption=caption, columns=columns, rows=rows, header_rows=header_rows)


def _grid(analysis: ReplicabilityAnalysis, scale: ScoreScale) -> _Grid:
    family, scores = analysis.family, analysis.system_scores
    systems = systems_of(family)
    signs = _grid_marks(family, systems)
    cells: dict[tuple[str, str], Cell] = {}
    second = False
    for dataset in family.datasets:
        here = [name for name in systems if (name, dataset) in scores]
        best, runners_up = _ranked(here, dataset, scores)
        second = second or bool(runners_up)
        for name in here:
            cells[name, dataset] = Cell(
                text=text(scale.score(scores[name, dataset].mean)),
                mark=signs.get((name, dataset), ""),
                bold=name in best,
                underline=name in runners_up,
            )
    sizes = _sizes(analysis, systems)
    return _Grid(systems=systems, datasets=family.datasets, cells=cells, sizes=sizes, second=second)


def _ranked(
    here: list[str], dataset: str, scores: Mapping[tuple[str, str], SystemScore]
) -> tuple[frozenset[str], frozenset[str]]:
    """All that are best, and all that are second best if there are more than two systems."""
    higher = scores[here[0], dataset].higher_is_better

    def top(names: list[str]) -> frozenset[str]:
        flags = best_of([scores[name, dataset].mean for name in names], higher)
        return frozenset(name for name, flag in zip(names, flags, strict=True) if flag)

    best = top(here)
    rest = [name for name in here if name not in best]
    return best, top(rest) if rest and len(here) > 2 else frozenset()


_Layout = tuple[tuple[Column, ...], tuple[Row, ...], tuple[Row, ...]]


def _systems_in_rows(grid: _Grid, heads: Mapping[str, str]) -> _Layout:
    columns = (Column(header=text("System"), align="left"), *(Column(header=text(name)) for name in grid.datasets))
    sizes = Row(cells=(Cell(text=prose("{n}")), *(Cell(text=text(grid.sizes[name])) for name in grid.datasets)))
    rows = tuple(
        Row(cells=(Cell(text=text(heads[name])), *(grid.cell(name, dataset) for dataset in grid.datasets)))
        for name in grid.systems
    )
    return columns, (sizes,) if any(grid.sizes.values()) else (), rows


def _systems_in_columns(grid: _Grid, heads: Mapping[str, str]) -> _Layout:
    with_n = any(grid.sizes.values())
    columns = (
        Column(header=text("Dataset"), align="left"),
        *((Column(header=prose("{n}")),) if with_n else ()),
        *(Column(header=text(heads[name])) for name in grid.systems),
    )
    rows = tuple(
        Row(
            cells=(
                Cell(text=text(dataset)),
                *((Cell(text=text(grid.sizes[dataset])),) if with_n else ()),
                *(grid.cell(name, dataset) for name in grid.systems),
            )
        )
        for dataset in grid.datasets
    )
    return columns, (), rows


def _own_instances(analysis: ReplicabilityAnalysis, grid: _Grid) -> Prose:
    if analysis.settings.missing != "drop" or not any("–" in size for size in grid.sizes.values()):
        return ()
    return prose(
        "Each score is the mean over all instances that the system was scored on; pairs are compared on those that "
        "both have."
    )


def _sizes(analysis: ReplicabilityAnalysis, systems: tuple[str, ...]) -> dict[str, str]:
    """Number of instances of each dataset, as a range where systems differ; empty where it is not known."""
    written = {}
    for dataset in analysis.family.datasets:
        known = [
            analysis.system_scores[name, dataset].n for name in systems if (name, dataset) in analysis.system_scores
        ]
        ns = [n for n in known if n is not None]
        written[dataset] = "" if not ns else f"{min(ns):,}" if min(ns) == max(ns) else f"{min(ns):,}–{max(ns):,}"
    return written


def _grid_marks(family: Family, systems: tuple[str, ...]) -> dict[tuple[str, str], str]:
    if family.design in ("baselines", "separate"):
        return _baseline_marks(family)
    level = family.alpha[0]
    beaten: dict[tuple[str, str], list[str]] = {}
    for comparison in family.comparisons:
        for dataset, marked in zip(comparison.datasets, comparison.marked(level), strict=True):
            if marked:
                beaten.setdefault((comparison.system_a, dataset), []).append(comparison.system_b)
    if len(systems) > MOST_LETTERS:
        return {key: str(len(names)) for key, names in beaten.items()}
    return {key: "".join(sorted(letter(systems.index(name)) for name in names)) for key, names in beaten.items()}


def _baseline_marks(family: Family) -> dict[tuple[str, str], str]:
    baselines = tuple(dict.fromkeys(item.system_b for item in family.comparisons))
    marks: dict[tuple[str, str], str] = {}
    for comparison in family.comparisons:
        for index, dataset in enumerate(comparison.datasets):
            if len(baselines) == 1:
                signs = mark(comparison, index, family.alpha)
            else:
                better = bool(comparison.marked(family.alpha[0])[index])
                signs = letter(baselines.index(comparison.system_b)) if better else ""
            key = (comparison.system_a, dataset)
            marks[key] = marks.get(key, "") + signs
    return marks


def _label(family: Family, systems: tuple[str, ...], name: str) -> str:
    if family.design == "all-pairs" and len(systems) <= MOST_LETTERS:
        return f"({letter(systems.index(name))}) {name}"
    return name


def grid_p_values(family: Family) -> Table:
    """Adjusted p-values by dataset and claim; many claims on few datasets stand in rows."""
    datasets = family.datasets
    across = sum(max(len(_claim_header(family, item)), 6) + 2 for item in family.comparisons)
    turned = family.n_claims > len(datasets) and across > MOST_CHARACTERS_ACROSS
    turned = turned or (family.several_metrics and len(datasets) == 1)
    columns = [Column(header=text("Dataset"), align="left")]
    columns += [Column(header=text(_claim_header(family, item))) for item in family.comparisons]
    rows = []
    for dataset in datasets:
        cells = [Cell(text=text(dataset))]
        for comparison in family.comparisons:
            if dataset not in comparison.datasets:
                cells.append(Cell(text=text("–")))
                continue
            index = comparison.datasets.index(dataset)
            cells.append(
                Cell(
                    text=p_text(float(comparison.adjusted_p_values[index])), mark=mark(comparison, index, family.alpha)
                )
            )
        rows.append(Row(cells=tuple(cells)))
    if turned:
        columns, rows = _turned(columns, rows, family)
    baselines = dict.fromkeys(item.system_b for item in family.comparisons)
    caption = prose(
        "Adjusted one-sided p-values{by} for better than {baseline} ({test}, {how}){signs}.",
        by=by_metric(family.comparisons[0], family),
        baseline=next(iter(baselines)) if len(baselines) == 1 else "the baseline",
        test=names_of_tests(family),
        how=correction_words(family),
        signs=() if family.comparisons[0].exploratory else prose(". {them}", them=signs_and_levels(family.alpha)),
    )
    return Table(name="p-values", caption=caption, columns=tuple(columns), rows=tuple(rows))


def _turned(columns: list[Column], rows: list[Row], family: Family) -> tuple[list[Column], list[Row]]:
    """Claims in rows, datasets in columns."""
    baselines = dict.fromkeys(item.system_b for item in family.comparisons)
    head = Column(header=text("System" if len(baselines) == 1 else "Claim"), align="left")
    datasets = [Column(header=row.cells[0].text) for row in rows]
    claims = [
        Row(cells=(Cell(text=column.header), *(row.cells[index] for row in rows)))
        for index, column in enumerate(columns)
        if index
    ]
    return [head, *datasets], claims


def _claim_header(family: Family, comparison: Comparison) -> str:
    baselines = dict.fromkeys(item.system_b for item in family.comparisons)
    return comparison.system_a if len(baselines) == 1 else f"{comparison.system_a} > {comparison.system_b}"


def k_hat_matrix_table(analysis: ReplicabilityAnalysis) -> Table:
    """For all pairs: on at least how many datasets the system of the row is better than the system of the column."""
    family = analysis.family
    systems = systems_of(family)
    level, metric = family.alpha[0], family.comparisons[0].metric
    lettered = [f"({letter(i)})" for i in range(len(systems))]
    columns = [Column(header=text("better"), align="left")]
    columns += [Column(header=text(sign), align="center") for sign in lettered]
    rows = []
    for sign, name in zip(lettered, systems, strict=True):
        cells = [Cell(text=text(f"{sign} {name}"))]
        for other in systems:
            if other == name:
                cells.append(Cell(text=text("·")))
            else:
                k = family[name, other, metric].k_hat[level].recommended
                cells.append(Cell(text=text(str(k)), bold=k > 0))
        rows.append(Row(cells=tuple(cells)))
    caption = sentences(
        prose(
            "Lower bound {k_hat} for the number of datasets, out of {count}, on which the system of the row is "
            "better than that of the "
            "column{by}; all bounds hold together with confidence 1 − {alpha}, {alpha} = {level} {cite}.",
            by=by_metric(family.comparisons[0], family),
            count=len(family.datasets),
            level=level_text(level),
            cite=Cite(("dror2017replicability", "goeman2011multiple")),
        ),
        prose("A 0 is no evidence of equality."),
        shared_level(family),
    )
    return Table(name="replicability", caption=caption, columns=tuple(columns), rows=tuple(rows))
