"""Sentences are broken so that no line is a move: each has a word that no game knows."""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emails.content.safe_wrapping import LINE_WIDTH, MOVE_WORDS, extract_words, is_not_a_move, wrap_text
from pbem.games import GAMES, InvalidMove
from pbem.i18n import LANGUAGES, _, use_locale
from tests.support.play.matches.mail_facts import turns

if TYPE_CHECKING:
    from collections.abc import Sequence

FOREIGN = ("reply", "also", "auch", "antworte", "where", "your", "Bob", "beats", "follows", "Zug", "Karte")
TYPED = [*sorted(MOVE_WORDS), "KH", "QD,", "R3/G2/R1", "4", "on", "a2-a3", "|", "x", "a1", "6-off"]


def flat(lines: Sequence[str]) -> str:
    return " ".join(" ".join(lines).split())


def test_a_sentence_fills_its_lines() -> None:
    sentence = "The second of the pyramids that stand there is yours. " * 3
    lines = wrap_text(sentence, MOVE_WORDS)
    assert flat(lines) == sentence.strip()
    assert all(len(line) <= LINE_WIDTH for line in lines)
    assert all(len(f"{line} {after.split()[0]}") > LINE_WIDTH for line, after in pairwise(lines))


def test_lines_below_a_point_stand_in_as_far_as_it() -> None:
    lines = wrap_text("Somebody did something. " * 6, MOVE_WORDS, "  * ")
    assert lines[0].startswith("  * Somebody")
    assert len(lines) > 1
    assert all(line[:4] == " " * 4 != line[4:8] for line in lines[1:])


def test_what_is_glued_together_is_not_broken() -> None:
    glued = "hands\N{NO-BREAK SPACE}KH\N{NO-BREAK SPACE}QD"
    lines = wrap_text(f"{'Nobody ' * 9}sees {glued} before", MOVE_WORDS)
    assert lines[1] == "hands KH QD before"


def test_a_move_at_the_end_takes_words_from_the_line_before() -> None:
    lines = wrap_text("What you may play in this position is one of these, or else you may pass: take 7", MOVE_WORDS)
    assert lines == ("What you may play in this position is one of these, or else you", "may pass: take 7")


def test_a_long_list_goes_on_with_a_word() -> None:
    lines = wrap_text(f"Your hand: {', '.join(['KH'] * 40)}", MOVE_WORDS)
    assert [line.split()[0] for line in lines] == ["Your", "also", "also"]
    assert flat(lines).count("KH") == 40
    assert all(len(line) <= LINE_WIDTH for line in lines)


def test_a_first_line_is_as_long_as_it_must_be() -> None:
    moves = " ".join(["KH"] * 30)
    assert wrap_text(f"{moves} are held, and that is all there is", MOVE_WORDS) == (
        f"{moves} are", "held, and that is all there is",
    )  # fmt: skip
    assert wrap_text(moves, MOVE_WORDS) == (moves,)
    assert wrap_text("", MOVE_WORDS) == ()


@settings(deadline=None)
@given(st.lists(st.sampled_from([*TYPED, *FOREIGN]), max_size=80), st.sampled_from(sorted(LANGUAGES)))
def test_every_line_has_a_word_that_is_in_no_move(words: list[str], language: str) -> None:
    with use_locale(language):
        assert is_not_a_move(_("also"), MOVE_WORDS)
        lines = wrap_text(" ".join(words), MOVE_WORDS)
    assert all(is_not_a_move(line, MOVE_WORDS) for line in lines) or not is_not_a_move(" ".join(words), MOVE_WORDS)
    kept = [word for line in lines for word in line.split()]
    assert [word for word in kept if word not in {"also", "auch"}] == [w for w in words if w not in {"also", "auch"}]


def test_hashes_are_no_moves() -> None:
    assert is_not_a_move("00" * 32, MOVE_WORDS)
    assert not is_not_a_move("KH QD take 7", MOVE_WORDS)


@pytest.mark.parametrize("key", GAMES)
def test_the_words_of_moves_are_known_and_others_refused_wherever_they_stand(key: str) -> None:
    game = GAMES[key]
    for _deal, _before, turn in islice(turns(key), 60):
        # The words of games that are installed besides are known from the moves that their mails name.
        listed = (
            extract_words([*islice(game.moves(turn.before, turn.seat), 5)])
            if game.key == "middle-card"
            else frozenset()
        )
        assert extract_words([turn.move]) <= MOVE_WORDS | listed
        pieces = turn.move.split()
        for word in FOREIGN:
            for at in range(len(pieces) + 1):
                line = " ".join([*pieces[:at], word, *pieces[at:]])
                with pytest.raises(InvalidMove):
                    game.read(turn.before, turn.seat, line)
