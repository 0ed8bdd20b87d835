"""LaTeX to a document: what is said, and exactly where it stands."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.checker.paper.latex import read_latex
from reportkit.checker.paper.reading import document_of
from reportkit.checker.paper.source import Span
from tests.conftest import unavailable


def sentences(source):
    """Cleaned sentences of a paper."""
    return [sentence.text.text for sentence in document_of(source).sentences]


CLEANED = {
    r"We \textbf{win} by~2.3\,points ($p<.05$).": "We win by 2.3\u2009points (p<.05).",
    r"It is 5\% -- not 6\,\% --- of \$3 \& more.": "It is 5% – not 6\u2009% — of $3 & more.",
    r"With $\chi^2(1) = 4.2$ and $93.1 \pm 0.4$.": "With χ^2(1) = 4.2 and 93.1 ± 0.4.",
    r"As \citet[p.~3]{a,b} say \emph{(see \S\ref{sec:x})}.": "As ⟦cite⟧ say (see §⟦ref⟧).",
    r"Caf\'e, na\"{\i}ve, \c{c}a, Erd\H{o}s.": "Café, naïve, ça, Erdős.",
    r"One\footnote{Two.} three \verb|{$%| four.": "One three four.",
    "One % two\n three.": "One three.",
    r"Run \num{9815} and \SI{5}{\percent} of $10^{-5}$.": "Run 9815 and 5% of 10^-5.",
    r"A \textcolor{red}{red} \href{http://x.y/%20}{link} \url{z}.": "A red link .",
    r"So $\hat{k}_{\mathrm{B}} = 3$.": "So k̂_B = 3.",
    r"Half \frac{1}{2} \vspace{2em} \unknown[opt]{kept}.": "Half 1/2 kept.",
    r"A$x \not\in y$, $a \not= b$, $\left. c \right|$, \^{}\~{}, F\textsubscript{}1.": "Ax ∉ y, a ≠ b, c |, ˆ~, F1.",
    r"N{\tt c}, \enquote{so \foreignlanguage{french}{dit}}, A\bfseries{} b \xspace c.": "Nc, “so dit”, A b c.",
    r"So $\frac{d y} {d x}$, $\frac{1}{1 + e}$, $\frac{a-b}{c}$, $\tfrac12$.": "So d y/d x, 1/(1 + e), (a-b)/c, 1/2.",
    r"At $30^\circ$ $f \circ g$.": "At 30^° f ∘ g.",
    r"Low \iffalse hidden \ifx a b \fi also \fi high.": "Low high.",
}


@pytest.mark.parametrize("source", CLEANED)
def test_text_is_what_a_reader_sees(source):
    """Macros resolved, mathematics as text, white space single."""
    assert sentences(source)[0] == CLEANED[source]


def test_the_authors_own_macros_are_expanded():
    r"""Without arguments, with arguments, with a default, by \def; a circular one ends."""
    source = (
        r"\newcommand{\ours}{\textsc{Net}\xspace} \newcommand\best[1]{\textbf{#1}} \newcommand{\p}[2][=]{p #1 #2}"
        r"\def\base{Base} \providecommand{\no}{no}"
        "\n\n"
        r"\ours beats \base: \best{93.1}, \p{.04}, \p[<]{.01}."
    )
    assert sentences(source)[0] == "Net beats Base: 93.1, p = .04, p < .01."


def test_every_number_is_sliced_from_the_source_at_its_place():
    """Also behind macros, in mathematics, in cells; the digits are those of the source."""
    source = (
        "\\section{A}\nWe see $-0.3$, 93.1\\%, \\textbf{9,815} and $p = 3.2$.\n\n"
        "\\begin{tabular}{l r@{}l S}\nx & 91.2 & $^{\\dagger}$ & 5.25 \\\\\n"
        "y & \\underline{92.0} & & {$7$} \\\\\n\\end{tabular}\n"
    )
    document = document_of(source)
    texts = [document.source(number.span) for number in document.numbers]
    assert texts == ["-0.3", "93.1", "9,815", "3.2", "91.2", "5.25", "92.0", "7"]
    for number in document.numbers:
        line, column = document.location(number.span)[1:3]
        assert source.splitlines()[line - 1][column - 1 :].startswith(document.source(number.span))


def test_inputs_are_followed_with_places_in_their_files(tmp_path):
    """With and without braces and ending; relative to the main file; the order of the text is that of the paper."""
    (tmp_path / "sec").mkdir()
    (tmp_path / "paper.tex").write_text(
        "\\documentclass{article}\n\\begin{document}\nFirst 1.5. \\input{sec/two}\n"
        "Last 4.5.\n\\end{document}\nNot 9.5.\n"
    )
    (tmp_path / "sec" / "two.tex").write_text("Second 2.5.\n\\include{sec/three.tex} \\input sec/four \n")
    (tmp_path / "sec" / "three.tex").write_text(
        "\\documentclass[../paper]{subfiles}\n\\begin{document}\nThird 3.5.\n\\end{document}\n"
    )
    (tmp_path / "sec" / "four.tex").write_text("\n% nothing 8.5\nFourth 3.75.")
    document = read_latex(tmp_path / "paper.tex")
    found = [(number.text, document.location(number.span).path.name, document.location(number.span).line)
             for sentence in document.sentences for number in sentence.numbers]  # fmt: skip
    assert found == [
        ("1.5", "paper.tex", 3),
        ("2.5", "two.tex", 1),
        ("3.5", "three.tex", 3),
        ("3.75", "four.tex", 3),
        ("4.5", "paper.tex", 4),
    ]
    assert document.problems == ()


def test_a_file_that_inputs_itself_is_read_once(tmp_path):
    """Directly or by way of another; the message says which."""
    (tmp_path / "a.tex").write_text("One 1.5. \\input{b}\n")
    (tmp_path / "b.tex").write_text("Two 2.5. \\input{a} \\input{b}\n")
    document = read_latex(tmp_path / "a.tex")
    assert [number.text for number in document.numbers] == ["1.5", "2.5"]
    assert sorted(problem.message.split()[0] for problem in document.problems) == ["'a.tex'", "'b.tex'"]


def test_places_sections_and_labels_are_known():
    """Abstract, heading, footnote, caption, note; the label of the float."""
    source = r"""
