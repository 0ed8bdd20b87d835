"""DeepEval: `.latest_test_run.json`, test cases with the scores of metrics; a file per system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Log, Sample, Tool, harvest
from reportkit.harnesses.records import Faults, Outline, digest, document, folder_of, name_of

NAME = "DeepEval"


def recognises(file: File, found: Outline) -> bool:
    """Tell a test run by its cases with data of metrics."""
    cases = _cases(found.record)
    return found.kind == "object" and bool(cases) and any(_data(case) for case in cases)


def _cases(content: Mapping[str, Any]) -> list[Any]:
    run = content.get("testRunData") or content
    run = run if isinstance(run, Mapping) else {}
    names = ("testCases", "test_cases", "conversationalTestCases", "conversational_test_cases")
    return [case for name in names for case in (run.get(name) or []) if isinstance(case, Mapping)]


def _data(case: Mapping[str, Any]) -> Any:
    return case.get("metricsData") or case.get("metrics_data")


def read(files: Sequence[File], every: Sequence[File]) -> Harvest:
    """Read test runs; whether higher is better is told by thresholds and successes."""
    faults = Faults()
    logs: list[Log] = []
    for file in files:
        with faults.of_file(file):
            content = document(file)
            run = content.get("testRunData") or content
            higher: dict[str, bool] = {}

            def sample(numbered: tuple[int, Any], file: File = file, higher: dict[str, bool] = higher) -> Sample:
                place, case = numbered
                data = _data(case) or []
                name = name_of(case.get("name") or str(place))
                higher |= {one["name"]: up for one in data if (up := _higher(one)) is not None}
                values = {one["name"]: None if one.get("error") else one["score"] for one in data}
                asked = case.get("input") or case.get("scenario") or case.get("turns")
                return Sample(name, faults.numbers(file, name, values), question=digest(asked) if asked else "")

            samples = faults.each(file, sample, enumerate(_cases(content)))
            dataset = str(run.get("datasetAlias") or run.get("dataset_alias") or NAME)
            logs.append(Log(_system(file, run), dataset, file, samples, higher=higher))
    return harvest(
        NAME, logs, faults, paired_on="test case", question="input", nouns=("system", "dataset"), main=None, used=files
    )


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
    return folder_of(file, ".deepeval") if plain else file.stem.lstrip(".")


TOOL = Tool(NAME, recognises, read)
