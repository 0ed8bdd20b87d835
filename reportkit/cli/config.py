"""Settings from the command line and from TOML, the command line first."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportkit.appearance import APPEARANCE_NAMES, Appearance
from reportkit.cli.options import command_typed, given
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.options import meant_by
from reportkit.replicability.printed import METHODS, PrintedClaim
from reportkit.scores.choices import LONG_ROLES
from reportkit.scores.files import ENDINGS
from reportkit.settings import SETTING_NAMES, Settings, check_alternative, read_config, settings_in

if TYPE_CHECKING:
    from reportkit.scores.questions import Request


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class BuildConfig:
    """Everything that a command needs to know to read results and to write a report.

    Parameters
    ----------
    settings : Settings
        How to test and count.
    appearance : Appearance
        How the report looks.
    systems, baselines : tuple of str
        Who is compared with whom.
    reading : mapping
        Options about the files: columns, wide_systems, filter, exclude.
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

    def request(self, progress: Callable[[int, int], None] = lambda done, total: None) -> Request:
        """Return how the files are to be read."""
        from reportkit.analysis.read_results import request_of  # help need not load it

        request = request_of(self.settings, **self.reading, command=command_typed())
        return dataclasses.replace(request, progress=progress)


def configured(results: Path, options: Mapping[str, Any]) -> BuildConfig:
    """Merge options of the command line over those of the TOML file.

    Parameters
    ----------
    results : Path
        File of results; without the option `config`, `NAME.toml` or `reportkit.toml` in its folder is read.
    options : mapping
        As the command parses them; None and empty mean "not given".

    Raises
    ------
    UnknownNameError
        If the TOML file holds a key that is not known.
    SettingsError
        If a value makes no sense.
    """
    path: Path | None = options.get("config") or _found(results)
    content = read_config(path) if path is not None else {}
    _check(content, _KEYS, path)
    _check(columns := content.get("columns", {}), dict.fromkeys(LONG_ROLES, (str,)), path, " of [columns]")
    _check(look := content.get("appearance", {}), dict.fromkeys(APPEARANCE_NAMES, ()), path, " of [appearance]")
    found = {key: content.get(key, ()) for key in _NAMES}
    names = {key: (value,) if isinstance(value, str) else tuple(map(str, value)) for key, value in found.items()}
    alternative = options.get("alternative")
    swapped = "--system B --baseline A" if alternative else 'system = "B" and baseline = "A"'
    check_alternative(alternative or content.get("alternative", "greater"), swapped=swapped)
    changes, typed = settings_in(content, names["lower_is_better"]), given(options, SETTING_NAMES)
    if isinstance(changes.get("higher_is_better"), Mapping) and "higher_is_better" in typed:
        typed["higher_is_better"] = {**changes["higher_is_better"], **typed["higher_is_better"]}
    return BuildConfig(
        settings=Settings().replace(**{**changes, **typed}),
        appearance=Appearance().replace(**{**look, **given(options, APPEARANCE_NAMES)}),
        systems=options.get("systems") or names["system"],
        baselines=options.get("baseline") or names["baseline"],
        reading={
            "columns": {**columns, **options.get("columns", {})},
            "wide_systems": options.get("wide_systems") or names["wide_systems"] or None,
            "filter": options.get("filter") or content.get("filter"),
            "exclude": options.get("exclude") or (),
        },
        claims=tuple(_claim(claim, path) for claim in content.get("printed", ())),
        templates=options.get("templates") or tuple((path or Path()).parent / item for item in names["templates"]),
        output=options.get("output") or Path(content.get("output", "report")),
        path=path,
    )


def _found(results: Path) -> Path | None:
    """Return the file of settings in the folder of results, if there is one."""
    stem = results.name
    for suffix in (".gz", *ENDINGS):
        stem = stem.removesuffix(suffix)
    folder = results if results.is_dir() else results.parent
    return next((file for name in (stem, "reportkit") if (file := folder / f"{name}.toml").is_file()), None)


def _check(content: object, kinds: Mapping[str, tuple[type, ...]], path: Path | None, inside: str = "") -> None:
    """Refuse unknown keys, values of the wrong type, and anything but a table."""
    if not isinstance(content, dict):
        raise SettingsError(f"a part{inside} is {content!r}", where=str(path), remedy="give a table: key = value")
    for key, value in content.items():
        if key not in kinds:
            raise UnknownNameError(f"setting{inside}", key, kinds, where=str(path), meant=meant_by(key, Settings))
        if kinds[key] and (type(value) not in kinds[key] or value == ""):
            what = " or ".join(_WORDS[kind] for kind in kinds[key])
            raise SettingsError(f"{key}{inside} is {value!r}", where=str(path), remedy=f"give {what}")


def _claim(claim: dict[str, Any], path: Path | None) -> PrintedClaim:
    _check(claim, _CLAIM, path, " of [[printed]]")
    if lacking := {"system_a", "system_b", "alpha"} - claim.keys():
        raise SettingsError(f"[[printed]] lacks {', '.join(sorted(lacking))}", where=str(path), remedy="give them")
    k_hat = {method: claim.pop(method) for method in METHODS if method in claim}
    identified = claim.pop("identified", None)
    return PrintedClaim(**claim, identified=None if identified is None else tuple(identified), k_hat=k_hat)


_WORDS = {str: "a text in quotes", list: "a list of texts", dict: "a table", int: "a whole number", float: "a number"}
_NAMES = ("system", "baseline", "lower_is_better", "wide_systems", "templates")
_KEYS: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys((*SETTING_NAMES, "check"), ()),
    **dict.fromkeys(_NAMES, (str, list)),
    **dict.fromkeys(("output", "filter"), (str,)),
    **dict.fromkeys(("columns", "appearance"), (dict,)),
    "printed": (list,),
}
"""Types of the keys of the file; settings check themselves, and `reportkit check` reads the table `check`."""

_CLAIM: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("system_a", "system_b"), (str,)),
    **dict.fromkeys(METHODS, (int,)),
    "alpha": (float,),
    "identified": (list,),
}
