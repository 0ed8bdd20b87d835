"""Tables of LaTeX: which rows and columns name the others, and where a header stands again."""

from __future__ import annotations

import pytest

from reportkit.checker.paper.reading import document_of


def tables(content, columns="lcc"):
    """The tables that one tabular is read as."""
    caption = r"\caption{Scores.} \label{tab:scores}"
    source = f"\\begin{{table}}{caption}\\begin{{tabular}}{{{columns}}}{content}\\end{{tabular}}\\end{{table}}"
    return document_of(source).tables


def texts(found):
    """Texts of the grid."""
    return [[cell.text.text for cell in row] for row in found.grid]


ROLES = {
    r"Elm & 0.405 & 0.31 \\ Oak & 0.408 & 0.33 \\ \midrule Gold & 0.384 & 0.29 \\ All & 0.413 & 0.30 \\": (0, 1),
    r"Angle & 0.5 & 1.5 \\ \midrule Elm & 70.2 & 61.0 \\ Oak & 71.4 & 60.3 \\": (1, 1),
    r"\hline (1) & I lost the key & 16 Jun \\ \hline (2) & it is so close & 18 Jun \\ \hline": (0, 2),
    r"Data & P & R \\ \midrule & \multicolumn{1}{c}{gold} & silver \\ Elm & 70.2 & 61.0 \\ Oak & 71 & 60 \\": (1, 1),
    r"Model & P & R \\ \midrule Elm & 0.51 & 0.65 \\ & 0.54 & 0.68 \\ Oak & 0.62 & 0.79 \\ & 0.57 & 0.74 \\": (1, 1),
    r"Model & Top & F1 \\ \midrule Elm & 1 & 57.2 \\ & 3 & 41.6 \\ & all & 30.7 \\ Oak & 1 & 56.1 \\"
    r"& 3 & 41.4 \\ & all & 35.3 \\": (1, 2),
    r"Name & \multicolumn{2}{c}{Tasks} \\ & XOR & EQU \\ \midrule Control & fixed & fixed \\ Harsh & fixed & free \\": (
        2,
        1,
    ),
    r"\multicolumn{2}{c}{\bf Before} & \bf Step & \bf After \\ \bf $S$ & \bf $B$ & & \bf $S$ \\"
    r"$s$ & $b$ & Shift & $t$ \\ $t$ & $b$ & Reduce & $u$ \\": (2, 1),
    r"\vspace{1em} \\ Source & Who & is & ? \\ Target & Who & are & ! \\": (0, 1),
    r"\multicolumn{2}{c}{NLI} & \multicolumn{2}{c}{QA} \\ \midrule \multicolumn{2}{c}{92} & \multicolumn{2}{c}{5} \\"
    r"\midrule Name & EM & EM & F1 \\ \midrule Elm & 33.6 & 54.3 & 29.4 \\ Oak & 34.2 & 55.7 & 32.4 \\": (3, 1),
    r" & Short & Long \\ \midrule Evidence & salient & nearly all \\ Goals & two & most \\": (1, 1),
    r"Level & Subject & Topics \\ \midrule High & Art & forms \\ & Maths & circles \\ Low & Art & colours \\": (1, 2),
    r"$a$ & a scalar & one \\ $A$ & a matrix & many \\ $x$ & a variable & some \\": (0, 1),
    r"\textbf{Name} & \textbf{Kind} & \textbf{Role} \\ $a$ & a scalar & one \\ $A$ & a matrix & many \\": (1, 1),
    r"Gap & $N$ & F1 \\ \midrule 0.00 & 1 & 6.3 \\ 0.00 & 64 & 6.5 \\ 0.75 & 1 & 7.0 \\ 0.75 & 64 & 7.2 \\": (1, 2),
    r"Gap & EM & F1 \\ \midrule 0.00 & 1 & 6.3 \\ 0.00 & 64 & 6.5 \\ 0.75 & 1 & 7.0 \\ 0.75 & 63 & 7.2 \\": (1, 0),
    r" & & No \\ & A & match \\ Elm & 58 & 41 \\ Oak & 14 & 12 \\": (2, 1),
    r"\# & Part & Role \\ \midrule 1 & Reader & entry \\ 2 & Matcher & core \\": (1, 2),
    r"Group & $k$ & $N$ & SE \\ \midrule Shape & 12 & 1,251 & 0.04 \\ & (2) & (372) & (0.06) \\"
    r"Size & 9 & 1,425 & 0.07 \\ & (2) & (512) & (0.10) \\": (1, 1),
    r" & Short & Long & Free \\ \midrule Evidence & salient & nearly all & all \\ Goals & $\leq2$ & 3--4 & any \\"
    r"Length & 90--130 & 170--230 & any \\": (1, 1),
    r"Year & Source & Systems & Code \\ \midrule 1979 & \cite{a} & 13 & lost \\ 1979 & \cite{b} & 64 & kept \\"
    r"2002 & \cite{c} & 13 & lost \\": (1, 2),
    r"Model & Time & NLI & QA \\ \midrule & s & accuracy & F1 \\ \midrule Elm & 0.4 & 46.0 & 42.9 \\"
    r"Oak & 1.5 & 47.2 & 43.8 \\": (2, 1),
    r"Kind & Source & Target & Use & $d$ \\ \midrule Noun & \textit{owl} & birds & day & 2 \\"
    r"Verb & \textit{sit} & perch & night & 3 \\ Name & \textit{Elm} & trees & day & 2 \\": (1, 1),
    r"\multicolumn{4}{l}{Case 1} \\ \midrule Elm & a & b & c \\ Oak & d & e & f \\ \midrule"
    r"\multicolumn{4}{l}{Case 2} \\ \midrule Elm & g & h & i \\ Oak & j & k & l \\": (0, 1),
    r"Parser & P & R & F \\ \midrule Elm & 55 & 53.7 & 54.4 \\ \multicolumn{3}{l}{Oak and Elm} & 74.4 \\"
    r"\multicolumn{3}{l}{Ash and Oak} & 64.1 \\ \multicolumn{3}{l}{Fir and Ash} & 62.0 \\": (1, 1),
}


