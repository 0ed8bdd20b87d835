r"""Notation of each format: words are escaped once, and symbols, citations, references and marks are written its way.

A text is a string, in which `reportkit.report.tokens` stands for what Unicode cannot spell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from markupsafe import Markup

from reportkit.appearance import Label, plain_label
from reportkit.rendering.text.escaping import escape_html, escape_latex, escape_markdown, guard_line_start, visible
from reportkit.rendering.text.latex_characters import GREEK, MATHEMATICS
from reportkit.report import tokens
from reportkit.report.model import Words
from reportkit.report.references import REFERENCES

_SIGNS = {"k̂": "k_hat", "𝑝": "p", "𝑛": "n", "𝑁": "N", "𝑢": "u"}
_SIGN = re.compile("|".join(_SIGNS))
_NAMES = {"table": "Table", "figure": "Figure", "tab": "Table", "fig": "Figure"}

_SYMBOLS = {  # LaTeX, HTML, plain text, code
    "k_hat": (r"$\hat{k}$", "k̂", "k̂", "k_hat"),
    "k_hat_bonferroni": (r"$\hat{k}_{\mathrm{Bonf.}}$", "k̂<sub>Bonf.</sub>", "k̂ (Bonferroni)", "k_hat_bonferroni"),
    "k_hat_fisher": (r"$\hat{k}_{\mathrm{Fisher}}$", "k̂<sub>Fisher</sub>", "k̂ (Fisher)", "k_hat_fisher"),
    "k_hat_count": (r"$\hat{k}_{\mathrm{count}}$", "k̂<sub>count</sub>", "k̂ (count)", "k_hat_count"),
    "p_u": (r"$p^{u/N}$", "<i>p</i><sup><i>u</i>/<i>N</i></sup>", "p(u/N)", "p_u"),
    "alpha": (r"$\alpha$", "α", "α", "alpha"),
    "delta": (r"$\delta$", "δ", "δ", "delta"),
    **{letter: (f"${letter}$", f"<i>{letter}</i>", letter, letter) for letter in ("n", "N", "p", "u")},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Resolve references, citations and names.

    Parameters
    ----------
    numbers : mapping of (kind, name) to int
        Numbers of the tables and figures of a report; empty outside of one.
    labels : mapping of str to str or Label
        Printed instead of a name.
    citation : {"cite", "citep"}
        LaTeX command that puts a citation in brackets.
    linked : bool
        Whether citations and references are links within an HTML page.
    in_words : bool
        Whether LaTeX spells citations and references out, for a document without the works and labels.
    """

    numbers: Mapping[tuple[str, str], int] = field(default_factory=dict)
    labels: Mapping[str, str | Label] = field(default_factory=dict)
    citation: Literal["cite", "citep"] = "cite"
    linked: bool = False
    in_words: bool = False

    def cited(self, keys: tuple[str, ...]) -> str:
        """Spell a citation: `(Dror et al., 2017; Holm, 1979)`."""
        return "(" + "; ".join(REFERENCES[key].short for key in keys) + ")"

    def referred(self, kind: str, name: str) -> str:
        """Spell a reference: `Table 1`, or the name where there is no number."""
        number = self.numbers.get((_KINDS[kind], name))
        return f"{_NAMES[kind]} {number}" if number is not None else f"{_NAMES[kind]} “{name}”"


_KINDS = {"tab": "table", "fig": "figure", "table": "table", "figure": "figure"}
_PREFIXES = {"table": "tab", "figure": "fig", "tab": "tab", "fig": "fig"}


def pieces(text: Words) -> Iterator[tuple[str, Any]]:
    """Take a text apart into words, symbols and what is written in each format's own way."""
    for kind, content in tokens.parts(text):
        if kind == "text":
            yield from _signs(content)
        elif kind == "cite":
            yield "cite", tuple(content.split(","))
        elif kind == "ref":
            yield "ref", tuple(content.split(":", 1))
        else:
            yield kind, content


def _signs(words: str) -> Iterator[tuple[str, str]]:
    position = 0
    for found in _SIGN.finditer(words):
        yield "text", words[position : found.start()]
        yield "symbol", _SIGNS[found[0]]
        position = found.end()
    yield "text", words[position:]


