"""How much mail is taken and sent: what is over a limit waits, and nothing of it is lost."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine, delete, select, update

from emails.inbound.accept import accept
from emails.inbound.smtp_replies import OK, RATE_LIMITED, RECIPIENT_OK, TRY_LATER, UNKNOWN_MAILBOX
from emails.outbound.daily_limits import MAX_MAILS_PER_DAY
from pbem.config import DEFAULT_RATE_LIMITS, from_environment
from pbem.db.models import OutboxMessage, RateLimitWindow, ServiceMail, Submission
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit, hit
from pbem.states import OutboxState
from tests.support.emails.inbound.recipients import check_recipient
from tests.support.house import House, address, reply, settings

if TYPE_CHECKING:
    from emails.inbound.smtp_replies import SmtpReply

STRANGER = "198.51.100.7"
NOBODY = create_engine("postgresql+psycopg://nobody@127.0.0.1:1/nothing", connect_args={"connect_timeout": 1})


def limited(house: House, **limits: int) -> House:
    return replace(house, config=replace(house.config, limits=DEFAULT_RATE_LIMITS | limits))


def sent(house: House, to: str, number: int, author: str = "ann@example.org", peer: str | None = None) -> SmtpReply:
    raw = f"From: {author}\nTo: {to}\nMessage-ID: <{number}@x>\n\nhelp {number}\n".encode()
    return accept(house.engine, house.config, raw, to, author, peer=peer)


def seats(house: House, count: int) -> list[str]:
    found = []
    for _ in range(count):
        house.start_match("minimax", 1)
        found.append(house.only("Ann").reply_to)
    return found


def forget(house: House) -> None:
    """End all windows of the limits."""
    with house.transaction() as ctx:
        ctx.session.execute(delete(RateLimitWindow))


def test_one_reply_address_takes_ten_mails_an_hour_and_the_rest_later(house: House) -> None:
    house = limited(house)
    one, other = seats(house, 2)
    answers = [sent(house, one, number) for number in range(12)]
    assert answers == [OK] * 10 + [RATE_LIMITED] * 2
    assert RATE_LIMITED.is_temporary
    assert sent(house, other, 1) == OK
    # Whatever way its address is written.
    for written in (one.upper(), one.replace("1", "l").replace("0", "o"), one.replace("play+", "play-")):
        assert sent(house, written, 99) == RATE_LIMITED
    assert len(house.all(select(Submission.id))) == 11
    forget(house)
    assert sent(house, one, 10) == OK


def test_a_known_copy_is_taken_however_often_it_comes_and_counts_for_nothing(house: House) -> None:
    house = limited(house)
    (to,) = seats(house, 1)
    assert {sent(house, to, 0) for _ in range(50)} == {OK}
    assert [sent(house, to, number) for number in range(1, 11)] == [OK] * 9 + [RATE_LIMITED]
    # Also when the limit is reached.
    assert {sent(house, to, number) for number in range(10)} == {OK}
    assert {sent(house, "games@games.localhost", 0) for _ in range(50)} == {OK}
    assert len(house.all(select(ServiceMail.id))) == 1


def test_one_sender_sends_thirty_an_hour(house: House) -> None:
    house = limited(house)
    places = seats(house, 4)
    answers = [sent(house, to, number) for to in places for number in range(8)]
    assert answers == [OK] * 30 + [RATE_LIMITED] * 2
    assert sent(house, places[0], 100, "ann@example.com") == OK


def test_one_domain_sends_as_many_as_the_settings_say(house: House) -> None:
    house = limited(house, domain=3)
    house.start_match("middle-card", 3)
    places = {name: house.last(name).reply_to for name in ("Ann", "Bob", "Cyd")}
    answers = [sent(house, to, number, f"{name}@Example.org") for number in range(2) for name, to in places.items()]
    assert answers == [OK] * 3 + [RATE_LIMITED] * 3
    assert sent(house, places["Ann"], 4, "ann@example.net") == OK


def test_nobody_uses_up_what_others_may_send_by_writing_in_their_names(house: House) -> None:
    house = limited(house, domain=20, **{"from": 12})
    own = seats(house, 2)
    house.start_match("middle-card", 3)
    bobs = house.last("Bob").reply_to
    forged = [sent(house, own[number % 2], number, "bob@example.org") for number in range(14)]
    assert forged == [OK] * 12 + [RATE_LIMITED] * 2
    # The move of whose name it was is taken, and so are those of whoever misused it.
    assert [sent(house, bobs, number, "bob@example.org") for number in range(10)] == [OK] * 10
    assert [sent(house, own[0], number) for number in range(20, 24)] == [OK] * 4


def test_letters_in_a_players_name_take_nothing_from_their_moves(house: House) -> None:
    house = limited(house)
    (to,) = seats(house, 1)
    letters = [sent(house, "postmaster@games.localhost", number) for number in range(31)]
    assert letters == [OK] * 30 + [RATE_LIMITED]
    assert sent(house, to, 1) == OK


@pytest.mark.parametrize("sign", ["Auto-Submitted: auto-replied", "Mailing-List: contact x@example.org; run by ezmlm"])
def test_mail_of_programs_takes_nothing_from_the_moves_of_their_player(house: House, sign: str) -> None:
    house = limited(house)
    (to,) = seats(house, 1)
    raws = [f"From: ann@example.org\n{sign}\nMessage-ID: <{number}@x>\n\naway\n".encode() for number in range(12)]
    answers = [accept(house.engine, house.config, raw, to, "ann@example.org") for raw in raws]
    assert answers == [OK] * 10 + [RATE_LIMITED] * 2
    assert [sent(house, to, number) for number in range(20, 30)] == [OK] * 10


@pytest.mark.parametrize(
    ("first", "second"),
    [(STRANGER, STRANGER), ("2001:db8::1", "2001:db8::ffff:2"), ("fe80::1%eth0", "fe80::2")],
)
def test_one_machine_sends_sixty_a_minute(house: House, first: str, second: str) -> None:
    places = seats(house, 7)
    house = limited(house, **{"from": 1000})
    answers = [sent(house, to, number, peer=(first, second)[number % 2]) for to in places for number in range(9)]
    assert answers == [OK] * 60 + [RATE_LIMITED] * 3
    assert sent(house, places[0], 100, peer="203.0.113.9") == OK
    # Machines that hand on other people's mail have no such limit, nor have ways in without a machine.
    assert sent(house, places[1], 101, peer="127.0.0.1") == OK
    assert sent(house, places[2], 102) == OK


def test_a_machine_that_guesses_addresses_is_soon_told_to_wait(house: House) -> None:
    house = limited(house, address=3)
    (to,) = seats(house, 1)

    def asked(recipient: str, peer: str | None) -> SmtpReply:
        return check_recipient(house.engine, house.config, recipient, peer)

    guess = f"play+{'0' * 26}@games.localhost"
    assert [asked(guess, STRANGER) for _ in range(4)] == [UNKNOWN_MAILBOX] * 3 + [RATE_LIMITED]
    assert asked("nobody@games.localhost", STRANGER) == RATE_LIMITED
    # Who knows a mailbox is not held up at its door.
    assert asked(to, STRANGER) == RECIPIENT_OK
    assert [asked(guess, peer) for peer in ("127.0.0.1", None)] == [UNKNOWN_MAILBOX] * 2


def test_a_refused_mail_counts_for_nobody(house: House) -> None:
    house = limited(house, **{"from": 12})
    one, other = seats(house, 2)
    answers = [sent(house, one, number) for number in range(40)]
    assert answers == [OK] * 10 + [RATE_LIMITED] * 30
    assert [sent(house, other, number) for number in range(3)] == [OK, OK, RATE_LIMITED]


def test_without_limits_any_number_is_taken(house: House) -> None:
    (to,) = seats(house, 1)
    assert {sent(house, to, number, peer=STRANGER) for number in range(70)} == {OK}
    assert house.all(select(RateLimitWindow.key)) == []


def test_a_limit_that_nobody_can_count_lets_the_mail_wait(house: House) -> None:
    house = limited(house)
    assert sent(replace(house, engine=NOBODY), "games@games.localhost", 1, peer=STRANGER) == TRY_LATER


def test_the_limits_stand_by_default(house: House) -> None:
    told = settings("postgresql://host/pbem", house.folder)
    del told["PBEM_LIMITS"]
    assert from_environment(told).limits == {"token": 10, "from": 30, "address": 60, "domain": 600}


# -- what is sent --------------------------------------------------------------------------------------------------


def test_a_player_is_sent_a_hundred_mails_a_day_and_the_others_later(house: House) -> None:
    house = limited(house)
    match_id = house.start_match("minimax", 1)
    mail = house.only("Ann")
    with house.transaction() as ctx:
        # The invitation and the first turn are out already.
        for _ in range(MAX_MAILS_PER_DAY - 4):
            assert hit(ctx, Limit("mailed", address("Ann"), MAX_MAILS_PER_DAY, SECONDS_PER_DAY)) is None
    for _ in range(4):
        assert house.send(reply(mail, "board").as_bytes(), mail.reply_to, address("Ann")) == OK
    house.judge(match_id)
    assert len(house.mails("Ann")) == 2
    waiting = house.all(select(OutboxMessage.due_at).where(OutboxMessage.state == OutboxState.PENDING))
    assert len(waiting) == 2
    assert all(timedelta(hours=23) < due - datetime.now(UTC) <= timedelta(days=1) for due in waiting)
    forget(house)
    with house.transaction() as ctx:
        ctx.session.execute(update(OutboxMessage).values(due_at=ctx.now))
    assert len(house.mails("Ann")) == 2


def test_a_player_who_errs_is_answered_five_times_a_day_and_once_an_hour_for_the_same(house: House) -> None:
    house = limited(house)
    house.start_match("minimax", 1)
    mail = house.last("Ann")
    for text in ("nonsense", "nonsense", "more of it", "nonsense", "", "much more", "even more", "too much", "enough"):
        house.reply(mail, text)
    assert len(house.mails("Ann")) == 5
    # What helps is answered all the same.
    house.reply(mail, "help")
    assert len(house.mails("Ann")) == 1
