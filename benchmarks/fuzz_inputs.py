"""Inputs of `fuzz_readers.py`: small files that are right, and what may happen to them; made from a number."""

from __future__ import annotations

import copy
import csv
import gzip
import io
import json
import random
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet

Rows = list[list[str]]

NUMBERS = (
    *("", " ", "0", "-0", "1", "0.5", ".5", "5.", "1e3", "1E-3", "1e400", "-1e400", "1e-400", "0x10", "0x1p3", "1_000", "١", "１"),
    *("−1", "51,3", "1,251.3", "51.3%", "NaN", "nan", "-nan", "nan(ind)", "inf", "-Infinity", "NA", "n/a", "n/v", "null"),
    *("None", "true", "False", "yes", "-", "+1", "1.0", "9007199254740993", "9223372036854775807", "9223372036854775808"),
    *("18446744073709551615", "18446744073709551616", "10000000000000004096", "1e19", "0.1000000000000000055", "9" * 400),
    *("9" * 5000, "0." + "0" * 350 + "1", "<.001", "0e5", "0e-400", "2024-01-02", "12:30", "5 ", "\t7", "1e", "e5", "--1"),
)  # fmt: skip
NAMES = (
    *("", " ", "a", "A", "a ", "é", "e\u0301", "ou\u200brs", "\u202eabc", "x\ny", 'q"q', "q'q", "a,b", "a\tb", "=1+1", "NA"),
    *("nan", "null", "1", "1.0", "007", "9" * 5000, "\x00", "\x1b[2J", "::error::x", "\ufeff", "𝔘", "true", "-inf", "x" * 300),
)  # fmt: skip
HEADERS = (
    "system",
    "dataset",
    "instance",
    "score",
    "model",
    "id",
    "seed",
    "metric",
    "fold",
    "n",
    "k",
    "p_value",
    "note",
    "",
    "score_a",
)

LONG = ("system", "dataset", "instance", "score")


def long_rows(rng: random.Random) -> Rows:
    """A header and a row per score."""
    systems, datasets = rng.sample(["ours", "base", "b2"], 2), rng.sample(["cb", "sst2", "qa"], rng.randint(1, 2))
    header = list(LONG)
    extra = rng.choice([None, None, None, "note", "cluster", "weight", "seed"])
    n, start = rng.randint(2, 5), rng.choice([0, 0, 2**53 - 2, 10**19])
    form = rng.choice(["{}", "q{}", "d1/{}"])
    values = rng.choice([["0", "1"], ["0.25", "0.5", "1.0"], ["51.3", "40.25", "7"], ["1", "2", "3"]])
    rows = [
        [system, dataset, form.format(start + number), rng.choice(values)]
        for system in systems
        for dataset in datasets
        for number in range(n)
    ]
    if extra is not None:
        header.append(extra)
        rows = [[*row, rng.choice(["1", "2"])] for row in rows]
    if rng.random() < 0.3:
        rng.shuffle(rows)
    return [header, *rows]


def wide_rows(rng: random.Random) -> Rows:
    """A header and a row per instance, a column per system."""
    systems = rng.sample(["ours", "base", "b2", "n_tokens"], rng.randint(2, 3))
    values = rng.choice([["0", "1"], ["0.25", "0.5"], ["51.3", "40.25"]])
    rows = [
        [rng.choice(["cb", "sst2"]), f"q{number}", *(rng.choice(values) for _ in systems)]
        for number in range(rng.randint(2, 8))
    ]
    return [["dataset", "id", *systems], *rows]


def printed_rows(rng: random.Random) -> Rows:
    """A header and a row per dataset, as a paper prints it."""
    header = ["dataset", "score_a", "score_b", "p_value"] + (["n"] if rng.random() < 0.4 else [])
    names = rng.sample(["BC", "WN", "MZ", "TC"], rng.randint(1, 4))
    rows = [
        [
            name,
            f"{rng.uniform(50, 95):.2f}",
            f"{rng.uniform(50, 95):.1f}",
            rng.choice(["0.05", "0.0", "<.001", "2.1e-05", "1"]),
            "120",
        ]
        for name in names
    ]
    return [header, *(row[: len(header)] for row in rows)]


