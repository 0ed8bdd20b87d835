r"""A key of \rk is not in the report, or the file of numbers is older than the report.

What it does
------------
Reports a use of `\rk{key}` whose key the file of numbers (`rknumbers.tex`) does not define, which prints ??key?? in the
paper. With `--report`, compares the signature and every number of the file with those of `report.json`, and the numbers
between `<!-- rk: key -->` and `<!-- /rk -->` of a Markdown paper too; a number that differs is replaced by `--fix`.

Why
---
ACL Rolling Review, guideline R1. Numbers in the text by key cannot be mistyped, and are wrong all at once when the
report was built anew and the file beside the paper was not.

Example
-------
    \rk@value{main/sst2/ours}{93.1}, and report.json says 93.4

Instead
-------
    reportkit update paper.tex, or copy rknumbers.tex anew

When it is wrong
----------------
If `--report` names another report than the one that the paper is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.source import Span
from reportkit.checker.rule import Rule

SIGNATURE = re.compile(r"^% (?P<signature>reportkit:[^\n]+)$", re.MULTILINE)
IN_MARKDOWN = re.compile(r"<!--\s*rk:\s*(?P<key>\S+)\s*-->(?P<value>[^<\n]*)<!--\s*/rk\s*-->")
PLAIN = re.compile(r"[+−-]?[\d,]*\.?\d+")
MOST = 20
"""Numbers of one file that are reported one by one."""


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each unknown key, one for a stale file, and one for each number that differs."""
    yield from _unknown_keys(context)
    if context.report_data is not None:
        printed = report_numbers(context.report)
        yield from _stale_file(context, printed)
        if context.paper.language == "markdown":
            yield from _in_markdown(context, printed)


def report_numbers(report: Mapping[str, object]) -> dict[str, str]:
    """Numbers of a report by key, as they are printed; those that are plain text."""
    document = report.get("document")
    numbers = document.get("numbers") if isinstance(document, Mapping) else None
    if not isinstance(numbers, Mapping):
        return {}
    found: dict[str, str] = {}
    for key, item in numbers.items():
        content = item.get("content") if isinstance(item, Mapping) else None
        if isinstance(content, list) and len(content) == 1:
            content = content[0]
        if isinstance(content, str):
            found[str(key)] = content
    return found


def _unknown_keys(context: CheckContext) -> Iterator[Diagnostic]:
    known = context.paper.rk_values
    if not known:
        return
    from difflib import get_close_matches

    for use in context.paper.rk_keys:
        context.coverage.checked(context.number, use.span)
        if use.key not in known and "#" not in use.key:
            near = get_close_matches(use.key, known, 1)
            yield RULE.at(
                context.paper,
                use.span,
                rf"\rk{{{use.key}}} has no value: the paper prints ??{use.key}?? there.",
                remedy=f"write {near[0]!r}, if that is meant" if near else "look the key up in numbers.md",
            )


def _stale_file(context: CheckContext, printed: Mapping[str, str]) -> Iterator[Diagnostic]:
    signature = context.report.get("signature")
    for index, file in enumerate(context.paper.files):
        if r"\rk@value{" not in file.text and r"\rk@set{" not in file.text:
            continue
        match = SIGNATURE.search(file.text)
        if match is not None and isinstance(signature, str) and match["signature"].strip() != signature:
            yield RULE.at(
                context.paper,
                Span(index, match.start("signature"), match.end("signature")),
                f"The numbers were written for {match['signature'].strip()!r}, and the report is {signature!r}.",
                remedy="build the report anew, and copy rknumbers.tex from it",
            )
    differing = [
        (key, value.span(), value.text, printed[key])
        for key, value in context.paper.rk_values.items()
        if key in printed and _plain(value.text) != _plain(printed[key]) and PLAIN.fullmatch(value.text)
    ]
    for key, span, old, new in differing[:MOST]:
        yield _differs(context, key, span, old, new)


def _in_markdown(context: CheckContext, printed: Mapping[str, str]) -> Iterator[Diagnostic]:
    for index, file in enumerate(context.paper.files):
        for match in IN_MARKDOWN.finditer(file.text):
            span = Span(index, match.start("value"), match.end("value"))
            key, value = match["key"], match["value"]
            context.coverage.checked(context.number, span)
            if key not in printed:
                yield RULE.at(
                    context.paper, span, f"The report has no number {key!r}.", remedy="look it up in numbers.md"
                )
            elif PLAIN.fullmatch(value.strip()) and _plain(value) != _plain(printed[key]):
                yield _differs(context, key, span, value.strip(), printed[key])


def _differs(context: CheckContext, key: str, span: Span, old: str, new: str) -> Diagnostic:
    fixable = re.fullmatch(r"[+]?\d*\.?\d+", new) is not None
    return RULE.at(
        context.paper,
        span,
        f"{key} is {old} here, and {new} in the report.",
        remedy="run reportkit update, or --fix",
        replacement=new if fixable else None,
    )


def _plain(text: str) -> str:
    return text.strip().replace(",", "").replace("−", "-").replace("\u202f", "")


RULE = Rule(
    code="RK109",
    name="number-key-stale",
    severity="error",
    needs=frozenset({"paper"}),
    check=check,
    sources="ARR R1",
)
