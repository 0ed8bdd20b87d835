"""Folder, registry, documentation and fixtures name the same rules.

`REPORTKIT_UPDATE_GOLDEN=1` writes the documentation anew.
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest

import reportkit.checker.rules
from reportkit.checker.catalogue import RULES
from reportkit.checker.rule import SECTIONS, Rule
from reportkit.errors import UnknownNameError
from tests.checker.test_engine import FIXTURES, expectations

FOLDER = Path(next(iter(reportkit.checker.rules.__path__)))
FIRST = [*range(101, 109), *range(201, 209), *range(301, 307), *range(401, 404)]
SECOND = {"D": 8, "T": 10, "S": 6, "M": 9, "R": 13, "P": 7, "B": 5, "V": 3, "G": 2}
BEGIN, END = "<!-- rules: begin (written by tests/checker/test_catalogue.py) -->", "<!-- rules: end -->"


@pytest.fixture(scope="module")
def listed(root):
    """The list of all rules, built and planned."""
    return tomllib.loads((root / "docs" / "checker-rules.toml").read_text("utf-8"))


def updating():
    """Whether the documentation is to be written anew."""
    return os.environ.get("REPORTKIT_UPDATE_GOLDEN") == "1"


def test_every_file_of_the_folder_is_a_rule_and_defines_only_its_own():
    """`rk103_*.py` defines RK103; nothing else lies there."""
    stems = {path.stem for path in FOLDER.glob("*.py")} - {"__init__"}
    assert {f"RK{stem[2:5]}" for stem in stems} == set(RULES)
    assert len(stems) == len(RULES)
    for code, rule in RULES.items():
        assert isinstance(rule, Rule)
        assert f"{code.lower()}_{rule.name.replace('-', '_')}" in stems


def test_names_are_told_apart_and_lead_to_their_rule():
    """By code or name, in any case; an unknown one is answered with the nearest."""
    assert len({rule.name for rule in RULES.values()}) == len(RULES)
    for code, rule in RULES.items():
        assert RULES.named(rule.name) is RULES.named(code.lower()) is rule
    with pytest.raises(UnknownNameError, match="no rule"):
        RULES["RK999"]
    with pytest.raises(UnknownNameError, match="marking-not-best"):
        RULES.named("marking-not-bets")


@pytest.mark.parametrize("code", RULES)
def test_its_docstring_is_a_manual_page(code):
    """One sentence, then the five sections, each with something in it."""
    rule = RULES[code]
    assert re.fullmatch(r"[^\n]{10,115}\.", rule.summary)
    assert tuple(rule.sections) == SECTIONS
    assert all(rule.sections.values())


@pytest.mark.parametrize("code", RULES)
def test_it_is_as_the_list_says(code, listed):
    """Name, severity, needs and summary."""
    rule, entry = RULES[code], listed[code]
    assert rule.name == entry["name"]
    assert rule.severity == entry["severity"]
    assert sorted(rule.needs) == sorted(entry["needs"])
    assert rule.summary == entry["summary"]


@pytest.mark.parametrize("code", RULES)
def test_it_has_documents_that_trigger_it_and_near_misses(code):
    """At least two of each."""
    paths = list((FIXTURES / code).glob("*.md"))
    triggering = [path for path in paths if any(item.code == code for item in expectations(path))]
    assert len(triggering) >= 2
    assert len(paths) - len(triggering) >= 2


def test_no_fixture_is_left_of_a_rule_that_is_gone():
    """Folders of fixtures are rules."""
    assert {path.name for path in FIXTURES.iterdir() if path.is_dir()} == set(RULES)


def test_every_item_of_both_catalogues_has_a_code(listed):
    """Nothing that was asked for is forgotten, and nothing else is claimed."""
    items = [item for entry in listed.values() for item in entry.get("items", ())]
    asked = [f"A:RK{number}" for number in FIRST]
    asked += [f"{letter}{number}" for letter, last in SECOND.items() for number in range(1, last + 1)]
    assert set(items) == set(asked)


def test_the_list_is_well_formed(listed):
    """Codes in order, names told apart, known severities and needs."""
    assert list(listed) == sorted(listed)
    assert len({entry["name"] for entry in listed.values()}) == len(listed)
    for code, entry in listed.items():
        assert re.fullmatch(r"RK\d{3}", code)
        assert entry["severity"] in ("error", "warning", "info")
        assert set(entry["needs"]) <= {"paper", "data", "report", "data or report"}
        assert re.fullmatch(r"[a-z0-9-]+", entry["name"])


def _table(listed):
    lines = ["| code | name | severity | needs | what | answers | state |", "|---|---|---|---|---|---|---|"]
    for code, entry in listed.items():
        name = f"[{entry['name']}](rules/{code}.md)" if code in RULES else entry["name"]
        answers = "; ".join(part for part in (", ".join(entry.get("items", ())), entry.get("sources", "")) if part)
        state = "built" if code in RULES else "planned"
        summary = entry["summary"].replace("|", "\\|")
        cells = (code, name, entry["severity"], " + ".join(entry["needs"]), summary, answers, state)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _page(rule):
    body = re.sub(r"^(.+)\n-{3,}$", r"## \1", rule.page, flags=re.MULTILINE)
    needs = " and ".join(sorted(rule.needs)) or "nothing"
    return f"# {rule.code} {rule.name}\n\nSeverity: {rule.severities}. Needs {needs}.\n\n{body}\n"


def test_the_table_of_the_documentation_is_up_to_date(root, listed):
    """`docs/checker.md` lists every rule with its state."""
    path = root / "docs" / "checker.md"
    text = path.read_text("utf-8")
    before, found, rest = text.partition(BEGIN)
    _, closed, after = rest.partition(END)
    assert found
    assert closed
    wanted = f"{before}{BEGIN}\n{_table(listed)}\n{END}{after}"
    if updating():
        path.write_text(wanted, encoding="utf-8")
    else:
        assert text == wanted, "run REPORTKIT_UPDATE_GOLDEN=1 pytest tests/checker/test_catalogue.py"


def test_every_rule_has_its_page(root):
    """`docs/rules/` holds the manual pages, and no others."""
    folder = root / "docs" / "rules"
    if updating():
        folder.mkdir(exist_ok=True)
        for path in folder.glob("*.md"):
            path.unlink()
        for rule in RULES.values():
            (folder / f"{rule.code}.md").write_text(_page(rule), encoding="utf-8")
    assert {path.stem for path in folder.glob("*.md")} == set(RULES)
    for rule in RULES.values():
        assert (folder / f"{rule.code}.md").read_text("utf-8") == _page(rule)
