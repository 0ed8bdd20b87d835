"""Tables of posteriors and of effect sizes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from reportkit.bayes.bayes_factor import BayesFactors
from reportkit.bayes.posterior import Posterior
from reportkit.bayes.rope import RopeDecision, probability_text
from reportkit.bayes.signed_rank import SignedRankPosterior
from reportkit.chains.sampled_posterior import SampledPosterior
from reportkit.evidence.effect_sizes import EffectSizes
from reportkit.language.counts_and_lists import listed
from reportkit.language.numerals import fixed, interval_text, level_text, percent_text, signed
from reportkit.report.model import Align, Cell, Column, Row, Table
from reportkit.report.prose import Cite, Prose, prose, sentences, text
from reportkit.report.score_format import ScoreScale, amount
from reportkit.report.text.evidence import factor_text
from reportkit.significance.effect_sizes import EffectSize

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
        rows=tuple(Row(cells=tuple(Cell.of(cell) for cell in row)) for row in rows),
    )


_HEADERS: Mapping[str, str] = {
    "relative difference": "Relative (%)",
    "probability of improvement": "P(improvement)",
    "Cohen's d of paired scores": "Cohen's d",
    "Cliff's delta": "Cliff's delta",
    "odds ratio of discordant pairs": "Odds ratio",
}
_EXPLAINED: Mapping[str, str] = {
    "relative difference": "Relative: the difference in percent of the score of {b}",
    "probability of improvement": "P(improvement): probability that {a} scores higher on an instance, ties as half",
    "Cohen's d of paired scores": "Cohen's d: mean difference in standard deviations of the differences",
    "Cliff's delta": "Cliff's delta: P({a} higher) minus P({b} higher)",
    "odds ratio of discordant pairs": "Odds ratio: how many times as often only {a} is right as only {b} is",
}


def effects_table(found: Sequence[EffectSizes], scale: ScoreScale, name: str) -> Table:
    """Effect sizes by dataset: one column for each, and the minimum detectable effects.

    Parameters
    ----------
    found : sequence of EffectSizes
        One per dataset.
    scale : ScoreScale
        Of the metric, for the minimum detectable effects.
    name : str
        Of the table.
    """
    names = [each for each in _HEADERS if any(effect.name == each for item in found for effect in item.effects)]
    with_mde = any(item.minimum_detectable is not None for item in found)
    columns = [Column.left("Dataset")]
    columns += [Column.left(_HEADERS[each]) for each in names]
    if with_mde:
        columns.append(Column.right("MDE"))
        if len(found) > 1:
            columns.append(Column.right("MDE in family"))
    rows = tuple(Row(cells=tuple(_cells(item, names, scale, len(found), with_mde=with_mde))) for item in found)
    first = found[0]
    return Table(
        name=name,
        caption=prose("Effect sizes of {a} against {b}.", a=first.system_a, b=first.system_b),
        legend=_legend(found, names, scale, with_mde=with_mde),
        columns=tuple(columns),
        rows=rows,
    )


def _cells(item: EffectSizes, names: Sequence[str], scale: ScoreScale, n: int, *, with_mde: bool) -> list[Cell]:
    effects = {effect.name: effect for effect in item.effects}
    cells = [Cell.of(item.dataset)]
    cells += [Cell.of(_effect_text(effects[each]) if each in effects else "–") for each in names]
    if not with_mde:
        return cells
    detectable = item.minimum_detectable
    values = [None, None] if detectable is None else [detectable.at_alpha, detectable.in_family]
    shown = values if n > 1 else values[:1]
    return [*cells, *(Cell.of("–" if value is None else scale.score(value)) for value in shown)]


def _effect_text(effect: EffectSize) -> str:
    """Estimate and interval: `+3.1 [+0.4, +5.9]`, `2.14 [1.10, 4.37]`."""
    factor, decimals = (100.0, 1) if effect.name == "relative difference" else (1.0, 2)

    def written(value: float) -> str:
        if math.isinf(value):
            return "∞" if value > 0 else "−∞"
        return signed(value * factor, decimals) if effect.no_effect == 0 else fixed(value * factor, decimals)

    if effect.interval is None:
        return written(effect.estimate)
    low, high = effect.interval.low, effect.interval.high
    if effect.no_effect == 0:
        return f"{written(effect.estimate)} {interval_text(low * factor, high * factor, decimals)}"
    return f"{written(effect.estimate)} [{written(low)}, {written(high)}]"


def _legend(found: Sequence[EffectSizes], names: Sequence[str], scale: ScoreScale, *, with_mde: bool) -> Prose:
    first = found[0]
    intervals = [effect.interval for item in found for effect in item.effects if effect.interval is not None]
    known = [item.minimum_detectable for item in found if item.minimum_detectable is not None]
    words: list[Prose] = [
        prose("{it}.", it=_EXPLAINED[each].format(a=first.system_a, b=first.system_b)) for each in names
    ]
    if intervals:
        titles = listed(list(dict.fromkeys(interval.title for interval in intervals)))
        words.append(
            prose(
                "In brackets: {level} intervals ({titles}), not adjusted for the number of datasets.",
                level=percent_text(intervals[0].level),
                titles=titles,
            )
        )
    if with_mde and known:
        words.append(
            prose(
                "MDE: the smallest true difference{unit} that would be shown with power {power} at level "
                "{level}{family}, given how well the difference is known here {cite}; it does not depend on the "
                "difference found.",
                unit=f" in {scale.points}" if scale.points else "",
                power=percent_text(known[0].power),
                level=level_text(known[0].alpha),
                family=f", and at {level_text(known[0].alpha)}/{known[0].n_datasets} (in family)"
                if len(found) > 1
                else "",
                cite=Cite(("card2020little",)),
            )
        )
    return sentences(*words)
