"""What a table agrees on by mail: proposed, agreed to, refused, done once, and told to everybody."""

from __future__ import annotations

import pytest
from sqlalchemy import select, update

from pbem.db.models import ChatMessage, Deadline, LogEntry, Match, Offer, OutboxMessage, Player, SeatHolder, Submission
from pbem.games import find
from pbem.games.record import parse_record
from pbem.games.verify import verify
from pbem.play.archive import records
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import agreements
from pbem.play.lifecycle.agreements import Participant
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.states import DeadlinePhase, MatchState, SubmissionStatus
from tests.support.house import NAMES, House, reply
from tests.support.play.lifecycle.agreements import DAY, acts, begun, lead, moves, newest, says
from tests.support.play.players.robots import AS_ROBOT

# -- proposing, agreeing, refusing --------------------------------------------------------------------


def test_what_is_proposed_is_mailed_to_all_others_with_the_word_that_agrees(house: House) -> None:
    begun(house, "middle-card", 3)
    (passed,) = says(house, "Ann", "abandon")
    assert "You asked to abandon the match." in passed.flat
    assert "Bob and Cyd have yet to agree." in passed.flat
    asked = house.last("Bob")
    assert lead(asked).startswith("Ann proposes to abandon the match: it would end without a winner.")
    assert "To agree, reply “abandon” alone on the first line" in asked.flat
    assert f"/m/{asked.token}/agreements" in asked.text
    assert "The offer stands until somebody moves." in asked.flat
    (agreed,) = says(house, "Bob", "Abandon.")
    assert lead(agreed).startswith("You agreed. Cyd has yet to agree.")


def test_a_match_is_abandoned_when_all_agree(house: House) -> None:
    match_id = begun(house, "middle-card", 3)
    for name in ("Ann", "Bob"):
        says(house, name, "abandon")
        assert house.match(match_id).state == MatchState.RUNNING
    (final,) = says(house, "Cyd", "abbrechen")
    assert house.match(match_id).result == {"scores": None, "winners": [], "ending": "abandoned"}
    assert acts(house) == [("abandoned", None, "table", {})]
    assert "abandoned by all" in final.flat
    assert "In-Reply-To" in final.message
    assert house.all(select(Offer)) == []


def test_the_same_word_again_agrees_only_once(house: House) -> None:
    match_id = begun(house, "middle-card", 3)
    says(house, "Ann", "draw")
    (again,) = says(house, "Ann", "draw")
    assert "You already agreed. Bob and Cyd have yet to agree." in again.flat
    assert house.match(match_id).log_length == 0
    assert len([mail for mail in house.mails("Bob") if "offers a draw" in mail.text]) == 1


def test_no_refuses_what_is_proposed_and_its_proposer_is_told(house: House) -> None:
    match_id = begun(house, "middle-card", 3)
    says(house, "Ann", "draw")
    (answer,) = says(house, "Bob", "no")
    assert "You declined the draw. Ann has been told." in answer.flat
    assert lead(house.last("Ann")).startswith("Bob declined your draw offer.")
    (gone,) = says(house, "Cyd", "no")
    assert "Nobody reads" not in gone.flat
    (late,) = says(house, "Ann", "draw")
    assert "That was declined. You may ask again after the next move." in late.flat
    moves(house, match_id)
    (once_more,) = says(house, "Ann", "draw")
    assert "You offered a draw." in once_more.flat


def test_somebody_else_may_propose_what_was_refused_and_whoever_was_may_agree(house: House) -> None:
    match_id = begun(house, "middle-card", 3)
    says(house, "Ann", "draw")
    says(house, "Bob", "nein")
    (declined,) = house.all(select(Offer))
    assert (declined.declined_at is None, declined.proposed_by) == (False, [1])
    says(house, "Cyd", "draw")
    (offer,) = house.all(select(Offer))
    assert (offer.declined_at, offer.proposed_by, offer.detail) == (None, [1, 3], {})
    says(house, "Ann", "draw")
    says(house, "Bob", "yes")
    assert (house.match(match_id).result or {})["ending"] == "agreed"


