"""From an analysis to a report: which tables, figures and paragraphs there are, and in which order."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Literal, TypeVar, get_args

from reportkit._version import __version__
from reportkit.appearance.appearance import Appearance, Length
from reportkit.errors import DesignError
from reportkit.evidence.asked import Evidence
from reportkit.finding import Finding, Severity
from reportkit.language.counts_and_lists import counted
from reportkit.language.numerals import level_text
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import Family
from reportkit.replicability.friedman import FriedmanOutcome
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.checklist import checklist
from reportkit.report.evidence.evidence_machine import evidence_data
from reportkit.report.evidence.evidence_section import evidence_section
from reportkit.report.evidence.friedman_section import friedman_section
from reportkit.report.illustrations import (
    critical_difference_figure,
    curves,
    for_venue,
    forests,
    matrix_figure,
    p_value_dots,
)
from reportkit.report.labels import as_printed, names_in_data, renamed, typeset, typeset_labels, with_typeset_names
from reportkit.report.machine.machine import CORRECTIONS, machine_readable
from reportkit.report.machine.numbers import numbers_of
from reportkit.report.model import Block, Figure, Itemize, Number, Paragraph, Report, Section, Signature, Table
from reportkit.report.prose import Prose, Reference, Strong, Text, plain, prose
from reportkit.report.score_format import ScoreScale, scale_for
from reportkit.report.tables.across_table import scores_by_dataset
from reportkit.report.tables.k_hat_table import k_hat_matrix_table, replicability_table
from reportkit.report.tables.metrics_tables import metrics_p_values, metrics_table
from reportkit.report.tables.p_value_table import p_value_table
from reportkit.report.tables.reproduction_table import reproduction_table
from reportkit.report.tables.scores_table import scores_table
from reportkit.report.text.hypotheses import by_metric
from reportkit.report.text.paragraph import recommended_paragraph
from reportkit.report.text.reproduction import printed_claims_in_words, reproduction_items
from reportkit.report.text.results import count_sentence, digest_sentence
from reportkit.report.text.shapes import has_instance_runs

MOST_SYSTEMS_IN_MATRIX = 16  # a matrix of k-hat with more systems is shown as a figure
MOST_FINDINGS = 40
MOST_OF_A_KIND = 3


def build(
    analysis: ReplicabilityAnalysis,
    appearance: Appearance | None = None,
    evidence: Evidence | None = None,
) -> Report:
    """Lay out everything an analysis allows to say.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        Of one metric, or of several.
    appearance : Appearance, optional
        How it is to look.
    evidence : Evidence, optional
        Four answers to claims, where they were asked for.

    Returns
    -------
    Report
        Without a format; `reportkit.rendering` writes it.
    """
    wanted = appearance or Appearance()
    measured = analysis  # with the names and keys of the data, for machines
    analysis, look = as_printed(analysis, wanted)
    signature = sign(measured)
    sections = [
        Section(title=title, blocks=tuple(block for part in parts for block in _laid_out(part)))
        for title, parts in _sections(analysis, look, signature, evidence)
    ]
    laid_out = for_venue(typeset(sections, wanted), wanted)
    return Report(
        title=_title(analysis),
        sections=laid_out,
        signature=signature,
        findings=analysis.family.findings,
        data={**machine_readable(measured, signature), **_evidence_data(evidence)},
        summary=_summary(analysis),
        appearance=wanted,
        numbers=numbers_of(analysis, look.name, in_data=names_in_data(wanted)),
        extras=_other_lengths(analysis, look, signature),
        checklist=checklist(analysis, look, [block for one in laid_out for block in one.blocks], signature),
    )


def tables_of(
    analysis: ReplicabilityAnalysis, appearance: Appearance, evidence: Evidence | None, signature: Signature
) -> Iterator[Table]:
    """Tables of the report in its order, each laid out when it is asked for, without the words and figures around it.

    Parameters as of `build`, and the signature of the analysis.
    """
    shown, look = as_printed(analysis, appearance)
    labels = typeset_labels(appearance.labels.values())
    for _, parts in _sections(shown, look, signature, evidence):
        for part in parts:
            if isinstance(part, Table):
                yield with_typeset_names(part, labels)


def summary(analysis: ReplicabilityAnalysis, appearance: Appearance) -> tuple[str, ...]:
    """k-hat in words: a sentence for each comparison, or a digest if there are many."""
    return _summary(as_printed(analysis, appearance)[0])


_Part = Block | Callable[[], Iterable[Block]]
"""A block, or what lays out blocks: words and figures wait until the whole report is asked for, tables do not."""


def _laid_out(part: _Part) -> Iterable[Block]:
    return part() if callable(part) else (part,)


def _sections(
    analysis: ReplicabilityAnalysis,
    look: Appearance,
    signature: Signature,
    evidence: Evidence | None,
) -> Iterator[tuple[str, Iterable[_Part]]]:
    """Titles of the sections, with their parts."""
    family = analysis.family
    yield "Results", _results(analysis, look, signature)
    if not family.across_datasets and not _nothing_to_count(family):
        yield "Replicability", _replicability(analysis, look)
    if tests := list(_tests(analysis, look)):
        yield "Tests", tests
    if evidence is not None and evidence.claims:
        shown = renamed(evidence, family.labels)
        section = evidence_section(
            shown, scale_for(analysis.parts[0].family.assessments), prior=analysis.settings.prior
        )
        yield section.title, section.blocks
    if analysis.friedman is not None:
        section = friedman_part(analysis.friedman, scale_for(analysis.parts[0].family.assessments))
        yield section.title, section.blocks
    if analysis.reproductions:
        yield "Printed, recomputed, direction-respecting", _reproduction(analysis)
    if analysis.other_family is not None:
        yield "The other profile", (lambda: [Paragraph(content=profile_differences(analysis))],)
    yield "What to know before citing this", (partial(_what_to_know, family.findings),)


def _evidence_data(evidence: Evidence | None) -> dict[str, Any]:
    return {"evidence": evidence_data(evidence.claims)} if evidence is not None and evidence.claims else {}


def all_numbers(
    analysis: ReplicabilityAnalysis, appearance: Appearance, about: Collection[str] = ()
) -> dict[str, Number]:
    """Numbers that running text may name, printed as the tables print them; see `reportkit.report.machine.numbers`."""
    shown, look = as_printed(analysis, appearance)
    return numbers_of(shown, look.name, in_data=names_in_data(appearance), about=about)


def _other_lengths(analysis: ReplicabilityAnalysis, look: Appearance, signature: Signature) -> tuple[Paragraph, ...]:
    """The recommended-practice paragraph in the lengths that the report itself does not have."""
    scale = scale_for(analysis.family.assessments)
    return tuple(
        Paragraph(name=f"paragraph-{length}", content=recommended_paragraph(analysis, scale, length, signature))
        for length in get_args(Length)
        if length != look.length
    )


def sign(analysis: ReplicabilityAnalysis) -> Signature:
    """Say in one line what was computed from what, and how."""
    family, settings = analysis.family, analysis.settings
    outcomes = [item.outcome for item in family.assessments]
    tests = sorted({outcome.test for outcome in outcomes})
    resamples = sorted({outcome.n_resamples for outcome in outcomes if outcome.n_resamples})
    fields = {
        "test": "+".join(tests),
        "alt": "one-sided" if family.sides == 1 else "one-sided-both-directions",
        **({"metrics": ",".join(family.metrics)} if family.several_metrics else {}),
        "adj": _correction_key(family),
        "alpha": ",".join(level_text(alpha) for alpha in family.alpha),
        "datasets": f"{family.comparisons[0].assessments[0].n},taken-together"
        if family.across_datasets
        else f"{_numbers_of_datasets(analysis)},{settings.dependence}",
        "profile": settings.profile,
        "missing": settings.missing,
        **({} if settings.rope is None else {"rope": f"{settings.rope:g}"}),
        **({} if settings.prior is None else {"prior": f"{settings.prior:g}"}),
        **({"runs": settings.runs} if has_instance_runs(family) else {}),
    }
    if resamples:
        fields |= {"B": ",".join(map(str, resamples)), "seed": str(settings.rng)}
    return Signature(version=__version__, source=analysis.source, digest=analysis.digest, fields=fields)


def _numbers_of_datasets(analysis: ReplicabilityAnalysis) -> str:
    """How many there are, and of how many they were selected."""
    n, named = len(analysis.family.datasets), len(analysis.named_datasets)
    return str(n) if analysis.settings.datasets is None or n >= named else f"{n}of{named}"


def _correction_key(family: Family) -> str:
    name = CORRECTIONS[family.correction]
    if not family.several_metrics or family.gatekeeping == "none":
        return f"{name}(m={family.n_hypotheses})"
    if family.gatekeeping == "by-dataset":
        return f"graph-by-dataset(m={family.n_hypotheses})"
    first, second = family.sizes[family.metrics[0]], family.sizes[family.metrics[1]]
    serial = family.gatekeeping == "serial"
    return f"{name}-serial(m={first}+{second})" if serial else f"{name}-each-metric(m={first})"


def _summary(analysis: ReplicabilityAnalysis, most: int = 8) -> tuple[str, ...]:
    family = analysis.family
    alpha = family.alpha[0]
    if analysis.printed:
        return tuple(map(plain, printed_claims_in_words(analysis)))
    if family.n_claims <= most and family.design != "all-pairs":
        return tuple(_exploratory(item) + plain(count_sentence(item, alpha, family)) for item in family.comparisons)
    return tuple(
        _exploratory(part.family.comparisons[0]) + plain(digest_sentence(part.family, alpha)) for part in analysis.parts
    )


def _exploratory(comparison: Comparison) -> str:
    return "Exploratory: " if comparison.exploratory else ""


def profile_differences(analysis: ReplicabilityAnalysis) -> Prose:
    """Say where the tests of the other profile would have led to other marks."""
    apart = "closed testing" in (analysis.family.correction, analysis.other_family and analysis.other_family.correction)
    name = {
        "dror2017": f"the tests{' and names' if apart else ''} of Dror et al. (2017)",
        "recommended": f"the recommended tests{' and closed testing' if apart else ''}",
    }[analysis.other_profile or "dror2017"]
    differing = analysis.disagreements
    if not differing:
        what = "claims would hold" if analysis.family.across_datasets else "datasets would be marked"
        return prose("With {name}, the same {what} at each level.", name=name, what=what)
    family = analysis.family
    items = []
    for a, b, metric, dataset, alpha in differing[:12]:
        mine = family[a, b, metric]
        gained = not mine.marked(alpha)[mine.datasets.index(dataset)]
        by = by_metric(mine, family)
        items.append(f"{a} > {b}{by} on {dataset} ({'gained' if gained else 'lost'} at {level_text(alpha)})")
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
    if family.several_metrics:
        where += f" by {len(family.metrics)} metrics"
    if family.one_claim:
        first = family.comparisons[0]
        return f"{first.system_a} and {first.system_b} {where}"
    n_systems = len({name for item in family.comparisons for name in (item.system_a, item.system_b)})
    return f"{n_systems} systems {where}"


def _results(analysis: ReplicabilityAnalysis, look: Appearance, signature: Signature) -> Iterator[_Part]:
    yield lambda: [
        Paragraph(
            name="paragraph",
            content=recommended_paragraph(analysis, scale_for(analysis.family.assessments), look.length, signature),
        )
    ]
    parts = _parts(analysis)
    scales = [scale_for(part.family.assessments) for _, part in parts]
    together = metrics_table(analysis, scales, look) if analysis.family.several_metrics else None
    if together is not None:
        yield together
    across = analysis.family.across_datasets
    for (suffix, part), scale in zip(parts, scales, strict=True):
        if together is None:
            yield _named(scores_table(part, scale, look).table, suffix)
            if not across and not part.family.comparisons[0].exploratory:
                yield partial(_figures, forests, part, suffix)
    if across and (scores := scores_by_dataset(analysis, scales[0], look)) is not None:
        yield scores


def _figures(
    drawn: Callable[..., Sequence[Figure]], part: ReplicabilityAnalysis, suffix: str, *of: Family
) -> list[Figure]:
    return [_named(figure, suffix) for figure in drawn(part, *of)]


def _nothing_to_count(family: Family) -> bool:
    """Whether one table of all metrics says all: on one dataset, where no pair is compared with itself turned round."""
    return family.several_metrics and len(family.datasets) == 1 and family.design != "all-pairs"


def _replicability(analysis: ReplicabilityAnalysis, look: Appearance) -> Iterator[_Part]:
    family, parts = analysis.family, _parts(analysis)
    several = family.n_claims > 1
    what = "bounds the number of datasets on which each claim holds from below" if several else "counts the datasets"
    if family.design != "all-pairs":
        table = replicability_table(analysis)
        yield _lead(table, what)
        yield table
    elif len(family.systems_a) <= MOST_SYSTEMS_IN_MATRIX:
        tables = [_named(k_hat_matrix_table(part, look), suffix) for suffix, part in parts]
        yield _lead(tables[0], what)
        yield from tables
    else:

        def matrices() -> list[Block]:
            figures = [_named(matrix_figure(part.family), suffix) for suffix, part in parts]
            return [_lead(figures[0], what), *figures]

        yield matrices
    for suffix, part in parts:
        if not part.family.comparisons[0].exploratory:
            yield partial(_figures, curves, part, suffix)


def _tests(analysis: ReplicabilityAnalysis, look: Appearance) -> Iterator[_Part]:
    tables: list[tuple[str, Table]] = []
    for suffix, part in _parts(analysis):
        if (table := p_value_table(part, scale_for(part.family.assessments), look)) is not None:
            tables.append((part.family.comparisons[0].metric, _named(table, suffix)))
    several = analysis.family.several_metrics
    together = metrics_p_values(analysis, [table for _, table in tables], look) if several and tables else None
    if together is not None:
        yield _lead(together, "gives the tests by metric")
        yield together
        return
    for metric, table in tables:
        yield _lead(table, f"gives the tests{f' for {metric}' if several else ''} by dataset")
        yield table
    if tables:
        for suffix, part in _parts(analysis):
            yield partial(_figures, p_value_dots, part, suffix, analysis.family)


def friedman_part(outcome: FriedmanOutcome, scale: ScoreScale) -> Section:
    """The section with its diagram, unless that would have too many bars to be read."""
    section = friedman_section(outcome, scale)
    try:
        diagram = critical_difference_figure(outcome)
    except DesignError:
        return section
    return dataclasses.replace(section, blocks=(*section.blocks, diagram))


def _parts(analysis: ReplicabilityAnalysis) -> list[tuple[str, ReplicabilityAnalysis]]:
    """The part of each metric, and what the names of its tables and figures end in."""
    in_data = {label: name for name, label in analysis.family.labels.items()}  # a label changes no file
    metrics = [in_data.get(metric, metric) for metric in analysis.family.metrics]
    return list(zip(metric_suffixes(metrics), analysis.parts, strict=True))


def metric_suffixes(metrics: Sequence[str]) -> list[str]:
    """What the names of tables and figures of a metric end in: nothing for the first, else the metric or its number.

    Examples
    --------
    >>> metric_suffixes(["chrF", "TER", "BLEU (13a)", "bleu", "BLEU", "κ"])
    ['', '-TER', '-BLEU-13a', '-metric-4', '-metric-5', '-metric-6']
    """
    words = ["-".join(re.findall("[A-Za-z0-9]+", name)) for name in metrics]
    folded = [word.casefold() for word in words]
    return [""] + [
        f"-{word}" if word and folded.count(word.casefold()) == 1 and not word.isdigit() else f"-metric-{number}"
        for number, word in enumerate(words[1:], start=2)
    ]


_Block = TypeVar("_Block", Table, Figure)


def _named(block: _Block, suffix: str) -> _Block:
    return dataclasses.replace(block, name=block.name + suffix) if suffix else block


def _lead(block: Table | Figure, what: str) -> Paragraph:
    """One sentence before a table or figure, so that a heading never stands alone."""
    kind: Literal["table", "figure"] = "table" if isinstance(block, Table) else "figure"
    return Paragraph(content=prose("{it} {what}.", it=Reference(kind, block.name), what=what))


def _reproduction(analysis: ReplicabilityAnalysis) -> Iterator[_Part]:
    table = reproduction_table(analysis)
    yield _lead(table, "sets what the paper prints beside what follows from it")
    yield table
    if items := reproduction_items(analysis.reproductions):
        yield Itemize(items=items)


def _what_to_know(findings: tuple[Finding, ...]) -> list[Block]:
    if not findings:
        return [Paragraph(content=prose("Nothing was noticed in the data that limits these statements."))]
    return [Itemize(items=tuple(map(_finding_prose, merged_findings(findings)[:MOST_FINDINGS])))]


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