@pytest.mark.parametrize("content", ROLES)
def test_rows_and_columns_that_name_others(content):
    """Results above a rule, numbered rows, letters above results, settings, crossed ones, units, groups, words."""
    (found,) = tables(content, "lccc")
    assert (found.n_header_rows, found.n_header_columns) == ROLES[content]


GROUPS = {
    r"\bf Nodes & \\ $a$ & wm \\ $b$ & wt \\ \hline \bf Edges & \\ $c$ & x \\ \hline": (0, (0, 3)),
    r"& F1 \\ \midrule News & \\ Elm & 70.2 \\ Oak & \\ \midrule Mail & \\ Elm & 61.0 \\ Oak & \\": (1, (1, 4)),
    r"& F1 \\ \midrule \multicolumn{2}{l}{News} \\ Elm & \\ Oak & \\": (1, (1,)),
    r"& F1 \\ \midrule News & \\ Elm & 70.2 \\ \multicolumn{2}{l}{(as in 2019)} \\ Oak & 71.3 \\": (1, (1,)),
}


@pytest.mark.parametrize("content", GROUPS)
def test_rows_that_head_others(content):
    """A label without results heads nothing at the end of its block; no header is what heads a group itself."""
    (found,) = tables(content, "lc")
    assert (found.n_header_rows, found.group_rows) == GROUPS[content]
    assert [cell.text.text for cell in found.cells() if cell.header and cell.n_columns > 1] == []


SPREADS = {
    r"Name & Arm (sd) & Leg \\ \midrule jump & 1.7 (1.6) & 4.8 (0.4) \\": [["value", "spread"], ["value", "remark"]],
    r"Name & Mean & Std. \\ \midrule jump & 1.7 & 0.4 \\": [["value"], ["spread"]],
    r"Name & News & SD \\ \midrule jump & 1.7 & 0.4 \\": [["value"], ["value"]],
    r"Name & P@1 (P@5) & Size \\ \midrule jump & 1.7 (4.6) & 4 (2) \\": [["value", "value"], ["value", "remark"]],
    r"Name & P@1 (R@5) & P@1 (P) \\ \midrule jump & 1.7 (4.6) & 4 (2) \\": [["value", "remark"]] * 2,
    r" & coef & std err \\ \midrule Size & 0.117 & 0.004 \\": [["value"], ["spread"]],
    r" & [0.025 & 0.975] \\ \midrule Size & 0.111 & 0.125 \\": [["low"], ["high"]],
    r" & [0.025 & P \\ \midrule Size & 0.111 & 0.125 \\": [["value"], ["value"]],
    r"& Old & New \\ \midrule Age, mean (SD) & 31.7 (1.6) & 30.1 (2.2) \\": [["value", "spread"]] * 2,
    r"Name & $\mu$ & $\sigma$ \\ \midrule jump & 1.7 & 0.4 \\": [["value"], ["spread"]],
}


