"""Which characters pdflatex can set, and how.

Three kinds: characters with a meaning in TeX or a better notation (`COMMANDS`), characters that T1 fonts and LaTeX's
own UTF-8 tables provide (`PASSED`), and accents that are put on a letter (`ACCENTS`). Everything else cannot be set by
pdflatex at all. Sources: LaTeX's `t1enc.dfu` and `ts1enc.dfu`; only the kernel's commands are used, so no package is
needed.
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
"""What differs in typewriter type: a mathematical sign would break the raster, and some signs are not in it."""

TYPOGRAPHY: dict[str, str] = {
    "\u00a0": "~",
    "\u00ad": r"\-",
    **dict.fromkeys("\u2000\u2004\u2005\u2006\u2007\u2008\u205f", " "),
    "\u2002": r"\enspace{}",
    "\u2003": r"\quad{}",
    "\u2009": r"\,",
    "\u200a": r"\,",
    "\u3000": r"\quad{}",
    "\u200b": r"\hspace{0pt}",
    "\u202f": r"\,",
    "‐": "-",
    "‑": r"\mbox{-}",
    "‒": "--",
    "–": "--",
    "—": "---",
    "―": "---",
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
    "½": r"$\frac{1}{2}$",
    "¼": r"$\frac{1}{4}$",
    "¾": r"$\frac{3}{4}$",
    "⁄": "/",
    "ŉ": "'n",
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
    **_numbered("⊕⊖⊗⊙∥∣", "oplus ominus otimes odot parallel mid", r"$\{}$"),
    **_numbered("∫√∂∇∞ℓℏℜℑℵ⋯⋮", "int surd partial nabla infty ell hbar Re Im aleph cdots vdots", r"$\{}$"),
    **_numbered("⟨⟩⌊⌋⌈⌉", "langle rangle lfloor rfloor lceil rceil", r"$\{}$"),
    **_numbered("†‡‖", "dagger ddagger Vert", r"$\{}$"),
    **_numbered("←↑→↓↔↕", "leftarrow uparrow rightarrow downarrow leftrightarrow updownarrow", r"$\{}$"),
    **_numbered("⇐⇑⇒⇓⇔⇕", "Leftarrow Uparrow Rightarrow Downarrow Leftrightarrow Updownarrow", r"$\{}$"),
    **_numbered("↖↗↘↙↦↩↪", "nwarrow nearrow searrow swarrow mapsto hookleftarrow hookrightarrow", r"$\{}$"),
    **_numbered("⟵⟶⟷⟼", "longleftarrow longrightarrow longleftrightarrow longmapsto", r"$\{}$"),
    **_numbered("⟸⟹⟺", "Longleftarrow Longrightarrow Longleftrightarrow", r"$\{}$"),
    **_numbered("△▽◁▷◇", "triangle bigtriangledown triangleleft triangleright diamond", r"$\{}$"),
    **_numbered("♠♡♢♣♭♮♯", "spadesuit heartsuit diamondsuit clubsuit flat natural sharp", r"$\{}$"),
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
"""Set by pdflatex as they stand: LaTeX reads UTF-8 by itself since 2018."""

NEEDS_T1: frozenset[str] = frozenset("ÐðÞþĐđŊŋĄąĘęĮįŲų«»‹›‚„")
"""Of `PASSED`, those that only T1 fonts have: an error in a document that still uses OT1."""

ACCENTS: dict[str, str] = {
    "\u0300": r"\`",
    "\u0301": r"\'",
    "\u0302": r"\^",
    "\u0303": r"\~",
    "\u0304": r"\=",
    "\u0306": r"\u",
    "\u0307": r"\.",
    "\u0308": r"\"",
    "\u030a": r"\r",
    "\u030b": r"\H",
    "\u030c": r"\v",
    "\u0323": r"\d",
    "\u0327": r"\c",
    "\u0331": r"\b",
}
"""Combining marks as TeX accents."""

BELOW: frozenset[str] = frozenset("\u0323\u0327\u0331")
"""Accents below the letter; TeX puts them on last."""

MATHEMATICAL_ACCENTS: dict[str, str] = {
    "\u0301": r"\acute",
    "\u0302": r"\hat",
    "\u0303": r"\tilde",
    "\u0304": r"\bar",
    "\u0308": r"\ddot",
}
"""Combining marks on Greek letters."""

INVISIBLE: frozenset[str] = frozenset("\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff")
"""Joiners and selectors: kept for fonts that know them, nothing where pdflatex meets them."""
