r"""What stands where in a LaTeX source: environments, labels, captions, files read in, comments of reportkit.

A scanner, not a parser: it follows comments, verbatim text, `\iffalse` and the nesting of environments, as far as it
can be followed without running TeX. Positions are those of the characters in the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

FLOATS = frozenset(
    {"table", "table*", "longtable", "sidewaystable", "sidewaystable*", "wraptable", "SCtable", "SCtable*", "figure"}
    | {"figure*", "margintable", "subtable"}
)
"""Environments that a label of a table may stand in."""

TABULARS = frozenset({"tabular", "tabular*", "tabularx", "tabulary", "tblr", "longtblr", "longtable", "array"})

_VERBATIM = frozenset(
    {"verbatim", "verbatim*", "Verbatim", "Verbatim*", "BVerbatim", "LVerbatim", "lstlisting", "minted", "comment"}
    | {"filecontents", "filecontents*", "alltt", "verbatimtab", "tcblisting"}
)
_COMMAND = re.compile(r"\\([A-Za-z@]+\*?|.)", re.DOTALL)
_NAMED = re.compile(r"[ \t]*(?:\r?\n|\r)?[ \t]*\{[ \t]*([^{}%\\\r\n]*?)[ \t]*\}")
_READS = frozenset({"input", "include", "subfile", "subfileinclude"})
_CONDITION = re.compile(r"\\(if[A-Za-z@]*|else|fi)(?![A-Za-z@])")
_NO_CONDITION = frozenset({"iff", "ifthenelse", "ifx@", "iftoggle", "ifstrequal", "ifblank", "ifdef", "ifundef"})
_LINE_END = re.compile(r"\r\n|\r|\n")
MARKER = re.compile(r"%[ \t]*reportkit:[ \t]*(begin|end)[ \t]+([A-Za-z0-9-]+)[ \t]*(?=[\r\n]|$)")
GENERATED = re.compile(r"%[ \t]*reportkit [^|\r\n]*\|[^\r\n]*do not edit")


@dataclass(frozen=True, slots=True)
class Span:
    """From `start` up to `end`, which is not included."""

    start: int
    end: int

    def holds(self, position: int) -> bool:
        """Whether a position is inside."""
        return self.start <= position < self.end


@dataclass(frozen=True, slots=True)
class Environment:
    r"""One environment.

    Parameters
    ----------
    name : str
        Such as `table*`.
    span : Span
        From `\begin` to behind `\end{...}`.
    body : Span
        From behind `\begin{...}` to `\end`.
    """

    name: str
    span: Span
    body: Span


@dataclass(frozen=True, slots=True)
class Named:
    """A command with one argument: a label, or a file that is read."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Region:
    """What stands between two comments of reportkit.

    Parameters
    ----------
    name : str
        Of the table.
    span : Span
        From the line behind the first comment to the line of the second.
    names : tuple of Span
        Where the name stands in the two comments.
    """

    name: str
    span: Span
    names: tuple[Span, Span]


@dataclass(frozen=True, slots=True)
class Source:
    r"""What a LaTeX source holds, in the order in which it stands there.

    Parameters
    ----------
    environments : tuple of Environment
        By where they begin; inner ones after the outer ones.
    labels, reads : tuple of Named
        Labels, and files that are read in, neither in comments nor in verbatim text.
    captions : tuple of Span
        From `\caption` to behind its last argument.
    hidden : tuple of Named
        Labels in comments and verbatim text.
    regions : tuple of Region
        Between comments of reportkit.
    unpaired : tuple of Named
        Comments of reportkit that begin or end without the other.
    generated : bool
        Whether reportkit wrote the file.
    """

    environments: tuple[Environment, ...] = ()
    labels: tuple[Named, ...] = ()
    reads: tuple[Named, ...] = ()
    captions: tuple[Span, ...] = ()
    hidden: tuple[Named, ...] = ()
    regions: tuple[Region, ...] = ()
    unpaired: tuple[Named, ...] = ()
    generated: bool = False

    def around(self, position: int) -> tuple[Environment, ...]:
        """Environments that hold a position, the outermost first."""
        return tuple(item for item in self.environments if item.span.holds(position))