def mutated_rows(rng: random.Random, rows: Rows) -> Rows:
    """Change a few cells, rows or columns."""
    rows = [list(row) for row in rows]
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        place = rng.randrange(len(rows))
        row = rows[place]
        kind = rng.randrange(12)
        if kind < 5 and row:
            pool = HEADERS if place == 0 else NUMBERS if rng.random() < 0.7 else NAMES
            row[rng.randrange(len(row))] = rng.choice(pool)
        elif kind == 5 and row:
            column = rng.randrange(len(row))
            cell = rng.choice(NUMBERS)
            for other in rows[1:]:
                if column < len(other) and rng.random() < 0.7:
                    other[column] = cell
        elif kind == 6:
            rows.insert(rng.randint(0, len(rows)), list(row))
        elif kind == 7 and len(rows) > 1:
            del rows[place]
        elif kind == 8 and row:
            del row[rng.randrange(len(row))]
        elif kind == 9:
            row.insert(rng.randint(0, len(row)), rng.choice(NAMES))
        elif kind == 10 and len(row) > 1:
            one, other = rng.sample(range(len(row)), 2)
            for each in rows:
                if max(one, other) < len(each):
                    each[one], each[other] = each[other], each[one]
        elif kind == 11:
            rows[place] = []
    return rows


def delimited(rng: random.Random, rows: Rows, delimiter: str) -> bytes:
    """The rows as a file, then perhaps some bytes otherwise."""
    text = io.StringIO()
    quoting = rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    writer = csv.writer(
        text, delimiter=delimiter, quoting=quoting, lineterminator=rng.choice(["\n", "\n", "\r\n", "\r"])
    )
    writer.writerows(rows)
    content = text.getvalue().encode("utf-8", "surrogatepass")
    return mutated_bytes(rng, content) if rng.random() < 0.5 else content


def mutated_bytes(rng: random.Random, content: bytes) -> bytes:
    """Change, remove, repeat or insert a few bytes; or the encoding of all."""
    kind = rng.randrange(14)
    if kind == 0:
        return b"\xef\xbb\xbf" + content
    if kind == 1:
        return content.decode("utf-8", "replace").encode(
            rng.choice(["latin-1", "utf-16", "utf-16-le", "utf-32"]), "replace"
        )
    if kind == 2:
        return content[: rng.randint(0, len(content))]
    if kind == 3:
        return content.replace(
            b"\n", rng.choice([b"\r\n", b"\r", b"\n\n", b"\n \n", b"\x0b", b"\xe2\x80\xa8"]), rng.choice([-1, 1])
        )
    for _ in range(rng.choice([1, 1, 2, 4])):
        if not content:
            break
        start = rng.randrange(len(content))
        stop = min(len(content), start + rng.choice([1, 1, 2, 8]))
        piece = rng.choice(
            [
                b'"',
                b"'",
                b",",
                b";",
                b"\t",
                b"\\",
                b"\n",
                b"\r",
                b"\x00",
                b"\xe9",
                b"\xff",
                b"{",
                b"}",
                b"[",
                b":",
                b"1",
                b"-",
                b"e",
            ]
        )
        content = rng.choice(
            [
                content[:start] + piece + content[stop:],
                content[:start] + piece + content[start:],
                content[:start] + content[stop:],
                content[:stop] + content[start:],
                content[:start] + bytes([content[start] ^ (1 << rng.randrange(8))]) + content[start + 1 :],
            ]
        )
    return content


def json_value(rng: random.Random, cell: str) -> str:
    """A cell as JSON: a number if it is written as one, or a text."""
    try:
        number = json.loads(cell)
    except ValueError:
        number = None
    if isinstance(number, (int, float)) and not isinstance(number, bool) and rng.random() < 0.9:
        return cell
    return json.dumps(cell, ensure_ascii=rng.random() < 0.5)


JSON_VALUES = (
    *("null", "true", "NaN", "-Infinity", "[]", "{}", '{"a": 1}', '{"a": 1, "a": 2}', "[1, 2]", '"\\ud800"', '"\\u0000"'),
    *('"2020-01-01"', '"2020-01-01T00:00:00Z"', "1e400", "-0", "01", "1.", ".5", "+1", "'x'", "[" * 30 + "]" * 30),
    *("[" * 300 + "]" * 300, "9" * 5000, "18446744073709551616", "10000000000000004096", "9007199254740993.0", '"x'),
)  # fmt: skip


