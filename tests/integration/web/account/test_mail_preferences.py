"""The page where a player chooses what mail they get."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.db.models import Player, SeatHolder
from tests.support.web.account.unsubscribe import stopped

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor

FIELDS = (
    "receipts", "mail_frequency", "digest_hour", "time_zone", "language", "link_only", "attach_replay",
    "compares_with_robot",
)  # fmt: skip
AT_FIRST = ("always", "each turn", 8, "UTC", "en", False, False, False)

TICKED = dict.fromkeys(("link_only", "replay_along", "compares_with_robot"), "on")


def chosen(house: House, name: str = "Ann") -> tuple[Any, ...]:
    (player,) = house.all(select(Player).where(Player.name == name))
    return tuple(getattr(player, field) for field in FIELDS)


def opened(site: Visitor, house: House) -> Page:
    house.start_match("middle-card", 3)
    mail = house.last("Ann")
    page = site.open(f"/mail/{mail.token}")
    assert f"http://127.0.0.1:8000/mail/{mail.token}\n" in mail.text
    assert page.url == f"/m/{mail.token}/mail"
    return page


def test_every_mail_leads_to_it_and_looking_changes_nothing(site: Visitor, local: House) -> None:
    page = opened(site, local)
    assert "These settings apply to all mail to ann@example.org." in page.words
    assert "Saved." not in page.words
    form = page.form("Save").fields
    assert [form[field] for field in ("receipts", "mail_when", "digest_hour", "zone", "language")] == [
        "always",
        "each turn",
        "8",
        "UTC",
        "en",
    ]
    assert form.keys().isdisjoint(TICKED)
    assert chosen(local) == AT_FIRST
    for method in ("HEAD", "OPTIONS"):
        assert site.open(f"{page.url}?kept=1&do=stop", method).status == 200
    assert chosen(local) == AT_FIRST
    assert not stopped(local)


def test_what_is_chosen_is_kept_for_this_player_alone_and_shown(site: Visitor, local: House) -> None:
    wish = {"receipts": "refused", "mail_when": "digest", "digest_hour": "19", "zone": "Europe/Vienna"}
    page = opened(site, local).press("Save", **wish, language="en", **TICKED)
    assert "Saved." in page.words
    assert page.url.endswith("/mail?kept=1")
    assert chosen(local) == ("refused", "digest", 19, "Europe/Vienna", "en", True, True, True)
    assert chosen(local, "Bob") == AT_FIRST
    again = page.form("Save").fields
    assert again | wish | TICKED == again
    page.press("Save", language="de")
    assert chosen(local)[4] == "de"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("receipts", "sometimes"),
        ("mail_when", "never"),
        ("digest_hour", "24"),
        ("digest_hour", "-1"),
        ("digest_hour", "٣"),
        ("zone", "Mars/Olympus"),
        ("zone", "../etc/passwd"),
        ("language", "xx"),
    ],
)
def test_what_is_not_offered_is_refused(site: Visitor, local: House, field: str, value: str) -> None:
    page = opened(site, local).press("Save", **{field: value})
    assert page.status == 400
    assert "Nothing was changed" in page.words
    assert chosen(local) == AT_FIRST


def test_the_mail_of_this_match_is_stopped_and_sent_again(site: Visitor, local: House) -> None:
    page = opened(site, local).press("No more mail about this match")
    assert stopped(local) == ["Ann"]
    page = page.press("Resume mail about this match")
    assert not stopped(local)
    assert chosen(local) == AT_FIRST


def test_an_unknown_link_leads_to_no_choices(site: Visitor, local: House) -> None:
    page = opened(site, local)
    assert site.open(f"/mail/{'0' * 26}").status == 404
    assert site.client.post(f"/m/{'0' * 26}/mail").status_code == 404
    with local.transaction() as ctx:
        for holder in ctx.session.scalars(select(SeatHolder)):
            holder.generation += 1
    assert site.open(page.url).status == 404


def test_a_zone_that_this_machine_does_not_know_is_still_shown(site: Visitor, local: House) -> None:
    page = opened(site, local)
    with local.transaction() as ctx:
        (player,) = ctx.session.scalars(select(Player).where(Player.name == "Ann"))
        player.time_zone = "Europe/Old_Town"
    assert site.open(page.url).form("Save").fields["zone"] == "Europe/Old_Town"


def test_nothing_is_to_be_stopped_of_a_match_that_is_over(site: Visitor, local: House) -> None:
    page = opened(site, local)
    local.start_match("minimax", 1)
    local.reply(local.last("Ann"), "resign yes")
    over = site.open(f"/m/{local.last('Ann').text.split('/mail/')[1].split()[0]}/mail")
    assert "To the match" in over.links
    assert [form.button for form in over.forms] == ["Save", "Deutsch"]
    assert "No more mail about this match" in [form.button for form in page.forms]
