"""Real tables in the classes that papers are written in, and the venues' figures against the classes themselves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reportkit.appearance import Appearance
from reportkit.rendering.documents import Writer
from reportkit.report.model import Table
from reportkit.venues import VENUES
from tests.rendering.conftest import Compile, Compiled
from tests.rendering.documents import DOCUMENTS, Document
from tests.rendering.real_tables import alpaca, dror_tables, named, sentiment, swebench

PACKAGES = r"\usepackage{booktabs,longtable,adjustbox}\usepackage[hidelinks]{hyperref}"
SIZE = r"\makeatletter\def\size#1{{\csname #1\endcsname\typeout{SIZE #1=\f@size/\f@baselineskip}}}\makeatother"
FIGURES = r"\typeout{WIDTHS \the\columnwidth,\the\textwidth,\the\textheight}\size{normalsize}\size{small}"
INTERVALS = "{score} [{ci_low}, {ci_high}]{mark}"


def _compiled(compile_tex: Compile, document: Document, tables: dict[str, Table]) -> Compiled:
    """All tables in one document; acmart loads hyperref itself."""
    packages = PACKAGES if "acmart" not in document.preamble else PACKAGES.replace(r"[hidelinks]", "")
    files = {
        f"{name}.tex": Writer("latex", Appearance(venue=document.venue)).table(table) for name, table in tables.items()
    }
    body = "\n".join((FIGURES, *(rf"\typeout{{TABLE {name}}}\input{{{name}}}\clearpage" for name in tables)))
    return compile_tex(document.source(body, packages + SIZE), files, runs=2 if tables else 1)


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
@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_real_tables_fit(compile_tex: Compile, tables: dict[str, Table], document: Document) -> None:
    """No box sticks out, and no reference is undefined, with hyperref."""
    assert len(tables) >= 12
    assert _complaints(_compiled(compile_tex, document, tables)) == []


@pytest.mark.tex
@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_venues_have_the_figures_of_the_classes(compile_tex: Compile, document: Document) -> None:
    """Widths, height and type sizes are those of TeX."""
    log = _compiled(compile_tex, document, {}).log
    [figures] = re.findall(r"WIDTHS ([\d.]+)pt,([\d.]+)pt,([\d.]+)pt", log)
    column, text, height = map(float, figures)
    venue = VENUES[document.venue]
    assert venue.column_width == pytest.approx(column, abs=0.01)
    assert venue.text_width == pytest.approx(text, abs=0.01)
    assert venue.height <= height + 0.1
    sizes = {key: (float(points), float(leading)) for key, points, leading in _SIZE.findall(log)}
    assert venue.sizes == (sizes["normalsize"][0], *sizes["small"])


_SIZE = re.compile(r"SIZE (\w+)=([\d.]+)/([\d.]+)pt")
