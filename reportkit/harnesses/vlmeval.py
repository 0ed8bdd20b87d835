"""VLMEvalKit: judged predictions as Excel (or TSV, JSON), `MODEL/MODEL_DATASET_JUDGE_result.xlsx`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Log, Sample, Tool, harvest
from reportkit.harnesses.records import MALFORMED, SYSTEMS, Faults, Outline, digest, header, name_of, table

NAME = "VLMEvalKit"
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
        return header(file)
    try:
        return [str(name) for name in table(file).columns] if file.path.suffix.lower() == ".xlsx" else []
    except (ImportError, *MALFORMED):
        return []


def read(files: Sequence[File], every: Sequence[File]) -> Harvest:
    """Read the verdicts of the judge on each prediction."""
    faults = Faults()
    logs: list[Log] = []
    names = _names(files)
    for file in files:
        with faults.of_file(file):
            frame = table(file)
            metric = next(name for name in _SCORES if name in frame.columns)
            samples = []
            for row in frame.to_dict("records"):
                index = name_of(row["index"])
                value: Any = row[metric]
                scores = faults.numbers(file, f"index {index}", {metric: None if value == -1 else value})
                samples.append(Sample(index, scores, question=digest(str(row["question"]))))
            logs.append(Log(*names[file.name], file, samples))
    return harvest(NAME, logs, faults, paired_on="index", nouns=("model", "dataset"), higher=True, used=files)


def _names(files: Sequence[File]) -> dict[str, tuple[str, str]]:
    """Return model and dataset of each file: parted at the name of a folder, or where the names of files differ."""
    first = files[0].stem
    ends = [first[at:] for at, letter in enumerate(first) if letter == "_"]
    shared = next((end for end in ends if len(files) > 1 and all(file.stem.endswith(end) for file in files)), "")
    found = {}
    for file in files:
        folders = [part for part in file.path.absolute().parts if file.stem.startswith(f"{part}_")]
        model = max(folders, key=len) if folders else file.stem.removesuffix(shared) if shared else ""
        dataset = _JUDGE.sub("", file.stem.removeprefix(model).lstrip("_"))
        found[file.name] = (model or file.stem, dataset or NAME)
    return found


TOOL = Tool(NAME, recognises, read, ("vlmevalkit",))
