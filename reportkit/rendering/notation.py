r"""Notation of each format: words are escaped once, and symbols, citations, references and marks are written its way.

A text is a string, in which `reportkit.report.tokens` stands for what Unicode cannot spell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from markupsafe import Markup

from reportkit.appearance import Label, plain_label
from reportkit.rendering.text.escaping import (
    MATHEMATICS,
    escape_html,
    escape_latex,
    escape_markdown,
    guard_line_start,
    visible,
)
from reportkit.report import tokens
from reportkit.report.model import Words
from reportkit.report.references import REFERENCES

SIGN = re.compile("k̂|𝑝|𝑛|𝑁|𝑢")
_LETTERS = {"𝑝": "p", "𝑛": "n", "𝑁": "N", "𝑢": "u"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Resolve references, citations and names.

    Parameters
    ----------
    numbers : mapping of str to int
        Numbers of the tables and figures of a report, by their labels; empty outside of one.
    labels : mapping of str to str or Label
        Printed instead of a name.
    citation : {"cite", "citep"}
        LaTeX command that puts a citation in brackets.
    linked : bool
        Whether citations and references are links within an HTML page.
    """

    numbers: Mapping[str, int] = field(default_factory=dict)
    labels: Mapping[str, str | Label] = field(default_factory=dict)
    citation: Literal["cite", "citep"] = "cite"
    linked: bool = False

    def referred(self, label: str) -> str:
        """Spell a reference: `Table 1`, or the name where there is no number."""
        kind, _, name = label.partition(":")
        return f"{'Table' if kind == 'tab' else 'Figure'} {self.numbers.get(label, f'“{name}”')}"


class Format:
    """A format that texts are written in; this one is plain text, on one line."""

    name: ClassVar[str] = "plain"
    ending: ClassVar[str] = ".txt"
    strong_form: ClassVar[str] = "{}"
    underline_form: ClassVar[str] = "{}"
    code_form: ClassVar[str] = "{}"
    mark_form: ClassVar[str] = "{}"
    italic_form: ClassVar[str] = "{}"
    k_hat: ClassVar[str] = "k̂"

    def __init__(self, context: Context | None = None) -> None:
        self.context = context or Context()

    def write(self, text: Words, *, running: bool = False) -> Markup:
        """Write a text; `running`: it may be broken into lines."""
        return Markup("".join(self._piece(*piece, running) for piece in tokens.parts(text)))  # noqa: S704

    def _piece(self, kind: str, content: str, running: bool) -> str:
        match kind:
            case "text":
                words = SIGN.split(content)
                signs = [self.symbol(sign) for sign in SIGN.findall(content)]
                return "".join(
                    self.escape(part, running) + sign for part, sign in zip(words, [*signs, ""], strict=True)
                )
            case "strong":
                return self.strong(str(self.write(content, running=running)))
            case "name":
                return self.label(self.context.labels.get(content, content), running)
            case "cite":
                return self.cite(content.split(","))
            case "ref":
                return self.reference(content)
            case _:
                return self.code(content)

    def escape(self, text: str, running: bool = False) -> str:
        """Escape words."""
        return visible(text)

    def label(self, label: str | Label, running: bool = False) -> str:
        """Write the label of a name."""
        return self.escape(plain_label(label), running)

    def symbol(self, sign: str) -> str:
        """Write a mathematical symbol."""
        return self.italic_form.format(_LETTERS[sign]) if sign in _LETTERS else self.k_hat

    def strong(self, written: str) -> str:
        """Set what is written in bold."""
        return self.strong_form.format(written) if written.strip() else written

    def underline(self, written: str) -> str:
        """Underline what is written."""
        return self.underline_form.format(written)

    def code(self, words: str) -> str:
        """Set words in a typewriter font."""
        return self.code_form.format(self.escape(words))

    def cite(self, keys: list[str]) -> str:
        """Cite works: `(Dror et al., 2017; Holm, 1979)`."""
        return self.escape("(" + "; ".join(REFERENCES[key].short for key in keys) + ")")

    def reference(self, label: str) -> str:
        """Refer to a table or figure."""
        return self.escape(self.context.referred(label))

    def mark(self, signs: str) -> str:
        """Raise the signs after a number."""
        return self.mark_form.format(self.escape(signs)) if signs else ""

    def quoted(self, text: Words) -> str:
        """Write a text for a string in quotation marks."""
        return str(Format(self.context).write(text)).replace("\\", "\\\\").replace('"', '\\"')

    def line(self, written: str) -> str:
        """Escape what would have a meaning at the start of a line."""
        return written


class Machine(Format):
    """Text for programs: words as they were given, symbols by their names in code."""

    name = "machine"
    k_hat = "k_hat"

    def escape(self, text: str, running: bool = False) -> str:  # noqa: D102 - as above
        return text


_RELATION = re.compile(r" (\$(?:\\leq|\\geq|<|>)\$) |(?<=\$) (=) (?=[\d.])")
"""A comparison sign between spaces, or = after a symbol: no line of running text may end before or after it."""


