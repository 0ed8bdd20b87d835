"""The documentation says what the code says, leads where it says, and builds."""

from __future__ import annotations

import gzip
import json
import re
import runpy
import subprocess
import sys
import tomllib
import zlib

import click
import jsonschema
import pytest

import reportkit
from reportkit.cli.main import group
from tests.conftest import needed


@pytest.fixture(scope="module")
def pages(root):
    """Every page that a reader may open, with its text."""
    listed = [
        root / "README.md",
        root / "CONTRIBUTING.md",
        *(root / "docs").rglob("*.md"),
        *root.glob("examples/*/*.md"),
    ]
    return {path: path.read_text("utf-8") for path in listed}


@pytest.fixture(scope="module")
def schema(root):
    """JSON Schema of `reportkit.toml`."""
    return json.loads((root / "docs" / "reference" / "settings.schema.json").read_text("utf-8"))


def test_the_documentation_is_written_anew(root):
    """`python docs/write.py` would change nothing: rules, commands, settings, venues, typefaces, tests and formats."""
    wanted = runpy.run_path(str(root / "docs" / "write.py"))["pages"]()
    stale = [path.name for path, content in wanted.items() if not path.is_file() or path.read_text("utf-8") != content]
    left = set((root / "docs" / "reference" / "rules").glob("*.md")) - wanted.keys()
    assert not stale, f"run `python docs/write.py`: {stale} do not say what the code says"
    assert not left, f"run `python docs/write.py`: there is no rule of {left}"


def test_links_lead_somewhere(pages):
    """To files that exist, and to headings that stand there."""
    broken = []
    for path, text in pages.items():
        for target, anchor in re.findall(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)", without_code(text)):
            if "://" in target or target.startswith("mailto:"):
                continue
            there = (path.parent / target).resolve() if target else path
            if not there.exists() or (anchor and there.suffix == ".md" and anchor not in anchors(there)):
                broken.append(f"{path.name}: {target}#{anchor}")
    assert not broken


def without_code(text):
    """A page without its blocks and pieces of code."""
    return re.sub(r"`[^`\n]*`", "``", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))


