"""The tools that are read, in the order in which files are asked for; the last ones are the least specific."""

from __future__ import annotations

import re
from importlib import import_module

from reportkit.errors import UnknownNameError
from reportkit.harnesses.logs import Tool

# reports of terminal-bench have the lists of those of SWE-bench; tables and texts come last
_MODULES = (
    *("lm_eval", "inspect_ai", "helm", "lighteval", "terminal_bench", "swe_bench", "alpaca_eval", "mt_bench", "mteb"),
    *("evalplus", "bfcl", "promptfoo", "deepeval", "comet", "every_eval_ever", "vlmeval", "cross_validation", "ragas"),
    *("conllu", "trec_eval", "trec_run", "sacrebleu"),
)
TOOLS: tuple[Tool, ...] = tuple(
    tool
    for name in _MODULES
    for tool in vars(import_module(f"reportkit.harnesses.{name}")).values()
    if isinstance(tool, Tool)
)


def tool_named(name: str) -> Tool:
    """Return a tool by its name as users type it: in any case, with or without hyphens.

    Raises
    ------
    UnknownNameError
        If there is no such tool.
    """
    for tool in TOOLS:
        if _plain(name) in map(_plain, (tool.name, *tool.aliases)):
            return tool
    raise UnknownNameError("tool", name, [tool.name for tool in TOOLS])


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name.casefold())
