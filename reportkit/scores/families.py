"""The family of each system, from a column of the input that plays no other role."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from reportkit.errors import ColumnError

if TYPE_CHECKING:
    import pandas as pd


def family_column(
    frame: pd.DataFrame, columns: Mapping[str, str], named: str | None, *, unused: Collection[str] = ()
) -> dict[str, str] | None:
    """Read the family of each system.

    Parameters
    ----------
    frame : DataFrame
        Results in long form.
    columns : mapping of str to str
        Role to column name, as recognised.
    named : str or None
        Column that holds the family; `family`, if there is one that plays no role, by default.
    unused : collection of str
        Columns that play no role.

    Returns
    -------
    dict of str to str, or None
        System to family; None if no column is named and there is none of that name.

    Raises
    ------
    ColumnError
        If there is no such column, the results are not in long form, or a system has no family or several.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"model": ["a", "b", "a"], "family": ["x", "y", "x"]})
    >>> family_column(frame, {"system": "model"}, "family")
    {'a': 'x', 'b': 'y'}
    """
    name = named or next((one for one in unused if one.casefold() == "family"), None)
    if name is None:
        return None
    system = columns.get("system")
    if system is None or name == system or not {system, name} <= {*frame.columns}:
        raise ColumnError(
            f"no families can be read from column {name!r}: that takes a column of systems, and another of families",
            where=f"columns {', '.join(repr(str(one)) for one in frame.columns)}",
            remedy="give the results in long form, and name the column of the families; or give them as a mapping",
        )
    both = frame[[system, name]].drop_duplicates()
    wrong = both[both[name].isna() | both[system].duplicated()]
    if len(wrong):
        raise ColumnError(
            f"system {str(wrong[system].iloc[0])!r} has no family, or several, in column {name!r}",
            remedy="give each system one family, or name another column",
        )
    return {str(one): str(family) for one, family in both.itertuples(index=False)}
