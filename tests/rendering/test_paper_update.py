"""Tables of a report in a user's LaTeX: the right one is replaced, and nothing else, byte for byte."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reportkit
from reportkit.errors import ReadingError, RenderingError, SettingsError, UnknownNameError
from reportkit.rendering.documents import Writer
from reportkit.rendering.paper_update import Pieces, pieces_of, update_paper
from tests.rendering.conftest import SIGNATURE, Compile, grid, words

LATEX = Writer("latex", signature=SIGNATURE)
MAIN = LATEX.table(grid("results", caption=words("Scores & more.")))
WIDE = LATEX.table(grid("wide", [f"s{i}" for i in range(60)], [f"dataset {i}" for i in range(14)], caption=words("W.")))
PIECES = Pieces(
    latex={"results": MAIN, "wide": WIDE, "p-values": MAIN.replace("results", "p-values")}, markdown={}, values={}
)
BARE = re.search(r"\\begin\{tabular\}.*?\\end\{tabular\}", MAIN, re.DOTALL)[0]  # type: ignore[index]

TABLE = r"""\begin{table}[t!]
\centering\small % set small
\caption{Mine.}
\label{tab:main}
\begin{tabular}{ll} a & b \\ \end{tabular}
\end{table}"""


def _updated(folder: Path, text: str, labels=None, **options) -> str:
    path = folder / "p.tex"
    path.write_bytes(text.encode("utf-8"))
    update_paper(path, PIECES, labels, **options)
    return path.read_bytes().decode("utf-8")


START = TABLE.index("\\begin{tabular}")


def test_the_cells_and_the_caption_are_replaced(tmp_path: Path) -> None:
    """Label, placement and what is the user's stay; comments around the cells say what they are."""
    new = _updated(tmp_path, f"before {TABLE} after", {"tab:main": "results"})
    kept = TABLE[:START].replace("Mine.", "Scores \\& more.")
    assert new.startswith(f"before {kept}% reportkit: begin results\n% reportkit 0.1.0")
    assert new.endswith(BARE + "\n% reportkit: end results\n\\end{table} after")
    assert _updated(tmp_path, new) == _updated(tmp_path, new, {"tab:main": "results"}) == new


OUTSIDE = st.text(
    st.sampled_from("ab {}\\%&$#_^~\t\r\né中\"'`|[]")
    | st.characters(exclude_categories=("Cs",), exclude_characters="\0"),
    max_size=30,
)


def _quiet(text: str) -> str:
    """Text that opens nothing: no macros, no comment in its last line."""
    text = re.sub(r"\\(?![%&$#_{}])", "", text)
    return re.sub(r"(?<!\\)%", "", text)


UNSEEN = ("", "% \\begin{table}\\label{tab:main}\n", "\\verb|\\begin{table}\\label{tab:main}|\n")
UNSEEN += ("\\begin{verbatim}\\label{tab:main}\\end{verbatim}\n", "\\iffalse\\begin{table}\\label{tab:main}\\fi\n")


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(
    unseen=st.sampled_from(UNSEEN),
    before=OUTSIDE.map(_quiet),
    after=OUTSIDE.map(_quiet),
    line_end=st.sampled_from(["\n", "\r\n"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "latin-1"]),
    keep=st.booleans(),
)
def test_everything_else_stays(
    tmp_path_factory: pytest.TempPathFactory, unseen, before, after, line_end, encoding, keep
) -> None:
    """Whatever is around it, in any encoding, with any line ends; and a second update changes nothing."""
    path = tmp_path_factory.mktemp("p") / "p.tex"
    start, end = (
        (unseen.replace("\n", line_end) + before).encode(encoding, "ignore"),
        after.encode(encoding.removesuffix("-sig"), "ignore"),
    )
    if encoding == "latin-1":
        start += b"\xe9 "
    path.write_bytes(start + TABLE.replace("\n", line_end).encode() + end)
    update_paper(path, PIECES, {"tab:main": "results"}, keep_caption=keep)
    new = path.read_bytes()
    kept = TABLE[:START].replace("\n", line_end).encode()
    assert new.startswith(start + (kept if keep else kept[: kept.index(b"Mine")]))
    assert new.endswith(end)
    inside = new[len(start) : len(new) - len(end)]
    assert inside.replace(line_end.encode(), b"\n").count(b"\r") == 0
    again = update_paper(path, PIECES, {"tab:main": "results"}, keep_caption=keep)
    assert not again.changed
    assert path.read_bytes() == new
    assert not update_paper(path, PIECES, keep_caption=keep).changed


