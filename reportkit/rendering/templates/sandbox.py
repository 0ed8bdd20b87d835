"""What templates may do: place strings. A stranger's template reads no file, calls nothing and does not run for ever.

A template is looked at before it runs: only constructs that place strings are allowed, so that there is no arithmetic,
no way into Python and no change of what it is given. While it runs, everything that it writes, repeats, joins,
compares, filters, cuts out and calls is counted before, by the size of what it is done with, lists within lists
included; it is stopped where it exceeds what any report needs. What is no text is never written as one.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, TemplateNotFound, nodes, pass_context
from jinja2.exceptions import SecurityError
from jinja2.runtime import BlockReference, Context, LoopContext, Macro, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

MOST_CHARACTERS = 100_000_000
"""What one template may write, repeat, join, compare and filter, all together; steps and calls count, too."""

LARGEST_TEMPLATE = 200_000
"""Characters of one file."""

MOST_PARTS = 5_000
"""Names, constants and constructs of one file."""

FILTERS = ("capitalize", "default", "first", "join", "last", "length", "list", "lower", "replace", "trim", "upper")
"""The filters that a template may use."""

TESTS = ("defined", "divisibleby", "eq", "even", "in", "ne", "none", "odd", "string", "undefined")
"""The tests that a template may use behind `is`."""

_ALLOWED: tuple[type[nodes.Node], ...] = (
    *(nodes.Template, nodes.Output, nodes.TemplateData, nodes.Block, nodes.Extends, nodes.Include, nodes.Import),
    *(nodes.FromImport, nodes.For, nodes.If, nodes.CondExpr, nodes.Macro, nodes.Call, nodes.CallBlock, nodes.Keyword),
    *(nodes.Assign, nodes.AssignBlock, nodes.With, nodes.Name, nodes.Const, nodes.List, nodes.Tuple, nodes.Getattr),
    *(nodes.Getitem, nodes.Slice, nodes.Filter, nodes.Test, nodes.And, nodes.Or, nodes.Not, nodes.Compare),
    *(nodes.Operand, nodes.Concat),
)
_ARITHMETIC = (*nodes.BinExpr.__subclasses__(), *nodes.UnaryExpr.__subclasses__())
_MOST_BYTES = 4  # of one character in UTF-8
_PER_STEP = 50
_PER_CALL = 1_000
_PER_PIECE = 10

_spent: ContextVar[int] = ContextVar("spent", default=0)


class RefusedError(SecurityError):
    """A template does what templates may not do; says in which file and line, where that is known."""

    def __init__(self, what: str, place: str | None = None, remedy: str | None = None) -> None:
        super().__init__(what)
        self.place, self.remedy = place, remedy


class Sandbox(ImmutableSandboxedEnvironment):
    """Templates that place strings: a few constructs and filters, no calls but to macros and blocks, a budget."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.globals.clear()
        counted = {"join": _joined, "replace": _replaced, "list": _listed, "trim": _trimmed}
        counted |= {name: _of_text(name, self.filters[name]) for name in ("capitalize", "lower", "upper")}
        self.filters = {name: counted.get(name, self.filters[name]) for name in FILTERS} | _COUNTING
        made: Mapping[str, Any] = self.tests
        of_numbers = {name: _of_numbers(name, made[name]) for name in ("divisibleby", "even", "odd")}
        self.tests = {name: of_numbers.get(name, self.tests[name]) for name in TESTS}

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        if len(source) > LARGEST_TEMPLATE:
            raise RefusedError(f"it has {len(source):,} characters, more than {LARGEST_TEMPLATE:,}", filename or name)
        tree = super()._parse(source, name, filename)
        _check(tree, filename or name or "template")
        counted: nodes.Template = _Counting(self).visit(tree)
        return counted

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805 - as in Jinja
        """Call a macro or a block."""
        if not __self.is_safe_callable(__obj) and not isinstance(__obj, Undefined):
            raise RefusedError(f"it calls {getattr(__obj, '__name__', type(__obj).__name__)!r}")
        _spend(_PER_CALL + _weight(args) + _weight([*kwargs.values()]))  # loop.changed compares them
        return super().call(__context, __obj, *args, **kwargs)

    def is_safe_callable(self, obj: object) -> bool:
        """Whether a template may call it: what it defines itself, and the methods of `loop`."""
        return isinstance(obj, (Macro, BlockReference)) or isinstance(getattr(obj, "__self__", None), LoopContext)


