"""Draw the picture of the first page, in light and dark: a file goes in, a table and a sentence come out.

`python docs/overview.py` writes `_static/overview-light.svg` and `_static/overview-dark.svg` from the example.
"""

from __future__ import annotations

import gzip
import textwrap
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

import pandas as pd

import reportkit  # for df.replic
from reportkit import Analysis

HERE = Path(__file__).resolve().parent
RESULTS = HERE.parent / "examples" / "sentiment" / "results.csv.gz"
COLOURS = {
    "light": {"ink": "#1f2328", "faint": "#59636e", "paper": "#ffffff", "line": "#d1d9e0", "accent": "#0a7d91"},
    "dark": {"ink": "#f0f6fc", "faint": "#9198a1", "paper": "#151b23", "line": "#3d444d", "accent": "#3fb6c9"},
}
WIDTH, HEIGHT, LEFT = 900, 268, 372
"""Of the picture, and where its right half begins."""


def analysis() -> Analysis:
    """The example of the README."""
    assert reportkit.__version__
    labels = {"vader": "VADER", "textblob": "TextBlob"}
    found = pd.read_csv(RESULTS).replic.compare("vader", "textblob").styled(labels=labels)
    assert isinstance(found, Analysis)
    return found


def drawn(found: Analysis, scheme: str) -> str:
    """The picture in one colour scheme."""
    colour = COLOURS[scheme]
    with gzip.open(RESULTS, "rt", encoding="utf-8") as file:
        lines = [",".join(next(file).split(",")[:4]) for _ in range(10)]
    body = [
        box(8, 8, 300, HEIGHT - 16, colour),
        text(24, 34, "results.csv", colour["accent"], weight=600),
        *(
            text(24, 60 + 19 * i, line.strip(), colour["faint" if i else "ink"], mono=True)
            for i, line in enumerate(lines)
        ),
        f'<path d="M318 {HEIGHT / 2}h36m-10-8 10 8-10 8" fill="none" stroke="{colour["accent"]}" stroke-width="2.5"/>',
        box(LEFT - 8, 8, WIDTH - LEFT, HEIGHT - 16, colour),
        *table(found, colour),
        *(
            text(LEFT + 8, 192 + 20 * i, line, colour["ink"])
            for i, line in enumerate(textwrap.wrap(str(found), 66)[:4])
        ),
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
    return "\n".join((head, f"<title>{escape(str(found))}</title>", *body, "</svg>", ""))


def table(found: Analysis, colour: dict[str, str]) -> Iterator[str]:
    """The table of scores, ruled as booktabs rules it."""
    frame = found.to_frame("results")
    marks = next(name for name in frame.columns if str(name).endswith(" mark"))
    scored = marks.removesuffix(" mark")
    cells = [
        [
            item["Dataset"],
            f"{item['n']:,.0f}",
            f"{item[scored]:.1f}",
            f"{item['TextBlob']:.1f}",
            f"{item['Diff.']:+.1f}",
        ]
        for _, item in frame.iterrows()
    ]
    columns = (LEFT + 8, LEFT + 210, LEFT + 300, LEFT + 395, LEFT + 504)
    for y, thick in ((24, 1.6), (50, 1), (164, 1.6)):
        yield f'<path d="M{LEFT + 8} {y}H{WIDTH - 24}" stroke="{colour["ink"]}" stroke-width="{thick}"/>'
    yield from row(["Dataset", "n", "VADER", "TextBlob", "Difference"], columns, 42, colour, weight=600)
    for i, (values, mark) in enumerate(zip(cells, frame[marks], strict=True)):
        yield from row(values, columns, 74 + 26 * i, colour)
        yield text(columns[2] + 1, 70 + 26 * i, mark[:1], colour["accent"], weight=600)


def row(
    cells: Sequence[str], columns: Sequence[int], y: int, colour: dict[str, str], weight: int = 400
) -> Iterator[str]:
    """A name, and numbers flushed right."""
    for cell, x in zip(cells, columns, strict=True):
        anchor = "start" if x == columns[0] else "end"
        yield text(x, y, cell, colour["ink"], weight=weight, anchor=anchor)


def box(x: int, y: int, width: int, height: int, colour: dict[str, str]) -> str:
    """A card."""
    shape = f'x="{x}" y="{y}" width="{width}" height="{height}" rx="8"'
    return f'<rect {shape} fill="{colour["paper"]}" stroke="{colour["line"]}"/>'


def text(x: int, y: int, words: str, fill: str, *, weight: int = 400, anchor: str = "start", mono: bool = False) -> str:
    """A line of text."""
    face = "ui-monospace, Menlo, Consolas, monospace" if mono else "system-ui, Segoe UI, Helvetica, Arial, sans-serif"
    size = 12 if mono else 14
    style = f'font-family="{face}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" fill="{fill}"'
    return f'<text x="{x}" y="{y}" {style} xml:space="preserve">{escape(words)}</text>'


if __name__ == "__main__":
    example = analysis()
    for name in COLOURS:
        (HERE / "_static" / f"overview-{name}.svg").write_text(drawn(example, name), encoding="utf-8")
