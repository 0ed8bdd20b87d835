"""Draw `_static/overview.svg` from the real output: a file goes in, an answer and a table come out.

`python docs/overview.py` runs the command that the picture names and copies what it prints.
"""

from __future__ import annotations

import gzip
import itertools
import subprocess
import sys
import tempfile
import textwrap
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
RESULTS = HERE.parent / "examples" / "sentiment" / "results.csv.gz"
ARGUMENTS = ("build", RESULTS, "--system", "vader", "--baseline", "textblob", "--no-pdf")
COMMAND = "reportkit build results.csv --system vader --baseline textblob"
WIDTH, LINE, LEFT, COLUMNS = 920, 19, 350, 68
STYLE = """
text { font: 13px ui-monospace, Menlo, Consolas, monospace; white-space: pre; fill: #1f2328 }
.faint { fill: #59636e } .strong { font-weight: 700 } rect { fill: #ffffff; stroke: #d1d9e0 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc } .faint { fill: #9198a1 } rect { fill: #151b23; stroke: #3d444d }
}
"""


def answer() -> list[str]:
    """Return the lines of the verdict and of the table, as the command prints them."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "reportkit", *map(str, ARGUMENTS), "--output", f"{folder}/report"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    blocks = [list(block) for has_text, block in itertools.groupby(done.stdout.splitlines(), bool) if has_text]
    at = next(place for place, block in enumerate(blocks) if block[0].startswith("Dataset"))
    verdict, table = blocks[at - 1 : at + 1]
    return [*textwrap.wrap(verdict[0], COLUMNS), "", *table]


def drawn(printed: list[str]) -> str:
    """Return the picture."""
    with gzip.open(RESULTS, "rt", encoding="utf-8") as file:
        given = [",".join(line.split(",")[:4]).strip() for line in itertools.islice(file, len(printed) + 1)]
    height = 60 + LINE * (len(printed) + 1)
    body = [f'<rect x="1" y="1" width="{LEFT - 40}" height="{height - 2}" rx="8"/>']
    body += [f'<rect x="{LEFT}" y="1" width="{WIDTH - LEFT - 1}" height="{height - 2}" rx="8"/>']
    body += [_text(16, 28, "results.csv", "strong"), _text(LEFT - 27, height // 2, "→", "strong")]
    body += [_text(16, 54 + LINE * i, line, "faint") for i, line in enumerate(given)]
    body += [_text(LEFT + 16, 28, f"$ {COMMAND}", "faint")]
    n_verdict = printed.index("")
    body += [_text(LEFT + 16, 54 + LINE * i, line, "strong" if i < n_verdict else "") for i, line in enumerate(printed)]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"><style>{STYLE}</style>'
    title = f"<title>{escape(' '.join(printed[:n_verdict]))}</title>"
    return "\n".join((head, title, *body, "</svg>", ""))


def _text(x: int, y: int, words: str, kind: str) -> str:
    return f'<text x="{x}" y="{y}" class="{kind}">{escape(words)}</text>'


if __name__ == "__main__":
    (HERE / "_static" / "overview.svg").write_text(drawn(answer()), encoding="utf-8")
