"""All rules by code: every file `rules/rkNNN_*.py` defines one, as `RULE`; `analysis_rules` has the others.

The folder is the registry: a new file is a new rule, and no list has to be edited. Files are imported when their
rule is looked up, so that a selection of a few rules costs a few imports. Rules of others have codes from RK900 on.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from reportkit.checker.analysis_rules import ANALYSIS_RULES
from reportkit.checker.rule import Rule
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.registry import Registry

_FILE = re.compile(r"rk(\d{3})_\w+")
_OF_OTHERS = re.compile(r"RK9\d\d")


class Catalogue(Mapping[str, Rule]):
    """Rules by code, in order of their codes.

    Raises
    ------
    UnknownNameError
        On look-up of a code or name that no rule has.

    Examples
    --------
    >>> RULES["RK002"].severity
    'info'
    """

    def __init__(self) -> None:
        self._added: Registry[Rule] = Registry("rule")
        self._added.open_to("reportkit.rules", self.add)

    def add(self, rule: Rule) -> None:
        """Add a rule of a user; see `register_rule`."""
        if not isinstance(rule, Rule):
            raise SettingsError(f"{rule!r} is no rule", remedy="give a Rule (from reportkit.checker.rule import Rule)")
        if not _OF_OTHERS.fullmatch(rule.code):
            raise SettingsError(
                f"the code {rule.code!r} is not among those of rules that others add",
                remedy="choose a code from RK900 to RK999",
            )
        same = next((code for code, known in self.items() if known.name == rule.name and code != rule.code), None)
        if same is not None:
            raise SettingsError(f"rule {same} is called {rule.name!r} already", remedy="choose another name")
        self._added.add(rule.code, rule)

    def remove(self, code: str) -> None:
        """Take away a rule that was added."""
        self._added.remove(code)

    @cached_property
    def _modules(self) -> dict[str, str]:
        from reportkit.checker import rules

        found = dict.fromkeys(ANALYSIS_RULES, "")
        for module in pkgutil.iter_modules(rules.__path__):
            match = _FILE.fullmatch(module.name)
            if match is not None:
                found[f"RK{match[1]}"] = f"{rules.__name__}.{module.name}"
        return dict(sorted(found.items()))

    def __getitem__(self, code: str) -> Rule:
        if code in ANALYSIS_RULES:
            return ANALYSIS_RULES[code]
        if code not in self._modules:
            if code not in self._added:
                raise UnknownNameError("rule", code, self)
            return self._added[code]
        rule = importlib.import_module(self._modules[code]).RULE
        if not isinstance(rule, Rule) or rule.code != code:
            raise TypeError(f"{self._modules[code]} defines no rule {code}")
        return rule

    def __iter__(self) -> Iterator[str]:
        return iter([*self._modules, *sorted(self._added)])

    def __len__(self) -> int:
        return len(self._modules) + len(self._added)

    def named(self, name: str) -> Rule:
        """Rule by code or by name, in any case."""
        if name.upper() in self:
            return self[name.upper()]
        by_name = {rule.name: rule for rule in self.values()}
        if name.lower() not in by_name:
            raise UnknownNameError("rule", name, [*self, *by_name])
        return by_name[name.lower()]


RULES = Catalogue()


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
        Its code is one from RK900 to RK999. The docstring of the module with its function is its manual page, which
        `reportkit check --explain` prints.

    Returns
    -------
    Rule
        The same.

    Raises
    ------
    SettingsError
        If it is no Rule, its code is not free for others, or another rule has its name. Another rule under a code of
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
    >>> RULES.named("clearly").severity
    'info'
    >>> RULES.remove("RK901")
    """
    RULES.add(rule)
    return rule
