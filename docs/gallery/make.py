"""Make the gallery: each picture from the lines that stand below it (`python docs/gallery/make.py [NAME ...]`).

`index.md` and the pictures are written; a figure is drawn, a table is set by pdfLaTeX, a text is written into the page.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


@dataclass(frozen=True)
class Entry:
    """One picture: its name, its title, the last line, which makes it from what the section has made, and its width."""

    name: str
    title: str
    code: str
    width: str = "12cm"


@dataclass(frozen=True)
class Section:
    """Pictures of one kind, and the lines that they share."""

    title: str
    kind: Literal["figure", "table", "text"]
    given: str
    entries: tuple[Entry, ...]


LEXICONS = """import pandas as pd
import reportkit

lexicons = pd.read_csv("examples/sentiment/results.csv.gz")
pair = lexicons.replic.compare("vader", "textblob")
three = lexicons.replic.compare(baseline="afinn")
everyone = lexicons.replic.compare()
"""

SIMULATED = """import numpy as np
import pandas as pd
import reportkit

def simulated(systems, datasets, n, runs=1):
    random = np.random.default_rng(7)
    frame = pd.MultiIndex.from_product(
        [systems, [f"task {i + 1}" for i in range(datasets)], range(n), range(runs)],
        names=["system", "dataset", "instance", "seed"],
    ).to_frame(index=False)
    skill = {name: 0.62 + 0.3 * rank / len(systems) for rank, name in enumerate(systems)}
    ease = {name: random.normal(0, 0.05) for name in frame.dataset.unique()}
    right = frame.system.map(skill) + frame.dataset.map(ease) > random.random(len(frame))
    return frame.assign(score=right.astype(int))

letters = [f"model {letter}" for letter in "ABCDEFGHIJKL"]
many = simulated(letters[:2], 30, 200).replic.compare("model B", "model A")
twelve = simulated(letters, 6, 400).replic.compare()
five = simulated(letters[:5], 20, 200).replic.compare()
"""

PRINTED = """import reportkit