\begin{abstract} In short. \end{abstract}
\section{Results \emph{here}} \label{sec:r} Body one.\footnote{Foot note.} Body two.
\begin{table} \small Above. \begin{tabular}{cc} a & 1 \\ b & 2 \end{tabular}
\caption[short]{The caption. Its end. \label{tab:t}} \end{table}
\paragraph{More.} Last.
"""
    document = document_of(source)
    assert [(item.text.text, item.place, item.section) for item in document.sentences] == [
        ("In short.", "abstract", ""),
        ("Results here", "heading", "Results here"),
        ("Body one.", "body", "Results here"),
        ("Body two.", "body", "Results here"),
        ("Foot note.", "footnote", "Results here"),
        ("Above.", "note", "Results here"),
        ("The caption.", "caption", "Results here"),
        ("Its end.", "caption", "Results here"),
        ("More.", "heading", "More."),
        ("Last.", "body", "More."),
    ]
    (table,) = document.tables
    assert (table.label, table.caption.text, table.float_environment) == ("tab:t", "The caption. Its end.", "table")
    assert [item.float_label for item in document.sentences if item.place == "caption"] == ["tab:t", "tab:t"]
    assert [item.text.text for item in document.caption_of(table)] == ["The caption.", "Its end."]


def test_labels_of_items_are_text_and_arguments_of_environments_are_not():
    """Notes below a table keep their marks; widths are not printed."""
    source = (
        "\\begin{table}\\begin{subtable}[b]{.5\\linewidth}\n"
        "\\begin{tabular}{cc}a & 1 \\end{tabular}\\caption{One.}\\end{subtable}\n"
        "\\begin{tablenotes}\\item[a] Of one.\\end{tablenotes}\\caption{Both.}\\end{table}\n"
    )
    document = document_of(source)
    assert [item.text.text for item in document.sentences] == ["One.", "a Of one.", "Both."]
    assert [table.caption.text for table in document.tables] == ["One. Both."]


def test_numbers_of_a_report_are_put_in_by_their_keys(tmp_path):
    r"""`\rk{key}` reads as the number that the input file defines, and its use is known; an unknown key is marked."""
    (tmp_path / "rknumbers.tex").write_text(
        "\\makeatletter\n\\newcommand{\\rk}[1]{\\ifcsname rk@#1\\endcsname\\csname rk@#1\\endcsname\\fi}\n"
        "\\expandafter\\def\\csname rk@main/sst2/ours\\endcsname{93.1}\n\\makeatother\n"
    )
    (tmp_path / "paper.tex").write_text("\\input{rknumbers}\nOurs has \\rk{main/sst2/ours}, not \\rk{gone}.\n")
    document = read_latex(tmp_path / "paper.tex")
    assert document.sentences[-1].text.text == "Ours has 93.1, not ⟦rk⟧."
    assert [use.key for use in document.rk_keys] == ["main/sst2/ours", "gone"]
    assert document.rk_values["main/sst2/ours"].text == "93.1"
    assert document.source(document.rk_keys[0].span) == "\\rk{main/sst2/ours}"


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["\\begin{table}",
             "\\end{table}", "\\begin{tabular}{cc}", "\\end{tabular}", "{", "}", "$", "$$", "&", "\\\\",
             "\\caption{", "\\footnote{", "[", "]", "%\n", "\n\n", "\\multicolumn{2}{c}{", "\\multirow{3}{*}{", "1.5",
             "a ",
             "\\textbf", "^", "_", "\\verb|", "\\cite[", "\\newcommand{\\x}{", "\\x", "\\input{", "\\iffalse", "\\fi",
             "\\begin{verbatim}", "\\item[", "\\frac", "\\begin", "\\end", "\\", "\\'", "\\rk{", "#1", "\\def\\y",
             "\\["]
        ),
        max_size=40,
    )
)  # fmt: skip
def test_whatever_is_written_is_read(parts):
    """Any heap of pieces of LaTeX gives a document; every number stands where it says."""
    source = "".join(parts)
    document = document_of(source)
    for number in document.numbers:
        assert document.source(number.span)
    for sentence in document.sentences:
        assert 0 <= sentence.span.start <= sentence.span.end <= len(source)
    for table in document.tables:
        assert len({len(row) for row in table.grid}) <= 1


HOSTILE = {
    "braces": "{" * 200_000,
    "environments": "\\begin{a}" * 20_000,
    "tables in tables": "\\begin{tabular}{c}" * 5_000,
    "brackets": "\\cite[" * 5_000,
    "superscripts": "^{" * 20_000,
    "columns": "\\begin{tabular}{*{99}{*{99}{*{99}{c}}}}" + "&" * 50_000 + "\\end{tabular}",
    "spans": "\\begin{tabular}{c}" + "\\multicolumn{999999999}{c}{\\multirow{-99999}{*}{x}} & " * 2_000,
    "macros": "\\newcommand{\\a}[1]{#1#1#1}" + "\\a{" * 40 + "x" + "}" * 40,
    "a circle": "\\newcommand{\\a}{\\b}\\newcommand{\\b}{\\a\\a}\\a",
    "digits": "1" * 300_000 + " 1" * 20_000 + ",1" * 20_000,
    "NUL": "a\0b 1.5\0" * 1_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_input_is_read_to_its_end(name):
    """Deep nesting, endless repetition, absurd spans: no traceback, and no hang."""
    document_of(HOSTILE[name])


def test_a_long_paper_is_read_whole():
    """Every row of twenty tables on fifty pages."""
    paragraph = (
        "Lorem ipsum dolor sit amet, \\emph{consectetur} $x^2$ adipiscing 93.1\\% elit \\citep{a}, sed do eiusmod. "
        * 12
    )
    row = "x & 91.2 & $^{\\dagger}$ & \\textbf{93.1} & 0.2 $\\pm$ 0.1 \\\\\n"
    table = (
        "\\begin{table}\\begin{tabular}{l r@{}l cc}\\toprule A & \\multicolumn{2}{c}{B} & C & D\\\\\\midrule\n"
        + row * 20
        + "\\bottomrule\\end{tabular}\\caption{Scores.}\\end{table}\n"
    )
    source = ((paragraph + "\n\n") * 8 + table) * 20
    assert len(source) > 200_000
    document = document_of(source)
    assert (len(document.tables), sum(len(table.grid) for table in document.tables)) == (20, 420)


def test_macros_and_environments_are_those_of_another_parser():
    """Places of macros, comments and environments as pylatexenc finds them in a well-formed document."""
    try:
        from pylatexenc.latexwalker import (
            LatexCommentNode,
            LatexEnvironmentNode,
            LatexGroupNode,
            LatexMacroNode,
            LatexMathNode,
            LatexWalker,
        )
    except ImportError:
        unavailable("pylatexenc is not installed (it comes with the extra [test])")
    from reportkit.checker.paper.structure import Structure
    from reportkit.checker.paper.tokens import tokens_of

    source = (
        "\\section{A \\textbf{b} $x_{1}^{2}$} % one \\comment\n"
        "\\begin{itemize}\n\\item \\emph{c {d} e} 50\\% \\\\ f\n\\item $\\frac{1}{2} \\pm \\alpha$ \\& g\n"
        "\\begin{tabular}{l|c}a & \\multicolumn{2}{c}{b} \\\\ \\hline c & {\\bf d}\\\\\\end{tabular}\n\\end{itemize}\n"
    )
    macros, comments, environments = [], [], []

    def visit(nodes):
        for node in nodes or ():
            if node is None:
                continue
            if isinstance(node, LatexMacroNode):
                macros.append((node.pos, "\\" + node.macroname))
                if node.macroname == "begin":
                    continue
            elif isinstance(node, LatexCommentNode):
                comments.append(node.pos)
            elif isinstance(node, LatexEnvironmentNode):
                environments.append((node.pos, node.pos + node.len, node.environmentname))
            if getattr(node, "nodeargd", None) is not None:
                visit(node.nodeargd.argnlist)
            if isinstance(node, (LatexGroupNode, LatexMathNode, LatexEnvironmentNode)):
                visit(node.nodelist)

    visit(LatexWalker(source).get_latex_nodes()[0])
    tokens = list(tokens_of(source, 0))
    assert comments == [token.start for token in tokens if token.kind == "comment"]
    inside = [token for token in tokens if token.kind != "comment"]
    mine = [
        (token.start, token.text)
        for token in inside
        if token.kind == "macro" and token.text not in (r"\begin", r"\end")
    ]
    assert sorted(set(macros)) == mine
    structure = Structure(inside)
    found = [
        (inside[begin].start, inside[end + 3].end, structure.name_at(begin))
        for begin, end in sorted(structure.environment_end.items())
    ]
    assert sorted(environments) == found
    assert re.findall(r"\\begin\{(\w+)\}", source) == [name for _, _, name in found]


def test_a_place_in_a_table_is_called_what_readers_call_it():
    """Table, row and column by their headings, without citations; nothing outside of tables."""
    source = (
        "Ours reaches 81.0.\n\\begin{table}\\caption{Accuracy.}\\label{tab:a}\\begin{tabular}{lc}\n"
        "System & SST-2~\\cite{s} \\\\ \\hline\nOurs & 81.5 \\\\ Base & 70.0 \\\\ \\end{tabular}\\end{table}"
    )
    document = document_of(source)

    def called(text):
        start = source.index(text)
        return document.place_of(Span(0, start, start + len(text)))

    assert called("81.5") == "Table 1 (tab:a), row Ours, column SST-2"
    assert called("SST-2") == "Table 1 (tab:a), column SST-2"
    assert called("Base") == "Table 1 (tab:a), row Base"
    assert called("\\hline") == "Table 1 (tab:a)"
    assert called("81.0") == called("Accuracy") == ""


def test_an_input_ends_its_last_line(tmp_path):
    """What follows it in the same line stands apart, whether or not the file ends with a line end."""
    (tmp_path / "runs.tex").write_text("500", encoding="utf-8")
    paper = tmp_path / "paper.tex"
    paper.write_text(r"Over \input{runs}runs.", encoding="utf-8")
    assert [sentence.text.text for sentence in read_latex(paper).sentences] == ["Over 500 runs."]


@pytest.mark.parametrize("behind", [False, True])
def test_footnotes_of_tables_are_their_notes(behind):
    """With the marks that the authors give them, within the float or just behind it."""
    notes = r"\footnotetext[5]{Run by us, \url{https://example.org/run}}"
    inside, outside = ("", notes) if behind else (notes, "")
    (table,) = document_of(
        rf"\begin{{table}}\begin{{tabular}}{{lc}}Model & F1 \\ \hline Elm\footnotemark[5] & 70.2 \\ Oak & 71.3 \\"
        rf"\end{{tabular}}\caption{{Scores.}}{inside}\end{{table}}{outside}"
    ).tables
    assert table.grid[1][0].marks == ("5",)
    assert [note.text for note in table.notes] == ["^5 Run by us, https://example.org/run"]


@pytest.mark.parametrize(("package", "mark"), [("", "2"), (r"\usepackage[perpage, symbol]{footmisc}", "†")])
def test_a_raised_reference_to_a_footnote_is_its_mark(package, mark):
    """A symbol where the paper has these for numbers; a reference to anything else stays one."""
    (table,) = document_of(
        rf"{package}\begin{{document}}\begin{{table}}\begin{{tabular}}{{lc}}Model & F1 \\ \hline Elm & "
        r"70.2 \textsuperscript{\ref{foot}} \\ Oak & 71.3$^{\ref{eq}}$ \\ \end{tabular}\caption{Scores.}\end{table}"
        r"\footnotetext[2]{\label{foot} Run by us.}\end{document}"
    ).tables
    assert [row[1].marks for row in table.grid[1:]] == [(mark,), ()]
    assert [note.text for note in table.notes] == [f"^{mark} Run by us."]


def test_what_stands_in_a_footnote_of_a_table_is_read_once():
    """Labels, citations and footnotes in it: with each level, they would double."""
    depth = 12
    document = document_of(
        r"\begin{table}" + r"\footnote{Run by us \cite{own}. \label{foot}" * depth + "}" * depth + r"\end{table}"
    )
    assert len(document.labels) == len(document.citations) == depth
    assert len(document.sentences) == depth


def test_a_full_stop_behind_a_caption_is_no_note():
    r"""It stands behind `\label`, by mistake."""
    (table,) = document_of(
        r"\begin{table}\begin{tabular}{lc}Model & F1 \\ \hline Elm & 70.2 \\ Oak & 71.3 \\ \end{tabular}"
        r"\caption{Scores.}\label{t:one}.\end{table}"
    ).tables
    assert (table.caption.text, table.label, table.notes) == ("Scores.", "t:one", ())


def test_subtables_have_the_caption_and_the_label_of_their_float_too():
    """In the order in which they stand; a label of their own goes first."""
    part = r"\begin{tabular}{lc}Model & F1 \\ \hline Elm & 70.2 \\ \end{tabular}"
    one, two = document_of(
        rf"\begin{{table}}\begin{{subtable}}{{\linewidth}}{part}\caption{{On news}}\end{{subtable}}"
        rf"\begin{{subtable}}{{\linewidth}}{part}\caption{{On mail.}}\label{{b}}\end{{subtable}}"
        r"\caption{F1 in percent.}\label{all}\end{table}"
    ).tables
    assert [(table.caption.text, table.label) for table in (one, two)] == [
        ("On news. F1 in percent.", "all"),
        ("On mail. F1 in percent.", "b"),
    ]


def test_a_paragraph_in_bold_type_before_a_table_is_its_caption():
    """It begins with the number of the table; a sentence before a float is none."""
    part = r"\begin{longtable}{lc}Model & F1 \\ \hline Elm & 70.2 \\ \end{longtable}"
    document = document_of(
        rf"We ran it.\n\n\textbf{{Table 2: Scores.}}\n\n{part}\n\nTable 3: as above.\n\n{part}".replace(r"\n", "\n")
    )
    assert [table.caption.text for table in document.tables] == ["Table 2: Scores.", ""]
    assert [sentence.place for sentence in document.sentences] == ["body", "caption", "body"]
    assert [sentence.text.text for sentence in document.caption_of(document.tables[0])] == ["Table 2: Scores."]


def test_tabularray_is_told_captions_labels_and_notes():
    """Beside the table, each by its key; what else it is told prints nothing."""
    (table,) = document_of(
        r"""\begin{longtblr}[entry=none, caption = {Scores of {two} models}, label={tab:t},
note{a} = {p < .05, one-sided}, note{}={Best in bold}, remark{Source}={Our runs.},]
{colspec={lc}} Model & F1 \\ \hline Elm & 70.2$^a$ \\
\end{longtblr}"""
    ).tables
    assert (table.caption.text, table.label) == ("Scores of two models", "tab:t")
    assert [note.text for note in table.notes] == ["a p < .05, one-sided", "Best in bold", "Source: Our runs."]
