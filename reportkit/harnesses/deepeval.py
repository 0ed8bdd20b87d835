"""DeepEval: `.latest_test_run.json`, test cases with the scores of metrics; a file per system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reportkit.harnesses.file import File, Outline
from reportkit.harnesses.logs import Batch, Log, Sample, Tool
from reportkit.harnesses.values import digest, name_of


def recognises(file: File, found: Outline) -> bool:
    """Tell a test run by its cases with data of metrics."""
    return found.kind == "object" and any(case.get("metricsData") for case in _cases(_run(found.record)))


def _run(content: Mapping[str, Any]) -> Mapping[str, Any]:
    return content.get("testRunData") or content


def _cases(run: Mapping[str, Any]) -> list[Any]:
    return [case for name in ("testCases", "conversationalTestCases") for case in (run.get(name) or [])]


def logs(file: File, batch: Batch) -> Iterator[Log]:
    """Read a test run; whether higher is better is told by thresholds and successes."""
    run = _run(file.document())
    higher: dict[str, bool] = {}

    def sample(numbered: tuple[int, Any]) -> Sample:
        place, case = numbered
        name = name_of(case.get("name") or str(place))
        data = case.get("metricsData") or []
        higher.update({one["name"]: up for one in data if (up := _higher(one)) is not None})
        values = {one["name"]: None if one.get("error") else one["score"] for one in data}
        asked = case.get("input") or case.get("scenario") or case.get("turns")
        return Sample(name, batch.numbers(file, name, values), question=digest(asked))

    samples = batch.each(file, sample, enumerate(_cases(run)))
    yield Log(_system(file, run), str(run.get("datasetAlias") or "DeepEval"), file, samples, higher=higher)


def _higher(data: Mapping[str, Any]) -> bool | None:
    """Return whether a metric is better when higher: whether a success is above the threshold."""
    score, threshold, success = data.get("score"), data.get("threshold"), data.get("success")
    if score is None or threshold is None or success is None or score == threshold:
        return None
    return bool(bool(success) == (score > threshold))


def _system(file: File, run: Mapping[str, Any]) -> str:
    said = run.get("identifier")
    if isinstance(said, str) and said.strip():
        return said.strip()
    plain = file.stem.strip(".") in ("latest_test_run", "latest_run_full", "test_run")
    return file.folder(".deepeval") if plain else file.stem.lstrip(".")


TOOL = Tool(
    "DeepEval", recognises, lambda batch: batch.logs(logs), paired_on="test case",
    question="input", nouns=("system", "dataset"), main=None,
)  # fmt: skip
