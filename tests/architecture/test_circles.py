"""No file needs itself: the imports of the package hold no circle, whether at the top of a file or in a function.

Imports under `TYPE_CHECKING` do not count: they name a type and never run.
"""

from __future__ import annotations

from itertools import pairwise

from tests.conftest import needed


def circles(package):
    """Lines of each circle between files of a package, "a imports b (line n: ...)"; one circle for each knot."""
    grimp = needed("grimp", "dev")
    graph = grimp.build_graph(package, exclude_type_checking_imports=True, cache_dir=None)
    left = set(graph.modules)
    while ends := {name for name in left if not graph.find_modules_directly_imported_by(name) & left}:
        left -= ends  # what imports nothing that is left is in no circle
    found = []
    while left:
        path = [min(left)]
        while (after := min(graph.find_modules_directly_imported_by(path[-1]) & left, default="")) not in path:
            if not after:
                break
            path.append(after)
        if after:
            path = [*path[path.index(after) :], after]
            found.append([_line(graph, *pair) for pair in pairwise(path)])
        left -= set(path)
    return found


def _line(graph, importer, imported):
    detail = graph.get_import_details(importer=importer, imported=imported)[0]
    return f"{importer} imports {imported} (line {detail['line_number']}: {detail['line_contents']})"


def test_no_circle_between_files():
    """Each file can be read, tested and moved without the files that stand on it."""
    found = circles("reportkit")
    assert not found, "files import each other in a circle; move what they share below both:\n\n" + "\n\n".join(
        "\n".join(lines) for lines in found
    )
