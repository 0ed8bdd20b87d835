"""Columns are found by the caller's names, their own, and aliases, in this order; nothing is guessed between two."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.errors import ColumnError, UnknownNameError
from reportkit.scores.choices import LONG_OPTIONAL, LONG_REQUIRED, ROLES
from reportkit.scores.table.columns import ALIASES, folded, recognise_columns

LONG = ["system", "dataset", "instance", "score"]


@pytest.mark.slow
@settings(deadline=None, max_examples=100)
@given(st.data())
def test_any_alias_of_any_role_is_recognised(data: st.DataObject) -> None:
    """Each role is found by each of its names, in any case, with `-` or space for `_`, in any order."""
    names = {}
    for role in (*LONG_REQUIRED, *LONG_OPTIONAL):
        name = data.draw(st.sampled_from([role, *ALIASES[role]]))
        name = name.replace("_", data.draw(st.sampled_from(["_", "-", " ", "", "."])))
        names[role] = data.draw(st.sampled_from([name, name.upper(), f" {name.title()} "]))
    found = recognise_columns(data.draw(st.permutations(list(names.values()))))
    assert found.form == "long"
    assert found.roles == names
    assert found.unused == ()


def test_no_alias_belongs_to_two_roles() -> None:
    """An alias says one thing only, and is not the name of another role."""
    seen = [folded(name) for role in ROLES for name in (role, *ALIASES[role])]
    assert len(seen) == len(set(seen))


def test_the_callers_names_win() -> None:
    """A named column is taken though another has the canonical name, which then plays no role."""
    found = recognise_columns([*LONG, "model"], {"system": "model"})
    assert found.roles["system"] == "model"
    assert found.unused == ("system",)
    assert found.aliases == {}
    assert found.declared == {"system"}


def test_a_canonical_name_wins_over_aliases() -> None:
    """`score` is the score though there is `accuracy`, too."""
    found = recognise_columns([*LONG, "accuracy", "id"])
    assert found.roles["score"] == "score"
    assert found.unused == ("accuracy", "id")


@pytest.mark.parametrize("extra", [["run", "trial"], ["doc", "dialogue"], ["weights", "sample_weight"]])
def test_two_aliases_of_an_optional_role_are_not_guessed(extra: list[str]) -> None:
    """The error names both; gold values are the exception, since they play no part."""
    with pytest.raises(ColumnError, match=f"'{extra[0]}' and '{extra[1]}'"):
        recognise_columns([*LONG, *extra])
    assert "gold" not in recognise_columns([*LONG, "gold_label", "gold_score"]).roles


def test_forms() -> None:
    """Long, wide and printed tables are told apart by their columns."""
    assert recognise_columns(LONG).form == "long"
    assert recognise_columns(["task", "id", "bert", "gpt"]).form == "wide"
    printed = recognise_columns(["dataset", "score_a", "score_b", "p-value", "n"])
    assert (printed.form, printed.roles["p_value"], printed.roles["n"]) == ("printed", "p-value", "n")
    assert recognise_columns([*LONG, "p_value"]).unused == ("p_value",)


def test_only_numbers_are_systems_of_the_wide_form() -> None:
    """Columns of text and row numbers are left out; a column with one wrong cell is not."""
    frame = pd.DataFrame(
        {
            "Unnamed: 0": [0, 1, 2],
            "dataset": "cb",
            "id": [1, 2, 3],
            "text": ["x", "y", "z"],
            "bert": [1, 0, 1],
            "gpt": ["1", "0", "n/v"],
            "flag": [True, False, True],
        }
    )
    found = recognise_columns(frame)
    assert found.systems == ("bert", "gpt", "flag")
    assert found.unused == ("Unnamed: 0", "text")


def test_systems_that_are_named_make_the_form_wide() -> None:
    """With `systems`, even columns called like a role are systems, and their order is that of the caller."""
    found = recognise_columns([*LONG, "model"], systems=["score", "model"])
    assert (found.form, found.systems) == ("wide", ("score", "model"))
    with pytest.raises(ColumnError, match="'bart' for systems"):
        recognise_columns(["dataset", "id", "bert"], systems=["bart"])


def test_errors_say_what_to_pass() -> None:
    """Missing columns are answered with the nearest name, as option of the function and of the command."""
    with pytest.raises(ColumnError) as raised:
        recognise_columns(["sytem", "dataset", "instance", "score"])
    assert 'pass system="sytem" (--system-column sytem)' in str(raised.value)
    with pytest.raises(ColumnError) as raised:
        recognise_columns(["my model", "dataset", "instance", "score"])
    assert "pass system=\"my model\" (--system-column 'my model')" in str(raised.value)
    with pytest.raises(ColumnError) as raised:
        recognise_columns(["who", "dataset", "instance", "score"])
    assert 'pass system="NAME" (--system-column NAME)' in str(raised.value)
    with pytest.raises(UnknownNameError, match="no column role 'sytem'"):
        recognise_columns(LONG, {"sytem": "system"})
    with pytest.raises(ColumnError, match="which has no p_value"):
        recognise_columns([*LONG, "p"], {"p_value": "p"})
    with pytest.raises(ColumnError, match="2 columns are called 'score'"):
        recognise_columns([*LONG, "score"])


def test_a_header_is_recognised_without_pandas() -> None:
    """Recognising names alone does not import pandas: the command needs it for its messages."""
    import subprocess
    import sys

    code = (
        "import sys, importlib.util, pathlib, types\n"
        "sys.modules['reportkit'] = package = types.ModuleType('reportkit')\n"
        "package.__path__ = [sys.argv[1]]\n"
        "from reportkit.scores.table.columns import recognise_columns\n"
        "assert recognise_columns(['dataset', 'id', 'a', 'b']).form == 'wide'\n"
        "assert 'pandas' not in sys.modules\n"
    )
    import reportkit

    subprocess.run([sys.executable, "-c", code, next(iter(reportkit.__path__))], check=True)
