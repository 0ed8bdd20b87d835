"""What the shell is offered while an option is typed."""

from __future__ import annotations

import pytest
from click.shell_completion import ShellComplete

from reportkit.cli.main import group


def offered(*words):
    """Completions of the last word."""
    return [item.value for item in ShellComplete(group, {}, "reportkit", "").get_completions([*words[:-1]], words[-1])]


@pytest.fixture
def results(tmp_path):
    """A small table."""
    path = tmp_path / "results.csv"
    path.write_text("system,dataset,instance,score\nours,qa,1,1\nbase one,qa,1,0\nours,nli,1,1\nbase one,nli,1,0\n")
    return str(path)


def test_names_are_completed_from_the_file(results):
    """Systems and datasets, those that begin so, wherever the option stands behind the file."""
    assert offered("build", results, "--system", "") == ["ours", "base one"]
    assert offered("build", results, "--system", "ours", "--baseline", "b") == ["base one"]
    assert offered("build", results, "--dataset", "n") == ["nli"]


def test_without_results_nothing_is_guessed(tmp_path):
    """Neither before the file is named, nor of a file that cannot be read."""
    assert offered("build", "--system", "") == []
    assert offered("build", str(tmp_path / "absent.csv"), "--system", "") == []


def test_options_are_completed_as_before(results):
    """Names of options, and values of choices."""
    assert "--dependence" in offered("build", results, "--dep")
    assert offered("build", results, "--dependence", "i") == ["independent"]
