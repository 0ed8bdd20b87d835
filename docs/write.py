"""Write the pages and tables of the documentation that follow from the code: `python docs/write.py`.

A test compares; nothing that stands here is written by hand.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import textwrap
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import click

from reportkit.appearance import Appearance, Label
from reportkit.checker.catalogue import RULES
from reportkit.checker.config import KEYS as KEYS_OF_CHECK
from reportkit.cli.config import OTHER_KEYS
from reportkit.cli.grouped_help import GroupedCommand
from reportkit.cli.main import group as command_group
from reportkit.figures.drawing.typography import typography_of
from reportkit.options import meanings, option_of
from reportkit.report.references import REFERENCES
from reportkit.scores.choices import LONG_ROLES
from reportkit.settings import Settings
from reportkit.significance.catalogue import SHAPE_NAMES, SIGNIFICANCE_TESTS
from reportkit.significance.entry import INDEPENDENT_INSTANCES
from reportkit.venues import VENUES, Venue

HERE = Path(__file__).parent
FORMATS = {
    "delimited text": (".csv", ".tsv", ".txt"),
    "Parquet": (".parquet",),
    "Feather": (".feather", ".arrow", ".ipc"),
    "JSON": (".json",),
    "JSON Lines": (".jsonl", ".ndjson"),
    "Excel": (".xlsx", ".xlsm"),
}
COLUMNS = {
    "system": "Column of the names of systems.",
    "dataset": "Column of the names of datasets.",
    "instance": "Column of what identifies an instance, by which scores are paired.",
    "score": "Column of the scores.",
    "metric": "Column of what each score is.",
    "seed": "Column of the runs: seeds, trials, epochs.",
    "cluster": "Column of what instances belong to: documents, dialogues.",
    "gold": "Column of gold labels or gold scores.",
    "weight": "Column of the weights of instances.",
    "fold": "Column of the folds of a cross-validation.",
    "rater": "Column of those who rated.",
    "k": "Column of the numbers of right answers.",
    "n": "Column of the numbers of instances.",
}
CHECK = {
    "select": "Codes, or beginnings of codes, of the rules that look; `ALL` for all.",
    "ignore": "Codes, or beginnings of codes, that are left out.",
    "per-file-ignores": "Pattern of file names to the codes that are left out there.",
    "severity": "Code to `error` or `warning`.",
    "labels": "What is printed in tables to the name in the results that it stands for.",
    "papers": "The files that are read where the command names none.",
    "data": "The results that the paper reports.",
    "report": "The `report.json` that the paper is held against.",
    "strict": "Whether a warning counts as an error.",
}
_EXAMPLE = re.compile(r"^(Found|Not found|Results)(?: \((\w+)\))?::\n\n((?:    .*\n|\n)+)", re.MULTILINE)
BEGIN, END = "<!-- {}: begin (written by docs/write.py) -->", "<!-- {}: end -->"


def pages() -> dict[Path, str]:
    """Every page with something that follows from the code, as it has to be."""
    written = {HERE / "reference" / "rules.md": rules_page()}
    for name, tables in {
        "explanation/assumptions.md": {"assumptions": assumptions()},
        "reference/checker.md": {"rules": rules()},
        "reference/latex.md": {"venues": venues()},
        "reference/figures.md": {"typefaces": typefaces()},
        "reference/catalogue.md": {"tests": tests(), "formats": formats()},
        "reference/formats.md": {"formats": formats()},
        "reference/commands.md": {"commands": commands()},
        "reference/settings.md": {"settings": settings(Settings), "appearance": settings(Appearance), **of_the_file()},
    }.items():
        text = (HERE / name).read_text("utf-8")
        for title, table in tables.items():
            text = with_table(text, title, table)
        written[HERE / name] = text
    written[HERE / "_static" / "llms.txt"] = for_assistants()
    schema = json.dumps(schema_of_settings(), indent=2, ensure_ascii=False)
    written[HERE / "reference" / "settings.schema.json"] = f"{schema}\n"
    return written


def with_table(text: str, title: str, table: str) -> str:
    """Put a table between its two marks."""
    before, begun, rest = text.partition(BEGIN.format(title))
    _, ended, after = rest.partition(END.format(title))
    if not begun or not ended:
        raise ValueError(f"the marks of the table {title!r} are not in the page")
    return f"{before}{begun}\n{table}\n{ended}{after}"


def rules() -> str:
    """All rules of `reportkit check`."""
    return _table(
        ("code", "name", "severity", "needs", "what"),
        (
            (
                rule.code,
                f"[{rule.name}](rules.md#{rule.code.lower()}-{rule.name})",
                rule.severity,
                " + ".join(sorted(rule.needs, reverse=True)),
                rule.summary,
            )
            for rule in RULES.values()
        ),
    )


def rules_page() -> str:
    """The manual pages of all rules."""
    intro = "Every rule of `reportkit check`, with a text in which it finds something and one in which it does not."
    parts = [f"# Rules\n\n{intro}\n"]
    for rule in RULES.values():
        page = _EXAMPLE.sub(
            lambda found: f"{found[1]}:\n\n```{found[2] or 'latex'}\n{textwrap.dedent(found[3]).strip()}\n```\n\n",
            f"{rule.page}\n",
        )
        needs = " and ".join(sorted(rule.needs))
        parts.append(f"## {rule.code} {rule.name}\n\nSeverity: {rule.severity}. Needs {needs}.\n\n{page.strip()}\n")
    return "\n".join(parts)


def for_assistants() -> str:
    """The page for assistants as plain text, and where everything else stands: https://llmstxt.org."""
    page = re.sub(r"<!--.*?-->\n\n", "", (HERE / "for-assistants.md").read_text("utf-8"), flags=re.DOTALL)
    rooms = ("tutorials", "how-to", "explanation", "validation", "reference")
    pages = [path for room in rooms for path in sorted((HERE / room).glob("*.md"))]
    listed = (path for path in pages if path.stem != "index" or path.parent.name == "validation")
    links = "\n".join(f"- [{_title(path)}]({path.relative_to(HERE).as_posix()})" for path in listed)
    return f"# reportkit\n\n> {_summary()}\n\n{page.partition(chr(10))[2].strip()}\n\n## Pages\n\n{links}\n"


