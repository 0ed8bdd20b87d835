"""What real logs have: samples written twice, ids that change, values that are no numbers, settings, older runs."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reportkit.errors import ReadingError, SettingsError
from reportkit.finding import Finding
from reportkit.harnesses import Harvest, read_harness
from tests.harnesses.layouts import FIXTURES, LAYOUTS, N, _verdicts, put, put_lines, right
from tests.harnesses.test_layouts import by_main, files_in, harvested


def note(found: Harvest, code: str) -> Finding:
    """Return the one finding with this code."""
    (one,) = (one for one in found.findings if one.code == code)
    return one


def means(found: Harvest) -> dict[tuple[str, str], float]:
    """Return mean scores of what is compared."""
    return {key: round(one, 4) for key, one in by_main(found).groupby(["system", "dataset"])["score"].mean().items()}


def change(path: Path, how: Callable[[Any], object]) -> None:
    """Change JSON, or each line of JSON Lines, in place."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        records = [json.loads(line) for line in text.splitlines()]
        put_lines(path, [one for one in records if how(one) is not False])
    else:
        content = json.loads(text)
        how(content)
        path.write_text(json.dumps(content), encoding="utf-8")


# --- lm-evaluation-harness -------------------------------------------------------------------------------------------


@pytest.fixture
def lm_eval(tmp_path: Path) -> Path:
    """Two models, three tasks."""
    LAYOUTS["lm-eval"].write(tmp_path)
    return tmp_path / "lm_eval"


def test_documents_pair_on_their_hashes_where_ids_disagree(lm_eval: Path) -> None:
    """A model whose documents were shuffled is compared on equal documents; the means do not change."""
    before = means(harvested(lm_eval))
    for path in lm_eval.glob("toy-org__small/samples_toy_choice*"):
        change(path, lambda one: one.update(doc_id=29 - one["doc_id"]))
    found = harvested(lm_eval)
    assert means(found) == before
    assert note(found, "paired-on-question").where == "toy_choice"
    frame = by_main(found)
    wide = frame[frame["dataset"] == "toy_choice"].pivot(index="instance", columns="system", values="score")
    assert wide.shape == (30, 2)
    assert not wide.isna().any(axis=None)


def test_appended_copies_count_once_and_differing_ones_are_runs(lm_eval: Path) -> None:
    """lm-eval appends to its file: the same lines are dropped; lines with other scores are repeats."""
    before = means(harvested(lm_eval))
    path = next(lm_eval.glob("toy-org__small/samples_toy_choice*"))
    lines = path.read_text()
    path.write_text(lines + lines)
    found = harvested(lm_eval)
    assert means(found) == before
    assert note(found, "identical-samples").message.startswith("30 samples written more than once")
    path.write_text(
        lines + lines.splitlines()[0].replace('"acc": 1.0', '"acc": 0.0').replace('"acc": 0.0', '"acc": 0.5')
    )
    found = harvested(lm_eval)
    assert "toy_choice" in note(found, "samples-contradict").where
    assert len(by_main(found)) == len(by_main(harvested(FIXTURES / "lm_eval"))) - 1
    other = [json.loads(line) for line in lines.splitlines()]
    put_lines(path, [*other, *({**one, "acc": 1 - one["acc"]} for one in other)])
    found = harvested(lm_eval)
    frame = found.frame[(found.frame["metric"] == "acc") & (found.frame["system"] == "toy-org/small")]
    assert set(frame["run"]) == {"1", "2"}
    assert len(frame) == 60
    assert note(found, "repeats-as-runs").where == "toy-org/small"


def test_one_bad_line_leaves_out_one_sample(lm_eval: Path) -> None:
    """A line that is cut, and a score that is a text, are named; the others are read."""
    path = next(lm_eval.glob("toy-org__small/samples_toy_choice*"))
    change(path, lambda one: one.update(acc="maybe") if one["doc_id"] == 3 else None)
    path.write_text(path.read_text()[:-40])
    found = harvested(lm_eval)
    where = note(found, "samples-left-out").where
    assert "doc_id 3, acc: 'maybe' is no number" in where
    assert "record 30" in where
    assert len(by_main(found)) == len(by_main(harvested(FIXTURES / "lm_eval"))) - 2


