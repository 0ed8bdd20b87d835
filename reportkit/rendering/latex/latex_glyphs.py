r"""What xelatex and lualatex do with a character that their font lacks: nothing, so that a name loses its letters.

In the report's own document each character that pdflatex cannot set is made active for these engines. Where the font
has it, it is set as ever (letters that join still join); where not, its code stands in a box, as with pdflatex. A table
that is read into somebody's paper leaves the paper's characters alone.
"""

from __future__ import annotations

from reportkit.rendering.text.escaping import unsettable, visible
from reportkit.rendering.text.latex_characters import PASSED

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
