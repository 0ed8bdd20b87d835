"""SWE-bench and Multi-SWE-bench: reports of instances, reports of runs, and the `results.json` of the leaderboards."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from reportkit.errors import ReadingError
from reportkit.harnesses.file import File, Outline
from reportkit.harnesses.logs import Batch, Log, Sample, Tool
from reportkit.harnesses.values import name_of, number
from reportkit.language import counted, listed

NAME = "SWE-bench"
METRIC = "resolved"
_ID = re.compile(r"[\w.-]+__[\w.-]+-\w+")
_OTHERS = ("unresolved_ids", "empty_patch_ids", "error_ids", "unresolved", "no_generation", "no_logs", "generated")
_PLAIN = ("results", "result", "report", "final_report", "evaluation")


def recognises(file: File, found: Outline) -> bool:
    """Tell reports by their lists of ids, and lists of instances by what they hold."""
    record = found.record
    if found.kind == "records":
        return found.has("instance_id", "FAIL_TO_PASS")
    if found.kind == "object":
        lists = any(isinstance(record.get(name), list) for name in ("resolved_ids", "resolved"))
        return (lists and (found.has("resolved_ids") or any(map(found.has, _OTHERS)))) or _of_instances(record)
    words = file.head.split()[:20] if found.kind == "other" and file.path.suffix in (".txt", ".json") else []
    texts = [word.decode("utf-8", "replace").strip('[]",') for word in words]
    return bool(texts) and all(map(_ID.fullmatch, filter(None, texts)))


def _of_instances(record: Mapping[str, Any]) -> bool:
    values = list(record.values())
    return bool(values) and all(
        isinstance(one, Mapping) and "resolved" in one and any(key.startswith("patch_") for key in one)
        for one in values
    )


def read(batch: Batch) -> list[Log]:
    """Read which issues were resolved; a file that names only these needs the other instances from elsewhere."""
    logs: list[Log] = []
    reports: dict[tuple[str, str], Log] = {}
    resolved_only: list[Log] = []
    known: dict[str, None] = {}
    for file in batch.files:
        with batch.reading(file):
            content = file.json
            if not isinstance(content, dict):
                known |= dict.fromkeys(_ids(file))
            elif _of_instances(content):  # RUN_ID/MODEL/INSTANCE_ID/report.json
                run, system = ("", "", *file.path.absolute().parent.parts)[-3:-1]
                samples = [Sample(name_of(one), {METRIC: number(said["resolved"])}) for one, said in content.items()]
                log = reports.setdefault((system, run), Log(system, NAME, file, [], settings={"run": run}))
                log.samples = [*log.samples, *samples]
            else:
                log, complete = _of_lists(file, content, batch)
                (logs if complete else resolved_only).append(log)
    for log in resolved_only:
        every = known or {s.instance: None for one in logs if one.dataset == log.dataset for s in one.samples}
        scores = {s.instance: 1.0 for s in log.samples if s.scores[METRIC]}
        log.samples = [Sample(name, {METRIC: scores.get(name, 0.0)}) for name in every]
        if not every:
            batch.left_out[log.file.name] = "it names the resolved instances only"
        elif foreign := sorted(scores.keys() - every.keys()):
            batch.left_out[log.file.name] = f"it names instances that the list does not have: {listed(foreign, 3)}"
        else:
            logs.append(log)
    if resolved_only and not logs and not reports:
        raise ReadingError(
            f"{resolved_only[0].file.name!r} names the resolved instances only, not those that were not resolved",
            where=f"{counted(len(resolved_only), 'such file')}; of how many instances they are is not known",
            remedy="give a list of all instances of the dataset as well, one id per line, as a file instances.txt",
        )
    covered = {log.system for log in logs}
    alone = [log for (system, _), log in reports.items() if system not in covered]
    message = "Only instances with a report.json are counted; an empty patch or an error leaves none."
    remedy = "give MODEL.RUN_ID.json as well"
    batch.note("reports-without-run-report", message, [log.system for log in alone], remedy, severity="info")
    return [*logs, *alone]


def _of_lists(file: File, content: Mapping[str, Any], batch: Batch) -> tuple[Log, bool]:
    """Return the report of a run or of a leaderboard, and whether it names all instances."""
    lists = {key: [name_of(one) for one in value] for key, value in content.items() if isinstance(value, list)}
    resolved = lists.get("resolved_ids") or lists.get("resolved") or []
    if both := {*resolved} & {*lists.get("unresolved_ids", [])}:
        raise ValueError(f"{counted(len(both), 'instance')} both resolved and unresolved")
    scores: dict[str, float | None] = {one: 0.0 for key in _OTHERS for one in lists.get(key, [])}
    scores |= dict.fromkeys(resolved, 1.0)
    scores |= {one: None for one in lists.get("infra_failure_ids", []) if one in scores}
    for one in lists.get("incomplete_ids", []):
        if one not in scores:
            batch.sample(file, one, "it had no prediction (incomplete_ids)")
    system, dataset = file.stem.rpartition(".")[0], NAME
    if file.stem in _PLAIN or not system:
        system = file.stem if file.stem not in _PLAIN else file.folder("results")
        above = [part for part in file.path.absolute().parent.parts if part != "results"]
        dataset = (above[-2] if file.stem in _PLAIN and len(above) > 1 else "") or NAME
    complete = any(key in lists for key in ("unresolved_ids", "error_ids", "unresolved", "generated"))
    return Log(system, dataset, file, [Sample(one, {METRIC: score}) for one, score in scores.items()]), complete


def _ids(file: File) -> list[str]:
    """Return the ids of a list of instances: one per line, a JSON list, or the records of the dataset."""
    if (content := file.json) is not None:
        return [name_of(one["instance_id"] if isinstance(one, Mapping) else one) for one in content]
    return [line.strip().strip('",') for line in file.text.split() if line.strip()]


TOOL = Tool(NAME, recognises, read, paired_on="instance_id", nouns=("system", "dataset"), higher=True)
