"""A stranger's template: known ways out of Jinja's sandbox, all of which are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from reportkit.errors import RenderingError
from reportkit.rendering.templates.environment import Templates
from reportkit.rendering.view import RowView, TableView

VIEW = TableView(floats=(), caption="c", label="tab:x")
INSIDE = "root:x:0:0"

# published ways into Python: subclasses, globals of Jinja's own helpers, CVE-2016-10745 (format), CVE-2019-10906
# (format_map), CVE-2024-56326 (an indirect reference to format), CVE-2025-27516 (format through attr), CVE-2024-56201
# (a name of a template as code), hexadecimal underscores
ESCAPES = (
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ table.__init__.__globals__ }}",
    "{{ self.__init__.__globals__ }}",
    "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
    "{{ lipsum.__globals__['os'].popen('id').read() }}",
    "{{ ''['\\x5f\\x5fclass\\x5f\\x5f'] }}",
    "{{ table | attr('__class__') }}",
    "{{ '{0.__class__}'.format(table) }}",
    "{{ '{x.__class__.__init__.__globals__}'.format_map({'x': table}) }}",
    "{% set f = '{0.__class__}'.format %}{{ f(table) }}",
    "{{ ('{0.__class__}' | attr('format'))(table) }}",
    "{% macro m() %}{% endmacro %}{{ m._func.__globals__ }}",
    "{% import 'os' as os %}{{ os.popen('id') }}",
    "{% include '/etc/passwd' %}",
    "{% include '../latex/table.tex.jinja' %}",
    "{% include \"x' + __import__('os').popen('id').read() + '.md.jinja\" %}",
    "{% include 'link.md.jinja' %}",
    "{% include 'folder/secret.md.jinja' %}",
    "{% set table.caption = 'x' %}",
    "{{ items.append(1) }}",
    "{{ range(1000000000) | list | length }}",
    # what is no text
    "{{ table }}",
    "{{ true }}",
    "{{ items }}",
    "{{ 1.5 }}",
)


def _render(folder: Path, content: str, **context: object) -> str:
    (folder / "markdown").mkdir(exist_ok=True)
    (folder / "markdown" / "table.md.jinja").write_text(content, encoding="utf-8")
    return Templates("markdown", (folder,)).render("table", **context)


@pytest.mark.parametrize("content", ESCAPES)
def test_no_way_out_is_open(tmp_path: Path, content: str) -> None:
    """No private attribute, no other file, no change of what it is given, no object's name."""
    secret = tmp_path / "secret.md.jinja"
    secret.write_text(INSIDE)
    mine = tmp_path / "mine" / "markdown"
    mine.mkdir(parents=True)
    (mine / "link.md.jinja").symlink_to(secret)
    (mine / "folder").symlink_to(tmp_path)
    items: list[int] = []
    with pytest.raises(RenderingError) as caught:
        _render(tmp_path / "mine", content, table=VIEW, items=items)
    assert items == []
    assert INSIDE not in str(caught.value)
    assert "object at 0x" not in str(caught.value)
    assert "table.md.jinja" in str(caught.value.where)


def test_what_is_no_text_is_said_with_its_line(tmp_path: Path) -> None:
    """Not written as Python shows it."""
    with pytest.raises(RenderingError) as caught:
        _render(tmp_path, "\n{{ rows }}", rows=(RowView(cells=()),))
    assert caught.value.problem.endswith("it writes a value of type tuple, which is no text")
    assert str(caught.value.where).endswith("table.md.jinja, line 2")


def test_a_link_within_the_folder_is_followed(tmp_path: Path) -> None:
    """And a folder may itself be reached through a link."""
    (tmp_path / "mine" / "markdown").mkdir(parents=True)
    (tmp_path / "mine" / "markdown" / "real.md.jinja").write_text("here")
    (tmp_path / "mine" / "markdown" / "link.md.jinja").symlink_to("real.md.jinja")
    (tmp_path / "alias").symlink_to(tmp_path / "mine")
    assert _render(tmp_path / "alias", "{% include 'link.md.jinja' %}") == "here\n"


def test_a_file_that_is_no_text_is_said_to_be_none(tmp_path: Path) -> None:
    """Not a traceback, and not a guess."""
    (tmp_path / "markdown").mkdir()
    (tmp_path / "markdown" / "table.md.jinja").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RenderingError, match="no UTF-8 text"):
        Templates("markdown", (tmp_path,)).render("table")
