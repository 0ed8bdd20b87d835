"""COMET: what `comet-score --to_json` and `comet-compare --to_json` write, one score per segment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import some
from reportkit.readers import json_content
from reportkit.readers.choosing import one_metric
from reportkit.readers.format import Harness, Taken
from reportkit.readers.frame_builder import FrameBuilder, unscored, without_rows
from reportkit.readers.harnesses.names import distinct_names
from reportkit.readers.json_content import BROKEN, member_of, score_at, text_at
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request

METRIC = "COMET"


class _Translations(NamedTuple):
    path: str
    scores: list[float | None]
    sources: list[str] | None
    references: list[str] | None


def read_comet(files: Sequence[Source], request: Request) -> Reading:
    """Read segment scores; segments pair by their place, and their sources have to be the same."""
    one_metric(request, [METRIC], [METRIC])
    by_dataset: list[tuple[Path, list[_Translations], str]] = []
    for done, source in enumerate(files, start=1):
        content = member_of(source, json_content.document(source), dict, "the whole file")
        translations = list(_compared(source, content) if "translations" in content else _scored(source, content))
        by_dataset.append((source.plain_path, translations, str(content.get("model", ""))))
        request.progress(done, len(files))
    paths = [path for path, _, _ in by_dataset]
    datasets = distinct_names([path.stem for path in paths], paths)
    frame = FrameBuilder()
    n_segments = 0
    notes: list[Finding] = []
    for dataset, (path, translations, _) in zip(datasets, by_dataset, strict=True):
        _refuse_other_sources(path, translations)
        notes += _references(dataset, translations)
        files_of_systems = [Path(one.path) for one in translations]
        systems = distinct_names([one.stem for one in files_of_systems], files_of_systems)
        for system, one in zip(systems, translations, strict=True):
            n_segments += len(one.scores)
            rows = [(str(number), score) for number, score in enumerate(one.scores, start=1) if score is not None]
            frame.add(system, dataset, [number for number, _ in rows], [score for _, score in rows], metric=METRIC)
    if not len(frame):
        raise without_rows("segment with a score", f"{len(files):,} files of COMET")
    models = sorted({model for _, _, model in by_dataset if model})
    if len(models) > 1:
        notes.append(
            Finding(
                "unequal-versions",
                "warning",
                f"The files hold scores of different models of COMET ({some(models)}).",
                remedy="score all translations with the same model",
            )
        )
    return Reading(
        frame=frame.frame(),
        format="COMET",
        metrics=dict.fromkeys(datasets, (METRIC,)),
        paired_on="segment",
        higher_is_better={METRIC: True},
        notes=(*unscored(n_segments - len(frame), "a segment's score is null or NaN"), *notes),
        nouns=("system", "test set"),
        n_files=len(files),
    )


def _scored(source: Source, content: Mapping[str, Any]) -> Iterator[_Translations]:
    """Of comet-score: path of each system's file to its segments."""
    for path, segments in content.items():
        scores: list[float | None] = []
        sources, references = [], []
        for number, segment in enumerate(member_of(source, segments, list, f"system {path!r}"), start=1):
            score = segment.get(METRIC) if isinstance(segment, dict) else None
            if type(score) is not float or not isfinite(score):
                where = f"system {path!r}, segment {number:,}"
                if METRIC not in member_of(source, segment, dict, where):
                    raise ReadingError(f"{source.name!r} holds a segment without a score", where=where, remedy=BROKEN)
                score = score_at(source, score, where)
            scores.append(score)
            sources.append(segment.get("src"))
            references.append(segment.get("ref"))
        known = None if None in references else list(map(str, references))
        yield _Translations(path, scores, list(map(str, sources)), known)


def _compared(source: Source, content: Mapping[str, Any]) -> Iterator[_Translations]:
    """Of comet-compare: one entry per system."""
    for number, one in enumerate(member_of(source, content["translations"], list, "'translations'"), start=1):
        where = f"'translations', entry {number}"
        record = member_of(source, one, dict, where)
        scores = [
            score_at(source, score, f"{where}, segment {segment:,}")
            for segment, score in enumerate(member_of(source, record.get("scores"), list, where), start=1)
        ]
        for texts in (record.get("mt"), content.get("source")):
            if isinstance(texts, list) and len(texts) != len(scores):
                raise ReadingError(
                    f"{source.name!r} does not hold one score for each segment",
                    where=f"{where}: {len(scores):,} scores, {len(texts):,} segments",
                    remedy=BROKEN,
                )
        yield _Translations(text_at(source, record, "name", where), scores, None, None)


def _refuse_other_sources(path: Path, translations: Sequence[_Translations]) -> None:
    sizes = {one.path: len(one.scores) for one in translations}
    if len({*sizes.values()}) > 1:
        raise ReadingError(
            f"systems of {path.name!r} have different numbers of segments",
            where=", ".join(f"{name!r}: {size:,}" for name, size in sizes.items()),
            remedy="score the same segments in the same order for all systems",
        )
    known = [one for one in translations if one.sources is not None]
    for one in known[1:]:
        places = known[0].sources != one.sources and [
            place
            for place, (text, other) in enumerate(zip(known[0].sources or [], one.sources or [], strict=True), start=1)
            if text != other
        ]
        if places:
            raise ReadingError(
                f"systems of {path.name!r} translate different sources: {known[0].path!r} and {one.path!r}",
                where=f"{len(places):,} segments, the first is {places[0]:,}",
                remedy="score the same segments in the same order for all systems",
            )


def _references(dataset: str, translations: Sequence[_Translations]) -> Iterator[Finding]:
    references = {tuple(one.references) for one in translations if one.references is not None}
    if len(references) > 1:
        yield Finding(
            "unequal-prompts",
            "warning",
            "Systems were scored against different references.",
            where=f"test set {dataset!r}",
            remedy="score all translations against the same references",
        )


def can_read(head: bytes, path: Path) -> bool:
    """Whether a file holds segment scores of COMET."""
    text = head.lstrip()
    of_compare = b'"statistical_results"' in head and b'"model"' in head
    return text.startswith(b"{") and (of_compare or (b'"COMET"' in head and b'"mt"' in head))


COMET = Harness(
    name="COMET",
    endings=(".json",),
    read=read_comet,
    can_read=can_read,
    taken=Taken(
        files="JSON of `comet-score --to_json` and `comet-compare --to_json`",
        system="name of the file of translations",
        dataset="name of the JSON file",
        instance="place of the segment",
        run="–",
        metric="`COMET`",
        refused="systems with other sources or another number of segments; different references are a warning",
    ),
)
