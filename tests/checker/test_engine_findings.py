"""What becomes of every finding of the package: a rule reports it, or it is said why none does."""

from __future__ import annotations

import ast
import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

import reportkit
from reportkit.checker.catalogue import RULES
from reportkit.checker.config import CheckConfig
from reportkit.checker.context import CheckContext
from reportkit.checker.objections import OBJECTIONS, REMARKS

PACKAGE = Path(reportkit.__file__).parent


def constants_of(source):
    """Constants that a module names."""
    return {
        target.id: node.value.value
        for node in source.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def codes_in(source, named_elsewhere):
    """Codes of all findings that a module makes; of an f-string, the constant parts around a placeholder `x`."""
    imported = {item.name for node in source.body if isinstance(node, ast.ImportFrom) for item in node.names}
    constants = {name: named_elsewhere[name] for name in imported & named_elsewhere.keys()} | constants_of(source)
    for node in ast.walk(source):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Finding"):
            continue
        named = [item.value for item in node.keywords if item.arg == "code"]
        code = (node.args or named)[0]
        if isinstance(code, ast.Constant):
            yield code.value
        elif isinstance(code, ast.JoinedStr):
            yield "".join(part.value if isinstance(part, ast.Constant) else "x" for part in code.values)
        elif isinstance(code, ast.Name) and code.id in constants:
            yield constants[code.id]


def made():
    """Every code of a finding in the package, with the module that makes it."""
    paths = (path for path in PACKAGE.rglob("*.py") if "checker" not in path.relative_to(PACKAGE).parts)
    sources = {path.relative_to(PACKAGE): ast.parse(path.read_text("utf-8")) for path in paths}
    named = {name: value for source in sources.values() for name, value in constants_of(source).items()}
    found = {}
    for path, source in sources.items():
        for code in codes_in(source, named):
            found.setdefault(code, path)
    return found


def known(code):
    """Whether it is settled what becomes of findings with a code."""
    return code in OBJECTIONS or any(fnmatchcase(code, pattern) for pattern in REMARKS)


@pytest.mark.slow
def test_every_finding_is_an_objection_or_a_remark():
    """A new finding needs a line in `OBJECTIONS` or `REMARKS` of reportkit/checker/objections.py."""
    codes = made()
    assert len(codes) > 50
    assert {code: path for code, path in codes.items() if not known(code)} == {}


@pytest.mark.slow
def test_the_table_names_no_finding_that_is_gone():
    """Every line is about a code that some module makes."""
    codes = set(made())
    assert set(OBJECTIONS) <= codes
    for pattern in REMARKS:
        regular = re.compile(pattern.replace("*", ".+"))
        assert any(regular.fullmatch(code) for code in codes), pattern
    assert not set(OBJECTIONS) & set(REMARKS)


@pytest.mark.parametrize("code", sorted(set(OBJECTIONS.values())))
def test_the_rule_of_an_objection_reports_it(code):
    """Each of its findings, in a report, comes out under its code with its message (RK605: warnings only)."""
    rule = RULES[code]
    for name in (name for name, owner in OBJECTIONS.items() if owner == code):
        finding = {"code": name, "severity": "warning", "message": f"{name} it is.", "where": "cb", "remedy": "mend it"}
        context = CheckContext(config=CheckConfig(), report_data={"findings": [finding], "settings": {"alpha": [0.05]}})
        (found,) = rule.check(context)
        assert (found.code, found.message, found.where, found.remedy) == (code, f"{name} it is.", "cb", "mend it")
