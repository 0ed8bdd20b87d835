"""What the analysis itself says of its data, under the codes of the rules: nothing is computed twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, get_args

from reportkit.checker.objections import OBJECTIONS
from reportkit.finding import Finding, Severity

if TYPE_CHECKING:
    from reportkit.checker.context import CheckContext
    from reportkit.checker.diagnostic import Diagnostic
    from reportkit.checker.rule import Rule
    from reportkit.checker.user_data import Fault
    from reportkit.errors import ReportkitError

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
            found.extend(evidence.analysis.findings)
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


def refused(context: CheckContext, rule: Rule, fault: Fault, *others: ReportkitError | None) -> Iterator[Diagnostic]:
    """Yield why the results are refused, where they have this fault, and others that are found in another way."""
    known = None if context.evidence is None else context.evidence.refusals.get(fault)
    for refusal in (known, *others):
        if refusal is not None:
            where = "; ".join(part for part in (context.data.name, *(refusal.where or "").splitlines()) if part)
            message = refusal.problem[:1].upper() + refusal.problem[1:] + "."
            yield rule.about(message, where=where, remedy=refusal.remedy or "")


def _stored(report: Mapping[str, object]) -> Iterator[Finding]:
    """Findings of a `report.json`, as far as they are such."""
    listed = report.get("findings", ())
    for item in listed if isinstance(listed, list) else ():
        if not isinstance(item, Mapping):
            continue
        code, severity, message = (item.get(key) for key in ("code", "severity", "message"))
        if isinstance(code, str) and isinstance(message, str) and severity in _SEVERITIES:
            yield Finding(code, severity, message, str(item.get("where") or ""), str(item.get("remedy") or ""))
