"""Widths of characters in the two fonts that papers are set in, in thousandths of the type size.

Printable ASCII from `!` to `~`, measured from the fonts' metrics at 10 pt: Times (`ptmr8t`, `ptmb8t`, `ptmri8t`) and
Computer Modern in its T1 form, Latin Modern (`ec-lmr10`, `ec-lmbx10`, `ec-lmri10`), which has the widths of Computer
Modern and also the signs that OT1 lacks. Computer Modern is relatively wider at smaller sizes.
"""

from __future__ import annotations

from typing import Literal

Font = Literal["times", "computer modern"]
Face = Literal["roman", "bold", "italic", "typewriter"]

FONTS: tuple[Font, ...] = ("times", "computer modern")

_MEASURED: dict[tuple[Font, Face], str] = {
    ("times", "roman"): """
        333 408 500 500 833 778 333 333 333 500 564 250 333 250 278 500 500 500 500 500 500 500 500 500 500 278 278
        564 564 564 444 921 722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 556 722 667 556 611 722 722
        944 722 722 611 333 278 333 469 500 333 444 500 444 500 444 333 500 500 278 278 500 278 778 500 500 500 500
        333 389 278 500 500 722 500 500 444 480 200 480 541
    """,
    ("times", "bold"): """
        333 555 500 500 1000 833 333 333 333 500 570 250 333 250 278 500 500 500 500 500 500 500 500 500 500 333 333
        570 570 570 500 930 722 667 722 722 667 611 778 778 389 500 778 667 944 722 778 611 778 722 556 667 722 722
        1000 722 722 667 333 278 333 581 500 333 500 556 444 556 444 333 500 556 278 333 556 278 833 556 500 556 556
        444 389 333 556 500 722 500 500 444 394 220 394 520
    """,
    ("times", "italic"): """
        333 420 500 500 833 778 333 333 333 500 675 250 333 250 278 500 500 500 500 500 500 500 500 500 500 333 333
        675 675 675 500 920 611 611 667 722 611 611 722 722 333 444 667 556 833 667 722 611 722 611 500 556 722 611
        833 611 556 556 389 278 389 422 500 333 500 500 444 500 444 278 500 500 278 278 444 278 722 500 500 500 500
        389 389 278 500 444 667 444 444 389 400 275 400 541
    """,
    ("computer modern", "roman"): """
        278 374 833 500 833 778 278 389 389 500 778 278 333 278 500 500 500 500 500 500 500 500 500 500 500 278 278
        778 778 778 472 778 750 708 722 764 681 653 785 750 361 514 778 625 917 750 778 681 778 736 556 722 750 750
        1028 750 750 611 278 500 278 556 750 278 500 556 444 556 444 306 500 556 278 306 528 278 833 556 500 556 528
        392 394 389 556 528 722 528 528 444 500 278 500 556
    """,
    ("computer modern", "bold"): """
        350 481 958 575 958 894 319 447 447 575 894 319 383 319 575 575 575 575 575 575 575 575 575 575 575 319 319
        894 894 894 543 894 869 818 831 882 756 724 904 900 436 594 901 692 1092 900 864 786 864 862 639 800 885 869
        1189 869 869 703 319 575 319 556 869 319 559 639 511 639 527 351 575 639 319 351 607 319 958 639 575 639 607
        474 454 447 639 607 831 607 607 511 575 319 575 556
    """,
    ("computer modern", "italic"): """
        307 401 818 500 818 767 307 409 409 511 767 307 358 307 511 511 511 511 511 511 511 511 511 511 511 307 307
        778 767 778 511 767 743 704 716 755 678 653 774 743 386 525 769 627 897 743 767 678 767 729 562 716 743 743
        999 743 743 613 307 500 307 556 743 307 511 460 460 511 460 307 460 511 307 307 460 256 818 562 511 511 460
        422 409 332 537 460 664 464 486 409 500 278 500 556
    """,
}

_SPACES: dict[tuple[Font, Face], int] = {
    ("times", "roman"): 250,
    ("times", "bold"): 250,
    ("times", "italic"): 250,
    ("computer modern", "roman"): 333,
    ("computer modern", "bold"): 383,
    ("computer modern", "italic"): 358,
}

WIDTHS: dict[tuple[Font, Face], dict[str, int]] = {
    **{
        key: {" ": _SPACES[key], **{chr(33 + index): int(width) for index, width in enumerate(table.split())}}
        for key, table in _MEASURED.items()
    },
    ("times", "typewriter"): {chr(code): 600 for code in range(32, 127)},
    ("computer modern", "typewriter"): {chr(code): 525 for code in range(32, 127)},
}
"""Thousandths of the type size, by font and face."""

OPTICAL: dict[Font, dict[float, float]] = {
    "times": {},
    "computer modern": {6: 1.222, 7: 1.138, 8: 1.0625, 9: 1.028},
}
"""How much wider a size is than 10 pt in proportion."""

MATHEMATICS: dict[str, int] = {
    **dict.fromkeys("<>−±×÷∓≤≥≠≈≡∼≃≅∝∈∉⊂⊃⊆⊇⊕⊗", 778),
    **dict.fromkeys("∪∩∧∨∖¬∀", 670),
    **dict.fromkeys("→←↔⇒⇐⇔↦∞", 1000),
    "|": 278,
    "∑": 1056,
}
"""Signs that are set as mathematics: in Computer Modern beside either font, as in acl.sty, IEEEtran, NeurIPS, ICML."""

SIGNS: dict[str, int] = {
    **dict.fromkeys("…", 1020),
    **dict.fromkeys("↑↓†‡§¶", 470),
    **dict.fromkeys("–‒°·∗⟨⟩", 510),
    **dict.fromkeys("—―", 1020),
    **dict.fromkeys("‘’′", 286),
    **dict.fromkeys("“”„″", 490),
    **dict.fromkeys("ıȷ", 278),
    **dict.fromkeys("ŁĐÐÞ", 690),
    **dict.fromkeys("łđðþßø", 530),
    **dict.fromkeys("ØÆŒ", 870),
    **dict.fromkeys("æœ", 730),
}
"""Other signs, about as wide in both."""

GREEK = 600
SPECIMEN = 700
"""Other Greek letters; the box that stands for a character that cannot be set."""

SYMBOLS: dict[str, int] = {
    "k_hat": 552,
    "k_hat_bonferroni": 2511,
    "k_hat_fisher": 2740,
    "k_hat_count": 2499,
    "p_u": 2101,
    "alpha": 643,
    "delta": 482,
    "n": 600,
    "N": 912,
    "p": 503,
    "u": 572,
}
"""Symbols of prose, in Computer Modern."""

MARKS: dict[str, int] = {"*": 639, "+": 935, "−": 935, "†": 574, "‡": 574, "§": 574, "¶": 800}
"""Signs behind a number, in thousandths of the size of superscripts."""

SCRIPT_SIZES: dict[float, float] = {10.95: 8.0, 10: 7.0, 9: 6.0, 8: 6.0, 7: 5.0}
SCRIPT_SPACE = 0.5
"""Type size of superscripts, and what TeX adds behind them, in points."""
