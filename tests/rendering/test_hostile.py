"""200 hostile names through every format: each is read by another program as the name that it is, and nothing else."""

from __future__ import annotations

import csv
import dataclasses
import functools
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from markdown_it import MarkdownIt

import reportkit
from reportkit.appearance import Appearance
from reportkit.rendering.documents import report_writer
from reportkit.rendering.report_files import rendered
from reportkit.rendering.text.escaping import unsettable, visible
from reportkit.report.model import (
    Cell,
    Column,
    Figure,
    Itemize,
    Paragraph,
    Report,
    Row,
    Section,
    Spanner,
    Table,
)
from reportkit.report.tokens import cleaned, code, strong
from tests.conftest import needed
from tests.rendering.browser import evaluate
from tests.rendering.conftest import SIGNATURE, Compile, Compiled, Elements, given, line_figure, words
from tests.rendering.hostile_texts import N_NAMES, hostile_names, read, tags

NAMES = tuple(map(cleaned, hostile_names()))
PER_TABLE = 20
PLAIN = {"table", "thead", "tbody", "tr", "th", "td", "p", "strong", "u", "sup"}


def _table(number: int, names: tuple[str, ...]) -> Table:
    """Names as systems, datasets (of the next names) over a spanner, a caption and a legend."""
    columns = [Column(header=words("System"), align="left")]
    columns += [Column(header=words(name)) for name in names[:3]]
    rows = tuple(
        Row(cells=(Cell(text=words(name)), *(Cell(text=words(f"{i}.{j}"), mark="*", bold=j == 0) for j in range(3))))
        for i, name in enumerate(names)
    )
    return Table(
        name=f"t{number}",
        caption=words(names[0]),
        legend=words(names[1]),
        columns=tuple(columns),
        rows=rows,
        spanners=(Spanner(header=words(names[2]), first=1, last=2),),
    )


@functools.cache
def report() -> Report:
    """All names in every place where a name can stand."""
    blocks: list[Any] = []
    for number, start in enumerate(range(0, N_NAMES, PER_TABLE)):
        blocks.append(_table(number, NAMES[start : start + PER_TABLE]))
    items = tuple(map(words, NAMES))
    set_off = tuple(f"{strong(words(name))} {code(name)}" for name in NAMES)
    figure = dataclasses.replace(line_figure(), caption=words(NAMES[3]), alt_text=NAMES[5])
    sections = (
        Section(title=NAMES[7], blocks=(Paragraph(content=words(NAMES[9]), name="paragraph"), *blocks, figure)),
        Section(title="Names", blocks=(Itemize(items=items), *(Paragraph(content=words(name)) for name in NAMES))),
        Section(title="Set off", blocks=(Itemize(items=set_off),)),
    )
    return Report(
        title=NAMES[11],
        sections=sections,
        signature=dataclasses.replace(SIGNATURE, source=NAMES[13]),
        data={"names": list(NAMES)},
        numbers={f"main/{tag}": words(name) for tag, name in zip(tags(), NAMES, strict=True)},
        extras=(Paragraph(content=words(NAMES[15]), name="extra"),),
        checklist=(Section(title=NAMES[17], blocks=(Itemize(items=items),)),),
        appearance=Appearance(full=True, formats=("typst", "docx", "xlsx")),
    )


@functools.cache
def files() -> dict[str, bytes]:
    """All files of the report."""
    return rendered(report())[0]


def text(name: str) -> str:
    """One file, as UTF-8 that any program reads."""
    return files()[name].decode("utf-8")


def tables() -> list[Table]:
    """The tables of the report."""
    return list(report().tables)


def test_the_names_are_as_bad_as_they_are_meant_to_be() -> None:
    """200 different ones, every piece in one of them, drawn alike every time."""
    assert len(set(NAMES)) == N_NAMES
    assert tuple(map(cleaned, hostile_names())) == NAMES
    assert all(tag in name for tag, name in zip(tags(), NAMES, strict=True))
    assert sum(bool(unsettable(name)) for name in NAMES) >= 30
    assert sum("canary" in name for name in NAMES) > 20


@pytest.mark.slow
def test_html_reads_each_name_and_no_other_element() -> None:
    """Names are the text of their cells, points and paragraphs; there is no element or attribute beyond the page's."""
    found = Elements(text("report.html"))
    seen = [read(name) for name in NAMES]
    in_order = [read(head) for head in found.texts["th"] if read(head) in seen]
    assert in_order[4 : 4 + PER_TABLE] == seen[:PER_TABLE]
    assert {read(head) for head in found.texts["th"]} >= set(seen)
    assert [read(item) for item in found.texts["li"] if read(item) in seen][-N_NAMES:] == seen
    assert [read(item) for item in found.texts["p"] if read(item) in seen][-N_NAMES:] == seen
    plain = dataclasses.replace(_harmless(), appearance=Appearance())
    harmless = Elements(rendered(plain)[0]["report.html"].decode("utf-8"))
    assert {tag for tag, _ in found.seen} - {"wbr"} == {tag for tag, _ in harmless.seen} - {"wbr"}
    assert sorted(_kinds(found)) == sorted(_kinds(harmless))


