"""Rules that repeat what the analysis finds in the data: one table, and nothing is computed twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, get_args

from reportkit.checker.rule import Rule
from reportkit.finding import Finding, Severity

if TYPE_CHECKING:
    from reportkit.checker.context import CheckContext
    from reportkit.checker.diagnostic import Diagnostic

_SEVERITIES: tuple[Severity, ...] = get_args(Severity)


class _Row(NamedTuple):
    """Name, severity and summary of a rule, and the codes of the findings that it repeats."""

    name: str
    severity: Severity
    summary: str
    findings: str = ""


_ROWS = {
    "RK205": _Row(
        "unpaired-test-on-paired-data",
        "error",
        "Paired data are tested as unpaired, or the unit of the test is not the sampling unit.",
        "clusters-ignored pairing-lost pairing-unknown",
    ),
    "RK501": _Row("duplicate-scores", "error", "One system has several scores for one instance.", "duplicate-rows"),
    "RK502": _Row(
        "unequal-instances",
        "error",
        "Systems were not scored on the same instances.",
        "datasets-left-out pairs-without-a-dataset scores-absent tasks-left-out without-metric "
        "friedman-datasets-left-out",
    ),
    "RK503": _Row(
        "mixed-scales", "error", "Scores leave their range, or proportions and percentages are mixed.", "scales-differ"
    ),
    "RK504": _Row(
        "identical-outputs",
        "warning",
        "Two systems have the same scores throughout, or one has a constant score.",
        "constant-system identical-systems no-variance same-order",
    ),
    "RK505": _Row(
        "shared-instances", "error", "Datasets share instances, and are counted as if they did not.", "not-independent"
    ),
    "RK506": _Row(
        "undeclared-clusters",
        "warning",
        "Instances come from common documents, and no cluster is declared.",
        "nested-instances serial-dependence",
    ),
    "RK507": _Row(
        "small-sample",
        "warning",
        "A dataset has fewer than 20 instances, or another unit of a test is rare.",
        "few-clusters few-datasets few-repartitions few-resampled-units few-runs few-units small-dataset "
        "small-sample two-folds unseen-failures",
    ),
    "RK508": _Row(
        "sizes-differ", "info", "Sizes differ more than tenfold, and k-hat treats all datasets alike.", "unequal-sizes"
    ),
    "RK509": _Row(
        "similar-names", "warning", "Names of systems or datasets differ only in case or spaces.", "similar-names"
    ),
    "RK510": _Row("best-run-chosen", "error", "The run was chosen by its test score.", "seeds-chosen"),
    "RK511": _Row("runs-as-instances", "error", "Runs are pooled as if they were instances."),
    "RK512": _Row(
        "unequal-runs", "warning", "Systems have different numbers of runs.", "outlying-run single-run unequal-runs"
    ),
    "RK601": _Row(
        "threshold-unattainable",
        "warning",
        "The smallest attainable p-value is above the corrected threshold.",
        "unattainable-level",
    ),
    "RK602": _Row("too-few-resamples", "warning", "Too few resamples are valid.", "too-few-valid-resamples"),
    "RK605": _Row(
        "skewness-against-test",
        "warning",
        "Differences are too skewed for the chosen test at this n.",
        "informative-cluster-sizes large-differences one-sided-differences rank-test-of-mean skewed-differences "
        "skewed-scores skewness-unseen",
    ),
    "RK606": _Row(
        "steiger-on-skewed",
        "warning",
        "Steiger's test on rank correlations or scores that are not normal.",
        "contamination-unseen influential-instance normal-theory z-test-off-level",
    ),
    "RK607": _Row("bootstrap-p-zero", "error", "A printed p-value is zero.", "printed-zero"),
    "RK608": _Row(
        "fisher-without-independence",
        "error",
        "Datasets are combined as independent, and the data speak against it or cannot say.",
        "fisher-not-safe independence-not-audited same-runs correlated-datasets",
    ),
    "RK610": _Row(
        "counts-disagree",
        "error",
        "A printed count or mark does not follow from the printed p-values.",
        "printed-k-hat printed-marks wrong-direction",
    ),
}


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
            found.extend(evidence.analysis.findings)
    return tuple(dict.fromkeys(found))


def refused(context: CheckContext, rule: Rule) -> Iterator[Diagnostic]:
    """Yield why the results are refused, where the reason is the one of a rule."""
    refusal = None if context.evidence is None else context.evidence.refusals.get(rule.code)
    if refusal is not None:
        where = "; ".join(part for part in (context.data.name, *(refusal.where or "").splitlines()) if part)
        message = refusal.problem[:1].upper() + refusal.problem[1:] + "."
        yield rule.about(
            message, where=where, remedy=refusal.remedy or "", severity="error", why="the results are refused"
        )


def _reported(code: str, context: CheckContext) -> Iterator[Diagnostic]:
    """Yield what the analysis says and a rule repeats; many findings of one kind as one."""
    rule = ANALYSIS_RULES[code]
    yield from refused(context, rule)
    wanted = _ROWS[code].findings.split()
    # Notes on skewness stand beside every test that allows for it, and are no objection.
    chosen = [
        item for item in engine_findings(context) if item.code in wanted and (code, item.severity) != ("RK605", "info")
    ]
    if not chosen:
        return
    from reportkit.report.build import merged_findings

    for item in merged_findings(tuple(chosen)):
        where = item.where or ("" if context.evidence is None else context.evidence.name)
        yield rule.about(
            item.message,
            where=where,
            remedy=item.remedy,
            severity=item.severity,
            why="so severe the analysis of these data calls it",
        )


def _stored(report: Mapping[str, object]) -> Iterator[Finding]:
    """Findings of a `report.json`, as far as they are such."""
    listed = report.get("findings", ())
    for item in listed if isinstance(listed, list) else ():
        if not isinstance(item, Mapping):
            continue
        code, severity, message = (item.get(key) for key in ("code", "severity", "message"))
        if isinstance(code, str) and isinstance(message, str) and severity in _SEVERITIES:
            yield Finding(code, severity, message, str(item.get("where") or ""), str(item.get("remedy") or ""))


_MANUAL = "Repeats what the analysis of the data, or the report, finds, or says why the results are refused."

ANALYSIS_RULES: Mapping[str, Rule] = {
    code: Rule(
        code=code,
        name=row.name,
        severity=row.severity,
        needs=frozenset({"data or report"}),
        check=partial(_reported, code),
        manual=f"{row.summary}\n\n{_MANUAL}\n",
    )
    for code, row in _ROWS.items()
}
"""By code: the rules that repeat the analysis."""
