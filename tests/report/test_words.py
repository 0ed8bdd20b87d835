"""The words of a report: where they come from, how many there are, how they read, and how a user changes them."""

from __future__ import annotations

import ast
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
from tests.report.design_cases import CASES, design
from tests.report.wording_rules import names_of, slips

WORDS = re.compile(r"[A-Za-z][A-Za-z'-]*")
IN_PYTHON = {
    "report/pictures.py": "the name of an axis",
    "report/scores_table.py": "a reason that an error gives",
}
"""Where sentences of reports still stand in Python."""


@cache
def report(name: str) -> Report:
    """Return the report on a design."""
    return design(name).report().model


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


def values_of(of: Report) -> set[str]:
    """Return all words that stand in the facts: names, tests, reasons, messages."""
    found: set[str] = set()

    def collect(value: object) -> None:
        if isinstance(value, dict):
            for key, one in value.items():
                collect(str(key))
                collect(one)
        elif isinstance(value, list):
            for one in value:
                collect(one)
        elif isinstance(value, str):
            found.update(WORDS.findall(value))

    collect({name: value for name, value in to_plain(of.facts).items() if name != "settings"})
    return found


@pytest.mark.parametrize("name", ["both directions", "two baselines", "all pairs", "two metrics, none", "raters"])
def test_nine_characters_of_ten_stand_in_templates(name: str) -> None:
    """Of the words that are no values, at least 90% of the characters."""
    sources = "\n".join(path.read_text("utf-8") for path in (shipped_templates() / "text").iterdir())
    known = {word.lower() for word in WORDS.findall(sources)}
    values = {word.lower() for word in values_of(report(name))}
    words = [word.lower() for text in printed(report(name)) for word in WORDS.findall(text)]
    own = [word for word in words if word not in values]
    assert sum(map(len, own)) > 500
    inside = [word for word in own if word in known or word.removesuffix("s") in known]
    assert sum(map(len, inside)) >= 0.9 * sum(map(len, own)), sorted(set(own) - set(inside))


def test_no_sentence_of_a_report_is_built_in_python() -> None:
    """No string of four words or more in `report/`, but in errors, findings and docstrings, and in the exceptions."""
    found = []
    for path in sorted((ROOT / "reportkit" / "report").rglob("*.py")):
        place = path.relative_to(ROOT / "reportkit").as_posix()
        if place.startswith(tuple(IN_PYTHON)):
            continue
        tree = ast.parse(path.read_text("utf-8"))
        left_out = {id(node) for node in ast.walk(tree) for node in _said_elsewhere(node)}
        for node in ast.walk(tree):
            text = node.value if isinstance(node, ast.Constant) and id(node) not in left_out else None
            if isinstance(text, str) and " " in text and len(re.findall(r"\b[a-z]+\b", text)) >= 4:
                found.append(f"{place}:{node.lineno}: {text!r}")
    assert found == []


def _said_elsewhere(node: ast.AST) -> list[ast.AST]:
    """Return the parts of docstrings, of errors and of findings."""
    if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
        return [one.value for one in node.body if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)]
    if isinstance(node, ast.Raise) or (isinstance(node, ast.Assign) and _names_error(node)):
        return list(ast.walk(node))
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return [node.value]
    return []


def _names_error(node: ast.Assign) -> bool:
    names = {target.id for target in node.targets if isinstance(target, ast.Name)}
    return bool(names & {"remedy", "message", "build", "whom", "where"})


def test_lengths_of_the_paragraph() -> None:
    """At most 60 words for two systems, 90 for eight against a baseline, 70 for all pairs of any number."""
    gains = {f"system-{i}": 0.04 * i for i in range(1, 9)}
    assert len(paragraph(compared({"ours": 0.1}, 5)).split()) <= 60
    assert len(paragraph(compared(gains, 4, baseline="base")).split()) <= 90
    for n in (4, 8, 12, 20):
        systems = {f"system-{i}": 0.02 * i for i in range(1, n)}
        assert len(paragraph(compared(systems, 3, n=100)).split()) <= 70, n


def grade(text: str) -> float:
    """Return the reading grade of Flesch and Kincaid."""
    sentences = [part for part in re.split(r"(?<=[.!?])\s+", text) if WORDS.search(part)]
    words = WORDS.findall(text)
    return 0.39 * len(words) / len(sentences) + 11.8 * sum(map(syllables, words)) / len(words) - 15.59


def syllables(word: str) -> int:
    """Count the groups of vowels, without a silent e."""
    n = len(re.findall(r"[aeiouy]+", word.lower()))
    silent = word.endswith("e") and not word.endswith(("le", "ee"))
    return max(1, n - bool(silent and n > 1))


SIMPLE = ("both directions", "two baselines", "all pairs", "all pairs, none", "two metrics, serial", "across datasets")


@pytest.mark.parametrize("name", SIMPLE)
def test_the_paragraph_reads_at_grade_nine(name: str) -> None:
    """Names and titles of tests count as short words: nobody can choose others."""
    text = paragraph(report(name))
    facts = report(name).facts
    for known in sorted([*facts.systems, *facts.datasets], key=len, reverse=True):
        text = text.replace(known, "Xx")
    for title in {test.title for test in facts.tests}:
        text = text.replace(title.replace("test", "tests", 1), "Xx").replace(title, "Xx")
    assert grade(text) <= 9


@pytest.mark.parametrize("name", CASES)
def test_texts_of_every_design_keep_the_rules_of_wording(name: str) -> None:
    """Paragraphs in three lengths, verdict, captions."""
    analysis = design(name)
    found = []
    for text in [*printed(report(name)), analysis.paragraph("full")]:
        if " " in text and text.endswith("."):
            found += slips(text, names_of(analysis))
    assert [one for one in found if not one.startswith(("a count that", "a large p-value"))] == []


def test_worse_is_said() -> None:
    """Where the interval lies below 0, the candidate is worse, with the interval."""
    shared = ROOT.parent / "shared" / "cases" / "gate"
    if not shared.is_dir():
        pytest.skip("the cases beside the checkout are not there")
    frames = [pd.read_csv(shared / f"{name}.csv").assign(system=name) for name in ("baseline", "candidate")]
    analysis = pd.concat(frames).replic.compare("candidate", "baseline")
    assert "candidate is worse than baseline (−7.5 points, 95% interval −12.2 to −4.0)" in analysis.summary()


# restylings ---------------------------------------------------------------------------------------------------------


def restyled(folder: Path, files: dict[str, str]) -> Report:
    """Return the report on two systems with templates of a user."""
    for name, text in files.items():
        (folder / "text").mkdir(parents=True, exist_ok=True)
        (folder / "text" / name).write_text(text, encoding="utf-8")
    return assemble(report("both directions").facts, Appearance(), [folder])


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
    for name in ("both directions", "all pairs", "two metrics, none"):
        facts = facts_in(to_plain(report(name).facts))
        again = assemble(facts, report(name).appearance)
        assert printed(again) == printed(report(name))
