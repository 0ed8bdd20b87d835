"""The numbers of a report as a list to look keys up in: Markdown for people, JSON for programs."""

from __future__ import annotations

import json

from reportkit.rendering.markdown.markdown import markdown_table
from reportkit.rendering.numbers.number_macros import ascii_number
from reportkit.rendering.text.inline import Lookup, markdown_mark, markdown_prose, plain_prose
from reportkit.report.model import Cell, Column, Number, Report, Row, Table
from reportkit.report.prose import Code, prose

NUMBERS_MD = "numbers.md"
NUMBERS_JSON = "numbers.json"


def markdown_numbers(report: Report) -> str:
    """Write the keys with their values and meanings as one Markdown table."""
    rows = tuple(
        Row(
            cells=(
                Cell.of((Code(key),)),
                Cell(mark=plain_prose(number.content)) if key.endswith("/mark") else Cell.of(number.content),
                Cell.of(number.meaning),
            )
        )
        for key, number in report.numbers.items()
    )
    caption = prose(
        "Numbers that running text may name: {rk} in LaTeX, after {input} in the preamble; {comment} in Markdown, "
        "which {update} fills in.",
        rk=Code(r"\rk{key}"),
        input=Code(r"\input{rknumbers}"),
        comment=Code("<!-- rk: key -->…<!-- /rk -->"),
        update=Code("reportkit update"),
    )
    columns = (Column.left("Key"), Column.right("Value"), Column.left("Meaning"))
    table = Table(name="numbers", caption=caption, columns=columns, rows=rows)
    return markdown_table(table, report.signature)


def json_numbers(report: Report) -> str:
    """Write the keys with their values for programs.

    `text` is what is printed, in plain text, `markdown` the same in Markdown; `value` is the same as a number, null if
    it is none. Unrounded numbers are in `report.json`.
    """
    content = {
        "signature": report.signature.line,
        "numbers": {
            key: {
                "text": plain_prose(number.content),
                "markdown": markdown_value(key, number),
                "value": _value(number),
                "meaning": number.meaning,
            }
            for key, number in report.numbers.items()
        },
    }
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def markdown_value(key: str, number: Number, lookup: Lookup | None = None) -> str:
    r"""Write a value for running text in Markdown.

    Examples
    --------
    >>> from reportkit.report.prose import Text
    >>> print(markdown_value("main/sst2/ours", Number(content=(Text("−1.5"),))))
    −1.5
    >>> print(markdown_value("main/sst2/ours-vs-base/mark", Number(content=(Text("*"),))))
    \*
    """
    if key.endswith("/mark"):
        return markdown_mark(plain_prose(number.content))
    return markdown_prose(number.content, lookup)


def _value(number: Number) -> float | int | None:
    written = ascii_number(number.content)
    if written is None or written[0] in "<>":
        return None
    value = float(written)
    return int(value) if "." not in written else value
