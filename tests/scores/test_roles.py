"""Kinds of files that people hold, each in small: what is read at once, and what is asked."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from reportkit.cli.main import group
from reportkit.errors import ReportkitError
from reportkit.scores.reading import Reading
from tests.scores.reading import as_typed

SYSTEMS = ("ada", "bee", "cod")
RNG = np.random.default_rng(3)


def scores(n: int) -> list[float]:
    """Random scores from 0 to 1."""
    return [round(float(value), 3) for value in RNG.random(n)]


def flags(n: int) -> list[int]:
    """Random right or wrong, some of each."""
    return [int(place % 3 > 0) for place in RNG.permutation(n)]


def long(datasets: tuple[str, ...] = ("news", "law"), n: int = 20, **more: Any) -> pd.DataFrame:
    """Rows of three systems on some datasets, without scores."""
    rows = [(s, d, i) for s in SYSTEMS for d in datasets for i in range(n)]
    return pd.DataFrame(rows, columns=["model", "dataset", "id"]).assign(**more)


def written(folder: Path, files: dict[str, pd.DataFrame | str]) -> Path:
    """Write files; the path of the one file, or of the folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.write_text(content)
        elif name.endswith(".jsonl"):
            content.to_json(path, orient="records", lines=True)
        else:
            content.to_csv(path, index=False)
    return folder / next(iter(files)) if len(files) == 1 else folder


def read(folder: Path, files: dict[str, pd.DataFrame | str] | pd.DataFrame, options: str = "") -> Reading:
    """Read files as typed."""
    path = written(folder, files if isinstance(files, dict) else {"results.csv": files})
    return as_typed(f"reportkit inspect {shlex.quote(str(path))} {options}")


def question(
    folder: Path, files: dict[str, pd.DataFrame | str] | pd.DataFrame, options: str = ""
) -> tuple[str, list[Reading]]:
    """The question about files, and what each of its commands reads."""
    with pytest.raises(ReportkitError) as raised:
        read(folder, files, options)
    commands = re.findall(r"reportkit inspect .*", str(raised.value))
    return str(raised.value), [as_typed(command) for command in commands]


def sizes(reading: Reading) -> dict[str, int]:
    """Instances by dataset."""
    return reading.frame.groupby("dataset", observed=True)["instance"].nunique().to_dict()


class TestSystems:
    """What names the systems."""

    def test_two_columns_of_unknown_name_are_a_question(self, tmp_path: Path) -> None:
        """Two columns of unknown name are a question."""
        frame = long(("news",), acc=scores(60)).rename(columns={"model": "foo"}).drop(columns="dataset")
        both = pd.concat([frame.assign(bar=name) for name in ("x", "y", "z")])
        text, readings = question(tmp_path, both.assign(acc=scores(180)))
        assert "'foo' or 'bar' could name the systems" in text
        assert {tuple(sorted(one.names("system"))) for one in readings} == {SYSTEMS, ("x", "y", "z")}

    def test_a_printed_table_without_datasets_is_a_question(self, tmp_path: Path) -> None:
        """The command that the question gives reads the table."""
        text, (reading,) = question(tmp_path, {"t.csv": "data\\set,score_a,score_b,p_value\nBC,90.7,89.0,0.001\n"})
        assert "no column names the datasets of the printed table" in text
        assert (reading.form, reading.columns["dataset"]) == ("printed", "data\\set")


class TestDatasetsAndInstances:
    """What names datasets and instances, and what rows are left out."""

    def test_folders_and_files_by_what_they_share(self, tmp_path: Path) -> None:
        """Systems answer the same questions; datasets do not."""
        n = {"news": 12, "law": 20}
        files = {f"{d}/{s}.csv": pd.DataFrame({"id": range(n[d]), "em": flags(n[d])}) for s in SYSTEMS for d in n}
        reading = read(tmp_path, files)
        assert (set(reading.names("system")), sizes(reading)) == (set(SYSTEMS), n)

    def test_rows_without_ids_are_a_question(self, tmp_path: Path) -> None:
        """Rows without ids are a question."""
        files: dict[str, pd.DataFrame | str] = {f"{name}.csv": pd.DataFrame({"score": scores(20)}) for name in SYSTEMS}
        text, (reading,) = question(tmp_path, files)
        assert "no column says which rows" in text
        assert sizes(reading) == {tmp_path.name: 20}

    def test_rows_of_averages_are_left_out(self, tmp_path: Path) -> None:
        """Rows of averages are left out."""
        rows = pd.DataFrame({"model": ["ada"], "dataset": ["news"], "id": ["avg"], "score": [0.5]})
        assert sizes(read(tmp_path, pd.concat([long(score=scores(120)), rows]))) == {"news": 20, "law": 20}
        (tmp_path / "2").mkdir()
        assert sizes(read(tmp_path / "2", long(("news", "law", "ALL"), score=scores(180)))) == {"news": 20, "law": 20}
        (tmp_path / "3").mkdir()
        assert sizes(read(tmp_path / "3", long(("news", "sum"), score=scores(120)))) == {"news": 20, "sum": 20}

    def test_epochs_are_a_question(self, tmp_path: Path) -> None:
        """Epochs are a question."""
        frame = pd.concat([long(acc=scores(120)).assign(epoch=epoch) for epoch in (1, 2, 3)])
        text, (reading,) = question(tmp_path, frame)
        assert "if epoch counts repetitions or runs" in text
        assert reading.frame["seed"].nunique() == 3