pos = reportkit.compare("examples/dror2017/pos.csv")
arc = reportkit.compare("examples/azer2020/results.csv", rope=0.01)
"""

SECTIONS = (
    Section(
        "Tables",
        "table",
        LEXICONS,
        (
            Entry("scores", "Scores and marks of one claim", 'pair.to_latex("results")'),
            Entry("p-values", "p-values, one row per dataset", 'pair.to_latex("p-values")'),
            Entry("baseline", "Four systems against a baseline", 'three.to_latex("results")'),
            Entry("all-pairs", "All pairs, with letters", 'everyone.styled(marks="letters").to_latex("results")'),
            Entry(
                "acl",
                "For ACL, with daggers",
                'three.styled(venue="acl", marks="daggers").to_latex("results")',
                "219pt",
            ),
            Entry("ieee", "For IEEE, with table notes", 'three.styled(venue="ieee").to_latex("results")', "252pt"),
            Entry("neurips", "For NeurIPS", 'three.styled(venue="neurips").to_latex("results")', "397pt"),
            Entry("stars", "Stars of the adjusted p-value", 'three.styled(marks="stars").to_latex("results")'),
            Entry(
                "intervals",
                "Scores with intervals",
                'three.styled(cell="{score} [{ci_low}, {ci_high}]{mark}").to_latex("results")',
            ),
            Entry(
                "differences",
                "Scores with differences",
                'three.styled(cell="{score} ({diff}){mark}").to_latex("results")',
            ),
            Entry(
                "statistical-bold", "Bold: nobody is better", 'everyone.styled(bold="statistical").to_latex("results")'
            ),
            Entry("average", "With the average", 'three.styled(average=True).to_latex("results")'),
            Entry(
                "groups",
                "Groups of datasets, labels of systems",
                'three.styled(\n    dataset_groups={"Reviews": ["movie_reviews", "amazon_reviews"]},\n'
                '    labels={"vader": "VADER", "textblob": "TextBlob", "afinn": "AFINN", "lm": "LM"},\n'
                ').to_latex("results")',
            ),
            Entry("datasets-in-rows", "Datasets in rows", 'three.styled(rows="datasets").to_latex("results")'),
            Entry("k-hat-pairs", "k-hat of all pairs", 'everyone.to_latex("replicability")'),
            Entry("claim", "At least one point better", "pair.assess(better_by=0.01).to_latex()"),
            Entry("posterior-table", "How probable it is", "pair.posterior(rope=0.01).to_latex()", "16cm"),
        ),
    ),
    Section(
        "Figures",
        "figure",
        LEXICONS,
        (
            Entry("forest", "Differences with intervals", 'pair.figure("forest")'),
            Entry("partial-conjunction", "How k-hat comes out", 'pair.figure("partial-conjunction")'),
            Entry("sorted-p-values", "Sorted p-values, and Holm's steps", 'pair.figure("p-values")'),
            Entry("matrix", "k-hat of all pairs", 'everyone.figure("all-pairs")'),
            Entry("posterior", "Posterior of the differences", "pair.posterior(rope=0.01).figure()"),
        ),
    ),
    Section(
        "Many datasets, many systems",
        "figure",
        SIMULATED,
        (
            Entry("forest-30", "Thirty datasets", 'many.figure("forest")'),
            Entry("k-hat-30", "k-hat of thirty datasets", 'many.figure("partial-conjunction")'),
            Entry("p-values-30", "Thirty p-values", 'many.figure("p-values")'),
            Entry("matrix-12", "All pairs of twelve systems", 'twelve.figure("all-pairs")'),
            Entry("critical-difference", "Ranks of five systems on twenty datasets", "five.friedman().figure()"),
        ),
    ),
    Section(
        "Printed p-values, and counts alone",
        "table",
        PRINTED,
        (
            Entry("printed", "A published table, counted anew", 'pos.to_latex("reproduction")', "16cm"),
            Entry("printed-scores", "Its marks, with signs respected", 'pos.to_latex("results")'),
            Entry("counts", "Right answers of two systems", 'arc.to_latex("results")'),
        ),
    ),
    Section(
        "Planning",
        "text",
        "import reportkit\n",
        (
            Entry("instances", "How many instances", "str(reportkit.power(effect=0.01, accuracy=0.85))"),
            Entry("detectable", "What 1,000 instances show", "str(reportkit.power(n=1000, discordant=0.1))"),
        ),
    ),
    Section(
        "Texts",
        "text",
        LEXICONS,
        (
            Entry("verdict", "The verdict", "str(pair)"),
            Entry("short", "A paragraph for a crowded page", 'pair.paragraph("short")'),
            Entry("standard", "A paragraph for the section on evaluation", 'pair.paragraph("standard")'),
            Entry("full", "A paragraph for the appendix", 'pair.paragraph("full")'),
            Entry("verdict-all", "The verdict of all pairs", "str(everyone)"),
            Entry(
                "numbers",
                "Numbers in a sentence",
                'pair.format_numbers("better on at least {k_hat} of {n_datasets} datasets")',
            ),
        ),
    ),
)

HEAD = (
    "Every picture is made by the lines below it; `python docs/gallery/make.py` makes them all anew. "
    "[Twelve outcomes](outcomes.md) shows what is said of twelve inputs, from two systems to fifty-eight."
)
DOCUMENT = r"""\documentclass{article}
\usepackage[paperwidth=22cm,paperheight=40cm,textwidth=%s,left=1cm,top=1cm]{geometry}
\usepackage[T1]{fontenc}\usepackage{lmodern}
\usepackage{booktabs,multirow,threeparttable,amsmath,amssymb,soul,caption,textcomp,array,graphicx,natbib,hyperref}
\hypersetup{hidelinks}\setcitestyle{round}\let\cite\citep
\renewenvironment{table}[1][]{\begin{minipage}{\linewidth}\captionsetup{type=table}}{\end{minipage}}
\renewenvironment{table*}[1][]{\begin{minipage}{\linewidth}\captionsetup{type=table}}{\end{minipage}}
\pagestyle{empty}
\begin{document}\noindent
%s
\newpage\bibliographystyle{plainnat}\bibliography{references}
\end{document}
"""


def made(code: str, given: dict[str, Any]) -> Any:
    """What an entry's line gives."""
    return eval(code, dict(given))  # noqa: S307 - the lines of this file


