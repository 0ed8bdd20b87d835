"""Plain text in LaTeX, Markdown and HTML: it prints as it was given, and nothing in it is an instruction."""

from __future__ import annotations

import re
import string
import sys
import unicodedata
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from reportkit.rendering.text.escaping import (
    COMMANDS,
    NEEDS_T1,
    PASSED,
    SUBSCRIPTS,
    SUPERSCRIPTS,
    coded,
    escape_html,
    escape_latex,
    escape_markdown,
    guard_line_start,
    terminal_text,
    unsettable,
    visible,
)
from tests.rendering.conftest import Compile

NAMES = st.text(alphabet=string.printable + "éłαβ≤−→中ش👩\u0301\u202e²₁“”–…", max_size=30)
GFM = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def inline_text(markdown: str) -> str:
    """Text of a document of one paragraph; fails if it holds anything but text."""
    opened, content, closed = GFM.parse(markdown)
    assert (opened.type, content.type, closed.type) == ("paragraph_open", "inline", "paragraph_close")
    assert {child.type for child in content.children or []} <= {"text", "text_special"}
    return "".join(child.content for child in content.children or [])


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        (r"R&D_50%~{x}\^$#", r"R\&D\_50\%\textasciitilde{}\{x\}\textbackslash{}\textasciicircum{}\$\#"),
        ("a--b ---", r"a-\/-b -\/-\/-"),
        ("’’ “‘x’”", r"'\/' ``\/`x'\/''"),
        ("[a] *b*", "{[}a] *b*"),
        (" *b*", " {*}b*"),
        ("3.9×10⁻¹⁰", r"3.9$\times$10$^{-10}$"),
        ("x₁₂", "x$_{12}$"),
        ("e\u0301 ĵ", "é ĵ"),
        ("two\r\n lines\tand a\x07bell", r"two lines and a\textbackslash{}x07bell"),
        ("\u202eabc", r"\textbackslash{}u202eabc"),
        ("\ud800", r"\textbackslash{}ud800"),
        ("中文 שלום", "中文 שלום"),
        ("%\u0301", "\\%\u0301"),
        ("²\u0301", "$^{2}$\u0301"),
    ],
)
def test_latex_of_a_text(text: str, latex: str) -> None:
    """Signs of TeX, ligatures, accents, exponents and controls are written so that they print as given."""
    assert escape_latex(text) == latex


@given(NAMES)
@settings(deadline=None, max_examples=200)
def test_latex_has_no_bare_special_sign(text: str) -> None:
    """Outside of the commands that escaping itself writes, no sign with a meaning in TeX is left."""
    rest = escape_latex(text)
    for command in sorted({*COMMANDS.values(), "$^{", "$_{"}, key=len, reverse=True):
        rest = rest.replace(command, " ")
    for sign in "#%&~":
        assert sign not in rest


def test_long_names_may_break_and_words_may_not() -> None:
    """A long name breaks after its joints without a hyphen; ordinary words are left to TeX."""
    assert escape_latex("a_very_long_name_of_a_model", breakable=True).count(r"\allowbreak{}") == 6
    assert r"\allowbreak" not in escape_latex("internationalisation of short_name words", breakable=True)
    assert escape_latex("x" * 30, breakable=True) == "x" * 30
    assert escape_latex("claude-4sonnet-10132025", breakable=True) == (
        r"claude-\allowbreak{}4sonnet-\allowbreak{}10132025"
    )
    assert escape_latex("X9" * 32, breakable=True).count(r"\allowbreak") == 7


def test_unsettable_names_other_scripts_only() -> None:
    """Latin, Greek and mathematics are set by pdflatex; other scripts and emoji are named, joiners are not."""
    assert unsettable("naïve Łódź κ ≤ 3 → “x” ²") == set()
    assert unsettable("中a文 👩\u200d🔬 русский\u0301") == set("中文👩🔬русскй") | {"\u0301"} | set("и")
    assert unsettable("\u202e\x07\ud800") == set()


@given(NAMES)
@settings(deadline=None, max_examples=300)
def test_markdown_shows_the_text(text: str) -> None:
    """A paragraph of escaped text holds that text and nothing else: no emphasis, link, code, HTML, list or heading."""
    shown = visible(text).strip()
    if shown:
        assert inline_text(guard_line_start(escape_markdown(text))).strip() == shown


@given(NAMES, NAMES)
@settings(deadline=None, max_examples=200)
def test_markdown_stays_in_its_cell(left: str, right: str) -> None:
    """Escaped text in a table neither ends its cell nor the table."""
    source = f"| a | b |\n| --- | --- |\n| {escape_markdown(left)} | {escape_markdown(right)} |\n"
    tokens = GFM.parse(source)
    cells = [tokens[i + 1] for i, token in enumerate(tokens) if token.type == "td_open"]
    assert ["".join(child.content for child in cell.children or []).strip() for cell in cells] == [
        visible(left).strip(),
        visible(right).strip(),
    ]


@pytest.mark.parametrize(
    "text", ["my_model_2", "p <.001, n > 3", "R&D at 50%", "AT&T; done", "it's (really) fine.", "k̂ = 3 − 1", "a/b:c"]
)
def test_markdown_leaves_ordinary_text_alone(text: str) -> None:
    """What is no instruction is not escaped, so that the source reads well."""
    assert escape_markdown(text).replace(r"AT\&T;", "AT&T;") == text


