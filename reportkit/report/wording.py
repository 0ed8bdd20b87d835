"""Text of a report: templates of `text/`, filled with facts, without a format; each format writes what comes out.

Whatever is in braces, and the words of a template themselves, is plain text; see `reportkit.report.tokens` for
citations, references and names.
"""

from __future__ import annotations

import contextlib
import re
import tomllib
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

from jinja2 import FileSystemBytecodeCache, FileSystemLoader, StrictUndefined, TemplateError, pass_eval_context
from jinja2.bccache import Bucket
from jinja2.sandbox import ImmutableSandboxedEnvironment

from reportkit._version import __version__
from reportkit.errors import RenderingError, ReportkitError
from reportkit.language import capitalised, counted, level_text, listed, p_value_text, percent_text, some, spanned
from reportkit.report import tokens, words
from reportkit.report.facts import Facts
from reportkit.report.model import Align, Cell, Column, Row, Spanner, Table

K_HAT = "k\u0302"


def shipped_templates() -> Path:
    """Return the folder of the project's own templates: next to the modules in a wheel, at the top in a checkout."""
    package = Path(__file__).resolve().parents[1]
    return next(folder for folder in (package / "_templates", package.parent / "templates") if folder.is_dir())


_PATTERN = f"reportkit-{__version__}-jinja-{version('jinja2')}-{{}}-%s.cache"


class _Compiled(FileSystemBytecodeCache):
    """Compiled templates in a folder; one that cannot be written, or is full, does not stop a report."""

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        return super().get_cache_key(name, ascii(filename))  # the bytes of a path need not be UTF-8

    def dump_bytecode(self, bucket: Bucket) -> None:
        with contextlib.suppress(OSError):
            super().dump_bytecode(bucket)


def compiled_templates(environment: str) -> FileSystemBytecodeCache | None:
    """Return the templates that earlier runs compiled, in the folder of Jinja that this user owns; None without one.

    Jinja checks the source and not the environment. So each environment has files of its own, by its name, no
    optimizer, and a `finalize` that needs the context: nothing is evaluated while it compiles.
    """
    try:
        return _Compiled(pattern=_PATTERN.format(environment))
    except (OSError, RuntimeError):
        return None


def text_environment(folders: Sequence[Path] = ()) -> ImmutableSandboxedEnvironment:
    """Return the environment of the text templates; folders of a user are looked into first."""
    environment = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader([*map(str, folders), str(shipped_templates())]),
        undefined=StrictUndefined,
        finalize=pass_eval_context(lambda _, value: value),
        lstrip_blocks=True,
        autoescape=False,
        optimized=False,
        bytecode_cache=compiled_templates("text"),
    )
    environment.filters.update(
        name=tokens.name,
        names=lambda items: [tokens.name(item) for item in items],
        listed=lambda items, last="and": listed(items, last=last),
        some=lambda items, most=5, last="and": some(items, most, last=last),
        counted=counted,
        number=words.number,
        dashed=lambda text: re.sub(r"(?<=\d) to (?=\d)", "–", text),
        rounded_up=words.rounded_up,
        capital=capitalised,
        plural=words.plural,
        level=level_text,
        percent=percent_text,
        lowered=words.lowered,
        strong=tokens.strong,
        code=tokens.code,
        table=lambda text: tokens.ref("tab", text),
        figure=lambda text: tokens.ref("fig", text),
        unique_by=lambda items, attribute: list({getattr(item, attribute): item for item in items}.values()),
    )
    environment.globals.update(
        cite=_cite,
        ref=tokens.ref,
        at_most=at_most,
        k_hat=K_HAT,
        p="𝑝",
        n="𝑛",
        N="𝑁",
        u="𝑢",
        p_equals=p_equals,
        spanned=spanned,
    )
    return environment


def _cite(*keys: str) -> str:
    known = [key for key in keys if key]
    return f" {tokens.cite(*known)}" if known else ""


def p_equals(value: float) -> str:
    """Write "𝑝 = .012" or "𝑝 < .001".

    Examples
    --------
    >>> p_equals(0.0123), p_equals(1e-9)
    ('𝑝 = .012', '𝑝 < .001')
    """
    written = p_value_text(value)
    return f"𝑝 {written[0]} {written[1:]}" if written[0] in "<>" else f"𝑝 = {written}"


def at_most(value: float) -> str:
    """Write an upper bound of a p-value: "at most .012", "below .001", "at most 1".

    Examples
    --------
    >>> at_most(0.0123), at_most(1e-9), at_most(0.9999)
    ('at most .012', 'below .001', 'at most 1')
    """
    written = p_value_text(value)
    return f"below {written[1:]}" if written[0] == "<" else f"at most {'1' if written[0] == '>' else written}"


class Texts:
    """Text templates and heads, those of the user before those of the project.

    Parameters
    ----------
    known : dict
        Values and functions that the templates see.
    folders : sequence of Path
        Templates of a user.
    """

    def __init__(self, known: dict[str, Any], folders: Sequence[Path] = ()) -> None:
        self._folders = (*folders, shipped_templates())
        self._environment = text_environment(folders)
        self._known = known
        self.heads: Mapping[str, Any] = self._toml("heads")

    def _toml(self, name: str) -> dict[str, Any]:
        """Read `text/<name>.toml`: keys of the user before those of the project."""
        found: dict[str, Any] = {}
        for folder in reversed(self._folders):
            if (path := folder / "text" / f"{name}.toml").exists():
                found |= tomllib.loads(path.read_text("utf-8"))
        return found

    def fill(self, template: str, **further: Any) -> str:
        """Fill a template that is given as text."""
        return self._filled(
            "heads.toml", lambda _: self._environment.from_string(template).render(self._known | further)
        )

    def say(self, template: str, **further: Any) -> str:
        """Fill `text/<template>.jinja` and return its words with single spaces, paragraphs with an empty line between.

        Raises
        ------
        RenderingError
            If the template fails; the message names the file and the line.
        """
        return self._filled(template, lambda found: found.render(self._known | further))

    def macro(self, template: str, macro: str, **further: Any) -> str:
        """Return the words of a macro of a text template."""
        return self._filled(template, lambda found: str(getattr(found.make_module(self._known | further), macro)()))

    def _filled(self, template: str, fill: Callable[[Any], str]) -> str:
        name = f"text/{template}" if template.endswith(".toml") else f"text/{template}.jinja"
        try:
            return tidied(fill(self._environment.get_template(name) if name.endswith(".jinja") else None))
        except FAILURES as error:
            raise failure(error, name) from None


