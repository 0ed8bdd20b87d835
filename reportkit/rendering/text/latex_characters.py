"""The characters that pdflatex can set, and how.

Two kinds: characters with a meaning in TeX or a better notation (`COMMANDS`), and characters that T1 fonts and LaTeX's
own UTF-8 tables provide (`PASSED`). Everything else cannot be set by pdflatex at all. Sources: LaTeX's `t1enc.dfu` and
`ts1enc.dfu`; only the kernel's commands are used, so no package is needed.
"""

from __future__ import annotations


def _numbered(characters: str, commands: str, form: str) -> dict[str, str]:
    return {character: form.format(command) for character, command in zip(characters, commands.split(), strict=True)}


SPECIALS: dict[str, str] = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    '"': r"\char34{}",
    "`": r"\textasciigrave{}",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
}
"""Signs of ASCII with a meaning in TeX, or with another shape in OT1 or T1 fonts."""

TYPEWRITER: dict[str, str] = {
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "'": r"\textquotesingle{}",
    "™": r"\textsuperscript{TM}",
    "Ĳ": "IJ",
    "ĳ": "ij",
}
"""Differences in typewriter type: a mathematical sign would break the raster, and some signs are not in it."""

TYPOGRAPHY: dict[str, str] = {
    "\u00a0": "~",
    **dict.fromkeys("\u2000\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "),
    "\u00ad": r"\-",
    "\u200b": r"\hspace{0pt}",
    "‐": "-",
    "‑": r"\mbox{-}",
    **dict.fromkeys("‒–", "--"),
    **dict.fromkeys("—―", "---"),
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    "…": r"\ldots{}",
    "•": r"\textbullet{}",
    "§": r"\S{}",
    "¶": r"\P{}",
    "©": r"\copyright{}",
    "£": r"\pounds{}",
    "′": "$'$",
    "″": "$''$",
    "°": r"$^{\circ}$",
    "ª": r"\textsuperscript{a}",
    "º": r"\textsuperscript{o}",
    "⁄": "/",
    "ŉ": "'n",
    "k\u0302": r"\^{k}",
}

GREEK: dict[str, str] = {
    **_numbered(
        "αβγδεζηθικλμνξπρστυφχψωςϑϖϱϕϵ",
        "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon varphi "
        "chi psi omega varsigma vartheta varpi varrho phi epsilon",
        r"$\{}$",
    ),
    **_numbered("ΓΔΘΛΞΠΣΥΦΨΩ", "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega", r"$\{}$"),
    **_numbered("ΑΒΕΖΗΙΚΜΝΟΡΤΧ", "A B E Z H I K M N O P T X", r"$\mathrm{{{}}}$"),
    "ο": "$o$",
    "µ": r"$\mu$",
    "∆": r"$\Delta$",
    "∑": r"$\sum$",
    "∏": r"$\prod$",
}

MATHEMATICS: dict[str, str] = {
    "−": "$-$",
    **_numbered("±∓×÷·∗∘⋆", "pm mp times div cdot ast circ star", r"$\{}$"),
    **_numbered(
        "≤≥≠≈≡∼≃≅∝≪≫≺≻≍≐", "leq geq neq approx equiv sim simeq cong propto ll gg prec succ asymp doteq", r"$\{}$"
    ),
    **_numbered("∈∉∋⊂⊃⊆⊇∪∩∅∖", "in notin ni subset supset subseteq supseteq cup cap emptyset setminus", r"$\{}$"),
    **_numbered("∧∨¬∀∃⊥⊤⊢", "wedge vee neg forall exists perp top vdash", r"$\{}$"),
    **_numbered("∫√∂∇∞ℓℏℜℑℵ⋯⋮", "int surd partial nabla infty ell hbar Re Im aleph cdots vdots", r"$\{}$"),
    **_numbered("⟨⟩⌊⌋⌈⌉", "langle rangle lfloor rfloor lceil rceil", r"$\{}$"),
    **_numbered("†‡‖", "dagger ddagger Vert", r"$\{}$"),
    **_numbered("←↑→↓↔↕", "leftarrow uparrow rightarrow downarrow leftrightarrow updownarrow", r"$\{}$"),
    **_numbered("⇐⇑⇒⇓⇔⇕", "Leftarrow Uparrow Rightarrow Downarrow Leftrightarrow Updownarrow", r"$\{}$"),
}

SUPERSCRIPTS: dict[str, str] = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni", strict=True))
"""Raised characters and what they raise; a run of them is one exponent."""

SUBSCRIPTS: dict[str, str] = dict(
    zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ", "0123456789+-=()aeoxhklmnpstijruv", strict=True)
)
"""Lowered characters likewise."""

COMMANDS: dict[str, str] = {**SPECIALS, **TYPOGRAPHY, **GREEK, **MATHEMATICS}
"""Other characters to TeX, for roman type."""

PASSED: frozenset[str] = frozenset(
    "¡¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ"
    "ĀāĂăĄąĆćĈĉĊċČčĎďĐđĒēĔĕĖėĘęĚěĜĝĞğĠġĢģĤĥĨĩĪīĬĭĮįİıĲĳĴĵĶķĹĺĻļĽľŁłŃńŅņŇňŊŋŌōŎŏŐőŒœŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽž"
    "ǍǎǏǐǑǒǓǔȘșȚț«»‹›‚„‰€¥¢®™¤¦№"
)
"""Set by pdflatex as they are: LaTeX reads UTF-8 by itself since 2018."""

NEEDS_T1: frozenset[str] = frozenset("ÐðÞþĐđŊŋĄąĘęĮįŲų«»‹›‚„")
"""Of `PASSED`, those that only T1 fonts have: an error in a document that still uses OT1."""

INVISIBLE: frozenset[str] = frozenset("\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff")
"""Joiners and selectors: kept for fonts that know them, nothing where pdflatex meets them."""
