"""What a match may not be made with: each refusal of each game names what is allowed."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games import GAMES, Chance, OptionError, find

WAYS = {
    "settle": lambda game, seats, options: game.settle(seats, options),
    "setup": lambda game, seats, options: game.setup(seats, options, Chance(bytes(32))),
}
SEATS = {
    "amazonian-buffet": "Amazonian Buffet is for 2 players.",
    "martian-trickery": "Martian Trickery is for 3 to 4 players.",
    "martian-whist": "Martian Whist is for 2 players.",
    "middle-card": "Middle Card is for 3 players.",
    "minimax": "Minimax is for one player.",
    "montauk": "Montauk is for 2 players.",
}
OPTIONS = [(key, name) for key in sorted(GAMES) for name in GAMES[key].options]
every_way = pytest.mark.parametrize("way", WAYS)
every_game = pytest.mark.parametrize("key", sorted(GAMES))


def refusal(way: str, key: str, seats: Any, options: dict[str, Any]) -> str:
    with pytest.raises(OptionError) as refused:
        WAYS[way](GAMES[key], seats, options)
    return str(refused.value)


def test_the_seats_of_every_game_are_known_here() -> None:
    assert set(SEATS) == set(GAMES)


@every_way
@every_game
def test_a_wrong_number_of_seats_is_told_the_right_ones(key: str, way: str) -> None:
    seats = GAMES[key].seats
    for wrong in (0, -1, seats[0] - 1, seats[-1] + 1, float(seats[0]), str(seats[0]), None, True):
        assert refusal(way, key, wrong, {}) == SEATS[key]


@every_way
@every_game
def test_an_unknown_option_is_told_the_known_ones(key: str, way: str) -> None:
    game = GAMES[key]
    for wrong in ("colour", "", "Size", "rounds "):
        said = refusal(way, key, game.seats[0], {wrong: 1})
        assert said == f"{game.name} has no option “{wrong}”. Its options: {', '.join(game.options)}."


@every_way
@pytest.mark.parametrize(("key", "name"), OPTIONS)
def test_a_wrong_value_is_told_the_right_ones(key: str, name: str, way: str) -> None:
    game = GAMES[key]
    allowed = ", ".join(str(value) for value in game.options[name])
    values: tuple[object, ...] = ("blue?", 99, -1, None, 1.0, [], {})
    for wrong in values:
        said = refusal(way, key, game.seats[0], {name: wrong})
        assert said == f"Option “{name}” cannot be “{wrong}”. Choose one of: {allowed}."


@every_way
@every_game
def test_every_value_that_is_named_is_taken(key: str, way: str) -> None:
    game = GAMES[key]
    for name, values in game.options.items():
        for value in values:
            assert WAYS[way](game, game.seats[0], {name: value})


@every_game
def test_an_edition_that_is_not_here_is_told_those_that_are(key: str) -> None:
    edition = GAMES[key].edition
    assert find(key, edition) is GAMES[key]
    for wrong in (0, edition + 1):
        with pytest.raises(KeyError, match=f"There is no edition {wrong} of “{key}” here; .*{key} {edition}"):
            find(key, wrong)


def test_a_game_that_is_not_here_is_told_those_that_are() -> None:
    with pytest.raises(KeyError, match=r"There is no edition 1 of “chess” here; there are: amazonian-buffet 1, .*"):
        find("chess", 1)