def test_a_table_in_parts_stands_between_comments(tmp_path: Path) -> None:
    """In a float of the user's own it does not fit: that is said with what to do, and doing it works."""
    with pytest.raises(RenderingError, match="around the whole table"):
        _updated(tmp_path, TABLE, {"tab:main": "wide"})
    assert (tmp_path / "p.tex").read_text() == TABLE
    around = f"% reportkit: begin wide\n{TABLE}\n% reportkit: end wide\n"
    long = _updated(tmp_path, around)
    assert long.count("\\begin{table") == WIDE.count("\\begin{table") > 1
    assert long.count("\\label{tab:main}") == 1
    assert "\\ref{tab:main} (continued)" in long
    short = _updated(tmp_path, long, {"tab:main": "results"})
    assert short.count("\\begin{table") == 1
    assert "reportkit: begin results" in short
    assert _updated(tmp_path, short, {"tab:main": "wide"}) == long


@pytest.mark.parametrize(
    "caption",
    ["\\caption{Mine \\& {yours}.}", "\\caption[Short]{Long\n over lines.}", "\\caption*{Mine.}"],
)
def test_the_caption_stays_if_that_is_wanted(tmp_path: Path, caption: str) -> None:
    """With the label behind it, or within it; each time."""
    for text in (
        TABLE.replace("\\caption{Mine.}", caption),
        TABLE.replace("\\label{tab:main}\n", "").replace("\\caption{Mine.}", caption[:-1] + "\\label{tab:main}}"),
    ):
        new = _updated(tmp_path, text, {"tab:main": "results"}, keep_caption=True)
        assert "Scores" not in new
        assert caption[:-1] in new
        assert new.count("\\label{tab:main}") == 1
        assert _updated(tmp_path, new, {"tab:main": "results"}, keep_caption=True) == new
        assert "Scores \\& more." in _updated(tmp_path, new, {"tab:main": "results"})


MORE = {
    "two tables": "\\begin{table}\n\\begin{tabular}{l}a\\end{tabular}\\begin{tabular}{l}b\\end{tabular}"
    "\\label{x}\\end{table}",
    "shrunk": "\\begin{table}[t]\\caption{C \\label{y}}\\resizebox{4cm}{!}{"
    "\\begin{tabular}{l}b\\end{tabular}}\\end{table}",
    "a picture": "\\begin{table}\\includegraphics{a}\n\\begin{tabular}{l}b\\end{tabular}\\label{x}\\end{table}",
    "words": "\\begin{table}\\begin{tabular}{l}b\\end{tabular}\\label{x}\nNote: mine.\\end{table}",
    "notes": "\\begin{table}\\begin{threeparttable}\\caption{c}\\label{x}\\begin{tabular}{l}b\\end{tabular}"
    "\\begin{tablenotes}\\item n\\end{tablenotes}\\end{threeparttable}\\end{table}",
    "a figure": "\\begin{figure}[b]\\begin{tabular}{l}b\\end{tabular}\\caption{c}\\label{x}\\end{figure}",
    "wrapped": "\\begin{wraptable}{r}{5cm}\\begin{tabular}{l}b\\end{tabular}\\caption{c}\\label{x}\\end{wraptable}",
    "a part": "\\begin{table}\\begin{subtable}{.5\\textwidth}\\begin{tabular}{l}b\\end{tabular}\\caption{c}\\label{x}"
    "\\end{subtable}\\begin{subtable}{.5\\textwidth}\\begin{tabular}{l}c\\end{tabular}\\end{subtable}\\end{table}",
}


@pytest.mark.parametrize("name", [name for name in MORE if name not in ("two tables", "shrunk")])
def test_the_rest_of_a_float_stays(tmp_path: Path, name: str) -> None:
    """Only cells and caption are replaced; the second update finds the place again."""
    text = MORE[name].replace("\\caption{c}", "\\caption{Scores \\& more.}")
    new = _updated(tmp_path, MORE[name], {"x": "results"})
    old = re.search(r"\\begin\{tabular\}\{l\}b\\end\{tabular\}", text)
    assert old
    assert new.startswith(text[: old.start()] + "% reportkit: begin results\n")
    assert new.endswith("% reportkit: end results\n" + text[old.end() :])
    assert BARE in new
    assert _updated(tmp_path, new, {"x": "results"}) == new
    assert _updated(tmp_path, new) == new