def _title(path: Path) -> str:
    return next(line for line in path.read_text("utf-8").splitlines() if line.startswith("# ")).removeprefix("# ")


def _summary() -> str:
    return str(tomllib.loads((HERE.parent / "pyproject.toml").read_text("utf-8"))["project"]["description"])


def venues() -> str:
    """All venues, and how tables are set for them."""
    return _table(
        ("`venue`", "for", "column / text, pt", "columns", "caption", "citations", "tables are set at"),
        (
            (
                f"`{name}`",
                venue.title,
                f"{venue.column_width:.0f} / {venue.text_width:.0f}"
                if venue.two_columns
                else f"{venue.text_width:.0f}",
                "2" if venue.two_columns else "1",
                venue.caption,
                f"`\\{venue.citation}`",
                f"`\\small` ({venue.sizes[1]:g} pt)",
            )
            for name, venue in VENUES.items()
        ),
    )


def typefaces() -> str:
    """Type of the figures of all venues."""

    def key(venue: Venue) -> tuple[str, float]:
        chosen = typography_of(venue)
        return chosen.face, -chosen.text

    rows = []
    for (face, text), group in groupby(
        sorted(VENUES.values(), key=lambda venue: (key(venue)[0] != "times", key(venue))), key
    ):
        names = ", ".join(f"`{venue.name}`" for venue in group)
        shown = "STIX, which looks like Times" if face == "times" else "Computer Modern"
        rows.append((names, shown, f"{-text:g} pt, {-text - 1:g} pt"))
    return _table(("venue", "face", "names, numbers"), rows)


def tests() -> str:
    """All significance tests."""
    return _table(
        ("`test`", "of", "what", "source"),
        (
            (
                f"`{name}`",
                SHAPE_NAMES[test.shape],
                test.summary,
                REFERENCES[test.citation].short if test.citation else "",
            )
            for name, test in SIGNIFICANCE_TESTS.items()
            if not test.tests_nothing
        ),
    )


def assumptions() -> str:
    """What every test that can be named takes to be true, and the null hypothesis that it tests."""
    return _table(
        ("`test`", "independent", "and besides", "null hypothesis"),
        (
            (
                f"`{name}`",
                "instances" if test.independent_units == INDEPENDENT_INSTANCES else test.independent_units,
                "; ".join(test.assumptions) or "no more",
                test.null_hypothesis,
            )
            for name, test in SIGNIFICANCE_TESTS.items()
            if not test.tests_nothing
        ),
    )


def formats() -> str:
    """All formats of tables."""
    return _table(
        ("format", "endings, each also with `.gz`, `.bz2`, `.xz`, `.zst`, or in a `.zip`"),
        ((name, ", ".join(f"`{ending}`" for ending in endings)) for name, endings in FORMATS.items()),
    )


def commands() -> str:
    """What every command takes, in the words and under the headings of its own help."""
    return "\n\n".join(
        "\n\n".join(_command(name)) for name in command_group.list_commands(click.Context(command_group))
    )


def _command(name: str) -> Iterator[str]:
    command = command_group.get_command(click.Context(command_group), name)
    assert command is not None, name
    context = click.Context(command, info_name=f"reportkit {name}")
    yield f"## reportkit {name}"
    yield f"```text\n{' '.join((context.command_path, *command.collect_usage_pieces(context)))}\n```"
    text = inspect.cleandoc(command.help or "").replace("\b\n", "")
    yield re.sub(r"(?<![`\w-])(--[a-z][a-z-]*)(?!`)", r"`\1`", text)
    headings = command.headings if isinstance(command, GroupedCommand) else {}
    heading_of = {option: heading for heading, options in headings.items() for option in options}
    options = [item for item in command.params if isinstance(item, click.Option) and not item.hidden]
    for heading in (*headings, None):
        below = [item for item in options if heading_of.get(item.name or "") == heading]
        records = [record for item in below if (record := item.get_help_record(context))]
        if records:
            rows = [(f"`{spelt}`", " ".join(said.split()).replace("<", "&lt;")) for spelt, said in records]
            yield _table((heading or "option", "meaning"), rows)


