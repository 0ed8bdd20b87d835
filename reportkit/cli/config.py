"""Settings from the command line and from TOML, the command line first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reportkit.appearance import APPEARANCE_NAMES, Appearance
from reportkit.cli.declared_options import given
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.options import meant_by
from reportkit.replicability.printed.reproduction import METHODS, PrintedClaim
from reportkit.scores.choices import LONG_ROLES as ROLES
from reportkit.scores.files import CODECS, ENDINGS
from reportkit.settings import SETTING_NAMES, Settings, check_alternative, read_config


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
    columns : mapping of str to str
        Role to column name.
    wide_systems : tuple of str or None
        Wide form: the columns that hold systems.
    claims : tuple of PrintedClaim
        What a paper says.
    templates : tuple of Path
        Folders with templates.
    output : Path
        Folder to write.
    filter, file_format : str or None
        What is read of the files, and as what.
    exclude : tuple of str
        Patterns of files, systems and datasets that are left out.
    path : Path or None
        The TOML file that was read.
    """

    settings: Settings
    appearance: Appearance
    systems: tuple[str, ...]
    baselines: tuple[str, ...]
    columns: Mapping[str, str]
    wide_systems: tuple[str, ...] | None
    claims: tuple[PrintedClaim, ...]
    templates: tuple[Path, ...]
    output: Path
    filter: str | None
    file_format: str | None
    exclude: tuple[str, ...]
    path: Path | None


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
    path = options["config"] or _beside(results)
    content = read_config(path) if path is not None else {}
    for key in content:
        if key not in SETTING_NAMES + OTHER_KEYS:
            known = (*SETTING_NAMES, *OTHER_KEYS)
            raise UnknownNameError("setting", key, known, where=str(path), meant=meant_by(key, Settings))
    other = {key: read(content, key, path) for key, read in _READ.items()}
    if "alternative" not in options or options["alternative"] is None:
        check_alternative(content.get("alternative", "greater"), swapped='system = "B" and baseline = "A"')
    changes = {key: _frozen(content[key]) for key in SETTING_NAMES if key in content}
    if other["lower_is_better"]:
        changes["higher_is_better"] = dict.fromkeys(other["lower_is_better"], False)
    changes |= given(options, Settings)
    if options.get("higher_is_better_for"):
        said = changes.get("higher_is_better")
        higher = dict.fromkeys(options["higher_is_better_for"], True)
        changes["higher_is_better"] = {**(said if isinstance(said, Mapping) else {}), **higher}
    columns = {**other["columns"], **options["columns"]}
    folder = path.parent if path is not None else Path()
    return BuildConfig(
        settings=Settings().replace(**changes),
        appearance=Appearance().replace(**{**other["appearance"], **given(options, Appearance)}),
        systems=tuple(options["systems"]) or other["system"],
        baselines=tuple(options["baseline"]) or other["baseline"],
        columns=columns,
        wide_systems=tuple(options.get("wide_systems") or other["wide_systems"]) or None,
        claims=other["printed"],
        templates=tuple(options["templates"]) or tuple(folder / item for item in other["templates"]),
        output=options["output"] or Path(other["output"]),
        filter=options.get("filter") or other["filter"],
        file_format=options.get("file_format") or other["format"],
        exclude=tuple(options.get("exclude") or ()),
        path=path,
    )


def _appearance(content: Mapping[str, Any], name: str, path: Path | None) -> dict[str, Any]:
    section = content.get(name, {})
    if not isinstance(section, dict):
        raise SettingsError(
            f"{name} is {section!r}", where=str(path), remedy='write a table: [appearance], then venue = "acl"'
        )
    for key in section:
        if key not in APPEARANCE_NAMES:
            raise UnknownNameError("key of [appearance]", key, APPEARANCE_NAMES, where=str(path))
    return section


def _beside(results: Path) -> Path | None:
    folder = results if results.is_dir() else results.parent
    stem = results.name
    for suffix in (*CODECS, *ENDINGS):
        stem = stem.removesuffix(suffix)
    for name in (f"{stem}.toml", "reportkit.toml"):
        candidate = folder / name
        if candidate.is_file():
            return candidate
    return None


