"""No byte that a seat is sent or shown depends on what it may not know (the law of hidden information).

At every point of a match, what the viewer cannot see is exchanged for something else; whatever the viewer is
shown, mailed or told must stay the same, byte for byte.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from emails.composing.compose import compose
from pbem.db.models import OutboxMessage, SeatHolder
from pbem.games import Chance, Eye, GameError, Seat
from pbem.games.chain import EventEntry, MoveEntry
from pbem.games.record import replay
from pbem.play.matches import previews
from pbem.play.matches.match_state import first_position, replay_log
from pbem.play.matches.seats import holders
from pbem.play.matches.views import MatchNotOverError, player_names, render_view, view_for
from pbem.play.notifications import outbox
from tests.support.play.secrecy import NOW, bytes_of, exchanged, stages

if TYPE_CHECKING:
    from pbem.games.chain import Entry
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch
    from tests.support.house import House
ANSWERS = ("turn", "receipt", "rejected", "stale", "wrong sender", "board", "help", "resign?", "offer", "begun")
SAID = {
    "played": "something",
    "line": "a line",
    "reason": "A reason.",
    "sender": "m@example.net",
    "by": "Bob",
    "offer": "draw",
    "detail": {},
    "confirm": "x",
}


def told(course: LoadedMatch, seat: Seat) -> list[str]:
    """Ask the rules about everything that a person might type, and keep what they say."""
    said = []
    for text in [*(f"{word} {card}" for word in ("play", "swap") for card in range(10)), "stay", "nonsense"]:
        try:
            said.append(str(previews.preview(course, seat, text, ("Ann", "Bob", "Cyd"))))
        except GameError as refused:
            said.append(str(refused))
    return said


def mailed(ctx: Context, course: LoadedMatch, holder: SeatHolder, kinds: tuple[str, ...]) -> list[bytes]:
    facts = outbox.position_facts(ctx, course, holder) | SAID
    facts |= {"seat": holder.seat, "name": holder.name, "game": course.match.game, "match": course.match.id}
    facts |= {"head": "0" * 64, "commitment": "0" * 64, "public": True, "key": "gone"}
    row = {"match_id": course.match.id, "holder_id": holder.id, "ply": 1, "recipient": holder.email}
    row |= {"id": 1, "message_id": "<one@games.localhost>", "created_at": NOW, "render_data": facts}
    return [compose(ctx, OutboxMessage(kind=kind, **row)).raw for kind in kinds]


def test_nothing_shown_mailed_or_told_to_a_seat_depends_on_hidden_cards(house: House) -> None:
    exchanges = 0
    for table, course in stages(house, "middle-card", 3, {}, 20):
        names = player_names(table, course.match)
        for holder in holders(table, course.match):
            seat = Seat(holder.seat)
            other = exchanged(course, seat)
            exchanges += other.position != course.position
            assert bytes_of(render_view(course, seat, names)) == bytes_of(render_view(other, seat, names))
            if course.match.to_move:
                assert told(course, seat) == told(other, seat)
            kinds = ANSWERS if seat in course.match.to_move else ("receipt", "stale", "board", "help", "begun")
            assert mailed(table, course, holder, kinds[:4]) == mailed(table, other, holder, kinds[:4])
    assert exchanges > 20


@pytest.mark.parametrize("kind", ANSWERS)
def test_no_kind_of_mail_tells_a_hidden_card(house: House, kind: str) -> None:
    for number, (table, course) in enumerate(stages(house, "middle-card", 3, {"swap": False}, 3)):
        if number == 2:
            holder = next(each for each in holders(table, course.match) if each.seat in course.match.to_move)
            other = exchanged(course, Seat(holder.seat))
            assert other.position != course.position
            assert mailed(table, course, holder, (kind,)) == mailed(table, other, holder, (kind,))


def test_the_public_sees_nothing_that_depends_on_any_hand(house: House) -> None:
    for table, course in stages(house, "middle-card", 3, {}, 20):
        names, other = player_names(table, course.match), exchanged(course, Eye.PUBLIC)
        seen = render_view(course, Eye.PUBLIC, names)
        assert bytes_of(seen) == bytes_of(render_view(other, Eye.PUBLIC, names))
        assert (seen["seat"], seen["moves"], seen["board"]["hand"]) == (None, [], None)


def test_martian_whist_tells_nothing_by_its_facts(house: House) -> None:
    for table, course in stages(house, "martian-whist", 2, {"sets": 2}, 8):
        for holder in holders(table, course.match):
            other = exchanged(course, Seat(holder.seat))
            facts = [outbox.position_facts(table, each, holder) for each in (course, other)]
            assert bytes_of(facts[0]) == bytes_of(facts[1])


def test_a_sealed_card_is_in_no_mail_to_another_seat_before_it_is_shown(house: House) -> None:
    match_id = house.start_match("middle-card", 3, {"swap": False})
    house.reply(house.last("Ann"), house.legal(match_id, 1)[0])
    for name in ("Bob", "Cyd"):
        house.mails(name)
    house.reply(house.every_mail[-1], "board")
    assert "Ann has sealed a card." in house.only("Cyd").text


def test_the_open_cards_are_refused_while_a_match_runs_and_shown_when_it_is_over(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    with house.course(match_id) as (_, course), pytest.raises(MatchNotOverError, match="open when the match is over"):
        view_for(course, Eye.OPEN)
    house.reply(house.last("Ann"), "resign yes")
    with house.course(match_id) as (_, course):
        assert view_for(course, Eye.OPEN).board["hand_sizes"] == [3, 3, 3]


# -- looking before moving -----------------------------------------------------------------------------


def test_a_preview_tells_nothing_of_a_move_that_uncovers_something(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    with house.course(match_id) as (_, course):
        swap = previews.preview(course, Seat(1), house.legal(match_id, 1)[0], ("Ann", "Bob", "Cyd"))
        assert (swap.view, swap.news, swap.outcome) == (None, (), None)
        stay = previews.preview(course, Seat(1), " STAY. ", ("Ann", "Bob", "Cyd"))
        assert stay.move == "stay"
        assert stay.view
        assert stay.view["board"]["hand"] == render_view(course, Seat(1), ("Ann", "Bob", "Cyd"))["board"]["hand"]
        assert [entry["move"] for entry in stay.news] == ["stay"]
        assert house.match(match_id).log_length == 0


def test_pieces_are_followed_as_far_as_they_can_be(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    with house.course(match_id) as (_, course):
        start = previews.follow_pieces(course, Seat(1), [])
        assert (start.text, start.complete) == ("", False)
        assert "stay" in start.pieces
        whole = previews.follow_pieces(course, Seat(1), ["stay", "stay"])
        assert (whole.chosen, whole.pieces, whole.complete) == (("stay",), (), True)
        assert previews.follow_pieces(course, Seat(1), ["fly"]).chosen == ()


def test_pieces_that_are_done_though_they_could_go_on(house: House) -> None:
    match_id = house.start_match("martian-trickery", 3)
    with house.course(match_id) as (_, course):
        seat = Seat(course.match.to_move[0])
        chosen: tuple[str, ...] = ()
        while "." not in (pieces := course.game.steps(course.position, seat, chosen)) and pieces:
            chosen = (*chosen, pieces[0])
        if pieces:
            done = previews.follow_pieces(course, seat, [*chosen, ".", "more"])
            assert (done.chosen[-1], done.pieces, done.complete) == (".", (), True)
            assert course.game.read(course.position, seat, done.text)


# -- taken back ----------------------------------------------------------------------------------------


def test_a_course_with_moves_taken_back_forgets_their_turns(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    with house.course(match_id) as (_, course):
        hand = course.game.view(course.position, Seat(2)).board["hand"]
        assert isinstance(hand, list)
        first, second = MoveEntry(1, 1, "stay", "", ""), MoveEntry(3, 2, f"play {hand[1]}", "", "")
        log: list[Entry] = [
            first,
            MoveEntry(2, 2, f"play {hand[0]}", "", ""),
            EventEntry("taken_back", None, "table", {"from": 2}, "", ""),
            second,
        ]
        after = replay_log(course.match, log)
        assert after.turns == ((1, 1), (2, 2))
        straight = [first, replace(second, ply=2)]
        assert after.position == replay_log(course.match, straight).position
        game, chance, start = first_position(course.match)
        assert [step.entry for step in replay(game, start, log, chance)] == log
        assert isinstance(chance, Chance)


def test_a_match_that_has_not_begun_has_no_course(house: House) -> None:
    match_id = house.make("minimax", 1)
    with pytest.raises(ValueError, match="has not begun"), house.course(match_id):
        pass


def test_what_a_mail_was_made_of_is_kept_for_its_own_seat_alone(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    house.deliver()
    for seat, facts in house.rows(
        select(SeatHolder.seat, OutboxMessage.render_data).join(OutboxMessage.holder).where(OutboxMessage.ply > 0)
    ):
        with house.course(match_id) as (_, course):
            own = view_for(course, Seat(seat)).board["hand"]
        assert own
        assert facts["view"]["board"]["hand"] == own
