"""`trec_eval -q`: measures by topic; the rows of all topics together are no instances."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
from numpy.typing import NDArray

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, some
from reportkit.readers.choosing import metrics_taken
from reportkit.readers.format import Harness, Taken
from reportkit.readers.frame_builder import FrameBuilder
from reportkit.readers.harnesses.names import distinct_names, folder_name
from reportkit.readers.json_content import BROKEN
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request

ALL = "all"
"""Stands for the topic where a row is about all of them."""

_LINE = re.compile(r"^(\S+)[ \t]+(\S+)[ \t]+(\S+)$")
_COUNTS = frozenset({"num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret", "gm_map", "gm_bpref"})
"""Counts of documents, and means that are not those of topics."""

_TEXTS = frozenset({"runid", "relstring"})
_MEASURE = re.compile(
    r"num_(q|ret|rel|rel_ret)|runid|(gm_)?map(_cut_\d+)?|Rprec|bpref|recip_rank|infAP|set_\w+|"
    r"(P|recall|ndcg|ndcg_cut|iprec_at_recall|success)(_[\d.]+)?"
)
"""Some measures of trec_eval, by which its output is told from other triples."""

_PREFERRED = ("map", "ndcg_cut_10", "ndcg", "recip_rank", "P_10")
_ENDINGS = (".txt", ".eval", ".trec", ".res", ".out", ".tsv")


ByTopic = tuple[Sequence[str] | NDArray[np.object_], Sequence[float] | NDArray[np.float64]]
"""Topics, and the value of each."""


def read_trec_eval(files: Sequence[Source], request: Request) -> Reading:
    """Read what `trec_eval -q` printed, one file per system."""
    values: list[dict[str, ByTopic]] = []
    run_ids: list[str] = []
    for done, source in enumerate(files, start=1):
        run_id, of_file = _columns(source) or _measures(source)
        values.append(of_file)
        run_ids.append(run_id or source.plain_path.stem)
        request.progress(done, len(files))
    paths = [source.plain_path for source in files]
    datasets = [folder_name(path, "topics") for path in paths]
    systems = distinct_names(_told_apart(run_ids, datasets, paths), paths, datasets)
    everywhere = [name for name in values[0] if all(name in of_file for of_file in values)]
    if not everywhere:
        raise ReadingError(
            "no measure is in all files",
            where="; ".join(
                f"{source.name!r}: {some(list(one))}" for source, one in zip(files[:3], values, strict=False)
            ),
            remedy="print the same measures for all systems: trec_eval -q -c -m all_trec",
        )
    metrics, others, chosen = metrics_taken(request, everywhere, _PREFERRED)
    frame = FrameBuilder()
    for system, dataset, of_file in zip(systems, datasets, values, strict=True):
        for metric in metrics:
            frame.add(system, dataset, *of_file[metric], metric=metric)
    return Reading(
        frame=frame.frame(),
        format="trec_eval",
        metrics=dict.fromkeys(datasets, metrics),
        other_metrics=others,
        paired_on="topic",
        higher_is_better=dict.fromkeys(metrics, True),
        notes=(*chosen, *_absent_topics(systems, datasets, [one[metrics[0]][0] for one in values])),
        nouns=("run", "collection"),
        n_files=len(files),
    )


def _told_apart(run_ids: Sequence[str], datasets: Sequence[str], paths: Sequence[Path]) -> list[str]:
    """Run ids; the names of the files where several files of a collection have one, as a default tag."""
    keys = list(zip(run_ids, datasets, strict=True))
    doubled = len({*keys}) < len(keys)
    return [path.stem for path in paths] if doubled else list(run_ids)


def _columns(source: Source) -> tuple[str, dict[str, ByTopic]] | None:
    """What `_measures` gives, from columns parted by tabs as trec_eval writes them; None where anything is unusual."""
    names = pa.dictionary(pa.int32(), pa.string())
    try:
        with source.arrow() as content:
            table = pyarrow.csv.read_csv(
                content,
                read_options=pyarrow.csv.ReadOptions(column_names=["measure", "topic", "value"], use_threads=False),
                parse_options=pyarrow.csv.ParseOptions(delimiter="\t", quote_char=False),
                convert_options=pyarrow.csv.ConvertOptions(
                    column_types={"measure": names, "topic": names, "value": pa.string()}
                ),
            ).unify_dictionaries()
        measures, measure = _coded(table["measure"])
        topics, topic = _coded(table["topic"])
        used = ~np.isin(measures, [*_TEXTS, *_COUNTS])[measure] & (topics != ALL)[topic]
        values = np.asarray(pc.cast(table["value"].filter(pa.array(used)), pa.float64()))
        _require_words(table["value"].filter(pa.array(~used)))
    except (pa.ArrowInvalid, UnicodeDecodeError):
        return None
    run_ids = np.flatnonzero((measures == "runid")[measure])
    run_id = table["value"][int(run_ids[-1])].as_py() if run_ids.size else ""
    measure, topic = measure[used], topic[used]
    different = pc.count_distinct(pa.array(measure * len(topics) + topic)).as_py()
    if not measure.size or different < measure.size or not np.isfinite(values).all():
        return None
    order = np.argsort(measure, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(measure[order])) + 1)
    parts.sort(key=lambda rows: int(rows[0]))
    return run_id, {measures[measure[rows[0]]]: (topics[topic[rows]], values[rows]) for rows in parts}


def _require_words(texts: pa.Array | pa.ChunkedArray) -> None:
    if pc.any(pc.match_substring_regex(texts, r"^$|[\x00-\x20\x7f-\xa0\p{Z}]")).as_py():
        raise pa.ArrowInvalid("not one word")


def _coded(column: pa.ChunkedArray) -> tuple[NDArray[np.object_], NDArray[np.int64]]:
    """The different names of a column, without spaces around them, and which of them each row has."""
    coded = column.combine_chunks()
    names = pc.utf8_trim(coded.dictionary, " ").dictionary_encode()
    _require_words(names.dictionary)
    return np.asarray(names.dictionary.to_numpy(zero_copy_only=False)), np.asarray(names.indices)[coded.indices]


def _measures(source: Source) -> tuple[str, dict[str, ByTopic]]:
    """The run id, and measure to topics and values."""
    run_id = ""
    measures: dict[str, dict[str, float]] = {}
    for number, line in source.lines():
        fields = line.decode("utf-8", "replace").split()
        if not fields:
            continue
        if len(fields) != 3:
            raise ReadingError(
                f"a line of {source.name!r} is not measure, topic and value", where=f"line {number:,}", remedy=BROKEN
            )
        measure, topic, value = fields
        if measure == "runid":
            run_id = value
        if topic == ALL or measure in _TEXTS or measure in _COUNTS:
            continue
        if (of_measure := measures.get(measure)) is None:
            of_measure = measures[measure] = {}
        if topic in of_measure:
            raise ReadingError(
                f"{source.name!r} has two values of {measure} of a topic",
                where=f"topic {topic!r}, line {number:,}",
                remedy="write the output of each run to a file of its own",
            )
        of_measure[topic] = _value(source, value, number)
    if not measures:
        raise ReadingError(
            f"{source.name!r} holds measures of all topics together only",
            where="every row has the topic 'all'",
            remedy="print them by topic: trec_eval -q -c QRELS RUN",
        )
    return run_id, {name: (list(of_topics), list(of_topics.values())) for name, of_topics in measures.items()}


def _value(source: Source, text: str, number: int) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not abs(value) < float("inf"):
        raise ReadingError(f"{source.name!r} holds {text!r} as a value", where=f"line {number:,}", remedy=BROKEN)
    return value


def _absent_topics(
    systems: Sequence[str], datasets: Sequence[str], topics: Sequence[Sequence[str] | NDArray[np.object_]]
) -> Iterator[Finding]:
    for dataset in dict.fromkeys(datasets):
        found = {
            system: names for system, other, names in zip(systems, datasets, topics, strict=True) if other == dataset
        }
        first = next(iter(found.values()))
        if all(np.array_equal(first, names) for names in found.values()):
            continue
        of_dataset = {system: {*names} for system, names in found.items()}
        known = set().union(*of_dataset.values())
        absent = {system: len(known - names) for system, names in of_dataset.items() if known - names}
        if absent:
            yield Finding(
                "absent-topics",
                "warning",
                f"{counted(len(absent), 'run')} without a value for some of the {len(known):,} topics: without -c, "
                "trec_eval leaves out topics for which a run has no documents.",
                where=f"collection {dataset!r}: " + some([f"{name} {n:,}" for name, n in absent.items()]),
                remedy="evaluate with trec_eval -q -c, or count these topics as 0: --missing worst",
            )


def can_read(head: bytes, path: Path) -> bool:
    """Whether the lines of a file are a measure of trec_eval, a topic and a value."""
    lines = [line for line in head.decode("utf-8", "replace").splitlines()[:40] if line.strip()]
    if len(lines) > 1 and len(head) >= 1 << 16:
        lines.pop()
    found = [_LINE.match(line.strip()) for line in lines]
    if not found or not all(found):
        return False
    measures = {match.group(1) for match in found if match}
    return any(_MEASURE.fullmatch(measure) for measure in measures)


TREC_EVAL = Harness(
    name="trec_eval",
    endings=_ENDINGS,
    read=read_trec_eval,
    can_read=can_read,
    taken=Taken(
        files="output of `trec_eval -q`, one file per run",
        system="`runid`; the name of the file where it is not there, or not different",
        dataset="folder of the file",
        instance="topic; the rows of `all` are none",
        run="–",
        metric="`map` where it is there; each measure that all files have",
        refused="output without topics (no `-q`); counts and geometric means; topics that a run lacks (no `-c`) are a "
        "warning",
    ),
)