def anchors(path):
    """What the headings of a page are called in links, as GitHub calls them."""
    headings = re.findall(r"^#+ (.*)$", path.read_text("utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_public_name_is_in_the_reference(root):
    """Each name of the package is one of the page of Python, and the other way round."""
    text = (root / "docs" / "reference" / "api.rst").read_text("utf-8")
    listed = re.findall(r"^   (\w+)$", text, flags=re.MULTILINE)
    assert sorted(listed) == sorted({*reportkit.__all__, "ReplicAccessor"} - {"__version__"})


def test_every_option_is_in_the_reference(root):
    """Each command and each of its options has a line of its own, with words that say what it does."""
    text = (root / "docs" / "reference" / "commands.md").read_text("utf-8")
    sections = {title: body for title, _, body in (part.partition("\n") for part in text.split("\n## ")[1:])}
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        lines = [re.split(r"(?<!\\)\|", line) for line in sections.pop(f"reportkit {name}").splitlines()]
        for option in (one for one in command.params if isinstance(one, click.Option)):
            spelling = max(option.opts, key=len)
            found = [cells for cells in lines if len(cells) > 2 and re.match(rf" `[^`]*{spelling}(?![\w-])", cells[1])]
            assert len(found) == 1, f"{name} {spelling}"
            assert len(found[0][2].strip()) > 10, f"{name} {spelling} is not explained"
    assert {title for title in sections if title.startswith("reportkit ")} == set()


def test_every_setting_is_in_the_reference(root):
    """Each key that a file of settings may hold has a line of the page, in tables of its own section as well."""
    text = (root / "docs" / "reference" / "settings.md").read_text("utf-8")
    schema = json.loads((root / "docs" / "reference" / "settings.schema.json").read_text("utf-8"))
    keys = {*schema["properties"]}
    for inside in schema["properties"].values():
        keys |= {*inside.get("properties", {})}
    missing = sorted(key for key in keys if not re.search(rf"^\| `{key}`|`\[{key}\]`", text, flags=re.MULTILINE))
    assert not missing
    assert len(keys) > 40


def test_the_comparison_is_dated_and_has_an_answer_of_each_tool(root):
    """The rows are those of the script, with versions; that of reportkit is what it answers today."""
    text = (root / "docs" / "comparison.md").read_text("utf-8")
    script = runpy.run_path(str(root / "docs" / "comparison.py"))
    assert re.search(r"^Run on \d+ \w+ \d{4}\.$", text, flags=re.MULTILINE)
    answers = dict(re.findall(r"^\| ([\w-]+) \d\S* \| (.*) \|$", text, flags=re.MULTILINE))
    assert list(answers) == list(script["TOOLS"])
    assert answers["reportkit"] == script["reportkit"]({})


def test_the_switcher_of_versions_names_this_one(root):
    """The newest version of the site is that of the package."""
    (listed,) = re.findall(r"VERSIONS = (\[.*\]);", (root / "docs" / "_static" / "versions.js").read_text("utf-8"))
    assert json.loads(listed)[0] == reportkit.__version__


def test_the_schema_takes_every_file_of_the_examples(root, schema):
    """And says of a key that does not exist that it does not."""
    jsonschema.Draft202012Validator.check_schema(schema)
    files = [path for path in root.glob("examples/*/*.toml") if path.name != "pyproject.toml"]
    assert len(files) >= 5
    for path in files:
        jsonschema.validate(tomllib.loads(path.read_text("utf-8")), schema)
    for wrong in ({"dependance": "any"}, {"dependence": "some"}, {"appearance": {"venues": "acl"}}, {"rope": "small"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


def test_words_are_spelt_right(root):
    """By codespell; `docs/dictionary.txt` has the words that it does not know."""
    needed("codespell_lib", "dev")
    skipped = "*.svg,*.png,*.json,*.py,*/api"
    command = ["codespell_lib", "-I", "docs/dictionary.txt", "--skip", skipped, "README.md", "CONTRIBUTING.md", "docs"]
    done = subprocess.run([sys.executable, "-m", *command], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_site_builds_and_no_page_is_heavy(root, tmp_path):
    """Without a warning; no page with its pictures is above 1 MB; nothing is loaded from elsewhere."""
    needed("sphinx", "docs")
    needed("pydata_sphinx_theme", "docs")
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-W",
        "--keep-going",
        "-d",
        tmp_path / "trees",
        "docs",
        tmp_path / "site",
    ]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    site = tmp_path / "site"
    inventory = (site / "objects.inv").read_bytes()
    documented = {line.split()[0] for line in zlib.decompress(inventory.split(b"zlib.\n", 1)[1]).decode().splitlines()}
    for name in reportkit.__all__:
        thing = getattr(reportkit, name)
        members = [member for member in dir(thing) if isinstance(thing, type) and is_public(thing, member)]
        page = site / "reference" / "api" / f"reportkit.{name}.html"
        text = page.read_text("utf-8") if page.is_file() else ""  # fields stand among the parameters
        left_out = [
            one for one in members if f"reportkit.{name}.{one}" not in documented and f"<strong>{one}" not in text
        ]
        assert name == "__version__" or (f"reportkit.{name}" in documented and not left_out)
    for page in (page for page in site.rglob("*.html") if "_static" not in page.parts):
        text = page.read_text("utf-8")
        assert weight(page, text) < 1_000_000, page.name
        assert not re.findall(r'<(?:script|link)[^>]* (?:src|href)="https?://[^"]*\.(?:js|css)', text), page.name


def is_public(thing, member):
    """Whether an attribute is one that the package itself gives its users, rather than Python or a base of another."""
    owner = next((base for base in thing.__mro__ if member in vars(base)), None)
    return not member.startswith("_") and owner is not None and owner.__module__.startswith("reportkit")


def weight(page, text):
    """Bytes that a browser gets for a page, compressed as servers do: what it links, the index of search, and icons."""
    linked = re.findall(r'<(?:img|script)[^>]* src="([^":?]+)|<link[^>]* rel="stylesheet"[^>]* href="([^":?]+)', text)
    files = {(page.parent / (source or style)).resolve() for source, style in linked}
    (static,) = {path for file in files for path in file.parents if path.name == "_static"}
    files |= {page, static.parent / "searchindex.js", *(static / "vendor").rglob("fa-solid-900.woff2")}
    assert len(files) > 8
    return sum(min(len(gzip.compress(content)), len(content)) for content in (path.read_bytes() for path in files))
