r"""Plain text as LaTeX, Markdown or HTML: everything prints as it was given, nothing is read as an instruction.

Whitespace of any kind becomes one space. Characters that no format can carry (controls, lone surrogates, signs that
change the reading direction of what follows) are made visible as their code, `\x07` or `\u202e`.
"""

from __future__ import annotations

import html
import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

_CHARACTERS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("characters.toml").read_text("utf-8"))


def _signs(kind: str) -> dict[str, str]:
    """Return characters of a kind with their LaTeX, commands of mathematics included."""
    named: Mapping[str, str] = _CHARACTERS[f"{kind}_commands"]
    commands = (pair for signs, names in named.items() for pair in zip(signs, names.split(), strict=True))
    return {**_CHARACTERS[kind]} | {sign: rf"$\{command}$" for sign, command in commands}


MATHEMATICS = _signs("mathematics")
COMMANDS: dict[str, str] = _CHARACTERS["specials"] | _CHARACTERS["typography"] | _signs("greek") | MATHEMATICS
"""Other characters to TeX, for roman type."""

TYPEWRITER: dict[str, str] = _CHARACTERS["typewriter"]
SUPERSCRIPTS, SUBSCRIPTS = (dict(zip(*_CHARACTERS[key], strict=True)) for key in ("raised", "lowered"))
PASSED, NEEDS_T1, INVISIBLE = (frozenset(_CHARACTERS[key]) for key in ("passed", "needs_t1", "invisible"))

_SPACES = re.compile(r"[\t\n\v\f\r \x1c-\x1f\x85\u2028\u2029]+")
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f"  # controls
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction: all that have Unicode's property Bidi_Control
    "\u2028\u2029\u206a-\u206f\ufff9-\ufffb\ud800-\udfff\ufffe\uffff]"
)
_COMMANDS_OF_RUNNERS = re.compile(r"^([^\S\n]*):(?=:)|(?<=#)#(?=\w{0,40}\[)", re.MULTILINE)
"""Commands to a runner in a log: `::error::` at the beginning of a line, also after spaces; `##[error]` anywhere.

GitHub's (`ActionCommand.TryParseV2` trims white space, `TryParse` searches the line), Azure Pipelines', TeamCity's.
"""
_LIGATURES = ("--", "''", "``", ",,", "!`", "?`", "<<", ">>")
_RUN = re.compile(f"k\u0302|[{''.join(SUPERSCRIPTS)}]+|[{''.join(SUBSCRIPTS)}]+|.", re.DOTALL)


_remembered = lru_cache(maxsize=1 << 13)
"""A report writes the same names and numbers thousands of times."""


@_remembered
def visible(text: str) -> str:
    r"""Write text on one line, with every character that cannot be printed as its code.

    Parameters
    ----------
    text : str
        Anything.

    Returns
    -------
    str
        In Unicode's composed form (NFC), without line breaks, controls, lone surrogates and directional overrides.

    Examples
    --------
    >>> visible("two\nlines, a bell \x07 and an override \u202e")
    'two lines, a bell \\x07 and an override \\u202e'
    """
    return unicodedata.normalize("NFC", coded(_SPACES.sub(" ", text)))


def coded(text: str) -> str:
    r"""Write every character that cannot be printed as its code, and leave the others, also spaces, as they are.

    Examples
    --------
    >>> coded("a  b\n\x1b[2J")
    'a  b\\x0a\\x1b[2J'
    """
    return _UNPRINTABLE.sub(_code, text)


def terminal_text(text: str) -> str:
    r"""Write lines for a terminal or a log, in which nothing is an instruction to either.

    Line feeds separate lines, as `\r\n` do; names within them are to be made `visible` before. What GitHub Actions,
    Azure Pipelines and TeamCity would take for a command to the runner gets a code in its place.

    Parameters
    ----------
    text : str
        Anything.

    Returns
    -------
    str
        Without controls, direction signs and commands; spaces, tabs and line feeds stay.

    Examples
    --------
    >>> print(terminal_text("one\r\n ::error::two\nthree \x1b[2J ##[error]"))
    one
     \x3a:error::two
    three \x1b[2J #\x23[error]
    """
    lines = [coded(line) for line in text.replace("\r\n", "\n").split("\n")]
    return _COMMANDS_OF_RUNNERS.sub(_command_code, "\n".join(lines))


