"""What pairs the instances of two systems: their ids, checked against hashes of what was asked."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import listed


@dataclass(frozen=True, slots=True)
class Asked:
    """What one system was asked on one dataset.

    Parameters
    ----------
    system, dataset : str
    ids : sequence of str
        Of the instances, in the order of the file; repeated where there are runs.
    hashes : sequence
        Something that is the same for equal instances; None where it is not known.
    place : str
        The file, for messages.
    """

    system: str
    dataset: str
    ids: Sequence[str]
    hashes: Sequence[Hashable]
    place: str


def paired_ids(
    asked: Sequence[Asked], id_name: str, hash_name: str
) -> tuple[list[Sequence[str]], str, tuple[Finding, ...]]:
    """Ids by which the instances of all systems can be paired.

    Parameters
    ----------
    asked : sequence of Asked
    id_name, hash_name : str
        What ids and hashes are called in the files.

    Returns
    -------
    list of sequence of str
        As many as `asked`: the ids; of a dataset whose ids mean different instances for different systems, the hashes.
    str
        What pairs the instances.
    tuple of Finding

    Raises
    ------
    ReadingError
        If ids mean different instances, and equal instances occur more than once.
    """
    if any(value is None for one in asked for value in one.hashes):
        said = f"The files do not say {hash_name} of each instance: instances are paired on {id_name}."
        return [one.ids for one in asked], id_name, (Finding("no-hashes", "info", said),)
    known: dict[str, dict[str, Hashable]] = {}
    different: dict[str, int] = {}
    same: dict[str, Asked] = {}
    for one in asked:
        if same.setdefault(one.dataset, one) is not one and (one.ids, one.hashes) == (
            same[one.dataset].ids,
            same[one.dataset].hashes,
        ):
            continue  # as nearly always
        first = known.setdefault(one.dataset, {})
        for name, value in zip(one.ids, one.hashes, strict=True):
            if first.setdefault(name, value) != value:
                different[one.dataset] = different.get(one.dataset, 0) + 1
    if not different:
        return [one.ids for one in asked], hash_name, ()
    for one in asked:
        if one.dataset in different and len(set(one.hashes)) < len({*zip(one.ids, one.hashes, strict=True)}):
            raise ReadingError(
                f"the instances of {one.dataset!r} cannot be paired: {id_name} stands for different ones, and equal "
                "ones occur more than once",
                where=f"{one.place!r} and others",
                remedy="evaluate all systems on the same version of the data, or give the files of the others alone",
            )
    note = Finding(
        "different-instances",
        "warning",
        f"The same {id_name} stands for different instances; they are paired on {hash_name}.",
        where=listed([f"{data} ({n:,})" for data, n in different.items()], 5),
        remedy="evaluate all systems on the same version of the data",
    )
    ids = [[str(value) for value in one.hashes] if one.dataset in different else one.ids for one in asked]
    return ids, hash_name, (note,)