def test_half_a_surrogate_pair_is_read(lm_eval: Path) -> None:
    """JSON may hold half of a sign, where a model was stopped within it: the id of the document has a mark there."""
    for path in lm_eval.glob("*/samples_toy_choice*"):
        path.write_text(path.read_text().replace('"doc_id": 3,', '"doc_id": "3\\ud83d",'))
    assert "3\ufffd" in set(harvested(lm_eval).frame["instance"])


def test_settings_name_two_evaluations_and_dates_choose(lm_eval: Path) -> None:
    """Other few-shot settings make another system; another date alone is an older evaluation, or a copy."""
    again = lm_eval / "again" / "toy-org__small"
    shutil.copytree(lm_eval / "toy-org__small", again)
    assert note(harvested(lm_eval), "copied-logs").message.startswith("3 evaluations")
    for path in again.glob("results*"):
        change(path, lambda content: content.update({"n-shot": dict.fromkeys(content["n-shot"], 5)}))
    for path in again.glob("samples*"):
        change(path, lambda one: one.update(acc=0.0, exact_match=0.0))
    systems = set(harvested(lm_eval).frame["system"])
    assert systems == {"toy-org/large", "toy-org/small (num_fewshot=0)", "toy-org/small (num_fewshot=5)"}
    assert "toy_choice: 5 and 0" in note(harvested(lm_eval), "unequal-number-of-few-shot-examples").where
    for path in again.iterdir():
        path.rename(lm_eval / "toy-org__small" / path.name.replace("2026-11-23", "2025-01-01"))
    found = harvested(lm_eval / "toy-org__small")
    assert {"toy-org/small (num_fewshot=0)", "toy-org/small (num_fewshot=5)"} == set(found.frame["system"])
    for path in (lm_eval / "toy-org__small").glob("results*2025*"):
        change(path, lambda content: content.update({"n-shot": dict.fromkeys(content["n-shot"], 0)}))
    found = harvested(lm_eval / "toy-org__small")
    assert set(found.frame["system"]) == {"toy-org/small"}
    assert "2025-01-01" in note(found, "older-evaluations").where


def test_filters_are_kept_apart(lm_eval: Path) -> None:
    """Readings of one answer are not averaged: the first is taken, the other can be asked for."""
    found = harvested(lm_eval)
    assert found.filter == "strict-match"
    numbers = found.frame[found.frame["dataset"] == "toy_2_numbers"]
    assert set(numbers["filter"]) == {"strict-match", "flexible-extract"}
    assert len(numbers) == 120
    for path in lm_eval.glob("toy-org__small/samples_toy_2_numbers*"):
        change(path, lambda one: one["filter"] == "flexible-extract")
    assert harvested(lm_eval).filter == "flexible-extract"  # both models have it


def test_means_give_counts(tmp_path: Path) -> None:
    """A share whose standard error is that of zeros and ones gives k of n; another mean is left out."""
    LAYOUTS["lm-eval-means"].write(tmp_path)
    for path in tmp_path.rglob("results*"):
        change(path, lambda content: content["results"]["toy"].update({"f1,none": 0.5, "f1_stderr,none": 0.01}))
    found = harvested(tmp_path)
    assert found.frame["n"].tolist() == [100, 100]
    assert found.frame["k"].tolist() == [sum(right(one, "toy", i) for i in range(100)) for one in found.frame["system"]]
    assert note(found, "means-left-out").where == "f1 of toy"
    assert "--log_samples" in note(found, "means-only").remedy


# --- Inspect ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Two models on one task, as JSON."""
    (tmp_path / "logs").mkdir()
    for path in (FIXTURES / "inspect").glob("*.json"):
        shutil.copy(path, tmp_path / "logs" / path.name)
    return tmp_path / "logs"


