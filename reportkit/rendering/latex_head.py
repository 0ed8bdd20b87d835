r"""What stands above the content of a LaTeX file: where it comes from, what it needs, what pdflatex cannot set.

A character without a glyph is left as it is in the file, so that xelatex and lualatex can set it. For pdflatex it is
defined as a small box with its code, as browsers show it: the file compiles, and the page says what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reportkit.finding import Finding
from reportkit.rendering.contents import all_prose, words_of
from reportkit.rendering.escaping import needs_t1, unsettable, visible
from reportkit.rendering.latex_characters import INVISIBLE
from reportkit.rendering.origin import origin
from reportkit.rendering.view import HeadView
from reportkit.report.model import Report, Signature

_SPECIMEN = (
    r"\ifdefined\rkunicode\else\protected\def\rkunicode#1#2{\leavevmode\begingroup\fboxsep0.5pt\fboxrule0.2pt"
    r"\raisebox{-0.3ex}{\fbox{\tiny\ttfamily\vbox{\offinterlineskip\hbox{#1}\kern0.5pt\hbox{#2}}}}\endgroup}\fi%"
)


def latex_head(
    what: str,
    signature: Signature | None,
    words: str,
    *,
    packages: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> HeadView:
    """Comments above the content of a file, and definitions for what pdflatex cannot set."""
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
        lines.append("xelatex and lualatex set them with a font that has them")
    return HeadView(comments=tuple(visible(line) for line in lines), definitions=tuple(_definitions(words)))


def _listed(characters: str, most: int = 20) -> str:
    shown = " ".join(f"U+{ord(character):04X}" for character in characters[:most])
    return shown + (f" and {len(characters) - most} more" if len(characters) > most else "")


def _definitions(words: str) -> Iterable[str]:
    missing = sorted(unsettable(words))
    silent = sorted(set(visible(words)) & INVISIBLE)
    if missing:
        yield _SPECIMEN
    for character in (*missing, *silent):
        code = f"{ord(character):04X}" if ord(character) < 0x10000 else f"{ord(character):06X}"
        half = len(code) // 2
        name = rf"\csname u8:\detokenize{{{character}}}\endcsname"
        meaning = "" if character in INVISIBLE else rf"\rkunicode{{{code[:half]}}}{{{code[half:]}}}"
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
        remedy="compile with xelatex or lualatex and a font that has them",
    )
