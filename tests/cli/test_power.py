"""`reportkit power`: what the page shows is what the command prints; mistakes say what is missing."""

import re
import shlex

import pandas as pd
import pytest

from reportkit.cli.main import main


def run(*arguments):
    """Exit code of the command."""
    with pytest.raises(SystemExit) as caught:
        main(["power", *map(str, arguments)])
    return caught.value.code


def commands(root):
    """Commands of the page and what they print there."""
    page = (root / "docs" / "how-to" / "power.md").read_text("utf-8")
    return re.findall(r"```console\n\$ reportkit power ([^\n]*)\n(.*?)```", page, flags=re.S)


@pytest.mark.slow
def test_the_page_shows_what_is_printed(root, capsys, monkeypatch):
    """All of its commands, character by character."""
    monkeypatch.chdir(root)
    found = commands(root)
    assert len(found) == 4
    for command, shown in found:
        assert run(*shlex.split(command)) == 0
        assert capsys.readouterr().out == shown, command


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "give the difference that matters, effect (--effect)"),
        (["--effect", 0.01], "--accuracy"),
        (["--effect", 1, "--accuracy", 0.85], "1 point is 0.01"),
        (["--effect", 0.01, "--n", 10, "--power", 0.8, "--sd", 1], "leave out one of them"),
        (["--effect", -0.1, "--sd", 1], "effect is -0.1"),
        (["--n", 10, "--n", 20, "--accuracy", 0.5], "--discordant"),
        (["--n", 10, "--n", 20, "--sd", 1, "--n-datasets", 3], "n 2, n_datasets 3"),
        (["--n", 10, "--metric", "f1"], "there are no results"),
        (["none.csv", "--sd", 1], "leave out sd"),
        (["none.csv"], "none.csv"),
    ],
)
def test_a_mistake_is_told_with_the_way_out(arguments, said, capsys):
    """Exit code 2, and what is missing."""
    assert run(*arguments) == 2
    assert said in capsys.readouterr().err


def test_results_with_columns_of_other_names(tmp_path, capsys):
    """Columns, direction and missing scores are read as by `build`; names reach no terminal raw."""
    rows = [
        {"who": who, "task": "a\x1b[2J", "id": i, "score": float((i * 7 + k * 3) % 5)}
        for k, who in enumerate(("new", "old"))
        for i in range(50)
    ]
    path = tmp_path / "results.csv"
    pd.DataFrame([*rows, *({**row, "task": "b"} for row in rows)][:-1]).to_csv(path, index=False)
    arguments = [path, "--columns", "system=who,dataset=task,instance=id"]
    assert run(*arguments, "--lower-is-better", "score") == 2
    assert "missing" in capsys.readouterr().err
    assert run(*arguments, "--missing", "drop", "--effect", 0.5, "--dependence", "independent") == 0
    out = capsys.readouterr().out
    assert "k-hat (Fisher)" in " ".join(out.split())
    assert "\x1b" not in out
