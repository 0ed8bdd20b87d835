"""From an analysis to a report: which tables, figures and paragraphs there are, and in which order."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from reportkit._version import __version__
from reportkit.appearance.appearance import Appearance, Length
from reportkit.errors import DesignError
from reportkit.finding import Finding, Severity
from reportkit.language.numerals import level_text
from reportkit.replicability.friedman import FriedmanOutcome
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.checklist import checklist
from reportkit.report.evidence.friedman_section import friedman_section
from reportkit.report.illustrations import (
    critical_difference_figure,
    curves,
    for_venue,
    forests,
    matrix_figure,
    p_value_dots,
)
from reportkit.report.labels import as_printed, in_print, names_in_data, renamed
from reportkit.report.machine.machine import CORRECTIONS, machine_readable
from reportkit.report.machine.numbers import numbers_of
from reportkit.report.model import Block, Figure, Itemize, Number, Paragraph, Report, Section, Signature, Table
from reportkit.report.prose import Prose, Strong, Text, plain, prose, strong
from reportkit.report.score_format import ScoreScale, scale_of
from reportkit.report.tables.across_table import scores_by_dataset
from reportkit.report.tables.k_hat_table import k_hat_matrix_table, replicability_sentence, replicability_table
from reportkit.report.tables.metrics_tables import metrics_p_values, metrics_table
from reportkit.report.tables.p_value_table import p_value_table
from reportkit.report.tables.profile_table import profile_table, same_results
from reportkit.report.tables.reproduction_table import reproduction_table
from reportkit.report.tables.scores_table import scores_table
from reportkit.report.text.paragraph import recommended_paragraph
from reportkit.report.text.reproduction import reproduction_items
from reportkit.report.text.shapes import has_instance_runs
from reportkit.report.text.systems_words import MOST_WITH_DATASETS
from reportkit.report.text.verdict import VerdictWords, verdict_in_words
from reportkit.report.verdict import verdict_of

if TYPE_CHECKING:
    from reportkit.bayes.evidence.asked import Evidence

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
    signature = sign(analysis)
    shown, look = as_printed(analysis, wanted)
    ((sections, extras, asked),) = in_print(lambda look: [_in_words(analysis, look, evidence, signature)], wanted)
    return Report(
        title=_title(shown),
        sections=sections,
        signature=signature,
        findings=shown.findings,
        data={
            **machine_readable(analysis, signature),  # with the names and keys of the data
            "verdict": _verdict_data(analysis),
            **_evidence_data(evidence),
        },
        summary=summary(analysis, wanted),
        appearance=wanted,
        numbers=numbers_of(shown, look.name, in_data=names_in_data(wanted)),
        extras=extras,
        checklist=asked,
    )


def _in_words(
    analysis: ReplicabilityAnalysis, wanted: Appearance, evidence: Evidence | None, signature: Signature
) -> tuple[tuple[Section, ...], tuple[Paragraph, ...], tuple[Section, ...]]:
    """The sections, the paragraph in its other lengths, and the checklist."""
    shown, look = as_printed(analysis, wanted)
    sections = for_venue(
        (
            Section(title=title, blocks=tuple(block for part in parts for block in _laid_out(part)))
            for title, parts in _sections(shown, look, signature, evidence)
        ),
        wanted,
    )
    blocks = [block for section in sections for block in section.blocks]
    return sections, _other_lengths(shown, look, signature), checklist(shown, look, blocks, signature)


def tables_of(
    analysis: ReplicabilityAnalysis, appearance: Appearance, evidence: Evidence | None, signature: Signature
) -> Iterator[Table]:
    """Tables of the report in its order, each laid out when it is asked for, without the words and figures around it.

    Parameters as of `build`, and the signature of the analysis.
    """

    def lay_out(wanted: Appearance) -> Iterator[Table]:
        for _, parts in _sections(*as_printed(analysis, wanted), signature, evidence):
            yield from (part for part in parts if isinstance(part, Table))

    return in_print(lay_out, appearance)


def summary(analysis: ReplicabilityAnalysis, appearance: Appearance) -> tuple[str, ...]:
    """The verdict, as plain text: a line for each metric, and one for what to be careful about."""
    return tuple(map(plain, verdict_in_words(as_printed(analysis, appearance)[0]).lines))


_Part = Block | Callable[[], Iterable[Block]]
"""A block, or what lays out blocks: words and figures wait until the whole report is asked for, tables do not."""


def _laid_out(part: _Part) -> Iterable[Block]:
    return part() if callable(part) else (part,)


def _sections(
    analysis: ReplicabilityAnalysis,
    look: Appearance,
    signature: Signature,
    evidence: Evidence | None,
    words: VerdictWords | None = None,
) -> Iterator[tuple[str, Iterable[_Part]]]:
    """Titles of the sections, with their parts; the verdict is put into words where it is not given."""
    yield "Results", chain([partial(_verdict, analysis, words)], _results(analysis, look))
    yield "Text for the paper", [partial(_paragraph, analysis, look, signature)]
    if not analysis.across_datasets and not _nothing_to_count(analysis):
        yield "Replicability", _replicability(analysis, look)
    if tests := list(_tests(analysis, look)):
        yield "Tests", tests
    if evidence is not None and evidence.claims:
        from reportkit.report.evidence.evidence_section import evidence_section  # only where it was asked for

        shown = renamed(evidence, analysis.labels)
        section = evidence_section(shown, scale_of(analysis.parts[0]), prior=analysis.settings.prior)
        yield section.title, section.blocks
    if analysis.friedman_outcome is not None:
        section = friedman_part(
            analysis.friedman_outcome,
            scale_of(analysis.parts[0]),
            pairs_above=analysis.across_datasets and analysis.design in ("all-pairs", "both"),
        )
        yield section.title, section.blocks
    if analysis.reproductions:
        yield "Printed, recomputed, direction-respecting", _reproduction(analysis)
    if analysis.disagreements:
        yield "Would other tests agree?", (profile_table(analysis),)
    yield "What to know before citing this", (partial(_what_to_know, analysis),)


def _verdict_data(measured: ReplicabilityAnalysis) -> dict[str, Any]:
    """The verdict by metric, and in words, with the names of the data."""
    words = verdict_in_words(measured).lines
    return {"words": list(map(plain, words)), "by_metric": [one.to_dict() for one in verdict_of(measured)]}


def _evidence_data(evidence: Evidence | None) -> dict[str, Any]:
    if evidence is None or not evidence.claims:
        return {}
    from reportkit.report.evidence.evidence_machine import evidence_data

    return {"evidence": evidence_data(evidence.claims)}


def all_numbers(
    analysis: ReplicabilityAnalysis, appearance: Appearance, about: Collection[str] = ()
) -> dict[str, Number]:
    """Numbers that running text may name, printed as the tables print them; see `reportkit.report.machine.numbers`."""
    shown, look = as_printed(analysis, appearance)
    return numbers_of(shown, look.name, in_data=names_in_data(appearance), about=about)


def _other_lengths(analysis: ReplicabilityAnalysis, look: Appearance, signature: Signature) -> tuple[Paragraph, ...]:
    """The recommended-practice paragraph in the lengths that the report itself does not have."""
    scale = scale_of(analysis)
    return tuple(
        Paragraph(name=f"paragraph-{length}", content=recommended_paragraph(analysis, scale, length, signature))
        for length in get_args(Length)
        if length != look.length
    )


def sign(analysis: ReplicabilityAnalysis) -> Signature:
    """Say in one line what was computed from what, and how."""
    settings = analysis.settings
    tests = sorted({item.test for item in analysis.kinds})
    resamples = sorted({item.n_resamples for item in analysis.kinds if item.n_resamples})
    fields = {
        "test": "+".join(tests),
        "alt": "one-sided" if analysis.sides == 1 else "one-sided-both-directions",
        **({"metrics": ",".join(analysis.metrics)} if analysis.several_metrics else {}),
        "adj": _correction_key(analysis),
        "alpha": ",".join(level_text(alpha) for alpha in analysis.alpha),
        "datasets": f"{analysis.comparisons[0].assessments[0].n},taken-together"
        if analysis.across_datasets
        else f"{_numbers_of_datasets(analysis)},{settings.dependence}",
        "profile": settings.profile,
        "missing": settings.missing,
        **({} if settings.rope is None else {"rope": f"{settings.rope:g}"}),
        **({} if settings.prior is None else {"prior": f"{settings.prior:g}"}),
        **({"runs": settings.runs} if has_instance_runs(analysis) else {}),
    }
    if resamples:
        fields |= {"B": ",".join(map(str, resamples)), "seed": str(settings.rng)}
    return Signature(version=__version__, source=analysis.source, digest=analysis.digest, fields=fields)


def _numbers_of_datasets(analysis: ReplicabilityAnalysis) -> str:
    """How many there are, and of how many they were selected."""
    n, named = len(analysis.datasets), len(analysis.named_datasets)
    return str(n) if analysis.settings.datasets is None or n >= named else f"{n}of{named}"


def _correction_key(family: ReplicabilityAnalysis) -> str:
    name = CORRECTIONS[family.correction]
    if not family.several_metrics or family.gatekeeping == "none":
        return f"{name}(m={family.n_hypotheses})"
    if family.gatekeeping == "by-dataset":
        return f"graph-by-dataset(m={family.n_hypotheses})"
    first, second = family.sizes[family.metrics[0]], family.sizes[family.metrics[1]]
    serial = family.gatekeeping == "serial"
    return f"{name}-serial(m={first}+{second})" if serial else f"{name}-each-metric(m={first})"


def _title(analysis: ReplicabilityAnalysis) -> str:
    n = len(analysis.datasets)
    where = f"on {n} datasets" if n > 1 else f"on {analysis.datasets[0]}"
    if analysis.several_metrics:
        where += f" by {len(analysis.metrics)} metrics"
    if analysis.one_claim:
        first = analysis.comparisons[0]
        return f"{first.system_a} and {first.system_b} {where}"
    n_systems = len({name for item in analysis.comparisons for name in (item.system_a, item.system_b)})
    return f"{n_systems} systems {where}"


def _verdict(analysis: ReplicabilityAnalysis, words: VerdictWords | None) -> list[Block]:
    """The answer: what was found, in bold where systems are few, and what is open or needs care."""
    said = words or verdict_in_words(analysis)
    few = not analysis.printed and len({name for pair in analysis.pairs for name in pair}) <= MOST_WITH_DATASETS
    results = map(strong, said.results) if few else said.results
    return [Paragraph(content=content) for content in (*results, *said.notes)]


def _paragraph(analysis: ReplicabilityAnalysis, look: Appearance, signature: Signature) -> list[Block]:
    scale = scale_of(analysis)
    return [Paragraph(name="paragraph", content=recommended_paragraph(analysis, scale, look.length, signature))]


def _results(analysis: ReplicabilityAnalysis, look: Appearance) -> Iterator[_Part]:
    parts = _parts(analysis)
    scales = [scale_of(part) for _, part in parts]
    together = metrics_table(analysis, scales, look) if analysis.several_metrics else None
    if together is not None:
        yield together
    across = analysis.across_datasets
    for (suffix, part), scale in zip(parts, scales, strict=True):
        if together is None:
            yield _named(scores_table(part, scale, look).table, suffix)
            if not across and not part.comparisons[0].exploratory:
                yield partial(_figures, forests, part, suffix, look)
    if across and (scores := scores_by_dataset(analysis, scales[0], look)) is not None:
        yield scores


def _figures(
    drawn: Callable[..., Sequence[Figure]],
    part: ReplicabilityAnalysis,
    suffix: str,
    *of: ReplicabilityAnalysis | Appearance,
) -> list[Figure]:
    return [_named(figure, suffix) for figure in drawn(part, *of)]


def _nothing_to_count(family: ReplicabilityAnalysis) -> bool:
    """Whether one table of all metrics says all: on one dataset, where no pair is compared with itself turned round."""
    return family.several_metrics and len(family.datasets) == 1 and family.design != "all-pairs"


def _replicability(analysis: ReplicabilityAnalysis, look: Appearance) -> Iterator[_Part]:
    parts = _parts(analysis)
    if analysis.n_claims == 1:
        yield Paragraph(content=replicability_sentence(analysis))
    elif analysis.design != "all-pairs":
        yield replicability_table(analysis)
    elif len(analysis.systems_a) <= MOST_SYSTEMS_IN_MATRIX:
        yield from (_named(k_hat_matrix_table(part, look), suffix) for suffix, part in parts)
    else:
        yield lambda: [_named(matrix_figure(part, look), suffix) for suffix, part in parts]
    for suffix, part in parts:
        if not part.comparisons[0].exploratory:
            yield partial(_figures, curves, part, suffix)


def _tests(analysis: ReplicabilityAnalysis, look: Appearance) -> Iterator[_Part]:
    tables: list[Table] = []
    for suffix, part in _parts(analysis):
        if (table := p_value_table(part, scale_of(part), look)) is not None:
            tables.append(_named(table, suffix))
    several = analysis.several_metrics
    together = metrics_p_values(analysis, tables) if several and tables else None
    if together is not None:
        yield together
        return
    yield from tables
    if tables:
        for suffix, part in _parts(analysis):
            yield partial(_figures, partial(p_value_dots, silent=False), part, suffix, analysis)


def friedman_part(outcome: FriedmanOutcome, scale: ScoreScale, *, pairs_above: bool = False) -> Section:
    """The section with its diagram, or why there is none."""
    section = friedman_section(outcome, scale, pairs_above=pairs_above)
    try:
        diagram = critical_difference_figure(outcome)
    except DesignError as error:
        why = Paragraph(content=prose("There is no critical-difference diagram: {why}.", why=error.problem))
        return dataclasses.replace(section, blocks=(*section.blocks, why))
    return dataclasses.replace(section, blocks=(*section.blocks, diagram))


def _parts(analysis: ReplicabilityAnalysis) -> list[tuple[str, ReplicabilityAnalysis]]:
    """The part of each metric, and what the names of its tables and figures end in."""
    in_data = {label: name for name, label in analysis.labels.items()}  # a label changes no file
    metrics = [in_data.get(metric, metric) for metric in analysis.metrics]
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


def _reproduction(analysis: ReplicabilityAnalysis) -> Iterator[_Part]:
    yield reproduction_table(analysis)
    if items := reproduction_items(analysis.reproductions):
        yield Itemize(items=items)


def _what_to_know(analysis: ReplicabilityAnalysis) -> list[Block]:
    items = list(map(_finding_prose, merged_findings(analysis.findings)[:MOST_FINDINGS]))
    if not items:
        items.append(prose("Nothing was noticed in the data that limits these statements."))
    if analysis.other is not None and not analysis.disagreements:
        items.append(same_results(analysis))
    return [Itemize(items=tuple(items))]


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
