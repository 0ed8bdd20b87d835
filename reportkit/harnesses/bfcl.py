"""BFCL (function calling): `score/MODEL/BFCL_v4_CATEGORY_score.json`, a header and the failures."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from reportkit.harnesses.file import File, Outline
from reportkit.harnesses.logs import Batch, Log, Sample, Tool
from reportkit.harnesses.values import name_of

_CATEGORY = re.compile(r"(?:BFCL_v\d+_)?(.+?)_score")


def recognises(file: File, found: Outline) -> bool:
    """Tell a file by its header."""
    return found.has("accuracy", "correct_count", "total_count")


def read(batch: Batch) -> list[Log]:
    """Read failures; entries that no file names were passed by all models, and are numbered."""
    failures: dict[Log, frozenset[str]] = {}
    totals: dict[Log, int] = {}
    for file in batch.files:
        with batch.reading(file):
            log, failed, total = _failures(file, batch)
            failures[log], totals[log] = failed, total
    for category in dict.fromkeys(log.dataset for log in failures):
        group = [log for log in failures if log.dataset == category]
        total = Counter(totals[log] for log in group).most_common(1)[0][0]
        named = sorted({name for log in group if totals[log] == total for name in failures[log]})
        names = [*named, *(f"passed by all, {n}" for n in range(1, total - len(named) + 1))]
        for log in group:
            if totals[log] == total:
                log.samples = [Sample(name, {"accuracy": float(name not in failures[log])}) for name in names]
            else:
                said = f"it holds {totals[log]:,} entries where other models have {total:,}"
                batch.left_out[log.file.name] = said
    return list(failures)


def _failures(file: File, batch: Batch) -> tuple[Log, frozenset[str], int]:
    """Return the log, still without samples, the ids of entries that failed, and the number of all."""
    header, *rows = batch.each(file, dict)
    if damaged := batch.first_fault(file):
        raise ValueError(f"a line is damaged: {damaged}")
    failed = frozenset(name_of(row["id"]) for row in rows if row.get("valid") is not True)
    if (n := header["total_count"] - header["correct_count"]) != len(failed):
        raise ValueError(f"it lists {len(failed):,} failures where its header says {n:,}")
    named = _CATEGORY.fullmatch(file.stem)
    category = str(rows[0].get("test_category") if rows else "") or (named[1] if named else file.stem)
    return Log(_model(file, rows), category, file, []), failed, int(header["total_count"])


def _model(file: File, rows: list[dict[str, Any]]) -> str:
    """Return the folder below `score`, else the name that the failures say, else the folder."""
    *above, last = file.path.absolute().parent.parts
    if "score" in above:
        return [*above, last][above.index("score") + 1]
    return str(rows[0].get("model_name") if rows else "") or last


TOOL = Tool("BFCL", recognises, read, paired_on="id", nouns=("model", "category"), higher=True)
