"""What the analysis itself says of its data, under the codes of the rules: nothing is computed twice.

`OBJECTIONS` says which rule reports a finding of reportkit, `REMARKS` which findings are no objection and why. A test
looks for the codes of all findings in the package and wants each of them in one of the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, get_args

from reportkit.finding import Finding, Severity

if TYPE_CHECKING:
    from reportkit.checker.context import CheckContext
    from reportkit.checker.diagnostic import Diagnostic
    from reportkit.checker.rule import Rule

OBJECTIONS: Mapping[str, str] = {
    "clusters-ignored": "RK205",
    "pairing-lost": "RK205",
    "pairing-unknown": "RK205",
    "duplicate-rows": "RK501",
    "datasets-left-out": "RK502",
    "friedman-datasets-left-out": "RK502",
    "scales-differ": "RK503",
    "constant-system": "RK504",
    "identical-systems": "RK504",
    "no-variance": "RK504",
    "same-order": "RK504",
    "not-independent": "RK505",
    "nested-instances": "RK506",
    "few-clusters": "RK507",
    "few-datasets": "RK507",
    "few-repartitions": "RK507",
    "few-resampled-units": "RK507",
    "few-runs": "RK507",
    "few-units": "RK507",
    "small-dataset": "RK507",
    "small-sample": "RK507",
    "two-folds": "RK507",
    "unseen-failures": "RK507",
    "unequal-sizes": "RK508",
    "similar-names": "RK509",
    "seeds-chosen": "RK510",
    "outlying-run": "RK512",
    "single-run": "RK512",
    "unequal-runs": "RK512",
    "unattainable-level": "RK601",
    "too-few-valid-resamples": "RK602",
    "unstable-p-value": "RK603",
    "informative-cluster-sizes": "RK605",
    "large-differences": "RK605",
    "one-sided-differences": "RK605",
    "rank-test-of-mean": "RK605",
    "skewed-differences": "RK605",
    "skewed-scores": "RK605",
    "skewness-unseen": "RK605",
    "contamination-unseen": "RK606",
    "influential-instance": "RK606",
    "normal-theory": "RK606",
    "z-test-off-level": "RK606",
    "printed-zero": "RK607",
    "fisher-not-safe": "RK608",
    "independence-not-audited": "RK608",
    "same-runs": "RK608",
    "printed-k-hat": "RK610",
    "printed-marks": "RK610",
    "wrong-direction": "RK610",
    "friedman-few-datasets": "RK611",
}
"""Code of a finding to the code of the rule that reports it."""

_LAYOUT = "how the report is set, not what it says"
_DECLARED = "declared in the settings, and said in the report"
_READING = "how columns were read: nothing a referee sees"
REMARKS: Mapping[str, str] = {
    "bayes-factor-depends-on-prior": "the report shows it under every prior; RK702 looks at what the paper prints",
    "bootstrap-bias": "the report gives the p-values of both centrings",
    "bounds-not-guaranteed": _DECLARED,
    "characters-without-glyph": _LAYOUT,
    "clusters-unused": _DECLARED,
    "columns": _READING,
    "counts-from-scores": _READING,
    "decimals-beyond-n": "RK305 looks at what the paper prints",
    "different-instances": _DECLARED,
    "doubtful-system": _READING,
    "different-raters": "a matter of the design, said in the report",
    "folds-unused": _READING,
    "gold-unused": _READING,
    "markov-chains-failed": "the report withholds the result; RK704 looks at what the paper prints",
    "metric-chosen": _READING,
    "missing-*": _DECLARED,
    "mixed-scales": _READING,
    "no-interval": "nothing is claimed that would need one",
    "not-calibrated": "the subject of the report on calibration itself",
    "other-profile": "about tests that were not asked for",
    "*-predictive-conflict": "the model checks itself, and says so beside its answer",
    "right-or-wrong-in-percent": _READING,
    "runs-only": "a matter of the design, said in the report",
    "several-modes": "the report shows the equal-tailed interval instead",
    "tests-disagree": "the report gives the p-values of both tests",
    "too-many-for-four-answers": "about answers that were not asked for",
    "wide-table": _LAYOUT,
}
"""Codes of findings (or patterns of codes) that no rule reports, with the reason."""

_SEVERITIES: tuple[Severity, ...] = get_args(Severity)


def engine_findings(context: CheckContext) -> tuple[Finding, ...]:
    """Findings of a report, or of the analysis of the data, and of reading the data; each once.

    Where there is a report, the data are not compared again with settings that may be others.
    """
    found: list[Finding] = []
    if context.report_data is not None:
        found.extend(_stored(context.report_data))
    evidence = context.evidence
    if evidence is not None:
        for data in (evidence.results, evidence.printed):
            found.extend(() if data is None else data.findings)
        if context.report_data is None and evidence.analysis is not None:
            found.extend(evidence.analysis.data.family.findings)
    return tuple(dict.fromkeys(found))


def reported(
    context: CheckContext, rule: Rule, *codes: str, least: Severity = "info", severity: Severity | None = None
) -> Iterator[Diagnostic]:
    """Yield what the analysis says and a rule reports; many findings of one kind as one.

    Parameters
    ----------
    context : CheckContext
        With data or a report.
    rule : Rule
        Whose findings.
    *codes : str
        Only these codes of findings; by default all that belong to the rule.
    least : {"error", "warning", "info"}
        Leave out what is less severe.
    severity : {"error", "warning", "info"}, optional
        Instead of those of the findings.
    """
    wanted = set(codes) or {code for code, owner in OBJECTIONS.items() if owner == rule.code}
    chosen = tuple(
        item
        for item in engine_findings(context)
        if item.code in wanted and _SEVERITIES.index(item.severity) <= _SEVERITIES.index(least)
    )
    if not chosen:
        return
    from reportkit.report.build import merged_findings

    for item in merged_findings(chosen):
        where = item.where or ("" if context.evidence is None else context.evidence.name)
        why = "" if severity else "so severe the analysis of these data calls it"
        yield rule.about(item.message, where=where, remedy=item.remedy, severity=severity or item.severity, why=why)


def _stored(report: Mapping[str, object]) -> Iterator[Finding]:
    """Findings of a `report.json`, as far as they are such."""
    listed = report.get("findings", ())
    for item in listed if isinstance(listed, list) else ():
        if not isinstance(item, Mapping):
            continue
        code, severity, message = (item.get(key) for key in ("code", "severity", "message"))
        if isinstance(code, str) and isinstance(message, str) and severity in _SEVERITIES:
            yield Finding(code, severity, message, str(item.get("where") or ""), str(item.get("remedy") or ""))
