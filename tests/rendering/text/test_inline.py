"""Prose in each format."""

from __future__ import annotations

import typing

import pytest

from reportkit.appearance.venues import VENUES
from reportkit.errors import UnknownNameError
from reportkit.rendering.text.inline import (
    Lookup,
    citing,
    html_prose,
    latex_mark,
    latex_prose,
    markdown_mark,
    markdown_prose,
    plain_prose,
)
from reportkit.report.prose import Cite, Code, Emphasis, Raised, Reference, Strong, Symbol, Text, Typeset, prose

CONTENT = (
    *prose("{k_hat} ≤ {n} & "),
    Strong("a_b"),
    Text(" "),
    Emphasis("c"),
    Text(" "),
    Code("--x"),
    Text(" "),
    Cite(("holm1979simple", "dror2017replicability")),
    Text(" "),
    Reference("table", "main"),
    Text(" "),
    Reference("figure", "forest"),
)
LOOKUP = Lookup(numbers={("table", "main"): 2, ("figure", "forest"): 1})


def test_latex() -> None:
    """Symbols are mathematics, citations and references are commands that every class knows."""
    assert latex_prose(CONTENT) == (
        r"$\hat{k}$ $\leq$ $n$ \& \textbf{a\_b} \emph{c} \texttt{-\/-x} "
        r"\cite{holm1979simple,dror2017replicability} Table~\ref{tab:main} Figure~\ref{fig:forest}"
    )


def test_markdown() -> None:
    """Citations are authors and years, references are numbers, code is code."""
    assert markdown_prose(CONTENT, LOOKUP) == (
        "k̂ ≤ *n* & **a_b** *c* `--x` (Holm, 1979; Dror et al., 2017) Table 2 Figure 1"
    )


def test_html() -> None:
    """Elements instead of signs."""
    assert html_prose(CONTENT, LOOKUP) == (
        "k̂ ≤ <i>n</i> &amp; <strong>a_b</strong> <em>c</em> <code>--x</code> "
        "(Holm, 1979; Dror et al., 2017) Table 2 Figure 1"
    )


def test_plain() -> None:
    """Words for people, and names in code for machines."""
    assert plain_prose(CONTENT, LOOKUP).startswith("k̂ ≤ n & a_b c --x (Holm, 1979;")
    assert plain_prose(prose("{k_hat} {p_u}"), machine=True) == "k_hat p_u"


def test_a_reference_without_a_number_says_its_name() -> None:
    """A table that is written by itself knows no numbers of others."""
    assert markdown_prose((Reference("table", "main"),)) == "Table “main”"


def test_an_unknown_work_is_an_error() -> None:
    """A key that is not in the literature is answered with the nearest one."""
    with pytest.raises(UnknownNameError, match="holm1979"):
        markdown_prose((Cite(("holm1979",)),))


@pytest.mark.parametrize("name", typing.get_args(typing.get_type_hints(Symbol)["name"]))
def test_every_symbol_has_every_notation(name: str) -> None:
    """A symbol of the model is known to all formats."""
    content = (Symbol(name),)  # type: ignore[arg-type]
    assert latex_prose(content).startswith("$")
    assert markdown_prose(content)
    assert html_prose(content)
    assert plain_prose(content)
    assert plain_prose(content, machine=True) == name


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("a", "**a**"),
        ("a b", "**a b**"),
        ("(a)", "<strong>(a)</strong>"),
        ("*", r"<strong>\*</strong>"),
        (" a", "<strong> a</strong>"),
        ("", ""),
        ("  ", " "),
    ],
)
def test_strong_in_markdown(text: str, markdown: str) -> None:
    """Stars stand beside letters and digits only, where every parser reads them as bold."""
    assert markdown_prose((Strong(text),)) == markdown


@pytest.mark.parametrize(
    ("text", "markdown"),
    [("a*b_", "`a*b_`"), ("a`b", r"<code>a\`b</code>"), ("a|b", "`a|b`"), (" a", "<code> a</code>")],
)
def test_code_in_markdown(text: str, markdown: str) -> None:
    """Code with a backtick or a space at its end is an element."""
    assert markdown_prose((Code(text),)) == markdown


def test_code_with_a_bar_in_a_table() -> None:
    """A bar in backticks would end the cell for some readers, and show its escape to others."""
    assert markdown_prose((Code("a|b"),), in_table=True) == r"<code>a\|b</code>"


@pytest.mark.parametrize(
    ("mark", "latex", "markdown"),
    [
        ("", "", ""),
        ("*", "$^{*}$", r"\*"),
        ("†§", r"$^{\dagger\S}$", "†§"),
        ("12", r"$^{\mathrm{12}}$", "<sup>12</sup>"),
        ("a*", r"\textsuperscript{a*}", r"<sup>a\*</sup>"),
        ("%_", r"\textsuperscript{\%\_}", "%\\_"),
    ],
)
def test_marks(mark: str, latex: str, markdown: str) -> None:
    """Signs as superscripts in LaTeX; in Markdown letters and digits are raised, signs are not."""
    assert (latex_mark(mark), markdown_mark(mark)) == (latex, markdown)


def test_a_name_in_tex_is_raw_in_latex_and_escaped_elsewhere() -> None:
    """The TeX of a user is written as it is; its plain form is data like any other."""
    content = (Typeset(r"$b_i$", "b_i|<b>"),)
    assert latex_prose(content) == "$b_i$"
    assert html_prose(content) == "b_i|&lt;b&gt;"
    assert markdown_prose(content, in_table=True) == markdown_prose((Text("b_i|<b>"),), in_table=True)
    assert plain_prose(content) == "b_i|<b>"


def test_signs_in_the_middle_of_a_cell_are_written_as_those_behind_a_number() -> None:
    """The same signs, in the same way."""
    content = (Text("72.3"), Raised("*+"), Text(" ± 0.4"))
    assert latex_prose(content) == rf"72.3{latex_mark('*+')} $\pm$ 0.4"
    assert markdown_prose(content) == rf"72.3{markdown_mark('*+')} ± 0.4"
    assert html_prose(content) == "72.3<sup>*+</sup> ± 0.4"
    assert plain_prose(content) == "72.3*+ ± 0.4"


def test_citations_are_in_brackets_in_the_style_of_every_venue() -> None:
    """By natbib's own command in the styles whose plain one prints none; elsewhere by the plain one."""
    with_natbib_alone = {"neurips", "iclr", "colm", "jmlr"}
    cited = prose("Holm {cite}.", cite=Cite(("holm1979simple",)))
    for name, venue in VENUES.items():
        with citing(venue):
            assert latex_prose(cited) == rf"Holm \{'citep' if name in with_natbib_alone else 'cite'}{{holm1979simple}}."
    assert latex_prose(cited) == r"Holm \cite{holm1979simple}."
