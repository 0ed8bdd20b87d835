"""Every rule finds its mistakes and leaves near misses alone: manual pages, and a table of small papers."""

from __future__ import annotations

import time

import pytest

from reportkit.checker.catalogue import RULES
from reportkit.checker.engine import check
from reportkit.checker.patterns import SECTIONS, patterns
from tests.checker.mistakes import NEWCOMER, OWN, TEXTBOOK, WRITTEN, check_text
from tests.conftest import unavailable

ALL = {**TEXTBOOK, **NEWCOMER, **OWN, **WRITTEN}
MARKDOWN_ONLY = {"markdown": "paper.md", "latex": "paper.tex"}
EXAMPLES = [
    (rule.code, title, language, text, results)
    for rule in RULES.values()
    for results in [next((text for title, _, text in rule.examples if title == "Results"), None)]
    for title, language, text in rule.examples
    if title != "Results"
]


def codes(text):
    """Codes of what is found in a paper."""
    return [item.code for item in check_text(text)]


def test_there_are_as_many_as_said():
    """22 of textbooks, those of a newcomer's page, and 40 and more of our own; every one has its place."""
    assert len(TEXTBOOK) == 22
    assert len(NEWCOMER) == 11
    assert len(OWN) >= 40
    assert all(item.wrong != item.right for item in ALL.values())


@pytest.mark.parametrize("name", ALL)
def test_a_planted_mistake_is_found(name):
    """By the rule that it is for, and by no other."""
    assert set(codes(ALL[name].wrong)) == {ALL[name].code}


@pytest.mark.parametrize("name", ALL)
def test_a_near_miss_is_left_alone(name):
    """By all rules."""
    assert codes(ALL[name].right) == []


@pytest.mark.parametrize(
    ("code", "title", "language", "text", "results"), EXAMPLES, ids=[f"{row[0]}-{row[1]}" for row in EXAMPLES]
)
def test_the_examples_of_manual_pages_are_true(code, title, language, text, results, tmp_path):
    """Found, and not found."""
    paper = tmp_path / MARKDOWN_ONLY[language]
    paper.write_text(f"{text}\n", encoding="utf-8")
    if results is not None:
        (tmp_path / "results.csv").write_text(f"{results}\n", encoding="utf-8")
    report = check(paper, data=None if results is None else tmp_path / "results.csv")
    assert (code in {item.code for item in report}) == (title == "Found"), list(report)


def test_every_rule_about_a_paper_has_both_examples():
    """One in which it finds something, and one in which it does not."""
    without = {
        rule.code for rule in RULES.values() if {title for title, _, _ in rule.examples} < {"Found", "Not found"}
    }
    assert without == {"RK001", "RK004", "RK500"}  # of files, data and the analysis
    assert all(rule.summary.endswith(".") for rule in RULES.values())


GATES = {
    "abs1.tex": {"RK121"},
    "avglast.tex": {"RK105"},
    "avglast1.tex": {"RK105"},
    "base.tex": {"RK302", "RK215"},
    "chi.tex": {"RK107", "RK108"},
    "cicd.tex": {"RK302", "RK215"},
    "seed.tex": {"RK302", "RK215"},
    "sig.tex": {"RK201"},
    "sigsize.tex": {"RK201"},
    "t1.tex": {"RK105"},
    "t4.tex": {"RK105"},
}


@pytest.mark.parametrize("name", GATES)
def test_words_that_mean_something_else_do_not_excuse(name, root):
    """Papers of a few lines in which a word or a name once kept a rule from looking."""
    path = root.parent / "shared" / "cases" / "checker-gates" / name
    if not path.exists():
        unavailable("the small papers beside the checkout are not there")
    assert GATES[name] <= {item.code for item in check(path)}


def test_the_same_at_many_places_is_one_finding():
    """A table of 152 zeros is one line with 152 places; other values are findings of their own."""
    rows = "".join(f"| {name} | 1.0 | 0.00 |\n" for name in range(152))
    report = check_text(f"| Term | t | p |\n|---|---|---|\n{rows}", language="markdown", name="a.md")
    (found,) = [item for item in report if item.code == "RK117"]
    assert len(found.repeats) == 151
    report = check_text("One, $t(28) = 2.20$, $p = .001$. Two, $t(30) = 2.20$, $p = .002$.")
    assert [item.code for item in report] == ["RK107", "RK107"]


LINES = (
    "p = .05, ",
    "from 80.0 to ",
    "F1 of 82.0 on all datasets ",
    "significantly better than the best of 5 runs ",
    "1",
)
CHECKED = [
    name for name in SECTIONS if name not in ("headings", "test_columns", "stop_words", "general_headings", "words")
]


def seconds(search, text):
    """Time of the processor that a search takes on a text, the best of three."""
    taken = []
    for _ in range(3):
        began = time.process_time()
        list(search(text) or ())
        taken.append(time.process_time() - began)
    return min(taken)


@pytest.mark.parametrize("section", CHECKED)
def test_no_pattern_is_slower_than_linear(section):
    """On ten times the text, each takes far less than a hundred times as long."""
    for name, pattern in patterns(section).items():
        search = pattern.finditer
        if name in ("between", "behind"):
            search = lambda text, pattern=pattern: (pattern.fullmatch(text),)  # noqa: E731
        for line in LINES:
            small, large = (seconds(search, (line * length)[:length]) for length in (400, 4_000))
            assert large < max(40 * small, 0.03), (name, line)
