"""Find missing statements: tests, runs, spreads, versions of metrics; and places left open."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import normalised
from reportkit.checker.paper.document import Sentence, Table
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.paper.source import Span
from reportkit.checker.patterns import SECTIONS, patterns
from reportkit.checker.prose import Prose, Statement
from reportkit.checker.rule import rule
from reportkit.checker.vocabulary import BOLD_IS_BEST, METRIC, UNCERTAINTY, is_results
from reportkit.language import listed

RE = patterns("reporting")


@rule("RK115", "placeholder-left", "warning")
def placeholder_left(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A place that was to be filled in was left open.

    Finds TODO, TBD, XX.X, [cite], sample text of templates, and coloured notes in brackets to a co-author.

    Found::

        Ours is better than the baseline by XX.X points.

    Not found::

        Ours is better than the baseline by 12.3 points.

    Source: ARR R1.
    """
    quoted = {item.sentence: item.text for item in context.prose.statements}
    for sentence in context.paper.sentences:
        text = quoted.get(sentence, sentence.text.text)
        match = RE["placeholder"].search(text) if sentence.place != "reference" else None
        if match is not None and not RE["about"].search(text):
            yield _open(context, sentence.text.span(*match.span()), match[0])
    for table in context.paper.tables:
        for cell in table.cells():
            match = RE["placeholder"].fullmatch(cell.text.text.strip())
            if match is not None and "ipsum" not in match[0].lower():
                yield _open(context, cell.span, match[0])
    for sentence in context.paper.sentences:
        for match in RE["note"].finditer(sentence.text.text) if sentence.place != "reference" else ():
            span = sentence.text.span(*match.span())
            source = context.paper.files[span.file].text
            coloured = RE["coloured"].search(source[max(0, span.start - 40) : span.start])
            if coloured and not RE["placeholder"].search(match[0]):
                yield _open(context, span, match[0])


def _open(context: CheckContext, span: Span, text: str) -> Diagnostic:
    message = f"{text!r} is still to be filled in."
    return placeholder_left.at(context.paper, span, message, "fill it in, or leave the sentence out")


