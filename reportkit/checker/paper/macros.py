"""What the macros of LaTeX mean to a reader: text, a style, nothing, or arguments to be left out."""

from __future__ import annotations

SYMBOLS = {
    **{rf"\{c}": c for c in "%&$#_{}"},
    r"\pm": "±", r"\mp": "∓", r"\times": "×", r"\cdot": "·", r"\leq": "≤", r"\le": "≤", r"\geq": "≥", r"\ge": "≥",
    r"\leqslant": "≤", r"\geqslant": "≥", r"\lt": "<", r"\gt": ">", r"\approx": "≈", r"\sim": "~", r"\neq": "≠",
    r"\in": "∈",
    r"\ne": "≠", r"\ll": "<", r"\gg": ">", r"\infty": "∞", r"\minus": "−", r"\textminus": "−", r"\textpm": "±",
    r"\dagger": "†", r"\dag": "†", r"\textdagger": "†", r"\ddagger": "‡", r"\ddag": "‡", r"\textdaggerdbl": "‡",
    r"\ast": "*", r"\star": "*", r"\textasteriskcentered": "*", r"\S": "§", r"\textsection": "§", r"\P": "¶",
    r"\textparagraph": "¶", r"\bullet": "•", r"\circ": "°", r"\diamond": "⋄", r"\triangle": "△", r"\checkmark": "✓",
    r"\answerTODO": "[TODO]", r"\justificationTODO": "[TODO]",  # of the checklist of NeurIPS
    r"\cmark": "✓", r"\xmark": "✗", r"\uparrow": "↑", r"\downarrow": "↓", r"\rightarrow": "→", r"\to": "→",
    r"\leftarrow": "←", r"\parallel": "‖", r"\ldots": "…", r"\dots": "…", r"\textellipsis": "…", r"\cdots": "…",
    r"\alpha": "α", r"\beta": "β", r"\gamma": "γ", r"\delta": "δ", r"\Delta": "Δ", r"\epsilon": "ε",
    r"\varepsilon": "ε", r"\eta": "η", r"\theta": "θ", r"\kappa": "κ", r"\lambda": "λ", r"\mu": "μ", r"\pi": "π",
    r"\rho": "ρ", r"\sigma": "σ", r"\tau": "τ", r"\phi": "φ", r"\chi": "χ", r"\omega": "ω", r"\nu": "ν",
    r"\Gamma": "Γ", r"\Theta": "Θ", r"\Lambda": "Λ", r"\Pi": "Π", r"\Sigma": "Σ", r"\Phi": "Φ", r"\Psi": "Ψ",
    r"\Omega": "Ω", r"\xi": "ξ", r"\zeta": "ζ", r"\psi": "ψ",
    r"\ell": "ℓ", r"\textendash": "–", r"\textemdash": "—", r"\textgreater": ">", r"\textless": "<",
    r"\textasciitilde": "~", r"\textbar": "|", r"\textbackslash": "\\", r"\textunderscore": "_", r"\slash": "/",
    r"\,": "\u2009", r"\;": " ", r"\:": " ", r"\ ": " ", r"\quad": " ", r"\qquad": " ", r"\space": " ",
    r"\enspace": " ", r"\thinspace": "\u2009", r"\>": " ", r"\-": "", r"\!": "", r"\/": "", r"\@": "",
    r"\percent": "%", r"\pct": "%", r"\ss": "ß", r"\o": "ø", r"\O": "Ø", r"\l": "ł", r"\L": "Ł", r"\ae": "æ",
    r"\AE": "Æ", r"\aa": "å", r"\AA": "Å", r"\oe": "œ", r"\OE": "Œ", r"\i": "i", r"\j": "j",
    r"\textdegree": "°", r"\degree": "°", r"\texttimes": "×", r"\Checkmark": "✓", r"\XSolidBrush": "✗",
    r"\leftrightarrow": "↔", r"\Rightarrow": "⇒", r"\Leftarrow": "⇐", r"\longrightarrow": "→", r"\mapsto": "↦",
    r"\nearrow": "↗", r"\searrow": "↘", r"\Uparrow": "⇑", r"\Downarrow": "⇓", r"\mid": "|", r"\vert": "|",
    r"\Vert": "∥", r"\lVert": "∥", r"\rVert": "∥", r"\backslash": "\\", r"\setminus": "\\", r"\cup": "∪",
    r"\cap": "∩", r"\emptyset": "∅", r"\varnothing": "∅", r"\subset": "⊂", r"\notin": "∉", r"\forall": "∀",
    r"\exists": "∃", r"\neg": "¬", r"\wedge": "∧", r"\land": "∧", r"\vee": "∨", r"\lor": "∨", r"\oplus": "⊕",
    r"\otimes": "⊗", r"\odot": "⊙", r"\perp": "⊥", r"\langle": "⟨", r"\rangle": "⟩", r"\propto": "∝",
    r"\equiv": "≡", r"\simeq": "≃", r"\cong": "≅", r"\sum": "∑", r"\prod": "∏", r"\int": "∫", r"\partial": "∂",
    r"\nabla": "∇", r"\sqrt": "√", r"\prime": "′", r"\natural": "♮", r"\flat": "♭", r"\sharp": "♯",
    r"\top": "⊤", r"\bot": "⊥", r"\|": "∥", r"\heartsuit": "♡",
    r"\diamondsuit": "♢", r"\clubsuit": "♣", r"\spadesuit": "♠", r"\bigstar": "★",
    r"\blacktriangle": "▲", r"\square": "□", r"\blacksquare": "■", r"\textdollar": "$", r"\euro": "€",
    **{rf"\{name}": name for name in ("log", "ln", "exp", "max", "min", "sin", "cos", "tan", "tanh", "arg", "lim")},
    r"\leadsto": "⇝", r"\rightsquigarrow": "⇝", r"\hookrightarrow": "↪", r"\hookleftarrow": "↩", r"\gets": "←",
    r"\implies": "⟹", r"\iff": "⟺", r"\Leftrightarrow": "⇔", r"\updownarrow": "↕", r"\subseteq": "⊆",
    r"\supset": "⊃", r"\supseteq": "⊇", r"\models": "⊨", r"\angle": "∠", r"\colon": ":", r"\triangleq": "≜",
    r"\lbrace": "{", r"\rbrace": "}", r"\lvert": "|", r"\rvert": "|", r"\lfloor": "⌊", r"\rfloor": "⌋",
    r"\lceil": "⌈", r"\rceil": "⌉", r"\oslash": "⊘", r"\ominus": "⊖", r"\enskip": " ", r"\bmod": " mod ",
    r"\textasciicircum": "ˆ", r"\textcurrency": "¤", r"\textpilcrow": "¶", r"\triangleright": "▷",
    r"\triangleleft": "◁", r"\bigtriangleup": "△", r"\triangledown": "▽", r"\blacktriangledown": "▼",
    r"\LaTeX": "LaTeX", r"\TeX": "TeX", r"\eg": "e.g.", r"\ie": "i.e.", r"\etal": "et al.", r"\vs": "vs.",
}  # fmt: skip
"""Macros that stand for characters."""

