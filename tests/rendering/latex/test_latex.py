"""LaTeX that compiles: in the user's document with booktabs alone, and as a document of its own."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from reportkit.rendering.latex.latex import latex_document, latex_paragraph, latex_table

from reportkit.appearance import Appearance
from reportkit.errors import RenderingError
from reportkit.report.model import Figure, Paragraph, Report, Section, Spanner, Table
from reportkit.report.prose import Reference, prose
from tests.rendering.conftest import (
    HOSTILE,
    SIGNATURE,
    Compile,
    counts,
    grid,
    hostile_report,
    line_figure,
    p_values,
    words,
)

CAPTION = words("Accuracy (%) of " + " and ".join(HOSTILE[:12]) + ".")
TABLES: Sequence[Table] = (
    grid("plain", datasets=("a", "b", "c"), marks=("",)),
    grid("results", caption=CAPTION),
    grid("hostile", HOSTILE, HOSTILE[:3]),
    grid("headers", ("a", "b"), HOSTILE),
    grid("groups", [f"system_{i}" for i in range(9)], ("SST-2", "MNLI"), group=3),
    grid(
        "spanned",
        datasets=("SST-2", "MNLI", "ANLI", "HANS", "QNLI"),
        spanners=(
            Spanner(header=words("[In]_domain"), first=1, last=2),
            Spanner(header=words("& more"), first=4, last=5),
        ),
    ),
    grid("wide", datasets=tuple(f"dataset_{i}" for i in range(30)), plain_every=3),
    grid("long", [f"language {i}" for i in range(130)], ("UAS", "LAS")),
    grid("wordy", ("long_name_" * 14, "a name of very many words " * 6), ("Movie reviews of 2014", "x" * 120)),
    grid("two-words", datasets=("Amazon reviews", "Movie reviews", "NYT editorials")),
    p_values(),
    counts(),
)
DOCUMENTS = {
    "one column": (
        r"\documentclass[10pt,a4paper]{article}\usepackage[T1]{fontenc}\usepackage[textwidth=455.25pt]{geometry}"
    ),
    "two columns": r"\documentclass[10pt,twocolumn]{article}\usepackage[T1]{fontenc}",
    "columns of 219 pt in Times": (
        r"\documentclass[10pt,a4paper,twocolumn]{article}\usepackage[T1]{fontenc}\usepackage{mathptmx}"
        r"\usepackage[textwidth=455.25pt]{geometry}\setlength{\columnsep}{17pt}"
    ),
    "columns of 219 pt in Computer Modern": (
        r"\documentclass[10pt,a4paper,twocolumn]{article}\usepackage[T1]{fontenc}"
        r"\usepackage[textwidth=455.25pt]{geometry}\setlength{\columnsep}{17pt}"
    ),
}


@pytest.mark.tex
@pytest.mark.parametrize("name", list(DOCUMENTS))
def test_tables_fit_where_they_say_that_they_fit(compile_tex: Compile, name: str) -> None:
    """No box sticks out, in one column and in two, with booktabs as the only package."""
    files = {f"{table.name}.tex": latex_table(table, SIGNATURE) for table in TABLES}
    inputs = "\n\\clearpage\n".join(rf"\input{{{table.name}}}" for table in TABLES)
    source = f"{DOCUMENTS[name]}\\usepackage{{booktabs}}\n\\sloppy\n\\begin{{document}}\n{inputs}\n\\end{{document}}\n"
    compiled = compile_tex(source, files)
    assert compiled.overfull == []
    assert "float too large" not in compiled.log.lower()


@pytest.mark.tex
@pytest.mark.parametrize("document", ["IEEEtran", "acmart"])
def test_tables_in_publishers_classes(compile_tex: Compile, document: str) -> None:
    """The same files in classes that change floats, captions and rules."""
    files = {f"{table.name}.tex": latex_table(table, SIGNATURE) for table in TABLES}
    inputs = "\n\\clearpage\n".join(rf"\input{{{table.name}}}" for table in TABLES)
    heads = {
        "IEEEtran": r"\documentclass{IEEEtran}\usepackage[T1]{fontenc}\usepackage{booktabs}\begin{document}",
        "acmart": (
            r"\PassOptionsToPackage{expansion=false}{microtype}\documentclass[sigconf,nonacm]{acmart}\usepackage{lmodern}"
            r"\begin{document}\title{T}\author{A}"
            r"\affiliation{\institution{I}\country{C}}\maketitle"
        ),
    }
    compiled = compile_tex(f"{heads[document]}\\sloppy\n{inputs}\n\\end{{document}}\n", files)
    assert compiled.overfull == []


@pytest.mark.tex
def test_a_document_without_t1_compiles(compile_tex: Compile) -> None:
    """Tables whose first lines do not ask for T1 need no T1."""
    tables = [table for table in TABLES if "fontenc" not in latex_table(table).split("\\begin")[0]]
    assert len(tables) >= 8
    body = "\n".join(latex_table(table) for table in tables)
    compile_tex(f"\\documentclass{{article}}\\usepackage{{booktabs}}\\begin{{document}}\n{body}\n\\end{{document}}\n")


@pytest.mark.tex
def test_names_print_exactly(compile_tex: Compile) -> None:
    """A hostile name is read back from the page as it was given, where there is room for it on one line."""
    wide = Appearance(environment="table*")
    table = latex_table(grid(systems=HOSTILE[:11], datasets=(HOSTILE[0],)), appearance=wide)
    source = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{lmodern,booktabs}\begin{document}"
    printed = compile_tex(f"{source}\n{table}\n\\end{{document}}\n").text
    for name in HOSTILE[:10]:
        assert name in printed
    assert printed.count(HOSTILE[0]) == 2


@pytest.mark.tex
@pytest.mark.parametrize("engine", ["pdflatex", "xelatex", "lualatex"])
def test_the_whole_report_compiles(compile_tex: Compile, engine: str) -> None:
    """With every engine, hostile names in all places, and no box that sticks out."""
    report = hostile_report()
    sections = tuple(
        Section(title=section.title, blocks=tuple(block for block in section.blocks if not isinstance(block, Figure)))
        for section in report.sections
    )
    (paragraph, table), *others = (section.blocks for section in sections)
    assert isinstance(paragraph, Paragraph)
    words_only = tuple(part for part in paragraph.content if not isinstance(part, Reference))
    first = Section(title=sections[0].title, blocks=(Paragraph(content=words_only), table))
    assert len(others) == 2
    report = Report(title=report.title, sections=(first, *sections[1:]), signature=report.signature)
    source = latex_document(report, inline=True)
    compiled = compile_tex(source, engine=engine)
    if engine == "pdflatex":
        assert compiled.overfull == []
    assert "destination with the same identifier" not in compiled.log


def test_pieces_are_read_or_stand_in_the_document(small_report: Report) -> None:
    """By default the document reads the files that stand beside it."""
    apart, inline = latex_document(small_report), latex_document(small_report, inline=True)
    assert r"\input{tables/results}" in apart
    assert r"\input{paragraph}" in apart
    assert r"\begin{tabular}" not in apart
    assert r"\input" not in inline
    assert inline.count(r"\begin{tabular}") == 3
    assert r"\includegraphics{figures/forest}" in apart


def test_the_bibliography_comes_with_a_citation(small_report: Report) -> None:
    """BibTeX fails where nothing is cited."""
    assert r"\bibliography{references}" in latex_document(small_report)
    bare = Report(title="t", sections=(), signature=SIGNATURE)
    assert r"\bibliography" not in latex_document(bare)


def test_a_reference_to_nothing_is_an_error() -> None:
    """A paper with question marks is not camera-ready."""
    paragraph = Paragraph(content=prose("See {t}.", t=Reference("table", "main")))
    report = Report(title="t", sections=(Section(title="s", blocks=(paragraph, line_figure())),), signature=SIGNATURE)
    with pytest.raises(RenderingError, match="refers to table 'main'") as caught:
        latex_document(report)
    assert caught.value.remedy == "known: figure forest"


def test_the_comment_says_whether_the_table_fits() -> None:
    """The width, and what was done about it."""
    assert "% about 2" in latex_table(TABLES[1])
    assert "fits a column" in latex_table(TABLES[1])
    assert "set across" in latex_table(TABLES[6])


def test_continued_tables_have_one_caption_and_one_label() -> None:
    """The number of a table is counted once; the others say which one they continue."""
    source = latex_table(TABLES[7])
    assert source.count(r"\caption{") == source.count(r"\label{") == 1
    assert source.count(r"Table~\ref{tab:long} (continued)") == 2


def test_a_paragraph_is_text_alone() -> None:
    """Running text flows into the paragraph that reads it."""
    paragraph = Paragraph(content=prose("{k_hat} ≥ 3 for base_model_large."), name="paragraph")
    assert latex_paragraph(paragraph).splitlines() == [
        "% reportkit | paragraph paragraph",
        r"$\hat{k}$~$\geq$~3 for base\_\allowbreak{}model\_\allowbreak{}large.",
    ]


def test_the_same_table_gives_the_same_text() -> None:
    """Nothing depends on when or how often it is written."""
    assert latex_table(TABLES[2], SIGNATURE) == latex_table(TABLES[2], SIGNATURE)


def test_a_sentence_that_announces_a_table_stays_with_it() -> None:
    """No page ends between a heading with one sentence and the table or figure that it is about."""
    lead = Paragraph(content=words("It is in the table."))
    section = Section(title="Tests", blocks=(lead, grid(), Paragraph(content=words("Further words."))))
    text = latex_document(Report(title="t", sections=(section,), signature=SIGNATURE))
    body = [line for line in text.partition(r"\section{Tests}")[2].splitlines() if line]
    assert body[:3] == ["It is in the table.", r"\nopagebreak", r"\input{tables/results}"]
    assert text.count(r"\nopagebreak") == 1


def test_only_figures_float_in_the_report() -> None:
    """A table stands where it is mentioned, a figure there if it fits; pieces for papers keep their floats."""
    section = Section(title="s", blocks=(grid(), line_figure()))
    text = latex_document(Report(title="t", sections=(section,), signature=SIGNATURE))
    head, body = text.split(r"\begin{document}")
    for name in ("table", "table*"):
        assert rf"\renewenvironment{{{name}}}[1][]{{\begin{{inplace}}{{table}}}}{{\end{{inplace}}}}" in head
    assert not re.search(r"\\renewenvironment\{figure", head)
    assert r"\def\fps@figure{!htbp}" in head
    assert re.search(r"\\begin\{figure\*?\}(?!\[)", body)  # no placement of its own
    assert r"\begin{table}" in latex_table(grid())
    assert "inplace" not in latex_table(grid())


def test_the_caption_stands_where_the_venue_has_it() -> None:
    """Above in NeurIPS, below in ACL's, or where one says; also over what continues a table."""
    table = grid("long", [f"language {i}" for i in range(130)], ("UAS", "LAS"), caption=words("Scores."))
    for look, above in ((Appearance(venue="neurips"), True), (Appearance(venue="neurips", caption="below"), False)):
        source = latex_table(table, appearance=look)
        assert (source.index(r"\caption{") < source.index(r"\begin{tabular}")) is above
        second = source.split(r"\begin{table}")[2]
        assert (second.index("(continued)") < second.index(r"\begin{tabular}")) is above


