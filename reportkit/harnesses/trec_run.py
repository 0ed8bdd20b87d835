"""TREC runs with relevance judgments: measures by topic, computed by ir-measures (the extra [trec])."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

from reportkit.errors import ReadingError, SettingsError, UnknownNameError
from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Log, Sample, Tool, by_file, harvest
from reportkit.harnesses.records import Faults, Outline, lines, number, tally
from reportkit.language import counted, listed

NAME = "TREC run"
_RUN = re.compile(r"\S+\s+\S+\s+\S+\s+[\d.]+\s+[-+\d.eE]+\s+\S+\s*")
_QRELS = re.compile(r"\S+\s+(?:\d+|Q0)\s+\S+\s+-?\d+\s*")
_MEASURES = ("nDCG@10", "AP", "RR@10", "P@10", "R@100", "R@1000", "nDCG")
_INSTALL = 'pip install "reportkit-replic[trec]"'
Judged = dict[str, dict[str, int]]


def recognises(file: File, found: Outline) -> bool:
    """Tell rankings and judgments by their six or four columns."""
    if found.kind != "other" or b"\0" in file.head:
        return False
    rows = [line for line in file.head.decode("utf-8", "replace").splitlines()[:20] if line.strip()]
    rows = rows[:-1] or rows
    return bool(rows) and any(all(map(form.fullmatch, rows)) for form in (_RUN, _QRELS))


def read(files: Sequence[File], every: Sequence[File], metrics: Sequence[str] = ()) -> Harvest:
    """Compute measures by topic of runs, against the judgments that are in their folder."""
    faults = Faults()
    qrels: dict[File, Judged] = {}
    judged = [file for file in files if len(file.head.split(b"\n", 1)[0].split()) == 4]
    runs = [file for file in files if file not in judged]
    if not judged or not runs:
        shown = " ".join(repr(file.name) for file in runs[:3]) or "runs/"
        raise ReadingError(
            "judgments of relevance, and no runs" if judged else f"{counted(len(runs), 'run')} without judgments",
            where=listed([repr(file.name) for file in files], 5),
            remedy=f"give the qrels and the runs: reportkit build qrels.txt {shown}",
        )
    for file in judged:
        with faults.of_file(file):
            qrels[file] = _judgments(file)
    logs: list[Log] = []
    empty: dict[str, int] = {}
    measures = _measures(metrics)
    for file in runs:
        with faults.of_file(file):
            tag, documents = _ranking(file)
            of = _judgments_of(file, documents, qrels)
            values = {topic: dict[str, float | None].fromkeys(measures, 0.0) for topic in qrels[of]}
            names = {measure: name for name, measure in measures.items()}
            for one in import_module("ir_measures").iter_calc(list(names), qrels[of], documents):
                values[one.query_id][names[one.measure]] = float(one.value)
            empty[f"{tag} on {_collection(of)}"] = len(qrels[of].keys() - documents.keys())
            samples = [Sample(topic, scores) for topic, scores in values.items()]
            logs.append(Log(tag, _collection(of), file, samples))
    message = "A topic for which a run has no documents counts as 0, as in trec_eval -c."
    notes = tally("topics-without-documents", "warning", message, empty)
    return harvest(
        NAME, by_file(logs), faults, paired_on="topic", nouns=("run", "collection"), main=_MEASURES, higher=True,
        used=files, findings=notes,
    )  # fmt: skip


def _measures(metrics: Sequence[str]) -> dict[str, Any]:
    try:
        module = import_module("ir_measures")
    except ImportError as error:
        problem = "measures of TREC runs are computed by ir-measures, which is not installed"
        raise SettingsError(problem, remedy=f"{_INSTALL};\nor give the output of trec_eval -q -c") from error
    found = {name: module.parse_measure(name) for name in _MEASURES}
    for name in metrics:
        try:
            found |= {name: module.parse_measure(name)}
        except (NameError, ValueError, SyntaxError, TypeError, AttributeError, KeyError) as error:
            raise UnknownNameError("measure of ir-measures", name, _MEASURES) from error
    return found


def _fields(file: File, n: int) -> Iterator[list[str]]:
    for place, line in lines(file):
        fields = line.split()
        if len(fields) != n:
            raise ValueError(f"line {place:,} has {counted(len(fields), 'field')}, not {n}")
        yield fields


def _judgments(file: File) -> Judged:
    """Return topic to document to grade; topics without a relevant document are left out, as by trec_eval."""
    found: Judged = {}
    for topic, _, name, grade in _fields(file, 4):
        if found.setdefault(topic, {}).setdefault(name, int(grade)) != int(grade):
            raise ValueError(f"it judges document {name} of topic {topic} twice, differently")
    kept = {topic: grades for topic, grades in found.items() if max(grades.values()) > 0}
    if not kept or max(max(grades.values()) for grades in kept.values()) >= 1 << 31:
        raise ValueError("it judges no document as relevant, or holds grades beyond those of trec_eval")
    return kept


def _ranking(file: File) -> tuple[str, dict[str, dict[str, float]]]:
    found: dict[str, dict[str, float]] = {}
    tags: dict[str, None] = {}
    for topic, _, name, _, score, tag in _fields(file, 6):
        value, ranked = number(score), found.setdefault(topic, {})
        if value is None or name in ranked:
            raise ValueError(
                f"document {name} of topic {topic} " + ("has no score" if value is None else "stands twice")
            )
        ranked[name] = value
        tags[tag] = None
    if len(tags) > 1:
        raise ValueError(f"it holds several runs ({listed(list(tags), 3)}): write one file per run")
    return next(iter(tags)), found


def _judgments_of(file: File, documents: Mapping[str, Any], qrels: Mapping[File, Judged]) -> File:
    """Return the judgments of a run: the only ones of its topics, or those of its folder."""
    shared = [one for one, judged in qrels.items() if judged.keys() & documents.keys()]
    near = [one for one in shared if one.path.parent == file.path.parent]
    for fits in (shared, near):
        if len(fits) == 1:
            return fits[0]
    if shared:
        raise ValueError("it fits several judgments: put the runs of each collection into a folder with its qrels")
    raise ValueError("none of its topics is judged: give the qrels of the same topics")


def _collection(file: File) -> str:
    """Return the name of a collection by that of its judgments: qrels.robust04.txt is robust04."""
    parts = [part for part in file.path.name.split(".") if part.casefold() not in ("qrels", "qrel", "txt", "trec")]
    return re.sub(r"(?i)[-_]?qrels?[-_]?", "", ".".join(parts)) or file.path.absolute().parent.name or "collection"


TOOL = Tool(NAME, recognises, read, ("trec", "trec-run"), computes=True)
