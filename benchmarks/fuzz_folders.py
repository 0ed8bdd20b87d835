"""Damaged folders of evaluation harnesses, made from the seed, for `fuzz_readers.py`.

A folder is in the layout of its harness, as the tests of the readers write it. Of each input one to three files are
changed: cut off, bytes and encodings changed, removed, emptied, kept under a second name; members of records taken
away, renamed, exchanged, of another type, in another order; the same member changed in all records of a file, which is
then of another version; records doubled, moved or dropped; fields of texts exchanged; columns of Parquet, Feather and
Excel files changed. Files in a log that is an archive are changed in the same ways.

What is read must be scores that are finite, and the scores of the undamaged folder except where a record was changed: if
more scores differ than records were changed, and no message says anything, it was a guess. Two systems that have become
the same are said by the comparison.
"""

from __future__ import annotations

import collections
import functools
import io
import json
import lzma
import math
import random
import re
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

import reportkit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import fuzz_inputs as inputs

from reportkit.harnesses.inspect_ai import _member
from tests.harnesses.layouts import LAYOUTS

Files = dict[str, bytes]

PREFIX = "folder: "
"""Of the names of kinds."""

MOST_CHANGED = 12
"""Scores that differ from those of the undamaged folder, without a word, where records of up to three files changed."""

NOT_SEEN = {"sacrebleu", "swe-bench"}
"""Where a small change is another file that is whole: lines that move up, and a list of solved instances that is empty."""

KEYS = ["system", "dataset", "instance", "seed", "metric"]


TABLES = ("excel", "feather", "json_records", "json_split", "json_lines", "parquet", "tsv", "csv_xz", "csv_in_zip")


def kinds() -> list[str]:
    """Every harness, and the tables that are no text or JSON Lines."""
    return [PREFIX + name for name in (*LAYOUTS, *TABLES)]


def write_table(name: str, folder: Path) -> str:
    """Write a small table in long form; return the name of its file."""
    rows = [
        {"model": system, "task": task, "id": f"{task}-{number:03d}"}
        | {"accuracy": int((number * step + len(task)) % 7 < 4)}
        for system, step in (("new", 1), ("old", 3))
        for task in ("cola", "rte")
        for number in range(40)
    ]
    frame = pd.DataFrame(rows)
    given = {
        "excel": "results.xlsx",
        "json_records": "results.json",
        "json_split": "results.json",
        "json_lines": "results.jsonl",
        "csv_xz": "results.csv.xz",
        "csv_in_zip": "results.csv.zip",
    }.get(name, f"results.{name}")
    path = folder / given
    if path.suffix == ".xlsx":
        frame.to_excel(path, index=False)
    elif name == "feather":
        frame.to_feather(path)
    elif name == "parquet":
        frame.to_parquet(path, index=False)
    elif name.startswith("json"):
        orient = "split" if name == "json_split" else "records"
        frame.to_json(path, orient=orient, lines=name == "json_lines")  # type: ignore[call-overload]
    else:
        frame.to_csv(path, index=False, sep="\t" if name == "tsv" else ",")
    return given