def test_a_bare_tabular_has_its_caption_in_the_comment() -> None:
    """Nothing around it but the group of its type size: it can be read within a float."""
    source = latex_table(
        grid(datasets=("a", "b"), caption=words("Scores & more.")), appearance=Appearance(environment="tabular")
    )
    code = [line for line in source.splitlines() if not line.startswith("%")]
    assert code[0].startswith(r"{\small")
    assert code[-1] == r"\end{tabular}}%"
    assert not any(word in "\n".join(code) for word in (r"\begin{table}", r"\caption", r"\label", r"\centering"))
    assert r"% \caption{Scores \& more.}" in source
    assert r"% \label{tab:results}" in source


def test_notes_stand_below_the_table() -> None:
    """The legend is not in the caption, and the head says what is needed; no other form has tablenotes."""
    table = dataclasses.replace(grid(caption=words("Scores.")), legend=words("A star is a star."))
    source = latex_table(table, appearance=Appearance(venue="ieee"))
    assert r"\usepackage{threeparttable}" in source
    assert r"\caption{Scores.}" in source
    assert r"\item A star is a star." in source
    for look in (Appearance(venue="ieee", environment="tabular"), Appearance()):
        assert "tablenotes" not in latex_table(table, appearance=look)
        assert "Scores. A star is a star." in latex_table(table, appearance=look)


