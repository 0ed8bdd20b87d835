"""Fifteen tasks as a hurried person types them: done at once, or after one message whose command works."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.running import run

pytestmark = pytest.mark.usefixtures("sketched")
SYSTEMS = {"Ours (7B)": 0.9, "Llama-3-70B": 0.6, "GPT-4o": 0.5}
TASKS = ("RTE", "CoLA")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write what a student has two days before a deadline."""
    rng = np.random.default_rng(1)
    rows = [(s, t, i, rng.random() < p) for s, p in SYSTEMS.items() for t in TASKS for i in range(60)]
    long = pd.DataFrame(rows, columns=["Model", "Task", "ID", "Correct"])
    long.to_csv(tmp_path / "my_long.csv", index=False)
    wide = long.pivot_table("Correct", ["Task", "ID"], "Model").astype(int).reset_index()
    wide.to_csv(tmp_path / "wide.csv", index=False)
    wide[["Ours (7B)", "GPT-4o"]].head(60).to_csv(tmp_path / "two.csv", index=False)
    rouge = long.assign(rougeL=rng.normal(40, 9, len(long)) + 9 * long["Correct"]).drop(columns="Correct")
    rouge.to_csv(tmp_path / "rouge8.csv", index=False)
    runs = pd.concat(wide.assign(seed=seed) for seed in (1, 2, 3)).melt(["Task", "ID", "seed"], list(SYSTEMS), "Model")
    runs.assign(value=rng.random(len(runs)) < 0.7).astype({"value": int}).to_csv(tmp_path / "seeds.csv", index=False)
    long.groupby(["Model", "Task"])["Correct"].mean().mul(100).round(1).reset_index(name="Accuracy").to_csv(
        tmp_path / "means.csv", index=False
    )
    counts = long.groupby(["Model", "Task"])["Correct"].agg(k="sum", n="count").reset_index()
    counts.to_csv(tmp_path / "counts.csv", index=False)
    for model, right in (("small", 40), ("large", 55)):
        where = tmp_path / "lmeval" / f"lab__{model}"
        where.mkdir(parents=True)
        record = '{{"doc_id": {i}, "doc": {{}}, "target": "0", "filter": "none", "metrics": ["acc"], "acc": {acc}}}\n'
        lines = "".join(record.format(i=i, acc=float(i < right)) for i in range(60))
        (where / "samples_sciq_2026-11-01T10-00-00.000000.jsonl").write_text(lines)
    (tmp_path / "p2.tex").write_text(
        "\\begin{table}\\caption{Old.}\\label{tab:main}\\begin{tabular}{l}x\\end{tabular}\\end{table}\n"
    )
    (tmp_path / "paper.tex").write_text("It is better ($p = 0.000$).\n")
    return tmp_path


TYPED = {
    "long form": "build my_long.csv",
    "a column for each system": "build wide.csv",
    "a folder of logs": "build lmeval/",
    "a metric of its own": "build rouge8.csv --baseline GPT-4o",
    "three seeds": "build seeds.csv --system 'Ours (7B)' --baseline GPT-4o",
    "two columns": "build two.csv",
    "right answers of so many": "build counts.csv",
    "other formats": "build my_long.csv --docx --xlsx --typst",
    "means alone": "table means.csv --average",
    "a paper": "check paper.tex",
}


@pytest.mark.slow
@pytest.mark.parametrize("task", TYPED)
def test_a_task_is_done_at_the_first_try(task: str, folder: Path) -> None:
    """With exit code 0, and a table."""
    code, said = run(folder, *shlex.split(TYPED[task]))
    assert code == 0, said
    if TYPED[task].startswith("build"):
        assert "\\begin{tabular}" in (folder / "report" / "tables" / "results.tex").read_text("utf-8")
    elif "table" in TYPED[task]:
        assert "\\begin{tabular}" in said
        assert "nothing was tested: with the scores of the instances, reportkit build" in said
    else:
        assert "RK117" in said


