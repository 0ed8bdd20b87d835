"""`reportkit splits`: the file is what the package reads, and training elsewhere closes the circle."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.cli.main import main
from reportkit.reproducibility_analysis import BlockedCV


def run(*arguments):
    """Exit code of the command."""
    with pytest.raises(SystemExit) as caught:
        main(["splits", *map(str, arguments)])
    return caught.value.code


def test_numbered_instances(tmp_path, capsys):
    """Two divisions of 40 instances by m = 3, as `BlockedCV` makes them."""
    assert run("--n", 40, "--repartitions", 2, "--seed", 5, "-o", tmp_path / "s.csv") == 0
    tables = pd.read_csv(tmp_path / "s.csv")
    assert tables.columns.tolist() == ["repartition", "instance", "block", "fold_1", "fold_2", "fold_3"]
    for number, table in tables.groupby("repartition"):
        cv = BlockedCV(m=3, rng=5, repartition=number - 1)
        assert np.array_equal(table["block"] - 1, cv.assign(40))
    assert "wrote 2 divisions of 40 instances into 4 blocks" in capsys.readouterr().out


def test_labels_and_groups_of_a_table(tmp_path):
    """Labels are divided evenly, groups stay whole."""
    frame = pd.DataFrame(
        {"instance": [f"i{n}" for n in range(48)], "y": ["a", "b", "b"] * 16, "doc": np.arange(48) // 2}
    )
    frame.to_csv(tmp_path / "c.csv", index=False)
    assert run(tmp_path / "c.csv", "--label-column", "y", "-o", tmp_path / "s.csv", "-q") == 0
    table = pd.read_csv(tmp_path / "s.csv")
    assert pd.crosstab(frame["y"], table["block"]).to_numpy().tolist() == [[4] * 4, [8] * 4]
    assert run(tmp_path / "c.csv", "--group-column", "doc", "-o", tmp_path / "s.csv", "-q") == 0
    table = pd.read_csv(tmp_path / "s.csv")
    assert frame.assign(block=table["block"]).groupby("doc")["block"].nunique().eq(1).all()


def test_splits_go_through_training_to_a_report(tmp_path):
    """Predictions made on the folds of the file are accepted, fold for fold."""
    assert run("--n", 30, "--repartitions", 20, "-o", tmp_path / "s.csv", "-q") == 0
    splits = pd.read_csv(tmp_path / "s.csv").melt(
        ["repartition", "instance", "block"], var_name="replicate", value_name="fold"
    )
    rng = np.random.default_rng(2)
    rows = pd.concat(
        [
            splits.assign(system=system, gold=splits["instance"] % 2, prediction=rng.integers(0, 2, len(splits)))
            for system in ("a", "b")
        ]
    )
    result = reportkit.reproducibility(rows)
    assert result.to_frame()["n"].tolist() == [20] * 5
    assert result.data.resplits[0].n_instances == 30


def test_mistakes(tmp_path, capsys):
    """Neither table nor number, both, an unknown column, m without enough blocks."""
    assert run("-o", tmp_path / "s.csv") == 2
    assert "no corpus to divide" in capsys.readouterr().err
    assert run("--n", 8, "--label-column", "y", "-o", tmp_path / "s.csv") == 2
    assert run("--n", 0, "-o", tmp_path / "s.csv") == 2
    (tmp_path / "c.csv").write_text("instance,lable\n1,x\n2,y\n")
    capsys.readouterr()
    assert run(tmp_path / "c.csv", "--label-column", "label", "-o", tmp_path / "s.csv") == 2
    assert "did you mean 'lable'" in capsys.readouterr().err
    assert not (tmp_path / "s.csv").exists()
