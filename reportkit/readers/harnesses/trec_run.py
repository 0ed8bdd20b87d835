"""TREC runs with relevance judgments: measures by topic, computed by ir-measures (the extra [trec])."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from reportkit.errors import ReadingError, SettingsError, UnknownNameError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed, some
from reportkit.readers.format import Harness, Taken
from reportkit.readers.frame_builder import FrameBuilder
from reportkit.readers.harnesses.names import distinct_names
from reportkit.readers.json_content import BROKEN, shown
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request, shell

INSTALL = 'pip install "reportkit-replic[trec]"'

_RUN = re.compile(rb"^\S+[ \t]+\S+[ \t]+\S+[ \t]+[\d.]+[ \t]+[-+\d.eE]+[ \t]+\S+\s*$")
_QRELS = re.compile(rb"^\S+[ \t]+\S+[ \t]+\S+[ \t]+-?\d+\s*$")
_DEFAULT = "nDCG@10"
_OTHERS = ("AP", "RR@10", "P@10", "R@100", "R@1000", "nDCG")


def read_trec_run(files: Sequence[Source], request: Request) -> Reading:
    """Compute measures by topic of runs, against the judgments that are beside them."""
    judged: list[Source] = []
    runs: list[Source] = []
    for source in files:
        (judged if _is_qrels(source.head()) else runs).append(source)
    if not runs:
        raise ReadingError(
            "there are judgments, and no runs", where=some([source.name for source in judged]),
            remedy="give the runs as well: reportkit build qrels.txt runs/",
        )  # fmt: skip
    if not judged:
        raise ReadingError(
            f"{counted(len(runs), 'run')} without judgments of relevance",
            where=some([source.name for source in runs]),
            remedy=f"give the qrels as well: reportkit build qrels.txt {' '.join(shell(one.name) for one in runs[:3])}",
        )
    ir_measures = _ir_measures()
    metrics = tuple(request.metrics) or (_DEFAULT,)
    measures = [_measure(ir_measures, name) for name in metrics]
    qrels = {source: _read_qrels(source) for source in judged}
    tags: list[str] = []
    read: list[tuple[Source, Source, dict[str, dict[str, float]]]] = []
    """Run, its judgments, its documents by topic."""
    for done, source in enumerate(runs, start=1):
        tag, documents = _read_run(source)
        tags.append(tag)
        read.append((source, _judgments_of(source, documents, qrels), documents))
        request.progress(done, len(runs))
    datasets = [_collection(of.plain_path) for _, of, _ in read]
    paths = [source.plain_path for source in runs]
    keys = list(zip(tags, datasets, strict=True))
    stems = [path.stem for path in paths]
    systems = distinct_names(tags if len({*keys}) == len(keys) else stems, paths, datasets)
    frame = FrameBuilder()
    empty: dict[str, tuple[int, int]] = {}
    for system, dataset, (_, of, documents) in zip(systems, datasets, read, strict=True):
        relevant = qrels[of]
        by_measure: dict[Any, dict[str, float]] = {measure: dict.fromkeys(relevant, 0.0) for measure in measures}
        for one in ir_measures.iter_calc(measures, relevant, documents):
            by_measure[one.measure][one.query_id] = float(one.value)
        absent = len(relevant.keys() - documents.keys())
        if absent:
            empty[f"{system} on {dataset}"] = (absent, len(relevant))
        for metric, measure in zip(metrics, measures, strict=True):
            topics = by_measure[measure]
            frame.add(system, dataset, list(topics), list(topics.values()), metric=metric)
    return Reading(
        frame=frame.frame(),
        format="TREC run",
        metrics=dict.fromkeys(datasets, metrics),
        other_metrics=tuple(name for name in (_DEFAULT, *_OTHERS) if name not in metrics),
        paired_on="topic",
        higher_is_better=dict.fromkeys(metrics, True),
        notes=tuple(_notes(empty, read, qrels)),
        nouns=("run", "collection"),
        n_files=len(files),
    )


def _ir_measures() -> Any:
    try:
        return import_module("ir_measures")
    except ImportError as error:
        raise SettingsError(
            "measures of TREC runs are computed by ir-measures, which is not installed",
            remedy=f"{INSTALL};\nor give the output of trec_eval -q -c",
        ) from error


def _measure(ir_measures: Any, name: str) -> Any:
    try:
        return ir_measures.parse_measure(name)
    except (NameError, ValueError, SyntaxError, TypeError, AttributeError, KeyError) as error:
        known = (_DEFAULT, *_OTHERS)
        raise UnknownNameError("measure of ir-measures", name, known) from error


def _is_qrels(head: bytes) -> bool:
    line = next((line for line in head.splitlines() if line.strip()), b"")
    return len(line.split()) == 4


_MANY_ABSENT = 0.05
"""Share of the topics of a collection that a run may lack without a warning."""

_LARGEST_GRADE = 2**31 - 1
"""What trec_eval can hold."""


def _read_qrels(source: Source) -> dict[str, dict[str, int]]:
    judgments: dict[str, dict[str, int]] = {}
    for number, fields in _fields(source, 4):
        topic, _, document, grade = fields
        try:
            value = int(grade)
        except ValueError:
            value = _LARGEST_GRADE + 1
        if abs(value) > _LARGEST_GRADE:
            raise ReadingError(
                f"{source.name!r} holds {shown(grade)} as a grade of relevance", where=f"line {number:,}", remedy=BROKEN
            )
        if judgments.setdefault(topic, {}).setdefault(document, value) != value:
            raise ReadingError(
                f"{source.name!r} judges a document twice, differently",
                where=f"line {number:,}: topic {topic!r}, document {document!r}",
                remedy="keep one judgment",
            )
    kept = {
        topic: documents for topic, documents in judgments.items() if any(grade > 0 for grade in documents.values())
    }
    if not kept:
        raise ReadingError(f"{source.name!r} judges no document as relevant", remedy=BROKEN)
    return kept


def _read_run(source: Source) -> tuple[str, dict[str, dict[str, float]]]:
    documents: dict[str, dict[str, float]] = {}
    tags: dict[str, None] = {}
    for number, fields in _fields(source, 6):
        topic, _, document, _, score, tag = fields
        try:
            value = float(score)
        except ValueError:
            value = float("nan")
        if value != value:
            raise ReadingError(
                f"{source.name!r} holds {shown(score)} as a score", where=f"line {number:,}", remedy=BROKEN
            )
        ranked = documents.setdefault(topic, {})
        if document in ranked:
            raise ReadingError(
                f"{source.name!r} ranks a document twice",
                where=f"line {number:,}: topic {topic!r}, document {document!r}",
                remedy="rank each document once; write each run to a file of its own",
            )
        ranked[document] = value
        tags[tag] = None
    if len(tags) > 1:
        raise ReadingError(
            f"{source.name!r} holds several runs",
            where=f"tags {some(list(tags))}",
            remedy="write one file per run",
        )
    return next(iter(tags)), documents


def _fields(source: Source, n_fields: int) -> Iterator[tuple[int, list[str]]]:
    empty = True
    for number, line in source.lines():
        fields = line.decode("utf-8", "replace").split()
        if not fields:
            continue
        empty = False
        if len(fields) != n_fields:
            raise ReadingError(
                f"a line of {source.name!r} has {counted(len(fields), 'field')}, not {n_fields}",
                where=f"line {number:,}",
                remedy="a run has: topic Q0 document rank score tag; judgments have: topic 0 document grade",
            )
        yield number, fields
    if empty:
        raise ReadingError(f"{source.name!r} is empty", remedy=BROKEN)


def _judgments_of(source: Source, documents: Mapping[str, Any], qrels: Mapping[Source, Mapping[str, Any]]) -> Source:
    """The judgments of a run: the only ones, those of its folder, or the only ones of its topics."""
    shared = [one for one, judgments in qrels.items() if judgments.keys() & documents.keys()]
    near = [one for one in shared if one.path.parent == source.path.parent]
    if len(shared) == 1 or len(near) == 1:
        return (shared if len(shared) == 1 else near)[0]
    if not shared:
        raise ReadingError(
            f"no topic of the run {source.name!r} is judged",
            where=f"topics {some(sorted(documents)[:3])}; judgments: {some([one.name for one in qrels])}",
            remedy="give the qrels of the same topics",
        )
    raise ReadingError(
        f"the run {source.name!r} fits several judgments",
        where=some([one.name for one in shared]),
        remedy="put the runs of each collection into a folder with its qrels",
    )


def _collection(path: Path) -> str:
    """Name of a collection from the name of its judgments: `qrels.robust04.txt` -> robust04."""
    parts = [part for part in re.split(r"[.]", path.name) if part.casefold() not in {"qrels", "qrel", "txt", "trec"}]
    name = re.sub(r"(?i)[-_]?qrels?[-_]?", "", ".".join(parts))
    return name or path.absolute().parent.name or "collection"


def _notes(
    empty: Mapping[str, tuple[int, int]],
    read: Sequence[tuple[Source, Source, Mapping[str, Any]]],
    qrels: Mapping[Source, Mapping[str, Any]],
) -> Iterator[Finding]:
    if empty:
        many = any(absent > _MANY_ABSENT * n_topics for absent, n_topics in empty.values())
        yield Finding(
            "topics-without-documents",
            "warning" if many else "info",
            "A topic for which a run has no documents counts as 0, as in trec_eval -c.",
            where=some([f"{label}: {absent:,} of {counted(n, 'topic')}" for label, (absent, n) in empty.items()]),
            remedy="check that the file of the run was written to its end" if many else "",
        )
    elsewhere = [
        f"{source.name!r} by {of.name!r}"
        for source, of, _ in read
        if of.path.parent != source.path.parent and of.path.parent in {one.path.parent for one, _, _ in read}
    ]
    if elsewhere:
        yield Finding(
            "judged-elsewhere",
            "warning",
            "Runs are scored by judgments that lie beside other runs.",
            where=listed(elsewhere, 5),
            remedy="check that they are of the same collection; else put each run into the folder of its qrels",
        )
    unjudged = sum(len(documents.keys() - qrels[of].keys()) for _, of, documents in read)
    if unjudged:
        yield Finding(
            "unjudged-topics",
            "info",
            f"{counted(unjudged, 'topic')} of runs without a relevant document in the judgments are left out, as by "
            "trec_eval.",
        )


def can_read(head: bytes, path: Path) -> bool:
    """Whether the lines of a file are a ranking, or judgments of relevance."""
    lines = [line for line in head.splitlines()[:20] if line.strip()]
    if len(lines) > 1 and len(head) >= 1 << 16:
        lines.pop()
    return bool(lines) and any(all(pattern.match(line) for line in lines) for pattern in (_RUN, _QRELS))


TREC_RUN = Harness(
    name="TREC run",
    endings=(".txt", ".run", ".trec", ".res", ".qrels", ".qrel", ".test", ".tsv", ".input"),
    read=read_trec_run,
    can_read=can_read,
    taken=Taken(
        files="runs (`topic Q0 document rank score tag`) with qrels (`topic 0 document grade`)",
        system="tag; the name of the file where tags are not different",
        dataset="name of the qrels",
        instance="topic with a relevant document",
        run="–",
        metric="`nDCG@10`; any measure of ir-measures (the extra `trec`)",
        refused="runs without qrels; a document ranked or judged twice. A topic without documents counts as 0",
    ),
)