def _command_code(match: re.Match[str]) -> str:
    return rf"{match[1]}\x3a" if match[1] is not None else r"\x23"


def _code(match: re.Match[str]) -> str:
    number = ord(match.group())
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def columns_in_terminal(text: str) -> int:
    """Count the columns of text in a type of fixed width.

    Examples
    --------
    >>> columns_in_terminal("k\u0302 中"), columns_in_terminal("naïve")
    (4, 5)
    """
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(sign) or sign in INVISIBLE
        else 2
        if unicodedata.east_asian_width(sign) in "WF"
        else 1
        for sign in text
    )


def escape_latex(text: str, *, breakable: bool = False, typewriter: bool = False) -> str:
    r"""Escape text for LaTeX: for running text, captions, headings and table cells.

    Parameters
    ----------
    text : str
        Anything.
    breakable : bool
        Let long names break at the end of a line, after `_`, `/`, `.` and the like, without a hyphen.
    typewriter : bool
        The text is in `\texttt`.

    Returns
    -------
    str
        Works in OT1 and T1 with the kernel's commands alone (but see `needs_t1`). Characters that pdflatex cannot
        set pass unchanged; `unsettable` names them. A leading `[` or `*` is put in braces, as `\\` and `\midrule` would
        take it for an argument.

    Examples
    --------
    >>> print(escape_latex(r"R&D_50%~{x}\^$#"))
    R\&D\_50\%\textasciitilde{}\{x\}\textbackslash{}\textasciicircum{}\$\#
    >>> print(escape_latex("κ ≤ −1 → naïve"))
    $\kappa$ $\leq$ $-$1 $\rightarrow$ naïve
    >>> print(escape_latex("[x] --fast"))
    {[}x] -\/-fast
    >>> print(escape_latex("the lead of 'new'", breakable=True))
    the lead of `new'
    """
    shown = visible(text)
    if breakable:
        shown = _OPENING_QUOTE.sub("‘", shown)
        words = ([_latex(piece, typewriter) for piece in _pieces(word)] for word in shown.split(" "))
        escaped = " ".join(r"\allowbreak{}".join(word) for word in words)
    else:
        escaped = _latex(shown, typewriter)
    return re.sub(r"^( *)([\[*])", r"\1{\2}", escaped)


@_remembered
def _latex(text: str, typewriter: bool) -> str:
    parts: list[str] = []
    for run in _RUN.findall(text):
        part = _written(run, typewriter)
        if parts and parts[-1][-1] + part[0] in _LIGATURES:
            parts.append(r"\/")  # braces alone do not keep LuaTeX from a ligature
        parts.append(part)
    return "".join(parts)


def _written(run: str, typewriter: bool) -> str:
    """Write one character, or a run of raised or lowered ones."""
    for sign, kind in (("^", SUPERSCRIPTS), ("_", SUBSCRIPTS)):
        if run[0] in kind:
            return f"${sign}{{{''.join(kind[character] for character in run)}}}$"
    return (TYPEWRITER.get(run) if typewriter else None) or COMMANDS.get(run, run)


def unsettable(text: str) -> set[str]:
    """Name the characters that pdflatex has no glyph for: other scripts than Latin and Greek, emoji.

    Parameters
    ----------
    text : str
        Anything.

    Returns
    -------
    set of str
        Single characters; empty if pdflatex sets the text. xelatex and lualatex set them with a font that has them.

    Examples
    --------
    >>> sorted(unsettable("naïve κ ≤ 3, 中文"))
    ['中', '文']
    """
    found = (one for one in _RUN.findall(visible(text)) if not one.isascii())
    return {one for one in found if not any(one[0] in kind or one in kind for kind in _SETTABLE)}


_SETTABLE = (COMMANDS, PASSED, INVISIBLE, SUPERSCRIPTS, SUBSCRIPTS)


