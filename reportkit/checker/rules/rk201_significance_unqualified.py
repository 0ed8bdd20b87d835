"""A result is called significant, and the paper names no test.

What it does
------------
In a paper that names no test and prints no p-value and no interval, reports "significant" and "significantly" where
they are said of results that are better or worse: "significantly outperforms", "a significant gain in accuracy". The
everyday word ("significant progress", "a significant number", "dropped significantly") is no finding, nor is its denial
("no significant gain"), nor a sentence that prints how large the difference is, nor is the word outside of what a paper
says of its own results: sections on experiments, results and conclusions, captions, and what "we" do in abstract and
introduction. The last lines of a check say how often it is used so.

Why
---
ACL Rolling Review, reviewer guideline R5 (missing statistical significance assessment) and R1 (misleading
presentation). Readers take the word for a test result; many papers mean "large". Sadat Azer et al. (2020), section 4,
ask authors to say which of the two they mean.

Example
-------
    Our model is significantly better than the baseline.

Instead
-------
    Our model is better than the baseline by 2.3 points (95% interval 1.1 to 3.5; exact McNemar test, two-sided,
    p = .002). Or, if no test was made: Our model is much better than the baseline.

When it is wrong
----------------
If the test is named in words that are not known here. Ignore the line with a reason. In a paper with tests, claims
beyond them are not told apart from claims that rest on them, and none is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.prose import Statement
from reportkit.checker.results_tables import METRIC, results_table
from reportkit.checker.rule import Rule
from reportkit.checker.vocabulary import UNCERTAINTY

WORD = re.compile(r"\b(?:in)?significan(?:t|tly|ce)\b", re.IGNORECASE)
QUALIFIED = re.compile(
    r"\b(?:statistical|practical|clinical|substantive|biological|medical|functional|economic|societal)(?:ly)?\b",
    re.IGNORECASE,
)
TERM = re.compile(
    r"\bmost significant\b"
    r"|\bsignifican\w+ (?:digit|figure|bit|byte|other|level of|wave height)|\bleast significan"
    r"|\b(?:significance|significan\w+) test|\bsigned[- ]rank"
    r"|(?<![\w-])p\s?[<=>≤≥]",  # also one that cannot be, which another rule reports
    re.IGNORECASE,
)
CHANGE = (
    r"(?:(?:out|under)perform\w*|improv\w*|surpass\w*|exceed\w*|superior|inferior|better|worse|higher|lower|stronger|weaker|"
    r"boost\w*|enhanc\w*|degrad\w*|drop\w*|declin\w*|deteriorat\w*|differ(?:s|ed|ent)?|above|below|narrow\w*|hurts?|harms?|"
    r"increas\w*|decreas\w*|reduc\w*|benefit\w*|affect\w*|impact\w*|lags?)"
)
DIFFERENCE = (
    r"(?:improvements?|gains?|differences?|increases?|decreases?|drops?|reductions?|boosts?|margins?|gaps?|degradations?|"
    r"declines?|deteriorations?|jumps?|advantages?|effects?|impacts?|correlations?|leaps?|lead)"
)
CLAIM = re.compile(
    rf"\bsignificant(?:ly)? (?:\w+[ -]){{0,2}}?{CHANGE}\b|\b{CHANGE}\b(?: \S+){{0,6}}? significantly\b"
    rf"|\b(?:in)?significant (?:[\w-]+ ){{0,3}}?{DIFFERENCE}\b"
    rf"|\b{DIFFERENCE}\b(?: \S+){{0,6}}? (?:is|are|was|were)(?: not)? (?:in)?significant\b",
    re.IGNORECASE,
)
"""The word beside a change or a difference."""
RESULT = re.compile(
    r"\b(?:scores?|accurac\w+|performance|quality|F_?1|F-?score|BLEU\w*|ROUGE\S*|precision|recall|sensitivity|specificity|"
    r"datasets?|benchmarks?|perplexity|AUC|error rates?|correlation|results?|metrics?|baselines?|models?|"
    r"systems?|approach\w*|method\w*|"
    r"state[- ]of[- ]the[- ]art|SOTA|(?:out|under)perform\w*|points?|alignment|agreement|predicti\w+)\b"
    r"|\b(?:it|ours) (?:is|was|performs)\b|⟦ref⟧|\d+\.\d|\d\s?%",
    re.IGNORECASE,
)
"""What was measured, by which, on what."""
BETTER = re.compile(
    r"\b(?:(?:out|under)perform\w*|improv\w*|surpass\w*|superior|inferior|better|worse|stronger|weaker|boost\w*|enhanc\w*|"
    r"degrad\w*|deteriorat\w*|gains?|margins?|benefits?|advantages?)\b",
    re.IGNORECASE,
)
"""A change for better or worse; what only rose, fell or differed is large in the everyday sense as often as not."""
EVERYDAY = re.compile(
    r"\bsignificant(?:ly)? (?:\w+[ -]){0,2}(?:progress|challenges?|efforts?|roles?|contribut\w*|computation\w*|"
    r"larger|smaller|"
    r"bigger|fewer|more|less|number|amount|proportion|portion|percentage|limitations?|implications?|overheads?|costs?|"
    r"cheaper|faster|slower|simpler|memory|time|speed\w*|energy|overlap|attention|interest|resources?|variance|variation|"
    r"efficien\w+)\b"
    r"|\brepresents? a significant|\breduc\w+ in size\b"
    r"|\bscal(?:e|es|ed|ing) significantly\b"
    r"|\bnot (?:significantly )?(?:affect|influence|impact|change|alter)\w*\b"
    r"|\b(?:memory|latenc(?:y|ies)|speed-?ups?|speeds?|hit rat(?:e|io)s?|throughput|"
    r"energy|costs?|overheads?|runtime|bit-?rates?|comput(?:e|ation\w*)|parameters|engineering|overfit\w*|"
    r"expected value|candidates|search space|rewards?|(?:the|training|validation) loss)\b",
    re.IGNORECASE,
)
"""What is large, and was counted or bought, not tested."""
SIZE = re.compile(r"\d+\.\d|\d\s?%|\d-?points?\b")
"""How large it is: a sentence that prints it says what it means."""
SIGNPOST = re.compile(
    r"\b(?:Section|Chapter|Appendix|Part)s? ⟦ref⟧ (?:\w+ )?"
    r"(?:discuss|describ|present|introduc|outlin|review|contain|list|cover)",
    re.IGNORECASE,
)
SUPPORTED = re.compile(
    r"\b[Cc]onfidence intervals?\b|(?<![\w-])CIs?(?![\w-])|\d\s?% intervals?\b"
    r"|(?<![\w-])(?:[tzF]|χ\^?2)\s?(?:\([^()]*\))?\s?=\s?[+−–-]?\d"
)
"""An interval, or the statistic of a test, in the same paragraph."""
ANAPHORA = re.compile(r"\b(?:these|this|those|such|the above) (?:\w+ )?$", re.IGNORECASE)
OF_OTHERS = re.compile(
    r"\b(?:related|previous|prior) (?:work|stud|research|literature)|\bbackground\b|\bpreliminar|\bliterature\b",
    re.IGNORECASE,
)
"""Sections about the work of others."""
OWN = re.compile(r"\b(?:we|our|ours|us|this (?:work|paper|study)|here)\b|⟦ref⟧", re.IGNORECASE)
REPORTS = re.compile(
    r"\b(?:results?|experiment\w*|evaluations?(?! (?:sets?|data\w*|corp\w+))|"
    r"analys[ei]s|ablations?|discussion|conclusions?|comparisons?|findings?)\b",
    re.IGNORECASE,
)
"""Sections about results."""
SUMMARY = re.compile(r"\babstract\b|\bintroduction\b|\bcontributions?\b|^$", re.IGNORECASE)
"""Where a sentence is about the results of the paper if it is about its authors, and about the field otherwise."""
GENERAL = re.compile(
    r"^\W*(?:the |these |recent |latest |rapid )*"
    r"(?:emergence|advent|advance(?:s|ments?)?|developments?|progress|rise|success|breakthroughs?) (?:of|in)\b"
    r"|\bin recent years\b|\bover the (?:past|last) (?:\w+ )?(?:years|decades?)\b",
    re.IGNORECASE,
)
"""What a field has come to."""
THEIRS = re.compile(
    r"^\W*(?:they|their|these (?:works?|methods?|authors?|papers?))\b|\baccording to (?:their|the)\b|\bthe authors\b"
    r"|\b(?:previously published|previous|prior|earlier) (?:works?|papers?|stud(?:y|ies)) ?⟦cite⟧",
    re.IGNORECASE,
)
"""Somebody else's result, or one of another paper."""
SUPPOSED = re.compile(
    r"\b(?:may|might|could|would|can|should|future|potential\w*|if|whether|aim\w*|goal|expect\w*|hope|believe|hypothes\w*|"
    r"possibl\w+|suppose|(?:un)?likely|will|without|the following|tends? to|generally|usually|typically)\b|\?",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each claim about results, and note the other uses of the word."""
    if context.prose.tests or context.prose.says(UNCERTAINTY, own=True):
        return
    everyday = 0
    tables = context.paper.tables
    sectioned = any(sentence.section for sentence in context.paper.sentences)
    prints_scores = not tables or results_table(context.paper) is not None
    for statement in context.prose.with_words("significan"):
        text = statement.text
        word = next((item for item in WORD.finditer(text) if item[0].lower() != "significance"), None)
        if word is None or OF_OTHERS.search(statement.sentence.section) or QUALIFIED.search(text) or TERM.search(text):
            continue
        context.coverage.claim(context.number, statement.sentence.span)
        claim = CLAIM.search(text)
        about_result = RESULT.search(text) is not None and (prints_scores or METRIC.search(text))
        better = claim is not None and BETTER.search(claim[0]) is not None
        if (
            claim is None
            or not about_result
            or not better
            or statement.negated(claim.start())
            or SIZE.search(text)
            or EVERYDAY.search(f"{_before(context, statement, claim)} {text}")
            or SUPPOSED.search(text)
            or SIGNPOST.search(text)
            or SUPPORTED.search(context.prose.around(statement))
        ):
            everyday += 1
            continue
        if sectioned and not _of_results(statement):
            everyday += 1
            continue
        if GENERAL.search(text):
            continue
        if THEIRS.search(text) or ("⟦cite⟧" in text[claim.start() :] and not OWN.search(text)):
            continue
        inside = WORD.search(claim[0])
        start = claim.start() + inside.start() if inside else word.start()
        span = statement.sentence.text.span(start, start + len((inside or word)[0]))
        yield RULE.at(
            context.paper,
            span,
            f"{(inside or word)[0]!r} describes a result, and the paper names no test.",
            remedy='name the test, its sides, its correction and p; or choose another word ("large", "clear")',
        )
    if everyday:
        places = f"{everyday} places" if everyday > 1 else "one place"
        context.coverage.note(f"'significant' is used in the everyday sense in {places}: another word is safer")


def _of_results(statement: Statement) -> bool:
    """Whether results of the paper are what a sentence is about, by where it stands."""
    sentence = statement.sentence
    if sentence.place == "caption" or REPORTS.search(sentence.section):
        return True
    return SUMMARY.search(sentence.section) is not None and OWN.search(statement.text) is not None


def _before(context: CheckContext, statement: Statement, claim: re.Match[str]) -> str:
    """The sentence before, if the claim points back to it: "these significant gains"."""
    if not ANAPHORA.search(statement.text[: claim.start()]):
        return ""
    paragraph = [item.text.text for item in context.paper.paragraph(statement.sentence.paragraph)]
    earlier = [text for text in paragraph if text != statement.sentence.text.text]
    return " ".join(earlier) if earlier else ""


RULE = Rule(
    code="RK201",
    name="significance-unqualified",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    folds=True,
    sources="ARR R1, R5; Sadat Azer et al. 2020",
)
