"""Templates: which one is taken, what it may do, and what is said when it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from reportkit.errors import RenderingError
from reportkit.rendering.latex.latex import latex_table
from reportkit.rendering.markdown.markdown import markdown_table
from reportkit.rendering.templates.environment import FORMATS, Templates, shipped_templates
from reportkit.rendering.view import TableView
from tests.rendering.conftest import SIGNATURE, grid

VIEW = TableView(floats=(), caption="c", label="tab:x")


def _folder(tmp_path: Path, content: str, name: str = "markdown/table.md.jinja") -> Path:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return tmp_path


def _error(folder: Path, **context: object) -> RenderingError:
    with pytest.raises(RenderingError) as caught:
        Templates("markdown", (folder,)).render("table", **(context or {"table": VIEW}))
    return caught.value


def test_every_format_has_a_template_for_every_part() -> None:
    """What exists in one format exists in the others; some have further ones for their own forms."""
    parts = {"figure", "head", "itemize", "paragraph", "report", "table"}
    assert all(parts <= set(Templates(template_format).names) for template_format in FORMATS)
    assert set(FORMATS) == {path.name for path in shipped_templates().iterdir()}


def test_a_template_of_the_user_comes_first(tmp_path: Path) -> None:
    """One file replaces one template; the others stay."""
    folder = _folder(tmp_path, "mine: {{ table.caption }}\n")
    assert Templates("markdown", (folder,)).render("table", table=VIEW) == "mine: c\n"
    assert markdown_table(grid(), templates=(folder,)) == "mine:\n"
    assert latex_table(grid(), templates=(folder,)) == latex_table(grid())


def test_a_partial_is_replaced_everywhere(tmp_path: Path) -> None:
    """The head stands in every file, and is one template."""
    folder = _folder(tmp_path, "% mine\n", "latex/head.tex.jinja")
    assert latex_table(grid(), SIGNATURE, templates=(folder,)).startswith("% mine\n\\begin{table}")


def test_the_first_folder_wins(tmp_path: Path) -> None:
    """Several folders are looked into in order."""
    first, second = _folder(tmp_path / "a", "first\n"), _folder(tmp_path / "b", "second\n")
    assert Templates("markdown", (first, second)).render("table") == "first\n"


def test_a_changed_template_is_read_again(tmp_path: Path) -> None:
    """In a notebook a template can be improved without starting anew."""
    import os

    folder = _folder(tmp_path, "one\n")
    assert markdown_table(grid(), templates=(folder,)) == "one\n"
    _folder(tmp_path, "two\n")
    os.utime(tmp_path / "markdown" / "table.md.jinja", (2_000_000_000, 2_000_000_000))
    assert markdown_table(grid(), templates=(folder,)) == "two\n"


def test_a_missing_field_is_answered_with_the_nearest(tmp_path: Path) -> None:
    """The message names the file, the line, the field and what it may have been."""
    error = _error(_folder(tmp_path, "\n\n{{ table.capton }}\n"))
    assert error.problem == "a template asks for 'capton' of TableView, which is not there"
    assert error.where == f"{tmp_path / 'markdown' / 'table.md.jinja'}, line 3"
    assert str(error.remedy).startswith("did you mean 'caption'? known: environment, size,")


def test_a_missing_name_is_answered_with_the_nearest(tmp_path: Path) -> None:
    """Names of the context are known, too."""
    error = _error(_folder(tmp_path, "{{ tabel }}\n"))
    assert "'tabel'" in error.problem
    assert "did you mean 'table'?" in str(error.remedy)


@pytest.mark.parametrize(
    "use", ["{% if x %}a{% endif %}", "{% for i in x %}a{% endfor %}", "{{ x | length }}", "{{ x ~ 'a' }}"]
)
def test_a_missing_name_is_an_error_wherever_it_is_used(tmp_path: Path, use: str) -> None:
    """Nothing is silently left out."""
    assert "'x'" in _error(_folder(tmp_path, use)).problem


def test_an_error_in_a_partial_names_the_partial(tmp_path: Path) -> None:
    """The file that holds the mistake is named, not the one that includes it."""
    _folder(tmp_path, "a\n{{ table.nothing }}\n", "markdown/head.md.jinja")
    error = _error(tmp_path)
    assert str(error.where).endswith("head.md.jinja, line 2")


@pytest.mark.parametrize("content", ["{% if %}", "{{ table.caption", "{% endfor %}", "{% nothing %}"])
def test_a_syntax_error_names_file_and_line(tmp_path: Path, content: str) -> None:
    """A template that cannot be read is said to be one."""
    error = _error(_folder(tmp_path, f"first line\n{content}\n"))
    assert "cannot be read" in error.problem
    assert "table.md.jinja, line" in str(error.where)


def test_a_missing_partial_is_named(tmp_path: Path) -> None:
    """An included template that is not there is answered with the nearest."""
    error = _error(_folder(tmp_path, '{% include "haed.md.jinja" %}'))
    assert error.problem == "there is no template 'haed.md.jinja'"
    assert error.remedy == "did you mean 'head.md.jinja'?"


def test_macros_loops_and_filters_are_allowed(tmp_path: Path) -> None:
    """What is needed to place strings works."""
    content = (
        "{% macro twice(x) %}{{ x }}{{ x }}{% endmacro %}{% for i in items %}{{ twice(i) }}"
        "{{ loop.cycle('-', '+') }}{{ 'A' | lower }}{% if not loop.last %}, {% endif %}{% endfor %}"
        " {{ items | join(';') }} {{ 'a' ~ items[0] }}{% set last = items | last %}{{ last if last else '' }}"
        "{% if loop is undefined and items | length == 2 %}!{% endif %}"
    )
    folder = _folder(tmp_path, content)
    assert Templates("markdown", (folder,)).render("table", items=("p", "q")) == "pp-a, qq+a p;q apq!\n"


def test_blocks_imports_and_extensions_are_allowed(tmp_path: Path) -> None:
    """A user may build templates of several files."""
    _folder(tmp_path, "{% macro m(x) %}<{{ x }}>{% endmacro %}", "markdown/mine.md.jinja")
    _folder(tmp_path, "a{% block b %}1{% endblock %}c", "markdown/frame.md.jinja")
    content = (
        "{% extends 'frame.md.jinja' %}{% from 'mine.md.jinja' import m %}"
        "{% block b %}{{ super() }}{{ m(2) }}{% endblock %}"
    )
    folder = _folder(tmp_path, content)
    assert Templates("markdown", (folder,)).render("table") == "a1<2>c\n"


def test_strings_are_placed_not_read() -> None:
    """A name that looks like a template is not one."""
    name = "<< table.caption >> {{ 7 }} <% if x %>"
    assert name.replace("<", "$<$").replace(">", "$>$").replace("{", r"\{").replace("}", r"\}").replace("%", r"\%") in (
        latex_table(grid(systems=(name,))).replace(r"\allowbreak{}", "")
    )


def test_a_folder_without_templates_is_refused(tmp_path: Path) -> None:
    """A folder that is not there, is empty, or has a misspelt name would do nothing: it is an error."""
    with pytest.raises(RenderingError, match="is not there"):
        Templates("latex", (tmp_path / "nothing",))
    with pytest.raises(RenderingError, match="replaces no template"):
        Templates("latex", (tmp_path,))
    _folder(tmp_path, "x", "latex/tabel.tex.jinja")
    with pytest.raises(RenderingError) as caught:
        Templates("latex", (tmp_path,))
    assert caught.value.remedy == "did you mean 'latex/table.tex.jinja'?"
