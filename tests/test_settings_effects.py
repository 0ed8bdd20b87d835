"""No setting is accepted and ignored: each legal value changes a report, every illegal one is refused, at all doors."""

from __future__ import annotations

import dataclasses
import json
import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.appearance import APPEARANCE_NAMES, Appearance, tex
from reportkit.appearance import CHOICES as LOOK_CHOICES
from reportkit.cli.main import main
from reportkit.errors import ReportkitError, SettingsError
from reportkit.report.facts_json import to_plain
from reportkit.settings import SETTING_NAMES, Settings
from reportkit.venues import VENUES

HINTS = typing.get_type_hints(Settings)
CHOICES = {name: typing.get_args(hint) for name, hint in HINTS.items() if typing.get_origin(hint) is typing.Literal}
SIGNED = ("settings", "signature")
"""What says which settings there were: it differs whatever they do."""


def _graded(n: int = 24, shift: float = 0.5, systems: tuple[str, ...] = ("new", "old")) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    return pd.DataFrame(
        [
            {"system": name, "dataset": dataset, "instance": i, "score": float(rng.normal(shift * (name == "new")))}
            for name in systems
            for dataset in ("x", "y")
            for i in range(n)
        ]
    )


def _skewed() -> pd.DataFrame:
    frame = _graded(60)
    return frame.assign(score=np.exp(frame["score"]))


def _levels() -> pd.DataFrame:
    frame = _graded()
    return frame.assign(score=frame["score"].clip(0, 2).round() + 1)


def _right() -> pd.DataFrame:
    frame = _graded()
    return frame.assign(score=(frame["score"] > 0).astype(int))


def _gaps() -> pd.DataFrame:
    frame = _right().astype({"score": float})
    frame.loc[[0, 30, 70], "score"] = np.nan
    return frame


def _graded_gaps() -> pd.DataFrame:
    frame = _graded()
    frame.loc[[0, 30, 70], "score"] = np.nan
    return frame


def _runs() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    frame = pd.concat([_graded().assign(seed=seed) for seed in range(3)], ignore_index=True)
    return frame.assign(score=frame["score"] + rng.normal(0, 0.2, len(frame)))


def _mixed() -> pd.DataFrame:
    frame = _graded()
    return frame.assign(score=frame["score"].abs().clip(0.1, 1) * np.where(frame["dataset"] == "x", 1, 90))


def _metrics() -> pd.DataFrame:
    other = _graded(shift=1.0)
    return pd.concat([_graded().assign(metric="f1"), other.assign(metric="bleu", score=other["score"] * 2 + 1)])


def _printed() -> pd.DataFrame:
    scores = {"score_a": [0.9, 0.6, 0.7], "score_b": [0.8, 0.7, 0.6], "p_value": [0.001, 0.02, 0.6]}
    return pd.DataFrame({"dataset": ["x", "y", "z"], **scores})


Case = tuple[Any, Callable[[], pd.DataFrame], Mapping[str, Any]]
MONTE_CARLO = {"test": "bootstrap-t"}
BOTH = {"metric": ("f1", "bleu")}
EFFECTS: Mapping[str, tuple[Case, ...]] = {
    "alpha": ((0.1, _graded, {}), ((0.05, 0.001), _graded, {})),
    "datasets": (("x", _graded, {}), (("y",), _graded, {})),
    "dependence": (("independent", _graded, {}),),
    "alternative": (("two-sided", _graded, {}),),
    "preregistered": ((True, _graded, {}),),
    "profile": (("dror2017", _graded, {}),),
    "test": (("wilcoxon", _graded, {}), ("paired-t", _graded, {})),
    "n_resamples": ((99_999, _skewed, MONTE_CARLO),),
    "rng": ((1, _skewed, MONTE_CARLO),),
    "missing": (("drop", _gaps, {}), ("worst", _gaps, {})),
    "higher_is_better": ((False, _graded, {}), ({"score": False}, _graded, {})),
    "kind": (
        ("ordinal", _levels, {}),
        ("count", _levels, {}),
        ("continuous", _right, {}),
        ("binary", _graded, {}),
        ({"x": "ordinal"}, _levels, {}),
    ),
    "score_range": (((0, 1), _graded, {}), ((-9, 9), _graded_gaps, {"missing": "worst"})),
    "mixed_scales": (("accept", _mixed, {}),),
    "printed_reading": (("observed-direction", _printed, {}), ("two-sided", _printed, {})),
    "metric": (("f1", _metrics, {}), (("bleu", "f1"), _metrics, {"metric": "f1"})),
    "primary_metric": (("bleu", _metrics, BOTH), ("bleu", _metrics, {})),
    "gatekeeping": (("serial", _metrics, BOTH), ("by-dataset", _metrics, BOTH), ("exploratory", _metrics, BOTH)),
    "pairing": (("unpaired", _graded, {}),),
    "runs": (("fixed", _runs, {}),),
    "across_datasets": ((True, _graded, {}),),
    "friedman": ((True, lambda: _graded(systems=("new", "old", "third")), {}),),
    "rope": ((0.1, _graded, {}), (0.2, _graded, {"rope": 0.1})),
    "bayes": ((True, _graded, {}),),
    "prior": ((0.7, _right, {"bayes": True}), (0.7, _graded, {"rope": 0.1})),
}
"""For each setting: a value, data on which it says something, and the settings that go with it."""


