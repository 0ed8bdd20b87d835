"""TREC runs with relevance judgments, by ir-measures (the extra [trec]), and what `trec_eval -q` prints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

from reportkit.errors import ReadingError, SettingsError, UnknownNameError
from reportkit.harnesses.file import File, Outline
from reportkit.harnesses.logs import Batch, Log, Sample, Tool
from reportkit.harnesses.values import number
from reportkit.language import counted, listed

_RUN = re.compile(r"\S+\s+\S+\s+\S+\s+[\d.]+\s+[-+\d.eE]+\s+\S+\s*")
_QRELS = re.compile(r"\S+\s+(?:\d+|Q0)\s+\S+\s+-?\d+\s*")
_OF_RUNS = ("nDCG@10", "AP", "RR@10", "P@10", "R@100", "R@1000", "nDCG")
_INSTALL = 'pip install "reportkit-replic[trec]"'
_NO_SCORES = {"num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret", "gm_map", "gm_bpref"}
_NO_SCORES |= {"runid", "relstring"}
_OF_OUTPUT = re.compile(
    r"num_(q|ret|rel|rel_ret)|runid|(gm_)?map(_cut_\d+)?|Rprec|bpref|recip_rank|infAP|set_\w+|"
    r"(P|recall|ndcg|ndcg_cut|iprec_at_recall|success)(_[\d.]+)?"
)
Judged = dict[str, dict[str, int]]


def _first_lines(file: File, found: Outline) -> list[str]:
    """Return the first lines of a text, without the last one, which may be cut off."""
    if found.kind != "other" or b"\0" in file.head:
        return []
    rows = [line for line in file.head.decode("utf-8", "replace").splitlines()[:40] if line.strip()]
    return rows[:-1] or rows


def _by_file(logs: Sequence[Log]) -> Sequence[Log]:
    """Name systems after their files, if two on one dataset have the same tag, such as a default one."""
    names = [(log.system, log.dataset) for log in logs]
    for log in logs:
        if names.count((log.system, log.dataset)) > 1:
            log.system = log.file.stem
    return logs


# --- runs ------------------------------------------------------------------------------------------------------------


def recognises_runs(file: File, found: Outline) -> bool:
    """Tell rankings and judgments by their six or four columns."""
    rows = _first_lines(file, found)
    return bool(rows) and any(all(map(form.fullmatch, rows)) for form in (_RUN, _QRELS))


def read_runs(batch: Batch) -> Sequence[Log]:
    """Compute measures by topic of runs, against the judgments that are in their folder."""
    judged = [file for file in batch.files if len(file.head.split(b"\n", 1)[0].split()) == 4]
    runs = [file for file in batch.files if file not in judged]
    if not judged or not runs:
        shown = " ".join(repr(file.name) for file in runs[:3]) or "runs/"
        raise ReadingError(
            "judgments of relevance, and no runs" if judged else f"{counted(len(runs), 'run')} without judgments",
            where=listed([repr(file.name) for file in batch.files], 5),
            remedy=f"give the qrels and the runs: reportkit build qrels.txt {shown}",
        )
    qrels: dict[File, Judged] = {}
    for file in judged:
        with batch.reading(file):
            qrels[file] = _judgments(file)
    empty: dict[str, int] = {}
    measures = _measures(batch.metrics)

    def log(file: File, batch: Batch) -> Iterator[Log]:
        tag, documents = _ranking(file)
        of = _judgments_of(file, documents, qrels)
        values = {topic: dict[str, float | None].fromkeys(measures.values(), 0.0) for topic in qrels[of]}
        for one in import_module("ir_measures").iter_calc(list(measures), qrels[of], documents):
            values[one.query_id][measures[one.measure]] = float(one.value)
        empty[f"{tag} on {_collection(of)}"] = len(qrels[of].keys() - documents.keys())
        yield Log(tag, _collection(of), file, [Sample(topic, scores) for topic, scores in values.items()])

    logs = batch.logs(log, runs)
    message = "A topic for which a run has no documents counts as 0, as in trec_eval -c."
    batch.note("topics-without-documents", message, empty)
    return _by_file(logs)


def _measures(metrics: Sequence[str]) -> dict[Any, str]:
    """Return measures of ir-measures with their names: the usual ones, and those that are asked for."""
    try:
        module = import_module("ir_measures")
    except ImportError as error:
        problem = "measures of TREC runs are computed by ir-measures, which is not installed"
        raise SettingsError(problem, remedy=f"{_INSTALL};\nor give the output of trec_eval -q -c") from error
    found = {module.parse_measure(name): name for name in _OF_RUNS}
    for name in metrics:
        try:
            found[module.parse_measure(name)] = name
        except (NameError, ValueError, SyntaxError, TypeError, AttributeError, KeyError) as error:
            raise UnknownNameError("measure of ir-measures", name, _OF_RUNS) from error
    return found


def _fields(file: File, n: int) -> Iterator[list[str]]:
    for place, line in file.lines():
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
    """Return the tag of a run, and topic to document to score."""
    found: dict[str, dict[str, float]] = {}
    tags: dict[str, None] = {}
    for topic, _, name, _, score, tag in _fields(file, 6):
        value, ranked = number(score), found.setdefault(topic, {})
        if value is None or name in ranked:
            said = "has no score" if value is None else "stands twice"
            raise ValueError(f"document {name} of topic {topic} {said}")
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
    """Return the name of a collection from its file of judgments: qrels.robust04.txt is robust04."""
    parts = [part for part in file.path.name.split(".") if part.casefold() not in ("qrels", "qrel", "txt", "trec")]
    return re.sub(r"(?i)[-_]?qrels?[-_]?", "", ".".join(parts)) or file.folder() or "collection"


# --- output of trec_eval ---------------------------------------------------------------------------------------------


def recognises_output(file: File, found: Outline) -> bool:
    """Tell the output by lines of a measure, a topic and a value."""
    rows = [line.split() for line in _first_lines(file, found)]
    measures = {row[0] for row in rows}
    return all(len(row) == 3 for row in rows) and 2 * len([*filter(_OF_OUTPUT.fullmatch, measures)]) > len(measures)


def read_output(batch: Batch) -> Sequence[Log]:
    """Read what `trec_eval -q` printed, one file per system; rows of all topics together are not instances."""
    logs = batch.logs(_output)
    known: dict[str, set[str]] = {}
    for log in logs:
        known.setdefault(log.dataset, set()).update(sample.instance for sample in log.samples)
    absent = {f"{log.system} on {log.dataset}": len(known[log.dataset]) - len(log.samples) for log in logs}
    message = "Runs have no value for some topics: without -c, trec_eval leaves out topics without documents."
    batch.note(
        "absent-topics", message, absent, "evaluate with trec_eval -q -c, or count these topics as 0: --missing worst"
    )
    return _by_file(logs)


def _output(file: File, batch: Batch) -> Iterator[Log]:
    tag = ""
    file.ended()
    values: dict[str, dict[str, float | None]] = {}
    for place, line in file.lines():
        parts = line.split()
        if len(parts) != 3:
            batch.sample(file, f"line {place:,}", "it is not measure, topic and value")
            continue
        measure, topic, value = parts
        tag = value if measure == "runid" else tag
        if topic == "all" or measure in _NO_SCORES:
            continue
        of_topic = values.setdefault(topic, {})
        if measure in of_topic:
            raise ValueError(f"{measure} of topic {topic} has two values: write each run to a file of its own")
        of_topic |= batch.numbers(file, f"line {place:,}", {measure: value})
    if not values:
        raise ReadingError("it holds measures of all topics together only: print them by topic, trec_eval -q -c")
    yield Log(tag or file.stem, file.folder() or "topics", file, [Sample(topic, one) for topic, one in values.items()])


OUTPUT = Tool(
    "trec_eval", recognises_output, read_output, paired_on="topic", nouns=("run", "collection"),
    main=("map", "ndcg_cut_10", "ndcg", "recip_rank", "P_10"), higher=True,
)  # fmt: skip
RUNS = Tool(
    "TREC run", recognises_runs, read_runs, paired_on="topic",
    nouns=("run", "collection"), main=_OF_RUNS, higher=True,
)  # fmt: skip
