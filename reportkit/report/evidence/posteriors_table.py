"""Tables of posteriors and of Bayes factors that were asked for, one row per dataset or per prior."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reportkit.bayes.bayes_factor import BayesFactors
from reportkit.bayes.posterior import Posterior
from reportkit.bayes.probability_text import probability_text
from reportkit.bayes.rope import RopeDecision
from reportkit.bayes.signed_rank import SignedRankPosterior
from reportkit.chains.sampled_posterior import SampledPosterior
from reportkit.language.numerals import percent_text
from reportkit.report.model import Align, Cell, Column, Row, Table
from reportkit.report.prose import Prose, prose, sentences
from reportkit.report.score_format import ScoreScale
from reportkit.report.tables.cells import text
from reportkit.report.text.evidence_wording import amount, factor_text

OUTCOMES: dict[RopeDecision, str] = {
    "practically better": "better",
    "practically equivalent": "equivalent",
    "practically worse": "worse",
    "undecided": "undecided",
}

_Posterior = Posterior | SampledPosterior


def compact(probability: float) -> str:
    """Write a probability for a cell; never 0 or 1."""
    return probability_text(probability).replace("below ", "<").replace("above ", ">")


def posteriors_table(items: Sequence[_Posterior | SignedRankPosterior], scale: ScoreScale) -> Table:
    """One row per dataset: model, mean, credible interval and probabilities; of a new dataset, probabilities alone."""
    first = items[0]
    caption = prose("Posterior of the difference between {a} and {b}.", a=first.system_a, b=first.system_b)
    if isinstance(first, SignedRankPosterior):
        return _table(
            "posteriors",
            sentences(caption, prose("Probabilities on a new dataset, by the signed ranks of the datasets.")),
            (),
            {"Model": "left", "P(better)": "right", "P(equivalent)": "right", "P(worse)": "right"},
            [["signed-rank", *map(compact, (first.p_better, first.p_equivalent, first.p_worse))]],
        )
    found = [item for item in items if not isinstance(item, SignedRankPosterior)]
    known = [item for item in found if not _withheld(item)]
    columns = posterior_columns(known, scale)
    legend = sentences(
        prose("Differences in {points}.", points=scale.points) if scale.points else (),
        prose("–: withheld, as the Markov chains failed.") if len(known) < len(found) else (),
        prose("No region of practical equivalence was declared.") if known and "P(better)" in columns else (),
    )
    rows = []
    for item in found:
        numbers = [] if _withheld(item) else [scale.difference(item.mean), *posterior_texts(item, scale)]
        rows.append([item.dataset, item.model, *numbers, *["–"] * (len(columns) + 1 - len(numbers))])
    return _table("posteriors", caption, legend, {"Dataset": "left", "Model": "left", "Mean": "right", **columns}, rows)


def posterior_columns(items: Sequence[_Posterior], scale: ScoreScale) -> dict[str, Align]:
    """Headers of what `posterior_texts` writes, and how each column is aligned."""
    rope = next((item.rope for item in items if item.rope is not None), None)
    columns: dict[str, Align] = {f"{percent_text(items[0].interval.level)} credible" if items else "Credible": "left"}
    if rope is None:
        return {**columns, "P(better)": "right"}
    r = amount(rope.half_width, scale)
    return {**columns, f"P(> {r})": "right", "P(within)": "right", f"P(< −{r})": "right", "Outcome": "left"}


def posterior_texts(item: _Posterior, scale: ScoreScale) -> list[str]:
    """Credible interval and probabilities; with a region of practical equivalence three of them, and the outcome."""
    interval, rope = scale.interval(item.interval.low, item.interval.high), item.rope
    if rope is None:
        return [interval, compact(item.p_better)]
    return [interval, *map(compact, (rope.better, rope.equivalent, rope.worse)), OUTCOMES[rope.decision]]


def _withheld(item: _Posterior) -> bool:
    return isinstance(item, SampledPosterior) and bool(item.withheld)


def factors_table(items: Sequence[BayesFactors], scale: ScoreScale) -> Table:
    """One row per dataset and prior: what the data make of the odds of the hypothesis."""
    first = items[0]
    rows = [
        [
            item.dataset if factor is item.factors[0] else "",
            factor.prior,
            compact(factor.prior_mass),
            compact(factor.posterior_mass),
            factor_text(factor),
        ]
        for item in items
        for factor in item.factors
    ]
    return _table(
        "bayes-factors",
        prose(
            "Bayes factors of {hypothesis}, where A is {a} and B is {b}, against its negation.",
            hypothesis=first.factors[0].hypothesis.text,
            a=first.system_a,
            b=first.system_b,
        ),
        prose("P: prior and posterior probability of the hypothesis."),
        {"Dataset": "left", "Prior": "left", "Prior P": "right", "Posterior P": "right", "Bayes factor": "left"},
        rows,
    )


def _table(
    name: str, caption: Prose, legend: Prose, headers: Mapping[str, Align], rows: Sequence[Sequence[str]]
) -> Table:
    return Table(
        name=name,
        caption=caption,
        legend=legend,
        columns=tuple(Column(header=text(header), align=align) for header, align in headers.items()),
        rows=tuple(Row(cells=tuple(Cell(text=text(cell)) for cell in row)) for row in rows),
    )
