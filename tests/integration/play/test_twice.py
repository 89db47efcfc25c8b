"""The same thing sent again, by however many ways at once, is one thing (DESIGN: judged once)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from hashlib import sha512
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from pbem.db.models import LogEntry, OutboxMessage, Submission
from pbem.play.core import tokens
from pbem.play.submissions import queue
from tests.support.house import reply

if TYPE_CHECKING:
    from tests.support.house import House

TIMES = 100
THREADS = 8


def moves_of(house: House, match_id: str) -> list[str]:
    return house.all(select(LogEntry.move).where(LogEntry.match_id == match_id).order_by(LogEntry.ply))


def receipts(house: House) -> int:
    return len(house.all(select(OutboxMessage.id).where(OutboxMessage.kind == "receipt")))


def test_the_same_mail_a_hundred_times_from_eight_threads_is_one_submission_one_move_one_receipt(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    mail = house.last("Ann")
    raw = reply(mail, "stay").as_bytes()

    def send_and_judge(_: int) -> int:
        code = house.send(raw, mail.reply_to, "ann@example.org").code
        house.judge(match_id)
        return code

    with ThreadPoolExecutor(THREADS) as pool:
        assert set(pool.map(send_and_judge, range(TIMES))) == {250}
    assert house.all(select(func.count()).select_from(Submission)) == [1]
    assert moves_of(house, match_id) == ["stay"]
    # Seat 1 is to move again: the one mail of its new turn is the receipt too.
    assert receipts(house) == 0
    (turn,) = house.mails("Ann")
    assert "Your move was played, and it is your turn again." in turn.text


def test_a_mover_who_waits_gets_one_receipt_for_a_mail_sent_often(house: House) -> None:
    match_id = house.start_match("middle-card", 3, {"swap": False})
    mail = house.last("Bob")
    card = house.legal(match_id, 2)[0]
    raw = reply(mail, card).as_bytes()
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda _: house.send(raw, mail.reply_to, "bob@example.org"), range(TIMES)))
        assert sum(pool.map(lambda _: house.judge(match_id), range(THREADS))) == 1
    assert receipts(house) == 1
    assert "Your move was played" in house.only("Bob").text


def test_a_mail_that_a_relay_re_encoded_is_folded_when_judged(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    mail = house.last("Ann")
    answer = reply(mail, house.legal(match_id, 1)[0])
    raw = answer.as_bytes()
    payload = answer.get_payload(decode=True)
    assert isinstance(payload, bytes)
    answer.set_content(payload.decode(), cte="base64")
    again = b"Received: from a relay by another; Mon, 1 Jan 2024 10:00:00 +0000\r\n" + answer.as_bytes()
    assert raw != again
    for form in (raw, again):
        assert house.send(form, mail.reply_to, "ann@example.org").code == 250
    assert house.judge(match_id) == 2
    assert len(moves_of(house, match_id)) == 1
    assert sorted(house.all(select(Submission.status))) == ["ignored", "played"]
    assert len(house.mails("Ann")) == 1


@pytest.mark.parametrize(("first", "span"), [(ord("0"), 10), (0x4E00, 0x5000), (0x20000, 0xA000)])
def test_a_message_id_of_any_length_stops_no_judging(house: House, first: int, span: int) -> None:
    match_id = house.start_match("minimax", 1)
    mail = house.last("Ann")
    # In no order, since an index would make what repeats itself shorter.
    numbers = b"".join(sha512(bytes([each])).digest() for each in range(30))
    name = "".join(chr(first + int.from_bytes(numbers[2 * at : 2 * at + 2]) % span) for at in range(900))
    raw = f"Message-ID: <{name}@x>\r\nFrom: ann@example.org\r\n\r\n{house.legal(match_id, 1)[0]}\r\n".encode()
    assert house.send(raw, mail.reply_to, "ann@example.org").code == 250
    house.judge(match_id)
    assert len(moves_of(house, match_id)) == 1


def test_an_extra_received_header_alone_does_not_make_another_submission(house: House) -> None:
    house.start_match("minimax", 1)
    mail = house.last("Ann")
    raw = reply(mail, "help").as_bytes()
    for form in (raw, b"Received: by a relay\r\n" + raw, raw.replace(b"\n", b"\r\n") + b"\r\n\r\n"):
        assert house.send(form, mail.reply_to, "ann@example.org").code == 250
    assert house.all(select(func.count()).select_from(Submission)) == [1]


def test_the_same_words_in_two_mails_are_two_submissions(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    mail = house.last("Ann")
    house.reply(mail, "board")
    house.reply(mail, "board")
    assert house.all(select(func.count()).select_from(Submission)) == [2]
    assert len(house.mails("Ann")) == 2
    assert not moves_of(house, match_id)


def test_a_mail_without_message_id_is_known_by_its_fingerprint(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    mail = house.last("Ann")
    move = house.legal(match_id, 1)[0]
    for body in (move, "nothing of sense", move):
        raw = f"From: ann@example.org\r\n\r\n{body}\r\n".encode()
        assert house.send(raw, mail.reply_to, "ann@example.org").code == 250
    assert house.judge(match_id) == 2
    assert moves_of(house, match_id) == [move]


def test_the_same_move_by_link_a_hundred_times_at_once_is_one_submission_and_one_move(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    token = house.last("Ann").token
    move = house.legal(match_id, 1)[0]

    def send_and_judge(_: int) -> str:
        with house.transaction() as ctx:
            found = tokens.find(ctx, token, tokens.LINK)
            assert found
            submission = queue.send_move(ctx, found, queue.API, 1, move)
        house.judge(match_id)
        return submission

    with ThreadPoolExecutor(THREADS) as pool:
        (submission,) = set(pool.map(send_and_judge, range(TIMES)))
    assert moves_of(house, match_id) == [move]
    with house.transaction() as ctx:
        assert queue.find_status(ctx, submission) == queue.Status("played", None)


def test_two_moves_of_one_seat_at_one_stage_are_one_move_and_the_first_counts(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    mail = house.last("Ann")
    first, second = house.legal(match_id, 1)[:2]
    for text in (first, second):
        house.send(reply(mail, text).as_bytes(), mail.reply_to, "ann@example.org")
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda _: house.judge(match_id), range(THREADS)))
    assert moves_of(house, match_id) == [first]
    assert sorted(house.all(select(Submission.status))) == ["already_played", "played"]
