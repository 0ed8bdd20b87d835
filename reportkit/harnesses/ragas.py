"""RAGAS: `evaluate(...).to_pandas()` as CSV or JSON, one row per question, a file per system."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.harnesses.file import File, Outline
from reportkit.harnesses.logs import Batch, Log, Sample, Tool
from reportkit.harnesses.values import SYSTEMS, digest

_METRIC = re.compile(
    r"(id_based_|(non_)?llm_)?context_(precision|recall|entity_recall|utilization|relevance)(_with(out)?_reference)?|"
    r"faithfulness(_with_hhem)?|(answer|response)_relevancy|answer_(correctness|similarity|relevance)|"
    r"semantic_similarity|factual_correctness(\(.*\))?|noise_sensitivity(\(.*\)|_\w+)?|summary_score|"
    r"nv_\w+|tool_call_(accuracy|f1)|agent_goal_accuracy|topic_adherence(\(.*\))?"
)
_ASKED = ("user_input", "question")


def recognises(file: File, found: Outline) -> bool:
    """Tell a table by its question and by a metric."""
    names = {*found.record} if found.kind == "records" else {*file.header()} if found.kind == "other" else set()
    answered = {"response", "retrieved_contexts", "answer", "contexts"} & names
    of_one_system = bool({*_ASKED} & names and answered) and not SYSTEMS & names
    return of_one_system and any(_METRIC.fullmatch(name.strip()) for name in names)


def read(batch: Batch) -> list[Log] | None:
    """Read the metrics of each system; questions pair by their texts. A file alone holds one system: None."""
    if len(batch.files) < 2:
        return None
    logs = batch.logs(_logs)
    if len({log.dataset for log in logs}) == len(logs) and len({log.system for log in logs}) == 1:
        for log in logs:  # SYSTEM/results.csv
            log.system, log.dataset = log.dataset, "RAGAS"
    return logs


def _logs(file: File, batch: Batch) -> Iterator[Log]:
    frame = file.table().rename(columns=lambda name: str(name).strip())
    metrics = [name for name in frame.columns if _METRIC.fullmatch(name)]
    asked = next((name for name in _ASKED if name in frame.columns), _ASKED[0])
    samples = []
    for place, row in enumerate(frame.to_dict("records"), start=1):
        scores = batch.numbers(file, f"row {place:,}", {name: row[name] for name in metrics})
        samples.append(Sample(str(place), scores, question=digest(row[asked])))
    higher = {name: not name.startswith("noise_sensitivity") for name in metrics}
    yield Log(file.stem, file.folder() or "RAGAS", file, samples, higher=higher)


TOOL = Tool("RAGAS", recognises, read, paired_on="row", question=_ASKED[0], nouns=("system", "dataset"), main=None)
