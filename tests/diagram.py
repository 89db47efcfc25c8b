"""Draws who imports whom, from the code and its import contracts: `make diagram`.

Each picture shows one contract of pyproject.toml: a row for each layer, a box for each package, and an arrow for each
import that does not follow from other arrows. `--smoke` draws all pictures, and keeps none.
"""

from __future__ import annotations

import argparse
import tomllib
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

import grimp

from tests.support.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Edges = Mapping[str, frozenset[str]]
    """The packages that each package imports."""

PICTURES = ROOT / "docs" / "pictures"
CONTRACTS = {
    "imports": "The house: who may import whom, top to bottom only",
    "imports-play": "Services import downwards only",
}
"""The contract that each picture shows."""
BOX_WIDTH, BOX_HEIGHT = 150, 28
GAP, ROW_GAP, MARGIN = 24, 34, 16
STYLE = (
    "text{font:13px sans-serif;fill:#1f2933;text-anchor:middle}"
    "rect.box{fill:#eef4fb;stroke:#45678f}path{fill:none;stroke:#8597ab}marker path{fill:#8597ab;stroke:none}"
)


@dataclass(frozen=True, slots=True)
class Box:
    """A package in the picture, by its upper left corner."""

    label: str
    x: int
    y: int

    @property
    def middle(self) -> int:
        """Return the horizontal middle."""
        return self.x + BOX_WIDTH // 2


def settings() -> dict[str, Any]:
    """Return the settings of import-linter: the root packages and the contracts."""
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    return found


@cache
def import_graph() -> grimp.ImportGraph:
    """Return the imports of all product code."""
    return grimp.build_graph(*settings()["root_packages"], cache_dir=None)


def layers(contract: str) -> list[list[str]]:
    """Return the packages of a contract, layer by layer, the highest first.

    A contract of several roots has all folders directly below them; single modules and parts of `pbem.ops` and
    `pbem.records`, which stand on several layers, are left out.
    """
    found = next(each for each in settings()["contracts"] if each["name"] == contract)
    rows = [[name.strip() for name in layer.split("|")] for layer in found["layers"]]
    if "containers" in found:
        (container,) = found["containers"]
        return [[f"{container}.{name}" for name in row] for row in rows]
    folders = [[name for name in row if name.count(".") < 2 and is_folder(name)] for row in rows]
    return [row for row in folders if row]


def is_folder(package: str) -> bool:
    """Return whether a package is more than one module."""
    return (ROOT / package.replace(".", "/")).is_dir()


def imports_between(packages: list[str]) -> Edges:
    """Return the direct imports between packages; a module belongs to the longest name that it begins with."""
    graph = import_graph()

    def package_of(module: str) -> str | None:
        owners = [package for package in packages if f"{module}.".startswith(f"{package}.")]
        return max(owners, key=len, default=None)

    found: dict[str, set[str]] = {package: set() for package in packages}
    for module in graph.modules:
        importer = package_of(module)
        if importer is not None:
            imported = {package_of(name) for name in graph.find_modules_directly_imported_by(module)}
            found[importer] |= {name for name in imported if name is not None and name != importer}
    return {package: frozenset(imported) for package, imported in found.items()}


def reduce_transitively(edges: Edges) -> Edges:
    """Return the edges of an acyclic graph without those that a longer path implies."""

    @cache
    def reachable(package: str) -> frozenset[str]:
        return edges[package].union(*map(reachable, edges[package]))

    return {
        package: imported - frozenset[str]().union(*map(reachable, imported)) for package, imported in edges.items()
    }


def place_boxes(rows: list[list[str]]) -> dict[str, Box]:
    """Return the box of each package: layers from top to bottom, each in the middle."""
    width = max(map(row_width, rows))
    return {
        package: Box(
            package.rpartition(".")[2],
            MARGIN + (width - row_width(row)) // 2 + column * (BOX_WIDTH + GAP),
            MARGIN + line * (BOX_HEIGHT + ROW_GAP),
        )
        for line, row in enumerate(rows)
        for column, package in enumerate(row)
    }


def row_width(row: list[str]) -> int:
    """Return the width of a row of boxes."""
    return len(row) * (BOX_WIDTH + GAP) - GAP


def arrow(start: Box, end: Box) -> str:
    """Return an arrow from one package down to another, bent aside where boxes stand between them."""
    top, bottom = start.y + BOX_HEIGHT, end.y - 2
    rows = (end.y - start.y) // (BOX_HEIGHT + ROW_GAP)
    aside = BOX_WIDTH if rows > 1 else 0
    half = (bottom - top) // 2
    curve = (
        f"M{start.middle} {top}C{start.middle + aside} {top + half} "
        f"{end.middle + aside} {bottom - half} {end.middle} {bottom}"
    )
    return f'<path d="{curve}" marker-end="url(#head)"/>'


def svg_lines(contract: str) -> Iterator[str]:
    """Return the lines of the picture of a contract."""
    rows = layers(contract)
    boxes = place_boxes(rows)
    edges = reduce_transitively(imports_between(list(boxes)))
    # The last margin leaves space for bent arrows.
    width = max(box.x for box in boxes.values()) + BOX_WIDTH + 3 * MARGIN
    height = max(box.y for box in boxes.values()) + BOX_HEIGHT + MARGIN
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    yield f"<title>{escape(contract)}</title>"
    yield f"<style>{STYLE}</style>"
    yield '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    yield '<path d="M0 0L8 4L0 8z"/></marker></defs>'
    yield f'<rect width="{width}" height="{height}" fill="#fff"/>'
    for package in boxes:
        yield from (arrow(boxes[package], boxes[imported]) for imported in sorted(edges[package]))
    for box in boxes.values():
        yield f'<rect class="box" x="{box.x}" y="{box.y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="4"/>'
        yield f'<text x="{box.middle}" y="{box.y + 18}">{escape(box.label)}</text>'
    yield "</svg>"


def draw(contract: str) -> str:
    """Return the picture of a contract as SVG."""
    return "\n".join(svg_lines(contract)) + "\n"


def main() -> None:
    """Draw all pictures."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--smoke", action="store_true", help="keep no picture")
    smoke = options.parse_args().smoke
    for name, contract in CONTRACTS.items():
        picture = draw(contract)
        if not smoke:
            (PICTURES / f"{name}.svg").write_text(picture)


if __name__ == "__main__":
    main()
