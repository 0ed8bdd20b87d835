"""What becomes of findings of the analysis that are objections to a paper."""

from __future__ import annotations

import pytest

from reportkit.checker.catalogue import RULES
from reportkit.checker.config import CheckConfig
from reportkit.checker.context import CheckContext
from reportkit.checker.objections import OBJECTIONS


@pytest.mark.parametrize("code", sorted(set(OBJECTIONS.values())))
def test_the_rule_of_an_objection_reports_it(code):
    """Each of its findings, in a report, comes out under its code with its message (RK605: warnings only)."""
    rule = RULES[code]
    for name in (name for name, owner in OBJECTIONS.items() if owner == code):
        finding = {"code": name, "severity": "warning", "message": f"{name} it is.", "where": "cb", "remedy": "mend it"}
        context = CheckContext(config=CheckConfig(), report_data={"findings": [finding], "settings": {"alpha": [0.05]}})
        (found,) = rule.check(context)
        assert (found.code, found.message, found.where, found.remedy) == (code, f"{name} it is.", "cb", "mend it")
