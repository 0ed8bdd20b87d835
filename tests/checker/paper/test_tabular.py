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
    r"$1.2\times10^{6}$": ((1.2e6,), ()),
    r"$90.10^{1}$": ((90.1,), ("1",)),
    r"$R^2$": ((), ()),
    r"$\tau^*$": ((), ()),
    r"$x^\dagger$": ((), ("†",)),
    r"3.1k$^*$": ((3100.0,), ("*",)),
    r"$^\times$.424": ((0.424,), ("×",)),
    r"constant $2^5$": ((2.0,), ()),
    r"93.1$^{ab}$": ((93.1,), ("a", "b")),
    r"0.0541 (***)": ((0.0541,), ("***",)),
    r"-0.045+": ((-0.045,), ("+",)),
    r"16+": ((16.0,), ()),
    r"Ours$^{rem}$": ((), ()),
    r"Ours*": ((), ("*",)),
    r"A*": ((), ()),
    r"EV$^2$R": ((), ()),
    "Elm\u20113\u20111B": ((), ()),
    r"Ours$^{*}$": ((), ("*",)),
    r"f(x) = g (* x x)": ((), ()),
    r"71.2 (*, see text)": ((71.2,), ("*",)),
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
        r"& 0.3 ($-0.2$ to 0.8) & 3.5T [1.1T--11.2T] \\"
        r"b & 1.0 & 1.0 & 1.0 & 1.0 & 1.0 & 1.0 \\",
        "lcccccc",
    ).grid[0]
    assert [cell.number.value for cell in row[1:]] == [93.1, 93.1, 93.1, 93.1, 0.3, 3.5e12]
    assert [cell.spread and cell.spread.value for cell in row[1:]] == [0.4, None, 0.4, 0.4, None, None]
    assert [cell.interval and tuple(b.value for b in cell.interval) for cell in row[1:]] == [
        None, (92.0, 94.2), None, None, (-0.2, 0.8), (1.1e12, 11.2e12),
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


def test_a_blank_label_is_that_of_the_row_above_up_to_a_rule():
    r"""As authors write who do without `\multirow`; a blank label at the end of the labels stays blank."""
    found = table(
        r"""Task & Model & F1 \\ \midrule NLI & Elm & 70.2 \\ & Oak & 71.4 \\ QA & Elm & 60.3 \\ & & 61.0 \\
\midrule & Mean & 65.0 \\"""
    )
    assert [found.row_header(row) for row in range(1, 6)] == [
        ("NLI", "Elm"),
        ("NLI", "Oak"),
        ("QA", "Elm"),
        (),
        ("Mean",),
    ]


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


def test_a_long_table_prints_its_head_once_and_its_foot_at_the_end():
    r"""Before `\endhead` stands what later pages print, before `\endlastfoot` what stands below the last row."""
    found = table(
        r"""\toprule System & F1 \\ \midrule \endfirsthead
\multicolumn{2}{l}{(continued)} \\ \toprule System & F1 \\ \midrule \endhead
\multicolumn{2}{r}{Continued on next page} \\ \endfoot
\bottomrule \multicolumn{2}{l}{* Mean of 5 seeds.} \\ \endlastfoot
A & 80.1 \\ B & 81.2* \\
""",
        "lc",
    )
    assert texts(found) == [["System", "F1"], ["A", "80.1"], ["B", "81.2*"]]
    assert (found.n_header_rows, [note.text for note in found.notes]) == (1, ["* Mean of 5 seeds."])


def test_a_part_of_a_long_table_ends_its_last_row():
    r"""Without `\\\\` before `\endfoot`, the first row of the body would go on behind it."""
    found = table(
        r"""\hline System & F1 \\ \hline \endhead \hline \multicolumn{2}{l}{Continued} \endfoot \hline \endlastfoot
A & 80.1 \\ B & 81.2 \\""",
        "lc",
    )
    assert texts(found) == [["System", "F1"], ["A", "80.1"], ["B", "81.2"]]
    assert found.rules == (0, 1, 3)


def test_rules_with_lengths_and_cells_that_span_upwards():
    r"""`\cmidrule(l{3pt}r{3pt}){1-1}` is no text; `\multirow{-2}` names the row above, too."""
    found = table(
        r"""\toprule & & \multicolumn{2}{c}{Solved} \\ \cmidrule(l{3pt}r{3pt}){1-2} \cmidrule(l{3pt}r{3pt}){3-4}
Op & Model & Rate & Mean \\ \midrule
 & A & 13\% & 5.5 \\ \nopagebreak
\multirow{-2}{*}{$\times$} & B & 26\% & 7.0 \\ \bottomrule""",
        "llcc",
    )
    assert texts(found)[1:] == [["Op", "Model", "Rate", "Mean"], ["×", "A", "13%", "5.5"], ["×", "B", "26%", "7.0"]]
    assert (found.n_header_rows, found.n_header_columns) == (2, 2)


def test_boxes_dingbats_and_lengths():
    r"""Options of a box and lengths are no text; `\ding{51}` is a check mark, and greek capitals are letters."""
    found = table(r"\makebox[2.1em][l]{$\Omega$} (shape) & \ding{51} & 0.8 \\ B & \ding{55} & 0.9 \\", "lcc")
    assert texts(found) == [["Ω (shape)", "✓", "0.8"], ["B", "✗", "0.9"]]
    assert found.n_header_columns == 1
    (found,) = document_of(
        r"\begin{table} \tabcolsep=0.11cm \begin{tabular}{lc} A & 1.0 \\ B & 2.0 \\ \end{tabular} \vskip -5pt"
        r"\caption{C} \end{table}"
    ).tables
    assert found.notes == ()


def test_two_captions_of_one_float_belong_to_a_table_each():
    """Captions above as below their tables; a second caption without a table of its own is a note."""
    one = r"\begin{tabular}{lc} A & 1.0 \\ B & 2.0 \\ \end{tabular}"
    for order in (
        rf"\caption{{One}} \label{{a}} {one} \caption{{Two}} \label{{b}} {one}",
        rf"{one} \caption{{One}} \label{{a}} {one} \caption{{Two}} \label{{b}}",
    ):
        tables = document_of(rf"\begin{{table}} {order} \end{{table}}").tables
        assert [(found.caption.text, found.label) for found in tables] == [("One", "a"), ("Two", "b")], order
    (found,) = document_of(
        rf"\begin{{table}} \caption{{One}} {one} \label{{a}} \caption*{{Bold: best.}} \end{{table}}"
    ).tables
    assert (found.caption.text, found.label) == ("One", "a")
    assert [note.text for note in found.notes] == ["Bold: best."]


HEADERS = {
    r"\multicolumn{3}{c}{Settings} \\ \hline Name & Old & New \\ \hline Rate & 0.1 & 0.2 \\ Size & 256 & 64 \\": (2, 1),
    r" & A & B \\ & K=20 & K=20, L=5 \\ \midrule GMM ($\times10^2$) & -7.6 & -6.5 \\ DMM & -3.1 & -4.2 \\": (2, 1),
    r" & \multicolumn{2}{c}{Add} \\ & $\textup{CF}_{\times 10^2}$ & TA$_{\times 10^2}$ \\ \midrule A & 3.1 & 4.2 \\": (
        2,
        1,
    ),
    r"Bucket & $n$ & Mean \\ \midrule 0--99 & 36 & 0.07 \\ 100--499 & 78 & 0.16 \\ 1{,}000$+$ & 32 & 0.59 \\": (1, 1),
    r"Time & Load & Price \\ \midrule 2020-05-19 23:00 & 19.3 & 2.5 \\": (1, 1),
    r"\hline 11 & 12 & 13 \\ licm & sink & inline \\": (1, 0),
    r"mode & Read & Write \\ \midrule Seq-1M-8--1 & 474.9 & 467.9 \\ Rnd-4K-1--1 & 33.5 & 97.3 \\": (1, 1),
    r"Cluster & Mean & SD \\ \midrule 0 & 193.1 & 275.4 \\ 1 & -34.1 & 126.8 \\ 5 & 661.5 & 274.6 \\": (1, 1),
    r"\textbf{R} & \multicolumn{2}{c}{Context} \\ \textbf{G} & 5 & 4 \\ \midrule A & 35 & 11 \\ B & 34 & 16 \\": (2, 1),
    r"\multirow{3}{*}{N} & \multicolumn{2}{c}{All} \\ \hline & Yes & No \\ & T & F \\ \hline 6 & 1 & 2 \\ 8 & 9 & 3": (
        3,
        1,
    ),
    r"Kept & System & F1 \\ \midrule 1.0 & static & 0.55 \\ 0.5 & static & 0.54 \\ 0.5 & full & 0.53 \\": (1, 2),
    r"\multicolumn{2}{c}{Table} \\ \hline Data & DNN & DGN \\ \hline A & 93 & 90 \\ B & 94 & 91 \\": (2, 1),
    r"Angle & \multicolumn{2}{c}{30\textdegree} \\ \hline M & PSNR & SSIM \\ \hline A & 69 & 1 \\ B & 61 & 0 \\": (
        2,
        1,
    ),
    r"Model & $\varepsilon$ & Boxes \\ \midrule A & 1/255 & 363 \\ A & 2/255 & 346 \\ B & 1/255 & 390 \\": (1, 2),
    r"Resolution & GPU & CPU \\ \hline 256$\times$256 & 50 & 2000 \\ 512$\times$512 & 180 & 8000 \\": (1, 1),
    r"Variable: & Score & 0.228 \\ Model: & 3 & 0.222 \\ No: & 145 & 42.17 \\": (0, 1),
    r"Pass 1 & Pass 2 & Pass 3 \\ \midrule a & b & 3.1 \\ c & d & 3.2 \\": (1, 2),
    r"A \textbackslash{} B & 0.5 & 2 \\ \midrule 0.5 & - & 8-7 \\ 2 & 3-12 & - \\": (1, 1),
    r"Rate & F1 & EM \\ \midrule 0.1 & 70.2 & 61.0 \\ 0.3 & 72.4 & 60.1 \\ 0.9 & 71.3 & 59.4 \\": (1, 1),
    r"$\tau$-cut & Gain & Cost \\ \midrule 0.99 & 1.2 & 3.4 \\ 0.95 & 1.5 & 3.3 \\ 0.9 & 1.1 & 3.6 \\": (1, 1),
    r"True & Predicted & Error \\ \midrule 1.5 & 1.2 & 0.3 \\ 1.1 & 1.3 & 0.2 \\ 1.4 & 1.0 & 0.4 \\": (1, 0),
    r"Bit & Share & Gain \\ \midrule 1538 & 19.5\% & 0.2 \\ 80 & 12.0\% & 0.1 \\ 807 & 9.5\% & 0.4 \\": (1, 1),
    r"Quantile & A & B \\ \midrule 10 & 0.2 & 0.3 \\ Median & 0.4 & 0.5 \\ 90 & 0.7 & 0.8 \\": (1, 1),
    r"Ratio & A & B \\ \midrule 20:1 & 0.2 & 0.3 \\ 5:1 & 0.4 & 0.5 \\": (1, 1),
    r"Run & F1 & EM \\ \midrule Exp 2.0 & 70.2 & 61.0 \\ Exp 1.0 & 70.1 & 60.0 \\": (1, 1),
    r"\multicolumn{2}{c}{Model} & F1 \\ \midrule Elm & 7 & 70.2 \\ Oak & 13 & 71.4 \\": (1, 2),
    r"\multicolumn{2}{c}{Model A} & F1 \\ \midrule Elm & 7 & 70.2 \\ Oak & 13 & 71.4 \\": (1, 1),
    r"Model & Seed & F1 \\ \midrule Elm & 1 & 70.2 \\ & 2 & 71.4 \\ Oak & 1 & 70.6 \\ & 2 & 71.9 \\": (1, 2),
    r"Task & Model & F1 \\ \midrule NLI & 1B & 70.2 \\ NLI & 7B & 71.4 \\ QA & 1B & 6.2 \\ QA & 7B & 7.4 \\": (1, 2),
    r"Name & Mass & Price \\ \midrule Elm & [2.0, 8.0] & [0.1, 0.4] \\ Oak & [0.5, 3.0] & [0.3, 0.6] \\": (1, 1),
    r"Task & G & F1 \\ \midrule NLI & 16 & 70.2 \\ QA & 16 & 71.4 \\ NLI & 8 & 6.2 \\ QA & 8 & 7.4 \\": (1, 2),
    r"Model & Time & Memory \\ \midrule Elm & 31ms & 2.5GB \\ Oak & 1.2s & 700MB \\": (1, 1),
}


@pytest.mark.parametrize("content", HEADERS)
def test_headers_that_hold_numbers_or_none(content):
    """Titles, settings, ranges, dates and counted columns."""
    found = table(content)
    assert (found.n_header_rows, found.n_header_columns) == HEADERS[content]


def test_hidden_columns_and_columns_that_a_paper_defines():
    r"""`H` swallows its cells, `E` is two columns that are one number, `B{2cm}` is bold."""
    (found,) = document_of(
        r"""\newcolumntype{H}{>{\setbox0=\hbox\bgroup}c<{\egroup}@{}}
\newcolumntype{E}{r!{$\pm$}l} \newcolumntype{B}[1]{>{\bfseries\arraybackslash}p{#1}}
\begin{tabular}{lHEB{2cm}} System & Draft & \multicolumn{2}{c}{F1} & EM \\ \midrule
Elm & 60.0 & 71.2 & 0.4 & 50.1 \\ Oak & 61.0 & 72.3 & 0.6 & 52.4 \\ \end{tabular}"""
    ).tables
    assert texts(found) == [["System", "F1", "EM"], ["Elm", "71.2±0.4", "50.1"], ["Oak", "72.3±0.6", "52.4"]]
    assert [cell.bold for cell in found.grid[1]] == [False, False, True]
    assert [cell.spread and cell.spread.value for cell in found.grid[1]] == [None, 0.4, None]


ACRONYMS = r"""
\newacronym[description=d]{ba}{BA}{balanced accuracy} \acrodef  {svm}  [SVM] {support vector machine}
\acrodef{RF}{random forest}
\DeclareAcronym{knn}{short = kNN, long = {nearest neighbours}} \newglossaryentry{lm}{name={LM}, description={a model}}
"""


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"\gls{ba}", "BA"),
        (r"\acrlong{ba}", "balanced accuracy"),
        (r"\acs{svm}-\ac{RF}", "SVM-RF"),
        (r"\acp{svm}", "SVMs"),
        (r"\ac{knn}, \gls{lm}", "kNN, LM"),
        (r"\gls{other}", "other"),
    ],
)
def test_acronyms_print_their_short_forms(source, text):
    """Of the packages glossaries, acronym and acro; a key that nobody defines stays."""
    (found,) = document_of(ACRONYMS + rf"\begin{{tabular}}{{lc}} {source} & 1.0 \\ B & 2.0 \\ \end{{tabular}}").tables
    assert found.grid[0][0].text.text == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"$x_{}$", "x"),
        (r"93.1$^{\phantom{*}}$", "93.1"),
        (r"93.1$^{\natural}$", "93.1^♮"),
        (r"A\textsubscript{base}", "A_base"),
        (r"en$\leftrightarrow$de", "en↔de"),
        (r"$\log x$", "log x"),
        (r"{\scriptsize[0.24, 0.52]}", "[0.24, 0.52]"),
        (r"{\fontfamily{phv}\selectfont Elm}", "Elm"),
        (r"\diagbox{True}{Read}", "True \\ Read"),
        (r"$\hat\beta_2$", "β̂_2"),
        (r"$\overline{R}$", "R̄"),
        (r"{\raise.17ex\hbox{$\scriptstyle\sim$}}900", "~900"),
        (r"a\mkern-4mu\hbox{\symbol{41}}b", "ab"),
    ],
)
def test_what_stands_above_below_and_between(source, text):
    """Empty superscripts and subscripts leave nothing; functions and arrows are read."""
    assert table(rf"{source} & 1.0 \\ B & 2.0 \\", "lc").grid[0][0].text.text == text


