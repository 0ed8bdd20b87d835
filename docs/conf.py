"""The site: `sphinx-build -W docs site`, with the extra `docs`."""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import reportkit  # noqa: E402 - from this checkout
from reportkit.appearance import Appearance  # noqa: E402
from reportkit.options import option_of  # noqa: E402
from reportkit.settings import Settings, arguments  # noqa: E402

METADATA = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
DEFINITIONS = [Settings, Appearance, *(item for item in vars(arguments).values() if dataclasses.is_dataclass(item))]
HEADINGS = {option_of(item).heading for kind in DEFINITIONS for item in dataclasses.fields(kind)} - {""} | {"Options"}
"""Sections of docstrings under which options stand."""

REPOSITORY = METADATA.get("urls", {}).get("Repository")

project = "reportkit"
copyright = "The reportkit authors, MIT licence"  # noqa: A001 - Sphinx asks for this name
release = version = reportkit.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["**/README.md"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # the manual pages of rules begin below their title

autodoc_typehints = "none"  # the docstrings say them
autodoc_member_order = "alphabetical"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_custom_sections = [(heading, "params_style") for heading in sorted(HEADINGS)]
autosummary_generate = True
templates_path = ["_templates"]
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = "reportkit"
html_static_path = ["_static"]
html_css_files = ["reportkit.css"]
html_js_files = ["versions.js", "site.js"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "navbar_align": "left",
    "navbar_end": ["versions", "theme-switcher", "navbar-icon-links"],  # the theme's own switcher needs an address
    "show_nav_level": 1,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    **({"github_url": REPOSITORY} if REPOSITORY else {}),
}
html_sidebars: dict[str, list[str]] = {
    page: [] for page in ("index", "glossary", "gallery/index", "validation/index", "comparison", "for-assistants")
}
default_role = "literal"

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(((?:\.\./)+[^)\s#]+)(#[^)\s]*)?\)")


def link_to_repository(_: Sphinx, page: str, source: list[str]) -> None:
    """Links to files of the repository beside `docs/` lead there, or are their names where it has no address yet."""
    folder = (ROOT / "docs" / page).parent

    def linked(found: re.Match[str]) -> str:
        target = (folder / found[2]).resolve()
        if target.is_relative_to(ROOT / "docs"):
            return found[0]
        path = target.relative_to(ROOT).as_posix()
        if REPOSITORY:
            return f"[{found[1]}]({REPOSITORY}/blob/main/{path})"
        words = found[1].replace("`", "")
        return f"`{path}`" if words.rstrip("/") in path else f"{found[1]} (`{path}`)"

    source[0] = LINK.sub(linked, source[0])


def with_fields_of_bases(_: Sphinx, what: str, __: str, thing: Any, ___: Any, lines: list[str]) -> None:
    """The parameters of a dataclass are those of its bases as well, which their docstrings say."""
    if what != "class" or not dataclasses.is_dataclass(thing) or "Parameters" not in lines:
        return
    for base in thing.__mro__[1:]:
        text = inspect.cleandoc(base.__doc__ or "").splitlines()
        if dataclasses.is_dataclass(base) and "Parameters" in text:
            begin = text.index("Parameters") + 2
            end = next((place for place in range(begin, len(text)) if set(text[place]) == {"-"}), len(text) + 1) - 1
            place = lines.index("Parameters") + 2
            lines[place:place] = [line for line in text[begin:end] if line]


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", with_fields_of_bases, priority=400)  # before napoleon reads them
    app.connect("source-read", link_to_repository)
