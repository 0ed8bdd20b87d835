"""Workflow commands of GitHub Actions, which become annotations of the lines of a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportkit.rendering.text.escaping import terminal_text

if TYPE_CHECKING:
    from reportkit.checker.engine import CheckReport

_LEVELS = {"error": "error", "warning": "warning", "info": "notice"}


def github(report: CheckReport) -> str:
    """Write one command for each finding, the most severe first; coverage as a notice.

    GitHub shows ten errors and ten warnings of a step: what counts has to stand first.

    Examples
    --------
    >>> from reportkit.checker.engine import check_documents
    >>> from reportkit.checker.paper.reading import document_of
    >>> paper = document_of("It is significantly better.", name="a,b.tex")
    >>> print(github(check_documents([paper])).splitlines()[0][:80])
    ::warning title=reportkit (RK201),file=a%2Cb.tex,line=1,col=7,endLine=1,endColum
    """
    lines = []
    for item in sorted(report.diagnostics, key=lambda item: list(_LEVELS).index(item.severity)):
        properties = {"title": f"reportkit ({item.code})"}
        if item.path is not None:
            properties["file"] = item.path.as_posix()
            properties |= {"line": str(item.line), "col": str(item.column)}
            properties |= {"endLine": str(item.end_line), "endColumn": str(max(item.end_column, item.column))}
        listed = ",".join(f"{key}={escaped_property(value)}" for key, value in properties.items())
        place = f"{item.place}: " if item.place else ""
        remedy = f"\nto do: {item.remedy}" if item.remedy else ""
        message = escaped_data(f"{place}{item.code} {item.text}{remedy}")
        lines.append(f"::{_LEVELS[item.severity]} {listed}::{message}")
    lines.append(f"::notice title=reportkit coverage::{escaped_data(report.coverage.text())}")
    return "\n".join(lines) + "\n"


def escaped_data(text: str) -> str:
    r"""Escape a message, as `@actions/core` does.

    Examples
    --------
    >>> escaped_data("50%\nof it")
    '50%25%0Aof it'
    """
    return terminal_text(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def escaped_property(text: str) -> str:
    """Escape a value of a property, as `@actions/core` does.

    Examples
    --------
    >>> escaped_property("a:b,c")
    'a%3Ab%2Cc'
    """
    return escaped_data(text).replace(":", "%3A").replace(",", "%2C")
