"""promptfoo: the JSON of `promptfoo eval --output results.json`, a result per test, prompt and provider."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Log, Sample, Tool, harvest
from reportkit.harnesses.records import Faults, Outline, digest, document, inside, name_of

NAME = "promptfoo"


def recognises(file: File, found: Outline) -> bool:
    """Tell an evaluation by its results, which name provider and success."""
    results = _results(found.record)
    first = results[0] if isinstance(results, list) and results else None
    return isinstance(first, Mapping) and {"provider", "success"} <= first.keys()


def _results(content: Mapping[str, Any]) -> Any:
    """Return the results in an export, or in a file that holds only its summary."""
    results = content.get("results")
    return results.get("results") if isinstance(results, Mapping) else results


def read(files: Sequence[File], every: Sequence[File]) -> Harvest:
    """Read results; a system is a provider, with its prompt where there are several. Repeats of a test are runs."""
    faults = Faults()
    logs: list[Log] = []
    for file in files:
        with faults.of_file(file):
            content = document(file)
            results = _results(content)
            several = len({_prompt(one) for one in results}) > 1
            by: dict[str, list[Sample]] = {}
            first: dict[str, str] = {}
            for system, asked, test, values in faults.each(file, partial(_result, several), results):
                samples = by.setdefault(system, [])
                name = first.setdefault(asked, test)
                run = 1 + sum(sample.instance == name for sample in samples)
                samples.append(Sample(name, faults.numbers(file, f"test {test}", values), str(run), asked))
            dataset = str(inside(content, "config", "description") or NAME)
            logs += [Log(system, dataset, file, samples) for system, samples in by.items()]
    return harvest(
        NAME, logs, faults, paired_on="test", question="variables", nouns=("provider", "evaluation"),
        main=("score",), higher={"score": True, "success": True}, used=files,
    )  # fmt: skip


def _result(several: bool, one: Mapping[str, Any]) -> tuple[str, str, str, dict[str, Any]]:
    """Return system, what is asked (variables and assertions), number of the test, and scores."""
    provider = one["provider"]
    provider = provider if isinstance(provider, str) else provider.get("label") or provider["id"]
    asked = digest([one.get("vars"), inside(one, "testCase", "assert")])
    values = {**(one.get("namedScores") or {}), "score": one.get("score"), "success": one["success"]}
    if one.get("error") and not one.get("gradingResult"):
        values = dict.fromkeys(values)
    system = name_of(provider) + (f" ({_prompt(one)})" if several else "")
    return system, asked, str(one.get("testIdx", asked)), values


def _prompt(one: Mapping[str, Any]) -> str:
    text = str(inside(one, "prompt", "label") or inside(one, "prompt", "raw") or "")
    return text if 0 < len(text) <= 40 else f"prompt {one.get('promptIdx', 0)}"


TOOL = Tool(NAME, recognises, read)