def _systems(frame: pd.DataFrame) -> tuple[str, ...]:
    return ("new", "old") if "system" not in frame or frame["system"].nunique() == 2 else ()


@cache
def _said(make: Callable[[], pd.DataFrame], changes: str) -> str:
    """All that a report says but for its settings; or why there is none."""
    frame = make()
    try:
        analysis = reportkit.compare(frame, *_systems(frame), **_PLAIN[changes])
    except ReportkitError as error:
        return f"refused: {error}"
    report = analysis.report().model
    content = {name: value for name, value in analysis.report().to_dict().items() if name not in SIGNED}
    kept = dataclasses.replace(
        report, extras=(), checklist=(), signature=dataclasses.replace(report.signature, fields={})
    )
    document = to_plain(kept)
    return json.dumps([content, document], sort_keys=True, default=str)


_PLAIN: dict[str, Mapping[str, Any]] = {}


def _of(make: Callable[[], pd.DataFrame], changes: Mapping[str, Any]) -> str:
    _PLAIN[repr(changes)] = changes
    return _said(make, repr(changes))


CASES = [(name, *case) for name, cases in EFFECTS.items() for case in cases]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value", "make", "beside"), CASES, ids=[f"{case[0]}={case[1]}" for case in CASES])
def test_every_value_of_every_setting_has_an_effect(name, value, make, beside):
    """The report with it is another one than without it, in its numbers, tables or words."""
    with_it, without = _of(make, {**beside, name: value}), _of(make, beside)
    assert with_it != without
    assert not (with_it.startswith("refused") and without.startswith("refused"))


def test_no_setting_is_left_out():
    """Every field has a case, and of a choice every value but the default."""
    assert set(EFFECTS) == set(SETTING_NAMES)
    default = Settings()
    for name, values in CHOICES.items():
        assert {case[0] for case in EFFECTS[name]} == set(values) - {getattr(default, name)}


ILLEGAL: Mapping[str, tuple[Any, ...]] = {
    "alpha": (0, 0.5, -1, float("nan"), "0.05", True, (), None),
    "datasets": (3, "", (), ("x", "x"), ("x", 3)),
    "test": (3, "", ()),
    "n_resamples": (98, 99.5, "999", None, True),
    "rng": (-1, 0.5, None, True, "0"),
    "higher_is_better": (1, "no", {"f1": 1}),
    "kind": ("ordinl", 3, {"x": "nominal"}, ["ordinal"]),
    "score_range": ((1, 0), (0,), 3, (0, float("inf")), (True, 2), ("0", "1")),
    "metric": (3, "", (), ("f1", "f1"), ("f1", 3)),
    "primary_metric": (3, "", ()),
    "across_datasets": (1, "yes", None),
    "friedman": (1, "yes", None),
    "preregistered": (1, "yes", None),
    "bayes": (1, "yes", None),
    "rope": (0, -1, float("inf"), float("nan"), "0.1", True),
    "prior": (0, -1, float("inf"), float("nan"), "0.1", True),
    **{name: ("sideways", "", None, 1, [], ("greater",)) for name in CHOICES},
}


@pytest.mark.parametrize("name", SETTING_NAMES)
def test_every_illegal_value_is_refused(name):
    """When it is given, and with the name of the setting."""
    for value in ILLEGAL[name]:
        with pytest.raises(SettingsError) as raised:
            Settings(**{name: value})
        assert name.split("_")[0] in str(raised.value)


def test_less_is_refused_with_what_to_do():
    """In the form in which the user works; what the remedy says gives the claim that was meant."""
    frame = _graded()
    with pytest.raises(SettingsError, match="'less'") as raised:
        reportkit.compare(frame, "old", "new", alternative="less")
    assert "compare(..., 'new', 'old')" in raised.value.remedy
    assert reportkit.compare(frame, "new", "old").outcomes["p_value"].max() < 0.5
    with pytest.raises(SettingsError, match="swap the two systems"):
        frame.replic.compare("old", "new", alternative="less")
    with pytest.raises(SettingsError, match="swap the two systems"):
        reportkit.compare(frame, "old", "new", alternative="less")
    for door in (reportkit.calibrate, reportkit.read):
        with pytest.raises(SettingsError, match="swap the two systems"):
            door(frame, alternative="less")
    with pytest.raises(SettingsError, match="swap the two systems"):
        Settings().replace(alternative="less")