@pytest.mark.parametrize("content", SPREADS)
def test_headings_say_which_numbers_are_spreads(content):
    """Of a column or of a row; a name of two letters says so beside a mean only; bounds have a column each."""
    (found,) = tables(content)
    assert [[number.role for number in cell.numbers] for cell in found.grid[1][1:]] == SPREADS[content]
    assert found.n_header_columns == 1


REGRESSION = (
    r"& Old & New \\ \midrule Size & 0.038*** & \\ & (0.003) & \\ Age & -0.020 & 0.113* \\ & (0.013) & (0.053) \\"
)


@pytest.mark.parametrize(
    ("content", "note", "role"),
    [
        (REGRESSION, "", "spread"),
        (REGRESSION, "Values of t-statistics are in parentheses.", "remark"),
        (REGRESSION.replace("*", ""), "", "remark"),
        (REGRESSION.replace("*", ""), "Standard errors below.", "spread"),
        (REGRESSION.replace("(0.", "("), "", "remark"),
    ],
)
def test_numbers_below_coefficients_are_their_errors(content, note, role):
    """In a regression with marks, or where a note says so; other statistics and counts are none."""
    source = rf"\begin{{table}}\begin{{tabular}}{{lcc}}{content}\end{{tabular}}\par {note}\end{{table}}"
    (found,) = document_of(source).tables
    assert [number.role for row in found.grid[2::2] for cell in row for number in cell.numbers] == [role] * 3


def test_two_lists_beside_each_other_name_nothing():
    """Their cells have several numbers each, as layers have; a name may have one."""
    layers = r"$3\times3$ conv. 64 & Full $3\times3\times32$ \\ Linear $2\times128$, 64 & $3\times3$ upconv. 1 \\"
    (found,) = tables(rf"Encoder & Decoder \\ \midrule {layers}", "ll")
    assert (found.n_header_rows, found.n_header_columns) == (1, 0)
    (found,) = tables(rf"Part & Layer \\ \midrule {layers}".replace("128$, 64", "$"), "ll")
    assert found.n_header_columns == 1


def test_a_label_between_rules_heads_nothing_if_the_last_row_looks_so():
    """All of these are rows without results."""
    rows = [r"Name & F1 \\", r"\textbf{Elm} & 30.2 \\", r"\textbf{Oak} & \\", r"\textbf{Fir} & 28.1 \\"]
    last = [r"\textbf{Yew} & \\"]
    (found,) = tables(r"\hline ".join(rows + last), "lc")
    assert found.group_rows == ()
    (found,) = tables(r"\hline ".join(rows), "lc")
    assert found.group_rows == (2,)


def test_headings_of_several_columns_below_the_header():
    """Which of the columns belong together may be said below what they hold."""
    (found,) = tables(
        r"""Data & P & R & P & R \\ \midrule & \multicolumn{2}{c}{Gold set} & \multicolumn{2}{c}{Silver set} \\
Elm & 88.8 & 65.3 & 86.1 & 63.7 \\ Oak & 83.3 & 70.3 & 79.4 & 66.2 \\""",
        "lcccc",
    )
    assert (found.n_header_rows, found.column_header(3)) == (2, ("P", "Silver set"))


def test_one_column_with_rules_everywhere_has_a_header_in_another_type():
    """Three texts are three; one in bold type above them is a heading."""
    rows = r"\hline some words \\ \hline other words \\ \hline"
    assert [tables(text, "l")[0].n_header_rows for text in (rf"all words \\ {rows}", rf"\bf Words \\ {rows}")] == [0, 1]


def test_one_column_has_a_header_only_above_a_rule_of_its_own():
    """A list of layers has a title; examples that stand below one another have none."""
    (layers,) = tables(r"\toprule Encoder \\ \midrule $3\times3$ conv. 64 \\ FC 1024 \\ FC 128 10 \\ \bottomrule", "l")
    (examples,) = tables(r"User: 45 of 46 are \\ Label: calm \\ \midrule User: 12 of 15 \\ Label: awry \\", "l")
    assert (layers.n_header_rows, examples.n_header_rows) == (1, 0)


