"""Settings from the command line and from TOML, the command line first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportkit.appearance import APPEARANCE_NAMES, Appearance
from reportkit.cli.declared_options import given
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.options import meant_by
from reportkit.replicability.printed.reproduction import METHODS, PrintedClaim
from reportkit.scores.choices import LONG_ROLES
from reportkit.scores.files import CODECS, ENDINGS
from reportkit.settings import SETTING_NAMES, Settings, check_alternative, read_config

if TYPE_CHECKING:
    from reportkit.scores.understanding import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildConfig:
    """Everything `reportkit build` needs to know.

    Parameters
    ----------
    settings : Settings
        How to test and count.
    appearance : Appearance
        How the report looks.
    systems, baselines : tuple of str
        Who is compared with whom.
    reading : mapping
        What is said of the files: columns, wide_systems, filter, format, exclude.
    claims : tuple of PrintedClaim
        What a paper says.
    templates : tuple of Path
        Folders with templates.
    output : Path
        Folder to write.
    path : Path or None
        The TOML file that was read.
    """

    settings: Settings
    appearance: Appearance
    systems: tuple[str, ...]
    baselines: tuple[str, ...]
    reading: Mapping[str, Any]
    claims: tuple[PrintedClaim, ...]
    templates: tuple[Path, ...]
    output: Path
    path: Path | None

    def request(self, command: Sequence[str]) -> Request:
        """Return what is asked of those who read the files."""
        from reportkit.analysis.read_results import request_of  # not where help is shown

        return request_of(self.settings, **self.reading, command=command)


def configured(results: Path, options: Mapping[str, Any]) -> BuildConfig:
    """Merge options of the command line over those of the TOML file.

    Parameters
    ----------
    results : Path
        File of results; `NAME.toml` and `reportkit.toml` beside it are looked for, unless `config` names a file.
    options : mapping
        As the command parses them; None and empty mean "not given".

    Raises
    ------
    UnknownNameError
        If the TOML file holds a key that is not known.
    SettingsError
        If a value makes no sense.
    """
    path: Path | None = options.get("config") or _beside(results)
    content = read_config(path) if path is not None else {}
    where, folder = str(path), path.parent if path is not None else Path()
    for key in content:
        if key not in (known := (*SETTING_NAMES, *_KEYS)):
            raise UnknownNameError("setting", key, known, where=where, meant=meant_by(key, Settings))
    names = {key: _names(content.get(key, ()), key, where) for key in _NAMES}
    texts = {key: _text(content[key], key, where) for key in _TEXTS if key in content}
    tables = {
        key: _table(content.get(key, {}), key, known, where)
        for key, known in {"columns": LONG_ROLES, "appearance": APPEARANCE_NAMES}.items()
    }
    if not options.get("alternative"):
        check_alternative(content.get("alternative", "greater"), swapped='system = "B" and baseline = "A"')
    changes = {key: _frozen(content[key]) for key in SETTING_NAMES if key in content}
    if names["lower_is_better"]:
        changes["higher_is_better"] = dict.fromkeys(names["lower_is_better"], False)
    typed = given(options, SETTING_NAMES)
    if isinstance(changes.get("higher_is_better"), Mapping) and "higher_is_better" in typed:
        typed["higher_is_better"] = {**changes["higher_is_better"], **typed["higher_is_better"]}
    return BuildConfig(
        settings=Settings().replace(**{**changes, **typed}),
        appearance=Appearance().replace(**{**tables["appearance"], **given(options, APPEARANCE_NAMES)}),
        systems=options.get("systems") or names["system"],
        baselines=options.get("baseline") or names["baseline"],
        reading={
            "columns": {**tables["columns"], **options.get("columns", {})},
            "wide_systems": options.get("wide_systems") or names["wide_systems"] or None,
            "filter": options.get("filter") or texts.get("filter"),
            "format": options.get("file_format") or texts.get("format"),
            "exclude": options.get("exclude") or (),
        },
        claims=_claims(content.get("printed", []), where),
        templates=options.get("templates") or tuple(folder / item for item in names["templates"]),
        output=options.get("output") or Path(texts.get("output", "report")),
        path=path,
    )


_NAMES = ("system", "baseline", "lower_is_better", "wide_systems", "templates")
_TEXTS = ("output", "filter", "format")
_KEYS = (*_NAMES, *_TEXTS, "columns", "appearance", "printed", "check")
"""Keys of the file that are no settings; `reportkit check` reads the last one."""


def _beside(results: Path) -> Path | None:
    stem = results.name
    for suffix in (*CODECS, *ENDINGS):
        stem = stem.removesuffix(suffix)
    folder = results if results.is_dir() else results.parent
    candidates = (folder / f"{stem}.toml", folder / "reportkit.toml")
    return next((file for file in candidates if file.is_file()), None)


def _names(value: object, key: str, where: str) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, (list, tuple)) else (None,)
    if not all(isinstance(name, str) for name in names):
        raise SettingsError(f"{key} is {value!r}", where=where, remedy="give a name or a list of names")
    return tuple(map(str, names))


def _text(value: object, key: str, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise SettingsError(f"{key} is {value!r}", where=where, remedy="give a text, in quotes")
    return value


def _table(value: object, key: str, known: Sequence[str], where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise SettingsError(f"{key} is {value!r}", where=where, remedy=f"write a table: [{key}], then a line for each")
    for name in value:
        if name not in known:
            raise UnknownNameError(f"key of [{key}]", name, known, where=where)
    if key == "columns":
        for name in value:
            _text(value[name], name, where)
    return value


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _claims(value: object, where: str) -> tuple[PrintedClaim, ...]:
    """Take what a paper prints; the keys and their kinds are those of `_CLAIM`."""
    if not isinstance(value, list) or not all(isinstance(claim, dict) and claim.keys() >= _REQUIRED for claim in value):
        remedy = "write [[printed]] with system_a, system_b and alpha"
        raise SettingsError(f"printed is {value!r}", where=where, remedy=remedy)
    for claim in value:
        for key, said in claim.items():
            if key not in _CLAIM:
                raise UnknownNameError("key of [[printed]]", key, _CLAIM, where=where)
            kind, what = _CLAIM[key]
            if type(said) is not kind or (key == "alpha" and not 0 < said < 1) or (kind is int and said < 0):
                raise SettingsError(f"{key} of [[printed]] is {said!r}", where=where, remedy=f"give {what}")
    return tuple(
        PrintedClaim(
            system_a=claim["system_a"],
            system_b=claim["system_b"],
            alpha=claim["alpha"],
            k_hat={method: claim[method] for method in METHODS if method in claim},
            identified=_frozen(claim.get("identified")),
        )
        for claim in value
    )


_REQUIRED = {"system_a", "system_b", "alpha"}
_CLAIM = {
    **dict.fromkeys(("system_a", "system_b"), (str, "a name, in quotes")),
    "alpha": (float, "a level, such as 0.05"),
    **dict.fromkeys(METHODS, (int, "a whole number")),
    "identified": (list, "a list of datasets"),
}
"""What each key of [[printed]] holds."""
