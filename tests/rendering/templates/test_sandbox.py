"""A stranger's template: known ways out of Jinja's sandbox, and ways to exhaust a machine, all of which are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from reportkit.errors import RenderingError
from reportkit.rendering.templates.environment import FORMATS, Templates, shipped_templates
from reportkit.rendering.templates.sandbox import LARGEST_TEMPLATE
from reportkit.rendering.view import RowView, TableView

VIEW = TableView(floats=(), caption="c", label="tab:x")
INSIDE = "root:x:0:0"

# published ways into Python: subclasses, globals of Jinja's own helpers, CVE-2016-10745 (format), CVE-2019-10906
# (format_map), CVE-2024-56326 (an indirect reference to format), CVE-2025-27516 (format through attr), CVE-2024-56201
# (a name of a template as code), CVE-2024-22195 and -34064 (xmlattr), frames of generators, hexadecimal underscores
ESCAPES = (
    "{{ ''.__class__ }}",
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{% for x in [].__class__.__base__.__subclasses__() %}{{ x }}{% endfor %}",
    "{{ table.__init__.__globals__ }}",
    "{{ table.__class__.__dataclass_fields__ }}",
    "{{ self._TemplateReference__context }}",
    "{{ self.__init__.__globals__ }}",
    "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
    "{{ joiner.__init__.__globals__.os }}",
    "{{ namespace.__init__.__globals__.os }}",
    "{{ lipsum.__globals__['os'].popen('id').read() }}",
    "{{ request['application']['__globals__'] }}",
    "{{ config.items() }}",
    "{{ ''['\\x5f\\x5fclass\\x5f\\x5f'] }}",
    "{{ table['__class__'] }}",
    "{{ table | attr('__class__') }}",
    "{{ '' | attr('\\x5f\\x5fclass\\x5f\\x5f') }}",
    "{{ () | attr('__class__') | attr('__base__') }}",
    "{{ '{0.__class__}'.format(table) }}",
    "{{ '{x.__class__.__init__.__globals__}'.format_map({'x': table}) }}",
    "{{ '{x.__class__}'.format_map([('x', table)]) }}",
    "{% set f = '{0.__class__}'.format %}{{ f(table) }}",
    "{{ ['{0.__class__}'] | map('format', table) | list }}",
    "{{ ('{0.__class__}' | attr('format'))(table) }}",
    "{{ '%s' | format(table) }}",
    "{{ '%s' % table }}",
    "{{ [table] | map(attribute='__class__') | list }}",
    "{{ [table] | groupby('__class__') }}",
    "{{ {'x onload=alert(1)': 1} | xmlattr }}",
    "{{ loop.__init__.__globals__ }}",
    "{% for x in 'a' %}{{ loop._iterator.gi_frame.f_back }}{% endfor %}",
    "{% for x in 'a' %}{{ loop.__class__.__init__.__globals__ }}{% endfor %}",
    "{% macro m() %}{% endmacro %}{{ m._func.__globals__ }}",
    "{% macro m() %}{{ caller._func.__globals__ }}{% endmacro %}{% call m() %}{% endcall %}",
    "{% macro m() %}{% endmacro %}{{ m }}",
    "{% import 'os' as os %}{{ os.popen('id') }}",
    "{% from 'os' import popen %}",
    "{% include '/etc/passwd' %}",
    "{% include '../latex/table.tex.jinja' %}",
    "{% include '..\\\\latex\\\\table.tex.jinja' %}",
    "{% include ['/etc/passwd', '../../secret'] %}",
    "{% include table %}",
    "{% extends table %}",
    "{% include \"x' + __import__('os').popen('id').read() + '.md.jinja\" %}",
    "{% include 'link.md.jinja' %}",
    "{% include 'folder/secret.md.jinja' %}",
    "{% set table.caption = 'x' %}",
    "{% set ns = namespace(a=1) %}{% set ns.a = 2 %}",
    "{{ items.append(1) }}",
    "{{ table.rows() }}",
    "{{ steal() }}",
    "{{ steal }}",
    "{{ table }}",
    "{{ ''.join }}",
    "{{ true }}",
    "{{ None }}",
    "{{ items }}",
    "{% do items.append(1) %}",
    "{% debug %}",
    "{% filter upper %}{{ table }}{% endfilter %}",
    "{{ 7 * 7 }}",
    "{{ -1 }}",
    "{{ 'a' + 'b' }}",
    "{{ items | random }}{{ items | pprint }}",
    "{{ 1.5 }}",
    # how Python shows what is no text, with its address
    "{{ table | trim }}",
    "{{ 'a'.join | upper }}",
    "{{ table | lower }}{{ table | capitalize }}",
    "{{ table | replace('a', 'b') }}",
    "{{ 'a' | replace('a', table) }}",
    "{{ ['a', 'b'] | join(table) }}",
    "{{ 'a' | trim(table) }}",
    "{{ true | upper }}",
    "{{ 1e400 }}",
    "{% if 1e400 == 1 %}{% endif %}",
    "{% if 'a' in loop %}{% endif %}",
)

EXHAUSTING = (
    "{{ range(1000000000) }}",
    "{% for i in range(1000000000) %}{% endfor %}",
    "{{ 'a' * 1000000000 }}",
    "{{ [0] * 1000000000 }}",
    "{{ 9 ** 9 ** 9 }}",
    "{{ 'a'.ljust(1000000000) }}",
    "{{ 'a'.zfill(1000000000) }}",
    "{{ 'a\t'.expandtabs(1000000000) }}",
    "{{ 'a' | center(1000000000) }}",
    "{{ '%1000000000d' | format(1) }}",
    "{{ '{:>1000000000}'.format('a') }}",
    "{{ 'a' | indent(1000000000, true) }}",
    "{{ [1] | batch(1000000000, 'x') | list }}",
    "{{ lipsum(1000000) }}",
    "{% set a = 'aaaaaaaaaa' %}" + "{% set a = a ~ a %}" * 40 + "{{ a }}",
    "{% set a = 'aaaaaaaaaa' %}" + "{% set a = [a, a] | join %}" * 40 + "{{ a }}",
    "{% set a = 'aaaaaaaaaa' %}" + "{% set a = a | replace('a', a) %}" * 9 + "{{ a }}",
    "{% set a %}aaaaaaaaaa{% endset %}" + "{% set a %}{{ a }}{{ a }}{% endset %}" * 40,
    "{% set a = [1, 1] | join('" + "x" * 50_000 + "') %}" + "{% set a = 'aaaa' | replace('a', a) %}" * 9 + "{{ a }}",
    "".join(f"{{% for i{n} in 'abcdefghijklmnopqrstuvwxyz' %}}" for n in range(9)) + "x" + "{% endfor %}" * 9,
    "{% set a = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' ~ '"
    + "a" * 1000
    + "' %}"
    + "".join(f"{{% for i{n} in a %}}" for n in range(4))
    + "{% endfor %}" * 4,
    "".join(
        f"{{% macro m{n}() %}}{{{{ m{n - 1}() }}}}{{{{ m{n - 1}() }}}}{{% endmacro %}}"
        if n
        else "{% macro m0() %}aaaaaaaaaa{% endmacro %}"
        for n in range(40)
    )
    + "{{ m39() }}",
    "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}",
    "{% for i in items recursive %}{{ loop(items) }}{% endfor %}",
    "{% include 'table.md.jinja' %}",
    "{% if true %}" * 300 + "{% endif %}" * 300,
    "{% for i in 'a' %}" * 50 + "{% endfor %}" * 50,
    "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
    "{{ " + "9" * 10_000 + " }}",
    "{{ '' }}" * 30_000,
    "x" * (LARGEST_TEMPLATE + 1),
    "{{ 'x' if '%1000000000d' is even }}",
    "{{ 'x' if '%1000000000d' is odd }}",
    "{{ 'x' if '%1000000000d' is divisibleby 3 }}",
)

DOUBLED = "{% set a = ['x'] %}{% set b = ['x'] %}" + "{% set a = [a, a] %}{% set b = [b, b] %}" * 45
"""Two lists with 2 ** 45 texts each, in 2 KB: whoever goes through them never ends, and cannot be interrupted."""

ON_DOUBLED = (
    "{% if a == b %}{% endif %}",
    "{% if a < b %}{% endif %}",
    "{% if a in b %}{% endif %}",
    "{% if a is eq(b) %}{% endif %}",
    "{% if a is in(b) %}{% endif %}",
    "{{ a | upper }}",
    "{{ a | trim }}",
    "{{ a | join }}",
    "{% set c = (a, b) %}",
    "{% for i in 'xx' %}{{ loop.changed(a) }}{{ loop.changed(b) }}{% endfor %}",
    "{% macro m(x) %}{% endmacro %}{{ m(a) }}",
)

TEN_MEGABYTES = "".join(
    f"{{% set {name} = '{'a' * 1_000}' %}}" + f"{{% set {name} = [{', '.join([name] * 10)}] | join %}}" * 4
    for name in "ab"
)

IN_A_LOOP = (
    "{% set c = a | upper %}",
    "{% set c = a | lower %}",
    "{% set c = a | capitalize %}",
    "{% set c = a | trim %}",
    "{% set c = a | trim(b) %}",
    "{% set c = a | replace('b', '') %}",
    "{% set c = a | list %}",
    "{% set c = [a, b] | join %}",
    "{% set c = a ~ b %}",
    "{% set c = [a] %}",
    "{% set c = (a, b) %}",
    "{% set c = a[1:] %}",
    "{% set c = a[::2] %}",
    "{% set c = table[a] %}",
    "{% if a == b %}{% endif %}",
    "{% if 'b' in a %}{% endif %}",
    "{% if a is eq(b) %}{% endif %}",
    "{% if a is ne(b) %}{% endif %}",
    "{% if a is in(b) %}{% endif %}",
    "{% set c = loop.changed(a) %}{% set c = loop.changed(b) %}",
    "{% set c = loop.cycle(a, b) %}",
    "{% for x in [a, b] %}{% if a in loop %}{% endif %}{% endfor %}",
    "{% for x in a %}{% endfor %}",
    "{% include 'empty.md.jinja' %}",
    "{% import 'empty.md.jinja' as e %}",
    "{% from 'empty.md.jinja' import e %}",
    "{% if table == other %}{% endif %}",
)
"""What takes long, done 640,000 times with texts of 10 MB or files of the user."""


def _render(folder: Path, content: str, **context: object) -> str:
    (folder / "markdown").mkdir(exist_ok=True)
    (folder / "markdown" / "table.md.jinja").write_text(content, encoding="utf-8")
    return Templates("markdown", (folder,)).render("table", **context)


@pytest.mark.parametrize("content", ESCAPES)
def test_no_way_out_is_open(tmp_path: Path, content: str) -> None:
    """No private attribute, no call, no arithmetic, no other file, no change of what it is given, no object's name."""
    secret = tmp_path / "secret.md.jinja"
    secret.write_text(INSIDE)
    mine = tmp_path / "mine" / "markdown"
    mine.mkdir(parents=True)
    (mine / "link.md.jinja").symlink_to(secret)
    (mine / "folder").symlink_to(tmp_path)
    called: list[int] = []
    with pytest.raises(RenderingError) as caught:
        _render(tmp_path / "mine", content, table=VIEW, items=[], steal=lambda: called.append(1))
    assert not called
    assert INSIDE not in str(caught.value)
    assert "object at 0x" not in str(caught.value)
    assert "table.md.jinja" in str(caught.value.where)


