"""Montauk's moves by its rulebook: which spendings are legal, and all the ways to write a move."""

from __future__ import annotations

from itertools import permutations
from time import process_time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games import Chance, IllegalMove, InvalidMove, Move, Seat
from pbem.games.montauk import track as tracks
from tests.support.examples import examples
from tests.support.games.montauk_play import EXAMPLE, GAME, ONE, TWO, after_moves, spending

if TYPE_CHECKING:
    from pbem.games.montauk.track import Track, Values

# -- Legality of spends ------------------------------------------------------------------------------------


def by_trying_everything(track: Track, values: Values) -> set[str]:
    """Spend the values one by one in every order, as the rule is worded."""
    found = set()

    def spend(now: Track, left: Values, steps: tuple[tuple[int, int], ...]) -> None:
        if not left or not any(now):
            found.add(tracks.format_steps(sorted(steps, reverse=True)))
            return
        for spot in range(1, 7):
            if now[spot - 1]:
                step = (spot, max(0, spot - left[0]))
                spend(tracks.move_pyramid(now, step), left[1:], (*steps, step))

    for order in set(permutations(values)):
        spend(track, order, ())
    return set(found)


TRACKS = st.lists(st.integers(1, 6), min_size=1, max_size=6).map(lambda on: tuple(map(on.count, range(1, 7))))
VALUES = st.one_of(
    st.sets(st.integers(1, 6), min_size=2, max_size=2).map(lambda pair: tuple(sorted(pair))),
    st.tuples(st.integers(1, 6), st.sampled_from([1, 4, 6])).map(lambda times: times[:1] * times[1]),
)


@given(TRACKS, VALUES)
@settings(max_examples=examples(60), deadline=None)
def test_spendings_are_those_of_trying_everything(track: Track, values: Values) -> None:
    found = tracks.spendings(track, values)
    assert len(found) == len(set(found))
    assert set(found) == by_trying_everything(track, values)
    for move in found:
        steps = tracks.parse_steps(move)
        assert tracks.format_steps(steps) == move
        now = track
        for step in steps:
            assert now[step[0] - 1] > 0
            now = tracks.move_pyramid(now, step)
        assert now == tracks.after_spending(track, move)


def test_values_left_over_are_lost_only_with_an_empty_track() -> None:
    assert set(tracks.spendings((0, 0, 0, 0, 1, 0), (1, 6))) == {"5-off", "5-4 4-off"}
    assert set(tracks.spendings((1, 0, 0, 0, 0, 0), (6,) * 6)) == {"1-off"}


def test_higher_spots_need_not_be_empty_and_a_pyramid_may_move_twice() -> None:
    assert "3-off" in tracks.spendings((0, 0, 1, 0, 0, 1), (3,))
    assert "6-4 4-1" in tracks.spendings((0, 0, 0, 0, 0, 2), (2, 3))


# -- Move grammar ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "3S",
        "3s",
        " lead  3 ♠ ",
        "LEAD THE three of spades",
        "play 3♠\ufe0f",
        "follow with 3-spades",
        "- 3S",
        "1. 3s.",
        "Pik Drei",
    ],
)
def test_ways_to_type_a_card(text: str) -> None:
    assert GAME.read(after_moves(0), ONE, text) == "3S"


@pytest.mark.parametrize(
    "text",
    [
        "6-3 2-off", "2-off 6-3", "6-3,2-0", "6 - 3; 2 - x", "6/3 2>o", "move 6→3, 2→off", "SPEND 2–OFF 6—3!",
        "6-3x1 2-x*1", "6 to 3 and 2 to off", "2) 6-3, 2-off,", "play 6-3 2-OFF", "6-3 × 1 2-off",
    ],
)  # fmt: skip
def test_ways_to_type_steps(text: str) -> None:
    assert GAME.read(after_moves(2), TWO, text) == "6-3 2-off"


@pytest.mark.parametrize("text", ["3-offx4", "3-x*4", "3-xx4", "3-0X4", "3-ox2 3-off 3/0", "3-offx2 3-offx2"])
def test_ways_to_type_the_same_step_again(text: str) -> None:
    assert GAME.read(spending((0, 0, 6, 0, 0, 0), (3,) * 4), TWO, text) == "3-off 3-off 3-off 3-off"


@pytest.mark.parametrize(
    "text", ["", "6-43-off", "6-x2", "spend", "QD", "6-3 QD", "7-4", "6-3x0", "6", "hi", "6-3 2-off 9H"]
)
def test_what_has_the_form_of_no_spending(text: str) -> None:
    with pytest.raises(InvalidMove):
        GAME.read(after_moves(2), TWO, text)


@pytest.mark.parametrize("text", ["", "6-3", "lead", "3S QS", "1S", "S", "3X", "3", "play", "3S\n8C"])
def test_what_has_the_form_of_no_card(text: str) -> None:
    with pytest.raises(InvalidMove):
        GAME.read(after_moves(0), ONE, text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("3-5 2-off", "“3-5” does not go down. Write one step for each value to use (3 and 6), for example: "),
        ("QD", "That is not a list of steps. Write one step for each value to use (3 and 6), for example: "),
    ],
)
def test_reasons_for_no_spending(text: str, reason: str) -> None:
    with pytest.raises(InvalidMove) as wrong:
        GAME.read(after_moves(2), TWO, text)
    assert str(wrong.value).startswith(reason)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("6-3", "Use all values while you have pyramids on your track: 3 and 6, one step for each."),
        ("6-3 6-off", "There are not enough pyramids on 6 for “6-off”."),
        ("4-1 6-off", "There is no pyramid on 4 for “4-1”."),
        ("5-2 5-2", "“5-2” uses up a 3, but the values to use are 3 and 6, each once."),
        ("6-5 2-off", "“6-5” uses up a 1, but the values to use are 3 and 6, each once."),
        ("5-off 5-off", "“5-off” uses up a 5 or more, but the values to use are 3 and 6, each once."),
        ("6-3 2-off 1-off", "That is too many steps: the values to use are 3 and 6, one step for each."),
    ],
)
def test_reasons_against_a_spending(text: str, reason: str) -> None:
    position = after_moves(2)
    with pytest.raises(IllegalMove) as wrong:
        GAME.read(position, TWO, text)
    said = str(wrong.value)
    assert said.startswith(f"{reason} Possible: “")
    near = said.removeprefix(f"{reason} Possible: ").rstrip(".").replace("“", "").replace("”", "").split(", ")
    assert len(near) == 3
    assert all(GAME.allows(position, TWO, Move(move)) for move in near)


