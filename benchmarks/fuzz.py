"""Read damaged results, folders of harnesses, settings, reports and papers until something breaks.

`python benchmarks/fuzz.py [--kind csv] [--n 1000] [--start 0]` tries so many inputs of each kind and prints the outcomes.
Every input is made from its kind and number, so a failure can be made again with `--start NUMBER --n 1`. An input
is read, or refused with a message; anything else is a failure: another exception, more than ten processor seconds, a
score that is not in the file, an output that acts on a terminal, or a `--fix` that does not come to an end.
"""

from __future__ import annotations

import argparse
import collections
import copy
import csv
import functools
import io
import json
import random
import shutil
import signal
import sys
import tempfile
import traceback
import unicodedata
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import reportkit
from reportkit.checker.catalogue import RULES
from reportkit.errors import ReportkitError
from tests.harnesses.layouts import LAYOUTS

SECONDS = 10
SEED = 20_261_128
VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 0.5, -0.0, 1e308, 5e-324, 10**30, 10**400, "", " ", "x", "1", "−1", "51,3", "1,251.3", "51.3%"),
    *("NaN", "nan(ind)", "-Infinity", "n/a", "null", "1e400", "9" * 5000, "9007199254740993", "18446744073709551616"),
    *("<.001", "2024-01-02", "é", "e\u0301", "\u202eabc", "x\ny", 'q"q', "=1+1", "\x00", "\x1b[2J", "::error::x"),
    *("\ud800", "{{ x }}", "\\input{x}", "../x", [], {}, [[1]], {"a": 1}),
)  # fmt: skip
PIECES = (
    *("::error::x", "##[error]x", "\x1b[2J", "% reportkit: ignore RK2\n", "\\input{../../../etc/passwd}", "\\input{a}"),
    *("\\newcommand{\\a}[1]{#1\\a{#1}}\\a{x}", "\\def\\b{\\b\\b}\\b", "\\begin{tabular}{", "\\end{tabular}", "{" * 300),
    *("\\multicolumn{9999}{c}{", "\\multirow{-99}{*}{", "\\caption{", "$p = .000$", "t(27) = 2.20, ", "95\\% CI [1.2, "),
    *("\\verb|", "\\iffalse", "\\csname a\\endcsname", "| a | 1.5 |\n|---|---|\n", "```", "> " * 200, "<!--", "-->"),
    *("\u202e", "\u2028", "\ufeff", "👩", "±", "&", "\\\\", "$$", "significantly better", "all datasets", "9" * 45),
)  # fmt: skip
DIRECTION = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
SETTINGS = """\
alpha = [0.05, 0.01]
dependence = "independent"
test = "sign-flip"
rng = 3
missing = "drop"
score_range = [0, 100]
metric = ["accuracy", "F1"]
rope = 0.01
system = "ours"
baseline = ["base", "b2"]

[columns]
system = "model"

[appearance]
venue = "acl"
widths = [219.0, 455.0]
decimals = 2
"""


class FailureError(Exception):
    """Something was read, printed or changed that must not be."""


class HangError(BaseException):
    """An input took too long; nothing catches this on its way."""


def table(rng: random.Random) -> list[list[Any]]:
    """Return a header and rows in long or wide form, or as a paper prints them."""
    systems, datasets = rng.sample(["ours", "base", "b2"], 2), rng.sample(["cb", "sst2", "qa"], rng.randint(1, 2))
    values = rng.choice([["0", "1"], ["0.25", "0.5", "1.0"], ["51.3", "40.25", "7"]])
    form, n = rng.choice(["long", "long", "wide", "printed"]), rng.randint(2, 6)
    if form == "printed":
        rows = [[name, f"{rng.uniform(50, 95):.2f}", f"{rng.uniform(50, 95):.1f}", "0.03"] for name in datasets]
        return [["dataset", "score_a", "score_b", "p_value"], *rows]
    if form == "wide":
        rows = [[rng.choice(datasets), f"q{i}", *(rng.choice(values) for _ in systems)] for i in range(n)]
        return [["dataset", "id", *systems], *rows]
    rows = [[s, d, f"q{i}", rng.choice(values)] for s in systems for d in datasets for i in range(n)]
    return [["system", "dataset", "instance", "score"], *rows]


