"""The last move is marked in each game's picture, and the only frames are where the next move is made."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import pytest

from pbem.boards import Turn, drawing_for
from pbem.games import GAMES, Chance, Eye, Game, Move, Seat, View, Viewer
from tests.support.boards.laws import PLAYED, played

NAMES = ("Ann", "Bob", "Cleo")
CHANCE = Chance(bytes(range(32)))
_RECT = r'x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"'
_MARK = re.compile(
    r'<path class="last" [^>]*translate\(([\d.]+) ([\d.]+)\)" d="M0 \S+?V0H\S+?M\S+ 0H([\d.]+)V\S+?M\S+ \S+?V([\d.]+)H'
)
_CARD_SIZE = (100.0, 140.0)


class Box(NamedTuple):
    """A rectangle of a picture."""

    left: float
    top: float
    width: float
    height: float

    def surrounds(self, other: "Box") -> bool:
        return (
            self.left <= other.left
            and self.top <= other.top
            and self.left + self.width >= other.left + other.width
            and self.top + self.height >= other.top + other.height
        )


def play(key: str, *moves: str, seats: int | None = None) -> tuple[Game[Any], Any]:
    """Play the moves; a move left empty is the first legal one."""
    game = GAMES[key]
    position = game.setup(seats or game.seats[0], {}, CHANCE)
    for move in moves:
        seat = game.to_move(position)[0]
        position = game.apply(position, seat, Move(move) if move else next(game.moves(position, seat)), CHANCE)
    return game, position


def picture(game: Game[Any], position: Any, viewer: Viewer = Eye.PUBLIC) -> str:
    return drawn(game.view(position, viewer), game.seats[0])


def drawn(view: View, seats: int) -> str:
    you = None if isinstance(view.viewer, Eye) else view.viewer
    return drawing_for(view.game).svg(view.board, NAMES[:seats], you, Turn(view.to_move, view.log))


def boxes(found: Iterator[re.Match[str]]) -> list[Box]:
    return [Box(*map(float, one.groups())) for one in found]


def marks(svg: str) -> list[Box]:
    return boxes(_MARK.finditer(svg))


def frames(svg: str) -> list[Box]:
    """Find the frames that are drawn in one line, in the colour of the turn."""
    return boxes(re.finditer(rf'<rect class="accent" [^>]*stroke-width="\d"(?! stroke-dasharray)[^>]*?{_RECT}', svg))


def piece(svg: str, name: str) -> Box:
    """Find the first rectangle of a piece that can be chosen."""
    return boxes(re.finditer(rf'<g data-place="{name}">\s*<rect [^>]*?{_RECT}', svg))[0]


def card(svg: str, name: str, scale: float = 1) -> Box:
    left, top = re.findall(rf'href="#\w+-{name}" transform="translate\(([\d.]+) ([\d.]+)\)', svg)[0]
    return Box(float(left), float(top), _CARD_SIZE[0] * scale, _CARD_SIZE[1] * scale)


@pytest.mark.parametrize("key", sorted({key for key, _options in PLAYED}))
def test_nothing_is_marked_before_the_first_move(key: str) -> None:
    assert marks(picture(*play(key))) == []


def test_a_buffet_marks_where_the_pawn_came_from_where_it_went_and_what_it_claimed() -> None:
    game, position = play("amazonian-buffet")
    move = next(move for move in game.moves(position, Seat(1)) if not move.endswith("none"))
    svg = picture(*play("amazonian-buffet", move))
    assert sorted(marks(svg)) == sorted(piece(svg, square) for square in set(re.findall(r"[a-f]\d", move)))


def test_whist_marks_where_a_pyramid_was_taken_and_who_has_it() -> None:
    svg = picture(*play("martian-whist", "take 3"))
    where, whose = marks(svg)
    assert 288 < where.left < 432
    assert where.top < 178
    assert whose.left < 360
    assert whose.top > 720


def test_whist_marks_the_tree_just_played() -> None:
    game, position = play("martian-whist", *[""] * 60)
    assert game.board(position, Eye.PUBLIC)["stage"] == "tricks"
    leader = game.to_move(position)[0]
    led = game.apply(position, leader, next(game.moves(position, leader)), CHANCE)
    assert [mark.left < 360 for mark in marks(picture(game, led))] == [True]
    follower = game.to_move(led)[0]
    followed = game.apply(led, follower, next(game.moves(led, follower)), CHANCE)
    assert [mark.left < 360 for mark in marks(picture(game, followed))] == [False]


def test_minimax_marks_the_card_just_sown_and_the_last_drop() -> None:
    svg = picture(*play("minimax", "sow d Y1, B2 on R3, B1"))
    drop, sown = sorted(marks(svg), key=lambda mark: mark.width)
    assert sown.surrounds(piece(svg, "sow d"))
    assert piece(svg, "sow b").surrounds(drop)


def test_a_tree_that_was_sown_whole_is_marked_as_the_pyramids_it_broke_into() -> None:
    svg = picture(
        *play("minimax", "sow d Y1, B2 on R3, B1", "sow b Y2, G3, B1, R1 on R3/B2", "sow a Y3, G1 on Y2, R3/B2/R1")
    )
    assert sum(piece(svg, "sow d").surrounds(mark) for mark in marks(svg)) == 3


def test_trickery_marks_the_card_just_played_in_the_trick_and_in_the_last_one() -> None:
    for count in (1, 2, 3):
        game, position = play("martian-trickery", *[""] * count)
        view = game.view(position, Eye.PUBLIC)
        last = str(view.log[-1]["move"]).split()[-1]
        assert [mark.surrounds(card(drawn(view, 3), last, 1.1)) for mark in marks(drawn(view, 3))] == [True]


def test_montauk_marks_a_lead_that_lies_face_down_without_showing_it() -> None:
    game, position = play("montauk", "")
    svg = picture(game, position, game.to_move(position)[0])
    assert [mark.surrounds(card(svg, "back")) for mark in marks(svg)] == [True]


def test_montauk_marks_all_that_its_player_did_since_the_other_moved() -> None:
    position: Any
    for game, position in islice(played("montauk", {"rounds": 2}), 30):
        log: Any = game.log(position, Eye.PUBLIC)
        if [entry["phase"] for entry in log[-3:]] == ["follow", "spend", "lead"]:
            break
    ends = set(re.findall(r"\d|off", str(log[-2]["move"])))
    # The lead lies in its place, the card that followed among those shown in the round.
    assert len(marks(picture(game, position))) == len(ends) + 2


def test_a_touch_goes_through_the_marks() -> None:
    svg = picture(*play("martian-whist", "take 3"))
    assert svg.count('class="last"') == svg.count('pointer-events="none"') == 2


@pytest.mark.parametrize(("key", "options"), PLAYED)
def test_frames_are_where_the_next_move_is_made_whoever_looks(key: str, options: dict[str, object]) -> None:
    for game, position in played(key, options):
        view = game.view(position, Eye.PUBLIC)
        if not view.to_move:
            assert frames(drawn(view, game.seats[0])) == []
        elif key != "minimax":
            assert frames(drawn(view, game.seats[0]))
            waiting = view.__class__(**{name: getattr(view, name) for name in view.__slots__} | {"to_move": ()})
            assert len(frames(drawn(waiting, game.seats[0]))) < len(frames(drawn(view, game.seats[0])))


@pytest.mark.parametrize(("key", "options"), PLAYED)
def test_a_picture_says_in_words_what_it_marks(key: str, options: dict[str, object]) -> None:
    *_before, (game, position) = islice(played(key, options), 4)
    log: Any = game.log(position, Eye.PUBLIC)
    assert "Last move: " in picture(game, position)
    assert drawing_for(key).tell(log[-1], NAMES).split()[-1] in picture(game, position)
