"""Tables and numbers between comments in Markdown: they are brought up to date, and nothing else is."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.rendering.documents import Writer
from reportkit.rendering.paper_update import Pieces, update_paper
from tests.rendering.conftest import SIGNATURE, grid, words

TABLE = Writer("markdown", signature=SIGNATURE).table(grid("results", caption=words("Scores.")))
PIECES = Pieces(latex={}, markdown={"results": TABLE}, values={"main/sst2/ours": "93.1", "main/sst2/p": "<.001"})
MARKED = "<!-- reportkit: begin results -->\n<!-- reportkit: end results -->\n"


def _updated(text: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "p.md")
        path.write_bytes(text.encode("utf-8"))
        update_paper(path, PIECES)
        return path.read_bytes().decode("utf-8")


def test_a_table_is_put_between_its_comments() -> None:
    """And is one when the file is read; the second update changes nothing."""
    new = _updated(f"# Title\n\n{MARKED}\nText.\n")
    assert new.startswith("# Title\n\n<!-- reportkit: begin results -->\n<!-- reportkit 0.1.0 | table results")
    assert new.endswith("<!-- reportkit: end results -->\n\nText.\n")
    html = MarkdownIt("commonmark").enable("table").render(new)
    assert html.count("<table>") == 1
    assert "<p>Text.</p>" in html
    assert _updated(new) == new


@pytest.mark.parametrize("old", ["", "92.9", "?", "**old** `x`", "  "])
def test_a_number_is_put_between_its_comments(old: str) -> None:
    """Within a sentence, whatever stood there."""
    new = _updated(f"It is <!-- rk: main/sst2/ours -->{old}<!-- /rk -->%, <!--rk:main/sst2/p--><!--/rk-->.")
    assert new == "It is <!-- rk: main/sst2/ours -->93.1<!-- /rk -->%, <!--rk:main/sst2/p--><.001<!--/rk-->."
    assert _updated(new) == new


@pytest.mark.parametrize(
    "code",
    [
        f"```\n{MARKED}```\n",
        f"~~~~ markdown\n{MARKED}~~~\n~~~~\n",
        f"```\n{MARKED}",
        "`<!-- rk: main/sst2/ours -->?<!-- /rk -->`",
        "``a ` <!-- rk: main/sst2/ours -->?<!-- /rk -->``",
    ],
)
def test_code_is_left_alone(code: str) -> None:
    """Where a manual shows how it is done."""
    number = "<!-- rk: main/sst2/p -->{}<!-- /rk -->\n\n"
    assert _updated(number.format("?") + code) == number.format("<.001") + code


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("\n<!-- reportkit: begin result -->\n<!-- reportkit: end result -->", UnknownNameError, "line 2.*'results'"),
        ("<!-- rk: main/sst2/our --><!-- /rk -->", UnknownNameError, "did you mean 'main/sst2/ours'"),
        ("<!-- reportkit: begin results -->", SettingsError, "stands alone"),
        ("<!-- reportkit: end results -->", SettingsError, "stands alone"),
        ("<!-- reportkit: begin results -->\n<!-- reportkit: end x -->", SettingsError, "stands alone"),
        (f"<!-- reportkit: begin results -->\n{MARKED}", SettingsError, "stands alone"),
        ("<!-- rk: main/sst2/ours -->93", SettingsError, "has no end"),
        ("<!-- rk: main/sst2/ours -->93\n<!-- /rk -->", SettingsError, "on the same line"),
    ],
)
def test_what_does_not_match_is_refused(text: str, error, said: str) -> None:
    """Where it is and what to write is said."""
    with pytest.raises(error, match=f"(?s){said}"):
        _updated(text)
