"""Read mutated files until something breaks, and compare what was read with an independent reader.

Every input is made from the seed, the kind and its number, so that a failure can be made again:

    python benchmarks/fuzz_readers.py                      # everything that is not done yet; may be stopped and resumed
    python benchmarks/fuzz_readers.py --kind jsonl --n 500 --fresh --output fuzz.json
    python benchmarks/fuzz_readers.py --kind jsonl --show 4711

An input is *read* (and what was read is what Python's csv and json, pyarrow, or tomllib read), *refused* with a message,
or it is a failure: another exception, a warning, more than 10 seconds, or a value that the other reader has not.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import csv
import functools
import gzip
import io
import json
import math
import random
import re
import signal
import subprocess
import sys
import tempfile
import tomllib
import traceback
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet

import reportkit
from reportkit.errors import ReportkitError
from reportkit.scores.printed import PrintedResults
from reportkit.scores.read import read_frame
from reportkit.scores.shapes.paired_scores import DatasetScores
from reportkit.settings import SETTING_NAMES

sys.path.insert(0, str(Path(__file__).resolve().parent))
import fuzz_folders as folders
import fuzz_inputs as inputs

SEED = 20_261_122
SECONDS = 10
"""Of the processor: the machine may be shared."""

CHUNK = 1_000
TOTALS = {"csv": 100_000, "wide": 100_000, "jsonl": 100_000, "parquet": 100_000, "printed": 100_000, "gz": 100_000}
TOTALS |= {"report": 20_000, "settings": 20_000}
OUTPUT = Path(__file__).resolve().parent / "results" / "fuzz.json"
KEPT_FAILURES = 20
RENDERED_EACH = 200
"""Of so many changed reports that can be read, one is written with all its files."""


class MisreadError(Exception):
    """Something was read that does not stand in the file."""


class OneReaderError(Exception):
    """Something was read that there is no other reader for."""


class HangError(BaseException):
    """An input took too long; nothing catches this on its way."""


def generator(kind: str, number: int) -> random.Random:
    """Random numbers of one input."""
    return random.Random(f"{SEED}/{kind}/{number}")  # noqa: S311


# what is made, by kind


def made(kind: str, number: int) -> tuple[str, bytes]:
    """Name and content of an input."""
    rng = generator(kind, number)
    if kind == "csv":
        return "results.csv", inputs.delimited(rng, inputs.mutated_rows(rng, inputs.long_rows(rng)), ",")
    if kind == "wide":
        name, sign = rng.choice([("results.tsv", "\t"), ("results.csv", ",")])
        return name, inputs.delimited(rng, inputs.mutated_rows(rng, inputs.wide_rows(rng)), sign)
    if kind == "printed":
        return "results.csv", inputs.delimited(rng, inputs.mutated_rows(rng, inputs.printed_rows(rng)), ",")
    if kind == "jsonl":
        return "results.jsonl", inputs.json_lines(rng)
    if kind == "parquet":
        return "results.parquet", inputs.parquet(rng)
    if kind == "gz":
        return inputs.compressed(rng)
    if kind == "settings":
        return rng.choice(["reportkit.toml", "reportkit.toml", "pyproject.toml"]), inputs.settings_file(rng)
    tree = inputs.mutated_tree(rng, original_report())
    content = json.dumps(tree, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    return "report.json", inputs.mutated_bytes(rng, content) if rng.random() < 0.1 else content


@functools.cache
def original_report() -> Any:
    """`report.json` of a small comparison, with several kinds of figures."""
    rng = np.random.default_rng(SEED)
    rows = [
        (system, dataset, number, float(score))
        for dataset in ("cb", "sst2", "qa")
        for system, mean in (("ours", 0.4), ("base", 0.0), ("b2", 0.1))
        for number, score in enumerate(np.round(rng.normal(mean, 1, 24), 2))
    ]
    frame = pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])
    with tempfile.TemporaryDirectory() as folder:
        reportkit.compare(frame, baseline="base", rope=0.1).report().save(folder + "/r")
        return json.loads((Path(folder) / "r" / "report.json").read_text("utf-8"))


# the independent readers: lists of rows, each a dict; what is absent is not there


def delimited_oracle(content: bytes, delimiter: str) -> list[dict[str, str]]:
    """Rows by Python's csv, blank lines left out; by another delimiter, if the header has one column by this one."""
    text = content.decode("utf-8-sig")
    csv.field_size_limit(1 << 30)
    for sign in (delimiter, *(other for other in ",;\t|" if other != delimiter)):
        header, *rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=sign) if row]
        if len(header) > 1:
            break
    else:
        header, *rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]
    if len({*header}) < len(header) or any(len(row) != len(header) for row in rows):
        raise MisreadError("names twice, or rows of another length, were accepted")
    return [dict(zip(header, row, strict=True)) for row in rows]


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise MisreadError("an object has a key twice, and was accepted")
    return dict(pairs)