def test_a_label_that_goes_on_in_the_next_row_is_one_label():
    """With a citation, a parenthesis or a small letter, without a rule between; a heading of rows stays one."""
    found = table(
        r"""System & F1 \\ \midrule Bigrams & 70.1 \\ \cite{a} & \\ Elm & 71.2 \\ (two layers) & \\ \midrule
large models & \\ Oak & 72.3 \\ Others & \\ Fir & 73.4 \\""",
        "lc",
    )
    assert [row[0].text.text for row in found.grid] == [
        "System", "Bigrams ⟦cite⟧", "Elm (two layers)", "large models", "Oak", "Others", "Fir",
    ]  # fmt: skip
    assert (found.group_rows, found.rules) == ((3, 5), (1, 3))


def test_a_text_in_the_last_column_goes_on_in_the_next_row():
    """Where its row has a name, and the next row has nothing else."""
    found = table(
        r"Kind & Rate \\ \midrule Painting & about 70\% on names, but \\ & none on dates \\ Place & 25\% \\ & \\",
        "lc",
    )
    assert texts(found)[1:3] == [["Painting", "about 70% on names, but none on dates"], ["Place", "25%"]]


def test_a_label_in_the_middle_of_its_rows_spans_them():
    r"""As authors write who do without `\multirow`: between rules, with blank labels above and below."""
    found = table(
        r"""Model & Part & F1 \\ \midrule & A & 70.2 \\ Elm & B & 71.4 \\ few-shot & C & 60.3 \\ & D & 61.0 \\
\midrule & A & 65.0 \\ Oak & B & 66.0 \\ & C & 64.0 \\ \midrule Mean & & 65.0 \\"""
    )
    assert [found.row_header(row)[0] for row in range(1, 9)] == ["Elm few-shot"] * 4 + ["Oak"] * 3 + ["Mean"]
    assert found.grid[1][0].n_rows == 4