PANELS = {
    "titles": r"""\multicolumn{3}{c}{Dialogues} \\ \toprule & Elm & Oak \\ \hline Elm & - & 0.67 \\ Oak & 0.33 & - \\
\bottomrule \multicolumn{3}{c}{Stories} \\ \toprule & Fir & Ash \\ \hline Fir & - & 0.82 \\ Ash & 0.18 & - \\
\bottomrule""",
    "the same corner": r"""\toprule Model & EM & F1 \\ \midrule Elm & 70.2 & 81.0 \\ Oak & 71.4 & 82.3 \\
Model & BLEU & chrF \\ Elm & 20.2 & 41.0 \\ Oak & 21.4 & 42.3 \\ \bottomrule""",
    "rules": r"""\toprule Model & EM & F1 \\ \midrule Elm & 70.2 & 81.0 \\ Oak & 71.4 & 82.3 \\ \midrule
Ablation & BLEU & chrF \\ \midrule Elm & 20.2 & 41.0 \\ Oak & 21.4 & 42.3 \\ \bottomrule""",
}


@pytest.mark.parametrize("kind", PANELS)
def test_a_header_in_the_midst_begins_a_panel(kind):
    """Each panel is a table with its own header, and with the caption, the label and a part of the source."""
    one, other = tables(PANELS[kind])
    titles = 2 if kind == "titles" else 1
    assert (one.n_header_rows, other.n_header_rows, one.n_rows, other.n_rows) == (
        titles,
        titles,
        titles + 2,
        titles + 2,
    )
    assert (one.caption.text, one.label, one.paragraph) == (other.caption.text, other.label, other.paragraph)
    assert one.span.end <= other.span.start
    assert other.column_header(2) == {"titles": ("Stories", "Ash")}.get(kind, ("chrF",))
    assert other.grid[-1][0].header
    assert (one.rules[-1], other.rules[-1]) == ((4, 4) if kind == "titles" else (one.rules[-1], 3))


def test_headings_of_several_columns_in_the_midst_keep_the_names_of_the_columns():
    """The dataset changes, and precision and recall stay; findings name the place in the panel."""
    source = r"""\begin{table} \caption{Scores.} \label{tab:scores} \begin{tabular}{lcccc} \toprule
& \multicolumn{2}{c}{NLI} & \multicolumn{2}{c}{QA} \\ Model & P & R & P & R \\ \midrule
Elm & 88.8 & 65.3 & 86.1 & 63.7 \\ Oak & 83.3 & 70.3 & 79.4 & 66.2 \\ \midrule
& \multicolumn{2}{c}{NER} & \multicolumn{2}{c}{Tagging} \\
Elm & 78.8 & 55.3 & 76.1 & 53.7 \\ Oak & 73.3 & 60.3 & 69.4 & 56.2 \\ \bottomrule \end{tabular} \end{table}"""
    document = document_of(source)
    _, other = document.tables
    assert texts(other)[:2] == [["", "NER", "NER", "Tagging", "Tagging"], ["Model", "P", "R", "P", "R"]]
    assert [other.column_header(column) for column in (1, 4)] == [("NER", "P"), ("Tagging", "R")]
    assert document.place_of(other.grid[2][1].span) == "Table 1 (tab:scores), row Elm, column NER / P"


def test_words_among_results_begin_no_panel():
    """A setting in words, between rules or not, and what is nowhere a result."""
    settings = r"""\toprule & Elm & Oak \\ \midrule Layers & 12 & 24 \\ Heads & 8 & 16 \\ Optimizer & Adam & SGD \\
Batch & 32 & 64 \\ \bottomrule"""
    ruled = r"""\hline & Elm & Oak \\ \hline Layers & 12 & 24 \\ \hline Optimizer & Adam & SGD \\ \hline
Batch & 32 & 64 \\ \hline"""
    for content in (settings, ruled):
        (found,) = tables(content)
        assert found.n_header_rows == 1


