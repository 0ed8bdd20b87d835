"""`trec_eval -q`: measures by topic; the rows of all topics together are no instances."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Log, Sample, Tool, by_file, harvest
from reportkit.harnesses.records import Faults, Outline, ended, lines, tally

NAME = "trec_eval"
_NO_SCORES = {"num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret", "gm_map", "gm_bpref"}
_NO_SCORES |= {"runid", "relstring"}
_MEASURE = re.compile(
    r"num_(q|ret|rel|rel_ret)|runid|(gm_)?map(_cut_\d+)?|Rprec|bpref|recip_rank|infAP|set_\w+|"
    r"(P|recall|ndcg|ndcg_cut|iprec_at_recall|success)(_[\d.]+)?"
)
_MAIN = ("map", "ndcg_cut_10", "ndcg", "recip_rank", "P_10")


def recognises(file: File, found: Outline) -> bool:
    """Tell the output by lines of a measure, a topic and a value."""
    if found.kind != "other" or b"\0" in file.head:
        return False
    text = file.head.decode("utf-8", "replace")
    rows = [line.split() for line in text.splitlines()[:40] if line.strip()]
    measures = {row[0] for row in rows}
    known = {name for name in measures if _MEASURE.fullmatch(name)}
    return all(len(row) == 3 for row in rows[:-1]) and 2 * len(known) > len(measures)


def read(files: Sequence[File], every: Sequence[File]) -> Harvest:
    """Read what `trec_eval -q` printed, one file per system."""
    faults = Faults()
    logs: list[Log] = []
    for file in files:
        with faults.of_file(file):
            logs.append(_log(file, faults))
    return harvest(
        NAME, by_file(logs), faults, paired_on="topic", nouns=("run", "collection"), main=_MAIN, higher=True,
        used=files, findings=_absent(logs),
    )  # fmt: skip


def _log(file: File, faults: Faults) -> Log:
    tag = ""
    ended(file)
    values: dict[str, dict[str, float | None]] = {}
    for number, line in lines(file):
        parts = line.split()
        if len(parts) != 3:
            faults.sample(file, f"line {number:,}", "it is not measure, topic and value")
            continue
        measure, topic, value = parts
        tag = value if measure == "runid" else tag
        if topic == "all" or measure in _NO_SCORES:
            continue
        of_topic = values.setdefault(topic, {})
        if measure in of_topic:
            raise ValueError(f"{measure} of topic {topic} has two values: write each run to a file of its own")
        of_topic |= faults.numbers(file, f"line {number:,}", {measure: value})
    if not values:
        raise ReadingError("it holds measures of all topics together only: print them by topic, trec_eval -q -c")
    samples = [Sample(topic, scores) for topic, scores in values.items()]
    return Log(tag or file.stem, file.path.absolute().parent.name or "topics", file, samples)


def _absent(logs: Sequence[Log]) -> list[Finding]:
    """Warn of topics that trec_eval leaves out without -c, as a run has no documents for them."""
    known: dict[str, set[str]] = {}
    for log in logs:
        known.setdefault(log.dataset, set()).update(sample.instance for sample in log.samples)
    absent = {f"{log.system} on {log.dataset}": len(known[log.dataset]) - len(log.samples) for log in logs}
    message = "Runs have no value for some topics: without -c, trec_eval leaves out topics without documents."
    remedy = "evaluate with trec_eval -q -c, or count these topics as 0: --missing worst"
    return tally("absent-topics", "warning", message, absent, remedy)


TOOL = Tool(NAME, recognises, read)
