"""What a user meets first: few parameters, few names, help on one screen, and answers to typing errors."""

import inspect
import io
from contextlib import redirect_stderr, redirect_stdout

import pandas as pd
import pytest

import reportkit
from reportkit.accessor import ReplicAccessor
from reportkit.cli.main import group, main

MOST_PARAMETERS = 20
MOST_NAMES = 25
MOST_COMMANDS = 9
ONE_SCREEN = 60


def typed(*arguments):
    """Run the command as it is typed, and return its exit code and what it prints."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as end:
        main(list(map(str, arguments)))
    return int(end.value.code or 0), out.getvalue() + err.getvalue()


@pytest.mark.parametrize("function", [reportkit.compare, ReplicAccessor.compare])
def test_compare_has_few_parameters(function):
    """The frame counts as one."""
    assert len(inspect.signature(function).parameters) <= MOST_PARAMETERS


def test_help_of_compare_fits_on_one_screen():
    """As `help` prints it, without the line of the signature."""
    text = inspect.getdoc(pd.DataFrame.replic.compare)
    assert len(text.splitlines()) <= ONE_SCREEN


def test_an_analysis_shows_few_names():
    """At most 25, each of which is there; a sentence, a plan and the lower bounds among them."""
    rows = [(s, "x", i, (i * 7 + len(s)) % 3 == 0) for s in ("new", "older") for i in range(60)]
    frame = pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"]).astype({"score": float})
    analysis = frame.replic.compare("new", "older")
    names = [name for name in dir(analysis) if not name.startswith("_")]
    assert len(names) <= MOST_NAMES
    assert all(hasattr(type(analysis), name) or hasattr(analysis, name) for name in names)
    assert "new" in analysis.verdict
    assert analysis.verdict.endswith(".")
    assert analysis.power(effect=0.1, power=0.8).rows[0].n > analysis.power().rows[0].n


def test_a_system_and_a_pair_are_looked_up_by_name():
    """All outcomes of one system, as better and as worse one; the comparison of two; other names are answered."""
    rows = [(s, d, i, (i * 7 + len(s)) % 3 == 0) for s in ("GPT-4o", "base", "tiny") for d in "xy" for i in range(30)]
    frame = pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"]).astype({"score": float})
    analysis = frame.replic.compare()
    own = analysis["GPT-4o"]
    assert len(own) == 8
    assert ((own["system_a"] == "GPT-4o") | (own["system_b"] == "GPT-4o")).all()
    assert analysis["GPT-4o", "base"].datasets == ("x", "y")
    assert {*analysis.posterior("GPT-4o", "tiny").to_frame()["system_b"]} == {"tiny"}
    with pytest.raises(reportkit.UnknownNameError, match="did you mean 'GPT-4o'"):
        analysis["GPT-4"]
    with pytest.raises(reportkit.UnknownNameError, match="GPT-4o > bse"):
        analysis["GPT-4o", "bse"]


def test_there_are_few_commands():
    """At most nine."""
    assert len(group.list_commands(None)) <= MOST_COMMANDS


@pytest.mark.parametrize("command", group.list_commands(None))
def test_help_of_each_command_fits_on_one_screen(command):
    """At 80 columns."""
    code, text = typed(command, "--help")
    assert code == 0
    assert len(text.splitlines()) <= ONE_SCREEN


def test_all_options_are_listed_on_request():
    """Those of one screen say that there are more."""
    _, short = typed("build", "--help")
    _, long = typed("build", "--help-all")
    assert "--help-all lists" in short
    assert "--score-range" in long
    assert "--score-range" not in short


def test_who_is_compared_comes_first():
    """As what people look for first."""
    _, text = typed("build", "--help")
    assert text.index("Who is compared:") < text.index("What is compared:")


def test_columns_are_named_in_one_option(tmp_path):
    """Also where a name holds a comma."""
    path = tmp_path / "r.csv"
    rows = [(s, i, i % (2 + n)) for n, s in enumerate(("x", "y")) for i in range(20)]
    pd.DataFrame(rows, columns=["of whom", "which, exactly", "how well"]).to_csv(path, index=False)
    named = "system=of whom,instance=which, exactly,score=how well"
    code, text = typed("inspect", path, "--columns", named, "--higher-is-better", "how well")
    assert code == 0
    assert "2 systems (column of whom)" in text
    assert "paired on which, exactly" in text
