"""Tables of LaTeX: spans, split columns, marks, styles, headers."""

from __future__ import annotations

import pytest

from reportkit.checker.paper.reading import document_of


def table(content, columns="lcc"):
    """The one table of a paper."""
    (found,) = document_of(f"\\begin{{tabular}}{{{columns}}}{content}\\end{{tabular}}").tables
    return found


def texts(found):
    """Texts of the grid."""
    return [[cell.text.text for cell in row] for row in found.grid]


def test_a_reference_table_is_understood():
    """booktabs, spanning heads, split columns with marks, a row of sizes: as a camera-ready table is set."""
    found = table(
        r"""
\toprule
 & \multicolumn{4}{c}{In-domain} & \multicolumn{2}{c}{Transfer} \\
\cmidrule(lr){2-5}\cmidrule(l){6-7}
System & \multicolumn{2}{c}{SST-2} & \multicolumn{2}{c}{MNLI} & \multicolumn{2}{c}{ANLI} \\
$n$ & \multicolumn{2}{c}{872} & \multicolumn{2}{c}{9,815} & \multicolumn{2}{c}{3,200} \\
\midrule
Base & 91.2& & 84.1& & 44.0& \\
Ours & \textbf{93.1}& & \textbf{84.9}&$^{\dagger}$ & \underline{47.5}&$^{\dagger\ddagger}$ \\
\bottomrule
""",
        "@{}l r@{}l r@{}l r@{}l@{}",
    )
    assert texts(found) == [
        ["", "In-domain", "In-domain", "Transfer"],
        ["System", "SST-2", "MNLI", "ANLI"],
        ["n", "872", "9,815", "3,200"],
        ["Base", "91.2", "84.1", "44.0"],
        ["Ours", "93.1", "84.9^†", "47.5^†‡"],
    ]
    assert (found.n_header_rows, found.n_header_columns) == (2, 1)
    assert found.column_header(2) == ("In-domain", "MNLI")
    assert found.row_header(4) == ("Ours",)
    last = found.grid[4]
    assert [cell.marks for cell in last] == [(), (), ("†",), ("†", "‡")]
    assert [(cell.bold, cell.underlined) for cell in last[1:]] == [(True, False), (True, False), (False, True)]
    assert found.grid[0][1] is found.grid[0][2]


CELLS = {
    r"93.1$^{*}$": ((93.1,), ("*",)),
    r"93.1$^{**}$": ((93.1,), ("**",)),
    r"93.1\textsuperscript{a,b}": ((93.1,), ("a", "b")),
    r"$^\dagger$93.1": ((93.1,), ("†",)),
    r"$^{a}$93.1": ((93.1,), ("a",)),
    r"93.1*": ((93.1,), ("*",)),
    r"$93.1^{\ast\ast\ast}$": ((93.1,), ("***",)),
    r"\textbf{93.1}\dag": ((93.1,), ("†",)),
    r"93.1 \tnote{1}": ((93.1,), ("1",)),
    r"$93.1^{1}$": ((93.1,), ("1",)),
    r"$-0.3$": ((-0.3,), ()),
    r"--0.3": ((-0.3,), ()),
    r"9\,815": ((9815.0,), ()),
    r"$9{,}815$": ((9815.0,), ()),
    r"\hphantom{0}5.25": ((5.25,), ()),
    r".93": ((0.93,), ()),
    r"$<$.001": ((0.001,), ()),
    r"BERT-2 large": ((), ()),
    r"--": ((), ()),
    r"$3.9\times10^{-5}$": ((3.9e-5,), ()),
}


@pytest.mark.parametrize("source", CELLS)
def test_numbers_and_marks_of_a_cell(source):
    """Superscripts are marks, never digits of the number."""
    cell = table(rf"a & {source} & x \\ b & 1 & y \\").grid[0][1]
    assert (tuple(number.value for number in cell.numbers), cell.marks) == CELLS[source]