def test_a_label_over_too_few_rows_goes_to_the_end_of_its_block():
    r"""As where `\vspace` moves it; not beside rows without a name of their own, nor behind a rule."""
    found = table(
        r"""Model & Part & F1 \\ \midrule \multirow{2}{*}{\vspace{-2em}Elm} & A & 70.2 \\ & B & 71.4 \\ & C & 60.3 \\
\midrule \multirow{2}{*}{Oak} & A & 65.0 \\ & B & 66.0 \\ & & 64.0 \\ \midrule & C & 65.0 \\"""
    )
    assert [line[0] for line in texts(found)] == ["Model", *["Elm"] * 3, "Oak", "Oak", "", ""]


def test_columns_without_a_gap_are_one_with_the_space_that_is_told():
    """Between two texts, and behind no single one."""
    found = table(r"System & \multicolumn{2}{c}{F1} \\ \midrule Elm & 1.5 & (a = 2) \\ Oak & 1.6 & \\", r"lS@{\,}l")
    assert texts(found)[1:] == [["Elm", "1.5 (a = 2)"], ["Oak", "1.6"]]


def test_columns_and_last_rows_without_a_text_are_space():
    """At the end of a specification as between groups of columns, below headings that span them, and behind a rule."""
    found = table(
        r"""\multirow{2}{*}{Model} & \multicolumn{2}{c}{NLI} & & \multicolumn{2}{c}{QA} \\
& P & R & & P & R \\ \midrule Elm & 70.2 & 61.0 & & 71.4 & 60.3 \\ Oak & 72.2 & 63.0 & & 73.4 & 62.3 \\
\bottomrule & & & & & \\""",
        "lccccccc",
    )
    assert texts(found)[:2] == [["Model", "NLI", "NLI", "QA", "QA"], ["Model", "P", "R", "P", "R"]]
    assert (found.n_columns, found.column_header(4), found.n_rows, found.rules) == (5, ("QA", "R"), 4, (2, 4))