def json_oracle(content: bytes, *, as_written: bool) -> list[dict[str, Any]]:
    """Objects by Python's json, line by line; numbers as they are written, if they are those of a paper."""
    keep: Any = str if as_written else None
    lines = [line for line in content.decode("utf-8-sig").split("\n") if line.strip()]
    return [json.loads(line, object_pairs_hook=_members, parse_int=keep, parse_float=keep) for line in lines]


def parquet_oracle(content: bytes) -> list[dict[str, Any]]:
    """Rows by pyarrow, without dictionaries and without pandas."""
    return list(pyarrow.parquet.read_table(pa.BufferReader(content), use_threads=False).to_pylist())


def oracle(name: str, content: bytes, *, as_written: bool = False) -> list[dict[str, Any]]:
    """Rows of a file by the reader of its format."""
    if name.endswith(".gz"):
        name, content = name.removesuffix(".gz"), gzip.decompress(content)
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        content = content.decode("utf-16").encode()
    if name.endswith(".jsonl"):
        return json_oracle(content, as_written=as_written)
    if name.endswith(".parquet"):
        return parquet_oracle(content)
    return delimited_oracle(content, "\t" if name.endswith(".tsv") else ",")


# comparing


def is_missing(value: Any) -> bool:
    """Whether there is nothing, as far as scalars go."""
    if value is None or value is pd.NA or value is pd.NaT:
        return True
    return isinstance(value, float | np.floating) and math.isnan(value)


_NOTHING = ("", "na", "n/a", "nan", "null", "none", "<na>", "#n/a")
"""What stands for no score."""


def _is_nothing(cell: str) -> bool:
    text = cell.strip().casefold()
    return text in _NOTHING or bool(re.fullmatch(r"[+-]?nan(\(\w*\))?", text))  # as C writes it


def plain(value: Any) -> Any:
    """Lists and objects without NumPy, and without members that are null."""
    if isinstance(value, np.ndarray | list):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items() if one is not None}
    return value


def same(found: Any, written: Any) -> bool:
    """Whether a cell of the frame is what the other reader has read."""
    if is_missing(found) or is_missing(written):
        absent = isinstance(written, str) and _is_nothing(written)
        return (is_missing(found) and is_missing(written)) or (is_missing(found) and absent)
    if isinstance(written, str):
        if isinstance(found, str):
            return found == written
        if str(found) == written:
            return True
        try:  # a score that was written as text in a delimited file
            return not isinstance(found, bool | np.bool_) and float(found) == float(written)
        except (TypeError, ValueError, OverflowError):
            return False
    if isinstance(written, list) and isinstance(found, str):
        return found == "; ".join(map(str, written))
    if isinstance(found, np.ndarray | list | dict):
        return bool(plain(found) == plain(written))
    if isinstance(written, bool) or isinstance(found, bool | np.bool_):
        return bool(found) == written
    if isinstance(written, int) and abs(written) > 1e300:
        return True  # no float holds it
    if isinstance(written, int):
        return str(found) == str(written) or (isinstance(found, float) and found == float(written))
    return bool(found == written)


