"""What holds for every drawing, over games played at random."""

import re
from collections.abc import Iterator
from itertools import islice
from textwrap import fill
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from pbem.boards import Turn, drawing_for, drawings
from pbem.games import Eye, Game, GameError, Seat, Viewer
from pbem.i18n import LANGUAGES, use_locale
from tests.support.boards.laws import PLAYED, played
from tests.support.examples import few

AWKWARD = (
    "take 7",
    "R3/G2/R1 <b>&\"'",
    "Wolfeschlegelsteinhausenbergerdorff",
    "a b2",
    "pass",
    "9H",
    "6-4 3-off",
    "keep",
)
LONG = "Wolfeschlegelsteinhausenbergerdorff " + "W" * 64
"""As long as a name may be, that of an imported record too."""
JOINED = 8
MAIL_COLUMNS = 72
NAMESPACE = "{http://www.w3.org/2000/svg}"


def viewers(game: Game[Any], position: Any) -> tuple[Viewer, ...]:
    return (Eye.PUBLIC, *game.to_move(position))


def written(game: Game[Any], position: Any, names: tuple[str, ...], viewer: Viewer) -> Iterator[str]:
    drawing, board = drawing_for(game.key), game.board(position, viewer)
    you = None if isinstance(viewer, Eye) else viewer
    yield from (drawing.text(board, names, you), drawing.words(board, names, you), "\n".join(drawing.crib))
    said = [drawing.tell(entry, names) for entry in game.log(position, viewer)[-2:] if isinstance(entry, dict)]
    if you is not None:
        for heading, lines in drawing.guide(board, names, you):
            yield "\n".join((heading, *lines))
            said += lines
        for move, words in zip(game.suggest(position, you), named(game, position, you), strict=True):
            said += filter(None, words)
            said += drawing.brings(board, names, you, move)
        said.append(drawing.prompt(board, you, tuple(islice(game.moves(position, you), 50))).text)
    # Mails break these lines anew.
    yield from (*said, *(fill(sentence, MAIL_COLUMNS) for sentence in said))


def named(game: Game[Any], position: Any, you: Seat) -> tuple[tuple[str, str], ...]:
    return drawing_for(game.key).named(game.board(position, you), you, game.suggest(position, you))


def is_move(game: Game[Any], position: Any, seat: Seat, text: str) -> bool:
    try:
        game.read(position, seat, text)
    except GameError:
        return False
    return True


@pytest.fixture(params=LANGUAGES)
def _language(request: pytest.FixtureRequest) -> Iterator[None]:
    with use_locale(request.param):
        yield


@pytest.mark.usefixtures("_language")
@pytest.mark.parametrize(("key", "options"), PLAYED)
def test_a_page_with_the_picture_asks_in_one_line_without_an_example(key: str, options: dict[str, object]) -> None:
    for game, position in played(key, options):
        for seat in game.to_move(position):
            board, moves = game.board(position, seat), tuple(islice(game.moves(position, seat), 50))
            task, example = (
                drawing_for(key).task(board, seat, moves),
                drawing_for(key).prompt(board, seat, moves).example,
            )
            assert task
            assert "\n" not in task
            assert not example or example not in task


@pytest.mark.usefixtures("_language")
@pytest.mark.parametrize(("key", "options"), PLAYED)
def test_no_line_reads_as_a_move_and_none_is_too_wide(key: str, options: dict[str, object]) -> None:
    for turn, (game, position) in few(enumerate(played(key, options))):
        names = tuple(AWKWARD[(turn + seat) % len(AWKWARD)] for seat in range(game.seats[0]))
        long = tuple(f"{LONG[:-1]}{seat}" for seat in range(game.seats[0]))
        for viewer in viewers(game, position):
            board = game.board(position, viewer)
            assert all(len(line) <= 60 for line in drawing_for(key).text(board, long, 1).splitlines())
            assert all(len(line) <= 60 for line in drawing_for(key).text(board, names, 1).splitlines())
            for text in written(game, position, names, viewer):
                lines = text.splitlines()
                assert all(line == line.rstrip() for line in lines)
                for seat in game.to_move(position):
                    assert not moves_among(
                        game, position, seat, lines, joined=turn % 5 == 0 or not turn_alone(game, position)
                    )


def turn_alone(game: Game[Any], position: Any) -> bool:
    return game.key != "amazonian-buffet" or game.board(position, Eye.PUBLIC)["stage"] == "board"


def moves_among(game: Game[Any], position: Any, seat: Seat, lines: list[str], *, joined: bool) -> list[str]:
    """Find lines that read as moves, quoted or bare, alone or joined with those below."""
    found = []
    # Where a turn is a line, a line break is folded into a space; between hands it means more.
    breaks = ("\n",) if turn_alone(game, position) else (" ", "\n")
    for at, line in enumerate(lines):
        below = [lines[at : at + count] for count in range(2, JOINED + 1)] if joined else []
        tried = [line, "> " + line, *(between.join(some) for some in below for between in breaks)]
        found += [text for text in tried if is_move(game, position, seat, text)]
    return found