@dataclass(slots=True)
class _Found:
    environments: list[Environment] = field(default_factory=list)
    labels: list[Named] = field(default_factory=list)
    reads: list[Named] = field(default_factory=list)
    captions: list[Span] = field(default_factory=list)
    masked: list[Span] = field(default_factory=list)
    markers: list[tuple[str, Named]] = field(default_factory=list)
    opened: list[tuple[str, int, int]] = field(default_factory=list)


def scan(text: str) -> Source:
    r"""Find what stands where.

    Parameters
    ----------
    text : str
        A LaTeX source, with line ends of any kind.

    Examples
    --------
    >>> text = "%\\label{a}\n\\begin{table}[t]\n\\caption{C \\label{b}}\n\\end{table}\n\\verb|\\label{c}|"
    >>> source = scan(text)
    >>> [item.name for item in source.labels], [item.name for item in source.hidden]
    (['b'], ['a', 'c'])
    >>> [item.name for item in source.around(source.labels[0].span.start)]
    ['table']
    """
    found = _Found()
    position = 0
    while (position := _next(text, position)) < len(text):
        position = _comment(text, position, found) if text[position] == "%" else _command(text, position, found)
    regions, unpaired = _regions(text, found.markers)
    hidden = [
        Named(match[1], Span(span.start + match.start(), span.start + match.end()))
        for span in found.masked
        for match in re.finditer(r"\\label[ \t]*\{([^{}\r\n]*)\}", text[span.start : span.end])
    ]
    return Source(
        environments=tuple(sorted(found.environments, key=lambda item: (item.span.start, -item.span.end))),
        labels=tuple(found.labels),
        reads=tuple(found.reads),
        captions=tuple(found.captions),
        hidden=tuple(hidden),
        regions=regions,
        unpaired=unpaired,
        generated=GENERATED.match(text.removeprefix("\ufeff")) is not None,
    )


def _next(text: str, position: int) -> int:
    match = re.compile(r"[%\\]").search(text, position)
    return len(text) if match is None else match.start()


def line_end(text: str, position: int) -> Span:
    """The next end of a line; empty at the end of the text."""
    match = _LINE_END.search(text, position)
    return Span(len(text), len(text)) if match is None else Span(match.start(), match.end())


def _comment(text: str, position: int, found: _Found) -> int:
    end = line_end(text, position)
    if match := MARKER.match(text, position):
        found.markers.append((match[1], Named(match[2], Span(position, end.end))))
    else:
        found.masked.append(Span(position, end.start))
    return end.end


def _command(text: str, position: int, found: _Found) -> int:
    match = _COMMAND.match(text, position)
    if match is None:  # a backslash at the very end
        return len(text)
    name, after = match[1], match.end()
    if name in ("verb", "verb*", "lstinline", "mintinline"):
        return _mask(found, position, _inline_verbatim(text, after, name))
    if name == "iffalse":
        return _mask(found, position, _end_of_condition(text, after))
    if name == "begin":
        return _begin(text, position, after, found)
    if name == "end":
        return _end(text, position, after, found)
    if name == "label" or name in _READS:
        if argument := _NAMED.match(text, after):
            place = found.labels if name == "label" else found.reads
            place.append(Named(argument[1], Span(position, argument.end())))
            return argument.end()
        bare = re.compile(r"[ \t]+([^\s{}%\\]+)").match(text, after) if name == "input" else None
        if bare:
            found.reads.append(Named(bare[1], Span(position, bare.end())))
    elif name in ("caption", "caption*", "captionof", "tcaption"):
        found.captions.append(Span(position, _behind_arguments(text, after)))
    return after


def _mask(found: _Found, start: int, end: int) -> int:
    found.masked.append(Span(start, end))
    return end


