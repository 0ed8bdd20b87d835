"""Make the page of twelve outcomes: `python docs/gallery/outcomes.py [NAME ...]`.

Of each, from generated scores: the verdict, the three paragraphs, and a picture of the standard paragraph, the table
and the figure as a paper has them, in the columns of ACL and on a page of NeurIPS. Every word is made by reportkit.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

import reportkit
from reportkit.analysis.analysis import Analysis
from reportkit.figures.drawing.save import save
from reportkit.rendering.documents import Writer
from reportkit.rendering.literature import all_texts, bibtex, cited_keys
from reportkit.report.model import Figure, Paragraph

HERE = Path(__file__).resolve().parent
PAGE = HERE / "outcomes.md"
VENUES = ("acl", "neurips")
LENGTHS = ("short", "standard", "full")
TASKS = ["SST-2", "MNLI", "QNLI", "BoolQ"]
MANY_TASKS = [
    *["boolean expressions", "causal judgement", "date understanding", "disambiguation QA", "Dyck languages"],
    *["formal fallacies", "geometric shapes", "hyperbaton", "logical deduction (3)", "logical deduction (5)"],
    *["logical deduction (7)", "movie recommendation", "multistep arithmetic", "navigate", "object counting"],
    *["penguins in a table", "reasoning about objects", "ruin names", "salient errors", "snarks"],
    *["sports understanding", "temporal sequences", "tracking objects (3)", "tracking objects (5)"],
    *["tracking objects (7)", "web of lies", "word sorting", "known unknowns", "strange stories", "winowhy"],
]


def right_or_wrong(skill: np.ndarray, systems: list[str], datasets: list[str], n: int, seed: int = 1) -> pd.DataFrame:
    """Answers to the same questions, which some find hard and others easy; `skill` has a row for each system."""
    rng = np.random.default_rng(seed)
    rows = []
    for j, dataset in enumerate(datasets):
        hard = rng.random(n)
        for i, system in enumerate(systems):
            right = hard + rng.normal(0, 0.12, n) < skill[i, j]
            rows += [(system, dataset, number, int(one)) for number, one in enumerate(right)]
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])


def pair(gains: list[float], datasets: list[str], n: int = 400, seed: int = 1) -> pd.DataFrame:
    """A new system and an old one, better by these shares of the questions."""
    base = np.linspace(0.62, 0.8, len(datasets))
    return right_or_wrong(np.array([base + gains, base]), ["Ours", "BERT-base"], datasets, n, seed)


def field(k: int, datasets: list[str], n: int) -> Analysis:
    """Many systems, all pairs."""
    rng = np.random.default_rng(k)
    skill = np.linspace(0.5, 0.85, k)[:, None] + rng.normal(0, 0.02, (k, len(datasets)))
    names = [f"Model-{chr(65 + i)}" if k <= 26 else f"Model-{i + 1:02d}" for i in range(k)]
    return right_or_wrong(skill, names, datasets, n).replic.compare()


def mixed_metrics() -> Analysis:
    """Accuracy on two datasets, F1 of each answer on two others; three systems against a baseline."""
    systems = ["Ours", "RoBERTa", "BERT-base"]
    skill = np.array([[0.9, 0.84], [0.86, 0.83], [0.8, 0.8]])
    parts = [right_or_wrong(skill, systems, ["SST-2", "BoolQ"], 400).assign(metric="accuracy")]
    rng = np.random.default_rng(5)
    for dataset, level in (("SQuAD", 0.8), ("NQ", 0.5)):
        luck = rng.normal(0, 0.25, 300)
        for system, gain in zip(systems, (0.08, 0.05, 0.0), strict=True):
            values = np.clip(level + gain + luck + rng.normal(0, 0.1, 300), 0, 1).round(3)
            part = {"system": system, "dataset": dataset, "instance": range(300), "score": values, "metric": "f1"}
            parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True).replic.compare(baseline="BERT-base")


def skewed() -> Analysis:
    """Scores that rarely differ, and then by much; few instances."""
    rng, rows = np.random.default_rng(3), []
    for dataset, gain in (("Summaries", 1.2), ("Dialogues", 0.2)):
        old = rng.normal(60, 8, 40).round(2)
        new = (old + np.where(np.arange(40) % 5 == 0, rng.exponential(6, 40), rng.normal(gain, 0.4, 40))).round(2)
        rows += [("Ours", dataset, i, score) for i, score in enumerate(new)]
        rows += [("BART", dataset, i, score) for i, score in enumerate(old)]
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"]).replic.compare("Ours", "BART")


def seeds() -> Analysis:
    """Five runs of each system on the same instances."""
    rng, rows = np.random.default_rng(4), []
    for dataset, gain in (("CoLA", 0.06), ("RTE", 0.05), ("WNLI", 0.005)):
        ease = rng.random(250)
        for system, level in (("Ours", 0.7 + gain), ("BERT-base", 0.7)):
            for run in range(5):
                right = ease + rng.normal(0, 0.1, 250) < level + rng.normal(0, 0.01)
                rows += [(system, dataset, i, run, int(one)) for i, one in enumerate(right)]
    columns = ["system", "dataset", "instance", "seed", "score"]
    return pd.DataFrame(rows, columns=columns).replic.compare("Ours", "BERT-base")


def f1_from_counts() -> Analysis:
    """Entities that were found, wrong and missed in each sentence."""
    rng, rows = np.random.default_rng(6), []
    for dataset, gain in (("CoNLL-2003", 0.1), ("OntoNotes", 0.08), ("WNUT-17", 0.02)):
        gold = rng.poisson(2, 300) + 1
        for system, level in (("Ours", 0.75 + gain), ("BiLSTM-CRF", 0.75)):
            found, wrong = rng.binomial(gold, level), rng.poisson(0.4, 300)
            counts = zip(found, wrong, gold - found, strict=True)
            rows += [(system, dataset, i, *map(int, three)) for i, three in enumerate(counts)]
    columns = ["system", "dataset", "instance", "tp", "fp", "fn"]
    return pd.DataFrame(rows, columns=columns).replic.compare("Ours", "BiLSTM-CRF", metric="f1")


PRINTED = pd.DataFrame(
    {
        "system_a": "Ours",
        "system_b": "BERT-base",
        "dataset": TASKS,
        "score_a": [91.2, 88.0, 79.5, 70.1],
        "score_b": [89.0, 87.1, 80.3, 69.9],
        "p_value": [0.001, 0.012, 0.02, 0.4],
    }
)


@dataclass(frozen=True)
class Outcome:
    """One of the twelve: its name, what it shows, and what is analysed."""

    name: str
    title: str
    made: Callable[[], Analysis]


PAIR = ("Ours", "BERT-base")
OUTCOMES = (
    Outcome("one-dataset", "Two systems, one dataset", lambda: pair([0.1], ["SST-2"]).replic.compare(*PAIR)),
    Outcome("all", "Two systems, all significant", lambda: pair([0.1] * 4, TASKS).replic.compare(*PAIR)),
    Outcome("none", "Two systems, none significant", lambda: pair([0.01, 0, 0, -0.01], TASKS).replic.compare(*PAIR)),
    Outcome(
        "thirty-datasets",
        "Two systems, thirty datasets, direction left open",
        lambda: pair([0.25, 0.01, 0.15, 0.05, -0.05, 0.1] * 5, MANY_TASKS, n=250).replic.compare(),
    ),
    Outcome("mixed-metrics", "Three systems, accuracy and F1 side by side", mixed_metrics),
    Outcome("five-systems", "Five systems, all pairs", lambda: field(5, TASKS, 300)),
    Outcome("ten-systems", "Ten systems, all pairs", lambda: field(10, [*TASKS, "ANLI"], 300)),
    Outcome("fifty-eight-systems", "Fifty-eight systems, all pairs", lambda: field(58, TASKS[:2], 150)),
    Outcome("skewed", "Few instances with skewed differences", skewed),
    Outcome("seeds", "Five seeds of each system", seeds),
    Outcome("f1-counts", "F1 from counts", f1_from_counts),
    Outcome("printed", "Printed p-values", lambda: reportkit.compare(PRINTED)),
)


@cache
def analysis(name: str) -> Analysis:
    """What is analysed under a name."""
    return next(one for one in OUTCOMES if one.name == name).made()


INTRODUCTION = (
    "What reportkit says and shows of twelve inputs with generated scores: the verdict, the paragraph in three "
    "lengths, and the standard paragraph with table and figure in two columns (ACL, left) and in one (NeurIPS, right). "
    "`python docs/gallery/outcomes.py` makes this page and its pictures."
)


def page() -> str:
    """All words of the twelve outcomes, with their pictures."""
    lines = [
        "# Twelve outcomes",
        "",
        INTRODUCTION,
    ]
    for one in OUTCOMES:
        found = analysis(one.name)
        lines += ["", f"## {one.title}", "", f"**Verdict.** {found.summary()}".replace("\n", "  \n")]
        for length in LENGTHS:
            text = re.sub(r" Software\. All numbers were computed .*$", "", found.paragraph(length))
            lines += ["", f"**{length.capitalize()}.** {text}"]
        lines += ["", f"```{{image}} outcome-{one.name}.png", f":alt: {one.title}, in ACL and in NeurIPS", "```"]
    return "\n".join(lines) + "\n"


def digest(name: str) -> str:
    """Of all words and numbers in a picture, which holds it as `content`: where it differs, the picture is old."""
    return hashlib.sha256("".join(pieces(name, venue)[0] for venue in VENUES).encode()).hexdigest()[:12]


def pieces(name: str, venue: str) -> tuple[str, list[Figure], str]:
    """Tables, figure and paragraph in LaTeX, without the lines on their origin, and what else a venue needs of them."""
    styled = analysis(name).styled(venue=venue)
    model = styled.report().model
    figures = [one for one in model.figures if one.name == "k-hat-matrix"] or list(model.figures[:1])
    shown = styled.report().tables
    tables = [styled.to_latex(table) for table in ("results", "replicability", "pairs") if table in shown]
    (said,) = (item for item in model.blocks if isinstance(item, Paragraph) and item.name == "paragraph")
    writer = Writer("latex", model.appearance)
    words = "\n".join((*tables, *map(writer.figure, figures), writer.paragraph(said)))
    return re.sub(r"(?m)^%.*\n", "", words), figures, bibtex(cited_keys(all_texts(model)))


_NINE = r"\makeatletter\renewcommand{\small}{\@setfontsize\small{9}{10}}\makeatother"
DOCUMENTS = {
    "acl": r"\documentclass[11pt]{article}\usepackage{times}"
    r"\usepackage[a4paper,margin=2.5cm]{geometry}\setlength\columnsep{0.6cm}\twocolumn\sloppy"
    r"\usepackage[font=normalsize]{caption}\usepackage[round]{natbib}\let\cite\citep" + _NINE,
    "neurips": r"\documentclass[10pt]{article}\usepackage{times}"
    r"\usepackage[letterpaper,textwidth=5.5in,textheight=9in]{geometry}\sloppy\usepackage{caption}"
    r"\usepackage[round]{natbib}" + _NINE,
}
DOCUMENT = r"""%s
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{booktabs,graphicx,adjustbox,textcomp,amsmath}
\pagestyle{empty}
\begin{document}
%s
\bibliographystyle{plainnat}\setbox0\vbox{\bibliography{references}}
\end{document}
"""


def picture(name: str) -> None:
    """Paragraph, table and figure as the two venues set them, side by side, without white margins."""
    from PIL import Image, ImageChops
    from PIL.PngImagePlugin import PngInfo

    pages = []
    with tempfile.TemporaryDirectory() as home:
        for venue in VENUES:
            folder = Path(home) / venue
            (folder / "figures").mkdir(parents=True)
            words, figures, references = pieces(name, venue)
            (folder / "references.bib").write_text(references, encoding="utf-8")
            (folder / "page.tex").write_text(DOCUMENT % (DOCUMENTS[venue], words), encoding="utf-8")
            for figure in figures:
                save(figure.draw(), folder / "figures" / f"{figure.name}.pdf")
            for command in ("pdflatex", "bibtex", "pdflatex", "pdflatex"):
                options = ["-interaction=batchmode"] if command == "pdflatex" else []
                subprocess.run([command, *options, "page"], cwd=folder, check=False, stdout=subprocess.DEVNULL)
            subprocess.run(["pdftoppm", "-r", "80", "-gray", "-png", "page.pdf", "page"], cwd=folder, check=True)
            for path in sorted(folder.glob("page-*.png")):
                one = Image.open(path).convert("L")
                box = ImageChops.difference(one, Image.new("L", one.size, 255)).getbbox()
                pages += [one.crop(box)] if box else []
    whole = Image.new("L", (sum(one.width + 30 for one in pages), max(one.height for one in pages) + 20), 255)
    left = 15
    for one in pages:
        whole.paste(one, (left, 10))
        left += one.width + 30
    note = PngInfo()
    note.add_text("content", digest(name))
    whole.quantize(16).save(HERE / f"outcome-{name}.png", optimize=True, pnginfo=note)


def main(names: list[str]) -> None:
    """Make the page, and all pictures or those that are named."""
    for one in OUTCOMES:
        if not names or one.name in names:
            picture(one.name)
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