def test_words_of_one_style_are_so_whatever_is_between_them():
    """Two bold lines of a heading are bold; so is a name with a mark, a citation or no letter behind it."""
    found = table(r"System & \makecell{\textbf{Cost}\\\textbf{in dollars}} & F1 \\ Elm & 1.0 & 2.0 \\")
    assert [cell.bold for cell in found.grid[0]] == [False, True, False]
    found = table(
        r"Name \textbf{of} & \textbf{BLEU}$\uparrow$ & \textbf{TER}$^\downarrow$ & \textbf{F} (\%) & $\uparrow$ \\"
        r"\midrule \textbf{Elm}~\cite{elm} $^\dag$ & 1.0 & 2.0 & 3 & 4 \\"
    )
    assert [cell.bold for row in found.grid for cell in row][:6] == [False, True, True, True, False, True]


def test_tabularray_is_told_what_spans():
    """Beside the table; the places that a cell spans are written, and empty."""
    (found,) = document_of(
        r"""\begin{tblr}{cells={c}, cell{1}{1}={r=2}{}, cell{1}{2}={c=2}{}, cell{3}{1}={r=2}{}}
Data & Supervised & & F1 \\ & LINE & ESim & GCN \\ \hline IMDb & 44.0 & 49.0 & 52.7 \\ & 45.4 & 50.6 & 53.7 \\
\end{tblr}"""
    ).tables
    assert texts(found) == [
        ["Data", "Supervised", "Supervised", "F1"],
        ["Data", "LINE", "ESim", "GCN"],
        ["IMDb", "44.0", "49.0", "52.7"],
        ["IMDb", "45.4", "50.6", "53.7"],
    ]
    assert (found.n_header_rows, found.n_header_columns) == (2, 1)