def test_scores_are_those_that_inspect_computed(tmp_path: Path) -> None:
    """The mean of each scorer is the one in the header, from archives as from JSON."""
    LAYOUTS["inspect"].write(tmp_path)
    frame = harvested(tmp_path).frame
    for path in (tmp_path / "inspect").glob("*.json"):
        log = json.loads(path.read_text())
        for score in log["results"]["scores"]:
            own = frame[(frame["system"] == log["eval"]["model"]) & (frame["metric"] == score["name"])]
            own = own[own["dataset"] == log["eval"]["task"].rpartition("/")[2]]
            (mean,) = (item["value"] for name, item in score["metrics"].items() if name in ("accuracy", "mean"))
            assert own["score"].mean() == pytest.approx(mean)


@pytest.mark.parametrize(
    ("value", "score"), [("C", 1), ("P", 0.5), ("I", 0), ("N", 0), (True, 1), ("0.25", 0.25), ("yes", 1), ("No", 0)]
)
def test_values_are_mapped_as_inspect_does(logs: Path, value: object, score: float) -> None:
    """Words and truth values stand for numbers."""
    for path in logs.iterdir():
        change(path, lambda log: log["samples"][0]["scores"]["includes"].update(value=value))
    frame = harvested(logs).frame
    assert set(frame[frame["instance"] == "q0"]["score"]) == {score}


def test_other_values_leave_out_the_sample(logs: Path) -> None:
    """A text that stands for no number, an error and a sample without id cost one sample each, with a warning."""

    def damage(log: dict[str, Any]) -> None:
        log["samples"][0]["scores"]["includes"]["value"] = "llm_judge"
        log["samples"][1]["error"] = {"message": "x"}
        del log["samples"][2]["id"]

    path = min(logs.iterdir())
    change(path, damage)
    found = harvested(logs)
    assert len(found.frame) == 24 - 3
    assert "'llm_judge' is no number" in note(found, "samples-left-out").where
    assert "sample-errors" in {one.code for one in found.findings}
    assert "unscored" in {one.code for one in found.findings}


def test_samples_whose_ids_change_pair_on_the_input(logs: Path) -> None:
    """Ids that are made again for each run have nothing in common; what was asked has."""
    for number, path in enumerate(logs.iterdir()):
        change(path, lambda log, number=number: [one.update(id=f"{number}-{one['id']}") for one in log["samples"]])
    found = harvested(logs)
    assert found.paired_on == "input"
    assert found.frame.groupby("instance")["system"].nunique().tolist() == [2] * 12


def test_unfinished_logs_and_settings(logs: Path) -> None:
    """Logs that were not completed are named; solvers of one model are systems, task arguments are tasks."""
    first, second = sorted(logs.iterdir())
    change(second, lambda log: log["eval"].update(model="mockllm/large", solver="self_critique"))
    assert set(harvested(logs).frame["system"]) == {
        "mockllm/large (solver=generate)",
        "mockllm/large (solver=self_critique)",
    }
    change(second, lambda log: log["eval"].update(solver="generate", task_args={"subject": "law"}))
    assert set(harvested(logs).frame["dataset"]) == {"yes_or_no", "yes_or_no (subject=law)"}
    change(first, lambda log: log.update(status="cancelled"))
    assert first.name in note(harvested(logs), "unfinished").where
    second.unlink()
    with pytest.raises(ReadingError, match=r"none of these logs[\s\S]*eval-retry"):
        harvested(logs)


def test_a_sample_written_twice_in_an_archive_counts_once(tmp_path: Path) -> None:
    """The later entry counts, with a warning."""
    for name, value in (("ada", "C"), ("bee", "I")):
        header = {"status": "success", "eval": {"model": name, "task": "t", "created": "2026"}}
        with zipfile.ZipFile(tmp_path / f"{name}.eval", "w") as archive:
            archive.writestr("header.json", json.dumps(header))
            for i in (1, 2, 3):
                sample = {"id": i, "epoch": 1, "input": f"{i}?", "scores": {"match": {"value": "I"}}}
                archive.writestr(f"samples/{i}_epoch_1.json", json.dumps(sample))
            with pytest.warns(UserWarning, match="Duplicate name"):
                archive.writestr("samples/1_epoch_1.json", json.dumps({**sample, "id": 1, "scores": {"match": value}}))
    found = harvested(tmp_path)
    assert means(found) == {("ada", "t"): 0.3333, ("bee", "t"): 0.0}
    assert "sample 1: it was written again" in note(found, "samples-left-out").where


