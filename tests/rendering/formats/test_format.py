"""Typst, Word, Excel, Overleaf, Great Tables: 200 hostile names, opened by programs that know nothing of reportkit."""

from __future__ import annotations

import dataclasses
import functools
import io
import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any, get_args

import pytest
from reportkit.rendering.files.write import rendered
from reportkit.rendering.formats import format as formats
from reportkit.rendering.formats.excel import workbook
from reportkit.rendering.formats.format import output_formats
from reportkit.rendering.formats.overleaf import THREE_LINES
from reportkit.rendering.formats.typst import escape_typst, typst_table
from reportkit.rendering.formats.word import word_table

from reportkit.analysis.report import BuiltReport
from reportkit.appearance import Appearance, Further
from reportkit.errors import RenderingError, SettingsError, UnknownNameError
from reportkit.rendering.text.escaping import visible
from reportkit.report.model import Cell, Column, Itemize, Paragraph, Report, Row, Section, Spanner, Table
from tests.conftest import needed, unavailable
from tests.rendering.conftest import SIGNATURE, grid, hostile_report, line_figure, words
from tests.rendering.hostile_texts import hostile_names, read, same, tags

NAMES = hostile_names()
PER_TABLE = 20


def _table(number: int, names: tuple[str, ...]) -> Table:
    columns = (Column.left(words("System")), *(Column(header=words(name)) for name in names[:3]))
    rows = tuple(
        Row(
            cells=(Cell(text=words(name)), *(_score(i, j) for j in range(3))),
            rule_above=i == 7,
        )
        for i, name in enumerate(names)
    )
    return Table(
        name=f"t{number}",
        caption=words(names[0]),
        legend=words(names[1]),
        columns=columns,
        rows=rows,
        spanners=(Spanner(header=words(names[2]), first=1, last=2),),
    )


def _score(row: int, column: int) -> Cell:
    return Cell(text=words(f"{row}.{column}"), mark="†*"[: column + row % 2], bold=column == 0)


@functools.cache
def report() -> Report:
    """All names as systems, datasets, captions, points, a title, a heading, and in a paragraph and a figure."""
    tables = [_table(i, NAMES[start : start + PER_TABLE]) for i, start in enumerate(range(0, len(NAMES), PER_TABLE))]
    figure = dataclasses.replace(line_figure(), caption=words(NAMES[3]), alt_text=NAMES[5])
    sections = (
        Section(title=NAMES[7], blocks=(Paragraph(content=words(NAMES[9]), name="paragraph"), *tables, figure)),
        Section(title="Names", blocks=(Itemize(items=tuple(words(name) for name in NAMES)),)),
    )
    return Report(
        title=NAMES[11],
        sections=sections,
        signature=dataclasses.replace(SIGNATURE, source=NAMES[13]),
        appearance=Appearance(formats=get_args(Further)),
    )


@functools.cache
def files() -> dict[str, bytes]:
    """All files of the report."""
    return rendered(report())


def _cells(table: Table) -> list[list[str]]:
    """What each row of the body says, marks behind the numbers."""
    return [[read(cell.text[0].text) + cell.mark for cell in row.cells] for row in table.rows]  # type: ignore[union-attr]


def test_the_appearance_names_the_formats_that_there_are() -> None:
    """One module each; the definition of the setting and the folder say the same."""
    assert set(get_args(Further)) == set(output_formats())
    assert Appearance(formats=["xlsx", "typst", "xlsx"]).formats == ("typst", "xlsx")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="no output format 'doc'"):
        Appearance(formats=("doc",))  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="formats is 'docx'"):
        Appearance(formats="docx")  # type: ignore[arg-type]