@rule("RK201", "significance-unqualified", "warning")
def significance_unqualified(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A result is called significant, and the paper names no test.

    In a paper that names no test and prints no p-value and no interval, reports "significant" and "significantly"
    where they are said of better or worse results, also with a size next to the word: a size is not a test. The
    everyday word ("significant progress", "a significant number") is not a finding, nor is its denial, nor the word
    outside of what a paper says of its own results.

    Found::

        Our model is significantly better than the baseline (86.5 vs. 84.8).

    Not found::

        Our model is clearly better than the baseline (86.5 vs. 84.8).

    Source: ARR R1, R5; Sadat Azer et al. (2020), section 4.
    """
    if context.prose.tests or context.prose.says(UNCERTAINTY, own=True):
        return
    tables = context.paper.tables
    sectioned = any(sentence.section for sentence in context.paper.sentences)
    prints_scores = not tables or any(map(is_results, tables))
    for item in context.prose.with_words("significan"):
        text = item.text
        claim = RE["claim"].search(text)
        if RE["of_others"].search(item.sentence.section) or RE["not_meant"].search(text):
            continue
        context.coverage.claim(context.number, item.sentence.span)
        about_result = RE["result"].search(text) is not None and (prints_scores or METRIC.search(text))
        if claim is None or not about_result or item.negated(claim.start()):
            continue
        if RE["supported"].search(context.prose.around(item)) or RE["general"].search(text):
            continue
        if (sectioned and not _of_results(item)) or ("⟦cite⟧" in text[claim.start() :] and not RE["own"].search(text)):
            continue
        word = re.search(r"significant(?:ly)?", claim[0], re.IGNORECASE)
        start, end = (claim.start() + word.start(), claim.start() + word.end()) if word else claim.span()
        message = f"{text[start:end]!r} describes a result, and the paper names no test."
        remedy = 'name the test, its sides, its correction and p; or choose another word ("large", "clear")'
        yield significance_unqualified.at(context.paper, item.sentence.text.span(start, end), message, remedy)


def _of_results(item: Statement) -> bool:
    """Return whether a sentence is about results of the paper, judged by its place."""
    sentence = item.sentence
    if sentence.place == "caption" or RE["reports"].search(sentence.section):
        return True
    return RE["summary"].search(sentence.section) is not None and RE["own"].search(item.text) is not None


TO_DO = 'say it once, as in "mean ± standard deviation over 5 seeds"'


@rule("RK301", "spread-undefined", "warning")
def spread_undefined(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A number after ± is not explained, or is the spread of one run.

    Reports tables with ±, and sentences that print a result with ±, of a paper that nowhere names a standard deviation,
    a standard error, a variance or an interval; and a spread of a line that has one run. Standard deviation, standard
    error and interval differ by factors of two to ten.

    Found::

        Ours reaches an accuracy of $91.2 \pm 0.4$.

    Not found::

        Ours reaches an accuracy of $91.2 \pm 0.4$ (mean and standard deviation over 5 seeds).

    Source: NeurIPS 7; ACL C3.
    """
    document = context.paper
    for table in document.tables:
        yield from _spread_of_one_run(context, table)
    headings = [cell.text.text for table in document.tables for cell in table.cells() if cell.header]
    beside = [context.prose.beside(table) for table in document.tables]
    if context.prose.says(RE["which"]) is not None or any(RE["which"].search(text) for text in (*beside, *headings)):
        return
    for table in document.tables:
        spread = next((cell.spread for cell in table.body() if cell.spread is not None), None)
        if spread is not None:
            message = "The paper does not say whether ± stands for standard deviations, standard errors or intervals."
            yield from spread_undefined.claim(context, spread.span, message, TO_DO)
    seen: set[int] = set()
    for sentence in document.sentences:
        spread = _behind_a_number(sentence)
        if spread is None or sentence.paragraph in seen or not RE["measured"].search(sentence.text.text):
            continue
        if sentence.place in ("caption", "note") or RE["examples"].search(sentence.section):
            continue
        seen.add(sentence.paragraph)
        message = "The text does not say whether ± stands for a standard deviation, standard error or interval."
        yield from spread_undefined.claim(context, spread.span, message, TO_DO)


def _behind_a_number(sentence: Sentence) -> PrintedNumber | None:
    """Return the first number after ± that has its value before it: "updates by ±1" has none."""
    for start, _, number in located_numbers(sentence.text) if "±" in sentence.text.text else ():
        if number.role == "spread" and RE["value_before"].search(sentence.text.text[:start]):
            return number
    return None


def _spread_of_one_run(context: CheckContext, table: Table) -> Iterator[Diagnostic]:
    for line in table.lines:
        named = [(number, normalised(across[-1])) for number, across in line.numbers() if across]
        runs = [number.value for number, name in named if RE["runs"].fullmatch(name)]
        spread = next((cell.spread for cell in line.cells if cell.spread is not None), None)
        if runs == [1.0] and spread is not None:
            message = f"One run has no spread, and ± {spread.text} is printed."
            remedy = "leave ± out where there is one run, or run it more often"
            yield spread_undefined.at(context.paper, spread.span, message, remedy)


@rule("RK302", "runs-unstated", "warning")
def runs_unstated(context: CheckContext) -> Iterator[Diagnostic]:
    r"""The number of runs is missing, or the best run is reported.

    Reports results of the best of several runs, unless it was chosen on development data. If a paper trains or
    fine-tunes, names a setting of the training and says that something is better, also reports, once, a table of
    results without the number of runs or seeds behind it. A seed for shuffling or splitting data says nothing about
    runs. Words for deterministic systems ("greedy decoding", "temperature 0") count as a statement.

    Found::

        We fine-tune our model. We report the best of five runs.

    Not found::

        We fine-tune our model. We report the mean of five runs.

    Source: ACL C3; ARR R1.
    """
    prose, tables = context.prose, context.paper.tables
    if any(cell.spread for table in tables for cell in table.body()):
        return
    for item in prose.with_words("run", "seed", "restart", "initiali", "trial", "repetition", "random start"):
        match = RE["best"].search(item.text)
        if match is None or RE["best_is_fine"].search(item.text) or RE["mean"].search(prose.around(item)):
            continue
        if RE["reported"].search(item.text) and not item.negated(match.start()):
            message = f"{match[0]!r} is reported, which depends on how many there were."
            remedy = "report the mean over all runs with their spread, or choose the run on development data"
            yield from runs_unstated.claim(context, item.span(match), message, remedy)
    training = _trained(prose)
    table = next(filter(is_results, tables), None)
    if not training or table is None or RE["copied"].search(table.caption.text):
        return
    if prose.says(RE["settings"], own=True) is None or not (prose.claims_better or prose.says(BOLD_IS_BEST)):
        return
    stated = any(RE["stated"].search(item.text) and not RE["of_data"].search(item.text) for item in prose.own)
    if not stated and not any(RE["stated"].search(c.text.text) for other in tables for c in other.cells() if c.header):
        place = table.caption.span() if table.caption else table.span
        message = f"Systems are trained ({training!r}), and nothing says over how many runs or seeds a number is."
        remedy = 'say "mean of 5 seeds", "a single run", or that the systems are deterministic'
        yield from runs_unstated.claim(context, place, message, remedy)


def _trained(prose: Prose) -> str:
    """Return the words that say that the authors train something; empty if they do not."""
    for item in prose.own:
        match = RE["trained"].search(item.text)
        if match is not None and not RE["named"].search(item.text[: match.start()]):
            return match[0]
    return ""


IMPLEMENTED = {name: patterns(f"metric_{name}") for name in ("BLEU", "ROUGE", "BERTScore", "COMET")}
"""Names of a metric in papers, and statements of its implementation."""


@rule("RK304", "metric-version-missing", "warning")
def metric_version_missing(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A metric is reported, and nothing says by which implementation.

    Looks at tables of BLEU, ROUGE, BERTScore and COMET, whose implementations differ by points.

    Found::

        \begin{table}\caption{BLEU.}\begin{tabular}{lcc} System & de & fr \\ \hline
        Base & 28.4 & 38.1 \\ Ours & 29.0 & 38.2 \end{tabular}\end{table}

    Not found::

        We use sacreBLEU 2.3.1.

        \begin{table}\caption{BLEU.}\begin{tabular}{lcc} System & de & fr \\ \hline
        Base & 28.4 & 38.1 \\ Ours & 29.0 & 38.2 \end{tabular}\end{table}

    Source: ACL C4.
    """
    found: list[tuple[str, Span]] = []
    headings = [cell for table in context.paper.tables for cell in table.cells() if cell.header]
    for name, words in IMPLEMENTED.items():
        table = next((table for table in context.paper.tables if is_results(table, words["named"])), None)
        if table is None:
            continue
        named = (cell.span for cell in table.cells() if cell.header and words["named"].search(cell.text.text))
        match = words["named"].search(table.caption.text)
        place = next(named, None) or (table.caption.span(*match.span()) if match else table.span)
        context.coverage.claim(context.number, place)
        if not (
            context.prose.says(words["stated"]) or any(words["stated"].search(cell.text.text) for cell in headings)
        ):
            found.append((name, place))
    if found and context.prose.says(RE["kit"]) is None:
        many = len(found) > 1
        remedies = {name: SECTIONS[f"metric_{name}"]["remedy"] for name, _ in found}
        yield metric_version_missing.at(
            context.paper,
            found[0][1],
            f"{listed(remedies)} {'are' if many else 'is'} reported, and nothing says by which "
            f"implementation{'s' * many}.",
            remedy="; ".join(f"{name}: {remedy}" if many else remedy for name, remedy in remedies.items()),
        )