# --- others ----------------------------------------------------------------------------------------------------------


def test_swe_bench_needs_the_unresolved(tmp_path: Path) -> None:
    """A list of resolved instances alone is refused with the file that is needed; giving it works."""
    LAYOUTS["swe-bench"].write(tmp_path)
    ids = next(tmp_path.rglob("instances.txt"))
    listed = ids.read_text()
    ids.unlink()
    with pytest.raises(ReadingError, match=r"resolved instances only[\s\S]*instances\.txt"):
        harvested(tmp_path)
    put(ids, json.dumps(listed.split()))
    assert len(harvested(tmp_path).frame) == 60


def test_multi_swe_bench_names_all_instances(tmp_path: Path) -> None:
    """Unresolved, empty and failed ones are wrong; failures of the environment have no score."""
    for system, n in (("20260101_ada", 6), ("20260102_bee", 3)):
        ids = [f"org__repo-{i}" for i in range(12)]
        content = {"total_instances": 12, "resolved": ids[:n], "unresolved_ids": ids[n:9], "empty_patch_ids": ids[9:10]}
        content |= {"error_ids": ids[10:], "infra_failure_ids": ids[11:], "incomplete_ids": ["org__repo-99"]}
        put(tmp_path / "verified" / system / "results" / "results.json", content)
    found = harvested(tmp_path)
    assert means(found) == {
        ("20260101_ada", "verified"): round(6 / 11, 4),
        ("20260102_bee", "verified"): round(3 / 11, 4),
    }
    assert {"unscored", "samples-left-out"} <= {one.code for one in found.findings}


def test_bfcl_counts_failures_of_all_models(tmp_path: Path) -> None:
    """An entry that no file names was passed by all; a header that its failures contradict is left out."""
    LAYOUTS["bfcl"].write(tmp_path)
    wide = harvested(tmp_path).frame.pivot(index="instance", columns="system", values="score")
    for i in range(N):
        name = f"simple_python_{i}"
        expected_row = [float(right(system, "simple_python", name)) for system in ("lab/ada", "lab/bee")]
        assert (wide.loc[name].tolist() if name in wide.index else [1.0, 1.0]) == expected_row
    path = next(tmp_path.rglob("*_score.json"))
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    assert "where its header says" in note(harvested(tmp_path), "files-left-out").where


def test_pairs_of_several_models_are_datasets(tmp_path: Path) -> None:
    """Each pair has its own games; both orders have to agree, an error is no verdict."""
    lines = [
        {"question_id": i, "model_1": "lab/ada", "model_2": other, "turn": 1, "judge": ["gpt-4", "pair-v2"]}
        | {"g1_winner": _verdicts(i)[0] if i else "error", "g2_winner": _verdicts(i)[1]}
        for i in range(8)
        for other in ("lab/bee", "lab/cod")
    ]
    put_lines(tmp_path / "model_judgment" / "gpt-4_pair.jsonl", lines)
    found = harvested(tmp_path)
    assert set(found.frame["dataset"]) == {"lab/ada v lab/bee", "lab/ada v lab/cod"}
    first = found.frame[found.frame["dataset"] == "lab/ada v lab/bee"]
    games = [_verdicts(i)[2] for i in range(1, 8)]
    assert first[first["system"] == "lab/ada"]["score"].tolist() == games
    assert first[first["system"] == "lab/bee"]["score"].tolist() == [1 - one for one in games]


def test_turns_of_a_question_are_one_cluster(tmp_path: Path) -> None:
    """Both turns of a question are scored; -1 is a grade that could not be parsed."""
    LAYOUTS["mt-bench"].write(tmp_path)
    path = next(tmp_path.rglob("*.jsonl"))
    change(path, lambda one: one.update(score=-1) if one["question_id"] == 81 else None)
    frame = harvested(tmp_path).frame
    assert frame["score"].min() > 0
    assert "81" not in set(frame["cluster"])
    assert frame.groupby(["system", "cluster"]).size().unique().tolist() == [2]