@pytest.mark.parametrize(("key", "options"), PLAYED)
def test_pictures_are_small_well_formed_and_made_of_shapes_alone(key: str, options: dict[str, object]) -> None:
    for game, position in played(key, options):
        names = AWKWARD[1 : 1 + game.seats[0]]
        viewer = viewers(game, position)[-1]
        view, you = game.view(position, viewer), None if isinstance(viewer, Eye) else viewer
        board, turn = view.board, Turn(view.to_move, view.log)
        picture = drawing_for(key).svg(board, names, you, turn)
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
        assert root.findtext(f"{NAMESPACE}desc") == drawing_for(key).description(board, names, you, turn)
        assert not re.search(r"\d\.\d{3}", re.sub(r"scale\([\d.]+\)", "", picture.split("</desc>")[1]))


def test_two_kinds_of_pictures_share_no_id() -> None:
    ids: list[set[str]] = []
    for key, options in dict(PLAYED).items():
        game, position = next(played(key, options))
        picture = drawing_for(key).svg(game.board(position, Eye.PUBLIC), AWKWARD[: game.seats[0]])
        ids.append(set(re.findall(r'id="([^"]+)"', picture)))
    assert len(set().union(*ids)) == sum(map(len, ids))


@pytest.mark.parametrize(("key", "options"), PLAYED)
def test_pieces_are_grouped_without_loss_and_named_moves_have_both_words_or_none(
    key: str, options: dict[str, object]
) -> None:
    for game, position in played(key, options):
        for seat in game.to_move(position):
            assert all(bool(name) == bool(hint) for name, hint in named(game, position, seat))
            chosen: tuple[str, ...] = ()
            while pieces := game.steps(position, seat, chosen):
                groups = drawing_for(key).grouped(pieces)
                assert sorted(piece for _, some in groups for piece in some) == sorted(pieces)
                assert all(line == line.strip() for line in drawing_for(key).begun(chosen))
                chosen = (*chosen, pieces[-1])


@pytest.mark.parametrize(("key", "options"), PLAYED)
def test_every_place_to_touch_is_on_the_picture_of_the_move_so_far(key: str, options: dict[str, object]) -> None:
    drawing = drawing_for(key)
    for game, position in played(key, options):
        for seat in game.to_move(position):
            board, names = game.board(position, seat), AWKWARD[: game.seats[0]]
            chosen: tuple[str, ...] = ()
            while True:
                pieces = game.steps(position, seat, chosen)
                picture = drawing.svg(drawing.during(board, seat, chosen), names, seat)
                on_it = set(re.findall(r'data-place="([^"]+)"', picture))
                touches = drawing.touches(board, seat, chosen, pieces)
                assert {place for places in touches.values() for place in places} <= on_it
                assert drawing.resting(board, seat, chosen).keys() <= on_it
                if not pieces:
                    break
                chosen = (*chosen, pieces[len(chosen) % len(pieces)])


@pytest.mark.parametrize(("key", "options"), PLAYED)
def test_a_picture_without_its_description_is_otherwise_the_same(key: str, options: dict[str, object]) -> None:
    for game, position in few(played(key, options)):
        seen = game.board(position, Eye.PUBLIC), AWKWARD[: game.seats[0]]
        described, bare = drawing_for(key).svg(*seen), drawing_for(key).svg(*seen, described=False)
        assert bare == re.sub("<desc>[^<]+</desc>", "", described) != described


@pytest.mark.parametrize(("key", "options"), PLAYED)
def test_each_suggested_move_has_a_reason_or_none(key: str, options: dict[str, object]) -> None:
    for game, position in played(key, options):
        for seat in game.to_move(position):
            moves = game.suggest(position, seat)
            reasons = drawing_for(key).reasons(game.board(position, seat), AWKWARD[: game.seats[0]], seat, moves)
            assert len(reasons) == len(moves)
            assert all(reason == "" or reason.rstrip() == reason for reason in reasons)


@pytest.mark.usefixtures("_language")
@pytest.mark.parametrize("key", sorted(drawings()))
def test_a_crib_is_at_most_five_short_lines(key: str) -> None:
    crib = drawing_for(key).crib
    assert len(crib) <= 5
    assert all(len(line) <= 76 for line in crib)


@pytest.mark.usefixtures("_language")
@pytest.mark.parametrize("key", sorted(drawings()))
def test_each_line_of_a_crib_is_whole_sentences(key: str) -> None:
    # Pages show them as the items of a list.
    assert all(line[0].isupper() and line.endswith(".") for line in drawing_for(key).crib)
