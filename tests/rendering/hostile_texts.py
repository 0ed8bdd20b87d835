"""200 names that try to break a format or to say something in it, drawn with a fixed seed, and what must be read."""

from __future__ import annotations

import random
import re
import unicodedata

from reportkit.rendering.text.escaping import visible

LATEX = (
    *(r"\rkcanary", r"\input{/etc/passwd}", r"\end{document}", r"\\", "^^M", r"^^5crkcanary{}", "%", "%\n\\rkcanary\n"),
    *(
        "$",
        r"$\rkcanary$",
        r"}\rkcanary{",
        "#1",
        "&",
        r"\begin{verbatim}",
        "~",
        "--",
        "---",
        "``x''",
        r"\verb|x|",
        "?`",
    ),
    *(
        r"\catcode`\%=12",
        r"\def\x{",
        "{",
        "}",
        "_",
        "^",
        r"\write18{touch canary}",
        r"\csname rkcanary\endcsname",
        '"a',
    ),
    *("[x]", "*", r"\ref{tab:results}", r"\cite{holm1979simple}", "<<", ",,", "!`", r"\par", "\\"),
)
HTML = (
    *(
        "<script>canary()</script>",
        "</td></table>",
        '<img src="x" onerror="canary()">',
        "&lt;b&gt;",
        "&#60;b>",
        "&amp;",
    ),
    *(
        "</script>",
        "<!--",
        "-->",
        "]]>",
        '" onclick="canary()',
        "' x='",
        "</style><b>",
        "</svg>",
        "</title>",
        "<b",
        "&",
    ),
    *("<!DOCTYPE html>", "<?php ?>", "<a href='javascript:canary()'>x</a>", "</figcaption>", "<textarea>", "&nbsp;"),
)
MARKDOWN = (
    *(
        "**",
        "__",
        "`",
        "```",
        "[a](http://b.c)",
        "![i](x.png)",
        "|",
        "# x",
        "> x",
        "1. x",
        "- x",
        "+ x",
        "* x",
        "~~x~~",
    ),
    *(
        "<http://a.b>",
        "http://a.b/c_d",
        "www.a.b",
        "\n\n",
        "\n---\n",
        "\n===\n",
        ": x",
        "[^1]",
        "[^1]: x",
        "$x$",
        "@key",
    ),
    *(
        "[@key]",
        "^a^",
        "~b~",
        "{#id}",
        "\n::: {.x}\n",
        "[x]{.y}",
        "  \nx",
        ":smile:",
        "...",
        "(@) x",
        "[ ] x",
        "*a*b_c_",
    ),
    *(
        "`<b>`{=html}",
        "Mr. X e.g. Y",
        "'x' \"y\"",
        "a'b",
        "![",
        "](",
        "\\*",
        "~~~",
        "    x",
        "\tx",
        "<br>",
        "i. x",
        "%x",
    ),
)
JINJA = ("{{ 6*7777 }}", "{% raw %}", "{# c #}", "<< 7 >>", "<% for x in y %>", "<# c #>", "{{ report.title }}", "{%")
CSV = ("=1+1", "@SUM(A1)", "+1", "-1", '"', '""', ",", ";", "\t", "\r\n", "'")
UNICODE = (
    *(
        "中文数据集",
        "日本語",
        "한국어",
        "العربية",
        "עברית",
        "हिन्दी",
        "ไทย",
        "русский",
        "Ελληνικά",
        "Việt",
        "Łódź",
        "İı",
        "ǅ",
    ),
    *(
        "👩\u200d🔬",
        "🏳\ufe0f\u200d🌈",
        "❤\ufe0f",
        "e\u0301\u0323",
        "Z\u0351\u036b\u0343a\u0334l\u0337g\u0338o",
        "\u0301x",
    ),
    *("\u200b", "\u200d", "\u2060", "\ufeff", "\u202erl\u202c", "\u2066x\u2069", "\u200fx", "\ud800", "\udfff", "\x00"),
    *(
        "\x07",
        "\x1b[31m",
        "\u2028",
        "\u2029",
        "\x85",
        "\ue000",
        "\ufdd0",
        "\uffff",
        "𝔘𝔫𝔦",
        "ﬁ",
        "½",
        "κ ≤ −1",
        "x²",
        "a\u00a0b",
    ),
    *("k\u0302", "α\u0302", "«x»", "„x“", "…", "–", "—", "′", "\u00ad", "™", "№", "\U0001f1e9\U0001f1ea", "\U000e0041"),
)
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
