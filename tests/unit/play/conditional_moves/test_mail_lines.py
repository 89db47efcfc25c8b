"""No line of any mail reads as a move of whoever gets it, nor does any word that is a command.

The letters are composed as the service does it, for positions that random play reaches.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from pbem.games import GAMES, Chance, Game, Move, Seat
from pbem.games.typed_text import fold
from pbem.play.inbox import commands
from tests.support.games.random_play import typed
from tests.support.play.conditional_moves.mail_lines import is_move, joinings, readable
from tests.support.play.matches.mail_facts import TURNS, config, every_game, every_language, found_in_letters, turns

if TYPE_CHECKING:
    from pbem.config import Config

__all__ = ["config"]
PLACES = ("a", "4", "c3", "9H", "R1", "R3/G2/R1", "7", "6-4", "card a", "take 7", "vault", "all", "yes", "match")


@every_language
@every_game
def test_no_line_of_a_mail_reads_as_a_move(config: Config, key: str, language: str) -> None:
    letters, found = found_in_letters(config, key, language, TURNS, 3)
    assert letters >= TURNS * 3
    assert not found


@every_game
def test_no_command_is_a_move(key: str) -> None:
    """Each word is read at every turn, and with each place behind it at every third."""
    game = GAMES[key]
    for number, (_, _, turn) in enumerate(islice(turns(key), 2 * TURNS)):
        places = PLACES[number % 3 :: 3]
        for word, command in commands.by_words().items():
            behind = [turn.move, *places] if command.accepts_text else []
            for text in (word, word.upper(), f"{word} yes", f"- {word}", *(f"{word} {it}" for it in behind)):
                assert not is_move(game, turn.before, turn.seat, text)


def test_a_full_stop_behind_a_command_changes_nothing() -> None:
    assert all(fold(f"{word}.") == fold(word) for word in commands.by_words())


@every_game
def test_no_move_is_a_command(key: str) -> None:
    for _, _, turn in islice(turns(key), 10 * TURNS):
        # Such as a person types it, and with the pieces as they are chosen one by one.
        for text in (turn.move, turn.move.lower(), f"{turn.move}.", typed(turn.chosen), *turn.chosen):
            assert commands.parse([text]) is None


def test_no_word_stands_for_two_commands() -> None:
    words = [
        word for one in commands.by_name().values() for word in {word for few in one.words.values() for word in few}
    ]
    assert len(words) == len(set(words)) == len(commands.by_words())
    assert all(word == commands.fold(word) for word in words)
    assert all(set(one.words) == {"en", "de"} for one in commands.by_name().values())


def test_a_line_that_is_a_move_is_found_however_it_is_quoted() -> None:
    game: Game[Any] = GAMES["martian-whist"]
    position = game.setup(2, {}, Chance(bytes(32)))
    for line in ("take 7", "> take 7", ">> take 7", "  * take 7", "hello\n> take\n> 7"):
        assert readable(game, position, Seat(1), line.splitlines())
    assert not readable(game, position, Seat(2), ["take 7"])
    assert not readable(game, position, Seat(1), ["take", "", "7 pyramids"])
    assert list(joinings(["a", "b", "", "c"])) == ["a", "a\nb", "b", "c"]
    assert max(text.count("\n") for text in joinings(["x"] * 20)) == 8
    assert Move("take 7") in game.moves(position, Seat(1))