def test_a_longtable_repeats_its_head() -> None:
    """A head on the first page, one on the others that names the table, and a foot."""
    source = latex_table(grid(), appearance=Appearance(environment="longtable", venue="article"))
    assert r"\usepackage{longtable}" in source
    for command in (r"\endfirsthead", r"\endhead", r"\endfoot", r"\endlastfoot"):
        assert source.count(command) == 1
    assert source.count("System ") == 2
    assert source.count(r"\label{tab:results}") == 1


def test_sizes_that_a_class_makes_alike_are_given_in_points() -> None:
    r"""In ACL's style \footnotesize is as large as \small: a smaller size is said by its points."""
    wide = grid(datasets=("one", "two", "three", "four", "five"), marks=("*",))
    source = latex_table(wide, appearance=Appearance(venue="acl", environment="table", widths=(173, 455)))
    assert r"{\fontsize{8}{9.5}\selectfont\setlength{\tabcolsep}{3pt}" in source
    assert r"{\footnotesize" not in source


def test_the_report_loads_what_its_tables_need() -> None:
    """Packages, the venue's width and its type size."""
    section = Section(title="s", blocks=(grid(),))
    look = Appearance(venue="acm")
    text = latex_document(Report(title="t", sections=(section,), signature=SIGNATURE, appearance=look))
    assert "textwidth=506.295pt" in text
    assert r"\renewcommand{\small}{\fontsize{8}{10}\selectfont}" in text
    notes = Report(title="t", sections=(section,), signature=SIGNATURE, appearance=Appearance(venue="ieee"))
    assert r"\usepackage{threeparttable}" in latex_document(notes)
    plain = latex_document(Report(title="t", sections=(section,), signature=SIGNATURE))
    assert "threeparttable" not in plain
    assert "textwidth=455.25pt" in plain