@functools.cache
def whole(name: str) -> tuple[Files, tuple[str, ...]]:
    """Path to content of an undamaged folder, and the paths that a user gives."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        if name in LAYOUTS:
            LAYOUTS[name].write(root / "results")
            given = ("results",)
        else:
            given = (write_table(name, root),)
        found = {
            path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()
        }
    return found, given


def damaged(name: str, rng: random.Random) -> Files:
    """The folder with one to three files changed."""
    files = dict(whole(name)[0])
    for path in rng.sample(sorted(files), rng.randint(1, min(3, len(files)))):
        _damage(files, path, rng)
    return files


def _damage(files: Files, path: str, rng: random.Random) -> None:
    content = files[path]
    kind = rng.choice(["cut", "bytes", *["within"] * 8, "gone", "empty", "twice"])
    if kind == "cut":
        files[path] = content[: rng.randint(0, len(content))]
    elif kind == "bytes":
        files[path] = inputs.mutated_bytes(rng, content)
    elif kind == "gone":
        del files[path]
    elif kind == "empty":
        files[path] = rng.choice([b"", b"{}", b"[]", b"null", b"\xff\xfe{}", b"\n", b"[{}]", b"0"])
    elif kind == "twice":
        other = Path(path)
        place = rng.choice([other.parent, other.parent.parent / f"{other.parent.name}2"])
        files[(place / rng.choice([f"{other.stem}-2{other.suffix}", other.name])).as_posix()] = content
    else:
        files[path] = _within(Path(path).suffix, content, rng)


def _within(ending: str, content: bytes, rng: random.Random) -> bytes:
    """The content with records, members, fields or columns changed."""
    if content.startswith(b"PK") and ending in (".eval", ".zip"):  # trec_eval writes texts
        return _in_archive(content, rng)
    if ending == ".xz":
        return lzma.compress(_within(".csv", lzma.decompress(content), rng))
    if ending in _TABLES:
        return _TABLES[ending](content, rng)
    if ending == ".jsonl" or b"\n{" in content:  # also where JSON Lines are called .json
        return _lines(content, rng)
    if ending == ".json":
        tree = json.loads(content)
        tree = _throughout(tree, rng) if rng.random() < 0.4 else inputs.mutated_tree(rng, _shuffled(tree, rng))
        return _written(tree)
    return _fields(content.decode("utf-8"), rng).encode("utf-8", "surrogatepass")


def _written(tree: Any) -> bytes:
    return json.dumps(tree, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _lines(content: bytes, rng: random.Random) -> bytes:
    records = [json.loads(line) for line in content.splitlines()]
    kind = rng.randrange(4)
    if kind == 0:
        records = _throughout(records, rng)
    elif kind == 1:
        rng.shuffle(records)
    else:
        for place in rng.sample(range(len(records)), min(len(records), rng.randint(1, 3))):
            records[place] = inputs.mutated_tree(rng, _shuffled(records[place], rng))
    return b"".join(_written(record) + b"\n" for record in records)


def _shuffled(value: Any, rng: random.Random) -> Any:
    """The same with the members of the outermost object in another order."""
    return dict(rng.sample(list(value.items()), len(value))) if isinstance(value, dict) else value


def _throughout(value: Any, rng: random.Random) -> Any:
    """The same change of one member wherever it stands: taken away, renamed, or of another type."""
    names: set[str] = set()
    _collect(value, names)
    if not names:
        return value
    name = rng.choice(sorted(names))
    change = rng.choice(["gone", "renamed", "text", "null", "list"])
    odd: dict[str, Callable[[Any], Any]] = {"text": str, "null": lambda old: None, "list": lambda old: [old]}

    def changed(node: Any) -> Any:
        if isinstance(node, list):
            return [changed(item) for item in node]
        if not isinstance(node, dict):
            return node
        rest = {key: changed(item) for key, item in node.items() if key != name}
        if name not in node or change == "gone":
            return rest
        if change == "renamed":
            return {**rest, f"__{name}__": node[name]}
        return {key: odd[change](item) if key == name else rest[key] for key, item in node.items()}

    return changed(value)


def _collect(value: Any, names: set[str]) -> None:
    if isinstance(value, dict):
        names.update(value)
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _collect(item, names)


_ODD_FIELDS = ["", "nan", "1e400", "-1", "x", "\u2028", '"', "all", "9" * 30, "0.5", "-0", "1,5", "50%"]


def _fields(text: str, rng: random.Random) -> str:
    """Some fields of some lines dropped, doubled, exchanged or odd; or lines exchanged."""
    lines = text.split("\n")
    for place in rng.sample(range(len(lines)), min(3, len(lines))):
        fields = re.split(r"([\t ,]+)", lines[place])
        field, other = rng.randrange(len(fields)), rng.randrange(len(fields))
        kind = rng.randrange(5)
        if kind == 0:
            del fields[field]
        elif kind == 1:
            fields.insert(field, fields[field])
        elif kind == 2:
            fields[field] = rng.choice(_ODD_FIELDS)
        elif kind == 3:
            lines[place] = rng.choice(lines)
            continue
        else:
            fields[field], fields[other] = fields[other], fields[field]
        lines[place] = "".join(fields)
    return "\n".join(lines)


def _in_archive(content: bytes, rng: random.Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {item.filename: _member(archive, item, content) for item in archive.infolist()}
    for name in rng.sample(sorted(members), rng.randint(1, min(2, len(members)))):
        _damage(members, name, rng)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, inside in members.items():
            archive.writestr(name, inside)
    return out.getvalue()


def _table(table: pa.Table, rng: random.Random) -> pa.Table:
    """A column gone, renamed, of nothing, of texts, in lists; rows in another order, doubled or dropped."""
    place = rng.randrange(table.num_columns)
    name, column = table.column_names[place], table.column(place)
    kind = rng.randrange(8)
    if kind == 0 and table.num_columns > 1:
        return table.remove_column(place)
    if kind == 1:
        return table.rename_columns([f"__{one}__" if one == name else one for one in table.column_names])
    if kind in (2, 3, 4):
        values: list[Any] = column.to_pylist()
        new = {2: [None] * len(values), 3: [str(one) for one in values], 4: [[one] for one in values]}[kind]
        return table.set_column(place, name, pa.array(new))
    if kind == 5:
        values = column.to_pylist()
        values[rng.randrange(len(values))] = None
        return table.set_column(place, name, pa.array(values, type=column.type))
    rows = list(range(table.num_rows))
    if kind == 6:
        rng.shuffle(rows)
    else:
        rows = [*rows[: rng.randrange(len(rows))], *rows[rng.randrange(len(rows)) :]]
    return table.take(rows)


def _parquet(content: bytes, rng: random.Random) -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(_table(pyarrow.parquet.read_table(io.BytesIO(content)), rng), out)
    return out.getvalue()


def _feather(content: bytes, rng: random.Random) -> bytes:
    out = io.BytesIO()
    pyarrow.feather.write_feather(_table(pyarrow.feather.read_table(io.BytesIO(content)), rng), out)
    return out.getvalue()


@functools.cache
def _sheet(content: bytes) -> pd.DataFrame:
    return pd.read_excel(io.BytesIO(content))


def _excel(content: bytes, rng: random.Random) -> bytes:
    out = io.BytesIO()
    table = _table(pa.Table.from_pandas(_sheet(content), preserve_index=False), rng).slice(0, 30)
    table.to_pandas(ignore_metadata=True).map(str if rng.random() < 0.1 else lambda cell: cell).to_excel(
        out, index=False
    )
    return out.getvalue()


_TABLES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    ".parquet": _parquet,
    ".feather": _feather,
    ".xlsx": _excel,
}


# trying


def put(files: Files, folder: Path) -> None:
    """Write the files into a folder, which is emptied before."""
    shutil.rmtree(folder, ignore_errors=True)
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)


def paths(name: str, folder: Path) -> list[Path]:
    """What a user gives, in the folder."""
    return [path for path in (folder / one for one in whole(name)[1]) if path.exists()]


_Scores = dict[tuple[str, ...], float]


def scores_of(frame: pd.DataFrame) -> _Scores:
    """Names and ids to score; of counts, to a sum that differs where they do."""
    keys = [name for name in KEYS if name in frame.columns]
    if "system" not in keys:
        return {}
    numbers = frame.drop(columns=[*keys, "cluster"], errors="ignore").select_dtypes("number")
    values = numbers.to_numpy(float) @ [1.0 + 0.37 * place for place in range(numbers.shape[1])]
    return dict(zip(map(tuple, frame[keys].astype(str).to_numpy()), map(float, values), strict=True))


@functools.cache
def undamaged(name: str) -> tuple[_Scores, frozenset[str]]:
    """What is read of the whole folder, and its notes."""
    with tempfile.TemporaryDirectory() as place:
        put(whole(name)[0], Path(place) / "of")
        reading = reportkit.inspect(paths(name, Path(place) / "of"))
    return scores_of(reading.frame), frozenset(map(str, reading.findings))


def _alike(scores: _Scores) -> set[tuple[str, ...]]:
    """System and dataset where another system has the same scores, of which the comparison warns."""
    columns: collections.defaultdict[tuple[str, ...], _Scores] = collections.defaultdict(dict)
    for key, score in scores.items():
        columns[key[:2]][key[2:]] = score
    return {
        pair
        for pair, column in columns.items()
        for other, same in columns.items()
        if other != pair and other[1:] == pair[1:] and same == column
    }


def try_folder(name: str, rng: random.Random, folder: Path) -> str:
    """Read a damaged folder; "" if nothing is wrong with what was read.

    Raises
    ------
    ReportkitError
        The folder is refused.
    """
    put(damaged(name, rng), folder)
    given = paths(name, folder)
    if not given:
        return ""
    reading = reportkit.inspect(given)
    of_harness = reading.form == "harness" and "score" in reading.frame
    if of_harness and not all(map(math.isfinite, reading.frame["score"])):
        return "a score that is no number was taken from a harness"
    found, (before, notes) = scores_of(reading.frame), undamaged(name)
    taken_over: collections.defaultdict[tuple[str, ...], set[float]] = collections.defaultdict(set)
    for (
        key,
        score,
    ) in before.items():  # where all of another system was put in the place of one, that is what stands there
        taken_over[key[1:]].add(score)
    alike = _alike(found) - _alike(before)
    systems: collections.defaultdict[str, set[str]] = collections.defaultdict(set)
    for key in found:
        systems[key[1]].add(key[0])
    different = sum(
        found[key] != score and found[key] not in taken_over[key[1:]] and key[:2] not in alike
        for key, score in before.items()
        if key in found and len(systems[key[1]]) > 1  # a system alone is compared with nothing
    )
    if name not in NOT_SEEN and different > MOST_CHANGED and {*map(str, reading.findings)} <= notes:
        return f"{different} scores differ, and nothing says so"
    reportkit.read(reading, missing="drop", across_datasets=reading.aggregates)
    return ""