def needs_t1(text: str) -> bool:
    """Say whether text has characters that only T1 fonts have, so that a document needs `fontenc`.

    Examples
    --------
    >>> needs_t1("Gdańsk"), needs_t1("Łódź i Dąbrowa")
    (False, True)
    """
    return not NEEDS_T1.isdisjoint(visible(text))


_OPENING_QUOTE = re.compile(r"(?<![^\s(\[])'(?=\w)")
_BREAK_AFTER = re.compile(r"(?<=[_/.:=@+,;|\\])(?=[A-Za-z0-9])")
_AFTER_HYPHEN = re.compile(r"(?<=[^-]-)(?=[^-])")
_LONG, _PIECE = 20, 8


def _pieces(word: str) -> list[str]:
    """Return where a word may break without a hyphen; TeX hyphenates words of ordinary language."""
    if len(word) <= _LONG // 2:
        return [word]
    pieces: list[str] = []
    for piece in _BREAK_AFTER.split(word):
        if len(piece) <= _LONG or re.fullmatch(r"\W*[A-Z]?[a-z'’-]{1,30}\W*", piece):
            pieces.append(piece)
            continue
        for part in _AFTER_HYPHEN.split(piece):  # inside a part only where it is long by itself
            pieces.extend([part] if len(part) <= _LONG else _cut(part))
    return pieces


def _cut(piece: str) -> list[str]:
    return [piece[at : at + _PIECE] for at in range(0, len(piece), _PIECE)]


_MARKDOWN_ALWAYS = re.compile(r"[\\`*\[\]{}#|$~^@]")
_MARKDOWN_SOMETIMES = re.compile(
    r"""
    (?<![^\W_])_ | _(?![^\W_])        # an underscore inside a word is one everywhere; elsewhere it starts emphasis
    | <(?=[A-Za-z/!?]|$)              # a tag, a comment, an address
    | &(?=\#|[A-Za-z0-9]+;)           # an entity
    | (?<=-)- | (?<=\.)\.             # pandoc makes dashes and an ellipsis of them
    | (?<=ttp):(?=//) | (?<=ttps):(?=//) | (?<=ftp):(?=//) | (?<=www)\.   # GitHub makes links of them
    """,
    re.VERBOSE | re.IGNORECASE,
)
_LINE_START = re.compile(r"^(?=(?:[-+=>:%](?:\s|$|[-=]))|>)")
_LINE_NUMBER = re.compile(r"^(\(?(?:\d+|[A-Za-z]|[ivxlcdmIVXLCDM]+))([.)])(?=\s|$)")


@_remembered
def escape_markdown(text: str) -> str:
    r"""Escape text for Markdown as GitHub and pandoc read it, in running text and in table cells.

    Parameters
    ----------
    text : str
        Anything.

    Returns
    -------
    str
        Backslashes only where a sign would be read as emphasis, link, code, mathematics, citation, HTML, heading or
        table; `my_model` and `<.001` stay as they are. What matters at the start of a line alone is the business of
        `guard_line_start`.

    Examples
    --------
    >>> print(escape_markdown("my_model *v2* <b> | $x$ & p <.001"))
    my_model \*v2\* \<b> \| \$x\$ & p <.001
    """
    shown = visible(text)
    escaped = _MARKDOWN_SOMETIMES.sub(lambda match: "\0" + match.group(), shown)
    return _MARKDOWN_ALWAYS.sub(lambda match: "\\" + match.group(), escaped).replace("\0", "\\")


def guard_line_start(markdown: str) -> str:
    r"""Escape what would start a list, a quotation, a heading or a definition at the start of a line.

    Parameters
    ----------
    markdown : str
        One line of finished Markdown.

    Examples
    --------
    >>> print(guard_line_start("1. place"), guard_line_start("- 3"), guard_line_start("−3"))
    1\. place \- 3 −3
    """
    line = markdown.lstrip(" ")
    return _LINE_NUMBER.sub(r"\1\\\2", _LINE_START.sub(r"\\", line))


def escape_html(text: str) -> str:
    """Escape text for HTML, in elements and in quoted attributes.

    Examples
    --------
    >>> escape_html('<b> & "c"')
    '&lt;b&gt; &amp; &quot;c&quot;'
    """
    return html.escape(visible(text), quote=True)
