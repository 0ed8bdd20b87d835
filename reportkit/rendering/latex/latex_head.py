r"""What stands above the content of a LaTeX file: where it comes from, what it needs, what pdflatex cannot set.

A character without a glyph is left as it is in the file, so that xelatex and lualatex can set it. For pdflatex it is
defined as a small box with its code, as browsers show it: the file compiles, and the page says what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reportkit.finding import Finding
from reportkit.rendering.contents import all_prose, words_of
from reportkit.rendering.latex.latex_glyphs import SPECIMEN, halves
from reportkit.rendering.text.escaping import needs_t1, unsettable, visible
from reportkit.rendering.text.latex_characters import INVISIBLE
from reportkit.rendering.text.origin import origin
from reportkit.rendering.view import HeadView
from reportkit.report.model import Report, Signature


def latex_head(
    what: str,
    signature: Signature | None,
    words: str,
    *,
    packages: Sequence[str] = (),
    preamble: Sequence[str] = (),
    definitions: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> HeadView:
    r"""Comments above the content of a file, and definitions.

    Parameters
    ----------
    what : str
        What the file holds.
    signature : Signature or None
        Of the report.
    words : str
        All text of the file: what pdflatex cannot set is said, and defined as a box with its code.
    packages : sequence of str
        Needed in the user's preamble.
    preamble : sequence of str
        Lines that are needed there, too.
    definitions : sequence of str
        Macros of the content, defined in the file.
    notes : sequence of str
        Further lines.
    """
    lines = [origin(what, signature)]
    needed = [rf"\usepackage{{{package}}}" for package in packages]
    if packages and needs_t1(words):
        needed.append(r"\usepackage[T1]{fontenc}")
    if needed:
        lines.append("needs " + " ".join(needed))
    if preamble:
        lines.append("and in the preamble " + " ".join(preamble))
    if signature is not None:
        lines.append(signature.line)
    lines.extend(notes)
    missing = "".join(sorted(unsettable(words)))
    if missing:
        lines.append(f"pdflatex cannot set {_listed(missing)}: it prints the code in a box;")
        if what == "report":  # whose preamble sees to it
            lines.append(r"xelatex and lualatex set them with a \setmainfont that has them, or print the same box")
        else:
            lines.append("xelatex and lualatex set them with a font that has them, and leave them out with another:")
            lines.append(r"\tracinglostchars=3 in your preamble makes that an error")
    return HeadView(comments=tuple(visible(line) for line in lines), definitions=(*definitions, *_definitions(words)))


def _listed(characters: str, most: int = 20) -> str:
    shown = " ".join(f"U+{ord(character):04X}" for character in characters[:most])
    return shown + (f" and {len(characters) - most} more" if len(characters) > most else "")


def _definitions(words: str) -> Iterable[str]:
    missing = sorted(unsettable(words))
    silent = sorted(set(visible(words)) & INVISIBLE)
    if missing:
        yield SPECIMEN
    for character in (*missing, *silent):
        upper, lower = halves(character)
        name = rf"\csname u8:\detokenize{{{character}}}\endcsname"
        meaning = "" if character in INVISIBLE else rf"\rkunicode{{{upper}}}{{{lower}}}"
        yield rf"\ifcsname{name.removeprefix(chr(92) + 'csname')}\else\expandafter\def{name}{{{meaning}}}\fi%"


def unicode_finding(report: Report) -> Finding | None:
    """Say which characters of a report pdflatex cannot set; None if it sets them all."""
    contents = list(all_prose(report))
    characters = "".join(sorted(unsettable(words_of(contents))))
    if not characters:
        return None
    return Finding(
        "characters-without-glyph",
        "info",
        f"pdflatex has no glyph for {' '.join(characters[:20])}{' and more' if len(characters) > 20 else ''}; "
        "it prints their code in a box.",
        remedy="compile with xelatex or lualatex and a font that has them, as the head of report.tex says",
    )
