"""The section that sets p-value, interval, posterior and Bayes factor of each claim side by side."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.bayes.evidence.asked import Evidence
from reportkit.bayes.evidence.assessed import AssessedClaim
from reportkit.bayes.evidence.four_answers import FourAnswers
from reportkit.bayes.posterior import Posterior
from reportkit.language.counts_and_lists import listed
from reportkit.language.numerals import level_text, percent_text
from reportkit.report.evidence.evidence_figures import evidence_figures
from reportkit.report.evidence.evidence_tables import compact, effects_table, posterior_columns, posterior_texts
from reportkit.report.model import Align, Block, Cell, Column, Itemize, Paragraph, Row, Section, Table
from reportkit.report.prose import Prose, Reference, prose, sentences, text
from reportkit.report.score_format import ScoreScale, amount, p_text
from reportkit.report.text.evidence import (
    answers_in_words,
    claim_in_words,
    count_in_words,
    difference_in_words,
    four_questions,
    range_text,
    what_each_says,
)

MOST_DATASETS_IN_WORDS = 2
"""With more, the tables say it."""


def evidence_section(evidence: Evidence, scale: ScoreScale, *, prior: float | None = None) -> Section:
    """Words, and the tables of four answers, posteriors and effect sizes.

    Parameters
    ----------
    evidence : Evidence
        One claim or more.
    scale : ScoreScale
        Of the metric.
    prior : float, optional
        The prior that was asked for.
    """
    blocks: list[Block] = [Paragraph(content=four_questions()), Itemize(items=what_each_says())]
    groups = _by_pair(evidence.claims)
    for number, claims in enumerate(groups, start=1):
        suffix = f"-{number}" if len(groups) > 1 else ""
        tables = [_answers_table(claims, scale, f"four-answers{suffix}")]
        if any(isinstance(item.posterior, Posterior) for item in claims[0].answers):
            tables.append(_posterior_table(claims[0], scale, f"posteriors{suffix}"))
        effects = evidence.effects[number - 1] if evidence.effects else ()
        if any(item.effects or item.minimum_detectable for item in effects):
            tables.append(effects_table(effects, scale, f"effect-sizes{suffix}"))
        lead = prose(
            "{tables} {give} the answers.", tables=_listed(tables), give="give" if len(tables) > 1 else "gives"
        )
        words = [count_in_words(claim, scale) for claim in claims]
        blocks.append(Paragraph(content=sentences(*words, lead)))
        if len(claims[0].answers) <= MOST_DATASETS_IN_WORDS:
            a, b = claims[0].system_a, claims[0].system_b
            together = zip(*(claim.answers for claim in claims), strict=True)
            for items in together:
                blocks.append(Paragraph(content=difference_in_words(items[0], scale)))
                blocks.append(Itemize(items=tuple(answers_in_words(item, a, b, scale) for item in items)))
        blocks += tables
        if evidence.samples:
            samples = evidence.samples[number - 1]
            blocks += evidence_figures(claims, samples, scale, prior=prior, suffix=suffix)
    return Section(title="Beyond the p-value", blocks=tuple(blocks))


def _by_pair(evidence: Sequence[AssessedClaim]) -> list[list[AssessedClaim]]:
    groups: dict[tuple[str, str], list[AssessedClaim]] = {}
    for claim in evidence:
        groups.setdefault((claim.system_a, claim.system_b), []).append(claim)
    return list(groups.values())


def _listed(tables: Sequence[Table]) -> Prose:
    first, *others = [Reference("table", table.name) for table in tables]
    content: Prose = (first,)
    for number, other in enumerate(others, start=1):
        content = (*content, *prose(" and " if number == len(others) else ", "), other)
    return content


def _answers_table(claims: Sequence[AssessedClaim], scale: ScoreScale, name: str) -> Table:
    """One row per dataset and claim: p-value, adjusted, posterior probability, Bayes factor."""
    first = claims[0]
    several = len(claims) > 1
    with_factors = any(item.bayes_factors is not None for claim in claims for item in claim.answers)
    columns = [Column.left("Dataset")]
    if several:
        columns.append(Column.left("Claim"))
    columns += [Column.right(prose("{p}")), Column.right("adjusted"), Column.right("P(claim)")]
    if with_factors:
        columns.append(Column.left("Bayes factor"))
    rows = []
    for index, answer in enumerate(first.answers):
        for claim in claims:
            item = claim.answers[index]
            begins = claim is first
            cells = [Cell.of(answer.dataset if begins else "")]
            if several:
                cells.append(Cell.of(_short_claim(claim, scale)))
            cells += _answer_cells(claim, index, item, with_factors=with_factors)
            rows.append(Row(cells=tuple(cells), rule_above=begins and several and index > 0))
    return Table(
        name=name,
        caption=prose("Four answers to {whether}.", whether=_whether(claims, scale)),
        legend=_answers_legend(claims, with_factors=with_factors),
        columns=tuple(columns),
        rows=tuple(rows),
    )


def _answer_cells(claim: AssessedClaim, index: int, item: FourAnswers, *, with_factors: bool) -> list[Cell]:
    adjusted = None if claim.adjusted_p_values is None else float(claim.adjusted_p_values[index])
    cells = [
        Cell.of(text("–") if item.p_value is None else p_text(item.p_value)),
        Cell.of(
            text("–") if adjusted is None else p_text(adjusted), mark="*" if item.dataset in claim.identified else ""
        ),
        Cell.of("–" if item.probability is None else compact(item.probability)),
    ]
    if with_factors:
        cells.append(Cell.of("–" if item.bayes_factors is None else range_text(item.bayes_factors)))
    return cells


def _short_claim(claim: AssessedClaim, scale: ScoreScale) -> str:
    margin = claim.hypothesis.margin
    if claim.hypothesis.kind == "equivalent":
        return f"within {amount(margin, scale)}"
    if margin == 0:
        return "better"
    return f"better by > {amount(margin, scale)}" if margin > 0 else f"at most {amount(-margin, scale)} worse"


def _whether(claims: Sequence[AssessedClaim], scale: ScoreScale) -> str:
    first = claims[0]
    if len(claims) == 1:
        return f"the claim that {claim_in_words(first.system_a, first.system_b, first.hypothesis, scale)}"
    return f"{len(claims)} claims about {first.system_a} and {first.system_b}"


def _answers_legend(claims: Sequence[AssessedClaim], *, with_factors: bool) -> Prose:
    first = claims[0]
    tests = list(dict.fromkeys(item.test for claim in claims for item in claim.answers if item.test))
    models = list(
        dict.fromkeys(
            f"{item.posterior.title}, {item.posterior.prior}"
            for item in first.answers
            if isinstance(item.posterior, Posterior)
        )
    )
    factors = [item.bayes_factors for item in first.answers if item.bayes_factors is not None]
    return sentences(
        prose("One-sided {p}-values of the claim's negation ({tests}).", tests=listed(tests)) if tests else (),
        _adjusted_in_words(claims),
        prose("P(claim): posterior probability ({models}).", models="; ".join(models)) if models else (),
        prose(
            "Bayes factor of the claim against its negation under the first of {priors}, and its range over them.",
            priors=listed([factor.prior for factor in factors[0].factors]),
        )
        if with_factors and factors
        else (),
    )


def _adjusted_in_words(claims: Sequence[AssessedClaim]) -> Prose:
    """What the p-values of the claims are adjusted by; each kind of claim is a family of its own."""
    corrections = list(dict.fromkeys(claim.correction for claim in claims if claim.adjusted_p_values is not None))
    if not corrections:
        return ()
    first, *others = corrections
    how = first if not others else f"{first} for “better”, {listed(others)} for {'each of ' if len(claims) > 2 else ''}"
    how += "" if not others else "the other claims" if len(claims) > 2 else "the other claim"
    return prose("Adjusted {how}; * {p} ≤ {level}.", how=how, level=level_text(claims[0].alpha))


def _posterior_table(claim: AssessedClaim, scale: ScoreScale, name: str) -> Table:
    """One row per dataset: difference, confidence and credible interval, and the three outcomes of the region."""
    found = [item.posterior for item in claim.answers]
    posteriors = [item for item in found if isinstance(item, Posterior)]
    rope = next((item.rope for item in posteriors if item.rope is not None), None)
    level = percent_text(posteriors[0].interval.level)
    levels = [item.interval.level for item in claim.answers if item.interval is not None]
    confidence = percent_text(levels[0]) if levels else level
    credible = posterior_columns(posteriors, scale)
    headers: dict[str, Align] = {"Dataset": "left", "Diff.": "right", f"{confidence} confidence": "left", **credible}
    columns = [Column(header=text(header), align=align) for header, align in headers.items()]
    rows = tuple(Row(cells=tuple(_posterior_cells(item, scale, len(credible)))) for item in claim.answers)
    kinds = {item.interval.kind for item in posteriors}
    return Table(
        name=name,
        caption=prose(
            "Posterior of the difference between {a} and {b}.",
            a=claim.system_a,
            b=claim.system_b,
        ),
        legend=sentences(
            prose("Differences{unit}.", unit=f" in {scale.points}") if scale.points else (),
            prose(
                "Credible: {kind} interval.",
                kind="highest-density" if kinds == {"highest-density"} else "highest-density or equal-tailed",
            ),
            prose(
                "Outcome: where the whole credible interval lies with respect to differences of at most {r}, which "
                "were declared to be practically equivalent; the three probabilities are another rule.",
                r=amount(rope.half_width, scale),
            )
            if rope is not None
            else prose("No region of practical equivalence was declared."),
        ),
        columns=tuple(columns),
        rows=rows,
    )


def _posterior_cells(item: FourAnswers, scale: ScoreScale, n_credible: int) -> list[Cell]:
    interval, found = item.interval, item.posterior
    texts = [
        item.dataset,
        scale.on(item.assessment.dataset).difference(item.assessment.difference),
        "–" if interval is None else scale.on(item.assessment.dataset).interval(interval.low, interval.high),
        *(posterior_texts(found, scale) if isinstance(found, Posterior) else ["–"] * n_credible),
    ]
    return [Cell.of(one) for one in texts]
