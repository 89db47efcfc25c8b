"""Substitutes: nothing of the one reaches the other, and nothing is lost."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from pbem.db.models import (
    Deadline,
    LogEntry,
    Match,
    MatchSeat,
    OutboxMessage,
    Plan,
    Player,
    SeatHolder,
    Submission,
    Vote,
)
from pbem.games import Seat
from pbem.play.accounts import data_export, deletion
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import seat_changes
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.players import registry
from pbem.play.players.digest_schedule import DIGEST
from pbem.play.timeouts import nominations, substitutes, votes
from pbem.states import DeadlinePhase, MatchState, SubmissionStatus
from tests.support.clockwork import at, tick
from tests.support.house import NAMES, address, reply
from tests.support.play.deadlines.turn_deadlines import begun
from tests.support.play.players.reliability import ended
from tests.support.play.timeouts.lapses import DAY, HOUR, awake, is_robot, late, present, running, said

if TYPE_CHECKING:
    from tests.support.house import House


# -- what came too late ----------------------------------------------------------------------------


def test_what_somebody_sent_just_as_they_were_replaced_is_answered_and_not_played(house: House) -> None:
    match_id = running(house, "substitute")
    seat, ends = late(house)
    mail = house.last(NAMES[seat - 1])
    move = house.legal(match_id, seat)[0]
    with at(ends + DAY):
        # It is kept, and judged only after another one sits there.
        assert house.send(reply(mail, move).as_bytes(), mail.reply_to, address(mail.name)).code == 250
        with house.transaction() as ctx:
            match = lock_match(ctx, match_id)
            holder = next(one for one in holders(ctx, match) if one.seat == seat)
            seat_changes.seat_robot(ctx, match, holder, by="clock")
            plies = match.next_ply
            vote = ctx.session.scalars(select(Vote)).all()
            assert not vote
            with pytest.raises(Refused, match="You no longer have a seat in this match"):
                votes.cast(ctx, match, holder, "end")
        house.judge(match_id)
        (kept,) = house.all(select(Submission).where(Submission.status == SubmissionStatus.REJECTED))
        assert kept.reason == "Nothing changed: somebody else plays your seat now."
        told = house.mails(NAMES[seat - 1])
    assert "somebody else plays your seat now" in told[-1].flat
    assert not any("<img" in mail.html for mail in told)
    moves = house.all(select(LogEntry.move).where(LogEntry.ply >= plies, LogEntry.seat == seat))
    assert len(moves) <= 1


def test_what_waited_for_a_digest_is_not_sent_to_whoever_was_replaced(house: House) -> None:
    running(house, "substitute")
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(mail_frequency=DIGEST))
    seat, ends = late(house)
    tick(house, ends + 3 * DAY)
    tick(house, ends + 5 * DAY)
    waited = house.all(
        select(OutboxMessage).join(SeatHolder).where(SeatHolder.seat == seat, SeatHolder.leave_reason.is_not(None))
    )
    assert {notice.state for notice in waited if notice.finished_at and notice.finished_at > ends + 3 * DAY} <= {
        "dropped"
    }
    for mail in house.mails(NAMES[seat - 1])[-1:]:
        assert "The robot now plays for you" in mail.flat


# -- several at once -------------------------------------------------------------------------------


def test_several_seats_of_a_sealed_stage_are_late_and_each_is_played_on(house: House) -> None:
    match_id = begun(house, "middle-card", 3, "3 days", {"swap": False})
    awake(house)
    with house.transaction() as ctx:
        lock_match(ctx, match_id).timeout_policy = "vote"
    house.reply(house.last("Ann"), house.legal(match_id, 1)[0])
    _seat, ends = late(house)
    rows = house.all(select(Deadline).where(Deadline.phase == DeadlinePhase.REPLACEMENT).order_by(Deadline.seat))
    assert [row.seat for row in rows] == [2, 3]
    asked = house.last("Ann")
    # Each of the two may vote about the other; that one wants the same, or there is a tie, is the same.
    said(house, ends, asked, "vote wait 3")
    said(house, ends, asked, "vote robot 2")
    assert is_robot(house, 2)
    assert not is_robot(house, 3)
    said(house, ends, asked, "vote robot")
    assert is_robot(house, 3)
    assert len({present(house, seat).name for seat in (1, 2, 3)}) == 3
    while house.match(match_id).state == MatchState.RUNNING:
        tick(house, ends + 3 * DAY)
        if 1 in house.match(match_id).to_move:
            with at(ends + 3 * DAY):
                house.mails("Ann")
                newest = [mail for mail in house.every_mail if mail.name == "Ann"][-1]
                house.reply(newest, house.legal(match_id, 1)[0])
    ended = house.match(match_id).result
    assert ended
    assert ended["ending"] == "finished"


def test_a_bank_begins_anew_for_whoever_comes(house: House) -> None:
    match_id = running(house, "substitute")
    seat, ends = late(house)
    with house.transaction(ends) as ctx:
        ctx.session.execute(update(MatchSeat).values(bank_seconds=5))
        zoe = registry.get_or_create(ctx, {address("Zoe"): "Zoe"})[address("Zoe")]
        registry.mark_verified(ctx, address("Zoe"))
        substitutes.take_over(ctx, ctx.session.get_one(Match, match_id), seat, zoe)
    assert [place.bank_seconds for place in house.match_seats(match_id)] == [
        5 if one != seat else None for one in (1, 2)
    ]
    (row,) = house.all(select(Deadline))
    assert (row.seat, row.asked_at, row.phase, row.wait_votes) == (seat, ends, DeadlinePhase.RUNNING, 0)
    assert row.due_at > ends + 3 * DAY - HOUR


# -- who may come ----------------------------------------------------------------------------------


def test_a_table_for_the_reliable_is_for_no_other_newcomer_save_one_whom_its_host_names(house: House) -> None:
    ended(house, "Cyd", seats=3)
    match_id = running(house, "substitute")
    with house.transaction() as ctx:
        lock_match(ctx, match_id).min_reliability = 90
    seat, ends = late(house)
    with house.transaction(ends) as ctx:
        match = ctx.session.get_one(Match, match_id)
        cyd = registry.get_or_create(ctx, {address("Cyd"): "Cyd"})[address("Cyd")]
        with pytest.raises(Refused, match="This table is for players who finish at least 90%"):
            substitutes.take_over(ctx, match, seat, cyd)
        assert substitutes.take_over(ctx, match, seat, cyd, named=True).name == "Cyd"


def test_the_plan_of_whoever_is_replaced_is_gone(house: House) -> None:
    match_id = running(house, "substitute")
    (seat,) = house.match(match_id).to_move
    house.reply(house.last(NAMES[seat - 1]), "when I can: take 9")
    assert len(house.all(select(Plan))) == 1
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        holder = next(one for one in holders(ctx, match) if one.seat == seat)
        seat_changes.seat_robot(ctx, match, holder, by="clock")
    assert house.all(select(Plan)) == []


# -- what is theirs --------------------------------------------------------------------------------


def test_exports_hold_each_ones_own_part_and_votes_are_forgotten(house: House) -> None:
    match_id = running(house, "vote", 4, hands=2)
    seat, ends = late(house)
    voters = [name for name in NAMES if name != NAMES[seat - 1]][:2]
    said(house, ends, house.last(voters[0]), "vote wait")
    with house.transaction(ends + DAY) as ctx:
        match = lock_match(ctx, match_id)
        gone = next(one for one in holders(ctx, match) if one.seat == seat)
        zoe = registry.get_or_create(ctx, {address("Zoe"): "Zoe"})[address("Zoe")]
        newcomer = seat_changes.replace_holder(ctx, match, gone, zoe, address("Zoe"), by="operator")
        assert newcomer.name == "Zoe"
        (own,) = data_export.build(ctx, zoe.id)["matches"]
        assert own["text_for_the_deal"] is None
        assert own["moves"] == []
        voter = ctx.session.scalars(select(Player).where(Player.name == voters[0])).one()
        assert [vote["choice"] for vote in data_export.build(ctx, voter.id)["voted"]] == ["wait"]
        deletion.delete(ctx, voter)
        assert not ctx.session.scalars(select(Vote)).all()


# -- naming ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "email", "seat"),
    [
        ("Zoe zoe@example.org", "Zoe", "zoe@example.org", None),
        ("2 Zoe Zimt <zoe@example.org>", "Zoe Zimt", "zoe@example.org", 2),
        ("zoe@example.org", "Zoe", "zoe@example.org", None),
    ],
)
def test_whom_a_host_names_is_read(text: str, name: str, email: str, seat: int | None) -> None:
    assert nominations.parse(text) == (Invitee(name, email), seat)


def test_names_that_cannot_be_and_too_many_are_refused(house: House) -> None:
    match_id = running(house, "substitute", 4, public=False)
    (seat,) = house.match(match_id).to_move
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        host = next(one for one in holders(ctx, match) if one.seat != seat)
        match.host_id = host.player_id
    _seat, ends = late(house)
    with house.transaction(ends) as ctx:
        match = lock_match(ctx, match_id)
        host = next(one for one in holders(ctx, match) if one.player_id == match.host_id)

        def name(called: str, email: str) -> str:
            return nominations.nominate(ctx, match, host, Invitee(called, email))

        with pytest.raises(Refused, match="Enter a mail address"):
            name("Zoe", "nonsense")
        with pytest.raises(Refused, match="Enter a name for this player"):
            name(" ", "zoe@example.org")
        with pytest.raises(Refused, match="This person has or had a seat"):
            name("Bob", host.email)
        for number in range(nominations.MAX_PER_DAY):
            assert name("Zoe", f"zoe{number}@example.org") == "Zoe"
        with pytest.raises(Refused, match="You asked enough people"):
            name("Zoe", "zoe9@example.org")
        assert nominations.load_signed(ctx, "nothing") is None


# -- secrecy ---------------------------------------------------------------------------------------


def test_no_hand_reaches_whoever_left_or_whoever_may_come(house: House) -> None:
    match_id = running(house, "substitute", 4)
    seat, ends = late(house)
    house.mails(NAMES[seat - 1])
    with house.transaction(ends) as ctx:
        match = ctx.session.get_one(Match, match_id)
        shown = substitutes.public_facts(ctx, match)
        assert shown["view"]["seat"] is None
        assert shown["view"]["board"]["hand"] is None
    tick(house, ends + 3 * DAY)
    with house.course(match_id) as (_table, course):
        hand = course.game.view(course.position, Seat(seat)).board["hand"]
    told: Any = house.mails(NAMES[seat - 1])
    assert told
    assert isinstance(hand, list)
    for mail in told:
        # A token may hold any two letters.
        said = re.sub(r"\S+://\S+", "", mail.text)
        assert not re.search(rf"\b(?:{'|'.join(map(str, hand))})\b", said)
