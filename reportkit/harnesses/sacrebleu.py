"""sacreBLEU: texts with references, as counts of BLEU, chrF or TER."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd

from reportkit.errors import UnknownNameError
from reportkit.harnesses.file import File, Outline
from reportkit.harnesses.logs import Batch, Harvest, Tool
from reportkit.metrics.corpus import CORPUS_METRICS
from reportkit.metrics.from_texts import METRICS_OF_TEXTS, statistics_from_texts

_ENDINGS = (".txt", ".ref", ".hyp", ".detok", ".out", "")
_REFERENCES = frozenset({"ref", "refs", "reference", "references"})


def recognises(file: File, found: Outline) -> bool:
    """Tell references by their names; the outputs are the texts next to them."""
    if found.kind != "other" or b"\0" in file.head or not file.head.strip():
        return False
    first = file.head.decode("utf-8", "replace").partition("\n")[0].strip()
    return "\t" not in first and _kind(file.path) == "reference"


def _kind(path: Path) -> str:
    """Return "reference", "source" or "output", by the words of the name; "" if it is not text.

    Examples
    --------
    >>> [_kind(Path(name)) for name in ("newstest-ref.de", "src.txt", "online-B.txt", "refs/all.txt", "a.csv")]
    ['reference', 'source', 'output', 'reference', '']
    """
    words = {*re.split(r"[\W_\d]+", path.name.casefold())}
    if path.suffix.lower() in (".csv", ".tsv", ".json", ".jsonl", ".md", ".parquet", ".xlsx", ".zip", ".bib", ".py"):
        return ""
    if words & _REFERENCES or path.parent.name.casefold() in _REFERENCES:
        return "reference"
    return "source" if words & {"src", "source", "sources"} else "output"


def read(batch: Batch) -> Harvest | None:
    """Count by segment what a metric is computed from; None if there are no outputs."""
    outputs = [file for file in batch.every if _kind(file.path) == "output" and b"\0" not in file.head]
    if not outputs:
        return None
    metric = batch.metrics[0].casefold() if batch.metrics else "bleu"
    if metric not in METRICS_OF_TEXTS:
        raise UnknownNameError("metric of texts", batch.metrics[0], METRICS_OF_TEXTS)
    sets: dict[Path, list[File]] = {}
    for file in batch.files:
        folder = file.path.parent
        sets.setdefault(folder.parent if folder.name.casefold() in _REFERENCES else folder, []).append(file)
    frames = []
    for folder, references in sets.items():
        own = [file for file in outputs if file.path.parent == folder]
        if not own and len(sets) == 1:  # the outputs are in folders of their own
            own = outputs
        texts: dict[str, list[str]] = {}
        streams = [_segments(file) for file in references]
        for file in own:
            with batch.reading(file):
                segments = _segments(file)
                if len(segments) != len(streams[0]):
                    raise ValueError(f"it has {len(segments):,} segments, the references {len(streams[0]):,}")
                name = file.stem if file.path.suffix in _ENDINGS else file.path.name
                texts[name if name not in texts else f"{file.path.parent.name}/{name}"] = segments
        if texts:
            dataset = folder.absolute().name or "test set"
            frames.append(statistics_from_texts(texts, streams, dataset=dataset, metric=metric))
    if not frames:
        remedy = "give texts with one segment per line; the name of references holds 'ref', such as ref.txt"
        raise batch.refusal("no output fits the references", remedy)
    counts = pd.concat(frames, ignore_index=True).astype({"instance": str})
    counts = counts.rename(columns={name: f"stat_{name}" for name in CORPUS_METRICS[metric].columns})
    batch.note_left_out()
    return Harvest(
        name=TOOL.name,
        frame=counts,
        directions={metric: CORPUS_METRICS[metric].higher_is_better},
        computed=metric,
        paired_on=TOOL.paired_on,
        nouns=TOOL.nouns,
        used=frozenset(batch.used),
        findings=tuple(batch.notes),
    )


def _segments(file: File) -> list[str]:
    """Return the lines; they end at a line feed and nowhere else, and an empty line is an empty segment."""
    lines = file.text.split("\n")
    return [line.removesuffix("\r") for line in (lines if lines[-1] else lines[:-1])]


TOOL = Tool("sacreBLEU", recognises, read, paired_on="line", nouns=("system", "test set"))