def test_the_nearest_possibilities_come_first() -> None:
    with pytest.raises(IllegalMove, match="Possible: “6-3 "):
        GAME.read(after_moves(2), TWO, "6-3 6-off")


def test_repeated_values_are_counted_in_words() -> None:
    with pytest.raises(IllegalMove, match=r"Use all values .*: 3 \(4 times\), one step"):
        GAME.read(spending((0, 0, 6, 0, 0, 0), (3,) * 4), TWO, "3-off")


def test_a_card_that_is_not_held() -> None:
    with pytest.raises(IllegalMove, match=r"You do not hold AC\. You can play: 3S TS 9H JD 3C 8C\."):
        GAME.read(after_moves(0), ONE, "ace of clubs")
    with pytest.raises(InvalidMove, match=r"one card of your hand: 3S TS 9H JD 3C 8C\."):
        GAME.read(after_moves(0), ONE, "6-4")


def test_apply_takes_canonical_text_alone() -> None:
    with pytest.raises(IllegalMove, match="Write this move as “6-3 2-off”"):
        GAME.apply(after_moves(2), TWO, Move("2-off 6-3"), Chance(EXAMPLE))
    with pytest.raises(IllegalMove, match="not a list of steps"):
        GAME.apply(after_moves(2), TWO, Move("QD"), Chance(EXAMPLE))


def test_steps_of_cards_are_the_hand() -> None:
    position = after_moves(0)
    assert GAME.steps(position, ONE, ()) == tuple(GAME.moves(position, ONE))
    assert GAME.steps(position, ONE, ("3S",)) == ()
    assert GAME.steps(position, TWO, ()) == ()


@given(TRACKS, VALUES)
@settings(max_examples=examples(25), deadline=None)
def test_steps_reach_every_spending_and_nothing_else(track: Track, values: Values) -> None:
    position = spending(track, values)
    reached = set()
    seen = set()
    paths: list[tuple[str, ...]] = [()]
    while paths:
        chosen = paths.pop()
        pieces = GAME.steps(position, TWO, chosen)
        if not pieces:
            reached.add(GAME.read(position, TWO, " ".join(chosen)))
        for piece in pieces:
            # The order of steps never matters: one path to each choice is enough.
            path = tuple(sorted((*chosen, piece)))
            if path not in seen:
                seen.add(path)
                paths.append(path)
    assert reached == set(GAME.moves(position, TWO))


def test_steps_offer_only_pyramids_that_stand_there() -> None:
    position = spending((0, 0, 0, 0, 0, 1), (2, 3))
    assert GAME.steps(position, TWO, ()) == ("6-4", "6-3")
    assert GAME.steps(position, TWO, ("6-4",)) == ("4-1",)
    assert GAME.steps(position, TWO, ("6-4", "4-1")) == ()
    assert GAME.steps(position, TWO, ("5-4",)) == ()


AS_TYPED = st.one_of(
    st.text(max_size=60),
    st.text("0123456789-/>xX*o,; offmvespndlaykQKTSHDC♠♥→–×½.", max_size=60),
    st.text("123456-x off", max_size=1100),
)


@given(AS_TYPED, st.sampled_from([0, 1, 2, 3, 6, 15, 16]))
@settings(max_examples=examples(300), deadline=None)
def test_any_text_is_a_move_or_a_reason(text: str, count: int) -> None:
    position = AT[count]
    for seat in (ONE, TWO):
        start = process_time()
        said = ""
        try:
            move = GAME.read(position, seat, text)
        except (InvalidMove, IllegalMove) as wrong:
            said = str(wrong)
        else:
            assert GAME.allows(position, seat, move)
            assert GAME.read(position, seat, move) == move
        # Of this process alone, and far from what it takes: the machine may be busy with other things.
        assert process_time() - start < 1
        assert len(said) < 400


AT = {count: after_moves(count) for count in (0, 1, 2, 3, 6, 15, 16)}


# -- Typed ahead -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["TC", "tc", "lead TC", "lead with the ten of clubs", "10♣", "Kreuz Zehn."])
def test_a_card_that_is_held_is_a_lead_typed_ahead_of_a_spending(text: str) -> None:
    spends = after_moves(2)
    assert spends.phase == "spend"
    assert GAME.ahead(spends, TWO, text) == "TC"


@pytest.mark.parametrize(("seat", "text"), [(ONE, "TC"), (TWO, "9H"), (TWO, "QS"), (TWO, "5-2 1-off"), (TWO, "hello")])
def test_what_is_no_card_of_who_spends_is_no_lead_typed_ahead(seat: Seat, text: str) -> None:
    assert GAME.ahead(after_moves(2), seat, text) is None


@pytest.mark.parametrize("count", [0, 1])
def test_a_card_is_typed_ahead_of_nothing_but_a_spending(count: int) -> None:
    position = after_moves(count)
    for seat in (ONE, TWO):
        assert all(GAME.ahead(position, seat, card) is None for card in position.hands[seat - 1].value)
