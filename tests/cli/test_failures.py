"""Where a defect is to be reported."""

from __future__ import annotations

from email.message import Message
from importlib import metadata

import pytest

from reportkit.cli import failures


def _metadata(*urls):
    message = Message()
    for url in urls:
        message["Project-URL"] = url
    return message


@pytest.mark.parametrize(
    ("urls", "expected"),
    [
        ((), "the project's issue tracker"),
        (("Documentation, https://d.example",), "the project's issue tracker"),
        (("Homepage, https://h.example", "Issues, https://i.example"), "https://i.example"),
        (("Homepage, https://h.example", "Source, https://s.example"), "https://s.example"),
    ],
)
def test_the_tracker_is_the_one_of_the_package(monkeypatch, urls, expected):
    """The address comes from the package's metadata, the one for issues first."""
    monkeypatch.setattr(metadata, "metadata", lambda _: _metadata(*urls))
    assert failures.tracker() == expected


def test_a_package_that_is_not_installed_has_no_address(monkeypatch):
    """Run from its folder, without metadata."""

    def absent(_):
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(metadata, "metadata", absent)
    monkeypatch.setattr(metadata, "version", absent)
    assert failures.tracker() == "the project's issue tracker"
    assert "numpy not installed" in failures.versions()
