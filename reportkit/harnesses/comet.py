"""COMET: what `comet-score --to_json` and `comet-compare --to_json` write, one score per segment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Log, Sample, Tool, harvest
from reportkit.harnesses.records import Faults, Outline, digest, document

NAME = "COMET"


def recognises(file: File, found: Outline) -> bool:
    """Tell scores by their segments, a comparison by its translations."""
    if found.kind != "object" or not found.record:
        return False
    return found.has("translations", "model") or all(
        isinstance(segments, list)
        and segments
        and isinstance(segments[0], Mapping)
        and {"mt", NAME} <= segments[0].keys()
        for segments in found.record.values()
    )


def read(files: Sequence[File], every: Sequence[File]) -> Harvest:
    """Read segment scores; segments pair by their place, and their sources have to be the same."""
    faults = Faults()
    logs: list[Log] = []
    for file in files:
        with faults.of_file(file):
            content = document(file)
            systems = list(_compared(content) if "translations" in content else content.items())
            if len({len(segments) for _, segments in systems}) > 1:
                raise ValueError("its systems have different numbers of segments")
            names = _short([name for name, _ in systems])
            for name, (_, segments) in zip(names, systems, strict=True):
                samples, references = [], []
                for place, one in enumerate(segments, start=1):
                    scores = faults.numbers(file, f"{name}, segment {place:,}", {NAME: one[NAME]})
                    samples.append(Sample(str(place), scores, question=digest(one["src"]) if one.get("src") else ""))
                    references.append(one.get("ref"))
                facts = {"model of COMET": content.get("model"), "references": digest(references)}
                logs.append(Log(name, file.stem, file, samples, facts=facts))
    return harvest(
        NAME,
        logs,
        faults,
        paired_on="segment",
        question="source",
        nouns=("system", "test set"),
        higher=True,
        used=files,
    )


def _compared(content: Mapping[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield name and segments of each system of `comet-compare`."""
    for one in content["translations"]:
        sources = content.get("source") or [None] * len(one["scores"])
        if len(sources) != len(one["scores"]) or len(one.get("mt", sources)) != len(sources):
            raise ValueError("it does not hold one score for each segment")
        yield one["name"], [{NAME: s, "src": src} for s, src in zip(one["scores"], sources, strict=True)]


def _short(names: Sequence[str]) -> list[str]:
    """Return the names of files without folders and endings, where they still differ."""
    stems = [PurePath(name).stem for name in names]
    return stems if len({*stems}) == len(stems) else list(names)


TOOL = Tool(NAME, recognises, read)
