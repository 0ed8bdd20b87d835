"""The user's configuration: `[check]` in `reportkit.toml`, or `[tool.reportkit.check]` in `pyproject.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.rendering.paper_place import PaperPlace, in_the_system

if TYPE_CHECKING:
    from reportkit.settings import Settings

KEYS = ("select", "ignore", "labels", "papers", "data", "strict")
_PREFIX = re.compile(r"RK\d{0,3}|ALL")


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Selected and ignored codes.

    Parameters
    ----------
    select : tuple of str
        Prefixes of codes: RK201, RK2, ALL; empty: all rules. The longer prefix wins over the shorter one, and `ignore`
        over `select` where both are equally long.
    ignore : tuple of str
        Prefixes of codes that do not run.

    Raises
    ------
    SettingsError
        If something is not a prefix of a code.

    Examples
    --------
    >>> chosen = Selection(select=("RK1",), ignore=("RK107",))
    >>> chosen.runs("RK101"), chosen.runs("RK107"), chosen.runs("RK201")
    (True, False, False)
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("select", "ignore"):
            given = ",".join(map(str, getattr(self, name))).upper().split(",")
            codes = tuple(code.strip() for code in given if code.strip())
            wrong = next((code for code in codes if _PREFIX.fullmatch(code) is None), None)
            if wrong is not None:
                remedy = "give codes such as RK201, RK2 or ALL"
                raise SettingsError(f"{wrong!r} is no code and no prefix of one", where=name, remedy=remedy)
            object.__setattr__(self, name, codes)

    def runs(self, code: str) -> bool:
        """Return whether the rule with a code runs."""
        chosen = _longest(code, self.select or ("ALL",))
        return chosen >= 0 and chosen > _longest(code, self.ignore)


def _longest(code: str, given: Iterable[str]) -> int:
    """Return the length of the longest prefix of a code; -1 if there is none, 1 for ALL."""
    fitting = (1 if prefix == "ALL" else len(prefix) for prefix in given if prefix == "ALL" or code.startswith(prefix))
    return max(fitting, default=-1)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckConfig:
    """Everything a check needs to know besides paper and data.

    Parameters
    ----------
    selection : Selection
        Which rules run, and where.
    labels : mapping of str to str
        What the paper calls systems, datasets, metrics and quantities, to what the results call them:
        {"Ours": "reranker-v2", "Amazon": "amazon_reviews"}; an empty name says that a heading means nothing.
    settings : Settings or None
        How to test and count: as `reportkit build` takes it from the same file; None for the defaults.
    columns : mapping of str to str
        Role to column name of the results.
    systems, baselines : tuple of str
        Who is compared with whom.
    papers : tuple of Path
        What to check if the command names nothing.
    data : Path or None
        Results.
    strict : bool
        Whether warnings make the command fail too.
    path : Path or None
        The file these were read from.

    Examples
    --------
    >>> CheckConfig(labels={"Ours": "reranker-v2"}).labels
    {'Ours': 'reranker-v2'}
    """

    selection: Selection = field(default_factory=Selection)
    labels: Mapping[str, str] = field(default_factory=dict)
    settings: Settings | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    systems: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ()
    papers: tuple[Path, ...] = ()
    data: Path | None = None
    strict: bool = False
    path: Path | None = None


def config_beside(path: str | Path | None) -> CheckConfig:
    """Read the configuration that belongs to a paper or to results: next to it, or above, up to the repository.

    `reportkit.toml` counts, and `pyproject.toml` if it has a table `[tool.reportkit]`.
    """
    given = Path(path or ".")
    folder = given if given.is_dir() else given.parent
    for place in (folder.resolve(), *folder.resolve().parents):
        candidate = place / "reportkit.toml"
        if candidate.is_file():
            return check_config(candidate)
        project = place / "pyproject.toml"
        if project.is_file() and "tool.reportkit" in project.read_text(encoding="utf-8", errors="replace"):
            return check_config(project)
        if (place / ".git").exists():
            break
    return CheckConfig()


def check_config(path: Path) -> CheckConfig:
    """Read the configuration of a check.

    Parameters
    ----------
    path : Path
        `reportkit.toml` or `pyproject.toml`.

    Raises
    ------
    ReadingError
        If the file is absent or no TOML.
    UnknownNameError
        If there is a key that is not known in `[check]`.
    SettingsError
        If a value makes no sense.
    """
    from reportkit.settings import Settings, read_config, settings_in

    content = read_config(path)
    section = content.get("check", {})
    where = f"{path}, [check]"
    if not isinstance(section, dict):
        raise SettingsError(f"check is {section!r}", where=str(path), remedy="write a table: [check]")
    section = {str(key).replace("_", "-"): value for key, value in section.items()}
    for key in section:
        if key not in KEYS:
            raise UnknownNameError("setting", key, KEYS, where=where)
    strict = section.get("strict", False)
    if not isinstance(strict, bool):
        raise SettingsError(f"strict is {strict!r}", where=where, remedy="give true or false")
    folder = path.parent
    return CheckConfig(
        selection=Selection(select=_names(section, "select", where), ignore=_names(section, "ignore", where)),
        labels={str(key): str(value) for key, value in _table(section, "labels", where).items()},
        settings=Settings().replace(**settings_in(content, _names(content, "lower_is_better", str(path)))),
        columns={str(key): str(value) for key, value in _table(content, "columns", str(path)).items()},
        systems=_names(content, "system", str(path)),
        baselines=_names(content, "baseline", str(path)),
        papers=tuple(_paper(folder / name, path, where) for name in _names(section, "papers", where)),
        data=_path(section, "data", folder, where),
        strict=strict,
        path=path,
    )


def _table(section: Mapping[str, Any], key: str, where: str) -> dict[str, Any]:
    value = section.get(key, {})
    if not isinstance(value, dict):
        raise SettingsError(f"{key} is {value!r}", where=where, remedy=f"write a table: {key} = {{ ... }}")
    return value


def _names(section: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    value = section.get(key, ())
    items = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, (list, tuple)) else None
    if items is None or not all(isinstance(item, str) for item in items):
        raise SettingsError(f"{key} is {value!r}", where=where, remedy="give a list of names")
    return items


def _path(section: Mapping[str, Any], key: str, folder: Path, where: str) -> Path | None:
    value = section.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        raise SettingsError(f"{key} is {value!r}", where=where, remedy="give a path")
    if in_the_system(folder / value):
        raise SettingsError(f"{key} is {value!r}, which is no file", where=where, remedy="give a file of your own")
    return folder / value


def _paper(paper: Path, config: Path, where: str) -> Path:
    """Return a paper that the configuration names; refuse one outside of its folder, as strangers write such files."""
    refusal = PaperPlace.of(config).refusal(paper, named=True)
    if refusal:
        told = refusal.replace("the paper", "this file")
        raise SettingsError(
            f"papers names {str(paper)!r}, which {told}",
            where=where,
            remedy="name it in the command: reportkit check PAPER",
        )
    return paper
