"""HELM: files in its layout, with the members that its writer gives them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import reportkit
from reportkit.errors import ReadingError
from tests.readers.harnesses.layouts import share

MODELS = {"openai/gpt2": 0.5, "toy-org/large": 0.8}
SCENARIOS = {"mmlu:subject=philosophy,method=multiple_choice_joint": 1, "narrative_qa": 2}


def _stat(name: str, value: float, **more: object) -> dict:
    sums = {"count": 1, "sum": value, "sum_squared": value**2, "min": value, "max": value, "mean": value}
    return {"name": {"name": name, "split": "test", **more}, **sums, "variance": 0.0, "stddev": 0.0}


def write(folder: Path) -> None:
    """Two models on two scenarios, one of them with two trials and with a perturbed variant of each instance."""
    for model, ability in MODELS.items():
        for scenario, n_trials in SCENARIOS.items():
            name = f"{scenario}{',' if ':' in scenario else ':'}model={model.replace('/', '_')}"
            run = folder / "runs" / "v1" / name
            run.mkdir(parents=True)
            records = []
            for trial in range(n_trials):
                for i in range(24):
                    right = float(share(model, scenario, trial, i) < ability)
                    stats = [_stat("num_prompt_tokens", 300.0 + i), _stat("exact_match", right)]
                    if i != 3:
                        stats.append(_stat("f1_score", round((1 + share(model, i)) * (right + 1) / 4, 3)))
                    records.append({"instance_id": f"id{i}", "train_trial_index": trial, "stats": stats})
                    if n_trials > 1:
                        variant = {"name": "typos"}
                        records.append(
                            {"instance_id": f"id{i}", "perturbation": variant, "train_trial_index": trial}
                            | {"stats": [_stat("exact_match", 0.0, perturbation=variant)]}
                        )
            spec = {
                "name": name,
                "scenario_spec": {"class_name": "helm.benchmark.scenarios.Toy", "args": {}},
                "adapter_spec": {"method": "generation", "num_train_trials": n_trials, "model": model},
                "metric_specs": [{"class_name": "Basic", "args": {"names": ["exact_match", "f1_score"]}}],
            }
            (run / "per_instance_stats.json").write_text(json.dumps(records, indent=2))
            (run / "run_spec.json").write_text(json.dumps(spec, indent=2))
            (run / "stats.json").write_text(json.dumps([_stat("exact_match", ability)]))


LAYOUT = {"HELM": write}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two models, two scenarios."""
    write(tmp_path)
    return tmp_path


def test_trials_are_runs_and_variants_no_instances(folder: Path) -> None:
    """Perturbed variants are left out with a word; two trials are two runs."""
    reading = reportkit.inspect(folder)
    frame = reading.frame
    assert (
        frame[frame["dataset"] == "narrative_qa"].groupby(["system", "seed"], observed=True).size().tolist() == [24] * 4
    )
    assert "narrative_qa (96)" in next(note.where for note in reading.notes if note.code == "perturbed")
    right = frame[(frame["system"] == "openai/gpt2") & (frame["dataset"] == "narrative_qa")]["score"].mean()
    expected = [share("openai/gpt2", "narrative_qa", trial, i) < 0.5 for trial in range(2) for i in range(24)]
    assert right == sum(expected) / 48


def test_statistics_of_requests_are_scores_only_if_asked_for(folder: Path) -> None:
    """The first metric that the run was asked for is taken; numbers of tokens on request."""
    assert reportkit.inspect(folder).all_metrics == ("exact_match",)
    assert reportkit.inspect(folder).other_metrics == ("f1_score",)
    assert reportkit.inspect(folder, metric="num_prompt_tokens").frame["score"].min() == 300


def test_a_statistic_that_was_not_written_is_not_zero(folder: Path) -> None:
    """HELM leaves out what is NaN: the instance has no row, and is counted."""
    reading = reportkit.inspect(folder, metric="f1_score")
    assert "id3" not in set(reading.frame["instance"])
    assert "unscored" in {note.code for note in reading.notes}
    for path in folder.rglob("per_instance_stats.json"):  # of which nothing but its request is known
        records = json.loads(path.read_text())
        records[0]["stats"] = records[0]["stats"][:1]
        path.write_text(json.dumps(records))
    assert "unscored" in {note.code for note in reportkit.inspect(folder, metric="exact_match").notes}


def test_the_name_of_the_run_says_the_model(folder: Path) -> None:
    """Without run_spec.json the folder does."""
    before = reportkit.inspect(folder).frame["system"].unique()
    for path in folder.rglob("run_spec.json"):
        path.unlink()
    assert list(reportkit.inspect(folder).frame["system"].unique()) == list(before)


def test_two_suites_are_refused(folder: Path) -> None:
    """The same run twice is not averaged."""
    (folder / "runs" / "v2").symlink_to(folder / "runs" / "v1")
    with pytest.raises(ReadingError, match="more than once"):
        reportkit.inspect(folder / "runs" / "v1", folder / "runs" / "v2" / "narrative_qa:model=openai_gpt2")


def test_aggregates_alone_are_refused(folder: Path) -> None:
    """stats.json holds means."""
    for path in folder.rglob("per_instance_stats.json"):
        path.unlink()
    with pytest.raises(ReadingError, match=r"per_instance_stats\.json"):
        reportkit.inspect(folder)
