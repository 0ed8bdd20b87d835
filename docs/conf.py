"""The site: `sphinx-build -W docs site`, with the extra `docs`."""

from __future__ import annotations

import os
import re
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]
os.environ.setdefault("MPLBACKEND", "Agg")

import gallery  # noqa: E402 - from this checkout
import write  # noqa: E402

import reportkit  # noqa: E402

write.main()
if not (write.HERE / "generated" / "gallery.md").exists():
    gallery.main()

REPOSITORY = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"].get("urls", {}).get("Repository")

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
exclude_patterns = ["**/README.md", "conda"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # the manual pages of rules begin below their title

autodoc_typehints = "none"  # the docstrings say them
autodoc_member_order = "alphabetical"
napoleon_google_docstring = False
napoleon_use_rtype = False
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
    "secondary_sidebar_items": [],  # tables need the width
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    **({"github_url": REPOSITORY} if REPOSITORY else {}),
}
html_sidebars: dict[str, list[str]] = {page: [] for page in ("index", "generated/gallery", "methods", "validation")}
default_role = "literal"

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(((?:\.\./)+[^)\s#]+)(#[^)\s]*)?\)")


def link_to_repository(_: Sphinx, page: str, source: list[str]) -> None:
    """Let links out of `docs/` lead to the repository, or be the names of the files while it has no address."""
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


def setup(app: Sphinx) -> None:
    """Connect what Sphinx calls."""
    app.connect("source-read", link_to_repository)
