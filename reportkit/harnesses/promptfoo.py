"""promptfoo: the JSON of `promptfoo eval --output results.json`, a result per test, prompt and provider."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reportkit.harnesses.file import File, Outline
from reportkit.harnesses.logs import Batch, Log, Sample, Tool, logs_of
from reportkit.harnesses.values import digest, inside, name_of


def recognises(file: File, found: Outline) -> bool:
    """Tell an evaluation by its results, which name provider and success."""
    results = inside(found.record, "results", "results")
    return isinstance(results, list) and {"provider", "success"} <= results[0].keys()


def logs(file: File, batch: Batch) -> list[Log]:
    """Read results; a system is a provider, with its prompt where there are several. Repeats of a test are runs."""
    content = file.document()
    results = content["results"]["results"]
    several = len({_prompt(one) for one in results}) > 1
    dataset = str(inside(content, "config", "description") or "promptfoo")
    first: dict[tuple[str, str], str] = {}

    def row(one: Mapping[str, Any]) -> tuple[str, str, Sample]:
        provider = one["provider"]
        provider = provider if isinstance(provider, str) else provider.get("label") or provider["id"]
        system = name_of(provider) + (f" ({_prompt(one)})" if several else "")
        asked = digest([one.get("vars"), inside(one, "testCase", "assert")])
        test = str(one.get("testIdx", asked))
        values = {**(one.get("namedScores") or {}), "score": one.get("score"), "success": one["success"]}
        if one.get("error") and not one.get("gradingResult"):
            values = dict.fromkeys(values)
        name = first.setdefault((system, asked), test)
        return system, dataset, Sample(name, batch.numbers(file, f"test {test}", values), question=asked)

    return logs_of(file, batch.each(file, row, results), trials=True, higher={"score": True, "success": True})


def _prompt(one: Mapping[str, Any]) -> str:
    text = str(inside(one, "prompt", "label") or inside(one, "prompt", "raw") or "")
    return text if 0 < len(text) <= 40 else f"prompt {one.get('promptIdx', 0)}"


TOOL = Tool(
    "promptfoo", recognises, lambda batch: batch.logs(logs), paired_on="test",
    question="variables", nouns=("provider", "evaluation"), main=("score",),
)  # fmt: skip
