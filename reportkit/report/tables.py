"""The tables of a report: scores with marks, k-hat, p-values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from reportkit.numerals import level_text, p_value_text, percent_text
from reportkit.replicability.analysis import ReplicabilityAnalysis
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import Family
from reportkit.report.marks import (
    MOST_LETTERS,
    correction_words,
    letter,
    mark,
    signs_and_levels,
    tests_in_words,
)
from reportkit.report.model import Cell, Column, Row, Spanner, Table
from reportkit.report.prose import Cite, Prose, Text, counted, listed, prose, sentences
from reportkit.report.scores import ScoreScale
from reportkit.report.wording import interval_text
from reportkit.settings import PrintedReading

MOST_SYSTEMS_IN_MATRIX = 16
"""A matrix of k-hat with more systems than this is shown as a figure."""

MOST_CHARACTERS_ACROSS = 60
"""Systems stand in rows unless that makes a table of more characters across than this, and turning it helps."""


def results_table(analysis: ReplicabilityAnalysis, scale: ScoreScale) -> Table:
    """Scores of the systems on the datasets, the best in bold, with marks where a difference is identified."""
    family = analysis.family
    if family.one_claim:
        return _pair_table(analysis, scale)
    return _grid_table(analysis, scale)


def _pair_table(analysis: ReplicabilityAnalysis, scale: ScoreScale) -> Table:
    family = analysis.family
    first = family.comparisons[0]
    back = family.comparisons[1] if family.design == "both" else None
    with_n = all(item.n is not None for item in first.assessments)
    columns = [Column(header=text("Dataset"), align="left")]
    if with_n:
        columns.append(Column(header=prose("{n}")))
    columns += [Column(header=text(first.system_a)), Column(header=text(first.system_b)), Column(header=text("Diff."))]
    rows = []
    for index, item in enumerate(first.assessments):
        marks = (mark(first, index, family.alpha), mark(back, index, family.alpha) if back else "")
        best = _best([item.score_a, item.score_b], item.higher_is_better)
        cells = [Cell(text=text(item.dataset))]
        if with_n:
            cells.append(Cell(text=text(f"{item.n:,}")))
        for score, signs, bold in zip((item.score_a, item.score_b), marks, best, strict=True):
            cells.append(Cell(text=text(scale.score(score)), mark=signs, bold=bold))
        cells.append(Cell(text=text(scale.difference(item.score_difference))))
        rows.append(Row(cells=tuple(cells)))
    return Table(
        name="results",
        caption=sentences(
            _what_is_shown(family, scale), prose("Best score in bold."), _marks_explained(family), _direction(first)
        ),
        columns=tuple(columns),
        rows=tuple(rows),
    )


def _grid_table(analysis: ReplicabilityAnalysis, scale: ScoreScale) -> Table:
    family = analysis.family
    systems = _systems(family)
    datasets = family.datasets
    scores = analysis.system_scores
    sizes = _sizes(analysis, systems)
    signs = _grid_marks(family, systems)
    head = {name: _label(family, systems, name) for name in systems}
    bold: dict[tuple[str, str], bool] = {}
    second: dict[tuple[str, str], bool] = {}
    for dataset in datasets:
        here = [name for name in systems if (name, dataset) in scores]
        values = [scores[name, dataset].mean for name in here]
        higher = scores[here[0], dataset].higher_is_better
        bold.update({(name, dataset): best for name, best in zip(here, _best(values, higher), strict=True)})
        rest = [name for name in here if not bold[name, dataset]]
        if len(here) > 2 and rest:
            runners_up = _best([scores[name, dataset].mean for name in rest], higher)
            second.update({(name, dataset): best for name, best in zip(rest, runners_up, strict=True)})

    def cell(system: str, dataset: str) -> Cell:
        if (system, dataset) not in scores:
            return Cell(text=text("–"))
        return Cell(
            text=text(scale.score(scores[system, dataset].mean)),
            mark=signs.get((system, dataset), ""),
            bold=bold[system, dataset],
            underline=second.get((system, dataset), False),
        )

    across = len(max(systems, key=len)) + sum(max(len(name), 6) + 2 for name in datasets)
    down = len(max(datasets, key=len)) + sum(max(len(head[name]), 6) + 2 for name in systems) + 8
    if across <= MOST_CHARACTERS_ACROSS or across <= down:
        columns = (Column(header=text("System"), align="left"), *(Column(header=text(name)) for name in datasets))
        n_row = Row(cells=(Cell(text=prose("{n}")), *(Cell(text=text(sizes[name])) for name in datasets)))
        rows = tuple(
            Row(cells=(Cell(text=text(head[name])), *(cell(name, dataset) for dataset in datasets))) for name in systems
        )
        header_rows: tuple[Row, ...] = (n_row,) if any(sizes.values()) else ()
    else:
        with_n = any(sizes.values())
        columns = (
            Column(header=text("Dataset"), align="left"),
            *((Column(header=prose("{n}")),) if with_n else ()),
            *(Column(header=text(head[name])) for name in systems),
        )
        rows = tuple(
            Row(
                cells=(
                    Cell(text=text(d)),
                    *((Cell(text=text(sizes[d])),) if with_n else ()),
                    *(cell(name, d) for name in systems),
                )
            )
            for d in datasets
        )
        header_rows = ()
    caption = sentences(
        _what_is_shown(family, scale),
        prose(
            "Best score on each dataset in bold, second best underlined."
            if second
            else "Best score on each dataset in bold."
        ),
        prose(
            "Each score is the mean over all instances that the system was scored on; pairs are compared on those that "
            "both have."
        )
        if analysis.settings.missing == "drop" and any("–" in size for size in sizes.values())
        else (),
        _marks_explained(family),
        _direction(family.comparisons[0]),
    )
    return Table(name="results", caption=caption, columns=columns, rows=rows, header_rows=header_rows)


def replicability_table(analysis: ReplicabilityAnalysis) -> Table:
    """k-hat of each comparison at each level: naive count, Bonferroni, Fisher; the one to report in bold."""
    family = analysis.family
    fisher = any(k.fisher is not None for comparison in family.comparisons for k in comparison.k_hat.values())
    columns = [Column(header=text("Claim"), align="left"), Column(header=prose("{alpha}"))]
    columns += [Column(header=prose("{k_hat_count}")), Column(header=prose("{k_hat_bonferroni}"))]
    if fisher:
        columns.append(Column(header=prose("{k_hat_fisher}")))
    rows = []
    for number, comparison in enumerate(family.comparisons):
        for level in family.alpha:
            k = comparison.k_hat[level]
            head = f"{comparison.system_a} > {comparison.system_b}" if level == family.alpha[0] else ""
            cells = [Cell(text=text(head)), Cell(text=text(level_text(level))), Cell(text=text(str(k.count)))]
            cells.append(Cell(text=text(str(k.bonferroni)), bold=k.method == "bonferroni"))
            if fisher:
                cells.append(Cell(text=text("–" if k.fisher is None else str(k.fisher)), bold=k.method == "fisher"))
            rows.append(
                Row(cells=tuple(cells), rule_above=number > 0 and level == family.alpha[0] and len(family.alpha) > 1)
            )
    n = len(family.datasets)
    caption = sentences(
        prose(
            "Number of datasets, out of {count}, on which the claim (A > B: A is better than B) holds: lower bounds "
            "{k_hat} with confidence 1 − {alpha} "
            "{cite}, the one to report in bold.",
            count=n,
            cite=Cite(("dror2017replicability",)),
        ),
        prose(
            "{k_hat_count} counts {p} ≤ {level} without correction and carries no guarantee.",
            level=prose("{alpha}/2") if family.sides == 2 else prose("{alpha}"),
        ),
        prose(
            "{k_hat_bonferroni} holds under any dependence between the datasets and equals the number identified by "
            "Holm's procedure."
        ),
        prose("{k_hat_fisher} needs independent datasets.") if fisher else (),
        _shared_level(family),
    )
    return Table(name="replicability", caption=caption, columns=tuple(columns), rows=tuple(rows))


def k_hat_matrix_table(analysis: ReplicabilityAnalysis) -> Table:
    """For all pairs: on at least how many datasets the system of the row is better than the system of the column."""
    family = analysis.family
    systems = _systems(family)
    level = family.alpha[0]
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
                k = family[name, other].k_hat[level].recommended
                cells.append(Cell(text=text(str(k)), bold=k > 0))
        rows.append(Row(cells=tuple(cells)))
    caption = sentences(
        prose(
            "Lower bound {k_hat} for the number of datasets, out of {count}, on which the system of the row is "
            "better than that of the "
            "column; all bounds hold together with confidence 1 − {alpha}, {alpha} = {level} {cite}.",
            count=len(family.datasets),
            level=level_text(level),
            cite=Cite(("dror2017replicability", "goeman2011multiple")),
        ),
        prose("A 0 is no evidence of equality."),
        _shared_level(family),
    )
    return Table(name="replicability", caption=caption, columns=tuple(columns), rows=tuple(rows))


def p_value_table(analysis: ReplicabilityAnalysis, scale: ScoreScale) -> Table | None:
    """p-values and adjusted p-values by dataset; None for all pairs, where the machine-readable report holds them."""
    family = analysis.family
    if family.one_claim:
        return _pair_p_values(family, scale)
    if family.design in ("baselines", "separate"):
        return _grid_p_values(family)
    return None


def _pair_p_values(family: Family, scale: ScoreScale) -> Table:
    first = family.comparisons[0]
    printed = all(item.outcome.method == "printed" for item in first.assessments)
    tests = {item.outcome.test: item.outcome.title for item in first.assessments}
    intervals = {item.interval.title: item.interval.level for item in first.assessments if item.interval is not None}
    columns = [Column(header=text("Dataset"), align="left")]
    if intervals:
        columns.append(Column(header=text(f"{percent_text(next(iter(intervals.values())))} interval"), align="left"))
    if len(tests) > 1:
        columns.append(Column(header=text("Test"), align="left"))
    if not printed:
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
        if not printed:
            cells.append(Cell(text=text(f"{item.outcome.n_nonzero:,}")))
        for comparison in family.comparisons:
            adjusted = float(comparison.adjusted_p_values[index])
            cells.append(Cell(text=p_text(float(comparison.p_values[index]))))
            cells.append(Cell(text=p_text(adjusted), mark=mark(comparison, index, family.alpha)))
        rows.append(Row(cells=tuple(cells)))
    caption = sentences(
        prose(
            "One-sided {p}-values{test}, and adjusted ({how}); {signs}.",
            test=f" of the {next(iter(tests.values()))}" if len(tests) == 1 else " by dataset",
            how=correction_words(family),
            signs=signs_and_levels(family.alpha),
        ),
        _intervals_explained(first, intervals, scale),
        () if printed else _differ_explained(first),
        prose("{them}.", them="; ".join(f"{name}: {title}" for name, title in tests.items())) if len(tests) > 1 else (),
    )
    return Table(name="p-values", caption=caption, columns=tuple(columns), rows=tuple(rows), spanners=tuple(spanners))


def _intervals_explained(comparison: Comparison, intervals: Mapping[str, float], scale: ScoreScale) -> Prose:
    if not intervals:
        return ()
    return prose(
        "Interval: of the difference in {points} ({titles}), not adjusted for the number of datasets.",
        points=scale.points,
        titles=listed(intervals),
    )


def _differ_explained(comparison: Comparison) -> Prose:
    clustered = [item.outcome.n_clusters is not None for item in comparison.assessments]
    units = "clusters" if all(clustered) else "instances (or clusters)" if any(clustered) else "instances"
    return prose("Differ: number of {units} on which the two systems differ.", units=units)


def _grid_p_values(family: Family) -> Table:
    datasets = family.datasets
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
    baselines = dict.fromkeys(item.system_b for item in family.comparisons)
    caption = prose(
        "Adjusted one-sided p-values for better than {baseline} ({test}, {how}). {signs}.",
        baseline=next(iter(baselines)) if len(baselines) == 1 else "the baseline",
        test=tests_in_words(family),
        how=correction_words(family),
        signs=signs_and_levels(family.alpha),
    )
    return Table(name="p-values", caption=caption, columns=tuple(columns), rows=tuple(rows))


def reproduction_table(analysis: ReplicabilityAnalysis) -> Table:
    """Printed k-hat beside what follows from the printed p-values, and from the direction of the printed scores."""
    columns = [Column(header=text("Claim"), align="left"), Column(header=prose("{alpha}"))]
    groups: Sequence[tuple[str, Sequence[Prose]]] = (
        ("Printed", (text("count"), text("Bonf."), text("Fisher"))),
        ("Recomputed", (text("count"), text("Bonf."), text("Fisher"))),
        ("A better", (text("Bonf."), text("Fisher"))),
        ("B better", (text("Bonf."), text("Fisher"))),
    )
    spanners = []
    for title, headers in groups:
        spanners.append(Spanner(header=text(title), first=len(columns), last=len(columns) + len(headers) - 1))
        columns += [Column(header=header) for header in headers]
    rows = []
    previous: tuple[str, str] | None = None
    for item in analysis.reproductions:
        pair = (item.system_a, item.system_b)
        printed = item.printed.k_hat if item.printed else {}
        head = "" if pair == previous else f"{item.system_a} > {item.system_b}"
        cells = [Cell(text=text(head)), Cell(text=text(level_text(item.alpha)))]
        for method in ("count", "bonferroni", "fisher"):
            value = printed.get(method)
            cells.append(Cell(text=text("–" if value is None else str(value))))
        for method in ("count", "bonferroni", "fisher"):
            differs = method in printed and printed[method] != item.recomputed[method]
            cells.append(Cell(text=text(str(item.recomputed[method])), bold=differs))
        for side in (item.a_better, item.b_better):
            cells += [Cell(text=text(_both_readings(side, method))) for method in ("bonferroni", "fisher")]
        rows.append(Row(cells=tuple(cells), rule_above=previous is not None and pair != previous))
        previous = pair
    caption = sentences(
        prose(
            "{k_hat} as printed, as it follows from the printed p-values, and as it follows when a dataset on which "
            "the "
            "claimed winner A scores lower counts against the claim (each direction at {alpha}/2)."
        ),
        prose(
            "Two figures with a bar: for p-values that are one-sided in the observed direction | two-sided, which the "
            "paper leaves open."
        ),
        prose("Bold: recomputed differs from printed."),
        ()
        if analysis.family.audit.independent
        else prose("Fisher's bound needs independent datasets, which these are not declared to be."),
    )
    return Table(
        name="reproduction", caption=caption, columns=tuple(columns), rows=tuple(rows), spanners=tuple(spanners)
    )


def text(words: str) -> Prose:
    """Plain words as prose."""
    return (Text(words),) if words else ()


def p_text(p_value: float) -> Prose:
    """Write a p-value for a table: `.036`, `3.9e-10` as a power of ten."""
    written = p_value_text(p_value, precise=True)
    if "e" not in written:
        return text(written)
    mantissa, exponent = written.split("e")
    digits = exponent.replace("-", "⁻").translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return text(f"{mantissa}×10{digits}")


def _both_readings(side: Mapping[PrintedReading, Mapping[str, int]], method: str) -> str:
    values = [reading[method] for reading in side.values()]
    return str(values[0]) if len(set(values)) == 1 else "|".join(map(str, values))


def _best(values: Sequence[float], higher_is_better: bool) -> list[bool]:
    """Which values are best, all ties, decided on unrounded values (equal to 12 digits)."""
    array = np.array(values if higher_is_better else [-value for value in values])
    return [bool(flag) for flag in array >= array.max() - 1e-12 * max(1.0, float(np.abs(array).max()))]


def _systems(family: Family) -> tuple[str, ...]:
    first = dict.fromkeys(item.system_a for item in family.comparisons)
    second = dict.fromkeys(item.system_b for item in family.comparisons)
    if family.design == "all-pairs":
        return tuple(dict.fromkeys((*first, *second)))
    return tuple(dict.fromkeys((*second, *first)))


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


def _claim_header(family: Family, comparison: Comparison) -> str:
    baselines = dict.fromkeys(item.system_b for item in family.comparisons)
    return comparison.system_a if len(baselines) == 1 else f"{comparison.system_a} > {comparison.system_b}"


def _metric_words(family: Family, scale: ScoreScale) -> str:
    item = family.comparisons[0].assessments[0]
    name = item.metric if item.metric != "score" else "Accuracy" if item.kind == "binary" else "Score"
    return f"{name} ({scale.unit})" if scale.unit else name


def _what_is_shown(family: Family, scale: ScoreScale) -> Prose:
    first = family.comparisons[0]
    who = f"{first.system_a} and {first.system_b}" if family.one_claim else counted(len(_systems(family)), "system")
    n = len(family.datasets)
    return prose(
        "{metric} of {who} on {datasets}.",
        metric=_metric_words(family, scale),
        who=who,
        datasets=f"{n} datasets" if n > 1 else "one dataset",
    )


def _direction(comparison: Comparison) -> Prose:
    if comparison.assessments[0].higher_is_better:
        return ()
    return prose("Lower is better; a positive difference is in favour of {a}.", a=comparison.system_a)


def _marks_explained(family: Family) -> Prose:
    first = family.comparisons[0]
    fields = {"test": tests_in_words(family), "how": correction_words(family)}
    if family.one_claim:
        whom = f"better than {first.system_b}" if family.design == "declared" else "better than the other system"
        return prose(
            "{signs}: {whom} ({test}, one-sided, {how}).", signs=signs_and_levels(family.alpha), whom=whom, **fields
        )
    baselines = tuple(dict.fromkeys(item.system_b for item in family.comparisons))
    level = level_text(family.alpha[0])
    if family.design in ("baselines", "separate") and len(baselines) == 1:
        return prose(
            "{signs}: better than {b} ({test}, one-sided, {how}).",
            signs=signs_and_levels(family.alpha),
            b=baselines[0],
            **fields,
        )
    if family.design in ("baselines", "separate"):
        legend = ", ".join(f"{letter(i)}: {name}" for i, name in enumerate(baselines))
        return prose(
            "Letters: better than {legend} ({test}, one-sided, {how}, {p} ≤ {level}).",
            legend=legend,
            level=level,
            **fields,
        )
    if len(_systems(family)) > MOST_LETTERS:
        return prose(
            "Superscript: number of systems that this one is better than ({test}, one-sided, {how}, {p} ≤ {level}).",
            level=level,
            **fields,
        )
    return prose(
        "Letters: better than the system of that letter ({test}, one-sided, {how}, {p} ≤ {level}).",
        level=level,
        **fields,
    )


def _shared_level(family: Family) -> Prose:
    if family.design == "both":
        return prose("Each direction is tested at {alpha}/2.")
    if family.design == "baselines":
        return prose("Corrected for all {n} hypotheses.", n=f"{family.n_hypotheses:,}")
    if family.design == "separate":
        return prose("Each claim is a family of its own.")
    if family.design == "all-pairs":
        return prose("Corrected for all {n} hypotheses (ordered pairs and datasets).", n=f"{family.n_hypotheses:,}")
    return ()
