"""Does the winner win again? What a report of calibration says by bins of p-values, within and across datasets."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.calibration.bins import FEWEST_HITS, BinCalibration, DomainShift
from reportkit.calibration.study import CalibrationStudy
from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import level_text, percent_text
from reportkit.report.calibration.calibration_cells import (
    interval_text,
    share_cells,
    share_text,
    titles,
    titles_by_dataset,
    worded,
)
from reportkit.report.calibration.calibration_figures import bins_figures, domain_figures
from reportkit.report.calibration.calibration_pairs import DATA_CHOSEN
from reportkit.report.model import Block, Cell, Column, Paragraph, Row, Section, Table
from reportkit.report.prose import cite, prose, reference, sentences


def bin_text(low: float, high: float) -> str:
    """Write a bin of p-values.

    Examples
    --------
    >>> bin_text(0.0, 0.00125), bin_text(0.04, 0.08)
    ('(0, .00125]', '(.04, .08]')
    """
    return f"({level_text(low) or 0}, {level_text(high)}]"


def bins_section(study: CalibrationStudy) -> Section:
    """Both tables by bins, and the shares of each dataset that foretell another."""
    blocks: list[Block] = []
    if study.bins:
        blocks += _within(study)
    if study.domains is not None:
        blocks += _across(study.domains, study.plan.alpha)
    return Section(title="Does the winner win again?", blocks=tuple(blocks))


def _within(study: CalibrationStudy) -> list[Block]:
    table = _bin_table(study.bins)
    return [
        Paragraph(
            content=sentences(
                prose(
                    "Of those who win with {p} near .05, how many are the better system {cite}? Each dataset stands "
                    "for a population, from which small test sets are drawn; the better system is the one that scores "
                    "better on all of it.",
                    cite=cite("bergkirkpatrick2012empirical"),
                ),
                worded(DATA_CHOSEN),
                prose("{table} gives the shares.", table=reference("table", table.name)),
                _populations(study.bins),
            )
        ),
        table,
        *bins_figures(study),
    ]


def _populations(found: Sequence[BinCalibration]) -> str:
    if len(found) == 1:
        return found[0].sentence
    said = "; ".join(
        f"{item.dataset}: {counted(item.n_tests, 'test')} of {counted(item.n_pairs, 'pair')}, {item.test_size:,} of "
        f"{item.n_units:,} units"
        for item in found
    )
    return (
        f"Drawn with replacement were, {said}. The shares depend on how small the test sets are and on how far apart "
        "the systems are."
    )


def _bin_table(found: Sequence[BinCalibration]) -> Table:
    rows = []
    for number, item in enumerate(found):
        hidden = {(low, high): hits for low, high, hits in item.hidden}
        shown = {(one.low, one.high): one for one in item.bins}
        for place, ends in enumerate(sorted([*hidden, *shown])):
            cells = [Cell.of(item.dataset if place == 0 else ""), Cell.of(bin_text(*ends))]
            one = shown.get(ends)
            if one is None:
                cells += [Cell.of(f"{hidden[ends]:,}"), *([Cell.of("–")] * 3)]
            else:
                low, high = one.interval or (None, None)
                cells += [
                    Cell.of(f"{one.share.total:,}"),
                    Cell.of(f"{one.n_pairs:,}"),
                    Cell.of(share_text(one.share.value)),
                    Cell.of(interval_text(low, high)),
                ]
            rows.append(Row(cells=tuple(cells), rule_above=place == 0 and number > 0))
    first = found[0]
    level = next((one.share.level for item in found for one in item.bins), 0.95)
    return Table(
        name="bins",
        caption=prose("Share of winners that are the better system, by the {p}-value with which they win."),
        legend=sentences(
            prose(
                "Test: {test}; test sets of {sizes} units; interval by bootstrap over systems, and never narrower than "
                "Wilson's for as many pairs.",
                test=titles_by_dataset(found),
                sizes=listed(dict.fromkeys(f"{item.test_size:,}" for item in found)),
            ),
            prose("Bins with fewer than {n} {p}-values are hidden: –.", n=FEWEST_HITS),
            prose("Seed {seed}.", seed=first.seed),
        ),
        columns=(
            Column.left("Dataset"),
            Column.left(prose("{p}")),
            Column.right("p-values"),
            Column.right("Pairs"),
            Column.right("Better"),
            Column.left(percent_text(level)),
        ),
        rows=tuple(rows),
    )


def _across(found: DomainShift, alpha: float) -> list[Block]:
    by_bins, by_pair = _transfer_bins(found), _transfer_table(found, alpha)
    return [
        Paragraph(
            content=sentences(
                prose(
                    "Across datasets the question is whether who wins on one dataset wins on another one too. The "
                    "second dataset is measured with error as well: these are shares of wins, not of truths."
                ),
                prose(
                    "{bins} takes all ordered pairs of datasets together, {pairs} each of them.",
                    bins=reference("table", by_bins.name),
                    pairs=reference("table", by_pair.name),
                ),
                worded(domain_words(found, alpha)),
            )
        ),
        by_bins,
        by_pair,
        *domain_figures(found, alpha),
    ]


def domain_words(found: DomainShift, alpha: float) -> str:
    """How often a winner at the level wins on another dataset: least and most often."""
    shares = [(item.share(alpha), item) for item in found.transfers]
    known = sorted(
        (
            (
                share.value,
                f"({share.count:,} of {share.total:,} pairs) from {item.source_dataset} to {item.target_dataset}",
            )
            for share, item in shares
            if share is not None
        ),
        key=lambda one: one[0],
    )
    if not known:
        return f"No pair of systems differs at {level_text(alpha)} on any dataset."
    said = [
        f"{share_text(value, 2)} {where}"
        for value, where in (known[:1] if len(known) == 1 else known[:: len(known) - 1])
    ]
    return f"Of pairs with p ≤ {level_text(alpha)}, the same system wins in {', and in '.join(said)}."


def _transfer_bins(found: DomainShift) -> Table:
    rows = []
    for low, high, share, total in found.bins():
        cells = [Cell.of(bin_text(low, high)), Cell.of(f"{total:,}")]
        cells += [Cell.of("–")] * 2 if share is None else share_cells(share)
        rows.append(Row(cells=tuple(cells)))
    level = found.transfers[0].level
    hidden = sum(share is None for _, _, share, _ in found.bins())
    return Table(
        name="transfer-bins",
        caption=prose(
            "Share of winners that win on another dataset too, by the {p}-value with which they win on the first, over "
            "{n}.",
            n=counted(len(found.transfers), "ordered pair of datasets", "ordered pairs of datasets"),
        ),
        legend=sentences(
            prose(
                "Test: {tests}. Wilson's intervals take pairs of systems as independent, which they are not: pairs "
                "share systems.",
                tests=titles(found.tests),
            ),
            prose(
                "{bins} with fewer than {n} {p}-values {be} hidden: –.",
                bins=counted(hidden, "bin"),
                n=FEWEST_HITS,
                be="is" if hidden == 1 else "are",
            )
            if hidden
            else (),
        ),
        columns=(
            Column.left(prose("{p}")),
            Column.right("p-values"),
            Column.right("Win again"),
            Column.left(percent_text(level)),
        ),
        rows=tuple(rows),
    )


def _transfer_table(found: DomainShift, alpha: float) -> Table:
    rows = []
    last = ""
    for item in found.transfers:
        share = item.share(alpha)
        cells = [Cell.of(item.source_dataset if item.source_dataset != last else ""), Cell.of(item.target_dataset)]
        if share is None:
            cells += [Cell.of("0"), Cell.of("–"), Cell.of("–")]
        else:
            cells += [Cell.of(f"{share.total:,}"), *share_cells(share)]
        cells.append(Cell.of(f"{item.n_tied:,}"))
        rows.append(Row(cells=tuple(cells), rule_above=bool(last) and item.source_dataset != last))
        last = item.source_dataset
    level = found.transfers[0].level
    return Table(
        name="transfers",
        caption=prose(
            "Of pairs of systems with {p} ≤ {alpha} on one dataset, share of winners that win on another one too.",
            alpha=level_text(alpha),
        ),
        legend=prose(
            "Wilson's intervals, as if pairs were independent. Tied: pairs that score the same on one of the two, "
            "left out."
        ),
        columns=(
            Column.left("Won on"),
            Column.left("Seen on"),
            Column.right("Pairs"),
            Column.right("Win again"),
            Column.left(percent_text(level)),
            Column.right("Tied"),
        ),
        rows=tuple(rows),
    )
