"""All rules by code: those of the modules in `rules`, and those of others, whose codes begin with RK9."""

from __future__ import annotations

import re
from importlib import import_module

from reportkit.checker.rule import Rule
from reportkit.checker.rules import wording
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.registry import Registry

_OF_OTHERS = re.compile(r"RK9\d\d")
_SUBJECTS = "averages claims gains inputs intervals marks p_values quantities reporting results"
_MODULES = [import_module(f"reportkit.checker.rules.{subject}") for subject in _SUBJECTS.split()]

RULES: Registry[Rule] = Registry("rule")
"""Rules by code, in order of their codes."""


def register_rule(rule: Rule) -> Rule:
    """Add a rule of your own to `reportkit check`, such as one of your group or your journal.

    A package names the rule in its `pyproject.toml` instead, and the command finds it:

    ```toml
    [project.entry-points."reportkit.rules"]
    RK901 = "my_package.rk901_anonymous:RULE"
    ```

    Parameters
    ----------
    rule : Rule
        Its code is one from RK900 to RK999. The docstring of its function is its manual page, which
        `reportkit check --explain` prints.

    Returns
    -------
    Rule
        The same.

    Raises
    ------
    SettingsError
        If it is not a Rule, its code is not free for others, or another rule has its name. Another rule under a code of
        your own replaces the first one.

    Examples
    --------
    >>> def check(context):
    ...     for sentence in context.paper.sentences:
    ...         place = sentence.text.text.find("clearly")
    ...         if place >= 0:
    ...             yield RULE.at(context.paper, sentence.text.span(place, place + 7), "Nothing is clear.")
    >>> RULE = Rule(code="RK901", name="clearly", severity="info", needs=frozenset({"paper"}), check=check)
    >>> register_rule(RULE).code
    'RK901'
    >>> named("clearly").severity
    'info'
    >>> RULES.remove("RK901")
    """
    if not isinstance(rule, Rule):
        raise SettingsError(f"{rule!r} is not a rule", remedy="give a Rule (from reportkit.checker.rule import Rule)")
    if not _OF_OTHERS.fullmatch(rule.code):
        raise SettingsError(
            f"the code {rule.code!r} is not among those of rules that others add",
            remedy="choose a code from RK900 to RK999",
        )
    same = next((code for code, known in RULES.items() if known.name == rule.name and code != rule.code), None)
    if same is not None:
        raise SettingsError(f"rule {same} is called {rule.name!r} already", remedy="choose another name")
    RULES.add(rule.code, rule)
    return rule


def named(name: str) -> Rule:
    """Return the rule with a code or a name, ignoring case."""
    by_name = {rule.name: rule for rule in RULES.values()}
    found = by_name.get(name.lower()) or RULES.get(name.upper())
    if found is None:
        raise UnknownNameError("rule", name, [*RULES, *by_name])
    return found


_BUILT_IN = [item for module in _MODULES for item in vars(module).values() if isinstance(item, Rule)]
for _rule in sorted([*_BUILT_IN, *wording.RULES], key=lambda item: item.code):
    RULES.register(_rule.code, _rule)
RULES.open_to("reportkit.rules", register_rule)
