"""Every block of code on every page does what the page says: it is run, in a folder of its own, from top to bottom.

What a reader has already is made in a comment `<!-- before: ... -->` of Python, where `scores` makes a frame.
`<!-- not run: reason -->` is before a block that cannot run in a test. A line `...` of an output stands for lines
that a reader need not see. REPORTKIT_UPDATE_GOLDEN=1 writes the outputs of commands anew, with as many lines before a
`...` as there were.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import itertools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
import pytest
from markdown_it import MarkdownIt

from tests.conftest import needed, run_command

ROOT = Path(__file__).resolve().parents[2]
WRITTEN = [ROOT / "README.md", *(p for p in sorted((ROOT / "docs").rglob("*.md")) if "generated" not in p.parts)]
COMMENT = re.compile(r"<!-- (before|not run):\s(.*?)-->", re.DOTALL)
RUN = {"python", "console", "bash", "toml", "json", "yaml"}


def blocks(text):
    """Language, content, first and last line of the content, of each block and comment of a page."""
    for token in MarkdownIt().parse(text):
        if token.type == "fence":
            yield token.info.strip(), token.content, token.map[0] + 1, token.map[1] - 1
        elif token.type == "html_block" and (found := COMMENT.match(token.content)):
            yield found[1], found[2], *token.map


def scores(systems=("ours", "baseline"), datasets=("sst-2", "tweets"), n=60):
    """A frame of right and wrong outputs, in which the first system is right more often."""
    random = np.random.default_rng(1)
    rows = itertools.product(enumerate(systems), datasets, range(n))
    return pd.DataFrame(
        [(system, dataset, i, int(random.random() < 0.9 - 0.15 * rank)) for (rank, system), dataset, i in rows],
        columns=["system", "dataset", "instance", "score"],
    )


PAGES = [page for page in WRITTEN if any(language in RUN for language, *_ in blocks(page.read_text("utf-8")))]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_does_what_it_says(page, tmp_path, monkeypatch, request):
    """Python runs, or is at least Python; commands print what is below them; TOML, JSON and YAML can be read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    monkeypatch.setitem(matplotlib.rcParams, "svg.hashsalt", "pages")
    monkeypatch.setenv("NO_COLOR", "1")
    if os.environ.get("REPORTKIT_UPDATE_GOLDEN") != "1":
        request.getfixturevalue("sketched")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    if page.name == "calibration.md":
        needed("sklearn", "test")
    text = page.read_text("utf-8")
    lines, names, left_out, moved = text.splitlines(), {"scores": scores, "root": ROOT}, False, 0
    for language, content, first, last in blocks(text):
        if language == "not run":
            left_out = True
            continue
        if language == "yaml":
            needed("yaml", "dev").safe_load(content)
        if left_out and language == "python":
            compile(content, f"{page.name}, line {first + 1}", "exec")
        if not left_out:
            if language in {"python", "before"}:
                run_python(content, names, f"{page.name}, line {first + 1}")
            elif language == "toml":
                check_toml(content)
            elif language == "json":
                json.loads(content)
            elif language in {"console", "bash"}:
                shown = content if language == "console" else "".join(f"$ {line}\n" for line in content.splitlines())
                printed = run_console(shown)
                if language == "console" and not agrees(shown, printed):
                    assert os.environ.get("REPORTKIT_UPDATE_GOLDEN") == "1", f"line {first + 1}:\n{printed}"
                    new = shortened(printed, shown).splitlines()
                    lines[first + moved : last + moved] = new
                    moved += len(new) - (last - first)
        left_out = left_out and language == "before"
    for name in pictures_of(text, page):
        assert Path(name).is_file(), f"{page.name} shows {name}, and does not make it"
        if os.environ.get("REPORTKIT_UPDATE_GOLDEN") == "1":
            shutil.copy(name, page.parent)
    if moved or "\n".join(lines) + "\n" != text:
        page.write_text("\n".join(lines) + "\n", encoding="utf-8")


def pictures_of(text, page):
    """Return the pictures in the folder of the page, which the page has to make."""
    return [
        name for name in re.findall(r"!\[[^\]]*\]\(([\w.-]+)\)", text) if (page.parent / name).parent == page.parent
    ]


def run_python(content, names, where):
    """As a script, or as a session, whose outputs are compared."""
    if ">>> " not in content:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(content, where, "exec"), names)  # noqa: S102 - the code of our own pages
        return
    test = doctest.DocTestParser().get_doctest(content, names, where, where, 0)
    said = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    runner.run(test, out=said.append, clear_globs=False)
    names.update(test.globs)
    assert not said, "".join(said)


def run_console(shown):
    """The commands of a block, each with what it prints."""
    commands = re.findall(r"^\$ ((?:.*\\\n)*.*)$", shown, flags=re.MULTILINE)
    return "".join(f"$ {command}\n{output_of(command)}" for command in commands)


def output_of(command):
    """What a command prints, on both channels, in their order where it is one of ours."""
    words = shlex.split(command.replace("\\\n", " "), comments=True)
    if words[:1] == ["reportkit"] and not set("|>&;*") & set(command):
        done = run_command(*words[1:])
        return done.stdout + done.stderr
    beside = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, env={**os.environ, "PATH": beside}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def shortened(printed, shown):
    """What is printed, where each command keeps as many lines before a `...` as it showed."""
    parts = []
    for new, old in zip(
        *(re.split(r"^(?=\$ )", text, flags=re.MULTILINE)[1:] for text in (printed, shown)), strict=True
    ):
        before, dots, _ = old.partition("\n...\n")
        kept = new.splitlines()[: len(before.splitlines())]
        parts.append("\n".join([*kept, "...", ""]) if dots else new)
    return "".join(parts)


def agrees(shown, printed):
    """Whether a block shows what is printed, where a line `...` stands for any number of lines."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"[ ]*\n" for line in shown.splitlines())
    return re.fullmatch(pattern, printed) is not None


def check_toml(content):
    """A file of settings is one that the command reads."""
    read = tomllib.loads(content)
    if "project" not in read and "tool" not in read:
        path = Path("settings.toml")
        path.write_text(content, encoding="utf-8")
        scores((*read.get("labels", ()), "ours", "base", "previous")).to_csv("any.csv", index=False)
        done = run_command("build", "any.csv", "--config", path, "--dry-run")
        assert "key" not in done.stderr, done.stderr
