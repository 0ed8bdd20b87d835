"""What templates may do: place strings. A stranger's template reads no file, calls nothing and does not run for ever.

A template is looked at before it runs: only constructs that place strings are allowed, so that there is no arithmetic,
no way into Python and no change of what it is given. While it runs, everything that it writes, repeats, joins and calls
is counted, and it is stopped where it exceeds what any report needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
"""What one template may write, repeat and join, all together; repetitions and calls count as characters, too."""

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
        counted = {"join": _joined, "replace": _replaced, "list": _listed}
        self.filters = {name: counted.get(name, self.filters[name]) for name in FILTERS} | _COUNTING
        self.tests = {name: self.tests[name] for name in TESTS}

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
        _spend(_PER_CALL)
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
            If it is no text.
        """
        roots = [Path(path).resolve() for path in self.searchpath]
        for root in roots:
            path = (root / template).resolve()
            if not path.is_relative_to(root) or (path.exists() and not path.is_file()):
                raise TemplateNotFound(template)
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
        raise RefusedError(f"it writes or repeats more than {MOST_CHARACTERS:,} characters")
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
    if parts > MOST_PARTS:
        raise RefusedError(f"it has {parts:,} parts, more than {MOST_PARTS:,}", file)


def _descendants(node: nodes.Node) -> Iterator[nodes.Node]:
    yield node
    for child in node.iter_child_nodes():
        yield from _descendants(child)


class _Counting(NodeTransformer):
    """Let everything that is written, repeated, joined and included go through a filter that counts it."""

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
def _repeated(_: Context, value: Iterable[object], weight: int) -> tuple[object, ...]:
    items = tuple(value)
    _spend(len(items) * (_PER_STEP + weight))
    return items


@pass_context
def _included(_: Context, value: object) -> object:
    _spend(_PER_CALL)
    if not isinstance(value, (str, Undefined)):
        raise RefusedError("it includes what is no name of a template")
    return value


@pass_context
def _joined(context: Context, value: Iterable[object], d: str = "") -> str:
    pieces = [str(_written(context, piece)) for piece in value]
    _spend(len(d) * len(pieces))
    return d.join(pieces)


@pass_context
def _replaced(_: Context, value: str, old: str, new: str) -> str:
    text = str(value)
    _spend(len(text) + text.count(old) * len(new))
    return text.replace(old, new)


@pass_context
def _listed(_: Context, value: Iterable[object]) -> list[object]:
    items = list(value)
    _spend(_PER_PIECE * len(items))
    return items


def _article(noun: str) -> str:
    return f"an {noun}" if noun[0].lower() in "aeiou" else f"a {noun}"


# names that no template can write
_WRITTEN, _REPEATED, _INCLUDED = "counted piece", "counted steps", "counted file"
_COUNTING = {_WRITTEN: _written, _REPEATED: _repeated, _INCLUDED: _included}
