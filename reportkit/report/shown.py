"""How a notebook shows what a user holds: contents by MIME type, made only when they are wanted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping


class Shown:
    """What IPython asks of an object; the formats are the object's own."""

    __slots__ = ()

    def _formats(self) -> Mapping[str, Callable[[], str]]:
        """How it is written, by MIME type."""
        raise NotImplementedError

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        return {
            name: make()
            for name, make in self._formats().items()
            if (not include or name in include) and not (exclude and name in exclude)
        }

    def _repr_html_(self) -> str | None:
        return self._repr_mimebundle_(["text/html"]).get("text/html")