def test_yes_agrees_to_what_the_mail_asks_that_it_answers(house: House) -> None:
    begun(house, "martian-whist", 2, "3 days")
    says(house, "Ann", "more time")
    more_time = next(mail for mail in house.mails("Bob") if "more time" in mail.flat)
    says(house, "Ann", "pause")
    house.reply(more_time, "yes")
    assert [event for event, *_ in acts(house)] == ["extended"]
    house.reply(more_time, "yes")
    assert "This proposal is no longer open" in house.last("Bob").flat
    assert [event for event, *_ in acts(house)] == ["extended"]


def test_yes_and_no_to_a_mail_from_before_a_proposal_do_not_answer_it(house: House) -> None:
    match_id = begun(house, "martian-whist", 2)
    before = house.last("Bob")
    says(house, "Ann", "draw")
    for word in ("yes", "no"):
        house.reply(before, word)
    assert house.match(match_id).state == MatchState.RUNNING
    assert house.all(select(Offer.kind)) == ["draw"]
    house.reply(newest(house, "Bob"), "yes")
    assert (house.match(match_id).result or {})["ending"] == "agreed"


def test_yes_to_the_mail_that_asks_back_gives_up(house: House) -> None:
    match_id = begun(house, "martian-whist", 2)
    says(house, "Ann", "draw")
    (asked,) = says(house, "Bob", "resign")
    assert house.match(match_id).state == MatchState.RUNNING
    house.reply(asked, "yes")
    assert (house.match(match_id).result or {})["ending"] == "resigned"


def test_without_anything_proposed_yes_and_no_mean_what_they_meant(house: House) -> None:
    match_id = begun(house, "middle-card", 3)
    for word in ("yes", "no"):
        (answer,) = says(house, "Bob", word)
        assert (
            "Nothing new was played" in answer.flat or "Nobody reads" in answer.flat or "not your turn" in answer.flat
        )
    assert house.match(match_id).log_length == 0


def test_a_proposal_that_has_fallen_is_not_mailed_any_more(house: House) -> None:
    match_id = begun(house, "middle-card", 3)
    for name in NAMES[:3]:
        house.mails(name)
    mail = newest(house, "Bob")
    ann = newest(house, "Ann")
    house.reply(mail, "draw")
    house.reply(ann, "stay")
    assert all("offers a draw" not in mail.text for name in ("Ann", "Cyd") for mail in house.mails(name))
    assert house.match(match_id).log_length == 1
    assert set(house.all(select(OutboxMessage.state).where(OutboxMessage.kind == "offer"))) == {"dropped"}


def test_nothing_is_agreed_on_before_a_match_begins_or_after_its_end(house: House) -> None:
    match_id = house.make("middle-card", 3)
    (early,) = says(house, "Ann", "pause")
    assert "“pause” is not possible now." in early.flat
    match_id = begun(house, "middle-card", 3)
    says(house, "Ann", "resign yes")
    for word in ("takeback", "draw", "pause", "resume", "more time", "abandon"):
        answer = says(house, "Bob", word)[-1]
        assert "The match is over." in answer.flat
    assert [event for event, *_ in acts(house)] == ["resigned"]
    assert house.match(match_id).log_length == 1


def test_robots_agree_and_who_is_gone_too_long_blocks_nobody(house: House) -> None:
    match_id = begun(house, "middle-card", 3, "3 days")
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).where(Player.name == "Cyd").values(**AS_ROBOT))
    (passed,) = says(house, "Bob", "abandon")
    assert "Ann has yet to agree." in passed.flat
    with house.transaction() as ctx:
        gone = Deadline.match_id == match_id, Deadline.seat == 1
        times = {"phase_started_at": ctx.now - 2 * DAY, "phase_ends_at": ctx.now - DAY}
        ctx.session.execute(update(Deadline).where(*gone).values(phase=DeadlinePhase.GRACE, **times))
    says(house, "Bob", "abandon")
    assert (house.match(match_id).result or {})["ending"] == "abandoned"


