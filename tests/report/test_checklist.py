"""Draft answers to checklists: true for every design, with a place for each, and with blanks for what is not known."""

from __future__ import annotations

import re

import pytest

from reportkit.analysis.analysis import Analysis
from reportkit.rendering.text.inline import plain_prose
from reportkit.report.checklist import BLANK
from reportkit.report.model import Itemize, Paragraph, Section
from reportkit.report.prose import Code, Prose, Reference
from tests.report.design_cases import CASES, design
from tests.report.paragraph_cases import CELLS, analysis
from tests.report.wording_rules import names_of, slips

CODES = ("B6", "C2", "C3", "C4", "R1", "R5", "item 7")
TESTS = (
    "mcnemar",
    "sign-flip",
    "bootstrap-t",
    "corpus-bootstrap",
    "correlation-jackknife-t",
    "two-way-t",
    "welch-seeds",
)


def _sections(of: Analysis) -> tuple[Section, ...]:
    return of.report().model.checklist


def _items(sections: tuple[Section, ...], code: str = "") -> list[Prose]:
    found: list[Prose] = []
    for section in sections:
        for block in section.blocks:
            if code in section.title:
                found += block.items if isinstance(block, Itemize) else [block.content]  # type: ignore[union-attr]
    return found


def _texts(sections: tuple[Section, ...], code: str = "") -> list[str]:
    return [plain_prose(item) for item in _items(sections, code)]


@pytest.mark.parametrize("name", CASES)
def test_every_design_has_answers(name: str) -> None:
    """All items, in plain sentences that keep the rules of wording; references are to what the report has."""
    case = design(name)
    sections = _sections(case)
    assert [any(code in section.title for section in sections) for code in CODES] == [True] * len(CODES)
    assert isinstance(sections[0].blocks[0], Paragraph)
    for text in _texts(sections):
        assert not slips(text, names_of(case)), text
    model = case.report().model
    known = {("table", item.name) for item in model.tables} | {("figure", item.name) for item in model.figures}
    used = {(part.kind, part.name) for item in _items(sections) for part in item if isinstance(part, Reference)}
    assert used <= known
    assert used


@pytest.mark.parametrize("test", TESTS)
def test_every_kind_of_test_has_answers(test: str) -> None:
    """With its name, what it assumes, and the intervals beside it."""
    case = analysis(test, next(iter(CELLS)))
    text = " ".join(_texts(_sections(case)))
    for item in case.comparisons[0].assessments:
        assert item.title in text
        assert all(f"that {clause}" in text for clause in item.assumptions)
        assert item.interval is None or item.interval.title in text
    assert not [slip for line in _texts(_sections(case)) for slip in slips(line, names_of(case))]


@pytest.mark.parametrize("name", CASES)
def test_no_answer_is_a_plain_yes(name: str) -> None:
    """What is said to be reported is said with where."""
    answer = _items(_sections(design(name)), "item 7")[0]
    text = plain_prose(answer)
    assert text.startswith(("Yes: ", "In part: "))
    assert any(isinstance(part, (Reference, Code)) for part in answer)
    others = [line for line in _texts(_sections(design(name))) if line != text]
    assert not [line for line in others if re.search(r"\byes\b", line, re.IGNORECASE)]


@pytest.mark.parametrize("name", CASES)
def test_what_only_the_authors_know_is_left_to_fill_in(name: str) -> None:
    """Splits, hyper-parameters, tuning, what was tried, packages; never an answer for them."""
    sections = _sections(design(name))
    for code, word in (
        ("B6", "split"),
        ("C2", "hyper-parameters"),
        ("C3", "development data"),
        ("C4", "packages for"),
        ("R1", "were tried in all"),
        ("item 7", "error bars"),
    ):
        assert [text for text in _texts(sections, code) if text.startswith(f"{BLANK}: ") and word in text], code
    assert all(text.startswith(BLANK) for text in _texts(sections, "C2"))


def test_a_single_run_is_said() -> None:
    """Where no seeds are given, and only there."""
    said = "No seeds are given"
    for test, single in (("mcnemar", True), ("corpus-bootstrap", True), ("two-way-t", False), ("welch-seeds", False)):
        texts = _texts(_sections(analysis(test, next(iter(CELLS)))), "C3")
        assert any(text.startswith(said) for text in texts) == single, test


def test_what_a_score_is_a_mean_over() -> None:
    """Instances, runs, folds; or nothing, where it is no mean."""
    for test, said in (
        ("mcnemar", "mean over all instances"),
        ("two-way-t", "mean over all test instances and "),
        ("welch-seeds", "runs of a system"),
        ("corrected-resampled-t", "folds of a cross-validation"),
        ("corpus-bootstrap", "it is no mean"),
        ("correlation-jackknife-t", "correlation of predictions with gold scores"),
    ):
        assert said in _texts(_sections(analysis(test, next(iter(CELLS)))), "C3")[0], test


def test_factors_of_variability() -> None:
    """Of runs alone: training, and not the test set; of one run: the test set, and not training."""
    runs = " ".join(_texts(_sections(analysis("welch-seeds", next(iter(CELLS)))), "item 7"))
    one = " ".join(_texts(_sections(analysis("mcnemar", next(iter(CELLS)))), "item 7"))
    assert "that they capture: the systems trained anew" in runs
    assert "do not capture: which instances" in runs
    assert "that they capture: which instances" in one
    assert "do not capture: the systems trained anew" in one


def test_signatures_of_sacrebleu_are_asked_for_where_counts_are_summed() -> None:
    """And nowhere else; the versions of other packages are not printed, as they would change the bytes."""
    assert any("sacreBLEU" in text for text in _texts(_sections(analysis("corpus-bootstrap", next(iter(CELLS)))), "C4"))
    plain = _sections(analysis("mcnemar", next(iter(CELLS))))
    assert not [text for text in _texts(plain) if "sacreBLEU" in text or "scipy" in text.casefold()]
    model = analysis("mcnemar", next(iter(CELLS))).report().model
    assert [item for item in _items(model.checklist, "C4") if Code(model.signature.line) in item]


def test_printed_results_claim_no_test_of_their_own() -> None:
    """What the paper prints is all there is."""
    (name,) = [name for name in CASES if design(name).printed][:1]
    texts = " ".join(_texts(_sections(design(name))))
    assert "In part: p-values are given" in texts
    assert "There are no error bars" in texts
    assert "which test gave the printed p-values" in texts
    assert "Yes" not in texts


def test_the_direction_is_asked_about_only_if_one_was_declared() -> None:
    """Both directions need no date."""
    for name in CASES:
        family = design(name)
        asked = any("direction of the claim was decided" in text for text in _texts(_sections(design(name)), "R1"))
        assert asked == (family.sides == 1), name


def test_standard_deviations_are_named_where_cells_show_them() -> None:
    """So that nobody has to guess what stands behind ±."""
    case = analysis("mcnemar", next(iter(CELLS))).styled(cell="{score} ± {se}{mark}")
    assert any("gives the standard error of each score" in text for text in _texts(_sections(case), "C3"))
