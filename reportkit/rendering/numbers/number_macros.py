r"""Numbers for running text as LaTeX: `\rk{main/sst2/ours}`, and macros of letters alone.

`\rk` expands to the value, so that it works in text, captions, headings with their bookmarks, mathematics and, for
plain numbers, in `\num` of siunitx and comparisons of TeX. `\rknum` gives the same number in ASCII, without a comma
between thousands: for `\num{\rknum{...}}`, also where there is a sign. A key without a value prints `??key??` in bold
and gives a warning.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from reportkit.rendering.contents import words_of
from reportkit.rendering.latex.latex_head import latex_head
from reportkit.rendering.templates.environment import open_templates
from reportkit.rendering.text.escaping import escape_latex, visible
from reportkit.rendering.text.inline import latex_mark, latex_prose, plain_prose
from reportkit.report.model import Number, Report
from reportkit.report.prose import Prose

NUMBERS_TEX = "rknumbers.tex"
DEFAULT_NAME = "main"

_ASCII_NUMBER = re.compile(r"[+-]?(\d{1,3}(,\d{3})+|\d+)?(\.\d+)?", re.ASCII)
_MATHEMATICS = re.compile(r"(?<!\\)\$(.+?)(?<!\\)\$")
_DIGITS = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")

_LOOKUP = r"""
\expandafter\edef\csname rk@restore\endcsname{\catcode64=\the\catcode64\relax}\catcode64=11\relax
\DeclareRobustCommand\rk@missing[1]{\PackageWarning{reportkit}{no value for key `#1'}\textbf{??\detokenize{#1}??}}
\DeclareRobustCommand\rkcomma{{,}}% siunitx stops at it, and would take a mere comma for a decimal point
\providecommand\rk@pick[2]{\ifcsname rk@#1@\detokenize{#2}\endcsname\csname rk@#1@\detokenize{#2}\endcsname
  \else\ifcsname rk@#1@#2\endcsname\csname rk@#1@#2\endcsname\else\rk@missing{#2}\fi\fi}
\providecommand\rk[1]{\rk@pick{text}{#1}}
\providecommand\rknum[1]{\rk@pick{number}{#1}}
\providecommand\rk@or{\ifdefined\texorpdfstring\expandafter\texorpdfstring\else\expandafter\@firstoftwo\fi}
\providecommand\rk@set[3]{\def\rk@new{#3}\ifcsname rk@#1@#2\endcsname\expandafter\ifx\csname rk@#1@#2\endcsname\rk@new
  \else\PackageWarning{reportkit}{key `#2' has two values; the later one holds}\fi\fi
  \expandafter\let\csname rk@#1@#2\endcsname\rk@new}
\providecommand\rk@value[2]{\rk@set{text}{#1}{#2}\rk@set{number}{#1}{#2}}
\providecommand\rk@alias[2]{\expandafter\def\csname Rk#1\endcsname{\rk{#2}}}
""".strip()


def latex_numbers(report: Report) -> str:
    r"""Write the values of a report for LaTeX, to be read into the preamble with `\input`.

    Parameters
    ----------
    report : Report
        Any.

    Returns
    -------
    str
        ASCII but for names and text in other characters. Needs no package; works with and without hyperref and siunitx.
    """
    head = latex_head(
        "numbers",
        report.signature,
        words_of(number.content for number in report.numbers.values()),
        notes=(r"\rk{key} prints a value, \rknum{key} gives it for \num{...}; all keys are listed in numbers.md",),
    )
    lines = [open_templates("latex").render("head", head=head).rstrip("\n"), _LOOKUP]
    lines += [_definition(key, number) for key, number in report.numbers.items()]
    aliases, refused = aliases_of(report.numbers)
    lines += [rf"\rk@alias{{{name}}}{{{key}}}" for key, name in aliases.items()]
    lines += [rf"% no macro \Rk{name}, which would stand for {' and '.join(keys)}" for name, keys in refused.items()]
    return "\n".join([*lines, r"\rk@restore", ""])


def _definition(key: str, number: Number) -> str:
    text = latex_value(number.content) if not key.endswith("/mark") else _in_any_mode(latex_mark(_words(number)))
    plain = ascii_number(number.content)
    if plain is None:
        return rf"\rk@set{{text}}{{{key}}}{{{text}}}"
    if plain == text:
        return rf"\rk@value{{{key}}}{{{text}}}"
    return rf"\rk@set{{text}}{{{key}}}{{{text}}}\rk@set{{number}}{{{key}}}{{{plain}}}"


def _words(number: Number) -> str:
    return plain_prose(number.content)


def ascii_number(content: Prose) -> str | None:
    """Write a number as programs read it, with the sign and digits that are printed; None if it is none.

    `<.001` and `>.99` stay as they are, as siunitx takes them.

    Examples
    --------
    >>> from reportkit.report.prose import Text
    >>> [ascii_number((Text(text),)) for text in ("−1.25", "+0.4", "12,400", ".036", "<.001", "120 / 80", "")]
    ['-1.25', '+0.4', '12400', '.036', '<.001', None, None]
    """
    text = plain_prose(content).replace("−", "-")
    relation = text[:1] if text[:1] in ("<", ">") else ""
    digits = text.removeprefix(relation)
    if not any(sign.isdigit() for sign in digits) or not _ASCII_NUMBER.fullmatch(digits):
        return None
    return relation + digits.replace(",", "")


def latex_value(content: Prose, *, standalone: bool = False) -> str:
    r"""Write a value for text and mathematics alike.

    Parameters
    ----------
    content : Prose
        A number, or words.
    standalone : bool
        Whether no command of `rknumbers.tex` may be used: for what stands in a PDF bookmark instead of mathematics, and
        for a comma between thousands that siunitx does not take for a decimal point.

    Examples
    --------
    >>> from reportkit.report.prose import Text
    >>> print(*(latex_value((Text(text),)) for text in ("93.1", "−1.25", "<.001", "12,400", "R&D")))
    93.1 \ensuremath{-}1.25 \ensuremath{<}.001 12\rkcomma 400 R\&D
    """
    written = latex_prose(content)
    if ascii_number(content) is not None:
        return _in_any_mode(written).replace(",", "{,}" if standalone else r"\rkcomma ")
    if standalone or not _MATHEMATICS.search(written):
        return _in_any_mode(written)
    shown = visible(plain_prose(content)).replace("\u00a0", " ").replace("−", "-")
    plain = "".join(escape_latex(sign) if sign.isascii() else sign for sign in shown)
    return rf"\rk@or{{{_in_any_mode(written)}}}{{{plain}}}"


def _in_any_mode(written: str) -> str:
    return _MATHEMATICS.sub(r"\\ensuremath{\1}", written)


def aliases_of(keys: Iterable[str]) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    r"""Macros of letters alone for keys: digits are spelled, the name `main` is left out.

    Parameters
    ----------
    keys : iterable of str
        All keys of a report.

    Returns
    -------
    dict of str to str
        Key to the letters behind `\Rk`.
    dict of str to tuple of str
        Letters that would stand for several keys, and so for none, with these keys.

    Examples
    --------
    >>> aliases_of(["main/sst2/ours", "ablation/p-.05", "main/a-b/c", "main/a/b-c"])
    ({'main/sst2/ours': 'SstTwoOurs', 'ablation/p-.05': 'AblationPPointZeroFive'},
     {'ABC': ('main/a-b/c', 'main/a/b-c')})
    """
    found: defaultdict[str, list[str]] = defaultdict(list)
    for key in keys:
        found[_letters(key.removeprefix(f"{DEFAULT_NAME}/"))].append(key)
    alone = {named[0]: name for name, named in found.items() if len(named) == 1}
    return alone, {name: tuple(named) for name, named in found.items() if len(named) > 1}


def _letters(key: str) -> str:
    spelled = re.sub(r"\d", lambda digit: f"-{_DIGITS[int(digit[0])]}-", key.replace(".", "-point-"))
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z]+", spelled))
