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
from reportkit.scores.names import listed_in
from reportkit.scores.questions import FILES, Request, entries
from reportkit.scores.tables import read_table

Tables = list[tuple[File, pd.DataFrame]]


def joined(files: Sequence[File], request: Request, *, named: bool) -> tuple[pd.DataFrame, list[str], list[Finding]]:
    """Return all rows of the tables that have columns in common, with the names of files and folders as columns."""
    tables: Tables = []
    notes: list[Finding] = []
    unread: list[str] = []
    damaged: dict[str, ReportkitError] = {}
    for done, file in enumerate(files, start=1):
        try:
            found = read_table(file, named=named, texts=tuple(request.columns.values()))
        except (ReadingError, SettingsError) as error:
            if named or len(files) == 1:
                raise
            if file.path.suffix.lower() not in (".txt", ".dat", ""):
                damaged[file.name] = error
            found = None
        request.progress(done, len(files))
        if found is not None:
            tables.append((file, found[0]))
            notes += found[1]
        elif file.name not in damaged:
            unread.append(file.name)
    if damaged:
        where = "; ".join(f"{name}: {error.problem}" for name, error in list(damaged.items())[:3])
        message = f"{counted(len(damaged), 'file')} that cannot be read left out."
        remedy = "mend the files, or leave them out: --exclude"
        notes.append(Finding("files-left-out", "warning", message, where, remedy))
    if not tables:
        raise next(iter(damaged.values()), None) or ReadingError(
            "none of the files is a table, or of a tool that is known",
            where=listed([repr(name) for name in unread], 5),
            remedy="give CSV, JSON Lines, Parquet or Excel with a row per score",
        )
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
    parts = [_with_names(file, frame, stem, len(tables)) for (file, frame), stem in zip(tables, stems, strict=True)]
    frame = parts[0] if len(parts) == 1 else _concatenated(parts)
    return frame.drop(columns=[name for name in FILES[:3] if name in frame and frame[name].nunique() < 2]), stems, notes


def _with_names(file: File, frame: pd.DataFrame, stem: str, n_files: int) -> pd.DataFrame:
    """Add the names of a file and its folders, and what folders say as `dataset=cb/part-0.parquet`."""
    plain = [folder for folder in file.folders if "=" not in folder]
    names = dict(zip(FILES[:3], [stem, *reversed(plain)], strict=False)) if n_files > 1 else {}
    names |= dict(part.split("=", 1) for part in file.path.parent.parts if re.fullmatch(r"[^=]+=.+", part))
    added = {name: pd.Categorical([text]).repeat(len(frame)) for name, text in names.items() if name not in frame}
    return frame.assign(**added)


def _concatenated(parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    texts = {str(name) for part in parts for name in part.columns if isinstance(part[name].dtype, pd.CategoricalDtype)}
    plain = [part.astype({name: object for name in texts if name in part}) for part in parts]
    frame = pd.concat(plain, ignore_index=True)
    return frame.astype({name: "category" for name in texts if frame[name].notna().all()})


def _of_one_kind(tables: Tables) -> tuple[Tables, list[str]]:
    """Return the tables with the columns of most rows, cut to those that they have in common; and names of others."""
    kinds = [frozenset(map(str, frame.columns)) for _, frame in tables]
    if len(set(kinds)) == 1:
        return tables, []
    common = frozenset.intersection(*kinds)
    numeric = {str(name) for _, frame in tables for name in frame.select_dtypes(["number", "bool"]).columns}
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
    """Return the names of files without endings and without the words that all have: ada_results.csv is ada."""
    stems = [file.stem for file in files]
    for pattern in (r"(?P<rest>.+)[-_](?P<word>[^-_]+)", r"(?P<word>[^-_]+)[-_](?P<rest>.+)"):
        while len(stems) > 1 and all(found := [re.fullmatch(pattern, stem) for stem in stems]):
            said = {one["word"] for one in found if one}
            if len(said) > 1 or not listed_in(said.pop(), "words", "of_files"):
                break
            stems = [one["rest"] for one in found if one]
    return stems
