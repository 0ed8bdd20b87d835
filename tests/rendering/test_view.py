"""docs/reference/templates.md is the contract with users' templates: it says what there is, and nothing else."""

from __future__ import annotations

import dataclasses
import inspect
import re
from pathlib import Path

import pytest

from reportkit.rendering import view
from reportkit.rendering.files.write import rendered
from reportkit.rendering.html.html import html_table
from reportkit.rendering.html.html_document import html_document
from reportkit.rendering.latex.latex import latex_table
from reportkit.rendering.templates import environment
from reportkit.rendering.templates.environment import FORMATS, Templates
from reportkit.report.model import Report
from tests.rendering.conftest import grid

VIEWS = {
    name: kind for name, kind in inspect.getmembers(view, dataclasses.is_dataclass) if kind.__module__ == view.__name__
}


@pytest.fixture(scope="module")
def documented(root: Path) -> str:
    """The page."""
    return (root / "docs" / "reference" / "templates.md").read_text("utf-8")


def _sees(page: str) -> dict[str, set[str]]:
    """Names that each template sees, by the page."""
    part = page.split("## What a template sees")[1].split("###")[0]
    rows = re.findall(r"^\| (`[a-z]+/.*?) \| (.*?) \|$", part, re.MULTILINE)
    return {
        template: set(re.findall("`(.*?)`", names))
        for templates, names in rows
        for template in re.findall("`(.*?)`", templates)
    }


def test_every_field_of_every_view_is_documented(documented: str) -> None:
    """In a table of its own, and no field that is not there."""
    parts = re.split(r"^### ", documented, flags=re.MULTILINE)[1:]
    found = {}
    for part in parts:
        (name,) = re.findall(r"`(\w+View)`", part.splitlines()[0])
        found[name] = set(re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE))
    assert found == {name: {item.name for item in dataclasses.fields(kind)} for name, kind in VIEWS.items()}


def test_every_template_is_documented(documented: str) -> None:
    """With what it sees."""
    assert set(_sees(documented)) == {f"{name}/{one}" for name in FORMATS for one in Templates(name).names}


def test_templates_see_what_is_documented(
    documented: str, small_report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every template that is rendered is given the names that the page says."""
    seen: dict[str, set[str]] = {}
    render = Templates.render

    def recorded(self: Templates, name: str, **context: object) -> str:
        seen.setdefault(f"{self.format}/{name}", set()).update(context)
        return render(self, name, **context)

    monkeypatch.setattr(Templates, "render", recorded)
    look = small_report.appearance
    for flavour in ("github", "pandoc"):
        rendered(dataclasses.replace(small_report, appearance=look.replace(markdown=flavour)))
    html_document(small_report)
    html_table(grid())
    for wrapping in ("tabular", "longtable"):
        latex_table(grid(), appearance=look.replace(environment=wrapping, venue="article"))
    sees = _sees(documented)
    assert {name: sees[name] for name in seen} == seen
    # the others are included by these
    assert {name.partition("/")[2] for name in set(sees) - set(seen)} <= {"caption", "panel", "head"}


def test_the_version_is_documented_and_seen(documented: str, tmp_path: Path) -> None:
    """A template can ask for it."""
    assert f"This is version {view.CONTEXT_VERSION} of the context" in documented
    (tmp_path / "markdown").mkdir()
    (tmp_path / "markdown" / "table.md.jinja").write_text("{{ context_version }}")
    assert environment.Templates("markdown", (tmp_path,)).render("table") == f"{view.CONTEXT_VERSION}\n"


def test_the_example_works(documented: str, tmp_path: Path) -> None:
    """As it stands on the page."""
    example = documented.split("## An example")[1].split("```\n")[1]
    (tmp_path / "latex").mkdir()
    (tmp_path / "latex" / "table.tex.jinja").write_text(example)
    written = latex_table(grid(), templates=(tmp_path,))
    assert r"\hline" in written
    assert r"\label{tab:results}" in written
    assert "VADER" in written
