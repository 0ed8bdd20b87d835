"""The tables of p-values: of a pair by dataset, or of many claims beside one another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from reportkit.appearance import Appearance
from reportkit.language.counts_and_lists import listed
from reportkit.language.numerals import percent_text
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.model import Cell, Column, Row, Spanner, Table
from reportkit.report.prose import Prose, prose, sentences, text
from reportkit.report.score_format import ScoreScale, difference_interval, p_text
from reportkit.report.tables.groups import grouped, rows_in_groups
from reportkit.report.tables.marks import correction_words, names_of_tests
from reportkit.report.tables.scores_table import MOST_CHARACTERS_ACROSS
from reportkit.report.tables.turned import characters, turned
from reportkit.report.text.effects import wins_sentence
from reportkit.report.text.hypotheses import by_metric


def p_value_table(
    analysis: ReplicabilityAnalysis, scale: ScoreScale, appearance: Appearance | None = None
) -> Table | None:
    """p-values and adjusted p-values by dataset; None for all pairs, where the machine-readable report holds them."""
    look = appearance or Appearance()
    if analysis.one_claim:
        return _pair_p_values(analysis, scale, look)
    if analysis.design in ("baselines", "separate"):
        return grid_p_values(analysis, look)
    return None


def _pair_p_values(family: ReplicabilityAnalysis, scale: ScoreScale, look: Appearance) -> Table:
    first = family.comparisons[0]
    differ = any(item.method != "printed" and item.n_nonzero is not None for item in first.assessments)
    tests = {item.test: item.title for item in first.assessments}
    intervals = {item.interval.title: item.interval.level for item in first.assessments if item.interval is not None}
    columns = [Column.left("Dataset")]
    if intervals:
        columns.append(Column.left(f"{percent_text(next(iter(intervals.values())))} interval"))
    if len(tests) > 1:
        columns.append(Column.left("Test"))
    if differ:
        columns.append(Column.right(DISCORDANT))
    spanners: list[Spanner] = []
    for comparison in family.comparisons:
        if family.design == "both":
            claim = text(f"{comparison.system_a} better")
            spanners.append(Spanner(header=claim, first=len(columns), last=len(columns) + 1))
        columns += [Column.right(prose("{p}")), Column.right("adjusted")]
    rows = []
    for index, item in enumerate(first.assessments):
        cells = [Cell.of(item.dataset)]
        if intervals:
            cells.append(Cell.of(difference_interval(item, scale) or "–"))
        if len(tests) > 1:
            cells.append(Cell.of(_short_title(item.title)))
        if differ:
            n_nonzero = item.n_nonzero
            cells.append(Cell.of("–" if n_nonzero is None else f"{n_nonzero:,}"))
        rows.append(Row(cells=(*cells, *_p_value_cells(family, index, exact=look.exact_p))))
    groups = grouped(first.datasets, look.dataset_groups if first.n_datasets > 1 else {})
    rows = list(rows_in_groups(groups, dict(zip(first.datasets, rows, strict=True)), len(columns)))
    caption = prose(
        "One-sided {p}-values{of}{test}, and adjusted ({how}).",
        of=f" for {first.metric}" if family.several_metrics else "",
        test=f" of the {next(iter(tests.values()))}" if len(tests) == 1 else " by dataset",
        how=correction_words(family),
    )
    legend = sentences(
        _intervals_explained(first, intervals, scale),
        _differ_explained(first) if differ else (),
        _titles_explained(tests.values()) if len(tests) > 1 else (),
    )
    return Table(
        name="p-values",
        caption=caption,
        legend=legend,
        columns=tuple(columns),
        rows=tuple(rows),
        spanners=tuple(spanners),
    )


DISCORDANT = "Discordant"


def _short_title(title: str) -> str:
    """Name of a test in a column that is headed Test.

    Examples
    --------
    >>> _short_title("exact McNemar test"), _short_title("sign-flip permutation test of the mean with whole clusters")
    ('Exact McNemar', 'Sign-flip permutation')
    """
    short = title.partition(" test")[0]
    return short[:1].upper() + short[1:]


def _titles_explained(titles: Iterable[str]) -> Prose:
    """What a name of a test in its column leaves away."""
    long = [title for title in titles if not title.endswith(" test") and _short_title(title) != title]
    return prose("{them}.", them="; ".join(f"{_short_title(title)}: {title}" for title in long)) if long else ()


def _p_value_cells(family: ReplicabilityAnalysis, index: int, *, exact: bool) -> list[Cell]:
    """p-value and adjusted p-value of one dataset, of each direction."""
    return [
        Cell.of(p_text(float(value), exact=exact, levels=family.alpha))
        for comparison in family.comparisons
        for value in (comparison.p_values[index], comparison.adjusted_p_values[index])
    ]


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
        return prose("{head}: number of instances that the two systems {how}.", head=DISCORDANT, how=how)
    clustered = [item.n_clusters is not None for item in comparison.assessments]
    unit = comparison.assessments[0].unit
    units = "clusters" if all(clustered) else f"{unit}s (or clusters)" if any(clustered) else f"{unit}s"
    return prose("{head}: number of {units} on which the two systems differ.", head=DISCORDANT, units=units)


def grid_p_values(family: ReplicabilityAnalysis, look: Appearance) -> Table:
    """Adjusted p-values by dataset and claim; many claims on few datasets stand in rows."""
    datasets = family.datasets
    one_baseline = len(family.systems_b) == 1
    first = list(dict.fromkeys(item.system_a for item in family.comparisons))
    claims = sorted(family.comparisons, key=lambda item: first.index(item.system_a))
    names = [item.system_a if one_baseline else item.system_b for item in claims]
    columns = [Column.left("Dataset"), *map(Column.right, names)]
    rows = {}
    for dataset in datasets:
        cells = [Cell.of(dataset)]
        for comparison in claims:
            if dataset not in comparison.datasets:
                cells.append(Cell.of("–"))
                continue
            index = comparison.datasets.index(dataset)
            value = float(comparison.adjusted_p_values[index])
            cells.append(Cell.of(p_text(value, exact=look.exact_p, levels=family.alpha)))
        rows[dataset] = Row(cells=tuple(cells))
    groups = grouped(datasets, look.dataset_groups if len(datasets) > 1 else {})
    table = Table(
        name="p-values",
        caption=prose(
            "Adjusted one-sided {p}-values{by} for better than {baseline} ({test}, {how}).",
            by=by_metric(family.comparisons[0], family),
            baseline=family.systems_b[0] if one_baseline else "the baseline",
            test=names_of_tests(family),
            how=correction_words(family),
        ),
        columns=tuple(columns),
        rows=tuple(rows_in_groups(groups, rows, len(columns))),
        spanners=() if one_baseline else _better_than(claims),
        turned_head=text("System" if one_baseline else "Baseline"),
        may_turn=True,
    )
    across = family.n_claims > len(datasets) and characters(table) > MOST_CHARACTERS_ACROSS
    return turned(table) if across or (family.several_metrics and len(datasets) == 1) else table


def _better_than(claims: Sequence[Comparison]) -> tuple[Spanner, ...]:
    """A header over the claims of each system: "Ours better than"."""
    found: list[Spanner] = []
    for index, comparison in enumerate(claims, start=1):
        header = text(f"{comparison.system_a} better than")
        if found and found[-1].header == header:
            found[-1] = Spanner(header=header, first=found[-1].first, last=index)
        else:
            found.append(Spanner(header=header, first=index, last=index))
    return tuple(found)