def test_text_on_the_same_line_stays_in_its_paragraph(tmp_path: Path) -> None:
    """No space and no end of a paragraph is added where there was none."""
    new = _updated(tmp_path, f"before{TABLE}after", {"tab:main": "results"})
    assert new.endswith(BARE + "\n% reportkit: end results\n\\end{table}after")
    assert "\\end{tabular}%\n% reportkit: end results\n}" in _updated(tmp_path, MORE["shrunk"], {"y": "results"})


def test_a_dry_run_shows_and_writes_nothing(tmp_path: Path) -> None:
    """As a unified diff."""
    path = tmp_path / "p.tex"
    path.write_text(TABLE)
    update = update_paper(path, PIECES, {"tab:main": "results"}, dry_run=True)
    assert path.read_text() == TABLE
    assert (update.changed, update.written) == ((path,), False)
    assert "-\\caption{Mine.}" in update.diff
    assert f"+++ {path}" in update.diff
    assert repr(update).startswith("would update")


def test_all_that_is_marked_or_named_by_the_report(tmp_path: Path) -> None:
    """Without a label: everything between comments, and the labels that the report gives."""
    text = (
        "% reportkit: begin p-values\n% reportkit: end p-values\n"
        + TABLE
        + "\n"
        + TABLE.replace("tab:main", "tab:results")
        + "\n"
    )
    new = _updated(tmp_path, text)
    assert TABLE in new
    assert new.startswith("% reportkit: begin p-values\n% reportkit 0.1.0 | table p-values")
    assert new.count("% reportkit: begin results\n") == 1
    assert _updated(tmp_path, new) == new


def test_a_label_in_a_file_that_is_read(tmp_path: Path) -> None:
    """The file that holds it is updated, and the result says which; the paper itself is left alone."""
    (tmp_path / "sec").mkdir()
    (tmp_path / "p.tex").write_text("\\input{sec/results}\\include{none}\\input{p}\n")
    (tmp_path / "sec" / "results.tex").write_text("A\n" + TABLE + "\nB")
    update = update_paper(tmp_path / "p.tex", PIECES, {"tab:main": "results"})
    assert update.changed == (tmp_path / "sec" / "results.tex",)
    assert "results.tex" in repr(update)
    assert (tmp_path / "p.tex").read_text() == "\\input{sec/results}\\include{none}\\input{p}\n"
    assert (tmp_path / "sec" / "results.tex").read_text().endswith("% reportkit: end results\n\\end{table}\nB")


@pytest.mark.slow
@pytest.mark.parametrize("rows", ["systems", "datasets"])
def test_a_table_keeps_its_orientation(tmp_path: Path, rows: str) -> None:
    """Systems or datasets are in its rows as in the table that it replaces, whatever the report itself has."""
    skill = {"Ours": 4, "BERT": 3}
    lines = [
        (system, f"task {task}", i, int((3 * i + task) % 7 < skill[system] + 2))
        for system in skill
        for task in range(3)
        for i in range(60)
    ]
    frame = pd.DataFrame(lines, columns=["system", "dataset", "instance", "score"])
    analysis = reportkit.compare(frame, "Ours", "BERT")
    path = tmp_path / "p.tex"
    old = analysis.styled(rows=rows).to_latex("results")  # type: ignore[arg-type]
    path.write_text(old[old.index(r"\begin{table") :].replace("tab:results", "tab:mine"), "utf-8")
    new = path.read_text("utf-8")
    other = analysis.styled(rows={"systems": "datasets", "datasets": "systems"}[rows])  # type: ignore[arg-type]
    update_paper(path, pieces_of(other.report().model), {"tab:mine": "results"})
    cells = re.compile(r"(?m)^.* & .*$")
    assert cells.findall(path.read_text("utf-8")) == cells.findall(new)


def test_a_table_that_the_paper_reads_from_the_report_needs_no_update(tmp_path: Path) -> None:
    """Its file is the report's own."""
    (tmp_path / "results.tex").write_text(MAIN)
    (tmp_path / "p.tex").write_text("\\input{results}")
    with pytest.raises(SettingsError, match="nothing to do here"):
        update_paper(tmp_path / "p.tex", PIECES, {"tab:results": "results"})
    with pytest.raises(SettingsError, match="names no table of the report"):
        update_paper(tmp_path / "p.tex", PIECES)
    assert (tmp_path / "results.tex").read_text() == MAIN


