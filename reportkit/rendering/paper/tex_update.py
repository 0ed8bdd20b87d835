r"""Tables of a report in a user's LaTeX: the environment that holds a label is replaced, and nothing else.

What is put there stands between two comments, so that it is found again as a whole, with the comments above the table
and all its parts:

```
% reportkit: begin results
\begin{table}[t]
...
\end{table}
% reportkit: end results
```

In a float of the user's own, which holds more than one table, only the `tabular` is replaced.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reportkit.errors import RenderingError, SettingsError
from reportkit.rendering.paper.paper_file import Edit, line_number
from reportkit.rendering.paper.tex_source import (
    FLOATS,
    TABULARS,
    Environment,
    Named,
    Region,
    Source,
    Span,
    scan,
)

OWN = ("table", "table*", "longtable")
"""Environments that are replaced as a whole; in others, such as `figure` or `wraptable`, the `tabular` is."""

_PLACEMENT = re.compile(r"[ \t]*(\[[^\][{}\\]*\])")
_LABEL = re.compile(r"\\(label|ref)\{([^{}]*)\}")
_GROUP = r"[ \t]*\{[^{}]*\}"
_HEAD = re.compile(r"(?:(?:%|\\ifcsname|\\ifdefined\\rkunicode)[^\n]*\n)*")
"""Comments above a table, and what defines characters that pdflatex cannot set."""

_SIZES = "small|footnotesize|scriptsize|tiny|normalsize|centering|raggedright|selectfont|noindent|leavevmode"
_SPACES = "smallskip|medskip|bigskip|par|relax|hfill|phantomsection"
_DECORATION = tuple(
    map(
        re.compile,
        (
            r"(?<!\\)%[^\r\n]*",
            rf"\\(?:set|addto)length[ \t]*\{{?\\[A-Za-z]+\}}?{_GROUP}",
            rf"\\renewcommand\*?[ \t]*\{{?\\[A-Za-z]+\}}?{_GROUP}",
            rf"\\[vh]space\*?{_GROUP}",
            rf"\\resizebox\*?{_GROUP}{_GROUP}|\\scalebox{_GROUP}|\\fontsize{_GROUP}{_GROUP}",
            rf"\\begin[ \t]*\{{adjustbox\}}{_GROUP}|\\captionsetup{_GROUP}",
            r"\\tabcolsep[ \t]*=?[ \t]*[\d.]+[ \t]*[a-z]{2}",
            r"\\(?:begin|end)[ \t]*\{(?:center|adjustbox|small|footnotesize|scriptsize)\}",
            rf"\\(?:{_SIZES}|{_SPACES})(?![A-Za-z@])",
            r"\A[ \t]*\[[^\][]*\]",
            r"[\s{}\0~]|\\[,;!]",
        ),
    )
)
"""How a table is set, which is no content of its own: taken away, one after the other."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table of a report goes.

    Parameters
    ----------
    span : Span
        What is replaced.
    label : str
        Label that it keeps; empty to take that of the report.
    whole : bool
        Whether a float is replaced, or the `tabular` within one.
    names : tuple of Span
        Where the name of the table stands in the comments of reportkit around it; empty if there are none.
    """

    span: Span
    label: str
    whole: bool
    names: tuple[Span, ...] = ()

    @property
    def marked(self) -> bool:
        """Whether it stands between two comments of reportkit."""
        return bool(self.names)


def place_of(text: str, source: Source, label: Named, table: str, where: str) -> Place:
    """Find what to replace for a label.

    Parameters
    ----------
    text : str
        The LaTeX.
    source : Source
        What it holds.
    label : Named
        One of its labels.
    table : str
        Name of the table, for the case that a float holds several.
    where : str
        The file, for messages.

    Raises
    ------
    SettingsError
        If the label stands outside of a table, or it is not clear what to replace.
    """
    position = label.span.start
    for region in source.regions:
        if region.span.holds(position):
            return place_of_region(source, region, label.name)
    floats = [item for item in source.around(position) if item.name in FLOATS]
    line = f"{where}, line {line_number(text, position)}"
    if not floats:
        around = [item.name for item in source.around(position) if item.name != "document"]
        raise SettingsError(
            f"the label {label.name!r} is in no table" + (f", but in {around[-1]!r}" if around else ""),
            where=line,
            remedy="name the label of a table, or put the comments '% reportkit: begin NAME' and '% reportkit: end "
            "NAME' where the table is to stand",
        )
    found = floats[-1]
    inside = [item for item in source.regions if found.body.holds(item.span.start)]
    if inside:
        named = [item for item in inside if item.name == table] if len(inside) > 1 else inside
        if len(named) == 1:
            return place_of_region(source, named[0], label.name)
    if found.name in OWN and not _more_than_a_table(text, source, found):
        return Place(found.span, label.name, whole=True)
    return Place(_the_tabular(source, found, label.name, line).span, label.name, whole=False)


def place_of_region(source: Source, region: Region, label: str = "") -> Place:
    """What stands between two comments: a float, or the inside of one."""
    within = any(item.name in FLOATS for item in source.around(region.span.start))
    return Place(region.span, label, whole=not within, names=region.names)


def _tabulars(source: Source, within: Span) -> list[Environment]:
    """Tables of cells that are not inside of one another."""
    found: list[Environment] = []
    for item in source.environments:
        inside = within.holds(item.span.start) and item.span.end <= within.end
        if item.name in TABULARS and inside and (not found or item.span.start >= found[-1].span.end):
            found.append(item)
    return found


def _the_tabular(source: Source, found: Environment, label: str, line: str) -> Environment:
    tabulars = _tabulars(source, found.body)
    if len(tabulars) == 1:
        return tabulars[0]
    reads = [item.name for item in source.reads if found.body.holds(item.span.start)]
    if not tabulars and reads:
        raise SettingsError(
            f"the {found.name!r} with the label {label!r} reads its content from {reads[0]!r}",
            where=line,
            remedy="let it read the file that reportkit build writes, with environment='tabular', or put the "
            "'tabular' into this file",
        )
    number = f"{len(tabulars)} times a 'tabular'" if tabulars else "no 'tabular'"
    raise SettingsError(
        f"the {found.name!r} with the label {label!r} holds {number}, and other things that are yours",
        where=line,
        remedy="put the comments '% reportkit: begin NAME' and '% reportkit: end NAME' around what is to be replaced",
    )


def _more_than_a_table(text: str, source: Source, found: Environment) -> bool:
    """Whether a float holds more than a caption, a label, one table of cells, and how it is set."""
    if found.name == "longtable":
        return False
    tabulars = _tabulars(source, found.body)
    if len(tabulars) > 1:
        return True
    gaps = [*(item.span for item in tabulars), *source.captions, *(item.span for item in source.labels)]
    rest, position = [], found.body.start
    for gap in sorted((gap for gap in gaps if found.body.holds(gap.start)), key=lambda gap: gap.start):
        if gap.start >= position:
            rest.append(text[position : gap.start])
            position = gap.end
    rest.append(text[position : found.body.end])
    return _says_something("\0".join(rest))


def _says_something(text: str) -> bool:
    for pattern in _DECORATION:
        text = pattern.sub("", text)
    return bool(text)


@dataclass(frozen=True, slots=True)
class _Wish:
    """What a user's float says about how it stands on the page."""

    environment: str = ""
    placement: str = ""
    caption: str = ""


