"""One dataset and several metrics: one table for all of them instead of one each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reportkit.phrases import listed
from reportkit.replicability.analysis import ReplicabilityAnalysis
from reportkit.replicability.family import Family
from reportkit.report.captions import marks_explained, systems_of
from reportkit.report.cells import text
from reportkit.report.marks import correction_words, names_of_tests, signs_and_levels
from reportkit.report.model import Column, Row, Table
from reportkit.report.prose import Prose, prose, sentences
from reportkit.report.scores import ScoreScale
from reportkit.report.wording import plain


def metrics_table(
    analysis: ReplicabilityAnalysis, tables: Sequence[Table], scales: Sequence[ScoreScale]
) -> Table | None:
    """Put the results tables of the metrics into one, metrics in rows for a pair of systems, in columns for more.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        Of several metrics.
    tables : sequence of Table
        Results by metric.
    scales : sequence of ScoreScale
        How each is printed.

    Returns
    -------
    Table or None
        None if there are several datasets, or the tables do not fit together.
    """
    family = analysis.family
    heads = [
        f"{name} ({scale.unit})" if scale.unit else name for name, scale in zip(family.metrics, scales, strict=True)
    ]
    joined = _joined(family, tables, heads)
    return None if joined is None else replace(joined, caption=_caption(family, tables))


def metrics_p_values(analysis: ReplicabilityAnalysis, tables: Sequence[Table]) -> Table | None:
    """Put the tables of p-values of the metrics into one; None as for `metrics_table`."""
    family = analysis.family
    joined = _joined(family, tables, family.metrics)
    if joined is None:
        return None
    items = [item for comparison in family.comparisons for item in comparison.assessments]
    intervals = dict.fromkeys(item.interval.title for item in items if item.interval is not None)
    headers = [plain(column.header) for column in joined.columns]
    return replace(
        joined,
        caption=sentences(
            prose(
                "{which} {p}-values on {dataset} ({test}, {how}); {signs}.",
                which="One-sided and adjusted" if family.one_claim else "Adjusted one-sided",
                dataset=family.datasets[0],
                test=names_of_tests(family),
                how=correction_words(family),
                signs=signs_and_levels(family.alpha),
            ),
            prose(
                "Interval: of the difference ({titles}), not adjusted for the number of metrics.",
                titles=listed(intervals),
            )
            if any(header.endswith("interval") for header in headers)
            else (),
            prose("Differ: number of {units}s on which the two systems differ.", units=items[0].unit)
            if "Differ" in headers
            else (),
        ),
    )


def _joined(family: Family, tables: Sequence[Table], heads: Sequence[str]) -> Table | None:
    if len(family.datasets) > 1:
        return None
    return _stacked(tables, heads) if family.one_claim else _side_by_side(tables, heads)


def _stacked(tables: Sequence[Table], heads: Sequence[str]) -> Table | None:
    """Rows of all metrics below one another; the first column names the metric instead of the dataset."""
    first = tables[0]
    if any(table.columns != first.columns for table in tables):
        return None
    rows = [
        Row(cells=(replace(row.cells[0], text=text(head)), *row.cells[1:]))
        for table, head in zip(tables, heads, strict=True)
        for row in table.rows
    ]
    return replace(
        first, columns=(replace(first.columns[0], header=text("Metric")), *first.columns[1:]), rows=tuple(rows)
    )


def _side_by_side(tables: Sequence[Table], heads: Sequence[str]) -> Table | None:
    """Columns of all metrics beside one another; each names the metric instead of the dataset."""
    first = tables[0]
    labels = [row.cells[0] for row in first.rows]
    if any(len(table.columns) != 2 or [row.cells[0] for row in table.rows] != labels for table in tables):
        return None
    if any(len(table.header_rows) != len(first.header_rows) for table in tables):
        return None

    def across(rows: Sequence[Sequence[Row]]) -> tuple[Row, ...]:
        return tuple(
            replace(row, cells=(row.cells[0], *(each[index].cells[1] for each in rows)))
            for index, row in enumerate(rows[0])
        )

    return replace(
        first,
        columns=(first.columns[0], *(Column(header=text(head)) for head in heads)),
        rows=across([table.rows for table in tables]),
        header_rows=across([table.header_rows for table in tables]),
    )


def _caption(family: Family, tables: Sequence[Table]) -> Prose:
    first = family.comparisons[0]
    directions = {item.metric: item.assessments[0].higher_is_better for item in family.comparisons}
    lower = [metric for metric, higher in directions.items() if not higher]
    exploratory = list(dict.fromkeys(item.metric for item in family.comparisons if item.exploratory))
    underlined = any(cell.underline for table in tables for row in table.rows for cell in row.cells)
    who = f"{first.system_a} and {first.system_b}" if family.one_claim else f"{len(systems_of(family))} systems"
    marked = tuple(item for item in family.comparisons if not item.exploratory)
    return sentences(
        prose("{metrics} of {who} on {dataset}.", metrics=listed(family.metrics), who=who, dataset=family.datasets[0]),
        prose(f"Best score by each metric in bold{', second best underlined' if underlined else ''}."),
        prose("{metric} is the primary metric.", metric=family.metrics[0]),
        marks_explained(replace(family, comparisons=marked)),
        prose(
            "{them} {are} exploratory, and shown without signs.",
            them=listed(exploratory),
            are="is" if len(exploratory) == 1 else "are",
        )
        if exploratory
        else (),
        prose(
            "{them}: lower is better{difference}.",
            them=listed(lower),
            difference=f"; a positive difference is in favour of {first.system_a}" if family.one_claim else "",
        )
        if lower
        else (),
    )
