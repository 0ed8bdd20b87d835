"""What becomes of findings of the analysis that are objections to a paper."""

from __future__ import annotations

import json

import pytest

import reportkit
from reportkit.checker.analysis_rules import ANALYSIS_RULES
from reportkit.checker.config import CheckConfig
from reportkit.checker.selection import Selection

FINDINGS = {
    "clusters-ignored": "RK205",
    "duplicate-rows": "RK501",
    "without-metric": "RK502",
    "scales-differ": "RK503",
    "no-variance": "RK504",
    "not-independent": "RK505",
    "serial-dependence": "RK506",
    "few-units": "RK507",
    "unequal-sizes": "RK508",
    "similar-names": "RK509",
    "seeds-chosen": "RK510",
    "single-run": "RK512",
    "unattainable-level": "RK601",
    "too-few-valid-resamples": "RK602",
    "skewed-differences": "RK605",
    "z-test-off-level": "RK606",
    "printed-zero": "RK607",
    "correlated-datasets": "RK608",
    "printed-k-hat": "RK610",
}


def report_with(folder, name, severity="warning"):
    """A report with one finding."""
    finding = {"code": name, "severity": severity, "message": "So it is.", "where": "cb", "remedy": "mend it"}
    (folder / "report.json").write_text(json.dumps({"findings": [finding], "settings": {"alpha": [0.05]}}))
    return folder


@pytest.mark.parametrize("name", FINDINGS)
def test_a_finding_keeps_its_message_under_the_code_of_its_rule(name, tmp_path):
    """Once, with severity, place and remedy; a code that is ignored says nothing."""
    folder = report_with(tmp_path, name)
    (found,) = reportkit.check(report=folder)
    assert (found.code, found.severity, found.message, found.where, found.remedy) == (
        FINDINGS[name],
        "warning",
        "So it is.",
        "cb",
        "mend it",
    )
    ignoring = CheckConfig(selection=Selection(ignore=(FINDINGS[name],)))
    assert list(reportkit.check(report=folder, config=ignoring)) == []


def test_other_findings_are_no_objection(tmp_path):
    """Notes, and codes that no rule repeats."""
    assert list(reportkit.check(report=report_with(tmp_path, "skewed-differences", "info"))) == []
    assert list(reportkit.check(report=report_with(tmp_path, "no-such-finding"))) == []


def test_all_rules_of_the_table_are_tried():
    """RK511 repeats no finding; it says why results are refused."""
    assert {*FINDINGS.values(), "RK511"} == set(ANALYSIS_RULES)
