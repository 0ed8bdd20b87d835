"""`reportkit inspect`, and what `reportkit build` says first; run as a user runs it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.running import run

WIDE = "id,new,old\n" + "".join(f"{i},{i % 3 > 0:d},{i % 2}\n" for i in range(24))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One table."""
    (tmp_path / "sst2.csv").write_text(WIDE)
    return tmp_path


@pytest.mark.slow
def test_the_summary_comes_before_the_statistics(folder: Path) -> None:
    """The sentence, an empty line; with --quiet nothing."""
    code, said = run(folder, "build", "sst2.csv")
    assert code == 0
    understood, _, rest = said.partition("\n\n")
    assert understood == "2 systems (columns new, old), 1 dataset, scored by score; paired on id"
    assert rest.startswith("new and old on sst2")
    assert run(folder, "build", "sst2.csv", "-q") == (0, "")


@pytest.mark.slow
def test_settings_are_found_in_the_folder_of_results(folder: Path) -> None:
    """`reportkit build .` with a reportkit.toml in it."""
    (folder / "reportkit.toml").write_text('system = "new"\nbaseline = "old"\n')
    _, said = run(folder, "build", ".")
    assert re.search(r"settings from .*reportkit\.toml", said)
    assert "old > new" not in said