ACCENTS = {
    r"\'": "\u0301", r"\`": "\u0300", r"\^": "\u0302", r'\"': "\u0308", r"\~": "\u0303", r"\=": "\u0304",
    r"\.": "\u0307", r"\c": "\u0327", r"\v": "\u030c", r"\u": "\u0306", r"\H": "\u030b", r"\k": "\u0328",
    r"\r": "\u030a", r"\hat": "\u0302", r"\widehat": "\u0302", r"\bar": "\u0304", r"\overline": "\u0304",
    r"\tilde": "\u0303", r"\not": "\u0338",
}  # fmt: skip
"""Macros that put an accent on the next letter, or a stroke through the next relation."""

ALONE = {r"\^": "ˆ", r"\~": "~"}
"""What accents print that stand on nothing."""

STYLES = {
    r"\textbf": "bold", r"\mathbf": "bold", r"\boldsymbol": "bold", r"\bm": "bold", r"\boldmath": "bold",
    r"\textit": "italic", r"\emph": "italic", r"\mathit": "italic", r"\textsl": "italic",
    r"\underline": "underlined", r"\uline": "underlined", r"\ul": "underlined", r"\uuline": "underlined",
    r"\dashuline": "underlined",
}  # fmt: skip
"""Macros that give their argument a style."""

SWITCHES = {
    r"\bfseries": "bold", r"\itshape": "italic", r"\em": "italic", r"\slshape": "italic",
}  # fmt: skip
"""Macros that give everything up to the end of the group a style."""

