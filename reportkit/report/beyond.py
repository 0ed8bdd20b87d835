"""Four answers to claims, posteriors and Bayes factors: as plain values, and as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reportkit.language import p_value_text
from reportkit.report.facts import Facts
from reportkit.report.model import Cell, Table
from reportkit.report.rounding import finite
from reportkit.report.tokens import name
from reportkit.report.wording import Line, Wording
from reportkit.report.words import effect

Plain = Mapping[str, Any]
DASH = "–"

# plain values -------------------------------------------------------------------------------------------------------


def evidence_facts(evidence: Any) -> dict[str, Any] | None:
    """Return the four answers to each claim as plain values; None where the user asked for none."""
    return {"claims": list(map(claim_facts, evidence.claims))} if evidence is not None and evidence.claims else None


def _values(found: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(found, name, "") for name in names}


def claim_facts(claim: Any) -> dict[str, Any]:
    """Return an assessed claim as plain values; None stands where a question has no answer."""
    adjusted = claim.adjusted_p_values
    return {
        "a": claim.system_a,
        "b": claim.system_b,
        "claim": claim.hypothesis.kind,
        "margin": claim.hypothesis.margin,
        **_values(claim, "alpha", "correction", "k_hat", "apart"),
        "named": list(claim.identified),
        "answers": [
            {
                **_values(item, "dataset", "p_value", "test", "probability"),
                "difference": item.assessment.difference,
                "adjusted": None if adjusted is None else float(adjusted[place]),
                "low": finite(item.interval and item.interval.low),
                "high": finite(item.interval and item.interval.high),
                "level": item.interval and item.interval.level,
                "interval": item.interval and item.interval.title,
                "posterior": item.posterior and posterior_facts(item.posterior),
                "factors": item.bayes_factors and factors_facts(item.bayes_factors),
                "silences": {question: " ".join(why.split()).rstrip(".") for question, why in item.silences.items()},
            }
            for place, item in enumerate(claim.answers)
        ],
    }


def posterior_facts(found: Any) -> dict[str, Any]:
    """Return a posterior as plain values; `withheld` alone, where the Markov chains failed."""
    row: dict[str, Any] = {"a": found.system_a, "b": found.system_b, "dataset": getattr(found, "dataset", "")}
    if getattr(found, "withheld", ()):
        return {**row, "model": found.model, "withheld": True}
    if not hasattr(found, "interval"):
        return {**row, "model": "signed-rank", **_values(found, "p_better", "p_equivalent", "p_worse")}
    row |= _values(found, "model", "title", "prior", "mean", "p_better") | _values(
        found.interval, "low", "high", "level"
    )
    row["interval"] = "highest-density"
    if found.rope is not None:
        row["rope"] = _values(found.rope, "half_width", "better", "equivalent", "worse") | {
            "outcome": found.rope.decision
        }
    return row


def factors_facts(found: Any) -> dict[str, Any]:
    """Return the Bayes factors of a hypothesis under several priors as plain values."""
    low, high = found.range
    return {
        "a": found.system_a,
        "b": found.system_b,
        **_values(found, "dataset", "depends_on_prior"),
        "hypothesis": found.factors[0].hypothesis.text,
        "low": low,
        "high": high,
        "factors": [
            _values(factor, "prior", "prior_mass", "posterior_mass", "value", "bound") for factor in found.factors
        ],
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
        Facts of the analysis.
    words : Wording
        Its words.
    """

    def __init__(self, f: Facts, words: Wording) -> None:
        self.f, self.words, self.metric = f, words, f.metrics[0].name

    def _interval(self, item: Plain) -> str:
        if item["low"] is None or item["high"] is None:
            return DASH
        low, high = (effect(self.f, item[end], self.metric, item["dataset"]) for end in ("low", "high"))
        return f"[{low}, {high}]"

    def answers(self, claims: Sequence[Plain], suffix: str = "") -> Table:
        """Return one row per dataset and claim: p-value, adjusted, posterior probability, Bayes factor."""
        several = len(claims) > 1
        factors = any(item["factors"] for claim in claims for item in claim["answers"])
        rows: list[Line] = []
        for items in zip(*(claim["answers"] for claim in claims), strict=True):
            for claim, item in zip(claims, items, strict=True):
                mark = "*" if item["dataset"] in claim["named"] else ""
                p, adjusted, probable, factor = (
                    DASH if item[key] is None else write(item[key])
                    for key, write in (
                        ("p_value", p_value_text),
                        ("adjusted", p_value_text),
                        ("probability", probability),
                        ("factors", range_text),
                    )
                )
                short = [self.say("short", claim=claim)] * several
                cells: list[str | Cell] = [name(item["dataset"]), *short, p, Cell(text=adjusted, mark=mark), probable]
                rows.append([*cells, *[factor] * factors])
        shown = {"claims": claims, "factors": factors, "marked": any(claim["named"] for claim in claims)}
        return self.words.table("four-answers", rows, nested=[0], rules=several, suffix=suffix, **shown)

    def _credible(self, item: Plain, rope: float | None) -> list[str]:
        """Write a credible interval and probabilities; dashes where these are withheld."""
        if "level" not in item:
            return [DASH] * (2 if rope is None else 5)
        if "rope" not in item:
            return [self._interval(item), probability(item["p_better"])]
        three = (item["rope"][side] for side in ("better", "equivalent", "worse"))
        return [self._interval(item), *map(probability, three), item["rope"]["outcome"].removeprefix("practically ")]

    def posteriors(self, items: Sequence[Plain], suffix: str = "") -> Table:
        """Return one row per dataset: model, mean, credible interval and probabilities; or those of a new dataset."""
        if items[0]["model"] == "signed-rank":
            keys = ("p_better", "p_equivalent", "p_worse")
            rows = [["signed-rank", *(probability(items[0][key]) for key in keys)]]
            return self.words.table("posteriors", rows, found=items, levels=(), suffix=suffix)
        rope, rows = _half_width(items), []
        for item in items:
            mean = effect(self.f, item["mean"], self.metric, item["dataset"]) if "mean" in item else DASH
            rows.append([name(item["dataset"]), item["model"], mean, *self._credible(item, rope)])
        return self.words.table("posteriors", rows, found=items, levels=(), suffix=suffix)

    def posteriors_of(self, claim: Plain, suffix: str = "") -> list[Table]:
        """Return the posteriors of the answers to a claim, with the confidence intervals, if there are any."""
        items = [item["posterior"] or {} for item in claim["answers"]]
        if not any("level" in item for item in items):
            return []
        rope, rows = _half_width(items), []
        for item, posterior in zip(claim["answers"], items, strict=True):
            difference = effect(self.f, item["difference"], self.metric, item["dataset"])
            rows.append([name(item["dataset"]), difference, self._interval(item), *self._credible(posterior, rope)])
        levels = [item["level"] for item in claim["answers"] if item["level"]]
        found = list(filter(None, items))
        return [self.words.table("posteriors", rows, found=found, levels=levels or [None], suffix=suffix)]

    def factors(self, items: Sequence[Plain], suffix: str = "") -> Table:
        """Return one row per dataset and prior, with the Bayes factor of the hypothesis."""
        rows = [
            [
                name(item["dataset"]),
                one["prior"],
                probability(one["prior_mass"]),
                probability(one["posterior_mass"]),
                factor_text(one["value"], one["bound"]),
            ]
            for item in items
            for one in item["factors"]
        ]
        return self.words.table("bayes-factors", rows, nested=[0], rules=False, found=items, suffix=suffix)

    def say(self, macro: str, **fields: Any) -> str:
        """Return the words of a macro of `text/evidence.jinja`."""
        return self.words.macro("evidence", macro, probability=in_words, factor_text=factor_text, **fields)


def _half_width(items: Sequence[Plain]) -> float | None:
    return next((item["rope"]["half_width"] for item in items if "rope" in item), None)
