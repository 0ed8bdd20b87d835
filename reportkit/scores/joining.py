"""Join the tables of several files: their common columns, with the names of files and folders as columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import pandas as pd

from reportkit.errors import ReadingError, ReportkitError, SettingsError
from reportkit.finding import Finding
from reportkit.harnesses.file import File
from reportkit.language.counts_and_lists import counted, listed
from reportkit.scores.names import CERTAIN, listed_in, strength
from reportkit.scores.tables import read_table
from reportkit.scores.understanding import FILES, Request, entries


def joined(files: Sequence[File], request: Request, *, named: bool) -> tuple[pd.DataFrame, list[str], list[Finding]]:
    """All rows of the tables that have columns in common, with columns of the names of files and folders."""
    tables: list[tuple[File, pd.DataFrame]] = []
    notes: list[Finding] = []
    unread: list[str] = []
    damaged: list[tuple[str, ReportkitError]] = []
    for done, file in enumerate(files, start=1):
        try:
            found = read_table(file, named=named, texts=tuple(request.columns.values()))
        except (ReadingError, SettingsError) as error:
            if named or len(files) == 1:
                raise
            if file.path.suffix.lower() in (".txt", ".dat", ""):
                unread.append(file.name)
            else:
                damaged.append((file.name, error))
            continue
        request.progress(done, len(files))
        if found is None:
            unread.append(file.name)
        else:
            tables.append((file, found[0]))
            notes += found[1]
    if damaged:
        where = "; ".join(f"{name}: {error.problem}" for name, error in damaged[:3])
        message = f"{counted(len(damaged), 'file')} that cannot be read left out."
        notes.append(
            Finding("files-left-out", "warning", message, where, "mend the files, or leave them out: --exclude")
        )
    if not tables:
        if damaged:
            raise damaged[0][1]
        raise ReadingError(
            "none of the files is a table, or of a tool that is known",
            where=listed([repr(name) for name in unread], 5),
            remedy="give CSV, JSON Lines, Parquet or Excel with a row per score",
        )
    tables = _with_gold(tables)
    tables, left = _of_one_kind(tables)
    if left and named:
        raise SettingsError(
            "the columns of the files do not agree",
            where=f"{tables[0][0].name!r} has {entries(list(map(str, tables[0][1].columns)))}; {left[0]!r} has others",
            remedy="give those that belong together",
        )
    unread += left
    if unread:
        message = f"{counted(len(unread), 'file was', 'files were')} not read: no table of results, or other columns."
        notes.append(Finding("files-not-read", "info", message, listed(unread, 5)))
    stems = _stems([file for file, _ in tables])
    parts = []
    for (file, frame), stem in zip(tables, stems, strict=True):
        names = {} if len(tables) == 1 else {FILES[0]: stem}
        plain = [folder for folder in file.folders if "=" not in folder]  # task=cb is a column of its own
        for name, folder in zip(FILES[1:3], reversed(plain), strict=False):
            names |= {name: folder} if len(tables) > 1 else {}
        names |= dict(_hive(file))
        added = {name: pd.Categorical([text]).repeat(len(frame)) for name, text in names.items() if name not in frame}
        parts.append(frame.assign(**added))
    frame = _concatenated(parts)
    lone = [name for name in FILES[:3] if name in frame and frame[name].nunique() < 2]
    return frame.drop(columns=lone), stems, notes


def _concatenated(parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    if len(parts) == 1:
        return parts[0]
    texts = {str(name) for part in parts for name in part.columns if isinstance(part[name].dtype, pd.CategoricalDtype)}
    plain = [part.astype({name: object for name in texts if name in part}) for part in parts]
    joined = pd.concat(plain, ignore_index=True)
    return joined.astype({name: "category" for name in texts if name in joined and joined[name].notna().all()})


def _hive(file: File) -> list[tuple[str, str]]:
    """What folders say as `dataset=cb/part-0.parquet`."""
    pairs = (part.partition("=") for part in file.path.parent.parts)
    return [(name, value) for name, sign, value in pairs if sign and name and value]


def _of_one_kind(tables: Sequence[tuple[File, pd.DataFrame]]) -> tuple[list[tuple[File, pd.DataFrame]], list[str]]:
    """The tables with the columns of most rows, cut to those that they have in common; and the names of others."""
    kinds = [frozenset(map(str, frame.columns)) for _, frame in tables]
    common = frozenset.intersection(*kinds)
    if len(set(kinds)) == 1:
        return list(tables), []
    numeric = {
        str(name) for _, frame in tables for name in frame.columns if pd.api.types.is_numeric_dtype(frame[name].dtype)
    }
    if len(common) < 2 or not common & numeric:
        sizes: Counter[frozenset[str]] = Counter()
        for kind, (_, frame) in zip(kinds, tables, strict=True):
            sizes[kind] += len(frame)
        common = max(sizes, key=lambda kind: (sum(kind <= other for other in kinds), sizes[kind], sorted(kind)))
    kept = [(file, frame) for kind, (file, frame) in zip(kinds, tables, strict=True) if common <= kind]
    left = [file.name for kind, (file, _) in zip(kinds, tables, strict=True) if not common <= kind]
    order = [str(name) for name in kept[0][1].columns if str(name) in common]
    return [(file, frame[order]) for file, frame in kept], left


def _stems(files: Sequence[File]) -> list[str]:
    """Names of files without their ending and without the words that all have: ada_results.csv is ada."""
    stems = [file.stem for file in files]
    for pattern in (r"(.+)[-_]([^-_]+)", r"([^-_]+)[-_](.+)"):
        rest, word = (1, 2) if pattern.startswith("(.") else (2, 1)
        while len(stems) > 1 and all(found := [re.fullmatch(pattern, stem) for stem in stems]):
            said = {one[word] for one in found if one}
            if len(said) > 1 or not listed_in(said.pop(), "words", "of_files"):
                break
            stems = [one[rest] for one in found if one]
    return stems


def _with_gold(tables: list[tuple[File, pd.DataFrame]]) -> list[tuple[File, pd.DataFrame]]:
    """Labels of a file `gold.csv` beside the predictions of the others."""
    golds = [place for place, (file, _) in enumerate(tables) if strength(file.stem, "gold") == CERTAIN]
    if len(golds) != 1 or len(tables) < 2:
        return tables
    _, gold = tables[golds[0]]
    keys = [str(name) for name in gold.columns if strength(str(name), "instance") or strength(str(name), "dataset")]
    labels = [str(name) for name in gold.columns if str(name) not in keys]
    if len(labels) != 1 or not keys or gold.duplicated(keys).any():
        return tables
    right = gold[[*keys, labels[0]]].rename(columns={labels[0]: "gold"}).astype(dict.fromkeys(keys, str))
    found = []
    for place, (file, frame) in enumerate(tables):
        others = [str(name) for name in frame.columns if str(name) not in keys]
        if place == golds[0]:
            continue
        if not {*keys} <= {*map(str, frame.columns)} or len(others) != 1:
            return tables
        own = frame.rename(columns={others[0]: "prediction"}).astype(dict.fromkeys(keys, str))
        found.append((file, own.merge(right, on=keys, how="left")))
    return found


__all__ = ["joined"]
