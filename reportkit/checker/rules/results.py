"""A paper against its data or its report, and findings of the analysis."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from reportkit.checker.context import CheckContext
from reportkit.checker.data import Data, Tested
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.linking import MOST_FACTOR, OF_TEST, LinkedCell
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.paper.source import Span
from reportkit.checker.patterns import patterns
from reportkit.checker.rule import rule
from reportkit.checker.rules.gains import gain_fits
from reportkit.checker.statements import LEFT_ALONE, Stated, stated
from reportkit.checker.vocabulary import COLLECTIONS, NUMERAL, number_of
from reportkit.errors import ReportkitError

NOUNS = {
    "score": "score",
    "spread": "standard deviation over the runs",
    "difference": "difference",
    "average": "average",
    "n": "number of instances",
    "p-value": "p-value of reportkit",
    "adjusted-p-value": "adjusted p-value of reportkit",
    "interval-low": "lower bound of reportkit",
    "interval-high": "upper bound of reportkit",
}


@rule(
    "RK101",
    "table-number-differs",
    "error",
    needs=("paper", "data or report"),
    also={"warning": "what differs is a spread, or what a test gives, which depends on the settings"},
)
def table_number_differs(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A number in a table is not the one that follows from the data.

    Links the cells of a table to systems, datasets and metrics of the results by the headings of row and column,
    recomputes scores, differences, averages, numbers of instances and spreads over runs with the settings of the same
    `reportkit.toml`, and reports a printed number whose digits do not stand for the computed one. p-values and bounds
    of intervals are reported if they differ by more than another valid test would: a factor of two, a fifth of the
    width. A table in which under half of the scores fit is about something else, which is said once. Name what headings
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
            context.compared("number of a table with the data", item.number.span, item.agrees)
            if not item.agrees:
                yield _differs(context, item)


def _differs(context: CheckContext, item: LinkedCell) -> Diagnostic:
    value, number = item.values[0], item.number
    of_test = item.kind in OF_TEST
    computed = (
        f"{value:.3g}"
        if "p-value" in item.kind
        else f"{value:.0f}"
        if item.kind == "n"
        else f"{value:.{number.decimals + 2}f}"
    )
    return table_number_differs.at(
        context.paper,
        number.span,
        f"{number.text} is printed, and the {NOUNS[item.kind]} {'from' if of_test else 'in'} {context.scored.name} is "
        f"{computed}.",
        where=item.where,
        remedy="find out which data and which test it comes from; reportkit.toml decides what is computed"
        if of_test
        else f"print {item.expected}, or find out which of the two is out of date",
        severity="warning" if of_test or item.kind == "spread" else None,
        edits=[] if of_test or item.kind == "spread" else [(number.span, item.expected)],
        safe=False,
    )


P_BEFORE = re.compile(r"(?<![\w-])p\s*[=≈]\s*$", re.IGNORECASE)
SOME = re.compile(r"\b(?:in-domain|out-of-domain|other|remaining|rest|some|except|besides|apart from)\b", re.IGNORECASE)
COUNTED = re.compile(rf"\b({NUMERAL}) (?:[\w-]+ )?{COLLECTIONS}\b", re.IGNORECASE)
MOST_UNITS = 30
"""A typed number that is further from the key's (in units of its last digit) is another number."""


