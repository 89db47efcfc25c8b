"""What a table agrees on by mail: proposed, agreed to, refused, done once, and told to everybody."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import Deadline, Holder, LogEntry, Match, Notice, Offer, Player, Standstill, Submission
from pbem.games import Seat, find
from pbem.games.record import read_record
from pbem.games.verify import verify
from pbem.play import breaks, extensions, matches, records
from pbem.play.history import lock
from tests.house import NAMES, House, Mail, reply

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

DAY = timedelta(days=1)


def begun(house: House, game: str, seats: int, clock: str = "none", options: Mapping[str, object] | None = None) -> str:
    match_id = house.make(game, seats, options, clock=clock)
    with house.table() as table:
        match = lock(table, match_id)
        # People who never sleep, so that no deadline is put off to a morning.
        table.session.execute(update(Player).values(quiet_from=0, quiet_until=0, vacation_by_itself=False))
        for name, holder in zip(NAMES, matches.holders(table, match), strict=False):
            house.mails(name)
            matches.accept(table, match, holder, "")
    return match_id


def newest(house: House, name: str) -> Mail:
    house.mails(name)
    return next(mail for mail in reversed(house.every_mail) if mail.name == name)


def says(house: House, name: str, text: str) -> list[Mail]:
    """Have somebody answer their newest mail; gives what they are mailed for it."""
    house.reply(newest(house, name), text)
    return house.mails(name)


def moves(house: House, match_id: str) -> str:
    """Have the first seat that is to move play a move that ends nothing; gives who that was."""
    with house.course(match_id) as (_, course):
        seat = Seat(course.match.to_move[0])
        goes_on = (
            move
            for move in course.game.moves(course.position, seat)
            if course.game.outcome(course.game.apply(course.position, seat, move, course.chance)) is None
        )
        move = next(goes_on)
    says(house, NAMES[seat - 1], move)
    return NAMES[seat - 1]


def lead(mail: Mail) -> str:
    """Give a mail's text from its first sentence on."""
    return mail.flat.split("---", 2)[2].strip()


def acts(house: House) -> list[tuple[Any, ...]]:
    rows = select(LogEntry.event, LogEntry.seat, LogEntry.by, LogEntry.detail).where(LogEntry.event.is_not(None))
    return [tuple(row) for row in house.rows(rows.order_by(LogEntry.number))]


def due(house: House, seat: int) -> Any:
    return house.all(select(Deadline.due_at).where(Deadline.seat == seat))[0]


# -- proposing, agreeing, refusing --------------------------------------------------------------------


def test_what_is_proposed_is_mailed_to_all_others_with_the_word_that_agrees(house: House) -> None:
    begun(house, "middle-card", 3)
    (passed,) = says(house, "Ann", "abandon")
    assert "The others have been asked whether to abandon the match" in passed.flat
    assert "Bob and Cyd have yet to agree." in passed.flat
    asked = house.last("Bob")
    assert lead(asked).startswith("Ann proposes to abandon the match: it would end without a winner.")
    assert "To agree, reply with “abandon” alone on the first line" in asked.flat
    assert f"/m/{asked.token}/agreements" in asked.text
    assert "It stands until somebody moves." in asked.flat
    (agreed,) = says(house, "Bob", "Abandon.")
    assert lead(agreed).startswith("You have agreed. Cyd has yet to agree.")


def test_a_match_is_abandoned_when_all_agree(house: House) -> None:
    match_id = begun(house, "middle-card", 3)
    for name in ("Ann", "Bob"):
        says(house, name, "abandon")
        assert house.match(match_id).state == "running"
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
    assert "You have said so already. Bob and Cyd have yet to agree." in again.flat
    assert house.match(match_id).length == 0
    assert len([mail for mail in house.mails("Bob") if "offers a draw" in mail.text]) == 1


def test_no_refuses_what_is_proposed_and_its_proposer_is_told(house: House) -> None:
    match_id = begun(house, "middle-card", 3)
    says(house, "Ann", "draw")
    (answer,) = says(house, "Bob", "no")
    assert "You have refused it, and Ann has been told." in answer.flat
    assert lead(house.last("Ann")).startswith("Bob would rather play on than agree to a draw.")
    (gone,) = says(house, "Cyd", "no")
    assert "Nobody reads" not in gone.flat
    (late,) = says(house, "Ann", "draw")
    assert "That was declined. You may ask again after the next move." in late.flat
    moves(house, match_id)
    (once_more,) = says(house, "Ann", "draw")
    assert "has been passed on" in once_more.flat