@pytest.mark.parametrize(
    ("text", "label", "error", "said"),
    [
        (TABLE, "tab:man", UnknownNameError, "did you mean 'tab:main'"),
        ("", "tab:main", UnknownNameError, "known: none"),
        (TABLE + "\n" + TABLE, "tab:main", SettingsError, "stands 2 times.*line 4.*line 10"),
        ("%" + TABLE.replace("\n", "\n%"), "tab:main", SettingsError, "only in a comment.*line 4"),
        ("\\verb|\\label{tab:main}|", "tab:main", SettingsError, "verbatim"),
        ("\\section{A}\\label{tab:main}", "tab:main", SettingsError, "is in no table"),
        ("\\begin{equation}\\label{tab:main}\\end{equation}", "tab:main", SettingsError, "but in 'equation'"),
        (MORE["two tables"], "x", SettingsError, "2 times a 'tabular'"),
        (
            "\\begin{table}\\input{t/cells}\\label{x}\\end{table}",
            "x",
            SettingsError,
            "no 'tabular'; it reads 't/cells'",
        ),
        ("\\begin{figure}\\includegraphics{a}\\label{x}\\end{figure}", "x", SettingsError, "no 'tabular'"),
        (TABLE.replace("\\end{table}", ""), "tab:main", SettingsError, "is in no table"),
        ("% reportkit: begin results\n" + TABLE, "tab:main", SettingsError, "stands alone"),
    ],
)
def test_what_is_not_clear_is_refused(tmp_path: Path, text: str, label: str, error, said: str) -> None:
    """Where it is and what to do is said; the file is as it was."""
    with pytest.raises(error, match=f"(?s){said}"):
        _updated(tmp_path, text, {label: "results"})
    assert (tmp_path / "p.tex").read_bytes().decode() == text


def test_tables_and_files_have_to_be_there(tmp_path: Path) -> None:
    """With the nearest name of a table."""
    with pytest.raises(UnknownNameError, match="did you mean 'results'"):
        _updated(tmp_path, TABLE, {"tab:main": "result"})
    with pytest.raises(UnknownNameError, match="did you mean 'results'"):
        _updated(tmp_path, "% reportkit: begin result\n% reportkit: end result\n")
    with pytest.raises(ReadingError, match="there is no file"):
        update_paper(tmp_path / "none.tex", PIECES, {"tab:main": "results"})
    with pytest.raises(SettingsError, match="same table"):
        _updated(tmp_path, TABLE.replace("Mine.", "\\label{a}"), {"tab:main": "results", "a": "p-values"})


@pytest.mark.tex
def test_an_updated_paper_compiles(tmp_path: Path, compile_tex: Compile) -> None:
    """All kinds of places in one paper; references to the labels are right."""
    body = "\n\n".join(
        [
            r"See \ref{tab:main}, \ref{x} and \ref{y}.",
            TABLE,
            MORE["words"].replace("tabular}\\label{x}", "tabular}\\caption{c}\\label{x}"),
            "before" + MORE["shrunk"] + "after",
        ]
    )
    paper = r"\documentclass{article}\usepackage{booktabs,graphicx}\begin{document}" + body + "\n\\end{document}\n"
    new = _updated(tmp_path, paper, {"tab:main": "results", "x": "results", "y": "results"})
    done = compile_tex(new, runs=2)
    assert "beforeafter" in done.text
    assert "See 1, 2 and 3." in done.text
    assert "undefined" not in done.log


def test_a_file_outside_of_the_paper_is_neither_read_nor_changed(tmp_path: Path) -> None:
    r"""Whether an `\input` names it by its path or by a link; it is said, also where the label is looked for."""
    folder = tmp_path / "paper"
    folder.mkdir()
    outside = tmp_path / "mine.tex"
    outside.write_text(TABLE)
    (folder / "link.tex").symlink_to(outside)
    for name in (str(outside), "../mine", "link"):
        path = folder / "p.tex"
        path.write_text(f"\\input{{{name}}}")
        with pytest.raises(UnknownNameError, match="outside of the folder of the paper, and is not read"):
            update_paper(path, PIECES, {"tab:main": "results"})
        path.write_text(f"\\input{{{name}}}\n{TABLE}")
        update = update_paper(path, PIECES, {"tab:main": "results"})
        assert update.changed == (path,)
        assert "is not read" in update.notes[0]
    assert outside.read_text() == TABLE
    (tmp_path / ".git").mkdir()
    path.write_text("\\input{../mine}")
    assert update_paper(path, PIECES, {"tab:main": "results"}).changed == (folder / "../mine.tex",)
