"""Tables that people hold in their hands: the first command works, or proposes one that does; the same in Python."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.errors import ScoreValueError
from tests.readers.harnesses.test_reports_of_folders import proposed, run

GOLDEN = Path(__file__).parent / "what_people_hold"
METRICS = {"SST-2": "accuracy", "MRPC": "accuracy", "SQuAD": "f1", "CoNLL": "f1"}


def scores() -> pd.DataFrame:
    """Accuracy on two datasets and F1 on two others, by instance."""
    rng = np.random.default_rng(7)
    rows = []
    for dataset, metric in METRICS.items():
        hard = rng.normal(0, 1, 40)
        for system, ability in (("ours", 1.2), ("bert", 0.6), ("lstm", 0.0)):
            drawn = ability + hard + rng.normal(0, 0.7, 40)
            values = (drawn > 0).astype(float) if metric == "accuracy" else np.round(1 / (1 + np.exp(-drawn)), 3)
            rows += [(system, dataset, f"{dataset}-{i}", metric, value) for i, value in enumerate(values)]
    return pd.DataFrame(rows, columns=["model", "dataset", "id", "metric", "score"])


def half_empty() -> pd.DataFrame:
    """The same in a column for accuracy and one for F1."""
    long = scores()
    named = {name: long["score"].where(long["metric"] == name) for name in ("accuracy", "f1")}
    return long.drop(columns=["metric", "score"]).assign(**named)


def wide() -> pd.DataFrame:
    """One test set, one column per system."""
    long = scores()
    here = long[long["dataset"] == "SST-2"].astype({"score": int})
    return here.pivot_table(index="id", columns="model", values="score").reset_index()[["id", "ours", "bert"]]


def predictions(labels: tuple[str, ...] = ("neg", "neu", "pos")) -> pd.DataFrame:
    """Gold labels and what two systems predict."""
    rng = np.random.default_rng(3)
    gold = rng.integers(0, len(labels), 60)
    guessed = {
        name: np.array(labels)[np.where(rng.random(60) < share, gold, rng.integers(0, len(labels), 60))]
        for name, share in (("ours", 0.8), ("bert", 0.4))
    }
    return pd.DataFrame({"id": range(1, 61), "gold": np.array(labels)[gold], **guessed})


def leaderboard() -> pd.DataFrame:
    """What a paper prints: one row for each system, one column for each dataset, and their average."""
    means = scores().groupby(["model", "dataset"])["score"].mean().mul(100).round(1).unstack()[[*METRICS]]  # noqa: PD010
    return means.assign(Avg=means.mean(axis=1).round(1)).reset_index().rename_axis(columns=None)


def incomplete() -> pd.DataFrame:
    """One system without a score on every fifth instance of a dataset."""
    frame = scores().query("metric == 'accuracy'").drop(columns="metric")
    return frame[~((frame["model"] == "lstm") & frame["id"].str.fullmatch("MRPC-\\d*[05]"))]


def _csv(frame: pd.DataFrame, name: str = "results.csv", **form: str) -> Callable[[Path], str]:
    def write(folder: Path) -> str:
        frame.to_csv(folder / name, index=False, **form)
        return name

    return write


def _files(with_gold: bool) -> Callable[[Path], str]:
    def write(folder: Path) -> str:
        (folder / "sst2").mkdir()
        frame = predictions()
        for name in ("ours", "bert"):
            kept = frame[["id", "gold", name]] if with_gold else frame[["id", name]]
            kept.rename(columns={name: "prediction"}).to_csv(folder / "sst2" / f"{name}.csv", index=False)
        if not with_gold:
            frame[["id", "gold"]].to_csv(folder / "sst2" / "gold.csv", index=False)
        return "sst2"

    return write


def written(how: Callable[[float], str], *, whole: bool = False) -> pd.DataFrame:
    """The wide table with its scores as texts."""
    frame = wide()
    rng = np.random.default_rng(5)
    for name in ("ours", "bert"):
        values = frame[name] if whole else frame[name] * 20 + rng.integers(300, 800, len(frame)) / 10
        frame[name] = [how(value) for value in values]
    return frame


def both_directions() -> pd.DataFrame:
    """Accuracy on two datasets, and perplexity on two others."""
    frame = scores().replace({"metric": {"f1": "perplexity"}})
    return frame.assign(score=frame["score"].where(frame["metric"] == "accuracy", 40 - 20 * frame["score"]))


def similarities() -> pd.DataFrame:
    """How similar words are, by people and by two systems on scales of their own."""
    frame = scores().query("metric == 'f1' and model != 'lstm'").drop(columns="metric")
    gold = frame.groupby("id")["score"].transform("mean").round(2)
    return frame.assign(score=frame["score"].where(frame["model"] == "ours", 40 + 50 * frame["score"]), gold=gold)


WORDS = {
    "yes_no": ("yes", "no"),
    "correct_incorrect": ("correct", "incorrect"),
    "c_i": ("C", "I"),
    "true_false": ("True", "False"),
    "zero_hundred": ("100", "0"),
}
NUMBERS = {
    "percent": lambda value: f"{value:.1f}%",
    "decimal_comma": lambda value: f"{value:.1f}".replace(".", ","),
    "thousands": lambda value: f"{value * 100:,.1f}",
    "doubtful_comma": lambda value: f"{value * 100:,.0f}",
}
CASES: dict[str, Callable[[Path], str]] = {
    "metric_column": _csv(scores()),
    "half_empty_columns": _csv(half_empty()),
    "no_dataset": _csv(scores().query("dataset == 'MRPC'").drop(columns=["dataset", "metric"]), "mrpc.csv"),
    "wide": _csv(wide(), "sst2.csv"),
    "wide_without_ids": _csv(wide().drop(columns="id"), "sst2.csv"),
    "leaderboard": _csv(leaderboard()),
    "predictions": _csv(predictions(), "sst2.csv"),
    "predictions_by_file": _files(with_gold=True),
    "gold_file": _files(with_gold=False),
    "incomplete": _csv(incomplete()),
    "semicolons": _csv(written(lambda value: f"{value:.1f}".replace(".", ",")), sep=";"),
    "one_epoch_each": _csv(wide().melt("id", var_name="model", value_name="score").assign(epoch=3), "sst2.csv"),
    "shared_datasets": _csv(scores().query("not (model == 'lstm' and dataset == 'MRPC')")),
    **{name: _csv(written(lambda value, says=says: says[int(value < 1)], whole=True)) for name, says in WORDS.items()},
    **{name: _csv(written(how)) for name, how in NUMBERS.items()},
    "score_by_another_name": _csv(
        scores().query("metric == 'f1'").rename(columns={"score": "quality"}).drop(columns="metric")
    ),
    "gold_scores": _csv(similarities()),
}
REFUSED = {
    "f1_of_two_labels": (_csv(predictions(("ham", "spam"))), ["--metric", "f1"]),
    "metric_in_other_letters": (
        _csv(scores().query("metric == 'f1'").replace({"metric": {"f1": "chrF"}})),
        ["--metric", "chrf"],
    ),
    "both_directions": (_csv(both_directions()), ["--lower-is-better", "perplexity"]),
    "doubtful_direction": (_csv(both_directions()), []),
}
ALL = {**{name: (write, []) for name, write in CASES.items()}, **REFUSED}


@pytest.mark.usefixtures("sketched")
@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_the_first_command_works_or_proposes_one_that_does(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole terminal output is as it is stored; a refusal names a command that, run literally, writes a report."""
    monkeypatch.chdir(tmp_path)
    write, options = ALL[name]
    arguments = ["build", write(tmp_path)]
    code, shown = run([*arguments, *options], capsys)
    if code == 2:
        code, again = run(proposed(shown, arguments), capsys)
        shown += "\n" + again
    assert code in (0, 1), shown
    assert (tmp_path / "report" / "report.json").is_file()
    golden = GOLDEN / f"{name}.txt"
    if os.environ.get("REPORTKIT_UPDATE_GOLDEN") == "1":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(shown, encoding="utf-8")
    assert shown == golden.read_text(encoding="utf-8")


