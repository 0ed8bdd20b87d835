r"""What stands above the content of a LaTeX file: where it comes from, what it needs, what pdflatex cannot set.

A character without a glyph is left as it is in the file, so that xelatex and lualatex can set it. For pdflatex it is
defined as a small box with its code, as browsers show it: the file compiles, and the page says what is missing.

xelatex and lualatex do nothing with a character that their font lacks, so that a name loses its letters. In the
report's own document each character that pdflatex cannot set is made active for these engines: where the font has it,
it is set as ever (letters that join still join); where not, its code stands in the box. A table that is read into
somebody's paper leaves the paper's characters alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reportkit.finding import Finding
from reportkit.rendering.contents import all_prose, origin, words_of
from reportkit.rendering.text.escaping import needs_t1, unsettable, visible
from reportkit.rendering.text.latex_characters import INVISIBLE, PASSED
from reportkit.rendering.view import HeadView, TableView
from reportkit.report.model import Report, Signature

SPECIMEN = (
    r"\ifdefined\rkunicode\else\protected\def\rkunicode#1#2{\leavevmode\begingroup\fboxsep0.5pt\fboxrule0.2pt"
    r"\raisebox{-0.3ex}{\fbox{\tiny\ttfamily\vbox{\offinterlineskip\hbox{#1}\kern0.5pt\hbox{#2}}}}\endgroup}\fi%"
)
"""A character without a glyph: its code in two rows of a small box."""

_DEFINITIONS = (
    r"\newcommand\rkglyph{}",
    r'\DeclareRobustCommand\rkglyph[3]{\iffontchar\font"#1 \char"#1 \else\rkunicode{#2}{#3}\fi}',
    r'\pdfstringdefDisableCommands{\def\rkglyph#1#2#3{\Uchar"#1 }}',
    r'\newcommand\rkwatch[3]{\catcode"#1=\active\begingroup\lccode`\~="#1',
    r"  \lowercase{\endgroup\def~}{\rkglyph{#1}{#2}{#3}}}",
)


def halves(character: str) -> tuple[str, str]:
    """Code of a character in two rows of a small box.

    Examples
    --------
    >>> halves("中"), halves("👩")
    (('4E', '2D'), ('01F', '469'))
    """
    code = f"{ord(character):04X}" if ord(character) < 0x10000 else f"{ord(character):06X}"
    return code[: len(code) // 2], code[len(code) // 2 :]


def watched_glyphs(words: str) -> tuple[str, ...]:
    r"""Lines of a preamble, behind hyperref, for xelatex and lualatex alone.

    Parameters
    ----------
    words : str
        All text of the document.

    Returns
    -------
    tuple of str
        Empty where every font has everything: letters of Latin and Greek.

    Examples
    --------
    >>> print(watched_glyphs("中")[-1])
    \rkwatch{4E2D}{4E}{2D}
    >>> watched_glyphs("naïve κ")
    ()
    """
    signs = {sign for sign in visible(words) if sign in PASSED and not sign.isalpha()}  # typewriter type lacks some
    missing = sorted(unsettable(words) | signs)
    if not missing:
        return ()
    codes = [(upper + lower, upper, lower) for upper, lower in map(halves, missing)]
    return (SPECIMEN, *_DEFINITIONS, *(rf"\rkwatch{{{code}}}{{{upper}}}{{{lower}}}" for code, upper, lower in codes))


def packages_of(table: TableView) -> tuple[str, ...]:
    """Return the LaTeX packages that a table needs, in the order in which they are loaded."""
    longtable = ("longtable",) if table.environment == "longtable" else ()
    notes = ("threeparttable",) if table.threeparttable else ()
    return ("booktabs", *longtable, *notes)


def latex_head(
    what: str,
    signature: Signature | None,
    words: str,
    *,
    packages: Sequence[str] = (),
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
    notes : sequence of str
        Further lines.
    """
    lines = [origin(what, signature)]
    needed = [rf"\usepackage{{{package}}}" for package in packages]
    if packages and needs_t1(words):
        needed.append(r"\usepackage[T1]{fontenc}")
    if needed:
        lines.append("needs " + " ".join(needed))
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
    return HeadView(comments=tuple(visible(line) for line in lines), definitions=tuple(_definitions(words)))


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
