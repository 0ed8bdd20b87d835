"""Every option is declared once: dataclass, keyword arguments, help, command, TOML and JSON hold the same."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import subprocess
import sys
import tomllib
import typing
from collections.abc import Mapping, Sequence
from typing import Any

import click
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import reportkit
from reportkit.accessor import ReplicAccessor
from reportkit.appearance import Appearance
from reportkit.cli.build import build_command
from reportkit.cli.config import configured
from reportkit.cli.options import heading_of
from reportkit.cli.show import show_command
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.figures.drawing.shown import ShownFigure
from reportkit.options import choices_of, meanings, option_of
from reportkit.replicability.printed import PrintedClaim
from reportkit.report.gather import plain_settings
from reportkit.scores import resplits
from reportkit.scores.choices import COLUMN_ROLES, ROLES
from reportkit.settings import SETTING_NAMES, Settings
from tests.conftest import needed

NAMES = {
    "Appearance": Appearance,
    "Generator": np.random.Generator,
    "PrintedClaim": PrintedClaim,
    "Mapping": Mapping,
    "Sequence": Sequence,
}


def _frame(datasets: Sequence[str] = ("x", "y", "z")) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    return pd.DataFrame(
        [
            {"system": name, "dataset": dataset, "instance": i, "score": float(rng.normal(name == "new"))}
            for dataset in datasets
            for name in ("new", "old")
            for i in range(20)
        ]
    )


def _shown(holder: Any, name: str) -> Any:
    """A function, or what a class shows of a method; None for everything else."""
    found = inspect.getattr_static(holder, name)
    found = found.__func__ if isinstance(found, (classmethod, staticmethod)) else found
    return found if inspect.isfunction(found) and found.__module__.startswith("reportkit.") else None


PUBLIC = {name: getattr(reportkit, name) for name in reportkit.__all__}
METHODS: dict[str, Any] = {name: item for name, item in PUBLIC.items() if inspect.isfunction(item)} | {
    f"{holder.__name__}.{name}": found
    for holder in (*filter(inspect.isclass, PUBLIC.values()), ReplicAccessor, ShownFigure)
    for name in dir(holder)
    if not name.startswith("_") and (found := _shown(holder, name)) is not None
}
"""Every public function, and every method of what a user holds."""


@pytest.mark.parametrize("name", METHODS)
def test_no_door_takes_options_unseen(name):
    """Each option has a type, and its meaning in the docstring, too."""
    parameters = inspect.signature(METHODS[name]).parameters.values()
    assert not [
        item.name for item in parameters if item.name not in ("self", "cls") and item.annotation in (item.empty, "")
    ]
    explained = METHODS[name].__doc__
    several = [item.name for item in parameters if item.kind is item.KEYWORD_ONLY]
    assert not [option for option in several if not re.search(rf"(^|[\s,`]){option}[\s,`:=]", explained)]


@pytest.mark.parametrize("definition", [Settings, Appearance])
def test_every_field_says_what_it_means(definition):
    """In the docstring of its dataclass, and nothing else is said there."""
    assert set(meanings(definition)) == {item.name for item in dataclasses.fields(definition)}


COMMANDS: tuple[tuple[click.Command, tuple[type, ...]], ...] = (
    (build_command, (Settings, Appearance)),
    (show_command, (Appearance,)),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda case: case[0].name)
def test_every_command_has_the_options_that_are_declared(command):
    """Each field that has a sentence of help, with its values, its default and that sentence."""
    command, definitions = command
    options = {item.name: item for item in command.params if isinstance(item, click.Option)}
    for definition in definitions:
        hints = typing.get_type_hints(definition, localns=NAMES)
        for item in dataclasses.fields(definition):
            about = option_of(item)
            if not about.help:
                continue
            if about.each:
                assert {name: options[name].help for name in about.each} == about.each
                assert [options[name].opts for name in about.each] == [[f"--{name}"] for name in about.each]
                continue
            found = options[item.name]
            assert found.opts == [about.flag or "--" + item.name.replace("_", "-")]
            assert about.help.removesuffix(".") in found.help
            if choices := choices_of(hints[item.name]):
                assert found.metavar == f"[{'|'.join(choices)}]"
                assert item.default is None or str(item.default) in found.help or found.multiple
            elif isinstance(item.default, (str, int, float)) and not isinstance(item.default, bool):
                assert f"[default: {item.default}]" in found.help


@pytest.mark.parametrize("definition", [Settings, Appearance])
def test_headings_are_those_that_are_declared(definition):
    """Each option is under its own, in the text of the command too."""
    options = {item.name: item for item in build_command.params if isinstance(item, click.Option)}
    text = CliRunner().invoke(build_command, ["--help-all"]).output
    for item in dataclasses.fields(definition):
        about = option_of(item)
        if about.help:
            assert {heading_of(options[name]) for name in about.each or (item.name,)} == {about.heading}
            assert f"\n{about.heading}:\n" in text


TOML = {
    "datasets": '["x", "y"]',
    "metric": '"f1"',
    "primary_metric": '"f1"',
    "gatekeeping": '"serial"',
    "alternative": '"two-sided"',
    "preregistered": "true",
    "dependence": '"independent"',
    "alpha": "[0.1, 0.01]",
    "profile": '"dror2017"',
    "test": '"wilcoxon"',
    "higher_is_better": "false",
    "kind": '"ordinal"',
    "missing": '"drop"',
    "pairing": '"unpaired"',
    "runs": '"fixed"',
    "across_datasets": "true",
    "friedman": "true",
    "score_range": "[0, 1]",
    "mixed_scales": '"accept"',
    "printed_reading": '"two-sided"',
    "rng": "7",
    "n_resamples": "999",
    "rope": "0.1",
    "bayes": "true",
    "prior": "0.5",
}


def test_toml_and_json_have_the_names_of_the_settings(tmp_path):
    """A file with all of them gives all of them, none at its default, and so does `report.json`."""
    assert set(TOML) == set(SETTING_NAMES)
    path = tmp_path / "all.toml"
    path.write_text("\n".join(f"{name} = {value}" for name, value in TOML.items()), "utf-8")
    none = {item.name: None for item in build_command.params}
    given = none | {"config": path, "systems": (), "baseline": (), "templates": (), "columns": {}}
    settings = configured(tmp_path / "r.csv", given).settings
    assert not [name for name in SETTING_NAMES if getattr(settings, name) == getattr(Settings(), name)]
    written = json.loads(json.dumps(plain_settings(settings)))
    assert set(written) == set(SETTING_NAMES)


def _typed(option: click.Option, value: Any) -> list[str]:
    if option.is_flag:
        return [option.opts[0]]
    if option.nargs > 1:
        return [option.opts[0], *map(str, value)]
    return [word for one in (value if isinstance(value, list) else [value]) for word in (option.opts[0], str(one))]


def test_the_command_hands_every_option_to_its_setting(tmp_path):
    """What is typed gives what the same names in a file of TOML give."""
    values = tomllib.loads("\n".join(f"{name} = {value}" for name, value in TOML.items()))
    values["higher_is_better"] = "score"
    options = {item.name: item for item in build_command.params if isinstance(item, click.Option)}
    typed = [word for name, value in values.items() for word in _typed(options[name], value)]
    context = build_command.make_context("build", [str(tmp_path / "r.csv"), *typed])
    settings = configured(tmp_path / "r.csv", context.params).settings
    (tmp_path / "all.toml").write_text("\n".join(f"{name} = {value}" for name, value in TOML.items()), "utf-8")
    context = build_command.make_context("build", [str(tmp_path / "r.csv"), "--config", str(tmp_path / "all.toml")])
    expected = configured(tmp_path / "r.csv", context.params).settings
    assert settings == dataclasses.replace(expected, higher_is_better={"score": False})


def test_names_of_columns_are_the_roles():
    """All that `df.replic(...)` takes can be read by one of its methods."""
    assert set(COLUMN_ROLES) == {*ROLES, *resplits.ROLES}


def test_a_misspelt_option_is_answered_with_the_nearest():
    """At every door that takes options."""
    frame = _frame()
    for door in (reportkit.read, reportkit.compare, reportkit.calibrate):
        with pytest.raises(UnknownNameError, match="'missing'"):
            door(frame, mising="drop")
    with pytest.raises(TypeError, match="'tolerence'"):
        reportkit.reproducibility(frame, tolerence=1)
    with pytest.raises(UnknownNameError, match="'venue'"):
        frame.replic.compare("new", "old").styled(venu="acl")


@pytest.mark.parametrize(
    ("typed", "python", "toml", "flag"),
    [
        ("seeds", "'runs'", "'runs'", "'--runs'"),
        ("seed", "'rng'", "'rng'", None),
        ("random_state", "'rng'", "'rng'", "'--seed'"),
        ("rng", None, None, "'--seed'"),
        ("level", "'alpha'", "'alpha'", "'--alpha'"),
        ("system", "'systems' or 'wide_systems'", None, None),
    ],
)
def test_a_name_of_other_packages_is_answered_with_the_name_of_today(tmp_path, typed, python, toml, flag):
    """As a keyword argument, as a key of TOML and as an option; None: this is how it is spelt there."""
    known = "known: "
    if python is not None:
        with pytest.raises(UnknownNameError) as raised:
            reportkit.compare(_frame(), "new", "old", **{typed: "fixed"})
        assert str(raised.value.remedy).startswith(f"did you mean {python}? {known}")
    if toml is not None:
        path = tmp_path / "old.toml"
        path.write_text(f'{typed} = "fixed"', "utf-8")
        with pytest.raises(UnknownNameError) as raised:
            configured(tmp_path / "r.csv", {"config": path})
        assert str(raised.value.remedy).startswith(f"did you mean {toml}? {known}")
    if flag is not None:
        done = CliRunner().invoke(build_command, ["r.csv", "--" + typed.replace("_", "-"), "1"])
        assert done.exit_code == 2
        assert f"Did you mean {flag}?" in done.output


def test_a_declaration_is_no_selection_of_datasets():
    """Of a dataset that has the name, a list still is."""
    frame = _frame(("independent", "x"))
    with pytest.raises(SettingsError, match="write dependence='independent'"):
        frame.replic.compare("new", "old", datasets="independent")
    assert reportkit.read(frame, datasets=["independent"]).dataset_names == ("independent",)


def test_datasets_are_selected_in_any_order():
    """The numbers are those of the frame without the others, the order means nothing, and the signature tells."""
    frame = _frame()
    chosen = frame.replic.compare("new", "old", datasets=["z", "x"])
    alone = frame[frame["dataset"] != "y"].replic.compare("new", "old")
    pd.testing.assert_frame_equal(chosen.outcomes, alone.outcomes)
    other = frame.replic.compare("new", "old", datasets=("x", "z"))
    assert chosen.report().to_dict() == other.report().to_dict()
    assert "|datasets:2of3,any|" in chosen.report().model.signature.line
    assert "|datasets:2,any|" in alone.report().model.signature.line
    with pytest.raises(UnknownNameError, match="'x'"):
        frame.replic.compare("new", "old", datasets=["xx"])
    assert reportkit.read(frame, datasets="y").dataset_names == ("y",)


def test_datasets_of_printed_results_are_selected():
    """As those of scores."""
    printed = pd.DataFrame(
        {"dataset": ["x", "y", "z"], "score_a": [0.9, 0.6, 0.7], "score_b": [0.8, 0.7, 0.6], "p_value": [0.1, 0.2, 0.6]}
    )
    assert reportkit.compare(printed, datasets=["z", "x"]).outcomes["dataset"].tolist() == ["x", "z"]
    with pytest.raises(UnknownNameError, match="no dataset 'w'"):
        reportkit.compare(printed, datasets=["w"])


def test_datasets_are_selected_for_a_calibration():
    """The same names, the same refusal."""
    report = _frame().replic.calibrate("new", "old", datasets=["z", "x"], parts=("null",), n_replicates=20)
    assert report.study.datasets == ("x", "z")
    with pytest.raises(UnknownNameError, match="no dataset 'w'"):
        _frame().replic.calibrate("new", "old", datasets=["w"])


def test_a_generator_becomes_a_seed_that_is_kept():
    """One number is drawn of it; with this number everything comes out again."""
    frame = _frame()
    options = {"test": "bootstrap-t"}
    first = frame.replic.compare("new", "old", rng=np.random.default_rng(1), **options)
    seed = first.settings.rng
    assert type(seed) is int
    assert f"seed:{seed}" in first.report().model.signature.line
    assert first.report().to_dict()["settings"]["rng"] == seed
    pd.testing.assert_frame_equal(first.outcomes, frame.replic.compare("new", "old", rng=seed, **options).outcomes)
    assert Settings(rng=np.int64(3)).rng == 3
    with pytest.raises(SettingsError, match="rng is '0'"):
        Settings(rng="0")


@pytest.mark.slow
def test_ipython_completes_the_options():
    """`df.replic.compare(` and a tab lists every option; so do the other doors."""
    needed("IPython", "notebook")
    code = """
import json
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell
import pandas as pd, reportkit
shell = InteractiveShell.instance()
shell.Completer.use_jedi = False
shell.user_ns["reportkit"] = reportkit
shell.user_ns["df"] = pd.DataFrame({"system": ["a"], "dataset": ["x"], "instance": [1], "score": [1.0]})
found = {}
for text in ("df.replic.compare(", "reportkit.calibrate(", "reportkit.compare("):
    with provisionalcompleter():
        found[text] = [item.text.rstrip("=") for item in shell.Completer.completions(text, len(text))]
print(json.dumps(found))
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    assert {"baseline", "alpha", "dependence", "test"} <= set(found["df.replic.compare("])
    assert {"baseline", "alpha", "dependence", "test"} <= set(found["reportkit.compare("])
    assert {"baseline", "families", "quick"} <= set(found["reportkit.calibrate("])
