"""BFCL (function calling): `score/MODEL/BFCL_v4_CATEGORY_score.json`, a header and the failures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Log, Sample, Tool, harvest
from reportkit.harnesses.records import Faults, Outline, name_of

NAME = "BFCL"
_CATEGORY = re.compile(r"(?:BFCL_v\d+_)?(.+?)_score")


@dataclass(frozen=True, slots=True)
class _Category:
    """The content of one file: the number of entries, and those that failed."""

    file: File
    system: str
    category: str
    total: int
    failed: frozenset[str]


def recognises(file: File, found: Outline) -> bool:
    """Tell a file by its header."""
    return found.has("accuracy", "correct_count", "total_count")


def read(files: Sequence[File], every: Sequence[File]) -> Harvest:
    """Read failures; entries that no file names were passed by all models, and are numbered."""
    faults = Faults()
    found: list[_Category] = []
    for file in files:
        with faults.of_file(file):
            found.append(_category(file, faults))
    logs = []
    for category in dict.fromkeys(one.category for one in found):
        group = [one for one in found if one.category == category]
        total = Counter(one.total for one in group).most_common(1)[0][0]
        named = sorted({name for one in group if one.total == total for name in one.failed})
        names = [*named, *(f"passed by all, {n}" for n in range(1, total - len(named) + 1))]
        for one in group:
            if one.total != total:
                faults.files[one.file.name] = f"it holds {one.total:,} entries where other models have {total:,}"
                continue
            samples = [Sample(name, {"accuracy": float(name not in one.failed)}) for name in names]
            logs.append(Log(one.system, category, one.file, samples))
    return harvest(NAME, logs, faults, paired_on="id", nouns=("model", "category"), higher=True, used=files)


def _category(file: File, faults: Faults) -> _Category:
    header, *rows = faults.each(file, lambda record: record)
    if file.name in faults.samples:
        raise ValueError(f"a line is damaged: {faults.samples.pop(file.name)[0]}")
    failed = frozenset(name_of(row["id"]) for row in rows if row.get("valid") is not True)
    if (n := header["total_count"] - header["correct_count"]) != len(failed):
        raise ValueError(f"it lists {len(failed):,} failures where its header says {n:,}")
    named = _CATEGORY.fullmatch(file.stem)
    category = str(rows[0].get("test_category") if rows else "") or (named[1] if named else file.stem)
    return _Category(file, _model(file, rows), category, int(header["total_count"]), failed)


def _model(file: File, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the folder below `score`, else the name that the failures say, else the folder."""
    parts = file.path.absolute().parent.parts
    below = parts[parts.index("score") + 1] if "score" in parts[:-1] else parts[-1]
    return below if "score" in parts[:-1] else str(rows[0].get("model_name") if rows else "") or below


TOOL = Tool(NAME, recognises, read, ("gorilla",))
