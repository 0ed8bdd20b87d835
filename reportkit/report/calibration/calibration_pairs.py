"""Gain, confidence and the size of the test set: what a report of calibration says of all pairs of systems."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from reportkit.calibration.pairs import DIFFERENT, FEWEST_PAIRS, SAME, GainThreshold
from reportkit.calibration.size_curve import SizeCurve
from reportkit.calibration.study import CalibrationStudy
from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import level_text, percent_text
from reportkit.report.calibration.calibration_cells import gain_scale, interval_text, once, share_text, titles, worded
from reportkit.report.calibration.calibration_figures import gain_figures, size_figures
from reportkit.report.claim_tables import p_cell
from reportkit.report.model import Block, Cell, Column, Paragraph, Row, Section, Table
from reportkit.report.prose import cite, prose, reference, sentences
from reportkit.report.score_format import ScoreScale
from reportkit.report.tokens import code

DATA_CHOSEN = (
    "The better of two systems is named by the data, so 1 − p = .95 is the level of a two-sided test of 10%, not "
    "of 5%; read 1 − p as an axis, not as a probability that the winner is better."
)


def threshold_words(study: CalibrationStudy) -> tuple[str, ...]:
    """From which gain on few p-values are as large as .05, per dataset, or why that cannot be said."""
    scale = gain_scale(study)
    return tuple(
        _threshold_words(found.dataset, found.n_pairs, groups, scale)
        for found, groups in zip(study.compared, study.thresholds, strict=True)
    )


def _threshold_words(dataset: str, n_pairs: int, groups: Sequence[GainThreshold], scale: ScoreScale) -> str:
    everything = groups[0]
    window = f"p in [{share_text(everything.window[0], 2)}, {share_text(everything.window[1], 2)}]"
    if everything.threshold is None:
        return (
            f"On {dataset}, {everything.n_in_window} of {counted(n_pairs, 'pair')} "
            f"{'has' if everything.n_in_window == 1 else 'have'} {window}: fewer than {FEWEST_PAIRS}, so no "
            "threshold is given."
        )
    return (
        f"On {dataset}, few gains above "
        f"{scale.score(everything.threshold)}{scale.points_after}{_around(everything, scale)} have a p-value as large "
        f"as .05 ({everything.n_in_window} of {counted(n_pairs, 'pair')} have {window}); a "
        "rule of thumb for systems and test sets like these, which replaces no test."
    )


def _around(item: GainThreshold, scale: ScoreScale) -> str:
    if item.low is None or item.high is None:
        return ""
    return f" ({percent_text(item.level)} interval over systems {scale.score(item.low)} to {scale.score(item.high)})"


def pairs_section(study: CalibrationStudy) -> Section:
    """Thresholds and scatter of all pairs."""
    scale = gain_scale(study)
    table = _threshold_table(study, scale)
    grouped = study.families is not None
    blocks: list[Block] = [
        Paragraph(
            content=sentences(
                prose(
                    "All pairs of systems are compared on each dataset ({tests}) {cite}.",
                    tests=titles(once([name for found in study.compared for name in found.tests])),
                    cite=cite("bergkirkpatrick2012empirical"),
                ),
                worded(DATA_CHOSEN),
                prose(
                    "Pairs of one family (base model, or runs of one system) and pairs of two are kept apart, since "
                    "the outputs of similar systems differ less."
                )
                if grouped
                else prose(
                    "No families of systems are known; a column {family} would keep similar systems apart.",
                    family=code("family"),
                ),
                prose("{table} gives the thresholds.", table=reference("table", table.name)),
            )
        ),
        Paragraph(content=sentences(*(worded(line) for line in threshold_words(study)))),
        table,
        *gain_figures(study, scale),
    ]
    return Section(title="Gain and confidence", blocks=tuple(blocks))


def _threshold_table(study: CalibrationStudy, scale: ScoreScale) -> Table:
    rows = []
    grouped = study.families is not None
    for number, (found, groups) in enumerate(zip(study.compared, study.thresholds, strict=True)):
        for place, item in enumerate(groups):
            cells = [Cell.of(found.dataset if place == 0 else "")]
            cells.append(Cell.of(f"{found.n:,}" if place == 0 else ""))
            if grouped:
                cells.append(Cell.of({SAME: "of one family", DIFFERENT: "of two families"}.get(item.group, "all")))
            cells += [
                Cell.of(f"{item.n_pairs:,}"),
                Cell.of(f"{item.n_in_window:,}"),
                Cell.of("–" if item.threshold is None else scale.score(item.threshold)),
                Cell.of(
                    "–"
                    if item.low is None or item.high is None
                    else f"[{scale.score(item.low)}, {scale.score(item.high)}]"
                ),
            ]
            rows.append(Row(cells=tuple(cells), rule_above=place == 0 and number > 0 and grouped))
    first = study.thresholds[0][0]
    columns = [
        Column.left("Dataset"),
        Column.right("Instances"),
        *([Column.left("Pairs")] if grouped else []),
        Column.right("Number"),
    ]
    columns += [
        Column.right("In window"),
        Column.right("Threshold"),
        Column.left(f"{percent_text(first.level)} over systems"),
    ]
    window = f"[{share_text(first.window[0], 2)}, {share_text(first.window[1], 2)}]"
    return Table(
        name="gain-thresholds",
        caption=prose(
            "Gain above which few pairs have a {p}-value as large as .05{unit}.",
            unit=f", in {scale.points}" if scale.points else "",
        ),
        legend=sentences(
            prose(
                "Threshold: 95th percentile of the gains of pairs with {p} in {window}, if there are {k} or more of "
                "them.",
                window=window,
                k=FEWEST_PAIRS,
            ),
            prose(
                "Interval: bootstrap over systems, {b} resamples, since pairs share systems; seed {seed}.",
                b=f"{first.n_resamples:,}",
                seed=study.plan.rng,
            ),
        ),
        columns=tuple(columns),
        rows=tuple(rows),
    )


def sizes_section(study: CalibrationStudy) -> Section:
    """P-values on parts of the test sets, and the smallest difference that each size detects."""
    scale = gain_scale(study)
    table = _size_table(study, scale)
    first = study.sizes[0]
    blocks: list[Block] = [
        Paragraph(
            content=sentences(
                prose(
                    "Random parts of a test set, drawn without replacement, show how {p}-values fall with its size; "
                    "the smallest detectable difference (one-sided at {alpha}, power {power}) falls with 1/√m.",
                    alpha=level_text(first.alpha),
                    power=level_text(first.power),
                ),
                prose("{table} gives both.", table=reference("table", table.name)),
            )
        ),
        table,
        *size_figures(study, scale),
    ]
    return Section(title="Size of the test set", blocks=tuple(blocks))


def _size_table(study: CalibrationStudy, scale: ScoreScale) -> Table:
    several = len(study.pairs) > 1
    rows = []
    for number, curve in enumerate(study.sizes):
        for place, m in enumerate(curve.sizes):
            cells = [Cell.of(curve.dataset if place == 0 else "")]
            if several:
                cells.append(Cell.of(f"{curve.system_a} > {curve.system_b}" if place == 0 else ""))
            cells += [Cell.of(f"{int(m):,}"), *_size_cells(curve, place, scale)]
            rows.append(Row(cells=tuple(cells), rule_above=place == 0 and number > 0))
    first = study.sizes[0]
    units = [unit for unit, _ in groupby(sorted(once([curve.unit for curve in study.sizes])))]
    a, b = first.system_a, first.system_b
    columns = [
        Column.left("Dataset"),
        *([Column.left("Claim")] if several else []),
        Column.right(listed([f"{unit}s" for unit in units]).capitalize()),
    ]
    columns += [Column.right(prose("Median {p}")), Column.left("Quartiles"), Column.right("Detectable")]
    return Table(
        name="test-sizes",
        caption=prose(
            "{p}-values of the claim that {claim}, on parts of the test sets.",
            claim="A is better than B" if several else f"{a} is better than {b}",
        ),
        legend=sentences(
            prose(
                "{n} parts of each size ({test}); all of them together are one part. The quartiles are no interval: "
                "large parts are nearly the same.",
                n=f"{first.n_subsamples:,}",
                test=titles([first.test]),
            ),
            prose(
                "Detectable: smallest difference that a test set of this size detects at {alpha}, one-sided, with "
                "power {power}{unit}. Seed {seed}.",
                alpha=level_text(first.alpha),
                power=level_text(first.power),
                unit=f", in {scale.points}" if scale.points else "",
                seed=first.seed,
            ),
        ),
        columns=tuple(columns),
        rows=tuple(rows),
    )


def _size_cells(curve: SizeCurve, place: int, scale: ScoreScale) -> list[Cell]:
    low, high = float(curve.lower_quartile[place]), float(curve.upper_quartile[place])
    detectable = float(curve.detectable[place])
    return [
        Cell.of(p_cell(float(curve.median[place]))),
        Cell.of("–" if low == high else interval_text(low, high)),
        Cell.of("–" if detectable != detectable else scale.score(detectable)),
    ]
