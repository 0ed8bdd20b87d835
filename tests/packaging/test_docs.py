"""The documentation says what the code says, leads where it says, and builds."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
import tomllib

import jsonschema
import pytest

import reportkit
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
    for page in (tmp_path / "site").rglob("*.html"):
        text = page.read_text("utf-8")
        pictures = {(page.parent / name).resolve() for name in re.findall(r'<img[^>]* src="([^":]+)"', text)}
        assert page.stat().st_size + sum(path.stat().st_size for path in pictures) < 1_000_000, page.name
        assert not re.findall(r'<(?:script|link)[^>]* (?:src|href)="https?://[^"]*\.(?:js|css)', text), page.name
