"""The simulations of Dror et al. (2017), section 5: exact and simulated probabilities beside the printed figures."""

from __future__ import annotations

from reportkit.calibration.study import CalibrationStudy
from reportkit.calibration.toy import readings
from reportkit.language.numerals import fixed, level_text
from reportkit.report.calibration.calibration_cells import share_text
from reportkit.report.model import Cell, Column, Paragraph, Row, Section, Spanner, Table
from reportkit.report.prose import Prose, cite, prose, reference, sentences

_TITLES = {"count": "count", "bonferroni": "Bonferroni", "fisher": "Fisher"}


def toy_section(study: CalibrationStudy) -> Section:
    """One table: each design, each way of counting, both readings of the printed figure."""
    rows = []
    for number, toy in enumerate(study.toy):
        distances = readings(toy.results)
        for place, result in enumerate(toy.results):
            first, second = distances[result.method]
            cells = (
                toy.name if place == 0 else "",
                _TITLES[result.method],
                _known(result.exact_above_zero),
                share_text(result.above_zero.value),
                "–" if first is None else fixed(first, 1),
                _known(result.exact_above_one),
                share_text(result.above_one.value),
                "–" if second is None else fixed(second, 1),
                "–" if result.printed is None else share_text(result.printed),
            )
            rows.append(Row(cells=tuple(Cell.of(content) for content in cells), rule_above=place == 0 and number > 0))
    table = Table(
        name="toy",
        caption=prose(
            "{k_hat} above 0 and above 1 in families of 100 datasets without any effect, at {alpha}.",
            alpha=level_text(study.plan.alpha),
        ),
        legend=sentences(
            prose(
                "Simulated: {n} families each, seed {seed}. z: how many Monte Carlo standard errors of 1,000 families "
                "the printed figure lies from the probability (exact where it is known, simulated elsewhere).",
                n=f"{study.toy[0].n_families:,}",
                seed=study.plan.rng,
            ),
            prose(
                "The figures printed for independent datasets are those of {k_hat} > 1; the error that is to be at "
                "most {alpha} is that of {k_hat} > 0.",
                alpha=level_text(study.plan.alpha),
            ),
            prose("Groups: 34 datasets without correlation, 33 with .2 and 33 with .5 within the group."),
        ),
        columns=(
            Column.left("Datasets"),
            Column.left("Way of counting"),
            Column.right("exact"),
            Column.right("simulated"),
            Column.right("z"),
            Column.right("exact"),
            Column.right("simulated"),
            Column.right("z"),
            Column.right("Printed"),
        ),
        spanners=(
            Spanner(header=prose("P({k_hat} > 0)"), first=2, last=4),
            Spanner(header=prose("P({k_hat} > 1)"), first=5, last=7),
        ),
        rows=tuple(rows),
    )
    lead = Paragraph(
        content=sentences(
            prose(
                "Dror et al. count {k_hat} in simulated families without any effect, in their section 5 {cite}. "
                "{table} sets the exact "
                "probabilities beside simulated ones and the printed figures, read in both ways.",
                cite=cite("dror2017replicability"),
                table=reference("table", table.name),
            ),
            prose(
                "For dependent datasets the paper does not say whether one random factor makes all groups correlate or "
                "each has its own: the printed count fits one, the printed figure for Fisher's combination separate "
                "ones."
            ),
        )
    )
    return Section(title="Simulations of Dror et al. (2017)", blocks=(lead, table))


def _known(probability: float | None) -> Prose:
    return "–" if probability is None else share_text(probability)