def test_somebody_else_may_propose_what_was_refused_and_whoever_was_may_agree(house: House) -> None:
    match_id = begun(house, "middle-card", 3)
    says(house, "Ann", "draw")
    says(house, "Bob", "nein")
    says(house, "Cyd", "draw")
    says(house, "Ann", "draw")
    says(house, "Bob", "yes")
    assert (house.match(match_id).result or {})["ending"] == "agreed"


def test_yes_agrees_where_one_thing_is_proposed_and_no_refuses_all(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    first, second = house.match(match_id).to_move[0], 3 - house.match(match_id).to_move[0]
    one, other = NAMES[first - 1], NAMES[second - 1]
    says(house, one, "pause")
    says(house, one, "more time")
    says(house, other, "yes")
    assert acts(house) == []
    says(house, other, "no")
    told = [mail.flat for mail in house.mails(one)]
    assert any(f"{other} would rather not stop the clocks." in text for text in told)
    assert any(f"{other} does not agree to more time" in text for text in told)
    says(house, other, "pause")
    says(house, one, "ok")
    assert [event for event, *_ in acts(house)] == ["paused"]


def test_without_anything_proposed_yes_and_no_mean_what_they_meant(house: House) -> None:
    match_id = begun(house, "middle-card", 3)
    for word in ("yes", "no"):
        (answer,) = says(house, "Bob", word)
        assert (
            "Nothing new was played" in answer.flat or "Nobody reads" in answer.flat or "not your turn" in answer.flat
        )
    assert house.match(match_id).length == 0


def test_a_proposal_that_has_fallen_is_not_mailed_any_more(house: House) -> None:
    match_id = begun(house, "middle-card", 3)
    for name in NAMES[:3]:
        house.mails(name)
    mail = newest(house, "Bob")
    ann = newest(house, "Ann")
    house.reply(mail, "draw")
    house.reply(ann, "stay")
    assert all("offers a draw" not in mail.text for name in ("Ann", "Cyd") for mail in house.mails(name))
    assert house.match(match_id).length == 1
    assert set(house.all(select(Notice.state).where(Notice.kind == "offer"))) == {"dropped"}


def test_nothing_is_agreed_on_before_a_match_begins_or_after_its_end(house: House) -> None:
    match_id = house.make("middle-card", 3)
    (early,) = says(house, "Ann", "pause")
    assert "“pause” has no place here now." in early.flat
    match_id = begun(house, "middle-card", 3)
    says(house, "Ann", "resign yes")
    for word in ("takeback", "draw", "pause", "resume", "more time", "abandon"):
        answer = says(house, "Bob", word)[-1]
        assert "The match is over." in answer.flat
    assert [event for event, *_ in acts(house)] == ["resigned"]
    assert house.match(match_id).length == 1


def test_robots_agree_and_who_is_gone_too_long_blocks_nobody(house: House) -> None:
    match_id = begun(house, "middle-card", 3, "3 days")
    with house.table() as table:
        robot = table.session.scalars(select(Holder).where(Holder.name == "Cyd")).one()
        robot.player.bot = True
    (passed,) = says(house, "Bob", "abandon")
    assert "Ann has yet to agree." in passed.flat
    with house.table() as table:
        gone = Deadline.match_id == match_id, Deadline.seat == 1
        late = {"late_at": table.now - 2 * DAY, "ends_at": table.now - DAY}
        table.session.execute(update(Deadline).where(*gone).values(late))
    says(house, "Bob", "abandon")
    assert (house.match(match_id).result or {})["ending"] == "abandoned"


def test_whoever_sits_there_no_more_has_no_say(house: House) -> None:
    match_id = begun(house, "middle-card", 3)
    mail = newest(house, "Bob")
    says(house, "Ann", "draw")
    says(house, "Cyd", "draw")
    with house.table() as table:
        raw = reply(mail, "draw").as_bytes()
        assert house.send(raw, mail.reply_to, "bob@example.org").code == 250
        table.session.execute(update(Holder).where(Holder.name == "Bob").values(until=table.now))
    house.judge(match_id)
    assert house.match(match_id).state == "running"
    reasons = house.all(select(Submission.reason).where(Submission.status == "rejected"))
    assert reasons == ["You do not sit at this table any more, so you have no say in it."]


def test_what_was_proposed_falls_when_somebody_else_sits_down(house: House) -> None:
    match_id = begun(house, "middle-card", 3)
    for name in ("Ann", "Bob"):
        says(house, name, "draw")
    with house.table() as table:
        # Whoever sits at Bob's seat from now on has agreed to nothing.
        table.session.execute(update(Holder).where(Holder.name == "Bob").values(since=table.now))
    (passed,) = says(house, "Cyd", "draw")
    assert "Ann and Bob have yet to agree." in passed.flat
    assert house.match(match_id).state == "running"


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
    stages = house.all(select(Notice.ply).where(Notice.kind == "turn"))
    assert len(stages) == len(set(stages)) == 1 + 2 + 2


def test_a_take_back_voids_all_since_and_whoever_is_to_move_is_asked_anew(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    first = moves(house, match_id)
    second = moves(house, match_id)
    with house.table() as table:
        table.session.execute(update(Holder).values(proposal="take 1"))
    (passed,) = says(house, first, "takeback")
    assert "whether you may take back your move" in passed.flat
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
    assert house.all(select(Holder.proposal)) == [None, None]
    assert house.all(select(Offer)) == []
    assert moves(house, match_id) == first


def test_what_was_shown_is_never_taken_back(house: House) -> None:
    match_id = begun(house, "martian-trickery", 3, options={"hands": 1})
    name = moves(house, match_id)
    (refused,) = says(house, name, "takeback")
    assert "Nothing was done. That cannot be taken back, because something has been shown or drawn:" in refused.flat
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
    with house.table() as table:
        data = records.record_of(table, table.session.get_one(Match, match_id)).data()
    findings = list(verify(read_record(data), find))
    assert findings[-1].startswith("The result follows from the log: agreed")
    assert [event for event, *_ in acts(house)] == ["taken_back", "draw_agreed"]


# -- a break -------------------------------------------------------------------------------------------


def test_a_break_puts_deadlines_off_and_anybody_ends_it(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    mover = house.match(match_id).to_move[0]
    before = due(house, mover)
    says(house, "Ann", "pause")
    says(house, "Bob", "pause")
    for name in ("Ann", "Bob"):
        told = lead(newest(house, name))
        assert told.startswith(
            "Everybody agrees to stop the clocks for a while. The clocks of this match stand still, "
        )
        assert "reply with the word “resume”" in told
    assert due(house, mover) - before == breaks.LONGEST
    (already,) = says(house, "Ann", "pause")
    assert "The clocks of this match stand still already." in already.flat
    says(house, "Bob", "resume")
    assert lead(newest(house, "Ann")).startswith("The clocks of this match go on: Bob has said so.")
    assert due(house, mover) - before < DAY
    (running,) = says(house, "Bob", "fortsetzen")
    assert "The clocks of this match are not stopped." in running.flat
    assert [row[:3] for row in acts(house)] == [("paused", None, "table"), ("resumed", None, "seat 2")]
    assert len(house.all(select(Standstill))) == 1


def test_in_a_break_moves_are_welcome(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    says(house, "Ann", "pause")
    says(house, "Bob", "pause")
    moves(house, match_id)
    assert house.match(match_id).next_ply == 2


def test_without_deadlines_there_is_nothing_to_stop_nor_to_give(house: House) -> None:
    begun(house, "martian-whist", 2)
    for word, sentence in (("pause", "so there is nothing to stop"), ("more time", "take the time that you need")):
        (answer,) = says(house, "Ann", word)
        assert sentence in answer.flat
    assert acts(house) == []


def test_a_break_stops_the_time_of_grace_too(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    with house.table() as table:
        late = {"late_at": table.now, "ends_at": table.now + DAY}
        table.session.execute(update(Deadline).values(late))
    ends = house.all(select(Deadline.ends_at))[0]
    says(house, "Ann", "pause")
    says(house, "Bob", "pause")
    assert house.all(select(Deadline.ends_at)) == [ends + breaks.LONGEST]
    says(house, "Ann", "resume")
    assert house.all(select(Deadline.ends_at))[0] - ends < DAY
    assert house.match(match_id).state == "running"


# -- more time -----------------------------------------------------------------------------------------


def mover_and_other(house: House, match_id: str) -> tuple[int, str, str]:
    seat = house.match(match_id).to_move[0]
    return seat, NAMES[seat - 1], NAMES[2 - seat]


def test_more_time_is_asked_for_and_agreed_to(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    seat, mover, other = mover_and_other(house, match_id)
    before = due(house, seat)
    says(house, mover, "more time 4 days")
    assert lead(newest(house, other)).startswith(f"{mover} asks for four more days for their move.")
    says(house, other, "mehr Zeit")
    assert due(house, seat) - before == 4 * DAY
    assert acts(house) == [("extended", seat, "table", {"seat": seat, "hours": 96})]
    assert lead(newest(house, mover)).startswith("You have four more days for your move.")
    assert lead(newest(house, other)).startswith(f"{mover} has four more days for their move.")


def test_whoever_waits_may_give_a_day_once(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    seat, mover, other = mover_and_other(house, match_id)
    before = due(house, seat)
    says(house, other, "more time")
    assert lead(newest(house, mover)).startswith(f"{other} gives you one more day for your move.")
    assert due(house, seat) - before == DAY
    assert acts(house) == [("extended", seat, f"seat {3 - seat}", {"seat": seat, "hours": 24})]
    (enough,) = says(house, other, "more time")
    assert "You have given a day for this move already." in enough.flat
    assert due(house, seat) - before == DAY
    moves(house, match_id)
    says(house, mover, "more time")
    assert len(acts(house)) == 2


def test_all_who_are_waited_for_are_given_a_day_but_for_those_who_cannot_have_more(house: House) -> None:
    match_id = begun(house, "middle-card", 3, "3 days", {"swap": False})
    says(house, "Ann", house.legal(match_id, 1)[0])
    with house.table() as table:
        table.session.execute(update(Deadline).where(Deadline.seat == 2).values(extra=extensions.LONGEST * 24 * 3600))
    says(house, "Ann", "more time")
    assert acts(house) == [("extended", 3, "seat 1", {"seat": 3, "hours": 24})]
    with house.table() as table:
        table.session.execute(update(Deadline).values(extra=extensions.LONGEST * 24 * 3600))
    (enough,) = says(house, "Ann", "more time")
    assert "There have been 14 days on top for this move already" in enough.flat


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("more time 8 days", "You may ask for one to 7 days at a time."),
        ("more time 0", "You may ask for one to 7 days at a time."),
        ("more time until Easter", "Say for how many days, such as “more time 4 days”."),
    ],
)
def test_what_cannot_be_given_is_refused_with_a_sentence(house: House, typed: str, sentence: str) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    _, mover, _ = mover_and_other(house, match_id)
    (answer,) = says(house, mover, typed)
    assert sentence in answer.flat
    assert house.all(select(Offer)) == []


def test_no_more_than_two_weeks_come_on_top_for_one_move(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    _, mover, other = mover_and_other(house, match_id)
    for _ in range(2):
        says(house, mover, "more time 6")
        says(house, other, "yes")
    (answer,) = says(house, mover, "more time 3 days please")
    assert "Say for how many days" in answer.flat
    (answer,) = says(house, mover, "more time 3 tage")
    assert "At most 14 days may come on top for one move; two are left." in answer.flat
    says(house, mover, "more time, please")
    says(house, other, "yes")
    assert set(house.all(select(Deadline.extra))) == {14 * 24 * 3600}
    (answer,) = says(house, other, "more time")
    assert "There have been 14 days on top for this move already" in answer.flat


def test_who_is_late_has_time_again_but_not_who_is_gone(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    seat, mover, other = mover_and_other(house, match_id)
    with house.table() as table:
        table.session.execute(update(Deadline).values(late_at=table.now, ends_at=table.now + DAY))
        table.session.execute(update(Holder).where(Holder.seat == seat).values(late=1))
    says(house, other, "more time")
    assert house.rows(select(Deadline.late_at, Deadline.ends_at)) == [(None, None)]
    assert house.all(select(Holder.late)) == [0, 0]
    with house.table() as table:
        table.session.execute(update(Deadline).values(late_at=table.now - 2 * DAY, ends_at=table.now - DAY))
    (answer,) = says(house, mover, "more time")
    assert "That time has run out, and the day after it too." in answer.flat


def test_in_a_match_for_one_nobody_gives_or_stops_anything(house: House) -> None:
    match_id = begun(house, "minimax", 1)
    for word in ("draw", "pause", "more time", "abandon", "resume"):
        answer = says(house, "Ann", word)[-1]
        assert "has no place here now" in answer.flat
    assert house.match(match_id).length == 0
