"""The report as one HTML page, with its figures."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from reportkit.appearance import Appearance
from reportkit.errors import RenderingError, UnknownNameError
from reportkit.rendering.page import Page
from reportkit.rendering.report_files import rendered
from reportkit.report.model import Cell, Column, Paragraph, Report, Row, Section, Spanner, Table
from reportkit.report.tokens import cite, ref
from tests.rendering.browser import evaluate
from tests.rendering.conftest import SIGNATURE, Elements, grid, line_figure, words


def _report(*blocks: object) -> Report:
    sections = (Section(title="Results", blocks=blocks), Section(title="Results", blocks=()))  # type: ignore[arg-type]
    return Report(title="R&D <b>", sections=sections, signature=SIGNATURE, appearance=Appearance(full=True))


def html_document(report: Report, templates: Sequence[Path] = ()) -> str:
    """Write a page."""
    return Page(report, templates=templates).page()


def sorting_table() -> Table:
    """Numbers with a dash and a bound, names with numbers in them, and groups."""
    lines = [
        ("run 10", "93.1", "*", ".036"),
        ("run 9", "–", "", "<.001"),
        ("Run 2", "−1,024.5", "", ".2"),
        ("run 1", "93.10", "", "1.6×10⁻⁹"),
    ]
    rows = tuple(
        Row(cells=(Cell(text=words(name)), Cell(text=words(score), mark=mark), Cell(text=words(p))))
        for name, score, mark, p in lines
    )
    columns = (Column(header=words("System"), align="left"), Column(header=words("SST-2")), Column(header="𝑝"))
    return Table(name="results", caption=words("Scores."), columns=columns, rows=rows)


@pytest.fixture(scope="module")
def page(small_report: Report) -> str:
    """The page of a report with tables, a figure, citations and references."""
    return html_document(small_report)


def test_the_page_is_complete_and_well_nested(page: str) -> None:
    """Doctype, language, encoding, width of the screen, one main, one first heading, sections in order."""
    found = Elements(page)
    assert page.startswith("<!DOCTYPE html>\n")
    assert found.all("html") == [{"lang": "en"}]
    assert {"charset": "utf-8"} in found.all("meta")
    assert [len(found.all(tag)) for tag in ("main", "h1", "header", "footer", "nav")] == [1] * 5
    assert [tag for tag, _ in found.seen if re.fullmatch("h[1-6]", tag)] == ["h1", *["h2"] * 4]
    assert SIGNATURE.line in page.replace("&amp;", "&")


def test_ids_are_unique_and_every_link_has_its_end(page: str) -> None:
    """Links within the page, labels and descriptions point to something that is there; there are no other links."""
    found = Elements(page)
    ids = [attributes["id"] for _, attributes in found.seen if "id" in attributes]
    assert len(ids) == len(set(ids))
    targets = [str(attributes["href"]) for attributes in found.all("a", "use")]
    assert targets
    assert all(target.startswith("#") for target in targets)
    named = [
        name
        for _, attributes in found.seen
        for key in ("aria-labelledby", "aria-describedby")
        for name in (attributes.get(key) or "").split()
    ]
    assert {target[1:] for target in targets} | set(named) <= set(ids)


def test_nothing_is_loaded_from_elsewhere(page: str) -> None:
    """No address outside of the page, and a policy that forbids what is not in it; the script is known by its bytes."""
    found = Elements(page)
    assert not found.all("link", "iframe", "object", "embed", "base", "form")
    assert not [key for _, attributes in found.seen for key in attributes if key.startswith("on")]
    loaded = [str(attributes["src"]) for _, attributes in found.seen if "src" in attributes]
    assert all(source.startswith("data:image/svg+xml;base64,") for source in loaded)
    assert not re.search(r"url\((?!#)|@import|https?:", page)
    (policy,) = [str(meta["content"]) for meta in found.all("meta") if "http-equiv" in meta]
    assert policy.startswith("default-src 'none';")
    (script,) = re.findall(r"<script>(.*?)</script>", page, flags=re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy


def test_tables_say_what_they_are(page: str) -> None:
    """Each has a caption, is in a region that can be scrolled by keyboard, and its headers have a scope."""
    found = Elements(page)
    assert len(found.all("table")) == len(found.all("caption")) == 3
    regions = [attributes for attributes in found.all("div") if attributes.get("role") == "region"]
    assert [(region["tabindex"], region["aria-label"]) for region in regions] == [
        ("0", f"Table {number}") for number in (1, 2, 3)
    ]
    assert all(attributes.get("scope") for attributes in found.all("th"))


def test_the_figure_is_said_in_words(page: str) -> None:
    """One image with its description, which holds the picture; the page shows through it."""
    (image,) = Elements(page).all("img")
    assert image["alt"] == "From 0% to 1 [up] & on."
    picture = base64.b64decode(str(image["src"]).partition(",")[2])
    assert b"<svg" in picture
    assert b"fill: #ffffff" not in picture.partition(b'id="axes_1"')[0]


def test_citations_and_references_are_links() -> None:
    """To the work, the table and the figure on the same page."""
    said = f"{ref('tab', 'results')} {cite('holm1979simple', 'fisher1935design')}"
    text = html_document(_report(Paragraph(content=said), grid()))
    assert '<a href="#tab:results">Table 1</a> (<a href="#ref-holm1979simple">Holm, 1979</a>; <a' in text
    assert re.findall(r'<li id="ref-(\w+)">', text) == ["fisher1935design", "holm1979simple"]


def test_mistakes_of_the_report_are_errors() -> None:
    """A reference to nothing, and a work that is not in the literature."""
    with pytest.raises(RenderingError, match="'tab:x'"):
        html_document(_report(Paragraph(content=ref("tab", "x"))))
    with pytest.raises(UnknownNameError, match="holm1979"):
        html_document(_report(Paragraph(content=cite("holm1979"))))


def test_a_template_of_the_user_replaces_a_part(tmp_path: Path) -> None:
    """The style alone, with the rest of the page; a script of the user is known by its own bytes."""
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "style.html.jinja").write_text("body { color: navy }\n")
    (tmp_path / "html" / "script.html.jinja").write_text("alert('mine');\n")
    text = html_document(_report(grid()), templates=[tmp_path])
    assert "<style>\nbody { color: navy }\n" in text
    digest = base64.b64encode(hashlib.sha256(b"alert('mine');\n").digest()).decode()
    assert f"'sha256-{digest}'" in text
    assert '<figure id="tab:results"' in text


@pytest.mark.browser
def test_a_header_sorts_its_column(tmp_path: Path) -> None:
    """Down, up and back; dashes last; names as people count; said to a screen reader; under the page's own policy."""
    script = """
        const names = () => Array.from(document.querySelectorAll('tbody tr'), row => row.cells[0].textContent);
        const buttons = document.querySelectorAll('th button');
        const states = () => Array.from(document.querySelectorAll('thead th'), head => head.getAttribute('aria-sort'));
        const seen = [];
        for (const index of [1, 1, 1, 0, 2]) { buttons[index].click(); seen.push([names(), states()]); }
        return seen;
    """
    seen = evaluate(html_document(_report(sorting_table())), script, tmp_path)
    one, two, nine, ten = "run 1", "Run 2", "run 9", "run 10"
    assert [names for names, _ in seen] == [
        [ten, one, two, nine],
        [two, ten, one, nine],
        [ten, nine, two, one],
        [one, two, nine, ten],
        [two, ten, nine, one],
    ]
    assert [states for _, states in seen] == [
        [None, "descending", None],
        [None, "ascending", None],
        [None, None, None],
        ["ascending", None, None],
        [None, None, "descending"],
    ]