def test_whoever_sits_there_no_more_has_no_say(house: House) -> None:
    match_id = begun(house, "middle-card", 3)
    mail = newest(house, "Bob")
    says(house, "Ann", "draw")
    says(house, "Cyd", "draw")
    with house.transaction() as ctx:
        raw = reply(mail, "draw").as_bytes()
        assert house.send(raw, mail.reply_to, "bob@example.org").code == 250
        ctx.session.execute(update(SeatHolder).where(SeatHolder.name == "Bob").values(left_at=ctx.now))
    house.judge(match_id)
    assert house.match(match_id).state == MatchState.RUNNING
    reasons = house.all(select(Submission.reason).where(Submission.status == SubmissionStatus.REJECTED))
    assert reasons == ["You no longer have a seat in this match."]


def test_what_was_proposed_falls_when_somebody_else_sits_down(house: House) -> None:
    match_id = begun(house, "middle-card", 3)
    for name in ("Ann", "Bob"):
        says(house, name, "draw")
    with house.transaction() as ctx:
        # Whoever sits at Bob's seat from now on has agreed to nothing.
        ctx.session.execute(update(SeatHolder).where(SeatHolder.name == "Bob").values(seated_at=ctx.now))
    (passed,) = says(house, "Cyd", "draw")
    assert "Ann and Bob have yet to agree." in passed.flat
    assert house.match(match_id).state == MatchState.RUNNING


# -- taking back ---------------------------------------------------------------------------------------


def test_alone_a_move_is_taken_back_at_once_and_played_anew(house: House) -> None:
    match_id = begun(house, "minimax", 1)
    start = house.legal(match_id, 1)
    old = newest(house, "Ann")
    moves(house, match_id)
    after = newest(house, "Ann")
    said = house.reply(after, "takeback")
    again = house.only("Ann")
    assert lead(again).startswith("Your last move has been taken back. It is your turn.")
    assert again.message["In-Reply-To"] == said
    assert house.legal(match_id, 1) == start
    assert acts(house) == [("taken_back", None, "seat 1", {"from": 1})]
    match = house.match(match_id)
    assert (match.ply, match.next_ply, match.to_move) == (3, 3, [1])
    # What was written for the positions before plays nothing now.
    for stale in (old, after):
        house.reply(stale, start[0])
        assert "Nothing new was played" in house.only("Ann").flat
    house.reply(again, start[0])
    assert house.all(select(LogEntry.ply).where(LogEntry.ply.is_not(None)).order_by(LogEntry.ply)) == [1, 3]


def test_moves_are_taken_back_one_after_another_to_the_beginning(house: House) -> None:
    match_id = begun(house, "minimax", 1)
    start = house.legal(match_id, 1)
    for _ in range(2):
        moves(house, match_id)
    for ply in (2, 1):
        says(house, "Ann", "take back")
        assert acts(house)[-1][3] == {"from": ply}
    assert house.legal(match_id, 1) == start
    (nothing,) = says(house, "Ann", "zurücknehmen")
    assert "You have not moved yet, so there is nothing to take back." in nothing.flat
    # No stage is called like one before it.
    stages = house.all(select(OutboxMessage.ply).where(OutboxMessage.kind == "turn"))
    assert len(stages) == len(set(stages)) == 1 + 2 + 2


