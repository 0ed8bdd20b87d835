"""LaTeX to a document: what is said, and exactly where it is."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.checker.paper.expansion import read_latex
from reportkit.checker.paper.reading import document_of
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
    r"A$x \not\in y$, $a \not= b$, \^{}\~{}.": "Ax ∉ y, a ≠ b, ˆ~.",
    r"N{\tt c}, \enquote{so \foreignlanguage{french}{dit}}, A\bfseries{} b \xspace c.": "Nc, “so dit”, A b c.",
    r"So $\frac{1}{2}$.": "So 1/2.",
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
    assert (table.label, table.caption.text) == ("tab:t", "The caption. Its end.")
    assert [item.text.text for item in document.paragraph(table.paragraph)] == ["The caption.", "Its end."]


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


def test_what_stands_in_a_footnote_of_a_table_is_read_once():
    """Labels and footnotes in it: with each level, they would double."""
    depth = 12
    document = document_of(
        r"\begin{table}" + r"\footnote{Run by us \cite{own}. \label{foot}" * depth + "}" * depth + r"\end{table}"
    )
    assert len(document.labels) == depth
    assert len(document.sentences) == depth