def compare_frame(frame: pd.DataFrame, rows: list[dict[str, Any]]) -> None:
    """Refuse a frame that does not hold these rows, cell by cell."""
    if len(frame) != len(rows):
        raise MisreadError(f"{len(frame)} rows instead of {len(rows)}")
    names = list(dict.fromkeys(name for row in rows for name in row))
    if sorted(map(str, frame.columns)) != sorted(map(str.strip, names)):
        raise MisreadError(f"columns {list(frame.columns)!r} instead of {names!r}")
    for name in names:
        for place, (found, row) in enumerate(zip(frame[name.strip()], rows, strict=True)):
            if not same(found, row.get(name)):
                raise MisreadError(f"row {place}, {name!r}: {found!r} instead of {row.get(name)!r}")


def as_number(cell: Any) -> float | None:
    """A score as it is meant to be understood: None if there is none."""
    if is_missing(cell) or (isinstance(cell, str) and _is_nothing(cell)):
        return None
    if isinstance(cell, str) and cell.strip().casefold() in ("true", "false"):
        return float(cell.strip().casefold() == "true")
    number = float(as_written(cell) if isinstance(cell, str) else cell)
    return None if math.isnan(number) else number


def as_written(text: str) -> str:
    """A number as Python writes it: without a sign of percent and commas between thousands, with a point."""
    text = re.sub(r"\s*%$", "", text.strip())
    of_thousands = re.fullmatch(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?", text)
    return text.replace(",", "" if of_thousands else ".")


def as_name(cell: Any) -> str:
    """A name or an id as text."""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


def compare_results(results: Any, rows: list[dict[str, Any]]) -> None:
    """Refuse results in which a score stands that is not in the file, or the other way round."""
    roles = results.columns
    if isinstance(results, PrintedResults):
        for found, row in zip(results.rows, rows, strict=True):
            for role in ("dataset", "score_a", "score_b", "p_value"):
                if role == "dataset" and roles.get(role) not in row:  # made by the reader, as all are one
                    continue
                cell = row[roles[role]]
                shown = cell.strip() if isinstance(cell, str) else cell
                if role.startswith("score") and isinstance(shown, str) and "," in shown:
                    shown = as_written(shown)
                if getattr(found, role) != str(shown).replace("\u2212", "-" if role.startswith("score") else "\u2212"):
                    raise MisreadError(f"{role} {getattr(found, role)!r} instead of {cell!r}")
        return
    if {"systems-left-out", "averages-left-out", "no-scores"} & {note.code for note in results.findings}:
        return  # rows are left out, and that is said
    blocks = {block.dataset: block for block in results.datasets}
    if len(blocks) < len(results.datasets) or not all(type(block) is DatasetScores for block in blocks.values()):
        return  # several metrics, runs, counts: the cells of the frame are compared, not what is made of them
    if (
        "dataset" not in roles
        or "instance" not in roles
        or not {roles["dataset"], roles["instance"]} <= rows[0].keys()  # made by the reader: no column of the file
        or "k" in roles
        or ("system" in roles and "score" not in roles)
    ):
        return
    taken = {*roles.values(), *results.unused_columns}
    found = {
        (system, block.dataset, str(instance)): float(block.scores[row, column])
        for block in blocks.values()
        for row, system in enumerate(block.systems)
        for column, instance in enumerate(block.instances)
        if not math.isnan(block.scores[row, column])
    }
    expected: dict[tuple[str, str, str], float] = {}
    for row in rows:
        place = (as_name(row[roles["dataset"]]), as_name(row[roles["instance"]]))
        scores = (
            {as_name(row[roles["system"]]): row.get(roles["score"])}
            if "system" in roles
            else {name: cell for name, cell in row.items() if name not in taken}
        )
        for system, cell in scores.items():
            if (number := as_number(cell)) is not None:
                expected[system, *place] = number
    if "seed" in roles or "rater" in roles:
        return
    if found.keys() != expected.keys():
        raise MisreadError(f"scores of {sorted(found.keys() ^ expected.keys())[:3]!r} are in one of the two only")
    for key, number in expected.items():
        if found[key] != number and not math.isclose(
            found[key], number, rel_tol=1e-6
        ):  # float32 is rounded to 7 digits
            raise MisreadError(f"score of {key!r} is {found[key]!r} instead of {number!r}")


# trying


def is_printed(frame: pd.DataFrame) -> bool:
    """Whether a frame is recognised as the table of a paper."""
    return {"score_a", "score_b", "p_value"} <= {*frame.columns}


def try_results(name: str, content: bytes, folder: Path) -> None:
    """Read a file, and what is made of it."""
    path = folder / name
    path.write_bytes(content)
    frame = read_frame(path)
    try:
        rows = [
            {key.strip(): cell for key, cell in row.items()}
            for row in oracle(name, content, as_written=is_printed(frame))
        ]
        if any(isinstance(cell, dict) for row in rows for cell in row.values()):
            raise OneReaderError  # objects in cells become columns
    except (OverflowError, OSError) as error:
        if name.endswith(".parquet"):  # pyarrow itself: as Python objects, or by its other way to a file, it cannot
            raise OneReaderError from error
        raise MisreadError(f"was accepted, and not by the other reader: {type(error).__name__} {error}") from None
    except (ValueError, EOFError, zlib.error, RecursionError, csv.Error, pa.ArrowException) as error:
        raise MisreadError(f"was accepted, and not by the other reader: {type(error).__name__} {error}") from None
    compare_frame(frame, rows)
    results = reportkit.read(frame)
    compare_results(results, rows)
    results.digest()


def try_settings(name: str, content: bytes, folder: Path) -> None:
    """Read settings as `build` and as `check` do."""
    from reportkit.checker.config import check_config
    from reportkit.cli.build import build_command
    from reportkit.cli.config import configured

    path = folder / name
    path.write_bytes(content)
    context = build_command.make_context("build", ["results.csv", "--config", str(path)])
    refused: list[ReportkitError] = []
    for read in (lambda: configured(folder / "results.csv", _options(context.params)), lambda: check_config(path)):
        try:
            found = read()
        except ReportkitError as error:
            str(error)
            refused.append(error)
            continue
        written = tomllib.loads(content.decode("utf-8"))
        if name == "pyproject.toml":
            written = written.get("tool", {}).get("reportkit", {})
        compare_settings(found, written)
    if refused:
        raise refused[0]


def _options(params: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if name != "results"}


def compare_settings(found: Any, written: Mapping[str, Any]) -> None:
    """Refuse settings that are not what is written."""
    if found.settings is None:
        return
    for key in SETTING_NAMES:
        if key not in written or (key == "higher_is_better" and written.get("lower_is_better")):
            continue
        value, taken = written[key], getattr(found.settings, key)
        if isinstance(value, list):
            value = tuple(value)
        if key == "alpha":
            value = tuple(sorted({*map(float, value if isinstance(value, tuple) else (value,))}, reverse=True))
        if key == "metric" and isinstance(value, tuple) and len(value) == 1:
            (value,) = value
        if taken != (float(value) if isinstance(taken, float) else value):
            raise MisreadError(f"{key} is {taken!r} instead of {value!r}")
    for key, attribute in (("system", "systems"), ("baseline", "baselines")):
        value = written.get(key, ())
        if getattr(found, attribute) != ((value,) if isinstance(value, str) else tuple(value)):
            raise MisreadError(f"{key} is {getattr(found, attribute)!r} instead of {value!r}")


def try_report(name: str, content: bytes, folder: Path, number: int) -> None:
    """Read a report, show it, and now and then write all its files."""
    from reportkit.cli.show import run_show
    from reportkit.rendering.stored import read_report
    from reportkit.report.facts_json import to_plain

    (folder / name).write_bytes(content)
    report = read_report(folder)
    written = json.loads(content)
    if report.facts is not None and not is_part_of(to_plain(report.facts), written):
        raise MisreadError("the report that was read is not the one that is written")
    options = {"output": None, "templates": (), "quiet": False, "opened": False}
    with contextlib.redirect_stdout(io.StringIO()):
        run_show(folder, options)
        if number % RENDERED_EACH == 0:
            with tempfile.TemporaryDirectory() as other:
                run_show(folder, {**options, "output": Path(other) / "r", "venue": "acl"})


def is_part_of(part: Any, whole: Any) -> bool:
    """Whether everything in a tree stands in another one, which may hold more."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and is_part_of(value, whole[key]) for key, value in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) == len(whole) and all(map(is_part_of, part, whole))
    return bool(part == whole) and isinstance(part, bool) == isinstance(whole, bool)


def attempt(kind: str, number: int, folder: Path) -> str:
    """Try one input: "read", or the class of the refusal.

    Raises
    ------
    Exception, HangError
        A failure.
    """
    if kind.startswith(folders.PREFIX):
        try:
            wrong = folders.try_folder(kind.removeprefix(folders.PREFIX), generator(kind, number), folder / "given")
        except ReportkitError as error:
            if len(str(error)) <= 20:
                raise MisreadError(f"a refusal without words: {error}") from error
            return type(error).__name__
        if wrong:
            raise MisreadError(wrong)
        return "read"
    name, content = made(kind, number)
    try:
        if kind == "settings":
            try_settings(name, content, folder)
        elif kind == "report":
            try_report(name, content, folder, number)
        else:
            try_results(name, content, folder)
    except ReportkitError as error:
        if not str(error):
            raise MisreadError("a refusal without words") from error
        return type(error).__name__
    except OneReaderError:
        return "read, and there is no other reader"
    finally:
        with contextlib.suppress(FileNotFoundError):
            (folder / name).unlink()
    return "read"


@contextlib.contextmanager
def watched(seconds: float) -> Iterator[None]:
    """Raise HangError in what takes longer: of the processor, or thirty times as long by the clock."""

    def ring(_number: int, _frame: object) -> None:
        raise HangError

    clocks = ((signal.SIGPROF, signal.ITIMER_PROF, seconds), (signal.SIGALRM, signal.ITIMER_REAL, 30 * seconds))
    before = [signal.signal(number, ring) for number, _, _ in clocks]
    for _, clock, limit in clocks:
        signal.setitimer(clock, limit)
    try:
        yield
    finally:
        for (number, clock, _), handler in zip(clocks, before, strict=True):
            signal.setitimer(clock, 0)
            signal.signal(number, handler)


def run(kind: str, start: int, stop: int, told: Callable[[int], None] = lambda number: None) -> dict[str, Any]:
    """Try inputs `start` to `stop`, and count what became of them.

    Returns
    -------
    dict
        "outcomes" counts by class, "failures" holds number, class and message of each failure.
    """
    outcomes: collections.Counter[str] = collections.Counter()
    failures: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("error")
        folder = Path(name)
        for number in range(start, stop):
            told(number)
            try:
                with watched(SECONDS):
                    outcomes[attempt(kind, number, folder)] += 1
            except HangError:
                outcomes["hang"] += 1
                failures.append({"number": number, "class": "hang", "message": f"more than {SECONDS} s"})
            except MisreadError as error:
                outcomes["misread"] += 1
                failures.append({"number": number, "class": "misread", "message": str(error)[:300]})
            except Exception as error:
                outcomes["traceback"] += 1
                place = traceback.extract_tb(error.__traceback__)[-1]
                where = f"{Path(place.filename).name}:{place.lineno}"
                message = f"{type(error).__name__}: {error}"[:300]
                failures.append({"number": number, "class": "traceback", "message": message, "where": where})
    return {"outcomes": dict(sorted(outcomes.items())), "failures": failures}


# all of them, in processes of their own, so that one that is killed is counted and the rest goes on


def chunk_in_process(kind: str, start: int, stop: int) -> dict[str, Any]:
    """Run in a process of its own; an input that kills it is a failure, and those after it are tried."""
    outcomes: collections.Counter[str] = collections.Counter()
    failures: list[dict[str, Any]] = []
    while start < stop:
        with tempfile.TemporaryDirectory() as folder:
            at = Path(folder) / "at"
            command = [sys.executable, __file__, "--kind", kind, "--chunk", str(start), str(stop), "--at", str(at)]
            ended = subprocess.run(command, capture_output=True, check=False)
            if ended.returncode == 0:
                part = json.loads(ended.stdout)
                reached = stop
            else:
                reached = int(at.read_text()) + 1
                message = f"ended with {ended.returncode}: {ended.stderr.decode(errors='replace')[-200:]}"
                rest = (
                    chunk_in_process(kind, start, reached - 1)
                    if reached - 1 > start
                    else {"outcomes": {}, "failures": []}
                )
                failure = {"number": reached - 1, "class": "killed", "message": message}
                part = {"outcomes": {**rest["outcomes"]}, "failures": [*rest["failures"], failure]}
                part["outcomes"]["killed"] = part["outcomes"].get("killed", 0) + 1
        outcomes.update(part["outcomes"])
        failures.extend(part["failures"])
        start = reached
    return {"outcomes": dict(outcomes), "failures": failures}


def read_state(path: Path) -> dict[str, Any]:
    """What has been done, by kind."""
    if not path.exists():
        return {"seed": SEED, "seconds": SECONDS, "kinds": {}}
    state: dict[str, Any] = json.loads(path.read_text("utf-8"))
    if state["seed"] != SEED:
        raise SystemExit(f"{path} was made with another seed: remove it first")
    return state


def write_state(path: Path, state: dict[str, Any]) -> None:
    """Write what has been done, whole or not at all."""
    path.parent.mkdir(exist_ok=True)
    other = path.with_suffix(".part")
    other.write_text(json.dumps(state, indent=1, ensure_ascii=True) + "\n", "utf-8")
    other.replace(path)


def run_all(kinds: list[str], n: int | None, path: Path) -> None:
    """Bring each kind up to its number, a chunk of each in turn."""
    from machine import machine

    state = read_state(path)
    state["machine"] = machine()
    unfinished = True
    while unfinished:
        unfinished = False
        for kind in kinds:
            known = state["kinds"].setdefault(kind, {"done": 0, "outcomes": {}, "failures": []})
            total = TOTALS[kind] if n is None else n
            if known["done"] >= total:
                continue
            unfinished = True
            stop = min(known["done"] + CHUNK, total)
            part = chunk_in_process(kind, known["done"], stop)
            counts = collections.Counter(known["outcomes"]) + collections.Counter(part["outcomes"])
            known["outcomes"] = dict(sorted(counts.items()))
            known["failures"] = [*known["failures"], *part["failures"]][:KEPT_FAILURES]
            known["done"] = stop
            write_state(path, state)
            print(f"{kind}: {stop:,} of {total:,}, {len(known['failures'])} failures kept", flush=True)


def try_again(path: Path) -> None:
    """Try the failures that were kept once more, after what they show was mended."""
    state = read_state(path)
    for kind, known in state["kinds"].items():
        failures, known["failures"] = known["failures"], []
        counts = collections.Counter(known["outcomes"])
        for failure in failures:
            part = chunk_in_process(kind, failure["number"], failure["number"] + 1)
            counts[failure["class"]] -= 1
            counts.update(part["outcomes"])
            known["failures"].extend(part["failures"])
        known["outcomes"] = {name: count for name, count in sorted(counts.items()) if count}
    write_state(path, state)


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=[*TOTALS, *folders.kinds()], action="append")
    parser.add_argument("--n", type=int, help="so many inputs of each kind instead of all")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    parser.add_argument("--fresh", action="store_true", help="begin anew")
    parser.add_argument("--again", action="store_true", help="try the kept failures once more")
    parser.add_argument("--show", type=int, metavar="NUMBER", help="write one input to the terminal, and try it")
    parser.add_argument("--chunk", type=int, nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--at", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    kinds = options.kind or [*TOTALS]
    if options.show is not None:
        if not kinds[0].startswith(folders.PREFIX):
            print(made(kinds[0], options.show))
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("error")
            print(attempt(kinds[0], options.show, Path(folder)))
    elif options.again:
        try_again(options.output)
    elif options.chunk:
        start, stop = options.chunk
        with options.at.open("w") as at:

            def told(number: int) -> None:
                at.seek(0)
                at.write(f"{number:012}")
                at.flush()

            print(json.dumps(run(kinds[0], start, stop, told)))
    else:
        if options.fresh:
            options.output.unlink(missing_ok=True)
        run_all(kinds, options.n, options.output)


if __name__ == "__main__":
    main()
