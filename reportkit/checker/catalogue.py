"""All rules by code: every file `rules/rkNNN_*.py` defines one, as `RULE`.

The folder is the registry: a new file is a new rule, and no list has to be edited. Files are imported when their
rule is looked up, so that a selection of a few rules costs a few imports.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from reportkit.checker.rule import Rule
from reportkit.errors import UnknownNameError

_FILE = re.compile(r"rk(\d{3})_\w+")


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

    @cached_property
    def _modules(self) -> dict[str, str]:
        from reportkit.checker import rules

        found = {}
        for module in pkgutil.iter_modules(rules.__path__):
            match = _FILE.fullmatch(module.name)
            if match is not None:
                found[f"RK{match[1]}"] = f"{rules.__name__}.{module.name}"
        return dict(sorted(found.items()))

    def __getitem__(self, code: str) -> Rule:
        if code not in self._modules:
            raise UnknownNameError("rule", code, self._modules)
        rule = importlib.import_module(self._modules[code]).RULE
        if not isinstance(rule, Rule) or rule.code != code:
            raise TypeError(f"{self._modules[code]} defines no rule {code}")
        return rule

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)

    def named(self, name: str) -> Rule:
        """Rule by code or by name, in any case."""
        if name.upper() in self._modules:
            return self[name.upper()]
        by_name = {rule.name: rule for rule in self.values()}
        if name.lower() not in by_name:
            raise UnknownNameError("rule", name, [*self._modules, *by_name])
        return by_name[name.lower()]


RULES = Catalogue()