def edits_for(text: str, source: Source, place: Place, table: str, generated: str, *, keep_caption: bool) -> list[Edit]:
    """Write a table in its place.

    Parameters
    ----------
    text : str
        The LaTeX of the paper.
    source : Source
        What it holds.
    place : Place
        Where the table goes.
    table : str
        Its name.
    generated : str
        Its LaTeX, as the report has it.
    keep_caption : bool
        Whether the user's caption stays.

    Raises
    ------
    RenderingError
        If only a `tabular` fits there, and the table has several parts.
    """
    bare = generated.strip("\n").replace("\r\n", "\n")
    floats = _floats(scan(bare))
    if place.whole and not floats and not place.marked:  # a bare `tabular` keeps the float of the user
        found = next(item for item in source.environments if item.span == place.span)
        place = Place(_the_tabular(source, found, place.label, f"table {table!r}").span, place.label, whole=False)
    old = text[place.span.start : place.span.end]
    if place.whole and floats:
        label = place.label or _first_label(source, place.span)
        written = _as_a_float(bare, label, _wish(text, source, place.span, keep_caption=keep_caption))
    else:
        written = bare if place.whole else _tabular_alone(bare, table)
    if place.marked:
        hold = "%" if re.search(r"\}%[ \t]*[\r\n]*\Z", old) else ""
        names = [Edit(span.start, span.end, table) for span in place.names]
        return [*names, Edit(place.span.start, place.span.end, f"{written}{hold}\n")]
    behind = text[place.span.end :]
    rest = re.match(r"[ \t]*(?=[\r\n]|\Z)", behind)
    hold = "" if rest or behind.lstrip(" \t").startswith("%") else "%"
    after = "" if rest else "\n"
    marked = f"% reportkit: begin {table}\n{written}{hold}\n% reportkit: end {table}{after}"
    return [Edit(place.span.start, place.span.end, marked)]


