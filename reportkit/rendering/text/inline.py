"""Prose in each format: words are escaped, symbols, citations and references are written in the format's own way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal, assert_never

from reportkit.appearance.venues import Venue
from reportkit.rendering.text.escaping import escape_html, escape_latex, escape_markdown, visible
from reportkit.rendering.text.latex_characters import GREEK, MATHEMATICS
from reportkit.report.prose import (
    Cite,
    Code,
    Emphasis,
    Inline,
    Prose,
    Raised,
    Reference,
    Strong,
    Symbol,
    Text,
    Typeset,
)
from reportkit.report.references import REFERENCES, Entry


@dataclass(frozen=True, slots=True)
class _Notation:
    latex: str
    html: str
    plain: str
    machine: str


_SYMBOLS: dict[str, _Notation] = {
    "k_hat": _Notation(r"$\hat{k}$", "k̂", "k̂", "k_hat"),
    "k_hat_bonferroni": _Notation(
        r"$\hat{k}_{\mathrm{Bonf.}}$", "k̂<sub>Bonf.</sub>", "k̂ (Bonferroni)", "k_hat_bonferroni"
    ),
    "k_hat_fisher": _Notation(r"$\hat{k}_{\mathrm{Fisher}}$", "k̂<sub>Fisher</sub>", "k̂ (Fisher)", "k_hat_fisher"),
    "k_hat_count": _Notation(r"$\hat{k}_{\mathrm{count}}$", "k̂<sub>count</sub>", "k̂ (count)", "k_hat_count"),
    "p_u": _Notation(r"$p^{u/N}$", "<i>p</i><sup><i>u</i>/<i>N</i></sup>", "p(u/N)", "p_u"),
    "alpha": _Notation(r"$\alpha$", "α", "α", "alpha"),
    "delta": _Notation(r"$\delta$", "δ", "δ", "delta"),
    "n": _Notation("$n$", "<i>n</i>", "n", "n"),
    "N": _Notation("$N$", "<i>N</i>", "N", "N"),
    "p": _Notation("$p$", "<i>p</i>", "p", "p"),
    "u": _Notation("$u$", "<i>u</i>", "u", "u"),
}

_NAMES = {"table": "Table", "figure": "Figure"}
PREFIXES = {"table": "tab", "figure": "fig"}
"""Of labels, in LaTeX and HTML."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """What references and citations resolve to where no LaTeX does it.

    Parameters
    ----------
    numbers : mapping of (kind, name) to int
        Numbers of the tables and figures of a report; empty outside of one.
    references : mapping of str to Entry
        The literature.
    linked : bool
        HTML: citations and references are links to `#ref-<key>`, `#tab:<name>` and `#fig:<name>` on the same page.
    """

    numbers: Mapping[tuple[str, str], int] = field(default_factory=dict)
    references: Mapping[str, Entry] = field(default_factory=lambda: REFERENCES)
    linked: bool = False

    def cited(self, keys: tuple[str, ...]) -> str:
        """Authors and years in brackets: `(Dror et al., 2017; Holm, 1979)`."""
        return "(" + "; ".join(self.references[key].short for key in keys) + ")"

    def named(self, kind: Literal["table", "figure"], name: str) -> str:
        """`Table 1`, or its name where there is no number."""
        number = self.numbers.get((kind, name))
        return f"{_NAMES[kind]} {number}" if number is not None else f"{_NAMES[kind]} “{name}”"


_RELATION = re.compile(r" (\$(?:\\leq|\\geq|<|>)\$) |(?<=\$) (=) (?=[\d.])")
"""A sign of comparison between spaces, or = behind a symbol: in running text, no line ends at it."""


_citation: ContextVar[str] = ContextVar("citation", default="cite")


@contextmanager
def citing(venue: Venue) -> Iterator[None]:
    """Write citations in LaTeX inside as the style of a venue has them in brackets."""
    token = _citation.set(venue.citation)
    try:
        yield
    finally:
        _citation.reset(token)


def latex_prose(content: Prose, *, breakable: bool = False) -> str:
    r"""Write prose as LaTeX.

    Parameters
    ----------
    content : Prose
        Anything; `()` gives the empty string.
    breakable : bool
        Running text: long names may break at the end of a line, and ≤ stays with what it compares.

    Examples
    --------
    >>> from reportkit.report.prose import Cite, Reference, prose
    >>> print(latex_prose(prose("{k_hat} = 3 {cite}, see {table}.", cite=Cite(("holm1979simple",)),
    ...                         table=Reference("table", "main"))))
    $\hat{k}$ = 3 \cite{holm1979simple}, see Table~\ref{tab:main}.
    """
    written = "".join(_latex(part, breakable) for part in content)
    return _RELATION.sub(lambda found: f"~{found[1] or found[2]}~", written) if breakable else written


def _latex(part: Inline, breakable: bool) -> str:
    match part:
        case Text(text):
            return escape_latex(text, breakable=breakable)
        case Symbol(name):
            return _SYMBOLS[name].latex
        case Strong(text):
            return rf"\textbf{{{escape_latex(text, breakable=breakable)}}}"
        case Emphasis(text):
            return rf"\emph{{{escape_latex(text, breakable=breakable)}}}"
        case Code(text):
            return rf"\texttt{{{escape_latex(text, breakable=breakable, typewriter=True)}}}"
        case Cite(keys):
            return rf"\{_citation.get()}{{{','.join(keys)}}}"
        case Reference(kind, name):
            return rf"{_NAMES[kind]}~\ref{{{PREFIXES[kind]}:{name}}}"
        case Typeset(latex, _):
            return latex
        case Raised(signs):
            return latex_mark(signs)
        case _:
            assert_never(part)


def symbol_in_latex(name: str) -> str:
    r"""Notation of a symbol as mathematics: `$\hat{k}$`.

    Examples
    --------
    >>> print(symbol_in_latex("p_u"))
    $p^{u/N}$
    """
    return _SYMBOLS[name].latex


def markdown_prose(content: Prose, lookup: Lookup | None = None, *, in_table: bool = False) -> str:
    r"""Write prose as Markdown that reads well on GitHub, in pandoc and as it stands.

    Parameters
    ----------
    content : Prose
        Anything.
    lookup : Lookup, optional
        Numbers of tables and figures, and the literature.
    in_table : bool
        The text stands in a cell of a table.

    Examples
    --------
    >>> from reportkit.report.prose import Cite, Strong, prose
    >>> print(markdown_prose(prose("{k_hat} = 3 {cite}, {n} = 2: {a}", cite=Cite(("holm1979simple",)), a=Strong("a_"))))
    k̂ = 3 (Holm, 1979), *n* = 2: <strong>a\_</strong>
    """
    return "".join(_markdown(part, lookup or Lookup(), in_table) for part in content)


def _markdown(part: Inline, lookup: Lookup, in_table: bool) -> str:
    match part:
        case Text(text):
            return escape_markdown(text)
        case Symbol(name):
            return _SYMBOLS[name].html.replace("<i>", "*").replace("</i>", "*")
        case Strong(text):
            return _emphasised(text, "**", "strong")
        case Emphasis(text):
            return _emphasised(text, "*", "em")
        case Code(text):
            return _markdown_code(text, in_table)
        case Cite(keys):
            return escape_markdown(lookup.cited(keys))
        case Reference(kind, name):
            return escape_markdown(lookup.named(kind, name))
        case Typeset(_, text):
            return escape_markdown(text)
        case Raised(signs):
            return markdown_mark(signs)
        case _:
            assert_never(part)


def _emphasised(text: str, sign: str, element: str) -> str:
    """Stars work beside letters and digits only; elsewhere an element does it."""
    shown = visible(text)
    inner = escape_markdown(shown)
    if shown and shown[0].isalnum() and shown[-1].isalnum():
        return f"{sign}{inner}{sign}"
    return f"<{element}>{inner}</{element}>" if shown.strip() else inner


def _markdown_code(text: str, in_table: bool) -> str:
    shown = visible(text)
    if not shown.strip() or shown != shown.strip() or "`" in shown or (in_table and "|" in shown):
        return f"<code>{escape_markdown(shown)}</code>"
    return f"`{shown}`"


def html_prose(content: Prose, lookup: Lookup | None = None) -> str:
    """Write prose as HTML.

    Examples
    --------
    >>> from reportkit.report.prose import prose
    >>> html_prose(prose("{k_hat_fisher} of {a}, {n} = 3", a="R&D"))
    'k̂<sub>Fisher</sub> of R&amp;D, <i>n</i> = 3'
    """
    return "".join(_html(part, lookup or Lookup()) for part in content)


def _html(part: Inline, lookup: Lookup) -> str:
    match part:
        case Text(text):
            return escape_html(text)
        case Symbol(name):
            return _SYMBOLS[name].html
        case Strong(text):
            return f"<strong>{escape_html(text)}</strong>"
        case Emphasis(text):
            return f"<em>{escape_html(text)}</em>"
        case Code(text):
            return f"<code>{escape_html(text)}</code>"
        case Cite(keys) if lookup.linked:
            works = (_link(f"ref-{key}", lookup.references[key].short) for key in keys)
            return f"({'; '.join(works)})"
        case Cite(keys):
            return escape_html(lookup.cited(keys))
        case Reference(kind, name):
            named = lookup.named(kind, name)
            return _link(f"{PREFIXES[kind]}:{name}", named) if lookup.linked else escape_html(named)
        case Typeset(_, text):
            return escape_html(text)
        case Raised(signs):
            return f"<sup>{escape_html(signs)}</sup>" if signs else ""
        case _:
            assert_never(part)


def _link(anchor: str, words: str) -> str:
    return f'<a href="#{escape_html(anchor)}">{escape_html(words)}</a>'


def plain_prose(content: Prose, lookup: Lookup | None = None, *, machine: bool = False) -> str:
    """Write prose as plain text, on one line.

    Parameters
    ----------
    content : Prose
        Anything.
    lookup : Lookup, optional
        Numbers of tables and figures, and the literature.
    machine : bool
        Symbols by their names in code, `k_hat` for k̂, and text as it was given, for CSV.

    Examples
    --------
    >>> from reportkit.report.prose import prose
    >>> plain_prose(prose("{k_hat_fisher} ≤ {n}")), plain_prose(prose("{k_hat_fisher}"), machine=True)
    ('k̂ (Fisher) ≤ n', 'k_hat_fisher')
    """
    return "".join(_plain(part, lookup or Lookup(), machine) for part in content)


def _plain(part: Inline, lookup: Lookup, machine: bool) -> str:
    match part:
        case Text(text) | Strong(text) | Emphasis(text) | Code(text):
            return text if machine else visible(text)
        case Symbol(name):
            return _SYMBOLS[name].machine if machine else _SYMBOLS[name].plain
        case Cite(keys):
            return lookup.cited(keys)
        case Reference(kind, name):
            return lookup.named(kind, name)
        case Typeset(_, text) | Raised(text):
            return text if machine else visible(text)
        case _:
            assert_never(part)


def latex_mark(mark: str) -> str:
    r"""Write the signs behind a number as a superscript.

    Examples
    --------
    >>> print(latex_mark("*+"), latex_mark("†‡"), latex_mark("abc"), latex_mark(""))
    $^{*+}$ $^{\dagger\ddagger}$ $^{\mathrm{abc}}$
    """
    if not mark:
        return ""
    if mark.isascii() and mark.isalnum():
        return rf"$^{{\mathrm{{{mark}}}}}$"
    signs = {"*": "*", "+": "+", "§": r"\S", "¶": r"\P", **MATHEMATICS, **GREEK}
    if all(sign in signs for sign in mark):
        return "$^{" + "".join(signs[sign].strip("$") for sign in mark) + "}$"
    return rf"\textsuperscript{{{escape_latex(mark)}}}"


def markdown_mark(mark: str) -> str:
    r"""Write the signs behind a number: letters and digits raised, signs as they are.

    Examples
    --------
    >>> print(markdown_mark("*+"), markdown_mark("†‡"), markdown_mark("abc"))
    \*+ †‡ <sup>abc</sup>
    """
    escaped = escape_markdown(mark)
    return f"<sup>{escaped}</sup>" if any(sign.isalnum() for sign in mark) else escaped