class FolderLoader(FileSystemLoader):
    """Files of one folder that are really in it: a link that leads out is not followed."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Any]:
        """Text of a template, its path, and whether it is still the same.

        Raises
        ------
        TemplateNotFound
            If it is not there, or is outside.
        RefusedError
            If it is no text, too large to be looked at, or a link that leads nowhere.
        """
        for root in map(Path, self.searchpath):
            try:
                root, path = root.resolve(), (root / template).resolve()
                outside = not path.is_relative_to(root) or (path.exists() and not path.is_file())
                size = path.stat().st_size if path.exists() and not outside else 0
            except (OSError, RuntimeError):  # Python before 3.13 says a circle of links with a RuntimeError
                raise RefusedError("it is a link that leads to itself, or cannot be looked at", template) from None
            if outside:
                raise TemplateNotFound(template)
            if size > _MOST_BYTES * LARGEST_TEMPLATE:
                raise RefusedError(f"it has more than {LARGEST_TEMPLATE:,} characters", str(path))
        try:
            source, filename, uptodate = super().get_source(environment, template)
        except UnicodeDecodeError:
            raise RefusedError("it is no UTF-8 text", template) from None
        return source, filename, uptodate


@contextmanager
def budget() -> Iterator[None]:
    """Count from zero what is written while a template runs."""
    token = _spent.set(0)
    try:
        yield
    finally:
        _spent.reset(token)


def _spend(characters: int) -> None:
    spent = _spent.get() + characters
    if spent > MOST_CHARACTERS:
        raise RefusedError(f"it writes, repeats or compares more than {MOST_CHARACTERS:,} characters")
    _spent.set(spent)


def _check(tree: nodes.Template, file: str) -> None:
    """Refuse whatever does not place strings.

    Raises
    ------
    RefusedError
        With the line.
    """
    parts = 0
    for node in _descendants(tree):
        parts += not isinstance(node, nodes.TemplateData)
        place = f"{file}, line {node.lineno}"
        if isinstance(node, _ARITHMETIC) and not isinstance(node, _ALLOWED):
            raise RefusedError(f"arithmetic ({getattr(node, 'operator', '')})", place)
        if not isinstance(node, _ALLOWED):
            raise RefusedError(f"{type(node).__name__} is not for templates", place)
        if isinstance(node, nodes.Filter) and node.name not in FILTERS:
            raise RefusedError(f"the filter {node.name!r}", place, f"the filters are {', '.join(FILTERS)}")
        if isinstance(node, nodes.Test) and node.name not in TESTS:
            raise RefusedError(f"the test {node.name!r}", place, f"the tests are {', '.join(TESTS)}")
        if isinstance(node, nodes.For) and node.recursive:
            raise RefusedError("a recursive loop", place)
        if isinstance(node, nodes.Const) and isinstance(node.value, float) and not math.isfinite(node.value):
            raise RefusedError("a number that is too large", place)
    if parts > MOST_PARTS:
        raise RefusedError(f"it has {parts:,} parts, more than {MOST_PARTS:,}", file)


def _descendants(node: nodes.Node) -> Iterator[nodes.Node]:
    yield node
    for child in node.iter_child_nodes():
        yield from _descendants(child)


class _Counting(NodeTransformer):
    """Let everything that work is done with go through a filter that counts it before."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment

    def _through(self, name: str, node: nodes.Expr, *arguments: nodes.Expr) -> nodes.Filter:
        made = nodes.Filter(node, name, list(arguments), [], None, None)
        made.set_lineno(node.lineno)
        made.set_environment(self.environment)
        return made

    def visit_Output(self, node: nodes.Output) -> nodes.Output:  # noqa: N802 - as Jinja calls it
        self.generic_visit(node)
        node.nodes = [
            self._through(
                _WRITTEN, nodes.Const(part.data, lineno=part.lineno) if isinstance(part, nodes.TemplateData) else part
            )
            for part in node.nodes
        ]
        return node

    def visit_For(self, node: nodes.For) -> nodes.For:  # noqa: N802
        weight = nodes.Const(sum(1 for _ in _descendants(node)), lineno=node.lineno)
        self.generic_visit(node)
        node.iter = self._through(_REPEATED, node.iter, weight)  # type: ignore[arg-type] # Jinja says Node
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Filter:  # noqa: N802
        self.generic_visit(node)
        return self._through("join", nodes.List(node.nodes, lineno=node.lineno))

    def visit_Include(self, node: nodes.Include) -> nodes.Include:  # noqa: N802
        self.generic_visit(node)
        node.template = self._through(_INCLUDED, node.template)
        return node

    def visit_Import(self, node: nodes.Import) -> nodes.Import:  # noqa: N802
        node.template = self._through(_INCLUDED, node.template)
        return node

    def visit_FromImport(self, node: nodes.FromImport) -> nodes.FromImport:  # noqa: N802
        node.template = self._through(_INCLUDED, node.template)
        return node

    def visit_List(self, node: nodes.List) -> nodes.Filter:  # noqa: N802
        self.generic_visit(node)
        return self._through(_USED, node)

    def visit_Tuple(self, node: nodes.Tuple) -> nodes.Expr:  # noqa: N802
        self.generic_visit(node)
        return self._through(_USED, node) if node.ctx == "load" else node

    def visit_Compare(self, node: nodes.Compare) -> nodes.Compare:  # noqa: N802
        self.generic_visit(node)
        node.expr = self._through(_USED, node.expr)
        for operand in node.ops:
            operand.expr = self._through(_USED, operand.expr)
        return node

    def visit_Test(self, node: nodes.Test) -> nodes.Test:  # noqa: N802
        self.generic_visit(node)
        if node.args or node.kwargs:  # those that compare
            node.node = self._through(_USED, node.node)
            node.args = [self._through(_USED, argument) for argument in node.args]
        return node

    def visit_Getitem(self, node: nodes.Getitem) -> nodes.Getitem:  # noqa: N802
        self.generic_visit(node)
        if isinstance(node.arg, nodes.Slice):
            node.node = self._through(_COPIED, node.node)
        elif not isinstance(node.arg, nodes.Const):
            node.arg = self._through(_USED, node.arg)  # a name that is not there stands in an error that nobody sees
        return node


