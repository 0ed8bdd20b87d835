"""What the four answers to one claim say in words, and what each of them does not say."""

from __future__ import annotations

from collections.abc import Mapping

from reportkit.bayes.bayes_factor import BayesFactor, BayesFactors, Hypothesis
from reportkit.bayes.evidence.assessed import AssessedClaim
from reportkit.bayes.evidence.four_answers import FourAnswers, Question
from reportkit.bayes.posterior import Posterior
from reportkit.bayes.rope import RopeDecision, probability_text
from reportkit.language.counts_and_lists import listed
from reportkit.language.numerals import level_text, p_value_text, percent_text
from reportkit.report.prose import Cite, Prose, Strong, prose, sentences
from reportkit.report.score_format import ScoreScale, amount


def claim_in_words(a: str, b: str, hypothesis: Hypothesis, scale: ScoreScale) -> str:
    """State the claim: "A is better than B by more than 1 percentage point".

    Examples
    --------
    >>> from reportkit.bayes import better_by_more_than, equivalent_within
    >>> claim_in_words("new", "old", better_by_more_than(0.0), ScoreScale(100.0, 1))
    'new is better than old'
    >>> claim_in_words("new", "old", equivalent_within(0.02), ScoreScale(100.0, 1))
    'new and old differ by at most 2 percentage points'
    """
    if hypothesis.kind == "equivalent":
        return f"{a} and {b} differ by at most {amount(hypothesis.margin, scale)}"
    if hypothesis.margin == 0:
        return f"{a} is better than {b}"
    if hypothesis.margin < 0:
        return f"{a} is at most {amount(-hypothesis.margin, scale)} worse than {b}"
    return f"{a} is better than {b} by more than {amount(hypothesis.margin, scale)}"


def difference_in_words(item: FourAnswers, scale: ScoreScale) -> Prose:
    """Say what interval and posterior say of the difference on one dataset, whatever is claimed of it."""
    return sentences(
        prose("On {dataset}, {interval}", dataset=item.dataset, interval=_interval(item, scale)),
        _posterior(item, scale),
    )


def answers_in_words(item: FourAnswers, a: str, b: str, scale: ScoreScale) -> Prose:
    """Say what p-value, posterior probability and Bayes factor say of one claim on one dataset."""
    claim = claim_in_words(a, b, item.hypothesis, scale)
    return sentences((Strong(f"Claim: {claim}."),), _p_value(item), _probability(item), _bayes_factor(item))


def _p_value(item: FourAnswers) -> Prose:
    if item.p_value is None:
        return _silence("p-value", item)
    written = p_value_text(item.p_value)
    return prose(
        "If the claim were false, data at least this favourable to it would be seen with probability at most {value} "
        "({p}-value; {test}, one-sided, not adjusted).",
        value=written.replace("<", "").replace(">", ""),
        test=item.test,
    )


def _interval(item: FourAnswers, scale: ScoreScale) -> Prose:
    interval = item.interval
    if interval is None:
        return prose("no interval is known, as {reason}.", reason=_clause(item.silences.get("interval", "")))
    return prose(
        "differences from {low} to {high} are compatible with the data ({level} {title}).",
        low=scale.end(interval.low),
        high=f"{scale.end(interval.high)}{scale.points_after}",
        level=percent_text(interval.level),
        title=interval.title,
    )


def _posterior(item: FourAnswers, scale: ScoreScale) -> Prose:
    found = item.posterior
    if not isinstance(found, Posterior):
        return ()
    low, high = (scale.end(end) for end in (found.interval.low, found.interval.high))
    words = prose(
        "Under the {title} with {prior}, the difference lies between {low} and {high} with probability {level} "
        "({kind} interval).",
        title=found.title,
        prior=found.prior,
        level=percent_text(found.interval.level),
        kind="highest-density" if found.interval.kind == "highest-density" else "equal-tailed",
        low=low,
        high=f"{high}{scale.points_after}",
    )
    return sentences(words, rope_in_words(found, scale))


def _probability(item: FourAnswers) -> Prose:
    if item.probability is None:
        return _silence("posterior", item)
    of_new = "" if isinstance(item.posterior, Posterior) else " for a new dataset of this kind"
    return prose(
        "The posterior probability of the claim is {p}{new}.", p=probability_text(item.probability), new=of_new
    )


_DECIDED: Mapping[RopeDecision, str] = {
    "practically better": "The interval lies outside the region: {a} is practically better",
    "practically worse": "The interval lies outside the region: {a} is practically worse",
    "practically equivalent": "The interval lies inside the region: the two are practically equivalent",
    "undecided": "The interval crosses the edge of the region and leaves this undecided",
}


def rope_in_words(found: Posterior, scale: ScoreScale) -> Prose:
    """State the three outcomes of the declared region of practical equivalence; empty if none was declared."""
    rope = found.rope
    if rope is None:
        return ()
    return prose(
        "With differences of at most {r} declared to be practically equivalent, {a} is better by more than that with "
        "probability {better}, practically equivalent with {same}, worse by more than that with {worse}. {decision}.",
        r=amount(rope.half_width, scale),
        a=found.system_a,
        better=probability_text(rope.better),
        same=probability_text(rope.equivalent),
        worse=probability_text(rope.worse),
        decision=prose(_DECIDED[rope.decision], a=found.system_a),
    )


