"""Four answers to claims, posteriors, Bayes factors and effect sizes: as plain values, and as tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from reportkit.language.numerals import fixed, interval_text, percent_text, signed
from reportkit.report.claim_tables import p_cell
from reportkit.report.facts import Facts
from reportkit.report.model import Cell, Column, Row, Table
from reportkit.report.tokens import name
from reportkit.report.wording import Wording
from reportkit.report.words import amount, diff, score

Plain = Mapping[str, Any]
DASH = "–"
OUTCOMES = {
    "practically better": "better",
    "practically equivalent": "equivalent",
    "practically worse": "worse",
    "undecided": "undecided",
}
EFFECTS = {
    "relative difference": "Relative (%)",
    "probability of improvement": "P(improvement)",
    "odds ratio of discordant pairs": "Odds ratio",
}
"""Effect sizes in the order of their columns."""


# plain values -------------------------------------------------------------------------------------------------------


def evidence_facts(evidence: Any) -> dict[str, Any] | None:
    """Return the four answers to each claim and the effect sizes as plain values; None where none were asked for."""
    if evidence is None or not evidence.claims:
        return None
    effects = [[_effects(item) for item in items] for items in evidence.effects]
    return {"claims": list(map(claim_facts, evidence.claims)), "effects": effects}


def claim_facts(claim: Any) -> dict[str, Any]:
    """Return an assessed claim as plain values; None stands where a question has no answer."""
    adjusted = claim.adjusted_p_values
    return {
        "a": claim.system_a,
        "b": claim.system_b,
        "claim": claim.hypothesis.kind,
        "margin": claim.hypothesis.margin,
        "alpha": claim.alpha,
        "correction": claim.correction,
        "k_hat": claim.k_hat,
        "apart": claim.apart,
        "named": list(claim.identified),
        "answers": [
            {
                "dataset": item.dataset,
                "difference": item.assessment.difference,
                "p_value": item.p_value,
                "test": item.test,
                "adjusted": None if adjusted is None else float(adjusted[place]),
                "low": None if item.interval is None else _finite(item.interval.low),
                "high": None if item.interval is None else _finite(item.interval.high),
                "level": None if item.interval is None else item.interval.level,
                "interval": None if item.interval is None else item.interval.title,
                "probability": item.probability,
                "posterior": None if item.posterior is None else posterior_facts(item.posterior),
                "factors": None if item.bayes_factors is None else factors_facts(item.bayes_factors),
                "silences": {question: " ".join(why.split()).rstrip(".") for question, why in item.silences.items()},
            }
            for place, item in enumerate(claim.answers)
        ],
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def posterior_facts(found: Any) -> dict[str, Any]:
    """Return a posterior as plain values; of one that Markov chains failed, `withheld` alone."""
    row: dict[str, Any] = {"a": found.system_a, "b": found.system_b, "dataset": getattr(found, "dataset", "")}
    if getattr(found, "withheld", ()):
        return {**row, "model": found.model, "withheld": True}
    if not hasattr(found, "interval"):
        return {
            **row,
            "model": "signed-rank",
            "p_better": found.p_better,
            "p_equivalent": found.p_equivalent,
            "p_worse": found.p_worse,
        }
    row["model"] = found.model
    row |= {
        "title": getattr(found, "title", ""),
        "prior": getattr(found, "prior", ""),
        "mean": found.mean,
        "p_better": found.p_better,
        "low": found.interval.low,
        "high": found.interval.high,
        "level": found.interval.level,
        "interval": "highest-density",
    }
    if found.rope is not None:
        row["rope"] = {
            "half_width": found.rope.half_width,
            "better": found.rope.better,
            "equivalent": found.rope.equivalent,
            "worse": found.rope.worse,
            "outcome": found.rope.decision,
        }
    return row


def factors_facts(found: Any) -> dict[str, Any]:
    """Return the Bayes factors of a hypothesis under several priors as plain values."""
    low, high = found.range
    return {
        "a": found.system_a,
        "b": found.system_b,
        "dataset": found.dataset,
        "hypothesis": found.factors[0].hypothesis.text,
        "low": low,
        "high": high,
        "depends_on_prior": found.depends_on_prior,
        "factors": [
            {
                "prior": factor.prior,
                "prior_mass": factor.prior_mass,
                "posterior_mass": factor.posterior_mass,
                "value": factor.value,
                "bound": factor.bound,
            }
            for factor in found.factors
        ],
    }


def _effects(item: Any) -> dict[str, Any]:
    found = item.minimum_detectable
    return {
        "dataset": item.dataset,
        "effects": {
            effect.name: {
                "estimate": effect.estimate,
                "no_effect": effect.no_effect,
                "low": None if effect.interval is None else effect.interval.low,
                "high": None if effect.interval is None else effect.interval.high,
                "level": None if effect.interval is None else effect.interval.level,
                "interval": None if effect.interval is None else effect.interval.title,
            }
            for effect in item.effects
        },
        "minimum_detectable": None
        if found is None
        else {
            "at_alpha": found.at_alpha,
            "in_family": found.in_family,
            "power": found.power,
            "alpha": found.alpha,
            "n_datasets": found.n_datasets,
        },
    }


# numbers ------------------------------------------------------------------------------------------------------------


def probability(value: float) -> str:
    """Write a probability for a cell, never 0 or 1: ".55", ">.999"."""
    return in_words(value).replace("below ", "<").replace("above ", ">")


def in_words(value: float) -> str:
    """Write a probability within a sentence, never 0 or 1: ".55", "above .999"."""
    from reportkit.bayes.rope import probability_text  # only where it was asked for

    return probability_text(value)


def factor_text(value: float, bound: str = "none") -> str:
    """Write a Bayes factor, or its bound: three significant digits; far from 1 as a power of ten.

    Examples
    --------
    >>> [factor_text(value) for value in (1.37733, 36.8, 0.0044, 6600.0, 2e-9)]
    ['1.38', '36.8', '0.0044', '6,600', '2.0×10⁻⁹']
    """
    sign = {"none": "", "upper": "<", "lower": ">"}[bound]
    if 100 <= value < 100_000:
        return f"{sign}{float(f'{value:.3g}'):,.0f}"
    if 0.001 <= value < 100:
        return f"{sign}{value:.3g}"
    mantissa, exponent = f"{value:.1e}".split("e")
    raised = str(int(exponent)).replace("-", "⁻").translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{sign}{mantissa}×10{raised}"


def range_text(found: Plain) -> str:
    """Write the Bayes factor under the first prior, and the range over all."""
    first = found["factors"][0]
    return (
        f"{factor_text(first['value'], first['bound'])} ({factor_text(found['low'])} to {factor_text(found['high'])})"
    )


# tables -------------------------------------------------------------------------------------------------------------


class Beyond:
    """Tables and words of answers beyond the p-value.

    Parameters
    ----------
    f : Facts
        Of the analysis.
    words : Wording
        Its words.
    """

    def __init__(self, f: Facts, words: Wording) -> None:
        self.f, self.words, self.metric = f, words, f.metrics[0].name
        self.heads: Mapping[str, str] = words.heads["evidence"]

    def _table(
        self, key: str, macro: str, heads: Sequence[tuple[str, bool]], rows: Sequence[Row], **shown: Any
    ) -> Table:
        return Table(
            name=key,
            caption=self.words.caption(macro, t={"metric": None, **shown}),
            legend=self.words.caption(f"{macro}_legend", t={"metric": None, **shown}),
            columns=tuple(Column(header=head, align="right" if right else "left") for head, right in heads),
            rows=tuple(rows),
        )

    def _interval(self, low: float | None, high: float | None, dataset: str) -> str:
        if low is None or high is None:
            return DASH
        return f"[{diff(self.f, low, self.metric, dataset)}, {diff(self.f, high, self.metric, dataset)}]"

    def short(self, claim: Plain) -> str:
        """Write a claim for a cell: "better", "within 1 point"."""
        margin, heads = claim["margin"], self.heads
        if claim["claim"] == "equivalent":
            return heads["within"].format(amount(self.f, margin, self.metric))
        if margin == 0:
            return heads["better"]
        key = "better_by" if margin > 0 else "at_most_worse"
        return heads[key].format(amount(self.f, abs(margin), self.metric))

    def answers(self, claims: Sequence[Plain], suffix: str = "") -> Table:
        """Return one row per dataset and claim: p-value, adjusted, posterior probability, Bayes factor."""
        heads, several = self.heads, len(claims) > 1
        factors = any(item["factors"] for claim in claims for item in claim["answers"])
        columns = [(self.words.heads["dataset"], False)] + [(self.words.heads["claim"], False)] * several
        columns += [(self.words.heads["p"], True), (self.words.heads["adjusted"], True), (heads["probability"], True)]
        columns += [(heads["factor"], False)] * factors
        rows = []
        for place, first in enumerate(claims[0]["answers"]):
            for number, claim in enumerate(claims):
                item = claim["answers"][place]
                cells = [Cell(text=name(first["dataset"]) if number == 0 else "")]
                cells += [Cell(text=self.short(claim))] * several
                cells += [Cell(text=DASH if item["p_value"] is None else p_cell(item["p_value"]))]
                mark = "*" if first["dataset"] in claim["named"] else ""
                cells += [Cell(text=DASH if item["adjusted"] is None else p_cell(item["adjusted"]), mark=mark)]
                cells += [Cell(text=DASH if item["probability"] is None else probability(item["probability"]))]
                cells += [Cell(text=DASH if item["factors"] is None else range_text(item["factors"]))] * factors
                rows.append(Row(cells=tuple(cells), rule_above=number == 0 and several and place > 0))
        marked = any(claim["named"] for claim in claims)
        key = f"four-answers{suffix}"
        return self._table(key, "four_answers", columns, rows, claims=claims, factors=factors, marked=marked)

    def credible(self, items: Sequence[Plain]) -> tuple[list[tuple[str, bool]], list[list[str]]]:
        """Return the heads and cells of credible intervals and probabilities; dashes where these are withheld."""
        heads = self.heads
        known = [item for item in items if "level" in item]
        rope = next((item["rope"] for item in known if "rope" in item), None)
        level = f"{percent_text(known[0]['level'])} " if known else ""
        columns = [(f"{level}{heads['credible']}", False)]
        if rope is None:
            columns += [(heads["p_better"], True)]
        else:
            r = amount(self.f, rope["half_width"], self.metric)
            outside = [heads["above"].format(r), heads["inside"], heads["below"].format(r)]
            columns += [*((head, True) for head in outside), (heads["outcome"], False)]
        rows = []
        for item in items:
            if "level" not in item:
                rows.append([DASH] * len(columns))
                continue
            cells = [self._interval(item["low"], item["high"], item["dataset"])]
            if "rope" in item:
                three = (item["rope"][side] for side in ("better", "equivalent", "worse"))
                cells += [*map(probability, three), OUTCOMES[item["rope"]["outcome"]]]
            else:
                cells.append(probability(item["p_better"]))
            rows.append(cells)
        return columns, rows

    def posteriors(self, items: Sequence[Plain]) -> Table:
        """Return one row per dataset: model, mean, credible interval and probabilities; or those of a new dataset."""
        heads = self.heads
        if items[0]["model"] == "signed-rank":
            columns = [(heads["model"], False), (heads["p_better"], True), (heads["p_equivalent"], True)]
            columns += [(heads["p_worse"], True)]
            three = [probability(items[0][key]) for key in ("p_better", "p_equivalent", "p_worse")]
            return self._table("posteriors", "posteriors", columns, [_row("signed-rank", *three)], found=items)
        credible, cells = self.credible(items)
        columns = [(self.words.heads["dataset"], False), (heads["model"], False), (heads["mean"], True), *credible]
        rows = []
        for item, row in zip(items, cells, strict=True):
            mean = diff(self.f, item["mean"], self.metric, item["dataset"]) if "mean" in item else DASH
            rows.append(_row(name(item["dataset"]), item["model"], mean, *row))
        return self._table("posteriors", "posteriors", columns, rows, found=items)

    def posteriors_of(self, claim: Plain, suffix: str = "") -> Table | None:
        """Return the posteriors of the answers to a claim, with the confidence intervals; None where there is none."""
        items = [item["posterior"] for item in claim["answers"]]
        if not any(item and "level" in item for item in items):
            return None
        credible, cells = self.credible([item or {} for item in items])
        levels = [item["level"] for item in claim["answers"] if item["level"]]
        columns = [(self.words.heads["dataset"], False), (self.words.heads["difference"], True)]
        columns += [
            (f"{percent_text(levels[0])} {self.heads['confidence']}" if levels else self.heads["confidence"], False)
        ]
        rows = []
        for item, row in zip(claim["answers"], cells, strict=True):
            dataset = item["dataset"]
            difference = diff(self.f, item["difference"], self.metric, dataset)
            rows.append(_row(name(dataset), difference, self._interval(item["low"], item["high"], dataset), *row))
        known = [item for item in items if item]
        return self._table(f"posteriors{suffix}", "posteriors", [*columns, *credible], rows, found=known)

    def factors(self, items: Sequence[Plain]) -> Table:
        """Return one row per dataset and prior: what the data make of the odds of the hypothesis."""
        heads = self.heads
        columns = [(self.words.heads["dataset"], False), (heads["prior"], False), (heads["prior_p"], True)]
        columns += [(heads["posterior_p"], True), (heads["factor"], False)]
        rows = [
            _row(
                name(item["dataset"]) if number == 0 else "",
                one["prior"],
                probability(one["prior_mass"]),
                probability(one["posterior_mass"]),
                factor_text(one["value"], one["bound"]),
            )
            for item in items
            for number, one in enumerate(item["factors"])
        ]
        return self._table("bayes-factors", "bayes_factors", columns, rows, found=items)

    def effects(self, items: Sequence[Plain], claim: Plain, suffix: str = "") -> Table | None:
        """Return effect sizes by dataset, and the minimum detectable effects; None where there is nothing."""
        names = [key for key in EFFECTS if any(key in item["effects"] for item in items)]
        known = [item["minimum_detectable"] for item in items if item["minimum_detectable"]]
        if not names and not known:
            return None
        heads = [(self.words.heads["dataset"], False), *((EFFECTS[key], False) for key in names)]
        detectable = ["at_alpha", "in_family"][: 2 if len(items) > 1 else 1] if known else []
        heads += [(self.heads[key], True) for key in detectable]
        rows = []
        for item in items:
            cells = [_effect_text(key, item["effects"].get(key)) for key in names]
            values = [(item["minimum_detectable"] or {}).get(key) for key in detectable]
            cells += [DASH if value is None else score(self.f, value, self.metric) for value in values]
            rows.append(_row(name(item["dataset"]), *cells))
        found = [effect for item in items for effect in item["effects"].values() if effect["interval"]]
        key = f"effect-sizes{suffix}"
        shown = {"names": names, "intervals": found, "detectable": known[0] if known else None, "n": len(items)}
        return self._table(key, "effect_sizes", heads, rows, a=claim["a"], b=claim["b"], **shown)

    def say(self, macro: str, **fields: Any) -> str:
        """Return the words of a macro of `text/evidence.jinja`."""
        return self.words.macro(
            "evidence",
            macro,
            probability=in_words,
            factor_text=factor_text,
            **fields,
        )


def _row(*cells: str) -> Row:
    return Row(cells=tuple(Cell(text=one) for one in cells))


def _effect_text(key: str, effect: Plain | None) -> str:
    """Write estimate and interval: "+3.1 [+0.4, +5.9]", "2.14 [1.10, 4.37]"."""
    if effect is None:
        return DASH
    factor, decimals = (100.0, 1) if key == "relative difference" else (1.0, 2)

    def written(value: float | None) -> str:
        if value is None or math.isinf(value):
            return "−∞" if value is not None and value < 0 else "∞"
        return (signed if effect["no_effect"] == 0 else fixed)(value * factor, decimals)

    low, high = effect["low"], effect["high"]
    if effect["interval"] is None:
        return written(effect["estimate"])
    if effect["no_effect"] == 0 and low is not None and high is not None:
        return f"{written(effect['estimate'])} {interval_text(low * factor, high * factor, decimals)}"
    return f"{written(effect['estimate'])} [{written(low)}, {written(high)}]"
