"""From an analysis to a report: which tables, figures and paragraphs there are, and in which order."""

from __future__ import annotations

from typing import Literal

from reportkit._version import __version__
from reportkit.finding import Finding, Severity
from reportkit.numerals import level_text
from reportkit.phrases import counted
from reportkit.replicability.analysis import ReplicabilityAnalysis
from reportkit.report.grid_tables import k_hat_matrix_table
from reportkit.report.illustrations import curves, forests, matrix_figure
from reportkit.report.machine import machine_readable
from reportkit.report.model import Block, Figure, Itemize, Paragraph, Report, Section, Signature, Table
from reportkit.report.paragraph import digest_sentence, recommended_paragraph
from reportkit.report.prose import Prose, Reference, Strong, Text, prose
from reportkit.report.reproduction_table import reproduction_table
from reportkit.report.reproduction_wording import printed_claims_in_words, reproduction_items
from reportkit.report.scores import ScoreScale, scale_for
from reportkit.report.tables import p_value_table, replicability_table, results_table
from reportkit.report.wording import count_sentence, plain

MOST_SYSTEMS_IN_MATRIX = 16  # a matrix of k-hat with more systems is shown as a figure
MOST_FINDINGS = 40
MOST_OF_A_KIND = 3


def build(analysis: ReplicabilityAnalysis) -> Report:
    """Lay out everything an analysis allows to say.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        Of one metric.

    Returns
    -------
    Report
        Without a format; `reportkit.rendering` writes it.
    """
    scale = scale_for(item for comparison in analysis.family.comparisons for item in comparison.assessments)
    signature = sign(analysis)
    sections = [_results(analysis, scale), _replicability(analysis)]
    if (p_values := p_value_table(analysis, scale)) is not None:
        sections.append(Section(title="Tests", blocks=(_lead(p_values, "gives the tests by dataset"), p_values)))
    if analysis.reproductions:
        sections.append(_reproduction(analysis))
    if analysis.other_family is not None:
        sections.append(Section(title="The other profile", blocks=(Paragraph(content=profile_differences(analysis)),)))
    sections.append(_how_made(analysis))
    return Report(
        title=_title(analysis),
        sections=tuple(sections),
        signature=signature,
        findings=analysis.family.findings,
        data=machine_readable(analysis, signature),
        summary=summary(analysis),
    )


def sign(analysis: ReplicabilityAnalysis) -> Signature:
    """Say in one line what was computed from what, and how."""
    family, settings = analysis.family, analysis.settings
    outcomes = [item.outcome for comparison in family.comparisons for item in comparison.assessments]
    tests = sorted({outcome.test for outcome in outcomes})
    resamples = sorted({outcome.n_resamples for outcome in outcomes if outcome.n_resamples})
    fields = {
        "test": "+".join(tests),
        "alt": "one-sided" if family.sides == 1 else "one-sided-both-directions",
        "adj": f"holm(m={family.n_hypotheses})",
        "alpha": ",".join(level_text(alpha) for alpha in family.alpha),
        "datasets": f"{len(family.datasets)},{settings.datasets}",
        "profile": settings.profile,
        "missing": settings.missing,
    }
    if resamples:
        fields |= {"B": ",".join(map(str, resamples)), "seed": str(settings.seed)}
    return Signature(version=__version__, source=analysis.source, digest=analysis.digest, fields=fields)


def summary(analysis: ReplicabilityAnalysis, most: int = 8) -> tuple[str, ...]:
    """Return k-hat in words: a sentence for each comparison, or a digest if there are many."""
    family = analysis.family
    alpha = family.alpha[0]
    if analysis.printed:
        return tuple(map(plain, printed_claims_in_words(analysis)))
    if family.n_claims <= most and family.design != "all-pairs":
        return tuple(plain(count_sentence(item, alpha, family.audit)) for item in family.comparisons)
    return (plain(digest_sentence(family, alpha)),)


def profile_differences(analysis: ReplicabilityAnalysis) -> Prose:
    """Say where the tests of the other profile would have led to other marks."""
    name = {"dror2017": "the tests of Dror et al. (2017)", "recommended": "the recommended tests"}[
        analysis.other_profile or "dror2017"
    ]
    differing = analysis.disagreements
    if not differing:
        return prose("With {name}, the same datasets would be marked at each level.", name=name)
    family = analysis.family
    items = []
    for a, b, dataset, alpha in differing[:12]:
        mine = family[a, b]
        gained = not mine.marked(alpha)[mine.datasets.index(dataset)]
        items.append(f"{a} > {b} on {dataset} ({'gained' if gained else 'lost'} at {level_text(alpha)})")
    more = f" and {len(differing) - 12} more" if len(differing) > 12 else ""
    return prose(
        "With {name}, {n} would differ: {items}{more}.",
        name=name,
        n=counted(len(differing), "mark"),
        items="; ".join(items),
        more=more,
    )