def picture_of_table(latex: str, width: str, path: Path) -> None:
    """Set a table by pdfLaTeX, and keep a small picture of it."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "table.tex").write_text(DOCUMENT % (width, latex), encoding="utf-8")
        shutil.copy(ROOT / "reportkit" / "report" / "references.bib", folder)
        typeset = ["pdflatex", "-interaction=batchmode", "table.tex"]
        for step in (typeset, ["bibtex", "table"], typeset, typeset) if "\\cite" in latex else (typeset,):
            subprocess.run(step, cwd=folder, check=False, stdout=subprocess.DEVNULL)
        command = ["pdftoppm", "-r", "120", "-png", "-singlefile", "table.pdf", "table"]
        subprocess.run(command, cwd=folder, check=True)
        reduced(Path(folder) / "table.png", path)


def reduced(source: Path, path: Path) -> None:
    """The same picture without its white margins, in at most 64 colours."""
    from PIL import Image, ImageChops

    picture = Image.open(source).convert("RGB")
    left, top, right, bottom = ImageChops.difference(picture, Image.new("RGB", picture.size, "white")).getbbox()
    picture.crop((left - 8, top - 8, right + 8, bottom + 8)).quantize(64).save(path, optimize=True)


def main(names: list[str]) -> None:
    """Make all pictures, or those that are named, and the page."""
    os.chdir(ROOT)
    lines = [
        "# Gallery",
        "",
        HEAD,
        "",
        *("```{toctree}", ":hidden:", "", "outcomes", "```", ""),
    ]
    for section in SECTIONS:
        given: dict[str, Any] = {}
        exec(section.given, given)  # noqa: S102 - the lines of this file
        lines += [f"## {section.title}", "", "```python", section.given.strip(), "```", ""]
        if section.kind == "text":
            lines += [line for entry in section.entries for line in text(entry, given)]
            continue
        lines += ["::::{grid} 1 1 2 2", ":gutter: 3", ""]
        for entry in section.entries:
            path = HERE / f"{entry.name}.png"
            if not names or entry.name in names:
                draw(section, entry, given, path)
            lines += card(entry)
        lines += ["::::", ""]
    (HERE / "index.md").write_text("\n".join(lines), encoding="utf-8")


def draw(section: Section, entry: Entry, given: dict[str, Any], path: Path) -> None:
    """One picture."""
    found = made(entry.code, given)
    if section.kind == "table":
        picture_of_table(found, entry.width, path)
        return
    with tempfile.TemporaryDirectory() as folder:
        figure = Path(folder) / "figure.png"
        found.savefig(figure, dpi=120, bbox_inches="tight", facecolor="white")
        reduced(figure, path)


def card(entry: Entry) -> list[str]:
    """A picture with its title and its lines."""
    return [
        f":::{{grid-item-card}} {entry.title}",
        f":img-top: {entry.name}.png",
        f":img-alt: {entry.title}",
        "",
        "```python",
        entry.code,
        "```",
        ":::",
        "",
    ]


def text(entry: Entry, given: dict[str, Any]) -> list[str]:
    """A text, below the line that makes it."""
    quoted = [f"> {line}".rstrip() for line in str(made(entry.code, given)).strip().splitlines()]
    return [f"### {entry.title}", "", "```python", entry.code, "```", "", *quoted, ""]


if __name__ == "__main__":
    main(sys.argv[1:])