class Format:
    """A format that texts are written in; this one is plain text, on one line."""

    name: ClassVar[str] = "plain"
    ending: ClassVar[str] = ".txt"

    def __init__(self, context: Context | None = None) -> None:
        self.context = context or Context()

    def write(self, text: Words, *, running: bool = False) -> Markup:
        """Write a text; `running`: it may be broken into lines."""
        return Markup("".join(self._piece(kind, content, running) for kind, content in pieces(text)))  # noqa: S704

    def escape(self, text: str, running: bool = False) -> str:
        """Escape words."""
        return visible(text)

    def _piece(self, kind: str, content: Any, running: bool) -> str:
        match kind:
            case "text":
                return self.escape(content, running)
            case "strong":
                return self.strong("".join(self._piece(*piece, running) for piece in pieces(content)))
            case "name":
                return self._label(self.context.labels.get(content, content), running)
            case "label":
                return self._label(content, running)
            case "ref":
                return self.reference(*content)
            case _:
                return str(getattr(self, kind)(content))

    def _label(self, label: str | Label, running: bool) -> str:
        return self.escape(plain_label(label), running)

    def symbol(self, name: str) -> str:
        """Write a mathematical symbol."""
        return _SYMBOLS[name][2]

    def strong(self, written: str) -> str:
        """Set what is written in bold."""
        return written

    def emphasis(self, words: str) -> str:
        """Set words in italics."""
        return self.escape(words)

    def underline(self, written: str) -> str:
        """Underline what is written."""
        return written

    def code(self, words: str) -> str:
        """Set words in a typewriter font."""
        return self.escape(words)

    def cite(self, keys: tuple[str, ...]) -> str:
        """Cite works."""
        return self.escape(self.context.cited(keys))

    def reference(self, kind: str, name: str) -> str:
        """Refer to a table or figure."""
        return self.escape(self.context.referred(kind, name))

    def mark(self, signs: str) -> str:
        """Raise the signs behind a number."""
        return self.escape(signs)

    def quoted(self, text: Words) -> str:
        """Write a text for a string in quotation marks."""
        return str(Format(self.context).write(text)).replace("\\", "\\\\").replace('"', '\\"')

    def line(self, written: str) -> str:
        """Guard what is written at the start of a line."""
        return written


class Machine(Format):
    """Text for programs: words as they were given, symbols by their names in code."""

    name = "machine"

    def escape(self, text: str, running: bool = False) -> str:  # noqa: D102 - as above
        return text

    def symbol(self, name: str) -> str:  # noqa: D102
        return _SYMBOLS[name][3]


_RELATION = re.compile(r" (\$(?:\\leq|\\geq|<|>)\$) |(?<=\$) (=) (?=[\d.])")
"""A sign of comparison between spaces, or = behind a symbol: in running text, no line ends at it."""


class Latex(Format):
    """LaTeX for pdflatex, xelatex and lualatex."""

    name = "latex"
    ending = ".tex"

    def write(self, text: Words, *, running: bool = False) -> Markup:  # noqa: D102
        written = super().write(text, running=running)
        if not running:
            return written
        return Markup(_RELATION.sub(lambda found: f"~{found[1] or found[2]}~", written))  # noqa: S704

    def escape(self, text: str, running: bool = False) -> str:  # noqa: D102
        return escape_latex(text, breakable=running)

    def _label(self, label: str | Label, running: bool) -> str:
        return label.latex if isinstance(label, Label) else self.escape(label, running)

    def symbol(self, name: str) -> str:  # noqa: D102
        return _SYMBOLS[name][0]

    def strong(self, written: str) -> str:  # noqa: D102
        return rf"\textbf{{{written}}}"

    def emphasis(self, words: str) -> str:  # noqa: D102
        return rf"\emph{{{self.escape(words, True)}}}"

    def underline(self, written: str) -> str:  # noqa: D102
        return rf"\underline{{{written}}}"

    def code(self, words: str) -> str:  # noqa: D102
        return rf"\texttt{{{escape_latex(words, breakable=True, typewriter=True)}}}"

    def cite(self, keys: tuple[str, ...]) -> str:  # noqa: D102
        if self.context.in_words:
            return super().cite(keys)
        return rf"\{self.context.citation}{{{','.join(keys)}}}"

    def reference(self, kind: str, name: str) -> str:  # noqa: D102
        if self.context.in_words:
            return super().reference(kind, name)
        return rf"{_NAMES[kind]}~\ref{{{_PREFIXES[kind]}:{name}}}"

    def mark(self, signs: str) -> str:
        r"""Raise the signs behind a number.

        Examples
        --------
        >>> print(Latex().mark("*+"), Latex().mark("†‡"), Latex().mark("abc"))
        $^{*+}$ $^{\dagger\ddagger}$ $^{\mathrm{abc}}$
        """
        if signs.isascii() and signs.isalnum():
            return rf"$^{{\mathrm{{{signs}}}}}$"
        known = {"*": "*", "+": "+", "§": r"\S", "¶": r"\P", **MATHEMATICS, **GREEK}
        if all(sign in known for sign in signs):
            return "$^{" + "".join(known[sign].strip("$") for sign in signs) + "}$" if signs else ""
        return rf"\textsuperscript{{{escape_latex(signs)}}}"


