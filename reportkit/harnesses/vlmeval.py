"""VLMEvalKit: judged predictions as Excel (or TSV, JSON), `MODEL/MODEL_DATASET_JUDGE_result.xlsx`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reportkit.harnesses.file import File, Outline
from reportkit.harnesses.logs import Batch, Log, Sample, Tool
from reportkit.harnesses.values import MALFORMED, SYSTEMS, digest, name_of

_SCORES = ("hit", "eval_score", "score", "match")
_JUDGE = re.compile(
    r"(?i)_(exact_matching|openai|(chat)?gpt[\w.-]*|qwen[\w.-]*|deepseek[\w.-]*)?(_?(result|judge|score))?$"
)


def recognises(file: File, found: Outline) -> bool:
    """Tell judged predictions by their columns, where none names systems."""
    names = {*found.record} if found.kind == "records" else {*_columns(file)} if found.kind == "other" else set()
    judged = {"index", "question", "answer", "prediction"} <= names and bool(names & {*_SCORES})
    return judged and not names & SYSTEMS


def _columns(file: File) -> list[str]:
    if file.head[:2] != b"PK" and b"\t" in file.head.partition(b"\n")[0]:
        return file.header()
    try:
        return [str(name) for name in file.table().columns] if file.path.suffix.lower() == ".xlsx" else []
    except (ImportError, *MALFORMED):
        return []


def read(batch: Batch) -> list[Log]:
    """Read the verdicts of the judge on each prediction; the names of files say model and dataset."""
    logs = batch.logs(_logs)
    for log in logs:
        log.system, log.dataset = _names(log.file, batch.files)
    return logs


def _logs(file: File, batch: Batch) -> Iterator[Log]:
    frame = file.table()
    metric = next((name for name in _SCORES if name in frame.columns), _SCORES[0])
    samples = []
    for row in frame.to_dict("records"):
        index = name_of(row["index"])
        scores = batch.numbers(file, f"index {index}", {metric: None if row[metric] == -1 else row[metric]})
        samples.append(Sample(index, scores, question=digest(str(row["question"]))))
    yield Log("", "", file, samples)


def _names(file: File, files: Sequence[File]) -> tuple[str, str]:
    """Return model and dataset of a file: parted at the name of a folder, or where the names of files differ."""
    ends = [file.stem[at:] for at, letter in enumerate(file.stem) if letter == "_"]
    shared = next((end for end in ends if len(files) > 1 and all(one.stem.endswith(end) for one in files)), "")
    folders = [part for part in file.path.absolute().parts if file.stem.startswith(f"{part}_")]
    model = max(folders, key=len) if folders else file.stem.removesuffix(shared) if shared else ""
    dataset = _JUDGE.sub("", file.stem.removeprefix(model).lstrip("_"))
    return model or file.stem, dataset or "VLMEvalKit"


TOOL = Tool(
    "VLMEvalKit", recognises, read, paired_on="index", question="question", nouns=("model", "dataset"), higher=True,
)  # fmt: skip
