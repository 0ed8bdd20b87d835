"""The paragraph in full: its parts, and how it sets in a narrow column."""

from __future__ import annotations

import os
import re
import subprocess

import pytest

from reportkit.rendering.text.inline import latex_prose
from reportkit.report.build import sign
from reportkit.report.prose import Code, Strong
from reportkit.report.score_format import scale_for
from reportkit.report.text.full_paragraph import full_paragraph, software_sentence
from reportkit.report.text.wording import plain
from tests.conftest import unavailable
from tests.report.design_cases import CASES, design
from tests.report.paragraph_cases import all_tests, analysis


def _full(one):
    scale = scale_for(item for comparison in one.data.family.comparisons for item in comparison.assessments)
    return full_paragraph(one.data, scale, signature=sign(one.data))


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
    frame_analysis = analysis("mcnemar", "four datasets, three")
    data = frame_analysis.data
    declared = type(data)(family=data.family, settings=data.settings.replace(rope=0.01))
    scale = scale_for(item for comparison in data.family.comparisons for item in comparison.assessments)
    words = plain(full_paragraph(declared, scale))
    assert "Differences of at most 1 percentage point were declared too small to matter in practice" in words
    assert "No smallest difference of interest" not in words


def test_labels_are_used_throughout():
    """Names as the tables print them, in every sentence, with the numbers that belong to the old ones."""
    for test in ("aggregate-z", "welch-seeds", "boschloo", "mann-whitney", "sign-test"):
        one = analysis(test, "four datasets, three")
        shown = one.styled(labels={"new": "Ours", "tweets": "TWEETS"})
        for length in ("short", "standard", "full"):
            text, other = (each.paragraph(length) for each in (shown, one))
            assert not re.search(r"\bnew (minus|is|was|and|better|scores)|\btweets\b", text)
            assert re.findall(r"\d+", text) == re.findall(r"\d+", other)


def test_every_token_of_the_signature_may_end_a_line():
    """Typewriter words with spaces between."""
    signature = sign(analysis("mcnemar", "four datasets, three").data)
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
    for one in [*(analysis(test, "four datasets, three") for test in all_tests()[::4]), *map(design, CASES)]:
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