@pytest.mark.slow
def test_the_same_report_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a file holds the time of its writing: on another day, and from a report that was read back."""
    before = files()
    monkeypatch.setattr("time.localtime", lambda *_: (2031, 2, 3, 4, 5, 6, 0, 34, 0))
    assert rendered(report()) == before


def _compiled(folder: Path, source: str) -> bytes:
    typst = needed("typst", "test")
    (folder / "main.typ").write_text(source, encoding="utf-8")
    return bytes(typst.compile(str(folder / "main.typ")))


def _placed(folder: Path, content: dict[str, bytes]) -> None:
    for name, text in content.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text)


@pytest.mark.slow
def test_typst_reads_each_name(tmp_path: Path) -> None:
    """The document compiles; Typst's own query finds the names in the tables, and nothing that a sign could make."""
    typst = needed("typst", "test")
    _placed(tmp_path, files())
    source = str(tmp_path / "report.typ")

    def found(selector: str) -> list[Any]:
        return json.loads(typst.query(source, selector))  # type: ignore[no-any-return]

    figures = found("figure.where(kind: table)")
    assert len(figures) == len(report().tables)
    for figure, table in zip(figures, report().tables, strict=True):
        cells = [same(_text(cell)) for cell in figure["body"]["children"] if cell["func"] == "cell"]
        assert cells == [same(text) for row in _cells(table) for text in row]
    assert [same(_text(item)) for item in found("heading")][:2] == [same(read(NAMES[7])), "Names"]
    for kind in ("link", "footnote", "math.equation", "ref", "cite"):
        assert found(kind) == [], kind
    assert len(found("figure.where(kind: image)")) == len(report().figures)


@pytest.mark.slow
def test_typst_prints_each_point(tmp_path: Path) -> None:
    """The tag of each name stands on the pages as often as the name is said."""
    if shutil.which("pdftotext") is None:
        unavailable("pdftotext is not installed")
    _placed(tmp_path, files())
    (tmp_path / "report.pdf").write_bytes(needed("typst", "test").compile(str(tmp_path / "report.typ")))
    printed = subprocess.run(["pdftotext", str(tmp_path / "report.pdf"), "-"], capture_output=True, check=True).stdout
    shown = re.sub(r"-?\s+", "", printed.decode("utf-8"))
    whole = [tag for tag, name in zip(tags(), NAMES, strict=True) if tag in visible(name)]  # no accent joins its end
    assert len(whole) > 190
    assert [tag for tag in whole if shown.count(tag) < 2] == []


def _text(item: Any) -> str:
    """Words of what a query found."""
    if isinstance(item, str):
        return item
    if isinstance(item, list):
        return "".join(map(_text, item))
    if item.get("func") == "space":
        return " "
    if item.get("func") == "hide":
        return ""
    return "".join(_text(item[key]) for key in ("text", "body", "child", "children") if key in item)


@pytest.mark.parametrize("name", NAMES[::4])
def test_no_sign_of_a_name_is_left_to_typst(name: str) -> None:
    """By which it could begin anything; without the signs that escape, the name is there."""
    escaped = escape_typst(name)
    assert re.sub(r"\\(.)", r"\1", escaped) == visible(name)
    assert not re.search(r"[#$<>@\[\]`_*~]", re.sub(r"\\.", "", escaped))


def test_a_table_of_typst_stands_in_a_paper_without_a_bibliography(tmp_path: Path) -> None:
    """What it cites and refers to is said in words where the paper does not have it, and resolved where it does."""
    content = rendered(dataclasses.replace(hostile_report(), appearance=Appearance(formats=("typst",))))
    _placed(tmp_path, content)
    include = '#include "paragraph.typ"\n#include "tables/p-values.typ"\n'
    alone = _compiled(tmp_path, include)
    whole = _compiled(tmp_path, include + '#include "tables/results.typ"\n#bibliography("references.bib")')
    assert len(whole) > len(alone) > 1000
    assert "@tab:" not in typst_table(grid())