def test_a_heading_that_ends_in_a_number_and_a_note_that_is_nearly_as_wide_as_the_table():
    """`Exp 2` alone in its row is a heading of the rows below."""
    found = table(
        r"""\textbf{Exp 1} & A & B \\ \hline P & 335 & 10 \\ S & 0 & 24 \\ \hline Exp 2 & & \\ P & 340 & 4 \\ \hline
\multicolumn{3}{l}{\footnotesize Not evaluated for S.}""",
        "lccc",
    )
    assert found.group_rows == (3,)
    assert [note.text for note in found.notes] == ["Not evaluated for S."]


def test_a_label_without_its_last_word_and_one_that_heads_nothing_go_on():
    """A word that needs another, a rule or the end below; and a first line above the line with the results."""
    found = table(
        r"""System & F1 \\ \midrule Bigrams with & 70.1 \\ Smoothing & \\ Elm + & 71.2 \\ Smoothing & \\ Oak & 72.3 \\
Large & \\ \midrule Small & \\ Fir & 73.4 \\ Yew & \\ (dev set) \cite{y} & 74.5 \\ Ash & 75.6 \\""",
        "lc",
    )
    assert [row[0].text.text for row in found.grid] == [
        "System", "Bigrams with Smoothing", "Elm + Smoothing", "Oak Large", "Small", "Fir", "Yew (dev set) ⟦cite⟧",
        "Ash",
    ]  # fmt: skip
    assert (found.group_rows, found.rules) == ((4,), (1, 4))


def test_headings_of_several_remarks_stay_headings():
    """Two rows in parentheses below a label are rows of their own; so are items."""
    found = table(
        r"""System & F1 \\ \midrule After training & \\ (with filter) & 70.1 \\ (without filter) & 71.2 \\ Parts & \\
(a) & 72.3 \\""",
        "lc",
    )
    assert found.group_rows == (1, 4)


