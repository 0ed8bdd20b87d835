"""Settings from TOML and the command line: which wins, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from reportkit.cli.config import configured
from reportkit.errors import ReadingError, SettingsError, UnknownNameError
from reportkit.settings import read_config

NOTHING = {
    "systems": (),
    "baseline": (),
    "metric": None,
    "alpha": (),
    "templates": (),
    "output": None,
    "config": None,
    "columns": {},
}


def _write(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def test_a_file_beside_the_results_is_found(tmp_path):
    """`results.toml` next to `results.csv.gz` is used without being asked for, before `reportkit.toml`."""
    _write(tmp_path, "reportkit.toml", "rng = 1")
    _write(tmp_path, "results.toml", 'rng = 2\nsystem = "ours"\n[columns]\nsystem = "model"')
    config = configured(tmp_path / "results.csv.gz", NOTHING)
    assert config.settings.rng == 2
    assert config.systems == ("ours",)
    assert config.reading["columns"] == {"system": "model"}
    assert configured(tmp_path / "other.csv", NOTHING).settings.rng == 1


def test_the_command_line_wins(tmp_path):
    """Options of the command line replace those of the file, one by one."""
    path = _write(tmp_path, "c.toml", 'alpha = 0.1\nrng = 3\nbaseline = ["x", "y"]\nlower_is_better = ["TER"]')
    options = {**NOTHING, "config": path, "alpha": (0.05, 0.001), "baseline": ("z",), "columns": {"score": "f1"}}
    config = configured(tmp_path / "r.csv", options)
    assert config.settings.alpha == (0.05, 0.001)
    assert config.settings.rng == 3
    assert config.baselines == ("z",)
    assert config.reading["columns"] == {"score": "f1"}
    assert not config.settings.metric_higher_is_better("TER")
    assert config.settings.metric_higher_is_better("BLEU")


def test_printed_claims_are_read(tmp_path):
    """What a paper says is given as [[printed]]."""
    path = _write(
        tmp_path,
        "c.toml",
        '[[printed]]\nsystem_a = "A"\nsystem_b = "B"\nalpha = 0.05\nfisher = 5\nidentified = ["MZ"]',
    )
    (claim,) = configured(tmp_path / "r.csv", {**NOTHING, "config": path}).claims
    assert (claim.system_a, claim.alpha, dict(claim.k_hat), claim.identified) == ("A", 0.05, {"fisher": 5}, ("MZ",))


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        ("alfa = 0.05", UnknownNameError, "alpha"),
        ("alpha = 5", SettingsError, "between 0 and 0.5"),
        ('dependence = "indep"', UnknownNameError, "independent"),
        ("seed = -1", SettingsError, "seed"),
        ("system = 3", SettingsError, "list of texts"),
        ("[columns]\nmodel = 'x'", UnknownNameError, "setting of [columns]"),
        ("[[printed]]\nsystem_a = 'A'", SettingsError, "system_b"),
        ("[[printed]]\nsystem_a = 'A'\nsystem_b = 'B'\nalpha = 0.05\nfischer = 3", UnknownNameError, "fisher"),
        ("[[printed]]\nsystem_a = 'A'\nsystem_b = 'B'\nalpha = 0.05\nfisher = 3.5", SettingsError, "whole number"),
        ("printed = [1]", SettingsError, "[[printed]] is 1"),
        ('output = ""', SettingsError, "output"),
        ("[[printed]]\nsystem_a = 'A'\nsystem_b = 'B'\nalpha = 'x'", SettingsError, "alpha of [[printed]]"),
        ("seed = " + "9" * 5000, ReadingError, "is not TOML"),
        ("alpha = ]", ReadingError, "line 1"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path, content, error, message):
    """Unknown keys are answered with the nearest ones, values with what is allowed."""
    path = _write(tmp_path, "c.toml", content)
    with pytest.raises(error) as caught:
        configured(tmp_path / "r.csv", {**NOTHING, "config": path})
    assert message in str(caught.value)


@pytest.mark.parametrize("content", ["tool = 5", "[tool]\nreportkit = 5"])
def test_tables_of_a_project_are_tables(tmp_path, content):
    """In a pyproject.toml, `tool.reportkit` may be anything that TOML knows."""
    path = _write(tmp_path, "pyproject.toml", content)
    with pytest.raises(SettingsError, match="is 5"):
        read_config(path)
