r"""A paper against its data: what is compared, with which system, and when nothing is said."""

from __future__ import annotations

import json

import numpy as np
import pytest

from reportkit.checker.config import CheckConfig
from reportkit.checker.engine import check
from tests.checker.mistakes import TESTED, latex

SYSTEMS = {"Ours (7B)": (80, 70, 72), "GPT-4o": (72, 66, 65), "Llama-3-70B": (65, 60, 64)}
DATASETS = ("CoLA", "SST-2", "MRPC")
TABLE = """
Accuracy (\\%).
| System | CoLA | SST-2 | MRPC | Avg. |
| Llama-3-70B | 65.0 | 60.0 | 64.0 | 63.0 |
| GPT-4o | 72.0 | 66.0 | 65.0 | 67.7 |
| Ours (7B) | @ | 70.0 | 72.0 | 74.0 |
"""
CASES = {
    "a cell": ("RK101", TABLE, "81.5", "80.0", "'Ours (7B)' on 'CoLA'"),
    "a score": ("RK102", "On SST-2, Ours (7B) reaches an accuracy of @\\%.", "71.4", "70.0", "'Ours (7B)' on 'SST-2'"),
    "a short name": ("RK102", "On SST-2, ours reaches an accuracy of @\\%.", "71.4", "70.0", "'Ours (7B)' on 'SST-2'"),
    "we": ("RK102", "On MRPC, we obtain @\\%.", "73.4", "72.0", "'Ours (7B)' on 'MRPC'"),
    "an average": ("RK102", "On average, Ours reaches @ accuracy.", "71.2", "74.0", "'Ours (7B)' on average"),
    "a relative gain": (
        "RK102",
        "On average, ours reaches 74.0 accuracy, a relative improvement of @\\% over Llama-3-70B.",
        "12",
        "17.5",
        "'Ours (7B)' against 'Llama-3-70B' on average",
    ),
    "a gain": (
        "RK102",
        "On CoLA, ours outperforms GPT-4o by @ points.",
        "6.4",
        "8.0",
        "'Ours (7B)' against 'GPT-4o' on 'CoLA'",
    ),
    "a claim": (
        "RK206",
        "Ours (7B) is significantly better than GPT-4o on @ datasets (exact McNemar test).",
        "all",
        "at least none of the",
        "'Ours (7B)' against 'GPT-4o'",
    ),
}


@pytest.fixture
def folder(tmp_path):
    """Three systems on three datasets of 100 instances."""
    rng = np.random.default_rng(5)
    rows = ["system,dataset,instance,score"]
    for system, right in SYSTEMS.items():
        for dataset, n in zip(DATASETS, right, strict=True):
            answers = rng.permutation(100) < n
            rows += [f"{system},{dataset},{dataset}-{i},{int(answer)}" for i, answer in enumerate(answers)]
    (tmp_path / "results.csv").write_text("\n".join([*rows, ""]), encoding="utf-8")
    return tmp_path


def checked(folder, text, data="results.csv"):
    """Check a paper against the results."""
    (folder / "paper.tex").write_text(latex(f"{TESTED}\n\n{text}"), encoding="utf-8")
    return check(folder / "paper.tex", data=folder / data, config=CheckConfig(), ignore=["RK105", "RK116", "RK500"])


@pytest.mark.parametrize("name", CASES)
def test_a_mistake_is_found_where_it_is(name, folder):
    """Of the right system, on the right dataset; the right number is left alone."""
    code, text, wrong, right, where = CASES[name]
    found = [item for item in checked(folder, text.replace("@", wrong)) if item.code == code]
    assert len(found) == 1, found
    assert found[0].where.startswith(where)
    assert [item for item in checked(folder, text.replace("@", right)) if item.code == code] == []


