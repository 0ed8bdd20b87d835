"""The maps in the docstrings of rooms: every room is on the map of the house, and what a map names is there."""

from __future__ import annotations

import ast
import re

import pytest

NO_ROOMS = {"__init__", "__main__", "_version", "_registration"}


def _map(init):
    """The fenced parts of the docstring of a room."""
    found = ast.get_docstring(ast.parse(init.read_text("utf-8")), clean=False) or ""
    fences = re.findall(r"^```(\w*)\n(.*?)^```", found, flags=re.M | re.S)
    return "\n".join(text for language, text in fences if not language)


def _named(text):
    """Files and folders that a map names: `draws.py`, `null/`."""
    return re.findall(r"(?<![\w/])((?:\w+/)*(?:\w+\.py\b|\w+/(?!\w)))", text)


def test_every_room_is_on_the_map_of_the_house(root):
    """The docstring of reportkit names each folder and each module at the top, and nothing that is gone."""
    house = root / "reportkit"
    rooms = {path.parent.name for path in house.glob("*/__init__.py")}
    modules = {path.stem for path in house.glob("*.py")} - NO_ROOMS
    lines = re.findall(r"^([\w/]+(?:, [\w/]+)*)  ", _map(house / "__init__.py"), flags=re.M)
    named = {name for words in lines for name in words.split(", ")}
    assert named == {f"{room}/" for room in rooms} | modules


def test_maps_name_what_is_there(root):
    """A file or folder that a map names stands in the room, or in a folder of it."""
    gone = [
        f"{init.relative_to(root)}: {name}"
        for init in (root / "reportkit").rglob("__init__.py")
        for name in _named(_map(init))
        if not any(init.parent.rglob(name))
    ]
    assert gone == []


@pytest.mark.parametrize("room", ["scores", "significance", "calibration", "replicability", "figures", "report"])
def test_large_rooms_name_their_sub_rooms(root, room):
    """Who opens the room sees what its folders hold."""
    folder = root / "reportkit" / room
    named = {name.rstrip("/") for name in _named(_map(folder / "__init__.py"))}
    assert {path.parent.name for path in folder.glob("*/__init__.py")} <= named


def test_names_are_found_in_a_map():
    """Files, folders and files in folders; a word before a slash that goes on is no folder."""
    text = "draws.py, hdi.py  rope.py  what\nnull/    and/or\ndrawing/style.py  one"
    assert _named(text) == ["draws.py", "hdi.py", "rope.py", "null/", "drawing/style.py"]
