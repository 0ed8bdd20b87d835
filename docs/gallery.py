"""Make the gallery in `docs/generated/`: a picture for each line of code, and the page that shows both.

`conf.py` calls this where the pictures are missing; `python docs/gallery.py` makes them anew. Figures need matplotlib
alone. Tables are set by pdflatex; without it, the page shows figures only.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "generated"
DPI = 320  # a column is then at least twice as wide as the card that shows it

LEXICONS = """import pandas as pd
import reportkit

lexicons = pd.read_csv("examples/sentiment/results.csv.gz")
pair = lexicons.replic.compare("vader", "textblob")
three = lexicons.replic.compare(baseline="afinn")
everyone = lexicons.replic.compare()
"""
MANY = """import numpy as np
import pandas as pd
import reportkit

def simulated(systems, datasets, n):
    random = np.random.default_rng(7)
    frame = pd.MultiIndex.from_product(
        [systems, [f"task {i + 1}" for i in range(datasets)], range(n)], names=["system", "dataset", "instance"]
    ).to_frame(index=False)
    skill = {name: 0.62 + 0.3 * rank / len(systems) for rank, name in enumerate(systems)}
    return frame.assign(score=(frame.system.map(skill) > random.random(len(frame))).astype(int))

letters = [f"model {letter}" for letter in "ABCDEFGHIJKL"]
many = simulated(letters[:2], 30, 200).replic.compare("model B", "model A")
twelve = simulated(letters, 6, 400).replic.compare()
five = simulated(letters[:5], 20, 200).replic.compare()
"""
TABLES = {
    "scores": ("One claim", 'pair.to_latex("results")', "12cm"),
    "baseline": ("Three systems against a baseline", 'three.to_latex("results")', "12cm"),
    "acl": ("In a column of ACL", 'three.styled(venue="acl", marks="daggers").to_latex("results")', "219pt"),
    "ieee": ("In a column of IEEE", 'three.styled(venue="ieee").to_latex("results")', "252pt"),
    "stars": ("Stars", 'three.styled(marks="stars").to_latex("results")', "12cm"),
    "letters": ("All pairs, with letters", 'everyone.styled(marks="letters").to_latex("results")', "12cm"),
    "bold": ("Bold: nobody is better", 'everyone.styled(bold="statistical").to_latex("results")', "12cm"),
    "intervals": (
        "With intervals",
        'three.styled(cell="{score} [{ci_low}, {ci_high}]{mark}").to_latex("results")',
        "16cm",
    ),
    "average": ("With the average", 'three.styled(average=True).to_latex("results")', "12cm"),
    "labels": (
        "Names as you print them",
        'three.styled(labels={"vader": "VADER", "afinn": "AFINN"}).to_latex("results")',
        "12cm",
    ),
}
FIGURES = {
    "forest": ("Differences with intervals", 'pair.figure("forest")'),
    "matrix": ("k-hat of all pairs", 'everyone.figure("all-pairs")'),
    "partial-conjunction": ("How k-hat comes out", 'pair.figure("partial-conjunction")'),
    "p-values": ("Sorted p-values, and the steps of Holm's procedure", 'pair.figure("p-values")'),
}
MANY_FIGURES = {
    "forest-30": ("Thirty datasets", 'many.figure("forest")'),
    "matrix-12": ("All pairs of twelve systems", 'twelve.figure("all-pairs")'),
    "critical-difference": ("Ranks of five systems on twenty datasets", 'five.figure("critical-difference")'),
}
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


def picture_of_table(latex: str, width: str, path: Path) -> None:
    """Set a table by pdflatex and keep a picture of it."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "table.tex").write_text(DOCUMENT % (width, latex), encoding="utf-8")
        for source in (ROOT / "reportkit").rglob("references.bib"):
            shutil.copy(source, folder)
        typeset = ["pdflatex", "-interaction=batchmode", "table.tex"]
        for step in (typeset, ["bibtex", "table"], typeset, typeset) if "\\cite" in latex else (typeset,):
            subprocess.run(step, cwd=folder, check=False, stdout=subprocess.DEVNULL)
        command = ["pdftoppm", "-r", str(DPI), "-png", "-singlefile", "table.pdf", "table"]
        subprocess.run(command, cwd=folder, check=True)
        cropped(Path(folder) / "table.png", path)


def picture_of_figure(figure: Any, path: Path) -> None:
    """Draw a figure and keep a picture of it."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "figure.png"
        figure.savefig(source, dpi=DPI, bbox_inches="tight", facecolor="white")
        cropped(source, path)


def cropped(source: Path, path: Path) -> None:
    """Keep a picture without its white margins, in at most 64 colours."""
    from PIL import Image, ImageChops

    picture = Image.open(source).convert("RGB")
    box = ImageChops.difference(picture, Image.new("RGB", picture.size, "white")).getbbox()
    assert box is not None, path
    left, top, right, bottom = box
    picture.crop((left - 8, top - 8, right + 8, bottom + 8)).quantize(64).save(path, optimize=True)


def section(title: str, given: str, cards: dict[str, tuple[str, str]]) -> Iterator[str]:
    """Yield the lines of a section: the code that its pictures share, then a card for each."""
    yield from (f"## {title}", "", "```python", given.strip(), "```", "", "::::{grid} 1 1 2 2", ":gutter: 3", "")
    for name, (words, code) in cards.items():
        yield from (f":::{{grid-item-card}} {words}", f":img-top: {name}.png", f":img-alt: {words}", "")
        yield from ("```python", code, "```", ":::", "")
    yield from ("::::", "")


def main() -> None:
    """Make all pictures and the page."""
    FOLDER.mkdir(exist_ok=True)
    lines = ["# Gallery", "", "Each picture is made by the line below it. Copy the first block of a section, too.", ""]
    with contextlib.chdir(ROOT):
        given: dict[str, Any] = {}
        exec(LEXICONS, given)  # noqa: S102 - the lines of this file
        if shutil.which("pdflatex") and shutil.which("pdftoppm"):
            for name, (_, code, width) in TABLES.items():
                picture_of_table(eval(code, given), width, FOLDER / f"{name}.png")  # noqa: S307 - as above
            lines += section("Tables", LEXICONS, {name: entry[:2] for name, entry in TABLES.items()})
        for name, (_, code) in FIGURES.items():
            picture_of_figure(eval(code, given), FOLDER / f"{name}.png")  # noqa: S307
        lines += section("Figures", LEXICONS, FIGURES)
        given = {}
        exec(MANY, given)  # noqa: S102
        for name, (_, code) in MANY_FIGURES.items():
            picture_of_figure(eval(code, given), FOLDER / f"{name}.png")  # noqa: S307
        lines += section("Many datasets, many systems", MANY, MANY_FIGURES)
    (FOLDER / "gallery.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    os.environ.setdefault("MPLBACKEND", "Agg")
    main()