def _harmless() -> Report:
    """The same report with names of letters."""
    names = dict(zip(NAMES, tags(), strict=True))

    def changed(value: Any) -> Any:
        if isinstance(value, str):
            return names.get(value, value)
        if isinstance(value, tuple):
            return tuple(changed(item) for item in value)
        if dataclasses.is_dataclass(value) and not isinstance(value, type) and not isinstance(value, Appearance):
            # fields that a constructor does not take stay
            fields = [field.name for field in dataclasses.fields(value) if field.name not in ("content_", "data")]
            return dataclasses.replace(value, **{name: changed(getattr(value, name)) for name in fields})
        return value

    return changed(report())  # type: ignore[no-any-return]


def _kinds(found: Elements) -> list[tuple[str, tuple[str, ...]]]:
    """Elements with the names of their attributes."""
    return [(tag, tuple(sorted(attributes))) for tag, attributes in found.seen if tag != "wbr"]


@pytest.mark.slow
def test_github_markdown_reads_each_name() -> None:
    """A parser of CommonMark with tables sees the names, and no element that the report does not have."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    for table in tables():
        body = Elements(parser.render(text(f"more/tables/{table.name}.md")))
        assert {tag for tag, _ in body.seen} <= PLAIN
        shown = _first_cells(parser, text(f"more/tables/{table.name}.md"))
        assert shown[1:] == [read(given(row.cells[0].text)) for row in table.rows]
    whole = Elements(parser.render(text("more/report.md")))
    seen = [read(name) for name in NAMES]
    assert [read(item) for item in whole.texts["li"] if read(item) in seen] == seen
    assert [read(item) for item in whole.texts["p"] if read(item) in seen][-N_NAMES:] == seen
    assert not {"script", "a", "textarea", "blockquote", "pre", "hr", "s"} & {tag for tag, _ in whole.seen}
    assert sum(tag == "img" for tag, _ in whole.seen) == 1
    assert [tag for tag, _ in whole.seen if tag in ("h1", "h2", "h3")] == ["h1", "h2", "h2", "h2"]


def _first_cells(parser: MarkdownIt, source: str) -> list[str]:
    tokens = parser.parse(source)
    starts = [i for i, token in enumerate(tokens) if token.type == "tr_open"]
    contents = (tokens[i + 2].children or [] for i in starts)
    return [read("".join(token.content for token in children if token.type == "text")) for children in contents]


@pytest.mark.slow
def test_csv_reads_each_name_as_it_was_given() -> None:
    """Python's reader gives back the very names, line breaks and controls too; only half surrogates have no byte."""
    for table in tables():
        rows = list(csv.reader(io.StringIO(text(f"more/tables/{table.name}.csv"), newline="")))
        assert [row[0] for row in rows[1:]] == [_encoded(given(row.cells[0].text)) for row in table.rows]
        assert {len(row) for row in rows} == {7}