@pytest.mark.parametrize(
    "text",
    [
        "We propose Ours (7B). On CoLA it reaches 99.0\\%.",
        "The best system reaches 99.0\\% on CoLA.",
        "On CoLA, ours reaches about 79.0\\%.",
        "On the development set of CoLA, ours reaches 83.0\\%.",
        "Ours and GPT-4o reach 80.0 and 79.0 on CoLA.",
        "Ours is significantly better than the others on all datasets.",
    ],
)
def test_nothing_is_said_where_the_subject_is_not_certain(text, folder):
    """A pronoun, a development set, two systems."""
    assert [item for item in checked(folder, text) if item.code in ("RK102", "RK206")] == []


def test_a_table_of_something_else_is_said_once(folder):
    """Under half of its scores fit: a note, and no finding that would overwrite right numbers."""
    other = TABLE.replace("@", "61.0").replace("65.0 | 60.0 | 64.0 | 63.0", "55.1 | 50.2 | 54.3 | 53.2")
    other = other.replace("72.0 | 66.0 | 65.0 | 67.7", "62.0 | 56.0 | 55.0 | 57.7")
    report = checked(folder, other.replace("| 70.0 | 72.0 | 74.0", "| 60.0 | 62.0 | 61.0"))
    assert [item.code for item in report] == []
    assert "is about something else: 0 of its 9 scores are those of results.csv" in report.render()


def test_a_score_without_a_metric_is_not_taken_for_one_of_several(folder):
    """Columns of accuracy and F1: nobody knows which the score is."""
    text = """
Results on CoLA.
| System | Accuracy | F1 |
| GPT-4o | 75.0 | 71.0 |
| Ours (7B) | 83.0 | 79.0 |
"""
    report = checked(folder, text)
    assert [item.code for item in report] == []
    assert "the heading 'Accuracy' names nothing in the data" in report.render()


def test_spreads_are_those_over_the_runs(tmp_path):
    """Standard deviation, standard error or 1.96 of these; another one is a warning."""
    runs = {"ours": (80.1, 80.9, 80.4), "base": (78.0, 78.5, 78.1)}
    rows = [f"{system},a,{seed},{score}" for system, scores in runs.items() for seed, score in enumerate(scores)]
    (tmp_path / "runs.csv").write_text("\n".join(["system,dataset,seed,score", *rows, ""]), encoding="utf-8")
    text = """
Accuracy (\\%), mean and standard deviation of 3 runs.
| System | a |
| base | $78.2 \\pm 0.26$ |
| ours | $80.5 \\pm @$ |
"""
    assert [item.code for item in checked(tmp_path, text.replace("@", "0.40"), "runs.csv")] == []
    (found,) = checked(tmp_path, text.replace("@", "0.90"), "runs.csv")
    assert (found.code, found.severity) == ("RK101", "warning")
    assert "the standard deviation over the runs in runs.csv is 0.4041" in found.message


def test_a_summary_serves_to_find_typing_errors(tmp_path):
    """One score for each system and dataset: compared, and not tested."""
    rows = [
        f"{system},{dataset},{n}"
        for system, right in SYSTEMS.items()
        for dataset, n in zip(DATASETS, right, strict=True)
    ]
    (tmp_path / "summary.csv").write_text("\n".join(["system,dataset,score", *rows, ""]), encoding="utf-8")
    (found,) = checked(tmp_path, TABLE.replace("@", "81.5"), "summary.csv")
    assert (found.code, found.where.startswith("'Ours (7B)' on 'CoLA'")) == ("RK101", True)
    report = checked(tmp_path, TABLE.replace("@", "80.0"), "summary.csv")
    assert list(report) == []
    assert "one score for each system and dataset: compared, and not tested" in report.render()


def test_findings_of_the_analysis_have_their_own_codes(folder):
    """As `reportkit build` calls them; RK500 leaves them all out."""
    rows = (folder / "results.csv").read_text().splitlines()
    same = [line.replace("GPT-4o", "Copy") for line in rows if line.startswith("GPT-4o")]
    (folder / "results.csv").write_text("\n".join([*rows, *same, ""]))
    report = check(data=folder / "results.csv", config=CheckConfig())
    assert "identical-systems" in {item.code for item in report}
    assert json.loads(report.render("json"))["findings"][0]["code"]
    assert list(check(data=folder / "results.csv", config=CheckConfig(), ignore=["RK500"])) == []
