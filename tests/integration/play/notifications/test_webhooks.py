"""Webhooks: signed, retried, and never more than that it is somebody's turn."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import socket
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import SeatHolder, Webhook, WebhookDelivery
from pbem.db.session import set_task_sender
from pbem.db.worker_lock import try_lock
from pbem.play.core.backoff import RETRY_DELAYS
from pbem.play.core.errors import Refused
from pbem.play.notifications import delivery_batches, webhook_client, webhook_delivery, webhooks
from pbem.play.notifications.webhook_client import CallError
from pbem.play.notifications.webhook_delivery import deliver_due_calls
from pbem.play.upkeep import sweeper
from pbem.states import DeliveryState
from tests.support.live_service import until
from tests.support.play.notifications.webhooks import add, program, seated, tried

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.receiver import Receiver

__all__ = ["program"]
SECRET = b"0123456789abcdef0123456789abcdef"


def only_call(house: House) -> WebhookDelivery:
    (call,) = house.all(select(WebhookDelivery))
    assert isinstance(call, WebhookDelivery)
    return call


def hook(house: House) -> Webhook:
    (webhook,) = house.all(select(Webhook))
    assert isinstance(webhook, Webhook)
    return webhook


def due_now(house: House) -> None:
    with house.transaction() as ctx:
        ctx.session.execute(
            update(WebhookDelivery).where(WebhookDelivery.state == DeliveryState.PENDING).values(due_at=ctx.now)
        )


def at_once(house: House, match_id: str, urls: list[str]) -> list[str]:
    """Add webhooks by as many forms as there are addresses, all sent at once; returns why some were refused."""
    begun = Barrier(len(urls))

    def one(url: str) -> str:
        with house.transaction() as ctx:
            holder = seated(ctx, match_id)
            begun.wait()
            try:
                webhooks.add(ctx, holder, url)
            except Refused as refused:
                return str(refused)
        return ""

    with ThreadPoolExecutor(len(urls)) as pool:
        return [said for said in pool.map(one, urls) if said]


def test_forms_that_are_sent_at_once_make_no_more_webhooks_than_one_after_the_other(
    house: House, program: Receiver
) -> None:
    match_id = house.start_match("martian-whist", 2)
    refused = at_once(house, match_id, [f"{program.url}?{number}" for number in range(8)])
    assert len(house.all(select(Webhook))) == webhooks.MAX_PER_SEAT
    assert len(refused) == 8 - webhooks.MAX_PER_SEAT


def test_forms_that_are_sent_at_once_have_no_address_called_twice(house: House, program: Receiver) -> None:
    match_id = house.start_match("martian-whist", 2)
    refused = at_once(house, match_id, [program.url] * 8)
    assert len(house.all(select(Webhook))) == 1
    assert set(refused) == {"This URL is already called."}


# -- what is called, and how ----------------------------------------------------------------------------


def test_a_turn_and_an_end_are_told_signed_and_with_nothing_hidden(house: House, program: Receiver) -> None:
    match_id = house.start_match("martian-whist", 2)
    mover = house.match(match_id).to_move[0]
    other = 3 - mover
    for seat in (1, 2):
        add(house, match_id, f"{program.url}/{seat}?a=b", seat)
    mails = {seat: house.last("Ann" if seat == 1 else "Bob") for seat in (1, 2)}
    while house.match(match_id).to_move == [mover]:
        house.reply(mails[mover], house.legal(match_id, mover)[0])
    assert deliver_due_calls(house.engine, house.config) >= 1
    calls = {path: (headers, body) for path, headers, body in program.calls}
    headers, body = calls[f"/{other}?a=b"]
    told = json.loads(body)
    assert told["type"] == "turn"
    assert told["data"] == {
        "match": match_id,
        "game": "martian-whist",
        "seat": other,
        "ply": house.match(match_id).ply,
        "url": f"http://127.0.0.1:8000/mine/{match_id}",
    }
    assert datetime.fromisoformat(told["timestamp"]) <= datetime.now(UTC)
    # Checked as the scheme describes it, from the secret as its owner is shown it.
    (row,) = house.all(select(Webhook).join(WebhookDelivery).where(WebhookDelivery.id == headers["webhook-id"]))
    key = base64.b64decode(webhook_client.encode_secret(row.secret).removeprefix("whsec_"))
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body.decode()}"
    signature = base64.b64encode(hmac.new(key, content.encode(), hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{signature}"
    assert abs(int(headers["webhook-timestamp"]) - datetime.now(UTC).timestamp()) < 60
    assert headers["content-type"] == "application/json"
    program.calls.clear()
    house.reply(house.last("Ann" if other == 1 else "Bob"), "resign yes")
    deliver_due_calls(house.engine, house.config)
    ended = {path: json.loads(body) for path, _headers, body in program.calls}
    assert [ended[f"/{seat}?a=b"]["type"] for seat in (1, 2)] == ["ended", "ended"]
    # Each is told once.
    program.calls.clear()
    due_now(house)
    assert deliver_due_calls(house.engine, house.config) == 0
    assert not program.calls


def test_two_webhooks_have_secrets_of_their_own_and_no_seat_more_than_a_few(house: House, program: Receiver) -> None:
    match_id = house.start_match("minimax", 1)
    for number in range(webhooks.MAX_PER_SEAT):
        add(house, match_id, f"{program.url}/{number}")
    assert len({one.secret for one in house.all(select(Webhook))}) == webhooks.MAX_PER_SEAT
    with pytest.raises(Refused, match="You already have 3 here"):
        add(house, match_id, f"{program.url}/more")


def test_the_same_address_is_called_once(house: House, program: Receiver) -> None:
    match_id = house.start_match("minimax", 1)
    add(house, match_id, program.url)
    with pytest.raises(Refused, match="already called"):
        add(house, match_id, f" {program.url} ")


def test_calls_are_named_after_commit_and_found_by_the_sweep(house: House, program: Receiver) -> None:
    match_id = house.start_match("minimax", 1)
    add(house, match_id, program.url)
    named: list[str] = []
    set_task_sender(lambda task, _arguments: named.append(task))
    try:
        tried(house, match_id)
        assert named == [webhooks.DELIVER_TASK]
        named.clear()
        with house.transaction(datetime.now(UTC) + timedelta(minutes=1)) as ctx:
            sweeper.sweep(ctx)
        assert webhooks.DELIVER_TASK in named
        deliver_due_calls(house.engine, house.config)
        named.clear()
        with house.transaction(datetime.now(UTC) + timedelta(minutes=1)) as ctx:
            sweeper.sweep(ctx)
        assert webhooks.DELIVER_TASK not in named
    finally:
        set_task_sender(lambda _task, _arguments: None)


def test_one_worker_at_a_time_calls(house: House, program: Receiver) -> None:
    match_id = house.start_match("minimax", 1)
    add(house, match_id, program.url)
    tried(house, match_id)
    with try_lock(house.engine, webhook_delivery._LOCK_ID) as mine:
        assert mine
        assert deliver_due_calls(house.engine, house.config) == 0
    assert deliver_due_calls(house.engine, house.config) == 1


# -- what fails -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("500", "It answered with status 500."),
        ("410", "It answered with status 410."),
        ("302", "It answered with a redirect (302). Enter the final URL"),
        ("307", "It answered with a redirect (307). Enter the final URL"),
        ("hang", "It did not answer within ten seconds."),
        ("drip", "It did not answer within ten seconds."),
        ("rubbish", "It could not be reached, or did not answer with HTTP."),
    ],
)
def test_whatever_a_program_does_it_is_told_in_a_sentence_and_holds_up_nobody(
    house: House, program: Receiver, answer: str, reason: str
) -> None:
    program.answer = answer
    signature = webhook_client.signature_headers(SECRET, "name", b"{}", datetime.now(UTC))
    # Who answers at all may take their time; who never does is given up soon.
    seconds = {"hang": 0.5, "drip": 1.5}.get(answer, 30)
    with pytest.raises(CallError, match=reason.replace("(", r"\(").replace(")", r"\)")):
        webhook_client.call(house.config, program.url, b"{}", signature, seconds=seconds)
    until(lambda: program.calls)
    assert [path for path, _headers, _body in program.calls] == ["/"]


def test_where_nobody_listens_it_is_said(house: House) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    with pytest.raises(CallError, match="could not be reached"):
        webhook_client.call(house.config, f"http://127.0.0.1:{port}/", b"{}", {})


def test_a_call_that_fails_is_tried_again_and_again_then_given_up(house: House, program: Receiver) -> None:
    match_id = house.start_match("minimax", 1)
    add(house, match_id, program.url)
    program.answer = "500"
    tried(house, match_id)
    for number, pause in enumerate(RETRY_DELAYS, 1):
        assert deliver_due_calls(house.engine, house.config) == 0
        call = only_call(house)
        assert (call.state, call.attempts) == ("pending", number)
        assert timedelta() <= datetime.now(UTC) + pause - call.due_at < timedelta(seconds=30)
        # Before that nothing is tried.
        assert len(program.calls) == number
        deliver_due_calls(house.engine, house.config)
        assert len(program.calls) == number
        due_now(house)
    deliver_due_calls(house.engine, house.config)
    assert only_call(house).state == DeliveryState.FAILED
    assert len(program.calls) == len(RETRY_DELAYS) + 1
    # All of them are the same call: a receiver that has seen its name knows it.
    assert len({headers["webhook-id"] for _path, headers, _body in program.calls}) == 1
    assert hook(house).last_error == "It answered with status 500."


def test_a_call_that_comes_through_clears_what_was_wrong(house: House, program: Receiver) -> None:
    match_id = house.start_match("minimax", 1)
    add(house, match_id, program.url)
    program.answer = "503"
    tried(house, match_id)
    deliver_due_calls(house.engine, house.config)
    since = hook(house).failing_since
    assert since
    due_now(house)
    deliver_due_calls(house.engine, house.config)
    assert hook(house).failing_since == since
    program.answer = "200"
    due_now(house)
    assert deliver_due_calls(house.engine, house.config) == 1
    assert (hook(house).failing_since, hook(house).last_error, only_call(house).state) == (None, None, "delivered")


def test_a_turn_that_is_over_is_told_no_more(house: House, program: Receiver) -> None:
    match_id = house.start_match("minimax", 1)
    add(house, match_id, program.url)
    mail = house.last("Ann")
    program.answer = "500"
    house.reply(mail, house.legal(match_id, 1)[0])
    deliver_due_calls(house.engine, house.config)
    assert only_call(house).state == DeliveryState.PENDING
    program.calls.clear()
    house.reply(house.last("Ann"), house.legal(match_id, 1)[0])
    due_now(house)
    program.answer = "200"
    assert deliver_due_calls(house.engine, house.config) == 1
    (told,) = [json.loads(body)["data"]["ply"] for _path, _headers, body in program.calls]
    assert told == house.match(match_id).ply
    assert delivery_batches.EXPIRED in house.all(select(WebhookDelivery.error))


def test_who_sits_there_no_more_is_told_nothing(house: House, program: Receiver) -> None:
    match_id = house.start_match("minimax", 1)
    add(house, match_id, program.url)
    tried(house, match_id)
    with house.transaction() as ctx:
        ctx.session.execute(update(SeatHolder).values(left_at=ctx.now))
    assert deliver_due_calls(house.engine, house.config) == 0
    assert not program.calls


def test_a_worker_that_died_in_a_call_loses_it_to_the_next(house: House, program: Receiver) -> None:
    match_id = house.start_match("minimax", 1)
    add(house, match_id, program.url)
    tried(house, match_id)
    assert len(webhook_delivery._claim(house.engine, house.config)) == 1
    assert deliver_due_calls(house.engine, house.config) == 0
    assert only_call(house).due_at > datetime.now(UTC)
    due_now(house)
    assert deliver_due_calls(house.engine, house.config) == 1


def test_what_is_removed_while_it_is_called_is_gone(house: House, program: Receiver) -> None:
    match_id = house.start_match("minimax", 1)
    add(house, match_id, program.url)
    tried(house, match_id)
    (due,) = webhook_delivery._claim(house.engine, house.config)
    with house.transaction() as ctx:
        (webhook,) = webhooks.for_seat(ctx, seated(ctx, match_id))
        webhooks.remove(ctx, webhook)
    with house.transaction() as ctx:
        webhook_delivery._record_result(ctx, due.call, None)
    assert not house.all(select(Webhook))
    assert not house.all(select(WebhookDelivery))


def test_after_days_of_failing_it_ends_and_its_owner_is_mailed_once(house: House, program: Receiver) -> None:
    match_id = house.start_match("minimax", 1)
    add(house, match_id, program.url)
    house.mails("Ann")
    program.answer = "500"
    tried(house, match_id)
    deliver_due_calls(house.engine, house.config)
    with house.transaction() as ctx:
        sweeper.sweep(ctx)
    assert not house.mails("Ann")
    with house.transaction() as ctx:
        ctx.session.execute(update(Webhook).values(failing_since=ctx.now - delivery_batches.DISABLE_AFTER))
    for _ in range(2):
        with house.transaction() as ctx:
            sweeper.sweep(ctx)
    mail = house.only("Ann")
    assert "Your webhook for this match of Minimax has failed for days" in mail.flat
    assert f"We called {program.url}." in mail.flat
    assert "It answered with status 500." in mail.flat
    assert f"http://127.0.0.1:8000/mine/{match_id}/webhooks" in mail.text
    assert hook(house).disabled_at
    assert only_call(house).state == DeliveryState.FAILED
    # Nothing is owed to it from then on, until its owner has it tried.
    house.reply(mail, house.legal(match_id, 1)[0])
    assert only_call(house).state == DeliveryState.FAILED
    program.answer = "200"
    with house.transaction() as ctx:
        holder = seated(ctx, match_id)
        (webhook,) = webhooks.for_seat(ctx, holder)
        webhooks.retry(ctx, webhook, holder)
    assert deliver_due_calls(house.engine, house.config) == 1
    assert (hook(house).disabled_at, hook(house).failing_since) == (None, None)


def test_trying_again_gives_a_failing_one_its_days_once_more(house: House, program: Receiver) -> None:
    match_id = house.start_match("minimax", 1)
    add(house, match_id, program.url)
    program.answer = "500"
    tried(house, match_id)
    deliver_due_calls(house.engine, house.config)
    with house.transaction() as ctx:
        ctx.session.execute(update(Webhook).values(failing_since=ctx.now - timedelta(days=2)))
    with house.transaction() as ctx:
        holder = seated(ctx, match_id)
        (webhook,) = webhooks.for_seat(ctx, holder)
        webhooks.retry(ctx, webhook, holder)
    since = hook(house).failing_since
    assert since
    assert datetime.now(UTC) - since < timedelta(minutes=1)
    assert only_call(house).attempts == 0


def test_nobody_has_others_called_without_end(house: House, program: Receiver) -> None:
    match_id = house.start_match("minimax", 1)
    add(house, match_id, program.url)
    for _ in range(webhooks.MAX_TESTS_PER_HOUR):
        tried(house, match_id)
    with pytest.raises(Refused, match="Try again in an hour"):
        tried(house, match_id)