def test_an_alpaca_draw_is_a_half_and_baselines_have_to_agree(tmp_path: Path) -> None:
    """0 stands for a draw, 3 for nothing; other baselines are a warning."""
    for system, baseline in (("ada", "gpt4"), ("bee", "davinci")):
        records = [
            {"instruction": f"{i}?", "generator_1": baseline, "generator_2": system, "annotator": "judge"}
            | {"output_1": "x", "output_2": "y", "preference": [0, 1, 2, 1.25, None, 3][i]}
            for i in range(6)
        ]
        put(tmp_path / system / "judge" / "annotations.json", records)
    found = harvested(tmp_path)
    assert found.frame[found.frame["system"] == "ada"]["score"].tolist() == [0.5, 0.0, 1.0, 0.25]
    assert note(found, "unequal-baseline").severity == "warning"
    assert "3 is no preference" in note(found, "samples-left-out").where


def test_mteb_revisions_have_to_agree(tmp_path: Path) -> None:
    """Other data revisions are a warning."""
    LAYOUTS["mteb"].write(tmp_path)
    for path in tmp_path.rglob("toy__small/*/SciFact.json"):
        change(path, lambda content: content.update(dataset_revision="new"))
    assert "SciFact" in note(harvested(tmp_path), "unequal-data-revision").where


def test_trec_topics_without_documents_count_zero(tmp_path: Path) -> None:
    """As trec_eval -c counts; runs without judgments are refused with what is needed."""
    pytest.importorskip("ir_measures")
    LAYOUTS["trec-run"].write(tmp_path)
    frame = by_main(harvested(tmp_path))
    lost = frame[(frame["system"] == "small") & (frame["instance"] == "305")]
    assert lost["score"].tolist() == [0.0] * len(lost)
    assert len(lost)
    found = read_harness(files_in(tmp_path), ["nDCG@3"])
    assert found is not None
    assert "nDCG@3" in set(found.frame["metric"])
    with pytest.raises(SettingsError, match="nothing@3"):
        read_harness(files_in(tmp_path), ["nothing@3"])
    for path in tmp_path.rglob("qrels*"):
        path.unlink()
    with pytest.raises(ReadingError, match=r"4 runs without judgments[\s\S]*reportkit build qrels\.txt"):
        harvested(tmp_path)


def test_every_eval_ever_has_unknown_levels_and_asks_for_directions(tmp_path: Path) -> None:
    """A score of -1 is none where a level is unknown; without aggregates, the name may say the direction."""
    LAYOUTS["every-eval-ever"].write(tmp_path)
    aggregates = list(tmp_path.rglob("*.json"))
    for path in aggregates:
        change(path, lambda one: one["evaluation_results"][0]["metric_config"].update(has_unknown_level=True))
    path = next(tmp_path.rglob("*.jsonl"))
    change(path, lambda one: one["evaluation"].update(score=-1) if one["sample_id"] == "s3" else None)
    found = harvested(tmp_path)
    assert len(by_main(found)) == 2 * N - 1
    assert note(found, "unscored").message.startswith("1 score absent")
    for path in aggregates:
        path.unlink()
    found = harvested(tmp_path)
    assert found.main == {"toy_wer": "toy_wer score"}
    assert found.directions == {"is_correct": True}


def test_counts_are_those_of_sacrebleu(tmp_path: Path) -> None:
    """Their sums give the score of the corpus that sacreBLEU computes."""
    sacrebleu = pytest.importorskip("sacrebleu")
    from reportkit.metrics.corpus import CORPUS_METRICS

    LAYOUTS["sacrebleu"].write(tmp_path)
    for metric, scorer in (("bleu", sacrebleu.BLEU()), ("chrf", sacrebleu.CHRF())):
        found = read_harness(files_in(tmp_path), [metric])
        assert found is not None
        names = [f"stat_{name}" for name in CORPUS_METRICS[metric].columns]
        sums = found.frame.groupby(["system", "dataset"])[names].sum()
        for system, dataset in sums.index:
            texts = [
                (tmp_path / "sacrebleu" / dataset / f"{name}.txt").read_text().splitlines() for name in (system, "ref")
            ]
            expected = scorer.corpus_score(texts[0], [texts[1]]).score
            value = float(CORPUS_METRICS[metric](sums.loc[(system, dataset)].to_numpy(float)))
            assert value * (1 if value > 1 else 100) == pytest.approx(expected)


