"""Webhooks in the forms of chat services: what they post, to whom pictures are shown, and when they stop."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from pbem.db.models import Match, Player, Webhook, WebhookDelivery
from pbem.play.core.errors import Refused
from pbem.play.notifications.webhook_delivery import deliver_due_calls
from pbem.states import DeliveryState, WebhookForm, Withheld
from tests.support.play.notifications.webhooks import add, program, tried

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.receiver import Receiver

__all__ = ["program"]
MENTION = "204255221017214977"


def posted(house: House, program: Receiver) -> dict[str, Any]:
    """Make the calls that are due, and return the last one."""
    deliver_due_calls(house.engine, house.config)
    body: dict[str, Any] = json.loads(program.calls[-1][2])
    return body


def in_discord(house: House, program: Receiver, *, public: bool = True, mention: str = MENTION) -> str:
    match_id = house.start_match("martian-whist", 2, public=public)
    add(house, match_id, program.url, form=WebhookForm.DISCORD, mention=mention)
    return match_id


def test_a_turn_is_posted_with_its_player_the_page_and_the_board(house: House, program: Receiver) -> None:
    match_id = in_discord(house, program)
    tried(house, match_id)
    test = posted(house, program)
    assert "This is a test" in test["content"]
    assert MENTION not in test["content"]
    with house.transaction() as ctx:
        row = ctx.session.get_one(Match, match_id)
        seat = {1: "Ann", 2: "Bob"}[row.to_move[0]]
    house.reply(house.last(seat), "take 1")
    while house.match(match_id).to_move != [1]:
        house.reply(house.last("Bob"), "take 1")
    turn = posted(house, program)
    assert turn["content"].startswith(f"<@{MENTION}> Ann, it is your turn in Martian Whist, move ")
    (embed,) = turn["embeds"]
    assert embed["url"] == f"http://127.0.0.1:8000/mine/{match_id}"
    assert embed["image"]["url"].startswith(f"http://127.0.0.1:8000/matches/{match_id}/picture.png?lang=en&v=")


def test_an_end_is_posted_and_mentions_nobody(house: House, program: Receiver) -> None:
    match_id = in_discord(house, program)
    house.reply(house.last("Ann"), "resign yes")
    assert house.match(match_id).state == "over"
    assert posted(house, program)["content"] == "Ann, your match of Martian Whist is over."


@pytest.mark.parametrize("change", [{"public": False}, {"withheld": Withheld.TABLE}])
def test_no_picture_is_posted_that_not_everybody_may_see(
    house: House, program: Receiver, change: dict[str, object]
) -> None:
    match_id = in_discord(house, program)
    with house.transaction() as ctx:
        ctx.session.execute(update(Match).values(change))
    tried(house, match_id)
    assert "image" not in posted(house, program)["embeds"][0]


def test_a_message_is_in_its_owners_language(house: House, program: Receiver) -> None:
    match_id = in_discord(house, program)
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(language="de"))
    tried(house, match_id)
    assert "Dies ist ein Test" in posted(house, program)["content"]


def test_a_service_that_refuses_a_message_is_called_no_more_and_its_owner_learns_once(
    house: House, program: Receiver
) -> None:
    match_id = in_discord(house, program)
    program.answer = "404"
    tried(house, match_id)
    deliver_due_calls(house.engine, house.config)
    (hook,) = house.all(select(Webhook))
    assert hook.disabled_at is not None
    assert hook.last_error == "It answered with status 404."
    refused = "Discord refuses our messages about this match of Martian Whist, so we send no more."
    (mail,) = (one for one in house.mails("Ann") if refused in one.flat)
    assert "It answered with status 404." in mail.flat
    house.reply(next(one for one in house.every_mail if one.name == "Ann" and "your turn" in one.text), "resign yes")
    deliver_due_calls(house.engine, house.config)
    assert house.match(match_id).state == "over"
    assert len(program.calls) == 1
    assert not house.all(select(WebhookDelivery).where(WebhookDelivery.state == DeliveryState.PENDING))


@pytest.mark.parametrize(("form", "answer"), [(WebhookForm.JSON, "404"), (WebhookForm.DISCORD, "429")])
def test_what_may_pass_is_tried_again(house: House, program: Receiver, form: WebhookForm, answer: str) -> None:
    match_id = house.start_match("martian-whist", 2)
    add(house, match_id, program.url, form=form)
    program.answer = answer
    tried(house, match_id)
    deliver_due_calls(house.engine, house.config)
    (hook,) = house.all(select(Webhook))
    assert hook.disabled_at is None
    assert [row.state for row in house.all(select(WebhookDelivery))] == [DeliveryState.PENDING]


def test_a_form_that_is_wrong_adds_nothing(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    with pytest.raises(Refused, match="ends in its topic"):
        add(house, match_id, "https://ntfy.sh/", form=WebhookForm.NTFY)
    assert not house.all(select(Webhook))