LOOKS = {
    "ieee": Appearance(venue="ieee"),
    "acm, bare": Appearance(venue="acm", environment="tabular"),
    "neurips": Appearance(venue="neurips"),
    "article, longtable": Appearance(venue="article", environment="longtable"),
    "wide paper": Appearance(widths=(300, 620)),
}


@pytest.mark.tex
@pytest.mark.parametrize("name", list(LOOKS))
def test_the_report_of_a_venue_holds_its_tables(compile_tex: Compile, name: str) -> None:
    """Whatever the venue's widths are, no table sticks out of the report, and references are found."""
    tables = (*TABLES[:2], *TABLES[4:9], *TABLES[10:])
    table_of = Paragraph(content=prose("See {t}.", t=Reference("table", "long")))
    section = Section(title="Results", blocks=(table_of, *tables))
    report = Report(title="t", sections=(section,), signature=SIGNATURE, appearance=LOOKS[name])
    source = latex_document(report, inline=True)
    compiled = compile_tex(source, runs=2)
    assert compiled.overfull == []
    assert "Reference `" not in compiled.log


def test_a_part_of_a_table_can_be_replaced(tmp_path: Path) -> None:
    """A user's caption, and a whole table as templates were before there were parts."""
    for name in ("part", "whole"):
        (tmp_path / name / "latex").mkdir(parents=True)
    (tmp_path / "part" / "latex" / "caption.tex.jinja").write_text(
        "\\mycaption{<< table.caption >>}\n", encoding="utf-8"
    )
    source = latex_table(grid(caption=words("Scores.")), templates=(tmp_path / "part",))
    assert r"\mycaption{Scores.}" in source
    assert r"\begin{tabular}" in source
    whole = (
        "<% for panels in table.floats %>\\begin{<< table.environment >>}\\<< table.size >> << table.tabcolsep >>\n"
        "<% for panel in panels %><< panel.columns >> << panel.header | join(' & ') >>\n"
        "<% for row in panel.rows %><% if row.rule_above %>rule<% endif %><< row.cells | join(' & ') >>\n"
        "<% endfor %><% endfor %>"
        "<< table.caption >> << table.label >><% endfor %>\n"
    )
    (tmp_path / "whole" / "latex" / "table.tex.jinja").write_text(whole, encoding="utf-8")
    assert latex_table(grid(), templates=(tmp_path / "whole",)).startswith("\\begin{table}")