def test_rows_without_a_text_are_space_wherever_they_stand():
    r"""But for those that another cell spans."""
    found = table(
        r"System & F1 \\ \hline \\ Elm & 70.1 \\ & \\ \hline \multirow{3}{*}{Oak} & 71.2 \\ & \\ & 72.3 \\", "lc"
    )
    assert texts(found) == [["System", "F1"], ["Elm", "70.1"], ["Oak", "71.2"], ["Oak", ""], ["Oak", "72.3"]]
    assert found.rules == (1, 2)


def test_a_word_broken_by_hand_is_one_word():
    """Its hyphen goes, if the paper has the word without; a compound of the paper keeps it."""
    (found,) = document_of(
        r"""Mathematics with fine-tuned models. \begin{tabular}{lll}
Model & \makecell{\small\textbf{Mathe-}\\ \small\textbf{matics}} & \makecell{fine-\\tuned} \\ \hline
Geog-\newline raphy & \shortstack{pre-\\Oak} & 70.1 \\ \end{tabular}"""
    ).tables
    assert texts(found) == [["Model", "Mathematics", "fine-tuned"], ["Geography", "pre- Oak", "70.1"]]
    assert [cell.bold for cell in found.grid[0]] == [False, True, False]


def test_code_in_a_cell_is_text():
    r"""What `\verb`, `\url` and their kin print."""
    found = table(
        r"Command & Kind \\ \hline \verb|\cite| & \url{https://a.b/c} \\ \lstinline!x y! & \path{a/b} \\", "ll"
    )
    assert texts(found)[1:] == [[r"\cite", "https://a.b/c"], ["x y", "a/b"]]
    accents = table(r"Command & Letter \\ \hline \verb|{\^o}| & \^o \\ \verb|{\^u}| & \^u \\", "ll")
    assert [(row[0].text.text, row[0].marks, row[1].text.text) for row in accents.grid[1:]] == [
        (r"{\^o}", (), "ô"),
        (r"{\^u}", (), "û"),
    ]


def test_the_width_of_a_tabu_is_no_column():
    r"""`to` and `spread` stand before the columns."""
    (found,) = document_of(r"\begin{tabu} to \linewidth {l>{\bfseries}X} A & B \\ \hline c & 1.0 \\ \end{tabu}").tables
    assert texts(found) == [["A", "B"], ["c", "1.0"]]
    assert [cell.bold for cell in found.grid[1]] == [False, True]


def test_a_tabular_of_images_or_of_tabulars_is_no_table():
    """It arranges them; images above numbers are part of a table."""
    image = r"\includegraphics[width=2cm]{a.pdf}"
    assert (
        document_of(rf"\begin{{tabular}}{{cc}} {image} & {image} \\ (a) Before & (b) After \\ \end{{tabular}}").tables
        == ()
    )
    assert texts(table(rf"{image} & {image} \\ 31.2 & 28.4 \\", "cc"))[-1] == ["31.2", "28.4"]
    inner = r"\begin{tabular}{lr} Word & Count \\ \hline elm & 3 \\ \end{tabular}"
    one, other = document_of(rf"\begin{{tabular}}{{cc}} {inner} & {inner} \\ \end{{tabular}}").tables
    assert texts(one) == texts(other) == [["Word", "Count"], ["elm", "3"]]


def test_rules_of_tabularray_are_told_beside_the_table():
    """By the row that they stand above."""
    (found,) = document_of(
        r"""\begin{tblr}{colspec={lc}, hline{4}={1,2}{solid}} \toprule A & B \\ \midrule c & 1.0 \\ d & 2.0 \\ N & 9 \\
\bottomrule \end{tblr}"""
    ).tables
    assert found.rules == (0, 1, 3, 4)


def test_backgrounds_of_rows_columns_and_cells():
    r"""A cell has its own colour, else that of its row, else that of its column, which `\multicolumn` sets aside."""
    found = table(
        r"""Model & \multicolumn{1}{c}{P} & R \\ \midrule
\rowcolor[HTML]{EFEFEF}[0pt][0pt] Elm & 70.2 & \cellcolor{red!20} 61.0 \\ Oak & 71.4 & \textcolor{blue}{60.3} \\
\midrule \rowcolor{lightgray} Ash & \color{blue}72.0 & 59.1 \\""",
        "l>{\\columncolor{yellow}\\bfseries}cc",
    )
    assert [[cell.colour for cell in row] for row in found.grid] == [
        ["", "", ""],
        ["EFEFEF", "EFEFEF", "red!20"],
        ["", "yellow", "blue"],
        ["lightgray", "blue", "lightgray"],
    ]
    assert [cell.bold for row in found.grid for cell in row] == [False, False, False] + [False, True, False] * 3
    assert [cell.stands_out for cell in found.grid[3]] == [False, True, False]