class Latex(Format):
    """LaTeX for pdflatex, xelatex and lualatex."""

    name, ending = "latex", ".tex"
    strong_form, underline_form = r"\textbf{{{}}}", r"\underline{{{}}}"
    italic_form, k_hat = "${}$", r"$\hat{k}$"

    def write(self, text: Words, *, running: bool = False) -> Markup:  # noqa: D102
        written = super().write(text, running=running)
        if not running:
            return written
        return Markup(_RELATION.sub(lambda found: f"~{found[1] or found[2]}~", written))  # noqa: S704

    def escape(self, text: str, running: bool = False) -> str:  # noqa: D102
        return escape_latex(text, breakable=running)

    def label(self, label: str | Label, running: bool = False) -> str:  # noqa: D102
        return label.latex if isinstance(label, Label) else self.escape(label, running)

    def code(self, words: str) -> str:  # noqa: D102
        return rf"\texttt{{{escape_latex(words, breakable=True, typewriter=True)}}}"

    def cite(self, keys: list[str]) -> str:  # noqa: D102
        return rf"\{self.context.citation}{{{','.join(keys)}}}"

    def reference(self, label: str) -> str:  # noqa: D102
        return rf"{'Table' if label.startswith('tab:') else 'Figure'}~\ref{{{label}}}"

    def mark(self, signs: str) -> str:
        r"""Raise the signs after a number.

        Examples
        --------
        >>> print(Latex().mark("*+"), Latex().mark("†‡"), Latex().mark("abc"))
        $^{*+}$ $^{\dagger\ddagger}$ $^{\mathrm{abc}}$
        """
        if signs.isascii() and signs.isalnum():
            return rf"$^{{\mathrm{{{signs}}}}}$"
        known = {"*": "*", "+": "+", "§": r"\S", "¶": r"\P", **MATHEMATICS}
        if all(sign in known for sign in signs):
            return "$^{" + "".join(known[sign].strip("$") for sign in signs) + "}$" if signs else ""
        return rf"\textsuperscript{{{escape_latex(signs)}}}"


class Markdown(Format):
    """Markdown as GitHub and other readers take it."""

    name, ending = "markdown", ".md"
    underline_form, italic_form = "<u>{}</u>", "*{}*"

    def escape(self, text: str, running: bool = False) -> str:  # noqa: D102
        return escape_markdown(text)

    def strong(self, written: str) -> str:
        """Set between stars, which work next to letters and digits only; elsewhere an element does it."""
        if written and written[0].isalnum() and written[-1].isalnum():
            return f"**{written}**"
        return f"<strong>{written}</strong>" if written.strip() else written

    def code(self, words: str) -> str:  # noqa: D102
        shown = visible(words)
        plain = shown.strip() and shown == shown.strip() and "`" not in shown and "|" not in shown
        return f"`{shown}`" if plain else f"<code>{self.escape(shown)}</code>"

    def mark(self, signs: str) -> str:
        r"""Write the signs after a number: letters and digits raised, signs as they are.

        Examples
        --------
        >>> print(Markdown().mark("*+"), Markdown().mark("†‡"), Markdown().mark("abc"))
        \*+ †‡ <sup>abc</sup>
        """
        escaped = self.escape(signs)
        return f"<sup>{escaped}</sup>" if any(sign.isalnum() for sign in signs) else escaped

    def line(self, written: str) -> str:  # noqa: D102
        return guard_line_start(written)


class Html(Format):
    """HTML, in elements and in quoted attributes."""

    name, ending = "html", ".html"
    strong_form, underline_form, code_form = "<strong>{}</strong>", "<u>{}</u>", "<code>{}</code>"
    mark_form, italic_form = "<sup>{}</sup>", "<i>{}</i>"

    def escape(self, text: str, running: bool = False) -> str:  # noqa: D102
        return escape_html(text)

    def cite(self, keys: list[str]) -> str:  # noqa: D102
        if not self.context.linked:
            return super().cite(keys)
        return "(" + "; ".join(self._link(f"ref-{key}", REFERENCES[key].short) for key in keys) + ")"

    def reference(self, label: str) -> str:  # noqa: D102
        return self._link(label, self.context.referred(label)) if self.context.linked else super().reference(label)

    def _link(self, anchor: str, words: str) -> str:
        return f'<a href="#{self.escape(anchor)}">{self.escape(words)}</a>'


_TYPST_SIGNS = re.compile(r"""[\\*_`$#<>@\[\]~'"]""")
_TYPST_JOINED = re.compile(r"-(?=[-?\d])|(?<=-)-|\.(?=\.)|(?<=\.)\.|/(?=[/*:])|(?<=[/:])/")
_TYPST_START = re.compile(r"\s*(?=(=+|[+/-])(\s|$))|\s*\d+(?=[.)](\s|$))")


class Typst(Format):
    """Typst's markup; citations and references are `rk-cite` and `rk-ref`, which the skeletons define."""

    name, ending = "typst", ".typ"
    strong_form, underline_form, mark_form = "#strong[{}]", "#underline[{}]", "#super[{}]"
    italic_form = "#emph[{}]"

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

    def code(self, words: str) -> str:  # noqa: D102
        return f'#raw("{self.quoted(words)}")'

    def cite(self, keys: list[str]) -> str:  # noqa: D102
        listed = ", ".join(f"<{key}>" for key in keys)
        return f"#rk-cite(({listed},), [{super().cite(keys)}])"

    def reference(self, label: str) -> str:  # noqa: D102
        return f"#rk-ref(<{label}>, [{super().reference(label)}])"


FORMATS: dict[str, type[Format]] = {each.name: each for each in (Latex, Markdown, Html, Typst)}
"""Formats that have templates."""