def changed(rng: random.Random, rows: list[list[Any]]) -> list[list[Any]]:
    """Change some cells, and double, drop or move rows."""
    rows = [list(row) for row in rows]
    for _ in range(rng.choice([0, 0, 0, 1, 2])):
        row = rng.randrange(len(rows))
        kind = rng.randrange(6)
        if kind < 3 and rows[row]:
            rows[row][rng.randrange(len(rows[row]))] = rng.choice(VALUES)
        elif kind == 3:
            rows.insert(rng.randint(0, len(rows)), list(rows[row]))
        elif kind == 4 and len(rows) > 1:
            del rows[row]
        elif rows[row]:
            del rows[row][rng.randrange(len(rows[row]))]
    return rows


def changed_bytes(rng: random.Random, content: bytes) -> bytes:
    """Cut, repeat, remove or flip some bytes, or write the file in another encoding."""
    kind = rng.randrange(8)
    if kind == 0:
        return content[: rng.randint(0, len(content))]
    if kind == 1:
        return content.decode("utf-8", "replace").encode(rng.choice(["latin-1", "utf-16", "utf-32"]), "replace")
    for _ in range(rng.choice([1, 1, 2, 4])):
        at, to = sorted(rng.randint(0, len(content)) for _ in range(2))
        to = min(to, at + 8)
        piece = rng.choice([b'"', b",", b"\t", b"\\", b"\n", b"\r", b"\x00", b"\xe9", b"{", b"]", b"1", b"-"])
        content = rng.choice(
            [content[:at] + piece + content[at:], content[:at] + content[to:], content[:to] + content[at:]]
        )
    return content


def changed_tree(rng: random.Random, tree: Any) -> Any:
    """Change a few values of objects and lists, wherever they are."""
    tree = copy.deepcopy(tree)
    for _ in range(rng.choice([1, 1, 2, 4])):
        node = tree
        while isinstance(node, dict | list) and node:
            key = rng.choice(list(node) if isinstance(node, dict) else range(len(node)))
            if isinstance(node[key], dict | list) and node[key] and rng.random() < 0.85:
                node = node[key]
                continue
            if rng.random() < 0.25:
                del node[key]
            else:
                node[key] = copy.deepcopy(rng.choice(VALUES))
            break
    return tree


