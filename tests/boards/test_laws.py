"""What holds for every drawing, over games played at random."""

import re
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from pbem.boards import drawing_of, drawings
from pbem.games import GAMES, Chance, Eye, Game, GameError, Seat

AWKWARD = ("take 7", "R3/G2/R1 <b>&\"'", "Wolfeschlegelsteinhausenbergerdorff", "a b2", "pass")
JOINED = 8
NAMESPACE = "{http://www.w3.org/2000/svg}"
PLAYED: list[tuple[str, dict[str, object]]] = [
    ("minimax", {"size": "small"}),
    ("minimax", {"size": "long"}),
    ("martian-whist", {"sets": 2}),
]


def played(key: str, options: dict[str, object], turns: int = 1000) -> Iterator[tuple[Game[Any], Any]]:
    """Play a game at random; where the moves are countless, among the first."""
    game, chance, random = GAMES[key], Chance(bytes(range(32))), Random(f"{key}{options}")  # noqa: S311 (no secret)
    position = game.setup(game.seats[0], options, chance)
    yield game, position
    for _ in range(turns):
        if not (to_move := game.to_move(position)):
            return
        chosen: tuple[str, ...] = ()
        while steps := game.steps(position, to_move[0], chosen):
            chosen = (*chosen, random.choice(steps))
        move = game.read(position, to_move[0], " ".join(piece for piece in chosen if piece != "."))
        position = game.apply(position, to_move[0], move, chance)
        yield game, position


def written(game: Game[Any], position: Any, names: tuple[str, ...]) -> Iterator[str]:
    drawing, board = drawing_of(game.key), game.board(position, Eye.PUBLIC)
    yield from (drawing.text(board, names, 1), drawing.words(board, names, 1), "\n".join(drawing.crib))
    yield from (drawing.tell(entry, names) for entry in game.log(position, Eye.PUBLIC)[-2:] if isinstance(entry, dict))
    for seat in game.to_move(position):
        yield drawing.prompt(board, seat, tuple(islice(game.moves(position, seat), 50)))


def is_move(game: Game[Any], position: Any, seat: Seat, text: str) -> bool:
    try:
        game.read(position, seat, text)
    except GameError:
        return False
    return True


@pytest.mark.parametrize(("key", "options"), PLAYED)
def test_no_line_reads_as_a_move_and_none_is_too_wide(key: str, options: dict[str, object]) -> None:
    for turn, (game, position) in enumerate(played(key, options)):
        names = tuple(AWKWARD[(turn + seat) % len(AWKWARD)] for seat in range(game.seats[0]))
        board = game.board(position, Eye.PUBLIC)
        assert all(len(line) <= 60 for line in drawing_of(key).text(board, names, 1).splitlines())
        for text in written(game, position, names):
            lines = text.splitlines()
            assert all(line == line.rstrip() for line in lines)
            for at, line in enumerate(lines):
                for seat in game.to_move(position):
                    assert not is_move(game, position, seat, line)
                    assert not is_move(game, position, seat, "> " + line)
                    if turn % 5 == 0:
                        assert not any(
                            is_move(game, position, seat, " ".join(lines[at : at + count]))
                            for count in range(2, JOINED + 1)
                        )


@pytest.mark.parametrize(("key", "options"), PLAYED)
def test_pictures_are_small_well_formed_and_made_of_shapes_alone(key: str, options: dict[str, object]) -> None:
    for game, position in played(key, options):
        names = AWKWARD[1 : 1 + game.seats[0]]
        picture = drawing_of(key).svg(game.board(position, Eye.PUBLIC), names, 1)
        assert len(picture.encode()) < 60_000
        root = ET.fromstring(picture)  # noqa: S314 (made here)
        assert root.attrib["role"] == "img"
        assert root.attrib["viewBox"].startswith("0 0 720 ")
        assert {element.tag.removeprefix(NAMESPACE) for element in root.iter()} <= {
            "svg", "title", "desc", "defs", "g", "use", "path", "rect", "circle",
        }  # fmt: skip
        assert not any("style" in element.attrib for element in root.iter())
        ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
        used = {element.attrib["href"].lstrip("#") for element in root.iter(f"{NAMESPACE}use")}
        assert sorted(used) == sorted(ids)
        assert root.findtext(f"{NAMESPACE}desc") == drawing_of(key).words(game.board(position, Eye.PUBLIC), names, 1)
        assert not re.search(r"\d\.\d{3}", re.sub(r"scale\([\d.]+\)", "", picture.split("</desc>")[1]))


def test_two_kinds_of_pictures_share_no_id() -> None:
    ids = []
    for key, options in (PLAYED[0], PLAYED[2]):
        game, position = next(played(key, options))
        picture = drawing_of(key).svg(game.board(position, Eye.PUBLIC), AWKWARD[: game.seats[0]])
        ids.append(set(re.findall(r'id="([^"]+)"', picture)))
    assert not ids[0] & ids[1]


@pytest.mark.parametrize("key", sorted(drawings()))
def test_a_crib_is_at_most_five_short_lines(key: str) -> None:
    crib = drawing_of(key).crib
    assert len(crib) <= 5
    assert all(len(line) <= 76 for line in crib)