class Wording(Texts):
    """The words about one analysis.

    Parameters
    ----------
    facts : Facts
        `f` in the templates; functions of `reportkit.report.words` about them are there by their names.
    folders : sequence of Path
        Templates of a user.
    """

    def __init__(self, facts: Facts, folders: Sequence[Path] = ()) -> None:
        functions = {name: partial(getattr(words, name), facts) for name in words.FUNCTIONS}
        super().__init__(functions | {"f": facts}, folders)
        self._known["heads"] = self.heads
        self.facts = facts
        self._known["caveats"] = words.caveats(facts, self._toml("caveats"))
        self.macros = frozenset(vars(self._environment.get_template("text/captions.jinja").make_module(self._known)))

    def caption(self, macro: str, **further: Any) -> str:
        """Return the words of a macro of `text/captions.jinja`; an empty text if there is no such macro."""
        return self.macro("captions", macro, **further) if macro in self.macros else ""

    def table(self, name: str, rows: Sequence[Line], *, suffix: str = "", **shown: Any) -> Table:
        """Return a table with words from its macros in `text/captions.jinja`; `t` in them stands for `shown`."""
        layout = {key: shown.pop(key) for key in ("columns", "nested", "rules", "spanners") if key in shown}
        t = {"metric": None, **shown}
        return table_of(name, rows, lambda macro: self.caption(macro, t=t), suffix=suffix, **layout)


Line: TypeAlias = Row | Sequence[str | Cell]
"""A row of a table, finished or as its cells; a single cell becomes a heading."""


def table_of(
    name: str,
    rows: Sequence[Line],
    say: Callable[[str], str],
    *,
    columns: Sequence[Column] = (),
    nested: Sequence[int] = (),
    rules: bool = True,
    spanners: Sequence[Spanner] = (),
    suffix: str = "",
) -> Table:
    """Return a table with caption, legend and heads from the macros of its name.

    Parameters
    ----------
    name : str
        Name of the table; the names of its macros begin with it, with underscores for hyphens.
    rows : sequence of Row, or of sequence of str or Cell
        Content.
    say : callable
        Returns the words of a macro. Heads are separated by |; a head of numbers begins with >.
    columns : sequence of Column
        Instead of heads from a macro.
    nested : sequence of int
        Columns whose cells are left empty if they, and the nested ones before them, repeat the row above.
    rules : bool
        Whether a rule is above each group of the first nested column, or above each heading.
    spanners : sequence of Spanner
        Heads over several columns.
    suffix : str
        Suffix of the name.
    """
    macro, last, found = name.replace("-", "_"), list[str](), list[Row]()
    for head in () if columns else say(f"{macro}_heads").split("|"):
        align: Align = "right" if head.lstrip().startswith(">") else "left"
        columns = (*columns, Column(header=head.strip().removeprefix(">").strip(), align=align))
    for row in rows:
        if isinstance(row, Row):
            found.append(row)
            continue
        cells = [Cell(text=one) if isinstance(one, str) else one for one in row]
        heading, begins = len(cells) < len(columns), False
        cells += [Cell()] * (len(columns) - len(cells))
        words = [cells[place].text for place in nested]
        for number, place in enumerate(nested):
            if words[: number + 1] == last[: number + 1]:
                cells[place] = Cell()
            else:
                begins |= number == 0
        last = words
        found.append(Row(cells=tuple(cells), rule_above=rules and bool(found) and (begins or heading), heading=heading))
    return Table(
        name=name + suffix,
        caption=say(macro),
        legend=say(f"{macro}_legend"),
        columns=tuple(columns),
        rows=tuple(found),
        spanners=tuple(spanners),
    )


FAILURES = (TemplateError, ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError)
"""Exceptions that a template can cause."""


def failure(error: Exception, name: str) -> ReportkitError:
    """Return the error to be raised for a template that fails: it names the file and the line."""
    if isinstance(error, ReportkitError):
        return error
    file, line = getattr(error, "filename", None) or name, getattr(error, "lineno", None)
    for frame, number in traceback.walk_tb(error.__traceback__):
        if (template := frame.f_globals.get("__jinja_template__")) is not None:  # compiled, with lines of its own
            file, line = template.filename or name, template.get_corresponding_lineno(number)
        elif frame.f_code.co_filename.endswith(".jinja"):
            file, line = frame.f_code.co_filename, number
    remedy = "docs/reference/templates.md says what a template sees"
    return RenderingError(f"a template fails: {error}", where=f"{file}, line {line}" if line else file, remedy=remedy)


def tidied(text: str) -> str:
    r"""Put single spaces between words and none before punctuation; ¶ separates paragraphs.

    Examples
    --------
    >>> tidied("one \n two , three .\n ¶ four")
    'one two, three.\n\nfour'
    """
    blocks = (" ".join(block.split()) for block in text.split("¶"))
    return "\n\n".join(re.sub(r" (?=[,.;:)](?!\d))|(?<=\() ", "", block) for block in blocks if block)
