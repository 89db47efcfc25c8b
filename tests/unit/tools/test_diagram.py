"""The pictures of the architecture show the code as it is."""

from __future__ import annotations

import pytest

from tests.diagram import CONTRACTS, PICTURES, draw, import_graph, imports_between, layers, reduce_transitively


@pytest.mark.parametrize(("name", "contract"), CONTRACTS.items())
def test_the_committed_picture_is_current(name: str, contract: str) -> None:
    assert (PICTURES / f"{name}.svg").read_text() == draw(contract), "make diagram"


def test_the_same_code_is_drawn_the_same_way() -> None:
    contract = CONTRACTS["imports"]
    before = draw(contract)
    import_graph.cache_clear()
    assert draw(contract) == before


def test_an_import_that_follows_from_others_is_left_out() -> None:
    edges = {"a": frozenset("bcd"), "b": frozenset("c"), "c": frozenset("d"), "d": frozenset[str]()}
    assert reduce_transitively(edges) == {
        "a": frozenset("b"),
        "b": frozenset("c"),
        "c": frozenset("d"),
        "d": frozenset(),
    }


def test_a_module_belongs_to_the_innermost_package_that_is_drawn() -> None:
    edges = imports_between(["pbem.play", "pbem.play.core", "pbem.games"])
    assert "pbem.play.core" in edges["pbem.play"]
    assert edges["pbem.games"] == frozenset()


def test_layers_are_those_of_the_contract() -> None:
    rows = layers(CONTRACTS["imports"])
    assert rows[0] == ["workers", "pbem.web"]
    assert rows[-1] == ["pbem.games"]
    assert layers(CONTRACTS["imports-play"])[-1] == ["pbem.play.core"]
