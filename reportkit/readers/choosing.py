"""Which metric and which filter of those that a harness wrote: what the user says, or what is taken and said."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reportkit.errors import SettingsError, UnknownNameError, nearest
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed, some
from reportkit.readers.understood import Request, shell


@dataclass(frozen=True, slots=True)
class Chosen:
    """The metrics of each dataset.

    Parameters
    ----------
    metrics : dict of str to tuple of str
        Dataset to the metrics taken; datasets that have none of those asked for are absent.
    others : tuple of str
        Metrics that could be taken instead, the most frequent first.
    notes : tuple of Finding
        What was chosen without being asked for, and which datasets are left out.
    named : bool
        Whether the frame says the metric: not where datasets are scored by different ones, which are one family.
    """

    metrics: dict[str, tuple[str, ...]]
    others: tuple[str, ...]
    notes: tuple[Finding, ...]
    named: bool


def choose_metrics(
    available: Mapping[str, Sequence[str]],
    request: Request,
    *,
    noun: str = "dataset",
    main: Sequence[str] = (),
    refused: Mapping[str, str] | None = None,
) -> Chosen:
    """Choose one metric for each dataset, or those that the user names.

    Without a name, the metric that most datasets have is taken, the first of a dataset where several are as frequent;
    of a dataset without it, its first.

    Parameters
    ----------
    available : mapping of str to sequence of str
        Dataset to the metrics that all its files have, in the order of the files.
    request : Request
    noun : str
        What a dataset is called.
    main : sequence of str
        What the format itself calls the main metric, or the main metrics, where a dataset has one of them.
    refused : mapping of str to str, optional
        Metrics that the files name and that have no scores of instances, and why.

    Raises
    ------
    UnknownNameError
        If no dataset has a metric that the user names.
    SettingsError
        If there is no metric at all.
    """
    counts: dict[str, int] = {}
    for names in available.values():
        for name in names:
            counts[name] = counts.get(name, 0) + 1
    if not counts:
        raise SettingsError(
            "the files hold no score of an instance",
            where=listed([repr(name) for name in available], 5),
            remedy="check that instances were scored, and that scores are numbers",
        )
    for name in request.metrics:
        if name not in counts and name in (refused or {}):
            raise SettingsError(
                f"{name!r} cannot be compared by instance: {(refused or {})[name]}",
                remedy=f"take one of these: --metric {shell(next(iter(counts)))}; known: {listed(list(counts), 20)}",
            )
        if name not in counts:
            raise _unknown("metric", "--metric", name, list(counts))
    if request.metrics:
        taken = {data: tuple(one for one in request.metrics if one in names) for data, names in available.items()}
    else:
        place = {name: number for number, name in enumerate(main)}
        order = sorted(counts, key=lambda name: (place.get(name, len(main)), -counts[name]))
        taken = {data: tuple(one for one in order if one in names)[:1] for data, names in available.items()}
    without = [data for data, names in taken.items() if not names]
    taken = {data: names for data, names in taken.items() if names}
    used = {name for names in taken.values() for name in names}
    others = tuple(sorted((name for name in counts if name not in used), key=lambda name: -counts[name]))
    notes = list(_left_out(without, request.metrics, noun, refused or {}))
    if not request.metrics and (others or len(used) > 1):
        notes.append(_said(taken, others, noun))
    return Chosen(taken, others, tuple(notes), named=bool(request.metrics) or len(used) == 1)


def _left_out(
    without: Sequence[str], metrics: Sequence[str], noun: str, refused: Mapping[str, str]
) -> Sequence[Finding]:
    if not without:
        return ()
    names = " or ".join(metrics)
    message = f"{counted(len(without), noun)} left out: no score by {names}." if names else ""
    return [
        Finding(
            "without-metric",
            "warning",
            message or f"{counted(len(without), noun)} left out: no score of an instance.",
            where=some([repr(name) for name in without]),
            remedy="take a metric that they have: --metric NAME"
            if names
            else f"nothing, if these are all metrics that they have: {listed(list(refused), 5)}"
            if refused
            else "check that instances were scored",
        )
    ]


def _said(taken: Mapping[str, tuple[str, ...]], others: Sequence[str], noun: str) -> Finding:
    used: dict[str, list[str]] = {}
    for data, (name,) in taken.items():
        used.setdefault(name, []).append(data)
    if len(used) == 1:
        message = f"The metric is {next(iter(used))}; also there: {listed(others, 10)}."
    else:
        parts = [f"{name} on {listed(data, 3)}" for name, data in used.items()]
        message = f"The metric differs by {noun}: {'; '.join(parts)}."
    other = others[0] if others else next(iter(used))
    return Finding("metric-chosen", "info", message, remedy=f"for another one: --metric {shell(other)}")


def choose_filter(
    available: Mapping[str, Sequence[str]], request: Request, kind: str = "filter", noun: str = "dataset"
) -> tuple[dict[str, str], tuple[str, ...], tuple[Finding, ...]]:
    """Choose one of several readings of the answers, for each dataset.

    Parameters
    ----------
    available : mapping of str to sequence of str
        Dataset to its filters, in the order of the files.
    request : Request
    kind, noun : str
        What a filter and a dataset are called.

    Returns
    -------
    dict of str to str
        Dataset to filter: the one that the user names; elsewhere the first, or the only one.
    tuple of str
        Those that were not taken.
    tuple of Finding

    Raises
    ------
    UnknownNameError
        If no dataset has the filter that the user names.
    """
    known = list(dict.fromkeys(name for names in available.values() for name in names))
    if request.filter is not None and request.filter not in known:
        raise _unknown(kind, "--filter", request.filter, known)
    taken = {
        data: names[0] if request.filter is None or request.filter not in names else request.filter
        for data, names in available.items()
        if names
    }
    others = tuple(name for name in known if name not in taken.values())
    notes = []
    several = [data for data, names in available.items() if len(names) > 1]
    if request.filter is None and several:
        first = several[0]
        message = f"Of {first} the {kind} is {taken[first]}; also there: {listed(list(available[first])[1:], 10)}"
        message += f"; so it is of {counted(len(several) - 1, 'other ' + noun)}." if len(several) > 1 else "."
        chosen = next(name for name in available[first] if name != taken[first])
        notes.append(Finding(f"{kind}-chosen", "info", message, remedy=f"for another one: --filter {shell(chosen)}"))
    wrong = [data for data in several if request.filter is not None and request.filter not in available[data]]
    if wrong:
        raise SettingsError(
            f"{counted(len(wrong), noun)} with several {kind}s, but not {request.filter!r}",
            where="; ".join(f"{data}: {listed(list(available[data]), 10)}" for data in wrong[:3]),
            remedy="give these files alone, with one that they have",
        )
    return taken, others, tuple(notes)


def metrics_taken(
    request: Request, available: Iterable[str], preferred: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...], list[Finding]]:
    """The metrics to take, those that could be taken instead, and what to say of the choice.

    What the user names; else the first of the preferred ones that is there, else the first of all.

    Raises
    ------
    UnknownNameError
        If a metric is asked for that is not there.
    """
    known = list(dict.fromkeys(available))
    default = next((name for name in preferred if name in known), known[0])
    known = [default, *(name for name in known if name != default)]
    chosen = choose_metrics({"": known}, request)
    return chosen.metrics[""], chosen.others, list(chosen.notes)


def one_metric(
    request: Request, available: Iterable[str], preferred: Sequence[str], *, any_case: bool = False
) -> tuple[str, tuple[str, ...], list[Finding]]:
    """The one metric to take, the others, and what to say; for formats that are read by one metric at a time.

    Raises
    ------
    UnknownNameError
        If a metric is asked for that is not there.
    SettingsError
        If several are asked for.
    """
    if len(request.metrics) > 1:
        raise SettingsError(
            f"{len(request.metrics)} metrics were requested, but these files are read one metric at a time",
            remedy=f"name one: --metric {shell(request.metrics[0])}",
        )
    available = list(available)
    if any_case and request.metrics:
        asked = next((name for name in available if name.casefold() == request.metrics[0].casefold()), None)
        request = dataclasses.replace(request, metrics=(asked or request.metrics[0],))
    (metric,), others, notes = metrics_taken(request, available, preferred)
    return metric, others, notes


def filter_taken(
    request: Request, systems_by_filter: Mapping[str, set[str]], noun: str
) -> tuple[str, tuple[str, ...], list[Finding]]:
    """The one filter (judge, annotator, split) to take: what is asked for, or what most systems have.

    Raises
    ------
    UnknownNameError
        If one is asked for that is not there.
    SettingsError
        If it cannot be told which is meant.
    """
    known = list(systems_by_filter)
    if request.filter is not None:
        if request.filter not in known:
            raise UnknownNameError(noun, request.filter, known)
        return request.filter, tuple(name for name in known if name != request.filter), []
    most = max(map(len, systems_by_filter.values()))
    taken, *more = (name for name in known if len(systems_by_filter[name]) == most)
    if more:
        raise SettingsError(
            f"the files hold results of {counted(len(more) + 1, noun)}: {some([taken, *more])}",
            where="they are not averaged",
            remedy=f"choose one: --filter {shell(taken)} or --filter {shell(more[0])} (in Python filter={taken!r})",
        )
    others = tuple(name for name in known if name != taken)
    said = f"The {noun} is {taken}, which most systems have; others are {listed(others, 10)}."
    remedy = f"for another one: --filter {shell(others[0])}" if others else ""
    return taken, others, [Finding(f"{noun}-chosen", "info", said, remedy=remedy)] if others else []


def _unknown(kind: str, option: str, name: str, known: Sequence[str]) -> UnknownNameError:
    error = UnknownNameError(kind, name, known, where=f"there are, in these files: {listed(known, 20)}")
    near = nearest(name, known) or known
    error.remedy = f"take one of them: {option} {shell(near[0])}"
    return error