def as_csv(rows: list[list[Any]]) -> bytes:
    """Return the rows as a delimited file."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([["" if cell is None else cell for cell in row] for row in rows])
    return text.getvalue().encode("utf-8", "surrogatepass")


def try_csv(rng: random.Random, folder: Path) -> None:
    """Read a delimited file; each score has to be in it, under its names."""
    content = as_csv(changed(rng, table(rng)))
    path = folder / "results.csv"
    path.write_bytes(changed_bytes(rng, content) if rng.random() < 0.25 else content)
    frame = reportkit.inspect(path).frame
    reportkit.read(path, missing="drop")
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError:  # another encoding, which reportkit knows and this reader does not
        return
    header, *rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    names = ("system", "dataset", "instance", "score")
    if not set(names) <= set(header) or not set(names) <= set(frame.columns):
        return
    place = [header.index(name) for name in names]
    known = {
        (tuple(row[i].strip() for i in place[:3]), row[place[3]].strip()) for row in rows if len(row) == len(header)
    }
    for key, score in zip(
        frame[[*names[:3]]].astype(str).itertuples(index=False, name=None), frame["score"], strict=True
    ):
        written = {value for name, value in known if name == tuple(part.strip() for part in key)}
        if written and not pd.isna(score) and not any(_same(score, value) for value in written):
            raise FailureError(f"score of {key} is {score!r}, and {written} is written")


def _same(score: Any, written: str) -> bool:
    text = written.removesuffix("%").replace("\u2212", "-").strip()
    for value in (text, text.replace(",", ""), text.replace(",", ".")):
        try:
            if np.isclose(float(score), float(value)):
                return True
        except (ValueError, OverflowError):
            continue
    return str(score).casefold() == written.casefold() or not text.replace(".", "").isdigit()


def try_records(rng: random.Random, folder: Path) -> None:
    """Read JSON Lines or Parquet."""
    header, *rows = changed(rng, table(rng))
    records = [dict(zip(map(str, header), row, strict=False)) for row in rows]
    path = folder / rng.choice(["results.jsonl", "results.jsonl", "results.parquet"])
    if path.suffix == ".parquet":
        try:
            content = pd.DataFrame(records).to_parquet(index=False)
        except Exception:  # pyarrow does not take these values
            return
    else:
        content = "".join(json.dumps(record) + "\n" for record in records).encode()
    path.write_bytes(changed_bytes(rng, content) if rng.random() < 0.4 else content)
    reportkit.read(path, missing="drop")


@functools.cache
def layout(name: str) -> dict[str, bytes]:
    """Return path and content of each file of an undamaged folder of a harness."""
    with tempfile.TemporaryDirectory() as place:
        LAYOUTS[name].write(Path(place) / "results")
        return {p.relative_to(place).as_posix(): p.read_bytes() for p in sorted(Path(place).rglob("*")) if p.is_file()}


def changed_json(rng: random.Random, content: bytes) -> bytes:
    """Change a few values of a JSON file, or of one line of JSON Lines, whatever its ending."""
    try:
        return json.dumps(changed_tree(rng, json.loads(content))).encode()
    except ValueError:
        lines = content.splitlines()
        at = rng.randrange(len(lines))
        lines[at] = json.dumps(changed_tree(rng, json.loads(lines[at]))).encode()
        return b"\n".join(lines)


def try_folder(name: str, rng: random.Random, folder: Path) -> None:
    """Read a folder of a harness in which one to three files are damaged."""
    files = dict(layout(name))
    for path in rng.sample(sorted(files), rng.randint(1, min(3, len(files)))):
        kind = rng.randrange(6)
        if kind == 0:
            del files[path]
        elif kind == 1:
            files[path] = rng.choice([b"", b"{}", b"[]", b"null", b"\n", b"[{}]"])
        elif kind == 2 or not path.endswith((".json", ".jsonl")):
            files[path] = changed_bytes(rng, files[path])
        else:
            files[path] = changed_json(rng, files[path])
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    if (folder / "results").exists():
        reportkit.read(folder / "results", missing="drop")


def try_settings(rng: random.Random, folder: Path) -> None:
    """Build with a file of settings, some lines of which are odd."""
    (folder / "results.csv").write_bytes(as_csv(table(rng)))
    lines = SETTINGS.split("\n")
    for _ in range(rng.choice([1, 1, 2, 3])):
        at = rng.randrange(len(lines))
        key = lines[at].partition(" = ")[0]
        odd = rng.choice(
            ["5", "-1", "nan", '""', '"x"', "[]", "[[]]", "{ a = 1 }", "[" * 3000, "9" * 5000, "2020-01-01"]
        )
        lines[at] = rng.choice([f"{key} = {odd}", f"alfa = {odd}", "[check]", "[[printed]]", "=", "", lines[at] * 2])
    content = "\n".join(lines).encode()
    (folder / "reportkit.toml").write_bytes(changed_bytes(rng, content) if rng.random() < 0.2 else content)
    command("build", folder / "results.csv", "-o", folder / "report", "--dry-run")


@functools.cache
def original_report() -> Any:
    """Return `report.json` of a small comparison."""
    rng = np.random.default_rng(SEED)
    rows = [
        (s, d, i, float(rng.normal(m, 1))) for d in ("cb", "qa") for s, m in (("a", 0.4), ("b", 0)) for i in range(24)
    ]
    frame = pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"]).assign(metric="f1")
    with tempfile.TemporaryDirectory() as folder:
        reportkit.compare(frame).save(f"{folder}/r")
        return json.loads((Path(folder) / "r" / "report.json").read_text("utf-8"))


def try_report(rng: random.Random, folder: Path) -> None:
    """Read a changed `report.json`."""
    (folder / "report.json").write_text(json.dumps(changed_tree(rng, original_report())), encoding="utf-8")
    reportkit.BuiltReport.read(folder)


def try_paper(rng: random.Random, folder: Path) -> None:
    """Check a damaged paper, look at every output, and mend it twice."""
    examples = [
        (language, text) for rule in RULES.values() for title, language, text in rule.examples if title != "Results"
    ]
    language, text = rng.choice(examples)
    for _ in range(rng.randint(1, 6)):
        at = rng.randint(0, len(text))
        to = min(len(text), at + int(rng.expovariate(1 / 30)))
        other = rng.choice(examples)[1]
        text = rng.choice(
            [
                text[:at] + text[to:],
                text[:to] + text[at:to] * rng.choice((1, 10, 100)) + text[to:],
                text[:at] + other[: int(rng.expovariate(1 / 120))] + text[at:],
                text[:at] + rng.choice(PIECES) * rng.choice((1, 1, 30)) + text[at:],
            ]
        )[:12_000]
    path = folder / ("paper.md" if language == "markdown" else "paper.tex")
    content = text.encode(rng.choice(["utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "latin-1"]), "replace")
    path.write_bytes(changed_bytes(rng, content) if rng.random() < 0.1 else content)
    report = reportkit.check(path)
    for name in ("full", "concise", "json", "sarif", "github"):
        output = report.render(name)
        odd = {s for s in set(output) - set("\n\t") if unicodedata.category(s) in ("Cc", "Cs", "Zl", "Zp")} | (
            DIRECTION & set(output)
        )
        if odd or "##[" in output:
            raise FailureError(f"{name} holds {sorted(odd)!r} or a command of a runner")
    for _ in range(4):
        before = path.read_bytes()
        command("check", path, "--fix")
        if path.read_bytes() == before:
            return
    raise FailureError("--fix does not come to an end")


def command(*words: object) -> None:
    """Run a command of reportkit in this process, without its output; exit code 3 is a failure."""
    from tests.conftest import run_command

    done = run_command(*words)
    if done.returncode not in (0, 1, 2):
        raise FailureError(done.stderr[-500:])


KINDS: dict[str, Callable[[random.Random, Path], None]] = {
    "csv": try_csv,
    "records": try_records,
    "settings": try_settings,
    "report": try_report,
    "paper": try_paper,
    **{f"folder {name}": functools.partial(try_folder, name) for name in LAYOUTS},
}


def attempt(kind: str, number: int) -> str:
    """Return "read", "refused", or what failed."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise HangError

    folder = Path(tempfile.mkdtemp())
    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            KINDS[kind](random.Random(f"{SEED}/{kind}/{number}"), folder)  # noqa: S311 - made data, no secret
    except ReportkitError:
        return "refused"
    except HangError:
        return f"{kind} {number}: more than {SECONDS} s"
    except Exception as error:  # what is looked for
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{kind} {number}: {type(error).__name__} {error} ({Path(last.filename).name}:{last.lineno})"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        shutil.rmtree(folder, ignore_errors=True)
    return "read"


def run(kind: str, start: int, n: int) -> collections.Counter[str]:
    """Try so many inputs of a kind, and count what came of them."""
    return collections.Counter(attempt(kind, number) for number in range(start, start + n))


def main() -> None:
    """Try all kinds and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=[*KINDS], action="append")
    parser.add_argument("--n", type=int, default=1_000)
    parser.add_argument("--start", type=int, default=0)
    options = parser.parse_args()
    failed = False
    for kind in options.kind or KINDS:
        outcomes = run(kind, options.start, options.n)
        failures = [outcome for outcome in outcomes if outcome not in ("read", "refused")]
        print(
            f"{kind}: {outcomes['read']:,} read, {outcomes['refused']:,} refused, {len(failures)} failures", flush=True
        )
        for failure in failures[:20]:
            print(f"  {failure}")
        failed |= bool(failures)
    sys.exit(int(failed))


if __name__ == "__main__":
    main()
