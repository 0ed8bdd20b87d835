"""Tables of many systems beside their scores: p-values by claim, k-hat of all pairs."""

from __future__ import annotations

from reportkit.appearance.appearance import Appearance
from reportkit.language.numerals import level_text
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import Family
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.model import Cell, Column, Row, Spanner, Table
from reportkit.report.prose import Cite, Prose, prose, sentences
from reportkit.report.tables.captions import shared_level, systems_of
from reportkit.report.tables.cells import p_text, text
from reportkit.report.tables.groups import grouped, in_order, rows_in_groups, spanners_over
from reportkit.report.tables.marks import (
    correction_words,
    letter,
    names_of_tests,
    sign_of,
    signs_in_words,
    style_of_levels,
)
from reportkit.report.tables.score_grid import MOST_CHARACTERS_ACROSS
from reportkit.report.text.wording import by_metric


def grid_p_values(family: Family, look: Appearance) -> Table:
    """Adjusted p-values by dataset and claim; many claims on few datasets stand in rows."""
    datasets, style = family.datasets, style_of_levels(look.marks)
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
                    text=p_text(float(comparison.adjusted_p_values[index])),
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
    baselines = dict.fromkeys(item.system_b for item in family.comparisons)
    caption = prose(
        "Adjusted one-sided {p}-values{by} for better than {baseline} ({test}, {how}).",
        by=by_metric(family.comparisons[0], family),
        baseline=next(iter(baselines)) if len(baselines) == 1 else "the baseline",
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
    baselines = dict.fromkeys(item.system_b for item in family.comparisons)
    head = Column(header=text("System" if len(baselines) == 1 else "Claim"), align="left")
    datasets = [Column(header=row.cells[0].text) for row in rows]
    claims = [
        Row(cells=(Cell(text=column.header), *(row.cells[index] for row in rows)))
        for index, column in enumerate(columns)
        if index
    ]
    return [head, *datasets], claims


def out_of_datasets(family: Family) -> str:
    """How many datasets a count is out of: "out of 5", or which where their number differs."""
    return f"out of {len(family.datasets)}" if family.on_same_datasets else "out of those that both systems have"


def slash_explained(family: Family) -> Prose:
    """What the number after a slash is, where there is one."""
    return () if family.on_same_datasets else prose("After the slash: how many datasets both systems have.")


def out_of(family: Family, comparison: Comparison) -> str:
    """After a slash, on how many datasets a comparison is, where that differs."""
    return "" if family.on_same_datasets else f"/{comparison.n_datasets}"


def _claim_header(family: Family, comparison: Comparison) -> str:
    baselines = dict.fromkeys(item.system_b for item in family.comparisons)
    return comparison.system_a if len(baselines) == 1 else f"{comparison.system_a} > {comparison.system_b}"


def k_hat_matrix_table(analysis: ReplicabilityAnalysis, look: Appearance | None = None) -> Table:
    """For all pairs: on at least how many datasets the system of the row is better than the system of the column.

    Systems stand in the order, and have the letters, that they have in the table of scores.
    """
    family = analysis.family
    systems = in_order(grouped(systems_of(family), (look or Appearance()).system_groups))
    level, metric = family.alpha[0], family.comparisons[0].metric
    compared = {(item.system_a, item.system_b): item for item in family.comparisons if item.metric == metric}
    lettered = [f"({letter(i)})" for i in range(len(systems))]
    columns = [Column(header=text("better"), align="left")]
    columns += [Column(header=text(sign), align="center") for sign in lettered]
    rows = []
    for sign, name in zip(lettered, systems, strict=True):
        cells = [Cell(text=text(f"{sign} {name}"))]
        for other in systems:
            found = compared.get((name, other))
            if found is None:
                cells.append(Cell(text=text("·" if other == name else "–")))
            else:
                k = found.k_hat[level].recommended
                cells.append(Cell(text=text(f"{k}{out_of(family, found)}"), bold=k > 0))
        rows.append(Row(cells=tuple(cells)))
    caption = prose(
        "Lower bound {k_hat} for the number of datasets, {out_of}, on which the system of the row is better than "
        "that of the column{by}; all bounds hold together with confidence 1 − {alpha}, {alpha} = {level} {cite}.",
        by=by_metric(family.comparisons[0], family),
        out_of=out_of_datasets(family),
        level=level_text(level),
        cite=Cite(("dror2017replicability", "goeman2011multiple")),
    )
    apart = len(compared) < len(systems) * (len(systems) - 1)
    legend = sentences(
        slash_explained(family),
        prose("A 0 is no evidence of equality."),
        prose("Systems with – share no dataset and are not compared.") if apart else (),
        shared_level(family),
    )
    return Table(name="replicability", caption=caption, legend=legend, columns=tuple(columns), rows=tuple(rows))
