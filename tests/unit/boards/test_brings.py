"""What a move is said to bring, against what it brings when it is played."""

from itertools import pairwise
from typing import Any

import pytest

from pbem.boards import drawing_for
from pbem.games import Eye
from tests.support.boards.laws import played

NAMES = ("You", "Bob", "Cyd")


@pytest.mark.parametrize("options", [{"hands": 1}, {"hands": 1, "prizes": "two-stash"}])
def test_a_card_that_is_said_to_win_the_trick_wins_it(options: dict[str, object]) -> None:
    drawing, said = drawing_for("martian-trickery"), set()
    steps = list(played("martian-trickery", options))
    for (game, before), (_, after) in pairwise(steps):
        (seat,) = game.to_move(before)
        entry = game.log(after, Eye.PUBLIC)[-1]
        assert isinstance(entry, dict)
        names = tuple("You" if number == seat else "Bob" for number in (1, 2, 3))
        lines = drawing.brings(game.board(before, seat), names, seat, str(entry["move"]))
        wins = entry.get("winner") == seat
        assert lines[0].startswith("This wins the trick and the ") == wins
        if "winner" in entry and not wins:
            assert lines[0].startswith("Bob wins the trick")
        said.add(lines[0].split(" ")[0])
    assert said == {"You", "This", "Bob", "It"}


def test_a_lead_says_what_the_haul_would_be_worth() -> None:
    game, position = next(played("martian-trickery", {"hands": 1}))
    (seat,) = game.to_move(position)
    move = next(game.moves(position, seat))
    lead, gain = drawing_for(game.key).brings(game.board(position, seat), NAMES, seat, move)
    assert lead.startswith("You would lead the ")
    assert lead.endswith("while they have any.")
    assert gain.endswith("would be worth one point; now it is no points.")


def test_the_suits_that_a_card_beats_decide_the_trick() -> None:
    drawing, seen = drawing_for("montauk"), set()
    steps = list(played("montauk", {"rounds": 2}))
    for (game, before), (_, after) in pairwise(steps):
        (seat,) = game.to_move(before)
        board = game.board(before, seat)
        entry = game.log(after, Eye.OPEN)[-1]
        assert isinstance(entry, dict)
        lines = drawing.brings(board, ("You", "Bob"), seat, str(entry["move"]))
        seen.add(str(board["phase"]))
        if board["phase"] == "follow":
            told: list[Any] = game.log(after, Eye.OPEN)
            led = next(one for one in reversed(told) if one["phase"] == "lead")["move"]
            suit = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}[led[1]]
            assert (suit in lines[0].partition(", this wins")[0]) == (entry["winner"] == seat)
            assert (suit in lines[0].partition("against")[2]) == (entry["winner"] != seat)
        elif board["phase"] == "lead":
            assert lines[0].startswith("It would lie face down.")
        else:
            home = str(entry["move"]).count("-off")
            assert bool(lines) == (home > 0)
    assert seen >= {"lead", "follow", "spend"}


def test_the_last_pyramid_empties_the_track() -> None:
    board = {"to_use": [1], "tracks": [{"off": 5}, {"off": 0}], "phase": "spend"}
    drawing = drawing_for("montauk")
    assert drawing.brings(board, NAMES[:2], 1, "1-off") == ("This empties your track.",)
    assert drawing.brings(board, NAMES[:2], 2, "1-off") == (
        "This brings one pyramid to the vault, one pyramid in all.",
    )
    assert drawing.brings(board, NAMES[:2], 2, "2-1") == ()