class Markdown(Format):
    """Markdown as GitHub and other readers take it."""

    name = "markdown"
    ending = ".md"
    underlined = "<u>{}</u>"

    def escape(self, text: str, running: bool = False) -> str:  # noqa: D102
        return escape_markdown(text)

    def symbol(self, name: str) -> str:  # noqa: D102
        return _SYMBOLS[name][1].replace("<i>", "*").replace("</i>", "*")

    def strong(self, written: str) -> str:  # noqa: D102
        return _set_off(written, "**", "strong")

    def emphasis(self, words: str) -> str:  # noqa: D102
        return _set_off(self.escape(words), "*", "em")

    def underline(self, written: str) -> str:  # noqa: D102
        return self.underlined.format(written)

    def code(self, words: str) -> str:  # noqa: D102
        shown = visible(words)
        plain = shown.strip() and shown == shown.strip() and "`" not in shown and "|" not in shown
        return f"`{shown}`" if plain else f"<code>{self.escape(shown)}</code>"

    def mark(self, signs: str) -> str:
        r"""Write the signs behind a number: letters and digits raised, signs as they are.

        Examples
        --------
        >>> print(Markdown().mark("*+"), Markdown().mark("†‡"), Markdown().mark("abc"))
        \*+ †‡ <sup>abc</sup>
        """
        escaped = self.escape(signs)
        return f"<sup>{escaped}</sup>" if any(sign.isalnum() for sign in signs) else escaped

    def line(self, written: str) -> str:  # noqa: D102
        return guard_line_start(written)


def _set_off(written: str, sign: str, element: str) -> str:
    """Set between stars, which work beside letters and digits only; elsewhere an element does it."""
    if written and written[0].isalnum() and written[-1].isalnum():
        return f"{sign}{written}{sign}"
    return f"<{element}>{written}</{element}>" if written.strip() else written


def _between(written: str, sign: str) -> str:
    """Set between stars, which do not stand beside a space: spaces at the ends come outside."""
    inner = written.strip(" ")
    before = written[: len(written) - len(written.lstrip(" "))]
    return f"{before}{sign}{inner}{sign}{written[len(before) + len(inner) :]}" if inner else written


_QUOTES = re.compile(r"\"|(?<![^\W_])'|'(?![^\W_])")


class Pandoc(Markdown):
    """Markdown of pandoc and Quarto, with citations and references that they resolve."""

    underlined = "[{}]{{.underline}}"

    def write(self, text: Words, *, running: bool = False) -> Markup:  # noqa: D102
        written = re.sub(r"(?<=\}\$)\d", lambda digit: f"&#{ord(digit[0])};", super().write(text, running=running))
        return Markup(rf"\{written}" if written.startswith("(@") else written)  # noqa: S704 # a numbered example

    def escape(self, text: str, running: bool = False) -> str:  # noqa: D102
        return _QUOTES.sub(lambda found: "\\" + found[0], escape_markdown(text))

    def symbol(self, name: str) -> str:  # noqa: D102
        return _SYMBOLS[name][0]

    def strong(self, written: str) -> str:  # noqa: D102
        return _between(written, "**")

    def emphasis(self, words: str) -> str:  # noqa: D102
        return _between(self.escape(words), "*")

    def code(self, words: str) -> str:
        """Set words between as many backticks as they need; between them a bar ends no cell of a table."""
        shown = visible(words).strip(" ")
        fence = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
        space = " " if shown and "`" in (shown[0], shown[-1]) else ""
        return f"{fence}{space}{shown}{space}{fence}" if shown else ""

    def cite(self, keys: tuple[str, ...]) -> str:  # noqa: D102
        self.context.cited(keys)  # an unknown key is an error here as elsewhere
        return f"[{'; '.join(f'@{key}' for key in keys)}]"

    def reference(self, kind: str, name: str) -> str:  # noqa: D102
        anchor = f"{'tbl' if _PREFIXES[kind] == 'tab' else 'fig'}-{name}"
        known = (_KINDS[kind], name) in self.context.numbers
        return f"[{self.context.referred(kind, name)}](#{anchor})" if known else f"@{anchor}"

    def mark(self, signs: str) -> str:  # noqa: D102
        return f"^{self.escape(signs)}^".replace(" ", "\\ ") if signs else ""

    def line(self, written: str) -> str:
        r"""Guard the start of a line, and keep a point of a list from being read as a box to tick.

        Examples
        --------
        >>> print(Pandoc().line(r"\[x\] done"), Pandoc().line(r"\[1\] first"))
        []{}\[x\] done \[1\] first
        """
        return re.sub(r"^(?=\\\[[ xX]\\\](?: |$))", "[]{}", guard_line_start(written))


