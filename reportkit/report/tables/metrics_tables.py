"""One dataset and several metrics: one table for all of them instead of one each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reportkit.appearance import Appearance, Bold
from reportkit.language.counts_and_lists import listed
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.model import Column, Row, Table
from reportkit.report.prose import Prose, plain, prose, sentences, text
from reportkit.report.score_format import ScoreScale
from reportkit.report.tables.bold import bold_in_words
from reportkit.report.tables.captions import printed_metric
from reportkit.report.tables.cell_fields import fields_in_words
from reportkit.report.tables.groups import systems_of
from reportkit.report.tables.marks import correction_words, marking, names_of_tests
from reportkit.report.tables.p_value_table import DISCORDANT
from reportkit.report.tables.scores_table import ScoresTable, scores_table


def metrics_table(analysis: ReplicabilityAnalysis, scales: Sequence[ScoreScale], look: Appearance) -> Table | None:
    """Put the results tables of the metrics into one: by default metrics in rows for a pair, in columns for more.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        Of several metrics.
    scales : sequence of ScoreScale
        How each is printed.
    look : Appearance
        As for every table of scores; groups of datasets play no role, and there is nothing to average.

    Returns
    -------
    Table or None
        None if there are several datasets, or the tables do not fit together.

    Raises
    ------
    SettingsError
        If the appearance asks for something that the comparisons do not have.
    """
    if len(analysis.datasets) > 1:
        return None
    rows = ("datasets" if analysis.one_claim else "systems") if look.rows == "auto" else look.rows
    of_metrics = replace(look, rows=rows, dataset_groups={})
    parts = [
        scores_table(part, scale, of_metrics, lettered_columns=False)
        for part, scale in zip(analysis.parts, scales, strict=True)
    ]
    directions = {item.metric: item.assessments[0].higher_is_better for item in analysis.comparisons}
    mixed = len(set(directions.values())) > 1
    heads = [
        (f"{name} ({scale.unit})" if scale.unit else name) + ((" ↑" if directions[name] else " ↓") if mixed else "")
        for name, scale in zip(analysis.metrics, scales, strict=True)
    ]
    tables = [part.table for part in parts]
    joined = _stacked(tables, heads) if rows == "datasets" else _side_by_side(tables, heads)
    if joined is None:
        return None
    legend = _legend(analysis, parts, scales, look)
    return replace(joined, caption=_caption(analysis), legend=legend, turned_head=(), may_turn=False)


def metrics_p_values(analysis: ReplicabilityAnalysis, tables: Sequence[Table]) -> Table | None:
    """Put the tables of p-values of the metrics into one; None as for `metrics_table`."""
    joined = _joined(analysis, tables, analysis.metrics)
    if joined is None:
        return None
    intervals = dict.fromkeys(interval.title for interval in analysis.kinds_of_intervals)
    headers = [plain(column.header) for column in joined.columns]
    return replace(
        joined,
        turned_head=(),
        may_turn=False,
        caption=prose(
            "{which} {p}-values on {dataset} ({test}, {how}).",
            which="One-sided and adjusted" if analysis.one_claim else "Adjusted one-sided",
            dataset=analysis.datasets[0],
            test=names_of_tests(analysis),
            how=correction_words(analysis),
        ),
        legend=sentences(
            prose(
                "Interval: of the difference ({titles}), not adjusted for the number of metrics.",
                titles=listed(intervals),
            )
            if any(header.endswith("interval") for header in headers)
            else (),
            prose(
                "{head}: number of {unit}s on which the two systems differ.",
                head=DISCORDANT,
                unit=analysis.kinds[0].unit,
            )
            if DISCORDANT in headers
            else (),
        ),
    )


def _joined(family: ReplicabilityAnalysis, tables: Sequence[Table], heads: Sequence[str]) -> Table | None:
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
        columns=(first.columns[0], *(Column.right(head) for head in heads)),
        rows=across([table.rows for table in tables]),
        header_rows=across([table.header_rows for table in tables]),
    )


def _caption(family: ReplicabilityAnalysis) -> Prose:
    first = family.comparisons[0]
    who = f"{first.system_a} and {first.system_b}" if family.one_claim else f"{len(systems_of(family))} systems"
    return sentences(
        prose(
            "{metrics} of {who} on {dataset}.",
            metrics=listed(printed_metric(metric, family) for metric in family.metrics),
            who=who,
            dataset=family.datasets[0],
        ),
        prose("{metric} is the primary metric.", metric=printed_metric(family.metrics[0], family)),
    )


def _legend(
    analysis: ReplicabilityAnalysis, parts: Sequence[ScoresTable], scales: Sequence[ScoreScale], look: Appearance
) -> Prose:
    exploratory = list(dict.fromkeys(item.metric for item in analysis.comparisons if item.exploratory))
    marked = replace(analysis, comparisons=tuple(item for item in analysis.comparisons if not item.exploratory))
    facts = parts[0].facts.with_others(part.facts for part in parts[1:])
    bold: Bold = look.bold
    where = "by each metric"
    signs = marking(marked, look.marks).explanation if look.pattern.marked else ()
    return sentences(
        bold_in_words(marked, bold, second=any(part.underlined for part in parts), where=where, signs=bool(signs)),
        prose("Of exploratory metrics, only the best score is in bold.")
        if exploratory and bold == "statistical"
        else (),
        signs,
        fields_in_words(look.pattern, facts, analysis, scales[0]),
        prose(
            "{them} {are} exploratory, and shown without signs.",
            them=listed(exploratory),
            are="is" if len(exploratory) == 1 else "are",
        )
        if exploratory
        else (),
        _directions(analysis, look),
    )


def _directions(family: ReplicabilityAnalysis, look: Appearance) -> Prose:
    """Which direction is better, where it is not higher for all metrics."""
    first = family.comparisons[0]
    directions = {item.metric: item.assessments[0].higher_is_better for item in family.comparisons}
    if all(directions.values()):
        return ()
    shown = family.one_claim or "diff" in look.pattern.fields
    difference = f"; a positive difference is in favour of {first.system_a}" if family.one_claim and shown else ""
    if any(directions.values()):
        return prose("↑: higher is better, ↓: lower is better{difference}.", difference=difference)
    return prose("Lower is better{difference}.", difference=difference)