class TestScores:
    """What is the score, and which way is better."""

    def test_the_user_comes_first(self, tmp_path: Path) -> None:
        """The user comes first."""
        assert read(tmp_path, long(wer=scores(120)), "--higher-is-better wer").directions == {"wer": True}

    @pytest.mark.parametrize("values", [scores(120), flags(120)])
    def test_sentinels_are_no_scores(self, tmp_path: Path, values: np.ndarray) -> None:
        """Sentinels are no scores, among shares and among right and wrong answers."""
        frame = long(score=values)
        frame.loc[frame.index[:6], "score"] = -1
        reading = read(tmp_path, frame)
        assert reading.frame["score"].isna().sum() == 6
        assert "no-scores" in {note.code for note in reading.findings}

    def test_scores_beside_labels_are_a_question(self, tmp_path: Path) -> None:
        """Scores next to labels are a question."""
        frame = pd.DataFrame({"id": range(40), "label": flags(40), "ours": flags(40), "base": flags(40)})
        text, (as_scores, as_labels) = question(tmp_path, frame)
        assert "'label' may be what is right, or only describe the instances" in text
        means = as_scores.frame.groupby("system", observed=True)["score"].mean()
        assert means["ours"] == pytest.approx(frame["ours"].mean())
        right = as_labels.frame.groupby("system", observed=True)["score"].mean()
        assert right["ours"] == pytest.approx((frame["ours"] == frame["label"]).mean())

    def test_printed_shares_with_n(self, tmp_path: Path) -> None:
        """Of the whole numbers that round to a share, the worst for the claim."""
        frame = pd.DataFrame({"model": ["ada", "bee"], "dataset": "c", "acc": [55.0, 58.2], "n": [2000, 2000]})
        reading = read(tmp_path, frame)
        assert reading.frame.set_index("system")["k"].to_dict() == {"ada": 1101, "bee": 1163}
        (tmp_path / "2").mkdir()
        reading = read(tmp_path / "2", frame.assign(n=5000))
        assert reading.frame.set_index("system")["k"].to_dict() == {"ada": 2752, "bee": 2908}

    def test_a_rounded_share_of_three_systems_is_a_question(self, tmp_path: Path) -> None:
        """Which whole number is the worst depends on which two are compared; the command says it."""
        frame = pd.DataFrame({"model": SYSTEMS * 2, "dataset": ["c"] * 3 + ["d"] * 3, "n": 1000})
        frame["acc"] = [0.73, 0.7, 0.6, 0.8, 0.79, 0.5]
        text, readings = question(tmp_path, frame)
        assert "6 shares fit several numbers of right answers" in text
        assert [sorted(one.names("system")) for one in readings] == [["ada", "bee"]]
        own = readings[0].frame.set_index(["dataset", "system"])["k"].to_dict()
        assert own["c", "ada"] == 725
        assert own["c", "bee"] == 705


