r"""The implementation or version of a metric is missing.

What it does
------------
Reports a metric that a table or caption names and whose scores depend on the implementation, if the paper does not
say which one: BLEU, chrF and TER without sacreBLEU and its signature, ROUGE, METEOR, BERTScore, COMET and BLEURT
without package or model.

Why
---
ACL Responsible NLP checklist, C4: different implementations of the same metric lead to different results. BLEU
differs by up to 1.8 points with the tokenisation (Post 2018), more than most gains.

Example
-------
    System & BLEU \\  and nothing about sacreBLEU

Instead
-------
    BLEU by sacreBLEU 2.4.0 (signature nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp).

When it is wrong
----------------
If the metric is one of a cited paper's numbers, and of no own ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.source import Span
from reportkit.checker.results_tables import is_results
from reportkit.checker.rule import Rule
from reportkit.language.counts_and_lists import listed


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric, how a paper names it, and what would say which implementation it is."""

    name: str
    named: re.Pattern[str]
    stated: re.Pattern[str]
    remedy: str


EVALUATION_KIT = re.compile(
    r"\bcoco[- ]?(?:caption|eval)\w*|\bpycoco\w*|\bnlg-?eval\b|\b(?:official|standard|public|released|provided) "
    r"(?:\w+ ){0,2}(?:evaluat\w+|scoring) (?:script|code|toolkit|server|tool|package|suite)|"
    r"\bevaluat\w+ (?:toolkit|server)\b",
    re.IGNORECASE,
)
"""One implementation of several metrics."""
METRICS = (
    Metric(
        "BLEU",
        re.compile(r"(?<!sacre)(?<!Sacre)\bBLEU(?:-?[1-4])?\b(?!RT)"),
        re.compile(
            r"\bsignature\b|\bn?refs?[:.]\d|\bmulti-bleu|\bmteval|\btok(?:eni[sz]er)?[:.=]\s?\w+|"
            r"\bsacre\s?-?BLEU\b|\bNLTK\b|\bTorchMetrics\b|\bHugging ?Face\b",
            re.IGNORECASE,
        ),
        "name sacreBLEU with its signature",
    ),
    Metric(
        "ROUGE",
        re.compile(r"\bROUGE(?:-?\w{1,4})?\b|\bR-?L\b(?=.*\bR-?[12]\b)"),
        re.compile(
            r"\brouge[-_ ]?score\b|\bpyrouge\b|\bROUGE-1\.5\.5|\bfiles2rouge|\bROUGE\b[^.]{0,60}(?:package|"
            r"implementation|script|toolkit|librar|evaluate|⟦code⟧|stem)|"
            r"\b(?:package|implementation|script|toolkit|librar\w+)\b[^.]{0,60}\bROUGE|\btorchmetrics\b|"
            r"\bhugging ?face evaluate\b",
            re.IGNORECASE,
        ),
        "name the package with its version, and whether it stems and splits sentences",
    ),
    Metric(
        "BERTScore",
        re.compile(r"\bBERTScore\b", re.IGNORECASE),
        re.compile(
            r"\bBERTScore\b[^.]{0,80}(?:roberta|deberta|hash|bert-base|layer|rescal|⟦code⟧|\d\.\d+\.\d)|"
            r"\b(?:roberta|deberta)\S* [^.]{0,40}BERTScore",
            re.IGNORECASE,
        ),
        "give its hash code or model, layer and rescaling",
    ),
    Metric(
        "COMET",
        re.compile(r"\b(?:x|w)?COMET(?:-?\d\d|Kiwi|-QE)?\b"),
        re.compile(
            r"\bwmt\d\d-|\bCOMET-?\d\d\b|\bUnbabel|\bXCOMET-\w+|\bwmt2[0-9]|⟦code⟧[^.]{0,40}COMET|"
            r"COMET[^.]{0,40}⟦code⟧|\bCOMETKiwi\b",
            re.IGNORECASE,
        ),
        "name the model, such as wmt22-comet-da",
    ),
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for the metrics without an implementation, at the first place that prints one."""
    prose = context.prose
    found: list[tuple[Metric, Span]] = []
    kit = prose.says(EVALUATION_KIT) is not None
    for metric in METRICS:
        place = _place(context, metric)
        if place is None:
            continue
        context.coverage.claim(context.number, place)
        if kit:
            continue
        if prose.says(metric.stated) is None and not any(
            metric.stated.search(cell.text.text)
            for table in context.paper.tables
            for cell in table.cells()
            if cell.header
        ):
            found.append((metric, place))
    if found:
        names = listed(metric.name for metric, _ in found)
        many = len(found) > 1
        message = f"{names} {'are' if many else 'is'} reported, and nothing says by which implementation{'s' * many}."
        remedy = "; ".join(f"{metric.name}: {metric.remedy}" if many else metric.remedy for metric, _ in found)
        yield RULE.at(context.paper, found[0][1], message, remedy=remedy)


def _place(context: CheckContext, metric: Metric) -> Span | None:
    """The heading or caption of a table of results that names the metric."""
    for table in context.paper.tables:
        if not is_results(table, metric.named):
            continue
        for cell in table.cells():
            if cell.header and metric.named.search(cell.text.text):
                return cell.span
        match = metric.named.search(table.caption.text)
        return table.caption.span(*match.span()) if match else table.span
    return None


RULE = Rule(
    code="RK304",
    name="metric-version-missing",
    severity="warning",
    needs=frozenset({"paper", "results table"}),
    check=check,
    sources="ACL C4",
)
