"""Documents that people submit: the classes themselves, and the lengths and sizes of styles that TeX does not bring."""

from __future__ import annotations

from dataclasses import dataclass

_FIRST_PAGE = r"\title{T}\author{A}\affiliation{\institution{I}\country{C}}\maketitle"
_ACM = r"\PassOptionsToPackage{expansion=false}{microtype}\documentclass[%s,nonacm]{acmart}\usepackage{lmodern}"
_NINE = (
    r"\makeatletter\renewcommand{\small}{\@setfontsize\small{9}{10}}"
    r"\renewcommand{\footnotesize}{\@setfontsize\footnotesize{9}{10}}\makeatother"
)


@dataclass(frozen=True, slots=True)
class Document:
    """What is before the tables, and the venue that it belongs to."""

    venue: str
    preamble: str
    start: str = ""

    def source(self, body: str, packages: str = r"\usepackage{booktabs}") -> str:
        """A whole document."""
        head = rf"\documentclass{self.preamble}" if self.preamble.startswith(("[", "{")) else self.preamble
        return f"{head}{packages}\n\\begin{{document}}{self.start}\n{body}\n\\end{{document}}\n"


DOCUMENTS = {
    "article": Document("article", r"{article}\usepackage[T1]{fontenc}\usepackage{lmodern}"),
    "two-column article": Document(
        "article-twocolumn", r"[twocolumn]{article}\usepackage[T1]{fontenc}\usepackage{lmodern}"
    ),
    "acmart sigconf": Document("acm", _ACM % "sigconf", _FIRST_PAGE),
    "acmart acmsmall": Document("acmsmall", _ACM % "acmsmall", _FIRST_PAGE),
    "IEEEtran": Document("ieee", r"{IEEEtran}\usepackage[T1]{fontenc}"),
    "llncs": Document("lncs", r"{llncs}\usepackage[T1]{fontenc}\usepackage{lmodern}"),
    "a column of 5.5 inches": Document(
        "neurips",
        r"{article}\usepackage[T1]{fontenc}\usepackage[letterpaper,textwidth=5.5in,textheight=9in]{geometry}"
        r"\renewcommand{\rmdefault}{ptm}\sloppy\usepackage[round]{natbib}" + _NINE,
    ),
    "columns of 219 pt": Document(
        "acl",
        r"[11pt]{article}\usepackage[T1]{fontenc}\usepackage{times}"
        r"\usepackage[a4paper,margin=2.5cm,heightrounded=true]{geometry}\setlength\columnsep{0.6cm}\twocolumn\sloppy"
        r"\usepackage{caption}\DeclareCaptionFont{10pt}{\fontsize{10pt}{12pt}\selectfont}\captionsetup{font=10pt}"
        + _NINE,
    ),
    "ICML": Document(
        "icml",
        r"{article}\usepackage[T1]{fontenc}\usepackage{times}\setlength\textheight{9.0in}\setlength\textwidth{6.75in}"
        r"\setlength\columnsep{0.25in}\twocolumn\sloppy" + _NINE,
    ),
}
"""By name; those in Computer Modern are set in Latin Modern, which has its widths and all of Unicode's letters."""
