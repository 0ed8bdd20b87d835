"""Printed figures beside what follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reportkit.language.numerals import level_text
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.model import Cell, Column, Row, Spanner, Table
from reportkit.report.prose import Prose, prose, sentences, text
from reportkit.settings import PrintedReading


def reproduction_table(analysis: ReplicabilityAnalysis) -> Table:
    """Printed k-hat beside what follows from the printed p-values, and from the direction of the printed scores."""
    columns = [Column.left("Claim"), Column.right(prose("{alpha}"))]
    groups: Sequence[tuple[str, Sequence[Prose]]] = (
        ("Printed", (text("count"), text("Bonf."), text("Fisher"))),
        ("Recomputed", (text("count"), text("Bonf."), text("Fisher"))),
        ("A better", (text("Bonf."), text("Fisher"))),
        ("B better", (text("Bonf."), text("Fisher"))),
    )
    spanners = []
    for title, headers in groups:
        spanners.append(Spanner(header=text(title), first=len(columns), last=len(columns) + len(headers) - 1))
        columns += [Column.right(header) for header in headers]
    rows = []
    previous: tuple[str, str] | None = None
    for item in analysis.reproductions:
        pair = (item.system_a, item.system_b)
        printed = item.printed.k_hat if item.printed else {}
        head = "" if pair == previous else f"{item.system_a} > {item.system_b}"
        cells = [Cell.of(head), Cell.of(level_text(item.alpha))]
        for method in ("count", "bonferroni", "fisher"):
            value = printed.get(method)
            cells.append(Cell.of("–" if value is None else str(value)))
        for method in ("count", "bonferroni", "fisher"):
            differs = method in printed and printed[method] != item.recomputed[method]
            cells.append(Cell.of(str(item.recomputed[method]), bold=differs))
        for side in (item.a_better, item.b_better):
            cells += [Cell.of(_both_readings(side, method)) for method in ("bonferroni", "fisher")]
        rows.append(Row(cells=tuple(cells), rule_above=previous is not None and pair != previous))
        previous = pair
    legend = sentences(
        prose(
            "Two figures with a bar: for p-values that are one-sided in the observed direction | two-sided, which the "
            "paper leaves open."
        ),
        prose("Bold: recomputed differs from printed."),
        ()
        if analysis.audit.independent
        else prose("Fisher's bound needs independent datasets, which these are not declared to be."),
    )
    caption = prose(
        "{k_hat} as printed, as it follows from the printed p-values, and as it follows when a dataset on which the "
        "claimed winner A scores lower counts against the claim (each direction at {alpha}/2)."
    )
    return Table(
        name="reproduction",
        caption=caption,
        legend=legend,
        columns=tuple(columns),
        rows=tuple(rows),
        spanners=tuple(spanners),
    )


def _both_readings(side: Mapping[PrintedReading, Mapping[str, int]], method: str) -> str:
    values = [reading[method] for reading in side.values()]
    return str(values[0]) if len(set(values)) == 1 else "|".join(map(str, values))