def test_spreads_and_intervals_are_told_from_the_number():
    """± and brackets; the cell's number is the first."""
    row = table(
        r"a & $93.1 \pm 0.4$ & 93.1 [92.0, 94.2] & 93.1\scriptsize{$_{\pm0.4}$} & \num{93.1 +- 0.4} "
        r"& 0.3 ($-0.2$ to 0.8) \\"
        r"b & 1.0 & 1.0 & 1.0 & 1.0 & 1.0 \\",
        "lccccc",
    ).grid[0]
    assert [cell.number.value for cell in row[1:]] == [93.1, 93.1, 93.1, 93.1, 0.3]
    assert [cell.spread and cell.spread.value for cell in row[1:]] == [0.4, None, 0.4, 0.4, None]
    assert [cell.interval and tuple(b.value for b in cell.interval) for cell in row[1:]] == [
        None, (92.0, 94.2), None, None, (-0.2, 0.8),
    ]  # fmt: skip


def test_rows_that_span_are_at_each_of_their_places():
    r"""`\multirow` downwards and upwards; group headings; the headings of a row."""
    found = table(
        r"\toprule Family & Size & Score \\ \midrule \multirow{2}{*}{A} & small & 1.0 \\ & large & 2.0 \\ \midrule"
        r"\multicolumn{3}{l}{\emph{Others}} \\ B & small & 3.0 \\ \multirow{-2}{*}{} & large & 4.0 \\ \bottomrule"
    )
    assert found.group_rows == (3,)
    assert [found.row_header(row) for row in (1, 2, 4)] == [("A", "small"), ("A", "large"), ("Others", "B", "small")]
    assert found.grid[1][0] is found.grid[2][0]


def test_styles_reach_as_far_as_their_group():
    r"""`\bfseries` in a cell, `{\bf ...}`, a bold column, mathematics, nested macros, colours."""
    found = table(
        r"a & \bfseries 1.0 & {\bf 2.0} & 3.0 & $\mathbf{4.0}$ & \textit{\textbf{5.0}} & \textcolor{red}{6.0} "
        r"& \cellcolor{gray!20}7.0 \\ b & 1 & 2 & 3 & 4 & 5 & 6 & 7 \\",
        "lcc>{\\bfseries}ccccc",
    )
    assert [cell.bold for cell in found.grid[0][1:]] == [True, True, True, True, True, False, False]
    assert [cell.bold for cell in found.grid[1][1:]] == [False, False, True, False, False, False, False]
    assert [cell.colour for cell in found.grid[0][6:]] == ["red", "gray!20"]
    assert found.grid[0][5].italic


def test_decimals_split_at_the_point_are_joined():
    """`r@{.}l` is one number; its place is that of both cells."""
    source = "\\begin{tabular}{l r@{.}l}a & 93 & 1 \\\\ b & 2 & 25 \\\\\\end{tabular}"
    document = document_of(source)
    (found,) = document.tables
    assert [row[1].number.value for row in found.grid] == [93.1, 2.25]
    assert document.source(found.grid[0][1].span) == "93 & 1"


def test_tables_without_rules_long_tables_and_siunitx():
    """Horizontal and vertical rules are counted; captions inside a longtable; S columns; a nested tabular in a cell."""
    document = document_of(
        r"""
\begin{longtable}{|l|S[table-format=2.1]|}
\caption{Long one.}\label{tab:long}\\ \hline
System & {Acc.} \\ \hline \endhead
\begin{tabular}{@{}l@{}}A\\ B\end{tabular} & 93.1 \\ C & \bfseries 92.0 {$^\dagger$} \\ \hline
\end{longtable}
"""
    )
    (found,) = document.tables
    assert texts(found) == [["System", "Acc."], ["A B", "93.1"], ["C", "92.0 ^†"]]
    assert (found.caption.text, found.label, found.hlines, found.vertical_rules) == ("Long one.", "tab:long", 3, 3)
    assert (found.n_header_rows, found.grid[2][1].bold, found.grid[2][1].marks) == (1, True, ("†",))
