"""Every Eval Ever: files in the layout of its data store, with the members that its schema asks for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import reportkit
from reportkit.errors import ReadingError
from tests.readers.harnesses.layouts import share

MODELS = {"toy-org/large": 0.8, "toy-org/small": 0.5}


def write(folder: Path) -> None:
    """Two models; one evaluation where lower scores are better, and one of two results of each sample."""
    for number, (model, ability) in enumerate(MODELS.items()):
        place = folder / "data" / "toy" / model
        place.mkdir(parents=True)
        name = f"5917cc37-8805-4453-bf5f-13411ea66cc{number}"
        results = [
            {"evaluation_name": "toy_qa", "metric_config": {"lower_is_better": False}, "score_details": {"score": 0.5}},
            {"evaluation_name": "toy_wer", "metric_config": {"lower_is_better": True}, "score_details": {"score": 0.5}},
        ]
        aggregate = {"schema_version": "0.2.1", "evaluation_id": f"toy/{model}/1", "evaluation_results": results}
        (place / f"{name}.json").write_text(json.dumps(aggregate))
        lines = []
        for i in range(25):
            right = share(model, i) < ability
            common = {
                "schema_version": "0.2.1",
                "evaluation_id": f"toy/{model}/1",
                "model_id": model,
                "sample_id": f"s{i}",
                "sample_hash": f"h{i}",
                "interaction_type": "single_turn",
                "input": {"raw": f"{i}?", "reference": ["a"]},
                "answer_attribution": [],
                "error": None,
            }
            for result in ("exact", "fuzzy"):
                scores = {"score": float(right), "is_correct": right}
                lines.append(
                    {**common, "evaluation_name": "toy_qa", "evaluation_result_id": result, "evaluation": scores}
                )
            scores = {"score": round(1 - ability * share(model, "wer", i), 4), "is_correct": False}
            lines.append({**common, "evaluation_name": "toy_wer", "evaluation": scores})
        (place / f"{name}_samples.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


LAYOUT = {"Every Eval Ever": write}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two models, two evaluations."""
    write(tmp_path)
    return tmp_path


def test_directions_are_those_of_the_aggregates(folder: Path) -> None:
    """Lower is better of one evaluation: both are one family, and each is compared by itself if it is named."""
    reading = reportkit.inspect(folder)
    assert reading.higher_is_better == {"score": True, "score (lower is better)": False}
    assert {block.higher_is_better for block in reportkit.read(reading).datasets} == {True, False}
    (block,) = reportkit.read(folder, metric="score (lower is better)").datasets
    assert not block.higher_is_better


def test_several_results_of_a_sample_are_not_mixed(folder: Path) -> None:
    """One result is taken, and the other is named."""
    reading = reportkit.inspect(folder, metric="is_correct")
    assert reading.other_filters == ("fuzzy",)
    assert (reading.frame["dataset"] == "toy_qa").sum() == 50
    assert reportkit.inspect(folder, filter="fuzzy").other_filters == ("exact",)


def test_a_sample_twice_is_refused(folder: Path) -> None:
    """Two evaluations of a model are not averaged."""
    path = next(folder.rglob("*_samples.jsonl"))
    path.write_text(path.read_text() * 2)
    with pytest.raises(ReadingError, match="twice"):
        reportkit.inspect(folder)


def test_samples_with_an_error_are_not_zeros(folder: Path) -> None:
    """They have no score, and are counted."""
    path = next(folder.rglob("*_samples.jsonl"))
    path.write_text(path.read_text().replace('"error": null', '"error": "timeout"', 1))
    notes = {note.code: note.message for note in reportkit.inspect(folder).notes}
    assert notes["unscored"].startswith("1 answer ")


def test_aggregates_alone_are_refused(folder: Path) -> None:
    """There is nothing to pair."""
    for path in folder.rglob("*_samples.jsonl"):
        path.unlink()
    with pytest.raises(ReadingError, match=r"_samples\.jsonl"):
        reportkit.inspect(folder)
