"""RAGAS: `evaluate(...).to_pandas()` as CSV or JSON, one row per question, a file per system."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Log, Sample, Tool, harvest
from reportkit.harnesses.records import SYSTEMS, Faults, Outline, digest, header, table

NAME = "RAGAS"
_METRIC = re.compile(
    r"(id_based_|(non_)?llm_)?context_(precision|recall|entity_recall|utilization|relevance)(_with(out)?_reference)?|"
    r"faithfulness(_with_hhem)?|(answer|response)_relevancy|answer_(correctness|similarity|relevance)|"
    r"semantic_similarity|factual_correctness(\(.*\))?|noise_sensitivity(\(.*\)|_\w+)?|summary_score|"
    r"nv_\w+|tool_call_(accuracy|f1)|agent_goal_accuracy|topic_adherence(\(.*\))?"
)
_ASKED = ("user_input", "question")


def recognises(file: File, found: Outline) -> bool:
    """Tell a table by its question and by a metric."""
    names = list(found.record) if found.kind == "records" else header(file) if found.kind == "other" else []
    answered = {"response", "retrieved_contexts", "answer", "contexts"} & {*names}
    of_one_system = bool({*_ASKED} & {*names} and answered) and not SYSTEMS & {*names}
    return of_one_system and any(_METRIC.fullmatch(name.strip()) for name in names)


def read(files: Sequence[File], every: Sequence[File]) -> Harvest | None:
    """Read the metrics of each system; questions pair by their texts. A file alone holds one system: None."""
    if len(files) < 2:
        return None
    faults = Faults()
    logs: list[Log] = []
    for file in files:
        with faults.of_file(file):
            frame = table(file)
            metrics = [str(name) for name in frame.columns if _METRIC.fullmatch(str(name).strip())]
            asked = next(name for name in _ASKED if name in frame.columns)
            samples = []
            for place, row in enumerate(frame.to_dict("records"), start=1):
                values: Mapping[str, object] = {name.strip(): row[name] for name in metrics}
                scores = faults.numbers(file, f"row {place:,}", values)
                samples.append(Sample(str(place), scores, question=digest(row[asked])))
            logs.append(Log(file.stem, file.path.absolute().parent.name or NAME, file, samples))
    if len({log.dataset for log in logs}) == len(logs) and len({log.system for log in logs}) == 1:
        for log in logs:  # SYSTEM/results.csv
            log.system, log.dataset = log.dataset, NAME
    names = {name for log in logs for sample in log.samples for name in sample.scores}
    higher = {name: not name.startswith("noise_sensitivity") for name in names}
    return harvest(
        NAME, logs, faults, paired_on="row", question=_ASKED[0], nouns=("system", "dataset"), main=None, higher=higher,
        used=files,
    )  # fmt: skip


TOOL = Tool(NAME, recognises, read)