def test_a_heading_of_rows_may_say_more_in_parentheses():
    """`Generalization & (n = 100 each)` is a heading; a result with a remark, a standard error or a remark is none."""
    (found,) = tables(
        r"Split & Exact match \\ \midrule Test & 99.9 \\ Generalization & (n = 100 each) \\ Passive & 98.4 \\"
        r"Dative & 97.1 (two runs) \\",
        "lc",
    )
    assert found.group_rows == (2,)
    (found,) = tables(
        r" & (1) & (2) \\ \midrule Age & 0.5 & \\ & (0.1) & \\ Constant & 0.7 & 0.8 \\ & (0.2) & (0.3) \\"
    )
    assert found.group_rows == ()
    (found,) = tables(
        r"Rate & F1 \\ \midrule 0 & 15.9 \\ \multicolumn{2}{l}{(at 0 nothing changes)} \\ 1 & 16.7 \\", "lc"
    )
    assert found.group_rows == ()


def test_text_that_goes_on_beside_a_blank_label_heads_no_rows():
    """A heading of rows stands in the first column, or spans several."""
    (found,) = tables(
        r"Shots & Prompt & F1 \\ \midrule 0 & Read the text. & 41.0 \\ & Name the aspects. & \\ 5 & As above. & 44.2 \\"
        r"\multicolumn{3}{c}{Ablations} \\ 10 & As above. & 45.1 \\"
    )
    assert found.group_rows == (4,)


def test_a_label_that_ends_with_a_comma_goes_on_in_the_next_row():
    """The results beside it span both rows."""
    (found,) = tables(
        r"Losses & P & R \\ \midrule A & 0.7 & 0.6 \\ A, B, & \multirow{2}{*}{0.8} & \multirow{2}{*}{0.9} \\ C & & \\"
    )
    assert texts(found) == [["Losses", "P", "R"], ["A", "0.7", "0.6"], ["A, B, C", "0.8", "0.9"]]


def test_what_the_paper_defines_anew_and_what_takes_no_option():
    """A caron defined anew as a vector is one, and a bracket after a new line is text."""
    (found,) = tables(
        r"\renewcommand{\v}[1]{\mathbf{#1}} Case & $p(\v{x})$ & Found \\"
        r"\midrule A & 0.7 & [a],\newline [b] \\ B & 0.5 & [c] \\"
    )
    assert texts(found)[:2] == [["Case", "p(x)", "Found"], ["A", "0.7", "[a], [b]"]]


def test_a_label_broken_at_parentheses_over_rows_of_results_spans_them():
    """A remark in parentheses goes on below; labels of their own stay apart."""
    (found,) = tables(
        r"Model & Data & F1 \\ \midrule Elm & Small & 4.1 \\ (base, & Large & 9.5 \\ five seeds) & Both & 9.9 \\"
        r"& All & 9.8 \\ \midrule Oak & Small & 4.2 \\ Ash (new) & Large & 9.1 \\"
    )
    labels = ["Model", *["Elm (base, five seeds)"] * 4, "Oak", "Ash (new)"]
    assert [row[0] for row in texts(found)] == labels


WORDS = {
    "bold": r"""\hline \textbf{Example} & \textbf{Pattern} \\ \hline she sang & det verb \\ a boy ran & det noun
verb \\ \hline \textbf{Clause} & \textbf{Sequence} \\ \hline she said that he ran & verb that verb \\ \hline""",
    "double rules": r"""\hline Example & Pattern \\ \hline\hline she sang & det verb \\ \hline a boy ran & det noun
verb \\ \hline\hline Clause & Sequence \\ \hline\hline she said that he ran & verb that verb \\ \hline""",
}


@pytest.mark.parametrize("kind", WORDS)
def test_a_header_among_words_is_set_like_the_first_one(kind):
    """Bold between rules as no other row, or between double rules."""
    one, other = tables(WORDS[kind], "ll")
    assert (texts(one)[0], one.n_rows) == (["Example", "Pattern"], 3)
    assert (texts(other)[0], other.n_header_rows, other.n_rows) == (["Clause", "Sequence"], 1, 2)


