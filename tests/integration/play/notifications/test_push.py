"""Push notifications: encrypted, retried, never more than whose turn it is, and mailed if they do not arrive."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select, update

from pbem.db.models import ClockPause, OutboxMessage, Player, PushMessage, PushSubscription
from pbem.play.core.backoff import RETRY_DELAYS
from pbem.play.core.errors import Refused
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.notifications import push_delivery, push_messages, push_subscriptions, vapid
from pbem.play.players import digest_schedule
from pbem.play.upkeep import after_restore, sweeper
from pbem.states import DeliveryState, OutboxState, PauseReason
from tests.support.creating import create_match
from tests.support.house import address
from tests.support.play.notifications.push_service import Device, add, check_sender, push_service, subscriptions
from tests.support.play.notifications.pushed_turns import (
    ANN,
    BOB,
    change_player,
    name,
    only_message,
    pass_turn,
    push,
    turn_mail,
    whist,
)

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.receiver import Receiver

__all__ = ["push_service"]

# -- what is sent, and how ------------------------------------------------------------------------------------


def test_a_turn_is_pushed_encrypted_signed_and_with_nothing_hidden(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    device = add(house, match_id, f"{push_service.url}/device", seat)
    pass_turn(house, match_id)
    assert push(house) == 1
    (path, headers, _body) = push_service.calls[0]
    assert path == "/device"
    ply = house.match(match_id).ply
    assert device.shown(push_service) == [
        {
            "title": "Martian Whist: it is your turn",
            "body": f"Move {ply}, with {name(3 - seat)}",
            "lang": "en",
            "tag": match_id,
            "path": f"/mine/{match_id}",
        }
    ]
    assert headers["content-encoding"] == "aes128gcm"
    assert headers["topic"] == match_id
    assert headers["ttl"] == "86400"
    claims, key = check_sender(headers["authorization"])
    assert claims["aud"] == push_service.url
    assert claims["sub"] == f"mailto:{house.config.service_address}"
    assert datetime.now(UTC) < datetime.fromtimestamp(claims["exp"], UTC) < datetime.now(UTC) + timedelta(days=1)
    assert key == vapid.public_key(house.config.secret_keys[-1])


def test_a_push_is_in_its_players_language(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    device = add(house, match_id, push_service.url + "/d", seat)
    change_player(house, seat, language="de")
    pass_turn(house, match_id)
    push(house)
    assert device.shown(push_service)[0]["title"] == "Martian Whist: du bist am Zug"


def test_no_hand_and_no_token_is_ever_pushed(house: House, push_service: Receiver) -> None:
    match_id = house.start_match("montauk", 2)
    devices = [add(house, match_id, f"{push_service.url}/{seat}", seat) for seat in (ANN, BOB)]
    for _turn in range(4):
        pass_turn(house, match_id)
        push(house)
    shown = [message for device in devices for message in device.shown(push_service)]
    assert len(shown) >= 4
    words = {match_id, f"/mine/{match_id}", "en", "Montauk: it is your turn"}
    for message in shown:
        body = message.pop("body")
        assert body.partition(", with ")[2] in {"Ann", "Bob"}
        assert body.partition(",")[0].removeprefix("Move ").isdigit()
        assert {*message.values()} == words


def test_a_mail_that_answers_a_move_is_not_pushed_too(house: House, push_service: Receiver) -> None:
    match_id = house.start_match("minimax", 1)
    add(house, match_id, push_service.url + "/d")
    house.reply(house.last("Ann"), house.legal(match_id, ANN)[0])
    assert house.all(select(PushMessage)) == []


def test_every_device_is_notified_once_whatever_is_retried(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    for number in range(3):
        add(house, match_id, f"{push_service.url}/{number}", seat)
    pass_turn(house, match_id)
    assert push(house) == 3
    assert push(house) == 0
    assert sorted(path for path, _, _ in push_service.calls) == ["/0", "/1", "/2"]


def test_a_turn_that_is_over_is_not_pushed(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/d", seat)
    pass_turn(house, match_id)
    pass_turn(house, match_id)
    assert push(house) == 0
    assert push_service.calls == []
    assert only_message(house).state == DeliveryState.FAILED


# -- beside mail, or in its place -----------------------------------------------------------------------------


def test_a_mail_comes_as_well_unless_chosen_otherwise(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/d", seat)
    pass_turn(house, match_id)
    push(house)
    house.deliver()
    assert turn_mail(house, match_id, seat).state == OutboxState.SENT


def test_an_accepted_push_replaces_the_mail(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/d", seat, instead=True)
    pass_turn(house, match_id)
    house.deliver()
    assert turn_mail(house, match_id, seat).state == OutboxState.PENDING
    push(house)
    mail = turn_mail(house, match_id, seat)
    assert (mail.state, mail.error) == (OutboxState.DROPPED, push_delivery.MAIL_REPLACED)
    # The hand that it would have shown is not stored.
    assert mail.render_data == {}


def test_the_first_mail_of_a_match_is_sent_beside_the_push(house: House, push_service: Receiver) -> None:
    match_id, _seat = whist(house)
    add(house, match_id, push_service.url + "/d", ANN, instead=True)
    with house.transaction() as ctx:
        later = create_match(ctx, "minimax", {}, [Invitee("Ann", address("Ann"))], creator=1, known=True).id
    assert push(house) == 1
    house.deliver()
    assert turn_mail(house, later, ANN).state == OutboxState.SENT


@pytest.mark.parametrize("answer", ["404", "410", "403", "400", "302"])
def test_a_mail_is_sent_at_once_if_no_push_will_be_accepted(house: House, push_service: Receiver, answer: str) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/d", seat, instead=True)
    push_service.answer = answer
    pass_turn(house, match_id)
    push(house)
    house.deliver()
    assert turn_mail(house, match_id, seat).state == OutboxState.SENT
    assert push(house) == 0
    assert len(push_service.calls) == 1


def test_a_mail_waits_no_longer_than_ten_minutes_for_a_push(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/d", seat, instead=True)
    push_service.answer = "503"
    pass_turn(house, match_id)
    push(house)
    mail = turn_mail(house, match_id, seat)
    assert mail.state == OutboxState.PENDING
    assert mail.due_at - mail.created_at == push_messages.MAIL_DELAY


def test_a_mail_waits_while_another_device_may_still_be_notified(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/a", seat, instead=True)
    add(house, match_id, push_service.url + "/b", seat, instead=True)
    pass_turn(house, match_id)
    first, second = subscriptions(house)
    with house.transaction() as ctx:
        push_subscriptions.forget(ctx, PushSubscription.id == first.id)
    assert turn_mail(house, match_id, seat).due_at > datetime.now(UTC)
    with house.transaction() as ctx:
        push_subscriptions.forget(ctx, PushSubscription.id == second.id)
    house.deliver()
    assert turn_mail(house, match_id, seat).state == OutboxState.SENT


def test_a_mail_that_went_out_meanwhile_stays_sent(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/d", seat, instead=True)
    pass_turn(house, match_id)
    with house.transaction() as ctx:
        ctx.session.execute(
            update(OutboxMessage).where(OutboxMessage.state == OutboxState.PENDING).values(due_at=ctx.now)
        )
    house.deliver()
    assert push(house) == 1
    assert turn_mail(house, match_id, seat).state == OutboxState.SENT


# -- one's own hours ------------------------------------------------------------------------------------------


def test_in_quiet_hours_a_push_waits_for_the_morning_and_the_mail_does_not(
    house: House, push_service: Receiver
) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/d", seat, instead=True)
    hour = datetime.now(UTC).hour
    change_player(house, seat, quiet_from=hour, quiet_until=(hour + 2) % 24)
    pass_turn(house, match_id)
    house.deliver()
    assert push(house) == 0
    assert turn_mail(house, match_id, seat).state == OutboxState.SENT
    assert only_message(house).due_at > datetime.now(UTC)


def test_a_push_that_is_retried_in_quiet_hours_waits_for_the_morning(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/d", seat)
    pass_turn(house, match_id)
    hour = datetime.now(UTC).hour
    change_player(house, seat, quiet_from=hour, quiet_until=(hour + 2) % 24)
    assert push(house) == 0
    assert push_service.calls == []
    assert only_message(house).state == DeliveryState.PENDING


def test_with_a_daily_mail_the_push_comes_at_its_time(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/d", seat)
    change_player(house, seat, mail_frequency=digest_schedule.DIGEST)
    pass_turn(house, match_id)
    assert only_message(house).due_at == turn_mail(house, match_id, seat).due_at > datetime.now(UTC)


def test_nothing_is_pushed_to_a_player_who_is_away(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/d", seat, instead=True)
    with house.transaction() as ctx:
        player = ctx.session.scalars(select(Player).where(Player.name == name(seat))).one()
        ctx.session.add(
            ClockPause(
                player_id=player.id,
                reason=PauseReason.AWAY.value,
                started_at=ctx.now - timedelta(hours=1),
                ended_at=ctx.now + timedelta(days=2),
            )
        )
    pass_turn(house, match_id)
    house.deliver()
    assert house.all(select(PushMessage)) == []
    assert turn_mail(house, match_id, seat).state == OutboxState.SENT


# -- devices that fail ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["404", "410"])
def test_a_device_that_is_gone_is_forgotten(house: House, push_service: Receiver, answer: str) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/d", seat)
    push_service.answer = answer
    pass_turn(house, match_id)
    push(house)
    assert subscriptions(house) == []
    assert house.all(select(PushMessage)) == []


@pytest.mark.parametrize(
    ("answer", "retry_after", "seconds"), [("429", "3600", 3600), ("503", "", 10), ("500", "x", 10)]
)
def test_a_push_service_that_is_busy_is_asked_again_when_it_says(
    house: House, push_service: Receiver, answer: str, retry_after: str, seconds: int
) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/d", seat)
    push_service.answer, push_service.retry_after = answer, retry_after
    pass_turn(house, match_id)
    before = datetime.now(UTC)
    push(house)
    message = only_message(house)
    assert (message.state, message.attempts) == (DeliveryState.PENDING, 1)
    assert before + timedelta(seconds=seconds) <= message.due_at <= datetime.now(UTC) + timedelta(seconds=seconds)
    (device,) = subscriptions(house)
    assert device.last_error == f"It answered with status {answer}."


def test_a_device_that_works_again_is_no_longer_failing(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/d", seat)
    push_service.answer = "503"
    pass_turn(house, match_id)
    push(house)
    push_service.answer = "201"
    with house.transaction() as ctx:
        ctx.session.execute(update(PushMessage).values(due_at=ctx.now))
    assert push(house) == 1
    (device,) = subscriptions(house)
    assert (device.failing_since, device.last_error) == (None, None)
    assert device.used_at is not None


def test_a_message_is_given_up_after_the_last_retry(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/d", seat)
    push_service.answer = "503"
    pass_turn(house, match_id)
    with house.transaction() as ctx:
        ctx.session.execute(update(PushMessage).values(attempts=len(RETRY_DELAYS)))
    push(house)
    assert only_message(house).state == DeliveryState.FAILED


def test_a_device_that_fails_for_days_is_disabled_and_the_mail_sent(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/d", seat, instead=True)
    push_service.answer = "503"
    pass_turn(house, match_id)
    push(house)
    with house.transaction() as ctx:
        ctx.session.execute(update(PushSubscription).values(failing_since=ctx.now - timedelta(days=4)))
    with house.transaction() as ctx:
        sweeper.sweep(ctx)
    (device,) = subscriptions(house)
    assert device.disabled_at is not None
    assert only_message(house).state == DeliveryState.FAILED
    house.deliver()
    assert turn_mail(house, match_id, seat).state == OutboxState.SENT
    pass_turn(house, match_id)
    pass_turn(house, match_id)
    assert only_message(house).state == DeliveryState.FAILED


def test_beside_a_device_that_was_disabled_the_others_are_notified(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    for name_of_device in ("disabled", "other"):
        add(house, match_id, f"{push_service.url}/{name_of_device}", seat)
    first, _other = subscriptions(house)
    with house.transaction() as ctx:
        ctx.session.execute(update(PushSubscription).where(PushSubscription.id == first.id).values(disabled_at=ctx.now))
    pass_turn(house, match_id)
    assert push(house) == 1
    assert [path for path, _, _ in push_service.calls] == ["/other"]


def test_a_device_of_a_dropped_key_is_not_sent_what_it_would_refuse(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/d", seat, instead=True)
    pass_turn(house, match_id)
    other = house.with_keys("another secret key of thirty-two characters")
    push(other)
    assert push_service.calls == []
    assert subscriptions(house)[0].last_error == "The service has a new key: forget this device, and add it again."


def test_a_push_service_in_a_private_network_is_refused(house: House) -> None:
    match_id, seat = whist(house)
    with pytest.raises(Refused, match="private network"):
        add(house, match_id, "https://10.0.0.1/push", seat)
    with pytest.raises(Refused, match="Enter a URL"):
        add(house, match_id, "javascript:alert(1)", seat)


def test_a_restored_service_pushes_nothing_twice(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/d", seat)
    pass_turn(house, match_id)
    with house.transaction() as ctx:
        after_restore.invalidate(ctx, ctx.now)
    assert push(house) == 0
    assert house.rows(select(func.count()).select_from(PushMessage))[0][0] == 1
    assert Device(push_service.url).shown(push_service) == []


def test_a_message_that_cannot_be_composed_holds_up_no_other_and_is_mailed(
    house: House, push_service: Receiver
) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/broken", seat, instead=True)
    with house.transaction() as ctx:
        ctx.session.execute(update(PushSubscription).values(public_key=b"no point of the curve"))
    pass_turn(house, match_id)
    assert push(house) == 0
    assert only_message(house).state == DeliveryState.FAILED
    house.deliver()
    assert turn_mail(house, match_id, seat).state == OutboxState.SENT
