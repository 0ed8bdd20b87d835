"""A paper against its data or its report, and findings of the analysis."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.patterns import patterns
from reportkit.checker.rule import rule
from reportkit.checker.rules.gains import gain_fits
from reportkit.checker.statements import Grid, Stated, may_state, stated
from reportkit.checker.vocabulary import number_of
from reportkit.language import p_value_text

if TYPE_CHECKING:
    from reportkit.checker.linking import LinkedCell

NOUNS = {
    "score": "score", "spread": "standard deviation over the runs", "average": "average", "n": "number of instances",
}  # fmt: skip


@rule("RK101", "table-number-differs", "error", needs=("paper", "data"))
def table_number_differs(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A number in a table does not follow from the data.

    Links the cells of a table to systems, datasets and metrics of the results by the headings of row and column,
    recomputes scores, averages, numbers of instances and spreads over runs with the settings of the same
    `reportkit.toml`, and reports a printed number whose digits do not stand for the computed one. A table in which
    under half of the scores fit is about something else, as one finding says. Name what headings
    stand for in `[check.labels]`; `"Dev" = ""` says that a heading means nothing.

    Results::

        system,dataset,instance,score
        ours,a,1,1
        ours,a,2,0
        base,a,1,0
        base,a,2,0

    Found::

        \begin{tabular}{lc} System & a \\ \hline base & 0.0 \\ ours & 53.0 \end{tabular}

    Not found::

        \begin{tabular}{lc} System & a \\ \hline base & 0.0 \\ ours & 50.0 \end{tabular}

    Source: ARR R1; NeurIPS 7.
    """
    for linked in context.linked_tables:
        for number, reason in linked.unlinked:
            context.coverage.unlinked(context.number, number.span, reason)
        if linked.elsewhere:
            scores = linked.scores()
            fitting = sum(item.agrees for item in scores)
            context.coverage.note(
                f"{context.paper.name_of(linked.table)} is about something else: {fitting} of its {len(scores)} scores "
                f"are those of {context.scored.name}"
            )
            continue
        for item in linked.cells:
            number, decimals = item.number, 0 if item.kind == "n" else item.number.decimals + 2
            computed = f"{item.values[0]:.{decimals}f}"
            yield from table_number_differs.compare(
                context,
                "number of a table with the data",
                number.span,
                item.agrees,
                f"{number.text} is printed, and the {NOUNS[item.kind]} in {context.scored.name} is {computed}.",
                f"print {item.expected}, or find out which of the two is out of date",
                where=item.where,
                severity="warning" if item.kind == "spread" else None,
            )