FONTS = frozenset({"bold", "italic"})
AROUND = "around"
"""Style of mathematics in bold or italic text, which prints in neither."""
_UPRIGHT = frozenset({"italic"})
_MEDIUM = frozenset({"bold"})

UNSTYLED = {
    r"\mdseries": _MEDIUM, r"\upshape": _UPRIGHT, r"\normalfont": FONTS, r"\bf": FONTS, r"\it": FONTS, r"\sl": FONTS,
    r"\tt": FONTS, r"\sc": FONTS, r"\rm": FONTS, r"\sf": FONTS,
}  # fmt: skip
"""Macros that take styles from everything up to the end of the group: those of LaTeX 2.09 begin with the plain font."""

ANEW = {r"\bf": frozenset({"bold"}), r"\it": frozenset({"italic"}), r"\sl": frozenset({"italic"})}
"""Styles that some of them give then."""

PLAIN = {r"\textmd": _MEDIUM, r"\textup": _UPRIGHT, r"\textnormal": FONTS}
"""Macros that take styles from their argument."""

DINGBATS = {"51": "✓", "52": "✓", "55": "✗", "56": "✗"}
"""What `\\ding` prints: check marks and crosses."""

LENGTHS = frozenset(
    {r"\vskip", r"\hskip", r"\kern", r"\mkern", r"\mskip", r"\tabcolsep", r"\arraycolsep", r"\parskip",
     r"\parindent", r"\baselineskip", r"\raise", r"\lower"}
)  # fmt: skip
"""Macros that a length follows, with or without an equals sign."""

SUPERSCRIPTS = frozenset({r"\textsuperscript", r"\tnote", r"\sups", r"\rlap@"})

LEFT_OUT = {
    r"\label": 1, r"\includegraphics": 1, r"\vspace": 1, r"\hspace": 1, r"\setlength": 2,
    r"\addtolength": 2, r"\phantom": 1, r"\hphantom": 1, r"\vphantom": 1, r"\rule": 2, r"\raisebox": 1,
    r"\rotatebox": 1, r"\scalebox": 1, r"\resizebox": 2, r"\href": 1, r"\url": 1, r"\fontsize": 2,
    r"\fontfamily": 1, r"\fontseries": 1, r"\fontshape": 1, r"\usefont": 4, r"\symbol": 1,
    r"\bibliography": 1, r"\bibliographystyle": 1, r"\usepackage": 1, r"\documentclass": 1, r"\pagestyle": 1,
    r"\thispagestyle": 1, r"\hypersetup": 1, r"\sisetup": 1, r"\captionsetup": 1, r"\graphicspath": 1,
    r"\definecolor": 3, r"\colorlet": 2, r"\newcolumntype": 2, r"\setcounter": 2, r"\addtocounter": 2,
    r"\newlength": 1, r"\newcounter": 1, r"\parbox": 1, r"\cmidrule": 1, r"\cline": 1, r"\arrayrulecolor": 1,
    r"\specialrule": 3, r"\hfill": 0, r"\index": 1, r"\glsreset": 1, r"\bibitem": 1, r"\todo": 1, r"\hyphenation": 1,
    r"\refstepcounter": 1, r"\stepcounter": 1, r"\value": 1, r"\hypertarget": 1, r"\foreignlanguage": 1,
    r"\linespread": 1, r"\vadjust": 1, r"\addcontentsline": 3, r"\input": 1, r"\specialcell": 0,
    r"\adjustbox": 1, r"\rowcolors": 3,
    r"\DeclareMathOperator": 2, r"\pgfmathsetmacro": 2, r"\pgfmathprintnumber": 1,
    r"\newtheorem": 2, r"\theoremstyle": 1, r"\author": 1, r"\date": 1, r"\nocite": 1, r"\columncolor": 1,
    r"\multirowcell": 1, r"\pgfplotsset": 1, r"\tikzset": 1, r"\lstset": 1, r"\SetCell": 1,
    r"\pdfbookmark": 2, r"\affiliation": 1, r"\icmlauthor": 2, r"\icmlaffiliation": 2,
    r"\orcid": 1, r"\email": 1, r"\institute": 1, r"\thanks": 1, r"\RequirePackage": 1, r"\newif": 0,
}  # fmt: skip
"""Macros that print nothing of so many of their first arguments (a bracketed one is always left out)."""

