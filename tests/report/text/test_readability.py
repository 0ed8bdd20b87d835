"""How hard the texts are to read: length of sentences and paragraphs, and words that have to be read twice."""

from __future__ import annotations

import ast
import contextlib
import os
import re
from pathlib import Path
from statistics import median
from typing import get_args

import pytest
from PIL import Image

from reportkit.appearance.appearance import Length
from tests.report.design_cases import CASES, design
from tests.report.paragraph_cases import CELLS, all_tests, analysis
from tests.report.text.outcomes import OUTCOMES, gallery, outcome, pictures
from tests.report.wording_rules import LEGAL_ON_PAGES, RIDDLES, names_of, riddles, slips, without_signature

MOST_WORDS = {"short": 90, "standard": 120}
MEDIAN_SENTENCE = 22
LONGEST_SENTENCE = 60
EVERY = {
    **{name: (outcome, name) for name in OUTCOMES},
    **{f"design: {name}": (design, name) for name in CASES},
}


def _of(name):
    make, key = EVERY[name]
    return make(key)


def sentences_of(text):
    """Sentences, as a reader takes them: an abbreviation and a number end none."""
    return [one for one in re.split(r"(?<=[.?!]) (?=\S)|(?<=\.\)) (?=\S)|\n+", text) if one.strip()]


def n_words(text):
    """Words, with numbers; references do not count."""
    return len(re.sub(r" \([^()]*\d{4}[^()]*\)", "", text).split())


@pytest.mark.slow
def test_the_gallery_of_outcomes_reads_as_it_should():
    """The verdict and the three paragraphs of each, as on the page that people read."""
    if os.environ.get("REPORTKIT_UPDATE_GOLDEN") == "1":
        gallery.PAGE.write_text(gallery.page(), encoding="utf-8")
    assert gallery.page() == gallery.PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", OUTCOMES)
def test_the_pictures_of_outcomes_are_current(name):
    """Each shows the table, the figure and the paragraph of today."""
    with Image.open(gallery.HERE / f"outcome-{name}.png") as picture:
        shown = picture.info["content"]
    assert shown == gallery.digest(name), f"python docs/gallery/outcomes.py {name}"


@pytest.mark.parametrize("name", EVERY)
def test_paragraphs_are_as_short_as_they_promise(name):
    """The standard text has at most 120 words, and the short one stays near sixty."""
    one = _of(name)
    counts = {length: n_words(one.paragraph(length)) for length in MOST_WORDS}
    most = {"short": MOST_WORDS["short"] + 10 * one.several_metrics, "standard": MOST_WORDS["standard"]}
    claims = len(one.pairs) if one.printed else 1  # which stand alone
    assert all(counts[length] <= claims * most[length] for length in counts), counts


@pytest.mark.parametrize("name", EVERY)
def test_no_text_has_to_be_read_twice(name):
    """No riddle in the verdict or in any length; half of the sentences have at most 22 words."""
    one = _of(name)
    texts = (one.summary(), *(without_signature(one.paragraph(length)) for length in get_args(Length)))
    lengths = [n_words(sentence) for text in texts for sentence in sentences_of(text)]
    assert [riddles(text, names_of(one)) for text in texts] == [[]] * len(texts)
    assert median(lengths) <= MEDIAN_SENTENCE
    assert max(lengths) <= LONGEST_SENTENCE


@pytest.mark.parametrize("name", OUTCOMES)
def test_outcomes_keep_the_rules_of_wording(name):
    """What Sadat Azer et al. (2020, section 3) warn of is never said."""
    one = outcome(name)
    for text in (one.summary().replace("\n", " "), *(without_signature(one.paragraph(n)) for n in get_args(Length))):
        assert slips(text, names_of(one)) == []


@pytest.mark.parametrize("test", all_tests())
def test_no_test_makes_a_text_long(test):
    """Every test of the catalogue, with every count."""
    for cell in CELLS:
        one = analysis(test, cell)
        assert n_words(one.paragraph("standard")) <= MOST_WORDS["standard"]
        for length in get_args(Length):
            assert riddles(without_signature(one.paragraph(length)), names_of(one)) == []


def test_all_goldens_are_easy_to_read(root):
    """The median sentence of every golden file has at most 22 words."""
    files = [
        *(Path(__file__).parent / "paragraphs").glob("*.md"),
        Path(__file__).parent / "paragraphs.md",
        *(root / "tests" / "designs").glob("*.md"),
        gallery.PAGE,
    ]
    assert len(files) > 10
    for path in files:
        said = [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
        lengths = [n_words(sentence) for line in said for sentence in sentences_of(line)]
        assert median(lengths) <= MEDIAN_SENTENCE, path.name
        assert riddles("\n".join(said)) == [], path.name


@pytest.mark.parametrize(
    "text",
    [
        "Holm's procedure identifies amazon by name.",
        "skewness 3, where 1,903 would do",
        "Columns that play no role: a and b.",
        "the differences are nearly normal",
        "systems of which one is better",
        "nmt has no score on books, which its comparisons are without",
        "The p-value lies between <.001 and <.001.",
        "Left open, what the marks rest on.",
        "Were all missing scores in favour of A, it would be 3.",
        "Table 2 bounds the number of datasets on which each claim holds from below.",
        "The result generalises to the population that this test set is a sample of, and no further.",
    ],
)
def test_the_list_finds_what_it_is_for(text):
    """The sentences that readers stumbled over."""
    assert riddles(text)
    assert len(RIDDLES) > 20


def _texts(tree):
    """All strings of a module that are no documentation, with their lines; what is filled in is a name."""
    nodes = list(ast.walk(tree))
    skipped = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    skipped |= {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(part.value if isinstance(part, ast.Constant) else "Xx" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.lineno, node.value


@pytest.mark.slow
def test_no_text_of_the_package_has_to_be_read_twice(root):
    """Errors, findings, captions, help and alternative texts: every string with four words, none a pattern."""
    found = []
    for path in sorted((root / "reportkit").rglob("*.py")):
        for line, text in _texts(ast.parse(path.read_text("utf-8"))):
            if len(text.split()) >= 4 and not re.search(r"\(\?|\\b|\\s", text):
                found += [f"{path.relative_to(root)}:{line}: {one}" for one in riddles(text)]
    assert found == []


def test_the_texts_of_the_gallery_are_those_of_today(root):
    """Verdicts and paragraphs that the page of pictures quotes."""
    page = (root / "docs" / "gallery" / "index.md").read_text("utf-8")
    (texts,) = (section for section in pictures.SECTIONS if section.title == "Texts")
    with contextlib.chdir(root):
        given = {}
        exec(texts.given, given)  # noqa: S102 - the lines of the page
        for entry in texts.entries:
            assert "\n".join(pictures.text(entry, given)) in page, "python docs/gallery/make.py"


def test_no_page_has_to_be_read_twice(root):
    """README and documentation, but for the pages of rules, which quote papers: prose without code."""
    found = []
    pages = [path for path in sorted((root / "docs").rglob("*.md")) if path.parent.name != "rules"]
    for path in [root / "README.md", *pages]:
        text = re.sub(r"```.*?```|`[^`]*`|^ {4}.*?$", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        words = riddles(re.sub(r"\s+", " ", text), rules=RIDDLES.keys() - LEGAL_ON_PAGES)
        found += [f"{path.relative_to(root)}: {one}" for one in words]
    assert found == []