@rule("RK102", "prose-number-differs", "error", needs=("paper", "data"))
def prose_number_differs(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A number in the text differs from the number in the data that it names.

    In sentences whose subject is a system of the data (by its name, a unique part of it, or "we" where one is called
    ours), compares a score on one dataset or on average, and gains in points or in percent over a second system that
    the sentence names. Nothing is said where the subject is not certain. Gains and averages are warnings, as they
    depend on the settings.

    Results::

        system,dataset,instance,score
        ours,books,1,1
        ours,books,2,0
        base,books,1,0
        base,books,2,0

    Found::

        On books, ours reaches an accuracy of 53.0\%.

    Not found::

        On books, ours reaches an accuracy of 50.0\%.

    Source: ARR R1.
    """
    numbers = context.scored
    systems, datasets = numbers.system_names, numbers.dataset_names
    grid = Grid([(name,) for name in systems], [(name,) for name in datasets], [context.names, context.datasets])
    for item in context.prose.results if len(numbers.metrics) == 1 else ():
        for said in stated(item.sentence.text.text, may_state(item.sentence), grid):
            told = RE["counted"].search(item.text)
            dataset = datasets[said.cell[1]] if said.cell[1] >= 0 else ""
            partial = not dataset and (
                RE["some"].search(item.text) or (told and number_of(told[1]) != len(numbers.dataset_names))
            )
            named = [systems[row] for row, column in (said.cell, said.other) if row >= 0 and column == said.cell[1]]
            if not partial and len(named) == (1 if said.kind == "score" else 2):
                yield from _compare(context, said, named, dataset)


def _compare(context: CheckContext, said: Stated, systems: Sequence[str], dataset: str) -> Iterator[Diagnostic]:
    """Compare a number with what the data say on a dataset; of averages with those over datasets and over instances."""
    numbers, number = context.scored, said.number
    scores = [numbers.means(numbers.metrics[0], system, dataset) for system in systems]
    if not all(scores):
        return
    if said.kind == "score":
        scale = min((1.0, 100.0), key=lambda factor: abs(number.value - factor * scores[0][0]))
        found = [scale * value for value in scores[0]]
        if abs(number.value - found[0]) > 0.5 * abs(number.value):
            return  # another quantity
        agrees = any(map(number.stands_for, found))
    else:
        scale = 100.0 if max(map(max, scores)) <= 1 else 1.0
        pairs = [(one, other) for one, other in zip(*scores, strict=False) if other]
        found = [
            100 * (one - other) / other if said.kind == "relative" else scale * (one - other) for one, other in pairs
        ]
        agrees = any(gain_fits(number, abs(value), abs(value)) for value in found)
    noun = {"score": "score", "gain": "difference", "relative": "relative change"}[said.kind]
    over = (f"over the {len(numbers.dataset_names)} datasets", "over all instances")
    shown = [f"{value:.{number.decimals + (2 if said.kind == 'score' else 1)}f}" for value in found]
    computed = " and ".join(f"{text} {how}" for text, how in zip(shown, over, strict=False))
    exact = said.kind == "score" and bool(dataset)
    mean, computed = ("", shown[0]) if dataset else ("mean ", computed)
    yield from prose_number_differs.compare(
        context,
        "number of the text with the data",
        number.span,
        agrees,
        f"{number.text} is printed, and the {mean}{noun} in {numbers.name} is {computed}.",
        "find out which of the two is out of date" if exact else "find out which data it comes from",
        where=f"{' against '.join(map(repr, systems))} {f'on {dataset!r}' if dataset else 'on average'}",
        severity=None if exact else "warning",
    )


@rule("RK109", "number-key-stale", "error")
def number_key_stale(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A key of \rk is not in the file of numbers.

    Reports a use of `\rk{key}` whose key the file of numbers (`rknumbers.tex`) does not define, which prints ??key??.
    `reportkit update --dry-run` says whether the file is older than the report.

    Found::

        \rk@value{main/a/ours}{93.1} Ours reaches \rk{main/a/theirs}.

    Not found::

        \rk@value{main/a/ours}{93.1} Ours reaches \rk{main/a/ours}.

    Source: ARR R1.
    """
    known = context.paper.rk_values
    for use in context.paper.rk_keys if known else ():
        context.compared("key", use.span, use.key in known)
        if use.key not in known and "#" not in use.key:
            near = get_close_matches(use.key, known, 1)
            yield number_key_stale.at(
                context.paper,
                use.span,
                rf"\rk{{{use.key}}} has no value: the paper prints ??{use.key}?? there.",
                f"write {near[0]!r}, if that is meant" if near else "look the key up in numbers.md",
            )


RE = patterns("results")


@rule("RK206", "claim-beyond-analysis", "error", needs=("paper", "data"))
def claim_beyond_analysis(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A claim about all or most datasets is more than the replicability analysis supports.

    Reports "better on all datasets", "on most", "on 3 of 4" about two systems of the data where k-hat at the level of
    the settings is less. Sentences that speak of observed scores, of "at least", or of averages are left alone. Where
    the data hold several pairs of systems, a sentence has to name both, the better one first.

    Results::

        system,dataset,instance,score
        ours,a,1,1
        ours,a,2,0
        base,a,1,0
        base,a,2,1
        ours,b,3,1
        ours,b,4,0
        base,b,3,0
        base,b,4,1

    Found::

        Ours is significantly better than base on all datasets (McNemar's test).

    Not found::

        The observed scores of ours are higher than those of base on all datasets (McNemar's test).

    Source: ARR R2, R5; Dror et al. (2017).
    """
    numbers = context.scored
    for item in context.prose.results if numbers.supported else ():
        match = RE["count"].search(item.text)
        if match is None or not RE["better"].search(item.text) or RE["modest"].search(item.text) or item.hypothetical:
            continue
        order = list(dict.fromkeys(mention.name for mention in context.names.mentions(item.text)))
        pairs = [pair for pair in numbers.supported if order[:2] == list(pair[1:])]
        if len(numbers.supported) == 1 and set(order) <= set(next(iter(numbers.supported))[1:]):
            pairs = list(numbers.supported)
        if len(pairs) != 1 or len(order) > 2:
            continue
        (pair,) = pairs
        supported, total = numbers.supported[pair]
        if match["n"] and number_of(match["n"]) != total:
            continue
        claimed = total if match["all"] else total // 2 + 1 if match["most"] else number_of(match["k"])
        context.coverage.claim(context.number, item.sentence.span)
        if claimed > supported:
            support = f"at least {supported}" if supported else "none"
            yield claim_beyond_analysis.at(
                context.paper,
                item.span(match),
                f"{match[0]!r} claims {claimed} of {total}, and the analysis supports {support} (k-hat).",
                (f'say "on at least {supported} of {total}", or ' if supported else "say ")
                + "that the observed scores are higher",
                where=f"{pair[1]!r} against {pair[2]!r}",
            )


@rule("RK609", "naive-count", "error")
def naive_count(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A count or a mark of significance holds only without a correction.

    Reports "significant on 61 of 100 datasets" where the sentence says that p-values are not corrected. With data,
    reports a number that is marked, or bold, where the caption explains this as significantly better than one system
    and the analysis does not show it.

    Found::

        Ours is significantly better on 61 of 100 datasets, without correction.

    Not found::

        Ours is significantly better on 61 of 100 datasets, after Holm's correction.

    Source: ARR R5; Dror et al. (2017).
    """
    for item in context.prose.with_words("significan"):
        match = RE["uncorrected"].search(item.text)
        if match is not None and not item.negated(match.start()):
            message = f"{match[0]!r} are counted without a correction."
            remedy = "count what Holm's procedure leaves, or use k-hat"
            yield from naive_count.claim(context, item.span(match), message, remedy, severity="info")
    for linked in context.linked_tables if context.numbers is not None and context.numbers.tests else ():
        for text in re.split(r"(?<=[.;])\s+", context.prose.beside(linked.table).replace("∗", "*")):
            if RE["significant"].search(text) and not RE["not_corrected"].search(text):
                yield from _marks(context, linked.scores(), text)


def _marks(context: CheckContext, scores: Sequence[LinkedCell], text: str) -> Iterator[Diagnostic]:
    """Compare the marks that a text explains with the tests of the same differences."""
    from reportkit.significance.outcome import rejection_level  # needs NumPy, as only data do

    numbers = context.scored
    against = RE["against"].search(text)
    others = {item.name for item in context.names.mentions(against["rest"] if against else "")} or {*numbers.baselines}
    level = RE["level"].search(text)
    alpha = float(level["level"]) if level else numbers.alpha
    explained = set(re.findall(r"\*+|[†‡§¶]+", text))
    for item in scores:
        mark = next((mark for mark in item.cell.marks if mark in explained), "")
        rivals = (others or set(numbers.system_names)) - {item.system}
        adjusted = numbers.tests.get((item.metric, item.system, *rivals, item.dataset)) if len(rivals) == 1 else None
        if adjusted is None or not (mark or (item.cell.bold and RE["bold"].search(text))):
            continue
        yield from naive_count.compare(
            context,
            "mark",
            item.cell.span,
            adjusted <= rejection_level(alpha),
            f"{item.number.text} is {f'marked {mark}' if mark else 'bold'}, and p against {rivals.pop()!r} is "
            f"{p_value_text(adjusted)}, once it is corrected.",
            "mark what the correction leaves, or say in the caption which test the mark is of",
            where=item.where,
        )


@rule("RK500", "analysis-finding", "warning", needs=("data",))
def analysis_finding(context: CheckContext) -> Iterator[Diagnostic]:
    """The analysis of the data has a finding of its own.

    Each has the code and the severity that `reportkit build` gives it, such as `identical-systems`; `--ignore RK500`
    leaves all out, and notes are left out anyway.
    """
    from reportkit.report.assemble import merged  # imports pandas

    for item in merged(context.scored.findings):
        if item.severity != "info":
            found = analysis_finding.about(
                item.message, where=item.where or context.scored.name, remedy=item.remedy, severity=item.severity
            )
            yield replace(found, code=item.code)


@rule("RK004", "results-refused", "error", needs=("data",))
def results_refused(context: CheckContext) -> Iterator[Diagnostic]:
    """The results cannot be read or compared.

    Says what `reportkit build` would say of duplicates, instances that systems do not share, mixed scales, columns that
    are missing, scores that are not numbers. A table with one score for each system and dataset is read as a summary:
    its scores are compared with the paper, and nothing is tested.
    """
    data = context.scored
    for error in data.refusals:
        where = "; ".join(part for part in (data.name, *(error.where or "").splitlines()) if part)
        message = error.problem[:1].upper() + error.problem[1:] + "."
        yield results_refused.about(message, where=where, remedy=error.remedy or "")
    if data.summary:
        context.coverage.note(f"{data.name} has one score for each system and dataset: compared, and not tested")
    if not data.refusals and (error_of := data.not_compared):
        message = f"The results are read, but not compared: {error_of.problem}."
        yield results_refused.about(message, where=error_of.where or "", remedy=error_of.remedy or "", severity="info")
