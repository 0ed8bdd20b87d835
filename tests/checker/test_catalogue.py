"""Folder, registry and fixtures name the same rules, and a rule of one's own is one of them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import reportkit
from reportkit.checker.analysis_rules import ANALYSIS_RULES
from reportkit.checker.catalogue import RULES
from reportkit.checker.config import CheckConfig
from reportkit.checker.engine import check_text
from reportkit.checker.rule import Rule
from reportkit.checker.selection import Selection
from reportkit.errors import SettingsError, UnknownNameError
from tests.checker.test_engine import FIXTURES, expectations


def test_names_are_told_apart_and_lead_to_their_rule():
    """By code or name, in any case; an unknown one is answered with the nearest."""
    assert len({rule.name for rule in RULES.values()}) == len(RULES)
    for code, rule in RULES.items():
        assert RULES.named(rule.name) is RULES.named(code.lower()) is rule
    with pytest.raises(UnknownNameError, match="no rule"):
        RULES["RK999"]
    with pytest.raises(UnknownNameError, match="marking-not-best"):
        RULES.named("marking-not-bets")


@pytest.mark.parametrize("code", sorted(set(RULES) - set(ANALYSIS_RULES)))
def test_its_docstring_is_a_manual_page(code):
    """One sentence, then the five sections, each with something in it."""
    rule = RULES[code]
    assert re.fullmatch(r"[^\n]{10,115}\.", rule.summary)
    assert tuple(rule.sections) == ("What it does", "Why", "Example", "Instead", "When it is wrong")
    assert all(rule.sections.values())


@pytest.mark.parametrize("code", sorted(set(RULES) - set(ANALYSIS_RULES) - {"RK001"}))  # RK001: see test_engine
def test_it_has_documents_that_trigger_it_and_near_misses(code):
    """At least two of each."""
    paths = list((FIXTURES / code).glob("*.md"))
    triggering = [path for path in paths if any(item.code == code for item in expectations(path))]
    assert len(triggering) >= 2
    assert len(paths) - len(triggering) >= 2


@pytest.fixture
def own():
    """A rule of a user, taken away afterwards."""

    def check(context):
        for sentence in context.paper.sentences:
            place = sentence.text.text.find("clearly")
            if place >= 0:
                yield rule.at(context.paper, sentence.text.span(place, place + 7), "Nothing is clear.")

    rule = Rule(code="RK901", name="clearly", severity="error", needs=frozenset({"paper"}), check=check)
    assert reportkit.register_rule(rule) is rule
    yield rule
    RULES.remove("RK901")


def test_a_rule_of_ones_own_is_one_of_them(own):
    """It runs, is selected by its prefix, suppressed in the paper, and listed last."""
    text = "We clearly win.\n\n<!-- reportkit: ignore RK901 -- a quotation -->\nIt clearly works.\n"
    found = check_text(text, language="markdown", config=CheckConfig(selection=Selection(select=("RK9",))))
    assert [(item.code, item.line, item.column) for item in found.diagnostics] == [("RK901", 1, 4)]
    assert list(RULES)[-1] == "RK901"
    assert RULES.named("clearly") is RULES.named("rk901") is own


def test_what_is_no_rule_of_ones_own_is_refused(own):
    """Another type, a code of reportkit, a name that is taken; the same code again is a replacement."""
    with pytest.raises(SettingsError, match="is no rule"):
        reportkit.register_rule("RK902")
    with pytest.raises(SettingsError, match="from RK900 to RK999"):
        reportkit.register_rule(replace(own, code="RK299"))
    with pytest.raises(SettingsError, match="rule RK103 is called 'marking-not-best' already"):
        reportkit.register_rule(replace(own, code="RK902", name="marking-not-best"))
    assert reportkit.register_rule(replace(own, severity="info")) is RULES["RK901"]


def test_everyday_words_are_a_note_and_no_finding():
    """How often "significant" is used outside of results stands in the closing lines."""
    report = check_text("Translation has made significant progress. It remains a significant challenge.")
    assert not report.diagnostics
    assert "'significant' is used in the everyday sense in 2 places" in report.coverage.text()
    with_p = check_text("Elm is significantly better than Oak ($p = .000$).")
    assert [item.code for item in with_p.diagnostics] == ["RK117"]
    assert "everyday" not in with_p.coverage.text()
