"""The recommended-practice paragraph in each length: what it says of every design, and that nothing is left out."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import reportkit
from reportkit.appearance.appearance import Length
from reportkit.errors import UnknownNameError
from reportkit.language.counts_and_lists import listed
from reportkit.rendering.text.inline import latex_prose, markdown_prose
from reportkit.replicability.claims import claims_for
from reportkit.replicability.compare import compare_results
from reportkit.report.build import sign
from reportkit.report.machine.claims import claims_in
from reportkit.report.prose import Code, Strong, plain
from reportkit.report.score_format import scale_for
from reportkit.report.text.paragraph import full_paragraph, recommended_paragraph, software_sentence
from reportkit.scores.results import Results
from reportkit.scores.shapes.paired_scores import DatasetScores
from reportkit.settings import Settings
from tests.conftest import unavailable
from tests.report.design_cases import CASES as DESIGNS
from tests.report.design_cases import design
from tests.report.paragraph_cases import CELLS, FAMILIES, all_tests, analysis
from tests.report.wording_rules import names_of, slips, unknown_numbers, without_signature

GOLDEN = Path(__file__).with_name("paragraphs.md")


def _results(gains, *, n=200, kind="binary", clusters=False, missing=False, base_rate=0.5):
    """Systems base, s1, ... on one dataset per column: gains[i][j] instances more right than base; None: equal."""
    blocks = []
    for j in range(len(gains[0])):
        base = np.repeat([1.0, 0.0], [round(base_rate * n), n - round(base_rate * n)])
        rows = [base]
        for row in gains:
            better = base.copy()
            if row[j] is None:
                rows.append(better)
                continue
            wrong = np.flatnonzero(base == 0)[: max(row[j], 0) + 4]
            right = np.flatnonzero(base == 1)[: max(-row[j], 0) + 4]
            better[wrong], better[right] = 1.0, 0.0
            rows.append(better)
        scores = np.array(rows)
        if kind == "continuous":
            scores = scores * 0.5 + np.linspace(0, 0.3, n)
        if missing:
            scores[0, 0] = np.nan
        if not clusters:
            scores = scores[:, np.arange(n) * 37 % n]  # neighbours have nothing in common
        blocks.append(
            DatasetScores(
                dataset=("tweets", "reviews", "news", "books")[j],
                metric="score",
                systems=("base", *(f"s{i + 1}" for i in range(len(gains)))),
                instances=np.array([f"{j}-{i:03d}" for i in range(n)], dtype=object),
                scores=scores,
                kind=kind,
                clusters=np.arange(n) // 4 if clusters else None,
                cluster_names=tuple(f"{j}/doc{i}" for i in range(n // 4)) if clusters else (),
            )
        )
    return Results(datasets=tuple(blocks))


CASES = {
    "declared, 4 datasets, all": ([[40, 41, 42, 43]], ("s1",), ("base",), {}),
    "declared, 4 datasets, independent, some": ([[40, 12, 11, 3]], ("s1",), ("base",), {"dependence": "independent"}),
    "declared, 4 datasets, one": ([[40, 1, 1, -3]], ("s1",), ("base",), {}),
    "declared, 4 datasets, none": ([[1, 1, 0, -2]], ("s1",), ("base",), {}),
    "declared, one dataset, shown": ([[40]], ("s1",), ("base",), {"alpha": 0.05}),
    "declared, one dataset, not shown": ([[2]], ("s1",), ("base",), {"alpha": 0.05}),
    "both directions": ([[40, -41, 3, 0]], ("s1", "base"), (), {}),
    "identical systems": ([[None, 40]], ("s1",), ("base",), {}),
    "two baselines": ([[40, 3], [60, 20]], ("s2",), ("base", "s1"), {}),
    "several systems and a baseline": ([[40, 3], [60, 20], [None, 0]], (), ("base",), {"alpha": 0.01}),
    "all pairs": ([[40, 3], [60, 20], [None, 0]], (), (), {}),
    "tests of Dror et al.": ([[40, 12, 11, 3]], ("s1",), ("base",), {"profile": "dror2017"}),
    "named test with random resamples": ([[40, 12]], ("s1",), ("base",), {"test": "paired-bootstrap", "rng": 3}),
}
OTHER_DATA = {
    "continuous scores": ({"kind": "continuous"}, {}),
    "clusters": ({"clusters": True}, {}),
    "missing scores dropped": ({"missing": True}, {"missing": "drop"}),
    "missing scores counted as worst": ({"missing": True}, {"missing": "worst"}),
}


def _paragraph(results, systems, baselines, changes, length="standard"):
    settings = Settings(**changes)
    found = compare_results(results, claims_for(results.systems, systems, baselines), settings)
    data = replace(found, source="results.csv", digest="0" * 64)
    scale = scale_for(data.assessments)
    return plain(recommended_paragraph(data, scale, length))


@pytest.fixture(scope="module")
def paragraphs():
    """All paragraphs by the name of their case."""
    texts = {name: _paragraph(_results(gains), a, b, changes) for name, (gains, a, b, changes) in CASES.items()}
    for name, (data, changes) in OTHER_DATA.items():
        texts[name] = _paragraph(_results([[30, 12]], **data), ("s1",), ("base",), changes)
    return texts


def test_paragraphs_read_as_expected(paragraphs):
    """Each text is as in the file that people read."""
    written = "# Paragraphs\n" + "".join(f"\n## {name}\n\n{text}\n" for name, text in paragraphs.items())
    if os.environ.get("REPORTKIT_UPDATE_GOLDEN") == "1":
        GOLDEN.write_text(written, encoding="utf-8")
    assert written == GOLDEN.read_text(encoding="utf-8")


LENGTHS = get_args(Length)
WRITTEN_OUT = ("four datasets, three", "one dataset, shown")


def in_markdown(analysis, length):
    """The paragraph with its sources, as Markdown has it; without the signature, which changes with every version."""
    scale = scale_for(item for one in analysis.comparisons for item in one.assessments)
    return markdown_prose(recommended_paragraph(analysis, scale, length))


def _sentences(text):
    return re.split(r"(?<=[.]) (?=[A-Z(*<k])|(?<=\.\)) (?=[A-Z])", text)


def _of_family(tests):
    """Two cells of the first test in all lengths; of all others what is not above, but for other numbers."""
    lines: list[str] = []
    seen: set[str] = set()
    for number, test in enumerate(tests):
        lines.append(f"\n## {test}\n")
        for cell in sorted(CELLS, key=lambda name: name not in WRITTEN_OUT):
            for length in ("standard", "short", "full"):
                text = in_markdown(analysis(test, cell), length)
                shapes = {re.sub(r"[+−]?\d[\d.,]*", "#", sentence): sentence for sentence in _sentences(text)}
                new = [sentence for shape, sentence in shapes.items() if shape not in seen]
                seen.update(shapes)
                if number == 0 and cell in WRITTEN_OUT:
                    lines.append(f"### {cell}: {length}\n\n{text}\n")
                elif new:
                    lines.append(f"### {cell}: {length}, what is new\n")
                    lines += [*(f"- {sentence}" for sentence in new), ""]
    return "\n".join(lines)


def as_in_golden_file(name, content):
    """Hold a text against its file; REPORTKIT_UPDATE_GOLDEN=1 writes it anew, to be read before a commit."""
    path = Path(__file__).parent / "paragraphs" / f"{name}.md"
    if os.environ.get("REPORTKIT_UPDATE_GOLDEN") == "1":
        path.write_text(content, encoding="utf-8")
    assert content == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("family", FAMILIES)
def test_every_test_and_count_reads_as_expected(family):
    """One and many datasets, k-hat 0, 1, some, all, in three lengths, for every test of the catalogue."""
    as_in_golden_file(family, f"# Paragraphs: {family}\n{_of_family(FAMILIES[family])}")


@pytest.mark.parametrize("test", all_tests())
def test_each_cell_has_the_count_that_it_is_to_show(test):
    """The golden texts are about what their headings say."""
    for cell, (true, _) in CELLS.items():
        (comparison,) = analysis(test, cell).comparisons
        assert comparison.k_hat[0.05].recommended == true
        assert {item.test for item in comparison.assessments} == {test}


@pytest.mark.parametrize("test", all_tests())
def test_all_texts_keep_the_rules_of_wording(test):
    """What Sadat Azer et al. (2020, section 3) warn of is never said, by any test, at any length."""
    for cell in CELLS:
        one = analysis(test, cell)
        for length in LENGTHS:
            text = without_signature(one.paragraph(length))
            assert slips(text, names_of(one)) == []
            assert unknown_numbers(text, one) == []


@pytest.mark.parametrize("test", all_tests())
def test_what_a_text_names_is_marked_in_the_table(test):
    """Names of identified datasets are those of report.json, and every work that is cited is known."""
    for cell in CELLS:
        one = analysis(test, cell)
        (item,) = claims_in(one.report().to_dict())
        marked = {dataset["dataset"] for dataset in item["datasets"] if dataset["marked"]["0.05"]}
        for length in LENGTHS:
            found = re.search(r"confidence\)(?:: |, among them )([^;.]*)[;.]", one.paragraph(length))
            if 0 < len(marked) < item["n_datasets"]:
                assert found[1] == listed(n for n in one.datasets if n in marked)
            elif item["n_datasets"] > 1:
                assert found is None


def test_the_difference_beside_a_dataset_is_that_of_the_dataset():
    """Value, interval and name in the full text are one row of the outcomes."""
    one = analysis("sign-flip", "four datasets, three")
    rows = one.outcomes.set_index("dataset")
    found = re.findall(r"(\S+) \[(\S+), (\S+)\] on (\w+)", one.paragraph("full").replace("−", "-"))
    assert len(found) == 4
    for value, low, high, name in found:
        row = rows.loc[name, ["difference", "ci_low", "ci_high"]].astype(float).round(1)
        assert [float(value), float(low), float(high)] == row.tolist()


@pytest.mark.parametrize("length", LENGTHS)
def test_all_designs_keep_the_rules_of_wording(length):
    """Both directions, baselines, all pairs, missing scores, identical systems."""
    for name, (gains, a, b, changes) in CASES.items():
        text = _paragraph(_results(gains), a, b, changes, length)
        assert slips(text, {"s1", "s2", "s3", "base", "tweets", "reviews", "news", "books"}) == [], name


def test_the_lengths_say_the_same_and_more():
    """The results of the short text stand in the longer ones, word for word."""
    for cell in CELLS:
        one = analysis("mcnemar", cell)
        short, standard, full = (one.paragraph(length) for length in LENGTHS)
        assert len(short) < len(standard) < len(full)
        verdict = one.summary().splitlines()[0]
        assert all(verdict in text for text in (short, standard, full))


def test_the_signature_closes_the_full_text():
    """Version and signature, so that everything can be computed again."""
    one = analysis("mcnemar", "one dataset, shown")
    signature = one.report().model.signature.line.replace("|", " ")
    assert one.paragraph("full").endswith(f" reportkit {reportkit.__version__} ({signature}).")
    assert "sha256" not in one.paragraph("standard")


def test_the_length_is_that_of_the_appearance():
    """`length` of a styled analysis is the default; the report holds the other lengths beside it."""
    one = analysis("mcnemar", "one dataset, shown").styled(length="short")
    assert one.paragraph() == one.paragraph("short") != one.paragraph("standard")
    model = one.report().model
    assert [section.title for section in model.sections][:2] == ["Results", "Text for the paper"]
    assert plain(model.sections[1].blocks[0].content) == one.paragraph("short")
    extras = {paragraph.name: plain(paragraph.content) for paragraph in model.extras}
    assert extras == {f"paragraph-{length}": one.paragraph(length) for length in ("standard", "full")}
    with pytest.raises(UnknownNameError, match="value for length"):
        one.paragraph("long")


def test_every_design_reads_as_expected():
    """Short texts of all designs, and the full text of the first; of longer texts, the sentences that are new.

    Sentences that differ in numbers and names alone are one. The standard texts of most designs stand with all their
    numbers in `tests/designs`, and the rules of wording below look at every number of every text.
    """
    lines, seen = ["# Paragraphs: designs\n"], set()
    for number, name in enumerate(DESIGNS):
        lines.append(f"## {name}\n")
        for length in ("short", "standard", "full"):
            text = in_markdown(design(name), length)
            shapes = {_shape(sentence, design(name)): sentence for sentence in _sentences(text)}
            new = [sentence for shape, sentence in shapes.items() if shape not in seen]
            seen.update(shapes)
            if length == "short" or (length == "full" and number == 0):
                lines.append(f"### {length}\n\n{text}\n")
            elif new:
                lines += [f"### {length}, what is new\n", *(f"- {sentence}" for sentence in new), ""]
    as_in_golden_file("designs", "\n".join(lines))


def _shape(sentence, one):
    """A sentence without its numbers and names."""
    for name in sorted(names_of(one), key=len, reverse=True):
        sentence = sentence.replace(name, "@")
    return re.sub(r"[+−]?\d[\d.,]*", "#", sentence)


@pytest.mark.parametrize("name", DESIGNS)
def test_every_design_keeps_the_rules_of_wording(name):
    """No claim that the numbers do not make, no number that they do not hold, at any length."""
    one = design(name)
    for length in LENGTHS:
        text = without_signature(one.paragraph(length))
        assert slips(text, names_of(one)) == []
        assert unknown_numbers(text, one) == []


def test_the_documented_text_is_what_is_written(root):
    """The example of docs/reference/text.md, word for word."""
    quoted = re.findall(r"^> ?(.*)$", (root / "docs" / "reference" / "text.md").read_text("utf-8"), flags=re.MULTILINE)
    text = analysis("mcnemar", "four datasets, three").paragraph("short").replace("k-hat", "k̂")
    assert " ".join(quoted) == text


def _full(one):
    scale = scale_for(item for comparison in one.comparisons for item in comparison.assessments)
    return full_paragraph(one, scale, signature=sign(one))


def _heads(content):
    return [part.text for part in content if isinstance(part, Strong)]


def test_the_parts_of_many_datasets_and_of_one():
    """One dataset needs no correction, and nobody counts."""
    many = ["Hypotheses", "Tests", "Checks", "Correction", "Results", "Limits", "Software"]
    assert _heads(_full(analysis("mcnemar", "four datasets, three"))) == many
    one = _full(analysis("mcnemar", "one dataset, shown"))
    assert _heads(one) == [head for head in many if head != "Correction"]
    assert "k-hat" not in plain(one)
    assert "datasets" not in plain(one[:-2]).split("Software")[0]


def test_a_declared_margin_is_said():
    """What was declared too small to matter, instead of that nothing was declared."""
    found = analysis("mcnemar", "four datasets, three")
    declared = replace(found, settings=found.settings.replace(rope=0.01))
    scale = scale_for(found.assessments)
    words = plain(full_paragraph(declared, scale))
    assert "We declared differences of at most 1 percentage point too small to matter in practice" in words
    assert "no smallest difference of interest" not in words


def test_labels_are_used_throughout():
    """Names as the tables print them, in every sentence, with the numbers that belong to the old ones."""
    for test in ("aggregate-z", "welch-seeds", "boschloo", "mann-whitney", "sign-test"):
        one = analysis(test, "four datasets, three")
        shown = one.styled(labels={"new": "Ours", "tweets": "TWEETS"})
        for length in ("short", "standard", "full"):
            text, other = (each.paragraph(length) for each in (shown, one))
            assert not re.search(r"\bnew (minus|is|was|and|better|scores|with)|\btweets\b", text)
            assert re.findall(r"\d+", text) == re.findall(r"\d+", other)


def test_every_token_of_the_signature_may_end_a_line():
    """Typewriter words with spaces between."""
    signature = sign(analysis("mcnemar", "four datasets, three"))
    tokens = [part.text for part in software_sentence(signature) if isinstance(part, Code)]
    assert tokens == signature.line.split("|")
    assert software_sentence(None) == ()


DOCUMENT = r"""\documentclass[11pt,twocolumn]{article}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{times}
\setlength{\textwidth}{455.244pt}\setlength{\columnsep}{17.072pt}
\begin{document}
%s
\end{document}
"""


@pytest.mark.tex
def test_nothing_sticks_out_of_a_narrow_column(tmp_path):
    """The column of ACL papers, 219 pt: all lengths of a test of each family and of every design."""
    texts = []
    for one in [*(analysis(test, "four datasets, three") for test in all_tests()[::4]), *map(design, DESIGNS)]:
        model = one.report().model
        contents = [model.sections[0].blocks[0].content, *(paragraph.content for paragraph in model.extras)]
        texts += [latex_prose(content, breakable=True) for content in contents]
    (tmp_path / "main.tex").write_text(DOCUMENT % "\n\n".join(texts), encoding="utf-8")
    try:
        done = subprocess.run(
            ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "main.tex"],
            cwd=tmp_path,
            capture_output=True,
            check=False,
            env=os.environ | {"max_print_line": "2000"},
        )
    except FileNotFoundError:
        unavailable("pdflatex is not installed")
    log = (tmp_path / "main.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, log[-2000:]
    assert re.findall(r"^Overfull .*", log, flags=re.MULTILINE) == []
