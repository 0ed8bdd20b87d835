"""Other names for systems and datasets in what was asked beyond the p-value; no number changes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from reportkit.appearance.labels import Label, plain_label
from reportkit.evidence.asked import Evidence
from reportkit.evidence.assessed import AssessedClaim
from reportkit.evidence.four_answers import FourAnswers

_NAMED = ("system_a", "system_b", "dataset")
T = TypeVar("T")


def relabelled_evidence(evidence: Evidence, labels: Mapping[str, str | Label]) -> Evidence:
    """Write labels instead of names; findings keep the names of the data.

    Parameters
    ----------
    evidence : Evidence
        With the names of the data.
    labels : mapping of str to str or Label
        Name to what is printed instead.
    """
    if not labels:
        return evidence
    names = {name: plain_label(label) for name, label in labels.items()}
    return replace(
        evidence,
        claims=tuple(_claim(claim, names) for claim in evidence.claims),
        effects=tuple(tuple(renamed(item, names) for item in items) for items in evidence.effects),
        samples=tuple(tuple(renamed(item, names) for item in items) for items in evidence.samples),
    )


def _claim(claim: AssessedClaim, names: Mapping[str, str]) -> AssessedClaim:
    return replace(renamed(claim, names), answers=tuple(_answers(item, names) for item in claim.answers))


def _answers(item: FourAnswers, names: Mapping[str, str]) -> FourAnswers:
    return replace(
        item,
        assessment=renamed(item.assessment, names),
        posterior=None if item.posterior is None else renamed(item.posterior, names),
        bayes_factors=None if item.bayes_factors is None else renamed(item.bayes_factors, names),
    )


def renamed(item: T, names: Mapping[str, str]) -> T:
    """The same object with other names in its fields of names."""
    named: Any = item
    fields = {field.name for field in dataclasses.fields(named)} & set(_NAMED)
    changed: T = replace(named, **{name: names.get(getattr(named, name), getattr(named, name)) for name in fields})
    return changed