def test_tables_that_name_systems_are_read_as_tables(tmp_path: Path) -> None:
    """A column of models says more than the name of a file; candidates of a search are named by it."""
    put(tmp_path / "a.csv", "user_input,response,model,faithfulness\nq,a,ada,1\n")
    put(tmp_path / "b.csv", "user_input,response,model,faithfulness\nq,a,bee,0\n")
    assert read_harness(files_in(tmp_path)) is None
    put(tmp_path / "references.txt", "Post 2018\n")  # no reference of translations
    put(tmp_path / "c.tsv", "index\tquestion\tanswer\tprediction\thit\tmodel\n1\tq\tA\tA\t1\tada\n")
    assert read_harness(files_in(tmp_path)) is None
    put(tmp_path / "d.csv", "model,split0_test_score,split1_test_score\nada,1,0.5\nbee,0.5,0.5\n")
    assert means(harvested(tmp_path)) == {("model=ada", "d"): 0.75, ("model=bee", "d"): 0.5}


def test_folds_of_candidates(tmp_path: Path) -> None:
    """A failed fit (NaN) is one fold without a score; a split that is absent leaves out the file."""
    LAYOUTS["cv-results"].write(tmp_path)
    path = next(tmp_path.rglob("wine.csv"))
    before = path.read_text()
    header, first, *rest = before.splitlines()
    cells = first.split(",")
    cells[header.split(",").index("split3_test_score")] = "nan"
    path.write_text("\n".join([header, ",".join(cells), *rest]) + "\n")
    found = harvested(tmp_path)
    assert len(found.frame) == 39
    assert "unscored" in {one.code for one in found.findings}
    path.write_text(before.replace("split3_test_score", "split13_test_score"))
    assert "a split are absent" in note(harvested(tmp_path), "files-left-out").where


# --- cases from real life --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "expected", "n"),
    [
        ("deepeval", {("ada", "DeepEval"): 0.97, ("bee", "DeepEval"): 0.64}, 8),
        ("inspect_chat_ids/logs", {("lab/ada", "quiz"): 0.9, ("lab/bee", "quiz"): 0.4}, 10),
        ("inspect_written_twice/logs", {("lab/ada", "quiz"): 0.9, ("lab/bee", "quiz"): 0.4}, 10),
        ("promptfoo", {("lab:ada", "promptfoo"): 0.875, ("lab:bee", "promptfoo"): 0.625}, 8),
        (
            "swe_unresolved_ids/verified",
            {("20260101_ada", "verified"): round(7 / 12, 4), ("20260102_bee", "verified"): round(2 / 12, 4)},
            12,
        ),
        (
            "terminal_bench/results",
            {("20260101_ada", "core@0.1"): round(10 / 12, 4), ("20260102_bee", "core@0.1"): round(5 / 12, 4)},
            12,
        ),
    ],
)
def test_cases(shared: Path, case: str, expected: dict[tuple[str, str], float], n: int) -> None:
    """Each has its right systems, scores and number of common instances."""
    found = harvested(shared / "cases" / case)
    assert means(found) == expected
    assert by_main(found).groupby("instance")["system"].nunique().tolist() == [2] * n


@pytest.mark.slow
def test_case_of_large_mteb_files(shared: Path) -> None:
    """All 1,618 pairs of task and subset are read; ada is better on 1,600 of them."""
    found = harvested(shared / "cases" / "json_over_64k" / "results")
    wide = by_main(found).pivot(index="dataset", columns="system", values="score")
    assert len(wide) == 1618
    assert (wide["lab/ada"] > wide["lab/bee"]).sum() == 1600
