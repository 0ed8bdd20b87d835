"""The recommended-practice paragraph in each length: what it says of every design, and that nothing is left out."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import replace
from typing import get_args

import pytest

import reportkit
from reportkit.appearance.appearance import Length
from reportkit.errors import UnknownNameError
from reportkit.language.counts_and_lists import listed
from reportkit.rendering.text.inline import latex_prose
from reportkit.report.build import sign
from reportkit.report.machine.claims import claims_in
from reportkit.report.prose import Code, Strong, plain
from reportkit.report.score_format import scale_for
from reportkit.report.text.paragraph import full_paragraph, software_sentence
from tests.conftest import unavailable
from tests.report.design_cases import CASES as DESIGNS
from tests.report.design_cases import design
from tests.report.paragraph_cases import CELLS, all_tests, analysis
from tests.report.wording_rules import names_of, slips, unknown_numbers, without_signature

LENGTHS = get_args(Length)


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


@pytest.mark.parametrize("name", DESIGNS)
def test_every_design_keeps_the_rules_of_wording(name):
    """No claim that the numbers do not make, no number that they do not hold, at any length."""
    one = design(name)
    for length in LENGTHS:
        text = without_signature(one.paragraph(length))
        assert slips(text, names_of(one)) == []
        assert unknown_numbers(text, one) == []


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