def _strings(content: Mapping[str, Any], key: str, path: Path | None) -> tuple[str, ...]:
    value = content.get(key, ())
    items = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, (list, tuple)) else None
    if items is None or not all(isinstance(item, str) for item in items):
        raise SettingsError(f"{key} is {value!r}", where=str(path), remedy="give a name or a list of names")
    return items


def _columns(content: Mapping[str, Any], key: str, path: Path | None) -> dict[str, str]:
    columns = content.get(key, {})
    if not isinstance(columns, dict) or not all(isinstance(name, str) for name in columns.values()):
        raise SettingsError(f"columns is {columns!r}", where=str(path), remedy='write [columns] with system = "model"')
    for role in columns:
        if role not in ROLES:
            raise UnknownNameError("role of a column", role, ROLES, where=str(path))
    return dict(columns)


def _text(name: str, value: object, path: Path | None) -> str:
    if not isinstance(value, str) or not value:
        raise SettingsError(f"{name} is {value!r}", where=str(path), remedy="give a text, in quotes")
    return value


def _optional(content: Mapping[str, Any], key: str, path: Path | None) -> str | None:
    return _text(key, content[key], path) if key in content else None


def _claims(content: Mapping[str, Any], key: str, path: Path | None) -> tuple[PrintedClaim, ...]:
    listed = content.get(key, [])
    if not isinstance(listed, list):
        raise SettingsError(
            f"printed is {listed!r}", where=str(path), remedy="write [[printed]] with system_a, system_b and alpha"
        )
    return tuple(_claim(item, path) for item in listed)


def _claim(item: Any, path: Path | None) -> PrintedClaim:
    known = ("system_a", "system_b", "alpha", "identified", *METHODS)
    if not isinstance(item, dict):
        raise SettingsError(
            f"printed is {item!r}", where=str(path), remedy="write [[printed]] with system_a, system_b and alpha"
        )
    for key in item:
        if key not in known:
            raise UnknownNameError("key of [[printed]]", key, known, where=str(path))
    for key in ("system_a", "system_b", "alpha"):
        if key not in item:
            raise SettingsError(f"[[printed]] lacks {key}", where=str(path), remedy="give system_a, system_b and alpha")
    k_hat = {method: item[method] for method in METHODS if method in item}
    if not all(isinstance(value, int) and not isinstance(value, bool) and value >= 0 for value in k_hat.values()):
        raise SettingsError(
            f"a printed k-hat is no whole number: {k_hat!r}", where=str(path), remedy="give whole numbers"
        )
    alpha = item["alpha"]
    if isinstance(alpha, bool) or not isinstance(alpha, (int, float)) or not 0 < alpha < 1:
        raise SettingsError(f"alpha of [[printed]] is {alpha!r}", where=str(path), remedy="give a level, such as 0.05")
    return PrintedClaim(
        system_a=_text("system_a of [[printed]]", item["system_a"], path),
        system_b=_text("system_b of [[printed]]", item["system_b"], path),
        alpha=float(alpha),
        k_hat=k_hat,
        identified=_strings(item, "identified", path) if "identified" in item else None,
    )


def _output(content: Mapping[str, Any], key: str, path: Path | None) -> str:
    return _text(key, content.get(key, "report"), path)


def _for_check(content: Mapping[str, Any], key: str, path: Path | None) -> Any:
    """What `reportkit check` reads."""
    return content.get(key)


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


_READ: Mapping[str, Callable[[Mapping[str, Any], str, Path | None], Any]] = {
    **dict.fromkeys(("system", "baseline", "lower_is_better", "wide_systems", "templates"), _strings),
    "columns": _columns,
    "output": _output,
    "printed": _claims,
    "appearance": _appearance,
    "check": _for_check,
    "filter": _optional,
    "format": _optional,
}
OTHER_KEYS = tuple(_READ)
"""Keys of the file that are no settings."""