@pytest.mark.slow
def test_columns_that_are_no_systems_are_left_out_by_the_option_of_the_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lengths beside the scores of three systems; the command that is proposed compares the three."""
    monkeypatch.chdir(tmp_path)
    frame = wide().assign(**{"gpt 2": 1 - wide()["bert"], "n_tokens": range(len(wide()))})
    frame.to_csv("sst2.csv", index=False)
    _, shown = run(["build", "sst2.csv", "--mixed-scales", "accept"], capsys)
    options = re.search(r"\((--wide-system [^)]*)\)", shown.partition("doubtful-system")[2])
    assert options is not None
    code, shown = run(["build", "sst2.csv", *shlex.split(options[1])], capsys)
    assert code in (0, 1)
    assert "doubtful-system" not in shown
    assert "3 systems on sst2" in shown


@pytest.mark.parametrize("write", [scores, half_empty])
def test_each_dataset_by_its_own_metric_is_one_family(write: Callable[[], pd.DataFrame]) -> None:
    """The p-values are those of the datasets alone, all are corrected together, and the report names each metric."""
    analysis = write().replic.compare("ours", "bert")
    assert dict(analysis.measures) == METRICS
    assert analysis.n_hypotheses == len(METRICS)
    long = scores()
    for dataset, metric in METRICS.items():
        alone = long[long["dataset"] == dataset].replic.compare("ours", "bert").outcomes
        together = analysis.outcomes.query("dataset == @dataset")
        assert together["p_value"].item() == alone["p_value"].item(), metric
    text = analysis.paragraph()
    assert "accuracy on MRPC and SST-2" in text
    assert "f1 on CoNLL and SQuAD" in text.replace("F1", "f1")
    by_name = write().replic.compare("ours", "bert", metric="f1")
    assert set(by_name.datasets) == {"SQuAD", "CoNLL"}


def test_a_leaderboard_is_the_same_table_turned() -> None:
    """In Python, with the column of systems named or recognised; a table of metrics or of instances is not turned."""
    frame = leaderboard()
    settings = {"across_datasets": True, "mixed_scales": "accept"}
    long = frame.drop(columns="Avg").melt("model", var_name="dataset", value_name="score")
    expected = reportkit.compare(long, "ours", "bert", **settings).outcomes
    for table, columns in ((frame, None), (frame.rename(columns={"model": "Name"}), {"system": "Name"})):
        results = reportkit.read(table, columns=columns, **settings)
        pd.testing.assert_frame_equal(reportkit.compare(results, "ours", "bert", **settings).outcomes, expected)
    for other in (frame.rename(columns={"SQuAD": "f1"}), pd.concat([frame, frame])):
        with pytest.raises(reportkit.ColumnError, match="no column for dataset"):
            reportkit.compare(other, "ours", "bert", **settings)


def test_a_dataset_with_two_metrics_is_no_family_of_one_metric_each() -> None:
    """Where one dataset has both, somebody has to say which is meant."""
    long = scores()
    twice = long[long["dataset"] == "SQuAD"].assign(metric="accuracy", score=1.0)
    with pytest.raises(reportkit.SettingsError, match="hold 2 metrics"):
        pd.concat([long, twice]).replic.compare("ours", "bert")


def test_the_direction_of_each_metric_is_its_own() -> None:
    """Lower is better on the datasets of one metric: the same p-values as with the scores turned."""
    long = scores()
    lower = long["metric"] == "f1"
    turned = long.assign(score=long["score"].where(~lower, 1 - long["score"]))
    expected = long.replic.compare("ours", "bert", friedman=False)
    found = turned.replic.compare("ours", "bert", higher_is_better={"f1": False})
    np.testing.assert_allclose(found.outcomes["p_value"], expected.outcomes["p_value"], rtol=1e-12)
    both = [
        frame.replic.compare(friedman=True, **options)
        for frame, options in ((long, {}), (turned, {"higher_is_better": {"f1": False}}))
    ]
    first, second = (analysis.friedman_outcome for analysis in both)
    assert first is not None
    assert second is not None
    assert dict(first.average_ranks) == dict(second.average_ranks)
    assert "Lower is better on CoNLL and SQuAD" in found.report().to_markdown()


@pytest.mark.slow
def test_predictions_are_scored_as_scikit_learn_does() -> None:
    """Right or wrong, macro-F1, F1 of a label: the values are those of an independent implementation."""
    metrics = pytest.importorskip("sklearn.metrics")
    frame = predictions()
    frame.loc[3, "bert"] = "none of them"
    asked = {
        "accuracy": lambda gold, found: metrics.accuracy_score(gold, found),
        "macro-f1": lambda gold, found: metrics.f1_score(gold, found, average="macro"),
        "f1:neu": lambda gold, found: metrics.f1_score(gold, found, labels=["neu"], average="macro"),
        "recall:pos": lambda gold, found: metrics.recall_score(gold, found, labels=["pos"], average="macro"),
    }
    for name, value in asked.items():
        analysis = reportkit.compare(frame, "ours", "bert", metric=name)
        for system in ("ours", "bert"):
            mean = analysis.system_scores[system, "results"].mean
            assert mean == pytest.approx(value(frame["gold"], frame[system])), name
    plain = reportkit.compare(frame, "ours", "bert")
    assert plain.system_scores["ours", "results"].mean == pytest.approx((frame["gold"] == frame["ours"]).mean())
    two = predictions(("no", "yes"))
    f1 = reportkit.read(two, metric="f1")
    assert any("computed: f1 of 'yes'." in note.message for note in f1.findings if note.code == "predictions-scored")
    mcc = reportkit.compare(two, "ours", "bert", metric="mcc")
    assert mcc.system_scores["ours", "results"].mean == pytest.approx(
        metrics.matthews_corrcoef(two["gold"], two["ours"])
    )


@pytest.mark.parametrize(
    "make", [lambda frame: frame, lambda frame: frame.assign(gold=frame["gold"].astype("category"))]
)
def test_labels_that_are_numbers(make: Callable[[pd.DataFrame], pd.DataFrame]) -> None:
    """0, 1, 2 as labels are scored as labels, with a warning that they may be ratings; a correlation still works."""
    frame = make(predictions(("0", "1", "2")).astype({"gold": int, "ours": int, "bert": float}))
    results = reportkit.read(frame)
    assert [item.severity for item in results.findings if item.code == "predictions-scored"] == ["warning"]
    assert results.datasets[0].kind == "binary"
    ratings = frame.astype({"gold": float}).assign(dataset="sts")
    assert reportkit.read(ratings, metric="spearman").metrics == ("spearman",)


def test_a_prediction_in_another_case_is_wrong_and_said() -> None:
    """'Pos' is not 'pos'; the finding says that only the case differs."""
    frame = predictions()
    frame.loc[frame["bert"] == "pos", "bert"] = "Pos"
    (finding,) = (item for item in reportkit.read(frame).findings if item.code == "not-a-label")
    assert finding.severity == "warning"
    assert "differ in case only" in finding.remedy


def test_rows_without_a_gold_label_are_refused() -> None:
    """Nothing can be said of them, and leaving them out would be silent."""
    frame = predictions()
    frame.loc[[2, 5], "gold"] = None
    with pytest.raises(reportkit.InputError, match="2 rows without a gold label"):
        reportkit.read(frame)


@pytest.mark.parametrize("name", [*WORDS, *NUMBERS])
def test_scores_in_words_are_the_numbers(name: str) -> None:
    """Written in any way, in Python too, the p-value is that of the numbers."""
    says = WORDS.get(name)
    how = NUMBERS.get(name) or (lambda value: says[int(value < 1)])
    texts = written(how, whole=says is not None)
    numbers = written(lambda value: value, whole=says is not None)
    options = {"decimal": "point"} if name == "doubtful_comma" else {}
    found = reportkit.compare(texts, "ours", "bert", **options).outcomes["p_value"]
    rounded = numbers.round({"ours": 1, "bert": 1})
    if name == "doubtful_comma":
        rounded = numbers.assign(**{one: np.round(numbers[one] * 100) for one in ("ours", "bert")})
    if name == "thousands":
        rounded = numbers.assign(**{one: np.round(numbers[one] * 100, 1) for one in ("ours", "bert")})
    np.testing.assert_allclose(found, reportkit.compare(rounded, "ours", "bert").outcomes["p_value"])


def test_a_doubtful_comma_is_refused_with_both_readings() -> None:
    """1,234 may be a thousand or one; either option settles it."""
    frame = pd.DataFrame(
        {"id": range(4), "a": ["1,234", "2,345", "1,111", "3,210"], "b": ["1,230", "2,340", "1,100", "3"]}
    )
    with pytest.raises(ScoreValueError, match="thousands or before decimals") as raised:
        reportkit.read(frame)
    assert "decimal='comma'" in str(raised.value)
    assert "--decimal point" in str(raised.value)
    assert reportkit.read(frame, decimal="comma").datasets[0].scores[0, 0] == 1.234
    assert reportkit.read(frame, decimal="point").datasets[0].scores[0, 0] == 1234


@pytest.mark.parametrize("cells", [("73.5%", "0.7"), ("73,5", "73.6"), ("yes", "maybe"), ("1,234.5", "1.234,5")])
def test_two_ways_of_writing_are_refused_with_the_rows(cells: tuple[str, str]) -> None:
    """What contradicts itself is not guessed."""
    frame = pd.DataFrame({"id": range(4), "a": [*cells, *cells], "b": [1, 0, 1, 0]})
    with pytest.raises(ScoreValueError, match=r"not a number|not numbers"):
        reportkit.read(frame, wide_systems=["a", "b"])


@pytest.mark.parametrize("names", [["TER"], ["TER", "BLEU"], ["first", "second"]])
def test_columns_of_scores_may_have_the_names_of_metrics_of_sums(tmp_path: Path, names: list[str]) -> None:
    """TER and BLEU could be computed from counts; a column of that name is taken, in several files, too."""
    rows = pd.DataFrame({"model": ["a"] * 4 + ["b"] * 4, "id": [*"wxyz"] * 2}).assign(**dict.fromkeys(names, range(8)))
    for dataset in ("cb", "rte"):
        (tmp_path / f"task={dataset}").mkdir()
        rows.to_csv(tmp_path / f"task={dataset}" / "part-0.csv", index=False)
    results = reportkit.read(tmp_path, metric=names)
    found = {(block.metric, block.dataset) for block in results.datasets}
    assert found == {(name, dataset) for name in names for dataset in ("cb", "rte")}
