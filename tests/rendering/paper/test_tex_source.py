"""The scanner of LaTeX: what is a comment, what is verbatim, which environment holds what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.rendering.paper.tex_source import scan


def _labels(text: str) -> list[str]:
    return [item.name for item in scan(text).labels]


@pytest.mark.parametrize(
    "hidden",
    [
        "% \\label{x}\n",
        "text % \\label{x}\r\nmore",
        "\\verb|\\label{x}|",
        "\\verb*+\\label{x}+",
        "\\lstinline{\\label{x}}",
        "\\lstinline[language=TeX]!\\label{x}!",
        "\\mintinline{tex}{\\label x}\\mintinline{tex}|\\label{x}|",
        "\\begin{verbatim}\n\\label{x}\n\\end{verbatim}",
        "\\begin{lstlisting}[a=b]\n\\label{x}\n\\end{lstlisting}",
        "\\begin{minted}{tex}\n\\label{x}\\end{minted}",
        "\\begin{comment}\n\\label{x}\n\\end{comment}",
        "\\begin{filecontents*}{a.tex}\n\\label{x}\n\\end{filecontents*}",
        "\\iffalse \\ifx\\a\\b \\fi \\label{x} \\fi",
        "\\iffalse \\label{x} \\else \\fi",
    ],
)
def test_labels_that_tex_does_not_see(hidden: str) -> None:
    """They are known as hidden ones, and what comes after is seen."""
    source = scan(hidden + "\n\\label{y}")
    assert [item.name for item in source.labels] == ["y"]
    if "minted" not in hidden:
        assert [item.name for item in source.hidden] == ["x"]


@pytest.mark.parametrize(
    "shown",
    [
        "\\% \\label{x}",
        "\\\\% not this \\label{z}\n\\label{x}",
        "\\label {x}",
        "\\label%\n{z}\\label{x}",
        "\\caption[short]{long \\label{x}}",
        "\\iffalse a \\else \\label{x} \\fi",
        "\\iftrue \\label{x} \\fi",
        "\\verb|a| \\label{x} \\verb|b|",
        "\\verbose \\label{x}",
        "\\begin{verbatimish}\\label{x}\\end{verbatimish}",
    ],
)
def test_labels_that_tex_sees(shown: str) -> None:
    """An escaped percent sign is no comment; a command with a longer name is another command."""
    assert "x" in _labels(shown)


def test_nothing_comes_after_the_document() -> None:
    """What stands behind its end is not the paper."""
    assert _labels("\\begin{document}\\label{x}\\end{document}\\label{y}") == ["x"]


def test_environments_around_a_label() -> None:
    """From the outermost to the innermost, also where an inner one is never closed."""
    text = "\\begin{a}\\begin{b}\\label{x}\\end{b}\\begin{c}\\label{y}\\end{a}\\begin{ d }\\label{z}\\end{d}"
    source = scan(text)
    around = {item.name: [one.name for one in source.around(item.span.start)] for item in source.labels}
    assert around == {"x": ["a", "b"], "y": ["a"], "z": ["d"]}
    assert [text[one.span.start : one.span.end] for one in source.around(source.labels[2].span.start)] == [
        "\\begin{ d }\\label{z}\\end{d}"
    ]


def test_captions_reach_to_their_last_brace() -> None:
    """With a short form, braces within, an escaped brace, and a comment with a brace."""
    for caption in (
        "\\caption{a}",
        "\\caption[s{]}]{a {b} \\} c}",
        "\\caption*{a}",
        "\\caption\n {a % }\n b}",
        "\\captionof{table}",
    ):
        text = f"x {caption} y"
        (span,) = scan(text).captions
        assert text[span.start : span.end] == caption


def test_files_that_are_read() -> None:
    """With and without braces; not in comments."""
    text = "\\input{a}\\include{b/c}\\input d.tex\n%\\input{e}\n\\inputenc{f}\\subfile{g}"
    assert [item.name for item in scan(text).reads] == ["a", "b/c", "d.tex", "g"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_regions_between_comments(end: str) -> None:
    """From the line behind the first to the line of the second, indented or not."""
    text = end.join(["a", "% reportkit: begin results", "x", "  % reportkit: end results", "b"])
    (region,) = scan(text).regions
    assert text[region.span.start : region.span.end] == f"x{end}"
    assert [text[span.start : span.end] for span in region.names] == ["results", "results"]


@pytest.mark.parametrize(
    "text",
    [
        "% reportkit: begin a\n",
        "% reportkit: end a\n",
        "% reportkit: begin a\n% reportkit: end b\n",
        "% reportkit: begin a\n% reportkit: begin a\n% reportkit: end a\n",
    ],
)
def test_regions_that_do_not_match_are_noted(text: str) -> None:
    """So that nothing is replaced by guess."""
    assert scan(text).unpaired


def test_files_of_reportkit_are_known(small_report) -> None:
    """By their first line."""
    from reportkit.rendering.latex.latex import latex_table

    written = latex_table(small_report.tables[0], small_report.signature)
    assert scan(written).generated
    assert not scan("% reportkit: begin results\n" + written).generated


@pytest.mark.slow
@given(st.text("\\{}[]%ab \n\r|", max_size=40) | st.text(max_size=30))
def test_no_text_stops_the_scanner(text: str) -> None:
    """And everything that it finds lies within the text."""
    source = scan(text)
    for item in source.environments:
        assert 0 <= item.span.start <= item.body.start <= item.body.end <= item.span.end <= len(text)
    for span in source.captions:
        assert 0 <= span.start < span.end <= len(text)


PIECES = st.sampled_from(
    (
        *("\\begin{table}", "\\end{table}", "\\begin{a}", "\\end{a}", "\\label{x}", "%", "\n", "\\verb|", "|"),
        *("\\iffalse ", "\\fi ", "\\else ", "\\begin{verbatim}", "\\end{verbatim}", "\\caption{", "}", "\\", "text "),
    )
)


@given(st.lists(PIECES, max_size=15))
def test_no_pieces_stop_the_scanner(pieces: list[str]) -> None:
    """In any order; labels that are seen and labels that are hidden are not the same."""
    source = scan("".join(pieces))
    seen = {item.span.start for item in source.labels}
    assert not seen & {item.span.start for item in source.hidden}
