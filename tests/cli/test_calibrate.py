"""`reportkit calibrate`: from a file of results to a folder with a report."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from reportkit.cli.main import main


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    """Run the command next to a file with two systems, in this process."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "system": np.repeat(["new", "old"], 90),
            "dataset": "news",
            "instance": [f"i{index}" for index in range(90)] * 2,
            "score": rng.normal(size=180),
            "cluster": [f"d{index // 9}" for index in range(90)] * 2,
        }
    )
    frame.loc[frame["system"] == "new", "score"] += np.repeat(rng.normal(size=10), 9) * 2
    frame.to_csv(tmp_path / "results.csv", index=False)
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        with pytest.raises(SystemExit) as caught:
            main(["calibrate", "results.csv", *map(str, arguments)])
        return caught.value.code, *capsys.readouterr()

    return run


@pytest.mark.slow
def test_a_report_is_written_and_summed_up(command, tmp_path):
    """Signs of whole clusters are flipped: calibrated or conservative, exit code 0; the folder is a report."""
    code, out, _ = command("--part", "null", "--replicates", 300, "-o", "out")
    assert code == 0
    assert "Calibration of 2 systems on news" in out
    content = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    assert content["settings"]["n_replicates"] == 300
    assert content["data"]["source"] == "results.csv"
    with pytest.raises(SystemExit) as caught:
        main(["show", "out"])
    assert caught.value.code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--system", "nwe", "--baseline", "old"), "did you mean 'new'"),
        (("--part", "joint"), "nothing can be calibrated"),
        (("--family", "kin"), "column 'kin'"),
    ],
)
def test_mistakes_end_with_two(command, arguments, message):
    """What is wrong, on stderr, without a traceback."""
    code, _, err = command(*arguments, "--quick")
    assert code == 2
    assert message in err
