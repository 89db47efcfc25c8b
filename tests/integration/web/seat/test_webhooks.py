"""The page of a seat's webhooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import Webhook, WebhookDelivery
from pbem.play.notifications import webhooks
from pbem.play.notifications.webhook_client import encode_secret
from pbem.play.notifications.webhook_delivery import deliver_due_calls
from pbem.states import DeliveryState, WebhookForm
from tests.support.receiver import receiving
from tests.support.web.account.dashboard import signed_in
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.house import House
    from tests.support.pages import Page
    from tests.support.receiver import Receiver


@pytest.fixture
def program() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


def opened(house: House, name: str = "Ann") -> Page:
    match_id = house.start_match("minimax", 1)
    return signed_in(house, name).open(f"/mine/{match_id}/webhooks")


def test_a_webhook_is_added_tested_and_removed(house: House, program: Receiver) -> None:
    page = opened(house)
    assert "A webhook notifies your program" in page.words
    page = page.press("Add a webhook", url=f"{program.url}/hook")
    assert "No call has failed." in page.words
    (row,) = house.all(select(Webhook))
    assert encode_secret(row.secret) in page.words
    test = f"Send a test {row.url}"
    page = page.press(test)
    assert "Calling the webhook." in page.words
    assert "1 call is on its way." in page.words
    assert deliver_due_calls(house.engine, house.config) == 1
    assert len(program.calls) == 1
    page = page.visitor.open(page.url.partition("?")[0])
    assert "No call has failed." in page.words
    page = page.press(f"Remove {row.url}")
    assert not house.all(select(Webhook))
    assert row.url not in page.words


def test_one_that_fails_shows_why_and_is_tried_again(house: House, program: Receiver) -> None:
    program.answer = "500"
    page = opened(house).press("Add a webhook", url=program.url).press(f"Send a test {program.url}")
    deliver_due_calls(house.engine, house.config)
    here = page.url.partition("?")[0]
    page = page.visitor.open(here)
    assert "It has been failing since" in page.words
    assert "It answered with status 500. 1 call will be retried." in page.words
    with house.transaction() as ctx:
        ctx.session.execute(update(Webhook).values(disabled_at=ctx.now))
        ctx.session.execute(update(WebhookDelivery).values(state=DeliveryState.FAILED))
    page = page.visitor.open(here)
    assert "This webhook is disabled because it failed for days. It answered with status 500." in page.words
    program.answer = "200"
    page.press(f"Try again {program.url}")
    deliver_due_calls(house.engine, house.config)
    assert "No call has failed." in page.visitor.open(here).words


def test_a_chat_of_a_group_is_chosen_and_shown(house: House, program: Receiver) -> None:
    page = opened(house).press("Add a webhook", url=f"{program.url}/hook", form="discord", mention="204255221017214977")
    assert "Discord: http" in page.words
    assert "It mentions 204255221017214977 when it is your turn." in page.words
    assert "Signing secret" not in page.words


def test_a_mention_that_is_none_is_said_beside_what_was_typed(house: House, program: Receiver) -> None:
    page = opened(house).press("Add a webhook", url=program.url, form="slack", mention="Ann")
    assert page.status == 422
    assert "Slack knows its users by names such as U024BE7LH." in page.words
    typed = page.form("Add a webhook").fields
    assert (typed["form"], typed["mention"]) == ("slack", "Ann")
    assert not house.all(select(Webhook))


def test_an_address_that_is_none_is_refused_in_every_form(house: House) -> None:
    page = opened(house)
    for form in WebhookForm:
        page = page.press("Add a webhook", url="https://[", form=form)
        assert page.status == 422
        assert "Enter a URL such as https://example.org/hook" in page.words


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://10.0.0.1/", "The URL must begin with https://"),
        ("https://169.254.169.254/", "169.254.169.254 is in a private network"),
        ('https://a"><b>', "does not exist"),
        ("", "Enter a URL such as https://example.org/hook"),
    ],
)
def test_where_nothing_is_called_is_said_beside_what_was_typed(house: House, url: str, reason: str) -> None:
    page = opened(house).press("Add a webhook", url=url)
    assert page.status == 422
    assert reason in page.words
    assert page.form("Add a webhook").fields["url"] == url
    assert not house.all(select(Webhook))


def test_it_is_ones_own_seat_alone(house: House, program: Receiver) -> None:
    page = opened(house).press("Add a webhook", url=program.url)
    here = page.url
    house.make("middle-card", 3)
    bob = signed_in(house, "Bob")
    assert bob.open(here).status == 404
    assert bob.client.post(here, data={"do": "add"}).status_code == 404
    assert visitor(house).client.get(here).headers["Location"].startswith("/sign-in")
    assert visitor(house).client.post(here).headers["Location"].startswith("/sign-in")
    # A form of one's own cannot name somebody else's webhook, nor a wish that is none.
    (row,) = house.all(select(Webhook))
    for do, webhook in (("remove", "0" * 20), ("what", row.id)):
        page.visitor.send(
            page.form(f"Remove {row.url}"), {**page.form(f"Remove {row.url}").fields, "do": do, "webhook": webhook}
        )
    assert len(house.all(select(Webhook))) == 1
    assert not house.all(select(WebhookDelivery))


def test_a_form_from_elsewhere_changes_nothing(house: House, program: Receiver) -> None:
    page = opened(house)
    answer = page.visitor.client.post(page.url, data={"do": "add", "url": program.url, "nonce": "x"})
    assert answer.status_code == 400
    assert not house.all(select(Webhook))
    page = page.press("Add a webhook", url=program.url)
    (row,) = house.all(select(Webhook))
    for do in ("test", "again", "remove"):
        answer = page.visitor.client.post(page.url, data={"do": do, "webhook": row.id, "nonce": "x"})
        assert answer.status_code == 400
    assert house.all(select(Webhook.id)) == [row.id]
    assert not house.all(select(WebhookDelivery))


def test_no_more_than_a_few_fit(house: House, program: Receiver) -> None:
    page = opened(house)
    for number in range(webhooks.MAX_PER_SEAT):
        page = page.press("Add a webhook", url=f"{program.url}/{number}")
    assert "Add a webhook" not in {form.button for form in page.forms}