def test_a_colour_is_of_a_whole_text_or_of_a_cell_with_a_number():
    r"""One of some words is none of the cell; of two colours that of the number comes first."""
    found = table(
        r"""Model & Note & F1 \\ \midrule \textcolor{red}{Elm} & \textcolor{red}{old} but fine & \textcolor{blue}{70.2}
\textcolor{azure}{($+$1.2)} \\ Oak & \textcolor{red}{old}, \textcolor{green}{fine} & 71.4
\textcolor{green}{($+$0.3)} \\"""
    )
    assert [[cell.colour for cell in row] for row in found.grid[1:]] == [["red", "", "blue"], ["", "", "green"]]


def test_a_style_is_of_a_whole_text_or_of_a_number_that_a_cell_is_about():
    """Of a cell of words all of them have it; words in parentheses and a unit beside a number do not count."""
    found = table(
        r"""F1 \textbf{[95\% CI]} & \textbf{95\% CI} (of the mean) & \textbf{Seeds} ($\uparrow$) \\ \midrule
Elm & \textbf{84.2} (ours, with all data) & \textbf{Lists 16 names of 2023} and others \\
Oak & \textbf{84.2} / 93.2 & \textcolor{red}{3 of 4} programs in two languages \\
Fir & \textbf{12} GPU hours & \emph{None above 43\%.} \\
Yew & Layer: \textbf{84.2} & \emph{None above 43\%.} The others: Elm \\"""
    )
    assert [[cell.bold for cell in row] for row in found.grid] == [[False, False, True]] + [[False, True, False]] * 4
    assert [(row[2].colour, row[2].italic) for row in found.grid[1:]] == [("", False)] * 2 + [("", True), ("", False)]


def test_headings_broken_within_a_word_are_whole():
    """Rows that hold second parts only are none, however the first column spans; the paper says which hyphens stay."""
    whole = table(
        r"""\multirow{3}{*}{Model} & \multicolumn{2}{c}{Leaf} & \multicolumn{2}{c}{Non Chloro-} \\
& \multicolumn{2}{c}{-based} & \multicolumn{2}{c}{phyll-based} \\ & P & R & P & R \\ \midrule
chlorophyll & 70.2 & 61.0 & 71.4 & 60.3 \\ Oak & 72.0 & 59.1 & 72.1 & 59.2 \\"""
    )
    assert [[cell.text.text for cell in row][::2] for row in whole.grid[:2]] == [
        ["Model", "Leaf-based", "Non Chlorophyll-based"],
        ["Model", "R", "R"],
    ]
    assert (whole.n_header_rows, whole.n_rows, whole.rules) == (2, 4, (2,))
    parts = table(
        r"""Spe- & \multicolumn{2}{c}{Old} & Size \\ cies & P & R & (cm) \\ \midrule species & 70.2 & 61.0 & 4 \\
oak & 71.4 & 60.3 & 5 \\"""
    )
    assert [[cell.text.text for cell in row] for row in parts.grid[:2]] == [
        ["Species", "Old", "Old", "Size"],
        ["Species", "P", "R", "(cm)"],
    ]


def test_what_spans_behind_a_colour_and_what_stands_beside_it():
    r"""Whatever is said before and behind `\multirow` stays with its cell."""
    found = table(
        r"""Data & Model & F1 \\ \midrule & Elm & 70.2 \\
\cellcolor{white}\multirow{-2}{*}{News}$^\dagger$ & Oak & 71.4 \\ \midrule
\bfseries \multirow{2}{*}{Mail} \cellcolor{white} & Elm & 60.3 \\ & Oak & 61.0 \\"""
    )
    assert [row[0].text.text for row in found.grid] == ["Data", "News^†", "News^†", "Mail", "Mail"]
    assert [(row[0].bold, row[0].colour) for row in found.grid[2:4]] == [(False, "white"), (True, "white")]


def test_old_fonts_begin_with_the_plain_one():
    r"""`\bf\tt` is not bold, `\textnormal` takes both from its argument, `\upshape` the slant only."""
    found = table(
        r"\bf\tt a & \bf\it b & \textbf{\textit{\upshape c}} \\"
        r"\bf \textnormal{d} & \textbf{e \textnormal{f}} & \it\bf g \\"
    )
    assert [[(cell.bold, cell.italic) for cell in row] for row in found.grid] == [
        [(False, False), (False, True), (True, False)],
        [(False, False), (False, False), (True, False)],
    ]