def _title(analysis: ReplicabilityAnalysis) -> str:
    family = analysis.family
    n = len(family.datasets)
    where = f"on {n} datasets" if n > 1 else f"on {family.datasets[0]}"
    if family.one_claim:
        first = family.comparisons[0]
        return f"{first.system_a} and {first.system_b} {where}"
    n_systems = len({name for item in family.comparisons for name in (item.system_a, item.system_b)})
    return f"{n_systems} systems {where}"


def _results(analysis: ReplicabilityAnalysis, scale: ScoreScale) -> Section:
    blocks: list[Block] = [
        Paragraph(name="paragraph", content=recommended_paragraph(analysis, scale)),
        results_table(analysis, scale),
    ]
    blocks.extend(forests(analysis))
    return Section(title="Results", blocks=tuple(blocks))


def _replicability(analysis: ReplicabilityAnalysis) -> Section:
    family = analysis.family
    first: Table | Figure
    if family.design != "all-pairs":
        first = replicability_table(analysis)
    elif len({item.system_a for item in family.comparisons}) <= MOST_SYSTEMS_IN_MATRIX:
        first = k_hat_matrix_table(analysis)
    else:
        first = matrix_figure(family)
    lead = _lead(
        first,
        "bounds the number of datasets on which each claim holds from below"
        if family.n_claims > 1
        else "counts the datasets",
    )
    return Section(title="Replicability", blocks=(lead, first, *curves(analysis)))


def _lead(block: Table | Figure, what: str) -> Paragraph:
    """One sentence before a table or figure, so that a heading never stands alone."""
    kind: Literal["table", "figure"] = "table" if isinstance(block, Table) else "figure"
    return Paragraph(content=prose("{it} {what}.", it=Reference(kind, block.name), what=what))


def _reproduction(analysis: ReplicabilityAnalysis) -> Section:
    table = reproduction_table(analysis)
    blocks: list[Block] = [_lead(table, "sets what the paper prints beside what follows from it"), table]
    items = reproduction_items(analysis.reproductions)
    if items:
        blocks.append(Itemize(items=items))
    return Section(title="Printed, recomputed, direction-respecting", blocks=tuple(blocks))


def _how_made(analysis: ReplicabilityAnalysis) -> Section:
    blocks: list[Block] = []
    findings = analysis.family.findings
    if findings:
        items = [_finding_prose(item) for item in merged_findings(findings)[:MOST_FINDINGS]]
        blocks.append(Itemize(items=tuple(items)))
    else:
        blocks.append(Paragraph(content=prose("Nothing was noticed in the data that limits these statements.")))
    return Section(title="What to know before citing this", blocks=tuple(blocks))


def merged_findings(findings: tuple[Finding, ...]) -> list[Finding]:
    """Findings of one kind as one: the same message with all its places, or the first of many with their number."""
    groups: dict[tuple[str, Severity, str], dict[str, list[str]]] = {}
    for item in findings:
        places = groups.setdefault((item.code, item.severity, item.remedy), {}).setdefault(item.message, [])
        if item.where and item.where not in places:
            places.append(item.where)
    merged: list[Finding] = []
    for (code, severity, remedy), messages in groups.items():
        if len(messages) <= MOST_OF_A_KIND:
            merged.extend(Finding(code, severity, message, _some(where), remedy) for message, where in messages.items())
            continue
        message, where = next(iter(messages.items()))
        others = sum(map(len, messages.values())) - len(where)
        merged.append(Finding(code, severity, message, f"{_some(where)}; and the like {others} more times", remedy))
    return merged


def _some(places: list[str], most: int = 5) -> str:
    return "; ".join(places[:most]) + (f"; and {len(places) - most} more" if len(places) > most else "")


def _finding_prose(item: Finding) -> Prose:
    parts: list[Prose] = [
        (Strong(item.severity.capitalize()), Text(" ")),
        prose("({code}). ", code=item.code),
        prose("{m}", m=item.message),
    ]
    if item.where:
        parts.append(prose(" [{where}]", where=item.where))
    if item.remedy:
        parts.append(prose(" To do: {remedy}.", remedy=item.remedy.rstrip(".")))
    return tuple(part for piece in parts for part in piece)
