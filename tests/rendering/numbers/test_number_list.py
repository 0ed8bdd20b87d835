"""The list of keys: complete in Markdown and JSON, and read back by programs."""

from __future__ import annotations

import dataclasses
import json

import pytest
from markdown_it import MarkdownIt

from reportkit.rendering.numbers.number_list import json_numbers, markdown_numbers, markdown_value
from reportkit.report.model import Number, Report
from tests.rendering.conftest import HOSTILE, SIGNATURE, words


@pytest.fixture
def report(small_report: Report) -> Report:
    """Numbers of all kinds, and names that break careless writers."""
    values = {"main/a": "93.1", "main/b": "−1.5", "main/n": "12,400", "main/p": "<.001", "main/x/mark": "*+"}
    numbers = {key: Number(content=words(text), meaning=f"meaning of {key}") for key, text in values.items()}
    numbers |= {f"main/h{i}": Number(content=words(name), meaning=name) for i, name in enumerate(HOSTILE)}
    return dataclasses.replace(small_report, numbers=numbers)


def test_every_key_is_a_row(report: Report) -> None:
    """A Markdown parser finds one table with all keys, whatever the names are."""
    html = MarkdownIt("commonmark").enable("table").render(markdown_numbers(report))
    assert html.count("<tr>") == 1 + len(report.numbers)
    assert all(f"<code>{key}</code>" in html for key in report.numbers)
    assert "<script>" not in html
    assert SIGNATURE.line in markdown_numbers(report)


def test_json_holds_text_and_number(report: Report) -> None:
    """Numbers as numbers where they are some, words as null, bounds as null."""
    content = json.loads(json_numbers(report))
    assert content["signature"] == SIGNATURE.line
    values = {key: item["value"] for key, item in content["numbers"].items()}
    assert list(values) == list(report.numbers)
    assert (values["main/a"], values["main/b"], values["main/n"]) == (93.1, -1.5, 12400)
    assert isinstance(values["main/n"], int)
    assert values["main/p"] is values["main/x/mark"] is values["main/h0"] is None
    assert content["numbers"]["main/b"]["text"] == "−1.5"
    assert content["numbers"]["main/n"]["meaning"] == "meaning of main/n"


def test_values_in_markdown_are_escaped() -> None:
    """They print as they are, within a sentence."""
    html = MarkdownIt().renderInline(markdown_value("main/x", Number(content=words("<b> *a* [x](y) `c`"))))
    assert html == "&lt;b&gt; *a* [x](y) `c`"
