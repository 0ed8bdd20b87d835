"""Meaning of the macros and environments of LaTeX for a reader; the tables are in `macros.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path

_TABLES = tomllib.loads(Path(__file__).with_name("macros.toml").read_text(encoding="utf-8"))
_SETS = {name: frozenset(items) for name, items in _TABLES.items() if isinstance(items, list)}

SYMBOLS: dict[str, str] = _TABLES["symbols"]
ACCENTS: dict[str, str] = _TABLES["accents"]
STYLES: dict[str, str] = _TABLES["styles"]
SWITCHES: dict[str, str] = _TABLES["switches"]
LEFT_OUT: dict[str, int] = _TABLES["left_out"]
ROW_MACROS: dict[str, int] = _TABLES["row_macros"]
PIPES = "pipe table"
"""Environment as which a table of Markdown is written."""
TABULARS: dict[str, int] = {**_TABLES["tabulars"], PIPES: 0}
WITH_ARGUMENTS: dict[str, int] = _TABLES["with_arguments"]
VERBATIM: tuple[str, ...] = tuple(_TABLES["verbatim"])
SUPERSCRIPTS, QUOTES = _SETS["superscripts"], _SETS["quotes"]
REFERENCES, CITING, HEADINGS = _SETS["references"], _SETS["citing"], _SETS["headings"]
FOOTNOTES, CAPTIONS, COLOURS = _SETS["footnotes"], _SETS["captions"], _SETS["colours"]
FRACTIONS, WITHOUT_OPTION, FULL_RULES = _SETS["fractions"], _SETS["without_option"], _SETS["full_rules"]
FLOATS, LONG, DISPLAYED = _SETS["floats"], _SETS["long_tables"], _SETS["displayed"]
LEFT_OUT_ENVIRONMENTS = _SETS["left_out_environments"]

ALONE = {r"\^": "ˆ", r"\~": "~"}
"""Characters that accents print when no letter follows."""
FONTS = frozenset({"bold", "italic"})
UNSTYLED = {
    r"\mdseries": frozenset({"bold"}),
    r"\upshape": frozenset({"italic"}),
    **{rf"\{name}": FONTS for name in ("normalfont", "bf", "it", "sl", "tt", "sc", "rm", "sf")},
}
"""Macros that end styles until the end of the group; those of LaTeX 2.09 reset the font first."""
ANEW = {r"\bf": frozenset({"bold"}), r"\it": frozenset({"italic"}), r"\sl": frozenset({"italic"})}
"""Styles that some of these begin after the reset."""
PLAIN = {r"\textmd": frozenset({"bold"}), r"\textup": frozenset({"italic"}), r"\textnormal": FONTS}
"""Macros that end styles within their argument."""
DINGBATS = {"51": "✓", "52": "✓", "55": "✗", "56": "✗"}
BETWEEN = {**dict.fromkeys(FRACTIONS, "/"), **dict.fromkeys(_SETS["diagonals"], " \\ ")}
"""Macros of two arguments, with what is read between them."""
SILENT = (WITHOUT_OPTION - {r"\xspace", r"\left", r"\right", r"\leavevmode"}) | frozenset(
    {*SWITCHES, *UNSTYLED, r"\ttfamily", r"\rmfamily", r"\sffamily", r"\scshape", r"\boldmath", r"\strut"}
)
"""Macros that print nothing, and swallow the white space after them."""
LETTER_ACCENTS = frozenset(name for name in ACCENTS if len(name) == 2 and name[1].isalpha())
"""Accents named by one letter, which papers often define anew, for vectors and the like."""
KNOWN: frozenset[str] = (
    frozenset(
        {*SYMBOLS, *ACCENTS, *STYLES, *SWITCHES, *UNSTYLED, *PLAIN, *SUPERSCRIPTS, *LEFT_OUT, *REFERENCES, *CITING}
        | {
            *HEADINGS,
            *FOOTNOTES,
            *CAPTIONS,
            *BETWEEN,
            *COLOURS,
            *FULL_RULES,
            r"\rk",
            r"\begin",
            r"\end",
            r"\\",
            r"\item",
        }
    ).union(_SETS["numeric"])
    - _SETS["redefinable"]
)
"""Macros that keep their meaning here whatever a paper defines them to be."""
