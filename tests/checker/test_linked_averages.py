"""Averages that are linked, and public results beside the tables that were printed of them.

Every number of these is linked, and none is said to be wrong.

Suzgun et al. 2022 (BIG-Bench Hard), Gorishniy et al. 2021 (tabular data, Table 2), Neubig et al. 2019 (compare-mt).
"""

from __future__ import annotations

import pandas as pd
import pytest

from reportkit.checker.config import check_config
from reportkit.checker.engine import check_text

CODEX = """
system = "code-davinci-002-cot"
baseline = "code-davinci-002-direct"
[check]
select = ["RK101", "RK102"]
[check.labels]
CoT = "code-davinci-002-cot"
AO = "code-davinci-002-direct"
"""
TABULAR = """
[check]
select = ["RK101", "RK103"]
[check.labels]
TabNet = "tabnet/tuned"
SNN = "snn/tuned"
MLP = "mlp/tuned"
ResNet = "resnet/tuned"
"FT-Transformer" = "ft_transformer/tuned"
CA = "california_housing"
AD = "adult"
HE = "helena"
JA = "jannis"
YE = "year"
CO = "covtype"
YA = "yahoo"
"""
PRINTED_TABULAR = """
Table: Test scores, mean over seeds; the best are set in bold.

| | CA ↓ | AD ↑ | HE ↑ | JA ↑ | YE ↓ | CO ↑ | YA ↓ |
|---|---|---|---|---|---|---|---|
| TabNet | 0.510 | 0.850 | 0.378 | 0.723 | 8.909 | 0.957 | 0.823 |
| SNN | 0.493 | 0.854 | 0.373 | 0.719 | 8.895 | 0.961 | 0.761 |
| MLP | 0.499 | 0.852 | 0.383 | 0.719 | 8.853 | 0.962 | 0.757 |
| ResNet | 0.486 | 0.854 | **0.396** | 0.728 | **8.846** | 0.964 | 0.757 |
| FT-Transformer | **0.459** | **0.859** | 0.391 | **0.732** | 8.855 | **0.970** | **0.756** |
"""
PRINTED_TRANSLATION = """
NMT reaches a BLEU of 24.04 on ted-slk-eng.

Table: BLEU on ted-slk-eng.

| System | BLEU | Gain |
|---|---|---|
| PBMT | 22.44 | |
| NMT | 24.04 | +1.60 |
"""


def checked(text, data, folder, config=""):
    """Check a Markdown paper with a configuration."""
    (folder / "reportkit.toml").write_text(config, encoding="utf-8")
    settings = check_config(folder / "reportkit.toml")
    return check_text(text, language="markdown", data=data, config=settings)


def linked(report):
    """Numbers of results tables that were linked, and how many there are."""
    return report.coverage.of_place("results")


def big_bench(shared):
    """The printed accuracies of BIG-Bench Hard as a table: tasks, n, both prompts, gain, averages."""
    printed = pd.read_csv(shared / "data" / "bbh" / "accuracy.csv")
    rows = []
    for row in printed.to_dict("records"):
        name = row["dataset"].replace("_", " ").title()
        for word, number in (("Three", 3), ("Five", 5), ("Seven", 7)):
            name = name.replace(f"{word} Objects", f"({number})")
        direct, thought = (f"{row[f'pub_code-davinci-002-{way}']:.1f}" for way in ("direct", "cot"))
        rows.append(f"| {name} | {row['n']} | {direct} | {thought} | {float(thought) - float(direct):+.1f} |")
    direct, thought = (printed[f"pub_code-davinci-002-{way}"].mean() for way in ("direct", "cot"))
    head = "Table: Accuracy (%) of Codex.\n\n| Task | n | AO | CoT | Δ |\n|---|---|---|---|---|\n"
    last = f"| All Tasks (avg) | | {direct:.1f} | {thought:.1f} | {thought - direct:+.1f} |\n"
    return head + "\n".join(rows) + "\n" + last


def test_every_number_of_big_bench_hard_is_linked(shared, tmp_path):
    """Names with numbers in words, sizes, averages, and gains that are differences of rounded numbers."""
    data = shared / "data" / "bbh" / "data.parquet"
    text = big_bench(shared)
    report = checked(text, data, tmp_path, CODEX)
    assert linked(report) == (111, 111)
    assert list(report) == []
    wrong = checked(text.replace("| 250 | 88.4 |", "| 250 | 84.8 |"), data, tmp_path, CODEX)
    assert ["84.8 is printed" in item.message for item in wrong][:1] == [True]


def test_losses_that_the_data_negate_are_linked(shared, tmp_path):
    """Over seeds, two directions in one table; bold that is not the best is found by the data's directions."""
    data = shared / "data" / "rtdl" / "data.parquet"
    report = checked(PRINTED_TABULAR, data, tmp_path, TABULAR)
    assert linked(report) == (34, 35)
    assert report.coverage.reasons == {"the data have no score of 'ft_transformer/tuned' there": 1}
    assert list(report) == []
    moved = PRINTED_TABULAR.replace("**8.846**", "8.846").replace("8.853", "**8.853**")
    (found,) = checked(moved, data, tmp_path, TABULAR)
    assert "8.853 is bold, and 8.846 (ResNet) is better" in found.message
    assert found.safe, "the data hold every number of the column"


def test_corpus_scores_are_linked_in_table_and_text(shared, tmp_path):
    """BLEU from its counts, in two decimals, and the one other system of the dataset as the baseline."""
    data = shared / "data" / "compare_mt" / "bleu_stats.parquet"
    config = '[check]\nselect = ["RK101", "RK102"]\n'
    report = checked(PRINTED_TRANSLATION, data, tmp_path, config)
    assert (linked(report), report.coverage.n_checked) == ((3, 3), 4)
    assert list(report) == []
    wrong = checked(PRINTED_TRANSLATION.replace("24.04", "24.40"), data, tmp_path, config)
    assert [item.code for item in wrong] == ["RK102", "RK101"]


@pytest.mark.parametrize("pooled", [True, False, None])
def test_a_column_without_a_dataset_is_an_average_if_its_numbers_are(pooled, tmp_path):
    """Over instances or over datasets, whichever the numbers are; if they are neither, nothing is claimed of them."""
    right = {"one": (2, 50), "two": (4, 60), "three": (6, 70), "four": (8, 80)}
    rows = [
        (system, dataset, i, int(i < k))
        for system, counts in right.items()
        for dataset, n, k in zip(("small", "large"), (10, 90), counts, strict=True)
        for i in range(n)
    ]
    data = pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])
    values = {
        True: [sum(counts) for counts in right.values()],
        False: [100 * (a / 10 + b / 90) / 2 for a, b in right.values()],
        None: [12.3, 23.4, 34.5, 45.6],
    }[pooled]
    body = "".join(f"| {name} | {value:.1f} |\n" for name, value in zip(right, values, strict=True))
    text = f"Table: Results.\n\n| System | Accuracy |\n|---|---|\n{body}"
    config = '[check]\nselect = ["RK101"]\n[check.labels]\nAccuracy = "score"\n'
    report = checked(text, data, tmp_path, config)
    assert list(report) == []
    assert linked(report) == ((0, 4) if pooled is None else (4, 4))
    if pooled is not None:
        wrong = checked(text.replace(f"{values[1]:.1f}", "99.9"), data, tmp_path, config)
        assert ["99.9 is printed, and the average" in item.message for item in wrong] == [True]
