"""The report on comparisons: which tables, figures and texts there are, and in which order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from reportkit.appearance import Appearance, Length
from reportkit.finding import Finding
from reportkit.report.beyond import Beyond
from reportkit.report.claim_tables import (
    friedman_tables,
    p_values_table,
    pairs_table,
    replicability_table,
    reproduction_table,
)
from reportkit.report.facts import Facts
from reportkit.report.labels import as_printed
from reportkit.report.marking import MOST_LETTERS, set_off
from reportkit.report.model import (
    Block,
    Cell,
    Figure,
    Itemize,
    Paragraph,
    Report,
    Section,
    Signature,
    Table,
)
from reportkit.report.numbers import distinct, numbers_of, slug
from reportkit.report.pictures import Pictures
from reportkit.report.records import Metric
from reportkit.report.scores_table import DASH, Group, grid, grouped, scores_table, systems_in_order
from reportkit.report.tokens import plain, strong
from reportkit.report.wording import Wording

FEWEST_CLAIMS = 3
"""With fewer claims, the sentence makes a table of k-hat superfluous."""

MOST_IN_TABLE = 16
"""All pairs of more systems are compared in a figure."""

MOST_FINDINGS, MOST_OF_A_KIND = 40, 3
MOST_IN_WORDS = 2
"""Answers on more datasets are in tables alone."""

FEW = 4
"""The verdict on this many systems or fewer is set in bold."""


def assemble(facts: Facts, look: Appearance, folders: Sequence[Path] = ()) -> Report:
    """Lay out everything that the facts support.

    Parameters
    ----------
    facts : Facts
        With the names of the data.
    look : Appearance
        How it is to look.
    folders : sequence of Path
        Templates of a user.

    Raises
    ------
    UnknownNameError, SettingsError
        If the appearance names what does not occur, or asks for what the comparisons do not have.
    """
    f = as_printed(facts, look)
    words = Wording(f, folders)
    pictures = Pictures(f, look, words)
    sections = tuple(_sections(f, look, words, pictures))
    labels = look.plain_labels
    blocks = [block for section in sections for block in section.blocks]
    tables, figures = ([block.name for block in blocks if isinstance(block, kind)] for kind in (Table, Figure))
    forests = [name for name in figures if name.startswith("forest")]
    return Report(
        title=plain(words.say("title"), labels),
        sections=sections,
        signature=signature_of(f),
        findings=f.findings,
        summary=tuple(plain(words.say("verdict"), labels).split("\n\n")),
        appearance=look,
        facts=facts,
        numbers=numbers_of(f, words, look.name),
        extras=tuple(
            Paragraph(name=f"paragraph-{length}", content=paragraph(words, length, {*tables, *figures}))
            for length in get_args(Length)
            if length != look.length
        ),
        checklist=tuple(_checklist(words.say("checklist", tables=tables, forests=forests, look=look))),
    )


def paragraph(words: Wording, length: str, names: set[str] | None = None) -> str:
    """Return the paragraph for a paper, in the given length."""
    signature = {"reportkit": words.facts.reportkit, "data": words.facts.source, **words.facts.signature}
    has_pairs = "pairs" if names and "pairs" in names else ""
    return words.say(f"paragraph-{length}", signature=signature, has_pairs=has_pairs).replace("\n\n", " ")


def signature_of(facts: Facts) -> Signature:
    """Return the line that every file carries."""
    return Signature(version=facts.reportkit, source=facts.source, digest=facts.digest, fields=facts.signature)


def _sections(f: Facts, look: Appearance, words: Wording, pictures: Pictures) -> Iterator[Section]:
    titles: Mapping[str, str] = words.heads["sections"]
    yield Section(title=titles["results"], blocks=tuple(_results(f, look, words, pictures)))
    pairs = {"pairs"} if f.design == "all-pairs" and MOST_LETTERS < len(f.systems) <= MOST_IN_TABLE else set()
    text = Paragraph(name="paragraph", content=paragraph(words, look.length, pairs))
    yield Section(title=titles["paragraph"], blocks=(text,))
    if claims := tuple(_claims(f, look, words, pictures)):
        yield Section(title=titles["replicability"], blocks=claims)
    if f.evidence is not None:
        yield Section(title=titles["evidence"], blocks=tuple(_evidence(f, words)))
    if f.friedman is not None:
        text = Paragraph(content=words.say("friedman"))
        yield Section(title=titles["friedman"], blocks=(text, *friedman_tables(f, words)))
    if f.reproductions:
        blocks: list[Block] = [reproduction_table(f, words)]
        if said := words.say("reproduction"):
            blocks.append(Itemize(items=tuple(said.split("\n\n"))))
        yield Section(title=titles["reproduction"], blocks=tuple(blocks))
    items = tuple(words.say("findings", findings=merged(f.findings)[:MOST_FINDINGS]).split("\n\n"))
    yield Section(title=titles["findings"], blocks=(Itemize(items=items),))


def _suffix(f: Facts, metric: Metric) -> str:
    """Return what tells the tables of a further metric apart: "-wer"."""
    if metric == f.metrics[0]:
        return ""
    words = distinct({one.name: slug(one.name).replace(".", "-") for one in f.metrics})
    return f"-{words[metric.name]}"


def _results(f: Facts, look: Appearance, words: Wording, pictures: Pictures) -> Iterator[Block]:
    for number, text in enumerate(words.say("verdict").split("\n\n")):
        bold = number == 0 and len(f.systems) <= FEW and not f.printed
        yield Paragraph(content=strong(text) if bold else text)
    for metric in f.metrics:
        yield scores_table(f, look, words, metric.name, _suffix(f, metric))
        yield from pictures.forests(metric.name, _suffix(f, metric))
    if f.across and (behind := _scores_behind(f, look, words)) is not None:
        yield behind


def _scores_behind(f: Facts, look: Appearance, words: Wording) -> Table | None:
    """Return the score of each system on each dataset where the datasets are the sample; None where it is too long."""
    metric = f.metrics[0].name
    systems = systems_in_order(f, look, metric)
    datasets = list(dict.fromkeys(score.dataset for score in f.scores if score.dataset not in f.datasets))
    if not datasets or len(systems) > 8 or len(datasets) > 60:
        return None
    cells: dict[tuple[str, str], Cell] = {}
    for dataset in datasets:
        scores = {one: f.score_of[metric, one, dataset] for one in systems if (metric, one, dataset) in f.score_of}
        best, _ = set_off(f, "best", metric, {one: score.value for one, score in scores.items()})
        for one, score in scores.items():
            cells[dataset, one] = Cell(text=f.scale(metric).score(score.value), bold=one in best)
    rows, columns = grouped(datasets, look.dataset_groups), [Group("", tuple(systems))]
    found = grid(words.heads["dataset"], rows, columns, {}, lambda *place: cells.get(place, Cell(text=DASH)))
    return replace(found, name="scores", caption=words.caption("scores", t={}))


def _claims(f: Facts, look: Appearance, words: Wording, pictures: Pictures) -> Iterator[Block]:
    if f.design == "all-pairs":
        if len(f.systems) > MOST_LETTERS:
            for metric in f.metrics:
                if len(f.systems) <= MOST_IN_TABLE:
                    yield pairs_table(f, look, words, metric.name, _suffix(f, metric))
                elif not f.across and len(f.datasets) > 1:
                    yield pictures.k_hat_matrix(metric.name, _suffix(f, metric))
    elif (
        not f.across
        and len(f.datasets) > 1
        and len(f.claims) >= FEWEST_CLAIMS
        and any(claim.shown for claim in f.claims)
    ):
        yield replicability_table(f, words)


def _evidence(f: Facts, words: Wording) -> Iterator[Block]:
    found = f.evidence or {}
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for claim in found["claims"]:
        groups.setdefault((claim["a"], claim["b"]), []).append(claim)
    yield from answers_to(Beyond(f, words), list(groups.values()))


def answers_to(beyond: Beyond, groups: Sequence[Sequence[Mapping[str, Any]]]) -> Iterator[Block]:
    """Return words and tables of four answers to claims, those about the same systems together.

    Parameters
    ----------
    groups : sequence of sequence of mapping
        Claims as `claim_facts` has them.
    """
    yield Paragraph(content=beyond.say("questions"))
    yield Itemize(items=tuple(beyond.say("meaning").split("\n\n")))
    for number, claims in enumerate(groups):
        suffix = f"-{number + 1}" if len(groups) > 1 else ""
        tables = [beyond.answers(claims, suffix), *beyond.posteriors_of(claims[0], suffix)]
        counts = " ".join(beyond.say("count", claim=claim) for claim in claims)
        yield Paragraph(content=f"{counts} {beyond.say('lead', tables=[table.name for table in tables])}")
        if len(claims[0]["answers"]) <= MOST_IN_WORDS:
            for place, item in enumerate(claims[0]["answers"]):
                yield Paragraph(content=beyond.say("difference", item=item))
                answers = (beyond.say("answer", claim=claim, item=claim["answers"][place]) for claim in claims)
                yield Itemize(items=tuple(answers))
        yield from tables


REQUESTED_TABLES = ("replicability", "pairs", "p-values")
"""Tables that are written when they are asked for by name."""


def requested_table(facts: Facts, look: Appearance, table: str, folders: Sequence[Path] = ()) -> Table | None:
    """Return a table that a report does not show by itself: "p-values", "replicability", "pairs"; None for another."""
    f = as_printed(facts, look)
    words, metric = Wording(f, folders), f.metrics[0].name
    if table == "replicability" and not f.across:
        return replicability_table(f, words)
    if table == "pairs" and f.design == "all-pairs":
        return pairs_table(f, look, words, metric)
    for one in f.metrics:
        if table == f"p-values{_suffix(f, one)}" and f.design != "all-pairs":
            return p_values_table(f, look, words, one.name, _suffix(f, one))
    return None


def merged(findings: Sequence[Finding]) -> list[Finding]:
    """Merge findings of one kind: one message with all its places, or the first of many messages with their number."""
    groups: dict[tuple[str, str, str], dict[str, list[str]]] = {}
    first: dict[tuple[str, str, str], Finding] = {}
    for item in findings:
        key: tuple[str, str, str] = (item.code, item.severity, item.remedy)
        first.setdefault(key, item)
        places = groups.setdefault(key, {}).setdefault(item.message, [])
        if item.where and item.where not in places:
            places.append(item.where)
    found: list[Finding] = []
    for kind, messages in groups.items():
        kept = list(messages.items())[: MOST_OF_A_KIND if len(messages) <= MOST_OF_A_KIND else 1]
        others = sum(map(len, messages.values())) - sum(len(where) for _, where in kept)
        for message, where in kept:
            shown = "; ".join(where[:5]) + (f"; +{len(where) - 5}" if len(where) > 5 else "")
            shown += f"; +{others}" if others else ""
            found.append(replace(first[kind], message=message, where=shown))
    return found


def _checklist(text: str) -> Iterator[Section]:
    """Take the filled template of the checklist apart: a section for each line that begins with #."""
    title, blocks, items = "", list[Block](), list[str]()
    for line in (*text.split("\n\n"), "# "):
        if line.startswith("#"):
            if title:
                yield Section(title=title, blocks=(*blocks, *((Itemize(items=tuple(items)),) if items else ())))
            title, blocks, items = line.removeprefix("#").strip(), [], []
        elif line.startswith("- "):
            items.append(line.removeprefix("- "))
        else:
            blocks.append(Paragraph(content=line))
