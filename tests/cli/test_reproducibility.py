"""`reportkit reproducibility`: from a file of predictions to a report, errors without a traceback."""

from __future__ import annotations

import json

import pytest

from reportkit.cli.main import main
from tests.reproducibility_analysis.resplit_cases import predictions_frame


def run(*arguments):
    """Exit code of the command."""
    with pytest.raises(SystemExit) as caught:
        main(["reproducibility", *map(str, arguments)])
    return caught.value.code


@pytest.fixture(scope="module")
def predictions(tmp_path_factory):
    """A file of predictions on 20 re-partitions."""
    path = tmp_path_factory.mktemp("data") / "predictions.csv"
    predictions_frame().to_csv(path, index=False)
    return path


@pytest.mark.slow
def test_a_report_is_written(predictions, tmp_path, capsys):
    """The table in the terminal, the report in the folder; shown again from it."""
    assert run(predictions, "--system", "new", "--baseline", "old", "-o", tmp_path / "r", "--venue", "acl") == 0
    out = capsys.readouterr().out
    assert "Mixture (B over A)" in out
    assert "20 re-partitions" in " ".join(out.split())
    content = json.loads((tmp_path / "r" / "report.json").read_text("utf-8"))
    assert content["reproducibility"]["system_a"] == "new"
    assert content["data"]["source"] == "predictions.csv"
    with pytest.raises(SystemExit) as caught:
        main(["show", str(tmp_path / "r")])
    assert caught.value.code == 0


def test_a_mistake_is_told_with_the_way_out(predictions, tmp_path, capsys):
    """Unknown systems and columns: exit code 2, the nearest name, no report."""
    assert run(predictions, "--system", "nwe", "-o", tmp_path / "r") == 2
    assert "did you mean 'new'" in capsys.readouterr().err
    assert run(predictions, "--columns", "gold=golden", "-o", tmp_path / "r") == 2
    assert "gold" in capsys.readouterr().err
    assert not (tmp_path / "r").exists()