def _run(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stopped:
        main(list(arguments))
    return int(stopped.value.code or 0), capsys.readouterr().err


@pytest.mark.slow
def test_less_is_refused_on_the_command_line_and_in_toml(tmp_path, capsys):
    """With what to do."""
    file = tmp_path / "results.csv"
    _graded().to_csv(file, index=False)
    code, said = _run(
        "build", str(file), "--system", "old", "--baseline", "new", "--alternative", "less", capsys=capsys
    )
    assert code == 2
    assert "swap the two systems" in said
    (tmp_path / "results.toml").write_text('system = "old"\nbaseline = "new"\nalternative = "less"\n', "utf-8")
    code, said = _run("build", str(file), capsys=capsys)
    assert code == 2
    assert "swap the two systems" in said
    (tmp_path / "results.toml").write_text('system = "new"\nbaseline = "old"\n', "utf-8")
    assert _run("build", str(file), "-q", "-o", str(tmp_path / "r"), capsys=capsys)[0] == 0


# the appearance -------------------------------------------------------------------------------------------------------


LOOKS: Mapping[str, tuple[Any, ...]] = {
    "venue": tuple(name for name in VENUES if name != "report"),
    "second": (False,),
    "cell": ("{score} [{n}]{mark}",),
    "decimals": (4, {"score": 5}),
    "average": (True,),
    "full": (True,),
    "dataset_groups": ({"One": ("x",)},),
    "system_groups": ({"Ours": ("new",)},),
    "labels": ({"new": "New"}, {"new": tex("$n$", plain="n")}),
    "name": ("ablation",),
    "formats": (("typst", "xlsx"),),
    **LOOK_CHOICES,
}


@cache
def _compared(**options: str) -> reportkit.Analysis:
    return reportkit.compare(_graded(systems=("new", "old", "third")), **options)


@cache
def _clear() -> reportkit.Analysis:
    """One system is right on all of sixty instances, and the other on none."""
    rows = [(system, "x", place, int(system == "new")) for system in ("new", "old") for place in range(60)]
    return reportkit.compare(pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"]), "new", "old")


@cache
def _look(which: str, changes: str) -> list[str]:
    """The report and two formats of a table, of all pairs, with a baseline or of a pair; or why there is none."""
    try:
        styled = {"all pairs": _compared, "baseline": lambda: _compared(baseline="old"), "pair": _clear}[
            which
        ]().styled(**_PLAIN[changes])
        document = to_plain(styled.report().model)
        document.pop("appearance", None)
        found = [json.dumps(document), styled.to_latex(), styled.to_markdown(), *styled.appearance.formats]
        return [*found, styled.to_markdown("p-values") if which == "pair" else ""]
    except ReportkitError as error:
        return [f"refused: {error}"]


def _differ(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two appearances differ anywhere; nothing is set beyond the first difference."""
    _PLAIN.update({repr(one): one, repr(other): other})
    return any(_look(which, repr(one)) != _look(which, repr(other)) for which in ("pair", "baseline", "all pairs"))


AS_AUTO = (
    ("bold", "best"),
    ("rows", "systems"),
    ("rows", "datasets"),
    ("environment", "table"),
    ("caption", Appearance().caption_side),
    ("notes", "caption"),
)
"""What the default comes to for these data; another value of the field is then the other one."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in LOOKS.items() for value in values if name != "full"], ids=repr
)
def test_every_field_of_the_appearance_has_an_effect(name, value):
    """Any other value than the default changes a table, a text or a figure; the rest differs from one that does.

    `full` adds files: tests/rendering/test_report_files.py.
    """
    default = getattr(Appearance(), name)
    if value == default:
        return
    if (name, value) not in AS_AUTO:
        assert _differ({name: value}, {})
    else:
        others = [other for other in (*LOOKS[name], default) if other != value]
        assert any(_differ({name: value}, {name: other}) for other in others)


def test_no_field_of_the_appearance_is_left_out():
    """Every field has values here."""
    assert set(LOOKS) == set(APPEARANCE_NAMES)


BAD_LOOKS: Mapping[str, tuple[Any, ...]] = {
    "venue": ("emnlp-2", 3),
    "formats": ("docx", ["doc"], 3),
    "second": (1, "no"),
    "cell": ("{nothing}", "{score", 3),
    "decimals": (-1, 9, 1.5, True, {"score": "2"}),
    "average": (1, "yes"),
    "full": (1, "yes"),
    "dataset_groups": (3, {"One": "x"}, {"One": ()}, {"One": ("x",), "Two": ("x",)}),
    "system_groups": (3, {"One": "x"}),
    "labels": (3, {"new": 3}, {"new": " "}),
    "name": ("Main", "", 3),
    **dict.fromkeys(LOOK_CHOICES, ("sideways", "", 3)),
}


@pytest.mark.parametrize("name", APPEARANCE_NAMES)
def test_every_illegal_value_of_the_appearance_is_refused(name):
    """As for settings."""
    for value in BAD_LOOKS[name]:
        with pytest.raises(SettingsError):
            Appearance(**{name: value})