def _weight(value: object) -> int:
    """How much work it is to go through a value, as characters; stops where the whole budget is exceeded."""
    weight, waiting = 0, [value]
    left = MOST_CHARACTERS - _spent.get()
    while waiting and weight <= left:
        one = waiting.pop()
        weight += _PER_PIECE
        if isinstance(one, str):
            weight += len(one)
        elif isinstance(one, (list, tuple)):
            weight += len(one)
            waiting.extend(one)
        elif dataclasses.is_dataclass(one) and not isinstance(one, type):
            waiting.extend(getattr(one, field.name) for field in dataclasses.fields(one))
    return weight


# with the context, so that Jinja does not compute them beforehand
@pass_context
def _written(_: Context, value: object) -> object:
    if isinstance(value, str):
        _spend(_PER_PIECE + len(value))
    elif isinstance(value, Undefined) or (isinstance(value, int) and not isinstance(value, bool)):
        _spend(_PER_PIECE)
    else:
        raise RefusedError(f"it writes {_article(type(value).__name__)}, which is no text")
    return value


@pass_context
def _used(_: Context, value: object) -> object:
    if isinstance(value, LoopContext):
        raise RefusedError("it compares a loop, which is no value")
    _spend(_weight(value))
    return value


@pass_context
def _copied(_: Context, value: object) -> object:
    _spend(_PER_PIECE + (len(value) if isinstance(value, Sized) else 0))
    return value


@pass_context
def _repeated(_: Context, value: Iterable[object], weight: int) -> tuple[object, ...]:
    each = _PER_STEP + weight
    if isinstance(value, Sized):
        _spend(len(value) * each)
        return tuple(value)
    items = tuple(value)
    _spend(len(items) * each)
    return items


@pass_context
def _included(_: Context, value: object) -> object:
    _spend(_PER_CALL)
    if not isinstance(value, (str, Undefined)):
        raise RefusedError("it includes what is no name of a template")
    return value


@pass_context
def _joined(context: Context, value: Iterable[object], d: str = "") -> str:
    between = _text("join", d)
    pieces = [str(_written(context, piece)) for piece in value]
    _spend(len(between) * len(pieces))
    return between.join(pieces)


@pass_context
def _replaced(_: Context, value: object, old: object, new: object) -> str:
    text, before, after = (_text("replace", part) for part in (value, old, new))
    _spend(text.count(before) * len(after))
    return text.replace(before, after)


@pass_context
def _listed(_: Context, value: Iterable[object]) -> list[object]:
    if isinstance(value, Sized):
        _spend(_PER_PIECE * (1 + len(value)))
        return list(value)
    items = list(value)
    _spend(_PER_PIECE * (1 + len(items)))
    return items


@pass_context
def _trimmed(_: Context, value: object, chars: str | None = None) -> str:
    text = _text("trim", value)
    if chars is not None:
        _spend(len(text) * len(_text("trim", chars)))  # each character is looked for among them
    return text.strip(chars)


def _of_text(name: str, made: Callable[[str], str]) -> Callable[[Context, object], str]:
    """A filter that refuses what is no text: it would write how Python shows it."""

    @pass_context
    def counted(_: Context, value: object) -> str:
        return made(_text(name, value))

    return counted


def _text(name: str, value: object) -> str:
    """Text that is counted; numbers are text, too, and a missing name says itself that it is missing."""
    if isinstance(value, (str, Undefined)) or (isinstance(value, int) and not isinstance(value, bool)):
        text = str(value)
        _spend(_PER_PIECE + len(text))
        return text
    raise RefusedError(f"the filter {name!r} is given {_article(type(value).__name__)}, which is no text")


def _of_numbers(name: str, made: Callable[..., bool]) -> Callable[..., bool]:
    """A test that refuses what is no number: `%` is also how Python fills in a text."""

    def checked(value: object, num: object = 2) -> bool:
        for one in (value, num):
            if isinstance(one, Undefined):
                str(one)  # which says that it is missing
            if not isinstance(one, int):
                raise RefusedError(f"the test {name!r} is for whole numbers")
        return made(value, num) if name == "divisibleby" else made(value)

    return checked


def _article(noun: str) -> str:
    return f"an {noun}" if noun[0].lower() in "aeiou" else f"a {noun}"


# names that no template can write
_WRITTEN, _REPEATED, _INCLUDED = "counted piece", "counted steps", "counted file"
_USED, _COPIED = "counted value", "counted copy"
_COUNTING = {_WRITTEN: _written, _REPEATED: _repeated, _INCLUDED: _included, _USED: _used, _COPIED: _copied}