@rule(
    "RK102",
    "prose-number-differs",
    "error",
    also={
        "info": "the number is right, and typed by hand where a key is",
        "warning": "the number is a gain, an average or a p-value, which depends on the settings",
    },
)
def prose_number_differs(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A number in the text is not the one of the data that it names.

    In sentences whose subject is a system of the data (by its name, a unique part of it, or "we" where one is called
    ours), compares a score on one dataset or on average, and gains in points or in percent over a second system that
    the sentence names; and p = ... of two systems on one dataset, with room for another valid test. Nothing is said
    where the subject is not certain. Where the numbers of a report are read by `\input{rknumbers}`, a typed number that
    is nearly that of the key is reported, and one that is equal as typed by hand (info).

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
    keys = _keys(context)
    numbers = context.numbers
    for item in context.prose.results:
        sentence = item.sentence
        if not sentence.numbers:
            continue
        if keys:
            yield from _typed(context, item.text, sentence.numbers, keys)
        if numbers is None or len(numbers.metrics) != 1:
            continue
        for said in stated(sentence, context.names, context.datasets):
            told = COUNTED.search(item.text)
            partial = not said.dataset and (
                SOME.search(item.text) or (told and number_of(told[1]) != len(numbers.dataset_names))
            )
            found = [] if partial else _values(context, said)
            if found:
                yield from _compare(context, said, found)
        yield from _p_values(context, item.text, located_numbers(sentence.text))


def _values(context: CheckContext, said: Stated) -> list[float]:
    """What the data say: one value on a dataset; of averages that over datasets, and that over instances."""
    numbers = context.scored
    metric = numbers.metrics[0]

    def scores(system: str) -> list[float]:
        score = numbers.scores.get((metric, system, said.dataset))
        return numbers.means(metric, system) if not said.dataset else [] if score is None else [score.value]

    mine, others = scores(said.system), scores(said.other) if said.other else []
    if said.kind == "score":
        return mine
    scale = 100.0 if max([*mine, *others], default=2.0) <= 1 else 1.0
    return [
        100 * (one - other) / other if said.kind == "relative" else scale * (one - other)
        for one, other in zip(mine, others, strict=False)
        if other
    ]


def _compare(context: CheckContext, said: Stated, found: list[float]) -> Iterator[Diagnostic]:
    number = said.number
    if said.kind == "score":
        scale = min((1.0, 100.0), key=lambda factor: abs(number.value - factor * found[0]))
        found = [scale * value for value in found]
        if abs(number.value - found[0]) > 0.5 * abs(number.value):
            return  # another quantity
        agrees = any(map(number.stands_for, found))
    else:
        agrees = any(gain_fits(number, abs(value), abs(value)) for value in found)
    context.compared("number of the text with the data", number.span, agrees)
    if agrees:
        return
    noun = {"score": "score", "gain": "difference", "relative": "relative change"}[said.kind]
    over = (f"over the {len(context.scored.dataset_names)} datasets", "over all instances")
    shown = [f"{value:.{number.decimals + (2 if said.kind == 'score' else 1)}f}" for value in found]
    computed = (
        shown[0] if said.dataset else " and ".join(f"{text} {how}" for text, how in zip(shown, over, strict=False))
    )
    exact = said.kind == "score" and bool(said.dataset)
    yield prose_number_differs.at(
        context.paper,
        number.span,
        f"{number.text} is printed, and the {'' if said.dataset else 'mean '}{noun} in {context.scored.name} is "
        f"{computed}.",
        where=f"{said.system!r}{f' against {said.other!r}' if said.other else ''} "
        f"{f'on {said.dataset!r}' if said.dataset else 'on average'}",
        remedy="find out which of the two is out of date" if exact else "find out which data it comes from",
        severity=None if exact else "warning",
        edits=[(number.span, f"{found[0]:.{number.decimals}f}")] if exact else [],
        safe=False,
    )


def _p_values(
    context: CheckContext, text: str, located: tuple[tuple[int, int, PrintedNumber], ...]
) -> Iterator[Diagnostic]:
    """Compare p = .. of a sentence with two systems and one dataset."""
    systems = {item.name for item in context.names.mentions(text)} | set(context.scored.baselines)
    datasets = {item.name for item in context.datasets.mentions(text)}
    if len(systems) != 2 or len(datasets) != 1 or LEFT_ALONE.search(text):
        return
    one, two = sorted(systems)
    kinds: tuple[Tested, ...] = ("p-value", "adjusted-p-value")
    for start, _, number in located:
        if number.role != "value" or not P_BEFORE.search(text[:start]):
            continue
        found = [
            value
            for kind in kinds
            for pair in ((one, two), (two, one))
            if (value := context.scored.tested(kind, context.scored.metrics[0], pair, *datasets)) is not None
        ]
        ways = [way for value in found for way in (value, 1 - value, min(1.0, 2 * min(value, 1 - value)))]
        agrees = any(number.low <= MOST_FACTOR * way and way <= MOST_FACTOR * number.high for way in ways)
        if not ways:
            continue
        context.compared("p-value with the data", number.span, agrees)
        if not agrees:
            yield prose_number_differs.at(
                context.paper,
                number.span,
                f"{number.text} is printed, and the p-value from {context.scored.name} is {found[0]:.3g}.",
                where=f"{one!r} and {two!r} on {next(iter(datasets))!r}",
                remedy="find out which data and which test it comes from; reportkit.toml decides what is computed",
                severity="warning",
            )


def _keys(context: CheckContext) -> dict[str, tuple[tuple[str, ...], str]]:
    """Keys of scores (design/dataset/system) with the names that a sentence about them holds, and their values."""
    found = {}
    for key, value in context.paper.rk_values.items():
        parts = key.split("/")
        if len(parts) == 3 and parts[-1] not in ("n", "k-hat", "mark") and re.fullmatch(r"\d+\.\d+", value.text):
            found[key] = (tuple(re.sub(r"[\W_]+", " ", part).lower() for part in parts[1:]), value.text)
    return found


def _typed(
    context: CheckContext,
    text: str,
    numbers: tuple[PrintedNumber, ...],
    keys: Mapping[str, tuple[tuple[str, ...], str]],
) -> Iterator[Diagnostic]:
    """Report the one score of a sentence that is typed by hand where a key stands for it."""
    words = f" {re.sub(r'[^0-9a-z]+', ' ', text.lower())} "
    scores = [item for item in numbers if item.decimals and item.role == "value" and not item.sign]
    fitting = [(key, value) for key, (names, value) in keys.items() if all(f" {name} " in words for name in names)]
    if len(scores) != 1 or len(fitting) != 1 or LEFT_ALONE.search(text):
        return
    (number,), ((key, value),) = scores, fitting
    if any(use.span == number.span for use in context.paper.rk_keys):
        return
    decimals = len(value.partition(".")[2])
    same = number.text == value
    context.compared("number of the text with its key", number.span, same)
    if same or (decimals == number.decimals and abs(number.value - float(value)) <= MOST_UNITS * 10**-decimals):
        message = f"and is the value of \\rk{{{key}}}" if same else f"and \\rk{{{key}}} is {value}"
        yield prose_number_differs.at(
            context.paper,
            number.span,
            f"{number.text} is typed by hand, {message}.",
            remedy=f"write \\rk{{{key}}}",
            severity="info" if same else None,
            edits=[(number.span, f"\\rk{{{key}}}")] if context.paper.language == "latex" else [],
            safe=False,
        )


SIGNATURE = re.compile(r"^% (?P<signature>reportkit:[^\n]+)$", re.MULTILINE)
IN_MARKDOWN = re.compile(r"<!--\s*rk:\s*(?P<key>\S+)\s*-->(?P<value>[^<\n]*)<!--\s*/rk\s*-->")
PLAIN = re.compile(r"[+−-]?[\d,]*\.?\d+")
MOST = 20
"""Numbers of one file that are reported one by one."""


@rule("RK109", "number-key-stale", "error")
def number_key_stale(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A key of \rk is not in the report, or the file of numbers is older than the report.

    Reports a use of `\rk{key}` whose key the file of numbers (`rknumbers.tex`) does not define, which prints ??key??.
    With `--report`, compares the signature and every number of the file with those of `report.json`, and the numbers
    between `<!-- rk: key -->` and `<!-- /rk -->` of a Markdown paper, too; `--fix` replaces a number that differs.

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
            from difflib import get_close_matches

            near = get_close_matches(use.key, known, 1)
            yield number_key_stale.at(
                context.paper,
                use.span,
                rf"\rk{{{use.key}}} has no value: the paper prints ??{use.key}?? there.",
                remedy=f"write {near[0]!r}, if that is meant" if near else "look the key up in numbers.md",
            )
    if context.report is not None:
        yield from _against_report(context, context.report)


def _against_report(context: CheckContext, report: Mapping[str, object]) -> Iterator[Diagnostic]:
    printed, signature = report_numbers(report), report.get("signature")
    for index, file in enumerate(context.paper.files):
        match = SIGNATURE.search(file.text) if r"\rk@value{" in file.text or r"\rk@set{" in file.text else None
        if match is not None and isinstance(signature, str) and match["signature"].strip() != signature:
            yield number_key_stale.at(
                context.paper,
                Span(index, match.start("signature"), match.end("signature")),
                f"The numbers were written for {match['signature'].strip()!r}, and the report is {signature!r}.",
                remedy="build the report anew, and copy rknumbers.tex from it",
            )
        for match in IN_MARKDOWN.finditer(file.text) if context.paper.language == "markdown" else ():
            span, key, value = (
                Span(index, match.start("value"), match.end("value")),
                match["key"],
                match["value"].strip(),
            )
            context.compared("key", span, key in printed)
            if key not in printed:
                message = f"The report has no number {key!r}."
                yield number_key_stale.at(context.paper, span, message, remedy="look it up in numbers.md")
            elif PLAIN.fullmatch(value) and _plain(value) != _plain(printed[key]):
                yield _stale(context, key, span, value, printed[key])
    differing = [
        (key, value)
        for key, value in context.paper.rk_values.items()
        if key in printed and _plain(value.text) != _plain(printed[key]) and PLAIN.fullmatch(value.text)
    ]
    yield from (_stale(context, key, value.span(), value.text, printed[key]) for key, value in differing[:MOST])


def report_numbers(report: Mapping[str, Any]) -> dict[str, str]:
    """Return the numbers of a report by key, as they are printed; none of a report that is not as it should be."""
    from reportkit.appearance import Appearance
    from reportkit.report.facts_json import facts_in, from_plain
    from reportkit.report.numbers import numbers_of
    from reportkit.report.printed import as_printed
    from reportkit.report.tokens import plain
    from reportkit.report.wording import Wording

    try:
        look = from_plain(Appearance, report["appearance"])
        facts = as_printed(facts_in(report), look)
    except (ReportkitError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return {}
    numbers = numbers_of(facts, Wording(facts), look.name)
    return {key: plain(str(number.content), look.plain_labels) for key, number in numbers.items()}


def _stale(context: CheckContext, key: str, span: Span, old: str, new: str) -> Diagnostic:
    return number_key_stale.at(
        context.paper,
        span,
        f"{key} is {old} here, and {new} in the report.",
        remedy="run reportkit update, or --fix",
        edits=[(span, new)] if re.fullmatch(r"[+]?\d*\.?\d+", new) else [],
    )


def _plain(text: str) -> str:
    return text.strip().replace(",", "").replace("−", "-").replace("\u202f", "")


COUNT, BETTER, MODEST = patterns("results", "count better modest")


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
    analysis = context.evidence.analysis if context.evidence else None
    for item in context.prose.results if analysis is not None else ():
        match = COUNT.search(item.text)
        verb = BETTER.search(item.text)
        if match is None or verb is None or MODEST.search(item.text) or item.hypothetical or analysis is None:
            continue
        named = [(mention.start, mention.name) for mention in context.names.mentions(item.text)]
        order = list(dict.fromkeys(name for _, name in named))
        pairs = [
            pair
            for pair in analysis.comparisons
            if (
                len(analysis.comparisons) == 1
                and {pair.system_a, *order} == {pair.system_a} | set(order)
                and set(order) <= {pair.system_a, pair.system_b}
            )
            or (order[:2] == [pair.system_a, pair.system_b] and len(order) == 2)
        ]
        if len(pairs) != 1:
            continue
        (comparison,) = pairs
        total = comparison.n_datasets
        if match["n"] and number_of(match["n"]) != total:
            continue
        claimed = total if match["all"] else total // 2 + 1 if match["most"] else number_of(match["k"])
        supported = comparison.k_hat[max(analysis.alpha)].recommended
        context.coverage.claim(context.number, item.sentence.span)
        if claimed > supported:
            yield claim_beyond_analysis.at(
                context.paper,
                item.span(match),
                f"{match[0]!r} claims {claimed} of {total}, and the analysis supports "
                f"{f'at least {supported}' if supported else 'none'} (k-hat).",
                where=f"{comparison.system_a!r} against {comparison.system_b!r}",
                remedy=(f'say "on at least {supported} of {total}", or ' if supported else "say ")
                + "that the observed scores are higher",
            )


@rule(
    "RK500", "analysis-finding", "warning", needs=("data or report",), also={"error": "so severe the analysis calls it"}
)
def analysis_finding(context: CheckContext) -> Iterator[Diagnostic]:
    """The analysis of the data, or the report, has a finding of its own.

    Each has the code that `reportkit build` gives it, such as `identical-systems`; `--ignore RK500` leaves all out.
    Where there is a report, the data are not compared again with settings that may be others. Notes are left out.
    """
    numbers = context.numbers
    if numbers is None:
        return
    from reportkit.report.assemble import merged

    for item in merged(numbers.findings):
        if item.severity == "info":
            continue
        found = analysis_finding.about(
            item.message, where=item.where or numbers.name, remedy=item.remedy, severity=item.severity
        )
        yield replace(found, code=item.code, name=item.code, listed=None, why="")


@rule(
    "RK004", "results-refused", "error", needs=("data",), also={"info": "the results are read, and only not compared"}
)
def results_refused(context: CheckContext) -> Iterator[Diagnostic]:
    """The results cannot be read, or not compared.

    Says what `reportkit build` would say of duplicates, instances that systems do not share, mixed scales, columns that
    are missing, scores that are no numbers. A table with one score for each system and dataset is read as a summary:
    its scores are compared with the paper, and nothing is tested.
    """
    data = context.evidence
    if not isinstance(data, Data):
        return
    for error in data.refusals:
        where = "; ".join(part for part in (data.name, *(error.where or "").splitlines()) if part)
        message = error.problem[:1].upper() + error.problem[1:] + "."
        yield results_refused.about(message, where=where, remedy=error.remedy or "")
    if data.summary:
        context.coverage.note(f"{data.name} has one score for each system and dataset: compared, and not tested")
    if not data.refusals and context.report is None and (error_of := data.analysis_error):
        message = f"The results are read, but not compared: {error_of.problem}."
        yield results_refused.about(message, where=error_of.where or "", remedy=error_of.remedy or "", severity="info")
