"""200 names that try to break a format or to say something in it, drawn with a fixed seed, and what must be read."""

from __future__ import annotations

import random
import re
import unicodedata

from reportkit.rendering.text.escaping import visible

LATEX = (
    "\\rkcanary", "\\input{/etc/passwd}", "\\end{document}", '\\\\', "^^M", "^^5crkcanary{}", "%",
    "%\n\\rkcanary\n", "$", "$\\rkcanary$", "}\\rkcanary{", "#1", "&", "\\begin{verbatim}", "~", "--", "---",
    "``x''", "\\verb|x|", "?`", "\\catcode`\\%=12", "\\def\\x{", "{", "}", "_", "^",
    "\\write18{touch canary}", "\\csname rkcanary\\endcsname", '"a', "[x]", "*", "\\ref{tab:results}",
    "\\cite{holm1979simple}", "<<", ",,", "!`", "\\par", '\\',
)  # fmt: skip
HTML = (
    "<script>canary()</script>", "</td></table>", '<img src="x" onerror="canary()">', "&lt;b&gt;", "&#60;b>",
    "&amp;", "</script>", "<!--", "-->", "]]>", '" onclick="canary()', "' x='", "</style><b>", "</svg>",
    "</title>", "<b", "&", "<!DOCTYPE html>", "<?php ?>", "<a href='javascript:canary()'>x</a>",
    "</figcaption>", "<textarea>", "&nbsp;",
)  # fmt: skip
MARKDOWN = (
    "**", "__", "`", "```", "[a](http://b.c)", "![i](x.png)", "|", "# x", "> x", "1. x", "- x", "+ x", "* x",
    "~~x~~", "<http://a.b>", "http://a.b/c_d", "www.a.b", "\n\n", "\n---\n", "\n===\n", ": x", "[^1]",
    "[^1]: x", "$x$", "@key", "[@key]", "^a^", "~b~", "{#id}", "\n::: {.x}\n", "[x]{.y}", "  \nx", ":smile:",
    "...", "(@) x", "[ ] x", "*a*b_c_", "`<b>`{=html}", "Mr. X e.g. Y", '\'x\' "y"', "a'b", "![", "](", "\\*",
    "~~~", "    x", "\tx", "<br>", "i. x", "%x",
)  # fmt: skip
JINJA = (
    "{{ 6*7777 }}", "{% raw %}", "{# c #}", "<< 7 >>", "<% for x in y %>", "<# c #>", "{{ report.title }}",
    "{%",
)  # fmt: skip
CSV = ("=1+1", "@SUM(A1)", "+1", "-1", '"', '""', ",", ";", "\t", "\r\n", "'")
UNICODE = (
    "中文数据集", "日本語", "한국어", "العربية", "עברית", "\u0939\u093f\u0928\u094d\u0926\u0940", "ไทย", "русский",
    "Ελληνικά", "Việt", "Łódź", "İı", "ǅ", "\U0001f469\u200d\U0001f52c", "\U0001f3f3\ufe0f\u200d\U0001f308",
    "\u2764\ufe0f", "e\u0301\u0323", "Z\u0351\u036b\u0343a\u0334l\u0337g\u0338o", "\u0301x", "\u200b",
    "\u200d", "\u2060", "\ufeff", "\u202erl\u202c", "\u2066x\u2069", "\u200fx", "\ud800", "\udfff", "\x00",
    "\x07", "\x1b[31m", "\u2028", "\u2029", "\x85", "\ue000", "\ufdd0", "\uffff", "𝔘𝔫𝔦", "ﬁ", "½", "κ ≤ −1",
    "x²", "a\xa0b", "k\u0302", "\u03b1\u0302", "«x»", "„x“", "…", "–", "—", "′", "\xad", "™", "№", "🇩🇪",
    "\U000e0041",
)  # fmt: skip
LONG = ("x" * 400, "long_name/" * 40, "wörter " * 60, "中" * 120, "-" * 90, "{" * 60, "<" * 60, "|" * 60)
POOLS = (LATEX, HTML, MARKDOWN, JINJA, CSV, UNICODE)
N_NAMES = 200


def hostile_names(seed: int = 2017, n: int = N_NAMES) -> tuple[str, ...]:
    """Names that begin, go on and end with something hostile; `q007z` in each says which it is.

    Every piece occurs in at least one name of the first 200, at its start or behind the tag.
    """
    rng = random.Random(seed)  # noqa: S311 - a fixed choice, no secret
    pieces = [piece for pool in (*POOLS, LONG) for piece in pool]
    rng.shuffle(pieces)
    names = []
    for index in range(n):
        first = pieces[index % len(pieces)]
        more = [rng.choice(rng.choice(POOLS)) for _ in range(rng.randrange(3))]
        tag = f"q{index:03d}z"
        parts = [first, tag, *more] if index % 2 else [*more, tag, first]
        names.append(rng.choice(("", " ")).join(parts))
    return tuple(names)


def tags(n: int = N_NAMES) -> list[str]:
    """The tags of the names, in order."""
    return [f"q{index:03d}z" for index in range(n)]


def read(text: str) -> str:
    """What a reader sees of a name: on one line, single spaces, none at the ends."""
    return re.sub(" +", " ", visible(text)).strip(" ")


def same(text: str) -> str:
    """Text for comparison where a format has one sign for several: apostrophes, spaces, the order of accents."""
    plain = text.replace("’", "'").replace("‘", "'").replace("\u00a0", " ")
    return unicodedata.normalize("NFC", re.sub(r"\s+", " ", plain)).strip()
