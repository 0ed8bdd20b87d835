"""The documentation leads where it says, is as short as it should be, and builds."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys

import pytest

import reportkit
from tests.conftest import ROOT, needed

DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def generated():
    """Pages that are made when the site is built, by their paths."""
    pages = runpy.run_path(str(DOCS / "write.py"))["pages"]()
    return {DOCS / "generated" / name: text for name, text in pages.items()} | {DOCS / "generated" / "gallery.md": ""}


@pytest.fixture(scope="module")
def by_hand():
    """Pages that are written by hand, with their texts; that of the printed numbers is made by a script."""
    paths = [path for path in DOCS.rglob("*.md") if "generated" not in path.parts and path.name != "printed-numbers.md"]
    return {path: path.read_text("utf-8") for path in (ROOT / "README.md", *paths)}


def test_generated_pages_say_what_the_code_says(generated):
    """Every command, setting, rule and public name has its place."""
    texts = {path.name: text for path, text in generated.items()}
    assert "## reportkit build" in texts["commands.md"]
    assert "| `--missing" in texts["commands.md"]
    assert "| `dependence` |" in texts["settings.md"]
    assert "## RK101 table-number-differs" in texts["rules.md"]
    assert "| `mcnemar` |" in texts["tests.md"]
    missing = [name for name in reportkit.__all__ if f"   {name}\n" not in texts["api.rst"] + "\n"]
    assert missing == ["__version__"]
    rows = re.findall(r"^\| `.*\| *(.*?) *\|$", texts["commands.md"] + texts["settings.md"], flags=re.MULTILINE)
    assert all(len(meaning) > 10 for meaning in rows)


def test_links_lead_somewhere(by_hand, generated):
    """To files that exist, and to headings that are there."""
    pages = by_hand | {ROOT / name: (ROOT / name).read_text("utf-8") for name in ("CONTRIBUTING.md", "CHANGELOG.md")}
    texts = pages | generated
    broken = []
    for path, text in pages.items():
        for target, anchor in re.findall(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)", without_code(text)):
            if "://" in target or target.startswith("mailto:"):
                continue
            there = (path.parent / target).resolve() if target else path
            if there not in texts and not there.exists():
                broken.append(f"{path.name}: {target}")
            elif anchor and there.suffix == ".md":
                page = texts.get(there) or there.read_text("utf-8")
                if anchor not in anchors(page):
                    broken.append(f"{path.name}: {target}#{anchor}")
    assert not broken


def without_code(text):
    """A page without its blocks and pieces of code."""
    return re.sub(r"`[^`\n]*`", "``", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))


def anchors(text):
    """What the headings of a page are called in links, as GitHub calls them."""
    headings = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_docs_can_be_read_in_an_afternoon(by_hand):
    """All pages by hand have at most 30,000 words, and the README 90 lines."""
    assert sum(len(text.split()) for text in by_hand.values()) <= 30_000
    assert len(by_hand[ROOT / "README.md"].splitlines()) <= 90


@pytest.mark.slow
def test_the_picture_on_the_first_page_is_the_real_output():
    """Drawn again from what the command prints, it is the same."""
    overview = runpy.run_path(str(DOCS / "overview.py"))
    assert overview["drawn"](overview["answer"]()) == (DOCS / "_static" / "overview.svg").read_text("utf-8")


def test_words_are_spelt_right():
    """By codespell; `docs/dictionary.txt` has the words that it does not know."""
    needed("codespell_lib", "dev")
    skipped = "*.svg,*.png,*.json,*.py,*/generated"
    command = ["codespell_lib", "-I", "docs/dictionary.txt", "--skip", skipped, "README.md", "CONTRIBUTING.md", "docs"]
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_site_builds_and_its_search_finds(tmp_path):
    """Without a warning; people's words are on the pages that answer them; nothing is loaded from elsewhere."""
    needed("sphinx", "docs")
    needed("pydata_sphinx_theme", "docs")
    command = ["sphinx", "-q", "-W", "--keep-going", "-d", tmp_path / "trees", "docs", tmp_path / "site"]
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    index = (tmp_path / "site" / "searchindex.js").read_text("utf-8")
    found = json.loads(index[index.index("(") + 1 : index.rindex(")")])
    for words, page in {
        "bonferroni": "methods",
        "stars": "reference/tables",
        "wide csv": "reference/formats",
        "column order": "reference/tables",
    }.items():
        number = found["docnames"].index(page)
        for word in words.split():
            places = [found[kind].get(stem(word), []) for kind in ("terms", "titleterms")]
            assert any(number in (some if isinstance(some, list) else [some]) for some in places), (word, page)
    for path in (tmp_path / "site").rglob("*.html"):
        text = path.read_text("utf-8")
        assert not re.findall(r'<(?:script|link)[^>]* (?:src|href)="https?://[^"]*\.(?:js|css)', text), path.name


def stem(word):
    """The word as Sphinx indexes it."""
    return needed("snowballstemmer", "docs").stemmer("porter").stemWord(word)
