"""The number of runs is missing, a single run is not said to be one, or the best run is reported.

What it does
------------
Reports results reached by the best of several runs, unless they were chosen on development data. And once for a paper
that trains or fine-tunes, names a setting of the training (epochs, learning rate, hyperparameters) and says that
something is better: a table of results where nothing says how many runs or seeds stand behind a number.

Why
---
ACL Responsible NLP checklist, C3: whether the max, the mean or a single run is reported. The best of five runs is
above their mean by more than a standard deviation, and the more runs, the higher. ACL Rolling Review, guideline R1:
the best of an unknown number of trials.

Example
-------
    We report the best of five runs.

Instead
-------
    We report the mean of five runs with different seeds, and their standard deviation.

When it is wrong
----------------
If the systems are deterministic and the paper says it in words that are not known here ("deterministic", "greedy
decoding", "temperature 0" and the like are).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.document import Table
from reportkit.checker.results_tables import results_table
from reportkit.checker.rule import Rule
from reportkit.checker.training import SETTINGS, trained, words_of
from reportkit.checker.vocabulary import NUMERAL

RUNS = r"(?:random )?(?:seeds?|runs?|restarts?|initiali[sz]ations?|trials?|repetitions?|random starts?)"
BEST = re.compile(
    rf"\b(?:best|max(?:imum)?|highest|top) (?:\w+ ){{0,2}}?(?:of|over|across|among|out of|from) (?:the |our |"
    rf"all )?(?:{NUMERAL}|several|multiple|many|different|all)?"
    rf" ?(?:different |independent )*{RUNS}\b|\bbest[- ](?:run|seed)\b|\bbest[- ]performing (?:run|seed)\b",
    re.IGNORECASE,
)
SUBMITTED = re.compile(
    r"\b(?:our|official|submitted|submission|team\w*)\b(?: \w+){0,2} runs?\b|\bsubmi\w+|\bshared task", re.IGNORECASE
)
"""Of shared tasks, where a run is a system."""
CHOSEN = re.compile(
    r"\b(?:dev|development|validation|held-?out|val)\b|\bmeans? (?:and|as well)|\bnot\b|\binstead of\b|\brather than\b",
    re.IGNORECASE,
)
MEAN = re.compile(r"\b(?:averag|mean)\w*\b", re.IGNORECASE)
"""In the same paragraph, of which the best is reported besides."""
REPORTED = re.compile(
    r"\b(?:reports?|reported|shows?|shown|presents?|presented|take[sn]?|took|used?|uses|select\w*|cho(?:o?s)e\w*|"
    r"pick\w*|keep|kept|gives?|given|is|are|were|was|"
    r"achiev\w+|reach\w*|obtain\w*|table|results?|scores?|accuracy|numbers?|performance)\b",
    re.IGNORECASE,
)
OF_OTHERS = re.compile(
    r"\b(?:excerpt|taken|adapted|copied|reproduced|reprinted)\b[^.]{0,30} from\b[^.]{0,60}⟦cite⟧", re.IGNORECASE
)
"""A table that another paper printed."""
STATED = re.compile(
    rf"\b(?:{NUMERAL}|single|several|multiple|different|each|every|the same|fixed|independent|all|one|random|per|"
    rf"over|across) (?:\w+ ){{0,2}}?{RUNS}\b|\brandom seeds?\b|\bseeds?\s*(?:=|of|is|to)?\s*\d|"
    rf"\bseed(?:ed)? (?:all|with|value)"
    r"|\bdeterministic (?:decoding|systems?|outputs?|results?|generation|inference|evaluation)|\b(?:results?|outputs?|"
    r"decoding|evaluation|systems?|models?) (?:is|are|was|were) (?:\w+ )?deterministic|\bno randomness"
    r"|\b(?:averages?|averaged|means?)\b[^.;]{0,20} (?:over|of|across) \d+ (?:experiments|episodes|rollouts|trials)"
    r"|\bgreedy (?:decod\w+|sampling|search|generation)|\btemperature\s*(?:of|=|is|to|at|was|set to)*\s*0(?!\.\d*[1-9])"
    rf"|\bruns?,? (?:once|twice|(?:ten|{NUMERAL}) times)|\b(?:train\w*|evaluat\w+|run|ran|repeat\w*|experiments?|"
    rf"fine-?tun\w+|test\w*)[^.;]{{0,40}}\b(?:only once|a single time|(?:{NUMERAL}|several|multiple) times)\b"
    rf"|\baverag\w+ (?:over|across|of|from) (?:the |all |our |{NUMERAL} |several |multiple |different )*{RUNS}"
    rf"|\b(?:{NUMERAL}|ten|k)[- ]fold\b(?![^.]*\bdevelopment\b)|(?<!fold )\bcross[- ]?validat|"
    rf"\bensembles? of (?:{NUMERAL}|\w+ models)|\b(?:one|"
    rf"single|per)[- ]run\b",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each best run, and one for a paper that says nothing about runs."""
    prose = context.prose
    spread = any(cell.spread for table in context.paper.tables for cell in table.body())
    for item in (
        () if spread else prose.with_words("run", "seed", "restart", "initiali", "trial", "repetition", "random start")
    ):
        match = BEST.search(item.text)
        if (
            match is None
            or SUBMITTED.search(item.text)
            or MEAN.search(prose.around(item))
            or CHOSEN.search(item.text)
            or not REPORTED.search(item.text)
            or item.negated(match.start())
        ):
            continue
        context.coverage.claim(context.number, item.sentence.span)
        yield RULE.at(
            context.paper,
            item.span(match),
            f"{match[0]!r} is reported, which depends on how many there were.",
            remedy="report the mean over all runs with their spread, or choose the run on development data and say so",
        )
    training = trained(prose)
    if training is None or prose.says(SETTINGS, own=True) is None or not prose.claims_better or spread:
        return
    table = results_table(context.paper)
    if table is None or prose.says(STATED, own=True) is not None or _stated_above(context.paper.tables):
        return
    if not OF_OTHERS.search(table.caption.text):
        context.coverage.claim(context.number, table.span)
        yield RULE.at(
            context.paper,
            table.caption.span() if table.caption else table.span,
            f"Systems are trained ({words_of(training)!r}), and nothing says over how many runs or seeds a number is.",
            remedy='say "mean of 5 seeds", "a single run", or that the systems are deterministic',
        )


def _stated_above(tables: Iterable[Table]) -> bool:
    """Whether a heading of a table says it."""
    return any(STATED.search(cell.text.text) for table in tables for cell in table.cells() if cell.header)


RULE = Rule(
    code="RK302",
    name="runs-unstated",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    sources="ACL C3; ARR R1",
)
