r"""The caption is on the wrong side for the venue, or the table is not referred to.

What it does
------------
Off by default. Reports a caption that stands above the table in a paper for a venue that puts it below, or the other
way round (ACL: below; NeurIPS, ICML, ICLR: above), and a table with a label that no \ref or \cref uses.

Why
---
The instructions of the venues say where captions stand. A table that the text does not refer to is read without its
conditions, or not at all.

Example
-------
    \begin{table} ... \caption{...}\label{tab:a} \end{table}  and no \ref{tab:a}

Instead
-------
    Table~\ref{tab:a} has the main results.

When it is wrong
----------------
If the class is not recognised, nothing is said about the side. References by a macro of one's own count only if it is
defined in the paper.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule

BELOW = re.compile(
    r"^[^%\n]*\\(?:usepackage|documentclass)(?:\[[^\]]*\])?\{(?:[^}]*,)?\s*(?:acl|naacl|eacl|emnlp|coling|"
    r"tacl)[\w-]*\s*(?:,[^}]*)?\}",
    re.MULTILINE,
)
ABOVE = re.compile(
    r"^[^%\n]*\\(?:usepackage|documentclass)(?:\[[^\]]*\])?\{(?:[^}]*,)?\s*(?:neurips|nips|icml|iclr|tmlr|"
    r"aaai)[\w-]*\s*(?:,[^}]*)?\}",
    re.MULTILINE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield up to two findings for each table."""
    document = context.paper
    if document.language != "latex":
        return
    below = any(BELOW.search(file.text) for file in document.files)
    above = any(ABOVE.search(file.text) for file in document.files)
    used = {label.name for label in document.labels if label.use}
    seen: set[str] = set()
    for table in document.tables:
        caption = table.caption.span()
        if table.caption and table.float_environment and caption.file == table.span.file and below != above:
            is_above = caption.start < table.span.start
            panels = [other for other in document.tables if other.paragraph == table.paragraph]
            if is_above == below and table is panels[0] and (below or len(panels) == 1):
                side, wanted = ("above", "below") if is_above else ("below", "above")
                message = f"The caption stands {side} the table; this venue puts it {wanted}."
                yield RULE.at(document, caption, message, remedy=rf"move \caption {wanted} the tabular")
        if table.label and table.label not in used and table.label not in seen:
            seen.add(table.label)
            where = next((label.span for label in document.labels if label.name == table.label), table.span)
            message = f"Nothing refers to the table {table.label!r}."
            yield RULE.at(
                document, where, message, remedy=rf"refer to it (\ref{{{table.label}}}) where its results are discussed"
            )


RULE = Rule(code="RK402", name="caption-place", severity="info", needs=frozenset({"paper"}), check=check, default=False)
