"""Inside a notebook: pieces of a document, never a document of their own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import reportkit
from reportkit.rendering.page import report_formats
from tests.rendering.conftest import HOSTILE, Elements, hostile_report

ROOT = Path(__file__).resolve().parents[2]
TYPES = {"text/html", "text/markdown", "text/plain"}


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    """What a user may put at the end of a cell."""
    a = reportkit.compare(
        ROOT / "examples" / "sentiment" / "results.csv.gz", "vader", "textblob", dependence="independent"
    )
    return {"analysis": a, "table": a.table(), "report": a.report()}


@pytest.mark.parametrize("name", ["analysis", "table", "report"])
def test_the_protocol_of_ipython(shown: dict[str, Any], name: str) -> None:
    """All types at once, or those that are wanted."""
    item = shown[name]
    bundle = item._repr_mimebundle_()
    assert set(bundle) == TYPES
    assert item._repr_mimebundle_(include=["text/html"]) == {"text/html": bundle["text/html"]}
    assert set(item._repr_mimebundle_(exclude={"text/html"})) == {"text/markdown", "text/plain"}
    assert item._repr_mimebundle_(None, None) == bundle
    assert item._repr_html_() == bundle["text/html"]


@pytest.mark.parametrize("name", ["analysis", "report"])
def test_the_text_is_what_print_says(shown: dict[str, Any], name: str) -> None:
    """Compact, and the same in a terminal."""
    text = shown[name]._repr_mimebundle_()["text/plain"]
    assert text == repr(shown[name])
    assert "on three of four datasets" in text
    assert len(text) < 500


@pytest.mark.parametrize("names", [HOSTILE, ("VADER", "TextBlob", "AFINN")], ids=["hostile", "plain"])
def test_html_reaches_nothing_beyond_itself(names: Any) -> None:
    """No style sheet, no script, nothing loaded; hostile names open no element and set no attribute."""
    elements = Elements(report_formats(hostile_report(names))["text/html"]()).seen
    assert {tag for tag, _ in elements} <= {
        *("div", "h3", "h4", "p", "code", "table", "caption", "thead", "tbody", "tr", "th", "td", "sup", "sub", "i"),
        *("strong", "b", "em", "u", "ul", "li", "figure", "figcaption", "img"),
    }
    for tag, attributes in elements:
        assert set(attributes) <= {"style", "class", "scope", "colspan", "alt", "src", "id"}, tag
        assert (attributes.get("src") or "data:image/png;base64,").startswith("data:image/png;base64,")


def test_colours_are_those_of_the_page(shown: dict[str, Any]) -> None:
    """A table sets none, so that it is read on a dark page; a picture stands on white."""
    assert not re.search(r"(?<!-)color:|background|#[0-9a-f]{3,6}\b|rgb", shown["table"]._repr_html_())
    assert "background: white" in shown["report"]._repr_html_()