class Html(Format):
    """HTML, in elements and in quoted attributes."""

    name = "html"
    ending = ".html"

    def escape(self, text: str, running: bool = False) -> str:  # noqa: D102
        return escape_html(text)

    def symbol(self, name: str) -> str:  # noqa: D102
        return _SYMBOLS[name][1]

    def strong(self, written: str) -> str:  # noqa: D102
        return f"<strong>{written}</strong>"

    def emphasis(self, words: str) -> str:  # noqa: D102
        return f"<em>{self.escape(words)}</em>"

    def underline(self, written: str) -> str:  # noqa: D102
        return f"<u>{written}</u>"

    def code(self, words: str) -> str:  # noqa: D102
        return f"<code>{self.escape(words)}</code>"

    def cite(self, keys: tuple[str, ...]) -> str:  # noqa: D102
        if not self.context.linked:
            return super().cite(keys)
        return "(" + "; ".join(self._link(f"ref-{key}", REFERENCES[key].short) for key in keys) + ")"

    def reference(self, kind: str, name: str) -> str:  # noqa: D102
        words = self.context.referred(kind, name)
        return self._link(f"{_PREFIXES[kind]}:{name}", words) if self.context.linked else self.escape(words)

    def _link(self, anchor: str, words: str) -> str:
        return f'<a href="#{self.escape(anchor)}">{self.escape(words)}</a>'

    def mark(self, signs: str) -> str:  # noqa: D102
        return f"<sup>{self.escape(signs)}</sup>" if signs else ""


_TYPST_SIGNS = re.compile(r"""[\\*_`$#<>@\[\]~'"]""")
_TYPST_JOINED = re.compile(r"-(?=[-?\d])|(?<=-)-|\.(?=\.)|(?<=\.)\.|/(?=[/*:])|(?<=[/:])/")
_TYPST_START = re.compile(r"\s*(?=(=+|[+/-])(\s|$))|\s*\d+(?=[.)](\s|$))")


class Typst(Format):
    """Typst's markup; citations and references are `rk-cite` and `rk-ref`, which the skeletons define."""

    name = "typst"
    ending = ".typ"

    def escape(self, text: str, running: bool = False) -> str:
        r"""Escape words, at the start of a line too.

        Examples
        --------
        >>> print(Typst().escape("a_b #1 -- 50% [x]"), Typst().escape("- x"), Typst().escape("nyt-editorials"))
        a\_b \#1 \-\- 50% \[x\] \- x nyt-editorials
        """
        shown = _TYPST_SIGNS.sub(r"\\\g<0>", visible(text))
        start = _TYPST_START.match(shown)
        cuts = {found.start() for found in _TYPST_JOINED.finditer(shown)}
        if start is not None and start.end() < len(shown):
            cuts.add(start.end())
        return "".join(f"\\{sign}" if at in cuts and not sign.isalnum() else sign for at, sign in enumerate(shown))

    def symbol(self, name: str) -> str:  # noqa: D102
        html = _SYMBOLS[name][1]
        for element, function in (("i", "emph"), ("sub", "sub"), ("sup", "super")):
            html = html.replace(f"<{element}>", f"#{function}[").replace(f"</{element}>", "]")
        return html.replace("/", r"\/")

    def strong(self, written: str) -> str:  # noqa: D102
        return f"#strong[{written}]" if written.strip() else written

    def emphasis(self, words: str) -> str:  # noqa: D102
        return f"#emph[{self.escape(words)}]"

    def underline(self, written: str) -> str:  # noqa: D102
        return f"#underline[{written}]"

    def code(self, words: str) -> str:  # noqa: D102
        return f'#raw("{self.quoted(words)}")'

    def cite(self, keys: tuple[str, ...]) -> str:  # noqa: D102
        listed = ", ".join(f"<{key}>" for key in keys)
        return f"#rk-cite(({listed},), [{super().cite(keys)}])"

    def reference(self, kind: str, name: str) -> str:  # noqa: D102
        return f"#rk-ref(<{_PREFIXES[kind]}:{name}>, [{super().reference(kind, name)}])"

    def mark(self, signs: str) -> str:  # noqa: D102
        return f"#super[{self.escape(signs)}]" if signs else ""


FORMATS: dict[str, type[Format]] = {each.name: each for each in (Latex, Markdown, Html, Typst)}
"""Formats that have templates."""