ROLES = {
    r"(2-3)": ("low", "high"),
    r"(99.1-99.9\%)": ("low", "high"),
    r"0.295 ($\alpha$ = 0.1)": ("value", "remark"),
    r"0.353($\alpha$ = 0.6, 0.7)": ("value", "remark", "remark"),
    r"Elm (215, 57\%)": ("remark", "remark"),
    r"(2 of 3) 7": ("remark", "value", "value"),
    r"f(3, 0.5)": ("remark", "value"),
    r"Elm (3K$^\dagger$, 57\%)": ("remark", "remark"),
    r"Elm (7B, 13B)": (),
    r"nine years (2015--2023)": ("remark", "remark"),
    r"2015--2023, nine years": ("value", "value"),
    r"1950 (1932--1968)": ("value", "low", "high"),
    r"2022-11": ("value",),
}


@pytest.mark.parametrize("source", ROLES)
def test_numbers_in_parentheses_behind_something_are_remarks(source):
    """So is each of them; a pair that is the whole cell is a range."""
    assert tuple(number.role for number in table(rf"{source} & 1 \\", "lc").grid[0][0].numbers) == ROLES[source]


@pytest.mark.parametrize("source", [r"$O(|V|^2)$", r"$O(n)*X$", r"$O(|V|^3\log k)$"])
def test_exponents_and_products_are_no_marks(source):
    """As of the cost of an algorithm."""
    assert table(rf"{source} & 1 \\", "lc").grid[0][0].marks == ()


def test_long_cells_are_read_whole():
    """Prompts are; what was never ended is cut, and said."""
    prompt = "Answer with one word. " * 100
    document = document_of(rf"\begin{{tabular}}{{ll}}A & {prompt} \\ B & {prompt * 4} \\ \end{{tabular}}")
    assert [len(row[1].text.text) for row in document.tables[0].grid] == [2_199, 5_000]
    assert [problem.message for problem in document.problems] == [
        "a cell has 8,799 characters; the first 5,000 are read"
    ]


def test_labels_above_one_another_are_one_where_rules_set_every_row_apart():
    """Two lines of one text; the heading of a group of rows stays one."""
    rows = r"Text & Class \\ \hline the first line \\ and the second & a \\ \hline a short one & b \\ \hline "
    joined, grouped = table(rows, "lc"), table(rf"{rows} Group & \\ \hline Elm & a \\ Oak & b \\ \hline", "lc")
    assert [row[0].text.text for row in joined.grid] == ["Text", "the first line and the second", "a short one"]
    assert joined.rules == (1, 2, 3)
    assert [row[0].text.text for row in grouped.grid][1:3] == ["the first line", "and the second"]


def test_a_line_that_follows_a_whole_sentence_is_a_row_of_its_own():
    """Where the text above ends with a full stop or a colon."""
    found = table(r"Kind & Prompt \\ \midrule few-shot & For example: \\ & input: a text \\ none & Answer. \\", "ll")
    assert texts(found)[1:3] == [["few-shot", "For example:"], ["", "input: a text"]]


def test_text_fonts_do_not_reach_into_mathematics():
    """Only bold mathematics prints in bold; colours and lines reach everywhere."""
    assert table(r"\textbf{P$>$$|$t$|$} & \textbf{$$x$$ t} \\").grid[0][0].bold
    cells = [
        r"\textbf{$84.2$} & \bfseries $84.2$ & \textbf{Gain $r$} & \textbf{\(84.2\)}",
        r"$\mathbf{84.2}$ & \textbf{$\bm{84.2}$} & \textbf{84.2 $\pm$ 0.3} & \textbf{$\alpha$ and} \textbf{more}",
        r"\underline{$84.2$} & \textcolor{red}{$84.2$} & \textbf{$x$} \textbf{84.2} & \textit{$84.2$}",
    ]
    rows = table(r"System & A & B & C \\ \midrule" + r" \\ ".join(cells) + r" \\", "cccc").grid[1:]
    assert [[cell.bold for cell in row] for row in rows] == [
        [False] * 4,
        [True, True, True, False],
        [False, False, True, False],
    ]
    assert rows[2][0].underlined
    assert rows[2][1].colour == "red"
    assert not rows[2][3].italic


def test_two_signs_of_an_index_are_no_spread():
    """A with the index +- is a name; 0.3+-0.1 is a value with its spread."""
    row = table(r"$A_{+-}$ & $A^{+-}$ & $0.3+-0.1$ \\").grid[0]
    assert [cell.text.text for cell in row] == ["A_+-", "A^+-", "0.3±0.1"]
    assert [number.role for number in row[2].numbers] == ["value", "spread"]


def test_a_cell_that_holds_a_range_has_its_bounds():
    """From a smaller to a larger number, and nothing else; about 900 is no exact number."""
    row = table(r"10--20 & 5-10 & 2011--13 & $\sim$900 \\", "cccc").grid[0]
    assert [[number.role for number in cell.numbers] for cell in row[:3]] == [["low", "high"]] * 2 + [["value"] * 2]
    assert [number.value for number in row[1].numbers] == [5, 10]
    assert [number.relation for number in row[3].numbers] == ["≈"]
