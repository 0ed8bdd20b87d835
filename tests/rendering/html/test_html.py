"""HTML tables for notebooks."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.rendering.html.html import html_table
from reportkit.report.model import Spanner
from tests.rendering.conftest import HOSTILE, grid, words


class _Tree(HTMLParser):
    """Elements in order, checked to be well nested; text by element."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.text.append((self.open[-1], data))


def _tree(source: str) -> _Tree:
    tree = _Tree()
    tree.feed(source)
    tree.close()
    assert tree.open == []
    return tree


def test_headers_say_what_they_head() -> None:
    """A screen reader can name the column, the group of columns and the row of a number."""
    table = grid(
        datasets=("a", "b", "c"), caption=words("Scores."), spanners=(Spanner(header=words("In"), first=2, last=3),)
    )
    tree = _tree(html_table(table))
    scopes = [attributes.get("scope") for tag, attributes in tree.seen if tag == "th"]
    assert scopes == ["colgroup", *["col"] * 4, *["row"] * 4]
    assert [attributes["colspan"] for _, attributes in tree.seen if "colspan" in attributes] == ["2"]
    assert ("caption", "Scores.") in tree.text
    assert ("strong", "54.6") in tree.text
    assert ("u", "47.3") in tree.text
    assert ("sup", "*") in tree.text


def test_each_row_has_each_column() -> None:
    """Rows of the header and of the body are as wide as the table; spanners cover their columns."""
    table = grid(datasets=("a", "b", "c"), spanners=(Spanner(header=words("In"), first=1, last=2),))
    widths: list[int] = []
    for tag, attributes in _tree(html_table(table)).seen:
        if tag == "tr":
            widths.append(0)
        if tag in ("td", "th"):
            widths[-1] += int(attributes.get("colspan") or 1)
    assert widths == [4] * 6


@given(st.lists(st.text(max_size=20) | st.sampled_from(HOSTILE), min_size=1, max_size=5))
@settings(deadline=None, max_examples=60)
def test_names_are_text(names: list[str]) -> None:
    """No name opens an element or adds an attribute."""
    tree = _tree(html_table(grid(systems=names, datasets=tuple(names), caption=words("; ".join(names)))))
    allowed = {"table", "caption", "thead", "tbody", "tr", "th", "td", "strong", "u", "sup", "i"}
    assert {tag for tag, _ in tree.seen} <= allowed
    assert {name for _, attributes in tree.seen for name in attributes} <= {"style", "scope", "colspan"}


def test_rules_between_groups() -> None:
    """A group of rows begins with a line."""
    assert html_table(grid(systems=("a", "b", "c", "d"), group=2)).count('<tr style="border-top') == 1
