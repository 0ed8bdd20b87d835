r"""Prose as pandoc and Quarto read Markdown: citations, cross-references and mathematics by pandoc's own means.

No raw HTML and no raw TeX, so that every format that pandoc writes gets everything.
"""

from __future__ import annotations

import re
from typing import assert_never

from reportkit.rendering.text.escaping import escape_markdown, visible
from reportkit.rendering.text.inline import Lookup, symbol_in_latex
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

ANCHORS = {"table": "tbl", "figure": "fig"}
"""What ids of tables and figures begin with, so that Quarto numbers them."""

_QUOTES = re.compile(r"\"|(?<![^\W_])'|'(?![^\W_])")


def escape_pandoc(text: str) -> str:
    r"""Escape text for pandoc's Markdown, whose quotation marks turn where they stand; an apostrophe in a word may.

    Examples
    --------
    >>> print(escape_pandoc('a "b" and Holm\'s my_model [x]'))
    a \"b\" and Holm's my_model \[x\]
    """
    return _QUOTES.sub(lambda match: "\\" + match.group(), escape_markdown(text))


def pandoc_prose(content: Prose, lookup: Lookup | None = None) -> str:
    r"""Write prose as Markdown for pandoc and Quarto.

    Parameters
    ----------
    content : Prose
        Anything.
    lookup : Lookup, optional
        With the numbers of a report, references are links with these numbers; without, `@tbl-name` and `@fig-name`,
        which Quarto numbers in the document that they are read into.

    Examples
    --------
    >>> from reportkit.report.prose import prose
    >>> print(pandoc_prose(prose("{k_hat} = 3 {cite}, see {it}.", cite=Cite(("holm1979simple", "fisher1935design")),
    ...                          it=Reference("table", "main"))))
    $\hat{k}$ = 3 [@holm1979simple; @fisher1935design], see @tbl-main.
    >>> print(pandoc_prose((Reference("table", "main"),), Lookup(numbers={("table", "main"): 1})))
    [Table 1](#tbl-main)
    """
    written = ""
    for part in content:
        piece = _written(part, lookup or Lookup())
        if isinstance(part, Text) and written.endswith("$"):
            piece = re.sub(r"^\d", lambda match: f"&#{ord(match.group())};", piece)
        written += piece
    return rf"\{written}" if written.startswith("(@") else written  # which would number an example


def _written(part: Inline, lookup: Lookup) -> str:
    match part:
        case Text(text) | Typeset(_, text):
            return escape_pandoc(text)
        case Symbol(name):
            return symbol_in_latex(name)
        case Strong(text):
            return _set_off(text, "**")
        case Emphasis(text):
            return _set_off(text, "*")
        case Code(text):
            return _code(text)
        case Cite(keys):
            lookup.cited(keys)  # an unknown key is an error here as elsewhere
            return f"[{'; '.join(f'@{key}' for key in keys)}]"
        case Reference(kind, name):
            anchor = f"{ANCHORS[kind]}-{name}"
            return f"[{lookup.named(kind, name)}](#{anchor})" if (kind, name) in lookup.numbers else f"@{anchor}"
        case Raised(signs):
            return pandoc_mark(signs)
        case _:
            assert_never(part)


def _set_off(text: str, sign: str) -> str:
    """Stars do not stand beside a space: spaces at the ends come outside."""
    shown = visible(text)
    inner = shown.strip(" ")
    if not inner:
        return shown
    before, after = shown[: len(shown) - len(shown.lstrip(" "))], shown[len(shown.rstrip(" ")) :]
    return f"{before}{sign}{escape_pandoc(inner)}{sign}{after}"


def _code(text: str) -> str:
    """Between as many backticks as the text needs; in them a bar ends no cell of a table."""
    shown = visible(text).strip(" ")
    if not shown:
        return ""
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    space = " " if "`" in (shown[0], shown[-1]) else ""
    return f"{fence}{space}{shown}{space}{fence}"


def pandoc_mark(mark: str) -> str:
    r"""Write the signs behind a number, raised.

    Examples
    --------
    >>> print(pandoc_mark("*+"), pandoc_mark("abc"))
    ^\*+^ ^abc^
    """
    return f"^{escape_pandoc(mark).replace(' ', chr(92) + ' ')}^" if mark else ""


def guard_box(markdown: str) -> str:
    r"""Keep a point of a list that begins with brackets from being read as a box to tick, which escapes do not do.

    Examples
    --------
    >>> print(guard_box(r"\[x\] done"), guard_box(r"\[1\] first"))
    []{}\[x\] done \[1\] first
    """
    return re.sub(r"^(?=\\\[[ xX]\\\](?: |$))", "[]{}", markdown)


def pandoc_caption(caption: str, anchor: str) -> str:
    r"""Write the caption of a table with its id.

    Examples
    --------
    >>> print(pandoc_caption("Accuracy.", "tbl-main"))
    : Accuracy. {#tbl-main}
    """
    return f": {caption} {{#{anchor}}}"