class TestPredictions:
    """Predictions with gold: labels, sets of labels, numbers, texts."""

    def frame(self, gold: list[Any], predicted: dict[str, list[Any]]) -> pd.DataFrame:
        """Rows of several systems with the same gold."""
        parts = [
            pd.DataFrame({"model": name, "id": range(len(gold)), "gold": gold, "prediction": own})
            for name, own in predicted.items()
        ]
        return pd.concat(parts)

    def test_labels(self, tmp_path: Path) -> None:
        """Labels."""
        gold = ["x", "y"] * 10
        reading = read(tmp_path, self.frame(gold, {"a": gold, "b": ["x"] * 20}))
        assert reading.frame.groupby("system", observed=True)["score"].mean().to_dict() == {"a": 1.0, "b": 0.5}

    def test_sets_of_labels_some_of_them_empty(self, tmp_path: Path) -> None:
        """Sets of labels some of them empty."""
        gold = ["x;y", "", "y", "x"] * 5
        reading = read(tmp_path, self.frame(gold, {"a": gold, "b": ["x", "", "y;x", ""] * 5}))
        sums = reading.frame.groupby("system", observed=True)[["stat_tp", "stat_fp", "stat_fn"]].sum()
        assert sums.loc["b"].to_list() == [10, 5, 10]
        assert sums.loc["a"].to_list() == [20, 0, 0]

    def test_numbers(self, tmp_path: Path) -> None:
        """Numbers."""
        gold = [value * 1.5 for value in range(20)]
        reading = read(tmp_path, self.frame(gold, {"a": gold, "b": [value + 0.25 for value in gold]}))
        assert reading.frame.groupby("system", observed=True)["score"].mean().to_dict() == {"a": 0.0, "b": 0.25}
        assert reading.directions == {"absolute error": False}

    def test_short_texts(self, tmp_path: Path) -> None:
        """Short texts."""
        gold = [f"The town {value}" for value in range(20)]
        reading = read(tmp_path, self.frame(gold, {"a": [text.lower() for text in gold], "b": ["town 3"] * 20}))
        assert reading.frame.groupby("system", observed=True)["score"].sum().to_dict() == {"a": 20, "b": 1}

    def test_token_f1_is_that_of_squad(self, tmp_path: Path) -> None:
        """Token f1 is that of squad."""
        pytest.importorskip("rapidfuzz", reason="the extra [asr] is not installed")
        gold = [f"{value} red houses on a hill that nobody knows" for value in range(20)]
        text, readings = question(tmp_path, self.frame(gold, {"a": gold, "b": [one[:12] for one in gold]}), "")
        assert "by which metric?" in text
        f1 = readings[1].frame.groupby("system", observed=True)["score"].mean()
        assert f1["a"] == 1
        assert f1["b"] == pytest.approx((2 * 3 / (3 + 8) + 2 * 2 / (3 + 8)) / 2)


class TestBattles:
    """Judged pairs."""

    def test_both_orders_are_averaged(self, tmp_path: Path) -> None:
        """Both orders are averaged."""
        rows = [("x", "y", 1, "A"), ("y", "x", 1, "A"), ("x", "y", 2, "A"), ("y", "x", 2, "B"), ("x", "y", 3, "tie")]
        reading = read(tmp_path, pd.DataFrame(rows, columns=["model_a", "model_b", "question_id", "winner"]))
        own = reading.frame[reading.frame["system"] == "x"].set_index("instance")["score"]
        assert own.to_dict() == {"1": 0.5, "2": 1.0, "3": 0.5}

    def test_an_unknown_verdict_is_an_error(self, tmp_path: Path) -> None:
        """An unknown verdict is an error."""
        rows = [("x", "y", 1, "A"), ("x", "y", 2, "zork")]
        text, _ = question(tmp_path, pd.DataFrame(rows, columns=["model_a", "model_b", "id", "winner"]))
        assert "'zork'" in text


