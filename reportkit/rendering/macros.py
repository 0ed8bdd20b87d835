r"""Numbers for running text, as LaTeX, Markdown and JSON: `\rk{main/sst2/ours}`, and macros of letters alone.

`\rk` expands to the value, so that it works in text, captions, headings with their bookmarks, mathematics and, for
plain numbers, in `\num` of siunitx and comparisons of TeX. `\rknum` gives the same number in ASCII, without a comma
between thousands: for `\num{\rknum{...}}`, also where there is a sign. A key without a value prints `??key??` in bold
and gives a warning.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable

from reportkit.rendering.documents import Writer
from reportkit.rendering.notation import Format, Latex, Markdown
from reportkit.rendering.text.escaping import escape_latex, visible
from reportkit.report.model import Cell, Column, Number, Report, Row, Table, Words
from reportkit.report.tokens import code

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
    lines = [_LOOKUP]
    lines += [_definition(key, number) for key, number in report.numbers.items()]
    aliases, refused = aliases_of(report.numbers)
    lines += [rf"\rk@alias{{{name}}}{{{key}}}" for key, name in aliases.items()]
    lines += [rf"% no macro \Rk{name}, which would stand for {' and '.join(keys)}" for name, keys in refused.items()]
    body = "\n".join([*lines, r"\rk@restore", ""])
    return Writer("latex", report.appearance, report.signature).head("numbers", body) + body


def _definition(key: str, number: Number) -> str:
    text = latex_value(number.content) if not key.endswith("/mark") else _in_any_mode(Latex().mark(_words(number)))
    plain = ascii_number(number.content)
    if plain is None:
        return rf"\rk@set{{text}}{{{key}}}{{{text}}}"
    if plain == text:
        return rf"\rk@value{{{key}}}{{{text}}}"
    return rf"\rk@set{{text}}{{{key}}}{{{text}}}\rk@set{{number}}{{{key}}}{{{plain}}}"


def _words(number: Number) -> str:
    return str(Format().write(number.content))


def ascii_number(content: Words) -> str | None:
    """Write a number as programs read it, with the sign and digits that are printed; None if it is none.

    `<.001` and `>.99` stay as they are, as siunitx takes them.

    Examples
    --------
    >>> [ascii_number(text) for text in ("−1.25", "+0.4", "12,400", ".036", "<.001", "120 / 80", "")]
    ['-1.25', '+0.4', '12400', '.036', '<.001', None, None]
    """
    text = str(Format().write(content)).replace("−", "-")
    relation = text[:1] if text[:1] in ("<", ">") else ""
    digits = text.removeprefix(relation)
    if not any(sign.isdigit() for sign in digits) or not _ASCII_NUMBER.fullmatch(digits):
        return None
    return relation + digits.replace(",", "")


def latex_value(content: Words, *, standalone: bool = False) -> str:
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
    >>> print(*(latex_value(text) for text in ("93.1", "−1.25", "<.001", "12,400", "R&D")))
    93.1 \ensuremath{-}1.25 \ensuremath{<}.001 12\rkcomma 400 R\&D
    """
    written = str(Latex().write(content))
    if ascii_number(content) is not None:
        return _in_any_mode(written).replace(",", "{,}" if standalone else r"\rkcomma ")
    if standalone or not _MATHEMATICS.search(written):
        return _in_any_mode(written)
    shown = visible(str(Format().write(content))).replace("\u00a0", " ").replace("−", "-")
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


def markdown_numbers(report: Report) -> str:
    """Write the keys with their values and meanings as one Markdown table."""
    rows = tuple(
        Row(
            cells=(
                Cell(text=code(key)),
                Cell(mark=_words(number)) if key.endswith("/mark") else Cell(text=number.content),
                Cell(text=number.meaning),
            )
        )
        for key, number in report.numbers.items()
    )
    caption = (
        f"Numbers that running text may name: {code('rk{key}')} in LaTeX, after {code('input{rknumbers}')} in the "
        f"preamble; {code('<!-- rk: key -->…<!-- /rk -->')} in Markdown, which {code('reportkit update')} fills in."
    )
    columns = (Column(header="Key", align="left"), Column(header="Value"), Column(header="Meaning", align="left"))
    return Writer("markdown", signature=report.signature).table(
        Table(name="numbers", caption=caption, columns=columns, rows=rows)
    )


def json_numbers(report: Report) -> str:
    """Write the keys with their values for programs.

    `text` is what is printed, in plain text, `markdown` the same in Markdown; `value` is the same as a number, null if
    it is none. Unrounded numbers are in `report.json`.
    """
    content = {
        "signature": report.signature.line,
        "numbers": {
            key: {
                "text": _words(number),
                "markdown": markdown_value(key, number),
                "value": _value(number),
                "meaning": number.meaning,
            }
            for key, number in report.numbers.items()
        },
    }
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def markdown_value(key: str, number: Number) -> str:
    r"""Write a value for running text in Markdown.

    Examples
    --------
    >>> print(markdown_value("main/sst2/ours", Number(content="−1.5")))
    −1.5
    >>> print(markdown_value("main/sst2/ours-vs-base/mark", Number(content="*")))
    \*
    """
    return Markdown().mark(_words(number)) if key.endswith("/mark") else str(Markdown().write(number.content))


def _value(number: Number) -> float | int | None:
    written = ascii_number(number.content)
    if written is None or written[0] in "<>":
        return None
    value = float(written)
    return int(value) if "." not in written else value
