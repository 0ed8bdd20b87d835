"""Write the pages that follow from the code into `docs/generated/`: `python docs/write.py`.

`conf.py` calls this whenever the site is built. Nothing here is tracked, and nothing is written by hand.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

import reportkit
from reportkit.checker.catalogue import RULES
from reportkit.cli.main import group
from reportkit.cli.options import heading_of
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS

HERE = Path(__file__).parent
EXAMPLE = re.compile(r"^(Found|Not found|Results)(?: \((\w+)\))?::\n\n((?:    .*\n|\n)+)", re.MULTILINE)
PARAMETER = re.compile(r"^(\w[\w, ]*?) : (.*)\n((?:    .*\n|\n)+)", re.MULTILINE)


def pages() -> dict[str, str]:
    """Return the text of each page by its name in `docs/generated/`."""
    return {
        "commands.md": commands(),
        "settings.md": settings(),
        "rules.md": rules(),
        "tests.md": tests(),
        "api.rst": api(),
    }


def commands() -> str:
    """Return the options of every command, in the words and under the headings of its help."""
    context = click.Context(group)
    parts = [part for name in group.list_commands(context) for part in _command(name)]
    return "# Commands\n\nEvery command with all of its options, as `--help-all` lists them.\n\n" + "\n\n".join(parts)


def _command(name: str) -> Iterator[str]:
    command = group.get_command(click.Context(group), name)
    assert command is not None, name
    context = click.Context(command, info_name=f"reportkit {name}")
    yield f"## reportkit {name}"
    yield f"```text\n{' '.join((context.command_path, *command.collect_usage_pieces(context)))}\n```"
    for part in inspect.cleandoc(command.help or "").split("\n\n"):
        as_written = part.startswith("\b\n")
        yield f"```text\n{part.removeprefix(chr(8)).strip()}\n```" if as_written else _options_as_code(part)
    options = [item for item in command.params if isinstance(item, click.Option) and not item.hidden]
    for heading in dict.fromkeys(map(heading_of, options)):
        below = [item for item in options if heading_of(item) == heading]
        records = [record for item in below if (record := item.get_help_record(context))]
        if records:
            yield _table((heading, "meaning"), ((f"`{spelt}`", said) for spelt, said in records))


def _options_as_code(text: str) -> str:
    return re.sub(r"(?<![`\w-])(--[a-z][a-z-]*)(?!`)", r"`\1`", text)


def settings() -> str:
    """Return the fields of `reportkit.Settings`, each with its default and its meaning."""
    defaults = inspect.signature(reportkit.Settings).parameters
    text = inspect.cleandoc(reportkit.Settings.__doc__ or "") + "\n"
    rows = [
        (f"`{name}`", _shown(defaults[name].default), meaning)
        for names, _, meaning in PARAMETER.findall(text)
        for name in names.split(", ")
        if name in defaults
    ]
    intro = "Keys of `reportkit.toml`, fields of `reportkit.Settings` and, with dashes, options of `reportkit build`."
    return f"# All settings\n\n{intro}\n\n" + _table(("setting", "default", "meaning"), rows)


def _shown(value: object) -> str:
    plain = isinstance(value, str | bool | int | float | tuple) and value != ()
    return f"`{value!r}`".replace("True", "true").replace("False", "false") if plain else ""


def rules() -> str:
    """Return the manual pages of all rules of `reportkit check`, after a table of them."""
    rows = [(f"[{rule.code}](#{_anchor(rule)})", rule.name, rule.severity, rule.summary) for rule in RULES.values()]
    parts = ["# Rules of `reportkit check`\n", _table(("code", "name", "severity", "what is found"), rows) + "\n"]
    for rule in RULES.values():
        page = EXAMPLE.sub(
            lambda found: f"{found[1]}:\n\n```{found[2] or 'latex'}\n{textwrap.dedent(found[3]).strip()}\n```\n\n",
            f"{rule.page}\n",
        )
        parts.append(f"## {rule.code} {rule.name}\n\nNeeds {' and '.join(sorted(rule.needs))}.\n\n{page.strip()}\n")
    return "\n".join(parts)


def _anchor(rule: object) -> str:
    return f"{rule.code.lower()}-{rule.name}"  # type: ignore[attr-defined]


def tests() -> str:
    """Return what every test that can be named asks, and what it assumes."""
    rows = []
    for name, test in SIGNIFICANCE_TESTS.items():
        assumed = "; ".join(getattr(test, "assumptions", ())) or "independent units only"
        rows.append((f"`{name}`", test.summary, test.hypotheses.null.format(a="A", b="B"), assumed))
    intro = "`test=` and `--test` take these names. [Methods](../methods.md) says which one is the default."
    return f"# Tests by name\n\n{intro}\n\n" + _table(("test", "what", "null hypothesis", "assumes"), rows)


def api() -> str:
    """Return the page of Python: every public name, by kind."""
    names: dict[str, list[str]] = {"Functions": [], "Classes": [], "Errors": []}
    for name in sorted(set(reportkit.__all__) - {"__version__"}):
        thing = getattr(reportkit, name)
        is_error = isinstance(thing, type) and issubclass(thing, Exception)
        names["Errors" if is_error else "Classes" if isinstance(thing, type) else "Functions"].append(name)
    parts = ["Python\n======\n", "Everything that is public. ``import reportkit`` gives a frame ``df.replic``.\n"]
    parts += [_listed("On a frame", "reportkit.accessor", ["ReplicAccessor"])]
    parts += [_listed(heading, "reportkit", some) for heading, some in names.items()]
    return "\n".join(parts)


def _listed(heading: str, module: str, names: Sequence[str]) -> str:
    head = f"{heading}\n{'-' * len(heading)}\n\n.. currentmodule:: {module}\n.. autosummary::\n   :toctree: api\n"
    return "\n".join([head, *(f"   {name}" for name in names), ""])


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, *([" ".join(cell.split()).replace("|", "\\|").replace("<", "&lt;") for cell in row] for row in rows)]
    first, *others = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join((first, "|" + "---|" * len(head), *others)) + "\n"


def main(folder: Path = HERE / "generated") -> None:
    """Write all pages."""
    folder.mkdir(exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