@pytest.mark.slow
@pytest.mark.parametrize("content", EXHAUSTING, ids=lambda content: content[:40])
def test_no_template_exhausts_the_machine(tmp_path: Path, content: str) -> None:
    """Whatever grows without end is stopped."""
    with pytest.raises(RenderingError):
        _render(tmp_path, content, items=("a", "b"))


@pytest.mark.parametrize("content", ON_DOUBLED)
def test_lists_in_lists_are_counted_by_all_that_they_hold(
    tmp_path: Path, content: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also by operations that go through them inside C; a tenth of the budget is far beyond one level of them."""
    monkeypatch.setattr("reportkit.rendering.templates.sandbox.MOST_CHARACTERS", 10_000_000)
    with pytest.raises(RenderingError, match="writes, repeats or compares more than"):
        _render(tmp_path, DOUBLED + content)


@pytest.mark.parametrize("content", IN_A_LOOP)
def test_every_operation_is_counted_by_what_it_is_done_with(tmp_path: Path, content: str) -> None:
    """A long text costs its length each time."""
    (tmp_path / "markdown").mkdir()
    (tmp_path / "markdown" / "empty.md.jinja").write_text("{% macro e() %}{% endmacro %}")
    twice = "{% for i in k %}{% for j in k %}" + content + "{% endfor %}{% endfor %}"
    large = TableView(floats=(), caption="c" * 10_000_000, label="tab:x")
    with pytest.raises(RenderingError, match=r"writes, repeats or compares more than|compares a loop"):
        _render(tmp_path, TEN_MEGABYTES + twice, k="k" * 800, table=large, other=large)


def test_what_templates_are_for_is_as_it_was(tmp_path: Path) -> None:
    """Filters, tests, comparisons, slices, lists, loops, macros and blocks on texts, numbers and rows of a table."""
    rows = (RowView(cells=("a", "b")), RowView(cells=("c", "d")))
    (tmp_path / "markdown").mkdir()
    (tmp_path / "markdown" / "given.md.jinja").write_text("{% macro both(x, y='-') %}{{ x }}{{ y }}{% endmacro %}")
    content = (
        "{% from 'given.md.jinja' import both %}{% import 'given.md.jinja' as given %}{% set pair = ['x', 'y'] %}"
        "{{ who | upper | trim }} {{ ' a ' | trim }} {{ 'xax' | trim('x') }} {{ 'ab' | replace('a', 'c') }} "
        "{{ 'abc'[1:] }} {{ 'abc'[1] }} {{ pair[1] }} {{ pair | length }} {{ pair | join('/') }} {{ 5 | upper }} "
        "{% for row in rows %}{{ loop.index }}{{ ',' if not loop.last }}{{ row.cells | join }}"
        "{% if loop.index is even %}e{% endif %}{% if row.cells == ('c', 'd') %}!{% endif %}{% endfor %} "
        "{{ both('p') }}{{ given.both('q', 'r') }} "
        "{% if 'x' in pair and 'b' in who and 4 is divisibleby 2 %}in{% endif %} "
        "{% if rows == rows and rows[0] != rows[1] and 1 < 2 <= 2 %}eq{% endif %} "
        "{% for a, b in [('1', '2')] %}{{ a ~ b }}{% endfor %} "
        "{% for c in 'ab' %}{{ loop.cycle('o', 'e') }}{% if loop.changed(c) %}n{% endif %}{% endfor %}"
    )
    made = _render(tmp_path, content, who="bob", rows=rows)
    assert made == "BOB a a cb bc b y 2 x/y 5 1,ab2cde! p-qr in eq 12 onen\n"


def test_large_files_and_circles_of_links_are_not_read(tmp_path: Path) -> None:
    """The size is looked at before, and a link that leads to itself is said to be one."""
    folder = tmp_path / "markdown"
    folder.mkdir()
    with (folder / "table.md.jinja").open("wb") as file:
        file.truncate(60 * 2**30)  # takes no room on the disk
    with pytest.raises(RenderingError, match="more than 200,000 characters"):
        Templates("markdown", (tmp_path,)).render("table")
    (folder / "table.md.jinja").write_text("{% include 'a.md.jinja' %}")
    (folder / "a.md.jinja").symlink_to("b.md.jinja")
    (folder / "b.md.jinja").symlink_to("a.md.jinja")
    with pytest.raises(RenderingError, match=r"leads to itself|no template"):
        Templates("markdown", (tmp_path,)).render("table")


def test_a_whole_disk_is_not_searched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where no template is replaced, only the folder and those right below it are looked at for what was meant."""
    (tmp_path / "latx" / "deeper").mkdir(parents=True)
    (tmp_path / "latx" / "table.tex.jinja").touch()
    (tmp_path / "latx" / "deeper" / "head.tex.jinja").touch()
    with pytest.raises(RenderingError, match="replaces no template") as caught:
        Templates("latex", (tmp_path,))
    assert caught.value.where == "it holds latx/table.tex.jinja"
    assert caught.value.remedy == "did you mean 'latex/table.tex.jinja'?"
    monkeypatch.setattr(Path, "rglob", None)
    with pytest.raises(RenderingError, match="replaces no template"):
        Templates("latex", (Path(tmp_path.anchor),))


def test_what_is_refused_is_said_with_its_line(tmp_path: Path) -> None:
    """And with what there is instead."""
    with pytest.raises(RenderingError) as caught:
        _render(tmp_path, "\n\n{{ 'a' | center(3) }}")
    assert str(caught.value.where).endswith("table.md.jinja, line 3")
    assert "the filter 'center'" in caught.value.problem
    assert "join" in str(caught.value.remedy)
    with pytest.raises(RenderingError) as caught:
        _render(tmp_path, "\n{{ rows }}", rows=(RowView(cells=()),))
    assert caught.value.problem.endswith("it writes a tuple, which is no text")
    assert str(caught.value.where).endswith("table.md.jinja, line 2")


def test_a_link_within_the_folder_is_followed(tmp_path: Path) -> None:
    """And a folder may itself be reached through a link."""
    (tmp_path / "mine" / "markdown").mkdir(parents=True)
    (tmp_path / "mine" / "markdown" / "real.md.jinja").write_text("here")
    (tmp_path / "mine" / "markdown" / "link.md.jinja").symlink_to("real.md.jinja")
    (tmp_path / "alias").symlink_to(tmp_path / "mine")
    assert _render(tmp_path / "alias", "{% include 'link.md.jinja' %}") == "here\n"


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"\x00"])
def test_a_file_that_is_no_text_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    """Not a traceback, and not a guess."""
    (tmp_path / "markdown").mkdir()
    (tmp_path / "markdown" / "table.md.jinja").write_bytes(content)
    if content == b"\x00":
        assert Templates("markdown", (tmp_path,)).render("table") == "\x00\n"
        return
    with pytest.raises(RenderingError, match="no UTF-8 text"):
        Templates("markdown", (tmp_path,)).render("table")


@pytest.mark.parametrize("template_format", FORMATS)
def test_the_shipped_templates_keep_the_rules(template_format) -> None:
    """They can be copied and changed without a wall in the way."""
    templates = Templates(template_format)
    for path in (shipped_templates() / template_format).glob("*.jinja"):
        templates._environment.get_template(path.name)


def test_a_large_report_is_within_the_budget() -> None:
    """A hundred thousand rows are written."""
    rows = tuple(RowView(cells=tuple("abcdefgh")) for _ in range(100_000))
    from reportkit.rendering.view import PanelView

    view = TableView(floats=((PanelView(header=tuple("abcdefgh"), rows=rows),),), caption="c", label="tab:x")
    from reportkit.rendering.view import HeadView

    assert Templates("markdown").render("table", head=HeadView(), table=view).count("\n") > 100_000