def test_bold_headers_among_words_share_words_and_need_no_rules():
    """Each of them repeats one of those above; a bold row that shares none is of words like the others."""
    low, high, last = tables(
        r"\textbf{few} & \textbf{News} \\ Elm & it is old \\ Oak & it is odd \\ \textbf{few} & \textbf{Mail} \\"
        r"Elm & I was new \\ Oak & I was now \\ \textbf{many} & \textbf{Mail} \\ Elm & we ran \\ Oak & we run \\",
        "ll",
    )
    assert [texts(found)[0] for found in (low, high, last)] == [["few", "News"], ["few", "Mail"], ["many", "Mail"]]
    assert {(found.n_header_rows, found.n_rows) for found in (low, high, last)} == {(1, 3)}
    (whole,) = tables(
        r"\textbf{few} & \textbf{News} \\ Elm & it is old \\ \textbf{Oak} & \textbf{it is odd} \\ Ash & it \\"
        r"\textbf{few} & \textbf{Mail} \\ Elm & I was new \\",
        "ll",
    )
    assert whole.n_rows == 6


def test_a_header_in_the_midst_may_begin_as_the_first_one_and_span():
    """Where it holds a sentence above the results."""
    one, other = tables(
        r"""Text: & \multicolumn{2}{l}{She is here.} \\ & he & 0.7 \\ & it & 0.9 \\ \hline
Text: & \multicolumn{2}{l}{This is old.} \\ & that & 0.1 \\ & what & 0.2 \\""",
    )
    assert (one.n_rows, other.n_rows, other.grid[0][1].text.text) == (3, 3, "This is old.")


def test_tables_side_by_side_are_tables():
    """The same headings again, behind further labels; what is blank in one of them is none of its rows."""
    source = r"""\begin{table}\caption{Sizes.}\begin{tabular}{ll|ll} \toprule Elm & Tokens & Oak & Tokens \\ \midrule
Leaf & 38,906 & Bark & 15,341 \\ Root & 216,100 & Seed & 19,112 \\ Stem & 285,895 & & \\ \bottomrule
\end{tabular}\end{table}"""
    document = document_of(source)
    one, other = document.tables
    assert texts(one) == [["Elm", "Tokens"], ["Leaf", "38,906"], ["Root", "216,100"], ["Stem", "285,895"]]
    assert texts(other) == [["Oak", "Tokens"], ["Bark", "15,341"], ["Seed", "19,112"]]
    assert (one.rules, other.rules, other.n_header_columns, other.caption.text) == ((0, 1, 4), (0, 1, 3), 1, "Sizes.")
    assert [cell.column for cell in other.grid[1]] == [0, 1]
    assert document.place_of(other.grid[2][1].span) == "Table 1, row Seed, column Tokens"


def test_pairs_of_names_and_values_side_by_side_are_tables():
    """Without a header: names are bold or end with a colon, and values are neither."""
    one, other = tables(
        r"""\textbf{Model:} & OLS & \textbf{R-squared:} & 0.77 \\ \textbf{Rows:} & 145 & \textbf{Cond. No.} & 12.2 \\
& & \textbf{AIC:} & -647.0 \\""",
        "lclc",
    )
    assert (texts(one), one.n_header_columns) == ([["Model:", "OLS"], ["Rows:", "145"]], 1)
    assert texts(other) == [["R-squared:", "0.77"], ["Cond. No.", "12.2"], ["AIC:", "-647.0"]]


def test_two_names_in_a_row_of_results_are_one_table():
    """Of a smaller and a larger model each, with what lies between them."""
    (found,) = tables(
        r"Small & F1 & Large & F1 & Gain \\ \midrule Elm & 70.1 & Oak & 71.2 & 1.1 \\ Fir & 72.3 & Yew & 74 & 2 \\",
        "lclcc",
    )
    assert found.n_columns == 5


def test_two_numbers_below_or_beside_the_name_of_an_interval_are_bounds():
    """Without brackets around them; a number alone, or one with a remark, is none."""
    (found,) = tables(r"Split & F1 & 95\% CI \\ \midrule dev & 19.7 & 17.0--22.4\% \\ test & 40.2 & 36.1 to 44.2 \\")
    assert [[number.role for number in row[2].numbers] for row in found.grid[1:]] == [["low", "high"]] * 2
    (found,) = tables(r"Metric & Elm & Oak \\ \midrule Rate & 54.5 & 63.5 \\ 95\% CI & 40.4--68.1\% & 50 (two) \\")
    assert [[number.role for number in cell.numbers] for cell in found.grid[2][1:]] == [["low", "high"], ["value"]]
