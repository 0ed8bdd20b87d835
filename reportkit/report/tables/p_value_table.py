"""The tables of p-values: of a pair by dataset, or of many claims beside one another."""

from __future__ import annotations

from collections.abc import Mapping

from reportkit.appearance.appearance import Appearance
from reportkit.language.counts_and_lists import listed
from reportkit.language.numerals import percent_text
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import Family
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.model import Cell, Column, Row, Spanner, Table
from reportkit.report.prose import Prose, prose, sentences, text
from reportkit.report.score_format import ScoreScale, difference_interval, p_text
from reportkit.report.tables.groups import grouped, in_order, rows_in_groups, spanners_over
from reportkit.report.tables.marks import correction_words, names_of_tests, sign_of, signs_in_words, style_of_levels
from reportkit.report.tables.scores_table import MOST_CHARACTERS_ACROSS
from reportkit.report.text.effects import wins_sentence
from reportkit.report.text.hypotheses import by_metric


def p_value_table(
    analysis: ReplicabilityAnalysis, scale: ScoreScale, appearance: Appearance | None = None
) -> Table | None:
    """p-values and adjusted p-values by dataset; None for all pairs, where the machine-readable report holds them."""
    family, look = analysis.family, appearance or Appearance()
    if family.one_claim:
        return _pair_p_values(family, scale, look)
    if family.design in ("baselines", "separate"):
        return grid_p_values(family, look)
    return None


def _pair_p_values(family: Family, scale: ScoreScale, look: Appearance) -> Table:
    first, style = family.comparisons[0], style_of_levels(look.marks)
    differ = any(item.outcome.method != "printed" and item.outcome.n_nonzero is not None for item in first.assessments)
    tests = {item.outcome.test: item.outcome.title for item in first.assessments}
    intervals = {item.interval.title: item.interval.level for item in first.assessments if item.interval is not None}
    columns = [Column.left("Dataset")]
    if intervals:
        columns.append(Column.left(f"{percent_text(next(iter(intervals.values())))} interval"))
    if len(tests) > 1:
        columns.append(Column.left("Test"))
    if differ:
        columns.append(Column.right("Differ"))
    spanners: list[Spanner] = []
    for comparison in family.comparisons:
        if family.design == "both":
            claim = text(f"{comparison.system_a} > {comparison.system_b}")
            spanners.append(Spanner(header=claim, first=len(columns), last=len(columns) + 1))
        columns += [Column.right(prose("{p}")), Column.right("adjusted")]
    rows = []
    for index, item in enumerate(first.assessments):
        cells = [Cell.of(item.dataset)]
        if intervals:
            cells.append(Cell.of(difference_interval(item, scale) or "–"))
        if len(tests) > 1:
            cells.append(Cell.of(item.outcome.test))
        if differ:
            n_nonzero = item.outcome.n_nonzero
            cells.append(Cell.of("–" if n_nonzero is None else f"{n_nonzero:,}"))
        rows.append(Row(cells=(*cells, *_p_value_cells(family, index, style))))
    groups = grouped(first.datasets, look.dataset_groups if first.n_datasets > 1 else {})
    rows = list(rows_in_groups(groups, dict(zip(first.datasets, rows, strict=True)), len(columns)))
    caption = prose(
        "One-sided {p}-values{of}{test}, and adjusted ({how}).",
        of=f" for {first.metric}" if family.several_metrics else "",
        test=f" of the {next(iter(tests.values()))}" if len(tests) == 1 else " by dataset",
        how=correction_words(family),
    )
    legend = sentences(
        signs_in_words(family, style),
        _intervals_explained(first, intervals, scale),
        _differ_explained(first) if differ else (),
        prose("{them}.", them="; ".join(f"{name}: {title}" for name, title in tests.items())) if len(tests) > 1 else (),
    )
    return Table(
        name="p-values",
        caption=caption,
        legend=legend,
        columns=tuple(columns),
        rows=tuple(rows),
        spanners=tuple(spanners),
    )