def _encoded(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


@pytest.mark.slow
def test_the_report_gives_each_name_back() -> None:
    """Half surrogates as well."""
    assert json.loads(files()["report.json"])["names"] == list(NAMES)


def test_word_reads_each_name() -> None:
    """Names are the text of their cells, points and paragraphs."""
    document = needed("docx", "word").Document(io.BytesIO(files()["report.docx"]))
    found = [row.cells[0].text for table in document.tables for row in table.rows[2:]]
    assert [read(name) for name in found] == [read(name) for name in NAMES]
    points = [read(one.text) for one in document.paragraphs if one.style.name == "List Bullet"]
    assert points[:N_NAMES] == [read(name) for name in NAMES]


def test_excel_reads_each_name_and_no_formula() -> None:
    """Also where a name begins with =."""
    book = needed("openpyxl", "excel").load_workbook(io.BytesIO(files()["tables.xlsx"]))
    cells = [sheet.cell(row, 1) for sheet in book for row in range(2, 2 + PER_TABLE)]
    assert [read(str(cell.value)) for cell in cells] == [read(name) for name in NAMES]
    assert {cell.data_type for cell in cells} == {"s"}


@pytest.mark.slow
def test_typst_sets_each_name(tmp_path: Path) -> None:
    """It compiles, and the tag of each name is in the text wherever the name is."""
    typst = needed("typst", "typst")
    for name, content in files().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    pdf = tmp_path / "typst.pdf"
    typst.compile(str(tmp_path / "report.typ"), output=str(pdf))
    printed = re.sub(r"-?\s+", "", Compiled(log="", pdf=pdf).text)
    for tag, name in zip(tags(), NAMES, strict=True):
        if tag in visible(name):
            assert printed.count(tag) >= 3, tag


def test_no_template_language_is_evaluated() -> None:
    """Jinja's braces and those of the LaTeX templates come out as they went in."""
    assert not [name for name, content in files().items() if str(6 * 7777).encode() in content]
    shown = Elements(text("report.html"))
    assert any("{{ 6*7777 }}" in item for item in shown.texts["li"])
    assert any("<< 7 >>" in item for item in shown.texts["li"])


CANARY = r"\def\rkcanary{\errmessage{a name was executed}}"


def _without_figure() -> Report:
    """The report, with everything in one LaTeX document."""
    sections = tuple(
        dataclasses.replace(section, blocks=tuple(block for block in section.blocks if not isinstance(block, Figure)))
        for section in report().sections
    )
    return dataclasses.replace(report(), sections=sections)


@functools.cache
def _latex() -> str:
    source = report_writer("latex", _without_figure()).document(_without_figure())
    first = source.index("\\documentclass")
    return f"{source[:first]}{CANARY}\n{source[first:]}"


@pytest.mark.tex
@pytest.mark.slow
@pytest.mark.parametrize("engine", ["pdflatex", "xelatex", "lualatex"])
def test_latex_sets_each_name(engine: str, compile_tex: Compile) -> None:
    """No error, no command of a name executed; the tag of each name is printed wherever the name is."""
    done = compile_tex(_latex(), {"references.bib": ""}, engine=engine)
    printed = re.sub(r"-?\s+", "", done.text)
    for tag, name in zip(tags(), NAMES, strict=True):
        if tag in visible(name):  # unless an accent stands on its last letter
            assert printed.count(tag) >= 5, tag
    assert "rkcanary" in printed
    assert "6*7777" in printed


@pytest.mark.browser
def test_a_browser_shows_each_name_and_runs_none(tmp_path: Path) -> None:
    """The text of the cells is the name, no element is added, no handler runs, nothing is loaded."""
    script = """
        const heads = Array.from(document.querySelectorAll('tbody th[scope=row]'), cell => cell.textContent);
        const added = document.querySelectorAll(
            'main :is(script, img:not(.drawing > img), b b, textarea, a[href^=javascript])');
        const handlers = Array.from(document.querySelectorAll('*')).filter(
            element => Array.from(element.attributes).some(attribute => attribute.name.startsWith('on')));
        const loaded = performance.getEntriesByType('resource').length;
        return [heads, added.length, handlers.length, loaded, window.sung, document.title];
    """
    # without the page's policy, which would stop a script that the escaping let through
    page_without_policy = re.sub("<meta http-equiv=[^>]*>", "", text("report.html"))
    canary = "<head><script>function canary() { window.sung = (window.sung || 0) + 1 }</script>"
    source = page_without_policy.replace("<head>", canary, 1)
    heads, added, handlers, loaded, sung, title = evaluate(source, script, tmp_path)
    assert [read(head) for head in heads] == [read(name) for name in NAMES]
    assert (added, handlers, loaded, sung) == (0, 0, 0, None)
    assert read(title) == read(report().title)


def _frame(names: tuple[str, ...]) -> pd.DataFrame:
    """Scores of two systems on datasets, all with names that people will not have."""
    rng = np.random.default_rng(7)
    systems, datasets = names[:2], names[2:]
    lines = [
        (system, dataset, instance, float(rng.random() < 0.9 - 0.3 * number))
        for number, system in enumerate(systems)
        for dataset in datasets
        for instance in range(12)
    ]
    return pd.DataFrame(lines, columns=["system", "dataset", "instance", "score"])


@pytest.mark.slow
def test_results_with_hostile_names_become_a_report() -> None:
    """From scores to every file: systems and datasets come back under their names, in tables, figures and text."""
    # a frame of pandas holds no half surrogates
    names = tuple(name for name in NAMES[:100] if not re.search("[\ud800-\udfff]", name))
    analysis = reportkit.compare(_frame(names), names[0], names[1], dependence="independent")
    made, _ = rendered(analysis.styled(full=True).report().model)
    shown = [read(head) for head in Elements(made["report.html"].decode("utf-8")).texts["th"]]
    assert {read(name) for name in names} <= set(shown) | {" ".join(shown)}
    header, *rows = csv.reader(io.StringIO(made["more/tables/results.csv"].decode("utf-8"), newline=""))
    assert set(map(read, names)) <= set(map(read, [*header, *(row[0] for row in rows)]))