@pytest.mark.browser
@pytest.mark.parametrize("clipboard", [True, False], ids=["clipboard", "an older way"])
def test_buttons_copy_a_table_as_the_files_hold_it(clipboard: bool, tmp_path: Path) -> None:
    """LaTeX, Markdown and CSV, signs and lines included; each button says what it copies; the source is folded away."""
    table = sorting_table()
    odd = dataclasses.replace(table, rows=(Row(cells=(Cell(text=words('a "<b>" & c_d')), *table.rows[0].cells[1:])),))
    report = _report(odd)
    script = (
        "const seen = [];"
        "const give = { writeText: text => { seen.push(text); return Promise.resolve(); } };"
        f"Object.defineProperty(navigator, 'clipboard', {{ value: {'give' if clipboard else 'undefined'} }});"
        "document.execCommand = () => { seen.push(document.activeElement.value); return true; };"
        "const buttons = Array.from(document.querySelectorAll('.copy button'));"
        "for (const button of buttons) button.click();"
        "return [seen, buttons.map(button => button.getAttribute('aria-label')),"
        " document.querySelector('details.sources').open];"
    )
    seen, names, unfolded = evaluate(html_document(report), script, tmp_path)
    assert names == [f"Copy Table 1 as {name}" for name in ("LaTeX", "Markdown", "CSV")]
    assert unfolded is False
    files, _ = rendered(report)
    assert seen[0] == files["tables/results.tex"].decode("utf-8")
    assert seen[1].rstrip() in files["more/tables/results.md"].decode("utf-8")
    assert '"a ""<b>"" & c_d",93.1,*' in seen[2] == files["more/tables/results.csv"].decode("utf-8")


@pytest.mark.browser
def test_groups_stay_together_when_sorted(tmp_path: Path) -> None:
    """Rows are sorted below the heading that names them."""
    table = sorting_table()
    blank = Cell()
    heads = [Row(cells=(Cell(text=words(name)), blank, blank), heading=True) for name in ("first", "second")]
    rows = (heads[0], *table.rows[:2], heads[1], *table.rows[2:])
    script = """
        document.querySelectorAll('th button')[0].click();
        return Array.from(document.querySelectorAll('tbody tr'), row => row.cells[0].textContent);
    """
    page = html_document(_report(dataclasses.replace(table, rows=rows)))
    assert evaluate(page, script, tmp_path) == ["first", "run 9", "run 10", "second", "run 1", "Run 2"]


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_a_wide_table_scrolls_within_its_place(width: int, tmp_path: Path) -> None:
    """The page itself is never wider than the window; the first column stays in sight."""
    names = tuple(f"dataset_{number}" for number in range(30))
    spanners = (Spanner(header=words("Over"), first=1, last=9),)
    page = html_document(_report(grid(datasets=names, spanners=spanners), line_figure()))
    script = f"""
        document.body.style.width = '{width}px';
        const scroll = document.querySelector('.scroll');
        scroll.scrollLeft = 500;
        const first = document.querySelector('tbody th').getBoundingClientRect();
        const wider = document.documentElement.scrollWidth > document.documentElement.clientWidth;
        return [scroll.scrollWidth > scroll.clientWidth, scroll.clientWidth <= {width}, wider,
                Math.round(first.left) >= 0, document.querySelector('.drawing img').clientWidth <= {width}];
    """
    assert evaluate(page, script, tmp_path, f"--window-size={width},900") == [True, True, False, True, True]