def _bayes_factor(item: FourAnswers) -> Prose:
    found = item.bayes_factors
    if found is None:
        return _silence("Bayes factor", item)
    return sentences(
        prose(
            "The data multiply the odds of the claim by {value} (Bayes factor) under {prior}, by {low} to {high} under "
            "{n} priors.",
            value=factor_text(found.factors[0]),
            prior=found.factors[0].prior,
            low=number_text(found.range[0]),
            high=number_text(found.range[1]),
            n=len(found.factors),
        ),
        prose("Whether they raise or lower the odds depends on the prior.") if found.depends_on_prior else (),
    )


def _silence(question: Question, item: FourAnswers) -> Prose:
    reason = item.silences.get(question, "")
    named = prose("{p}-value") if question == "p-value" else prose("{q}", q=question)
    return prose("There is no {question}: {reason}.", question=named, reason=_clause(reason))


def _clause(reason: str) -> str:
    """A message as a clause: one line, without a full stop."""
    return " ".join(reason.split()).rstrip(".")


def number_text(value: float) -> str:
    """Write a Bayes factor: two or three significant digits, powers of ten in words.

    Examples
    --------
    >>> [number_text(value) for value in (1.37733, 36.8, 0.0044, 123456.0, 2e-9)]
    ['1.38', '36.8', '0.0044', '1.2×10⁵', '2.0×10⁻⁹']
    """
    if 0.001 <= value < 10_000:
        return f"{value:.3g}"
    mantissa, exponent = f"{value:.1e}".split("e")
    raised = str(int(exponent)).replace("-", "⁻").translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{mantissa}×10{raised}"


def factor_text(factor: BayesFactor) -> str:
    """Write a Bayes factor, or its bound."""
    sign = {"none": "", "upper": "<", "lower": ">"}[factor.bound]
    return sign + number_text(factor.value)


def range_text(found: BayesFactors) -> str:
    """Write the Bayes factor under the first prior, and the range over all."""
    low, high = found.range
    return f"{factor_text(found.factors[0])} ({number_text(low)} to {number_text(high)})"


def count_in_words(found: AssessedClaim, scale: ScoreScale) -> Prose:
    """On how many datasets the claim is shown, and on which."""
    claim = claim_in_words(found.system_a, found.system_b, found.hypothesis, scale)
    n = len(found.answers)
    if found.k_hat is None:
        return prose(
            "On how many datasets it holds that {claim} is not counted: a dataset has no p-value for it.", claim=claim
        )
    if n == 1:
        shown = "is shown" if found.k_hat else "is not shown; this is no evidence against it"
        return prose(
            "On {dataset} the claim that {claim} {shown} (level {level}).",
            dataset=found.answers[0].dataset,
            claim=claim,
            shown=shown,
            level=level_text(found.alpha),
        )
    if not found.k_hat:
        return prose(
            "That {claim} is shown on none of the {n} datasets (level {level}); this is no evidence against it.",
            claim=claim,
            n=n,
            level=level_text(found.alpha),
        )
    if found.k_hat == n:
        return prose(
            "That {claim} is shown on {all} ({k_hat} = {n}, level {level}).",
            claim=claim,
            all="both datasets" if n == 2 else f"all {n} datasets",
            n=n,
            level=level_text(found.alpha),
        )
    named = {
        found.k_hat: "namely on {names}",
        0: "without naming any of them",
    }.get(len(found.identified), "among them {names}")
    if found.apart and found.identified:
        named = "and, as a separate statement, by Holm's method on {names}"
    return prose(
        "That {claim} is shown on at least {k} of the {n} datasets ({k_hat} = {k}, level {level}), " + named + ".",
        claim=claim,
        k=found.k_hat,
        n=n,
        level=level_text(found.alpha),
        **({"names": listed(found.identified)} if found.identified else {}),
    )


def four_questions() -> Prose:
    """Say that there are four questions."""
    return prose(
        "We ask four questions of the same data {cite}; no answer replaces another.",
        cite=Cite(("sadatazer2020claims",)),
    )


def what_each_says() -> tuple[Prose, ...]:
    """What each of the four answers says, and what it does not say."""
    return (
        prose(
            "The {p}-value says how often data at least as favourable would be seen if the claim were false; it is not "
            "the probability that the claim is false, nor does a large one support its negation."
        ),
        prose(
            "The confidence interval holds the differences that the data are compatible with; the confidence is that "
            "of the method over repetitions, not a probability of the difference."
        ),
        prose(
            "The posterior probability says how probable the claim is under the stated model and prior; it says "
            "nothing of other models."
        ),
        prose(
            "The Bayes factor says by how much the data change the odds of the claim against its negation, whatever "
            "these odds were; it depends on the prior, which is why it is given under several."
        ),
    )