def _p_value_cells(family: Family, index: int, style: str) -> list[Cell]:
    """p-value and adjusted p-value of one dataset, of each direction."""
    cells = []
    for comparison in family.comparisons:
        adjusted = float(comparison.adjusted_p_values[index])
        cells.append(Cell.of(p_text(float(comparison.p_values[index]))))
        cells.append(Cell.of(p_text(adjusted), mark=sign_of(comparison, index, family.alpha, style)))
    return cells


def _intervals_explained(comparison: Comparison, intervals: Mapping[str, float], scale: ScoreScale) -> Prose:
    if not intervals:
        return ()
    if wins_sentence(comparison):
        return prose(
            "Interval: of the share of wins minus the share of losses ({titles}), not adjusted for the number of "
            "datasets.",
            titles=listed(intervals),
        )
    return prose(
        "Interval: of the difference{in_points} ({titles}), not adjusted for the number of datasets.",
        in_points=f" in {scale.points}" if scale.points else "",
        titles=listed(intervals),
    )


def _differ_explained(comparison: Comparison) -> Prose:
    if comparison.assessments[0].shape == "correlation":
        pearson = comparison.assessments[0].metric == "pearson"
        how = "predict differently, apart from units" if pearson else "rank differently"
        return prose("Differ: number of instances that the two systems {how}.", how=how)
    clustered = [item.outcome.n_clusters is not None for item in comparison.assessments]
    unit = comparison.assessments[0].unit
    units = "clusters" if all(clustered) else f"{unit}s (or clusters)" if any(clustered) else f"{unit}s"
    return prose("Differ: number of {units} on which the two systems differ.", units=units)


def grid_p_values(family: Family, look: Appearance) -> Table:
    """Adjusted p-values by dataset and claim; many claims on few datasets stand in rows."""
    datasets, style = family.datasets, style_of_levels(look.marks)
    across = sum(max(len(_claim_header(family, item)), 6) + 2 for item in family.comparisons)
    turned = family.n_claims > len(datasets) and across > MOST_CHARACTERS_ACROSS
    turned = turned or (family.several_metrics and len(datasets) == 1)
    columns = [Column.left("Dataset")]
    columns += [Column.right(_claim_header(family, item)) for item in family.comparisons]
    rows = []
    for dataset in datasets:
        cells = [Cell.of(dataset)]
        for comparison in family.comparisons:
            if dataset not in comparison.datasets:
                cells.append(Cell.of("–"))
                continue
            index = comparison.datasets.index(dataset)
            cells.append(
                Cell.of(
                    p_text(float(comparison.adjusted_p_values[index])),
                    mark=sign_of(comparison, index, family.alpha, style),
                )
            )
        rows.append(Row(cells=tuple(cells)))
    groups = grouped(datasets, look.dataset_groups if len(datasets) > 1 else {})
    by_dataset = dict(zip(datasets, rows, strict=True))
    spanners: tuple[Spanner, ...] = ()
    if turned:
        columns, rows = _turned(columns, [by_dataset[name] for name in in_order(groups)], family)
        spanners = spanners_over(groups, 1)
    else:
        rows = list(rows_in_groups(groups, by_dataset, len(columns)))
    caption = prose(
        "Adjusted one-sided {p}-values{by} for better than {baseline} ({test}, {how}).",
        by=by_metric(family.comparisons[0], family),
        baseline=family.systems_b[0] if len(family.systems_b) == 1 else "the baseline",
        test=names_of_tests(family),
        how=correction_words(family),
    )
    legend = signs_in_words(family, style)
    return Table(
        name="p-values",
        caption=caption,
        legend=legend,
        columns=tuple(columns),
        rows=tuple(rows),
        spanners=spanners,
    )


def _turned(columns: list[Column], rows: list[Row], family: Family) -> tuple[list[Column], list[Row]]:
    """Claims in rows, datasets in columns."""
    head = Column.left("System" if len(family.systems_b) == 1 else "Claim")
    datasets = [Column.right(row.cells[0].text) for row in rows]
    claims = [
        Row(cells=(Cell.of(column.header), *(row.cells[index] for row in rows)))
        for index, column in enumerate(columns)
        if index
    ]
    return [head, *datasets], claims


def _claim_header(family: Family, comparison: Comparison) -> str:
    return comparison.system_a if len(family.systems_b) == 1 else f"{comparison.system_a} > {comparison.system_b}"