class TestWhatIsNoSystemAndNoDataset:
    """Columns and files that look like results of systems, and are not."""

    def test_an_index_without_a_header_names_the_rows(self, tmp_path: Path) -> None:
        """As pandas writes a frame whose index names the systems."""
        frame = pd.DataFrame({"law": scores(6), "news": scores(6)}, index=[f"llm_{i}b" for i in range(6)])
        reading = read(tmp_path, {"scores.csv": frame.to_csv()}, "--across-datasets")
        assert reading.names("dataset") == ["law", "news"]
        assert len(reading.names("system")) == 6

    def test_a_name_of_one_system_each_is_no_dataset(self, tmp_path: Path) -> None:
        """A leaderboard of teams with the name of their best run."""
        frame = pd.DataFrame({"rank": range(1, 9), "team": [f"t{i}" for i in range(8)], "score": scores(8)})
        frame = frame.assign(exact_match=scores(8), model=["qwen", "gemma"] * 4, best_run=[f"r{i}" for i in range(8)])
        text, _ = question(tmp_path, frame)
        assert "each team has one number per metric" in text

    def test_a_setting_that_repeats_instances_is_no_dataset(self, tmp_path: Path) -> None:
        """Where a column is named dataset, another is none."""
        frame = pd.concat([long(score=scores(120)).assign(tier=tier) for tier in ("default", "tuned")])
        text, readings = question(tmp_path, frame)
        assert "rows of one model differ in tier" in text
        assert "keep the rows of one tier" in text
        assert not readings

    def test_names_of_runs_are_no_seeds(self, tmp_path: Path) -> None:
        """A board with a row per run is no comparison of two modes."""
        frame = pd.DataFrame({"run": [f"r{i}" for i in range(12)], "mode": ["lora", "full"] * 6})
        reading = read(tmp_path, frame.assign(mmlu=scores(12), arc=scores(12)), "--across-datasets")
        assert len(reading.names("system")) == 12

    def test_means_of_settings_are_no_sample(self, tmp_path: Path) -> None:
        """Rows that differ by two settings are not unpaired instances."""
        rows = [(s, p, t) for s in SYSTEMS for p in ("cot", "zero") for t in ("boolq", "copa")]
        frame = pd.DataFrame(rows, columns=["model", "prompt_style", "task"]).assign(accuracy=scores(12))
        text, readings = question(tmp_path, frame)
        assert "rows of one model differ in prompt_style" in text
        assert not readings

    def test_numbers_in_the_first_line_are_no_names(self, tmp_path: Path) -> None:
        """A file without a header."""
        text, _ = question(tmp_path, {"scores.csv": "0.5\n0.25\n0.75\n"})
        assert "has no header" in text

    def test_two_lines_of_header_are_said(self, tmp_path: Path) -> None:
        """As pandas writes columns of two levels."""
        text, _ = question(tmp_path, {"scores.csv": ",acc,acc\n,mean,std\nmodel,,\nada,0.5,0.1\nbee,0.6,0.1\n"})
        assert "two columns are called 'acc'" in text