def test_word_reads_each_name() -> None:
    """Headings by style, tables with a repeated header, marks raised, figures described, captions numbered."""
    docx = needed("docx", "word")
    document = docx.Document(io.BytesIO(files()["report.docx"]))
    headings = [item.text for item in document.paragraphs if item.style.name.startswith(("Heading", "Title"))]
    assert [same(text) for text in headings] == [same(read(name)) for name in (NAMES[11], NAMES[7])] + ["Names"]
    assert len(document.tables) == len(report().tables)
    for made, table in zip(document.tables, report().tables, strict=True):
        rows = [[cell.text for cell in row.cells] for row in made.rows]
        assert [list(map(same, row)) for row in rows[2:]] == [list(map(same, row)) for row in _cells(table)]
        assert same(rows[0][1]) == same(rows[0][2]) == same(read(table.spanners[0].header[0].text))  # type: ignore[union-attr]
        assert [bool(row._tr.xpath("./w:trPr/w:tblHeader")) for row in made.rows[:3]] == [True, True, False]
        first = made.rows[2].cells[1].paragraphs[0].runs
        assert [(run.text, bool(run.bold), bool(run.font.superscript)) for run in first] == [("0.0", True, False)]
        marked = made.rows[3].cells[1].paragraphs[0].runs
        assert [(run.text, bool(run.font.superscript)) for run in marked] == [("1.0", False), ("†", True)]
    points = [item.text for item in document.paragraphs if item.style.name == "List Bullet"]
    assert [same(text) for text in points] == [same(read(name)) for name in NAMES]
    captions = [item.text for item in document.paragraphs if item.style.name == "Caption"]
    assert [text.partition(".")[0] for text in captions] == [f"Table {n}" for n in range(1, 11)] + ["Figure 1"]
    (picture,) = document.inline_shapes
    assert same(picture._inline.docPr.get("descr")) == same(read(NAMES[5]))


def test_word_aligns_numbers_at_the_point() -> None:
    """Numbers of a column stand at one decimal tab, with a sign behind them or not; words and whole numbers at none."""
    docx = needed("docx", "word")
    numbers = ("57.1", "<.001", "−1,024.53", "–")
    rows = [
        Row(cells=(Cell(text=words("a")), Cell(text=words(one), mark="†"), Cell(text=words("250")))) for one in numbers
    ]
    columns = (Column.left("System"), Column.right("Diff."), Column.right("n"))
    written = word_table(Table(name="t", caption=words("T"), columns=columns, rows=tuple(rows)))
    (table,) = docx.Document(io.BytesIO(written)).tables
    stops = [[cell.paragraphs[0].paragraph_format.tab_stops for cell in row.cells] for row in table.rows[1:]]
    places = {(stop.position, stop.alignment.name) for row in stops[:3] for stop in row[1]}
    assert len(places) == 1
    assert {kind for _, kind in places} == {"DECIMAL"}
    assert not any(len(row[2]) or len(row[0]) for row in stops)
    assert len(stops[3][1]) == 0  # a dash has no point


def test_pandoc_reads_the_word_document(tmp_path: Path) -> None:
    """A second reader finds as many tables, and the picture."""
    if shutil.which("pandoc") is None:
        unavailable("pandoc is not installed")
    (tmp_path / "report.docx").write_bytes(files()["report.docx"])
    command = ["pandoc", "-f", "docx", "-t", "html", str(tmp_path / "report.docx")]
    made = subprocess.run(command, capture_output=True, check=True, timeout=300).stdout.decode("utf-8")
    assert made.count("<table") == len(report().tables)
    assert made.count("<img") == 1
    assert "<script" not in made


def test_excel_reads_numbers_as_numbers_and_names_as_names() -> None:
    """No formula, no text that looks like a number; printed decimals; the caption below."""
    openpyxl = needed("openpyxl", "excel")
    book = openpyxl.load_workbook(io.BytesIO(files()["tables.xlsx"]))
    assert book.sheetnames == [table.name for table in report().tables]
    for table in report().tables:
        sheet = book[table.name]
        rows = list(sheet.iter_rows(min_row=2, max_row=1 + len(table.rows)))
        for row, shown in zip(rows, table.rows, strict=True):
            assert same(str(row[0].value or "")) == same(read(shown.cells[0].text[0].text))  # type: ignore[union-attr]
            assert row[0].data_type in ("s", "n")
            numbers = [cell for cell in row if isinstance(cell.value, (int, float))]
            values = [cell.value for cell in numbers]
            assert values == [float(cell.text[0].text) for cell in shown.cells[1:]]  # type: ignore[union-attr]
            assert {cell.number_format for cell in numbers} == {"0.0"}
        assert not [cell for row in sheet.iter_rows() for cell in row if cell.data_type == "f"]
        assert sheet.freeze_panes == "B2"