@pytest.mark.slow
def test_all_pairs_of_many_systems_name_the_top_group(folder: Path) -> None:
    """In one sentence, not as a list of pairs."""
    rng = np.random.default_rng(2)
    rows = [(f"m{m:02}", t, i, int(rng.random() < 0.3 + m / 15)) for m in range(10) for t in TASKS for i in range(50)]
    pd.DataFrame(rows, columns=["model", "task", "id", "correct"]).to_csv(folder / "big.csv", index=False)
    code, said = run(folder, "build", "big.csv")
    assert code == 0
    assert re.search(r"^m0?9? .* top group|m\d+ (scores best|leads)", said, re.MULTILINE), said


@pytest.mark.slow
def test_a_finished_table_is_refused_with_the_command_that_sets_it(folder: Path) -> None:
    """By `build`, which tests; the question about a typical dataset is offered, too."""
    code, said = run(folder, "build", "means.csv")
    assert code == 2
    (command,) = re.findall(r"reportkit (table .*)$", said, re.MULTILINE)
    assert run(folder, *shlex.split(command))[0] == 0


@pytest.mark.slow
def test_a_paper_is_updated_after_one_message(folder: Path) -> None:
    """The folder is after the paper; which table is replaced has to be said once."""
    assert run(folder, "build", "my_long.csv", "-o", "o")[0] == 0
    code, said = run(folder, "update", "p2.tex", "o")
    assert (code, "tab:main" in said) == (2, True)
    assert run(folder, "update", "p2.tex", "o", "--label", "tab:main=results")[0] == 0
    assert "Ours (7B)" in (folder / "p2.tex").read_text("utf-8")


@pytest.mark.parametrize(
    ("mistake", "answer"),
    [
        ("build nothing.csv", "nothing.csv"),
        ("build my_lnog.csv", "did you mean 'my_long.csv'"),
        ("build", "RESULTS"),
        ("build my_long.csv --system GPT-4o --baseline GPT-4o", "is compared with itself"),
        ("build my_long.csv --config x.toml", "there is no file"),
        ("build my_long.csv --profile bayes", "known: 'recommended'"),
        ("biuld my_long.csv", "reportkit build my_long.csv"),
        ("my_long.csv", "reportkit build my_long.csv"),
        ("build my_long.csv --systm x", "--system"),
        ("build my_long.csv --system 'Ours 7B' --baseline GPT-4o", "did you mean 'Ours (7B)'"),
        ("build my_long.csv --dataset RT", "did you mean 'RTE'"),
        ("build my_long.csv --columns system=Modle", "did you mean 'Model'"),
        ("build my_long.csv --columns Model", "write ROLE=NAME"),
        ("build my_long.csv --columns sytem=Model", "did you mean 'system'?"),
        ("build my_long.csv --test t-tset", "did you mean 'paired-t'"),
        ("build my_long.csv --marks dagger", "did you mean 'daggers'?"),
        ("build my_long.csv --latex", "LaTeX is always written"),
        ("build my_long.csv --html", "a page is always written"),
        ("build my_long.csv --correction bonferroni", "Holm's correction, or one that finds more, is always used"),
        ("build my_long.csv --venue emlp", "did you mean 'emnlp'"),
        ("build my_long.csv --alpha 5", "give a level strictly between 0 and 0.5"),
        ("build my_long.csv --alternative less", "swap the two systems"),
        ("build my_long.csv --nan-policy omit", "Did you mean '--missing'?"),
        ("build my_long.csv --metric acuracy", "Correct"),
        ("build my_long.csv --require 'as good'", "'better', 'no dataset worse', or 'not worse by 1'"),
        ("table means.csv -o table.docx", ".tex, .md, .html, .typ"),
        ("update p2.tex --report o", "after the paper"),
    ],
)
def test_typing_errors_are_answered(mistake: str, answer: str, folder: Path) -> None:
    """With what was meant, and before anything is written."""
    code, said = run(folder, *shlex.split(mistake))
    assert code == 2
    assert answer in " ".join(said.split())
    assert not (folder / "report").exists()
