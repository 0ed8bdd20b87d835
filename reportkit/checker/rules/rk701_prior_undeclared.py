"""A prior or a region of practical equivalence is not stated.

What it does
------------
Reports, once for a paper, a posterior, credible interval, Bayes factor or HDI of the authors if no sentence states a
prior; and a region of practical equivalence (ROPE) without bounds.

Why
---
A posterior is prior times likelihood, a Bayes factor compares two priors, and a ROPE is a decision about what
matters: without them the numbers cannot be checked or reused. Sadat Azer et al. (2020), section 4; Kruschke (2018).

Example
-------
    The posterior probability that ours is better is .97.

Instead
-------
    With a uniform Beta(1, 1) prior on both accuracies, the posterior probability that ours is better is .97.

When it is wrong
----------------
If the prior is stated as the default of a named program. Give it nevertheless: defaults change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.prose import Statement
from reportkit.checker.rule import Rule
from reportkit.checker.vocabulary import BETTER

BAYES = re.compile(
    r"\bposterior (?:probabilit|mass|mean|distribution|odds|interval|median|of the (?:difference|effect|"
    r"accuracy))\w*|\bcredible (?:interval|region)|\bBayes factors?\b|\bBF_?\(?(?:10|01)\b|\bHDIs?\b|"
    r"\bhighest[- ]density",
    re.IGNORECASE,
)
LEVELS = frozenset({50, 66, 68, 80, 89, 90, 95, 99})
"""Of intervals, in percent."""
COMPARISON = re.compile(
    rf"{BETTER.pattern}|\bdifferen\w+|\baccurac\w+|\bhypothes\w+|\beffects?\b|\bequivalen", re.IGNORECASE
)
PRIOR = re.compile(
    r"\b(?:priors\b|prior (?!work|art|stud|research|knowledge|to\b|approach|method|paper|result|literature|system|"
    r"model|experiment|analys|finding)\w+|prior[,.;:)])|\bBeta\(|\bCauchy\b|\bJeffreys\b|\bhyper-?prior",
    re.IGNORECASE,
)
ROPE = re.compile(r"\bROPEs?\b|\b[Rr]egions? of practical equivalence\b")
BOUNDS = re.compile(
    r"(?:\bROPE\b|\bpractical equivalence\b)[^.]{0,90}\d|\d[^.]{0,60}(?:\bROPE\b|\bpractical equivalence\b)|"
    r"\bpoints?\b[^.]{0,40}ROPE|±",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for a missing prior, and one for a region without bounds."""
    prose = context.prose
    bayes = next(
        (
            item
            for item in prose.with_words("posterior", "credible", "bayes factor", "bf", "hdi", "highest")
            if BAYES.search(item.text) and COMPARISON.search(item.text) and _reported(item)
        ),
        None,
    )
    if bayes is not None and (match := BAYES.search(bayes.text)):
        context.coverage.claim(context.number, bayes.sentence.span)
        if prose.says(PRIOR) is None:
            message = f"{match[0]!r} is reported, and no prior is stated."
            yield RULE.at(
                context.paper, bayes.span(match), message, remedy="state the prior of every parameter, and why"
            )
    rope = next((item for item in prose.with_words("rope", "practical equivalence") if ROPE.search(item.text)), None)
    if rope is not None and (match := ROPE.search(rope.text)):
        context.coverage.claim(context.number, rope.sentence.span)
        if not rope.negated(match.start()) and prose.says(BOUNDS) is None:
            message = "A region of practical equivalence is used, and its bounds are not stated."
            yield RULE.at(
                context.paper,
                rope.span(match),
                message,
                remedy="give its bounds with their unit, and why smaller differences do not matter",
            )


def _reported(item: Statement) -> bool:
    """Whether a sentence prints a number other than the level of an interval, or decides something."""
    numbers = [
        number
        for number in item.sentence.numbers
        if not (number.percent and number.value in LEVELS) and not 1900 <= number.value <= 2100
    ]
    return bool(numbers)


RULE = Rule(
    code="RK701", name="prior-undeclared", severity="warning", needs=frozenset({"paper"}), check=check, default=False
)
