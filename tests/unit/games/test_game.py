"""The engine contract: what every game gets from its base, shown with the smallest game there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem import games
from pbem.games import (
    GAMES,
    Eye,
    GameError,
    IllegalMove,
    InvalidMove,
    Move,
    OptionError,
    Outcome,
    Phrase,
    find,
)  # fmt: skip
from tests.support.games.game import CHANCE, COUNTING, ONE, START, TWO, Counted, Counting

if TYPE_CHECKING:
    from pathlib import Path
OVER = Counted((1, 3, 2), 3)


class TestSettle:
    def test_defaults_complete_what_is_chosen(self) -> None:
        assert COUNTING.settle(2, {}) == {"most": 3, "loud": False}
        assert COUNTING.settle(3, {"loud": True}) == {"most": 3, "loud": True}

    @pytest.mark.parametrize("seats", [1, 4, 0, True, 2.0])
    def test_a_wrong_number_of_seats(self, seats: int) -> None:
        with pytest.raises(OptionError, match=r"Counting is for 2 to 3 players\."):
            COUNTING.settle(seats, {})

    @pytest.mark.parametrize(("key", "said"), [("minimax", "one player"), ("martian-whist", "2 players")])
    def test_games_for_one_number_of_seats_say_it(self, key: str, said: str) -> None:
        with pytest.raises(OptionError, match=f"is for {said}"):
            GAMES[key].settle(7, {})

    def test_an_unknown_option(self) -> None:
        with pytest.raises(OptionError, match=r"Counting has no option “size”. Its options: most, loud\."):
            COUNTING.settle(2, {"size": 1})

    @pytest.mark.parametrize(("name", "value"), [("most", 4), ("most", "3"), ("most", 3.0), ("loud", 1), ("loud", 0)])
    def test_values_compare_by_type_too(self, name: str, value: object) -> None:
        with pytest.raises(OptionError, match=f"“{name}” cannot be “{value}”"):
            COUNTING.settle(2, {name: value})


class TestMoves:
    def test_allowed_is_what_is_listed(self) -> None:
        assert COUNTING.allows(START, ONE, Move("3"))
        assert not COUNTING.allows(START, ONE, Move("4"))
        assert not COUNTING.allows(START, TWO, Move("3"))

    def test_a_move_is_one_piece(self) -> None:
        assert COUNTING.steps(START, ONE, ()) == ("1", "2", "3")
        assert COUNTING.steps(START, ONE, ("2",)) == ()

    def test_some_legal_moves_are_suggested(self) -> None:
        assert COUNTING.suggest(Counted((), 250), ONE) == ("1", "2", "3")

    def test_reading(self) -> None:
        assert COUNTING.read(START, ONE, " 2. ") == "2"
        with pytest.raises(InvalidMove, match="A move is a number"):
            COUNTING.read(START, ONE, "two")
        with pytest.raises(IllegalMove, match="You cannot play “4” now"):
            COUNTING.read(START, ONE, "4")

    def test_out_of_turn(self) -> None:
        for position, said in ((START, r"It is not your turn\."), (OVER, r"The match is over\.")):
            with pytest.raises(IllegalMove, match=said):
                COUNTING.read(position, TWO, "2")
            with pytest.raises(IllegalMove, match=said):
                COUNTING.apply(position, TWO, Move("2"), CHANCE)


class TestView:
    def test_a_view_shows_the_viewers_own_moves(self) -> None:
        view = COUNTING.view(START, ONE)
        assert (view.game, view.viewer, view.to_move, view.outcome) == ("counting", ONE, (ONE,), None)
        assert (view.moves, view.moves_are_all) == (("1", "2", "3"), True)
        for viewer in (TWO, Eye.PUBLIC, Eye.OPEN):
            assert COUNTING.view(START, viewer).moves == ()

    def test_the_first_200_of_many_moves_are_shown(self) -> None:
        view = COUNTING.view(Counted((), 250), ONE)
        assert (view.moves, view.moves_are_all) == (tuple(str(number) for number in range(1, 201)), False)

    def test_a_view_when_it_is_over(self) -> None:
        view = COUNTING.view(OVER, ONE)
        assert view.outcome == Outcome((2, 3), (TWO,))
        assert (view.to_move, view.moves, view.moves_are_all) == ((), (), True)
        assert view.board == {"said": [1, 3, 2]}
        assert len(view.log) == 3


class TestWithoutSecrets:
    def test_there_is_nothing_to_exchange_or_reveal(self) -> None:
        assert COUNTING.exchange(START, ONE, bytes(32)) is START
        assert COUNTING.ahead(START, ONE, "2") is None
        assert not COUNTING.reveals(START, Move("1"), COUNTING.apply(START, ONE, Move("1"), CHANCE))


class TestFound:
    def test_games_are_found_by_key_and_edition(self) -> None:
        for key, game in GAMES.items():
            assert game.key == key
            assert find(key, game.edition) is game
        assert list(GAMES) == sorted(GAMES)

    def test_an_edition_that_is_not_installed(self) -> None:
        with pytest.raises(KeyError):
            find("martian-whist", 0)

    def test_installed_packages_add_games(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        installed = tmp_path / "counting-1.dist-info"
        installed.mkdir()
        (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: counting\nVersion: 1\n")
        (installed / "entry_points.txt").write_text(f"[pbem.games]\ncounting = {__name__}:Counting\n")
        monkeypatch.syspath_prepend(tmp_path)
        assert Counting in map(type, games._editions.__wrapped__().values())


class TestErrors:
    def test_a_sentence_keeps_its_pattern_and_parts(self) -> None:
        error = GameError("There is no tree {number}.", number=7)
        assert str(error) == "There is no tree 7."
        assert (error.pattern, error.parts) == ("There is no tree {number}.", {"number": 7})

    def test_a_phrase_is_said_in_english(self) -> None:
        assert str(Phrase("the {colour} one", colour=Phrase("red"))) == "the red one"

    def test_a_sentence_without_parts_is_taken_as_it_is(self) -> None:
        assert str(GameError("Not {so}.")) == "Not {so}."


def test_games_are_found_once_and_by_every_edition() -> None:
    assert games.GAMES is games.GAMES
    assert [find(key, game.edition) for key, game in games.GAMES.items()] == list(games.GAMES.values())
    with pytest.raises(KeyError):
        find("minimax", 0)
    with pytest.raises(AttributeError, match="no attribute CHESS"):
        games.CHESS  # noqa: B018 (asking for it is the test)
