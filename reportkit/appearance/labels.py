r"""What is printed instead of a name where TeX can do more than plain text: a formula, a name in small capitals."""

from __future__ import annotations

from dataclasses import dataclass

from reportkit.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Label:
    """What stands for a name, in two forms.

    Parameters
    ----------
    latex : str
        TeX, written as it is wherever the name stands in LaTeX: in tables, captions and sentences. It is not escaped,
        and not checked: a brace too many breaks the document.
    plain : str
        The same in plain text: in every other format, in figures, in the title and the verdict in bold, and where the
        width of a table is estimated.
    """

    latex: str
    plain: str

    def __post_init__(self) -> None:
        for name in ("latex", "plain"):
            value = getattr(self, name)
            if not isinstance(value, str) or not value.strip():
                raise SettingsError(
                    f"{name} of a label is {value!r}",
                    remedy='give both forms: reportkit.tex(r"$b_i$", plain="b_i"); in TOML '
                    '{latex = "$b_i$", plain = "b_i"}',
                )

    def __str__(self) -> str:
        return self.plain


def tex(latex: str, *, plain: str) -> Label:
    r"""Make a label from TeX, for `labels` of `Appearance`.

    Parameters
    ----------
    latex : str
        TeX, such as `$b_i$`; it is written as it is.
    plain : str
        What stands for it where there is no TeX.

    Raises
    ------
    SettingsError
        If one of the two is empty.

    Examples
    --------
    >>> tex(r"\textsc{Vader}", plain="VADER").plain
    'VADER'
    """
    return Label(latex=latex, plain=plain)


def plain_label(label: str | Label) -> str:
    """The plain form of a label.

    Examples
    --------
    >>> plain_label("R&D"), plain_label(tex(r"$b_i$", plain="b_i"))
    ('R&D', 'b_i')
    """
    return label.plain if isinstance(label, Label) else label