class TestWhatPublicFilesHold:
    """Kinds of files that people publish, each in small."""

    def test_labels_are_held_against_what_is_expected(self, tmp_path: Path) -> None:
        """And not against a category of the texts."""
        gold = ["toxic", "fine"] * 10
        frame = pd.DataFrame({"pair_id": range(20), "category": ["toxic", "fine", "doubtful", "fine"] * 5})
        frame = frame.assign(expected_label=gold, bert_label=gold, detox_label=["fine"] * 20)
        reading = read(tmp_path, frame)
        means = reading.frame.groupby("system", observed=True)["score"].mean().to_dict()
        assert means == {"bert_label": 1.0, "detox_label": 0.5}

    def test_a_metric_of_labels_is_computed_beside_a_score(self, tmp_path: Path) -> None:
        """If it is asked for; else the score is taken."""
        frame = long(prediction=["x", "y", "y"] * 40, gold=["x", "y"] * 60, bleu=scores(120))
        assert read(tmp_path, frame).columns["score"] == "bleu"
        assert read(tmp_path, frame, "--metric accuracy").columns["prediction"] == "prediction"

    def test_a_score_that_few_rows_have_is_no_alternative(self, tmp_path: Path) -> None:
        """The first answer of those that answered twice."""
        frame = long(correct=flags(120), initial_correct=flags(120))
        frame.loc[frame["model"] != "ada", "initial_correct"] = np.nan
        assert read(tmp_path, frame).names("metric") == ["correct"]

    def test_settings_are_no_instances(self, tmp_path: Path) -> None:
        """Three features of text are no sample."""
        rows = [(f"{m}_{f}", m, f) for m in SYSTEMS for f in ("bow", "tfidf", "ngram")]
        frame = pd.DataFrame(rows, columns=["experiment", "model", "feature"]).assign(accuracy=scores(9), f1=scores(9))
        text, readings = question(tmp_path, frame)
        assert "rows of one model differ in feature" in text
        assert not readings

    def test_means_by_several_metrics_ask_once(self, tmp_path: Path) -> None:
        """The command names the metric and the comparison across datasets."""
        frame = pd.DataFrame([(s, d) for s in SYSTEMS for d in "pqrstu"], columns=["model", "dataset"])
        text, readings = question(tmp_path, frame.assign(accuracy=scores(18), fpr=scores(18)))
        assert text.count("--across-datasets") == 2
        assert [one.directions for one in readings] == [{"accuracy": True}, {"fpr": False}]

    def test_folders_of_systems_without_ids_are_a_question(self, tmp_path: Path) -> None:
        """What the folders name is taken, whatever a prompt could be."""
        frame = pd.DataFrame({"prompt": [f"say {i % 17}" for i in range(60)], "correct": flags(60)})
        text, (reading,) = question(tmp_path, {"ada/raw.csv": frame, "bee/raw.csv": frame[::-1]})
        assert "no column says which rows" in text
        assert reading.names("system") == ["ada", "bee"]

    def test_ids_come_before_texts_that_tell_rows_apart(self, tmp_path: Path) -> None:
        """Several targets of one sample are told apart by their ids, and not by what they say."""
        frame = pd.concat([long(("news",)).assign(part=part) for part in (1, 2)]).drop(columns="dataset")
        frame = frame.rename(columns={"id": "sample_id"}).assign(correct=flags(120))
        frame = frame.assign(target_id=[f"t{s}_{p}" for s, p in zip(frame["sample_id"], frame["part"], strict=True)])
        frame = frame.assign(
            span=[f"span {s * 7 % 23} {p}" for s, p in zip(frame["sample_id"], frame["part"], strict=True)]
        )
        reading = read(tmp_path, frame.drop(columns="part"))
        assert list(sizes(reading).values()) == [40]

    def test_an_id_comes_before_the_number_of_a_row(self, tmp_path: Path) -> None:
        """Files that begin with other drawings are not paired on their rows; a prompt of each file is no instance."""
        files: dict[str, pd.DataFrame | str] = {
            name: pd.DataFrame({"index": range(20), "drawing_id": [f"d{i + start}" for i in range(20)]}).assign(
                prompt_id=name, is_correct=flags(20)
            )
            for start, name in enumerate(("ada.csv", "bee.csv"))
        }
        assert sizes(read(tmp_path, files)) == {tmp_path.name: 21}

    def test_transcripts_beside_what_is_predicted(self, tmp_path: Path) -> None:
        """`text` is the gold text of `pred_text`."""
        pytest.importorskip("rapidfuzz", reason="the extra [asr] is not installed")
        said = [f"the house number {i} is red" for i in range(20)]
        frame = pd.DataFrame({"audio_filepath": [f"{i}.wav" for i in range(20)], "text": said})
        files: dict[str, pd.DataFrame | str] = {f"{s}.csv": frame.assign(pred_text=said) for s in SYSTEMS}
        assert read(tmp_path, files).directions == {"wer": False}

    def test_what_describes_instances_or_systems_is_no_score(self, tmp_path: Path) -> None:
        """The size of an instance and a switch of a system are the same in all of their rows."""
        frame = long(m=[40 + i for i in range(20)] * 6, guided=[1] * 40 + [0] * 40 + [1] * 40, best_of=scores(120))
        text, readings = question(tmp_path, frame)
        assert "is 'best_of' better when higher or when lower?" in text
        assert [one.directions for one in readings] == [{"best_of": True}, {"best_of": False}]

    def test_a_grid_of_settings_is_named(self, tmp_path: Path) -> None:
        """No pair of rows and no unpaired samples are proposed; the rows of one setting are read."""
        rows = [
            (s, d, p, k, i) for s in SYSTEMS for d in ("news", "law") for p in "xy" for k in (1, 5) for i in range(5)
        ]
        frame = pd.DataFrame(rows, columns=["method", "dataset", "press", "kept", "seed"]).assign(accuracy=scores(120))
        text, readings = question(tmp_path, frame)
        assert "rows of one method differ in press and kept" in text
        assert "keep the rows of one value of press and kept" in text
        assert not readings
        one = frame.query("press == 'x' and kept == 5")
        assert read(tmp_path, one).names("system") == list(SYSTEMS)

    def test_one_system_is_said(self, tmp_path: Path) -> None:
        """No text of the rows is taken for a second one."""
        frame = pd.DataFrame({"model": "ada", "problem": ["p", "q"] * 10, "sample": [*range(10)] * 2})
        frame = frame.assign(code=["x", "y"] * 10, verified=flags(20), timed_out=flags(20))
        text, readings = question(tmp_path, frame)
        assert "model names one system only" in text
        assert not readings

    def test_a_command_says_what_is_left_out(self, tmp_path: Path) -> None:
        """Where a dataset lacks a system, following the command works at once."""
        frame = pd.DataFrame([(s, d) for s in SYSTEMS for d in "pqrstuvw"], columns=["model", "dataset"])
        path = written(tmp_path, {"t.csv": frame.assign(auc=scores(24), recall=scores(24)).drop(index=3)})
        build = ["build", str(path), "--no-pdf", "--output", str(tmp_path / "report")]
        text = CliRunner().invoke(group, build, obj=["reportkit", *build]).exception
        assert "--across-datasets --missing drop" in str(text)
        proposed = shlex.split(re.findall("reportkit build .*", str(text))[0])
        ran = CliRunner().invoke(group, proposed[1:], obj=proposed, standalone_mode=False)
        assert ran.return_value == 1  # a dataset is left out
