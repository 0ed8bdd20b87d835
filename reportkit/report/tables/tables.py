"""The tables of a report: scores with marks, k-hat, p-values; those of many systems stand in `grid_tables`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reportkit.appearance.appearance import Appearance
from reportkit.language.counts_and_lists import listed, some
from reportkit.language.numerals import level_text, percent_text
from reportkit.replicability.comparison import Comparison, KHat
from reportkit.replicability.family import Family
from reportkit.replicability.multiple_testing.p_values import rejection_level
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.model import Cell, Column, Row, Spanner, Table
from reportkit.report.prose import Cite, Prose, prose, sentences
from reportkit.report.score_format import ScoreScale
from reportkit.report.tables.captions import shared_level
from reportkit.report.tables.cells import p_text, text
from reportkit.report.tables.grid_tables import grid_p_values, out_of, out_of_datasets, slash_explained
from reportkit.report.tables.groups import grouped, rows_in_groups
from reportkit.report.tables.marks import correction_words, sign_of, signs_in_words, style_of_levels
from reportkit.report.tables.scores_table import scores_table
from reportkit.report.text.correction_wording import separate_statements
from reportkit.report.text.wins_wording import wins_sentence
from reportkit.report.text.wording import interval_text

MOST_CLAIMS_ABOVE_ONE_ANOTHER = 12
"""With more claims, the levels of each stand beside one another in the table of k-hat, instead of below."""

MOST_NAMES = 12


def results_table(analysis: ReplicabilityAnalysis, scale: ScoreScale, appearance: Appearance | None = None) -> Table:
    """Scores of the systems on the datasets, the best in bold, with marks where a difference is identified.

    Raises
    ------
    SettingsError
        If the appearance asks for something that the comparisons do not have.
    """
    return scores_table(analysis, scale, appearance or Appearance()).table


def replicability_table(analysis: ReplicabilityAnalysis) -> Table:
    """k-hat of each comparison at each level: count, Bonferroni, Fisher, closed test; in bold the one to report."""
    family = analysis.family
    every = [k for comparison in family.comparisons for k in comparison.k_hat.values()]
    fisher, joint = any(k.fisher is not None for k in every), any(k.joint is not None for k in every)
    counts: list[Prose] = [prose("{k_hat_count}"), prose("{k_hat_bonferroni}")]
    if fisher:
        counts.append(prose("{k_hat_fisher}"))
    if joint:
        counts.append(prose("{k_hat}"))
    labels = [Column(header=text("Metric"), align="left")] if family.several_metrics else []
    labels.append(Column(header=text("Claim"), align="left"))
    beside = len(family.alpha) > 1 and family.n_claims > MOST_CLAIMS_ABOVE_ONE_ANOTHER
    set_out = _levels_beside if beside else _levels_below
    columns, rows, spanners = set_out(family, labels, counts, fisher=fisher, joint=joint)
    caption = prose(
        "Number of datasets, {out_of}, on which the claim (A > B: A is better than B) holds: lower bounds "
        "{k_hat} with confidence 1 − {alpha} {cite}, the one to report in bold.",
        out_of=out_of_datasets(family),
        cite=Cite(("dror2017replicability",)),
    )
    legend = sentences(
        slash_explained(family),
        prose(
            "{k_hat_count} counts {p} ≤ {level} without correction and carries no guarantee.",
            level=prose("{alpha}/2") if family.sides == 2 else prose("{alpha}"),
        ),
        prose(
            "{k_hat_bonferroni} holds under any dependence between the datasets and equals the number identified{by}.",
            by="" if family.several_metrics else " by Holm's procedure",
        ),
        prose("{k_hat_fisher} needs independent datasets.") if fisher and not joint else (),
        _named_apart(family) if joint else (),
        prose(
            "{k_hat} is the bound of the closed test {cite} that identifies datasets too; with all of them it holds at "
            "{alpha}, for independent datasets. {k_hat_bonferroni} and {k_hat_fisher} are separate statements, shown "
            "for comparison.",
            cite=Cite(("marcus1976closed", "goeman2011multiple")),
        )
        if joint
        else separate_statements(family),
        shared_level(family),
    )
    return Table(
        name="replicability",
        caption=caption,
        legend=legend,
        columns=tuple(columns),
        rows=tuple(rows),
        spanners=tuple(spanners),
    )


_SetOut = tuple[list[Column], list[Row], list[Spanner]]


def _levels_below(family: Family, labels: Sequence[Column], counts: Sequence[Prose], **shown: bool) -> _SetOut:
    """Levels of a claim below one another."""
    columns = [*labels, Column(header=prose("{alpha}")), *(Column(header=header) for header in counts)]
    rows = []
    for number, comparison in enumerate(family.comparisons):
        for level in family.alpha:
            begins = level == family.alpha[0]
            names = _label(family, number) if begins else [Cell()] * len(labels)
            counted = _counts(comparison.k_hat[level], out_of(family, comparison), **shown)
            cells = [*names, Cell(text=text(level_text(level))), *counted]
            rows.append(Row(cells=tuple(cells), rule_above=number > 0 and begins and len(family.alpha) > 1))
    return columns, rows, []


def _levels_beside(family: Family, labels: Sequence[Column], counts: Sequence[Prose], **shown: bool) -> _SetOut:
    """Levels of a claim beside one another: half as long, where there are many claims."""
    columns, spanners = list(labels), []
    for level in family.alpha:
        header = prose("{alpha} = {level}", level=level_text(level))
        spanners.append(Spanner(header=header, first=len(columns), last=len(columns) + len(counts) - 1))
        columns += [Column(header=header) for header in counts]
    rows = []
    for number, comparison in enumerate(family.comparisons):
        size = out_of(family, comparison)
        cells = [cell for level in family.alpha for cell in _counts(comparison.k_hat[level], size, **shown)]
        names = _label(family, number)
        begins = number > 0 and family.several_metrics and bool(names[0].text)
        rows.append(Row(cells=(*names, *cells), rule_above=begins))
    return columns, rows, spanners


def _label(family: Family, number: int) -> list[Cell]:
    """The metric, where it begins and there are several, and the claim."""
    comparison = family.comparisons[number]
    claim = Cell(text=text(f"{comparison.system_a} > {comparison.system_b}"))
    if not family.several_metrics:
        return [claim]
    begins = number == 0 or family.comparisons[number - 1].metric != comparison.metric
    return [Cell(text=text(comparison.metric if begins else "")), claim]


def _counts(k: KHat, size: str, *, fisher: bool, joint: bool) -> list[Cell]:
    shown = [(k.count, False), (k.bonferroni, k.method == "bonferroni")]
    shown += [(k.fisher, k.method == "fisher")] if fisher else []
    shown += [(k.joint, k.joint is not None)] if joint else []
    return [Cell(text=text("–" if value is None else f"{value}{size}"), bold=bold) for value, bold in shown]


def _named_apart(family: Family) -> Prose:
    """Which datasets Holm's procedure by itself identifies, for one claim by one metric."""
    if family.several_metrics or not family.one_claim:
        return ()
    level = family.alpha[0]
    told = []
    for comparison in family.comparisons:
        small = comparison.stepwise_p_values <= rejection_level(level)
        names = [name for name, one in zip(comparison.datasets, small, strict=True) if one]
        who = f" for {comparison.system_a} > {comparison.system_b}" if family.design == "both" else ""
        told.append(f"{some(names, MOST_NAMES) or 'none'}{who}")
    return prose(
        "At level {level} Holm's procedure identifies {names}.", level=level_text(level), names="; ".join(told)
    )


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
    columns = [Column(header=text("Dataset"), align="left")]
    if intervals:
        columns.append(Column(header=text(f"{percent_text(next(iter(intervals.values())))} interval"), align="left"))
    if len(tests) > 1:
        columns.append(Column(header=text("Test"), align="left"))
    if differ:
        columns.append(Column(header=text("Differ")))
    spanners: list[Spanner] = []
    for comparison in family.comparisons:
        if family.design == "both":
            claim = text(f"{comparison.system_a} > {comparison.system_b}")
            spanners.append(Spanner(header=claim, first=len(columns), last=len(columns) + 1))
        columns += [Column(header=prose("{p}")), Column(header=text("adjusted"))]
    rows = []
    for index, item in enumerate(first.assessments):
        cells = [Cell(text=text(item.dataset))]
        if intervals:
            cells.append(Cell(text=text(interval_text(item, scale) or "–")))
        if len(tests) > 1:
            cells.append(Cell(text=text(item.outcome.test)))
        if differ:
            n_nonzero = item.outcome.n_nonzero
            cells.append(Cell(text=text("–" if n_nonzero is None else f"{n_nonzero:,}")))
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
        cells.append(Cell(text=p_text(float(comparison.p_values[index]))))
        cells.append(Cell(text=p_text(adjusted), mark=sign_of(comparison, index, family.alpha, style)))
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