def test_a_take_back_voids_all_since_and_whoever_is_to_move_is_asked_anew(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    first = moves(house, match_id)
    second = moves(house, match_id)
    with house.transaction() as ctx:
        ctx.session.execute(update(SeatHolder).values(premove="take 1"))
    (passed,) = says(house, first, "takeback")
    assert "You asked to take back your move." in passed.flat
    asked = house.last(second)
    assert f"{first} asks to take back their last move, and with it all that was played since: two moves." in asked.flat
    house.reply(asked, "takeback")
    told = house.only(second)
    assert lead(told).startswith(f"Everybody agrees: the last move of {first} has been taken back.")
    turn = house.only(first)
    assert lead(turn).startswith("Everybody agrees: your last move has been taken back. It is your turn.")
    assert "Please move by" in turn.flat
    assert acts(house) == [("taken_back", None, "table", {"from": 1})]
    match = house.match(match_id)
    assert [NAMES[seat - 1] for seat in match.to_move] == [first]
    assert house.all(select(Deadline.ply)) == [match.ply]
    assert house.all(select(SeatHolder.premove)) == [None, None]
    assert house.all(select(Offer)) == []
    assert moves(house, match_id) == first


@pytest.mark.parametrize("shares", [True, None])
def test_words_below_a_move_that_is_taken_back_go_with_it(house: House, shares: bool | None) -> None:  # noqa: FBT001
    match_id = begun(house, "martian-whist", 2)
    first, second = (1, 2) if house.match(match_id).to_move == [1] else (2, 1)
    one, other = NAMES[first - 1], NAMES[second - 1]
    with house.transaction() as ctx:
        ctx.session.scalars(select(SeatHolder).where(SeatHolder.name == one)).one().shares_text = shares
    says(house, one, "say Good luck!")
    says(house, one, f"{house.legal(match_id, first)[0]}\n\nSorry, too good to leave!")
    assert len(house.all(select(ChatMessage))) == 2
    says(house, one, "takeback")
    says(house, other, "takeback")
    assert house.all(select(ChatMessage.text)) == ["Good luck!"]
    moves(house, match_id)
    assert "too good" not in newest(house, other).flat


def test_what_was_shown_is_never_taken_back(house: House) -> None:
    match_id = begun(house, "martian-trickery", 3, options={"hands": 1})
    name = moves(house, match_id)
    (refused,) = says(house, name, "takeback")
    assert "Nothing was done. That move cannot be taken back, because something was revealed or drawn:" in refused.flat
    assert acts(house) == []
    assert house.all(select(Offer)) == []


def test_a_sealed_move_is_taken_back_before_the_other_one_is_there(house: House) -> None:
    match_id = begun(house, "middle-card", 3, "1 day", {"swap": False})
    before = house.legal(match_id, 1)
    says(house, "Ann", before[0])
    says(house, "Ann", "takeback")
    for name in ("Bob", "Cyd"):
        says(house, name, "takeback")
    assert house.legal(match_id, 1) == before
    assert house.match(match_id).to_move == [1, 2, 3]
    for seat, name in enumerate(NAMES[:3], 1):
        says(house, name, house.legal(match_id, seat)[0])
    entries = select(LogEntry.seat).where(LogEntry.event.is_(None)).order_by(LogEntry.number)
    assert house.all(entries)[:4] == [1, 1, 2, 3]


def test_a_record_with_moves_taken_back_is_sound(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, options={"sets": 2})
    for _ in range(4):
        moves(house, match_id)
    for name in ("Ann", "Bob", "Ann"):
        says(house, name, "takeback")
    moves(house, match_id)
    says(house, "Ann", "draw")
    says(house, "Bob", "draw")
    with house.transaction() as ctx:
        data = records.build_record(ctx, ctx.session.get_one(Match, match_id)).data()
    findings = list(verify(parse_record(data), find))
    assert findings[-1].startswith("The result follows from the log: agreed")
    assert [event for event, *_ in acts(house)] == ["taken_back", "draw_agreed"]


def test_what_was_proposed_earlier_cannot_be_agreed_to_when_it_is_proposed_again(house: House) -> None:
    match_id = begun(house, "martian-whist", 2)
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        ann, bob = (Participant(ctx, match, holder) for holder in holders(ctx, match))
        agreements.propose(ann, "draw")
        (offer,) = agreements.unanswered_offers(ctx, match, bob.holder)
        with pytest.raises(Refused, match="This proposal is no longer open"):
            agreements.agree(bob, "draw", since=offer.offered_at - DAY)
        assert match.state == MatchState.RUNNING
        agreements.agree(bob, "draw", since=offer.offered_at)
        assert lock_match(ctx, match_id).state == MatchState.OVER