def test_a_formula_is_text_and_a_long_name_of_a_sheet_is_cut() -> None:
    """`=1+1` stays what it is; a minus of typography is one of arithmetic."""
    openpyxl = needed("openpyxl", "excel")
    row = Row(cells=(Cell(text=words("=1+1")), Cell(text=words("−1,024.5"))))
    table = Table(name="a" * 40, caption=(), columns=(Column.left("x"), Column.right("y")), rows=(row,))
    sheets = openpyxl.load_workbook(io.BytesIO(workbook([table, dataclasses.replace(table, name="A" * 35)])))
    assert sheets.sheetnames == ["a" * 31, "A" * 29 + "~2"]
    first, second = next(sheets.worksheets[0].iter_rows(min_row=2, max_row=2))
    assert (first.value, first.data_type) == ("=1+1", "s")
    assert (second.value, second.number_format) == (-1024.5, "#,##0.0")


@pytest.mark.tex
def test_overleaf_compiles_as_it_was_uploaded(tmp_path: Path) -> None:
    """Unpacked and run through pdflatex and bibtex in every venue's columns; the three lines are in it."""
    if shutil.which("pdflatex") is None:
        unavailable("pdflatex is not installed")
    for venue in ("acl", "neurips"):
        content = dataclasses.replace(hostile_report(), appearance=Appearance(formats=("overleaf",), venue=venue))
        folder = tmp_path / venue
        with zipfile.ZipFile(io.BytesIO(rendered(content)["overleaf.zip"])) as packed:
            packed.extractall(folder)
            assert [name for name in packed.namelist() if not name.startswith("reportkit/")] == ["main.tex"]
        main = (folder / "main.tex").read_text("utf-8")
        assert all(line in main for line in THREE_LINES[:2])
        assert _latex(folder) == []


@pytest.mark.tex
@pytest.mark.slow
def test_overleaf_compiles_with_every_name(tmp_path: Path) -> None:
    """The 200 names, in the tables of the project."""
    if shutil.which("pdflatex") is None:
        unavailable("pdflatex is not installed")
    with zipfile.ZipFile(io.BytesIO(files()["overleaf.zip"])) as packed:
        packed.extractall(tmp_path)
    assert _latex(tmp_path) == []


def _latex(folder: Path) -> list[str]:
    """Run TeX as Overleaf does; what is undefined in the end."""
    command = ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "main.tex"]
    for number in range(3):
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=600)
        log = (folder / "main.log").read_text("utf-8", errors="replace")
        assert done.returncode == 0, log[-2000:]
        if number == 0 and r"\bibdata" in (folder / "main.aux").read_text("utf-8", errors="replace"):
            subprocess.run(["bibtex", "main"], cwd=folder, capture_output=True, check=True, timeout=600)
    return re.findall(r"Warning: (?:Reference|Citation) [^\n]*undefined", log)


def test_one_table_is_saved_by_its_ending(tmp_path: Path) -> None:
    """`save("table.typ")`, `.docx`, `.xlsx`, and as text and object."""
    built = BuiltReport(hostile_report())
    for ending in (".typ", ".docx", ".xlsx"):
        (path,) = built.save(tmp_path / f"table{ending}", "results")
        assert path.stat().st_size > 500
    assert built.to_typst("results").encode("utf-8", "backslashreplace") == (tmp_path / "table.typ").read_bytes()


@pytest.mark.parametrize(("name", "extra"), [("docx", "word"), ("xlsx", "excel")])
def test_a_package_that_is_missing_is_named_with_its_extra(
    name: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what to type."""

    def missing(module: str) -> Any:
        raise ImportError(module)

    monkeypatch.setattr(formats.importlib, "import_module", missing)
    kind = output_formats()[name]
    assert kind.table is not None
    with pytest.raises(RenderingError, match="is not installed") as caught:
        kind.table(grid(), None)
    assert f"pip install 'reportkit-replic[{extra}]'" in str(caught.value)


def test_figures_stand_in_each_document() -> None:
    """A report without one has none."""
    (first, *_) = hostile_report().sections
    table = next(block for block in first.blocks if isinstance(block, Table))
    sections = (Section(title="Results", blocks=(table,)),)
    without = dataclasses.replace(hostile_report(), sections=sections, appearance=Appearance(formats=get_args(Further)))
    made = rendered(without)
    assert b"image(" not in made["report.typ"]
    assert not [name for name in made if name.startswith("figures/")]