def _floats(source: Source) -> list[Environment]:
    return [item for item in source.environments if item.name in OWN and len(source.around(item.span.start)) == 1]


def _first_label(source: Source, within: Span) -> str:
    return next((item.name for item in source.labels if within.holds(item.span.start)), "")


def _wish(text: str, source: Source, within: Span, *, keep_caption: bool) -> _Wish:
    own = [item for item in source.environments if item.name in OWN and within.holds(item.span.start)]
    if not own:
        return _Wish()
    placement = _PLACEMENT.match(text, own[0].body.start) if own[0].name != "longtable" else None
    captions = [item for item in source.captions if own[0].body.holds(item.start)]
    kept = text[captions[0].start : captions[0].end] if keep_caption and captions else ""
    return _Wish(own[0].name, placement[1] if placement else "", re.sub("\r\n|\r", "\n", kept))


def _as_a_float(bare: str, label: str, wish: _Wish) -> str:
    """Give the generated floats the user's label, placement, star and caption."""
    generated = scan(bare)
    own = _first_label(generated, Span(0, len(bare)))
    edits: list[Edit] = []
    if wish.caption and generated.captions:
        first = generated.captions[0]
        edits.append(Edit(first.start, first.end, wish.caption))
    in_caption = bool(label) and any(match[2] == label for match in _LABEL.finditer(wish.caption))
    for match in _LABEL.finditer(bare):
        inside = any(edit.start <= match.start() < edit.end for edit in edits)
        if match[2] != own or not label or inside:
            continue
        if match[1] == "label" and in_caption:
            edits.append(Edit(match.start(), match.end() + (bare[match.end() : match.end() + 1] == "\n"), ""))
        else:
            edits.append(Edit(match.start(2), match.end(2), label))
    for item in _floats(generated):
        name = "table*" if wish.environment == "table*" and item.name == "table" else item.name
        options = _PLACEMENT.match(bare, item.body.start) if item.name != "longtable" else None
        begins = item.body.start if options is None else options.end()
        kept = wish.placement if item.name != "longtable" else ""
        placement = kept or (options[1] if options else "")
        edits.append(Edit(item.span.start, begins, rf"\begin{{{name}}}{placement}"))
        edits.append(Edit(item.body.end, item.span.end, rf"\end{{{name}}}"))
    for edit in sorted(edits, key=lambda edit: -edit.start):
        bare = bare[: edit.start] + edit.text + bare[edit.end :]
    return bare


def _tabular_alone(bare: str, table: str) -> str:
    """The comments above a table, and its cells without the float around them."""
    source = scan(bare)
    tabulars = _tabulars(source, Span(0, len(bare)))
    if len(tabulars) != 1:
        raise RenderingError(
            f"the table {table!r} is set as {len(tabulars)} parts, and a 'tabular' within a float of yours is one",
            remedy="put the label into a separate table, or show fewer systems or datasets",
        )
    span = tabulars[0].span
    return _HEAD.match(bare)[0] + bare[span.start : span.end]  # type: ignore[index]  # it matches nothing, at least
