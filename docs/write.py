"""Write the pages and tables of the documentation that follow from the code: `python docs/write.py`.

A test compares; nothing that stands here is written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from reportkit.appearance.venues import VENUES, Venue
from reportkit.checker.catalogue import RULES
from reportkit.checker.rule import Rule
from reportkit.figures.drawing.typography import typography_of
from reportkit.readers import FORMATS, HARNESSES
from reportkit.report.references import REFERENCES
from reportkit.significance.catalogue import SHAPE_NAMES, SIGNIFICANCE_TESTS

HERE = Path(__file__).parent
BEGIN, END = "<!-- {}: begin (written by docs/write.py) -->", "<!-- {}: end -->"


def pages() -> dict[Path, str]:
    """Every page with something that follows from the code, as it has to be."""
    written = {HERE / "rules" / f"{rule.code}.md": rule_page(rule) for rule in RULES.values()}
    for name, tables in {
        "checker.md": {"rules": rules()},
        "latex.md": {"venues": venues()},
        "figures.md": {"typefaces": typefaces()},
        "catalogue.md": {"tests": tests(), "formats": formats()},
        "formats.md": {"harnesses": harnesses(), "formats": formats()},
    }.items():
        text = (HERE / name).read_text("utf-8")
        for title, table in tables.items():
            text = with_table(text, title, table)
        written[HERE / name] = text
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
        ("code", "name", "severity", "needs", "what", "asked for by"),
        (
            (
                rule.code,
                f"[{rule.name}](rules/{rule.code}.md)",
                rule.severity,
                " + ".join(sorted(rule.needs, reverse=True)),
                rule.summary,
                rule.sources,
            )
            for rule in RULES.values()
        ),
    )


def rule_page(rule: Rule) -> str:
    """The manual page of a rule."""
    body = re.sub(r"^(.+)\n-{3,}$", r"## \1", rule.page, flags=re.MULTILINE)
    needs = " and ".join(sorted(rule.needs)) or "nothing"
    off = "" if rule.default else f" Off unless selected (`--select {rule.code}`)."
    head = f"# {rule.code} {rule.name}\n\nSeverity: {rule.severities}. Needs {needs}.{off}"
    return f"{head}\n\nMeasured: {rule.precision}.\n\n{body}\n"


def venues() -> str:
    """All venues, and how tables are set for them."""
    return _table(
        ("`venue`", "for", "column / text, pt", "columns", "caption", "tables are set at"),
        (
            (
                f"`{name}`",
                venue.title,
                f"{venue.column_width:.0f} / {venue.text_width:.0f}"
                if venue.two_columns
                else f"{venue.text_width:.0f}",
                "2" if venue.two_columns else "1",
                venue.caption,
                ", ".join(
                    size.words if "{" in size.command else f"`{size.words}` ({size.points:g} pt)"
                    for size in venue.sizes
                ),
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


def harnesses() -> str:
    """What is taken as what of the files of each harness."""
    columns = ("files", "system", "dataset", "instance", "run", "metric", "refused")
    return _table(
        ("format", *columns[:-1], "refused, and left out with a word"),
        ((one.name, *(getattr(one.taken, column) for column in columns)) for one in HARNESSES.values()),
    )


def formats() -> str:
    """All formats of tables."""
    return _table(
        ("format", "endings, each also with `.gz`, `.bz2`, `.xz`, `.zst`, or in a `.zip`"),
        ((one.name, ", ".join(f"`{ending}`" for ending in one.endings)) for one in FORMATS.values()),
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    first, *others = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join((first, "|" + "---|" * len(head), *others))


if __name__ == "__main__":
    wanted = pages()
    for stale in set((HERE / "rules").glob("*.md")) - wanted.keys():
        stale.unlink()
    for path, content in wanted.items():
        path.write_text(content, encoding="utf-8")