def json_lines(rng: random.Random) -> bytes:
    """A file of objects, some of them changed."""
    header, *rows = mutated_rows(rng, rng.choice([long_rows, long_rows, wide_rows, printed_rows])(rng))
    lines = []
    for row in rows:
        members = [(name, json_value(rng, cell)) for name, cell in zip(header, row, strict=False)]
        for _ in range(rng.choice([0] * 12 + [1])):
            kind = rng.randrange(6)
            if kind == 0 and members:
                members.append((rng.choice(members)[0], rng.choice(JSON_VALUES)))
            elif kind == 1 and members:
                del members[rng.randrange(len(members))]
            elif kind == 2:
                rng.shuffle(members)
            elif kind == 3:
                members.append((rng.choice(NAMES), rng.choice(JSON_VALUES)))
            elif members:
                place = rng.randrange(len(members))
                members[place] = (members[place][0], rng.choice(JSON_VALUES))
        colon = rng.choice([": ", ": ", ":", " :\t"])
        lines.append("{" + ", ".join(json.dumps(name) + colon + value for name, value in members) + "}")
    content = ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass")
    return mutated_bytes(rng, content) if rng.random() < 0.3 else content


_INTEGERS = (pa.int8(), pa.int32(), pa.int64(), pa.uint64())


def parquet(rng: random.Random) -> bytes:
    """A file with columns of any type, then perhaps some bytes otherwise."""
    header, *rows = rng.choice([long_rows, wide_rows])(rng)
    columns = {}
    for place, name in enumerate(dict.fromkeys(header)):
        cells: list[Any] = [row[place] for row in rows]
        columns[name] = _parquet_column(rng, cells)
    table = pa.table(columns)
    sink = io.BytesIO()
    pyarrow.parquet.write_table(
        table,
        sink,
        use_dictionary=rng.random() < 0.7,
        compression=rng.choice(["snappy", "none", "gzip", "zstd"]),
        row_group_size=rng.choice([2, 1000]),
        data_page_version=rng.choice(["1.0", "2.0"]),
    )
    content = sink.getvalue()
    if rng.random() < 0.6:
        return content
    damaged = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 5])):
        damaged[rng.randrange(len(damaged))] = rng.randrange(256)
    return bytes(damaged) if rng.random() < 0.9 else bytes(damaged[: rng.randrange(len(damaged))])


def _parquet_column(rng: random.Random, cells: list[str]) -> pa.Array:
    kind = rng.randrange(10)
    nulls = rng.random() < 0.15
    try:
        numbers = [float(cell) for cell in cells]
    except ValueError:
        numbers = []
    if numbers and kind < 4:
        given: pa.Array = pa.array(numbers, type=rng.choice([pa.float64(), pa.float64(), pa.float32()]))
    elif numbers and kind < 7 and all(cell.lstrip("-").isdigit() for cell in cells):
        least = rng.choice([0, 0, 2**53, 2**63])
        whole = [int(cell) % 97 + least for cell in cells] if least else [int(cell) for cell in cells]
        wide = rng.choice(_INTEGERS) if max(whole) < 128 else pa.uint64()
        given = pa.array(whole, type=wide if max(whole) < 2**64 else pa.decimal128(30))
    elif numbers and kind == 7:
        given = pa.array([number > 0.5 for number in numbers])
    elif kind == 8:
        given = pa.array(cells).dictionary_encode()
    elif kind == 9:
        given = rng.choice(
            [
                pa.array([cell.encode() for cell in cells]),
                pa.array([[cell] for cell in cells]),
                pa.array(cells, type=pa.large_string()),
                pa.array(range(len(cells)), type=pa.timestamp("us")),
                pa.nulls(len(cells)),
            ]
        )
    else:
        given = pa.array(cells)
    if nulls:
        values = given.to_pylist()
        values[rng.randrange(len(values))] = None
        given = pa.array(values, type=given.type)
    return given


def compressed(rng: random.Random) -> tuple[str, bytes]:
    """A compressed file of any text format, damaged or not; with its name."""
    name, content = rng.choice(
        [
            lambda: ("results.csv.gz", delimited(rng, mutated_rows(rng, long_rows(rng)), ",")),
            lambda: ("results.tsv.gz", delimited(rng, mutated_rows(rng, wide_rows(rng)), "\t")),
            lambda: ("results.jsonl.gz", json_lines(rng)),
        ]
    )()
    packed = gzip.compress(content, 1, mtime=0)
    kind = rng.randrange(8)
    if kind == 0:
        return name, packed[: rng.randrange(len(packed))]
    if kind == 1:
        damaged = bytearray(packed)
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        return name, bytes(damaged)
    if kind == 2:
        return name, packed + rng.choice([b"\x00", gzip.compress(content, mtime=0), b"junk"])
    return name, content if kind == 3 else packed


VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 3, 0.5, -0.0, 1e308, 5e-324, 10**30, 10**400, "", "x", "\ud800", "1", "α", "x" * 5000, "<b>"),
    *([], {}, [[]], [None], [1, 2, 3], {"a": 1}, {"type": "table"}, "{{ x }}", "\\input{x}", "../x", "2020-01-01"),
)  # fmt: skip


