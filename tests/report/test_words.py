"""The words of a report: where they come from, how many there are, how they read, and how a user changes them."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from reportkit.appearance import Appearance
from reportkit.report.assemble import assemble
from reportkit.report.facts_json import facts_in, to_plain
from reportkit.report.model import Figure, Paragraph, Report, Table
from reportkit.report.tokens import parts
from reportkit.report.wording import shipped_templates
from tests.conftest import ROOT
from tests.contract import frames
from tests.report.wording_rules import slips

DESIGNS = {
    "a pair": lambda: frames.right_or_wrong(datasets=frames.FEW).replic.compare("new", "old", alternative="two-sided"),
    "all pairs": lambda: frames.right_or_wrong(frames.THREE, datasets=frames.FEW).replic.compare(),
    "two metrics": lambda: frames.two_metrics().replic.compare("new", "old", metric=["accuracy", "fluency"]),
}
WORDS = re.compile(r"[A-Za-z][A-Za-z'-]*")


@cache
def report(name: str) -> Report:
    """Return the report on a design."""
    return DESIGNS[name]().report().model


def compared(gains: dict[str, float], n_datasets: int, *, n: int = 200, **options) -> Report:
    """Return the report on systems that are right so much more often than `base`."""
    rng = np.random.default_rng(0)
    rows = []
    for dataset in range(n_datasets):
        hard = rng.random(n)
        for system, gain in {"base": 0.0, **gains}.items():
            right = hard + rng.normal(0, 0.2, n) < 0.6 + gain
            rows += [(system, f"set-{dataset + 1}", i, int(value)) for i, value in enumerate(right)]
    frame = pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])
    return frame.replic.compare(**options).report().model


def paragraph(of: Report) -> str:
    """Return the paragraph of a report, without citations and references."""
    (text,) = (block.content for block in of.blocks if isinstance(block, Paragraph) and block.name == "paragraph")
    return bare(text)


def bare(text: str) -> str:
    """Return a text without tokens, and without the space before a citation; names stay."""
    found = ""
    for kind, content in parts(text):
        if kind == "cite":
            found = found.removesuffix(" ")
        elif kind != "ref":
            found += bare(content) if kind == "strong" else content
    return found


def printed(of: Report) -> list[str]:
    """Return paragraphs, captions, legends, heads of columns and titles of sections."""
    found = [section.title for section in of.sections]
    for block in of.blocks:
        if isinstance(block, Table):
            found += [block.caption, block.legend, *(column.header for column in block.columns)]
        elif isinstance(block, Figure):
            found.append(block.caption)
        elif isinstance(block, Paragraph):
            found.append(block.content)
    return [*map(bare, found), *of.summary, *(bare(extra.content) for extra in of.extras)]


@pytest.mark.parametrize("name", DESIGNS)
def test_nine_characters_of_ten_stand_in_templates(name: str) -> None:
    """Of the words that are no values (names, tests, reasons, messages of `report.json`), 90% of the characters."""
    sources = "\n".join(path.read_text("utf-8") for path in (shipped_templates() / "text").iterdir())
    known = {word.lower() for word in WORDS.findall(sources)}
    values = {word.lower() for word in WORDS.findall(json.dumps(to_plain(report(name).facts)))}
    own = [word.lower() for text in printed(report(name)) for word in WORDS.findall(text) if word.lower() not in values]
    inside = [word for word in own if word in known or word.removesuffix("s") in known]
    assert sum(map(len, own)) > 500
    assert sum(map(len, inside)) >= 0.9 * sum(map(len, own)), sorted(set(own) - set(inside))


def test_no_sentence_of_a_report_is_built_in_python() -> None:
    """No string of four words or more in `report/`, but in errors, findings and docstrings."""
    found = []
    for path in (ROOT / "reportkit" / "report").rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        said = {id(one) for node in ast.walk(tree) if _said_elsewhere(node) for one in ast.walk(node)}
        found += [
            f"{path.name}:{node.lineno}: {node.value!r}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said
            if len(re.findall(r"\b[a-z]+\b", node.value)) >= 4 and " " in node.value
        ]
    assert found == []


def _said_elsewhere(node: ast.AST) -> bool:
    """Whether it is a docstring, or an error or a finding, or a part of one."""
    if isinstance(node, ast.Assign):
        return any(
            getattr(target, "id", "") in ("remedy", "message", "build", "where", "whom") for target in node.targets
        )
    return isinstance(node, ast.Raise) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


@pytest.mark.parametrize("name", DESIGNS)
def test_the_paragraph_reads_at_grade_nine(name: str) -> None:
    """By Flesch and Kincaid; names and titles of tests count as short words: nobody can choose others."""
    facts, text = report(name).facts, paragraph(report(name))
    titles = [title for test in facts.tests for title in (test.title.replace("test", "tests", 1), test.title)]
    for known in sorted([*titles, *facts.systems, *facts.datasets], key=len, reverse=True):
        text = re.sub(rf"\b{re.escape(known)}\b", "Xx", text)
    words = WORDS.findall(text)
    sentences = [part for part in re.split(r"(?<=[.!?])\s+", text) if WORDS.search(part)]
    syllables = sum(max(1, len(re.findall(r"[aeiouy]+", re.sub(r"(?<![le])e$", "", word.lower())))) for word in words)
    assert 0.39 * len(words) / len(sentences) + 11.8 * syllables / len(words) - 15.59 <= 9


@pytest.mark.slow
def test_lengths_of_the_paragraph() -> None:
    """At most 60 words for two systems, 90 for eight against a baseline, 70 for all pairs of any number."""
    gains = {f"system-{i}": 0.04 * i for i in range(1, 9)}
    assert len(paragraph(compared({"ours": 0.1}, 5)).split()) <= 60
    assert len(paragraph(compared(gains, 4, baseline="base")).split()) <= 90
    for n in (4, 8, 12, 20):
        systems = {f"system-{i}": 0.02 * i for i in range(1, n)}
        assert len(paragraph(compared(systems, 3, n=100)).split()) <= 70, n


def test_paragraphs_keep_the_rules_of_wording() -> None:
    """Those of all designs, as their files hold them."""
    files = {path.stem: path.read_text("utf-8") for path in (ROOT / "tests" / "designs").glob("*.md")}
    lines = [line for text in files.values() for line in text.splitlines() if line and not line.startswith("#")]
    assert len(lines) > 80
    assert [one for line in lines for one in slips(line)] == []


# restylings ---------------------------------------------------------------------------------------------------------


def restyled(folder: Path, files: dict[str, str]) -> Report:
    """Return the report on two systems with templates of a user."""
    for name, text in files.items():
        (folder / "text").mkdir(parents=True, exist_ok=True)
        (folder / "text" / name).write_text(text, encoding="utf-8")
    return assemble(report("a pair").facts, Appearance(), [folder])


def test_other_words_in_the_paragraph(tmp_path: Path) -> None:
    """One template of the user takes the place of one of the project."""
    words = "{{ f.claims[0].a | name }} and {{ f.claims[0].b | name }} were tested on {{ f.datasets | listed }}."
    found = restyled(tmp_path, {"paragraph-standard.jinja": words})
    assert paragraph(found) == "new and old were tested on news, reviews and tweets."


def test_another_mark(tmp_path: Path) -> None:
    """The sign in the table and in its legend."""
    (table,) = [t for t in restyled(tmp_path, {"heads.toml": 'marks = ["★", "☆"]\n'}).tables if t.name == "results"]
    assert {cell.mark for row in table.rows for cell in row.cells} == {"", "★☆"}
    assert "★ (𝑝 ≤ .05)" in table.legend
    assert "*" not in table.legend


def test_another_column(tmp_path: Path) -> None:
    """A head, and an expression for its cells."""
    columns = '[columns]\n"95% interval" = "{{ ends(o) }}"\n'
    (table,) = [t for t in restyled(tmp_path, {"heads.toml": columns}).tables if t.name == "results"]
    assert table.columns[-1].header == "95% interval"
    assert all(re.fullmatch(r"[+−][\d.]+ to [+−][\d.]+", row.cells[-1].text) for row in table.rows)


def test_facts_alone_make_the_same_report() -> None:
    """Read back from what `report.json` holds."""
    for name in DESIGNS:
        facts = facts_in(to_plain(report(name).facts))
        again = assemble(facts, report(name).appearance)
        assert printed(again) == printed(report(name))