@pytest.mark.parametrize("text", ["1. x", "12) x", "- x", "+ x", "> x", "a. x", "(iv) x", ": x", "=== x", "-", "% x"])
def test_line_start_is_guarded(text: str) -> None:
    """Nothing at the start of a line makes a list, a quotation, a definition or a heading."""
    assert "\\" in guard_line_start(escape_markdown(text))
    assert inline_text(guard_line_start(escape_markdown(text))) == text


def test_pandoc_and_github_extensions_are_escaped() -> None:
    """Citations, mathematics, sub- and superscripts, attributes, dashes and bare addresses stay text."""
    assert escape_markdown("@key $x$ ~a~ ^b^ {.c} a--b ...") == r"\@key \$x\$ \~a\~ \^b\^ \{.c\} a-\-b .\.\."
    assert escape_markdown("http://a.b www.a.b") == r"http\://a.b www\.a.b"


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.content = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)

    def handle_comment(self, data: str) -> None:
        self.elements.append("comment")

    def handle_data(self, data: str) -> None:
        self.content += data


@given(NAMES)
@settings(deadline=None, max_examples=200)
def test_html_shows_the_text(text: str) -> None:
    """A parser of HTML finds the text and no element."""
    parser = _Texts()
    parser.feed(escape_html(text))
    parser.close()
    assert (parser.elements, parser.content) == ([], visible(text))


@pytest.mark.tex
def test_every_known_character_compiles(compile_tex: Compile) -> None:
    """Each character that is said to be settable is set with T1, and without T1 unless said otherwise."""
    known = sorted({*COMMANDS, *PASSED, *SUPERSCRIPTS, *SUBSCRIPTS} - {"\u00ad"})
    for encoding in ("T1", "OT1"):
        characters = [sign for sign in known if encoding == "T1" or sign not in NEEDS_T1]
        lines = "\n\n".join(escape_latex(f"x{sign}x {sign}") for sign in characters)
        head = "\\documentclass{article}\n" + ("\\usepackage[T1]{fontenc}\n" if encoding == "T1" else "")
        compiled = compile_tex(f"{head}\\begin{{document}}\n{lines}\n\\end{{document}}\n")
        assert "Missing character" not in compiled.log


@pytest.mark.tex
def test_ascii_prints_exactly(compile_tex: Compile) -> None:
    """Strings of all printable signs of ASCII are read back from the PDF as they were given."""
    signs = string.punctuation + "aZ09"
    texts = ["".join(signs[(i * step + step) % len(signs)] for i in range(12)) for step in range(1, 30)]
    texts += [r"R&D_50%~{x}\^$#", "--fast --- <<x>> ,,y'' ?`!`", "\"q\" `q` 'q'"]
    lines = "\n\n".join(rf"\noindent\texttt{{{escape_latex(text, typewriter=True)}}}|" for text in texts)
    lines += "\n\n" + "\n\n".join(rf"\noindent {escape_latex(text)}|" for text in texts)
    source = "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{lmodern}\\begin{document}\\raggedright\n"
    printed = compile_tex(source + lines + "\n\\end{document}\n").text
    found = [line.strip().removesuffix("|") for line in printed.splitlines() if line.strip().endswith("|")]
    plain = [text.replace("'", "’") for text in texts]
    assert [line.replace("'", "’") for line in found] == [*plain, *plain]


def test_every_sign_that_could_act_on_a_reader_or_a_terminal_is_written_as_its_code():
    """All controls, all characters with Unicode's property Bidi_Control, lone surrogates; anywhere in a text."""
    controls = [
        chr(number) for number in range(sys.maxunicode + 1) if unicodedata.category(chr(number)) in ("Cc", "Cs")
    ]
    direction = [*"\u061c\u200e\u200f", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))]
    for sign in (*controls, *direction, "\u2028", "\u2029"):
        for text in (sign, f"a{sign}b"):
            assert sign not in visible(text)
            assert sign == "\t" or sign not in coded(text)
            assert sign in "\n\t" or sign not in terminal_text(text)
    assert coded("a\tb  \u05d0") == "a\tb  \u05d0"


@pytest.mark.parametrize("space", ["", " ", "\t", " \u00a0", "\u2003", "\u3000", "\r", "\v", "\x1c", "\x85"])
@pytest.mark.parametrize("before", ["", "text\n", "text\r\n"])
def test_no_line_is_a_command_to_a_runner(before, space):
    """GitHub trims white space of any kind before `::`, and looks for `##[` anywhere in the line."""
    for command in (
        "::error::x",
        "::add-mask::x",
        "a ##[error]x",
        "##vso[task.setvariable x]",
        "##teamcity[x]",
        "###[x]",
    ):
        for line in terminal_text(f"{before}{space}{command}").split("\n"):
            assert not line.strip().startswith("::")
            assert re.search(r"##\w*\[", line) is None
    assert terminal_text("a :: b, C++::x, # [x], ## Heading") == "a :: b, C++::x, # [x], ## Heading"
