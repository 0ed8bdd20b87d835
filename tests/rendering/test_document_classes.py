"""Real tables in the classes that papers are written in, and the venues' figures against the classes themselves."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from reportkit.rendering.latex.latex import latex_table
from reportkit.rendering.layout.layout import lay_out

import reportkit
from reportkit.analysis.analysis import Analysis
from reportkit.appearance import Appearance
from reportkit.report.model import Table
from reportkit.venues import VENUES
from tests.rendering.conftest import Compile, Compiled
from tests.rendering.documents import DOCUMENTS, Document
from tests.rendering.real_tables import alpaca, bbh, dror_tables, named, sentiment, swebench

PACKAGES = r"\usepackage{booktabs,longtable,threeparttable}\usepackage[hidelinks]{hyperref}"
INTERVALS = "{score} [{ci_low}, {ci_high}]{mark}"


def _compiled(
    compile_tex: Compile, document: Document, tables: dict[str, Table], packages: str = "", **look: str
) -> Compiled:
    """All tables in one document; acmart loads hyperref itself."""
    packages = packages or (PACKAGES if "acmart" not in document.preamble else PACKAGES.replace(r"[hidelinks]", ""))
    appearance = Appearance(venue=document.venue, **look)  # type: ignore[arg-type]
    files = {f"{name}.tex": latex_table(table, appearance=appearance) for name, table in tables.items()}
    body = "\n".join(rf"\typeout{{TABLE {name}}}\input{{{name}}}\clearpage" for name in tables)
    return compile_tex(document.source(body, packages), files, runs=2)


def _complaints(compiled: Compiled) -> list[str]:
    """Boxes that stick out, floats that fit no page, references to nothing, each with the table before it."""
    found, table = [], ""
    for line in compiled.log.splitlines():
        if line.startswith("TABLE "):
            table = line.removeprefix("TABLE ")
        if re.search(r"Overfull \\hbox|Float too large|Reference .* undefined|multiply defined", line):
            found.append(f"{table}: {line}")
    return found


@pytest.fixture(scope="module")
def tables(shared: Path) -> dict[str, Table]:
    """All tables of Dror et al., and layouts of real results: long names, intervals in the cells, 58 systems."""
    wide = named("lexicons", sentiment(), cell=INTERVALS)
    return {**dror_tables(), **wide, **named("swebench", swebench(shared)), **named("alpaca", alpaca(shared))}


@pytest.mark.tex
@pytest.mark.parametrize("name", list(DOCUMENTS))
def test_real_tables_fit(compile_tex: Compile, tables: dict[str, Table], name: str) -> None:
    """No box sticks out, no float is too large, no reference is undefined, beside hyperref."""
    assert len(tables) >= 20
    assert _complaints(_compiled(compile_tex, DOCUMENTS[name], tables)) == []


@pytest.mark.tex
@pytest.mark.parametrize("name", ["article", "acmart acmsmall", "a column of 5.5 inches", "llncs"])
def test_long_tables_break_across_pages(compile_tex: Compile, shared: Path, name: str) -> None:
    """With longtable: a head on every page, `continued` at its foot, no float and no box that sticks out."""
    tables = {**named("alpaca", alpaca(shared)), **named("bbh", bbh(shared))}
    compiled = _compiled(compile_tex, DOCUMENTS[name], tables, environment="longtable")
    assert _complaints(compiled) == []
    assert compiled.text.count("continued on the next page") >= 2
    assert compiled.text.count("(continued)") >= 2


@pytest.mark.tex
def test_nothing_but_booktabs_is_needed(compile_tex: Compile, tables: dict[str, Table]) -> None:
    """By default no other package has to be loaded."""
    document = Document("article", r"{article}\usepackage[T1]{fontenc}\usepackage{lmodern}")
    assert _complaints(_compiled(compile_tex, document, tables, packages=r"\usepackage{booktabs}")) == []


@pytest.fixture(scope="module")
def large() -> Analysis:
    """40 systems on 100 datasets of 30 instances, right or wrong, against one of the systems."""
    rng = np.random.default_rng(4)
    easy = np.linspace(0.3, 0.8, 40)[:, None, None] + rng.uniform(-0.2, 0.2, 100)[None, :, None]
    right = rng.random((40, 100, 30)) < easy
    system, dataset, instance = (index.ravel() for index in np.indices(right.shape))
    frame = pd.DataFrame(
        {
            "system": [f"system-{index:02d}" for index in system],
            "dataset": [f"{'abcdefghij'[index // 10]}-data-{index:02d}" for index in dataset],
            "instance": instance,
            "score": right.ravel().astype(int),
        }
    )
    return reportkit.compare(frame, baseline="system-20")


GROUPS = {
    "dataset_groups": {
        letter.upper(): tuple(f"{letter}-data-{10 * place + index:02d}" for index in range(10))
        for place, letter in enumerate("abcdefghij")
    },
    "system_groups": {
        name: tuple(f"system-{index:02d}" for index in numbers)
        for name, numbers in (("small", range(15)), ("medium", range(15, 30)), ("large", range(30, 40)))
    },
}


@pytest.mark.slow
@pytest.mark.tex
@pytest.mark.parametrize(("name", "rows"), [("columns of 219 pt", "systems"), ("a column of 5.5 inches", "datasets")])
def test_forty_systems_on_a_hundred_datasets(compile_tex: Compile, large: Analysis, name: str, rows: str) -> None:
    """Cut between groups both ways, each part with its first column and its line, none longer than a page."""
    document = DOCUMENTS[name]
    tables = named("large", large, venue=document.venue, rows=rows, **GROUPS)
    tables = {key: tables[key] for key in ("large-results", "large-p-values")}
    table = tables["large-results"]
    layout = lay_out(table, VENUES[document.venue])
    compiled = _compiled(compile_tex, document, tables)
    assert _complaints(compiled) == []
    panels = [panel for panels in layout.floats for panel in panels]
    printed = {(row, column) for panel in panels for row in range(panel.start, panel.stop) for column in panel.columns}
    assert len(printed) == len(table.rows) * len(table.columns)
    assert all(panel.columns[0] == 0 and panel.stop - panel.start >= 10 for panel in panels)
    assert all(table.rows[panel.start].heading for panel in panels)
    assert compiled.text.count("Table 1 (continued)") == len(layout.floats) - 1


@pytest.mark.tex
@pytest.mark.parametrize("name", list(DOCUMENTS))
def test_venues_have_the_figures_of_the_classes(compile_tex: Compile, name: str) -> None:
    r"""Widths, height and type sizes are those that TeX prints."""
    document = DOCUMENTS[name]
    venue = VENUES[document.venue]
    size = r"\makeatletter\def\size#1{{\csname #1\endcsname\typeout{SIZE #1=\f@size/\f@baselineskip}}}\makeatother"
    widths = r"\typeout{WIDTHS \the\columnwidth,\the\textwidth,\the\textheight}"
    log = compile_tex(document.source(rf"{widths}\size{{normalsize}}\size{{small}}\size{{footnotesize}}x", size)).log
    found = re.search(r"WIDTHS ([\d.]+)pt,([\d.]+)pt,([\d.]+)pt", log)
    assert found is not None
    column, text, height = map(float, found.groups())
    assert venue.column_width == pytest.approx(column, abs=0.01)
    assert venue.text_width == pytest.approx(text, abs=0.01)
    assert venue.text_height <= height + 0.1
    sizes = {key: (float(points), float(leading)) for key, points, leading in _SIZE.findall(log)}
    assert venue.base_size == sizes["normalsize"][0]
    for type_size in venue.sizes:
        if type_size.command in sizes:
            assert (type_size.points, type_size.leading) == sizes[type_size.command]
        else:
            assert sizes["footnotesize"][0] == 9.0


_SIZE = re.compile(r"SIZE (\w+)=([\d.]+)/([\d.]+)pt")