WITHOUT_OPTION = frozenset(
    rf"\{name}"
    for name in (
        "tiny", "scriptsize", "footnotesize", "small", "normalsize", "large", "Large", "LARGE", "huge", "Huge",
        "centering", "raggedright", "raggedleft", "displaystyle", "scriptstyle", "textstyle", "left", "right",
        "normalfont", "leavevmode", "selectfont", "xspace",
    )
)  # fmt: skip
"""Macros behind which a bracket is text: [0.1, 0.3] behind a size."""

SILENT = (WITHOUT_OPTION - {r"\xspace", r"\left", r"\right", r"\leavevmode"}) | frozenset(
    {*SWITCHES, *UNSTYLED, r"\ttfamily", r"\rmfamily", r"\sffamily", r"\scshape", r"\boldmath", r"\strut"}
)
"""Macros that print nothing, and swallow the white space behind them."""

QUOTES = frozenset({r"\enquote", r"\say"})

REFERENCES = frozenset(
    {r"\ref", r"\cref", r"\Cref", r"\autoref", r"\eqref", r"\pageref", r"\vref", r"\nameref", r"\hyperref",
     r"\labelcref", r"\crefrange", r"\secref", r"\tabref", r"\figref"}
)  # fmt: skip

CITING = frozenset(
    {r"\cite", r"\citet", r"\citep", r"\citealt", r"\citealp", r"\citeauthor", r"\citeyear", r"\citeyearpar",
     r"\newcite", r"\shortcite", r"\textcite", r"\parencite", r"\autocite", r"\footcite", r"\citeposs", r"\citetext",
     r"\Citet", r"\Citep", r"\citegeneric", r"\posscite", r"\fullcite"}
)  # fmt: skip

HEADINGS = frozenset(
    {r"\part", r"\chapter", r"\section", r"\subsection", r"\subsubsection", r"\paragraph", r"\subparagraph", r"\title"}
)

FOOTNOTES = frozenset(
    {r"\footnote", r"\footnotemark", r"\footnotetext", r"\tablefootnote", r"\sidenote", r"\marginpar"}
)
FOOTNOTE_SYMBOLS = ("*", "†", "‡", "§", "¶", "‖", "**", "††", "‡‡")
CAPTIONS = frozenset({r"\caption", r"\captionof", r"\subcaption", r"\captionbox", r"\topcaption", r"\bottomcaption",
                      r"\tabcaption", r"\tblcaption"})  # fmt: skip
FRACTIONS = frozenset({r"\frac", r"\tfrac", r"\dfrac", r"\nicefrac", r"\sfrac", r"\cfrac"})
BETWEEN = {
    **dict.fromkeys(FRACTIONS, "/"),
    **dict.fromkeys((r"\backslashbox", r"\diagbox", r"\slashbox", r"\thickbackslashbox"), " \\ "),
}
"""Macros of two arguments, with what is read between them."""
COLOURS = frozenset({r"\textcolor", r"\color", r"\cellcolor", r"\colorbox", r"\rowcolor", r"\hl", r"\highlight"})
NUMERIC = frozenset({r"\num", r"\SI", r"\qty", r"\tablenum", r"\numprint", r"\ang", r"\np"})

LETTER_ACCENTS: frozenset[str] = frozenset(name for name in ACCENTS if len(name) == 2 and name[1].isalpha())
"""Accents named by one letter, which papers often define anew, for vectors and the like."""

KNOWN: frozenset[str] = frozenset(
    {*SYMBOLS, *ACCENTS, *STYLES, *SWITCHES, *UNSTYLED, *PLAIN, *SUPERSCRIPTS, *LEFT_OUT, *REFERENCES, *CITING,
     *HEADINGS, *FOOTNOTES, *CAPTIONS, *BETWEEN, *COLOURS, *NUMERIC, r"\rk", r"\begin", r"\end", r"\multicolumn",
     r"\multirow", r"\toprule", r"\midrule", r"\bottomrule", r"\hline", r"\\", r"\item"}
) - {r"\cmark", r"\xmark", r"\eg", r"\ie", r"\etal", r"\vs", r"\pct", r"\percent", r"\todo", r"\hl", r"\highlight",
     r"\secref", r"\tabref", r"\figref", r"\specialcell", r"\ul", r"\sups"}  # fmt: skip
"""Macros that keep their meaning here whatever a paper defines them to be."""