def settings(definition: type) -> str:
    """The fields of a dataclass of settings: name (and option, if it has another name), default, meaning."""
    said = {name: text.partition("\n")[2] for name, text in meanings(definition).items()}
    shared = {name: other for name in said for other in said if not said[name] and said[other]}
    rows = []
    for item in dataclasses.fields(definition):
        about = option_of(item)
        flag = about.flag or f"--{item.name.replace('_', '-')}"
        meaning = " ".join((said[item.name] or said[shared[item.name]]).split())
        other = "" if flag == f"--{item.name.replace('_', '-')}" else f" (`{flag}`)"
        rows.append((f"`{item.name}`{other if about.help else ' (no option)'}", _shown(item), meaning))
    return _table(("setting", "default", "meaning"), rows)


def of_the_file() -> dict[str, str]:
    """Keys that stand in the file alone, and those of its tables."""
    schema = schema_of_settings()["properties"]
    inside = {name: schema[name]["properties"] for name in ("columns", "check")}
    rows = [(f"`{key}`", schema[key]["description"]) for key in OTHER_KEYS if key not in (*inside, "appearance")]
    found = {"file": _table(("key", "meaning"), rows)}
    for name, keys in inside.items():
        found[name] = _table(("key", "meaning"), ((f"`{key}`", key_of["description"]) for key, key_of in keys.items()))
    return found


def _shown(item: dataclasses.Field[Any]) -> str:
    value = {} if item.default is dataclasses.MISSING else item.default
    if value is None or value in ({}, ()):
        return ""
    return f"`{json.dumps(value)}`"


def schema_of_settings() -> dict[str, Any]:
    """JSON Schema of `reportkit.toml`, with which an editor completes and checks it."""
    text, texts = {"type": "string"}, {"type": ["string", "array"], "items": {"type": "string"}}
    claim = {
        "type": "object",
        "description": "A count that a paper prints, to be held against the results.",
        "required": ["system_a", "system_b", "alpha"],
    }
    others: dict[str, dict[str, Any]] = {
        "system": texts | {"description": "The systems that are claimed to be better."},
        "baseline": texts | {"description": "The systems that they are compared with."},
        "lower_is_better": texts | {"description": "Metrics where lower is better."},
        "wide_systems": texts | {"description": "Columns that each hold the scores of one system."},
        "templates": texts | {"description": "Folders with templates of your own, beside this file."},
        "columns": {
            "type": "object",
            "description": "Which column holds what.",
            "properties": {role: text | {"description": COLUMNS[role]} for role in LONG_ROLES},
            "additionalProperties": text,
        },
        "output": text | {"description": "The folder that is written."},
        "filter": text | {"description": "Which filter of a harness is read."},
        "format": text | {"description": "What the files are, where that is not seen."},
        "printed": {
            "type": "array",
            "items": claim,
            "description": "Counts that a paper prints, to be held against these.",
        },
        "appearance": _object(Appearance),
        "check": {
            "type": "object",
            "description": "What `reportkit check` looks at.",
            "properties": {key: {"description": CHECK[key]} for key in KEYS_OF_CHECK},
            "additionalProperties": False,
        },
    }
    if set(others) != set(OTHER_KEYS):
        raise ValueError(f"keys of the file without a schema: {sorted(set(others) ^ set(OTHER_KEYS))}")
    found = _object(Settings)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings of reportkit: reportkit.toml",
        **found,
        "properties": found["properties"] | others,
    }


def _object(definition: type) -> dict[str, Any]:
    hints = get_type_hints(definition)
    said = {name: " ".join(text.partition("\n")[2].split()) for name, text in meanings(definition).items()}
    properties = {}
    for item in dataclasses.fields(definition):
        described = {"description": said[item.name]} if said.get(item.name) else {}
        properties[item.name] = {**_schema(hints[item.name]), **described}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _schema(hint: Any) -> dict[str, Any]:
    """What a value of a type is in TOML, where one thing may stand for a list of one."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"enum": list(parts)}
    if hint is Label:
        return {"type": "object", "required": ["latex", "plain"]}
    if origin in (tuple, Sequence):
        inner = _schema(parts[0])
        if len(parts) == 2 and parts[1] is not Ellipsis:
            return {"type": "array", "items": inner, "minItems": 2, "maxItems": 2}
        return {"anyOf": [inner, {"type": "array", "items": inner}]}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _schema(parts[1])}
    if parts:  # a union
        several = [_schema(kind) for kind in parts if kind is not type(None)]
        several = [kind for kind in several if not any(kind in other.get("anyOf", ()) for other in several)]
        return several[0] if len(several) == 1 else {"anyOf": several}
    return {"type": {str: "string", bool: "boolean", int: "integer", float: "number"}[hint]}


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    first, *others = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join((first, "|" + "---|" * len(head), *others))


if __name__ == "__main__":
    wanted = pages()
    for stale in set((HERE / "reference" / "rules").glob("*.md")) - wanted.keys():
        stale.unlink()
    for path, content in wanted.items():
        path.write_text(content, encoding="utf-8")
