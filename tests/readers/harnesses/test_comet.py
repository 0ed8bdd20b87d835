"""COMET: both files that it writes, and that segments are the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reportkit.errors import ReadingError
from tests.readers.harnesses.laid_out import FIXTURES, codes, inspect, means, put


def segments(*scores: float | None, sources: str = "abc", ref: str = "r") -> list[dict[str, Any]]:
    """Segments as comet-score writes them."""
    return [
        {"src": source, "mt": "m", "ref": ref, "COMET": score} for source, score in zip(sources, scores, strict=False)
    ]


def test_means_are_the_scores_of_systems() -> None:
    """Of comet-score and of comet-compare."""
    for name in ("comet", "comet_compare"):
        reading = inspect(FIXTURES / name)
        for path in (FIXTURES / name).glob("*.json"):
            content = json.loads(path.read_text("utf-8"))
            scores = (
                {one["name"]: one["scores"] for one in content["translations"]}
                if "translations" in content
                else {name: [one["COMET"] for one in of_system] for name, of_system in content.items()}
            )
            for system, values in scores.items():
                assert means(reading)[Path(system).stem, path.stem] == pytest.approx(np.mean(values))


def test_other_sources_and_lengths_are_refused(tmp_path: Path) -> None:
    """Segments pair by their place, so the sources have to be the same."""
    path = put(tmp_path / "x.json", {"a.txt": segments(0.1, 0.2), "b.txt": segments(0.1, 0.2, sources="ax")})
    with pytest.raises(ReadingError, match="different sources"):
        inspect(path)
    path = put(tmp_path / "x.json", {"a.txt": segments(0.1, 0.2), "b.txt": segments(0.1)})
    with pytest.raises(ReadingError, match="different numbers of segments"):
        inspect(path)


def test_more_scores_than_segments_are_refused(tmp_path: Path) -> None:
    """Of comet-compare: which score is of which segment would not be known."""
    one = {"name": "a.txt", "mt": ["m", "n"], "scores": [0.1, 0.2]}
    content = {"model": "m", "statistical_results": [], "source": ["a", "b"], "translations": [one]}
    assert len(inspect(put(tmp_path / "x.json", content)).frame) == 2
    for changed in ({"mt": ["m"]}, {"scores": [0.1, 0.2, 0.3]}):
        with pytest.raises(ReadingError, match="one score for each segment"):
            inspect(put(tmp_path / "x.json", content | {"translations": [one | changed]}))


def test_null_is_left_out_and_other_references_are_said(tmp_path: Path) -> None:
    """A segment without a score is no 0."""
    path = put(tmp_path / "x.json", {"a/out.txt": segments(0.1, None), "b/out.txt": segments(0.1, 0.2, ref="s")})
    reading = inspect(path)
    assert len(reading.frame) == 3
    assert {*reading.frame["system"]} == {"out (a)", "out (b)"}
    assert {"unscored", "unequal-prompts"} <= codes(reading)


def test_a_text_is_no_score(tmp_path: Path) -> None:
    """The place is said."""
    with pytest.raises(ReadingError, match="'high' as a score") as refused:
        inspect(put(tmp_path / "x.json", {"a.txt": [{"src": "a", "mt": "m", "COMET": "high"}]}))
    assert "segment 1" in str(refused.value)
