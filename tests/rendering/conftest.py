"""Reports to render, with names that break careless writers, and TeX to compile them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import pytest

from reportkit.figures.partial_conjunction import PartialConjunctionContent, PartialConjunctionCurve
from reportkit.report.model import (
    Cell,
    Column,
    Figure,
    Itemize,
    Paragraph,
    Report,
    Row,
    Section,
    Signature,
    Spanner,
    Table,
)
from reportkit.report.tokens import cite, cleaned, code, name, parts, ref, strong
from tests.conftest import unavailable

HOSTILE = (
    r"R&D_50%~{x}\^$#",
    "[x] first",
    "*star*",
    r"\input{/etc/passwd}",
    r"\end{document}",
    "{{ 7*7 }} {% raw %}",
    "<< name >> <% for %>",
    "<script>alert(1)</script>",
    "--> <!-- a | b -->",
    "# heading `code` [a](http://b.c)",
    '"straight" ‘single’ `tick` --- -- ,, ?` !`',
    "naïve Łódź Việt ǅ ﬁ œuvre",
    "κ ≤ −1.5 → α² × β₁ ± 3…",
    "中文数据集",
    "العربية עברית",
    "👩\u200d🔬 ❤\ufe0f",
    "bell\x07 null\x00 line\nbreak tab\tend\u202e rtl",
    "  spaces   around  ",
    "@user :smile: $x$ ~sub~ ^sup^",
    "k̂ é e\u0301 q\u0307\u0323 𝔘",
)
"""System, dataset and file names that somebody will have."""

SIGNATURE = Signature(
    version="0.1.0",
    source="results_v2%.csv",
    digest="3f9c" * 16,
    fields={"test": "mcnemar", "adj": "holm(m=8)", "alpha": ".05,.01"},
)


class Elements(HTMLParser):
    """Elements of a page with their attributes in order, checked to be well nested, and texts by element."""

    VOID = frozenset(("meta", "br", "wbr", "img", "hr", "input", "link", "col"))

    def __init__(self, source: str) -> None:
        super().__init__()
        self.path: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"th": [], "li": [], "p": []}
        self.feed(source)
        self.close()
        assert self.path == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: D102
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.path.append(tag)
        if tag in self.texts:
            self.texts[tag].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: D102
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:  # noqa: D102
        if tag not in self.VOID:
            assert self.path.pop() == tag

    def handle_data(self, data: str) -> None:  # noqa: D102
        for tag in self.texts.keys() & set(self.path):
            self.texts[tag][-1] += data

    def all(self, *tags: str) -> list[dict[str, str | None]]:
        """Attributes of the elements of some names."""
        return [attributes for tag, attributes in self.seen if tag in tags]


def words(text: str) -> str:
    """Return words as they come from a user."""
    return name(cleaned(text)) if text else ""


def given(text: str) -> str:
    """Return the words of a user without what says that they are his."""
    return "".join(content for _, content in parts(text))


def grid(
    name: str = "results",
    systems: Sequence[str] = ("VADER", "TextBlob", "AFINN"),
    datasets: Sequence[str] = ("tweets", "reviews", "movies", "editorials"),
    *,
    spanners: tuple[Spanner, ...] = (),
    caption: str = "",
    marks: Sequence[str] = ("", "*", "*+", ""),
    group: int = 0,
    plain_every: int = 0,
) -> Table:
    """Systems in rows, datasets in columns, scores that are different everywhere, the last system in bold."""
    rows = []
    for i, system in enumerate(systems):
        cells = [Cell(text=words(system))]
        for j in range(len(datasets)):
            signs = "" if plain_every and j % plain_every == 0 else marks[(i + 2 * j) % len(marks)]
            score = f"{40 + (7 * i + 13 * j) % 59}.{(3 * i + j) % 10}"
            last = i == len(systems) - 1
            cells.append(Cell(text=words(score), mark=signs, bold=last, underline=i == len(systems) - 2))
        rows.append(Row(cells=tuple(cells), rule_above=bool(group) and i > 0 and i % group == 0))
    sizes = Row(cells=(Cell(text="𝑛"), *(Cell(text=words(f"{871 + 1000 * j:,}")) for j in range(len(datasets)))))
    columns = (Column(header=words("System"), align="left"), *(Column(header=words(dataset)) for dataset in datasets))
    return Table(name=name, caption=caption, columns=columns, rows=tuple(rows), spanners=spanners, header_rows=(sizes,))


def p_values(name: str = "p-values") -> Table:
    """The other kinds of columns: words, symbols in headers, exponents, intervals, bars and missing figures."""
    headers = ("Dataset", "Test", "Differ", "", "adjusted", "95% interval")
    columns = [
        Column(header=words(head), align="left" if i in (0, 1, 5) else "right") for i, head in enumerate(headers)
    ]
    columns[3] = Column(header="𝑝")
    lines = [
        ("tweets", "McNemar", "1,024", ".036", ".072", "", "[+0.4, +3.1]"),
        ("movies", "sign flips", "3,018", "3.9×10⁻¹⁰", "1.6×10⁻⁹", "*+", "[−0.4, +3.1]"),
        ("editorials", "–", "12", "1|2", "<.001", "*", ""),
    ]
    rows = tuple(
        Row(
            cells=tuple(
                Cell(text=words(value), mark=mark if i == 4 else "", bold=i == 4 and value.startswith("1.6"))
                for i, value in enumerate((*line, interval))
            )
        )
        for *line, mark, interval in lines
    )
    caption = f"One-sided 𝑝-values {cite('dror2017replicability')}; k̂ ≥ 3."
    return Table(name=name, caption=caption, columns=tuple(columns), rows=rows)


def counts(name: str = "replicability") -> Table:
    """Symbols in headers, and a claim with a sign that TeX reads otherwise."""
    symbols = ("α", "count", "k̂", "k̂ (Fisher)", "𝑝", "𝑁", "𝑢", "δ")
    columns = (
        Column(header=words("Claim"), align="left"),
        *(Column(header=symbol, align="center") for symbol in symbols),
    )
    claim = Row(cells=(Cell(text=words("R&D > a_b")), *(Cell(text=words(str(i))) for i in range(len(symbols)))))
    return Table(name=name, caption="k̂ (Fisher) needs independence.", columns=columns, rows=(claim,))


def line_figure(name: str = "forest") -> Figure:
    """A small figure."""
    curve = PartialConjunctionCurve(method="bonferroni", p_values=(0.01, 0.2), k_hat=(1,))
    content = PartialConjunctionContent(system_a="a", system_b="b", n_datasets=2, alpha=(0.05,), curves=(curve,))
    return Figure(
        name=name,
        caption="Differences & δ.",
        alt_text="From 0% to 1 [up] & on.",
        kind="partial-conjunction",
        content=content,
    )


def hostile_report(names: Sequence[str] = HOSTILE) -> Report:
    """A report with hostile names in every place where a name of the user can stand."""
    listed = "; ".join(names)
    paragraph = Paragraph(
        name="paragraph",
        content=f"We compare {words(listed)} {cite('holm1979simple', 'dror2017replicability')}. "
        f"See {ref('tab', 'results')} and {ref('fig', 'forest')}: k̂ = 3, {code('--lower `a|b` results_v2%.csv')}.",
    )
    table = grid(systems=names, datasets=("SST_2", "M&M", "50%"), caption=words(listed))
    items = tuple(strong(words(one)) + words(": " + one) for one in names)
    return Report(
        title=f"{names[0]} against {names[2]}",
        signature=SIGNATURE,
        sections=(
            Section(title="Results", blocks=(paragraph, table, line_figure())),
            Section(title=f"p-values of {names[0]}", blocks=(p_values(), counts())),
            Section(title="What to know", blocks=(Itemize(items=items), Paragraph(content=words(names[-1])))),
        ),
        data={"schema_version": "2.0", "names": list(names), "value": 0.1},
    )


@pytest.fixture(scope="session")
def small_report() -> Report:
    """A report without anything unusual."""
    return hostile_report(("VADER", "TextBlob", "AFINN"))


@dataclass(frozen=True, slots=True)
class Compiled:
    """What TeX said and made."""

    log: str
    pdf: Path

    @property
    def overfull(self) -> list[str]:
        """Boxes that stick out by more than half a point."""
        found = re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\)[^\n]*", self.log)
        return [width for width in found if float(width) > 0.5]

    @property
    def text(self) -> str:
        """The words on the pages."""
        if shutil.which("pdftotext") is None:
            unavailable("pdftotext is not installed")
        done = subprocess.run(
            ["pdftotext", "-layout", str(self.pdf), "-"], capture_output=True, check=True, timeout=600
        )
        return done.stdout.decode("utf-8")


Compile = Callable[..., Compiled]


@pytest.fixture(scope="session")
def compile_tex(tmp_path_factory: pytest.TempPathFactory) -> Compile:
    """Compile one document; any mistake that TeX finds fails the test with its words."""

    def run(source: str, files: Mapping[str, str] | None = None, engine: str = "pdflatex", runs: int = 1) -> Compiled:
        if shutil.which(engine) is None:
            unavailable(f"{engine} is not installed")
        folder = tmp_path_factory.mktemp("tex")
        for file, content in {"main.tex": source, **(files or {})}.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(content, encoding="utf-8")
        command = [engine, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "main.tex"]
        environment = os.environ | {"max_print_line": "2000"}
        for _ in range(runs):
            done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=600, env=environment)
            log = (folder / "main.log").read_text(encoding="utf-8", errors="replace")
            if done.returncode:
                pytest.fail("TeX stops: " + "\n".join(log[log.find("\n!") :].splitlines()[:12]))
        return Compiled(log=log, pdf=folder / "main.pdf")

    return run
