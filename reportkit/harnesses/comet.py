"""COMET: what `comet-score --to_json` and `comet-compare --to_json` write, one score per segment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from reportkit.harnesses.file import File, Outline
from reportkit.harnesses.logs import Batch, Log, Sample, Tool
from reportkit.harnesses.values import digest


def recognises(file: File, found: Outline) -> bool:
    """Tell scores by their segments, a comparison by its translations."""
    if found.kind != "object" or not found.record:
        return False
    return found.has("translations", "model") or all(
        isinstance(segments, list) and isinstance(segments[0], Mapping) and {"mt", "COMET"} <= segments[0].keys()
        for segments in found.record.values()
    )


def logs(file: File, batch: Batch) -> Iterator[Log]:
    """Read segment scores; segments pair by their place, and their sources have to be the same."""
    content = file.document()
    systems = dict(_compared(content) if "translations" in content else content)
    if len({len(segments) for segments in systems.values()}) > 1:
        raise ValueError("its systems have different numbers of segments")
    short = {PurePath(name).stem for name in systems}
    for name, segments in systems.items():
        samples = []
        for place, one in enumerate(segments, start=1):
            scores = batch.numbers(file, f"{name}, segment {place:,}", {"COMET": one["COMET"]})
            samples.append(Sample(str(place), scores, question=digest(one.get("src"))))
        facts = {"model of COMET": content.get("model"), "references": digest([one.get("ref") for one in segments])}
        system = PurePath(name).stem if len(short) == len(systems) else name
        yield Log(system, file.stem, file, samples, facts=facts)


def _compared(content: Mapping[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield name and segments of each system of `comet-compare`."""
    for one in content["translations"]:
        sources = content.get("source") or [None] * len(one["scores"])
        if len(sources) != len(one["scores"]) or len(one.get("mt", sources)) != len(sources):
            raise ValueError("it does not hold one score for each segment")
        yield one["name"], [{"COMET": s, "src": src} for s, src in zip(one["scores"], sources, strict=True)]


TOOL = Tool(
    "COMET", recognises, lambda batch: batch.logs(logs), paired_on="segment",
    question="source", nouns=("system", "test set"), higher=True,
)  # fmt: skip
