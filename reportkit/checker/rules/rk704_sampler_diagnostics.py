r"""Diagnostics of the sampler are missing or bad.

What it does
------------
Reports, once for a paper, posteriors from a Markov chain (MCMC, Stan, PyMC, JAGS, NUTS) without any diagnostic:
R-hat, effective sample size, divergences; and an R-hat above 1.05.

Why
---
Chains that have not met, or that missed a region, give posteriors of nothing in particular, and the numbers look the
same. Vehtari et al. (2021) ask for R-hat below 1.01 and an effective sample size of at least 400; Kruschke (2021).

Example
-------
    We sample the posterior with Stan; ours is better with probability .97.

Instead
-------
    We sample the posterior with Stan (4 chains; $\hat{R}$ at most 1.003, effective sample size at least 2,100,
    no divergences).

When it is wrong
----------------
If the diagnostics are in a supplement. Name the worst value of each in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule

SAMPLER = re.compile(
    r"\bMCMC\b|\bMarkov[- ]chain Monte[- ]Carlo\b|\bPyMC\d?\b|\bJAGS\b|\bNUTS\b|\bNo-U-Turn\b|"
    r"\bHamiltonian Monte[- ]Carlo\b|\b(?:in|with|by|using|via) Stan\b|\bbrms\b|\bMetropolis"
)
INFERENCE = re.compile(r"\bposterior|\bBayes|\bcredible|\bHDI\b", re.IGNORECASE)
DIAGNOSTIC = re.compile(
    r"R̂|\bR[- ]?hat\b|\bGelman|\beffective sample size|\bESS\b|\bdivergen(?:t|ces?)\b|\btrace ?plots?\b|"
    r"\bconverge(?:d|nce)\b|\bmixing\b",
    re.IGNORECASE,
)
BAD = re.compile(
    r"(?:R̂|R[- ]?hat)[^.]{0,30}?(?:=|≤|<|of|to|is|was|below|at most)\s*(?P<value>[1-9]\.\d+)", re.IGNORECASE
)
MOST = 1.05


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for missing diagnostics, and one for each bad R-hat."""
    prose = context.prose
    for item in prose.with_words("r̂", "r-hat", "rhat", "r hat"):
        match = BAD.search(item.text)
        if match and float(match["value"]) > MOST and not item.negated(match.start()):
            context.coverage.claim(context.number, item.sentence.span)
            message = f"R-hat is {match['value']}: the chains have not met."
            yield RULE.at(
                context.paper,
                item.span(match),
                message,
                remedy="run longer or reparametrise, until R-hat is below 1.01",
            )
    for item in prose.own:
        match = SAMPLER.search(item.text)
        if match is None or not INFERENCE.search(prose.around(item)):
            continue
        context.coverage.claim(context.number, item.sentence.span)
        if not item.negated(match.start()) and prose.says(DIAGNOSTIC) is None:
            message = f"{match[0].strip()!r} is used, and no diagnostic of the sampler is given."
            yield RULE.at(
                context.paper,
                item.span(match),
                message,
                remedy="give the largest R-hat, the smallest effective sample size and the number of divergences",
            )
        return


RULE = Rule(
    code="RK704", name="sampler-diagnostics", severity="warning", needs=frozenset({"paper"}), check=check, default=False
)
