"""Mail by HTTP: who may hand it on, in what forms, and what they are told."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from base64 import b64encode
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import create_engine, select

from emails.parsing.limits import MAX_MAIL_BYTES
from pbem.db.models import RateLimitWindow, Submission
from pbem.web import create_app
from pbem.web.system.inbound_mail import UNPRINTABLE_ADDRESS
from tests.support.house import House, reply
from tests.support.web.site import pages_of

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

KEY, MAILGUN = "k" * 32, "key-of-mailgun"
BEARER = {"Authorization": f"Bearer {KEY}"}
BASIC = {"Authorization": f"Basic {b64encode(f'anybody:{KEY}'.encode()).decode()}"}
NOBODY = create_engine("postgresql+psycopg://nobody@127.0.0.1:1/nothing", connect_args={"connect_timeout": 1})


@pytest.fixture
def house(house: House) -> House:
    return replace(house, config=replace(house.config, incoming_key=KEY, mailgun_key=MAILGUN))


@pytest.fixture
def post(house: House) -> FlaskClient:
    return pages_of(house).test_client()


@pytest.fixture
def to(house: House) -> str:
    house.start_match("minimax", 1)
    return house.last("Ann").reply_to


def kept(house: House) -> list[bytes]:
    return house.all(select(Submission.raw).order_by(Submission.received_at))


def mail(to: str, text: str = "help") -> bytes:
    return f"From: ann@example.org\nTo: {to}\nMessage-ID: <{text}@x>\n\n{text}\n".encode()


def signed(key: str, message: bytes) -> str:
    return hmac.new(key.encode(), message, hashlib.sha256).hexdigest()


# -- raw mails -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("headers", [BEARER, BASIC])
def test_a_raw_mail_is_kept_with_its_envelope(
    house: House, post: FlaskClient, to: str, headers: dict[str, str]
) -> None:
    envelope = {"recipient": to, "sender": "ann+x@example.org"}
    told = post.post("/incoming/raw", query_string=envelope, data=mail("x@y.org"), headers=headers)
    assert (told.status_code, told.text) == (200, "250 2.0.0 Accepted\n")
    assert kept(house) == [b"Return-Path: <ann+x@example.org>\r\n" + mail("x@y.org")]


def test_the_envelope_may_stand_in_headers_and_the_null_sender_is_one(house: House, post: FlaskClient, to: str) -> None:
    headers = BEARER | {"X-Recipient": to, "X-Sender": "<>"}
    assert post.post("/incoming/raw", data=mail("x@y.org"), headers=headers).status_code == 200
    assert kept(house) == [b"Return-Path: <>\r\n" + mail("x@y.org")]


def test_without_an_envelope_the_mails_own_headers_tell_it(house: House, post: FlaskClient, to: str) -> None:
    raw = b"Return-Path: <bo@x.org>\n" + mail(to)
    assert post.post("/incoming/raw", data=raw, headers=BEARER).status_code == 200
    assert (
        post.post("/incoming/raw", query_string={"recipient": to}, data=mail(to, "x"), headers=BEARER).status_code
        == 200
    )
    assert [each.partition(b"\r\n")[0] for each in kept(house)] == [
        b"Return-Path: <bo@x.org>",
        b"Return-Path: <ann@example.org>",
    ]


@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic eA=="}, {"Authorization": "Bearer é"}]
)
@pytest.mark.parametrize("path", ["raw", "postmark", "sendgrid", "ses"])
def test_strangers_are_sent_away(house: House, post: FlaskClient, to: str, path: str, headers: dict[str, str]) -> None:
    told = post.post(f"/incoming/{path}", query_string={"recipient": to}, data=mail(to), headers=headers)
    assert told.status_code == 401
    assert kept(house) == []


def test_without_keys_there_is_nothing_here(house: House, to: str) -> None:
    neither = replace(house.config, incoming_key=None, mailgun_key=None)
    for config, paths in (
        (neither, ("raw", "mailgun")),
        (replace(neither, incoming_key=KEY), ("mailgun",)),
        (replace(neither, mailgun_key=MAILGUN), ("raw", "postmark")),
    ):
        for path in paths:
            told = (
                create_app(config, house.engine)
                .test_client()
                .post(f"/incoming/{path}", query_string={"recipient": to}, data=mail(to), headers=BEARER)
            )
            assert told.status_code == 404


def test_what_is_not_taken_is_told(post: FlaskClient, to: str) -> None:
    def status(recipient: str, raw: bytes) -> int:
        return post.post("/incoming/raw", query_string={"recipient": recipient}, data=raw, headers=BEARER).status_code

    assert status(f"play+{'0' * 26}@games.localhost", b"x") == 404
    assert status("ann@example.org", b"x") == 404
    assert status(to, b"") == 400
    head = mail(to)
    assert status(to, head + b"x" * (MAX_MAIL_BYTES - len(head))) == 200
    assert status(to, head + b"x" * (MAX_MAIL_BYTES - len(head) + 1)) == 413
    assert status(to, b"x" * (4 * MAX_MAIL_BYTES + 1)) == 413


def test_it_is_to_be_sent_again_while_the_database_is_away(house: House, to: str) -> None:
    client = create_app(house.config, NOBODY).test_client()
    for recipient in ({"recipient": to}, {}):
        told = client.post("/incoming/raw", query_string=recipient, data=mail(to), headers=BEARER)
        assert told.status_code == 503
        assert int(told.headers["Retry-After"]) > 0


def test_what_is_answered_200_is_committed(house: House, post: FlaskClient, to: str) -> None:
    for _ in range(3):
        assert post.post("/incoming/raw", data=mail(to), headers=BEARER).status_code == 200
    assert len(kept(house)) == 1


# -- signed -----------------------------------------------------------------------------------------------------


def sent(post: FlaskClient, to: str, raw: bytes, at: float, key: str = KEY, sign: bytes | None = None) -> TestResponse:
    message = f"{int(at)}\n{to}\nann@example.org\n".encode() + (raw if sign is None else sign)
    headers = {"X-Timestamp": str(int(at)), "X-Signature": signed(key, message)}
    envelope = {"recipient": to, "sender": "ann@example.org"}
    return post.post("/incoming/raw", query_string=envelope, data=raw, headers=headers)


def test_a_signature_is_as_good_as_the_key_for_two_minutes(house: House, post: FlaskClient, to: str) -> None:
    now = time.time()
    for number, away in enumerate((0, -100, 100)):
        assert sent(post, to, mail(to, f"{number}"), now + away).status_code == 200
    for away in (-130, 130):
        assert sent(post, to, mail(to, "late"), now + away).status_code == 401
    assert sent(post, to, mail(to, "late"), now, key="x" * 32).status_code == 401
    assert sent(post, to, mail(to, "late"), now, sign=mail(to, "another")).status_code == 401
    told = post.post("/incoming/raw", data=mail(to), headers=BEARER | {"X-Signature": "", "X-Timestamp": "soon"})
    assert told.status_code == 401
    assert len(kept(house)) == 3


@pytest.mark.parametrize("sender", ["\nevil@example.org", "ann@example.org\nFrom: evil@example.org", "\n\n"])
def test_what_was_signed_cannot_be_split_otherwise(house: House, post: FlaskClient, to: str, sender: str) -> None:
    stamp, own = str(int(time.time())), sender.partition("\n")[0]
    raw = b"".join([sender.partition("\n")[2].encode(), b"\n", mail(to)])
    headers = {"X-Timestamp": stamp, "X-Signature": signed(KEY, f"{stamp}\n{to}\n{own}\n".encode() + raw)}

    def told(recipient: str, sender: str, raw: bytes) -> TestResponse:
        return post.post(
            "/incoming/raw", query_string={"recipient": recipient, "sender": sender}, data=raw, headers=headers
        )

    for forged in (told(to, sender, mail(to)), told(f"{to}\n{own}", sender.partition("\n")[2], mail(to))):
        assert forged.status_code == 400
        assert UNPRINTABLE_ADDRESS in forged.text
    assert kept(house) == []
    assert told(to, own, raw).status_code == 200


@pytest.mark.parametrize("letter", ["\n", "\r", "\0", "\t", "\x7f", "\u2028", "\u200b", "\x85"])
def test_an_envelope_of_letters_that_cannot_be_seen_is_refused(
    house: House, post: FlaskClient, to: str, letter: str
) -> None:
    for envelope in (
        {"recipient": to + letter, "sender": "ann@example.org"},
        {"recipient": to, "sender": f"ann@example.org{letter}"},
        {"recipient": to, "sender": letter},
    ):
        told = post.post("/incoming/raw", query_string=envelope, data=mail(to), headers=BEARER)
        assert (told.status_code, UNPRINTABLE_ADDRESS in told.text) == (400, True)
    assert kept(house) == []


@pytest.mark.parametrize("stamp", ["9" * 5000, "1" * 400, "9" * 13, "²", "-1"])
def test_a_time_that_is_none_is_a_strangers(post: FlaskClient, to: str, stamp: str) -> None:
    headers = {"X-Signature": "a", "X-Timestamp": stamp}
    assert post.post("/incoming/raw", data=mail(to), headers=headers).status_code == 401
    form = of_mailgun(to, mail(to), 0) | {"timestamp": stamp}
    assert post.post("/incoming/mailgun", data=form).status_code == 401


def test_recipients_that_are_no_list_are_none(house: House, post: FlaskClient, to: str) -> None:
    said = {"content": mail(to).decode(), "receipt": {"recipients": 5}}
    assert post.post("/incoming/ses", data=json.dumps(said), headers=BEARER).status_code == 200
    assert len(kept(house)) == 1


# -- mail services ---------------------------------------------------------------------------------------------


def of_mailgun(to: str, raw: bytes, at: float, token: str = "t" * 50) -> dict[str, str]:
    stamp = str(int(at))
    return {
        "recipient": to,
        "sender": "ann@example.org",
        "body-mime": raw.decode(),
        "timestamp": stamp,
        "token": token,
        "signature": signed(MAILGUN, f"{stamp}{token}".encode()),
    }


def test_mailgun_hands_on_its_form_once_for_each_signature(house: House, post: FlaskClient, to: str) -> None:
    now = time.time()
    form = of_mailgun(to, mail(to), now)
    assert post.post("/incoming/mailgun", data=form).status_code == 200
    # The same again is the same mail; another mail with the proof of the first was made by somebody else.
    assert post.post("/incoming/mailgun", data=form).status_code == 200
    assert post.post("/incoming/mailgun", data=form | {"body-mime": mail(to, "other").decode()}).status_code == 406
    assert kept(house) == [b"Return-Path: <ann@example.org>\r\n" + mail(to)]
    assert post.post("/incoming/mailgun", data=of_mailgun(to, mail(to, "other"), now, "u" * 50)).status_code == 200
    assert (
        post.post("/incoming/mailgun", data=of_mailgun(to, mail(to, "third"), now - 200, "v" * 50)).status_code == 401
    )
    assert post.post("/incoming/mailgun", data=form | {"signature": "0" * 64}).status_code == 401
    assert len(kept(house)) == 2


def test_a_proof_is_not_used_up_by_a_mail_that_was_not_kept(house: House, post: FlaskClient, to: str) -> None:
    form = of_mailgun(to, mail(to), time.time())
    assert create_app(house.config, NOBODY).test_client().post("/incoming/mailgun", data=form).status_code == 503
    assert post.post("/incoming/mailgun", data=form).status_code == 200
    assert len(house.all(select(RateLimitWindow.key))) == 1


def test_mailgun_gives_up_on_what_is_for_nobody(post: FlaskClient) -> None:
    form = of_mailgun(f"play+{'0' * 26}@games.localhost", b"Hello", time.time())
    assert post.post("/incoming/mailgun", data=form).status_code == 406


def test_mailgun_names_several_recipients_in_one_form(house: House, post: FlaskClient) -> None:
    house.start_match("middle-card", 3)
    both = ", ".join(house.last(name).reply_to for name in ("Ann", "Bob"))
    assert post.post("/incoming/mailgun", data=of_mailgun(both, mail("x@y.org"), time.time())).status_code == 200
    assert len(kept(house)) == 2


def test_a_form_of_a_whole_mebibyte_is_taken(post: FlaskClient, to: str) -> None:
    head = mail(to)
    raw = head + b"\n" * (MAX_MAIL_BYTES - len(head))
    assert post.post("/incoming/mailgun", data=of_mailgun(to, raw, time.time())).status_code == 200


def test_postmark_hands_on_the_raw_mail(house: House, post: FlaskClient, to: str) -> None:
    said = {"RawEmail": mail("x@y.org").decode(), "OriginalRecipient": to, "From": "ann@example.org"}
    assert post.post("/incoming/postmark", data=json.dumps(said), headers=BASIC).status_code == 200
    assert kept(house) == [b"Return-Path: <ann@example.org>\r\n" + mail("x@y.org")]
    assert post.post("/incoming/postmark", data=json.dumps({"RawEmail": mail(to).decode()}), headers=BASIC).text
    gone = said | {"OriginalRecipient": f"play+{'0' * 26}@games.localhost"}
    assert post.post("/incoming/postmark", data=json.dumps(gone), headers=BASIC).status_code == 403


def test_sendgrid_hands_on_the_raw_mail_in_a_form(house: House, post: FlaskClient, to: str) -> None:
    form = {"email": mail("x@y.org").decode(), "envelope": json.dumps({"to": [to], "from": "bo@x.org"})}
    assert post.post("/incoming/sendgrid", data=form, headers=BASIC).status_code == 200
    assert post.post("/incoming/sendgrid", data={"email": mail(to, "2").decode()}, headers=BASIC).status_code == 200
    odd = {"email": mail(to, "3").decode(), "envelope": json.dumps({"to": to})}
    assert post.post("/incoming/sendgrid", data=odd, headers=BASIC).status_code == 200
    assert [each.partition(b"\r\n")[0] for each in kept(house)] == [
        b"Return-Path: <bo@x.org>",
        b"Return-Path: <ann@example.org>",
        b"Return-Path: <ann@example.org>",
    ]


def of_ses(to: str, content: str, **action: str) -> dict[str, Any]:
    return {"content": content, "receipt": {"recipients": [to], "action": action}, "mail": {"source": "bo@x.org"}}


def test_amazon_hands_on_the_raw_mail_in_a_notification(house: House, post: FlaskClient, to: str) -> None:
    plain = of_ses(to, mail(to, "1").decode())
    coded = of_ses(to, b64encode(mail(to, "2")).decode(), encoding="BASE64")
    bare = {"content": mail(to, "3").decode()}
    for notice in (plain, coded, bare):
        said = {"Type": "Notification", "Message": json.dumps(notice)}
        assert post.post("/incoming/ses", data=json.dumps(said), headers=BASIC).status_code == 200
    assert (
        post.post("/incoming/ses", data=json.dumps(of_ses(to, mail(to, "4").decode())), headers=BASIC).status_code
        == 200
    )
    assert [each.splitlines()[0] for each in kept(house)] == [
        b"Return-Path: <bo@x.org>",
        b"Return-Path: <bo@x.org>",
        b"Return-Path: <ann@example.org>",
        b"Return-Path: <bo@x.org>",
    ]


def test_amazons_question_is_put_into_the_log(post: FlaskClient, caplog: pytest.LogCaptureFixture) -> None:
    said = {"Type": "SubscriptionConfirmation", "SubscribeURL": "https://sns.example.org/?token=x"}
    assert post.post("/incoming/ses", data=json.dumps(said), headers=BASIC).status_code == 200
    assert "https://sns.example.org/?token=x" in caplog.text


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("postmark", "no JSON"),
        ("postmark", "[]"),
        ("postmark", "{}"),
        ("postmark", '{"RawEmail": 7}'),
        ("ses", '{"Message": "no JSON"}'),
        ("ses", json.dumps(of_ses("x@y.org", "é", encoding="BASE64"))),
        ("ses", '{"content": "", "receipt": 7, "mail": []}'),
        ("ses", '{"content": "", "receipt": {"recipients": 7}}'),
        ("postmark", "[" * 100_000),
    ],
)
def test_what_holds_no_mail_is_a_bad_request(post: FlaskClient, path: str, body: str) -> None:
    assert post.post(f"/incoming/{path}", data=body, headers=BASIC).status_code == 400


def test_half_a_letter_is_no_fault(post: FlaskClient, to: str) -> None:
    said = json.dumps({"RawEmail": mail(to).decode() + "\ud800"})
    assert post.post("/incoming/postmark", data=said, headers=BASIC).status_code == 200


def test_a_move_is_played_through_it(house: House, post: FlaskClient) -> None:
    match_id = house.start_match("minimax", 1)
    turn = house.last("Ann")
    raw = reply(turn, house.legal(match_id, 1)[0]).as_bytes()
    assert post.post("/incoming/raw", data=raw, headers=BEARER).status_code == 200
    house.judge(match_id)
    assert house.match(match_id).log_length == 1


def test_while_a_key_is_changed_the_old_and_the_new_one_let_in(house: House, to: str) -> None:
    both = replace(house.config, incoming_key=f"{KEY},{'n' * 40}")
    post = create_app(both, house.engine).test_client()
    letters = (("1", KEY, 200), ("2", "n" * 40, 200), ("3", f"{KEY},{'n' * 40}", 401), ("4", "", 401))
    for name, key, status in letters:
        bearer = {"Authorization": f"Bearer {key}"}
        told = post.post("/incoming/raw", query_string={"recipient": to}, data=mail(to, name), headers=bearer)
        assert told.status_code == status
    stamp = str(int(time.time()))
    for key, status in (("n" * 40, 200), (KEY, 200), ("x" * 40, 401)):
        body = mail(to, f"signed by {key}")
        text = f"{stamp}\n{to}\n\n".encode() + body
        headers = {"X-Timestamp": stamp, "X-Signature": hmac.new(key.encode(), text, "sha256").hexdigest()}
        headers |= {"X-Recipient": to}
        assert post.post("/incoming/raw", data=body, headers=headers).status_code == status