def mutated_tree(rng: random.Random, tree: Any) -> Any:
    """Change a few values of a tree of objects and lists, wherever they are; the tree itself stays."""
    tree = copy.copy(tree)
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        _change(rng, tree)
    return tree


def _change(rng: random.Random, node: Any) -> None:
    """Go down at random, copying what is passed, and change one value."""
    while True:
        keys: list[Any] = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            if isinstance(node, dict):
                node["x"] = rng.choice(VALUES)
            else:
                node.append(rng.choice(VALUES))
            return
        key = rng.choice(keys)
        if isinstance(node[key], (dict, list)) and rng.random() < 0.85:
            node[key] = copy.copy(node[key])
            node = node[key]
            continue
        kind = rng.randrange(8)
        if kind < 4:
            node[key] = copy.deepcopy(rng.choice(VALUES))
        elif kind == 4:
            del node[key]
        elif kind == 5:
            node[key] = copy.deepcopy(node[rng.choice(keys)])
        elif isinstance(node, dict):
            node[rng.choice(["x", "type", str(key) + "s"])] = node.pop(key) if kind == 6 else copy.deepcopy(node[key])
        else:
            node.insert(0, copy.deepcopy(node[key]))
        return


SETTINGS = """\
alpha = [0.05, 0.01]
dependence = "independent"
alternative = "greater"
profile = "recommended"
test = "sign-flip"
n_resamples = 999
rng = 3
missing = "drop"
score_range = [0, 100]
mixed_scales = "accept"
printed_reading = "as-printed"
higher_is_better = true
metric = ["accuracy", "F1"]
primary_metric = "F1"
gatekeeping = "serial"
pairing = "paired"
runs = "fixed"
across_datasets = false
friedman = true
rope = 0.01
bayes = true
prior = 0.7
system = "ours"
baseline = ["base", "b2"]
lower_is_better = ["TER"]
templates = ["mine"]
output = "report"
wide_systems = ["ours", "base"]

[kind]
cb = "binary"

[columns]
system = "model"
score = "acc"

[appearance]
venue = "acl"
widths = [219.0, 455.0]
decimals = 2
average = true
cell = "{score}"

[check]
select = ["RK1"]
ignore = ["RK201"]
stage = "review"
strict = true
papers = ["paper.tex"]
data = "results.csv"

[check.severity]
RK201 = "error"

[check.labels]
Ours = "reranker-v2"

[check.per-file-ignores]
"appendix.tex" = ["RK2"]

[[printed]]
system_a = "A"
system_b = "B"
alpha = 0.05
fisher = 5
identified = ["MZ"]
"""
TOML_VALUES = (
    *("5", "-1", "0", "0.5", "nan", "inf", "-inf", "1e400", "true", "false", '""', '"x"', '"sign-flip"', "[]", "[[]]", "{}", "[5]"),
    *('["x", 5]', "{ a = 1 }", "2020-01-01", "12:30:00", "[" * 40 + "]" * 40, "9" * 30, "9" * 5000, '"\\u202e"', '"\\u0000"', "0x1F"),
    *("[0.5, 0.05]", '["a", "a"]', "[nan, 1]", '"less"', '"../x"', "[" * 3000, "1_0", "{ a = { b = { c = [] } } }", "'''x'''"),
)  # fmt: skip
KEYS = (
    "alpha",
    "seed",
    "metric",
    "kind",
    "columns",
    "printed",
    "appearance",
    "check",
    "output",
    "alfa",
    "system",
    "a.b",
    '""',
    "test",
)


def settings_file(rng: random.Random) -> bytes:
    """Settings of which some lines are left out, and some changed."""
    kept = [line for line in SETTINGS.split("\n") if "=" not in line or rng.random() < 0.5]
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        place = rng.randrange(len(kept))
        key = kept[place].partition(" = ")[0]
        change: Callable[[], str] = rng.choice(
            [
                lambda key=key: f"{key} = {rng.choice(TOML_VALUES)}",
                lambda key=key: f"{key} = {rng.choice(TOML_VALUES)}",
                lambda: f"{rng.choice(KEYS)} = {rng.choice(TOML_VALUES)}",
                lambda: rng.choice(
                    ["[check]", "[tool.reportkit]", "[[printed]]", "[columns]", "[kind.x]", "=", "[", "# é"]
                ),
                lambda place=place: kept[place] + "\n" + kept[place],
                lambda: "",
            ]
        )
        kept[place] = change()
    content = "\n".join(kept).encode()
    return mutated_bytes(rng, content) if rng.random() < 0.2 else content