def _inline_verbatim(text: str, position: int, name: str) -> int:
    if name in ("lstinline", "mintinline"):
        options = re.compile(r"(\[[^\]\r\n]*\])?" + (r"(\{[^{}\r\n]*\})?" if name == "mintinline" else "")).match(
            text, position
        )
        position = position if options is None else options.end()
    if position >= len(text) or text[position] in "\r\n":
        return position
    sign = {"{": "}"}.get(text[position], text[position])
    stop = text.find(sign, position + 1)
    return stop + 1 if 0 <= stop < line_end(text, position).start else position


def _end_of_condition(text: str, position: int) -> int:
    r"""Behind the `\fi` or at the `\else` that belongs to an `\iffalse`."""
    depth = 1
    for match in _CONDITION.finditer(text, position):
        if match[1] == "else":
            depth -= depth == 1
        elif match[1] == "fi":
            depth -= 1
        elif match[1] not in _NO_CONDITION:
            depth += 1
        if depth == 0:
            return match.end()
    return len(text)


def _begin(text: str, position: int, after: int, found: _Found) -> int:
    argument = _NAMED.match(text, after)
    if argument is None:
        return after
    name = argument[1]
    if name in _VERBATIM:
        end = re.compile(rf"\\end[ \t]*\{{{re.escape(name)}\}}").search(text, argument.end())
        return _mask(found, position, len(text) if end is None else end.end())
    found.opened.append((name, position, argument.end()))
    return argument.end()


def _end(text: str, position: int, after: int, found: _Found) -> int:
    argument = _NAMED.match(text, after)
    if argument is None:
        return after
    names = [name for name, _, _ in found.opened]
    if argument[1] in names:
        depth = len(names) - 1 - names[::-1].index(argument[1])
        name, start, inner = found.opened[depth]
        del found.opened[depth:]
        found.environments.append(Environment(name, Span(start, argument.end()), Span(inner, position)))
    return len(text) if argument[1] == "document" else argument.end()


def _behind_arguments(text: str, position: int) -> int:
    """Behind the optional and the braced argument of a command."""
    while match := re.compile(r"[ \t]*(?:\r?\n|\r)?[ \t]*([\[{])").match(text, position):
        position = behind_group(text, match.start(1))
        if match[1] == "{":
            break
    return position


def behind_group(text: str, position: int) -> int:
    """Behind the bracket that closes the one at a position, braces within it in pairs; the end if there is none."""
    closing = {"{": "}", "[": "]"}[text[position]]
    depth, at = 0, position + 1
    while at < len(text):
        sign = text[at]
        if sign == "\\":
            at += 2
            continue
        if sign == "%":
            at = line_end(text, at).end
            continue
        if depth == 0 and sign == closing:
            return at + 1
        depth += (sign == "{") - (sign == "}")
        at += 1
    return len(text)


def _regions(text: str, markers: list[tuple[str, Named]]) -> tuple[tuple[Region, ...], tuple[Named, ...]]:
    regions: list[Region] = []
    unpaired: list[Named] = []
    opened: Named | None = None
    for kind, marker in markers:
        if kind == "begin":
            if opened is not None:
                unpaired.append(opened)
            opened = marker
        elif opened is None or opened.name != marker.name:
            unpaired.append(marker)
        else:
            span = Span(opened.span.end, _line_start(text, marker.span.start))
            regions.append(Region(opened.name, span, (_name_in(text, opened), _name_in(text, marker))))
            opened = None
    return tuple(regions), tuple(unpaired if opened is None else [*unpaired, opened])


def _name_in(text: str, marker: Named) -> Span:
    match = MARKER.match(text, marker.span.start)
    return marker.span if match is None else Span(match.start(2), match.end(2))


def _line_start(text: str, position: int) -> int:
    """Where the blank line before a position begins; the position itself if something else stands before it."""
    before = position
    while before and text[before - 1] in " \t":
        before -= 1
    return before if before == 0 or text[before - 1] in "\r\n" else position
